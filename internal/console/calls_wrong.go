package console

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// longestWord is how much of what a caller said is put forward as the words of a
// rule.
const longestWord = 100

// fixForm is a form that puts right what was wrong in a call: it gives an answer,
// or makes a rule.
type fixForm struct {
	Call     frontdesk.ID
	Turn     string // of the transcript; "": of an unanswered question
	Asked    string // which of the unanswered questions; "": it is a turn
	Key      string // tells the fields of several forms on a page apart
	Question string
	Answer   string
	Words    string // one thing to hear a line
	Do       string
	Actions  []string
	Says     []sayField
	Faults   map[string]string // by field
	Testing  bool
}

// sayField is what a rule says in one language.
type sayField struct {
	Language string
	Text     string
}

// ruleActions are what a rule made here can do. What books needs a service, and
// is made where the services are.
var ruleActions = []string{frontdesk.DoMessage, frontdesk.DoPerson, frontdesk.DoSay}

// newFix reads which turn, or which unanswered question, a form is about, and
// what the caller had said.
func (c callScreen) newFix(v *visit) (fixForm, frontdesk.Agent, error) {
	call, agent, err := c.readCall(v)
	if err != nil {
		return fixForm{}, agent, err
	}
	if agent.ID == "" {
		return fixForm{}, agent, frontdesk.Missing("agent")
	}
	f := fixForm{
		Call: call.ID, Turn: v.field("turn"), Asked: v.field("asked"), Do: frontdesk.DoMessage, Actions: ruleActions,
		Faults: map[string]string{}, Testing: !v.mode.live,
	}
	f.Key = f.Turn + "q" + f.Asked
	if f.Question, err = saidBefore(call, f); err != nil {
		return f, agent, err
	}
	f.Question = lastQuestion(f.Question)
	f.Words = strings.Trim(frontdesk.Clip(f.Question, longestWord), "¿¡?!.… ")
	for _, code := range frontdesk.Languages {
		if len(agent.Languages) == 0 || slices.Contains(agent.Languages, code) {
			f.Says = append(f.Says, sayField{Language: code})
		}
	}
	return f, agent, nil
}

// saidBefore is the unanswered question that a form is about, or what the caller
// said last before its turn.
func saidBefore(call frontdesk.Call, f fixForm) (string, error) {
	if n, err := strconv.Atoi(f.Asked); err == nil {
		summary, err := wire.ReadSummary(call)
		if err != nil || n < 0 || n >= len(summary.UnansweredQuestions) {
			return "", cmp.Or(err, error(frontdesk.Missing("question")))
		}
		return summary.UnansweredQuestions[n], nil
	}
	transcript, err := wire.ReadTranscript(call)
	if err != nil {
		return "", err
	}
	n, err := strconv.Atoi(f.Turn)
	if err != nil || n < 0 || n >= len(transcript.Turns) {
		return "", frontdesk.Missing("turn")
	}
	for _, turn := range slices.Backward(transcript.Turns[:n]) {
		if turn.Role == frontdesk.RoleCaller {
			return turn.Text, nil
		}
	}
	return "", nil
}

// lastQuestion is the last question of what somebody said, or all of it: "Vale.
// ¿Hay aparcamiento?" asks for the parking.
func lastQuestion(text string) string {
	end := strings.LastIndex(text, "?")
	if end < 0 {
		return text
	}
	before := text[:end]
	if begin := strings.LastIndex(before, "¿"); begin >= 0 {
		return text[begin : end+1]
	}
	if stop := strings.LastIndexAny(before, ".!?…"); stop >= 0 {
		_, size := utf8.DecodeRuneInString(before[stop:])
		return strings.TrimSpace(text[stop+size : end+1])
	}
	return text[:end+1]
}

// askAnswer is the form for an answer.
func (c callScreen) askAnswer(v *visit) (answer, error) {
	f, _, err := c.newFix(v)
	if err != nil {
		return answer{}, err
	}
	return f.show(v, http.StatusOK, "call_answer")
}

// askRule is the form for a rule.
func (c callScreen) askRule(v *visit) (answer, error) {
	f, _, err := c.newFix(v)
	if err != nil {
		return answer{}, err
	}
	return f.show(v, http.StatusOK, "call_rule")
}

