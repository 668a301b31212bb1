package console

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// changeTeller says in words what a change did, in the history of an agent and in
// the audit log alike.
type changeTeller struct {
	v     *visit
	agent frontdesk.Agent   // whose people and rooms are named; the zero Agent: those of all
	about frontdesk.Capture // that was changed; the zero Capture: it was none
}

// longestChange is how much of a value is shown.
const longestChange = 200

// rows are what differs between two values, as people read it.
func (t changeTeller) rows(path string, from, to any) []diffRow {
	label := pathLabel(t.v, path)
	switch {
	case path == "config.hours": // the openings tell it
		return nil
	case path == "calendar.openings":
		return t.week(from, to)
	case strings.HasPrefix(path, "calendar.openings."):
		return []diffRow{{label, t.periods(from), t.periods(to)}}
	case path == "rules":
		return []diffRow{{label, t.rules(from), t.rules(to)}}
	case isEntries(path, from, to):
		return explainEntries(t.v, label, from, to)
	case isList(from) || isList(to):
		gone, come := t.apart(path, from, to)
		if gone == "" && come == "" {
			come = t.v.say("other_order")
		}
		return []diffRow{{label, gone, come}}
	}
	row := diffRow{label, t.value(path, from), t.value(path, to)}
	if row.From == row.To { // it differs in what nobody reads
		row.From, row.To = "", t.v.say("change_other")
	}
	return []diffRow{row}
}

// week tells the days that differ one by one.
func (t changeTeller) week(from, to any) (rows []diffRow) {
	a, _ := from.(map[string]any)
	b, _ := to.(map[string]any)
	for i, name := range weekdayNames(t.v) {
		key := strconv.Itoa(i)
		if before, after := t.periods(a[key]), t.periods(b[key]); before != after {
			rows = append(rows, diffRow{t.v.say("section_hours") + ": " + name, before, after})
		}
	}
	return rows
}

// periods are the openings of a day: 9:00–14:00, 17:00–20:00.
func (t changeTeller) periods(value any) string {
	list, _ := value.([]any)
	if len(list) == 0 {
		return t.v.say("closed")
	}
	return listValueText(t.v, list)
}

func (t changeTeller) rules(value any) string {
	list, _ := value.([]any)
	if len(list) == 1 {
		return t.v.say("rules_count_one")
	}
	return t.v.say("rules_count", "n", t.v.figure(len(list)))
}

// apart is what went from a list and what came into it.
func (t changeTeller) apart(path string, from, to any) (gone, come string) {
	a, b := t.texts(path, from), t.texts(path, to)
	without := func(all, others []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(all), func(one string) bool { return slices.Contains(others, one) }), "; ")
	}
	return frontdesk.Clip(without(a, b), longestChange), frontdesk.Clip(without(b, a), longestChange)
}

func (t changeTeller) texts(path string, value any) (all []string) {
	list, _ := value.([]any)
	for _, one := range list {
		all = append(all, t.value(path, one))
	}
	return all
}

// value is a value of a field as people read it.
func (t changeTeller) value(path string, value any) string {
	key := path[strings.LastIndexAny(path, ".")+1:]
	switch x := value.(type) {
	case string:
		return frontdesk.Clip(t.text(key, x), longestChange)
	case map[string]any:
		if text := t.span(x); text != "" {
			return text
		}
	}
	return frontdesk.Clip(valueText(t.v, value), longestChange)
}

// span is a time that is blocked, or days that are special, with the reason.
func (t changeTeller) span(x map[string]any) string {
	from, _ := x["from"].(string)
	to, _ := x["to"].(string)
	if from == "" || to == "" {
		return ""
	}
	text := t.stretch(from, to)
	if id, _ := x["resource_id"].(string); id != "" {
		text += " · " + t.text("resource_id", id)
	}
	if _, special := x["openings"]; special {
		text += ": " + t.periods(x["openings"])
	}
	reason, _ := x["reason"].(string)
	return joinLabel(text, reason)
}

