package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// agentEntry is one agent of a file, unread, and where it stands there.
type agentEntry struct {
	place string // agents[1]; "" when the file is this agent
	text  json.RawMessage
}

// splitAgents finds the agents of a file: the file itself, a list, or a list
// under "agents".
func splitAgents(text []byte) ([]agentEntry, error) {
	var list []json.RawMessage
	var fields map[string]json.RawMessage
	switch {
	case json.Unmarshal(text, &list) == nil && list != nil:
	case json.Unmarshal(text, &fields) != nil || fields == nil:
		return nil, refused("file_invalid", "", "the file must hold one agent, a list of agents, or a list under \"agents\"; docs/agents.md shows one")
	case fields["agents"] == nil:
		return []agentEntry{{text: text}}, nil
	case len(fields) > 1:
		return nil, refused("file_invalid", "agents", "beside \"agents\" nothing else can stand at the top of the file")
	case json.Unmarshal(fields["agents"], &list) != nil:
		return nil, refused("file_invalid", "agents", "\"agents\" must be a list of agents")
	}
	if len(list) == 0 {
		return nil, refused("file_invalid", "", "the file holds no agents")
	}
	entries := make([]agentEntry, len(list))
	for i, text := range list {
		entries[i] = agentEntry{place: fmt.Sprintf("agents[%d]", i), text: text}
	}
	return entries, nil
}

const agentFields = "slug, vertical, display_name, status, languages, timezone, currency, transfer_number, rules, calendar, notices, config"

// decode reads the entry; what is wrong with it is said without Go's words.
func (e agentEntry) decode() (wire.AgentFile, error) {
	file, err := wire.DecodeAgentFile(e.text)
	var wrong *jsonv2.SemanticError
	if !errors.As(err, &wrong) {
		return file, err
	}
	field := strings.ReplaceAll(strings.TrimPrefix(string(wrong.JSONPointer), "/"), "/", ".")
	if errors.Is(err, jsonv2.ErrUnknownName) {
		return file, &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_unknown", Param: field,
			Message: fmt.Sprintf("There is no field %q; there are: %s.", field, agentFields),
		}
	}
	if field == "" {
		return file, frontdesk.InvalidParam("", "An agent must be an object with the fields %s.", agentFields)
	}
	if field == "transfer_number" { // YAML takes +34600111222 for a number and drops the plus
		return file, frontdesk.InvalidParam(field, `transfer_number must be a text: write it in quotes, as "+34600111222".`)
	}
	return file, frontdesk.InvalidParam(field, "%s has the wrong type: it cannot be a JSON %s.", field, wrong.JSONKind)
}

// at says where in the file an error is.
func (e agentEntry) at(err error) error {
	var known *frontdesk.Error
	if e.place == "" {
		return err
	}
	if !errors.As(err, &known) {
		return fmt.Errorf("%s: %w", e.place, err)
	}
	moved := *known
	moved.Param = strings.TrimSuffix(e.place+"."+known.Param, ".")
	moved.Message = moved.Param + ": " + known.Message
	return &moved
}

// newAgent is the agent that a file or a command describes.
func newAgent(file wire.AgentFile) (frontdesk.Agent, error) {
	if _, err := readPatch(file); err != nil {
		return frontdesk.Agent{}, err
	}
	a, err := file.Agent()
	if err != nil {
		return a, err
	}
	return a, checkServices(a)
}

// checkServices refuses resources for services that the agent does not have.
func checkServices(a frontdesk.Agent) error {
	err := calendar.CheckServices(a)
	if known := (*frontdesk.Error)(nil); errors.As(err, &known) {
		moved := *known
		moved.Param = "calendar." + known.Param
		return &moved
	}
	return err
}

// changeBy is what a file does to an agent that exists: what it names is set,
// what it leaves out stays, and the configuration is merged as a PATCH does.
func changeBy(file wire.AgentFile) (func(frontdesk.Agent) (frontdesk.Agent, error), error) {
	patch, err := readPatch(file)
	if err != nil {
		return nil, err
	}
	return func(a frontdesk.Agent) (frontdesk.Agent, error) {
		set(&a.Vertical, file.Vertical)
		set(&a.DisplayName, file.DisplayName)
		set(&a.Status, file.Status)
		set(&a.Timezone, file.Timezone)
		if len(file.Languages) > 0 {
			a.Languages = file.Languages
		}
		if a.Settings, err = file.Settings(a.Settings); err != nil {
			return a, err
		}
		if a, err = file.WithCalendar(a.Patched(patch)); err != nil {
			return a, err
		}
		if err := checkServices(a); err != nil {
			return a, err
		}
		return a, a.Check()
	}, nil
}

func set(dst *string, given string) {
	if given != "" {
		*dst = given
	}
}

// readPatch reads the configuration in a file, held to the same rules as the
// API's PATCH.
func readPatch(file wire.AgentFile) (frontdesk.AgentPatch, error) {
	if file.Config == nil {
		return frontdesk.AgentPatch{}, nil
	}
	if !strings.HasPrefix(string(file.Config), "{") {
		return frontdesk.AgentPatch{}, frontdesk.InvalidParam("config", "config must be an object; docs/agents.md shows one.")
	}
	d, err := description.Load()
	if err != nil {
		return frontdesk.AgentPatch{}, err
	}
	patch, err := d.AgentConfig(file.Config)
	if err != nil {
		return frontdesk.AgentPatch{}, inConfig(err)
	}
	return patch, nil
}

// inConfig moves the place of an error under "config".
func inConfig(err error) error {
	var known *frontdesk.Error
	if !errors.As(err, &known) {
		return err
	}
	moved := *known
	moved.Param = strings.TrimSuffix("config."+known.Param, ".")
	return &moved
}
