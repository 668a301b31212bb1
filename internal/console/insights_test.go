package console

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// called is a call of the office's agent.
func (o *office) called(at time.Time, seconds int, outcome frontdesk.Outcome, change ...func(*store.Recording)) store.Recording {
	r := store.Recording{Period: at.Format("2006-01"), Call: frontdesk.Call{
		ID: frontdesk.NewID(at), AgentID: o.agent.ID, StartedAt: at, Duration: seconds, Language: "es", Outcome: outcome, Channel: frontdesk.Phone,
		Summary: json.RawMessage(`{"text":"Hola"}`), Transcript: json.RawMessage(`{"turns":[]}`),
	}}
	for _, do := range change {
		do(&r)
	}
	return r
}

func (o *office) record(owner frontdesk.Owner, recordings ...store.Recording) {
	o.t.Helper()
	if err := o.store.RecordCalls(context.Background(), owner, recordings...); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) setPlan(change func(*frontdesk.Plan)) {
	o.t.Helper()
	plan := frontdesk.DefaultPlan()
	change(&plan)
	if err := o.store.SetPlan(context.Background(), frontdesk.Actor{}, o.tenant.ID, plan); err != nil {
		o.t.Fatal(err)
	}
	o.Forward(2 * time.Second) // what is known of the session is asked for again
}

// holds wants a page to have some texts, and not to have those that begin with
// an exclamation mark.
func holds(t *testing.T, page string, texts ...string) {
	t.Helper()
	page += html.UnescapeString(page)
	missed := false
	for _, text := range texts {
		if not, is := strings.CutPrefix(text, "!"); is && strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
			missed = true
		} else if !is && !strings.Contains(page, text) {
			t.Errorf("the page has no %q", text)
			missed = true
		}
	}
	if missed {
		t.Log(page)
	}
}

func TestInsightsWithoutCalls(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	holds(t, b.open("insights"), "Nobody has called in these days.", `href="insights?days=90"`, `href="channels"`, "it had an answer to everything", "!<svg class=\"bars\"")
	holds(t, b.open("insights?days=90"), "Nobody has called", `!href="insights?days=90">Look`)
	b.language = "es"
	holds(t, b.open("insights?days=never"), "no ha llamado nadie", `href="insights?days=30" aria-current="true"`)
	if got := b.get("/console/test/" + o.agent.Slug + "/insights"); got.status != 200 || !strings.Contains(got.body, "no ha llamado nadie") {
		t.Errorf("in test mode: %d", got.status)
	}
	if lines := strings.Split(strings.TrimSpace(b.open("insights.csv?days=7")), "\n"); len(lines) != 8 || lines[7] != "2026-11-16;0;0;0;0;0;0;0;0;0;0;0" {
		t.Errorf("got %q", lines)
	}
}

