package store_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const eight = frontdesk.LocalTime("2026-11-20T20:00:00")

// lookOn looks at the day of 20 November, for a new call.
func lookOn(agent frontdesk.ID) store.Look {
	return store.Look{AgentID: agent, From: "2026-11-20T00:00:00", To: "2026-11-21T00:00:00", For: frontdesk.NewID(day), Now: day}
}

// newCapture is an appointment at eight, on the condition that fits holds.
func newCapture(agent frontdesk.ID, once string, fits func(*frontdesk.Visit, []frontdesk.Busy) error) store.NewCapture {
	return store.NewCapture{
		Capture: frontdesk.Capture{
			ID: frontdesk.NewID(day), AgentID: agent, CallID: frontdesk.NewID(day), Channel: frontdesk.Web, Kind: frontdesk.Appointment,
			CustomerName: "Ana", CustomerPhone: "+34 600 00 00 01", ScheduledAt: eight, Service: "Mesa",
			Status: frontdesk.PendingConfirm, CreatedAt: day,
			Source: frontdesk.FromCall, Timezone: "Europe/Madrid", UpdatedAt: day,
			Visit: frontdesk.Visit{ServiceID: "mesa", Party: 4, Duration: 90, Minutes: 105, Email: "ana@example.com"},
		},
		Once: once, Look: lookOn(agent), Fits: fits, NewCode: frontdesk.NewConfirmationCode,
		Event: func(frontdesk.Capture) (frontdesk.Event, error) { return event(frontdesk.CaptureCreated, day), nil },
	}
}

var errFull = errors.New("full")

// oneOnly finds that there is room for one.
func oneOnly(_ *frontdesk.Visit, taken []frontdesk.Busy) error {
	if len(taken) > 0 {
		return errFull
	}
	return nil
}

