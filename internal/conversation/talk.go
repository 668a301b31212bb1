package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/redact"
	"frontdesk.dev/frontdesk/internal/understanding"
)

const (
	maxText = 1000 // characters of one utterance that are listened to
	maxName = 80   // characters
)

// greet opens the conversation.
func (t talk) greet() {
	business := t.business()
	greeting := t.agent.Config.Assistant.Greeting
	switch {
	case greeting != "" && t.s.Lang == t.agent.Languages[0]:
		t.sayText(greeting)
	case t.agent.Config.Assistant.Name != "":
		t.say("greeting", "business", business, "name", t.agent.Config.Assistant.Name)
	default:
		t.say("greeting_plain", "business", business)
	}
	t.offerHelp()
}

func (t talk) openingReplies() (quick []string) {
	if t.canBook() {
		quick = append(quick, t.words("quick_book"))
	}
	if t.hours.Known() || t.agent.Config.Business.HoursHuman != "" {
		quick = append(quick, t.words("quick_hours"))
	}
	return append(quick, t.words("quick_human"))
}

func (t talk) business() string {
	if name := t.agent.Config.Business.Name; name != "" {
		return name
	}
	return t.agent.DisplayName
}

// canBook says whether this agent books: unless it has services, and none of
// them can be.
func (t talk) canBook() bool { return len(t.bookable) > 0 || len(t.catalogue.Services) == 0 }

// text is the caller's turn to speak.
func (t talk) text(text string) {
	text = strings.Join(strings.Fields(frontdesk.Clip(text, maxText)), " ")
	if text == "" {
		t.silence()
		return
	}
	t.s.Turns++
	t.s.Silences = 0
	heard := t.listener.Listen(t.ctx, strings.TrimSpace(unsaid.Replace(text)), t.setting(), t.s.background())
	_, further := hearing.Wishes(heard.Commands)
	t.heard = heard.Gist()
	t.attendants().dropNotes()
	t.followLanguage(text)
	t.s.Lines = understanding.LastLines(append(t.s.Lines, understanding.CallerLine(text)))
	t.offer, t.s.Offer = t.s.Offer, NoOffer
	t.arrangement().queue(further)
	t.arrangement().letGo()
	wishes(t).keepAll()
	t.messages().takeRemainder()
	t.notes().forget()
	t.notes().keepNotes()
	day := t.times().asksOf()
	for _, rule := range precedence {
		if rule.act(t.turn) {
			break
		}
	}
	if t.replied && !day.IsZero() {
		t.s.Day, t.s.DayAt = day, t.s.Turns
	}
	t.breakLoop()
}

// precedence is the order in which what was heard is acted on. Each act says
// whether the turn is done with it.
var precedence = []struct {
	why string
	act func(*turn) bool
}{
	{"nobody is helped by answering insults, or orders to the machine", func(t *turn) bool { return t.talk().guard() }},
	{"who is in danger is helped before anything else", func(t *turn) bool { return t.talk().urgentFirst() }},
	{"the owner's own rules come before ours", func(t *turn) bool { return t.talk().followRule() }},
	{"who asks for the waiting list leaves no message", func(t *turn) bool { return t.waitlist().heardWish() }},
	{"an address that comes afterwards belongs to what was written down", func(t *turn) bool { return t.contacts().mailAfterwards() }},
	{"who takes a message back leaves no other", func(t *turn) bool { return t.messages().withdraw() }},
	{"a reason for calling that is no booking must not become one", func(t *turn) bool { return t.messages().takeMessage() }},
	{"a person is to be had at any moment", func(t *turn) bool { return t.talk().passOn() }},
	{"who wants to leave it, or to hear it again, is not asked on", func(t *turn) bool { return t.talk().leaveOrRepeat() }},
	{"everything else is a question, a booking, or talk", func(t *turn) bool { return t.talk().decide() }},
}

// urgentFirst acts on what cannot wait.
func (t talk) urgentFirst() bool {
	if m, ok := t.messages().reason(); ok && m.Topic == hearing.Urgent {
		return t.messages().takeMessage()
	}
	return t.emergencies().warned()
}

// unsaid takes out the marks that stand for what is never written down: they are
// ours, not the caller's words.
var unsaid = strings.NewReplacer(redact.Card, " ", redact.IBAN, " ", redact.Identity, " ", redact.Expiry, " ", redact.Code, " ")

