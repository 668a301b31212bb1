package console

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// diffRow is one thing that differs, as people read it. "" is what is not there.
type diffRow struct {
	Label string
	From  string
	To    string
}

// explainChanges says what differs between two versions of an agent.
func explainChanges(v *visit, before, after frontdesk.Agent) (rows []diffRow) {
	tell, week := changeTeller{v: v, agent: after}, false
	for _, c := range wire.AgentChanges(before, after) {
		switch {
		case c.Path == "rules":
			rows = append(rows, explainRules(v, before, after)...)
		case strings.HasPrefix(c.Path, "calendar.openings"):
			if !week {
				rows, week = append(rows, explainWeek(v, before, after)...), true
			}
		default:
			rows = append(rows, tell.rows(c.Path, c.From, c.To)...)
		}
	}
	return rows
}

// isEntries says whether lists of entries differ.
func isEntries(path string, from, to any) bool {
	return strings.HasPrefix(path, "config.") && (isList(from) || isList(to)) || path == "calendar.resources" ||
		isSections(from) || isSections(to)
}

func isList(value any) bool {
	_, ok := value.([]any)
	return ok
}

// isSections says whether a value is a whole menu.
func isSections(value any) bool {
	sections, ok := value.(map[string]any)
	return ok && len(sections) > 0 && isList(slices.Collect(maps.Values(sections))[0])
}

// pathLabel is what people call a part of an agent.
func pathLabel(v *visit, path string) string {
	rest, _ := strings.CutPrefix(path, "config.")
	rest, _ = strings.CutPrefix(rest, "calendar.")
	first, name, deeper := strings.Cut(rest, ".")
	entry := ""
	if head, key, found := strings.Cut(rest, "["); found {
		first, entry = head, strings.TrimSuffix(key, "]")
		first, name, _ = strings.Cut(first, ".")
	}
	switch {
	case first == "openings" && deeper:
		day, err := strconv.Atoi(name)
		if names := weekdayNames(v); err == nil && day >= 0 && day < len(names) {
			return v.say("section_hours") + ": " + names[day]
		}
	case first == "resources":
		return joinLabel(v.say("section_people"), entry)
	}
	if label := v.say("field_" + strings.ReplaceAll(rest, ".", "_")); label != "" {
		return label
	}
	if label := v.say("section_" + first); label != "" {
		return joinLabel(label, name, entry)
	}
	return labelOf(v, rest)
}

