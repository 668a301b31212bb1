package console

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
	"frontdesk.dev/frontdesk/internal/wire"
)

// How far Today looks, and how much it shows of each thing.
const (
	confirmAhead  = 14                  // days in which an appointment that waits for a word is shown
	keepWishes    = 14 * 24 * time.Hour // how long a message that nobody has seen to is shown
	keepTransfers = 48 * time.Hour      // how long a caller who was not put through is shown
	holidaysAhead = 14                  // days in which a holiday that nobody has decided on is shown
	mostNeeds     = 30
	mostCalls     = 6
)

// todayScreen is what an owner sees first: what needs them, who comes, who
// called.
type todayScreen struct{ *Console }

// today is the page.
type today struct {
	Day        string
	Now        live
	Reception  reception
	CanSwitch  bool
	Everything bool     // all agents are shown
	Drafts     []choice // businesses with changes that are not published, for who can publish them
	Holiday    string   // one soon on which the book is open, because nobody has said whether it is; "": none
}

// reception is how one receptionist stands.
type reception struct {
	On     bool
	Draft  bool
	Open   bool
	Opens  string // when the house opens next, where it is closed
	Agents []receptionist
}

// receptionist is how one of several receptionists stands.
type receptionist struct {
	Name    string
	On      bool
	Address string
}

// todayNow is the part of Today that renews itself.
type todayNow struct {
	Needs  []need
	More   bool // there is more than is shown
	People []lane
	Next   string // the day on which they come, where it is not today
	Calls  callsSoFar
	Agents bool // of several agents: names are shown
}

// need is something that waits for somebody of the business.
type need struct {
	Kind   string // confirm, blocked, message, callback, lead, order, transfer
	ID     frontdesk.ID
	Call   frontdesk.ID // where it was said; "": in none
	Who    string
	Phone  string
	What   string
	When   string // of the appointment
	Asked  string // how long ago
	Party  int    // who come; 0: not said
	Notes  []string
	Urgent bool
	Missed bool // they were to be put through, and were not
	Agent  string
	Status frontdesk.CaptureStatus
	at     time.Time
}

// lane is who comes to one person, room or table today.
type lane struct {
	Name   string // "": nobody in particular, or nobody else
	Visits []visitRow
}

// visitRow is one appointment of today.
type visitRow struct {
	ID      frontdesk.ID
	Clock   string
	Who     string
	What    string
	Party   int
	Notes   string
	Agent   string
	Pending bool
	Past    bool
	Next    bool // the first that is still to come
	at      time.Time
}

// callsSoFar counts the calls of today, and lists the last ones.
type callsSoFar struct {
	Total    int // 0: Last are from before
	Outcomes []choice
	Last     []callRow
}

// callRow is a call in a list.
type callRow struct {
	ID      frontdesk.ID
	Title   string
	When    string
	Who     string
	Outcome frontdesk.Outcome
	Channel frontdesk.Channel
	Agent   string
	Urgent  bool
}

// enter sends somebody to Today.
func (c todayScreen) enter(v *visit) (answer, error) { return v.redirect(v.base() + "today"), nil }

func (c todayScreen) show(v *visit) (answer, error) {
	data, err := c.readToday(v)
	if err != nil {
		return answer{}, err
	}
	now, err := v.live("today_now", "today/now", data)
	if err != nil {
		return answer{}, err
	}
	drafts, err := c.draftsOf(v)
	if err != nil {
		return answer{}, err
	}
	return v.page("today", today{
		Drafts: drafts, Holiday: holidayAhead(v),
		Day: v.day(dates.DateOf(v.now.In(v.zone))), Now: now, Reception: receptionOf(v),
		CanSwitch: v.agent != nil && v.mode.live && owners.let(v.person.Role), Everything: v.agent == nil,
	})
}

// draftsOf are the businesses of the place with changes that wait to be published.
func (c todayScreen) draftsOf(v *visit) (all []choice, err error) {
	if !v.mode.live || !owners.let(v.person.Role) {
		return nil, nil
	}
	for _, agent := range shownAgents(v) {
		b, err := c.readDraft(v, agent)
		if err != nil {
			return nil, err
		}
		if len(explainChanges(v, b.agent, b.edited)) > 0 {
			all = append(all, choice{Name: agent.DisplayName, Value: v.place(agent.Slug) + "business/draft"})
		}
	}
	return all, nil
}

