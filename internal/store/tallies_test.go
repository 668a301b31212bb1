package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// tallyZones are near and far, of halves and quarters of an hour, and with days
// of 23, 24½ and 25 hours.
var tallyZones = []string{
	"UTC", "Europe/Madrid", "America/St_Johns", "Asia/Kathmandu", "Pacific/Chatham", "Australia/Lord_Howe",
	"America/Havana", "Pacific/Kiritimati", "Pacific/Marquesas", "America/Los_Angeles",
}

// tallyNows are when analytics are asked for: an ordinary day, and those after
// clocks were changed.
var tallyNows = []time.Time{
	day, time.Date(2026, 3, 30, 0, 10, 0, 0, time.UTC), time.Date(2026, 10, 26, 23, 50, 0, 0, time.UTC), time.Date(2026, 4, 6, 12, 0, 0, 0, time.UTC),
}

// caller makes calls as nobody would: at every hour, around midnight and around
// changes of the clock, for agents that are there, gone, or none.
type caller struct {
	random *rand.Rand
	agents []frontdesk.ID
}

func newCaller(seed uint64, agents []frontdesk.Agent) *caller {
	c := &caller{rand.New(rand.NewPCG(seed, 1)), []frontdesk.ID{"", frontdesk.NewID(day)}}
	for _, a := range agents {
		c.agents = append(c.agents, a.ID)
	}
	return c
}

func (c *caller) recording() store.Recording {
	at := tallyNows[c.random.IntN(len(tallyNows))].Add(-time.Duration(c.random.Int64N(int64(8 * 24 * time.Hour)))).Truncate(time.Microsecond)
	if c.random.IntN(4) == 0 { // on the edge of a quarter of an hour
		at = at.Truncate(15 * time.Minute).Add(time.Duration(c.random.IntN(2)-1) * time.Microsecond)
	}
	r := recording(at, c.random.IntN(1000), c.random.IntN(3))
	r.Call.AgentID, r.Call.Channel = c.agents[c.random.IntN(len(c.agents))], frontdesk.Channels[c.random.IntN(2)]
	r.Call.Outcome, r.Call.Language = frontdesk.Outcomes[c.random.IntN(6)], frontdesk.Languages[c.random.IntN(2)]
	for i := range r.Captures {
		made := at.Add(time.Duration(c.random.Int64N(int64(40 * time.Minute)))).Truncate(time.Microsecond)
		r.Captures[i].ID, r.Captures[i].CreatedAt = frontdesk.NewID(made), made
		r.Captures[i].AgentID, r.Captures[i].Channel = r.Call.AgentID, r.Call.Channel
	}
	return r
}

func (c *caller) recordings(n int) (rs []store.Recording) {
	for range n {
		rs = append(rs, c.recording())
	}
	return rs
}

// withHours are three agents of a tenant: two with hours in their zones, and one
// that has none.
func withHours(tenant frontdesk.ID) (agents []frontdesk.Agent) {
	hours := []*frontdesk.Hours{
		{{Open: 9, Close: 18}, {Open: 9, Close: 18}, {}, {Open: 9, Close: 18}, {Open: 20, Close: 2}, {Open: 18, Close: 6}, {}},
		{{Open: 0, Close: 24}, {}, {Open: 7, Close: 8}},
		nil,
	}
	for i, zone := range []string{"Europe/Madrid", "Asia/Kathmandu", "America/St_Johns"} {
		agents = append(agents, frontdesk.Agent{
			ID: frontdesk.NewID(day), TenantID: tenant, Slug: fmt.Sprint("desk-", i), Vertical: "general", Status: "active",
			Languages: []string{"es"}, Timezone: zone, CreatedAt: day, UpdatedAt: day, Config: frontdesk.AgentConfig{Hours: hours[i]},
		})
	}
	return agents
}

