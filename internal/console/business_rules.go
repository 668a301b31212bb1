package console

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/wire"
)

// rulesRaw are the rules of an agent as their file has them.
func rulesRaw(a frontdesk.Agent) (all []json.RawMessage) {
	text, err := json.Marshal(wire.Rules(a.Settings.Rules))
	if err != nil || json.Unmarshal(text, &all) != nil {
		return nil // of strings and numbers: it always can
	}
	return all
}

// withRules is an agent with other rules.
func withRules(a frontdesk.Agent, all []json.RawMessage) (frontdesk.Agent, error) {
	rules, err := wire.DecodeRules(entriesJSON(all))
	if err != nil {
		return a, err
	}
	a.Settings.Rules = rules
	return a, a.Settings.Check()
}

// ruleRows are the rules in words.
func ruleRows(v *visit, a frontdesk.Agent) (rows []entryRow) {
	raw := rulesRaw(a)
	for i, r := range a.Settings.Rules {
		row := entryRow{Place: strconv.Itoa(i), Key: ruleMark(raw[i]), Name: whenText(v, r.When), What: doText(v, a, r)}
		rows = append(rows, row)
	}
	return rows
}

// whenText is when a rule fits, in words.
func whenText(v *visit, w frontdesk.RuleWhen) string {
	var all []string
	if w.Topic != "" {
		all = append(all, v.say("rule_topic", "topic", topicName(v, w.Topic)))
	}
	if len(w.Words) > 0 {
		all = append(all, v.say("rule_words", "words", strings.Join(w.Words, ", ")))
	}
	if w.PartyOver > 0 {
		all = append(all, v.say("rule_party", "n", strconv.Itoa(w.PartyOver)))
	}
	if w.From != "" || w.To != "" {
		all = append(all, v.say("rule_hours", "from", orText(w.From, "00:00"), "to", orText(w.To, "24:00")))
	}
	if len(w.Days) > 0 {
		names := weekdayNames(v)
		var days []string
		for _, day := range w.Days {
			if day >= 0 && day < len(names) {
				days = append(days, names[day])
			}
		}
		all = append(all, v.say("rule_days", "days", strings.Join(days, ", ")))
	}
	if len(all) == 0 {
		return v.say("rule_always")
	}
	return capital(strings.Join(all, "; "))
}

func orText(s, standard string) string {
	if s == "" {
		return standard
	}
	return s
}

func topicName(v *visit, topic string) string {
	if text := v.say("rule_topic_" + topic); text != "" {
		return text
	}
	return topic
}

// doText is what a rule does, in words.
func doText(v *visit, a frontdesk.Agent, r frontdesk.Rule) string {
	text := v.say("rule_do_" + r.Do)
	if r.ServiceID != "" {
		text += ": " + serviceName(a, r.ServiceID)
	}
	if said := orText(r.Say[v.lang.Code], r.Say[a.Languages[0]]); said != "" {
		text += " · «" + said + "»"
	}
	return text
}

func serviceName(a frontdesk.Agent, id string) string {
	for _, s := range serviceChoices(a) {
		if s.Value == id {
			return s.Name
		}
	}
	return id
}

// ruleMark tells a rule from others: rules have no names.
func ruleMark(r json.RawMessage) string {
	sum := sha256.Sum256(r)
	return hex.EncodeToString(sum[:8])
}

// newRuleForm is the form of a rule.
func newRuleForm(v *visit, entry, key string, a frontdesk.Agent) (form, error) {
	f := form{section: "rules", entry: entry, key: key}
	rules, raw := slices.Clone(a.Settings.Rules), rulesRaw(a)
	at, gone := -1, false
	r := frontdesk.Rule{Do: frontdesk.DoMessage}
	if entry != newPlace {
		n, err := strconv.Atoi(entry)
		if err != nil {
			return form{}, frontdesk.Missing("rule")
		}
		if at = findRule(raw, n, key); at < 0 && key == "" {
			return form{}, frontdesk.Missing("rule")
		} else if at < 0 {
			gone, f.entry = true, newPlace
		} else {
			r, f.key, f.title = rules[at], ruleMark(raw[at]), whenText(v, rules[at].When)
		}
	}
	f.fields = ruleFields(v, a, r)
	f.apply = func(a frontdesk.Agent, changed map[string]string) (frontdesk.Agent, error) {
		after, err := changedRule(r, changed)
		if err != nil {
			return a, err
		}
		if at < 0 {
			rules = append(rules, after)
		} else {
			rules[at] = after
		}
		a.Settings.Rules = rules
		return a, a.Settings.Check()
	}
	if gone {
		return f, errGone
	}
	return f, nil
}

func findRule(raw []json.RawMessage, n int, key string) int {
	if n >= 0 && n < len(raw) && (key == "" || ruleMark(raw[n]) == key) {
		return n
	}
	return slices.IndexFunc(raw, func(r json.RawMessage) bool { return key != "" && ruleMark(r) == key })
}

