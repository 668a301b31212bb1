package conversation

import (
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
)

// urgent is a caller who needs help at once. The safe thing is said first: what
// the business itself says about emergencies, else the number of the country.
// Then the first place of an emergency service is offered, or a person.
func (t messages) urgent(m hearing.Command) bool {
	t.s.Urgency = frontdesk.Urgent
	if t.s.Task.Urgent {
		t.addToMessage(m)
		return false // it is being seen to: what was said is taken as an answer
	}
	t.s.log(Event{Kind: HandedOff, Text: string(hearing.Urgent)})
	t.did("handoff", map[string]any{"reason": string(hearing.Urgent)}, map[string]any{"result": frontdesk.MessageTaken})
	t.saySafe(m)
	t.arrangement().message(frontdesk.Message, cut(t.heard.Text, longestAbout))
	t.s.Task.Topic, t.s.Task.Urgent = hearing.Urgent, true
	t.keepNotes()
	t.arrangement().takePerson()
	if t.offerEmergency() {
		return true
	}
	if t.s.Person.Phone == "" {
		t.s.Task.try(SlotPhone)
		t.say("urgent_call")
		t.expect(SlotPhone)
		return true
	}
	t.arrangement().next()
	return true
}

// saySafe says what helps now, never advice of our own.
func (t messages) saySafe(m hearing.Command) {
	known := false
	for _, question := range []string{m.Text, t.words("urgent_query")} {
		a, err := t.desk.Answer(t.ctx, clipQuestion(question))
		if err == nil && a.Answered {
			t.did("answer", map[string]any{"question": question}, map[string]any{"answered": true, "match_pct": a.MatchPct})
			t.questions().answered(question, a.Say(t.s.Lang))
			known = true
			break
		}
	}
	if number := language.EmergencyNumber(t.region); !known && number != "" {
		t.say("urgent", "number", number)
	}
	if phone := t.agent.Config.Business.Phone; phone != "" {
		t.say("urgent_phone", "phone", phone)
	}
}

// offerEmergency offers the first free place of the service for emergencies,
// where there is one. It says whether there was something to offer.
func (t messages) offerEmergency() bool {
	id := t.emergencyService()
	if id == "" {
		return false
	}
	wish := t.s.Task
	t.s.Task = Task{Kind: Book, Service: id, Notes: []string{wish.About}, Asides: wish.Asides, Topic: hearing.Urgent, Urgent: true}
	t.s.want(Book)
	o, err := t.desk.Openings(t.ctx, t.booking().wish())
	if err != nil || len(o.Near) == 0 {
		t.s.Task = wish
		return false
	}
	t.did("openings", t.booking().wish().arguments(), o.result())
	t.booking().offerNear(o.Near[:1])
	t.say("urgent_place", "what", t.booking().service().Say(t.s.Lang), "when", t.booking().offered()[0])
	return true
}

// emergencyService is the id of the service for emergencies, "" when there is
// none.
func (t messages) emergencyService() string {
	for _, m := range t.catalogue.FindServices(t.words("emergency_service"), t.s.Lang) {
		if m.Entry.Bookable && m.Score >= 0.75 {
			return m.Entry.ID
		}
	}
	return ""
}
