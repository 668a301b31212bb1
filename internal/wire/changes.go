package wire

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Change is one value that differs between two versions of an agent; nil is none.
type Change struct {
	Path string `json:"path"`
	From any    `json:"from"`
	To   any    `json:"to"`
}

// agentVersion is what of an agent has a history.
type agentVersion struct {
	DisplayName string      `json:"display_name"`
	Vertical    string      `json:"vertical"`
	Status      string      `json:"status"`
	Languages   []string    `json:"languages"`
	Timezone    string      `json:"timezone"`
	Currency    string      `json:"currency"`
	Config      agentConfig `json:"config"`
	Calendar    calendar    `json:"calendar"`
	Rules       []rule      `json:"rules"`

	Notices noticeSettings `json:"notices"`
}

func versionOf(a frontdesk.Agent) agentVersion {
	return agentVersion{
		DisplayName: a.DisplayName, Vertical: a.Vertical, Status: a.Status, Languages: a.Languages, Timezone: a.Timezone,
		Currency: a.Currency(), Config: configOf(a.Config), Calendar: calendarOf(a), Rules: rulesOf(a.Settings.Rules), Notices: noticeSettingsOf(a.Settings.Notices),
	}
}

// AgentChanges lists what differs between two versions of an agent: properties
// of objects one by one, lists and what is in them as a whole.
func AgentChanges(before, after frontdesk.Agent) []Change {
	all := []Change{}
	differences("", plain(versionOf(before)), plain(versionOf(after)), &all)
	return all
}

// AgentFields are AgentChanges as they stand in the history and in the audit log:
// texts as they are, and all else as JSON, cut where it is long.
func AgentFields(before, after frontdesk.Agent) []frontdesk.FieldChange {
	fields := []frontdesk.FieldChange{}
	for _, c := range AgentChanges(before, after) {
		fields = append(fields, frontdesk.FieldChange{Field: c.Path, From: fieldText(c.From), To: fieldText(c.To)})
	}
	return fields
}

func fieldText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return frontdesk.AuditText(v)
	}
	text, err := jsonv2.Marshal(value, jsonv2.Deterministic(true))
	if err != nil {
		return ""
	}
	return frontdesk.AuditText(string(text))
}

// plain is a value as JSON has it.
func plain(v any) any {
	text, err := jsonv2.Marshal(v)
	var out any
	if err != nil || json.Unmarshal(text, &out) != nil {
		return nil
	}
	return out
}

// mostChanges bounds how many changes are listed one by one.
const mostChanges = 200

func differences(path string, before, after any, all *[]Change) {
	if reflect.DeepEqual(before, after) || len(*all) >= mostChanges {
		return
	}
	a, ok := before.(map[string]any)
	b, ok2 := after.(map[string]any)
	if !ok || !ok2 || path == "config.hours" {
		*all = append(*all, Change{path, before, after})
		return
	}
	keys := slices.Sorted(maps.Keys(a))
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		at := key
		if path != "" {
			at = path + "." + key
		}
		differences(at, a[key], b[key], all)
	}
}

type revision struct {
	Revision  frontdesk.ID `json:"revision"`
	ChangedAt string       `json:"changed_at"`
	ChangedBy struct {
		Kind string `json:"kind"`
		Name string `json:"name"`
	} `json:"changed_by"`
	Fields   []string     `json:"fields"`
	Config   *agentConfig `json:"config,omitzero"`
	Calendar *calendar    `json:"calendar,omitzero"`
	Rules    *[]rule      `json:"rules,omitzero"`
}

func revisionOf(r frontdesk.Revision) revision {
	out := revision{Revision: r.ID, ChangedAt: Time(r.ChangedAt), Fields: r.Fields}
	out.ChangedBy.Kind, out.ChangedBy.Name = r.By.Kind, r.By.Name
	if out.Fields == nil {
		out.Fields = []string{}
	}
	return out
}

// RevisionList spells a page of an agent's history.
func RevisionList(l frontdesk.List[frontdesk.Revision]) []byte {
	id := func(r frontdesk.Revision) frontdesk.ID { return r.ID }
	return appendList(nil, l, id, func(b []byte, r frontdesk.Revision) []byte {
		text, err := jsonv2.Marshal(revisionOf(r), jsonv2.Deterministic(true))
		if err != nil {
			return append(b, "null"...) // of strings and lists of strings: it cannot fail
		}
		return append(b, text...)
	})
}

// RevisionEnvelope spells an agent as it was from a change on.
func RevisionEnvelope(r frontdesk.Revision, a frontdesk.Agent) any {
	a.Config, a.Settings = r.Config, r.Settings
	out := revisionOf(r)
	config, book, rules := configOf(a.Config), calendarOf(a), rulesOf(a.Settings.Rules)
	out.Config, out.Calendar, out.Rules = &config, &book, &rules
	return struct {
		Revision revision `json:"revision"`
	}{out}
}

// AgentPreview spells an agent as a change would leave it, and what it changes.
func AgentPreview(before, after frontdesk.Agent, live bool, now time.Time) any {
	return struct {
		Agent   agent    `json:"agent"`
		Changes []Change `json:"changes"`
	}{agentOf(after, live, now), AgentChanges(before, after)}
}