func ruleFields(v *visit, a frontdesk.Agent, r frontdesk.Rule) []field {
	party, days := "", make([]string, len(r.When.Days))
	if r.When.PartyOver > 0 {
		party = strconv.Itoa(r.When.PartyOver)
	}
	for i, day := range r.When.Days {
		days[i] = strconv.Itoa(day)
	}
	all := []field{
		{Name: "when.words", Path: "when.words", Kind: "list", Value: strings.Join(r.When.Words, ", ")},
		{Name: "when.topic", Path: "when.topic", Kind: "select", Value: r.When.Topic, Options: topicChoices(v, r.When.Topic)},
		{Name: "when.party_over", Path: "when.party_over", Kind: "number", Value: party},
		{Name: "when.days", Path: "when.days", Kind: "choices", Value: strings.Join(days, "\n"), Options: dayChoices(v, r.When.Days)},
		{Name: "when.from", Path: "when.from", Kind: "time", Value: r.When.From},
		{Name: "when.to", Path: "when.to", Kind: "time", Value: r.When.To},
		{Name: "do", Path: "do", Kind: "select", Value: r.Do, Options: doChoices(v, r.Do)},
		{Name: "service_id", Path: "service_id", Kind: "select", Value: r.ServiceID, Options: bookChoices(v, a, r.ServiceID)},
	}
	for _, code := range a.Languages {
		all = append(all, field{Name: "say." + code, Path: "say." + code, Kind: "area", Value: r.Say[code]})
	}
	// The form's own "do" redraws a week: the rule's is called action there.
	all[6].Name = "action"
	return all
}

// ruleTopics are what calls are about that businesses make rules for.
var ruleTopics = []hearing.Topic{
	hearing.Complaint, hearing.Refund, hearing.LostProperty, hearing.Invoice, hearing.RunningLate, hearing.OrderStatus,
	hearing.GroupEvent, hearing.Supplier, hearing.Job, hearing.Press, hearing.Spam, hearing.Urgent, hearing.Callback,
}

func topicChoices(v *visit, chosen string) []choice {
	all := []choice{{v.say("topic_any"), "", chosen == ""}}
	known := false
	for _, topic := range ruleTopics {
		is := string(topic) == chosen
		all, known = append(all, choice{topicName(v, string(topic)), string(topic), is}), known || is
	}
	if chosen != "" && !known {
		all = append(all, choice{topicName(v, chosen), chosen, true})
	}
	return all
}

func dayChoices(v *visit, chosen []int) (all []choice) {
	for i, name := range weekdayNames(v) {
		all = append(all, choice{capital(name), strconv.Itoa(i), slices.Contains(chosen, i)})
	}
	return all
}

func doChoices(v *visit, chosen string) (all []choice) {
	for _, action := range frontdesk.RuleActions {
		all = append(all, choice{v.say("rule_do_" + action), action, action == chosen})
	}
	return all
}

func bookChoices(v *visit, a frontdesk.Agent, chosen string) []choice {
	all := []choice{{v.say("service_any"), "", chosen == ""}}
	for _, s := range serviceChoices(a) {
		all = append(all, choice{s.Name, s.Value, s.Value == chosen})
	}
	return all
}

// changedRule is a rule with what a form changes of it.
func changedRule(r frontdesk.Rule, changed map[string]string) (frontdesk.Rule, error) {
	texts := map[string]*string{"when.topic": &r.When.Topic, "when.from": &r.When.From, "when.to": &r.When.To, "action": &r.Do, "service_id": &r.ServiceID}
	said := map[string]string{}
	for code, text := range r.Say {
		said[code] = text
	}
	for name, value := range changed {
		code, says := strings.CutPrefix(name, "say.")
		switch {
		case texts[name] != nil:
			*texts[name] = value
		case says && value == "":
			delete(said, code)
		case says:
			said[code] = value
		case name == "when.words":
			r.When.Words = splitList(value)
		case name == "when.party_over":
			n, err := strconv.Atoi(orText(value, "0"))
			if err != nil {
				return r, frontdesk.InvalidParam("when.party_over", "party_over must be a whole number.")
			}
			r.When.PartyOver = n
		case name == "when.days":
			r.When.Days = nil
			for one := range strings.FieldsSeq(value) {
				day, err := strconv.Atoi(one)
				if err != nil {
					return r, fmt.Errorf("reading a day: %w", err)
				}
				r.When.Days = append(r.When.Days, day)
			}
		}
	}
	if r.Say = said; len(said) == 0 {
		r.Say = nil
	}
	if r.Do != frontdesk.DoBook {
		r.ServiceID = ""
	}
	return r, nil
}

func splitList(text string) (all []string) {
	if err := json.Unmarshal(listJSON(text), &all); err != nil {
		return nil // of strings: it always can
	}
	return all
}
