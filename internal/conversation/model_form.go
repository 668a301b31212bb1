package conversation

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// form is what a model has filled in: a stranger's JSON. A field that is
// missing, of another type or too long is empty; fields that were not asked for
// are not looked at.
type form map[string]json.RawMessage

const (
	maxForm  = 64 << 10
	maxField = 200 // runes of one field
	maxMenu  = 60  // services that a model is told
)

func readForm(filled json.RawMessage) (f form, ok bool) {
	if len(filled) > maxForm || json.Unmarshal(filled, &f) != nil {
		return nil, false
	}
	return f, len(f) > 0
}

// text is a field of words, in one line.
func (f form) text(field string) string {
	var s string
	if json.Unmarshal(f[field], &s) != nil || utf8.RuneCountInString(s) > maxField {
		return ""
	}
	return hearing.OneLine(s)
}

// number is a field of a whole number; models put them in quotes at times.
func (f form) number(field string) int {
	n, err := strconv.Atoi(strings.Trim(string(f[field]), `"`))
	if err != nil {
		return 0
	}
	return n
}

// intents are those that exist, two at most.
func (f form) intents() (all []Intent) {
	var named []string
	if json.Unmarshal(f["intents"], &named) != nil {
		named = []string{f.text("intents")}
	}
	for _, name := range named {
		for _, i := range formIntents {
			if name == string(i) && len(all) < 2 {
				all = append(all, i)
			}
		}
	}
	return all
}

// formIntents are those that a model may hear. Abuse is not among them: for
// that a call is ended, on no word of a model's.
var formIntents = []Intent{
	Book, Reschedule, Cancel, LookUp, Ask, Leave, Order, Human, Thanks, Goodbye, Greet, Repeat, Meddle, Others, Restart,
}

// menuOf are the services that can be booked, each id once.
func menuOf(c *catalogue.Catalogue) (menu []catalogue.Service) {
	if c == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, s := range c.Services {
		if s.Bookable && !seen[s.ID] && s.ID != "" && utf8.RuneCountInString(s.ID) <= maxField && len(menu) < maxMenu {
			seen[s.ID] = true
			menu = append(menu, s)
		}
	}
	return menu
}

// formSchema is the form, as a JSON schema. What a model has to conclude from
// the caller's words comes with a field for those words.
func formSchema(menu []catalogue.Service) json.RawMessage {
	type object = map[string]any
	field := func(kind, description string) object { return object{"type": kind, "description": description} }
	choice := func(description string, values any) object {
		return object{"type": "string", "enum": values, "description": description}
	}
	fields := object{
		"language":   choice("Language of the last line.", []string{"es", "en"}),
		"intents":    object{"type": "array", "items": choice("", formIntents), "description": "What the caller wants, weightiest first."},
		"answer":     choice("Agrees to what was asked or offered, or refuses it.", []string{"yes", "no"}),
		"choice":     field("integer", "Which of those offered is meant, from 1."),
		"date":       field("string", "The day that is wanted, as YYYY-MM-DD."),
		"date_said":  field("string", "The words of the last line that say the day."),
		"time":       field("string", "The time that is wanted, as HH:MM of 24 hours."),
		"time_said":  field("string", "The words of the last line that say the time."),
		"party_size": field("integer", "How many people come."),
		"party_said": field("string", "The words of the last line that say how many."),
		"name":       field("string", "The caller's name."),
		"phone":      field("string", "The caller's telephone number."),
		"email":      field("string", "The caller's e-mail address."),
		"code":       field("string", "The confirmation code of an appointment."),
		"question":   field("string", "The words of the last line that ask something."),
	}
	if len(menu) > 0 {
		ids := make([]string, len(menu))
		for i, s := range menu {
			ids[i] = s.ID
		}
		fields["service"] = choice("Id of the service that is wanted.", ids)
		fields["service_said"] = field("string", "The words of the last line that say which service, or why it is needed.")
	}
	schema, err := json.Marshal(object{"type": "object", "properties": fields, "additionalProperties": false})
	if err != nil {
		panic(err) // strings alone
	}
	return schema
}