// holidayAhead is a public holiday soon on which the house takes appointments and has
// said nothing of holidays: it may not know that it has to.
func holidayAhead(v *visit) string {
	if v.agent == nil || !mayEdit(v) {
		return ""
	}
	hours, err := opening.Of(*v.agent)
	if err != nil || !hours.Known() || hours.KnowsHolidays() {
		return ""
	}
	today := dates.DateOf(v.now.In(v.zone))
	for d := today; d.Before(today.AddDays(holidaysAhead)); d = d.AddDays(1) {
		h, ok := opening.HolidayOn(frontdesk.CountryOf(v.agent.Timezone), d)
		covered := slices.ContainsFunc(v.agent.Settings.Calendar.Exceptions, func(e frontdesk.Exception) bool { return e.Covers(d) })
		if ok && !covered && len(hours.Day(d).Open) > 0 {
			return v.say("holiday_ahead", "day", v.day(d), "name", cmp.Or(v.lang.HolidayName(h.Name), h.Name))
		}
	}
	return ""
}

// renew is the newest state of what renews itself.
func (c todayScreen) renew(v *visit) (answer, error) {
	data, err := c.readToday(v)
	if err != nil {
		return answer{}, err
	}
	now, err := v.live("today_now", "today/now", data)
	if err != nil {
		return answer{}, err
	}
	return v.renewed(now)
}

// reception says how the place's receptionists stand.
func receptionOf(v *visit) (r reception) {
	if v.agent == nil {
		for _, a := range v.agents {
			r.Agents = append(r.Agents, receptionist{a.DisplayName, a.TakesCalls(v.mode.live), v.place(a.Slug) + "today"})
		}
		return r
	}
	r.On, r.Draft = v.agent.TakesCalls(v.mode.live), v.agent.Status == frontdesk.AgentDraft
	open, next := openNow(*v.agent, v.now)
	r.Open = open
	if !next.IsZero() {
		r.Opens = v.moment(next.In(v.zone))
	}
	return r
}

// switchReception turns the place's receptionist on or off.
func (c todayScreen) switchReception(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	if !v.mode.live {
		return answer{}, &frontdesk.Error{Kind: frontdesk.Forbidden, Code: "reception_is_live", Message: "The receptionist is the same in test and live. Switch it in live."}
	}
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	status, text := frontdesk.AgentActive, "reception_is_on"
	if v.field("on") != "yes" {
		status, text = frontdesk.AgentPaused, "reception_is_off"
	}
	_, err := c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		a.Status = status
		return a, nil
	})
	if err != nil {
		return answer{}, err
	}
	undo := "yes"
	if status == frontdesk.AgentActive {
		undo = "no"
	}
	return v.done(v.base()+"today", said{v.say(text), "today/reception", [][2]string{{"on", undo}}}), nil
}

func (c todayScreen) readToday(v *visit) (d todayNow, err error) {
	d.Agents = v.agent == nil && len(v.agents) > 1
	if err := c.addPeople(v, &d); err != nil {
		return d, err
	}
	if err := c.addWishes(v, &d); err != nil {
		return d, err
	}
	if err := c.addCalls(v, &d); err != nil {
		return d, err
	}
	slices.SortStableFunc(d.Needs, func(a, b need) int {
		if a.Urgent != b.Urgent {
			return map[bool]int{true: -1, false: 1}[a.Urgent]
		}
		return a.at.Compare(b.at)
	})
	if len(d.Needs) > mostNeeds {
		d.Needs, d.More = d.Needs[:mostNeeds], true
	}
	return d, nil
}

// shownAgents are the agents of the place.
func shownAgents(v *visit) []frontdesk.Agent {
	if v.agent != nil {
		return []frontdesk.Agent{*v.agent}
	}
	return v.agents
}

// daysAhead is what stands in an agent's book from today on.
type daysAhead struct {
	agent frontdesk.Agent
	days  []calendar.Day
}

// addPeople adds who comes today, or on the next day on which anybody does, and
// whom the business must still say yes to.
func (c todayScreen) addPeople(v *visit, d *todayNow) error {
	var all []daysAhead
	shown := confirmAhead
	for _, agent := range shownAgents(v) {
		zone, err := frontdesk.LoadZone(agent.Timezone)
		if err != nil {
			return err
		}
		from := dates.DateOf(v.now.In(zone))
		days, err := c.calendar.Agenda(v.Context(), v.book(agent), from, from.AddDays(confirmAhead), v.now)
		if err != nil {
			return err
		}
		all = append(all, daysAhead{agent, days})
		if at := slices.IndexFunc(days, func(day calendar.Day) bool { return len(day.Captures) > 0 }); at >= 0 {
			shown = min(shown, at)
		}
	}
	for _, a := range all {
		a.addUnconfirmed(v, d)
		if shown < len(a.days) {
			a.addLanes(v, d, a.days[shown].Captures)
		}
	}
	if shown > 0 && shown < confirmAhead {
		d.Next = v.day(all[0].days[shown].Date)
	}
	return nil
}

