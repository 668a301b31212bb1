package console

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// insightsScreen tells how the calls of the last days went, and what was
// different before.
type insightsScreen struct{ *Console }

// insightPeriods are what can be looked at: numbers of days up to today, and
// months. The second is shown to who has not chosen.
var insightPeriods = []string{"7", "30", "90", thisMonth, lastMonth}

const (
	thisMonth = "this-month"
	lastMonth = "last-month"
)

// insights is the page.
type insights struct {
	Period     string
	Longer     bool // there is a longer period to look at
	Periods    []choice
	Span       string // from which day to which
	Empty      bool
	Figures    []insightFigure
	Bars       insightBars
	Heat       insightHeat
	Outcomes   []insightShare
	Languages  []insightShare
	Channels   []insightShare
	Plan       insightPlan
	Unanswered int
	Together   bool // one agent is shown, and the plan is of all
}

// insightFigure is one number, and what it was in as many days before.
type insightFigure struct {
	Name    string // of its words
	Value   string
	Detail  string // what the number is made of; "": nothing
	Address string // of those calls; "": they cannot be listed
	Change  string // "": it cannot be compared
	Way     string // up, down or same
	Before  string
}

// insightShare is how many calls had one thing in common.
type insightShare struct {
	Name    string
	Class   string
	Address string // of those calls; "": they cannot be listed
	Calls   string
	Percent string
	Width   float64 // of its bar, of 100
}

// insightPlan is what is used of the plan in the current month.
type insightPlan struct {
	Month     string
	Used      string // minutes
	Included  string // "": without limit
	Remaining string
	Width     float64 // of the bar, of 100
	Over      string  // what happens beyond it, allow or block; "": not there yet
	Before    string  // the month before, in words; "": nothing was used then
}

// counted are the analytics of a window and of the days before it.
type counted struct {
	period      string
	first, last dates.Date
	now, before frontdesk.Analytics
}

func (c insightsScreen) show(v *visit) (answer, error) {
	n, err := c.count(v)
	if err != nil {
		return answer{}, err
	}
	data := insights{
		Period: n.period, Longer: n.period != "90", Empty: n.now.Totals.Calls == 0 && n.now.Totals.Captures == 0,
		Span:     v.say("insights_span", "from", shortDate(v, n.now.PerDay[0].Date), "to", shortDate(v, n.now.PerDay[len(n.now.PerDay)-1].Date)),
		Figures:  newFigures(v, n),
		Bars:     newBars(v, n.now),
		Heat:     newHeat(v, n.now.ByWeekHour),
		Together: v.agent != nil && len(v.agents) > 1,
	}
	for _, period := range insightPeriods {
		data.Periods = append(data.Periods, choice{periodName(v, period), period, period == n.period})
	}
	addShares(v, n, &data)
	if data.Plan, err = c.readPlan(v); err != nil {
		return answer{}, err
	}
	if data.Unanswered, err = c.unansweredIn(v, n); err != nil {
		return answer{}, err
	}
	return v.page("insights", data)
}

// unansweredIn is how many times there was no answer in the period.
func (c insightsScreen) unansweredIn(v *visit, n counted) (int, error) {
	times := 0
	for _, part := range []struct {
		since dates.Date
		sign  int
	}{{n.first, 1}, {n.last.AddDays(1), -1}} {
		open, err := c.store.Unanswered(v.Context(), v.owner(), v.agentID(), part.since.In(time.UTC), 0)
		if err != nil {
			return 0, err
		}
		times += part.sign * open.Times
	}
	return times, nil
}

// count reads the analytics of the days that were asked for, and of those before.
func (c insightsScreen) count(v *visit) (n counted, err error) {
	n.period = insightPeriods[1]
	if wish := v.field("days"); slices.Contains(insightPeriods, wish) {
		n.period = wish
	}
	w, before := windowsOf(v, n.period)
	n.first, n.last = dates.DateOf(w.From.In(v.zone)), dates.DateOf(w.To.In(v.zone)).AddDays(-1)
	filter := frontdesk.AnalyticsFilter{AgentID: v.agentID()}
	if n.now, err = c.store.Analytics(v.Context(), v.owner(), filter, w, v.agents); err != nil {
		return n, err
	}
	n.before, err = c.store.Analytics(v.Context(), v.owner(), filter, before, v.agents)
	return n, err
}

