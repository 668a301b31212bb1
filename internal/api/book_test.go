package api

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception/receptiontest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// hairdresser is a book with a lunch break, the holidays of Madrid and two
// people, of whom Luis does not come on Tuesdays.
const hairdresser = `{
	"openings": {
		"1": [["10:00","14:00"],["17:00","20:30"]], "2": [["10:00","14:00"],["17:00","20:30"]],
		"3": [["10:00","14:00"],["17:00","20:30"]], "4": [["10:00","14:00"],["17:00","20:30"]], "5": [["10:00","14:00"]]
	},
	"exceptions": [{"from": "2026-12-24", "to": "2026-12-25", "openings": [["10:00","13:30"]], "reason": "Nochebuena"}],
	"resources": [
		{"id": "ana", "name": "Ana", "kind": "person", "services": null, "openings": null, "exceptions": []},
		{"id": "luis", "name": "Luis", "kind": "person", "services": ["corte"], "openings": {
			"2": [["10:00","20:30"]], "3": [["10:00","20:30"]], "4": [["10:00","20:30"]], "5": [["10:00","14:00"]]
		}, "exceptions": [{"from": "2026-11-26", "to": "2026-11-27", "openings": []}]}
	],
	"closures": [
		{"from": "2026-12-01T12:00:00", "to": "2026-12-01T18:00:00", "reason": "Obras"},
		{"from": "2026-12-02T10:00:00", "to": "2026-12-02T11:00:00", "resource_id": "ana"}
	],
	"holidays": "ES-MD", "slot_minutes": 30, "notice_minutes": 60, "horizon_days": 730,
	"capacity": null, "service_capacity": {}, "max_party": null, "per_customer_open": 2
}`

// salon is a house whose first tenant keeps the book of a hairdresser.
func salon(t *testing.T) *house {
	t.Helper()
	h := newHouse(t, unhurried).start()
	read[any](h, "PATCH /agents/desk", h.a.live, `{"services":[{"id":"corte","name":"Corte","duration_minutes":30},{"id":"tinte","name":"Tinte","duration_minutes":120}]}`)
	read[any](h, "PUT /agents/desk/calendar", h.a.live, hairdresser)
	return h
}

func TestABookComesBackAsItWasPut(t *testing.T) {
	t.Parallel()
	h := salon(t)
	var want map[string]any
	must(t, json.Unmarshal([]byte(hairdresser), &want))
	got := h.do("GET /agents/desk/calendar", h.a.live, "")
	if !reflect.DeepEqual(got.json(t), want) {
		t.Errorf("got %s", got.body)
	}
	// Who sends back what they have read changes nothing.
	history := h.do("GET /agents/desk/history", h.a.live, "").body
	again := h.do("PUT /agents/desk/calendar", h.a.live, got.body, "If-Match", got.header.Get("ETag"))
	if again.status != 200 || again.body != got.body || again.header.Get("ETag") != got.header.Get("ETag") {
		t.Errorf("sent back: %s", again)
	}
	if now := h.do("GET /agents/desk/history", h.a.live, "").body; now != history {
		t.Errorf("what changed nothing has a history: %s", now)
	}
	// No notice at all is not the default.
	if none := h.do("PUT /agents/desk/calendar", h.a.live, `{"notice_minutes":0}`).json(t); none["notice_minutes"] != 0.0 {
		t.Errorf("a notice of 0 is %v", none["notice_minutes"])
	}
	if none := h.do("GET /agents/desk/calendar", h.a.live, "").json(t); none["notice_minutes"] != 0.0 {
		t.Errorf("a notice of 0 is read as %v", none["notice_minutes"])
	}
	// What is left out has its default again.
	empty := h.do("PUT /agents/desk/calendar", h.a.live, `{}`).json(t)
	for name, value := range map[string]any{"notice_minutes": 15.0, "horizon_days": 180.0, "per_customer_open": 3.0, "capacity": nil, "holidays": nil, "resources": []any{}} {
		if !reflect.DeepEqual(empty[name], value) {
			t.Errorf("%s is %v, want %v", name, empty[name], value)
		}
	}
}

func TestBooksThatAreRefused(t *testing.T) {
	t.Parallel()
	h := salon(t)
	before := h.do("GET /agents/desk/calendar", h.a.live, "").body
	for name, s := range map[string]scenario{
		"openings that overlap":          {body: `{"openings":{"0":[["10:00","14:00"],["13:30","20:00"]]}}`, param: "openings.0[1]"},
		"openings in another order":      {body: `{"openings":{"0":[["17:00","20:00"],["10:00","14:00"]]}}`, param: "openings.0[1]"},
		"a day that begins at its end":   {body: `{"openings":{"0":[["24:00","02:00"]]}}`, param: "openings.0[0][0]"},
		"a minute that there is not":     {body: `{"openings":{"0":[["10:60","12:00"]]}}`, param: "openings.0[0][0]"},
		"a date that there is not":       {body: `{"exceptions":[{"from":"2026-02-30","to":"2026-03-02"}]}`, param: "exceptions[0].from"},
		"an exception of no day":         {body: `{"exceptions":[{"from":"2026-12-25","to":"2026-12-25"}]}`, param: "exceptions[0].to"},
		"a region that nobody knows":     {body: `{"holidays":"ES-XX"}`, param: "holidays"},
		"a service that there is not":    {body: `{"resources":[{"id":"a","name":"A","services":["afeitado"]}]}`, param: "resources[0].services[0]"},
		"two of the same id":             {body: `{"resources":[{"id":"a","name":"A"},{"id":"a","name":"B"}]}`, param: "resources[1].id"},
		"a name with a NUL":              {body: `{"resources":[{"id":"a","name":"A\u0000"}]}`, param: "resources[0].name"},
		"a closure of nobody":            {body: `{"closures":[{"from":"2026-12-01T15:00:00","to":"2026-12-01T16:00:00","resource_id":"eva"}]}`, param: "closures[0].resource_id"},
		"a closure that the clock skips": {body: `{"closures":[{"from":"2027-03-28T02:30:00","to":"2027-03-28T04:00:00"}]}`, param: "closures[0].from"},
		"a horizon under the notice":     {body: `{"notice_minutes":2880,"horizon_days":1}`, param: "horizon_days"},
		"half a minute":                  {body: `{"slot_minutes":7.5}`, param: "slot_minutes"},
		"a whole number in another form": {body: `{"slot_minutes":30.0}`, param: "slot_minutes"},
	} {
		s.do, s.key, s.want, s.code = "PUT /agents/desk/calendar", "a.live", 400, "parameter_invalid"
		t.Run(name, func(t *testing.T) { h.play(t, s) })
	}
	if after := h.do("GET /agents/desk/calendar", h.a.live, "").body; after != before {
		t.Errorf("something was written: %s", after)
	}
}

