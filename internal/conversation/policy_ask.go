package conversation

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// answerQuestion says what the business's own data, or else its documents, know
// about what was asked. Without an answer the question is noted, and somebody
// who can answer it is offered.
func (t *turn) answerQuestion() {
	question := t.question()
	if question == "" {
		return
	}
	t.s.want(Ask)
	reply, known := t.catalogue.Ask(question, t.s.Lang, t.now)
	if known && reply.Certain {
		t.answered(question, reply.Text)
		t.offerViewing(reply.Topic)
		return
	}
	a, err := t.desk.Answer(t.ctx, clipQuestion(question))
	switch {
	case err != nil:
		t.did("answer", map[string]any{"question": question}, map[string]any{"error": "unavailable"})
		if known {
			t.answered(question, reply.Text)
			return
		}
		t.say("sorry")
	case a.Answered:
		t.did("answer", map[string]any{"question": question}, map[string]any{"answered": true, "match_pct": a.MatchPct})
		t.answered(question, a.Say(t.s.Lang))
	case known:
		t.answered(question, reply.Text)
	default:
		t.did("answer", map[string]any{"question": question}, map[string]any{"answered": false, "match_pct": a.MatchPct})
		t.unanswered(question)
	}
}

// takeListing remembers the property that the caller talks about.
func (t *turn) takeListing() {
	if len(t.catalogue.Listings) == 0 {
		return
	}
	if found := t.catalogue.FindListings(t.heard.Text, t.s.Lang); len(found) == 1 && found[0].Entry.Ref != "" {
		t.s.Listing = found[0].Entry.Ref
	}
}

// offerViewing proposes to show a property that was asked about.
func (t *turn) offerViewing(topic string) {
	if topic != "listings" || t.s.Listing == "" || t.s.Task.Kind != "" || t.heard.Has(Book) || !t.canBook() {
		return
	}
	t.say("offer_viewing")
	t.s.Offer = OfferBooking
	t.expect(Nothing, t.words("yes"), t.words("quick_no_thanks"))
}

// question is what the caller asks: the part that was heard as a question or,
// when nothing else was heard and nothing was asked of them, all they said.
func (t *turn) question() string {
	h := t.heard
	if t.s.Expect == SlotConfirm && h.Yes && h.Question == "" {
		return ""
	}
	if h.Question != "" && (h.Has(Ask) || len(h.Intents) == 0) {
		return h.Question
	}
	if h.Has(Ask) {
		return h.Text
	}
	if t.s.Task.Kind == "" && len(h.Intents) == 0 && !h.Yes && !h.No && h.Phone == "" && !t.wantsTime() && len(strings.Fields(h.Text)) >= 2 {
		return h.Text
	}
	return ""
}

func clipQuestion(q string) string {
	if runes := []rune(q); len(runes) > frontdesk.MaxQuestion {
		return string(runes[:frontdesk.MaxQuestion])
	}
	return q
}

func (t *turn) answered(question, text string) {
	t.sayText(text)
	t.replied = true
	t.changed = t.s.logOnce(Event{Kind: Answered, Text: question})
}

func (t *turn) unanswered(question string) {
	if !t.heard.Has(Ask) && len(t.heard.Intents) == 0 {
		return // it may have been no question at all: policy goes on
	}
	if t.bringsWish() {
		return // "could you make it the 14th?" wants no answer but a 14th
	}
	t.s.logOnce(Event{Kind: Unanswered, Text: question})
	if t.s.Task.Kind != "" || t.heard.Has(Book) {
		t.say("unknown_mid")
		return
	}
	t.say("unknown")
	t.s.Offer = OfferCall
	t.expect(Nothing, t.words("quick_number"), t.words("quick_no_thanks"))
}

// bringsWish says whether a question is a wish in other clothes: it names a day,
// a time, a number of people or a service while something is being arranged.
func (t *turn) bringsWish() bool {
	h := t.heard
	if t.s.Task.Kind == "" && !h.Has(Book) && !h.Has(Reschedule) {
		return false
	}
	return t.bringsSlot() || h.Yes
}

// bringsSlot says whether something was said that an arrangement is made of.
func (t *turn) bringsSlot() bool {
	h := t.heard
	return len(h.When.Mentions) > 0 || h.Party > 0 || len(h.Services) > 0 || h.Name != "" || h.Phone != "" || h.Code != "" || h.Choice != 0 || len(h.Items) > 0
}

// lastUnanswered is what nobody here could answer, for whoever calls back.
func (t *turn) lastUnanswered() string {
	for i := len(t.s.Log) - 1; i >= 0; i-- {
		if t.s.Log[i].Kind == Unanswered {
			return t.s.Log[i].Text
		}
	}
	return ""
}