func (a daysAhead) addUnconfirmed(v *visit, d *todayNow) {
	for _, day := range a.days {
		for _, capture := range day.Captures {
			switch {
			case !capture.StartsAt().After(v.now):
			case capture.Status == frontdesk.PendingConfirm:
				d.Needs = append(d.Needs, toConfirm(v, capture, d.Agents))
			case capture.Status == frontdesk.Confirmed && a.blocks(capture):
				n := needOf(v, capture, d.Agents)
				n.Kind, n.at = "blocked", capture.StartsAt()
				d.Needs = append(d.Needs, n)
			}
		}
	}
}

// blocks says whether an appointment begins in a time that was blocked after it was
// given: somebody has to move it, or to call.
func (a daysAhead) blocks(capture frontdesk.Capture) bool {
	return slices.ContainsFunc(a.agent.Settings.Calendar.Closures, func(cl frontdesk.Closure) bool {
		return cl.From <= capture.ScheduledAt && capture.ScheduledAt < cl.To && (cl.ResourceID == "" || cl.ResourceID == capture.Visit.ResourceID)
	})
}

// addLanes adds who comes on one day. Of several agents, who is with nobody in
// particular stands under the agent's name.
func (a daysAhead) addLanes(v *visit, d *todayNow, captures []frontdesk.Capture) {
	lanes := map[string]*lane{}
	for _, capture := range captures {
		name := capture.Visit.Resource
		if name == "" && d.Agents {
			name = a.agent.DisplayName
		}
		if lanes[name] == nil {
			lanes[name] = &lane{Name: name}
		}
		row := newVisitRow(v, capture)
		if d.Agents && name != a.agent.DisplayName {
			row.Agent = a.agent.DisplayName
		}
		lanes[name].Visits = append(lanes[name].Visits, row)
	}
	for _, name := range slices.Sorted(maps.Keys(lanes)) {
		lanes[name].markNext()
		d.People = append(d.People, *lanes[name])
	}
}

// markNext marks the first visit that is still to come.
func (l *lane) markNext() {
	if at := slices.IndexFunc(l.Visits, func(r visitRow) bool { return !r.Past }); at >= 0 {
		l.Visits[at].Next = true
	}
}

func newVisitRow(v *visit, capture frontdesk.Capture) visitRow {
	at := capture.StartsAt()
	return visitRow{
		ID: capture.ID, Clock: v.clockOf(capture.ScheduledAt), Who: cmp.Or(capture.CustomerName, v.say("nameless")), What: nameOf(v, capture),
		Party: capture.Visit.Party, Notes: strings.Join(lines(capture.Notes), " · "), Pending: capture.Status == frontdesk.PendingConfirm, Past: at.Before(v.now), at: at,
	}
}

// toConfirm is an appointment that waits for the business's word.
func toConfirm(v *visit, capture frontdesk.Capture, several bool) need {
	n := needOf(v, capture, several)
	n.Kind, n.at = "confirm", capture.StartsAt()
	return n
}

func needOf(v *visit, capture frontdesk.Capture, several bool) need {
	n := need{
		Kind: capture.Kind, ID: capture.ID, Call: capture.CallID, Who: cmp.Or(capture.CustomerName, v.say("nameless")), Phone: capture.CustomerPhone,
		What: nameOf(v, capture), Asked: v.ago(capture.CreatedAt), Party: capture.Visit.Party, Notes: lines(capture.Notes), Urgent: capture.Urgency == frontdesk.Urgent,
		Status: capture.Status, at: capture.CreatedAt,
	}
	if capture.ScheduledAt != "" { // when they were promised something
		n.When = v.moment(capture.StartsAt().In(zoneOf(v, capture)))
	}
	if with := capture.Visit.Resource; with != "" {
		n.What += " · " + with
	}
	if several {
		n.Agent = agentName(v, capture.AgentID)
	}
	return n
}

// wishKinds are the captures that somebody has to see to, beside appointments.
var wishKinds = []string{frontdesk.Message, frontdesk.Callback, frontdesk.Lead, frontdesk.Order}

// addWishes adds what callers left that nobody has seen to.
func (c todayScreen) addWishes(v *visit, d *todayNow) error {
	for _, kind := range wishKinds {
		list, err := c.store.Captures(v.Context(), v.owner(), frontdesk.CaptureFilter{
			Status: frontdesk.PendingConfirm, Kind: kind, AgentID: v.agentID(), UpdatedFrom: v.now.Add(-keepWishes),
		}, frontdesk.Page{Limit: mostNeeds})
		if err != nil {
			return err
		}
		for _, capture := range list.Items {
			d.Needs = append(d.Needs, needOf(v, capture, d.Agents))
		}
		d.More = d.More || list.More
	}
	return nil
}