// setting is what hearing may know of the conversation.
func (t talk) setting() Setting {
	offered := make([]string, len(t.s.Choices))
	for i, c := range t.s.Choices {
		offered[i] = c.Said
	}
	return Setting{
		Now: t.now, Language: t.s.Lang, Expect: t.s.Expect, Offered: offered,
		Ordering: t.s.Task.Kind == Order,
		Booking:  t.s.Task.Kind == Book || t.s.Task.Kind == Reschedule, Booked: t.s.justBooked(Reschedule).ID != "", Trade: t.trade, Region: t.region, Catalogue: t.catalogue, Called: t.s.Person.Name, Number: t.s.Person.Phone, Noted: t.notes().kept(), Wanted: t.arrangement().wanted(), Coming: t.booking().coming(), Standing: t.times().standing(), Mix: t.mix,
	}
}

// followLanguage follows the caller into their language, where the agent speaks it.
func (t talk) followLanguage(text string) {
	lang := t.heard.Language
	if lang == "" {
		return
	}
	if t.s.Spoken == nil {
		t.s.Spoken = map[string]int{}
	}
	for _, l := range t.agent.Languages {
		if l == lang {
			t.s.Lang = lang
			t.s.Spoken[lang] += len(strings.Fields(text))
		}
	}
}

// guard answers what is no business of the desk's. It says whether the turn is
// done with that. What was being arranged stays as it was.
func (t talk) guard() bool {
	h := t.heard
	switch {
	case h.Has(Abuse):
		t.s.Insults++
		if t.s.Insults >= maxTries {
			t.say("enough")
			t.end()
			return true
		}
		t.say("polite")
		t.arrangement().askAgain()
		return true
	case h.Has(Meddle):
		t.say("meddle", "business", t.business())
		t.miss()
		return true
	case h.Has(Others):
		t.say("privacy")
		t.miss()
		return true
	}
	return false
}

// passOn is a caller who wants a person.
func (t talk) passOn() bool {
	if !t.heard.Has(Human) {
		return false
	}
	t.s.want(Human)
	t.handOff("handoff", "the caller asked for a person")
	return true
}

// leaveOrRepeat is a caller who wants to leave it, or to hear it again.
func (t talk) leaveOrRepeat() bool {
	h := t.heard
	switch {
	case h.Has(Restart) && t.s.Task.Kind != "" && h.Has(Leave):
		t.s.Task, t.s.Queue = Task{}, nil // "forget the booking, just call me"
		return false
	case h.Has(Restart) && t.s.Task.Kind != "" && h.Question == "":
		t.drop()
		return true
	case h.Has(Restart) && t.s.Task.Kind == Book:
		if id := t.s.Task.Service; id != "" {
			t.questions().remember(id) // it may be what the question is about
		}
		t.s.Task, t.s.Queue = Task{}, nil // "I didn't want to book, only to know …"
		t.arrangement().letChoices()
		return false
	case h.Has(Repeat) && len(h.Intents) == 1 && !t.questions().bringsSlot() && t.s.Misses < maxMisses && !t.s.Task.Urgent:
		t.s.Misses++
		if t.s.Task.Brief { // whoever wants to hear it again wants to hear all of it
			t.s.Task.ReadBack = ""
			t.arrangement().next()
			return true
		}
		t.sayText(t.s.LastSay)
		t.s.Task.Unheard = false
		t.expect(t.s.Expect, t.s.LastReplies...)
		t.s.Offer = t.offer
		return true
	}
	return false
}

// decide is what the receptionist does about a question, a wish, or talk.
func (t talk) decide() bool {
	h := t.heard
	if h.Code != "" && t.s.Task.Kind == "" && !h.Has(Reschedule) && !h.Has(Cancel) {
		t.arrangement().start(LookUp) // who says a code wants to know, or do, something about it
		t.s.Task.Own = Own{}
		t.arrangement().arrange()
		return true
	}
	if t.concludesNo() {
		return true
	}
	t.questions().answerQuestion()
	t.questions().leaveQuestionOut()
	t.questions().takeListing()
	if t.inquiry().FollowsUp() && (t.replied || t.offer == OfferMore && len(t.heard.When.Mentions) == 0) {
		t.questions().admit()
		t.chat()
		return true
	}
	if t.s.Task.Kind == "" && t.changesPerson() {
		t.arrangement().start(Reschedule)
		t.arrangement().arrange()
		return true
	}
	if t.arrangement().begin() || t.arrangement().comesBack() || t.s.Task.Kind != "" {
		t.arrangement().arrange()
		return true
	}
	t.questions().talkOf()
	if len(t.said) > 0 && t.s.Offer == OfferMore {
		return true // it was dropped, or answered with an offer
	}
	t.chat()
	return true
}