// sameAsCounting compares analytics with a count of all calls and captures, in
// every zone and with every filter.
func sameAsCounting(t testing.TB, s *store.Store, owner frontdesk.Owner, agents []frontdesk.Agent) {
	t.Helper()
	filters := []frontdesk.AnalyticsFilter{
		{Channel: frontdesk.Web},
		{Channel: frontdesk.Phone},
		{AgentID: agents[0].ID},
		{AgentID: agents[1].ID, Channel: frontdesk.Phone},
		{AgentID: frontdesk.NewID(day)},
	}
	for i, zone := range tallyZones {
		loc, err := frontdesk.LoadZone(zone)
		if err != nil {
			t.Fatal(err)
		}
		for j, now := range tallyNows {
			w := frontdesk.WindowOf(now, []int{1, 4, 90}[(i+j)%3], loc)
			for _, f := range []frontdesk.AnalyticsFilter{{}, filters[(i+j)%len(filters)]} {
				want := counted(t, s, owner, f, w, agents)
				got, err := s.Analytics(ctx, owner, f, w, agents)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%d days in %s before %s, %+v, %v:\ngot  %+v\nwant %+v", w.Days, zone, now, f, err, got, want)
				}
			}
		}
	}
}

func counted(t testing.TB, s *store.Store, owner frontdesk.Owner, f frontdesk.AnalyticsFilter, w frontdesk.Window, agents []frontdesk.Agent) frontdesk.Analytics {
	t.Helper()
	calls, err := s.CallTallies(ctx, owner, f, w.Previous, w.To)
	if err != nil {
		t.Fatal(err)
	}
	captures, err := s.CaptureTallies(ctx, owner, f, w.Previous, w.To)
	if err != nil {
		t.Fatal(err)
	}
	return frontdesk.Analyze(w, calls, captures, agents)
}