// windowsOf are the days of a period by the place's clock, and those that they are
// compared with: of days as many before; of this month as many of the last one; of
// the last month the one before it.
func windowsOf(v *visit, period string) (w, before frontdesk.Window) {
	today := dates.DateOf(v.now.In(v.zone))
	first := dates.Date{Year: today.Year, Month: today.Month, Day: 1}
	switch period {
	case thisMonth:
		began := first.AddMonths(-1)
		return windowOf(v, first, today.AddDays(1)), windowOf(v, began, earlier(began.AddDays(today.Day), first))
	case lastMonth:
		began := first.AddMonths(-1)
		return windowOf(v, began, first), windowOf(v, began.AddMonths(-1), began)
	}
	days, err := strconv.Atoi(period)
	if err != nil {
		days = 30
	}
	w = frontdesk.WindowOf(v.now, days, v.zone)
	before = w.Before()
	w.Previous = w.From // they are read by themselves
	return w, before
}

// windowOf is the window of the days from one up to another, with nothing to compare
// with.
func windowOf(v *visit, first, end dates.Date) frontdesk.Window {
	from := first.In(v.zone)
	return frontdesk.Window{Days: first.DaysUntil(end), Location: v.zone, Previous: from, From: from, To: end.In(v.zone)}
}

func earlier(a, b dates.Date) dates.Date {
	if a.Before(b) {
		return a
	}
	return b
}

// periodName is a period in words.
func periodName(v *visit, period string) string {
	if period == thisMonth || period == lastMonth {
		return v.say("insights_" + strings.ReplaceAll(period, "-", "_"))
	}
	return v.say("insights_days", "n", period)
}

// callsIn is the address of the calls of the period that a query narrows.
func (n counted) callsIn(q callQuery) string {
	q.From, q.To = n.first.String(), n.last.String()
	return q.address("calls")
}

// newFigures are the numbers at the top of the page.
func newFigures(v *visit, n counted) []insightFigure {
	now, before := n.now.Totals, n.before.Totals
	calls := amount(v, "calls", now.Calls, before.Calls)
	calls.Address = n.callsIn(callQuery{})
	booked := rate(v, "booking", now.Outcomes[frontdesk.Booking], before.Outcomes[frontdesk.Booking], now, before)
	booked.Address = n.callsIn(callQuery{Outcome: string(frontdesk.Booking)})
	closed := rate(v, "after_hours", now.AfterHours, before.AfterHours, now, before)
	closed.Address = n.callsIn(callQuery{Hours: afterHours})
	return []insightFigure{
		calls,
		booked,
		amount(v, "captures", now.Captures, before.Captures),
		closed,
		duration(v, now, before),
		amount(v, "minutes", minutes(now.Seconds), minutes(before.Seconds)),
	}
}

// amount is a figure that counts things.
func amount(v *visit, name string, now, before int) insightFigure {
	f := insightFigure{Name: name, Value: v.figure(now), Before: v.figure(before)}
	f.compare(v, now, before)
	return f
}

// compare says by what share a number is larger than it was.
func (f *insightFigure) compare(v *visit, now, before int) {
	if before > 0 {
		f.change(int(math.Round(float64(now-before)/float64(before)*100)), v, "insights_percent")
	}
}

func (f *insightFigure) change(n int, v *visit, words string) {
	sign := map[bool]string{true: "+", false: "−"}[n >= 0]
	switch {
	case n > 0:
		f.Way = "up"
	case n < 0:
		f.Way = "down"
	default:
		f.Way, sign = "same", ""
	}
	f.Change = sign + v.say(words, "n", v.figure(max(n, -n)))
}

// rate is a figure that is a share of the calls.
func rate(v *visit, name string, some, someBefore int, now, before frontdesk.TotalsStats) insightFigure {
	percent, percentBefore := percentOf(some, now.Calls), percentOf(someBefore, before.Calls)
	f := insightFigure{
		Name: name, Value: v.say("insights_percent", "n", strconv.Itoa(percent)), Before: v.say("insights_percent", "n", strconv.Itoa(percentBefore)),
		Detail: v.say("insights_of_calls", "n", v.figure(some), "all", v.figure(now.Calls)),
	}
	if before.Calls > 0 && now.Calls > 0 {
		f.change(percent-percentBefore, v, "insights_points")
	}
	return f
}