// TestHoursShowTheHull: hours are whole, and who reads them, changes Saturday and
// sends all of them keeps the lunch breaks of the other days.
func TestHoursShowTheHull(t *testing.T) {
	t.Parallel()
	h := salon(t)
	h.play(t, scenario{do: "GET /agents/desk", key: "a.live", want: 200, has: []string{`"hours":{"1":[10,21],"2":[10,21],"3":[10,21],"4":[10,21],"5":[10,14]}`}})
	h.play(t, scenario{
		do: "PATCH /agents/desk", key: "a.live", body: `{"hours":{"1":[10,21],"2":[10,21],"3":[10,21],"4":[10,21],"5":[9,15]}}`, want: 200,
		has: []string{`"hours":{"1":[10,21],"2":[10,21],"3":[10,21],"4":[10,21],"5":[9,15]}`},
	})
	split := `[["10:00","14:00"],["17:00","20:30"]]`
	h.play(t, scenario{
		do: "GET /agents/desk/calendar", key: "a.live", want: 200,
		has: []string{`"openings":{"1":` + split + `,"2":` + split + `,"3":` + split + `,"4":` + split + `,"5":[["09:00","15:00"]]}`, `"reason":"Nochebuena"`, `"id":"luis"`},
	})
}

func TestVersionsOfAnAgent(t *testing.T) {
	t.Parallel()
	h := salon(t)
	tag := func(r reply) string { return r.header.Get("ETag") }
	first := tag(h.do("GET /agents/desk", h.a.live, ""))
	h.clock.Forward(10 * time.Hour) // it closes
	if now := tag(h.do("GET /agents/desk", h.a.test, "")); now != first || first == "" {
		t.Errorf("the version is %s, then %s", first, now)
	}
	second := tag(h.do("PATCH /agents/desk", h.a.live, `{"policy":"one"}`, "If-Match", first))
	if second == first || second != tag(h.do("GET /agents/desk/calendar", h.a.live, "")) {
		t.Errorf("after a change the version is %s, before %s", second, first)
	}
	before := h.do("GET /agents/desk", h.a.live, "").body
	for operation, body := range map[string]string{
		"PATCH /agents/desk": `{"policy":"two"}`, "PATCH /agents/desk?dry_run=true": `{"policy":"two"}`, "PUT /agents/desk/calendar": `{}`,
		"POST /agents/desk/history/" + string(h.a.revision) + "/restore": "",
	} {
		h.do(operation, h.a.live, body, "If-Match", first).envelope(t, 412, "version_mismatch")
	}
	if after := h.do("GET /agents/desk", h.a.live, "").body; after != before {
		t.Errorf("something was changed: %s", after)
	}
	for name, match := range map[string]string{
		"the version": second, "any": "*", "one of two": first + ", " + second, "made weak by a proxy": "W/" + second, "nothing": "",
	} {
		if got := h.do("PATCH /agents/desk", h.a.live, `{"policy":"one"}`, "If-Match", match); got.status != 200 || tag(got) != second {
			t.Errorf("%s: %s %s", name, tag(got), got)
		}
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	t.Parallel()
	h := salon(t)
	seen := func() string {
		return fmt.Sprint(h.do("GET /agents/desk", h.a.live, "").body, h.do("GET /agents/desk/history", h.a.live, "").body)
	}
	before := seen()
	h.play(t, scenario{
		do: "PATCH /agents/desk?dry_run=true", key: "a.live", body: `{"business":{"phone":"+34 600 000 009"},"hours":{"5":[10,14]}}`, want: 200,
		has: []string{
			`{"path":"config.business.phone","from":"+34 600 000 001","to":"+34 600 000 009"}`, `"path":"calendar.openings.1"`,
			`"path":"config.hours"`, `"phone":"+34 600 000 009"`,
		},
	})
	h.play(t, scenario{do: "PATCH /agents/desk?dry_run=true", key: "a.live", body: `{}`, want: 200, has: []string{`"changes":[]`}})
	h.play(t, scenario{do: "PATCH /agents/desk?dry_run=true", key: "a.live", body: `{"slug":"x"}`, want: 403, code: "protected_field", param: "slug"})
	h.play(t, scenario{do: "PATCH /agents/desk?dry_run=true", key: "a.live", body: `{"hours":{"0":[9,25]}}`, want: 400, code: "parameter_invalid", param: "hours.0[1]"})
	if after := seen(); after != before {
		t.Errorf("something was written: %s", after)
	}
	h.play(t, scenario{do: "PATCH /agents/desk?dry_run=false", key: "a.live", body: `{"policy":"written"}`, want: 200, has: []string{`"policy":"written"`}, hasNot: []string{`"changes"`}})
}

func TestHistoryAndRestore(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	type version struct {
		Revision  frontdesk.ID
		ChangedBy struct{ Kind, Name string } `json:"changed_by"`
		Fields    []string
	}
	list := func(query string) []version {
		return read[struct{ Data []version }](h, "GET /agents/desk/history"+query, h.a.live, "").Data
	}
	for _, body := range []string{`{"policy":"one"}`, `{"policy":"two","specials":"x"}`, `{"policy":"two"}`} {
		h.clock.Forward(time.Second)
		read[any](h, "PATCH /agents/desk", h.a.live, body)
	}
	h.clock.Forward(time.Second)
	read[any](h, "PUT /agents/desk/calendar", h.a.live, `{"slot_minutes":20}`)
	all := list("")
	if len(all) != 5 { // with the version before the first change, and that of the house's telephone
		t.Fatalf("%d versions: %+v", len(all), all)
	}
	if got := fmt.Sprint(all[0].Fields, all[1].Fields, all[2].Fields); all[0].ChangedBy.Kind != "key" || got != "[calendar.slot_minutes] [config.policy config.specials] [config.policy]" {
		t.Errorf("the history is %s", got)
	}
	if page := list("?limit=2&starting_after=" + string(all[0].Revision)); len(page) != 2 || page[0].Revision != all[1].Revision {
		t.Errorf("a page is %+v", page)
	}
	at := "/agents/desk/history/" + string(all[2].Revision)
	h.play(t, scenario{do: "GET " + at, key: "a.test", want: 200, has: []string{`"policy":"one"`, `"slot_minutes":null`, `"rules":[]`}, hasNot: []string{`"specials"`}})
	h.clock.Forward(time.Second)
	restored := h.do("POST "+at+"/restore", h.a.live, "", "Idempotency-Key", "r")
	if restored.status != 200 || !strings.Contains(restored.body, `"policy":"one"`) || strings.Contains(restored.body, `"specials"`) {
		t.Errorf("restored: %s", restored)
	}
	h.play(t, scenario{do: "GET /agents/desk/calendar", key: "a.live", want: 200, has: []string{`"slot_minutes":null`}})
	now := list("")
	if len(now) != 6 || `"`+string(now[0].Revision)+`"` != restored.header.Get("ETag") {
		t.Errorf("after it the history is %+v", now)
	}
	if again := h.do("POST "+at+"/restore", h.a.live, "", "Idempotency-Key", "r"); !replayed(again) || again.header.Get("ETag") != restored.header.Get("ETag") || len(list("")) != 6 {
		t.Errorf("sent again: %s", again)
	}
	h.play(t, scenario{do: "POST " + at + "/restore", key: "a.test", want: 403, code: "live_key_required"})
}

// bookDay is a day of availability, in short: its slots as "10:00 ana luis".
type bookDay struct {
	Date, Reason string
	Open         [][]string
	Slots        []struct {
		ScheduledAt string    `json:"scheduled_at"`
		StartsAt    time.Time `json:"starts_at"`
		ResourceIDs []string  `json:"resource_ids"`
	}
}

func (d bookDay) clocks() (all []string) {
	for _, s := range d.Slots {
		all = append(all, s.ScheduledAt[len("2026-11-17T"):len("2026-11-17T10:00")])
	}
	return all
}

func (h *house) available(query string) []bookDay {
	h.t.Helper()
	return read[struct{ Days []bookDay }](h, "GET /agents/desk/availability?"+query, h.a.live, "").Days
}

func TestAvailability(t *testing.T) {
	t.Parallel()
	h := salon(t)
	for name, tt := range map[string]struct {
		query  string
		open   string
		first  string
		last   string
		has    []string
		hasNot []string
		with   string // at the first slot
		reason string
	}{
		"a Wednesday, on both sides of the lunch break": {
			query: "from=2026-11-18&to=2026-11-19&service_id=corte", open: "[[10:00 14:00] [17:00 20:30]]", first: "10:00", last: "20:00",
			has: []string{"13:30", "17:00", "20:00"}, hasNot: []string{"09:30", "14:00", "16:30", "20:30"}, with: "[ana luis]",
		},
		"what takes two hours ends before the break": {
			query: "from=2026-11-18&to=2026-11-19&service_id=tinte", open: "[[10:00 14:00] [17:00 20:30]]", first: "10:00", last: "18:30",
			has: []string{"12:00", "17:00"}, hasNot: []string{"12:30", "13:30", "16:30", "19:00"}, with: "[ana]",
		},
		"a free day of Luis":         {query: "from=2026-11-17&to=2026-11-18&service_id=corte", open: "[[10:00 14:00] [17:00 20:30]]", first: "10:00", last: "20:00", with: "[ana]"},
		"Luis on his free day":       {query: "from=2026-11-17&to=2026-11-18&service_id=corte&resource_id=luis", open: "[[10:00 14:00] [17:00 20:30]]"},
		"Luis on a day off":          {query: "from=2026-11-26&to=2026-11-27&service_id=corte&resource_id=luis", open: "[[10:00 14:00] [17:00 20:30]]"},
		"Luis on the day after":      {query: "from=2026-11-27&to=2026-11-28&service_id=corte&resource_id=luis", open: "[[10:00 14:00] [17:00 20:30]]", first: "10:00", last: "20:00", hasNot: []string{"14:00", "16:30"}, with: "[luis]"},
		"Luis does not dye":          {query: "from=2026-11-18&to=2026-11-19&service_id=tinte&resource_id=luis", open: "[[10:00 14:00] [17:00 20:30]]"},
		"a Monday":                   {query: "from=2026-11-16&to=2026-11-17", open: "[]"},
		"Christmas Eve":              {query: "from=2026-12-24&to=2026-12-25&service_id=corte", open: "[[10:00 13:30]]", first: "10:00", last: "13:00", with: "[ana luis]", reason: "Nochebuena"},
		"Christmas Day":              {query: "from=2026-12-25&to=2026-12-26&service_id=corte", open: "[]", reason: "Navidad"},
		"works in the house":         {query: "from=2026-12-01&to=2026-12-02&service_id=corte", open: "[[10:00 12:00] [18:00 20:30]]", first: "10:00", last: "20:00", has: []string{"11:30", "18:00"}, hasNot: []string{"12:00", "17:30"}, with: "[ana]"},
		"Ana is away for an hour":    {query: "from=2026-12-02&to=2026-12-03&service_id=corte", open: "[[10:00 14:00] [17:00 20:30]]", first: "10:00", last: "20:00", with: "[luis]"},
		"today, an hour from now on": {query: "from=2026-11-11&to=2026-11-12&service_id=corte", open: "[[10:00 14:00] [17:00 20:30]]", first: "17:00", last: "20:00", with: "[ana luis]"},
		"beyond the horizon":         {query: "from=2029-11-14&to=2029-11-15&service_id=corte", open: "[[10:00 14:00] [17:00 20:30]]"},
		"a party that never fits":    {query: "from=2026-11-18&to=2026-11-19&party_size=6", open: "[[10:00 14:00] [17:00 20:30]]"},
		"a service of nobody's, Ana": {query: "from=2026-11-18&to=2026-11-19&resource_id=ana", open: "[[10:00 14:00] [17:00 20:30]]", first: "10:00", last: "19:30", with: "[ana]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			days := h.available(tt.query)
			if len(days) != 1 || fmt.Sprint(days[0].Open) != tt.open || days[0].Reason != tt.reason {
				t.Fatalf("got %+v", days)
			}
			clocks := days[0].clocks()
			if len(clocks) == 0 {
				clocks = []string{""}
			} else if with := fmt.Sprint(days[0].Slots[0].ResourceIDs); with != tt.with {
				t.Errorf("the first can be had with %s, want %s", with, tt.with)
			}
			if clocks[0] != tt.first || clocks[len(clocks)-1] != tt.last {
				t.Errorf("the slots are %v, want %s to %s", clocks, tt.first, tt.last)
			}
			for _, c := range tt.has {
				if !slices.Contains(clocks, c) {
					t.Errorf("%s is not among %v", c, clocks)
				}
			}
			for _, c := range tt.hasNot {
				if slices.Contains(clocks, c) {
					t.Errorf("%s is among %v", c, clocks)
				}
			}
		})
	}
	for name, s := range map[string]scenario{
		"no end":                      {do: "?from=2026-11-16", code: "parameter_missing", param: "to"},
		"no beginning":                {do: "?to=2026-11-16", code: "parameter_missing", param: "from"},
		"no day":                      {do: "?from=2026-11-16&to=2026-11-16", code: "parameter_invalid", param: "to"},
		"32 days":                     {do: "?from=2026-11-01&to=2026-12-03", code: "parameter_invalid", param: "to"},
		"a date that there is not":    {do: "?from=2026-02-30&to=2026-03-02", code: "parameter_invalid", param: "from"},
		"a service that there is not": {do: "?from=2026-11-16&to=2026-11-17&service_id=afeitado", code: "parameter_invalid", param: "service_id"},
		"nobody that there is":        {do: "?from=2026-11-16&to=2026-11-17&resource_id=eva", code: "parameter_invalid", param: "resource_id"},
	} {
		s.do, s.key, s.want = "GET /agents/desk/availability"+s.do, "a.live", 400
		t.Run(name, func(t *testing.T) { t.Parallel(); h.play(t, s) })
	}
}