func TestInsightsCount(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	other := o.hire(o.tenant, "second")
	web := func(r *store.Recording) { r.Call.Channel, r.Call.Language = frontdesk.Web, "en" }
	o.record(
		o.owner(),
		o.called(monday.Add(-time.Hour), 120, frontdesk.Booking),
		o.called(monday.Add(-time.Hour), 60, frontdesk.Info, web, func(r *store.Recording) { r.Unanswered = []string{"¿Hay terraza?"} }),
		o.called(monday.Add(-24*time.Hour), 30, frontdesk.Abandoned, func(r *store.Recording) { r.Call.Language = "fr" }), // a Sunday: closed
		o.called(monday.AddDate(0, 0, -40), 60, frontdesk.Booking),
		o.called(monday.Add(-time.Hour), 600, frontdesk.Failed, func(r *store.Recording) { r.Call.AgentID = other.ID }),
	)
	o.record(frontdesk.Owner{TenantID: o.tenant.ID, Live: false}, o.called(monday, 1, frontdesk.OverLimit))
	b := o.enter(frontdesk.RoleOwner)

	page := b.open("insights")
	holds(t, page, "18 Oct to 16 Nov", `<p class="big figure"><a href="calls?from=2026-10-18&amp;to=2026-11-16">3</a></p>`, `<b class="way up">+200%</b>`, "before: 1",
		"1 of 3 calls", `<b class="way down">−67 points</b>`, "before: 100%", "1 min 10 s", `<b class="way up">+17%</b>`, "before: 1 min 0 s",
		"The day with the most calls: 16 Nov, with 2.", "16 Nov: 2 calls, 1 with a booking", "The busiest time: Monday from 9 am.",
		"Spanish", "English", "Another", "Phone", "Web", `href="calls?from=2026-10-18&amp;outcome=booking&amp;to=2026-11-16"`, "!outcome=error", "!outcome=over_limit",
		"14 min", "Of 1,000 included minutes, 986 are left.", "In October it was 1 min.", "for all your receptionists together",
		"time it had no answer", `href="teach"`, `href="insights.csv?days=30"`)
	if bars := strings.Count(page, `class="all"`); bars != 30+1 { // and the legend
		t.Errorf("there are %d bars", bars-1)
	}
	if cells := strings.Count(page, `width="9.2"`); cells != 7*24 {
		t.Errorf("there are %d hours", cells)
	}
	all := b.get("/console/live/-/insights?days=7")
	holds(t, all.body, `>4</a></p>`, "outcome=error", "!for all your receptionists together", "before: 0", ">Tue<")

	csv := b.get(b.at("insights.csv?days=30"))
	lines := strings.Split(strings.TrimSpace(csv.body), "\n")
	if len(lines) != 31 || lines[30] != "2026-11-16,2,180,0,1,1,0,0,0,0,1,1" || lines[29] != "2026-11-15,1,30,0,0,0,0,1,0,0,0,1" {
		t.Errorf("the file is %q", csv.body)
	}
	if name := csv.header.Get("Content-Disposition"); name != `attachment; filename="desk-live-2026-11-16.csv"` {
		t.Errorf("it is called %s", name)
	}
	b.language = "es"
	holds(t, b.open("insights"), "Del 18 oct al 16 nov", "Cuando más llaman: lunes", "Acaban en cita", "−67 puntos", "De 1.000 minutos incluidos quedan 986.")
}

// listed counts the calls of a list, page by page.
func (b *browser) listed(address string) (n int) {
	b.o.t.Helper()
	older := regexp.MustCompile(`<a class="button[a-z ]*" href="(calls\?[^"]*after=[^"]*)"`)
	for address != "" {
		page := b.open(html.UnescapeString(address))
		n += strings.Count(page, `<a id="call-`)
		next := older.FindStringSubmatch(page)
		if address = ""; next != nil {
			address = next[1]
		}
	}
	return n
}

// Each number of Insights that opens a list is the number of calls in it.
func TestInsightsOpenTheirCalls(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	var calls []store.Recording
	for i := range 150 { // at every hour of the day, back into October and September
		at := monday.Add(-time.Duration(i) * 11 * time.Hour)
		calls = append(calls, o.called(at, 60, frontdesk.Outcomes[i%4], func(r *store.Recording) {
			r.Call.Language, r.Call.Channel = frontdesk.Languages[i%2], frontdesk.Channels[i%2]
		}))
	}
	o.record(o.owner(), calls...)
	b := o.enter(frontdesk.RoleOwner)
	link := regexp.MustCompile(`<a href="(calls\?[^"]*)">([^<]*)</a>(?:</p>\s*<p class="mute"><small>(\d+) of \d+ calls| <span class="figure">(\d+) )?`)
	for _, period := range []string{"7", "30", "this-month", "last-month"} {
		found := link.FindAllStringSubmatch(b.open("insights?days="+period), -1)
		if len(found) < 9 { // calls, bookings, after hours, four outcomes, two languages and two channels
			t.Fatalf("%s: only %d links", period, len(found))
		}
		for _, f := range found {
			want := cmp.Or(f[3], f[4], f[2])
			if got := b.listed(f[1]); strconv.Itoa(got) != want || got == 0 {
				t.Errorf("%s: %s lists %d calls, where there are %s", period, f[1], got, want)
			}
		}
	}
}

