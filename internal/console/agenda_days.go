package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// daysScreen is where days are set that are not as usual: public holidays, and
// days with hours of their own or none.
type daysScreen struct{ *Console }

// daysPage is the form, and what is special from now on.
type daysPage struct {
	Region     string
	Regions    []choice
	Holidays   []holidayRow
	Exceptions []exceptionRow
	From, To   string // the last day of them
	Closed     bool
	Hours      [2][2]string
	Reason     string
	Faults     faults
	Inside     *insideRows
	Test       bool
}

// holidayRow is a public holiday to come.
type holidayRow struct {
	Date string
	Day  string
	Name string
	Open bool // an exception opens it
}

// exceptionRow is a day, or several, that are not as usual.
type exceptionRow struct {
	When     string
	Hours    string // "": closed
	Reason   string
	From, To string // the first day, and the first that is not meant any more
	Openings string
}

// mostHolidays is how many public holidays to come are shown.
const mostHolidays = 14

func (c daysScreen) ask(v *visit) (answer, error) {
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	p := newDaysPage(v, agent)
	first, ok := frontdesk.ParseDate(v.field("first"))
	end, endOK := frontdesk.ParseDate(v.field("end"))
	if ok && endOK {
		var err error
		if p.Inside, err = c.insideDays(v, agent, first, end); err != nil {
			return answer{}, err
		}
	}
	return v.page("agenda_days", p)
}

func newDaysPage(v *visit, agent frontdesk.Agent) daysPage {
	c := agent.Settings.Calendar
	p := daysPage{
		Region: c.Holidays, From: v.field("from"), To: v.field("to"), Closed: v.field("kind") != "hours", Reason: v.field("reason"),
		Hours: [2][2]string{{v.field("open_1"), v.field("close_1")}, {v.field("open_2"), v.field("close_2")}}, Faults: faults{}, Test: !v.mode.live,
	}
	country := frontdesk.CountryOf(agent.Timezone)
	for _, code := range opening.Regions() {
		if code == c.Holidays || code == country || strings.HasPrefix(code, country+"-") {
			p.Regions = append(p.Regions, choice{regionName(v, code), code, code == c.Holidays})
		}
	}
	p.Holidays = holidayRows(v, c)
	today := dates.DateOf(v.now.In(v.zone))
	for _, e := range c.Exceptions {
		if today.Before(e.To) {
			p.Exceptions = append(p.Exceptions, newExceptionRow(v, e))
		}
	}
	slices.SortStableFunc(p.Exceptions, func(a, b exceptionRow) int { return strings.Compare(a.From, b.From) })
	return p
}

// regionName is the code of a country or region; its name where the console has
// one.
func regionName(v *visit, code string) string {
	name := v.say("region_" + strings.ToLower(strings.ReplaceAll(code, "-", "_")))
	if name == "" {
		return code
	}
	return name + " (" + code + ")"
}

// holidayRows are the public holidays to come for which the house is closed, or
// was opened.
func holidayRows(v *visit, c frontdesk.Calendar) (all []holidayRow) {
	if c.Holidays == "" {
		return nil
	}
	today := dates.DateOf(v.now.In(v.zone))
	for _, year := range []int{today.Year, today.Year + 1} {
		list, err := opening.Holidays(c.Holidays, year)
		if err != nil { // a year of which nothing is known
			continue
		}
		for _, h := range list {
			if h.Date.Before(today) || len(all) == mostHolidays {
				continue
			}
			opened := slices.ContainsFunc(c.Exceptions, func(e frontdesk.Exception) bool { return e.Covers(h.Date) && len(e.Openings) > 0 })
			all = append(all, holidayRow{h.Date.String(), v.day(h.Date), cmp.Or(v.lang.HolidayName(h.Name), h.Name), opened})
		}
	}
	return all
}

func newExceptionRow(v *visit, e frontdesk.Exception) exceptionRow {
	row := exceptionRow{When: v.day(e.From), Reason: e.Reason, From: e.From.String(), To: e.To.String(), Openings: periodsText(e.Openings)}
	if last := e.To.AddDays(-1); last != e.From {
		row.When = v.say("block_days", "first", v.day(e.From), "last", v.day(last))
	}
	var shown []string
	for _, p := range e.Openings {
		shown = append(shown, clockOfMinute(v, p.From)+"–"+clockOfMinute(v, p.To))
	}
	row.Hours = strings.Join(shown, ", ")
	return row
}

