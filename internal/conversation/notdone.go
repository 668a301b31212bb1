package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/passage"
	"frontdesk.dev/frontdesk/internal/understanding"
)

// sayNotDone tells who wants something that no service is what documents say against
// it, and who insists on it that it is not among what is booked here. It says whether
// there was something to tell; then nothing is being arranged any more.
func (t questions) sayNotDone() bool {
	h := t.heard
	if t.s.Task.Kind != Book || h.Has(Order) || len(h.Services)+len(h.Unbookable)+len(h.Items) > 0 || t.s.Task.Service != "" || t.replied {
		return false
	}
	matter := t.inquiry().Documents().WishMatter(h.Text)
	const most = 4 // words: who tells a tale wants to be seen about it
	if len(matter) == 0 || len(matter) > most {
		return false
	}
	denial := t.inquiry().Documents().Against(strings.Join(matter, " "))
	if denial == "" && !t.insists(matter) {
		return false
	}
	wish := h.Text
	t.said = nil // it was understood
	t.s.Task, t.s.Queue = Task{}, nil
	t.arrangement().letChoices()
	if t.tell(wish, answer.Quote(denial)) {
		t.talk().offerMore()
		return true
	}
	t.s.logOnce(Event{Kind: Unanswered, Text: wish})
	t.say("not_listed")
	t.s.Offer = OfferCall
	t.expect(Nothing, t.words("quick_number"), t.words("quick_no_thanks"))
	return true
}

// insists says whether who was asked for the service names again what was no service
// before.
func (t questions) insists(matter []string) bool {
	const short = 4 // words that tell something
	if t.s.Expect != SlotService || t.s.Task.Tries[SlotService] == 0 || t.telling() > short {
		return false
	}
	before := slices.DeleteFunc(slices.Clone(t.s.Lines), func(line string) bool { return !understanding.IsCallerLine(line) })
	if len(before) < 2 {
		return false
	}
	told := strings.Join(before[:len(before)-1], " ")
	return slices.ContainsFunc(matter, func(word string) bool { return passage.Signs(word, told) > 0 })
}