// addCalls adds today's calls, or the last ones where there are none yet, and the
// callers who were to be put through and were not.
func (c todayScreen) addCalls(v *visit, d *todayNow) error {
	morning := dates.DateOf(v.now.In(v.zone)).In(v.zone)
	list, err := c.store.Calls(v.Context(), v.owner(), frontdesk.CallFilter{AgentID: v.agentID(), StartedFrom: morning}, frontdesk.Page{Limit: frontdesk.MaxPageSize})
	if err != nil {
		return err
	}
	who, err := c.callersOf(v, list.Items)
	if err != nil {
		return err
	}
	outcomes := map[frontdesk.Outcome]int{}
	for i, call := range list.Items {
		outcomes[who[call.ID].outcome(call)]++
		if i < mostCalls {
			d.Calls.Last = append(d.Calls.Last, newCallRow(v, call, who[call.ID]))
		}
	}
	if d.Calls.Total = len(list.Items); d.Calls.Total == 0 {
		if d.Calls.Last, err = c.lastCalls(v); err != nil {
			return err
		}
	}
	for _, o := range append(slices.Clone(frontdesk.Outcomes), outcomeMissed, outcomeSeenTo) {
		if n := outcomes[o]; n > 0 {
			d.Calls.Outcomes = append(d.Calls.Outcomes, choice{Name: string(o), Value: v.figure(n)})
		}
	}
	return c.addTransfers(v, d)
}

// lastCalls are the newest calls, whenever they were.
func (c todayScreen) lastCalls(v *visit) (rows []callRow, err error) {
	list, err := c.store.Calls(v.Context(), v.owner(), frontdesk.CallFilter{AgentID: v.agentID()}, frontdesk.Page{Limit: mostCalls})
	if err != nil {
		return nil, err
	}
	who, err := c.callersOf(v, list.Items)
	if err != nil {
		return nil, err
	}
	for _, call := range list.Items {
		rows = append(rows, newCallRow(v, call, who[call.ID]))
	}
	return rows, nil
}

// addTransfers adds who was not put through and has not been seen to. Who left a
// message or a wish is among the needs by that.
func (c todayScreen) addTransfers(v *visit, d *todayNow) error {
	list, err := c.store.Calls(v.Context(), v.owner(), frontdesk.CallFilter{
		AgentID: v.agentID(), Outcome: frontdesk.Handoff, StartedFrom: v.now.Add(-keepTransfers),
	}, frontdesk.Page{Limit: frontdesk.MaxPageSize})
	if err != nil {
		return err
	}
	who, err := c.callersOf(v, list.Items)
	if err != nil {
		return err
	}
	for _, call := range list.Items {
		switch k := who[call.ID]; {
		case !k.missed:
		case k.wishes:
			for i := range d.Needs {
				d.Needs[i].Missed = d.Needs[i].Missed || d.Needs[i].Call == call.ID
			}
		case !k.done:
			d.Needs = append(d.Needs, missedTransfer(v, call, k, d.Agents))
		}
	}
	return nil
}

// missedTransfer is a caller whom somebody should call back.
func missedTransfer(v *visit, call frontdesk.Call, k caller, several bool) need {
	n := need{
		Kind: "transfer", Call: call.ID, Who: cmp.Or(k.name, call.Caller, v.say("nameless")), Phone: call.Caller,
		Asked: v.ago(call.StartedAt), at: call.StartedAt,
	}
	if summary, err := wire.ReadSummary(call); err == nil {
		n.What, n.Urgent = summary.Title, summary.Urgency == frontdesk.Urgent
		n.Notes = lines(frontdesk.Clip(summary.Text, longestDetail)) // a name that was only said stands there
	}
	if several {
		n.Agent = agentName(v, call.AgentID)
	}
	return n
}

func newCallRow(v *visit, call frontdesk.Call, k caller) callRow {
	row := callRow{
		ID: call.ID, When: v.ago(call.StartedAt), Who: cmp.Or(k.name, call.Caller), Outcome: k.outcome(call), Channel: call.Channel,
	}
	if summary, err := wire.ReadSummary(call); err == nil {
		row.Title, row.Urgent = summary.Title, summary.Urgency == frontdesk.Urgent
	}
	row.Title = cmp.Or(row.Title, v.say("call_untitled"))
	if v.agent == nil && len(v.agents) > 1 {
		row.Agent = agentName(v, call.AgentID)
	}
	return row
}