func TestAvailabilityOf31Days(t *testing.T) {
	t.Parallel()
	h := salon(t)
	if days := h.available("from=2026-11-16&to=2026-12-17"); len(days) != 31 || days[0].Date != "2026-11-16" || days[30].Date != "2026-12-16" {
		t.Errorf("got %d days", len(days))
	}
}

// TestNightsOnWhichTheClocksChange: a slot after midnight stands under the day on
// which the house opened, half past two is missing in spring, and once there in
// autumn, the first of two.
func TestNightsOnWhichTheClocksChange(t *testing.T) {
	t.Parallel()
	h := salon(t)
	read[any](h, "PUT /agents/desk/calendar", h.a.live, `{"openings":{"5":[["22:00","06:00"]]},"horizon_days":730,"slot_minutes":30,"capacity":100}`)
	spring := h.available("from=2027-03-27&to=2027-03-28&service_id=corte")[0]
	if clocks := spring.clocks(); slices.Contains(clocks, "02:00") || slices.Contains(clocks, "02:30") || !slices.Contains(clocks, "01:30") || !slices.Contains(clocks, "03:00") {
		t.Errorf("in spring there are %v", clocks)
	}
	autumn := h.available("from=2027-10-30&to=2027-10-31&service_id=corte")[0]
	at := slices.Index(autumn.clocks(), "02:30")
	if at < 0 || slices.Contains(autumn.clocks()[at+1:], "02:30") || !autumn.Slots[at].StartsAt.Equal(time.Date(2027, 10, 31, 0, 30, 0, 0, time.UTC)) {
		t.Errorf("in autumn there are %+v", autumn.Slots)
	}
	h.play(t, scenario{do: "POST /captures", key: "a.live", body: `{"agent":"desk","scheduled_at":"2027-03-28T02:30:00","force":true}`, want: 400, code: "parameter_invalid", param: "scheduled_at"})
	h.play(t, scenario{do: "POST /captures/{capture}/change", key: "a.live", body: `{"scheduled_at":"2027-03-28T02:30:00"}`, want: 400, code: "parameter_invalid", param: "scheduled_at"})
	h.play(t, scenario{do: "POST /captures", key: "a.live", body: `{"agent":"desk","scheduled_at":"2027-10-31T02:30:00","service_id":"corte"}`, want: 201, has: []string{`"starts_at":"2027-10-31T00:30:00.000Z"`}})
	// The agenda has it under the day on which the house opened, too.
	h.play(t, scenario{do: "GET /agents/desk/agenda?from=2027-10-30&to=2027-10-31", key: "a.live", want: 200, has: []string{`"date":"2027-10-30","open":[["22:00","06:00"]],"captures":[{"id":`}})
	h.play(t, scenario{do: "GET /agents/desk/agenda?from=2027-10-31&to=2027-11-01", key: "a.live", want: 200, has: []string{`"captures":[]`}})
}