func addOne(t testing.TB, s *store.Store, owner frontdesk.Owner, n store.NewCapture) frontdesk.Capture {
	t.Helper()
	c, err := s.AddCapture(ctx, owner, n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func busyOn(t testing.TB, s *store.Store, owner frontdesk.Owner, l store.Look) (all []frontdesk.Busy) {
	t.Helper()
	if err := s.Busy(ctx, owner, l, func(b frontdesk.Busy) { all = append(all, b) }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestACaptureIsAddedOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID).ID
	n := newCapture(agent, "call/1", oneOnly)
	want := addOne(t, s, owner, n)
	if got, err := s.Capture(ctx, owner, want.ID); err != nil || got != want || len(got.ConfirmationCode) != 6 || got.Visit != n.Capture.Visit {
		t.Errorf("got %+v, %v", got, err)
	}
	again := newCapture(agent, "call/1", oneOnly)
	if got := addOne(t, s, owner, again); got != want {
		t.Errorf("the second time: %+v", got)
	}
	if _, err := s.AddCapture(ctx, owner, newCapture(agent, "call/2", oneOnly)); err != errFull {
		t.Errorf("another one: %v", err)
	}
	if n, e := rows(t, s, "captures"), rows(t, s, "events"); n != 1 || e != 1 {
		t.Errorf("%d captures, %d events", n, e)
	}
}

func TestFiftyAtOnceOnTwoNodes(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	agent := newAgent(t, nodes[0], owner.TenantID).ID
	errs := atOnce(50, func(i int) error {
		_, err := nodes[i%2].AddCapture(ctx, owner, newCapture(agent, fmt.Sprint("call/", i), oneOnly))
		return err
	})
	for _, err := range errs {
		if !errors.Is(err, errFull) {
			t.Error(err)
		}
	}
	if n, e := rows(t, nodes[0], "captures"), rows(t, nodes[0], "events"); len(errs) != 49 || n != 1 || e != 1 {
		t.Errorf("%d refusals, %d captures, %d events", len(errs), n, e)
	}
}

func TestACodeMeansOneAppointment(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID).ID
	codes := []string{"AAAAAA", "AAAAAA", "CCCCCC"}
	next := func() string {
		code := codes[0]
		codes = codes[1:]
		return code
	}
	for i, want := range []string{"AAAAAA", "CCCCCC"} {
		n := newCapture(agent, fmt.Sprint(i), func(*frontdesk.Visit, []frontdesk.Busy) error { return nil })
		n.NewCode = next
		if got := addOne(t, s, owner, n).ConfirmationCode; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	n := newCapture(agent, "3", nil)
	n.NewCode = func() string { return "AAAAAA" }
	if _, err := s.AddCapture(ctx, owner, n); err == nil {
		t.Error("a code was given twice")
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID).ID
	mine, yours := frontdesk.NewID(day), frontdesk.NewID(day)
	hold := func(call frontdesk.ID, at frontdesk.LocalTime, now time.Time) error {
		l := lookOn(agent)
		l.For, l.Now = call, now
		h := frontdesk.Hold{CallID: call, AgentID: agent, ScheduledAt: at, Visit: frontdesk.Visit{ServiceID: "mesa", Party: 2, Minutes: 90}, Until: now.Add(3 * time.Minute)}
		return s.HoldPlace(ctx, owner, h, l, oneOnly)
	}
	if err := hold(mine, eight, day); err != nil {
		t.Fatal(err)
	}
	if err := hold(yours, eight, day); !errors.Is(err, errFull) {
		t.Errorf("held by two: %v", err)
	}
	if err := hold(mine, "2026-11-20T21:00:00", day.Add(time.Minute)); err != nil {
		t.Errorf("one's own hold is in the way: %v", err)
	}
	l := lookOn(agent)
	want := []frontdesk.Busy{{ScheduledAt: "2026-11-20T21:00:00", Visit: frontdesk.Visit{ServiceID: "mesa", Party: 2, Minutes: 90}}}
	if got := busyOn(t, s, owner, l); !slices.Equal(got, want) {
		t.Errorf("a call holds %v", got)
	}
	if l.For = mine; len(busyOn(t, s, owner, l)) != 0 {
		t.Error("one's own hold is busy")
	}
	l.For, l.Now = yours, day.Add(4*time.Minute)
	if got := busyOn(t, s, owner, l); len(got) != 0 {
		t.Errorf("a hold that has run out: %v", got)
	}
	if err := hold(yours, eight, l.Now); err != nil {
		t.Errorf("a hold that has run out is in the way: %v", err)
	}
	if n := rows(t, s, "holds"); n != 1 {
		t.Errorf("%d holds: what has run out is not tidied up", n)
	}
	if err := s.DropHold(ctx, owner, yours); err != nil || rows(t, s, "holds") != 0 {
		t.Errorf("it is still held: %v", err)
	}
}

func TestABookingEndsItsHold(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID).ID
	n := newCapture(agent, "1", oneOnly)
	n.Look.For = n.Capture.CallID
	h := frontdesk.Hold{CallID: n.Capture.CallID, AgentID: agent, ScheduledAt: eight, Until: day.Add(time.Hour)}
	if err := s.HoldPlace(ctx, owner, h, n.Look, oneOnly); err != nil {
		t.Fatal(err)
	}
	addOne(t, s, owner, n)
	if rows(t, s, "holds") != 0 {
		t.Error("the place is held still")
	}
}

func TestAMoveKeepsTheCapture(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID).ID
	old := addOne(t, s, owner, newCapture(agent, "1", oneOnly))
	move := func(once string, fits func(*frontdesk.Visit, []frontdesk.Busy) error) (frontdesk.Capture, error) {
		return s.ChangeCapture(ctx, owner, store.CaptureChange{
			ID: old.ID, AgentID: agent, Once: once, Now: day.Add(time.Hour),
			Change: func(c frontdesk.Capture) (frontdesk.Capture, error) {
				c.ScheduledAt, c.Notes = "2026-11-20T21:00:00", "later"
				return c, nil
			},
			Place: func(c frontdesk.Capture) (store.Look, func(*frontdesk.Visit, []frontdesk.Busy) error) {
				return lookOn(agent), fits
			},
			Event: func(c frontdesk.Capture) (frontdesk.Event, error) {
				return event(frontdesk.CaptureUpdated, c.UpdatedAt), nil
			},
		})
	}
	if _, err := move("2", func(*frontdesk.Visit, []frontdesk.Busy) error { return errFull }); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	if c, err := s.Capture(ctx, owner, old.ID); err != nil || c != old {
		t.Errorf("a move that failed: %+v, %v", c, err)
	}
	moved, err := move("2", func(v *frontdesk.Visit, _ []frontdesk.Busy) error {
		v.ResourceID, v.Resource = "ana", "Ana"
		return nil
	})
	want := old
	want.ScheduledAt, want.Notes, want.UpdatedAt = "2026-11-20T21:00:00", "later", day.Add(time.Hour)
	want.Visit.ResourceID, want.Visit.Resource = "ana", "Ana"
	if err != nil || moved != want {
		t.Fatalf("moved to %+v, %v", moved, err)
	}
	if c, err := s.Capture(ctx, owner, old.ID); err != nil || c != want {
		t.Errorf("written: %+v, %v", c, err)
	}
	// The same is done once, and what changes nothing is not told of.
	told := rows(t, s, "events")
	if again, err := move("2", func(*frontdesk.Visit, []frontdesk.Busy) error { return errFull }); err != nil || again != want {
		t.Errorf("the second time: %+v, %v", again, err)
	}
	if same, err := setStatus(s, owner, old.ID, want.Status, day.Add(2*time.Hour)); err != nil || same != want || rows(t, s, "events") != told {
		t.Errorf("nothing changed, and %+v, %v was written", same, err)
	}
	if got := busyOn(t, s, owner, lookOn(agent)); len(got) != 1 || got[0].ID != old.ID || got[0].Visit.ResourceID != "ana" {
		t.Errorf("busy: %v", got)
	}
}

