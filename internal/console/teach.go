package console

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

// How far Teach looks back, and how much it shows.
const (
	askedWithin    = 30 * 24 * time.Hour
	mostConsidered = 30 // questions that are asked again, to see whether they are answered now
	mostQuestions  = 20
	firstQuestions = 6 // that are shown before the rest is opened
)

// teachScreen is what the receptionist knows, and what it was asked and did not.
type teachScreen struct{ *Console }

// teach is the page.
type teach struct {
	Asked     askedQuestions
	CanTeach  bool // test mode can only be looked at
	Live      string
	For       []choice // whom a new document serves; none: there is no choice
	Extension string   // of files that are taken, as a browser wants them
	Limit     int64    // bytes of a file
	LimitSaid string
	Fault     string // why nothing was uploaded
	Shelf     shelf
}

// askedQuestions are what callers asked and was not answered.
type askedQuestions struct {
	Count    int
	First    []openQuestion
	Rest     []openQuestion
	Settled  []openQuestion // that the documents answer by now
	Several  bool           // the questions of several agents are counted together
	CanTeach bool
	Unsure   bool // some were not asked again for want of time, and stand with those that are open
}

// How long the documents may be asked what they answer by now: for the page, and for
// the part of it that comes after.
const (
	askTime      = 25 * time.Millisecond
	askTimeAfter = 5 * time.Second
)

// openQuestion is one that callers ask and nobody answers.
type openQuestion struct {
	Question string
	Count    int
	Last     string
	CanTeach bool
	Unknown  bool // which of several agents was asked is not known
}

func (c teachScreen) show(v *visit) (answer, error) { return c.showWith(v, http.StatusOK, "") }

// showWith shows the page, with why an upload failed.
func (c teachScreen) showWith(v *visit, status int, fault string) (answer, error) {
	s, documents, err := c.readShelf(v)
	if err != nil {
		return answer{}, err
	}
	plan := v.tenant.Plan
	data := teach{
		CanTeach: v.mode.live, Live: liveTeach(v), For: forWhom(v, v.agentID()), Shelf: s,
		Extension: strings.Join(frontdesk.DocumentExtensions, ","), Limit: plan.MaxDocumentBytes, LimitSaid: sizeSaid(v, plan.MaxDocumentBytes), Fault: fault,
	}
	within := askTime
	if v.field("ask") == "yes" { // without a script
		within = askTimeAfter
	}
	if data.Asked, err = c.openQuestions(v, documents, within); err != nil {
		return answer{}, err
	}
	return v.render(status, "teach", data)
}

// liveTeach is the page in live mode.
func liveTeach(v *visit) string {
	if v.mode.live {
		return ""
	}
	return v.otherMode() + "teach"
}

// checkTeach refuses what changes documents in test mode, as the API does.
func checkTeach(v *visit) error {
	if v.mode.live {
		return nil
	}
	return &frontdesk.Error{
		Kind: frontdesk.Forbidden, Code: "teach_in_live", Message: "Documents of test mode can only be looked at. Teach in live mode.",
	}
}

// renewOpen is the part of the page with the questions, when all have been asked
// again.
func (c teachScreen) renewOpen(v *visit) (answer, error) {
	_, documents, err := c.readShelf(v)
	if err != nil {
		return answer{}, err
	}
	data, err := c.openQuestions(v, documents, askTimeAfter)
	if err != nil {
		return answer{}, err
	}
	return v.page("teach_questions", data)
}

