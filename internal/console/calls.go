package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

const (
	callsShown    = 30  // calls on a page
	longestSearch = 200 // characters
)

// callScreen is the calls of a place: the list of them, one of them, and how to
// put right what was wrong in it.
type callScreen struct{ *Console }

// callQuery is what the list is narrowed by, as the address and the form have it.
type callQuery struct {
	Search, Outcome, Channel, Language, From, To, Caller, Hours string

	After frontdesk.ID // the call before the first one shown; "": none
}

// callsPage is the list with the form that narrows it.
type callsPage struct {
	Query     callQuery
	Narrowed  int // by how many of the fields that are folded away
	Outcomes  []choice
	Channels  []choice
	Languages []choice
	Hours     []choice
	Found     live // with an address where it renews itself
}

// callsFound is the list itself.
type callsFound struct {
	Days     []callDay
	Query    callQuery
	Faults   []string // what cannot be looked for as it was typed
	Narrowed bool
	Older    string // address of the calls before these; "": there are none
	Newest   string // address of the first page; "": this is it
	Unended  bool   // nothing was found so far, and there is more to look through
	Export   string // address of all of them as a file
	Count    int    // of the calls that match; 0: it is not said
	More     bool   // there are more than these
}

// callDay is the calls of one day.
type callDay struct {
	Name  string
	Calls []callLine
}

// callLine is a call in the list.
type callLine struct {
	ID         frontdesk.ID
	Address    string
	Title      []piece
	Text       []piece // of the summary, where it has words that are looked for
	Clock      string
	Who        string
	Outcome    frontdesk.Outcome
	Channel    frontdesk.Channel
	Language   string
	Agent      string
	Urgent     bool
	Unanswered int
	Notes      []string
}

// afterHours narrows the list to calls that began while the business was closed.
const afterHours = "closed"

var callHours = []string{afterHours}

// list shows the calls, or the part of the page that has them.
func (c callScreen) list(v *visit) (answer, error) {
	q := readCallQuery(v)
	found, err := c.find(v, q)
	if err != nil {
		return answer{}, err
	}
	if v.htmx() && v.http.Header.Get("HX-History-Restore-Request") == "" {
		v.header.Set("HX-Push-Url", v.base()+q.address("calls"))
		return v.render(http.StatusOK, "calls_found_part", found)
	}
	return v.page("calls", callsPage{
		Query: q, Narrowed: q.folded(), Found: found,
		Outcomes:  choicesOf(v, "outcome_", frontdesk.Outcomes, q.Outcome),
		Channels:  choicesOf(v, "calls_channel_", frontdesk.Channels, q.Channel),
		Languages: choicesOf(v, "spoken_", frontdesk.Languages, q.Language),
		Hours:     choicesOf(v, "calls_hours_", callHours, q.Hours),
	})
}

// renew is the newest state of the first page.
func (c callScreen) renew(v *visit) (answer, error) {
	found, err := c.find(v, callQuery{})
	if err != nil {
		return answer{}, err
	}
	return v.renewed(found)
}

// choicesOf are the values of a field, in words.
func choicesOf[T ~string](v *visit, key string, all []T, chosen string) []choice {
	var choices []choice
	for _, one := range all {
		choices = append(choices, choice{v.say(key + string(one)), string(one), string(one) == chosen})
	}
	return choices
}

// readCallQuery reads the address. What it cannot ask for is left out.
func readCallQuery(v *visit) callQuery {
	q := callQuery{
		Search: typed(v, "search"), Caller: typed(v, "caller"), From: typed(v, "from"), To: typed(v, "to"),
		Outcome: oneOf(frontdesk.Outcomes, typed(v, "outcome")), Channel: oneOf(frontdesk.Channels, typed(v, "channel")),
		Language: oneOf(frontdesk.Languages, typed(v, "language")), Hours: oneOf(callHours, typed(v, "hours")),
	}
	q.After, _ = frontdesk.ParseID(v.field("after"))
	return q
}

// typed is a field of an address, which anybody can have written.
func typed(v *visit, name string) string {
	text := frontdesk.Clip(v.field(name), longestSearch)
	if !exchange.Storable(text) {
		return ""
	}
	return text
}

func oneOf[T ~string](all []T, text string) string {
	if !slices.Contains(all, T(text)) {
		return ""
	}
	return text
}

// folded counts the fields in use that are folded away on the page.
func (q callQuery) folded() (n int) {
	for _, text := range []string{q.Outcome, q.Channel, q.Language, q.From, q.To, q.Caller, q.Hours} {
		if text != "" {
			n++
		}
	}
	return n
}

// narrowed says whether the list is not of all calls.
func (q callQuery) narrowed() bool { return q.Search != "" || q.folded() > 0 }

