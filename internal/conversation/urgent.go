package conversation

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// urgent is a caller who needs help at once. The safe thing is said first: what
// the business itself says about emergencies, else the number of the country.
// Then the first place of an emergency service is offered, or a person.
func (t emergencies) urgent(m hearing.Command) bool {
	t.s.Urgency = frontdesk.Urgent
	if t.s.Task.Urgent {
		t.messages().addToMessage(m)
		return false // it is being seen to: what was said is taken as an answer
	}
	t.s.log(Event{Kind: HandedOff, Text: string(hearing.Urgent)})
	t.did("handoff", map[string]any{"reason": string(hearing.Urgent)}, map[string]any{"result": frontdesk.MessageTaken})
	life := t.endangersLife()
	t.saySafe(m, life)
	t.arrangement().message(frontdesk.Message, frontdesk.Clip(t.heard.Text, longestAbout))
	t.s.Task.Topic, t.s.Task.Urgent = hearing.Urgent, true
	t.notes().keepNotes()
	t.values().takePerson()
	t.s.Person.Phone = cmp.Or(t.s.Person.Phone, t.s.Line.Caller) // nobody is kept with questions
	if !life && t.offerEmergency() {                             // whose life is in danger needs no appointment
		return true
	}
	if t.s.Person.Phone == "" {
		t.s.Task.try(SlotPhone)
		if _, closed := t.opensLater(); closed {
			t.say("urgent_call_closed")
		} else {
			t.say("urgent_call")
		}
		t.expect(SlotPhone)
		return true
	}
	t.arrangement().next()
	return true
}

// sayNoted says that an emergency is noted: that they are called at once or, where the
// house is closed, when it opens, for nobody may see it before.
func (t emergencies) sayNoted(code string) {
	if when, closed := t.opensLater(); closed {
		t.say("urgent_noted_closed", "when", when, "code", code)
		return
	}
	t.say("urgent_noted", "code", code)
}

// opensLater says whether the house is closed now, and when it opens.
func (t emergencies) opensLater() (when string, closed bool) {
	const days = 14 // that are looked at
	if t.isOpen == nil || t.openNow() {
		return "", false
	}
	today := dates.DateOf(t.now)
	for n := range days {
		d := today.AddDays(n)
		for _, p := range t.hours.Day(d).Open {
			if p.From.After(t.now) {
				return t.moment(d, dates.Clock{Hour: p.From.Hour(), Minute: p.From.Minute()}), true
			}
		}
	}
	return "", false
}

// saySafe says what helps now, never advice of our own: to who tells of danger to
// somebody's life the number of the country before all else, and what documents
// say about it.
func (t emergencies) saySafe(m hearing.Command, life bool) {
	number, animal := language.EmergencyNumber(t.region), t.ofAnimal(t.heard.Text)
	if life {
		t.say("urgent_life", "number", number)
	}
	switch warned := t.sayWarning(m, life); {
	case warned || life:
	case animal && (!t.trade.HasEmergencies || !t.openNow()):
		t.say("urgent_animal")
	case animal: // who treats animals, and is open, is who to turn to
	default:
		t.say("urgent", "number", number)
	}
	if phone := t.agent.Config.Business.Phone; phone != "" && !life && !t.s.Line.On {
		t.say("urgent_phone", "phone", phone)
	}
}

// endangersLife says whether the life of somebody, and not of an animal, is told
// to be in danger.
func (t emergencies) endangersLife() bool {
	return t.mix.Phrases("reason_life").In(t.tokens(t.heard.Text)) && !t.ofAnimal(t.heard.Text)
}

// ofAnimal says whether it is an animal that is told to be in danger: one is named, or
// the house has to do with animals, and nobody else is hurt. The numbers of the country
// are for people.
func (t emergencies) ofAnimal(text string) bool {
	words := t.tokens(text)
	return !t.mix.Phrases("people_hurt").In(words) && (t.mix.Phrases("animals").In(words) || t.seesAnimals())
}

// seesAnimals says whether those who are seen here are animals, by what the house and
// its services are called.
func (t emergencies) seesAnimals() bool {
	said := []string{t.agent.DisplayName, t.agent.Config.Business.Name}
	for _, s := range t.catalogue.Services {
		said = append(said, s.Name)
	}
	return t.mix.Phrases("animal_houses").In(t.tokens(strings.Join(said, ". ")))
}