// openQuestions are the questions of callers to the place's agent that were not
// answered, most frequent first, and apart those that the documents answer by now.
func (c teachScreen) openQuestions(v *visit, documents []frontdesk.Document, within time.Duration) (a askedQuestions, err error) {
	a.Several, a.CanTeach = v.agent == nil && len(v.agents) > 1, v.mode.live
	asked, err := c.store.Unanswered(v.Context(), v.owner(), v.agentID(), c.now().Add(-askedWithin), mostConsidered)
	if err != nil {
		return a, err
	}
	again, err := c.newAsking(v, within)
	if err != nil {
		return a, err
	}
	if within == askTime && !again.begun(v, asked.Top) {
		again.until = time.Time{}
	}
	var open []openQuestion
	for _, q := range asked.Top {
		if len(open) == mostQuestions {
			break
		}
		if beingLearnt(q.Question, documents) {
			continue
		}
		known, err := again.answers(v, newQuestion(askedAgent(v, q), q.Question))
		if err != nil {
			return a, err
		}
		row := openQuestion{q.Question, q.Count, v.ago(q.LastAskedAt), v.mode.live, q.AgentID == "" && v.agent != nil && len(v.agents) > 1}
		if known {
			a.Settled = append(a.Settled, row)
		} else {
			open = append(open, row)
		}
	}
	first := min(firstQuestions, len(open))
	a.Count, a.First, a.Rest, a.Unsure = len(open), open[:first], open[first:], again.unsure
	return a, nil
}

// askedAgent is the agent that a question was put to: the place's, or the one that
// is known of it.
func askedAgent(v *visit, q frontdesk.UnansweredQuestion) frontdesk.Agent {
	if v.agent != nil {
		return *v.agent
	}
	agent, _ := v.agentNamed(q.AgentID)
	return agent
}

// newQuestion is what a caller asked an agent. No vendor is asked what it means: a
// page has many of them.
func newQuestion(agent frontdesk.Agent, text string) knowledge.Question {
	return knowledge.Question{Text: frontdesk.Clip(text, frontdesk.MaxQuestion), AgentID: agent.ID, ThresholdPct: agent.Settings.Threshold(), Money: agent.Currency(), WordsOnly: true}
}

// beingLearnt says whether the answer to a question is on its way.
func beingLearnt(question string, documents []frontdesk.Document) bool {
	spelling := frontdesk.Spelling(question)
	return slices.ContainsFunc(documents, func(d frontdesk.Document) bool { return isBusy(d) && frontdesk.Spelling(d.Title) == spelling })
}

// questionOf is a question to the documents of the place's agent.
func questionOf(v *visit, text string) knowledge.Question {
	q := knowledge.Question{Text: text, ThresholdPct: frontdesk.DefaultThresholdPct}
	if v.agent != nil {
		q.AgentID, q.ThresholdPct, q.Money = v.agent.ID, v.agent.Settings.Threshold(), v.agent.Currency()
	}
	return q
}

// forWhom are the agents that a document can serve: the place's, or all.
func forWhom(v *visit, chosen frontdesk.ID) (all []choice) {
	if len(v.agents) < 2 {
		return nil
	}
	all = append(all, choice{v.say("teach_for_all"), "", chosen == ""})
	for _, a := range v.agents {
		if v.agent == nil || v.agent.ID == a.ID {
			all = append(all, choice{a.DisplayName, string(a.ID), chosen == a.ID})
		}
	}
	return all
}

// servedAgent is the agent that a form names for a document; "" for all of them,
// and the only one where there is no choice.
func servedAgent(v *visit, text string) (frontdesk.ID, error) {
	if len(v.agents) == 1 {
		return v.agents[0].ID, nil
	}
	if text == "" {
		return "", nil
	}
	agent, there := v.agentNamed(frontdesk.ID(text))
	if !there {
		return "", frontdesk.InvalidParam("for", "There is no such agent.")
	}
	return agent.ID, nil
}

// kilobyte is what plans count in.
const kilobyte = 1024

// sizeSaid is a number of bytes in words.
func sizeSaid(v *visit, bytes int64) string {
	switch {
	case bytes < kilobyte:
		return v.say("teach_bytes", "n", strconv.FormatInt(bytes, 10))
	case bytes < kilobyte*kilobyte:
		return v.say("teach_kilobytes", "n", strconv.FormatInt((bytes+kilobyte/2)/kilobyte, 10))
	}
	return v.say("teach_megabytes", "n", oneDecimal(v, float64(bytes)/(kilobyte*kilobyte)))
}

// oneDecimal is a number with one decimal at most, as the language writes it.
func oneDecimal(v *visit, n float64) string {
	text := strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0")
	return decimal(v, text)
}

// meter is a bar that is filled up to a share, with a mark at another.
type meter struct {
	Fill float64 // percent
	Mark float64 // 0: none
	Good bool
	Said string
}
