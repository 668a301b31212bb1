package acceptance

import (
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	outcomes = []string{"booking", "info", "handoff", "abandoned", "error", "over_limit"}
	channels = []string{"web", "phone"}
)

// narrowed are all filters that can be made of some values of two parameters,
// none of a parameter included.
func narrowed(first, second string, a, b []string) (queries []url.Values) {
	for _, x := range append([]string{""}, a...) {
		for _, y := range append([]string{""}, b...) {
			q := url.Values{}
			if x != "" {
				q.Set(first, x)
			}
			if y != "" {
				q.Set(second, y)
			}
			queries = append(queries, q)
		}
	}
	return queries
}

// fits says whether a filter names a value or leaves it open.
func fits(q url.Values, name, value string) bool { return !q.Has(name) || q.Get(name) == value }

func callID(c call) string { return c.ID }

// TestEveryWalkThroughCallsIsTheListing pages through the calls with every
// filter and several sizes of a page, and holds each walk against the whole
// list.
func TestEveryWalkThroughCallsIsTheListing(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for mode, key := range map[string]string{"live": d.live, "test": d.test} {
		all := walk[call](d.node, "/calls", key, 100)
		checkNewestFirst(t, projected(all, callID))
		for _, q := range narrowed("outcome", "channel", outcomes, channels) {
			t.Run(mode+" "+q.Encode(), func(t *testing.T) {
				t.Parallel()
				d := d.in(t)
				want := projected(kept(all, func(c call) bool { return fits(q, "outcome", c.Outcome) && fits(q, "channel", c.Channel) }), callID)
				for _, limit := range []int{100, 7} {
					got := projected(walk[call](d.node, "/calls?"+q.Encode(), key, limit), callID)
					if !slices.Equal(got, want) {
						t.Errorf("in pages of %d: %d calls, want %d", limit, len(got), len(want))
					}
				}
			})
		}
	}
}

// checkNewestFirst: by id, none twice.
func checkNewestFirst(t *testing.T, ids []string) {
	t.Helper()
	for i := 1; i < len(ids); i++ {
		if ids[i] >= ids[i-1] {
			t.Fatalf("%s comes after %s", ids[i], ids[i-1])
		}
	}
}

func TestAWalkInStepsOfOne(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	all := walk[call](d.node, "/calls?outcome=over_limit", d.live, 100)
	if one := walk[call](d.node, "/calls?outcome=over_limit", d.live, 1); !reflect.DeepEqual(all, one) {
		t.Error("steps of one lead elsewhere")
	}
}

func TestACursorIsAPosition(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	all := walk[call](d.node, "/calls", d.live, 100)
	middle := all[len(all)/2]
	after := projected(all[len(all)/2+1:], callID)
	stranger := get[list[call]](d.node, "/calls?limit=1", d.test).Data[0].ID
	tests := map[string]struct {
		cursor string
		want   []string
	}{
		"the id of an item":       {middle.ID, after},
		"in upper case":           {strings.ToUpper(middle.ID), after},
		"an id that nothing has":  {middle.ID[:24] + "000000000000", after},
		"before everything":       {"ffffffff-ffff-7fff-bfff-ffffffffffff", projected(all, callID)},
		"after everything":        {"00000000-0000-7000-8000-000000000000", nil},
		"the last item":           {all[len(all)-1].ID, nil},
		"an id of the other mode": {stranger, projected(kept(all, func(c call) bool { return c.ID < stranger }), callID)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := d.in(t)
			got := projected(get[list[call]](d.node, "/calls?limit=100&starting_after="+tt.cursor, d.live).Data, callID)
			if want := tt.want[:min(100, len(tt.want))]; !slices.Equal(got, want) {
				t.Errorf("got %d calls, want %d", len(got), len(want))
			}
		})
	}
}

func TestACursorThatIsNone(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for name, cursor := range map[string]string{
		"empty":                "",
		"a word":               "next",
		"a number":             "25",
		"version 4":            "3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b",
		"another variant":      "01a1cf40-1300-7942-0d9b-256f44904ab7",
		"without hyphens":      "01a1cf4013007942bd9b256f44904ab7",
		"in braces":            "%7B01a1cf40-1300-7942-bd9b-256f44904ab7%7D",
		"with a blank":         "01a1cf40-1300-7942-bd9b-256f44904ab7%20",
		"nil":                  "00000000-0000-0000-0000-000000000000",
		"something to inject":  "%27%20OR%201=1--",
		"not UTF-8":            "%ff",
		"a very long one":      strings.Repeat("a", 5000),
		"digits of elsewhere":  "%D9%A01a1cf40-1300-7942-bd9b-256f44904ab7",
		"a line and something": "01a1cf40-1300-7942-bd9b-256f44904ab7%0A",
	} {
		for _, path := range lists {
			f := d.do("GET "+path+"?starting_after="+cursor, d.live, "").failure(t)
			want := "invalid_cursor"
			if name == "not UTF-8" {
				want = f.Code // either code says it
			}
			if f.Code != want || f.param() != "starting_after" {
				t.Errorf("%s, %s: %+v", path, name, f)
			}
		}
	}
}