// concludesNo is a caller who takes it for a no that something is not known, or asks who
// would do it then: neither is known either, and somebody can tell them.
func (t talk) concludesNo() bool {
	if t.offer != OfferCall || t.s.Task.Kind != "" || !t.mix.Phrases("concludes_no").In(t.tokens(t.heard.Text)) {
		return false
	}
	t.say("neither_known")
	t.s.Offer = OfferCall
	t.expect(Nothing, t.words("quick_number"), t.words("quick_no_thanks"))
	return true
}

// drop lets go of what was being arranged.
func (t talk) drop() {
	phrase := "dropped"
	if t.s.Task.Kind == Cancel && t.s.Expect == SlotConfirm {
		phrase = "kept" // who lets go of cancelling has their appointment still
	}
	if t.s.Task.Kind == Leave {
		t.s.Dropped = t.s.Task.About // who takes it up again need not tell it again
		t.s.forgetOffered(t.s.Task.Topic)
	}
	t.s.Task, t.s.Queue = Task{}, nil
	t.arrangement().letChoices()
	t.say(phrase)
	t.offerMore()
}

// chat is a turn in which nothing is being arranged.
func (t talk) chat() {
	h, answered := t.heard, len(t.said) > 0
	switch {
	case h.Has(Goodbye) && !answered && len(t.noted) == 0:
		t.goodbye()
	case t.takesUp():
	case answered:
		t.s.Misses = 0
		if t.s.Offer == NoOffer {
			t.s.Offer = OfferMore
			t.expect(Nothing)
		}
	case len(t.noted) > 0 && t.s.lastWritten() >= 0:
		t.offerMore() // it is kept with what was written down
	case t.declines():
	case t.offersLook():
	case t.courtesy():
	default:
		t.miss()
	}
}

// takesUp is a caller who takes up an offer, or begins something by naming what
// it needs.
func (t talk) takesUp() bool {
	h := t.heard
	switch {
	case h.Has(Restart):
		return false // "all right, I'll try elsewhere" takes up nothing
	case t.offer == OfferCall && h.Yes && (t.telling() <= mostBesideNo || h.Has(Leave)), h.Phone != "" || h.Name != "" && t.offer == OfferCall:
		t.arrangement().message(frontdesk.Callback, t.questions().last(Unanswered))
		t.arrangement().arrange()
	case t.offer == OfferBooking && (h.Yes && t.telling() <= mostBesideNo || h.AnyTime || t.soonest()):
		t.arrangement().start(Book)
		t.arrangement().arrange()
	case t.signsUp():
		t.arrangement().notBooked()
		t.arrangement().arrange()
	case t.wantsTime() && (h.No || t.mix.Phrases("takes_back").In(t.tokens(h.Text))) && t.s.justBooked(Reschedule).ID != "":
		t.arrangement().start(Reschedule) // "better on Thursday", of what was just booked
		t.arrangement().arrange()
	case t.wantsTime():
		t.arrangement().start(Book)
		t.arrangement().arrange()
	default:
		return false
	}
	return true
}

// changesPerson says whether the name or the number is corrected of what was just
// booked.
func (t talk) changesPerson() bool {
	h, own := t.heard, t.s.justBooked(Reschedule)
	wants := slices.ContainsFunc(h.Intents, func(i Intent) bool { return i != Leave && i != Ask })
	if own.ID == "" || t.offer == OfferCall || wants || len(h.Messages) > 0 || h.Phone+h.Name == "" {
		return false
	}
	words := t.tokens(h.Text)
	return h.No || t.mix.Phrases("changes").In(words) || t.mix.Phrases("rewrites").In(words)
}

// signsUp says whether somebody wants what cannot be booked here, by its name or
// because it was talked about last.
func (t talk) signsUp() bool {
	h, words := t.heard, t.tokens(t.heard.Text)
	if h.No || h.DontKnow || t.replied || len(h.Services) > 0 || t.arrangement().unbookable().ID == "" {
		return false
	}
	return t.mix.Phrases("signs_up").In(words) || len(h.Unbookable) > 0 && !h.Has(Ask) && t.mix.Phrases("want").In(words)
}

// declines is a no to an offer.
func (t talk) declines() bool {
	h := t.heard
	switch {
	case h.No && (t.offer == OfferBooking || t.offer == OfferCall) && !h.Has(Thanks):
		t.offerMore()
	case h.No && (t.offer == OfferMore || t.offer == OfferCall) && (t.telling() <= mostBesideNo || h.Has(Goodbye) || h.Has(Thanks)), h.Has(Thanks) && (h.No || t.offer == OfferMore):
		t.goodbye()
	default:
		return false
	}
	return true
}