// show is the form in the page that is open, or on a page of its own.
func (f fixForm) show(v *visit, status int, name string) (answer, error) {
	if v.htmx() {
		name += "_form"
	}
	return v.render(status, name, f)
}

// giveAnswer makes a document of a question and its answer.
func (c callScreen) giveAnswer(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	f, agent, err := c.newFix(v)
	if err != nil {
		return answer{}, err
	}
	f.Question, f.Answer = v.field("question"), v.field("answer")
	document, err := c.addAnswer(v, agent.ID, f.Question, f.Answer)
	if err != nil {
		return f.refuse(v, err, "call_answer")
	}
	page := "calls/" + string(f.Call)
	return v.done(v.base()+page, said{v.say("fix_answer_added"), "answers/" + string(document.ID) + "/undo", [][2]string{{"back", page}}}), nil
}

// makeRule adds a rule to those of the call's agent.
func (c callScreen) makeRule(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	f, agent, err := c.newFix(v)
	if err != nil {
		return answer{}, err
	}
	rule, err := f.readRule(v)
	if err != nil {
		return f.refuse(v, err, "call_rule")
	}
	_, err = c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		a.Settings.Rules = append(slices.Clip(a.Settings.Rules), rule)
		return a, a.Settings.Rules.Check()
	})
	if err != nil {
		return f.refuse(v, err, "call_rule")
	}
	page := "calls/" + string(f.Call)
	return v.done(v.base()+page, said{v.say("fix_rule_added"), page + "/rule/undo", [][2]string{{"rule", markOfRule(rule)}}}), nil
}

// readRule reads the rule that was typed. One without words would fit every call.
func (f *fixForm) readRule(v *visit) (frontdesk.Rule, error) {
	f.Words, f.Do = v.field("words"), oneOf(ruleActions, v.field("do"))
	rule := frontdesk.Rule{Do: f.Do, Say: map[string]string{}}
	for _, word := range lines(strings.ReplaceAll(f.Words, "\r", "\n")) {
		if word = strings.TrimSpace(word); word != "" {
			rule.When.Words = append(rule.When.Words, word)
		}
	}
	for i, field := range f.Says {
		f.Says[i].Text = v.field("say_" + field.Language)
		if f.Says[i].Text != "" {
			rule.Say[field.Language] = f.Says[i].Text
		}
	}
	if !slices.ContainsFunc(rule.When.Words, frontdesk.HasWords) {
		return rule, frontdesk.InvalidParam("rules.when.words", "Write at least one word to hear.")
	}
	return rule, nil
}

// refuse shows the form again, with what is wrong at its field.
func (f fixForm) refuse(v *visit, err error, name string) (answer, error) {
	var e *frontdesk.Error
	if !errors.As(err, &e) || e.Kind != frontdesk.Invalid {
		return answer{}, err
	}
	field := faultyField(e.Param)
	text := v.say("fix_fault_" + field)
	if text == "" { // of no field
		field, text = "", v.explain(e)
	}
	f.Faults[field] = text
	return f.show(v, exchange.Statuses[e.Kind].Code, name)
}

// faultyField is the field of a form that an error is about: rules[3].when.words
// is of the words.
func faultyField(param string) string {
	_, inRule, ok := strings.Cut(param, ".")
	switch {
	case !ok:
		return param
	case strings.HasPrefix(inRule, "when.words"):
		return "words"
	case strings.HasPrefix(inRule, "say"):
		return "say"
	}
	return inRule
}

// markOfRule tells a rule from others, in few letters.
func markOfRule(r frontdesk.Rule) string {
	text, err := json.Marshal(wire.Rules(frontdesk.Rules{r}))
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// undoRule takes back a rule that was made just now: the last that is the same.
func (c callScreen) undoRule(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	call, agent, err := c.readCall(v)
	if err != nil {
		return answer{}, err
	}
	wanted := v.field("rule")
	_, err = c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		for i, rule := range slices.Backward(a.Settings.Rules) {
			if markOfRule(rule) == wanted {
				a.Settings.Rules = slices.Delete(slices.Clone(a.Settings.Rules), i, i+1)
				return a, nil
			}
		}
		return a, frontdesk.Missing("rule")
	})
	if err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"calls/"+string(call.ID), said{Text: v.say("fix_rule_undone")}), nil
}
