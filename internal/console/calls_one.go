package console

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// mostTouched is how many captures are shown with a call.
const mostTouched = 20

// callPage is one call: what came of it, what was said, and what it was.
type callPage struct {
	ID       frontdesk.ID
	Back     string // address of the list it was found in
	Place    string // of the call's agent, as a base of addresses; "": there is no such agent
	Title    string
	When     string
	Outcome  frontdesk.Outcome
	Channel  frontdesk.Channel
	Language string
	Caller   string
	Name     string // of the caller; "": it is not known
	Missed   bool   // they were to be put through, were not, and left nothing else that is to be done
	Done     bool   // somebody has seen to it
	Number   string
	Agent    string
	Duration string
	Counted  bool
	Told     callSummary
	Captures []captureLine
	Turns    []turnLine
}

// callSummary is what a call came to.
type callSummary struct {
	Text       string
	Points     []string
	Reason     string
	Urgent     bool
	Notes      []string
	Unanswered []leftQuestion
	Handoff    *handoffTold
}

// leftQuestion is one that a call left without an answer.
type leftQuestion struct {
	Question string
	Known    bool // the documents answer it by now
}

// handoffTold is why a caller was passed on, and how that went.
type handoffTold struct {
	Reason string
	Result string
	Missed bool // nobody spoke with them
}

// captureLine is something that a call brought in or changed.
type captureLine struct {
	ID     frontdesk.ID
	How    string // made, changed, cancelled
	What   string
	Who    string
	Phone  string
	When   string
	Visits bool // it is an appointment
	Open   bool // somebody has to see to it
	Status frontdesk.CaptureStatus
}

// turnLine is one turn of the conversation.
type turnLine struct {
	N        int
	Role     string
	Text     []piece
	Language string
	At       string // since the call began
	Cut      bool
	Looked   *looked // of what was done between what was said
}

// show shows one call. One of another agent is shown in that agent's place.
func (c callScreen) show(v *visit) (answer, error) {
	call, agent, err := c.readCall(v)
	if err != nil {
		return answer{}, err
	}
	if v.agent != nil && v.agent.ID != call.AgentID {
		return v.redirect(v.place(cmp.Or(agent.Slug, allAgents)) + "calls/" + string(call.ID)), nil
	}
	page, err := newCallPage(v, call, agent)
	if err != nil {
		return answer{}, err
	}
	if page.Captures, err = c.captured(v, call); err != nil {
		return answer{}, err
	}
	if err := c.lookAgain(v, agent, page.Told.Unanswered); err != nil {
		return answer{}, err
	}
	who, err := c.callersOf(v, []frontdesk.Call{call})
	if err != nil {
		return answer{}, err
	}
	k := who[call.ID]
	page.Name, page.Outcome, page.Missed, page.Done = k.name, k.outcome(call), k.missed && !k.wishes, k.done
	return v.page("call", page)
}

// lookAgain marks the questions of a call that the documents answer by now.
func (c callScreen) lookAgain(v *visit, agent frontdesk.Agent, left []leftQuestion) error {
	left = left[:min(len(left), mostConsidered)]
	if len(left) == 0 || agent.ID == "" {
		return nil
	}
	again, err := c.newAsking(v, askTime)
	if err != nil {
		return err
	}
	for i := range left {
		if left[i].Known, err = again.answers(v, newQuestion(agent, left[i].Question)); err != nil {
			return err
		}
	}
	return nil
}

// readCall reads the call of the address and its agent, which may be gone.
func (c callScreen) readCall(v *visit) (frontdesk.Call, frontdesk.Agent, error) {
	id, err := v.pathID("call")
	if err != nil {
		return frontdesk.Call{}, frontdesk.Agent{}, err
	}
	call, err := c.store.Call(v.Context(), v.owner(), id)
	if err != nil {
		return frontdesk.Call{}, frontdesk.Agent{}, err
	}
	agent, _ := v.agentNamed(call.AgentID)
	return call, agent, nil
}

func newCallPage(v *visit, call frontdesk.Call, agent frontdesk.Agent) (callPage, error) {
	summary, err := wire.ReadSummary(call)
	if err != nil {
		return callPage{}, err
	}
	transcript, err := wire.ReadTranscript(call)
	if err != nil {
		return callPage{}, err
	}
	q := readCallQuery(v)
	page := callPage{
		ID: call.ID, Back: q.address("calls"), Title: cmp.Or(summary.Title, v.say("call_untitled")), When: upperFirst(v.moment(call.StartedAt.In(v.zone))),
		Outcome: call.Outcome, Channel: call.Channel, Language: call.Language, Caller: call.Caller, Number: call.Number,
		Agent: agent.DisplayName, Duration: callLength(v, call.Duration), Counted: !call.Uncounted, Told: tellSummary(v, summary),
		Turns: turnLines(v, agent, transcript, wordsWanted(q.Search)),
	}
	if agent.Slug != "" {
		page.Place = v.place(agent.Slug)
	}
	return page, nil
}