// TestACallInDetail holds the detail of every call against the list, and its
// summary and transcript to the contract's shapes.
func TestACallInDetail(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	captures := map[string]capture{}
	for _, c := range walk[capture](d.node, "/captures", d.live, 100) {
		if c.Source == "call" { // the business wrote the others down itself
			captures[c.ID] = c
		}
	}
	seen := map[string]bool{}
	for _, listed := range walk[call](d.node, "/calls", d.live, 100) {
		detail := get[struct{ Call call }](d.node, "/calls/"+listed.ID, d.live).Call
		checkTranscript(t, detail)
		if listed.Transcript != nil {
			t.Errorf("%s: the list has a transcript", listed.ID)
		}
		detail.Transcript = nil
		if !reflect.DeepEqual(listed, detail) {
			t.Errorf("the list says %+v, the detail %+v", listed, detail)
		}
		for _, id := range listed.Summary["capture_ids"].([]any) {
			if _, there := captures[id.(string)]; !there || seen[id.(string)] {
				t.Errorf("%s has the capture %v, which is missing or another call's too", listed.ID, id)
			}
			seen[id.(string)] = true
		}
		if at := timeOf(t, listed.ID); !at.Equal(listed.StartedAt) {
			t.Errorf("%s was minted at %s, the call began at %s", listed.ID, at, listed.StartedAt)
		}
	}
	if len(seen) != len(captures) {
		t.Errorf("calls name %d captures, there are %d", len(seen), len(captures))
	}
}

// timeOf reads the time of a UUIDv7, to the millisecond.
func timeOf(t *testing.T, id string) time.Time {
	t.Helper()
	millis, err := strconv.ParseInt(strings.ReplaceAll(id[:13], "-", ""), 16, 64)
	must(t, err)
	return time.UnixMilli(millis).UTC()
}

var summaryFields = []string{"capture_ids", "handoff", "intent", "key_points", "text", "title", "unanswered_questions", "urgency"}

func checkTranscript(t *testing.T, c call) {
	t.Helper()
	optional := func(name string) bool { return name == "reason" || name == "notes" }
	if got := slices.DeleteFunc(slices.Sorted(maps.Keys(c.Summary)), optional); !slices.Equal(got, summaryFields) {
		t.Errorf("%s: the summary has %v", c.ID, got)
	}
	if c.Language != "es" && c.Language != "en" {
		t.Errorf("%s: the language is %s", c.ID, c.Language)
	}
	turns := c.Transcript["turns"].([]any)
	last := 0.0
	for i, turn := range turns {
		v := turn.(map[string]any)
		if v["index"] != float64(i) || !slices.Contains([]any{"agent", "caller", "tool"}, v["role"]) {
			t.Errorf("%s: turn %d is %v", c.ID, i, v)
		}
		begin, end := v["start_ms"].(float64), v["end_ms"].(float64)
		if begin < last || end < begin || end > float64(c.DurationSeconds+1)*1000 {
			t.Errorf("%s: turn %d lasts from %v to %v, the one before began at %v, the call took %d s", c.ID, i, begin, end, last, c.DurationSeconds)
		}
		last = begin
	}
}

func TestTheDemoIsWorthLookingAt(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	calls := walk[call](d.node, "/calls", d.live, 100)
	if len(calls) < 400 {
		t.Errorf("there are %d live calls, want at least 400", len(calls))
	}
	count := map[string]int{}
	for _, c := range calls {
		for _, value := range []string{c.Outcome, c.Channel, c.Language} {
			count[value]++
		}
	}
	for _, c := range walk[capture](d.node, "/captures", d.live, 100) {
		count[c.Kind]++
		count[c.Status]++
	}
	for _, value := range slices.Concat(outcomes, channels, []string{"es", "en"}, statuses, []string{"appointment", "lead", "order", "callback"}) {
		if count[value] == 0 {
			t.Errorf("nothing in the demo is %s", value)
		}
	}
	now, err := time.Parse(time.RFC3339, noon)
	must(t, err)
	oldest, newest := calls[len(calls)-1].StartedAt, calls[0].StartedAt
	if newest.After(now.Add(time.Minute)) || now.Sub(oldest) < 80*24*time.Hour || now.Sub(oldest) > 91*24*time.Hour {
		t.Errorf("the calls reach from %s to %s", oldest, newest)
	}
	if test := walk[call](d.node, "/calls", d.test, 100); len(test) == 0 || test[0].ID == calls[0].ID {
		t.Error("test mode has no calls of its own")
	}
}

func TestThingsThatDoNotExist(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for name, id := range map[string]string{
		"another UUID":         "3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b",
		"a UUIDv7":             "01a1cf40-1300-7942-bd9b-256f44904ab7",
		"no UUID":              "42",
		"a word with a blank":  "%20",
		"a slash, encoded":     "a%2Fb",
		"NUL":                  "%00",
		"not UTF-8":            "%ff",
		"two dots, encoded":    "%2e%2e",
		"something to inject":  "%27%3BDROP%20TABLE%20calls--",
		"a thousand letters":   strings.Repeat("x", 1000),
		"a capture for a call": get[list[capture]](d.node, "/captures?limit=1", d.live).Data[0].ID,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := d.in(t)
			paths := []string{"/calls/"}
			if name != "a capture for a call" {
				paths = append(paths, "/captures/")
			}
			for _, path := range paths {
				f := d.do("GET "+path+id, d.live, "").refuses(t, http.StatusNotFound, "not_found")
				if f.Param != nil {
					t.Errorf("param is %s", *f.Param)
				}
			}
		})
	}
	upper := strings.ToUpper(get[list[call]](d.node, "/calls?limit=1", d.live).Data[0].ID)
	if got := d.do("GET /calls/"+upper, d.live, ""); got.status != http.StatusOK {
		t.Errorf("a UUID in upper case: %s", got)
	}
}
