package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Claim is a delivery that a worker has, with what it needs to send it.
type Claim struct {
	Lane     Lane
	Delivery frontdesk.Delivery
	Body     []byte
	Trace    string // the span that it goes on with, as trace.Parent told it; "": none
}

// Claimed are the deliveries of one lane and the connection they go to. Taken
// also counts those that turned out to have no attempt left.
type Claimed struct {
	Connection frontdesk.Connection
	Claims     []Claim
	Taken      int
}

// LanesWithWorkForWorker finds active connections that have a delivery due. It
// walks from connection to connection, so it costs as much as there are lanes
// with open deliveries, not as there are deliveries.
func (s *Store) LanesWithWorkForWorker(ctx context.Context, now time.Time) ([]Lane, error) {
	var lanes []Lane
	err := s.each(ctx, "looking for work",
		`WITH RECURSIVE open_lanes (id) AS (
			SELECT * FROM (SELECT connection_id FROM deliveries WHERE due_at IS NOT NULL ORDER BY connection_id LIMIT 1) first
			UNION ALL
			SELECT (SELECT d.connection_id FROM deliveries d WHERE d.due_at IS NOT NULL AND d.connection_id > l.id ORDER BY d.connection_id LIMIT 1)
			FROM open_lanes l WHERE l.id IS NOT NULL)
		SELECT c.tenant_id, c.live, c.id FROM open_lanes l JOIN connections c ON c.id = l.id
		WHERE c.status = 'active' AND EXISTS (SELECT 1 FROM deliveries d WHERE d.connection_id = c.id AND d.due_at IS NOT NULL AND d.due_at <= $1)`,
		[]any{micros(now)}, func(r row) error {
			var l Lane
			err := r.Scan(&l.Owner.TenantID, &l.Owner.Live, &l.Connection)
			lanes = append(lanes, l)
			return err
		})
	return lanes, err
}

// turnTime is how long a turn at a lane may take. It has more time than a
// customer's question: what it saves has happened, and would happen again.
const turnTime = 5 * time.Second

// ClaimForWorker takes up to most due deliveries of a lane until the lease ends.
// Nobody else gets them before that.
func (s *Store) ClaimForWorker(ctx context.Context, l Lane, now, leaseUntil time.Time, most int) (Claimed, error) {
	return s.TurnForWorker(ctx, l, nil, Wish{Now: now, LeaseUntil: leaseUntil, Most: most})
}

// Wish is what a worker wants of a lane.
type Wish struct {
	Now        time.Time
	LeaseUntil time.Time
	Most       int // deliveries; 0: none
	// Worker names the process that asks, where there may be several. A lane is
	// left to the one that worked on it last: two that work on one lane get
	// less done than one, unless it has more than one can do.
	Worker string
}

const (
	// HeldFor is how long a lane is a worker's after it was last at work there.
	HeldFor = 2 * time.Second
	// patience is how long a delivery waits for the worker that holds its lane.
	patience = 3 * time.Second
)

// Worker names this process among those that work on the same lanes, "" where
// there can be no other.
func (s *Store) Worker() string { return s.worker }

// TurnForWorker does what a worker does again and again for a lane, in one
// transaction: it saves how attempts ended, and takes further deliveries. It
// takes none of a connection that is disabled or gone.
func (s *Store) TurnForWorker(ctx context.Context, l Lane, tried []Tried, w Wish) (c Claimed, err error) {
	err = s.transactFor(ctx, turnTime, "taking a turn at a lane", func(t *tx) error {
		if len(tried) > 0 {
			c.Connection, err = t.saveLane(l, tried, w.Worker)
		} else {
			err = t.readLane(&c, l)
		}
		if err != nil || w.Most == 0 {
			return err
		}
		if w.Worker != "" && len(tried) == 0 {
			if err := t.holdLane(l, w); err != nil {
				return err
			}
		}
		return t.claim(&c, l, w)
	})
	if err != nil {
		return Claimed{}, err
	}
	return c, nil
}

