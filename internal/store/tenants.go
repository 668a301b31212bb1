package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// NewTenant is a tenant with all that it starts with.
type NewTenant struct {
	By     frontdesk.Actor
	Tenant frontdesk.Tenant
	Agents []frontdesk.Agent
	Keys   []frontdesk.Key
	Live   []Recording
	Test   []Recording

	// What stands in its book that no call made, in each mode.
	LiveBook []frontdesk.Capture
	TestBook []frontdesk.Capture

	// The past of its webhooks, each entry in its own mode. Nothing of it is
	// announced to the dispatcher.
	Connections []frontdesk.Connection
	Events      []frontdesk.Event
	Deliveries  []frontdesk.Delivery

	Documents []frontdesk.Document // that wait to be read, each in its own mode
}

// CreateTenant writes a tenant with its agents, keys, first calls, webhooks and
// documents in one transaction: it is there whole, or not at all.
func (s *Store) CreateTenant(ctx context.Context, n NewTenant) error {
	err := s.transactFor(ctx, time.Minute, "creating a tenant", func(t *tx) error {
		if err := t.insertTenant(n.Tenant); err != nil {
			return err
		}
		if err := t.auditBoth(n.Tenant.ID, n.By, change{
			frontdesk.AuditTenantCreated, string(n.Tenant.ID), n.Tenant.Name, frontdesk.TenantChanges(frontdesk.Tenant{}, n.Tenant),
		}); err != nil {
			return err
		}
		for _, a := range n.Agents {
			if err := t.insertAgent(a); err != nil {
				return err
			}
		}
		for _, k := range n.Keys {
			if err := t.insertKey(k); err != nil {
				return err
			}
		}
		if err := t.record(frontdesk.Owner{TenantID: n.Tenant.ID, Live: true}, n.Live); err != nil {
			return err
		}
		if err := t.record(frontdesk.Owner{TenantID: n.Tenant.ID, Live: false}, n.Test); err != nil {
			return err
		}
		if err := t.insertBook(frontdesk.Owner{TenantID: n.Tenant.ID, Live: true}, n.LiveBook); err != nil {
			return err
		}
		if err := t.insertBook(frontdesk.Owner{TenantID: n.Tenant.ID, Live: false}, n.TestBook); err != nil {
			return err
		}
		if err := t.insertWebhooks(n); err != nil {
			return err
		}
		for _, d := range n.Documents {
			if err := t.insertDocument(frontdesk.Owner{TenantID: n.Tenant.ID, Live: d.Live}, d); err != nil {
				return err
			}
		}
		return t.notify(false)
	})
	if err == nil {
		s.tellOfDocuments(len(n.Documents) > 0)
	}
	return err
}

func (t *tx) insertBook(owner frontdesk.Owner, captures []frontdesk.Capture) error {
	for _, c := range captures {
		if err := t.insertCapture(owner, c); err != nil {
			return err
		}
	}
	return t.tally(owner, nil, captures)
}

func (t *tx) insertWebhooks(n NewTenant) error {
	owner := func(live bool) frontdesk.Owner { return frontdesk.Owner{TenantID: n.Tenant.ID, Live: live} }
	for _, c := range n.Connections {
		if err := t.insertConnection(owner(c.Live), c); err != nil {
			return err
		}
	}
	for _, e := range n.Events {
		if err := t.insertEvent(owner(e.Live), e); err != nil {
			return err
		}
	}
	for _, d := range n.Deliveries {
		if err := t.insertDelivery(owner(d.Live), d); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) insertTenant(tenant frontdesk.Tenant) error {
	plan, err := json.Marshal(tenant.Plan)
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO tenants (id, slug, name, timezone, plan, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		string(tenant.ID), tenant.Slug, tenant.Name, tenant.Timezone, string(plan), micros(tenant.CreatedAt))
	if isDuplicate(err) {
		return taken("tenant", tenant.Slug)
	}
	return err
}

func taken(thing, slug string) error {
	return &frontdesk.Error{
		Kind: frontdesk.Conflict, Code: "slug_taken", Param: "slug",
		Message: fmt.Sprintf("The %s %q exists already. Choose another slug.", thing, slug),
	}
}

const selectTenants = `SELECT id, slug, name, timezone, plan, created_at FROM tenants`

// Tenants lists all tenants, oldest first, for the operator.
func (s *Store) Tenants(ctx context.Context) ([]frontdesk.Tenant, error) {
	var all []frontdesk.Tenant
	err := s.each(ctx, "listing tenants", selectTenants+` ORDER BY id`, nil, func(r row) error {
		t, err := scanTenant(r)
		all = append(all, t)
		return err
	})
	return all, err
}

// TenantBySlug finds a tenant for the operator.
func (s *Store) TenantBySlug(ctx context.Context, slug string) (t frontdesk.Tenant, err error) {
	err = s.each(ctx, "reading a tenant", selectTenants+` WHERE slug = $1`, []any{slug}, func(r row) error {
		t, err = scanTenant(r)
		return err
	})
	if err == nil && t.ID == "" {
		return t, frontdesk.Missing(fmt.Sprintf("tenant: %q", slug))
	}
	return t, err
}

// Tenant is the owner's own.
func (s *Store) Tenant(ctx context.Context, owner frontdesk.Owner) (frontdesk.Tenant, error) {
	return one(s.asking(ctx, "reading a tenant"), "tenant", selectTenants+` WHERE id = $1`, []any{string(owner.TenantID)}, scanTenant)
}

// SetPlan gives a tenant another plan.
func (s *Store) SetPlan(ctx context.Context, by frontdesk.Actor, tenantID frontdesk.ID, p frontdesk.Plan) error {
	plan, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return s.transact(ctx, "setting a plan", func(t *tx) error {
		before, err := one(t.each, "tenant", selectTenants+` WHERE id = $1`+t.dialect.forUpdate, []any{string(tenantID)}, scanTenant)
		if err != nil {
			return err
		}
		fields := frontdesk.PlanChanges(before.Plan, p)
		if len(fields) == 0 {
			return nil
		}
		if err := t.later(`UPDATE tenants SET plan = $2 WHERE id = $1`, string(tenantID), string(plan)); err != nil {
			return err
		}
		return t.auditBoth(tenantID, by, change{frontdesk.AuditPlanSet, string(tenantID), p.Name, fields})
	})
}

func scanTenant(r row) (frontdesk.Tenant, error) { return scanTenantAnd(r) }

func scanTenantAnd(r row, more ...any) (t frontdesk.Tenant, err error) {
	var plan []byte
	var createdAt int64
	if err = r.Scan(append([]any{&t.ID, &t.Slug, &t.Name, &t.Timezone, &plan, &createdAt}, more...)...); err != nil {
		return t, err
	}
	t.CreatedAt = fromMicros(createdAt)
	return t, json.Unmarshal(plan, &t.Plan)
}
