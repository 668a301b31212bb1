package reception_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/reception/receptiontest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

var (
	ctx = context.Background()
	day = time.Date(2026, 10, 31, 23, 15, 0, 123_456_789, time.UTC) // in Madrid it is November
)

func finished() frontdesk.FinishedCall {
	return frontdesk.FinishedCall{
		AgentID: frontdesk.NewID(day), StartedAt: day, Duration: 95*time.Second + 900*time.Millisecond, Language: "es",
		Outcome: frontdesk.Booking, Channel: frontdesk.Phone,
		Summary:    frontdesk.Summary{Text: "Reserva una mesa.", Title: "Mesa para dos", Intent: "booking", KeyPoints: []string{"dos personas"}},
		Transcript: frontdesk.Transcript{Language: "es", Turns: []frontdesk.Turn{{Role: frontdesk.RoleAgent, Text: "¡Hola!", End: time.Second, Language: "es"}}},
		Captures: []frontdesk.Capture{
			{Kind: frontdesk.Appointment, CustomerName: "Ana", ScheduledAt: "2026-11-20T20:00:00"},
			{Kind: frontdesk.Lead, Status: frontdesk.Confirmed, ConfirmationCode: "ACDEFG", CreatedAt: day.Add(time.Minute), ID: frontdesk.NewID(day.Add(time.Minute))},
		},
	}
}

func TestRecordWritesAll(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "casa-lola")
	for _, live := range []bool{true, false} {
		c := finished()
		if err := receptiontest.Record(ctx, s, wire.EventSource{Tenant: tenant, Live: live}, c); err != nil {
			t.Fatal(err)
		}
		owner := frontdesk.Owner{TenantID: tenant.ID, Live: live}
		calls, err := s.Calls(ctx, owner, frontdesk.CallFilter{Outcome: frontdesk.Booking}, frontdesk.Page{})
		if err != nil || len(calls.Items) != 1 {
			t.Fatalf("got %v, %v", calls, err)
		}
		call, err := s.Call(ctx, owner, calls.Items[0].ID)
		if err != nil || call.AgentID != c.AgentID || call.Duration != 95 || !call.StartedAt.Equal(day.Truncate(time.Microsecond)) {
			t.Errorf("got %+v, %v", call, err)
		}
		if first := frontdesk.FirstIDAt(day); call.ID[:18] < first[:18] || call.ID[:13] != first[:13] {
			t.Errorf("the id %s was not minted when the call began", call.ID)
		}

		captures, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{}, frontdesk.Page{})
		if err != nil || len(captures.Items) != 2 {
			t.Fatalf("got %v, %v", captures, err)
		}
		made, given := captures.Items[0], captures.Items[1] // newest first
		if made.Status != frontdesk.PendingConfirm || len(made.ConfirmationCode) != 6 || !made.CreatedAt.Equal(day.Add(c.Duration).Truncate(time.Microsecond)) {
			t.Errorf("what a capture lacks is made: %+v", made)
		}
		if given.Status != frontdesk.Confirmed || given.ConfirmationCode != "ACDEFG" || given.ID != c.Captures[1].ID {
			t.Errorf("what a capture has is kept: %+v", given)
		}
		for _, capture := range captures.Items {
			if capture.CallID != call.ID || capture.AgentID != c.AgentID || capture.Channel != c.Channel {
				t.Errorf("it is not tied to its call: %+v", capture)
			}
		}

		// As the API shows it.
		got := string(wire.CallEnvelope(call))
		for _, want := range []string{
			`{"call":{"id":"` + string(call.ID) + `","object":"call","started_at":"2026-10-31T23:15:00.123Z","duration_seconds":95,"language":"es","outcome":"booking","channel":"phone",`,
			`"summary":{"text":"Reserva una mesa.","title":"Mesa para dos","intent":"booking","urgency":"normal","key_points":["dos personas"],"unanswered_questions":[],"capture_ids":["` + string(made.ID) + `","` + string(given.ID) + `"],"handoff":null}`,
			`"transcript":{"language":"es","turns":[{"index":0,"role":"agent","text":"¡Hola!","start_ms":0,"end_ms":1000,"language":"es","interrupted":false}]}}}`,
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s\nis not in %s", want, got)
			}
		}

		used, err := s.Usage(ctx, owner, "2000-01")
		if want := []frontdesk.UsagePeriod{{Period: "2026-11", Seconds: 95, Calls: 1}}; err != nil || !reflect.DeepEqual(used, want) {
			t.Errorf("used %v, %v", used, err)
		}
	}
}

func TestPrepareLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	c, tenant := finished(), frontdesk.Tenant{Timezone: "Europe/Madrid"}
	c.Summary.CaptureIDs = make([]frontdesk.ID, 0, 10)
	before := c.Captures[0]
	first, err := reception.Prepare(tenant, c)
	if err != nil {
		t.Fatal(err)
	}
	second, err := reception.Prepare(tenant, c)
	if err != nil || first.Call.ID == second.Call.ID {
		t.Errorf("two calls have the id %s, %v", first.Call.ID, err)
	}
	if c.Captures[0] != before || len(c.Summary.CaptureIDs) != 0 {
		t.Error("Prepare changed what it was given")
	}
}

func TestPrepareRefusesATenantWithoutAZone(t *testing.T) {
	t.Parallel()
	_, err := reception.Prepare(frontdesk.Tenant{Slug: "a", Timezone: "Mars/Olympus"}, finished())
	var e *frontdesk.Error
	if !errors.As(err, &e) || e.Param != "timezone" {
		t.Errorf("got %v", err)
	}
}

// The same call is never written twice, nor is anything else of it.
func TestTheSameCallIsRecordedOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "casa-lola")
	c := finished()
	c.ID = frontdesk.NewID(day)
	if err := receptiontest.Record(ctx, s, wire.EventSource{Tenant: tenant, Live: true}, c); err != nil {
		t.Fatal(err)
	}
	c.Captures = nil
	if err := receptiontest.Record(ctx, s, wire.EventSource{Tenant: tenant, Live: true}, c); err == nil {
		t.Error("it was recorded again")
	}
	used, err := s.Usage(ctx, frontdesk.Owner{TenantID: tenant.ID, Live: true}, "2000-01")
	if err != nil || len(used) != 1 || used[0].Calls != 1 {
		t.Errorf("used %v, %v", used, err)
	}
}

// What a caller says, or a vendor hears, may hold anything; the call is
// recorded all the same, on both databases.
func TestOddTextDoesNotCostTheCall(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "casa-lola")
	const odd = "a\x00b\xffc\u2028🐦\"\\"
	c := finished()
	c.Summary.Text, c.Transcript.Turns[0].Text = odd, odd
	c.Captures[0].CustomerName, c.Captures[0].CustomerPhone, c.Captures[0].Kind, c.Captures[0].Service = odd, odd, odd, odd
	if err := receptiontest.Record(ctx, s, wire.EventSource{Tenant: tenant, Live: true}, c); err != nil {
		t.Fatal(err)
	}
	l, err := s.Captures(ctx, frontdesk.Owner{TenantID: tenant.ID, Live: true}, frontdesk.CaptureFilter{}, frontdesk.Page{})
	if err != nil || len(l.Items) != 2 || l.Items[0].CustomerName != "ab\ufffdc\u2028🐦\"\\" {
		t.Errorf("got %+v, %v", l.Items, err)
	}
}

// What a call is not counted for, and all captures that it touched, stand in its
// record.
func TestARecordOfAnUncountedCall(t *testing.T) {
	t.Parallel()
	made, moved := frontdesk.NewID(day), frontdesk.NewID(day)
	r, err := reception.Prepare(frontdesk.Tenant{Slug: "lola", Timezone: "Europe/Madrid"}, frontdesk.FinishedCall{
		StartedAt: day, Uncounted: true, Caller: "+34600000001", Number: "+34910000000", Touched: []frontdesk.ID{made, moved, made},
		Captures: []frontdesk.Capture{{ID: made, Kind: frontdesk.Lead}},
		Summary:  frontdesk.Summary{Reason: "spam", Handoff: &frontdesk.HandoffNote{Result: "somehow"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Call
	if !c.Uncounted || c.Caller != "+34600000001" || c.Number != "+34910000000" || !slices.Equal(c.CaptureIDs, []frontdesk.ID{made, moved}) {
		t.Errorf("got %+v", c)
	}
	if s := string(c.Summary); !strings.Contains(s, `"reason":"spam"`) || !strings.Contains(s, `"result":"failed"`) {
		t.Errorf("the summary is %s", s)
	}
	if got := r.Captures[0]; got.Source != frontdesk.FromCall || got.Timezone != "Europe/Madrid" || !got.UpdatedAt.Equal(got.CreatedAt) {
		t.Errorf("the capture is %+v", got)
	}
}
