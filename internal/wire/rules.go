package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// rule is read from files as well as written in answers.
type rule struct {
	When      ruleWhen          `json:"when"`
	Do        string            `json:"do"`
	ServiceID string            `json:"service_id,omitzero"`
	Say       map[string]string `json:"say,omitempty"`
}

type ruleWhen struct {
	Topic     string   `json:"topic,omitzero"`
	Words     []string `json:"words,omitempty"`
	PartyOver int      `json:"party_over,omitzero"`
	From      string   `json:"from,omitzero"`
	To        string   `json:"to,omitzero"`
	Days      []int    `json:"days,omitempty"`
}

func rulesOf(rules frontdesk.Rules) []rule {
	all := make([]rule, len(rules))
	for i, r := range rules {
		all[i] = rule{When: ruleWhen(r.When), Do: r.Do, ServiceID: r.ServiceID, Say: r.Say}
	}
	return all
}

// Rules spells an agent's rules as their file has them.
func Rules(rules frontdesk.Rules) any { return rulesOf(rules) }

// DecodeRules reads a list of rules, in JSON. What they say is not checked yet.
func DecodeRules(text []byte) (frontdesk.Rules, error) {
	var in []rule
	if err := jsonv2.Unmarshal(text, &in, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, rulesFault(err)
	}
	rules := make(frontdesk.Rules, len(in))
	for i, r := range in {
		rules[i] = frontdesk.Rule{When: frontdesk.RuleWhen(r.When), Do: r.Do, ServiceID: r.ServiceID, Say: r.Say}
	}
	return rules, nil
}

// rulesFault says in which rule a file is wrong.
func rulesFault(err error) error {
	var wrong *jsonv2.SemanticError
	if !errors.As(err, &wrong) {
		return fmt.Errorf("reading rules: %w", err)
	}
	place := "rules" + fieldPath(wrong.JSONPointer)
	if errors.Is(err, jsonv2.ErrUnknownName) {
		known := "when, do, service_id, say"
		if strings.Contains(place, ".when.") {
			known = "topic, words, party_over, from, to, days"
		}
		return &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_unknown", Param: place,
			Message: fmt.Sprintf("There is no %s; there are: %s.", place, known),
		}
	}
	return frontdesk.InvalidParam(place, "%s has the wrong type: it cannot be a JSON %s.", place, wrong.JSONKind)
}

// fieldPath is a JSON pointer as errors name it: resources[0].name. The first
// of its tokens is not preceded by a dot.
func fieldPath(p jsontext.Pointer) string {
	place := ""
	for token := range p.Tokens() {
		switch _, err := strconv.Atoi(token); {
		case err == nil:
			place += "[" + token + "]"
		case place == "":
			place = token
		default:
			place += "." + token
		}
	}
	return place
}
