package store

import (
	"cmp"
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Overview is a tenant as an operator sees it in a list: what it has and uses,
// and nothing of what its callers said.
type Overview struct {
	Tenant   frontdesk.Tenant
	Agents   int
	LastCall time.Time                        // live; zero: there was none
	Used     map[string]frontdesk.UsagePeriod // live, by month
}

// Overviews lists some tenants, newest first, for the operator: those whose slug
// or name contains a text. Usage is told from a month on.
func (s *Store) Overviews(ctx context.Context, search, since string, p frontdesk.Page) (frontdesk.List[Overview], error) {
	list := frontdesk.List[Overview]{Items: []Overview{}}
	// The last call is looked up for each tenant: an index finds it, however many
	// there are.
	err := s.each(ctx, "listing tenants", `SELECT t.id, t.slug, t.name, t.timezone, t.plan, t.created_at,
		(SELECT COUNT(*) FROM agents a WHERE a.tenant_id = t.id),
		(SELECT c.started_at FROM calls c WHERE c.tenant_id = t.id AND c.live = TRUE ORDER BY c.id DESC LIMIT 1)
		FROM tenants t WHERE t.id < $1 AND (LOWER(t.slug) LIKE $2 ESCAPE '\' OR LOWER(t.name) LIKE $2 ESCAPE '\') ORDER BY t.id DESC LIMIT $3 + 0`,
		[]any{string(cmp.Or(p.StartingAfter, afterAll)), containing(search), p.Limit + 1}, func(r row) error {
			o, err := scanOverview(r)
			list.Items = append(list.Items, o)
			return err
		})
	if err != nil {
		return frontdesk.List[Overview]{}, err
	}
	if len(list.Items) > p.Limit {
		list.Items, list.More = list.Items[:p.Limit], true
	}
	return list, s.addUsed(ctx, since, list.Items)
}

// containing is a pattern for what contains a text, whatever stands in it.
func containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(text)) + "%"
}

func scanOverview(r row) (o Overview, err error) {
	var last sql.NullInt64
	o.Used = map[string]frontdesk.UsagePeriod{}
	o.Tenant, err = scanTenantAnd(r, &o.Agents, &last)
	o.LastCall = fromMaybeMicros(last)
	return o, err
}

// addUsed reads what tenants used from a month on.
func (s *Store) addUsed(ctx context.Context, since string, all []Overview) error {
	if len(all) == 0 {
		return nil
	}
	args, places, at := []any{since}, make([]string, len(all)), map[frontdesk.ID]int{}
	for i, o := range all {
		args = append(args, string(o.Tenant.ID))
		places[i], at[o.Tenant.ID] = "$"+strconv.Itoa(len(args)), i
	}
	return s.each(ctx, "reading usage", `SELECT tenant_id, period, seconds, calls FROM usage_periods
		WHERE live = TRUE AND period >= $1 AND tenant_id IN (`+strings.Join(places, ", ")+`)`, args, func(r row) error {
		var id frontdesk.ID
		var u frontdesk.UsagePeriod
		err := r.Scan(&id, &u.Period, &u.Seconds, &u.Calls)
		all[at[id]].Used[u.Period] = u
		return err
	})
}

// CountDeadDeliveriesForWorker says how many of everybody's deliveries were given
// up, up to a most.
func (s *Store) CountDeadDeliveriesForWorker(ctx context.Context, most int) (n int, err error) {
	// By connection, so that an index finds them.
	err = s.row(ctx, "counting dead deliveries", `SELECT COUNT(*) FROM (SELECT 1 FROM connections c JOIN deliveries d
		ON d.tenant_id = c.tenant_id AND d.live = c.live AND d.connection_id = c.id AND d.status = 'dead' LIMIT $1 + 0) AS found`, []any{most}, &n)
	return n, err
}