// clockOfMinute is so many minutes after midnight as the language writes it.
func clockOfMinute(v *visit, minute int) string {
	return dates.WriteTimeIn(v.lang, dates.Clock{Hour: minute / 60 % 24, Minute: minute % 60})
}

// periodsText is how a form carries periods: "10:00-14:00 17:00-20:00".
func periodsText(all []frontdesk.Period) string {
	var text []string
	for _, p := range all {
		text = append(text, p.String())
	}
	return strings.Join(text, " ")
}

// readPeriods reads what periodsText writes.
func readPeriods(text string) (all []frontdesk.Period, ok bool) {
	for field := range strings.FieldsSeq(text) {
		from, to, found := strings.Cut(field, "-")
		begin, beginOK := readClock(from)
		end, endOK := readClock(to)
		if !found || !beginOK || !endOK {
			return nil, false
		}
		all = append(all, frontdesk.Period{From: begin, To: end})
	}
	return all, true
}

// readClock reads 17:30 as minutes after midnight; 24:00 is the end of a day.
func readClock(text string) (int, bool) {
	if text == "24:00" {
		return 24 * 60, true
	}
	at, err := time.Parse("15:04", text)
	return 60*at.Hour() + at.Minute(), err == nil
}

// exception is what a form asks for.
//
// Hours that were typed are meant, whatever else is chosen: to close on a day on
// which guests are expected is the worse mistake.
func (p daysPage) exception(v *visit) frontdesk.Exception {
	e := frontdesk.Exception{Reason: p.Reason}
	from, ok := frontdesk.ParseDate(p.From)
	to, toOK := from, true
	if p.To != "" {
		to, toOK = frontdesk.ParseDate(p.To)
	}
	switch {
	case !ok || from.Year < 2000 || from.Year > lastYear:
		p.Faults["from"] = v.say("agenda_fault_from")
	case !toOK || to.Before(from) || to.Year > lastYear:
		p.Faults["to"] = v.say("agenda_fault_to")
	}
	e.From, e.To = from, to.AddDays(1)
	var text []string
	for _, h := range p.Hours {
		if h[0] != "" || h[1] != "" {
			text = append(text, h[0]+"-"+h[1])
		}
	}
	if p.Closed && len(text) == 0 {
		return e
	}
	periods, ok := readPeriods(strings.Join(text, " "))
	if !ok || len(periods) == 0 {
		p.Faults["hours"] = v.say("agenda_fault_hours")
	}
	e.Openings = periods
	return e
}

// lastYear is the last in which a day can be set: a year of five figures cannot be
// read again.
const lastYear = 2199

// add sets days that are not as usual.
func (c daysScreen) add(v *visit, agent frontdesk.Agent) (answer, error) {
	p := newDaysPage(v, agent)
	e := p.exception(v)
	if len(p.Faults) > 0 {
		return v.render(http.StatusBadRequest, "agenda_days", p)
	}
	return c.write(v, agent, p, e)
}

// open opens the house on a public holiday as on any other day of the week.
func (c daysScreen) open(v *visit, agent frontdesk.Agent) (answer, error) {
	date, ok := frontdesk.ParseDate(v.field("date"))
	hours, err := opening.Of(agent)
	if err != nil {
		return answer{}, err
	}
	if !ok {
		return answer{}, frontdesk.InvalidParam("date", "That is no day.")
	}
	usual := hours.Week()[(int(date.Weekday())+6)%7]
	if len(usual) == 0 { // closed on that weekday anyway: say from when to when
		return v.redirect(v.base() + "agenda/days?" + url.Values{"from": {date.String()}, "kind": {"hours"}}.Encode()), nil
	}
	return c.write(v, agent, newDaysPage(v, agent), frontdesk.Exception{From: date, To: date.AddDays(1), Openings: usual, Reason: v.field("reason")})
}