func tellSummary(v *visit, s frontdesk.Summary) callSummary {
	told := callSummary{
		Text: s.Text, Points: s.KeyPoints, Reason: topicTold(v, s.Reason), Urgent: s.Urgency == frontdesk.Urgent,
		Notes: lines(s.Notes),
	}
	for _, q := range s.UnansweredQuestions {
		told.Unanswered = append(told.Unanswered, leftQuestion{Question: q})
	}
	if told.Text == strings.Join(told.Points, " ") { // they would be read twice
		told.Text = ""
	}
	if s.Handoff != nil {
		told.Handoff = &handoffTold{
			Reason: topicTold(v, s.Handoff.Reason), Result: v.say("handoff_" + s.Handoff.Result),
			Missed: s.Handoff.Missed(),
		}
	}
	return told
}

// topicTold is a topic in words; what is none is told as it was written.
func topicTold(v *visit, topic string) string { return cmp.Or(v.say("topic_"+topic), topic) }

// callLength is a length of time in words.
func callLength(v *visit, seconds int) string {
	if seconds < 60 {
		return v.say("call_seconds", "s", strconv.Itoa(seconds))
	}
	return v.say("call_minutes", "m", strconv.Itoa(seconds/60), "s", strconv.Itoa(seconds%60))
}

// since is how far into a call something was, as a clock.
func since(d time.Duration) string {
	s := int(d / time.Second)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func turnLines(v *visit, agent frontdesk.Agent, t frontdesk.Transcript, wanted map[string]bool) []turnLine {
	tell := newTeller(v, agent)
	all := make([]turnLine, len(t.Turns))
	for i, turn := range t.Turns {
		all[i] = turnLine{
			N: i, Role: turn.Role, Text: mark(turn.Text, wanted), At: since(turn.Start), Cut: turn.Interrupted,
			Language: oneOf(frontdesk.Languages, cmp.Or(turn.Language, t.Language)),
		}
		if turn.Role == frontdesk.RoleTool {
			all[i].Looked = tell.looked(turn)
		}
	}
	return all
}

// captured lists what the call brought in and what it changed.
func (c callScreen) captured(v *visit, call frontdesk.Call) ([]captureLine, error) {
	made, err := c.store.CapturesOfCall(v.Context(), v.owner(), call.ID)
	if err != nil {
		return nil, err
	}
	var all []captureLine
	for _, capture := range made[:min(len(made), mostTouched)] {
		all = append(all, newCaptureLine(v, capture, "made"))
	}
	summary, err := wire.ReadSummary(call)
	if err != nil {
		return nil, err
	}
	for _, id := range summary.CaptureIDs[:min(len(summary.CaptureIDs), mostTouched)] {
		if slices.ContainsFunc(made, func(capture frontdesk.Capture) bool { return capture.ID == id }) {
			continue
		}
		capture, err := c.store.Capture(v.Context(), v.owner(), id)
		var e *frontdesk.Error
		switch {
		case errors.As(err, &e) && e.Kind == frontdesk.NotFound: // it has been forgotten since
			continue
		case err != nil:
			return nil, err
		}
		how := "changed"
		if capture.Status == frontdesk.Cancelled {
			how = "cancelled"
		}
		all = append(all, newCaptureLine(v, capture, how))
	}
	return all, nil
}

func newCaptureLine(v *visit, capture frontdesk.Capture, how string) captureLine {
	line := captureLine{
		ID: capture.ID, How: how, What: nameOf(v, capture), Who: cmp.Or(capture.CustomerName, capture.CustomerPhone, v.say("nameless")), Status: capture.Status,
		Phone: capture.CustomerPhone, Visits: capture.Kind == frontdesk.Appointment,
	}
	line.Open = capture.Status == frontdesk.PendingConfirm && (!line.Visits || !capture.Over(v.now)) && capture.Kind != frontdesk.Waiting
	if at := capture.StartsAt(); !at.IsZero() {
		line.When = v.moment(at.In(zoneOf(v, capture)))
	}
	return line
}
