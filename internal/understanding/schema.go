package understanding

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// goods are what a business has, as far as a model is told of it.
type goods struct {
	services []catalogue.Service // that can be booked, each id once
	items    []string            // names of dishes and products
}

const (
	mostServices = 60
	mostItems    = 120
	longestID    = 200 // runes
)

func goodsOf(c *catalogue.Catalogue) (g goods) {
	if c == nil {
		return g
	}
	seen := map[string]bool{}
	fits := func(id string, have, most int) bool {
		ok := id != "" && !seen[id] && utf8.RuneCountInString(id) <= longestID && have < most
		seen[id] = seen[id] || ok
		return ok
	}
	for _, s := range c.Services {
		if s.Bookable && fits(s.ID, len(g.services), mostServices) {
			g.services = append(g.services, s)
		}
	}
	clear(seen)
	for _, d := range c.Dishes {
		if fits(d.Name, len(g.items), mostItems) {
			g.items = append(g.items, d.Name)
		}
	}
	for _, p := range c.Products {
		if fits(p.Name, len(g.items), mostItems) {
			g.items = append(g.items, p.Name)
		}
	}
	return g
}

// tasks are what callers want done, by the words of the schema.
var tasks = map[string]hearing.Intent{"book": hearing.Book, "move": hearing.Reschedule, "cancel": hearing.Cancel, "look_up": hearing.LookUp, "order": hearing.Order}

var (
	taskNames  = []string{"book", "move", "cancel", "look_up", "order"}
	valueSlots = []hearing.Slot{hearing.SlotDate, hearing.SlotTime, hearing.SlotPartySize, hearing.SlotName, hearing.SlotPhone, hearing.SlotEmail, hearing.SlotCode}
	topics     = []hearing.Topic{
		hearing.Complaint, hearing.Refund, hearing.LostProperty, hearing.Invoice, hearing.RunningLate, hearing.OrderStatus, hearing.GroupEvent,
		hearing.Supplier, hearing.Job, hearing.Press, hearing.WrongNumber, hearing.Spam, hearing.Urgent, hearing.Callback, hearing.OtherTopic,
	}
	// bareVerbs come without anything else. Abuse is not among them: for that a
	// call is ended, on no word of a model's.
	bareVerbs = []hearing.Verb{
		hearing.DoYes, hearing.DoNo, hearing.DoRepeat, hearing.DoWait, hearing.DoBye, hearing.DoThanks, hearing.DoGreet, hearing.DoDrop, hearing.DoMeddle, hearing.DoOthers,
	}
)

type object = map[string]any

// commandSchema is the JSON schema of a list of commands. Every shape of a
// command says all of its fields, and no other can come.
func commandSchema(g goods) json.RawMessage {
	text := object{"type": "string", "description": "The words of the last line that say so, word for word."}
	word := object{"type": "string"}
	shapes := []object{
		shape("do", oneOf("start", "another"), "task", oneOf(taskNames...), "text", text),
		shape("do", oneOf("set", "exclude", "relate"), "slot", oneOf(valueSlots...), "value", word, "text", text),
		shape("do", oneOf("any", "unknown"), "slot", oneOf(append(slices.Clone(valueSlots), hearing.SlotService)...)),
		shape("do", oneOf("ask", "note", "person"), "text", text),
		shape("do", oneOf("message"), "topic", oneOf(topics...), "urgency", oneOf("normal", "urgent"), "text", text),
		shape("do", oneOf("choose"), "value", object{"type": "integer", "description": "Which of those offered, from 1; -1 is the last."}),
		shape("do", oneOf(bareVerbs...)),
	}
	if len(g.services) > 0 {
		ids := make([]string, len(g.services))
		for i, s := range g.services {
			ids[i] = s.ID
		}
		shapes = append(shapes, shape("do", oneOf("set", "exclude"), "slot", oneOf(hearing.SlotService), "value", oneOf(ids...), "text", text))
	}
	if len(g.items) > 0 {
		wish := object{"type": "string", "description": "Variant or wish, in the caller's words."}
		shapes = append(shapes, shape("do", oneOf("item"), "value", oneOf(g.items...), "quantity", object{"type": "integer"}, "text", wish))
	}
	schema, err := json.Marshal(closed(object{
		"language": oneOf("es", "en"),
		"commands": object{"type": "array", "items": object{"anyOf": shapes}},
	}))
	if err != nil {
		panic(err) // strings alone
	}
	return schema
}

// shape is an object of fields, which come as name and schema in turn.
func shape(fields ...any) object {
	all := object{}
	for i := 0; i+1 < len(fields); i += 2 {
		all[fields[i].(string)] = fields[i+1]
	}
	return closed(all)
}

// closed is an object that has these fields and no others.
func closed(fields object) object {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return object{"type": "object", "properties": fields, "required": names, "additionalProperties": false}
}

func oneOf[T ~string](values ...T) object { return object{"type": "string", "enum": values} }
