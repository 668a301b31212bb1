package demo

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/store"
)

// NewTenant asks for a tenant, with a sample in its test mode.
type NewTenant struct {
	By       frontdesk.Actor
	Slug     string
	Name     string // of the business; "": the slug
	Timezone string
}

// Create creates the tenant, and returns it with all that it starts with.
func (n NewTenant) Create(ctx context.Context, s *store.Store, l *knowledge.Library, now time.Time) (made store.NewTenant, err error) {
	if err := frontdesk.CheckSlug(n.Slug); err != nil {
		return made, err
	}
	if _, err := frontdesk.LoadZone(n.Timezone); err != nil {
		return made, err
	}
	made = store.NewTenant{By: n.By, Tenant: frontdesk.Tenant{
		ID: frontdesk.NewID(now), Slug: n.Slug, Name: cmp.Or(n.Name, n.Slug), Timezone: n.Timezone, Plan: frontdesk.DefaultPlan(), CreatedAt: now,
	}}
	if made.Test, err = Sample(made.Tenant, now); err != nil {
		return made, fmt.Errorf("making the sample of test mode: %w", err)
	}
	if made.Documents, err = Lay(ctx, l, made.Tenant, nil, SampleDocuments()); err != nil {
		return made, err
	}
	return made, s.CreateTenant(ctx, made)
}
