package console

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// longestDetail is how much is shown of one thing that was looked up.
const longestDetail = 500

// looked is something that the receptionist looked up or did.
type looked struct {
	Name    string
	Failed  bool
	Asked   []detail
	Found   []detail
	Sources []source
}

// detail is one thing that it was asked with, or that came of it.
type detail struct {
	Name, Value string
}

// source is a document that an answer was taken from.
type source struct {
	ID    frontdesk.ID // "": it is not known
	Title string
}

// teller says what an agent's receptionist did, in words.
type teller struct {
	v        *visit
	agent    frontdesk.Agent
	services map[string]string // names by id; made when they are needed
}

func newTeller(v *visit, agent frontdesk.Agent) *teller { return &teller{v: v, agent: agent} }

func (t *teller) looked(turn frontdesk.Turn) *looked {
	plain := strings.ReplaceAll(turn.Name, "_", " ")
	l := &looked{
		Name:  cmp.Or(t.v.say("did_"+turn.Name), t.v.say("did_other", "name", cmp.Or(plain, turn.Text, "?"))),
		Asked: t.details(turn.Arguments), Sources: sourcesOf(turn.Result["sources"]),
	}
	_, l.Failed = turn.Result["error"]
	found := maps.Clone(turn.Result)
	delete(found, "sources")
	l.Found = t.details(found)
	return l
}

// details are the members of an object, by the names that they are shown with.
func (t *teller) details(members map[string]any) []detail {
	var all []detail
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if text := t.value(key, members[key]); text != "" {
			name := cmp.Or(t.v.say("did_detail_"+key), upperFirst(strings.ReplaceAll(key, "_", " ")))
			all = append(all, detail{name, frontdesk.Clip(text, longestDetail)})
		}
	}
	return all
}

// value is a member's value as somebody reads it.
func (t *teller) value(key string, value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case bool:
		return t.v.say(map[bool]string{true: "did_yes", false: "did_no"}[value])
	case float64:
		text := strconv.FormatFloat(value, 'f', -1, 64)
		if strings.HasSuffix(key, "_pct") {
			text += " %"
		}
		return text
	case string:
		return t.text(key, value)
	case []any:
		all := make([]string, len(value))
		for i, one := range value {
			all[i] = t.value(key, one)
		}
		return strings.Join(all, ", ")
	case map[string]any:
		var all []string
		for _, d := range t.details(value) {
			all = append(all, d.Name+": "+d.Value)
		}
		return strings.Join(all, "; ")
	}
	return fmt.Sprint(value)
}

// text is a text of a member: ids by the names of what they mean, days and times
// as the page says them.
func (t *teller) text(key, text string) string {
	switch key {
	case "service":
		return cmp.Or(t.serviceNames()[text], text)
	case "resource_id":
		resource, _ := t.agent.Settings.Calendar.Resource(text)
		return cmp.Or(resource.Name, text)
	}
	if d, ok := frontdesk.ParseDate(text); ok {
		return t.v.day(d)
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return t.v.say("moment", "day", t.v.day(dates.DateOf(at)), "time", t.v.clock(at))
		}
	}
	return cmp.Or(t.v.say("did_value_"+text), topicTold(t.v, text))
}

func (t *teller) serviceNames() map[string]string {
	if t.services == nil {
		t.services = map[string]string{}
		for _, s := range catalogue.Read(t.agent).Services {
			t.services[s.ID] = s.Say(t.v.lang.Code)
		}
	}
	return t.services
}

// sourcesOf reads the documents that an answer names.
func sourcesOf(value any) []source {
	list, _ := value.([]any)
	var all []source
	for _, one := range list {
		members, _ := one.(map[string]any)
		title, _ := members["title"].(string)
		text, _ := members["document_id"].(string)
		if id, ok := frontdesk.ParseID(text); ok || title != "" {
			all = append(all, source{id, cmp.Or(title, text)})
		}
	}
	return all
}
