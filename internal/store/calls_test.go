package store_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestRecordCallsWritesAll(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID)
	r := recording(day.Add(123456*time.Microsecond), 95, 2)
	r.Call.AgentID = agent.ID
	r.Captures[0].AgentID, r.Captures[1].AgentID = agent.ID, agent.ID
	r.Captures[1].CustomerName, r.Captures[1].CustomerPhone, r.Captures[1].ScheduledAt, r.Captures[1].Service = "", "", "", "«Ñandú» 🐦\n\u2028"
	record(t, s, owner, r)

	call, err := s.Call(ctx, owner, r.Call.ID)
	if err != nil || !reflect.DeepEqual(call, r.Call) {
		t.Errorf("got  %+v, %v\nwant %+v", call, err, r.Call)
	}
	for _, want := range r.Captures {
		if got, err := s.Capture(ctx, owner, want.ID); err != nil || got != want {
			t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
		}
	}
	used, err := s.Usage(ctx, owner, "2026-11")
	if want := []frontdesk.UsagePeriod{{Period: "2026-11", Seconds: 95, Calls: 1}}; err != nil || !reflect.DeepEqual(used, want) {
		t.Errorf("used %v, %v", used, err)
	}
}

// A recording that fails in the middle leaves nothing of any of its parts.
func TestARecordingThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	there := recording(day, 10, 1)
	record(t, s, owner, there)
	same := func(change func(*store.Recording)) store.Recording {
		r := recording(day.Add(time.Second), 20, 2)
		change(&r)
		return r
	}
	tests := map[string][]store.Recording{
		"a call that is there":           {same(func(*store.Recording) {}), same(func(r *store.Recording) { r.Call.ID = there.Call.ID })},
		"a capture that is there":        {same(func(r *store.Recording) { r.Captures[1].ID = there.Captures[0].ID })},
		"two captures with the same id":  {same(func(r *store.Recording) { r.Captures[1].ID = r.Captures[0].ID })},
		"the second of two is the fault": {recording(day.Add(2*time.Second), 30, 1), same(func(r *store.Recording) { r.Captures[0].ID = there.Captures[0].ID })},
	}
	for name, rs := range tests {
		if err := s.RecordCalls(ctx, owner, rs...); err == nil {
			t.Errorf("%s: recorded", name)
		}
	}
	if calls := allCalls(t, s, owner); len(calls) != 1 || calls[0].ID != there.Call.ID {
		t.Errorf("%d calls are left", len(calls))
	}
	if captures := allCaptures(t, s, owner); len(captures) != 1 {
		t.Errorf("%d captures are left", len(captures))
	}
	used, err := s.Usage(ctx, owner, "2000-01")
	if err != nil || len(used) != 1 || used[0].Calls != 1 || used[0].Seconds != 10 {
		t.Errorf("used %v, %v", used, err)
	}
	var transcripts int
	if err := s.Beside().QueryRow(`SELECT COUNT(*) FROM transcripts`).Scan(&transcripts); err != nil || transcripts != 1 {
		t.Errorf("%d transcripts are left, %v", transcripts, err)
	}
}

func TestUsageIsTheSumOfTheCallsUnderConcurrentWrites(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	for _, err := range atOnce(50, func(i int) error {
		// Two months in both orders, so that transactions meet.
		a, b := recording(day.Add(time.Duration(i)*time.Second), i, 1), recording(day.AddDate(0, -1, 0).Add(time.Duration(i)*time.Second), 2*i, 0)
		if i%2 == 0 {
			a, b = b, a
		}
		return nodes[i%2].RecordCalls(ctx, owner, a, b)
	}) {
		t.Error(err)
	}
	sums := map[string]frontdesk.UsagePeriod{}
	calls := allCalls(t, nodes[0], owner)
	for _, c := range calls {
		u := sums[c.StartedAt.Format("2006-01")]
		u.Calls++
		u.Seconds += c.Duration
		sums[c.StartedAt.Format("2006-01")] = u
	}
	used, err := nodes[1].Usage(ctx, owner, "2000-01")
	if err != nil || len(used) != 2 || len(calls) != 100 {
		t.Fatalf("%d calls, used %v, %v", len(calls), used, err)
	}
	for _, u := range used {
		if want := sums[u.Period]; u.Calls != want.Calls || u.Seconds != want.Seconds {
			t.Errorf("used %+v, but the calls sum up to %+v", u, want)
		}
	}
}

// A reader sees a recording whole or not at all, and usage with it.
func TestAReaderNeverSeesHalfARecording(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	var done atomic.Bool
	go func() {
		defer done.Store(true)
		for i := range 40 {
			if err := s.RecordCalls(ctx, owner, recording(day.Add(time.Duration(i)*time.Second), 1, 1)); err != nil {
				t.Error(err)
			}
		}
	}()
	for !done.Load() {
		var calls, captures, transcripts, used int
		err := s.Beside().QueryRow(`SELECT (SELECT COUNT(*) FROM calls), (SELECT COUNT(*) FROM captures),
			(SELECT COUNT(*) FROM transcripts), (SELECT COALESCE(SUM(calls), 0) FROM usage_periods)`).Scan(&calls, &captures, &transcripts, &used)
		if err != nil || calls != captures || calls != transcripts || calls != used {
			t.Fatalf("%d calls, %d captures, %d transcripts, %d used, %v", calls, captures, transcripts, used, err)
		}
	}
}

