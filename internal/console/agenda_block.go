package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// blockScreen is where time is kept free: for the whole house, or for one person
// or room.
type blockScreen struct{ *Console }

// blockPage is the form, and what is kept free from now on.
type blockPage struct {
	Resource  string
	Resources []choice
	FromDate  string
	FromTime  string
	ToDate    string
	ToTime    string
	AllDay    bool
	Reason    string
	Faults    faults
	Closures  []closureRow
	Inside    *insideRows
	Test      bool
}

// closureRow is a time that is kept free.
type closureRow struct {
	When     string
	Who      string
	Reason   string
	From, To frontdesk.LocalTime
	Resource string
	Look     string // where the appointments in it are listed
}

// insideRows are the appointments in a time in which nobody is to come any more.
// Nothing becomes of them by itself.
type insideRows struct {
	When string
	Rows []dayRow
	More bool
}

const (
	mostInside = 50                // appointments that are listed
	mostLook   = calendar.MostDays // days that are looked at for them
)

// nobodyYet stands in the form until somebody says for whom time is blocked: the
// whole house is closed on purpose alone.
const nobodyYet = "?"

func (c blockScreen) ask(v *visit) (answer, error) {
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	p := newBlockPage(v, agent)
	if from, to := frontdesk.LocalTime(v.field("from")), frontdesk.LocalTime(v.field("to")); from != "" && to != "" {
		var err error
		if p.Inside, err = c.inside(v, agent, frontdesk.Closure{From: from, To: to, ResourceID: p.Resource}); err != nil {
			return answer{}, err
		}
	}
	return v.page("agenda_block", p)
}

func newBlockPage(v *visit, agent frontdesk.Agent) blockPage {
	p := blockPage{
		Resource: v.field("resource"), FromDate: v.field("from_date"), FromTime: v.field("from_time"), ToDate: v.field("to_date"), ToTime: v.field("to_time"),
		AllDay: v.field("all_day") == "yes", Reason: v.field("reason"), Faults: faults{}, Test: !v.mode.live,
	}
	p.Resources = resourceChoices(v, agent, p.Resource, v.say("block_house"))
	if asked := v.http.Method == post || v.http.URL.Query().Has("resource"); len(p.Resources) > 0 && (!asked || p.Resource == nobodyYet) {
		for i := range p.Resources {
			p.Resources[i].Chosen = false
		}
		p.Resources = slices.Insert(p.Resources, 0, choice{v.say("block_choose"), nobodyYet, true})
	}
	if _, ok := frontdesk.ParseDate(p.FromDate); !ok {
		p.FromDate = cmp.Or(v.field("date"), dates.DateOf(v.now.In(v.zone)).String())
	}
	p.ToDate = max(p.ToDate, p.FromDate) // who changes the first day and not the last means one day
	for _, cl := range agent.Settings.Calendar.Closures {
		if to, _ := cl.To.In(v.zone); to.After(v.now) {
			p.Closures = append(p.Closures, newClosureRow(v, agent, cl))
		}
	}
	slices.SortStableFunc(p.Closures, func(a, b closureRow) int { return cmp.Compare(a.From, b.From) })
	return p
}

func newClosureRow(v *visit, agent frontdesk.Agent, cl frontdesk.Closure) closureRow {
	row := closureRow{When: stretchWords(v, cl.From, cl.To), Who: v.say("block_house"), Reason: cl.Reason, From: cl.From, To: cl.To, Resource: cl.ResourceID}
	if r, known := agent.Settings.Calendar.Resource(cl.ResourceID); known {
		row.Who = r.Name
	}
	row.Look = lookAt(cl)
	return row
}

// lookAt is the address at which the appointments in a closure are listed.
func lookAt(cl frontdesk.Closure) string {
	return "agenda/block?" + url.Values{"from": {string(cl.From)}, "to": {string(cl.To)}, "resource": {cl.ResourceID}}.Encode()
}

// stretchWords are a time from one local time up to another, as short as it can
// be said.
func stretchWords(v *visit, from, to frontdesk.LocalTime) string {
	if isMidnight(from) && isMidnight(to) {
		first, last := dateOf(from), dateOf(to).AddDays(-1)
		if first == last {
			return v.day(first)
		}
		return v.say("block_days", "first", v.day(first), "last", v.day(last))
	}
	if dateOf(from) == dateOf(to) {
		return v.say("block_hours", "day", v.day(dateOf(from)), "from", v.clockOf(from), "to", v.clockOf(to))
	}
	return v.say("block_days", "first", localMoment(v, from), "last", localMoment(v, to))
}

func isMidnight(l frontdesk.LocalTime) bool {
	return len(l) == len(localLayout) && l[11:] == "00:00:00"
}

// closure is what a form asks to keep free.
func (p blockPage) closure(v *visit) frontdesk.Closure {
	cl := frontdesk.Closure{ResourceID: p.Resource, Reason: p.Reason}
	if v.field("from") != "" { // taken back: as it stood in the book
		cl.From, cl.To = frontdesk.LocalTime(v.field("from")), frontdesk.LocalTime(v.field("to"))
		return cl
	}
	if p.Resource == nobodyYet {
		p.Faults["resource"] = v.say("block_choose")
	}
	from, fromOK := frontdesk.ParseDate(p.FromDate)
	to, toOK := frontdesk.ParseDate(p.ToDate)
	fromTime, toTime := p.FromTime, p.ToTime
	if p.AllDay {
		fromTime, toTime, to = "00:00", "00:00", to.AddDays(1)
	}
	if !fromOK || fromTime == "" {
		p.Faults["from"] = v.say("agenda_fault_from")
	}
	if !toOK || toTime == "" {
		p.Faults["to"] = v.say("agenda_fault_from")
	}
	cl.From, cl.To = frontdesk.LocalTime(from.String()+"T"+fromTime+":00"), frontdesk.LocalTime(to.String()+"T"+toTime+":00")
	return cl
}