// readLane reads the connection of a lane. The lock keeps it from being deleted
// meanwhile; it is not in the way of who saves.
func (t *tx) readLane(c *Claimed, l Lane) error {
	return t.eachLater(selectConnections+` WHERE tenant_id = $1 AND live = $2 AND id = $3`+t.dialect.keepRow, laneValues(l), func(r row) (err error) {
		c.Connection, err = scanConnection(r)
		return err
	})
}

func laneValues(l Lane) []any {
	return []any{string(l.Owner.TenantID), l.Owner.Live, string(l.Connection)}
}

func (t *tx) connectionForShare(l Lane) (c frontdesk.Connection, err error) {
	err = t.each(selectConnections+` WHERE tenant_id = $1 AND live = $2 AND id = $3`+t.dialect.forShare, laneValues(l), func(r row) error {
		c, err = scanConnection(r)
		return err
	})
	return c, err
}

// holdLane makes a lane the worker's, if it has something that is due and no
// other worker has been at work there lately. Who holds a lane is a matter of the
// machines' own time, whatever time the deliveries are told.
func (t *tx) holdLane(l Lane, w Wish) error {
	now := time.Now()
	return t.later(`UPDATE connections SET worker = $4, worked_at = $5
		WHERE tenant_id = $1 AND live = $2 AND id = $3 AND status = 'active'
			AND (worker IS NULL OR worker <> $4 AND COALESCE(worked_at, 0) < $6 OR worker = $4 AND COALESCE(worked_at, 0) < $7)
			AND EXISTS (SELECT 1 FROM deliveries WHERE connection_id = $3 AND due_at IS NOT NULL AND due_at <= $8)`,
		append(laneValues(l), w.Worker, micros(now), micros(now.Add(-HeldFor)), micros(now.Add(-HeldFor/2)), micros(w.Now))...)
}

// exhausted are deliveries whose last attempt was begun and never saved: the
// process that made it is gone. They are not tried once more.
const exhausted = `status = 'delivering' AND attempts >= max_attempts`

// claim takes due deliveries of an active connection. An attempt counts from
// here on, so that one that is never heard of again has been made.
func (t *tx) claim(c *Claimed, l Lane, w Wish) error {
	args := append(laneValues(l), micros(w.Now), w.Most, micros(w.LeaseUntil))
	held := ""
	if w.Worker != "" {
		held = ` AND (due_at <= $7 OR EXISTS (SELECT 1 FROM connections WHERE tenant_id = $1 AND live = $2 AND id = $3 AND worker = $8))`
		args = append(args, micros(w.Now.Add(-patience)), w.Worker)
	}
	// Chosen apart, and once: as a part of the UPDATE, PostgreSQL may choose
	// again and again, and take more than most. By id: a ctid is one row's only
	// within its partition.
	return t.eachLater(`WITH due AS MATERIALIZED (
			SELECT id FROM deliveries
			WHERE connection_id = $3 AND due_at IS NOT NULL AND due_at <= $4
				AND EXISTS (SELECT 1 FROM connections WHERE tenant_id = $1 AND live = $2 AND id = $3 AND status = 'active')`+held+`
			ORDER BY due_at LIMIT $5 + 0`+t.dialect.skip+`)
		UPDATE deliveries SET status = CASE WHEN `+exhausted+` THEN 'dead' ELSE 'delivering' END,
			attempts = CASE WHEN `+exhausted+` THEN attempts ELSE attempts + 1 END,
			error_code = CASE WHEN `+exhausted+` THEN '`+frontdesk.TimedOut+`' ELSE error_code END,
			message = CASE WHEN `+exhausted+` THEN '`+frontdesk.UnknownEnd+`' ELSE message END,
			due_at = CASE WHEN `+exhausted+` THEN NULL ELSE CAST($6 AS BIGINT) END
		WHERE tenant_id = $1 AND live = $2 AND `+fmt.Sprintf(t.dialect.idIn, "due")+`
		RETURNING live, `+deliveryColumns+`, trace,
			(SELECT e.body FROM events e WHERE e.tenant_id = deliveries.tenant_id AND e.live = deliveries.live AND e.id = deliveries.event_id)`,
		args, func(r row) error {
			claim := Claim{Lane: l}
			err := claim.scan(r)
			c.Taken++
			if claim.Delivery.Status == frontdesk.DeliveryDelivering {
				c.Claims = append(c.Claims, claim)
			}
			return err
		})
}

