package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// showEntry is the form of one entry of a list, or of a new one.
func (c businessScreen) showEntry(v *visit) (answer, error) {
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	section := v.http.PathValue("section")
	f, err := findForm(v, section, v.http.PathValue("entry"), "", b.edited)
	if err != nil {
		return answer{}, err
	}
	return v.page("business_form", c.newPage(v, b, section, f.shown(v)))
}

// remove takes an entry out of its list, and offers to put it back.
func (c businessScreen) remove(v *visit) (answer, error) {
	return c.rearrange(v, "removed_draft", func(entries []json.RawMessage, at int) []json.RawMessage {
		return slices.Delete(entries, at, at+1)
	})
}

// putBack puts an entry back that was taken out, where it stood.
func (c businessScreen) putBack(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	section, raw := v.http.PathValue("section"), json.RawMessage(v.raw("raw"))
	if !json.Valid(raw) {
		return answer{}, frontdesk.Missing("entry")
	}
	err := c.edit(v, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		list, err := listOf(a, section)
		if err != nil {
			return a, err
		}
		p, ok := readPlace(section, v.http.PathValue("entry"))
		heading := v.raw("group")
		if p.group = slices.IndexFunc(list.groups, func(g entryGroup) bool { return g.name == heading }); !ok || p.group < 0 {
			return a, frontdesk.Missing("entry")
		}
		g := &list.groups[p.group]
		g.entries = slices.Insert(slices.Clone(g.entries), min(max(0, p.index), len(g.entries)), raw)
		return list.put(a)
	})
	if err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"business/"+section, said{Text: v.say("back_draft", "name", entryName(raw))}), nil
}

// move puts an entry before the one above it, or behind the one below.
func (c businessScreen) move(v *visit) (answer, error) {
	return c.rearrange(v, "moved_draft", func(entries []json.RawMessage, at int) []json.RawMessage {
		to := at - 1
		if v.field("to") == "down" {
			to = at + 1
		}
		if to >= 0 && to < len(entries) {
			entries[at], entries[to] = entries[to], entries[at]
		}
		return entries
	})
}

// rearrange changes which entries a list has, and in which order.
func (c businessScreen) rearrange(v *visit, text string, change func([]json.RawMessage, int) []json.RawMessage) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	section, entry, key := v.http.PathValue("section"), v.http.PathValue("entry"), v.raw("key")
	var was rearrangement
	err := c.edit(v, func(a frontdesk.Agent) (changed frontdesk.Agent, err error) {
		changed, was, err = rearranged(a, section, entry, key, change)
		return changed, err
	})
	if errors.Is(err, errGone) {
		err = frontdesk.Missing("entry")
	}
	if err != nil {
		return answer{}, err
	}
	s := said{Text: v.say(text, "name", entryName(was.entry))}
	if was.gone {
		s.Action = "business/" + section + "/" + writePlace(section, was.place) + "/back"
		s.Fields = [][2]string{{"group", was.group}, {"raw", string(was.entry)}}
	}
	return v.done(v.base()+"business/"+section, s), nil
}

// rearrangement is what was done to an entry of a list.
type rearrangement struct {
	entry json.RawMessage
	group string // its heading
	place place
	gone  bool
}

func rearranged(a frontdesk.Agent, section, entry, key string, change func([]json.RawMessage, int) []json.RawMessage) (frontdesk.Agent, rearrangement, error) {
	list, err := listOf(a, section)
	if err != nil {
		return a, rearrangement{}, err
	}
	p, ok := readPlace(section, entry)
	if ok {
		p, ok = locate(list.groups, p, key, list.key)
	}
	if !ok {
		return a, rearrangement{}, errGone
	}
	g := &list.groups[p.group]
	was := rearrangement{entry: slices.Clone(g.entries[p.index]), group: g.name, place: p}
	before := len(g.entries)
	g.entries = change(slices.Clone(g.entries), p.index)
	was.gone = len(g.entries) < before
	changed, err := list.put(a)
	return changed, was, err
}

func entryName(entry json.RawMessage) string {
	members, err := frontdesk.ReadMembers(entry)
	if err != nil {
		return ""
	}
	for _, name := range []string{"name", "title", "do"} {
		if text := members.Text(name); text != "" {
			return text
		}
	}
	return ""
}

// agentList is a list of an agent, and how it is written back.
type agentList struct {
	groups []entryGroup
	key    func(json.RawMessage) string // tells one from the others
	put    func(frontdesk.Agent) (frontdesk.Agent, error)
}

// listOf is a list of an agent: of entries, rules or resources.
func listOf(a frontdesk.Agent, section string) (list *agentList, err error) {
	list = &agentList{key: frontdesk.EntryKey}
	switch {
	case section == "rules":
		list.groups, list.key = []entryGroup{{entries: rulesRaw(a)}}, ruleMark
		list.put = func(a frontdesk.Agent) (frontdesk.Agent, error) { return withRules(a, list.groups[0].entries) }
	case section == "people":
		list.groups, err = resourcesRaw(a)
		list.put = func(a frontdesk.Agent) (frontdesk.Agent, error) {
			return rebooked(a, frontdesk.Members{{Name: "resources", Value: entriesJSON(list.groups[0].entries)}})
		}
	case entryFields[section] != nil:
		list.groups, err = groupsOf(a, section)
		list.put = func(a frontdesk.Agent) (frontdesk.Agent, error) { return withGroups(a, section, list.groups) }
	default:
		err = frontdesk.Missing("page")
	}
	return list, err
}

// changeGroups adds a heading to a list, renames one, moves it or takes it away
// with all that stands under it.
func (c businessScreen) changeGroups(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	section := v.http.PathValue("section")
	if !grouped(section) {
		return answer{}, frontdesk.Missing("page")
	}
	err := c.edit(v, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		groups, err := groupsOf(a, section)
		if err != nil {
			return a, err
		}
		if groups, err = regrouped(groups, v.field("do"), v.raw("group"), v.field("name")); err != nil {
			return a, err
		}
		return withGroups(a, section, groups)
	})
	if err != nil {
		return answer{}, err
	}
	if v.htmx() {
		v.header.Set("HX-Redirect", v.base()+"business/"+section)
		return answer{status: http.StatusNoContent}, nil
	}
	return v.done(v.base()+"business/"+section, said{Text: v.say("saved_draft")}), nil
}

func regrouped(groups []entryGroup, do, group, name string) ([]entryGroup, error) {
	named := func(name string) int {
		return slices.IndexFunc(groups, func(g entryGroup) bool { return g.name == name })
	}
	at := named(group)
	if do != "add" && at < 0 {
		return nil, frontdesk.Missing("heading")
	}
	switch do {
	case "add", "rename":
		if name == "" || named(name) >= 0 && name != group {
			return nil, &frontdesk.Error{Kind: frontdesk.Invalid, Code: "heading_invalid", Param: "name", Message: "A heading needs a name that no other has."}
		}
		if do == "add" {
			return append(groups, entryGroup{name: name}), nil
		}
		groups[at].name = name
	case "remove":
		return slices.Delete(groups, at, at+1), nil
	case "up":
		if at > 0 {
			groups[at], groups[at-1] = groups[at-1], groups[at]
		}
	case "down":
		if at < len(groups)-1 {
			groups[at], groups[at+1] = groups[at+1], groups[at]
		}
	}
	return groups, nil
}