// Times of outside calendars stand beside who comes, and take places away.
func TestTheAgendaShowsOutsideCalendars(t *testing.T) {
	t.Parallel()
	h := salon(t)
	owner := frontdesk.Owner{TenantID: h.a.ID, Live: true}
	agent, err := h.store.AgentBySlug(t.Context(), owner, "desk")
	if err != nil {
		t.Fatal(err)
	}
	from := time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)
	c := frontdesk.OutsideCalendar{ID: frontdesk.NewID(from), AgentID: agent.ID, Kind: frontdesk.OutsideICS, Host: "calendar.example.com", URL: []byte("sealed"), OKAt: from, ReadAt: from, CreatedAt: from}
	busy := []frontdesk.Span{{From: from, To: from.Add(time.Hour)}, {From: from.Add(14 * time.Hour), To: from.Add(16 * time.Hour)}}
	if err := h.store.AddOutsideCalendar(t.Context(), owner, frontdesk.Actor{}, c, busy, nil, ""); err != nil {
		t.Fatal(err)
	}
	h.play(t, scenario{do: "GET /agents/desk/agenda?from=2026-11-18&to=2026-11-20", key: "a.live", want: 200, has: []string{
		`"busy":[{"starts_at":"2026-11-18T09:00:00.000Z","ends_at":"2026-11-18T10:00:00.000Z","resource_id":null}`,
		`"captures":[],"busy":[{"starts_at":"2026-11-18T23:00:00.000Z","ends_at":"2026-11-19T01:00:00.000Z","resource_id":null}]`,
	}})
	h.play(t, scenario{do: "GET /agents/desk/agenda?from=2026-11-18&to=2026-11-20", key: "a.test", want: 200, has: []string{`"busy":[]`}, hasNot: []string{`"busy":[{`}})
	h.play(t, scenario{do: "POST /captures", key: "a.live", body: `{"agent":"desk","scheduled_at":"2026-11-18T10:00:00"}`, want: 409, code: "slot_unavailable", param: "scheduled_at"})
}