// scan reads a delivery with the span that it goes on with and what it delivers.
func (c *Claim) scan(r row) (err error) {
	var trace sql.NullString
	c.Delivery, err = scanDeliveryAnd(r, &trace, &c.Body)
	c.Trace = trace.String
	return err
}

// ClaimDelivery takes one of the owner's deliveries that has failed, for an
// attempt that its customer asked for. It is kept at once, whatever transaction
// ctx belongs to: the attempt is made before that one ends.
func (s *Store) ClaimDelivery(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, leaseUntil time.Time) (c Claimed, err error) {
	err = s.transact(Apart(ctx), "claiming a delivery", func(t *tx) error {
		claim, err := t.lockDelivery(&c, owner, id)
		if err != nil {
			return err
		}
		if c.Connection.Status != frontdesk.ConnectionActive {
			return frontdesk.NotEnabled()
		}
		if err := claim.Delivery.Retryable(); err != nil {
			return err
		}
		if err := t.noteWork(ctx, id); err != nil {
			return err
		}
		if err := t.audit(owner, by, change{
			frontdesk.AuditDeliveryRetried, string(id), claim.Delivery.Event,
			frontdesk.DeliveryChanges(claim.Delivery, claim.Delivery.Begin(leaseUntil)),
		}); err != nil {
			return err
		}
		return t.begin(&c, claim, leaseUntil)
	})
	return c, err
}

// ResumeDelivery takes one of the owner's deliveries whose attempt was cut off,
// for who repeats the request that made it, and says how the delivery stands.
// Nothing is claimed when it has come to an end meanwhile, or when a worker has
// it.
func (s *Store) ResumeDelivery(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID, now, leaseUntil time.Time) (c Claimed, d frontdesk.Delivery, err error) {
	err = s.transact(Apart(ctx), "resuming a delivery", func(t *tx) error {
		claim, err := t.lockDelivery(&c, owner, id)
		if d = claim.Delivery; err != nil || !d.CutOff(now) {
			return err
		}
		if d.Event != frontdesk.ConnectionTest && c.Connection.Status != frontdesk.ConnectionActive {
			return frontdesk.NotEnabled()
		}
		return t.begin(&c, claim, leaseUntil)
	})
	return c, d, err
}

// lockDelivery reads a delivery with its connection, and keeps others from them.
func (t *tx) lockDelivery(c *Claimed, owner frontdesk.Owner, id frontdesk.ID) (claim Claim, err error) {
	me := []any{string(owner.TenantID), owner.Live, string(id)}
	claim.Lane.Owner = owner
	found, err := t.row(`SELECT connection_id FROM deliveries WHERE tenant_id = $1 AND live = $2 AND id = $3`, me, &claim.Lane.Connection)
	if err == nil && !found {
		err = frontdesk.Missing("delivery")
	}
	if err != nil {
		return claim, err
	}
	if kept, err := t.keepConnection(claim.Lane); err != nil {
		return claim, err
	} else if !kept { // deleted, and its deliveries are about to be
		return claim, frontdesk.Missing("delivery")
	}
	claim.Delivery, err = one(t.each, "delivery", `SELECT live, `+deliveryColumns+`, trace,
			(SELECT e.body FROM events e WHERE e.tenant_id = deliveries.tenant_id AND e.live = deliveries.live AND e.id = deliveries.event_id)
		FROM deliveries WHERE tenant_id = $1 AND live = $2 AND id = $3`+t.dialect.forUpdate, me, func(r row) (frontdesk.Delivery, error) {
		err := claim.scan(r)
		return claim.Delivery, err
	})
	if err == nil {
		c.Connection, err = t.connectionForShare(claim.Lane)
	}
	return claim, err
}

