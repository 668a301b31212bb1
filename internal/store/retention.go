package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// What a tenant keeps for a number of days is forgotten a few rows at a time, the
// oldest first. Ids are minted in the order of time, so that the oldest rows of an
// owner are the first of its primary key, and looking for what is not there costs
// nothing. Tallies and usage stay: who called is forgotten, not how many. What is
// deleted is bounded once more where it is chosen from: younger partitions are not
// looked at.

// ForgetTranscripts deletes some of the owner's transcripts from before an instant,
// and says how many. Callers ask again until it is fewer than they allowed.
func (s *Store) ForgetTranscripts(ctx context.Context, owner frontdesk.Owner, before time.Time, most int) (int64, error) {
	return s.exec(ctx, "forgetting transcripts", `DELETE FROM transcripts WHERE tenant_id = $1 AND live = $2 AND call_id < $3 AND call_id IN
		(SELECT call_id FROM transcripts WHERE tenant_id = $1 AND live = $2 AND call_id < $3 ORDER BY call_id LIMIT $4 + 0`+s.dialect.skip+`)`,
		string(owner.TenantID), owner.Live, firstIDFrom(before), most)
}

// ForgetCalls deletes some of the owner's calls from before an instant with their
// transcripts, and says how many. Calls that no tally has yet stay.
func (s *Store) ForgetCalls(ctx context.Context, owner frontdesk.Owner, before time.Time, most int) (int64, error) {
	return s.forget(ctx, owner, "forgetting calls", func(t *tx) ([]frontdesk.ID, error) {
		return t.ids(`SELECT id FROM calls WHERE tenant_id = $1 AND live = $2 AND id < $3 AND NOT EXISTS
				(SELECT 1 FROM tally_backfills b WHERE b.tenant_id = $1 AND b.live = $2 AND b.source = 'calls')
			ORDER BY id LIMIT $4 + 0`+t.dialect.skip, string(owner.TenantID), owner.Live, firstIDFrom(before), most)
	}, deleteCalls)
}

// ForgetCaptures deletes some of the owner's captures from before an instant, with
// what was sent of them, and says how many. Those of a day that is still to come,
// on any clock, stay, and so do those that no tally has yet.
func (s *Store) ForgetCaptures(ctx context.Context, owner frontdesk.Owner, before time.Time, most int) (int64, error) {
	return s.forget(ctx, owner, "forgetting captures", func(t *tx) ([]frontdesk.ID, error) {
		return t.ids(`SELECT id FROM captures WHERE tenant_id = $1 AND live = $2 AND id < $3 AND (scheduled_at IS NULL OR scheduled_at < $4) AND NOT EXISTS
				(SELECT 1 FROM tally_backfills b WHERE b.tenant_id = $1 AND b.live = $2 AND b.source = 'captures')
			ORDER BY id LIMIT $5 + 0`+t.dialect.skip, string(owner.TenantID), owner.Live, firstIDFrom(before), before.UTC().AddDate(0, 0, -1).Format("2006-01-02"), most)
	}, deleteCaptures)
}

// ForgetQuestions deletes the owner's unanswered questions from before an instant.
func (s *Store) ForgetQuestions(ctx context.Context, owner frontdesk.Owner, before time.Time) error {
	return s.transact(ctx, "forgetting unanswered questions", func(t *tx) error {
		for _, table := range []string{"unanswered", "unanswered_of_agents"} {
			if err := t.later(`DELETE FROM `+table+` WHERE tenant_id = $1 AND live = $2 AND day < $3`, string(owner.TenantID), owner.Live, dayOf(before)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ForgetEvents deletes some of the owner's deliveries and events from before an
// instant that are done, and says how many. Events go last: while a delivery is
// there, what it delivers is too.
func (s *Store) ForgetEvents(ctx context.Context, owner frontdesk.Owner, before time.Time, most int) (int64, error) {
	args := []any{string(owner.TenantID), owner.Live, firstIDFrom(before), most}
	deliveries, err := s.exec(ctx, "forgetting deliveries", `DELETE FROM deliveries WHERE tenant_id = $1 AND live = $2 AND id < $3 AND id IN
		(SELECT id FROM deliveries WHERE tenant_id = $1 AND live = $2 AND id < $3 AND due_at IS NULL ORDER BY id LIMIT $4 + 0`+s.dialect.skip+`)`, args...)
	if err != nil || deliveries > 0 {
		return deliveries, err
	}
	return s.exec(ctx, "forgetting events", `DELETE FROM events WHERE tenant_id = $1 AND live = $2 AND id < $3 AND id IN
		(SELECT id FROM events e WHERE tenant_id = $1 AND live = $2 AND id < $3 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id)
		ORDER BY id LIMIT $4 + 0`+s.dialect.skip+`)`, args...)
}

// forget deletes what is found, in one transaction.
func (s *Store) forget(ctx context.Context, owner frontdesk.Owner, doing string, find func(*tx) ([]frontdesk.ID, error),
	statements []string,
) (forgotten int64, err error) {
	err = s.transact(ctx, doing, func(t *tx) error {
		ids, err := find(t)
		forgotten = int64(len(ids))
		if err != nil || forgotten == 0 {
			return err
		}
		return t.forEach(owner, ids, statements)
	})
	return forgotten, err
}

// ids are those that a query finds.
func (t *tx) ids(query string, args ...any) (ids []frontdesk.ID, err error) {
	err = t.each(query, args, func(r row) error {
		var id frontdesk.ID
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// What is done to delete captures, calls and conversations: statements that end where the ids
// follow. A capture outlives the call that made it.
var (
	deleteCaptures = []string{
		`DELETE FROM notices WHERE tenant_id = $1 AND live = $2 AND capture_id IN `,
		`DELETE FROM waiting_list WHERE tenant_id = $1 AND live = $2 AND capture_id IN `,
		`DELETE FROM captures WHERE tenant_id = $1 AND live = $2 AND id IN `,
	}
	deleteCalls = []string{
		`DELETE FROM holds WHERE tenant_id = $1 AND live = $2 AND call_id IN `,
		`DELETE FROM transcripts WHERE tenant_id = $1 AND live = $2 AND call_id IN `,
		`UPDATE captures SET call_id = NULL WHERE tenant_id = $1 AND live = $2 AND call_id IN `,
		`DELETE FROM calls WHERE tenant_id = $1 AND live = $2 AND id IN `,
	}
	deleteConversations = []string{
		`DELETE FROM lines WHERE tenant_id = $1 AND live = $2 AND conversation_id IN `,
		`DELETE FROM conversations WHERE tenant_id = $1 AND live = $2 AND id IN `,
	}
)

// forEach runs statements that end where the ids follow.
func (t *tx) forEach(owner frontdesk.Owner, ids []frontdesk.ID, statements []string) error {
	return inBatches(ids, func(some []frontdesk.ID) error {
		args := byID(owner, some)
		for _, s := range statements {
			if err := t.later(s+listed(3, len(some)), args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// byID are the parameters of a question for some of an owner's rows: $3 is the first id.
func byID(owner frontdesk.Owner, ids []frontdesk.ID) []any {
	args := []any{string(owner.TenantID), owner.Live}
	for _, id := range ids {
		args = append(args, string(id))
	}
	return args
}

// listed is a list of n parameters, beginning with one.
func listed(first, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = "$" + strconv.Itoa(first+i)
	}
	return "(" + strings.Join(all, ", ") + ")"
}