func TestTalliesAgainstCountingOneByOne(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agents := []frontdesk.ID{"", newAgent(t, s, owner.TenantID).ID, frontdesk.NewID(day)}
	random := rand.New(rand.NewPCG(8, 9))
	var all []store.Recording
	for range 300 {
		r := recording(day.Add(time.Duration(random.Int64N(int64(6*time.Hour)))).Truncate(time.Microsecond), random.IntN(100), random.IntN(3))
		r.Call.AgentID, r.Call.Channel = agents[random.IntN(3)], frontdesk.Channels[random.IntN(2)]
		r.Call.Outcome, r.Call.Language = frontdesk.Outcomes[random.IntN(6)], frontdesk.Languages[random.IntN(2)]
		for i := range r.Captures {
			r.Captures[i].AgentID, r.Captures[i].Channel = r.Call.AgentID, r.Call.Channel
		}
		all = append(all, r)
	}
	from, to := day.Add(time.Hour), day.Add(5*time.Hour)
	for _, at := range []time.Time{from, to, from.Add(-time.Microsecond), to.Add(-time.Microsecond)} { // the edges
		all = append(all, recording(at, 7, 0))
	}
	record(t, s, owner, all...)

	filters := map[string]frontdesk.AnalyticsFilter{
		"everything": {}, "a channel": {Channel: frontdesk.Web}, "an agent": {AgentID: agents[1]},
		"both": {Channel: frontdesk.Phone, AgentID: agents[2]}, "nobody": {AgentID: frontdesk.NewID(day)},
	}
	for name, f := range filters {
		t.Run(name, func(t *testing.T) {
			calls, captures := map[frontdesk.CallTally][2]int{}, map[time.Time]int{}
			in := func(at time.Time, c frontdesk.Channel, a frontdesk.ID) bool {
				return !at.Before(from) && at.Before(to) && (f.Channel == "" || f.Channel == c) && (f.AgentID == "" || f.AgentID == a)
			}
			for _, r := range all {
				if c := r.Call; in(c.StartedAt, c.Channel, c.AgentID) {
					k := frontdesk.CallTally{Quarter: c.StartedAt.Truncate(15 * time.Minute), AgentID: c.AgentID, Channel: c.Channel, Outcome: c.Outcome, Language: c.Language}
					calls[k] = [2]int{calls[k][0] + 1, calls[k][1] + c.Duration}
				}
				for _, c := range r.Captures {
					if in(c.CreatedAt, c.Channel, c.AgentID) {
						captures[c.CreatedAt.Truncate(15*time.Minute)]++
					}
				}
			}
			gotCalls, err := s.CallTallies(ctx, owner, f, from, to)
			if err != nil || len(gotCalls) != len(calls) {
				t.Errorf("%d tallies, want %d, %v", len(gotCalls), len(calls), err)
			}
			for _, got := range gotCalls {
				k := got
				k.Calls, k.Seconds = 0, 0
				if want := calls[k]; got.Calls != want[0] || got.Seconds != want[1] {
					t.Errorf("got %+v, want %v", got, want)
				}
			}
			gotCaptures, err := s.CaptureTallies(ctx, owner, f, from, to)
			if err != nil || len(gotCaptures) != len(captures) {
				t.Errorf("%d tallies of captures, want %d, %v", len(gotCaptures), len(captures), err)
			}
			for _, got := range gotCaptures {
				if got.Captures != captures[got.Quarter] {
					t.Errorf("got %+v, want %d", got, captures[got.Quarter])
				}
			}
		})
	}
}

func TestMissingThings(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	_, err := s.Call(ctx, owner, frontdesk.NewID(day))
	isMissing(t, err)
	_, err = s.Capture(ctx, owner, frontdesk.NewID(day))
	isMissing(t, err)
	_, err = setStatus(s, owner, frontdesk.NewID(day), frontdesk.Confirmed, day)
	isMissing(t, err)
	_, err = s.AgentBySlug(ctx, owner, "nobody")
	isMissing(t, err)
	_, err = s.ChangeAgent(ctx, owner, "nobody", changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) { return a, nil }))
	isMissing(t, err)
	_, err = s.TenantBySlug(ctx, "nobody")
	isMissing(t, err)
	_, err = s.Key(ctx, frontdesk.NewID(day))
	isMissing(t, err)
	_, _, err = s.KeyByHash(ctx, frontdesk.KeyHash{})
	isMissing(t, err)
	isMissing(t, s.SetPlan(ctx, frontdesk.Actor{}, frontdesk.NewID(day), frontdesk.DefaultPlan()))
}

func TestJSONIsKeptToTheByte(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	r := recording(day, 1, 0)
	r.Call.Summary = json.RawMessage(`{"b":1,"a":"\u00e9 🐦","n":1.0}`)
	r.Call.Transcript = json.RawMessage(`{"turns":[{"text":"¿Qué?  <b>"}]}`)
	record(t, s, owner, r)
	got, err := s.Call(ctx, owner, r.Call.ID)
	if err != nil || string(got.Summary) != string(r.Call.Summary) || string(got.Transcript) != string(r.Call.Transcript) {
		t.Errorf("got %s and %s, %v", got.Summary, got.Transcript, err)
	}
}