// begin claims one delivery for an attempt.
func (t *tx) begin(c *Claimed, claim Claim, leaseUntil time.Time) error {
	claim.Delivery = claim.Delivery.Begin(leaseUntil)
	c.Claims = []Claim{claim}
	return t.later(`UPDATE deliveries SET status = 'delivering', attempts = $4, due_at = $5 WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		string(claim.Lane.Owner.TenantID), claim.Lane.Owner.Live, string(claim.Delivery.ID), claim.Delivery.Attempts, micros(leaseUntil))
}

// StartDelivery writes an event that goes to one connection alone, with its
// delivery claimed already: a test. It is kept at once, as by ClaimDelivery.
func (s *Store) StartDelivery(ctx context.Context, owner frontdesk.Owner, e frontdesk.Event, d frontdesk.Delivery) (c Claimed, err error) {
	err = s.transact(Apart(ctx), "starting a delivery", func(t *tx) error {
		l := Lane{owner, d.ConnectionID}
		if c.Connection, err = t.connectionForShare(l); err != nil {
			return err
		}
		if c.Connection.ID == "" {
			return frontdesk.Missing("connection")
		}
		if err := t.noteWork(ctx, d.ID); err != nil {
			return err
		}
		if err := t.insertEvent(owner, e); err != nil {
			return err
		}
		c.Claims = []Claim{{Lane: l, Delivery: d, Body: e.Body}}
		return t.insertDelivery(owner, d)
	})
	return c, err
}

// Tried is an attempt that has ended: the claim it was made for, how it ended,
// and the delivery as it stands after it.
type Tried struct {
	Claim   Claim
	Attempt frontdesk.Attempt
	After   frontdesk.Delivery
	At      time.Time
}

// SaveAttempts writes how attempts ended: each delivery with its status and its
// next attempt, and what they mean for their connections, in one transaction. An
// attempt whose lease has passed to another worker, or whose connection is gone,
// changes nothing.
func (s *Store) SaveAttempts(ctx context.Context, tried ...Tried) error {
	return s.transactFor(ctx, turnTime, "saving attempts", func(t *tx) error {
		for _, lane := range lanesOf(tried) {
			if _, err := t.saveLane(lane, ofLane(lane, tried), ""); err != nil {
				return err
			}
		}
		return nil
	})
}

// saveLane writes the attempts of one lane and returns its connection as they
// leave it, the zero one if it is gone. The lane is the worker's from then on.
// The connection's own row is locked last and for a moment only.
func (t *tx) saveLane(l Lane, tried []Tried, worker string) (frontdesk.Connection, error) {
	if err := t.later(keepConnection+t.dialect.keepRow, laneValues(l)...); err != nil {
		return frontdesk.Connection{}, err
	}
	ours := make([]int64, len(tried)) // 1: the attempt's lease was still ours
	for i, a := range tried {
		if err := t.saveAttempt(a, &ours[i]); err != nil {
			return frontdesk.Connection{}, err
		}
	}
	c, err := t.lockConnection(l.Owner, l.Connection)
	if isMissing(err) {
		return frontdesk.Connection{}, nil
	}
	if err != nil {
		return c, err
	}
	for i, a := range tried {
		if ours[i] > 0 {
			c = c.After(a.Attempt, a.At)
		}
	}
	return c, t.updateHeldConnection(l.Owner, c, worker)
}

func ofLane(l Lane, tried []Tried) (own []Tried) {
	for _, a := range tried {
		if a.Claim.Lane == l {
			own = append(own, a)
		}
	}
	return own
}

// keepConnection keeps a lane's connection from being deleted, and says whether
// it is there. Whoever locks deliveries and waits for it does this first.
func (t *tx) keepConnection(l Lane) (bool, error) {
	return t.row(keepConnection+t.dialect.keepRow, laneValues(l), new(string))
}

const keepConnection = `SELECT id FROM connections WHERE tenant_id = $1 AND live = $2 AND id = $3`

// lanesOf are the lanes of attempts in a fixed order, so that two savings at
// once never wait for each other in a circle.
func lanesOf(tried []Tried) []Lane {
	seen := map[Lane]bool{}
	var lanes []Lane
	for _, a := range tried {
		if !seen[a.Claim.Lane] {
			seen[a.Claim.Lane] = true
			lanes = append(lanes, a.Claim.Lane)
		}
	}
	slices.SortFunc(lanes, func(a, b Lane) int { return strings.Compare(a.String(), b.String()) })
	return lanes
}

// saveAttempt writes what an attempt can change, and nothing else: SQLite enters
// a row anew in every index that has a column among those set. COALESCE keeps
// PostgreSQL to the primary key: bare, the lease would let it read the index of
// open deliveries whole, which its statistics call empty.
func (t *tx) saveAttempt(a Tried, changed *int64) error {
	owner, d := a.Claim.Lane.Owner, a.After
	httpStatus, latency := attemptValues(d)
	return t.session.later(statement{
		query: `UPDATE deliveries SET (status, attempts, http_status, latency_ms, error_code, message, due_at, delivered_at)
			= ($4, $5, $6, $7, $8, $9, $10, $11)
		WHERE tenant_id = $1 AND live = $2 AND id = $3 AND status = 'delivering' AND COALESCE(due_at, 0) = $12`,
		args: []any{
			string(owner.TenantID), owner.Live, string(d.ID), string(d.Status), d.Attempts, httpStatus, latency, d.ErrorCode, d.Message,
			maybeMicros(dueAt(d)), maybeMicros(d.DeliveredAt), micros(a.Claim.Delivery.LeaseUntil),
		},
		changed: changed,
	})
}

// ReleaseForWorker gives back deliveries that were claimed and not tried: the
// attempt that was counted was not made.
func (s *Store) ReleaseForWorker(ctx context.Context, claims []Claim, now time.Time) error {
	return s.transactFor(ctx, turnTime, "releasing deliveries", func(t *tx) error {
		for _, c := range claims {
			if err := t.later(keepConnection+t.dialect.keepRow, laneValues(c.Lane)...); err != nil {
				return err
			}
			if err := t.later(`UPDATE deliveries SET status = CASE WHEN attempts <= 1 THEN 'pending' ELSE 'failed' END, attempts = attempts - 1, due_at = $4
				WHERE tenant_id = $1 AND live = $2 AND id = $3 AND status = 'delivering' AND COALESCE(due_at, 0) = $5`,
				string(c.Lane.Owner.TenantID), c.Lane.Owner.Live, string(c.Delivery.ID), micros(now), micros(c.Delivery.LeaseUntil)); err != nil {
				return err
			}
		}
		return nil
	})
}

// QueueForWorker says how many deliveries to active connections are open, and
// since when the oldest one that is due waits.
func (s *Store) QueueForWorker(ctx context.Context, now time.Time) (open int, oldest time.Duration, err error) {
	var due sql.NullInt64
	err = s.row(ctx, "measuring the queue",
		`SELECT COUNT(*), MIN(CASE WHEN d.due_at <= $1 AND d.status <> 'delivering' THEN d.due_at END)
		FROM connections c JOIN deliveries d ON d.connection_id = c.id WHERE c.status = 'active' AND d.due_at IS NOT NULL`,
		[]any{micros(now)}, &open, &due)
	if due.Valid {
		oldest = now.Sub(fromMicros(due.Int64))
	}
	return open, oldest, err
}