// courtesy is what people say besides.
func (t talk) courtesy() bool {
	h := t.heard
	switch {
	case h.Has(Thanks):
		t.say("welcome")
		t.offerMore()
	case h.Self:
		t.say("machine", "business", t.business())
		t.offerMore()
	case h.Has(Greet):
		t.say("greet_back")
		t.offerHelp()
	case h.Has(Restart):
		t.say("all_right")
		t.offerMore()
	case h.Yes && t.offer == OfferMore && !strings.Contains(t.s.LastSay, t.words("more")):
		t.offerMore() // it was an answer that they are content with
	case h.Yes && t.offer != NoOffer && t.offer != OfferHelp:
		t.say("go_on")
		t.offerHelp()
	default:
		return false
	}
	return true
}

func (t talk) offerHelp() {
	t.s.Offer = OfferHelp
	t.expect(Nothing, t.openingReplies()...)
}

// wantsTime says whether a day, a time or a service was named out of nothing:
// that is somebody who wants to come.
func (t talk) wantsTime() bool {
	h := t.heard
	w := h.When.Resolve(t.now, t.isOpen)
	dayAndTime := w.Timed && !w.Date.IsZero() && !w.Past
	if h.Has(Ask) && !dayAndTime || h.Has(Thanks) || h.Has(Goodbye) || len(t.said) > 0 || !t.canBook() || t.mix.Phrases("hours").In(t.tokens(h.Text)) {
		return false
	}
	if t.namesTime() {
		return true
	}
	return len(h.Services) == 1 && t.telling() <= mostBesideService || h.Party > 0 && t.booking().countsPeople()
}

// namesTime says whether a day or a time to come is named.
func (t talk) namesTime() bool {
	_, day := t.heard.When.Day()
	_, clock := t.heard.When.Time()
	w := t.heard.When.Resolve(t.now, t.isOpen)
	return (day || clock) && !w.Past && (w.Last.IsZero() || !w.Last.Before(dates.DateOf(t.now)))
}

// mostBesideService is how many words that tell something there may be where a
// service is named by who wants it, and no wish is told.
const mostBesideService = 4

func (t talk) offerMore() {
	t.say("more")
	t.s.Offer = OfferMore
	t.expect(Nothing, t.words("quick_no_thanks"))
}

func (t talk) goodbye() {
	t.say("bye", "business", t.business())
	t.end()
}

// miss is a turn that nothing came of. After three in a row, the next one passes
// the caller on.
func (t talk) miss() {
	t.s.Misses++
	if t.s.Misses > maxMisses {
		if t.s.happened(HandedOff) {
			t.giveUp()
			return
		}
		t.handOff("stuck", "the caller could not be understood")
		return
	}
	if t.s.Task.Kind != "" {
		t.arrangement().askAgain()
		return
	}
	if len(t.said) == 0 && len(t.noted) > 0 { // it was heard, and is no wish of ours to guess
		t.say("offer_call")
		t.s.Offer = OfferCall
		t.expect(Nothing, t.words("quick_number"), t.words("quick_no_thanks"))
		return
	}
	if len(t.said) == 0 {
		t.sayText(t.variant("no_match", t.s.Misses-1))
	}
	t.offerHelp()
}

// offersLook offers an appointment to somebody who only tells what is wrong.
func (t talk) offersLook() bool {
	if !t.tellsTrouble() || !t.canBook() || t.s.Misses > 0 {
		return false
	}
	t.s.Misses++
	t.say("offer_look")
	t.s.Offer = OfferBooking
	t.expect(Nothing, t.words("yes"), t.words("quick_human"))
	return true
}

// tellsTrouble says whether somebody tells what is wrong where things and people
// are put right: who does wants to be seen.
func (t talk) tellsTrouble() bool {
	told := len(t.noted) > 0
	if t.s.Turns == 1 && t.telling() >= fewestTold && t.heard.Language != "" && len(t.heard.Intents) == 0 && t.heard.Question == "" {
		return true // who opens with a tale has come for help with it
	}
	return told && (t.trade.HasEmergencies || t.trade.ComesToCustomer || t.trade.BooksPeople) && !t.s.happened(Noted)
}

// fewestTold is how many words that tell something a tale has.
const fewestTold = 3

// breakLoop ends what goes round in circles. Nothing is said three times: an
// answer is given in other words, and a question that has been put twice in vain
// is left to a person.
func (t talk) breakLoop() {
	text := t.join(t.said)
	switch {
	case t.s.Ended || t.out.Capture != nil || text == "" || t.s.Heard[text] < 2:
	case t.replied || t.s.Task.Kind == "":
		t.said = []string{t.variant("as_said", t.s.Heard[text]-2, "text", text)}
	case t.s.happened(HandedOff) || t.s.Task.Kind == Leave:
		t.said = nil
		t.giveUp()
	default:
		t.said = nil
		t.handOff("stuck", "the conversation went round in circles")
	}
}