// A place that is kept for somebody on the waiting list is seen, and who it is
// kept for.
func TestTheAgendaShowsKeptPlaces(t *testing.T) {
	t.Parallel()
	h := salon(t)
	waiting, _ := h.write(`{"agent":"desk","kind":"waiting","scheduled_at":"2026-11-18T00:00:00","service_id":"corte","customer_name":"Eva"}`)
	until := time.Date(2026, 11, 11, 13, 0, 0, 0, time.UTC)
	hold := frontdesk.Hold{
		CallID: waiting.ID, AgentID: h.a.agent.ID, ScheduledAt: "2026-11-18T10:30:00", Visit: frontdesk.Visit{ServiceID: "corte", Minutes: 30, ResourceID: "luis"}, Until: until,
	}
	owner := frontdesk.Owner{TenantID: h.a.ID, Live: true}
	look := store.Look{AgentID: h.a.agent.ID, From: "2026-11-18T00:00:00", To: "2026-11-19T00:00:00", Now: until.Add(-time.Hour)}
	if err := h.store.HoldPlace(t.Context(), owner, hold, look, func(*frontdesk.Visit, []frontdesk.Busy) error { return nil }); err != nil {
		t.Fatal(err)
	}
	h.play(t, scenario{do: "GET /agents/desk/agenda?from=2026-11-17&to=2026-11-20", key: "a.live", want: 200, has: []string{
		`"captures":[],"busy":[],"kept":[{"capture_id":"` + string(waiting.ID) + `","scheduled_at":"2026-11-18T10:30:00","starts_at":"2026-11-18T09:30:00.000Z",` +
			`"ends_at":"2026-11-18T10:00:00.000Z","resource_id":"luis","kept_until":"2026-11-11T13:00:00.000Z"}]`, `"kept":[]`,
	}})
	h.play(t, scenario{do: "GET /agents/desk/agenda?from=2026-11-18&to=2026-11-20", key: "a.test", want: 200, hasNot: []string{`"kept":[{`}})
}

type shownCapture struct {
	ID               frontdesk.ID
	Kind, Status     string
	Source, Service  string
	ServiceID        string  `json:"service_id"`
	ScheduledAt      *string `json:"scheduled_at"`
	Duration         *int    `json:"duration_minutes"`
	ResourceID       *string `json:"resource_id"`
	Resource         string
	Notes            string
	ConfirmationCode string `json:"confirmation_code"`
	UpdatedAt        string `json:"updated_at"`
}

func (h *house) write(body string, headers ...string) (shownCapture, reply) {
	h.t.Helper()
	got := h.do("POST /captures", h.a.live, body, headers...)
	if got.status != 201 {
		h.t.Fatalf("%s: %s", body, got)
	}
	return readJSON[struct{ Capture shownCapture }](h.t, got).Capture, got
}

func TestWritingCaptures(t *testing.T) {
	t.Parallel()
	h := salon(t)
	c, got := h.write(`{"agent":"desk","scheduled_at":"2026-11-18T10:00:00","service":"corte","customer_name":"Eva","customer_phone":"600 000 003"}`)
	if c.Kind != "appointment" || c.Status != "confirmed" || c.Source != "api" || c.ServiceID != "corte" || *c.Duration != 30 || c.ResourceID == nil || len(c.ConfirmationCode) != 6 {
		t.Errorf("the defaults are %s", got)
	}
	if got.header.Get("ETag") != `"`+c.UpdatedAt+`"` {
		t.Errorf("its version is %s", got.header.Get("ETag"))
	}
	lead, _ := h.write(`{"agent_id":"` + strings.ToUpper(string(h.a.agent.ID)) + `","customer_name":"Sam"}`)
	if lead.Kind != "lead" || lead.Status != "confirmed" || lead.ScheduledAt != nil || lead.ResourceID != nil {
		t.Errorf("without a time it is %+v", lead)
	}
	for name, tt := range map[string]struct{ query, id string }{
		"by its agent":     {"agent_id=" + string(h.a.agent.ID) + "&kind=lead", string(lead.ID)},
		"by its day":       {"scheduled_from=2026-11-18&scheduled_to=2026-11-19", string(c.ID)},
		"from its time on": {"scheduled_from=2026-11-18T10:00:00&scheduled_to=2026-11-18T10:00:01", string(c.ID)},
		"by its phone":     {"phone=%2B34600000003", string(c.ID)},
	} {
		if list := read[struct{ Data []shownCapture }](h, "GET /captures?"+tt.query, h.a.live, "").Data; len(list) != 1 || string(list[0].ID) != tt.id {
			t.Errorf("%s: %+v", name, list)
		}
	}
	for name, query := range map[string]string{
		"up to its time": "scheduled_from=2026-11-18&scheduled_to=2026-11-18T10:00:00", "of another phone": "phone=600000004",
		"later than now": "updated_from=2026-11-11T12:00:01Z", "after its day": "scheduled_from=2026-11-19",
	} {
		if list := read[struct{ Data []shownCapture }](h, "GET /captures?"+query, h.a.live, "").Data; len(list) != 0 {
			t.Errorf("%s: %+v", name, list)
		}
	}
	agenda := h.do("GET /agents/desk/agenda?from=2026-11-18&to=2026-11-19", h.a.live, "").body
	if !strings.Contains(agenda, string(c.ID)) || strings.Contains(agenda, string(lead.ID)) {
		t.Errorf("the agenda is %s", agenda)
	}
}

