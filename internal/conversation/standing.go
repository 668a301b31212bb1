package conversation

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// What stands is the day and the time that are being arranged. Who asks about them is
// answered from the task, which no document knows.

// stands says whether a day and a time are being arranged.
func (t underway) stands() bool {
	task := t.s.Task
	return (task.Kind == Book || task.Kind == Reschedule) && task.Timed && !task.Date.IsZero() && task.Last.IsZero()
}

// confirmStanding answers who asks whether the day or the time that stands is the one
// they mean: "would that be Monday morning?" Another one is a wish, and left to what is
// being arranged.
func (t underway) confirmStanding() bool {
	h := t.heard
	if !t.stands() || h.Yes || h.No || !t.mix.Phrases("checks_standing").In(t.tokens(h.Text)) || !t.namesOnlyWhen() || !t.agreesWithStanding() {
		return false
	}
	phrase := "standing_yes"
	if slices.ContainsFunc(h.When.Mentions, func(m dates.Mention) bool { return m.Or }) {
		phrase = "standing" // "would that be morning or afternoon?" wants no yes
	}
	t.questions().answered(h.Text, t.words(phrase, "when", t.moment(t.s.Task.Date, t.s.Task.Clock)))
	t.heard.When, t.heard.Question, t.heard.Questions = dates.Reading{}, "", nil
	t.heard.Intents = slices.DeleteFunc(slices.Clone(h.Intents), func(i Intent) bool { return i == Book || i == Ask })
	return true
}

// isStanding says whether a day is the one that stands: who names it in a question
// asks about it.
func (t underway) isStanding(m dates.Mention) bool {
	return m.Kind == dates.OneDay && t.stands() && m.Date == t.s.Task.Date
}

// namesOnlyWhen says whether a day or a time was named, not only pointed at, and next
// to nothing else that tells something.
func (t underway) namesOnlyWhen() bool {
	const most = 1 // word
	text, named := []byte(t.heard.Text), false
	for _, m := range t.heard.When.Mentions {
		named = named || !m.Points()
		for i := m.Start; i < m.End && i < len(text); i++ {
			text[i] = ' '
		}
	}
	return named && len(t.sources().TellingWords(hearing.Without(string(text), t.heard.Name))) <= most
}

// agreesWithStanding says whether every day and hour that was named is the one that
// stands, or has it in it.
func (t underway) agreesWithStanding() bool {
	task, w := t.s.Task, t.heard.When.Resolve(t.now, t.isOpen)
	switch {
	case !w.Date.IsZero() && w.Date != task.Date, !w.Last.IsZero(), len(w.Dates) > 0 && !slices.Contains(w.Dates, task.Date), len(w.Refused) > 0, w.Soonest:
		return false
	case w.Timed && w.Clock != task.Clock, len(w.Clocks) > 0 && !slices.Contains(w.Clocks, task.Clock):
		return false
	case w.To != dates.Clock{} && (task.Clock.Before(w.From) || !task.Clock.Before(w.To)):
		return false
	}
	return !w.Date.IsZero() || len(w.Dates) > 0 || w.Timed || len(w.Clocks) > 0 || w.To != dates.Clock{}
}

// sayStanding answers a question for the day or the time that are being arranged:
// "what day was that again?"
func (t underway) sayStanding(question string) bool {
	words := t.tokens(question)
	if t.s.Expect == SlotConfirm && t.s.Task.Kind != Cancel && t.mix.Phrases("asks_written").In(words) {
		t.s.logOnce(Event{Kind: Answered, Text: question})
		return true // all of it is read back once more
	}
	if !t.stands() || !t.mix.Phrases("asks_standing").In(words) {
		return false
	}
	t.questions().answered(question, t.words("standing", "when", t.moment(t.s.Task.Date, t.s.Task.Clock)))
	return true
}

// admitSamePerson says that it is not known whether the same person serves the caller
// as before: no document tells of a caller's other visits.
func (t underway) admitSamePerson(question string) bool {
	if t.s.Task.Kind == "" || !t.mix.Phrases("asks_same_person").In(t.tokens(question)) {
		return false
	}
	t.questions().unanswered(question)
	return true
}

// sayTerms answers what holds when somebody changes or cancels what they arrange with
// the rules of the business, where no document answers just that.
func (t underway) sayTerms(question string) bool {
	if !hearing.Supposes(question, t.talk().setting()) {
		return false
	}
	if reply, ok := t.inquiry().Replies().Certain(question); ok && reply.Topic == "policy" {
		return false
	}
	if a, err := t.lookUp(question); err != nil || t.answersTerms(a, answer.SureMatch) || a.Answered && a.MatchPct >= answer.ExactMatch {
		return false
	}
	for _, query := range []string{t.words("topic_policy_query"), t.words("topic_absence_query")} {
		if reply, ok := t.inquiry().Replies().Certain(query); ok {
			t.tell(question, t.inquiry().Replies().Say(question, reply))
			return true
		}
		if a, err := t.lookUp(query); err == nil && t.answersTerms(a, answer.SureMatch) {
			t.tell(question, answer.Of(a, t.s.Lang))
			return true
		}
	}
	return false
}

// answersTerms says whether an answer fits well enough and speaks of changes.
func (t underway) answersTerms(a frontdesk.Answer, enough float64) bool {
	return a.Answered && a.MatchPct >= enough && t.mix.Phrases("changes_it").In(t.tokens(a.Text))
}
