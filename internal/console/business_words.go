package console

import (
	"strconv"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// findForm is the form at an address. Of an entry that is not there any more it is
// the form of a new one, and errGone.
func findForm(v *visit, section, entry, key string, a frontdesk.Agent) (form, error) {
	switch {
	case entry == "" && textForms[section] != nil:
		return newTextForm(section, a), nil
	case entry == "" && section == "booking":
		return newBookingForm(a), nil
	case entry == "" && section == "hours":
		return newHoursForm(v, a), nil
	case entry != "" && section == "rules":
		return newRuleForm(v, entry, key, a)
	case entry != "" && section == "people":
		return newPersonForm(v, entry, key, a)
	case entry != "" && entryFields[section] != nil:
		return newEntryForm(v, section, entry, key, a)
	}
	return form{}, frontdesk.Missing("page")
}

// textField is a field of the configuration that is a text.
type textField struct {
	group string // "": it stands in none
	name  string
	kind  string
	at    func(*frontdesk.AgentConfig) *string
}

// textForms are the parts of a business that are texts.
var textForms = map[string][]textField{
	"about": {
		{"business", "name", "text", func(c *frontdesk.AgentConfig) *string { return &c.Business.Name }},
		{"business", "address", "text", func(c *frontdesk.AgentConfig) *string { return &c.Business.Address }},
		{"business", "phone", "text", func(c *frontdesk.AgentConfig) *string { return &c.Business.Phone }},
		{"business", "website", "text", func(c *frontdesk.AgentConfig) *string { return &c.Business.Website }},
		{"business", "hours_human", "area", func(c *frontdesk.AgentConfig) *string { return &c.Business.HoursHuman }},
		{"business", "zones_human", "area", func(c *frontdesk.AgentConfig) *string { return &c.Business.ZonesHuman }},
		{"business", "shipping_human", "area", func(c *frontdesk.AgentConfig) *string { return &c.Business.ShippingHuman }},
		{"business", "returns_human", "area", func(c *frontdesk.AgentConfig) *string { return &c.Business.ReturnsHuman }},
	},
	"receptionist": {
		{"assistant", "name", "text", func(c *frontdesk.AgentConfig) *string { return &c.Assistant.Name }},
		{"assistant", "greeting", "area", func(c *frontdesk.AgentConfig) *string { return &c.Assistant.Greeting }},
		{"voice", "es", "select", func(c *frontdesk.AgentConfig) *string { return &c.Voice.ES }},
		{"voice", "en", "select", func(c *frontdesk.AgentConfig) *string { return &c.Voice.EN }},
		{"", "prompt_extra", "area", func(c *frontdesk.AgentConfig) *string { return &c.PromptExtra }},
	},
	"texts": {
		{"", "specials", "area", func(c *frontdesk.AgentConfig) *string { return &c.Specials }},
		{"", "dietary", "area", func(c *frontdesk.AgentConfig) *string { return &c.Dietary }},
		{"", "policy", "area", func(c *frontdesk.AgentConfig) *string { return &c.Policy }},
	},
}

// path is how the API names the field.
func (t textField) path() string {
	if t.group == "" {
		return t.name
	}
	return t.group + "." + t.name
}

func newTextForm(section string, a frontdesk.Agent) form {
	f := form{section: section}
	for _, t := range textForms[section] {
		one := field{Name: t.path(), Path: t.path(), Kind: t.kind, Value: *t.at(&a.Config)}
		if t.group == "voice" {
			one.Options = voiceChoices(t.name, one.Value)
		}
		f.fields = append(f.fields, one)
	}
	f.apply = func(a frontdesk.Agent, changed map[string]string) (frontdesk.Agent, error) {
		var patch frontdesk.Members
		for _, t := range textForms[section] {
			value, touched := changed[t.path()]
			if !touched {
				continue
			}
			if t.group == "" {
				patch = patch.Set(t.name, quoted(value))
				continue
			}
			group, _ := patch.Get(t.group)
			members, err := frontdesk.ReadMembers(group)
			if err != nil {
				return a, err
			}
			patch = patch.Set(t.group, members.Set(t.name, quoted(value)).JSON())
		}
		return patched(a, patch)
	}
	return f
}

// voiceChoices are the voices of a language.
func voiceChoices(language, chosen string) []choice {
	all := []choice{}
	for _, voice := range frontdesk.Voices {
		if voice.Language == language {
			is := voice.ID == chosen || chosen == "" && voice.Recommended
			value := voice.ID
			if chosen == "" && voice.Recommended {
				value = "" // as it was left
			}
			all = append(all, choice{voice.Name, value, is})
		}
	}
	return all
}

// sample is what a voice is like, in words.
type sample struct{ Name, Text string }

// samples are those of all voices, in the language of the page.
func samples(v *visit) (all []sample) {
	for _, voice := range frontdesk.Voices {
		all = append(all, sample{voice.Name, v.say("voice_" + voice.ID)})
	}
	return all
}

// bookingFields are the settings of the book of hours that are numbers.
var bookingFields = []struct {
	name string
	at   func(frontdesk.Agent) int
}{
	{"slot_minutes", func(a frontdesk.Agent) int { return a.Settings.Calendar.SlotMinutes }},
	{"notice_minutes", func(a frontdesk.Agent) int { return int(a.Settings.MinimumNotice().Minutes()) }},
	{"horizon_days", func(a frontdesk.Agent) int { return int(a.Settings.BookingHorizon().Hours()) / 24 }},
	{"capacity", func(a frontdesk.Agent) int { return a.Settings.Capacity }},
	{"max_party", func(a frontdesk.Agent) int { return a.Settings.MaxParty }},
	{"per_customer_open", func(a frontdesk.Agent) int { return a.Settings.Calendar.OpenPerCustomer() }},
}

func newBookingForm(a frontdesk.Agent) form {
	f := form{section: "booking"}
	for _, one := range bookingFields {
		value := ""
		if n := one.at(a); n != 0 || one.name == "notice_minutes" {
			value = strconv.Itoa(n)
		}
		f.fields = append(f.fields, field{Name: one.name, Path: one.name, Kind: "number", Value: value})
	}
	f.apply = func(a frontdesk.Agent, changed map[string]string) (frontdesk.Agent, error) {
		var values frontdesk.Members
		for _, one := range bookingFields {
			text, touched := changed[one.name]
			if !touched {
				continue
			}
			number, err := wholeNumber(one.name, text)
			if err != nil {
				return a, err
			}
			values = values.Set(one.name, number)
		}
		return rebooked(a, values)
	}
	return f
}

// wholeNumber is a number as JSON; nothing is null.
func wholeNumber(param, text string) ([]byte, error) {
	if text == "" {
		return []byte("null"), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil, frontdesk.InvalidParam(param, "%s must be a whole number.", param)
	}
	return []byte(strconv.Itoa(n)), nil
}