// changesHours serves a form that changes the hours of the place's agent. They are
// the same in both modes, so that they are changed where it counts: a rehearsal
// in test mode never closes a house.
func changesHours(handle func(*visit, frontdesk.Agent) (answer, error)) func(*visit) (answer, error) {
	return func(v *visit) (answer, error) {
		if !v.mode.live {
			return answer{}, &frontdesk.Error{Kind: frontdesk.Forbidden, Code: "hours_are_live", Message: "The hours are the same in test and live. Change them in live."}
		}
		if err := v.readForm(); err != nil {
			return answer{}, err
		}
		agent, elsewhere := v.oneAgent()
		if elsewhere != nil {
			return *elsewhere, nil
		}
		return handle(v, agent)
	}
}

// add keeps a time free, and shows who comes in it: nothing is cancelled by
// itself.
func (c blockScreen) add(v *visit, agent frontdesk.Agent) (answer, error) {
	p := newBlockPage(v, agent)
	cl := p.closure(v)
	if len(p.Faults) > 0 {
		return v.render(http.StatusBadRequest, "agenda_block", p)
	}
	_, err := c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		if slices.Contains(a.Settings.Calendar.Closures, cl) { // sent twice
			return a, nil
		}
		a.Settings.Calendar.Closures = append(slices.Clone(a.Settings.Calendar.Closures), cl)
		return a, checkCalendar(a)
	})
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.Invalid {
		p.Faults["to"] = cmp.Or(v.say("agenda_fault_to"), e.Message)
		return v.render(http.StatusBadRequest, "agenda_block", p)
	}
	if err != nil {
		return answer{}, err
	}
	return v.done(v.base()+lookAt(cl), said{v.say("done_blocked", "when", stretchWords(v, cl.From, cl.To)), "agenda/block/remove", closureFields(cl)}), nil
}

// checkCalendar holds a calendar to what the API holds it to.
func checkCalendar(a frontdesk.Agent) error {
	zone, err := frontdesk.LoadZone(a.Timezone)
	if err != nil {
		return err
	}
	if err := a.Settings.Calendar.Check(zone); err != nil {
		return err
	}
	return calendar.CheckServices(a)
}

func closureFields(cl frontdesk.Closure) [][2]string {
	return [][2]string{{"from", string(cl.From)}, {"to", string(cl.To)}, {"resource", cl.ResourceID}, {"reason", cl.Reason}}
}

// remove takes a time that was kept free back.
func (c blockScreen) remove(v *visit, agent frontdesk.Agent) (answer, error) {
	cl := frontdesk.Closure{From: frontdesk.LocalTime(v.field("from")), To: frontdesk.LocalTime(v.field("to")), ResourceID: v.field("resource"), Reason: v.field("reason")}
	_, err := c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		at := slices.Index(a.Settings.Calendar.Closures, cl)
		if at < 0 {
			return a, frontdesk.Missing("closure")
		}
		a.Settings.Calendar.Closures = slices.Delete(slices.Clone(a.Settings.Calendar.Closures), at, at+1)
		return a, nil
	})
	if err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"agenda/block", said{v.say("done_unblocked", "when", stretchWords(v, cl.From, cl.To)), "agenda/block", closureFields(cl)}), nil
}

// inside lists the appointments in a closure.
func (c *Console) inside(v *visit, agent frontdesk.Agent, cl frontdesk.Closure) (*insideRows, error) {
	from, _ := cl.From.In(v.zone)
	to, _ := cl.To.In(v.zone)
	span := opening.Span{From: from, To: to}
	first := dateOf(cl.From).AddDays(-1) // what begins in a night stands under the day before
	return c.insideWhere(v, agent, stretchWords(v, cl.From, cl.To), first, dateOf(cl.To).AddDays(1), func(f *floor, m dayMark) bool {
		return m.From.Before(span.To) && m.To.After(span.From) && (cl.ResourceID == "" || m.capture.Visit.ResourceID == cl.ResourceID)
	})
}

// insideWhere lists the appointments from a day up to another that meet a test and
// are still to come.
func (c *Console) insideWhere(v *visit, agent frontdesk.Agent, when string, first, end dates.Date, test func(*floor, dayMark) bool) (*insideRows, error) {
	if today := dates.DateOf(v.now.In(v.zone)).AddDays(-1); first.Before(today) {
		first = today
	}
	if latest := first.AddDays(mostLook); latest.Before(end) {
		end = latest
	}
	in := &insideRows{When: when}
	if !first.Before(end) {
		return in, nil
	}
	f, err := newFloor(v, agent, "")
	if err != nil {
		return nil, err
	}
	days, err := c.calendar.Agenda(v.Context(), v.book(agent), first, end, v.now)
	if err != nil {
		return nil, err
	}
	for _, day := range days {
		for _, m := range f.visits(calendar.Day{Day: day.Day, Captures: day.Captures}) {
			if m.To.Before(v.now) || !test(f, m) {
				continue
			}
			if len(in.Rows) == mostInside {
				in.More = true
				return in, nil
			}
			row := f.row(m)
			row.Clock = v.moment(m.From.In(v.zone).Truncate(time.Minute))
			in.Rows = append(in.Rows, row)
		}
	}
	return in, nil
}
