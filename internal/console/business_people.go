package console

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// resourcesRaw are the people, rooms and tables of an agent as the API has them.
func resourcesRaw(a frontdesk.Agent) ([]entryGroup, error) {
	text, err := json.Marshal(wire.Calendar(a))
	if err != nil {
		return nil, err
	}
	var book struct {
		Resources []json.RawMessage `json:"resources"`
	}
	err = json.Unmarshal(text, &book)
	return []entryGroup{{entries: book.Resources}}, err
}

func personRows(v *visit, a frontdesk.Agent) (rows []entryRow) {
	for i, r := range a.Settings.Calendar.Resources {
		what := []string{v.say("kind_of_" + r.Kind)}
		if r.Services == nil {
			what = append(what, v.say("does_everything"))
		} else {
			names := make([]string, len(r.Services))
			for k, id := range r.Services {
				names[k] = serviceName(a, id)
			}
			what = append(what, orText(strings.Join(names, ", "), v.say("does_nothing")))
		}
		if r.Seats > 0 {
			what = append(what, countText(v, "seats", r.Seats))
		}
		rows = append(rows, entryRow{Place: strconv.Itoa(i), Key: r.ID, Name: r.Name, What: strings.Join(what, " · ")})
	}
	return rows
}

// newPersonForm is the form of a person, a room or a table.
func newPersonForm(v *visit, entry, key string, a frontdesk.Agent) (form, error) {
	groups, err := resourcesRaw(a)
	if err != nil {
		return form{}, err
	}
	f := form{section: "people", entry: entry, key: key}
	resources := a.Settings.Calendar.Resources
	at, gone := place{group: -1}, false
	r := frontdesk.Resource{Kind: frontdesk.PersonKind}
	if entry != newPlace {
		p, ok := readPlace("people", entry)
		if ok {
			at, ok = locate(groups, p, key, frontdesk.EntryKey)
		}
		if !ok && key == "" {
			return form{}, frontdesk.Missing("resource")
		} else if !ok {
			at, gone, f.entry = place{group: -1}, true, newPlace
		} else {
			r = resources[at.index]
			f.key, f.title = r.ID, r.Name
		}
	}
	f.fields = personFields(v, a, r)
	f.apply = func(a frontdesk.Agent, changed map[string]string) (frontdesk.Agent, error) {
		return applyPerson(a, groups, at, f.fields, changed)
	}
	if gone {
		return f, errGone
	}
	return f, nil
}

func personFields(v *visit, a frontdesk.Agent, r frontdesk.Resource) []field {
	seats, all, own := "", "yes", "no"
	if r.Seats > 0 {
		seats = strconv.Itoa(r.Seats)
	}
	if r.Services != nil {
		all = "no"
	}
	week := weekOf(a)
	if r.Openings != nil {
		own, week = "yes", *r.Openings
	}
	var kinds, services []choice
	for _, kind := range frontdesk.ResourceKinds {
		kinds = append(kinds, choice{v.say("kind_of_" + kind), kind, kind == r.Kind})
	}
	for _, s := range serviceChoices(a) {
		services = append(services, choice{s.Name, s.Value, slices.Contains(r.Services, s.Value)})
	}
	fields := []field{
		{Name: "name", Path: "name", Kind: "text", Label: v.say("field_person_name"), Value: r.Name},
		{Name: "kind", Path: "kind", Kind: "select", Value: r.Kind, Options: kinds},
		{Name: "seats", Path: "seats", Kind: "number", Value: seats},
		{Name: "all", Path: "all", Kind: "check", Value: all},
		{Name: "services", Path: "services", Kind: "choices", Value: strings.Join(r.Services, "\n"), Options: services},
		{Name: "own", Path: "own", Kind: "check", Value: own},
	}
	return append(fields, dayFields(v, week)...)
}

// applyPerson is an agent with a person, a room or a table changed, or added.
func applyPerson(a frontdesk.Agent, groups []entryGroup, at place, fields []field, changed map[string]string) (frontdesk.Agent, error) {
	values := map[string]string{}
	for _, f := range fields {
		values[f.Name] = f.Value
		if value, touched := changed[f.Name]; touched {
			values[f.Name] = value
		}
	}
	var members frontdesk.Members
	var err error
	if at.group >= 0 {
		if members, err = frontdesk.ReadMembers(groups[0].entries[at.index]); err != nil {
			return a, err
		}
	} else {
		taken := []choice{}
		for _, r := range a.Settings.Calendar.Resources {
			taken = append(taken, choice{Value: r.ID})
		}
		members = members.Set("id", quoted(freeID(slugOf(values["name"]), taken)))
	}
	members = members.Set("name", quoted(values["name"])).Set("kind", quoted(values["kind"]))
	seats, err := wholeNumber("seats", values["seats"])
	if err != nil {
		return a, err
	}
	if string(seats) == "null" {
		seats = nil
	}
	members = members.Set("seats", seats)
	services, _ := json.Marshal(strings.FieldsFunc(values["services"], func(r rune) bool { return r == '\n' })) // of strings: it always can
	if values["all"] == "yes" {
		services = []byte("null")
	}
	week := []byte("null")
	if values["own"] == "yes" {
		week = weekJSON(mergedDays(fields, changed))
	}
	members = members.Set("services", services).Set("openings", week)
	return rebooked(a, frontdesk.Members{{Name: "resources", Value: entriesJSON(putEntry(groups, at, "", members.JSON())[0].entries)}})
}
