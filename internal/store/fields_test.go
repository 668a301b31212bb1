package store_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestACaptureKeepsAllItsFields(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID)
	r := recording(day, 30, 1)
	r.Captures[0].AgentID = agent.ID
	r.Captures[0].Timezone = agent.Timezone
	r.Captures[0].Notes = "una trona\nsin gluten"
	r.Captures[0].Topic, r.Captures[0].Urgency, r.Captures[0].Language = "event", frontdesk.Urgent, "en"
	r.Captures[0].Visit = frontdesk.Visit{
		ServiceID: "mesa", Party: 4, Duration: 90, Minutes: 105, Email: "ana@example.com", ResourceID: "r1", Resource: "Terraza",
	}
	fromAPI := r.Captures[0]
	fromAPI.ID, fromAPI.CallID, fromAPI.Source, fromAPI.UpdatedAt = frontdesk.NewID(day), "", frontdesk.FromAPI, day.Add(time.Hour)
	r.Captures = append(r.Captures, fromAPI)
	record(t, s, owner, r)
	for _, want := range r.Captures {
		if got, err := s.Capture(ctx, owner, want.ID); err != nil || got != want {
			t.Errorf("got %+v, want %+v, %v", got, want, err)
		}
	}
}

// The appointments of a business that moves are by its new clock.
func TestTheAgentsZoneIsTheCaptures(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID)
	r := recording(day, 30, 1)
	r.Captures[0].AgentID = agent.ID
	record(t, s, owner, r)
	if _, err := s.ChangeAgent(ctx, owner, agent.Slug, changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		a.Timezone = "America/Lima"
		return a, nil
	})); err != nil {
		t.Fatal(err)
	}
	got, err := s.Capture(ctx, owner, r.Captures[0].ID)
	if want := time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC); err != nil || !got.StartsAt().Equal(want) {
		t.Errorf("starts at %v, want %v, %v", got.StartsAt(), want, err)
	}
}

func TestACallKeepsAllItsFields(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	tests := map[string]func(*frontdesk.Call){
		"a plain one":                      func(*frontdesk.Call) {},
		"of an agent":                      func(c *frontdesk.Call) { c.AgentID = frontdesk.NewID(day) },
		"spam":                             func(c *frontdesk.Call) { c.Uncounted = true },
		"from a telephone":                 func(c *frontdesk.Call) { c.Caller, c.Number = "+34600000001", "+34910000000" },
		"with captures":                    func(c *frontdesk.Call) { c.CaptureIDs = []frontdesk.ID{frontdesk.NewID(day), frontdesk.NewID(day)} },
		"with no captures":                 func(c *frontdesk.Call) { c.CaptureIDs = []frontdesk.ID{} },
		"whose summary tells its captures": func(c *frontdesk.Call) { c.CaptureIDs = nil },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			r := recording(day, 30, 0)
			change(&r.Call)
			record(t, s, owner, r)
			got, err := s.Call(ctx, owner, r.Call.ID)
			if err != nil || !reflect.DeepEqual(got, r.Call) {
				t.Errorf("got %+v, want %+v, %v", got, r.Call, err)
			}
			listed, err := s.Calls(ctx, owner, frontdesk.CallFilter{}, frontdesk.Page{Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range listed.Items {
				if want := r.Call; c.ID == want.ID {
					want.Transcript = nil
					if !reflect.DeepEqual(c, want) {
						t.Errorf("listed as %+v, want %+v", c, want)
					}
				}
			}
		})
	}
}

func TestUsageIsTheSumOverCountedCalls(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	counted, spam := recording(day, 30, 0), recording(day.Add(time.Minute), 70, 0)
	spam.Call.Uncounted = true
	alone := recording(day.AddDate(0, -1, 0), 20, 0)
	alone.Call.Uncounted = true
	record(t, s, owner, counted, spam)
	record(t, s, owner, alone)
	used, err := s.Usage(ctx, owner, "2000-01")
	if err != nil || len(used) != 1 || used[0].Seconds != 30 || used[0].Calls != 1 {
		t.Errorf("used %+v, %v", used, err)
	}
}