// foldAll folds until there is nothing left.
func foldAll(t testing.TB, s *store.Store) {
	t.Helper()
	for {
		n, err := s.FoldTalliesForWorker(ctx, 7)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

func rowsIn(t testing.TB, s *store.Store, table string) (n int) {
	t.Helper()
	if err := s.Beside().QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func change(t testing.TB, s *store.Store, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := s.Beside().Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnalyticsAreTheSameAsCounting(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agents := withHours(owner.TenantID)
	sandbox := frontdesk.Owner{TenantID: owner.TenantID}
	c := newCaller(11, agents)
	sameAsCounting(t, s, owner, agents) // nothing at all
	record(t, s, owner, c.recordings(150)...)
	record(t, s, sandbox, c.recordings(20)...)
	for range 20 {
		record(t, s, owner, c.recording())
	}
	sameAsCounting(t, s, owner, agents) // before anything is folded
	for range 3 {
		if n, err := s.FoldTalliesForWorker(ctx, 9); err != nil || n != 9 {
			t.Fatalf("folded %d, %v", n, err)
		}
		sameAsCounting(t, s, owner, agents) // while some is
	}
	foldAll(t, s)
	sameAsCounting(t, s, owner, agents)
	sameAsCounting(t, s, sandbox, agents)
	if n := rowsIn(t, s, "tally_entries"); n != 0 {
		t.Errorf("%d entries are left", n)
	}
	record(t, s, owner, c.recordings(30)...)
	record(t, s, owner, c.recording())
	sameAsCounting(t, s, owner, agents) // beside what was folded
	foldAll(t, s)
	sameAsCounting(t, s, owner, agents) // on top of it
}

// A capture that is written while its call goes on counts once, and moving or
// cancelling it changes nothing.
func TestACaptureCountsOnceWhateverBecomesOfIt(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agents := withHours(owner.TenantID)
	if err := s.CreateAgent(ctx, frontdesk.Actor{}, agents[0]); err != nil {
		t.Fatal(err)
	}
	added, err := s.AddCapture(ctx, owner, store.NewCapture{
		Capture: frontdesk.Capture{
			ID: frontdesk.NewID(day), AgentID: agents[0].ID, Channel: frontdesk.Web, Kind: frontdesk.Appointment, Status: frontdesk.PendingConfirm,
			ScheduledAt: "2026-11-20T20:00:00", CreatedAt: day,
		},
		Once: "the act", NewCode: func() string { return "ACDEFG" },
		Event: func(frontdesk.Capture) (frontdesk.Event, error) { return event(frontdesk.CallCompleted, day), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	w := frontdesk.WindowOf(day, 1, time.UTC)
	check := func(when string) {
		t.Helper()
		got, err := s.Analytics(ctx, owner, frontdesk.AnalyticsFilter{}, w, agents)
		if err != nil || got.Totals.Captures != 1 || got.PerDay[0].Captures != 1 || got.ByHour[9].Captures != 1 {
			t.Errorf("%s: %+v, %v", when, got.Totals, err)
		}
		sameAsCounting(t, s, owner, agents)
	}
	check("written")
	if _, err := setStatus(s, owner, added.ID, frontdesk.Confirmed, day); err != nil {
		t.Fatal(err)
	}
	check("confirmed")
	foldAll(t, s)
	if err := cancelIn(s, owner, agents[0].ID, added.ID, day); err != nil {
		t.Fatal(err)
	}
	check("folded and cancelled")
}

// What is erased stays in the tallies, and a tenant is born with all of its
// calls tallied.
func TestTalliesOutliveTheirCalls(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := frontdesk.Tenant{ID: frontdesk.NewID(day), Slug: "a", Timezone: "UTC", Plan: frontdesk.DefaultPlan(), CreatedAt: day}
	c := newCaller(12, nil)
	if err := s.CreateTenant(ctx, store.NewTenant{Tenant: tenant, Live: c.recordings(200), Test: c.recordings(30)}); err != nil {
		t.Fatal(err)
	}
	w := frontdesk.WindowOf(day, 90, time.UTC)
	for live, calls := range map[bool]int{true: 200, false: 30} {
		owner := frontdesk.Owner{TenantID: tenant.ID, Live: live}
		w := frontdesk.WindowOf(day.AddDate(0, 0, 1), 90, time.UTC)
		before := counted(t, s, owner, frontdesk.AnalyticsFilter{}, w, nil)
		if before.Totals.Calls == 0 || before.Totals.Calls >= calls {
			t.Fatalf("%d of %d calls are in the window", before.Totals.Calls, calls)
		}
	}
	owner := frontdesk.Owner{TenantID: tenant.ID, Live: true}
	before := counted(t, s, owner, frontdesk.AnalyticsFilter{}, w, nil)
	change(t, s, `DELETE FROM calls`, `DELETE FROM captures`)
	for _, when := range []string{"as entries", "folded"} {
		got, err := s.Analytics(ctx, owner, frontdesk.AnalyticsFilter{}, w, nil)
		if err != nil || !reflect.DeepEqual(got, before) {
			t.Errorf("%s: got %+v, %v, want %+v", when, got.Totals, err, before.Totals)
		}
		foldAll(t, s)
	}
}

// Recordings, folding by several workers of two nodes, and analytics, all at
// once, with workers that are cut off at any moment.
func TestTalliesUnderConcurrentWork(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owners := []frontdesk.Owner{
		{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}, {TenantID: storetest.Tenant(t, nodes[0], "b").ID, Live: true},
	}
	agents := withHours(owners[0].TenantID)
	const recorders, workers, each = 4, 4, 15
	var recording, cut atomic.Int64
	recording.Store(recorders)
	w := frontdesk.WindowOf(day, 90, time.UTC)
	for _, err := range atOnce(recorders+workers+1, func(i int) error {
		random := rand.New(rand.NewPCG(uint64(i), 5))
		switch {
		case i < recorders:
			defer recording.Add(-1)
			c := newCaller(uint64(i), agents)
			for range each {
				if err := nodes[i%2].RecordCalls(ctx, owners[random.IntN(2)], c.recordings(1+random.IntN(3))...); err != nil {
					return err
				}
			}
		case i < recorders+workers:
			for recording.Load() > 0 {
				// One that is killed leaves nothing half done.
				short, cancel := context.WithTimeout(ctx, time.Duration(random.IntN(3000))*time.Microsecond)
				if _, err := nodes[i%2].FoldTalliesForWorker(short, 5); err != nil {
					cut.Add(1)
				}
				cancel()
				if _, err := nodes[i%2].FoldTalliesForWorker(ctx, 5); err != nil {
					return err
				}
			}
		default:
			// The number of calls never falls: none is missed on its way from
			// an entry to its sheet.
			last := 0
			for recording.Load() > 0 {
				got, err := nodes[0].Analytics(ctx, owners[0], frontdesk.AnalyticsFilter{}, w, agents)
				if err != nil {
					return err
				}
				if got.Totals.Calls < last {
					return fmt.Errorf("%d calls after %d", got.Totals.Calls, last)
				}
				last = got.Totals.Calls
			}
		}
		return nil
	}) {
		t.Error(err)
	}
	t.Logf("%d foldings were cut off", cut.Load())
	for range 2 {
		for _, owner := range owners {
			sameAsCounting(t, nodes[0], owner, agents)
		}
		foldAll(t, nodes[1])
	}
}

// A folding that fails after it has taken its entries puts them back.
func TestAFoldingThatFailsChangesNothing(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agents := withHours(owner.TenantID)
	record(t, s, owner, recording(day, 10, 1), recording(day.AddDate(0, 0, -1), 10, 1))
	foldAll(t, s)
	record(t, s, owner, recording(day, 20, 1), recording(day.AddDate(0, 0, -1), 20, 1))
	today, _ := frontdesk.DayAndQuarter(day)
	where := fmt.Sprintf(` FROM tally_days WHERE day = %d`, today)
	var sheet []byte
	if err := s.Beside().QueryRow(`SELECT sheet` + where).Scan(&sheet); err != nil {
		t.Fatal(err)
	}
	put := func(sheet []byte) {
		t.Helper()
		if _, err := s.Beside().Exec(`UPDATE tally_days SET sheet = $1 WHERE day = $2`, sheet, today); err != nil {
			t.Fatal(err)
		}
	}
	put([]byte("damaged"))
	if _, err := s.FoldTalliesForWorker(ctx, 100); err == nil || !strings.Contains(err.Error(), "cannot be read") || !strings.Contains(err.Error(), string(owner.TenantID)) {
		t.Errorf("folding: %v", err)
	}
	if _, err := s.Analytics(ctx, owner, frontdesk.AnalyticsFilter{}, frontdesk.WindowOf(day, 1, time.UTC), agents); err == nil {
		t.Error("a damaged sheet was read")
	}
	if n := rowsIn(t, s, "tally_entries"); n != 2 {
		t.Errorf("%d entries are left", n)
	}
	put(sheet)
	sameAsCounting(t, s, owner, agents)
	foldAll(t, s)
	sameAsCounting(t, s, owner, agents)
}

// insertOld writes calls and captures as a binary without tallies does.
func insertOld(t testing.TB, s *store.Store, owner frontdesk.Owner, rs []store.Recording) {
	t.Helper()
	id := func(id frontdesk.ID) any {
		if id == "" {
			return nil
		}
		return string(id)
	}
	tx, err := s.Beside().Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	for _, r := range rs {
		c := r.Call
		_, err := tx.Exec(`INSERT INTO calls (tenant_id, live, id, agent_id, started_at, duration_seconds, language, outcome, channel, summary)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '{}')`,
			string(owner.TenantID), owner.Live, string(c.ID), id(c.AgentID), micros(c.StartedAt), c.Duration, c.Language, string(c.Outcome), string(c.Channel))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Captures {
			_, err := tx.Exec(`INSERT INTO captures (tenant_id, live, id, agent_id, channel, kind, customer_name, customer_phone, service, confirmation_code, status, created_at)
				VALUES ($1, $2, $3, $4, $5, 'lead', '', '', '', '', 'confirmed', $6)`,
				string(owner.TenantID), owner.Live, string(c.ID), id(c.AgentID), string(c.Channel), micros(c.CreatedAt))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// A database from before the tallies: analytics are right from the first moment
// on, while old rows are tallied, and while new ones are recorded among them.
func TestOlderRowsAreTallied(t *testing.T) {
	t.Parallel()
	url := storetest.Unmigrated(t)
	s := unmigrated(t, url)
	if err := s.MigrateTo(ctx, store.VersionBefore("tallies"), day); err != nil {
		t.Fatal(err)
	}
	owners := []frontdesk.Owner{{TenantID: frontdesk.NewID(day), Live: true}, {TenantID: frontdesk.NewID(day), Live: false}, {TenantID: frontdesk.NewID(day), Live: true}}
	var agents [][]frontdesk.Agent
	for i, owner := range owners {
		if _, err := s.Beside().Exec(`INSERT INTO tenants (id, slug, name, timezone, plan, created_at) VALUES ($1, $2, '', 'UTC', '{}', 0)`,
			string(owner.TenantID), fmt.Sprint("t", i)); err != nil {
			t.Fatal(err)
		}
		agents = append(agents, withHours(owner.TenantID))
		if i < 2 { // the third has nothing
			insertOld(t, s, owner, newCaller(uint64(20+i), agents[i]).recordings(60))
		}
	}
	if _, err := s.Migrate(ctx, day); err != nil {
		t.Fatal(err)
	}
	nodes := []*store.Store{s, storetest.Open(t, url)}
	check := func() {
		t.Helper()
		for i, owner := range owners {
			sameAsCounting(t, s, owner, agents[i])
		}
	}
	check()
	rounds := 0
	for more := true; more; rounds++ {
		var err error
		if more, err = nodes[rounds%2].BackfillTalliesForWorker(ctx, 30); err != nil {
			t.Fatal(err)
		}
		// Among the old ones, before and behind.
		record(t, s, owners[rounds%3], newCaller(uint64(100*rounds), agents[rounds%3]).recordings(3)...)
		if rounds%6 == 0 {
			foldAll(t, s)
			check()
		}
	}
	if n := rowsIn(t, s, "tally_backfills"); n != 0 || rounds < 12 {
		t.Errorf("%d tables are left to tally after %d rounds", n, rounds)
	}
	check()
	foldAll(t, s)
	check()
	if fresh := rowsIn(t, s, "calls WHERE tallied IS NULL"); fresh != 120 {
		t.Errorf("%d calls are from before, want 120", fresh)
	}
}

// Workers that tally older rows at once do no row twice, also when they are cut
// off.
func TestManyTallyOlderRowsAtOnce(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	agents := withHours(owner.TenantID)
	insertOld(t, nodes[0], owner, newCaller(31, agents).recordings(150))
	for _, source := range []string{"calls", "captures"} {
		change(t, nodes[0], `INSERT INTO tally_backfills (tenant_id, live, source, after) SELECT id, TRUE, '`+source+`', '`+string(frontdesk.FirstIDAt(time.Unix(0, 0)))+`' FROM tenants`)
	}
	for _, err := range atOnce(4, func(i int) error {
		random := rand.New(rand.NewPCG(uint64(i), 6))
		for {
			short, cancel := context.WithTimeout(ctx, time.Duration(random.IntN(3000))*time.Microsecond)
			nodes[i%2].BackfillTalliesForWorker(short, 7)
			cancel()
			if _, err := nodes[i%2].BackfillTalliesForWorker(ctx, 7); err != nil {
				return err
			}
			var left int
			if err := nodes[i%2].Beside().QueryRow(`SELECT COUNT(*) FROM tally_backfills`).Scan(&left); err != nil || left == 0 {
				return err
			}
		}
	}) {
		t.Error(err)
	}
	sameAsCounting(t, nodes[0], owner, agents)
}

// Few calls a day are tallied some days at a time.
func TestManyDaysAreNotTalliedAtOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agents := withHours(owner.TenantID)
	var rs []store.Recording
	for i := range 70 {
		rs = append(rs, recording(day.AddDate(0, 0, -i), i, 0))
	}
	insertOld(t, s, owner, rs)
	change(t, s, `INSERT INTO tally_backfills (tenant_id, live, source, after) SELECT id, TRUE, 'calls', '`+string(frontdesk.FirstIDAt(time.Unix(0, 0)))+`' FROM tenants`)
	for _, want := range []int{33, 66, 70} {
		if _, err := s.BackfillTalliesForWorker(ctx, 1000); err != nil {
			t.Fatal(err)
		}
		if days := rowsIn(t, s, "tally_days"); days != want {
			t.Errorf("%d days are tallied, want %d", days, want)
		}
	}
	if left := rowsIn(t, s, "tally_backfills"); left != 0 {
		t.Errorf("%d are left", left)
	}
	sameAsCounting(t, s, owner, agents)
}

// In a zone that keeps no whole quarters from UTC, calls are counted.
func TestAZoneWithoutQuartersIsCounted(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agents := withHours(owner.TenantID)
	record(t, s, owner, newCaller(41, agents).recordings(100)...)
	for _, seconds := range []int{7 * 60, -(3*3600 + 1)} {
		w := frontdesk.WindowOf(day, 4, time.FixedZone("odd", seconds))
		got, err := s.Analytics(ctx, owner, frontdesk.AnalyticsFilter{}, w, agents)
		if want := counted(t, s, owner, frontdesk.AnalyticsFilter{}, w, agents); err != nil || !reflect.DeepEqual(got, want) || want.Totals.Calls == 0 {
			t.Errorf("got %+v, %v, want %+v", got.Totals, err, want.Totals)
		}
	}
}

// Who finds no place among those who sum up learns so in time; a list goes on.
func TestHeavyReadsHaveAShare(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, storetest.Open(t, url), "a").ID, Live: true}
	s, err := store.Open(store.Options{URL: url, Timeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	analytics := func() error {
		_, err := s.Analytics(ctx, owner, frontdesk.AnalyticsFilter{}, frontdesk.WindowOf(day, 90, time.UTC), nil)
		return err
	}
	release := s.Occupy(ctx)
	isKind(t, analytics(), frontdesk.Unavailable, "database_unavailable")
	if _, err := s.Calls(ctx, owner, frontdesk.CallFilter{}, frontdesk.Page{}); err != nil {
		t.Errorf("a list has to wait: %v", err)
	}
	waiting := make(chan error, 1)
	go func() { waiting <- analytics() }()
	release()
	if err := <-waiting; err != nil {
		t.Errorf("after a place was free: %v", err)
	}
}

// Analytics look at the owner's own days, and at no others.
func TestAnalyticsHaveTheirIndexes(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	if storetest.IsPostgres() {
		for i := range 300 {
			storetest.Tenant(t, s, fmt.Sprint("t", i))
		}
		change(t, s,
			`INSERT INTO tally_days (tenant_id, live, agent_id, day, sheet) SELECT id, TRUE, '00000000-0000-0000-0000-000000000000', n, '\x010000' FROM tenants, generate_series(20000, 20399) n`,
			`INSERT INTO tally_entries (tenant_id, live, day, id, sheet) SELECT id, TRUE, n, id, '\x010000' FROM tenants, generate_series(20380, 20399) n`,
			`INSERT INTO tally_backfills (tenant_id, live, source, after) SELECT id, l, 'calls', id FROM tenants, (VALUES (TRUE), (FALSE)) m (l)`)
		analyze(t, s, "tally_days", "tally_entries", "tally_backfills")
	}
	texts := tellingStore(t)
	before := texts.Asked()
	if _, err := texts.Analytics(ctx, owner, frontdesk.AnalyticsFilter{}, frontdesk.WindowOf(day, 1, time.UTC), nil); err != nil {
		t.Fatal(err)
	}
	asked := slices.DeleteFunc(texts.Asked(), func(q string) bool { return slices.Contains(before, q) })
	if len(asked) != 1 {
		t.Fatalf("asked %d questions: %q", len(asked), asked)
	}
	args := []any{string(owner.TenantID), true, "00000000-0000-0000-0000-000000000000", 20200, 20380}
	for _, plan := range plans(t, s, asked[0], args) {
		for _, index := range []string{"tally_days_pkey", "tally_entries_pkey", "tally_backfills_pkey"} {
			if !uses(plan, index) && !strings.Contains(plan, "Bitmap Index Scan on "+index) {
				t.Errorf("%s is not used:\n%s", index, plan)
			}
		}
		if regexp.MustCompile(`Seq Scan|SCAN `).MatchString(plan) {
			t.Errorf("a table is looked through:\n%s", plan)
		}
	}
}