func joinLabel(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// explainWeek tells days that differ one by one.
func explainWeek(v *visit, before, after frontdesk.Agent) (rows []diffRow) {
	a, b := weekOf(before), weekOf(after)
	for i, name := range weekdayNames(v) {
		if from, to := periodText(a[i]), periodText(b[i]); from != to {
			rows = append(rows, diffRow{v.say("section_hours") + ": " + name, orText(from, v.say("closed")), orText(to, v.say("closed"))})
		}
	}
	return rows
}

// explainRules tells which rules came and which went.
func explainRules(v *visit, before, after frontdesk.Agent) (rows []diffRow) {
	text := func(a frontdesk.Agent, r frontdesk.Rule) string {
		return whenText(v, r.When) + " → " + doText(v, a, r)
	}
	in := func(rules frontdesk.Rules, r frontdesk.Rule) bool {
		return slices.ContainsFunc(rules, func(o frontdesk.Rule) bool { return reflect.DeepEqual(o, r) })
	}
	for _, r := range before.Settings.Rules {
		if !in(after.Settings.Rules, r) {
			rows = append(rows, diffRow{v.say("section_rules"), text(before, r), ""})
		}
	}
	for _, r := range after.Settings.Rules {
		if !in(before.Settings.Rules, r) {
			rows = append(rows, diffRow{v.say("section_rules"), "", text(after, r)})
		}
	}
	if len(rows) == 0 {
		rows = append(rows, diffRow{v.say("section_rules"), "", v.say("other_order")})
	}
	return rows
}

// explainEntries tells which entries came, which went, and what differs in the
// others.
func explainEntries(v *visit, label string, from, to any) (rows []diffRow) {
	if isSections(from) || isSections(to) {
		a, _ := from.(map[string]any)
		b, _ := to.(map[string]any)
		names := slices.Sorted(maps.Keys(a))
		for name := range b {
			if a[name] == nil {
				names = append(names, name)
			}
		}
		for _, name := range names {
			rows = append(rows, explainEntries(v, joinLabel(label, name), a[name], b[name])...)
		}
		return rows
	}
	if reflect.DeepEqual(from, to) {
		return nil
	}
	a, orderA := byKey(from)
	b, orderB := byKey(to)
	for _, key := range orderA {
		if b[key] == nil {
			rows = append(rows, diffRow{label, entryText(v, a[key]), ""})
			continue
		}
		rows = append(rows, explainEntry(v, joinLabel(label, nameOfEntry(b[key])), a[key], b[key])...)
	}
	for _, key := range orderB {
		if a[key] == nil {
			rows = append(rows, diffRow{label, "", entryText(v, b[key])})
		}
	}
	switch {
	case len(rows) > 0:
	case from == nil: // a heading with nothing under it
		rows = append(rows, diffRow{label, "", v.say("heading_word")})
	case to == nil:
		rows = append(rows, diffRow{label, v.say("heading_word"), ""})
	default:
		rows = append(rows, diffRow{label, "", v.say("other_order")})
	}
	return rows
}

// explainEntry tells what differs between two forms of one entry.
func explainEntry(v *visit, label string, a, b map[string]any) (rows []diffRow) {
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if !reflect.DeepEqual(a[name], b[name]) {
			rows = append(rows, diffRow{joinLabel(label, labelOf(v, name)), valueText(v, a[name]), valueText(v, b[name])})
		}
	}
	return rows
}

// byKey are the entries of a list by what tells them apart, and their order.
func byKey(list any) (all map[string]map[string]any, order []string) {
	all = map[string]map[string]any{}
	entries, _ := list.([]any)
	for _, one := range entries {
		entry, ok := one.(map[string]any)
		if !ok {
			continue
		}
		text, err := json.Marshal(entry)
		if err != nil {
			continue // it came from JSON
		}
		key := frontdesk.EntryKey(text)
		for n := 2; all[key] != nil; n++ {
			key = frontdesk.EntryKey(text) + " " + strconv.Itoa(n)
		}
		all[key], order = entry, append(order, key)
	}
	return all, order
}

func nameOfEntry(entry map[string]any) string {
	for _, key := range []string{"name", "title", "id"} {
		if name, ok := entry[key].(string); ok && name != "" {
			return name
		}
	}
	return ""
}

// entryText is an entry in a few words.
func entryText(v *visit, entry map[string]any) string {
	return joinLabel(nameOfEntry(entry), valueText(v, entry["price"]))
}

// valueText is a value as people read it.
func valueText(v *visit, value any) string {
	switch x := value.(type) {
	case nil:
		return ""
	case string:
		if voice, ok := frontdesk.VoiceByID(x); ok {
			return voice.Name
		}
		return x
	case bool:
		if x {
			return v.say("yes_word")
		}
		return v.say("no_word")
	case float64:
		return decimal(v, strconv.FormatFloat(x, 'f', -1, 64))
	case map[string]any:
		if amount, ok := x["amount"]; ok && len(x) == 2 {
			return strings.TrimSpace(valueText(v, amount) + " " + valueText(v, x["currency"]))
		}
		return membersText(v, x)
	case []any:
		return listValueText(v, x)
	}
	return fmt.Sprint(value)
}

// listValueText is a list as people read it: of texts, or of periods.
func listValueText(v *visit, list []any) string {
	all := make([]string, len(list))
	for i, one := range list {
		if pair, ok := one.([]any); ok && len(pair) == 2 {
			all[i] = valueText(v, pair[0]) + "–" + valueText(v, pair[1])
			continue
		}
		all[i] = valueText(v, one)
	}
	return strings.Join(all, ", ")
}