// What was written before the further fields is read as it was meant.
func TestMigrateToFields(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "fields", day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	call, capture := frontdesk.NewID(day), frontdesk.NewID(day)
	for _, statement := range []string{
		`INSERT INTO calls (tenant_id, live, id, started_at, duration_seconds, language, outcome, channel, summary)
			VALUES ($1, TRUE, $2, ` + fmt.Sprint(micros(day)) + `, 60, 'es', 'booking', 'phone', '{"text":"Hola"}')`,
		`INSERT INTO transcripts (tenant_id, live, call_id, transcript) VALUES ($1, TRUE, $2, '{}')`,
		`INSERT INTO captures (tenant_id, live, id, call_id, channel, kind, customer_name, customer_phone, scheduled_at, service,
			confirmation_code, status, created_at, service_id, party, minutes)
			VALUES ($1, TRUE, $3, $2, 'web', 'appointment', 'Ana', '', '2026-11-20T20:00:00', 'Mesa', 'ACDEFG', 'confirmed', ` + fmt.Sprint(micros(day)) + `, 'mesa', 4, 75)`,
	} {
		args := []any{string(owner.TenantID), string(call), string(capture)}
		if !strings.Contains(statement, "$3") {
			args = args[:2]
		}
		if _, err := s.Beside().Exec(statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Fatalf("applied %v, %v", applied, err)
	}
	readOlder(t, s, owner, call, capture)
}

func readOlder(t *testing.T, s *store.Store, owner frontdesk.Owner, call, capture frontdesk.ID) {
	t.Helper()
	c, err := s.Call(ctx, owner, call)
	if err != nil || c.Uncounted || c.Caller != "" || c.Number != "" || c.CaptureIDs != nil {
		t.Errorf("the call is %+v, %v", c, err)
	}
	want := frontdesk.Capture{
		ID: capture, CallID: call, Source: frontdesk.FromCall, Channel: frontdesk.Web, Kind: frontdesk.Appointment, CustomerName: "Ana",
		ScheduledAt: "2026-11-20T20:00:00", Timezone: "Europe/Madrid", Service: "Mesa", ConfirmationCode: "ACDEFG", Status: frontdesk.Confirmed,
		CreatedAt: day.UTC(), UpdatedAt: day.UTC(), Visit: frontdesk.Visit{ServiceID: "mesa", Party: 4, Duration: 75, Minutes: 75},
	}
	if got, err := s.Capture(ctx, owner, capture); err != nil || got != want {
		t.Errorf("the capture is %+v, want %+v, %v", got, want, err)
	}
	// The status it has already: it stays as it was.
	if got, err := setStatus(s, owner, capture, frontdesk.Confirmed, day.Add(time.Hour)); err != nil || got != want {
		t.Errorf("moved nowhere it is %+v, %v", got, err)
	}
	want.Status, want.UpdatedAt = frontdesk.NoShow, day.Add(time.Hour).UTC()
	if got, err := setStatus(s, owner, capture, frontdesk.NoShow, day.Add(time.Hour)); err != nil || got != want {
		t.Errorf("moved it is %+v, %v", got, err)
	}
}

func TestCallsOfATime(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	var rs []store.Recording
	for i := range 10 {
		rs = append(rs, recording(day.Add(time.Duration(i)*time.Minute), 1, 0))
	}
	record(t, s, owner, rs...)
	at := func(minutes float64) time.Time { return day.Add(time.Duration(minutes * float64(time.Minute))) }
	tests := map[string]struct {
		from, to    time.Time
		first, last int // minutes; first > last: none
	}{
		"all":                       {time.Time{}, time.Time{}, 0, 9},
		"from one on":               {at(3), time.Time{}, 3, 9},
		"before one":                {time.Time{}, at(3), 0, 2},
		"between":                   {at(2), at(5), 2, 4},
		"from a moment after one":   {at(2).Add(time.Microsecond), at(5), 3, 4},
		"until a moment after one":  {at(2), at(5).Add(time.Microsecond), 2, 5},
		"later than all":            {at(20), time.Time{}, 1, 0},
		"an end before a beginning": {at(5), at(2), 1, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []frontdesk.ID
			for p := (frontdesk.Page{Limit: 2}); ; p.StartingAfter = got[len(got)-1] {
				l, err := s.Calls(ctx, owner, frontdesk.CallFilter{StartedFrom: tt.from, StartedTo: tt.to}, p)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range l.Items {
					got = append(got, c.ID)
				}
				if !l.More {
					break
				}
			}
			var want []frontdesk.ID
			for i := tt.last; i >= tt.first; i-- {
				want = append(want, rs[i].Call.ID)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %d calls, want %d", len(got), len(want))
			}
		})
	}
}

// What a caller says afterwards is added to what their call has written down, and
// to nothing else.
func TestNotesAreAdded(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID)
	r := recording(day, 30, 1)
	r.Captures[0].AgentID, r.Captures[0].Timezone, r.Captures[0].Notes = agent.ID, agent.Timezone, "una trona"
	record(t, s, owner, r)
	c := r.Captures[0]
	later := day.Add(time.Minute)
	if err := addNotes(s, owner, c.CallID, c.ID, "sin gluten", later); err != nil {
		t.Fatal(err)
	}
	isMissing(t, addNotes(s, owner, frontdesk.NewID(day), c.ID, "of another call", later))
	got, err := s.Capture(ctx, owner, c.ID)
	if err != nil || got.Notes != "una trona\nsin gluten" || !got.UpdatedAt.Equal(later) {
		t.Errorf("got %+v, %v", got, err)
	}
}