func TestPlacesThatCannotBeHad(t *testing.T) {
	t.Parallel()
	h := salon(t)
	const ten = `"agent":"desk","service_id":"corte","scheduled_at":"2026-11-18T10:00:00"`
	first, _ := h.write(`{` + ten + `,"resource_id":"luis"}`)
	if with := h.available("from=2026-11-18&to=2026-11-19&service_id=corte")[0].Slots[0].ResourceIDs; fmt.Sprint(with) != "[ana]" {
		t.Errorf("while %s is with Luis, it can be had with %v", first.ID, with)
	}
	h.play(t, scenario{do: "POST /captures", key: "a.live", body: `{` + ten + `,"resource_id":"luis"}`, want: 409, code: "slot_unavailable", param: "scheduled_at", has: []string{`"type":"conflict_error"`, "That place is taken.", "2026-11-18T10:30:00"}})
	second, _ := h.write(`{` + ten + `}`)
	if second.Resource != "Ana" {
		t.Errorf("the second is with %q", second.Resource)
	}
	for name, s := range map[string]scenario{
		"both are taken":           {body: `{` + ten + `}`, want: 409, code: "slot_unavailable", param: "scheduled_at", has: []string{"Free nearest: 2026-11-18T10:30:00"}},
		"in the lunch break":       {body: `{"agent":"desk","scheduled_at":"2026-11-18T14:00:00"}`, want: 409, code: "slot_unavailable", param: "scheduled_at", has: []string{"closed"}},
		"it would end in it":       {body: `{"agent":"desk","service_id":"corte","scheduled_at":"2026-11-18T13:45:00"}`, want: 409, code: "slot_unavailable", param: "scheduled_at", has: []string{"2026-11-18T13:30:00"}},
		"on Christmas Day":         {body: `{"agent":"desk","scheduled_at":"2026-12-25T11:00:00"}`, want: 409, code: "slot_unavailable", param: "scheduled_at", has: []string{"2026-12-24T"}},
		"yesterday":                {body: `{"agent":"desk","scheduled_at":"2026-11-10T11:00:00"}`, want: 409, code: "slot_unavailable", param: "scheduled_at", has: []string{"passed"}},
		"Luis on his free day":     {body: `{"agent":"desk","service_id":"corte","resource_id":"luis","scheduled_at":"2026-11-17T11:00:00"}`, want: 409, code: "slot_unavailable", param: "scheduled_at", has: []string{"Nobody who can do it is there", "2026-11-18T11:00:00"}},
		"with force":               {body: `{` + ten + `,"force":true}`, want: 201},
		"what takes no place":      {body: `{"agent":"desk","kind":"callback","scheduled_at":"2026-12-25T11:00:00"}`, want: 201},
		"what is cancelled":        {body: `{` + ten + `,"status":"cancelled"}`, want: 201},
		"no agent":                 {body: `{"scheduled_at":"2026-11-18T10:00:00"}`, want: 400, code: "parameter_missing", param: "agent"},
		"an agent twice":           {body: `{"agent":"desk","agent_id":"` + string(h.a.agent.ID) + `"}`, want: 400, code: "parameter_invalid", param: "agent_id"},
		"an agent that is none":    {body: `{"agent":"ghost"}`, want: 404, code: "not_found", param: "agent"},
		"an id of no agent":        {body: `{"agent_id":"` + string(h.b.agent.ID) + `"}`, want: 404, code: "not_found", param: "agent_id"},
		"an id that is none":       {body: `{"agent_id":"desk"}`, want: 400, code: "parameter_invalid", param: "agent_id"},
		"an unknown service":       {body: `{"agent":"desk","service_id":"afeitado"}`, want: 400, code: "parameter_invalid", param: "service_id", has: []string{"corte, tinte"}},
		"nobody that there is":     {body: `{"agent":"desk","resource_id":"eva"}`, want: 400, code: "parameter_invalid", param: "resource_id"},
		"a time with an offset":    {body: `{"agent":"desk","scheduled_at":"2026-11-18T10:00:00Z"}`, want: 400, code: "parameter_invalid", param: "scheduled_at"},
		"a NUL":                    {body: `{"agent":"desk","notes":"\u0000"}`, want: 400, code: "parameter_invalid", param: "notes"},
		"null in a new one":        {body: `{"agent":"desk","notes":null}`, want: 400, code: "parameter_invalid", param: "notes"},
		"a number in another form": {body: `{"agent":"desk","party_size":2.0}`, want: 400, code: "parameter_invalid", param: "party_size"},
	} {
		s.do, s.key = "POST /captures", "a.live"
		t.Run(name, func(t *testing.T) { h.play(t, s) })
	}
	h.play(t, scenario{do: "POST /captures", key: "a.test", body: `{` + ten + `}`, want: 403, code: "live_key_required"})
}

