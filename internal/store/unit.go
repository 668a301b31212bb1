package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Unit is all that one request with an idempotency key writes: one transaction,
// in which the record of the key is written too. So a request whose work is kept
// has its answer kept, and one that is cut off has done nothing.
//
// It travels in the context. The transaction is opened by the first change that
// is made under it; later changes and questions are part of it.
type Unit struct {
	store *Store
	owner frontdesk.Owner
	key   string
	lease time.Time

	mu     sync.Mutex
	tx     *tx // nil: nothing was written yet
	cancel context.CancelFunc
	broken error // why nothing of it can be kept
	after  []func()
}

type (
	unitKey  struct{}
	apartKey struct{} // of the unit that work is apart from
)

// NewUnit returns a context under which what is written waits for Keep. owner,
// key and lease are those that the key was claimed with.
func (s *Store) NewUnit(ctx context.Context, owner frontdesk.Owner, key string, lease time.Time) (context.Context, *Unit) {
	u := &Unit{store: s, owner: owner, key: key, lease: lease}
	return withUnit(ctx, u), u
}

// Apart returns a context under which things are written by themselves and kept
// at once, whatever becomes of the unit. It is of no use once the unit has
// written something: see alone.
func Apart(ctx context.Context) context.Context {
	u := unitOf(ctx)
	if u == nil {
		return ctx
	}
	return context.WithValue(withUnit(ctx, nil), apartKey{}, u)
}

func withUnit(ctx context.Context, u *Unit) context.Context {
	return context.WithValue(ctx, unitKey{}, u)
}

// alone refuses a question that would wait for a second connection while the
// request holds one. As many such requests as the pool has connections would
// wait for each other, and on SQLite one is enough: there is one writer.
func alone(ctx context.Context) error {
	u, _ := ctx.Value(apartKey{}).(*Unit)
	if unitOf(ctx).open() != nil || u.open() != nil {
		return errTwoConnections
	}
	return nil
}

var errTwoConnections = errors.New("a request that has written something asked for a second connection to the database")

func unitOf(ctx context.Context) *Unit {
	u, _ := ctx.Value(unitKey{}).(*Unit)
	return u
}

// open is the unit's transaction, if something was written under it.
func (u *Unit) open() *tx {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.tx
}

// transact runs work in the unit's transaction. When it fails, all of it is
// taken back.
func (u *Unit) transact(ctx context.Context, limit time.Duration, doing string, work func(*tx) error) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.broken != nil {
		return u.broken
	}
	if u.tx == nil {
		ctx, cancel := context.WithTimeout(ctx, limit)
		begun, err := u.store.engine.begin(ctx, true)
		if err != nil {
			cancel()
			return u.store.failed(doing, err)
		}
		u.tx, u.cancel = u.store.newTx(ctx, begun), cancel
	}
	done := false
	defer func() { // also when work panics
		if !done {
			u.drop(errUnitBroken)
		}
	}()
	if err := work(u.tx); err != nil {
		return u.store.failed(doing, err)
	}
	done = true
	return nil
}

var errUnitBroken = errors.New("what was written before was taken back")

func (u *Unit) drop(why error) {
	u.broken = why
	if u.tx != nil {
		u.tx.session.rollback()
		u.cancel()
		u.tx = nil
	}
}

// Finally runs work that may take long once the unit that ctx belongs to has
// ended, however it did; without a unit, at once.
func Finally(ctx context.Context, work func()) {
	u := unitOf(ctx)
	if u == nil {
		work()
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.after = append(u.after, work)
}

// finish runs what was left for the end. The unit is not locked meanwhile: what it
// runs may ask whether the unit holds a connection.
func (u *Unit) finish() {
	u.mu.Lock()
	after := u.after
	u.after = nil
	u.mu.Unlock()
	for _, work := range after {
		work()
	}
}

// Drop takes back what was written. After Keep it does nothing.
func (u *Unit) Drop() {
	defer u.finish()
	u.mu.Lock()
	defer u.mu.Unlock()
	u.drop(errUnitBroken)
}

// Keep keeps what was written, and with it the answer to the request. A request
// that has lost its key meanwhile keeps nothing. When it fails the unit has ended,
// as by Drop.
func (u *Unit) Keep(ctx context.Context, status int, body []byte) (err error) {
	defer u.finish()
	u.mu.Lock()
	defer u.mu.Unlock()
	const doing = "keeping an answer"
	ctx, span := u.store.span(ctx, doing)
	defer func() { ended(span, err) }()
	if u.broken != nil {
		return u.store.failed(doing, u.broken)
	}
	if u.tx == nil {
		return u.store.KeepAnswer(withUnit(ctx, nil), u.owner, u.key, u.lease, status, body)
	}
	changed, err := u.tx.exec(keepAnswer, keepValues(u.owner, u.key, u.lease, status, body)...)
	if err == nil && changed == 0 {
		err = errKeyLost
	}
	if err != nil {
		u.drop(err)
		return u.store.failed(doing, err)
	}
	kept := u.tx
	u.tx, u.broken = nil, errUnitBroken
	defer u.cancel()
	if err := kept.session.commit(); err != nil {
		return u.store.failed(doing, err)
	}
	u.store.tell(kept.lanes, false)
	u.store.tellOfDocuments(kept.documents)
	u.store.tellWritten(kept.written)
	return nil
}

var errKeyLost = &frontdesk.Error{
	Kind: frontdesk.Unavailable, Code: "database_unavailable",
	Message: "The request took too long, and nothing of it was kept. Send it again with the same Idempotency-Key.",
}

// noteWork writes, beside the key of the request that ctx belongs to, what it
// has begun outside of any transaction. Whoever repeats the request finds it.
func (t *tx) noteWork(ctx context.Context, id frontdesk.ID) error {
	u := unitOf(ctx)
	if u == nil {
		return nil
	}
	changed, err := t.exec(`UPDATE idempotency_keys SET work = $5 WHERE tenant_id = $1 AND live = $2 AND key = $3 AND lease_until = $4 AND status IS NULL`,
		string(u.owner.TenantID), u.owner.Live, u.key, micros(u.lease), string(id))
	if err == nil && changed == 0 {
		return errKeyLost
	}
	return err
}
