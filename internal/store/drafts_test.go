package store_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// drafting writes specials into the draft of an owner's agent desk.
func drafting(t *testing.T, s *store.Store, owner frontdesk.Owner, specials string) frontdesk.Draft {
	t.Helper()
	d, err := s.ChangeDraft(ctx, owner, "desk", store.DraftChange{
		By: frontdesk.Actor{Kind: frontdesk.ByPerson, Name: "Eva"}, Now: day,
		Change: func(_ frontdesk.Agent, d frontdesk.Draft) (frontdesk.Draft, error) {
			d.After.Config.Specials = specials
			return d, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestADraftIsKeptWhole(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgentCalled(t, s, owner.TenantID, "desk")
	_, err := s.Draft(ctx, owner, agent.ID)
	isMissing(t, err)
	services := json.RawMessage(`[{"name":"é<","price":1.50}]`)
	want, err := s.ChangeDraft(ctx, owner, "desk", store.DraftChange{
		By: frontdesk.Actor{Kind: frontdesk.ByPerson, Name: "Ñ"}, Now: day,
		Change: func(a frontdesk.Agent, d frontdesk.Draft) (frontdesk.Draft, error) {
			if !reflect.DeepEqual(d.Before, a.Content()) || !reflect.DeepEqual(d.After, a.Content()) {
				t.Errorf("a new draft is %+v", d)
			}
			d.After.Config.Services, d.After.Settings.Notice, d.Discarded = services, time.Hour, true
			return d, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Draft(ctx, owner, agent.ID)
	if err != nil || !reflect.DeepEqual(got, want) || string(got.After.Config.Services) != string(services) || !got.Discarded {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	refused := errors.New("no")
	_, err = s.ChangeDraft(ctx, owner, "desk", store.DraftChange{Now: day, Change: func(_ frontdesk.Agent, d frontdesk.Draft) (frontdesk.Draft, error) {
		return d, refused
	}})
	if !errors.Is(err, refused) {
		t.Errorf("a change that was refused: %v", err)
	}
	_, err = s.ChangeDraft(ctx, owner, "nobody", store.DraftChange{Now: day})
	isMissing(t, err)
}

func TestADraftThatWasChangedSinceIsNotDropped(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgentCalled(t, s, owner.TenantID, "desk")
	d := drafting(t, s, owner, "soup")
	if err := s.DropDraft(ctx, owner, agent.ID, d.ChangedAt.Add(-time.Microsecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Draft(ctx, owner, agent.ID); err != nil {
		t.Errorf("it is gone: %v", err)
	}
	if err := s.DropDraft(ctx, owner, agent.ID, d.ChangedAt); err != nil {
		t.Fatal(err)
	}
	_, err := s.Draft(ctx, owner, agent.ID)
	isMissing(t, err)
}

// Agents from before there were drafts have none, and can have one.
func TestMigrateToDrafts(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "drafts", day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	agent := newAgentCalled(t, s, owner.TenantID, "desk")
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Fatalf("applied %v, %v", applied, err)
	}
	_, err := s.Draft(ctx, owner, agent.ID)
	isMissing(t, err)
	drafting(t, s, owner, "soup")
	if got, err := s.Draft(ctx, owner, agent.ID); err != nil || got.After.Config.Specials != "soup" {
		t.Errorf("got %+v, %v", got, err)
	}
}
