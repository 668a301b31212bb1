package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// AgentFile is an agent as an operator writes it in a file: what a customer may
// set, and what only the operator may.
type AgentFile struct {
	Slug        string          `json:"slug"`
	Vertical    string          `json:"vertical"`
	DisplayName string          `json:"display_name"`
	Status      string          `json:"status,omitzero"`
	Languages   []string        `json:"languages,omitzero"`
	Timezone    string          `json:"timezone,omitzero"`
	Currency    string          `json:"currency,omitzero"`
	Transfer    *string         `json:"transfer_number,omitzero"` // "": nobody
	Rules       json.RawMessage `json:"rules,omitzero"`
	Calendar    json.RawMessage `json:"calendar,omitzero"`
	Notices     json.RawMessage `json:"notices,omitzero"`
	Config      json.RawMessage `json:"config,omitzero"`
}

// AgentFileOf is an agent as a file that makes the same one again.
func AgentFileOf(a frontdesk.Agent) any {
	return struct {
		Slug        string      `json:"slug"`
		Vertical    string      `json:"vertical"`
		DisplayName string      `json:"display_name"`
		Status      string      `json:"status"`
		Languages   []string    `json:"languages"`
		Timezone    string      `json:"timezone"`
		Currency    string      `json:"currency,omitzero"`
		Transfer    string      `json:"transfer_number,omitzero"`
		Rules       []rule      `json:"rules"`
		Calendar    calendar    `json:"calendar"`
		Notices     any         `json:"notices,omitzero"`
		Config      agentConfig `json:"config"`
	}{
		a.Slug, a.Vertical, a.DisplayName, a.Status, a.Languages, a.Timezone, a.Settings.Currency, a.Settings.TransferNumber,
		rulesOf(a.Settings.Rules), calendarOf(a), noticesInFile(a.Settings.Notices), configOf(a.Config),
	}
}

// noticesInFile leaves out what tells nobody anything.
func noticesInFile(s frontdesk.NoticeSettings) any {
	if !s.Told() {
		return nil
	}
	return noticeSettingsOf(s)
}

// DecodeAgentFile reads an agent's file, in JSON.
func DecodeAgentFile(text []byte) (f AgentFile, err error) {
	if err = jsonv2.Unmarshal(text, &f, jsonv2.RejectUnknownMembers(true)); err != nil {
		return f, fmt.Errorf("reading an agent's file: %w", err)
	}
	return f, nil
}

// Agent is the agent that the file describes, with defaults for what it leaves
// out. It has no id and no tenant yet.
func (f AgentFile) Agent() (frontdesk.Agent, error) {
	a := frontdesk.Agent{
		Slug: f.Slug, Vertical: f.Vertical, DisplayName: f.DisplayName, Status: cmp.Or(f.Status, frontdesk.AgentActive),
		Languages: f.Languages, Timezone: cmp.Or(f.Timezone, "Europe/Madrid"),
	}
	var err error
	if a.Settings, err = f.Settings(a.Settings); err != nil {
		return a, err
	}
	if len(a.Languages) == 0 {
		a.Languages = frontdesk.Languages
	}
	if f.Config != nil {
		patch, err := DecodeAgentPatch(f.Config)
		if err != nil {
			return a, err
		}
		if err := patch.Check(); err != nil {
			return a, err
		}
		a.Config = patch.Apply(frontdesk.AgentConfig{})
	}
	if a, err = f.WithCalendar(a); err != nil {
		return a, err
	}
	return a, a.Check()
}

// WithCalendar is an agent with the book of hours that the file names, replaced
// whole; one that names none leaves it as it is.
func (f AgentFile) WithCalendar(a frontdesk.Agent) (frontdesk.Agent, error) {
	if f.Calendar == nil {
		return a, nil
	}
	changed, err := DecodeCalendar(f.Calendar, a)
	if known := (*frontdesk.Error)(nil); errors.As(err, &known) {
		moved := *known
		moved.Param = strings.TrimSuffix("calendar."+known.Param, ".")
		return a, &moved
	}
	return changed, err
}

// Settings are an agent's with those that the file names. A file that names no
// rules leaves them as they are; an empty list takes them away.
func (f AgentFile) Settings(s frontdesk.AgentSettings) (_ frontdesk.AgentSettings, err error) {
	s.Currency = cmp.Or(f.Currency, s.Currency)
	if f.Transfer != nil { // as it was written, where it is no number: Check names it
		s.TransferNumber = cmp.Or(frontdesk.E164(*f.Transfer), *f.Transfer)
	}
	if f.Rules != nil {
		if s.Rules, err = DecodeRules(f.Rules); err != nil {
			return s, err
		}
	}
	if f.Notices != nil {
		if s.Notices, err = DecodeNotices(f.Notices); err != nil {
			return s, err
		}
	}
	return s, s.Check()
}
