package description

import (
	"encoding/json"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// AgentPatch reads either form of a change of an agent: the patch itself, or the
// patch as the only property, config.
func (d *Description) AgentPatch(body []byte) (frontdesk.AgentPatch, error) {
	var none frontdesk.AgentPatch
	value, err := exchange.ParseObject(body)
	if err != nil {
		return none, err
	}
	if err := checkProtected(value); err != nil {
		return none, err
	}
	if _, wrapped := value["config"]; !wrapped {
		return d.agentPatch(body, value)
	}
	if err := d.Check("AgentPatchWrapped", value); err != nil {
		return none, err
	}
	var wrapper struct {
		Config json.RawMessage `json:"config"`
	}
	if err := jsonv2.Unmarshal(body, &wrapper); err != nil {
		return none, fmt.Errorf("unwrapping an agent's configuration: %w", err)
	}
	inner, _ := value["config"].(map[string]any)
	patch, err := d.agentPatch(wrapper.Config, inner)
	if e := exchange.Domain(err); e != nil && e.Param != "" {
		within := *e
		within.Param = join("config", e.Param)
		return none, &within
	}
	return patch, err
}

// AgentConfig reads an agent's whole configuration, as JSON, by the same rules
// as a change of one.
func (d *Description) AgentConfig(config []byte) (frontdesk.AgentPatch, error) {
	value, err := exchange.ParseObject(config)
	if err != nil {
		return frontdesk.AgentPatch{}, err
	}
	return d.agentPatch(config, value)
}

// agentPatch reads an AgentPatch that has been parsed before.
func (d *Description) agentPatch(body []byte, value map[string]any) (frontdesk.AgentPatch, error) {
	if err := d.Check("AgentPatch", value); err != nil {
		return frontdesk.AgentPatch{}, err
	}
	patch, err := wire.DecodeAgentPatch(body)
	if err != nil {
		return patch, unreadable(err, value)
	}
	return patch, patch.Check()
}

// checkProtected looks for protected fields wherever the shape of a patch is
// fixed. The entries of services, menu, products and listings are the
// customer's own: a listing may well have a status.
func checkProtected(value map[string]any) error {
	if err := checkProtectedIn("", value); err != nil {
		return err
	}
	if config, ok := value["config"].(map[string]any); ok {
		return checkProtectedIn("config", config)
	}
	return nil
}

func checkProtectedIn(at string, patch map[string]any) error {
	if err := refuseProtected(at, patch); err != nil {
		return err
	}
	for _, name := range []string{"business", "assistant", "voice", "hours"} {
		if inner, ok := patch[name].(map[string]any); ok {
			if err := refuseProtected(join(at, name), inner); err != nil {
				return err
			}
		}
	}
	return nil
}

func refuseProtected(at string, fields map[string]any) error {
	var first string
	for name := range fields {
		if frontdesk.IsProtectedAgentField(name) && (first == "" || name < first) {
			first = name
		}
	}
	if first == "" {
		return nil
	}
	return frontdesk.ProtectedField(join(at, first))
}
