package web

import (
	"net/http"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// feed makes an address for the agent's calendar, or for that of a resource.
func (d *desk) feed(resource string) string {
	d.t.Helper()
	token := frontdesk.NewFeedToken().Reveal()
	f := frontdesk.Feed{
		ID: frontdesk.NewID(monday), TenantID: d.tenant.ID, Live: true, AgentID: d.agent.ID, ResourceID: resource,
		Hash: frontdesk.FeedHash(token), CreatedAt: monday,
	}
	if err := d.store.CreateFeed(d.t.Context(), frontdesk.Owner{TenantID: d.tenant.ID, Live: true}, frontdesk.Actor{}, f); err != nil {
		d.t.Fatal(err)
	}
	return "/calendar/" + token + ".ics"
}

func TestTheFeedOfABusiness(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	address := d.feed("")
	empty := d.do("GET "+address, "")
	if empty.status != http.StatusOK || strings.Contains(empty.body, "VEVENT") {
		t.Fatalf("before anybody comes: %d %s", empty.status, empty.body)
	}
	v := d.start(`{"language":"es"}`)
	code := v.book()["capture"].(map[string]any)["confirmation_code"].(string)
	booked := d.do("GET "+address, "")
	for _, want := range []string{
		"DTSTART;TZID=Europe/Madrid:20261118T120000\r\n", "SUMMARY:Revisión: Ana García\r\n", "STATUS:TENTATIVE\r\n", "BEGIN:VTIMEZONE\r\n", code,
	} {
		if !strings.Contains(booked.body, want) {
			t.Errorf("%q is not in\n%s", want, booked.body)
		}
	}
	tag := booked.header.Get("ETag")
	if same := d.do("GET "+address, "", "If-None-Match", tag); tag == "" || same.status != http.StatusNotModified || same.body != "" {
		t.Errorf("unchanged: %d, tag %s, %q", same.status, tag, same.body)
	}
	uid := line(booked.body, "UID:")

	// What moves stays the same event, and what is cancelled is shown as such.
	owner := frontdesk.Owner{TenantID: d.tenant.ID, Live: true}
	captures, err := d.store.CapturesOfCall(t.Context(), owner, frontdesk.ID(v.id))
	if err != nil || len(captures) != 1 {
		t.Fatal(captures, err)
	}
	book, at := calendar.New(d.store, nil), frontdesk.LocalTime("2026-11-19T10:00:00")
	who := calendar.Caller{Tenant: d.tenant, Agent: d.agent, Live: true}
	if _, err := book.Change(t.Context(), who, captures[0].ID, calendar.Patch{ScheduledAt: &at, Now: monday}); err != nil {
		t.Fatal(err)
	}
	moved := d.do("GET "+address, "", "If-None-Match", tag)
	if moved.status != http.StatusOK || !strings.Contains(moved.body, "20261119T100000") || line(moved.body, "UID:") != uid || strings.Count(moved.body, "BEGIN:VEVENT") != 1 {
		t.Errorf("moved: %d %s", moved.status, moved.body)
	}
	if _, err := book.SetStatus(t.Context(), who, captures[0].ID, frontdesk.Cancelled, monday); err != nil {
		t.Fatal(err)
	}
	if off := d.do("GET "+address, ""); !strings.Contains(off.body, "STATUS:CANCELLED\r\n") || line(off.body, "UID:") != uid {
		t.Errorf("cancelled: %s", off.body)
	}

	if other := d.do("GET "+d.feed("luis"), ""); strings.Contains(other.body, "VEVENT") {
		t.Errorf("of somebody else: %s", other.body)
	}
	feeds, err := d.store.Feeds(t.Context(), owner)
	if err != nil || len(feeds) != 2 {
		t.Fatal(feeds, err)
	}
	for _, f := range feeds {
		if err := d.store.DeleteFeed(t.Context(), owner, frontdesk.Actor{}, f.ID); err != nil {
			t.Fatal(err)
		}
	}
	if gone := d.do("GET "+address, ""); gone.status != http.StatusNotFound {
		t.Errorf("revoked: %d", gone.status)
	}
	if log := d.log.String(); strings.Contains(log, strings.TrimPrefix(address, "/calendar/")) {
		t.Error("the log has the address, which opens the calendar")
	}
	for _, wrong := range []string{"/calendar/x.ics", "/calendar/x", "/calendar/.ics"} {
		if a := d.do("GET "+wrong, ""); a.status != http.StatusNotFound {
			t.Errorf("%s: %d", wrong, a.status)
		}
	}
}

// line is the first line of a file that begins so.
func line(text, begins string) string {
	for l := range strings.SplitSeq(text, "\r\n") {
		if strings.HasPrefix(l, begins) {
			return l
		}
	}
	return ""
}