// sayWarning says what the documents have to say to an emergency: first of all a
// passage that sends people where they are helped. To danger to somebody's life no
// other is said than one that is about that.
func (t emergencies) sayWarning(m hearing.Command, life bool) bool {
	var first frontdesk.Answer
	queries := slices.Concat([]string{m.Text}, t.sources().Clauses(m.Text, tellingOfTale), []string{t.words("urgent_query")})
	if words := t.tokens(t.heard.Text); life {
		if from, to, ok := t.mix.Phrases("reason_life").Find(words); ok {
			queries = []string{t.heard.Text[words[from].Start:words[to-1].End], m.Text}
		}
	}
	var all []frontdesk.Answer
	for _, question := range queries {
		a, err := t.lookUp(question)
		all = append(all, a)
		if err != nil || !a.Answered {
			continue
		}
		a.Text = passage.Paragraph(a)
		if first.Text == "" && (!life || a.MatchPct >= answer.SureMatch && passage.Signs(question, a.Text) > 0) {
			first = a
		}
		if answer.SendsForHelp(a.Text) {
			first = a
			break
		}
	}
	if best := t.sources().AdviceOn(t.heard.Text, t.openNow(), all...); best.Text != "" && (best.Signs > 0 || !life) && t.inquiry().InLanguage(best.Text) {
		return t.tell(m.Text, answer.Quote(best.Text))
	}
	if first.Text == "" {
		return false
	}
	t.did("answer", map[string]any{"question": first.Question}, map[string]any{"answered": true, "match_pct": first.MatchPct})
	t.questions().answered(m.Text, first.Say(t.s.Lang))
	return true
}

// tellingOfTale is how many words of a clause of a tale tell something at least.
const tellingOfTale = 3

// Signs are the words of a warning that the caller used: with so many the warning
// is said, with so many what they told is an emergency.
const (
	signsOfWarning   = 2
	signsOfEmergency = 3
)

// warned is a caller who tells a trouble of which the business's documents say
// that it cannot wait for an appointment. That is said before anything is arranged;
// who tells most of its signs is helped as in any emergency.
func (t emergencies) warned() bool {
	h := t.heard
	if t.s.Task.Urgent || t.s.Task.Kind == Leave || h.Phone != "" || !answer.WorthAsking(h.Text) || t.mix.Phrases("supposed").In(t.tokens(h.Text)) {
		return false
	}
	if t.toldOne() {
		return t.urgent(hearing.Command{Do: hearing.DoMessage, Topic: hearing.Urgent, Urgent: true, Text: h.Text})
	}
	if !t.trade.HasEmergencies {
		return false
	}
	a, err := t.lookUp(h.Text)
	if err != nil || !a.Answered || a.MatchPct < answer.SureMatch || !answer.SendsForHelp(a.Text) {
		return false
	}
	signs, comes := passage.Signs(h.Text, a.Text), t.wantsToCome()
	if comes && (a.MatchPct < answer.ExactMatch || signs < signsOfEmergency) {
		return false
	}
	if signs < signsOfWarning || t.s.happened(Answered) && t.questions().last(Answered) == a.Text {
		return false
	}
	if signs >= signsOfEmergency && !comes {
		return t.urgent(hearing.Command{Do: hearing.DoMessage, Topic: hearing.Urgent, Urgent: true, Text: h.Text})
	}
	t.did("answer", map[string]any{"question": a.Question}, map[string]any{"answered": true, "match_pct": a.MatchPct})
	t.questions().answered(a.Text, a.Say(t.s.Lang))
	return false
}

// sayWhereTo says to who tells a trouble that cannot wait where the documents send
// people in an emergency, whatever words they have for it. It says whether they do.
func (t emergencies) sayWhereTo(question string) bool {
	const fewest = 4 // telling words
	words := t.tokens(t.heard.Text)
	if t.s.Task.Kind != "" || t.mix.Phrases("supposed").In(words) || !t.mix.Phrases("where_to_turn").In(words) && (t.telling() < fewest || !t.mix.Phrases("cannot_wait").In(words)) {
		return false
	}
	a, err := t.lookUp(t.words("urgent_query"))
	if err != nil || !a.Answered || !answer.SendsForHelp(a.Text) {
		return false
	}
	a.Text = passage.Paragraph(a)
	t.tell(question, answer.Of(a, t.s.Lang))
	return true
}

