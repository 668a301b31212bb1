package store

import (
	"context"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const selectRequests = `SELECT tenant_id, live, id, request_id, at, method, path, status, code, param, took, key_id, replayed FROM requests`

// Requests lists the owner's requests.
func (s *Store) Requests(ctx context.Context, owner frontdesk.Owner, f frontdesk.RequestFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Request], error) {
	filters := []filter{
		{column: "request_id", value: f.RequestID},
		{column: "method", value: f.Method},
	}
	if f.Failed {
		filters = append(filters, filter{column: "failed", number: 1})
	}
	return page(ctx, s, "listing requests", selectRequests, owner, p, filters, scanRequest)
}

// Request returns one of the owner's requests by our own id. The request_id of a
// client may be that of several.
func (s *Store) Request(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Request, error) {
	return one(s.asking(ctx, "reading a request"), "request", selectRequests+` WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		[]any{string(owner.TenantID), owner.Live, string(id)}, scanRequest)
}

// FaultsForWorker lists the newest requests of all tenants since an instant that
// failed by the server's own fault.
func (s *Store) FaultsForWorker(ctx context.Context, since time.Time, most int) (all []frontdesk.Request, err error) {
	err = s.each(ctx, "listing faults", selectRequests+` WHERE status >= 500 AND at >= $1 ORDER BY at DESC LIMIT $2 + 0`, []any{micros(since), most}, func(r row) error {
		q, err := scanRequest(r)
		all = append(all, q)
		return err
	})
	return all, err
}

// requestColumns is how many values RecordRequestsForWorker writes of a request.
const requestColumns = 14

// RecordRequestsForWorker keeps requests of any owners, in one transaction. Those
// that are there already are left: who does not know whether they were written
// writes them again.
func (s *Store) RecordRequestsForWorker(ctx context.Context, all []frontdesk.Request) error {
	return s.transact(ctx, "keeping requests", func(t *tx) error {
		all, err := t.ofTenants(all)
		if err != nil {
			return err
		}
		return inBatches(all, func(some []frontdesk.Request) error {
			rows, args := make([]string, len(some)), make([]any, 0, len(some)*requestColumns)
			for i, r := range some {
				rows[i] = listed(len(args)+1, requestColumns)
				failed := 0
				if r.Failed() {
					failed = 1
				}
				args = append(args, string(r.Owner.TenantID), r.Owner.Live, string(r.ID), r.RequestID, micros(r.At), r.Method, r.Path,
					r.Status, failed, r.Code, r.Param, r.Took.Microseconds(), string(r.Key), r.Replayed)
			}
			return t.later(`INSERT INTO requests (tenant_id, live, id, request_id, at, method, path, status, failed, code, param, took, key_id, replayed)
				VALUES `+strings.Join(rows, ", ")+` ON CONFLICT DO NOTHING`, args...)
		})
	})
}

// ofTenants are the requests whose tenants are there: one that was deleted meanwhile
// must not keep those of others from being written.
func (t *tx) ofTenants(all []frontdesk.Request) (some []frontdesk.Request, err error) {
	there := map[frontdesk.ID]bool{}
	for _, r := range all {
		if _, asked := there[r.Owner.TenantID]; asked {
			continue
		}
		ids, err := t.ids(`SELECT id FROM tenants WHERE id = $1`, string(r.Owner.TenantID))
		if err != nil {
			return nil, err
		}
		there[r.Owner.TenantID] = len(ids) == 1
	}
	for _, r := range all {
		if there[r.Owner.TenantID] {
			some = append(some, r)
		}
	}
	return some, nil
}

// PruneRequestsForWorker deletes some of the requests from before an instant, and
// says how many. Callers ask again until it is none.
func (s *Store) PruneRequestsForWorker(ctx context.Context, before time.Time, most int) (int64, error) {
	return s.exec(ctx, "pruning requests", `DELETE FROM requests WHERE (tenant_id, live, id) IN
		(SELECT tenant_id, live, id FROM requests WHERE at < $1 ORDER BY at LIMIT $2 + 0`+s.dialect.skip+`)`, micros(before), most)
}

func scanRequest(r row) (q frontdesk.Request, err error) {
	var at, took int64
	err = r.Scan(&q.Owner.TenantID, &q.Owner.Live, &q.ID, &q.RequestID, &at, &q.Method, &q.Path, &q.Status, &q.Code, &q.Param, &took, &q.Key, &q.Replayed)
	q.At, q.Took = fromMicros(at), time.Duration(took)*time.Microsecond
	return q, err
}
