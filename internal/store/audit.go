package store

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Audit lists what was changed of the owner's, newest first: what counts in the
// owner's mode, and what counts in both.
func (s *Store) Audit(ctx context.Context, owner frontdesk.Owner, f frontdesk.AuditFilter, p frontdesk.Page) (frontdesk.List[frontdesk.AuditEntry], error) {
	kind, action := f.Action, ""
	if strings.Contains(f.Action, ".") {
		kind, action = frontdesk.AuditKind(f.Action), f.Action
	}
	where, args := conditions([]filter{
		{column: "kind", value: kind},
		{column: "action", value: action},
		{column: "object_id", value: f.Object},
		{column: "by_kind", value: f.By},
	}, []any{string(owner.TenantID), owner.Live, string(cmp.Or(p.StartingAfter, afterAll))})
	limit := cmp.Or(p.Limit, frontdesk.DefaultPageSize)
	args = append(args, limit+1)
	list := frontdesk.List[frontdesk.AuditEntry]{Items: []frontdesk.AuditEntry{}}
	err := s.each(ctx, "listing audit entries", `SELECT id, at, by_kind, by_name, by_id, action, object_id, object, changes FROM audit
		WHERE tenant_id = $1 AND (live = $2 OR live IS NULL) AND id < $3`+where+` ORDER BY id DESC LIMIT $`+strconv.Itoa(len(args))+` + 0`,
		args, func(r row) error {
			e, err := scanAudit(r)
			list.Items = append(list.Items, e)
			return err
		})
	if err != nil {
		return frontdesk.List[frontdesk.AuditEntry]{}, err
	}
	if len(list.Items) > limit {
		list.Items, list.More = list.Items[:limit], true
	}
	return list, nil
}

func scanAudit(r row) (e frontdesk.AuditEntry, err error) {
	var at int64
	var changes []byte
	if err = r.Scan(&e.ID, &at, &e.By.Kind, &e.By.Name, &e.By.ID, &e.Action, &e.ObjectID, &e.Object, &changes); err != nil {
		return e, err
	}
	e.At = fromMicros(at)
	return e, json.Unmarshal(changes, &e.Changes)
}

// PruneAuditForWorker deletes some of the audit entries from before an instant,
// and says how many. Callers ask again until it is none.
func (s *Store) PruneAuditForWorker(ctx context.Context, before time.Time, most int) (int64, error) {
	return s.exec(ctx, "pruning audit entries", `DELETE FROM audit WHERE (tenant_id, id) IN
		(SELECT tenant_id, id FROM audit WHERE at < $1 ORDER BY at LIMIT $2 + 0`+s.dialect.skip+`)`, micros(before), most)
}

// change is what an audit entry says of a change, beside whose it is and who
// made it.
type change struct {
	action string
	id     string
	object string
	fields []frontdesk.FieldChange
}

// audit enters a change that counts in the owner's mode. What nobody in particular
// does is not entered.
func (t *tx) audit(owner frontdesk.Owner, by frontdesk.Actor, c change) error {
	return t.insertAudit(owner.TenantID, owner.Live, by, c)
}

// auditBoth enters a change that counts in both modes of a tenant.
func (t *tx) auditBoth(tenant frontdesk.ID, by frontdesk.Actor, c change) error {
	return t.insertAudit(tenant, nil, by, c)
}

func (t *tx) insertAudit(tenant frontdesk.ID, live any, by frontdesk.Actor, c change) error {
	if by == (frontdesk.Actor{}) {
		return nil
	}
	changes, err := json.Marshal(c.fields, json.OmitZeroStructFields(true))
	if err != nil {
		return err
	}
	at := t.now()
	return t.later(`INSERT INTO audit (tenant_id, live, id, at, by_kind, by_name, by_id, kind, action, object_id, object, changes)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		string(tenant), live, string(frontdesk.NewID(at)), micros(at), by.Kind, by.Name, string(by.ID),
		frontdesk.AuditKind(c.action), c.action, c.id, frontdesk.AuditText(c.object), string(changes))
}