// wantsToCome says whether a service or a day to come is named: who does so
// wants an appointment, and is no emergency for a few words in common with a warning.
func (t emergencies) wantsToCome() bool {
	h := t.heard
	if t.mix.Phrases("asks_what_to_do").In(t.tokens(h.Text)) {
		return false
	}
	if len(h.Services) > 0 {
		return true
	}
	when := h.When.Resolve(t.now, t.isOpen)
	return !when.First.IsZero() && dates.DateOf(t.now).Before(when.First)
}

// hasNoTime says whether somebody in an emergency who was asked for a number gives none,
// and asks nothing: they see to it themselves. Who only tells more is asked once more,
// for without a number nobody can call.
func (t emergencies) hasNoTime() bool {
	h := t.heard
	asked := t.s.Expect == SlotPhone && t.s.Person.Phone == "" && t.s.Person.Email == "" && h.BadPhone == "" && !t.replied
	goes := h.No || h.Has(Goodbye) || h.Has(Thanks) || t.mix.Phrases("sees_to_it").In(t.tokens(h.Text))
	return asked && (goes || !h.Yes && t.s.Task.Tries[SlotPhone] > 1)
}

// tellsBesideNumber says whether more is told in an emergency than the number that was
// asked for: where somebody is may be all that helps.
func (t emergencies) tellsBesideNumber() bool {
	const fewest = 2 // telling words
	if !t.s.Task.Urgent || t.heard.Phone == "" {
		return false
	}
	n := 0
	for _, w := range t.tokens(t.heard.Text) {
		if !w.Figures && passage.Telling(w.Word) && !passage.Counts(w.Word) && !t.mix.Words("fillers")[w.Word] && !says(t.heard.Name, w.Word) {
			n++
		}
	}
	return n >= fewest
}

// asksNumber asks once more for the number of who only tells more of an emergency, which
// is added to what was told. It says whether it has.
func (t emergencies) asksNumber() bool {
	h, task := t.heard, &t.s.Task
	if t.s.Expect != SlotPhone || t.s.Person.Phone+t.s.Person.Email+h.BadPhone != "" || t.replied {
		return false
	}
	if text := frontdesk.Clip(h.Text, longestAbout); t.telling() > 0 && !says(task.About, text) && len(task.About) < frontdesk.MaxNotes {
		task.About += "\n" + text
	}
	task.try(SlotPhone)
	t.said = nil
	t.say("urgent_number")
	t.expect(SlotPhone)
	return true
}

// letGo ends an emergency whose caller has no time to leave a number: what was
// told is written down, and they are not kept.
func (t emergencies) letGo() {
	n, animal := t.messages().note(t.s.Task), t.ofAnimal(t.s.Task.About)
	if c, err := t.desk.Note(t.ctx, n); err == nil {
		t.did("note", map[string]any{"kind": n.Kind, "about": n.Service}, map[string]any{"confirmation_code": c.ConfirmationCode})
		t.s.Keys++
		t.s.log(Event{Kind: Noted, Text: n.Kind, Capture: c.ID, Service: c.Service, Code: c.ConfirmationCode})
		t.out.Capture = &c
	}
	t.s.Task, t.said = Task{}, nil
	if animal {
		t.say("urgent_hurry_animal")
	} else {
		t.say("urgent_hurry", "number", language.EmergencyNumber(t.region))
	}
	t.expect(Nothing)
}

// offerEmergency offers the first free place of the service for emergencies,
// where there is one. It says whether there was something to offer.
func (t emergencies) offerEmergency() bool {
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
func (t emergencies) emergencyService() string {
	for _, m := range t.catalogue.FindServices(t.words("emergency_service"), t.s.Lang) {
		if m.Entry.Bookable && m.Score >= 0.75 {
			return m.Entry.ID
		}
	}
	return ""
}