// address is an address of the console that the query stands in, without the
// fields that are empty.
func (q callQuery) address(path string) string {
	values := url.Values{}
	for name, text := range map[string]string{
		"search": q.Search, "outcome": q.Outcome, "channel": q.Channel, "language": q.Language,
		"from": q.From, "to": q.To, "caller": q.Caller, "hours": q.Hours, "after": string(q.After),
	} {
		if text != "" {
			values.Set(name, text)
		}
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// filter is the query as the store is asked, and what is wrong with it.
func (q callQuery) filter(v *visit) (f frontdesk.CallFilter, faults []string) {
	f = frontdesk.CallFilter{
		Outcome: frontdesk.Outcome(q.Outcome), Channel: frontdesk.Channel(q.Channel), Language: q.Language, AgentID: v.agentID(), Search: q.Search,
	}
	if q.Search != "" && !frontdesk.HasWords(q.Search) {
		faults = append(faults, v.say("calls_fault_search"))
	}
	if q.Caller != "" {
		if f.Caller = frontdesk.International(q.Caller, v.zone.String()); f.Caller == "" {
			faults = append(faults, v.say("calls_fault_caller"))
		}
	}
	from, fine := frontdesk.ParseDate(q.From)
	to, alsoFine := frontdesk.ParseDate(q.To)
	switch {
	case q.From != "" && !fine, q.To != "" && !alsoFine:
		return f, append(faults, v.say("calls_fault_date"))
	case fine && alsoFine && to.Before(from):
		return f, append(faults, v.say("calls_fault_period"))
	}
	if fine {
		f.StartedFrom = from.In(v.zone)
	}
	if alsoFine {
		f.StartedTo = to.AddDays(1).In(v.zone)
	}
	return f, faults
}

// find makes the list that a query asks for. The newest calls of all renew
// themselves.
func (c callScreen) find(v *visit, q callQuery) (live, error) {
	data := callsFound{Query: q, Narrowed: q.narrowed()}
	filter, faults := q.filter(v)
	if data.Faults = faults; len(faults) == 0 {
		list, err := c.callsOf(v, q, filter, frontdesk.Page{Limit: callsShown, StartingAfter: q.After})
		if err != nil {
			return live{}, err
		}
		who, err := c.callersOf(v, list.Items)
		if err != nil {
			return live{}, err
		}
		data.show(v, list, who)
		if data.Narrowed && q.After == "" {
			data.Count, data.More = len(list.Items), list.More
		}
	}
	found, err := v.live("calls_found", "calls/now", data)
	if data.Narrowed || q.After != "" {
		found.Address = ""
	}
	return found, err
}

// callsOf are the calls of a query. Which were after hours is decided as Insights
// decides it, so that a number there is the length of the list here.
func (c callScreen) callsOf(v *visit, q callQuery, f frontdesk.CallFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Call], error) {
	if q.Hours == afterHours {
		return c.store.CallsAfterHours(v.Context(), v.owner(), f, p, v.agents)
	}
	return c.store.Calls(v.Context(), v.owner(), f, p)
}

// show puts calls into the list, by days.
func (f *callsFound) show(v *visit, list frontdesk.List[frontdesk.Call], who map[frontdesk.ID]caller) {
	wanted := wordsWanted(f.Query.Search)
	last := frontdesk.ID("")
	for _, call := range list.Items {
		day := dayName(v, dates.DateOf(call.StartedAt.In(v.zone)))
		if len(f.Days) == 0 || f.Days[len(f.Days)-1].Name != day {
			f.Days = append(f.Days, callDay{Name: day})
		}
		at := &f.Days[len(f.Days)-1]
		at.Calls = append(at.Calls, newCallLine(v, call, who[call.ID], f.Query, wanted))
		last = call.ID
	}
	q := f.Query
	q.After = ""
	f.Export = q.address("calls.csv")
	if f.Query.After != "" {
		f.Newest = q.address("calls")
	}
	if list.More {
		q.After = cmp.Or(list.Next, last)
		f.Older = q.address("calls")
		f.Unended = len(list.Items) == 0
	}
}

// dayName is a day in words: today and yesterday by name.
func dayName(v *visit, d dates.Date) string {
	switch today := dates.DateOf(v.now.In(v.zone)); d {
	case today:
		return upperFirst(v.say("today_word"))
	case today.AddDays(-1):
		return upperFirst(v.say("yesterday_word"))
	}
	return upperFirst(v.day(d))
}

func newCallLine(v *visit, call frontdesk.Call, k caller, q callQuery, wanted map[string]bool) callLine {
	q.After = ""
	line := callLine{
		ID: call.ID, Address: q.address("calls/" + string(call.ID)), Clock: v.clock(call.StartedAt.In(v.zone)),
		Who: cmp.Or(k.name, call.Caller), Outcome: k.outcome(call), Channel: call.Channel, Language: call.Language,
	}
	summary, err := wire.ReadSummary(call)
	if err != nil { // the call is shown all the same
		summary = frontdesk.Summary{}
	}
	line.Title = mark(cmp.Or(summary.Title, v.say("call_untitled")), wanted)
	line.Urgent, line.Unanswered, line.Notes = summary.Urgency == frontdesk.Urgent, len(summary.UnansweredQuestions), lines(summary.Notes)
	if text := mark(summary.Text, wanted); slices.ContainsFunc(text, func(p piece) bool { return p.Marked }) {
		line.Text = text
	}
	if v.agent == nil && len(v.agents) > 1 {
		line.Agent = agentName(v, call.AgentID)
	}
	return line
}

// upperFirst is a text that begins with a capital letter.
func upperFirst(text string) string {
	for i, r := range text {
		return strings.ToUpper(string(r)) + text[i+len(string(r)):]
	}
	return text
}
