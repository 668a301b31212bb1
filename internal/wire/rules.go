package wire

import (
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"

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
		return nil, fmt.Errorf("reading rules: %w", err)
	}
	rules := make(frontdesk.Rules, len(in))
	for i, r := range in {
		rules[i] = frontdesk.Rule{When: frontdesk.RuleWhen(r.When), Do: r.Do, ServiceID: r.ServiceID, Say: r.Say}
	}
	return rules, nil
}
