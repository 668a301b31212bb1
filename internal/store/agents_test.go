package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

func TestAgentsAreKeptWhole(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	want := frontdesk.Agent{
		ID: frontdesk.NewID(day), TenantID: owner.TenantID, Slug: "desk", Vertical: "restaurant", DisplayName: "Ñandú 🐦", Status: "paused",
		Languages: []string{"en", "es"}, Timezone: "America/Bogota", CreatedAt: day, UpdatedAt: day.Add(time.Microsecond),
		Config: frontdesk.AgentConfig{
			Business: frontdesk.Business{Name: "a<b>&", ZonesHuman: "z"}, Assistant: frontdesk.Assistant{Greeting: "Hola\n"},
			Voice: frontdesk.VoiceChoice{ES: "voc_es_alba"}, Policy: "p", Services: json.RawMessage(`[{"name":"é<","price":1.50}]`),
			Menu: json.RawMessage(`{}`), Hours: &frontdesk.Hours{6: {Open: 20, Close: 2}},
		},
	}
	if err := s.CreateAgent(ctx, frontdesk.Actor{}, want); err != nil {
		t.Fatal(err)
	}
	got, err := s.AgentBySlug(ctx, owner, "desk")
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	isKind(t, s.CreateAgent(ctx, frontdesk.Actor{}, func() frontdesk.Agent { a := want; a.ID = frontdesk.NewID(day); return a }()), frontdesk.Conflict, "slug_taken")
}

func TestChangesOfOneAgentAtOnceAllSurvive(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	newAgent(t, nodes[0], owner.TenantID)
	fields := []func(*frontdesk.AgentPatch, *string){
		func(p *frontdesk.AgentPatch, s *string) { p.Business.Name = s },
		func(p *frontdesk.AgentPatch, s *string) { p.Business.Phone = s },
		func(p *frontdesk.AgentPatch, s *string) { p.Assistant.Name = s },
		func(p *frontdesk.AgentPatch, s *string) { p.Policy = s },
		func(p *frontdesk.AgentPatch, s *string) { p.Specials = s },
		func(p *frontdesk.AgentPatch, s *string) { p.Dietary = s },
	}
	for round := range 5 {
		value := fmt.Sprint("round ", round)
		for _, err := range atOnce(len(fields), func(i int) error {
			var patch frontdesk.AgentPatch
			fields[i](&patch, &value)
			_, err := nodes[i%2].ChangeAgent(ctx, owner, "desk", changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) {
				a.Config = patch.Apply(a.Config)
				return a, nil
			}))
			return err
		}) {
			t.Fatal(err)
		}
		got, err := nodes[0].AgentBySlug(ctx, owner, "desk")
		want := frontdesk.AgentConfig{
			Business: frontdesk.Business{Name: value, Phone: value}, Assistant: frontdesk.Assistant{Name: value},
			Policy: value, Specials: value, Dietary: value,
		}
		if err != nil || !reflect.DeepEqual(got.Config, want) {
			t.Fatalf("got %+v, %v", got.Config, err)
		}
	}
}

func TestAChangeThatIsRefusedChangesNothing(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	before := newAgent(t, s, owner.TenantID)
	refusal := errors.New("no")
	_, err := s.ChangeAgent(ctx, owner, "desk", changing(day.Add(time.Hour), func(a frontdesk.Agent) (frontdesk.Agent, error) {
		a.DisplayName = "other"
		return a, refusal
	}))
	if !errors.Is(err, refusal) {
		t.Errorf("got %v", err)
	}
	if got, err := s.AgentBySlug(ctx, owner, "desk"); err != nil || !reflect.DeepEqual(got, before) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestTenants(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	first, second := storetest.Tenant(t, s, "first"), storetest.Tenant(t, s, "second")
	isKind(t, s.CreateTenant(ctx, store.NewTenant{Tenant: frontdesk.Tenant{ID: frontdesk.NewID(day), Slug: "first", CreatedAt: day}}), frontdesk.Conflict, "slug_taken")

	all, err := s.Tenants(ctx)
	if err != nil || len(all) != 2 || all[0].ID != first.ID || all[1].ID != second.ID {
		t.Errorf("got %v, %v", all, err)
	}
	plan := frontdesk.Plan{Name: "big", IncludedSeconds: 1, Overage: "block", MaxConcurrentCalls: 2, MaxConnections: 3, MaxDocuments: 4, MaxDocumentBytes: 5, MaxTotalBytes: 6}
	if err := s.SetPlan(ctx, frontdesk.Actor{}, first.ID, plan); err != nil {
		t.Error(err)
	}
	if got, err := s.TenantBySlug(ctx, "first"); err != nil || got.Plan != plan || got.Timezone != "Europe/Madrid" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := s.TenantBySlug(ctx, "second"); err != nil || got.Plan != second.Plan {
		t.Errorf("the other plan is now %+v, %v", got.Plan, err)
	}
}

// A tenant comes with all that it starts with, or not at all.
func TestCreateTenantIsOneTransaction(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := frontdesk.Tenant{ID: frontdesk.NewID(day), Slug: "a", Timezone: "UTC", Plan: frontdesk.DefaultPlan(), CreatedAt: day}
	agent := frontdesk.Agent{ID: frontdesk.NewID(day), TenantID: tenant.ID, Slug: "desk", CreatedAt: day, UpdatedAt: day}
	_, key := newKey(tenant.ID, true)
	r := recording(day, 10, 1)
	broken := store.NewTenant{Tenant: tenant, Agents: []frontdesk.Agent{agent}, Keys: []frontdesk.Key{key}, Live: []store.Recording{r}, Test: []store.Recording{r, r}}
	if err := s.CreateTenant(ctx, broken); err == nil {
		t.Fatal("created")
	}
	if all, err := s.Tenants(ctx); err != nil || len(all) != 0 {
		t.Errorf("left behind: %v, %v", all, err)
	}
	broken.Test = broken.Test[:1]
	if err := s.CreateTenant(ctx, broken); err != nil {
		t.Fatal(err)
	}
	for _, live := range []bool{true, false} {
		owner := frontdesk.Owner{TenantID: tenant.ID, Live: live}
		if calls, captures := allCalls(t, s, owner), allCaptures(t, s, owner); len(calls) != 1 || len(captures) != 1 {
			t.Errorf("live %v: %d calls, %d captures", live, len(calls), len(captures))
		}
	}
	if k, owner, err := s.KeyByHash(ctx, key.Hash); err != nil || k.ID != key.ID || owner.ID != tenant.ID {
		t.Errorf("got %v, %v, %v", k, owner, err)
	}
}

// changing is a change of an agent by an operator.
func changing(now time.Time, change func(frontdesk.Agent) (frontdesk.Agent, error)) store.AgentChange {
	return store.AgentChange{By: frontdesk.Actor{Kind: frontdesk.ByOperatorActing, Name: "test"}, Now: now, Fields: wire.AgentFields, Change: change}
}