// TestACaptureIsWrittenOnce: an answer comes again with its version, also one
// that says no.
func TestACaptureIsWrittenOnce(t *testing.T) {
	t.Parallel()
	h := salon(t)
	const body = `{"agent":"desk","service_id":"tinte","scheduled_at":"2026-11-18T10:00:00"}`
	_, first := h.write(body, "Idempotency-Key", "k")
	_, again := h.write(body, "Idempotency-Key", "k")
	if !replayed(again) || again.body != first.body || again.header.Get("ETag") != first.header.Get("ETag") {
		t.Errorf("%s, then %s", first, again)
	}
	refused := h.do("POST /captures", h.a.live, body, "Idempotency-Key", "no")
	refused.envelope(t, 409, "slot_unavailable")
	if again := h.do("POST /captures", h.a.live, body, "Idempotency-Key", "no"); !replayed(again) || again.fail().Code != "slot_unavailable" || again.fail().Type != "conflict_error" {
		t.Errorf("sent again: %s", again)
	}
	h.do("POST /captures", h.a.live, `{"agent":"desk"}`, "Idempotency-Key", "k").envelope(t, 409, "idempotency_key_reused")
	if list := read[struct{ Data []any }](h, "GET /captures?scheduled_from=2026-11-18&scheduled_to=2026-11-19", h.a.live, "").Data; len(list) != 1 {
		t.Errorf("%d were written", len(list))
	}
}

func TestChangingCaptures(t *testing.T) {
	t.Parallel()
	h := salon(t)
	c, made := h.write(`{"agent":"desk","service_id":"corte","scheduled_at":"2026-11-18T10:00:00","resource_id":"ana","customer_name":"Eva","notes":"Alergia"}`)
	at, tag := "/captures/"+string(c.ID), made.header.Get("ETag")
	change := func(body string, headers ...string) (shownCapture, reply) {
		h.clock.Forward(time.Second)
		got := h.do("POST "+at+"/change", h.a.live, body, headers...)
		return readJSON[struct{ Capture shownCapture }](t, got).Capture, got
	}
	moved, got := change(`{"scheduled_at":"2026-11-19T17:00:00","notes":null}`, "If-Match", tag)
	if got.status != 200 || moved.ID != c.ID || moved.ConfirmationCode != c.ConfirmationCode || *moved.ScheduledAt != "2026-11-19T17:00:00" || moved.Notes != "" || moved.Resource != "Ana" || moved.ServiceID != "corte" {
		t.Errorf("moved: %s", got)
	}
	if got.header.Get("ETag") == tag || got.header.Get("ETag") != h.do("GET "+at, h.a.live, "").header.Get("ETag") {
		t.Errorf("its version is %s, was %s", got.header.Get("ETag"), tag)
	}
	_, stale := change(`{"notes":"x"}`, "If-Match", tag)
	stale.envelope(t, 412, "version_mismatch")
	tag = got.header.Get("ETag")
	if same, got := change(`{"scheduled_at":"2026-11-19T17:00:00"}`); got.header.Get("ETag") != tag || same.UpdatedAt != moved.UpdatedAt {
		t.Errorf("what changes nothing moves the version: %s", got)
	}
	if longer, _ := change(`{"service":"Tinte","resource_id":null}`); longer.ServiceID != "tinte" || *longer.Duration != 120 || longer.Resource != "Ana" {
		t.Errorf("another service: %+v", longer)
	}
	if plain, _ := change(`{"service":null,"duration_minutes":45,"party_size":2}`); plain.ServiceID != "" || plain.Service != "" || *plain.Duration != 45 {
		t.Errorf("no service: %+v", plain)
	}
	h.write(`{"agent":"desk","service_id":"tinte","scheduled_at":"2026-11-20T10:00:00"}`)
	for name, s := range map[string]scenario{
		"a place that is taken":  {body: `{"scheduled_at":"2026-11-20T11:00:00","resource_id":"ana"}`, want: 409, code: "slot_unavailable", param: "scheduled_at", has: []string{"Free nearest"}},
		"in the lunch break":     {body: `{"scheduled_at":"2026-11-19T13:30:00"}`, want: 409, code: "slot_unavailable", param: "scheduled_at"},
		"an unknown service":     {body: `{"service_id":"afeitado"}`, want: 400, code: "parameter_invalid", param: "service_id"},
		"nobody that there is":   {body: `{"resource_id":"eva"}`, want: 400, code: "parameter_invalid", param: "resource_id"},
		"nothing to change":      {body: `{}`, want: 400, code: "empty_patch"},
		"its status":             {body: `{"status":"confirmed"}`, want: 400, code: "parameter_unknown", param: "status"},
		"a number out of bounds": {body: `{"party_size":0}`, want: 400, code: "parameter_invalid", param: "party_size"},
	} {
		s.do, s.key = "POST "+at+"/change", "a.live"
		t.Run(name, func(t *testing.T) { h.play(t, s) })
	}
	if forced, _ := change(`{"scheduled_at":"2026-11-19T13:30:00","force":true}`); forced.ScheduledAt == nil || *forced.ScheduledAt != "2026-11-19T13:30:00" {
		t.Errorf("forced: %+v", forced)
	}
	if open, _ := change(`{"scheduled_at":null}`); open.ScheduledAt != nil || open.Kind != "appointment" {
		t.Errorf("without a time: %+v", open)
	}
	for _, status := range []string{"cancelled", "no_show"} {
		read[any](h, "PATCH "+at, h.a.live, `{"status":"`+status+`"}`)
		h.play(t, scenario{do: "POST " + at + "/change", key: "a.live", body: `{"notes":"x"}`, want: 409, code: "capture_not_changeable", param: "status", has: []string{`"type":"conflict_error"`}})
	}
}

// TestChangesThatNeedNoPlace: what stands, wherever it stands, keeps its place
// while something else of it changes.
func TestChangesThatNeedNoPlace(t *testing.T) {
	t.Parallel()
	h := salon(t)
	c, _ := h.write(`{"agent":"desk","service_id":"corte","scheduled_at":"2026-11-16T10:00:00","force":true}`) // a Monday
	h.clock.Forward(14 * 24 * time.Hour)
	h.play(t, scenario{
		do: "POST /captures/" + string(c.ID) + "/change", key: "a.live", want: 200,
		body: `{"customer_name":"Eva","customer_phone":"+34600000005","customer_email":"eva@example.com","notes":"Vino"}`,
		has:  []string{`"customer_email":"eva@example.com"`, `"notes":"Vino"`, `"scheduled_at":"2026-11-16T10:00:00"`},
	})
}