func TestFindingAndCancelling(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID).ID
	c := addOne(t, s, owner, newCapture(agent, "1", oneOnly))
	tests := map[string]struct {
		f     store.AppointmentFilter
		found bool
	}{
		"by its code":                            {store.AppointmentFilter{Code: c.ConfirmationCode}, true},
		"by its number":                          {store.AppointmentFilter{Phone: "+34600000001"}, true},
		"by its number without a country":        {store.AppointmentFilter{Phone: "600-000-001"}, true},
		"a code is enough":                       {store.AppointmentFilter{Code: c.ConfirmationCode, Phone: "+34999999999"}, true},
		"a wrong code, whatever the number":      {store.AppointmentFilter{Code: "XXXXXX", Phone: "+34600000001"}, false},
		"another number":                         {store.AppointmentFilter{Phone: "+34600000002"}, false},
		"too few digits to tell numbers by":      {store.AppointmentFilter{Phone: "00001"}, false},
		"nothing at all":                         {store.AppointmentFilter{}, false},
		"one that has passed":                    {store.AppointmentFilter{Code: c.ConfirmationCode, From: "2026-11-20T20:00:01"}, false},
		"one that begins now":                    {store.AppointmentFilter{Code: c.ConfirmationCode, From: eight}, true},
		"with another agent of the same account": {store.AppointmentFilter{Code: c.ConfirmationCode, AgentID: frontdesk.NewID(day)}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.f.AgentID == "" {
				tt.f.AgentID = agent
			}
			got, err := s.FindAppointments(ctx, owner, tt.f)
			if err != nil || (len(got) == 1) != tt.found || tt.found && got[0] != c {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}

	isMissing(t, cancelIn(s, owner, frontdesk.NewID(day), c.ID, day))
	isMissing(t, cancelIn(s, owner, agent, frontdesk.NewID(day), day))
	for range 2 {
		if err := cancelIn(s, owner, agent, c.ID, day); err != nil {
			t.Error(err)
		}
	}
	if got, err := s.FindAppointments(ctx, owner, store.AppointmentFilter{AgentID: agent, Code: c.ConfirmationCode}); err != nil || len(got) != 0 {
		t.Errorf("found after it was cancelled: %v, %v", got, err)
	}
	if got := busyOn(t, s, owner, lookOn(agent)); len(got) != 0 {
		t.Errorf("a cancelled one takes a place: %v", got)
	}
	if _, err := setStatus(s, owner, c.ID, frontdesk.NoShow, day); err != nil {
		t.Fatal(err)
	}
	isMissing(t, cancelIn(s, owner, agent, c.ID, day))
}

// A number that was written down before we kept its digits is found as well.
func TestNumbersOfBefore(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID).ID
	for i, phone := range []string{"+34 600 00 00 01", "(600) 000-001", "0034.600.000.001", "600/000001", "", "12 34"} {
		n := newCapture(agent, fmt.Sprint(i), nil)
		n.Capture.CustomerPhone = phone
		addOne(t, s, owner, n)
	}
	want := tails(t, s)
	if _, err := s.Beside().Exec(`UPDATE captures SET phone_tail = NULL`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Beside().Exec(backfill(t)); err != nil {
		t.Fatal(err)
	}
	if got := tails(t, s); !slices.Equal(got, want) || strings.Join(got, " ") != "none none 600000001 600000001 600000001 600000001" {
		t.Errorf("got %q, want %q", got, want)
	}
}

// backfill are the statements of the migration that read numbers.
func backfill(t *testing.T) string {
	t.Helper()
	return strings.Join(regexp.MustCompile(`(?s)UPDATE captures.*?;`).FindAllString(store.MigrationText(4), -1), "\n")
}

func tails(t *testing.T, s *store.Store) (all []string) {
	t.Helper()
	rows, err := s.Beside().Query(`SELECT COALESCE(phone_tail, 'none') FROM captures`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var tail string
		if err := rows.Scan(&tail); err != nil {
			t.Fatal(err)
		}
		all = append(all, tail)
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(b, a) })
	return all
}