// duration is how long a call takes.
func duration(v *visit, now, before frontdesk.TotalsStats) insightFigure {
	f := insightFigure{Name: "duration", Value: lasting(v, now.AvgDuration), Before: lasting(v, before.AvgDuration)}
	if now.Calls > 0 {
		f.compare(v, int(math.Round(now.AvgDuration)), int(math.Round(before.AvgDuration)))
	}
	return f
}

// lasting is a number of seconds in words.
func lasting(v *visit, seconds float64) string {
	n := int(math.Round(seconds))
	if n < 60 {
		return v.say("insights_seconds", "n", strconv.Itoa(n))
	}
	return v.say("insights_lasting", "m", v.figure(n/60), "s", strconv.Itoa(n%60))
}

func minutes(seconds int) int { return int(math.Round(float64(seconds) / 60)) }

func percentOf(some, all int) int {
	if all == 0 {
		return 0
	}
	return int(math.Round(float64(some) / float64(all) * 100))
}

// addShares adds which outcomes, languages and channels the calls had.
func addShares(v *visit, n counted, d *insights) {
	t := n.now.Totals
	for _, o := range frontdesk.Outcomes {
		if calls := t.Outcomes[o]; calls > 0 {
			s := newShare(v, v.say("outcome_"+string(o)), calls, t.Calls)
			s.Class, s.Address = string(o), n.callsIn(callQuery{Outcome: string(o)})
			d.Outcomes = append(d.Outcomes, s)
		}
	}
	others := t.Calls
	for _, code := range frontdesk.Languages {
		if calls := t.Languages[code]; calls > 0 {
			s := newShare(v, v.say("insights_language_"+code), calls, t.Calls)
			s.Address = n.callsIn(callQuery{Language: code})
			d.Languages = append(d.Languages, s)
			others -= calls
		}
	}
	if others > 0 {
		d.Languages = append(d.Languages, newShare(v, v.say("insights_language_other"), others, t.Calls))
	}
	for _, name := range frontdesk.Channels {
		if calls := t.Channels[name]; calls > 0 {
			s := newShare(v, v.say("insights_channel_"+string(name)), calls, t.Calls)
			s.Address = n.callsIn(callQuery{Channel: string(name)})
			d.Channels = append(d.Channels, s)
		}
	}
}

func newShare(v *visit, name string, n, all int) insightShare {
	return insightShare{
		Name: name, Calls: v.figure(n), Percent: v.say("insights_percent", "n", strconv.Itoa(percentOf(n, all))),
		Width: width(n, all),
	}
}

// width is the length of a bar of 100.
func width(n, all int) float64 {
	if all == 0 {
		return 0
	}
	return math.Round(min(float64(n)/float64(all), 1)*1000) / 10
}

// readPlan says how much of the plan is used, in the month of the tenant's clock.
func (c insightsScreen) readPlan(v *visit) (p insightPlan, err error) {
	zone, err := frontdesk.LoadZone(v.tenant.Timezone)
	if err != nil {
		return p, err
	}
	local := v.now.In(zone)
	used, err := c.store.Usage(v.Context(), v.owner(), frontdesk.PeriodOf(local.AddDate(0, 0, -local.Day()), zone))
	if err != nil {
		return p, err
	}
	history := frontdesk.UsageHistory(used, v.now, zone)
	plan, seconds := v.tenant.Plan, history[0].Seconds
	p = insightPlan{Month: monthName(v, local.Month()), Used: v.figure(minutes(seconds))}
	if left, limited := plan.RemainingSeconds(seconds); limited {
		included := minutes(plan.IncludedSeconds)
		p.Included, p.Remaining, p.Width = v.figure(included), v.figure(max(0, included-minutes(seconds))), width(seconds, plan.IncludedSeconds)
		if left == 0 {
			p.Over = plan.Overage
		}
	}
	if len(history) > 1 && history[1].Seconds > 0 {
		before := time.Date(local.Year(), local.Month()-1, 1, 12, 0, 0, 0, zone).Month()
		p.Before = v.say("insights_plan_before", "month", monthName(v, before), "n", v.figure(minutes(history[1].Seconds)))
	}
	return p, nil
}

func monthName(v *visit, m time.Month) string { return strings.Fields(v.lang.Say("months", ""))[m-1] }

// shortDate is a day without its year: "17 nov".
func shortDate(v *visit, date string) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	month := []rune(monthName(v, at.Month()))
	return v.say("insights_date", "n", strconv.Itoa(at.Day()), "month", string(month[:min(3, len(month))]))
}
