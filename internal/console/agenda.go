package console

import (
	"net/url"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// agendaScreen is who comes when: a day as a list and as columns, a week at a
// glance.
//
//	query -> calendar.Agenda of the week -> floor (who is there when) -> list, grid, strip
type agendaScreen struct{ *Console }

// The views of the agenda. Without one, a narrow screen shows the day and a wide
// one the week.
const (
	viewDay  = "day"
	viewWeek = "week"
)

// agendaQuery is what of the agenda is asked for.
type agendaQuery struct {
	view string
	date dates.Date
	with string // id of a resource; "": all
}

// agenda is the page.
type agenda struct {
	Title        string // of the day
	Week         string // the days of the week
	View         string
	Date         string
	With         string
	Previous     string // day
	Next         string
	PreviousWeek string
	NextWeek     string
	Today        string
	AsDay        string
	AsWeek       string
	Tabs         []choice
	Add          string
	Block        string
	Now          live
}

// agendaNow is the part of the agenda that renews itself.
type agendaNow struct {
	View  string
	Strip []dayCell
	Day   *dayList
	Grid  *grid
}

// dayCell is one day of the week at a glance.
type dayCell struct {
	Address string
	Name    string // of the weekday, short
	Number  int
	Chosen  bool
	Today   bool
	Load    load
}

func (c agendaScreen) show(v *visit) (answer, error) {
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	q := readAgendaQuery(v, agent, v.field("view"), v.field("date"), v.field("with"))
	now, err := c.readNow(v, agent, q)
	if err != nil {
		return answer{}, err
	}
	return v.page("agenda", newAgenda(v, agent, q, now))
}

// renew is the newest state of what renews itself.
func (c agendaScreen) renew(v *visit) (answer, error) {
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	q := readAgendaQuery(v, agent, v.http.PathValue("view"), v.http.PathValue("date"), v.http.PathValue("with"))
	now, err := c.readNow(v, agent, q)
	if err != nil {
		return answer{}, err
	}
	return v.renewed(now)
}

func readAgendaQuery(v *visit, agent frontdesk.Agent, view, date, with string) agendaQuery {
	q := agendaQuery{date: dates.DateOf(v.now.In(v.zone))}
	if view == viewDay || view == viewWeek {
		q.view = view
	}
	if d, ok := frontdesk.ParseDate(date); ok && d.Year >= 1970 && d.Year < 2200 {
		q.date = d
	}
	if r, known := agent.Settings.Calendar.Resource(with); known {
		q.with = r.ID
	}
	return q
}

// address is that of the agenda for a query, below the place.
func (q agendaQuery) address() string {
	values := url.Values{"date": {q.date.String()}}
	if q.view != "" {
		values.Set("view", q.view)
	}
	if q.with != "" {
		values.Set("with", q.with)
	}
	return "agenda?" + values.Encode()
}

// on is the same query about another day.
func (q agendaQuery) on(d dates.Date) agendaQuery {
	q.date = d
	return q
}

// as is the same query in another view.
func (q agendaQuery) as(view string) agendaQuery {
	q.view = view
	return q
}

// at is the address that adds an appointment.
func (q agendaQuery) at(clock, resource string) string {
	values := url.Values{"date": {q.date.String()}}
	if clock != "" {
		values.Set("time", clock)
	}
	if resource != "" {
		values.Set("resource", resource)
	}
	return "agenda/new?" + values.Encode()
}

func newAgenda(v *visit, agent frontdesk.Agent, q agendaQuery, now live) agenda {
	monday := q.date.Monday()
	a := agenda{
		Title: v.day(q.date), Week: weekName(v, monday), View: q.view, Date: q.date.String(), With: q.with, Now: now,
		Previous: q.on(q.date.AddDays(-1)).address(), Next: q.on(q.date.AddDays(1)).address(),
		PreviousWeek: q.on(q.date.AddDays(-7)).address(), NextWeek: q.on(q.date.AddDays(7)).address(),
		Today: q.on(dates.DateOf(v.now.In(v.zone))).address(), AsDay: q.as(viewDay).address(), AsWeek: q.as(viewWeek).address(),
		Add: q.at("", q.with), Block: "agenda/block?" + url.Values{"date": {q.date.String()}, "resource": {q.with}}.Encode(),
	}
	resources := agent.Settings.Calendar.Resources
	if len(resources) > 1 {
		all := q
		all.with = ""
		a.Tabs = append(a.Tabs, choice{v.say("agenda_all"), all.address(), q.with == ""})
		for _, r := range resources {
			one := q
			one.with = r.ID
			a.Tabs = append(a.Tabs, choice{r.Name, one.address(), q.with == r.ID})
		}
	}
	return a
}

// weekName is a week in words: "16–22 de noviembre".
func weekName(v *visit, monday dates.Date) string {
	months := strings.Fields(v.lang.Say("months", ""))
	sunday := monday.AddDays(6)
	key := "agenda_week"
	if monday.Month != sunday.Month {
		key = "agenda_week_months"
	}
	return v.say(key, "first", strconv.Itoa(monday.Day), "last", strconv.Itoa(sunday.Day),
		"month", months[sunday.Month-1], "before", months[monday.Month-1], "year", strconv.Itoa(sunday.Year))
}

// readNow reads the week that the day is in, and draws what is asked for.
func (c agendaScreen) readNow(v *visit, agent frontdesk.Agent, q agendaQuery) (live, error) {
	f, err := newFloor(v, agent, q.with)
	if err != nil {
		return live{}, err
	}
	monday := q.date.Monday()
	days, err := c.calendar.Agenda(v.Context(), v.book(agent), monday, monday.AddDays(7), v.now)
	if err != nil {
		return live{}, err
	}
	for i := range days {
		days[i] = f.only(days[i])
	}
	d := agendaNow{View: q.view}
	chosen := days[monday.DaysUntil(q.date)]
	if q.view != viewWeek {
		d.Day = newDayList(f, q, chosen)
	}
	switch {
	case q.view == viewDay && !f.pooled():
		d.Grid = newDayGrid(f, q, chosen)
	case q.view != viewDay:
		d.Grid = newWeekGrid(f, q, days)
	}
	for _, day := range days {
		d.Strip = append(d.Strip, newDayCell(f, q, day))
	}
	// The address is a path, because what renews itself adds its version as a query.
	address := "agenda/now/" + orDash(q.view) + "/" + q.date.String() + "/" + url.PathEscape(q.with)
	return v.live("agenda_now", address, d)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func newDayCell(f *floor, q agendaQuery, day calendar.Day) dayCell {
	weekdays := strings.Fields(f.v.lang.Say("weekdays", ""))
	name := []rune(weekdays[day.Date.Weekday()])
	return dayCell{
		Address: q.on(day.Date).address(), Name: string(name[:min(3, len(name))]), Number: day.Date.Day,
		Chosen: day.Date == q.date, Today: day.Date == f.today, Load: f.load(day),
	}
}

// Class is the class of the grid's stylesheet that draws the load.
func (l load) Class() string { return "w-" + strconv.Itoa((l.Percent+4)/5*5) }
