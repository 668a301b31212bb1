package console

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// entryScreen is where the business writes an appointment into its book itself.
type entryScreen struct{ *Console }

// entryForm is the form of an appointment, as it was filled in so far.
type entryForm struct {
	Who       whoFields
	Service   string
	Services  []choice
	Resource  string
	Resources []choice
	Party     string
	Seats     bool
	Date      string
	Other     string
	Times     freeTimes
	Taken     *taken
	At        string // the time that was refused, in words in AtWords
	AtWords   string
	Faults    faults
}

// whoFields are those of a customer.
type whoFields struct{ Name, Phone, Email, Notes string }

// faults are what is wrong with a form, by field.
type faults map[string]string

func (c entryScreen) ask(v *visit) (answer, error) {
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	form, err := c.fill(v, agent)
	if err != nil {
		return answer{}, err
	}
	return v.page("agenda_new", form)
}

// times are those of the day that the form says, for what it says.
func (c entryScreen) times(v *visit) (answer, error) {
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	form, err := c.fill(v, agent)
	if err != nil {
		return answer{}, err
	}
	return v.page("agenda_new_times", form)
}

// fill is the form as the request says it, with the times that are free.
func (c entryScreen) fill(v *visit, agent frontdesk.Agent) (entryForm, error) {
	f := entryForm{
		Who:     whoFields{v.field("name"), v.field("phone"), v.field("email"), v.field("notes")},
		Service: v.field("service"), Resource: v.field("resource"), Party: v.field("party"), Date: v.field("date"), Other: v.field("other"),
		Seats:  agent.Trade().SeatsParties || slices.ContainsFunc(agent.Settings.Calendar.Resources, func(r frontdesk.Resource) bool { return r.Seats > 0 }),
		Faults: faults{},
	}
	services := bookable(agent)
	if f.Service == "" && len(services) == 1 {
		f.Service = services[0].ID
	}
	if f.Seats && f.Party == "" {
		f.Party = "2"
	}
	f.Services = choicesOfServices(v, services, f.Service)
	f.Resources = resourceChoices(v, agent, f.Resource, v.say("entry_anybody"))
	date, ok := frontdesk.ParseDate(f.Date)
	if !ok {
		date = dates.DateOf(v.now.In(v.zone))
		f.Date = date.String()
	}
	wish, err := wishOf(v, agent, f)
	if err != nil { // of a service or a person that is gone: nothing is free, and the form says so
		f.Times = freeTimes{Day: v.day(date), None: v.say("agenda_fault_gone")}
		return f, nil
	}
	at, chosen := readAt(v)
	if clock := v.field("time"); clock != "" && !chosen { // of the agenda
		at = frontdesk.LocalTime(date.String() + "T" + clock + ":00")
	}
	if f.Times, err = c.timesOn(v, agent, wish, date, at); err != nil {
		return f, err
	}
	offered := slices.ContainsFunc(f.Times.Times, func(t choice) bool { return t.Chosen })
	if clock := v.field("time"); clock != "" && !offered && f.Other == "" {
		f.Other = clock
	}
	return f, nil
}

// bookable are the services that an agent gives appointments for.
func bookable(agent frontdesk.Agent) []catalogue.Service {
	return slices.DeleteFunc(slices.Clone(catalogue.Read(agent).Services), func(s catalogue.Service) bool { return !s.Bookable })
}

func choicesOfServices(v *visit, services []catalogue.Service, chosen string) (all []choice) {
	for _, s := range services {
		all = append(all, choice{cmp.Or(s.Say(v.lang.Code), s.Name), s.ID, s.ID == chosen})
	}
	return all
}

// resourceChoices are who or what something can be with, and nobody in particular
// first.
func resourceChoices(v *visit, agent frontdesk.Agent, chosen, nobody string) (all []choice) {
	for _, r := range agent.Settings.Calendar.Resources {
		all = append(all, choice{r.Name, r.ID, r.ID == chosen})
	}
	if len(all) > 0 {
		all = append([]choice{{nobody, "", chosen == ""}}, all...)
	}
	return all
}

// wishOf is what a form asks for.
func wishOf(v *visit, agent frontdesk.Agent, f entryForm) (w calendar.Wish, err error) {
	w = calendar.Wish{Resource: f.Resource, Business: true}
	if _, known := agent.Settings.Calendar.Resource(f.Resource); f.Resource != "" && !known {
		return w, frontdesk.InvalidParam("resource", "There is no such resource.")
	}
	w.Party, _ = strconv.Atoi(f.Party)
	w.Service, err = v.book(agent).Service(f.Service)
	return w, err
}