func (c daysScreen) write(v *visit, agent frontdesk.Agent, p daysPage, e frontdesk.Exception) (answer, error) {
	_, err := c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		if slices.ContainsFunc(a.Settings.Calendar.Exceptions, func(o frontdesk.Exception) bool { return sameException(o, e) }) {
			return a, nil
		}
		a.Settings.Calendar.Exceptions = append(slices.Clone(a.Settings.Calendar.Exceptions), e)
		return a, checkCalendar(a)
	})
	if wrong := exchange.Domain(err); wrong != nil && wrong.Kind == frontdesk.Invalid {
		p.Faults["hours"] = v.say("agenda_fault_hours")
		return v.render(http.StatusBadRequest, "agenda_days", p)
	}
	if err != nil {
		return answer{}, err
	}
	row := newExceptionRow(v, e)
	address := "agenda/days?" + url.Values{"first": {row.From}, "end": {row.To}}.Encode()
	return v.done(v.base()+address, said{v.say("done_special", "when", row.When), "agenda/days/remove", row.fields()}), nil
}

func (r exceptionRow) fields() [][2]string {
	return [][2]string{{"from", r.From}, {"end", r.To}, {"openings", r.Openings}, {"reason", r.Reason}}
}

func sameException(a, b frontdesk.Exception) bool {
	return a.From == b.From && a.To == b.To && a.Reason == b.Reason && slices.Equal(a.Openings, b.Openings)
}

// readException is an exception as exceptionRow.fields has it.
func readException(v *visit) (e frontdesk.Exception, ok bool) {
	from, fromOK := frontdesk.ParseDate(v.field("from"))
	to, toOK := frontdesk.ParseDate(v.field("end"))
	periods, hoursOK := readPeriods(v.field("openings"))
	return frontdesk.Exception{From: from, To: to, Openings: periods, Reason: v.field("reason")}, fromOK && toOK && hoursOK
}

// remove makes days usual again.
func (c daysScreen) remove(v *visit, agent frontdesk.Agent) (answer, error) {
	e, ok := readException(v)
	if !ok {
		return answer{}, frontdesk.Missing("exception")
	}
	_, err := c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		at := slices.IndexFunc(a.Settings.Calendar.Exceptions, func(o frontdesk.Exception) bool { return sameException(o, e) })
		if at < 0 {
			return a, frontdesk.Missing("exception")
		}
		a.Settings.Calendar.Exceptions = slices.Delete(slices.Clone(a.Settings.Calendar.Exceptions), at, at+1)
		return a, nil
	})
	if err != nil {
		return answer{}, err
	}
	row := newExceptionRow(v, e)
	return v.done(v.base()+"agenda/days", said{v.say("done_usual", "when", row.When), "agenda/days/restore", row.fields()}), nil
}

// restore writes days back that were made usual again.
func (c daysScreen) restore(v *visit, agent frontdesk.Agent) (answer, error) {
	e, ok := readException(v)
	if !ok {
		return answer{}, frontdesk.Missing("exception")
	}
	return c.write(v, agent, newDaysPage(v, agent), e)
}

// setHolidays says whose public holidays the house keeps, or that it keeps none.
func (c daysScreen) setHolidays(v *visit, agent frontdesk.Agent) (answer, error) {
	region := v.field("region")
	if region != "" {
		if err := opening.CheckRegion(region); err != nil {
			return answer{}, err
		}
	}
	before := agent.Settings.Calendar.Holidays
	_, err := c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		before = a.Settings.Calendar.Holidays
		a.Settings.Calendar.Holidays = region
		return a, checkCalendar(a)
	})
	if err != nil {
		return answer{}, err
	}
	text := v.say("done_no_holidays")
	if region != "" {
		text = v.say("done_holidays", "region", regionName(v, region))
	}
	return v.done(v.base()+"agenda/days", said{text, "agenda/days/holidays", [][2]string{{"region", before}}}), nil
}

// insideDays lists the appointments of some days for which the house is not open
// any more.
func (c daysScreen) insideDays(v *visit, agent frontdesk.Agent, first, end dates.Date) (*insideRows, error) {
	when := newExceptionRow(v, frontdesk.Exception{From: first, To: end}).When
	return c.insideWhere(v, agent, when, first, end, func(f *floor, m dayMark) bool {
		return !f.hours.OpenAt(m.From)
	})
}
