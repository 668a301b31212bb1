package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/language"
)

// hearMore hears that some more come, or some fewer, than were told before: "one more
// of us", "seremos dos menos".
func (e partyReader) hearMore(words []language.Token) bool {
	if e.Coming == 0 || !e.takesParties() {
		return false
	}
	for _, change := range []struct {
		meaning string
		sign    int
	}{{"more_people", 1}, {"fewer_people", -1}} {
		from, to, ok := e.find(change.meaning, words)
		if !ok {
			continue
		}
		n := 1
		for i := from; i < to; i++ {
			if m, taken := e.numberAt(words, i); taken > 0 {
				n = m
				break
			}
		}
		return e.setParty(e.Coming+change.sign*n, words[from].Start, words[to-1].End)
	}
	return false
}

// hearRecount hears that the appointment that was just made is for another number of
// people: that changes it, however it is put.
func (e partyReader) hearRecount() {
	if !e.Booked || e.Booking || e.Party == 0 || e.Party == e.Coming || !e.takesParties() || len(e.Same)+len(e.Messages)+len(e.When.Mentions)+len(e.Services) > 0 {
		return
	}
	changes := e.hears("rewrites", e.words.words) || e.hears("changes", e.words.words) || e.hears("party_retracts", e.words.words) || e.hears("more_people", e.words.words)
	fewer := e.hears("fewer_people", e.words.words)
	if !changes && !fewer && (e.Has(Ask) || e.Has(Book)) || e.Has(Cancel) && !fewer || e.Has(Order) {
		return
	}
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool { return i == Ask || i == Book || i == Cancel })
	e.Question, e.questionAt, e.questionsAt = "", [2]int{}, nil
	if !e.Has(Reschedule) {
		e.Intents = append(e.Intents, Reschedule)
	}
}