// add writes the appointment, or shows what stands against it.
func (c entryScreen) add(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	form, err := c.fill(v, agent)
	if err != nil {
		return answer{}, err
	}
	if v.field("look") != "" {
		return v.page("agenda_new", form)
	}
	at, ok := readAt(v)
	form.check(v)
	if !ok {
		form.Faults["at"] = v.say("agenda_fault_at")
	}
	if len(form.Faults) > 0 {
		return v.render(http.StatusBadRequest, "agenda_new", form)
	}
	form.At, form.AtWords = string(at), localMoment(v, at)
	party, _ := strconv.Atoi(form.Party)
	capture, err := c.calendar.Enter(v.Context(), v.book(agent), calendar.Entry{
		Kind: frontdesk.Appointment, ScheduledAt: at, ServiceID: form.Service, ResourceID: form.Resource, Party: party,
		Name: form.Who.Name, Phone: form.Who.Phone, Email: form.Who.Email, Notes: form.Who.Notes,
		Status: frontdesk.Confirmed, Source: frontdesk.FromConsole, Force: v.field("force") != "", Now: c.now(),
	})
	if err != nil {
		return c.refuse(v, agent, form, at, err)
	}
	return v.done(v.base()+agendaQuery{date: openDay(agent, at)}.address(), said{
		v.say("done_added", "who", capture.CustomerName, "when", localMoment(v, at)) + "." + c.toldOf(v, agent, frontdesk.Capture{}, capture), "captures/" + string(capture.ID) + "/status",
		[][2]string{{"status", string(frontdesk.Cancelled)}, {"back", agendaQuery{date: openDay(agent, at)}.address()}},
	}), nil
}

// refuse shows the form again, with what stands against it where that is.
func (c entryScreen) refuse(v *visit, agent frontdesk.Agent, form entryForm, at frontdesk.LocalTime, err error) (answer, error) {
	e := exchange.Domain(err)
	switch {
	case e == nil:
		return answer{}, err
	case e.Code == "slot_unavailable":
		wish, err := wishOf(v, agent, form)
		if err != nil {
			return answer{}, err
		}
		form.Other = ""
		if form.Taken, err = c.nearTo(v, agent, wish, at); err != nil {
			return answer{}, err
		}
		return v.render(http.StatusConflict, "agenda_new", form)
	case e.Kind == frontdesk.Invalid:
		form.Faults[fieldOf(e.Param)] = faultWords(v, e)
		return v.render(http.StatusBadRequest, "agenda_new", form)
	}
	return answer{}, err
}

// fieldOf is the field of a form that a parameter stands in.
func fieldOf(param string) string {
	switch param {
	case "scheduled_at":
		return "at"
	case "service_id":
		return "service"
	case "resource_id":
		return "resource"
	}
	return param
}

// faultWords say what is wrong with a field.
func faultWords(v *visit, e *frontdesk.Error) string {
	return cmp.Or(v.say("agenda_fault_"+fieldOf(e.Param)), v.explain(e))
}

// check holds the form to what the API holds its callers to.
func (f entryForm) check(v *visit) {
	f.Who.check(v, f.Faults)
	if f.Who.Name == "" {
		f.Faults["name"] = v.say("agenda_fault_name")
	}
	if !readsNumber(f.Party, mostParty) {
		f.Faults["party"] = v.say("agenda_fault_party")
	}
}

// The bounds of a capture's fields, as the API's description has them.
const (
	mostParty    = 1000
	mostDuration = 24 * 60
	mostName     = 200
	mostPhone    = 50
	mostEmail    = 254
)

func (w whoFields) check(v *visit, found faults) {
	for _, field := range []struct {
		name, text string
		most       int
	}{
		{"name", w.Name, mostName}, {"phone", w.Phone, mostPhone}, {"email", w.Email, mostEmail}, {"notes", w.Notes, frontdesk.MaxNotes},
	} {
		if utf8.RuneCountInString(field.text) > field.most {
			found[field.name] = v.say("agenda_fault_long", "n", strconv.Itoa(field.most))
		}
	}
}

// readsNumber says whether a text is nothing, or a number from 1 up to most.
func readsNumber(text string, most int) bool {
	if text == "" {
		return true
	}
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1 && n <= most
}

// dateOf is the date of a local time.
func dateOf(at frontdesk.LocalTime) dates.Date {
	d, _ := frontdesk.ParseDate(string(at)[:min(len(at), len("2006-01-02"))])
	return d
}
