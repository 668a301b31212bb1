package store

import (
	"context"
	"database/sql"
	"errors"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Calls and captures that are older than the tallies are tallied by workers, some
// rows at a time, while all goes on. Rows that are tallied already, because they
// were written later, are passed over.

// backfill is how far the older rows of one table of an owner are tallied.
type backfill struct {
	owner  frontdesk.Owner
	source string // calls or captures
	after  frontdesk.ID
}

// backfillDays bounds how many days are tallied in one transaction, for owners
// with few calls a day: on SQLite, everybody who writes waits for it.
const backfillDays = 32

// BackfillTalliesForWorker tallies up to most older rows. It says whether there
// is more to do. Of several workers that do so at once, one gets on, and to the
// others it says that there is nothing to do for now.
func (s *Store) BackfillTalliesForWorker(ctx context.Context, most int) (more bool, err error) {
	b, found, err := s.nextBackfill(ctx)
	if err != nil || !found {
		return false, err
	}
	// Older rows do not change: they can be read before anything is locked.
	older, last, err := s.olderRows(ctx, b, most)
	if err != nil {
		return false, err
	}
	added, err := older.spread(b.owner)
	if err != nil {
		return false, err
	}
	err = s.transactFor(ctx, foldTime, "tallying older rows", func(t *tx) error {
		more, err = t.advance(b, last)
		if err != nil || !more {
			return err
		}
		return t.addToSheets(added)
	})
	return more && err == nil, err
}

func (s *Store) nextBackfill(ctx context.Context) (b backfill, found bool, err error) {
	err = s.row(ctx, "looking for older rows to tally",
		`SELECT tenant_id, live, source, after FROM tally_backfills ORDER BY tenant_id, live, source LIMIT 1`, nil,
		&b.owner.TenantID, &b.owner.Live, &b.source, &b.after)
	if errors.Is(err, sql.ErrNoRows) {
		return b, false, nil
	}
	return b, err == nil, err
}

// olderRows tallies the next rows. last is the id of the last one that was
// looked at, "" when there are no more after it.
func (s *Store) olderRows(ctx context.Context, b backfill, most int) (older entries, last frontdesk.ID, err error) {
	older = entries{}
	rows, enough := 0, false
	scan := func(r row) error { return scanOlderCall(r, older, &last) }
	query := `SELECT id, agent_id, channel, started_at, duration_seconds, outcome, language, tallied IS NULL FROM calls`
	if b.source == "captures" {
		scan = func(r row) error { return scanOlderCapture(r, older, &last) }
		query = `SELECT id, agent_id, channel, created_at, tallied IS NULL FROM captures`
	}
	err = s.each(ctx, "reading older "+b.source,
		query+` WHERE tenant_id = $1 AND live = $2 AND id > $3 ORDER BY id LIMIT $4 + 0`,
		[]any{string(b.owner.TenantID), b.owner.Live, string(b.after), most}, func(r row) error {
			rows++
			if enough = len(older) > backfillDays; enough {
				return nil // the next time
			}
			return scan(r)
		})
	if rows < most && !enough {
		last = ""
	}
	return older, last, err
}

func scanOlderCall(r row, older entries, last *frontdesk.ID) error {
	var c frontdesk.Call
	var agentID sql.NullString
	var startedAt int64
	var untallied bool
	err := r.Scan(last, &agentID, &c.Channel, &startedAt, &c.Duration, &c.Outcome, &c.Language, &untallied)
	if err == nil && untallied {
		c.AgentID, c.StartedAt = frontdesk.ID(agentID.String), fromMicros(startedAt)
		older.addCall(c)
	}
	return err
}

func scanOlderCapture(r row, older entries, last *frontdesk.ID) error {
	var c frontdesk.Capture
	var agentID sql.NullString
	var createdAt int64
	var untallied bool
	err := r.Scan(last, &agentID, &c.Channel, &createdAt, &untallied)
	if err == nil && untallied {
		c.AgentID, c.CreatedAt = frontdesk.ID(agentID.String), fromMicros(createdAt)
		older.addCapture(c)
	}
	return err
}

// advance notes that the rows up to last are tallied, and says whether it was
// this worker's to note.
func (t *tx) advance(b backfill, last frontdesk.ID) (bool, error) {
	where := ` WHERE tenant_id = $1 AND live = $2 AND source = $3 AND after = $4`
	args := []any{string(b.owner.TenantID), b.owner.Live, b.source, string(b.after)}
	statement := `DELETE FROM tally_backfills` + where
	if last != "" {
		statement = `UPDATE tally_backfills SET after = $5` + where
		args = append(args, string(last))
	}
	changed, err := t.exec(statement, args...)
	return changed > 0, err
}