// stretch is a time from its beginning up to its end, which is not a part of it.
func (t changeTeller) stretch(from, to string) string {
	if _, days := frontdesk.ParseDate(from); days {
		from, to = from+"T00:00:00", to+"T00:00:00"
	}
	return stretchWords(t.v, frontdesk.LocalTime(from), frontdesk.LocalTime(to))
}

// text is a text of a field: codes in words, ids by the names of what they mean,
// times as the page says them.
func (t changeTeller) text(key, text string) string {
	if text == "" {
		return ""
	}
	v := t.v
	switch key {
	case "status":
		return t.status(text)
	case "role", "kind", "when", "holidays", "vertical":
		prefix := map[string]string{"role": "role_", "kind": "kind_", "when": "ch_", "holidays": "region_", "vertical": "trade_"}[key]
		return cmp.Or(v.say(prefix+strings.ToLower(strings.ReplaceAll(text, "-", "_"))), text)
	case "language", "languages":
		var all []string
		for code := range strings.SplitSeq(text, ", ") {
			all = append(all, cmp.Or(v.say("language_"+code), code))
		}
		return strings.Join(all, ", ")
	case "resource_id", "agent_id":
		return t.named(text)
	}
	return t.moment(text)
}

// status is a status in words: of the capture, or of whatever else has one.
func (t changeTeller) status(text string) string {
	kind := "status_"
	if t.about.ID != "" && t.about.Kind != frontdesk.Appointment {
		kind = "wish_"
	}
	return cmp.Or(t.v.say(kind+text), t.v.say("state_"+text), text)
}

// named is the name of a person, a room or an agent by its id.
func (t changeTeller) named(id string) string {
	for _, a := range append(slices.Clone(t.v.agents), t.agent) {
		if r, known := a.Settings.Calendar.Resource(id); known && r.Name != "" {
			return r.Name
		}
		if string(a.ID) == id {
			return a.DisplayName
		}
	}
	return id
}

// moment is a day or a time in words, where a text is one.
func (t changeTeller) moment(text string) string {
	if d, ok := frontdesk.ParseDate(text); ok {
		return t.v.day(d)
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return t.v.moment(at.In(t.v.zone))
	}
	for _, layout := range []string{localLayout, "2006-01-02T15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return localMoment(t.v, frontdesk.LocalTime(at.Format(localLayout)))
		}
	}
	return valueText(t.v, text)
}

// fieldValue is a value as the audit log keeps it: what is no text stands there as
// JSON, which may be cut. whole says whether all of it is there.
func fieldValue(text string) (value any, whole bool) {
	if text == "" {
		return nil, true
	}
	if text[0] != '[' && text[0] != '{' && text != "true" && text != "false" {
		return text, true
	}
	if json.Unmarshal([]byte(text), &value) != nil {
		return nil, false
	}
	return value, true
}

// field is what a field of an audit entry tells.
func (t changeTeller) field(f frontdesk.FieldChange) []diffRow {
	from, whole := fieldValue(f.From)
	to, alsoWhole := fieldValue(f.To)
	if !whole || !alsoWhole {
		return []diffRow{{pathLabel(t.v, f.Field), "", t.v.say("change_other")}}
	}
	return t.rows(f.Field, from, to)
}

// membersText are the members of an object in words.
func membersText(v *visit, members map[string]any) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if text := valueText(v, members[key]); text != "" {
			all = append(all, labelOf(v, key)+": "+text)
		}
	}
	return strings.Join(all, "; ")
}

// labelOf is what people call a field: as the form does, else as it can be read.
func labelOf(v *visit, name string) string {
	plain := strings.ReplaceAll(name, ".", "_")
	last := name[strings.LastIndexAny(name, ".")+1:]
	return cmp.Or(v.say("field_"+plain), v.say("audit_field_"+plain), v.say("audit_field_"+last), upperFirst(strings.ReplaceAll(last, "_", " ")))
}
