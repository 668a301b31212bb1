package console

import (
	"cmp"
	"net/http"
	"strconv"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// editPage is where what is written down of a capture is corrected.
type editPage struct {
	ID        frontdesk.ID
	Visits    bool // it is an appointment
	Who       whoFields
	Service   string // the id of a service, or other words
	Services  []choice
	Resource  string
	Resources []choice
	Party     string
	Duration  string
	Seen      string
	Changed   bool              // somebody else has changed it meanwhile
	Was       map[string]string // what was written there when the form was made, by field
	Theirs    map[string]string // what somebody else has written meanwhile, by field
	Taken     *taken
	Faults    faults
}

func (c captureScreen) askToEdit(v *visit) (answer, error) {
	capture, agent, err := c.read(v)
	if err != nil {
		return answer{}, err
	}
	if capture.Status == frontdesk.Cancelled || capture.Status == frontdesk.NoShow {
		return v.redirect(v.base() + "captures/" + string(capture.ID)), nil
	}
	return v.page("capture_edit", newEditPage(v, capture, agent))
}

func newEditPage(v *visit, c frontdesk.Capture, agent frontdesk.Agent) editPage {
	p := editPage{
		ID: c.ID, Visits: c.Kind == frontdesk.Appointment, Who: whoFields{c.CustomerName, c.CustomerPhone, c.Visit.Email, c.Notes},
		Service: cmp.Or(c.Visit.ServiceID, c.Service), Resource: c.Visit.ResourceID, Party: numberText(c.Visit.Party), Duration: numberText(c.Visit.Duration),
		Seen: versionOf(c), Faults: faults{},
	}
	p.addChoices(v, agent)
	p.Was = map[string]string{}
	for name, text := range p.fields() {
		p.Was[name] = *text
	}
	return p
}

// fields are what can be filled in, by name.
func (p *editPage) fields() map[string]*string {
	all := map[string]*string{"name": &p.Who.Name, "phone": &p.Who.Phone, "email": &p.Who.Email, "notes": &p.Who.Notes}
	if p.Visits {
		all["service"], all["resource"], all["party"], all["duration"] = &p.Service, &p.Resource, &p.Party, &p.Duration
	}
	return all
}

// addChoices adds what can be chosen. A service that the house does not have, or
// no more, stays what it is.
func (p *editPage) addChoices(v *visit, agent frontdesk.Agent) {
	p.Services = choicesOfServices(v, bookable(agent), p.Service)
	chosen := p.Service == ""
	for _, s := range p.Services {
		chosen = chosen || s.Chosen
	}
	if !chosen {
		p.Services = append([]choice{{p.Service, p.Service, true}}, p.Services...)
	}
	p.Resources = resourceChoices(v, agent, p.Resource, v.say("nobody_special"))
}

func numberText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// edit writes what was changed, unless somebody else was faster: then both are
// shown.
func (c captureScreen) edit(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	before, agent, err := c.read(v)
	if err != nil {
		return answer{}, err
	}
	if v.field("seen") == "" { // no form of ours: what it leaves out is not meant to be emptied
		return answer{}, frontdesk.MissingParam("seen", "Open the appointment, and change it there.")
	}
	p := newEditPage(v, before, agent)
	current := p
	for name, text := range p.fields() {
		*text = v.field(name)
		p.Was[name] = v.field("was_" + name)
	}
	p.Who.Notes = frontdesk.TidyNotes(p.Who.Notes)
	p.addChoices(v, agent)
	if p.check(v); len(p.Faults) > 0 {
		p.Seen = v.field("seen")
		return v.render(http.StatusBadRequest, "capture_edit", p)
	}
	patch := p.patch(v, agent, current)
	patch.Unless, patch.Force, patch.Now = unlessSeen(v), v.field("force") != "", c.now()
	after, err := c.calendar.Change(v.Context(), v.book(agent), before.ID, patch)
	if err != nil {
		return c.refuseEdit(v, before, agent, p, err)
	}
	return v.done(v.back("captures/"+string(before.ID)), said{Text: v.say("done_changed") + c.toldOf(v, agent, before, after)}), nil
}

func (p editPage) check(v *visit) {
	p.Who.check(v, p.Faults)
	if !readsNumber(p.Party, mostParty) {
		p.Faults["party"] = v.say("agenda_fault_party")
	}
	if !readsNumber(p.Duration, mostDuration) {
		p.Faults["duration"] = v.say("agenda_fault_duration")
	}
}

// patch is what differs from what is written down.
func (p editPage) patch(v *visit, agent frontdesk.Agent, from editPage) (out calendar.Patch) {
	differs := func(now, before string) *string {
		if now == before {
			return nil
		}
		return &now
	}
	out.Name, out.Phone = differs(p.Who.Name, from.Who.Name), differs(p.Who.Phone, from.Who.Phone)
	out.Email, out.Notes = differs(p.Who.Email, from.Who.Email), differs(p.Who.Notes, from.Who.Notes)
	if p.Service != from.Service {
		if _, err := v.book(agent).Service(p.Service); err == nil && p.Service != "" {
			out.ServiceID = &p.Service
		} else {
			out.Service = &p.Service
		}
	}
	out.ResourceID = differs(p.Resource, from.Resource)
	if p.Party != from.Party {
		n, _ := strconv.Atoi(p.Party)
		out.Party = &n
	}
	if p.Duration != from.Duration {
		n, _ := strconv.Atoi(p.Duration)
		out.Duration = &n
	}
	return out
}

// refuseEdit shows the form as it was filled in, with what stands against it.
func (c captureScreen) refuseEdit(v *visit, capture frontdesk.Capture, agent frontdesk.Agent, p editPage, cause error) (answer, error) {
	e := exchange.Domain(cause)
	if e == nil {
		return answer{}, cause
	}
	switch {
	case e.Code == "version_mismatch":
		now, err := c.store.Capture(v.Context(), v.owner(), capture.ID)
		if err != nil {
			return answer{}, err
		}
		p.merge(v, newEditPage(v, now, agent))
		p.addChoices(v, agent)
	case e.Code == "slot_unavailable":
		w := v.book(agent).WishToMove(capture)
		w.Resource = p.Resource
		if s, err := v.book(agent).Service(p.Service); err == nil {
			w.Service = s
		}
		var err error
		if p.Taken, err = c.nearTo(v, agent, w, capture.ScheduledAt); err != nil {
			return answer{}, err
		}
	case e.Kind == frontdesk.Invalid:
		p.Faults[fieldOf(e.Param)] = faultWords(v, e)
		return v.render(http.StatusBadRequest, "capture_edit", p)
	default:
		return answer{}, cause
	}
	return v.render(http.StatusConflict, "capture_edit", p)
}

// merge lays the form over what somebody else has written meanwhile: what was not
// touched here becomes theirs, and where both wrote, theirs is shown beside it.
func (p *editPage) merge(v *visit, now editPage) {
	p.Changed, p.Seen, p.Theirs = true, now.Seen, map[string]string{}
	theirs := now.fields()
	for name, mine := range p.fields() {
		was := p.Was[name]
		if name == "notes" { // a form sends its lines with another ending
			was = frontdesk.TidyNotes(was)
		}
		if *theirs[name] != was && *theirs[name] != *mine {
			p.Theirs[name] = cmp.Or(shownAs(now, name, *theirs[name]), v.say("capture_nothing"))
		}
		if *mine == was {
			*mine = *theirs[name]
		}
		p.Was[name] = *theirs[name]
	}
}

// shownAs is the value of a field as somebody reads it.
func shownAs(p editPage, name, value string) string {
	switch name {
	case "service":
		return nameIn(p.Services, value)
	case "resource":
		return nameIn(p.Resources, value)
	}
	return value
}

// nameIn is the name of a value among choices.
func nameIn(all []choice, value string) string {
	for _, c := range all {
		if c.Value == value {
			return c.Name
		}
	}
	return value
}
