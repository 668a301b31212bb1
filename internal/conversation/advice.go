package conversation

import (
	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// openNow says whether the house is open, as far as is known.
func (t emergencies) openNow() bool {
	return t.isOpen == nil || t.openOn(dates.DateOf(t.now), dates.Clock{Hour: t.now.Hour(), Minute: t.now.Minute()})
}

// alarmed says whether what was told has just happened, or is told in alarm: whoever
// does so does not know what to do, calls out, or tells it as it goes on.
func (t emergencies) alarmed() (calls, now bool) {
	words := t.tokens(t.heard.Text)
	calls = t.mix.Phrases("asks_what_to_do").In(words) || t.mix.Phrases("calls_out").In(words)
	return calls, calls || t.mix.Phrases("just_now").In(words)
}

// adviseWhether says to who asks whether to come, or to go on, with what has happened
// the advice that the documents have on that.
func (t emergencies) adviseWhether(question string) bool {
	if t.s.Task.Kind != "" || !t.mix.Phrases("asks_whether_to_come").In(t.tokens(question)) {
		return false
	}
	told, err := t.lookUp(t.heard.Text)
	if err != nil {
		return false
	}
	named, err := t.lookUp(t.words("urgent_query"))
	best := t.sources().AdviceOn(t.heard.Text, t.openNow(), told, named)
	if err == nil && best.Said > 0 && t.inquiry().InLanguage(best.Text) {
		return t.tell(question, answer.Quote(best.Text))
	}
	return t.talk().offersLook() // what it is, who looks at it can tell
}

// onlyAsks says whether all that was said asks something, and not what to do: nothing is
// told that has happened.
func (t emergencies) onlyAsks() bool {
	const fewest = 2 // telling words
	h := t.heard
	if h.Question == "" || t.mix.Phrases("asks_what_to_do").In(t.tokens(h.Text)) {
		return false
	}
	return len(t.sources().TellingWords(hearing.Without(h.Text, h.Question))) < fewest
}

// toldOne says whether somebody tells, in words that no list has, one of the
// emergencies that the documents give advice on: one of its signs is enough for who is
// alarmed, two for what has just happened.
func (t emergencies) toldOne() bool {
	const fewest = 3 // telling words
	calls, now := t.alarmed()
	if t.onlyAsks() {
		return false
	}
	if !now || t.s.Task.Kind != "" || t.telling() < fewest || t.mix.Phrases("reason_urgent_told_not").In(t.tokens(t.heard.Text)) {
		return false
	}
	least := signsOfWarning
	if calls {
		least = 1
	}
	told, err := t.lookUp(t.heard.Text)
	if err != nil {
		return false
	}
	named, err := t.lookUp(t.words("urgent_query"))
	best := t.sources().AdviceOn(t.heard.Text, t.openNow(), told, named)
	return err == nil && best.Signs >= least && (calls || best.Said > 0)
}