// What a day's calendar costs, and finding an appointment, does not grow with
// the history.
func TestTheCalendarHasItsIndexes(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID).ID
	fillAgents(t, s, owner.TenantID)
	fillCalendar(t, s, owner, agent)
	texts := tellingStore(t)
	l := lookOn(agent)
	who := []any{string(owner.TenantID), owner.Live, string(agent)}
	tests := map[string]struct {
		ask   func() error
		table string
		args  []any
		index string
	}{
		"what is taken of a day": {func() error {
			return texts.Busy(ctx, owner, l, func(frontdesk.Busy) {})
		}, "captures", append(slices.Clone(who), string(l.From), string(l.To)), "captures_taken"},
		"what is held": {func() error { return nil }, "holds", append(slices.Clone(who), micros(day)), "holds_by_agent"},
		"an appointment by its code": {func() error {
			_, err := texts.FindAppointments(ctx, owner, store.AppointmentFilter{AgentID: agent, Code: "ACDEFG"})
			return err
		}, "confirmation_code = ", append(slices.Clone(who), "ACDEFG", string(l.From), 10), "captures_by_code"},
		"appointments by a number": {func() error {
			_, err := texts.FindAppointments(ctx, owner, store.AppointmentFilter{AgentID: agent, Phone: "+34600000001"})
			return err
		}, "phone_tail = ", append(slices.Clone(who), "600000001", string(l.From), 10), "captures_by_phone"},
	}
	for _, tt := range tests {
		if err := tt.ask(); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			asked := slices.DeleteFunc(texts.Asked(), func(q string) bool { return !strings.Contains(q, tt.table) })
			if tt.table == "captures" {
				asked = slices.DeleteFunc(asked, func(q string) bool { return strings.Contains(q, " = $4") })
			}
			if len(asked) != 1 {
				t.Fatalf("asked %q", asked)
			}
			for _, plan := range plans(t, s, asked[0], tt.args) {
				// When it cannot know how many holds go on, PostgreSQL goes
				// through the index first, then to the table.
				if tt.table == "holds" && strings.Contains(plan, "Bitmap Index Scan on "+tt.index) {
					continue
				}
				if !uses(plan, tt.index) || looksThroughATable.MatchString(plan) || sorts.MatchString(plan) {
					t.Errorf("%s\n%s", asked[0], plan)
				}
			}
		})
	}
}

// fillCalendar gives an agent, in both modes, a history of 30,000 appointments,
// most of them cancelled or long ago, and holds that have run out.
func fillCalendar(t *testing.T, s *store.Store, owner frontdesk.Owner, agent frontdesk.ID) {
	t.Helper()
	if !storetest.IsPostgres() {
		return
	}
	const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) `
	for nth, live := range []bool{true, false} {
		id := fmt.Sprintf(`('01900000-0000-7000-8000-' || lpad(to_hex(i + %d), 12, '0'))::uuid`, nth*100_000)
		who := fmt.Sprintf(`'%s'::uuid, %v, %s, '%s'::uuid`, owner.TenantID, live, id, agent)
		for _, statement := range []string{
			`INSERT INTO captures (tenant_id, live, id, agent_id, channel, kind, customer_name, customer_phone, service, confirmation_code, status, created_at, scheduled_at, phone_tail) ` +
				numbers + `SELECT ` + who + `, 'web', CASE WHEN i % 5 = 0 THEN 'lead' ELSE 'appointment' END, 'Ana', '', 'Mesa', to_hex(i),
				CASE WHEN i % 3 = 0 THEN 'confirmed' WHEN i % 7 = 0 THEN 'pending_confirm' ELSE 'cancelled' END, 0,
				to_char(timestamp '2026-11-30' - make_interval(hours => i), 'YYYY-MM-DD"T"HH24:MI:SS'), lpad((i % 9000)::text, 9, '6') FROM n`,
			`INSERT INTO holds (tenant_id, live, call_id, agent_id, scheduled_at, service_id, party, minutes, until) ` +
				numbers + `SELECT ` + who + fmt.Sprintf(`, '2026-11-20T20:00:00', '', 2, 60, %d - i * CAST(1000000 AS BIGINT) FROM n`, micros(day)),
		} {
			if _, err := s.Beside().Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	analyze(t, s, "captures", "holds")
}
