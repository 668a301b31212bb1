package store

import (
	"context"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const numberColumns = `number, tenant_id, live, agent_id, carrier, trunk, secret, created_at`

const selectNumbers = `SELECT ` + numberColumns + ` FROM numbers`

// SealedNumber is a number with its secret as it is kept; nil where it has none.
type SealedNumber struct {
	frontdesk.Number
	Sealed []byte
}

// AddNumber writes a number of the owner's with its sealed secret, or nil.
func (s *Store) AddNumber(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, n frontdesk.Number, sealed []byte) error {
	return s.transact(ctx, "adding a telephone number", func(t *tx) error {
		if _, err := one(t.each, "agent", selectAgents+` WHERE tenant_id = $1 AND id = $2`,
			[]any{string(owner.TenantID), string(n.AgentID)}, scanAgent); err != nil {
			return err
		}
		changed, err := t.exec(`INSERT INTO numbers (number, tenant_id, live, agent_id, carrier, trunk, secret, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
			n.Number, string(owner.TenantID), owner.Live, string(n.AgentID), string(n.Carrier), n.Trunk, sealed, micros(n.CreatedAt))
		if err != nil {
			return err
		}
		if changed == 1 {
			return t.audit(owner, by, change{frontdesk.AuditNumberAdded, n.Number, n.Number, frontdesk.NumberChanges(frontdesk.Number{}, n)})
		}
		var holder frontdesk.ID
		if _, err := t.row(`SELECT tenant_id FROM numbers WHERE number = $1`, []any{n.Number}, &holder); err != nil {
			return err
		}
		return frontdesk.NumberTaken(n.Number, holder == owner.TenantID)
	})
}

// Numbers lists the owner's telephone numbers in their order.
func (s *Store) Numbers(ctx context.Context, owner frontdesk.Owner) ([]frontdesk.Number, error) {
	all := []frontdesk.Number{}
	err := s.each(ctx, "listing telephone numbers", selectNumbers+` WHERE tenant_id = $1 AND live = $2 ORDER BY number`,
		[]any{string(owner.TenantID), owner.Live}, func(r row) error {
			n, err := scanNumber(r)
			all = append(all, n.Number)
			return err
		})
	return all, err
}

// RemoveNumber forgets one of the owner's telephone numbers and its secret.
func (s *Store) RemoveNumber(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, number string) error {
	return s.transact(ctx, "removing a telephone number", func(t *tx) error {
		n, err := one(t.each, "number", `DELETE FROM numbers WHERE tenant_id = $1 AND live = $2 AND number = $3 RETURNING `+numberColumns,
			[]any{string(owner.TenantID), owner.Live, number}, scanNumber)
		if err != nil {
			return err
		}
		return t.audit(owner, by, change{frontdesk.AuditNumberRemoved, number, number, frontdesk.NumberChanges(n.Number, frontdesk.Number{})})
	})
}

// NumberForWorker finds a telephone number that somebody calls, whoever's it
// is, and its sealed secret.
func (s *Store) NumberForWorker(ctx context.Context, number string) (frontdesk.Number, []byte, error) {
	n, err := one(s.asking(ctx, "looking a telephone number up"), "number", selectNumbers+` WHERE number = $1`, []any{number}, scanNumber)
	return n.Number, n.Sealed, err
}

// NumbersForWorker lists all telephone numbers with their sealed secrets.
func (s *Store) NumbersForWorker(ctx context.Context) (all []SealedNumber, err error) {
	err = s.each(ctx, "listing telephone numbers", selectNumbers+` ORDER BY number`, nil, func(r row) error {
		n, err := scanNumber(r)
		all = append(all, n)
		return err
	})
	return all, err
}

// ResealNumbersForWorker lets reseal turn the sealed secret of every number that
// has one into a new one, and says how many there were.
func (s *Store) ResealNumbersForWorker(ctx context.Context, reseal func(number string, sealed []byte) ([]byte, error)) (done int, err error) {
	all, err := s.NumbersForWorker(ctx)
	if err != nil {
		return 0, err
	}
	for _, n := range all {
		if n.Sealed == nil {
			continue
		}
		sealed, err := reseal(n.Number.Number, n.Sealed)
		if err != nil {
			return done, err
		}
		// A number that was removed and added meanwhile has another secret.
		if _, err := s.exec(ctx, "sealing a number's secret anew", `UPDATE numbers SET secret = $3 WHERE number = $1 AND secret = $2`,
			n.Number.Number, n.Sealed, sealed); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

func scanNumber(r row) (n SealedNumber, err error) {
	var createdAt int64
	err = r.Scan(&n.Number.Number, &n.TenantID, &n.Live, &n.AgentID, &n.Carrier, &n.Trunk, &n.Sealed, &createdAt)
	n.CreatedAt = fromMicros(createdAt)
	return n, err
}