// whyRule is why somebody is passed on whom a rule of the business passes on.
const whyRule = "a rule of the business"

// handOff passes the caller on to a person: by putting them through or, where that
// cannot be done, by having one call back.
func (t talk) handOff(phrase, why string) {
	switch {
	case t.s.happened(HandedOff) && t.s.happened(Noted):
		t.say("already_noted")
		t.booking().close()
		return
	case t.s.happened(HandedOff) && t.s.Task.Kind == Leave && t.heard.Has(Human) && !t.s.Task.try(slotPerson):
		t.say("handoff_again")
		t.changed = true
		t.arrangement().next()
		return
	case t.s.happened(HandedOff) && (!t.heard.Has(Human) || t.s.Task.Kind == Leave || t.s.Passed >= mostPassed):
		t.giveUp()
		return
	}
	t.s.Passed++
	t.s.log(Event{Kind: HandedOff, Text: why})
	if passing := transfers(t); passing.mayPutThrough(why) {
		passing.putThrough(why)
		return
	}
	t.did("handoff", map[string]any{"reason": why}, map[string]any{"result": "callback"})
	t.say(phrase)
	if phone := t.agent.Config.Business.Phone; phone != "" && !t.s.Line.On {
		t.say("handoff_phone", "phone", phone)
	}
	t.callBack()
}

// callBack takes a message for a person who calls back, with what was being arranged.
func (t talk) callBack() {
	wish := t.s.Task
	about := wish.about(t.turn)
	if about == "" && t.messages().tellsWhy() {
		about = frontdesk.Clip(t.heard.Text, longestAbout)
	}
	if kind := t.s.Task.Kind; kind == Book || kind == Reschedule {
		paused := t.s.Task
		t.s.Paused = &paused
	}
	t.arrangement().message(frontdesk.Callback, about)
	t.keepWish(wish)
	t.values().takePerson()
	t.s.Misses = 0
	t.arrangement().next()
}

// slotPerson counts how often somebody who is being passed on asks for a person.
const slotPerson Slot = "person"

// mostPassed is how often a caller is passed on in one conversation.
const mostPassed = 2

// keepWish keeps with a message what was noted with what was being arranged.
func (t talk) keepWish(wish Task) {
	task := &t.s.Task
	task.Notes, task.Asides = append(task.Notes, wish.Notes...), append(task.Asides, wish.Asides...)
}

// giveUp ends what cannot be helped, and says where else to turn.
func (t talk) giveUp() {
	if !t.s.happened(HandedOff) {
		t.s.log(Event{Kind: HandedOff, Text: "the caller could not be helped"})
		t.did("handoff", map[string]any{"reason": "the caller could not be helped"}, map[string]any{"result": "given up"})
	}
	t.sayOrCall("give_up")
	t.end()
}

// sayOrCall says a phrase that sends the caller elsewhere: to the telephone of
// the business, where it has one.
func (t talk) sayOrCall(phrase string) {
	if phone := t.agent.Config.Business.Phone; phone != "" && !t.s.Line.On {
		t.say(phrase+"_phone", "phone", phone)
		return
	}
	t.say(phrase)
}

// silence is a caller who says nothing.
func (t talk) silence() {
	t.s.Silences++
	if t.s.Silences >= maxTries {
		t.say("silent_bye")
		t.end()
		return
	}
	t.say("you_there")
	t.s.Task.Unheard = t.s.Task.Unheard && t.s.Task.Brief // all of it is said once more
	if t.s.Task.Kind != "" || t.s.Expect != Nothing {
		t.sayText(strings.TrimPrefix(t.s.LastSay, t.words("you_there")+" "))
	}
	t.expect(t.s.Expect, t.s.LastReplies...)
}

// keys are the keys of a telephone: what they mean depends on what was asked.
func (t talk) keys(keys string) {
	switch {
	case keys == "0" && t.s.Expect != SlotPhone && t.s.Expect != SlotPartySize:
		t.s.Turns++
		t.s.want(Human)
		t.handOff("handoff", "the caller asked for a person")
	case t.s.Expect == SlotConfirm && keys == "1":
		t.text(t.words("yes"))
	case t.s.Expect == SlotConfirm && keys == "2":
		t.text(t.words("no"))
	default:
		t.text(keys)
	}
}

// soonest says whether the first place that there is was asked for.
func (t talk) soonest() bool {
	return slices.ContainsFunc(t.heard.When.Mentions, func(m dates.Mention) bool { return m.Kind == dates.Soonest })
}
