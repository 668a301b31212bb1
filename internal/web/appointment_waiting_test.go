package web

import (
	"net/http"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// waits notes somebody for Wednesday.
func (d *desk) waits() frontdesk.Capture {
	d.t.Helper()
	return d.enter("2026-11-18T00:00:00", true, func(e *calendar.Entry) { e.Kind, e.Email = frontdesk.Waiting, "ana@example.com" })
}

// offers has the business tell customers, and looks whether there is a place.
func (d *desk) offers() {
	d.t.Helper()
	changed, err := d.store.ChangeAgent(d.t.Context(), d.owner(true), d.agent.Slug, store.AgentChange{
		Now: d.Now(), Fields: wire.AgentFields, Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
			a.Settings.Notices.Customer = []frontdesk.NoticeChannel{frontdesk.ByEmail}
			return a, nil
		},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	d.agent = changed
	if err := calendar.New(d.store, nil).OfferPlaces(d.t.Context(), d.Now()); err != nil {
		d.t.Fatal(err)
	}
}

func TestWhoWaitsTakesThePlace(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	c := d.waits()
	page := d.link(c, true)
	if a := d.do("GET "+page+"?lang=en", ""); a.status != http.StatusOK || !strings.Contains(a.body, "On the waiting list") || strings.Contains(a.body, "Take it") {
		t.Errorf("before there is a place: %d %s", a.status, a.body)
	}
	if a := d.postForm(page+"/take", ""); a.status != http.StatusSeeOther {
		t.Errorf("taking what is not there: %d", a.status)
	}
	d.offers()
	if a := d.do("GET "+page+"?lang=es", ""); !strings.Contains(a.body, "Ha quedado un hueco") || !strings.Contains(a.body, "Quedármelo") {
		t.Errorf("when there is one: %s", a.body)
	}
	for range 2 {
		if a := d.postForm(page+"/take", ""); a.status != http.StatusSeeOther {
			t.Errorf("taking it: %d", a.status)
		}
	}
	taken, events := d.stands(c.ID, true)
	if !taken.TakesPlace() || taken.Status != frontdesk.Confirmed || taken.ConfirmationCode != c.ConfirmationCode || events != 1 {
		t.Errorf("it is %+v, told %d times", taken, events)
	}
	if a := d.do("GET "+page+"?lang=en", ""); !strings.Contains(a.body, "confirmed") {
		t.Errorf("after: %s", a.body)
	}
}

func TestWhoWaitsLeaves(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	c := d.waits()
	d.offers()
	page := d.link(c, true)
	for range 2 {
		if a := d.postForm(page+"/leave", ""); a.status != http.StatusSeeOther {
			t.Errorf("leaving: %d", a.status)
		}
	}
	if got, _ := d.stands(c.ID, true); got.Status != frontdesk.Cancelled || got.Kind != frontdesk.Waiting {
		t.Errorf("it is %+v", got)
	}
	if _, kept, err := calendar.New(d.store, nil).OfferedPlace(t.Context(), d.owner(true), c.ID, d.Now()); err != nil || kept {
		t.Errorf("the place is still kept: %v", err)
	}
	if a := d.do("GET "+page+"?lang=en", ""); !strings.Contains(a.body, "No longer on the waiting list") {
		t.Errorf("after: %s", a.body)
	}
	for _, path := range []string{"/move", "/cancel", "/confirm", "/take"} {
		if a := d.do("GET "+page+path, ""); a.status != http.StatusSeeOther {
			t.Errorf("GET %s: %d", path, a.status)
		}
	}
}