// TestWhoIsToldOfChanges: capture.updated goes to the connection that has
// subscribed to it alone, and can be read by those who may read captures.
func TestWhoIsToldOfChanges(t *testing.T) {
	t.Parallel()
	h := salon(t)
	told, untold := h.newConnection(h.a.live, "/told"), h.newConnection(h.a.live, "/untold")
	at := "/connections/" + string(told.ID)
	h.play(t, scenario{do: "GET " + at, key: "a.live", want: 200, has: []string{`"additional_events":[]`}})
	h.play(t, scenario{do: "PUT " + at + "/additional-events", key: "a.live", body: `{"events":["capture.updated"]}`, want: 200, has: []string{`"events":["capture.created","call.completed"],"additional_events":["capture.updated"]`}})
	h.play(t, scenario{do: "PATCH " + at, key: "a.live", body: `{"events":["capture.updated"]}`, want: 400, code: "parameter_invalid", param: "events[0]"})
	h.play(t, scenario{do: "PATCH " + at, key: "a.live", body: `{"events":["call.completed"]}`, want: 200, has: []string{`"additional_events":["capture.updated"]`}})
	h.clock.Forward(time.Minute)
	c, _ := h.write(`{"agent":"desk","service_id":"corte","scheduled_at":"2026-11-18T10:00:00"}`)
	h.clock.Forward(time.Minute)
	from := h.clock.Now().UTC().Format(time.RFC3339)
	read[any](h, "PATCH /captures/"+string(c.ID), h.a.live, `{"status":"no_show"}`)
	read[any](h, "PATCH /captures/"+string(c.ID), h.a.live, `{"status":"no_show"}`) // changes nothing
	h.dispatch(h.a, true, told.ID)
	h.dispatch(h.a, true, untold.ID)
	if got := eventTypes(h.receiver.got("/told")); got != "capture.updated" {
		t.Errorf("the one that subscribes was told of %s", got)
	}
	if got := eventTypes(h.receiver.got("/untold")); got != "capture.created" {
		t.Errorf("the one that does not was told of %s", got)
	}
	sent := h.receiver.got("/told")[0].body
	events := h.do("GET /events?created_from="+from, h.a.live, "")
	if list := events.json(t)["data"].([]any); len(list) != 1 || !strings.Contains(events.body, sent) {
		t.Errorf("since the change there are %s, sent was %s", events.body, sent)
	}
	id := events.json(t)["data"].([]any)[0].(map[string]any)["id"].(string)
	h.play(t, scenario{do: "GET /events/" + id, key: "a.live", want: 200, has: []string{`{"event":` + sent + `}`}})
	h.play(t, scenario{do: "GET /events?type=capture.updated&agent_id=" + string(h.a.agent.ID), key: "a.live", want: 200, has: []string{id}, hasNot: []string{`"capture.created"`}})
	h.play(t, scenario{do: "GET /events", key: "a.test", want: 200, hasNot: []string{id}})
	calls, captures := h.key(h.a.Tenant, true, "calls:read"), h.key(h.a.Tenant, true, "captures:read")
	h.play(t, scenario{do: "GET /events", key: calls, want: 200, has: []string{`"call.completed"`}, hasNot: []string{`"type":"capture.`}})
	h.play(t, scenario{do: "GET /events", key: captures, want: 200, has: []string{`"capture.created"`, id}, hasNot: []string{`"type":"call.`}})
	h.play(t, scenario{do: "GET /events?type=capture.updated", key: calls, want: 200, has: []string{`"data":[]`}})
	h.play(t, scenario{do: "GET /events/" + id, key: calls, want: 404, code: "not_found"})
	h.play(t, scenario{do: "PUT " + at + "/additional-events", key: "a.live", body: `{"events":[]}`, want: 200, has: []string{`"additional_events":[]`}})
}

func eventTypes(all []received) string {
	var types []string
	for _, one := range all {
		var event struct{ Type string }
		if err := json.Unmarshal([]byte(one.body), &event); err != nil {
			return err.Error()
		}
		types = append(types, event.Type)
	}
	return strings.Join(types, " ")
}

func TestFiltersOfCalls(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	call := sampleCall(h.a.agent.ID, noon.Add(-2*time.Hour))
	call.Caller, call.Language = "+34600000002", "en"
	call.Transcript.Turns = []frontdesk.Turn{{Role: frontdesk.RoleCaller, Text: "Una mesa para el CUMPLEAÑOS de mi hermana"}, {Role: frontdesk.RoleAgent, Text: "¿Cuántos vendrán?"}}
	must(t, receptiontest.Record(context.Background(), h.store, wire.EventSource{Tenant: h.a.Tenant, Live: true}, call))
	for query, want := range map[string]int{
		"language=es": 1, "language=en": 1, "agent_id=" + string(h.a.agent.ID): 2, "agent_id=" + string(h.a.agent.ID) + "&language=es&outcome=booking": 1,
		"caller=%2B34600000002": 1, "caller=34600000002": 1, "caller=+34600000002": 1, "caller=34600000003": 0, "caller=34600000002&language=es": 0,
		"search=cumpleanos": 1, "search=cuantos+cumplea%C3%B1os+Mesa": 1, "search=cumple": 0, "search=cumplea%C3%B1os+tarta": 0,
		"search=cumplea%C3%B1os&language=es": 0,
	} {
		if list := read[struct{ Data []any }](h, "GET /calls?"+query, h.a.live, "").Data; len(list) != want {
			t.Errorf("%s: %d calls", query, len(list))
		}
	}
	for name, s := range map[string]scenario{
		"a language that nobody speaks": {do: "language=fr", want: 400, code: "parameter_invalid", param: "language"},
		"no number":                     {do: "caller=ana", want: 400, code: "parameter_invalid", param: "caller"},
		"no number at all":              {do: "caller=", want: 400, code: "parameter_invalid", param: "caller"},
		"an agent of another":           {do: "agent_id=" + string(h.b.agent.ID), want: 404, code: "not_found", param: "agent_id"},
		"no words":                      {do: "search=%3F%21", want: 400, code: "parameter_invalid", param: "search"},
	} {
		s.do, s.key = "GET /calls?"+s.do, "a.live"
		t.Run(name, func(t *testing.T) { t.Parallel(); h.play(t, s) })
	}
}