func TestInsightsByMonths(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	madrid, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Fatal(err)
	}
	wonders := func(r *store.Recording) { r.Unanswered = []string{"¿Hay terraza?"} }
	o.record(
		o.owner(),
		o.called(time.Date(2026, 11, 1, 0, 5, 0, 0, madrid), 60, frontdesk.Info), // still October in UTC
		o.called(time.Date(2026, 10, 31, 23, 55, 0, 0, madrid), 60, frontdesk.Info, wonders),
		o.called(time.Date(2026, 10, 5, 12, 0, 0, 0, madrid), 60, frontdesk.Info),
		o.called(time.Date(2026, 10, 1, 12, 0, 0, 0, madrid), 60, frontdesk.Info),
		o.called(time.Date(2026, 9, 30, 12, 0, 0, 0, madrid), 60, frontdesk.Info),
	)
	b := o.enter(frontdesk.RoleOwner)
	// As many days of October are compared with: up to the 16th.
	holds(t, b.open("insights?days=this-month"), "1 Nov to 16 Nov", `>1</a></p>`, "before: 2", `href="insights?days=this-month" aria-current="true"`,
		`href="calls?from=2026-11-01&amp;to=2026-11-16"`, `href="insights.csv?days=this-month"`, "it had an answer to everything")
	holds(t, b.open("insights?days=last-month"), "1 Oct to 31 Oct", `>3</a></p>`, "before: 1", `href="calls?from=2026-10-01&amp;to=2026-10-31"`, "time it had no answer")
	if lines := strings.Split(strings.TrimSpace(b.open("insights.csv?days=last-month")), "\n"); len(lines) != 32 || !strings.HasPrefix(lines[31], "2026-10-31,1,") {
		t.Errorf("the file is %q", lines)
	}
	o.Forward(time.Date(2027, 3, 31, 9, 0, 0, 0, time.UTC).Sub(monday)) // a month that is longer than the one before
	b = o.enter(frontdesk.RoleOwner)
	holds(t, b.open("insights?days=this-month"), "1 Mar to 31 Mar")
	b.language = "es"
	holds(t, b.open("insights?days=last-month"), "Del 1 feb al 28 feb", "Mes pasado", "Este mes")
}

func TestInsightsOfPlans(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	o.record(o.owner(), o.called(monday, 600, frontdesk.Handoff))
	for want, change := range map[string]func(*frontdesk.Plan){
		"Your plan has no limit of minutes.":                                                       func(p *frontdesk.Plan) { p.IncludedSeconds = 0 },
		"You have used the 10 included minutes. The receptionist keeps answering.":                 func(p *frontdesk.Plan) { p.IncludedSeconds = 600 },
		"You have used the 5 included minutes. The receptionist does not answer until next month.": func(p *frontdesk.Plan) { p.IncludedSeconds, p.Overage = 300, frontdesk.OverageBlock },
	} {
		o.setPlan(change)
		holds(t, b.open("insights"), want)
	}
}

// The numbers beside a chart are round, and nothing is drawn outside of it.
func TestNiceTop(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 2, 1: 2, 2: 2, 3: 4, 5: 10, 11: 20, 21: 40, 99: 100, 100: 100, 101: 200, 4321: 10_000} {
		if got := niceTop(n); got != want {
			t.Errorf("over %d stands %d, not %d", n, got, want)
		}
	}
	if got := fmt.Sprint(barLength(0, 2), barLength(1, 2), barLength(2, 2)); got != "0 50 100" {
		t.Errorf("bars are %s long", got)
	}
}
