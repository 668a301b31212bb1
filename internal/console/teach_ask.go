package console

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// askPage is a question to the receptionist, and what it would say.
type askPage struct {
	Question string
	Fault    string
	Asked    *asked
}

// asked is what the receptionist would say to a question, and why.
type asked struct {
	Question  string
	Answered  bool
	Says      []saying
	Pct       string
	Threshold string
	Meter     meter
	Why       []string
	Passages  []passage
	CanTeach  bool
}

// saying is what is said in a language.
type saying struct{ Language, Text string }

// passage is a fragment of a document that may answer.
type passage struct {
	Document frontdesk.ID
	Title    string
	Place    string // where in the document
	Question string
	Text     string
	Language string
	Pct      string
	Used     bool
}

// ask asks a question as a caller would. It changes nothing.
func (c teachScreen) ask(v *visit) (answer, error) {
	page := askPage{Question: v.field("question")}
	status := http.StatusOK
	switch {
	case page.Question == "" && !v.htmx() && !v.http.URL.Query().Has("question"):
	case page.Question == "" || utf8.RuneCountInString(page.Question) > frontdesk.MaxQuestion || !exchange.Storable(page.Question):
		page.Fault, status = v.say("teach_fault_question", "n", strconv.Itoa(frontdesk.MaxQuestion)), http.StatusUnprocessableEntity
	default:
		found, err := c.askFor(v, page.Question)
		if err != nil {
			return answer{}, err
		}
		page.Asked = &found
	}
	if v.htmx() {
		return v.render(status, "teach_asked", page)
	}
	return v.render(status, "teach_ask", page)
}

// askFor asks the documents of the place's agent.
func (c teachScreen) askFor(v *visit, question string) (asked, error) {
	a, err := c.shelves.Ask(v.Context(), v.owner(), questionOf(v, question))
	if err != nil {
		return asked{}, err
	}
	threshold := strconv.Itoa(a.ThresholdPct)
	shown := asked{
		Question: question, Answered: a.Answered, Pct: oneDecimal(v, a.MatchPct), Threshold: threshold, CanTeach: v.mode.live,
		Meter: meter{Fill: a.MatchPct, Mark: float64(a.ThresholdPct), Good: a.Answered, Said: v.say("teach_meter", "pct", oneDecimal(v, a.MatchPct), "threshold", threshold)},
	}
	for _, l := range frontdesk.Languages {
		shown.Says = append(shown.Says, saying{l, a.Say(l)})
	}
	for _, h := range a.Hits {
		p := newPassage(v, h.Fragment)
		p.Title, p.Pct, p.Used = h.Title, oneDecimal(v, h.MatchPct), h.Used
		if p.Place = strings.TrimPrefix(p.Place, h.Title+" > "); p.Place == h.Title {
			p.Place = "" // the title says so
		}
		shown.Passages = append(shown.Passages, p)
	}
	shown.Why, err = c.why(v, question, a)
	return shown, err
}

func newPassage(v *visit, f frontdesk.Fragment) passage {
	p := passage{Document: f.DocumentID, Question: f.Question, Text: f.Text, Language: f.Language, Place: f.Heading}
	if f.Page > 0 {
		p.Place = v.say("teach_page", "n", strconv.Itoa(f.Page))
	}
	return p
}

// why says what an answer rests on.
func (c teachScreen) why(v *visit, question string, a frontdesk.Answer) ([]string, error) {
	if len(a.Hits) == 0 {
		use, err := c.store.DocumentUse(v.Context(), v.owner())
		if err != nil {
			return nil, err
		}
		if use.Documents == 0 {
			return []string{v.say("teach_why_empty")}, nil
		}
		return []string{v.say("teach_why_nothing")}, nil
	}
	all := []string{v.say("teach_why_best", "title", a.Hits[0].Title)}
	if len(a.Matched) > 0 {
		all = append(all, v.say("teach_why_matched", "words", wordList(question, a.Matched)))
	}
	if len(a.Missing) > 0 {
		all = append(all, v.say("teach_why_missing", "words", wordList(question, a.Missing)))
	}
	if !a.Answered {
		all = append(all, v.say("teach_why_below", "pct", oneDecimal(v, a.MatchPct), "threshold", strconv.Itoa(a.ThresholdPct)))
	}
	return all, nil
}

// wordList are a few words as they were written in a question: an accent that is left
// out makes another word of some.
func wordList(question string, words []string) string {
	written := map[string]string{}
	for _, t := range language.Tokenize(question) {
		written[t.Word] = strings.ToLower(question[t.Start:t.End])
	}
	var all []string
	for _, w := range words[:min(6, len(words))] {
		all = append(all, cmp.Or(written[w], w))
	}
	return strings.Join(all, ", ")
}

// answerPage is the form in which a question is answered.
type answerPage struct {
	Question string
	Answer   string
	For      []choice
	Faults   map[string]string // by field
	Now      *asked            // what the receptionist would say today
}

// showAnswer is the form for an answer.
func (c teachScreen) showAnswer(v *visit) (answer, error) {
	if err := checkTeach(v); err != nil {
		return answer{}, err
	}
	page := answerPage{Question: v.field("question"), For: forWhom(v, v.agentID())}
	if !exchange.Storable(page.Question) {
		return answer{}, frontdesk.InvalidParam("question", "question must be text without NUL.")
	}
	if page.Question != "" && utf8.RuneCountInString(page.Question) <= frontdesk.MaxQuestion {
		now, err := c.askFor(v, page.Question)
		if err != nil {
			return answer{}, err
		}
		page.Now = &now
	}
	return v.page("teach_answer", page)
}

// answer teaches the answer to a question.
func (c teachScreen) answer(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	if err := checkTeach(v); err != nil {
		return answer{}, err
	}
	page := answerPage{Question: v.field("question"), Answer: v.field("answer")}
	agent, err := servedAgent(v, v.field("for"))
	if err != nil {
		return answer{}, err
	}
	d, err := c.addAnswer(v, agent, page.Question, page.Answer)
	if err == nil && d.Status == frontdesk.DocumentArchived { // the same was said before, and put away
		d, err = c.store.RestoreDocument(v.Context(), v.owner(), v.person.Actor(), d.ID, c.now())
	}
	if e := exchange.Domain(err); e != nil && (e.Param == "question" || e.Param == "answer") {
		page.For = forWhom(v, agent)
		page.Faults = map[string]string{e.Param: v.say("teach_answer_fault_"+e.Param, "n", strconv.Itoa(map[string]int{"question": longestQuestion, "answer": longestAnswer}[e.Param]))}
		return v.render(http.StatusUnprocessableEntity, "teach_answer", page)
	}
	if err != nil {
		return answer{}, err
	}
	return v.done(v.back("teach"), said{v.say("teach_learnt"), "teach/documents/" + string(d.ID) + "/delete", nil}), nil
}
