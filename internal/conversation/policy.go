package conversation

import (
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// maxText is how much of one utterance is listened to.
const maxText = 1000

// greet opens the conversation.
func (t *turn) greet() {
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
	t.s.Offer = OfferHelp
	t.expect(Nothing, t.openingReplies()...)
}

func (t *turn) openingReplies() (quick []string) {
	if t.canBook() {
		quick = append(quick, t.words("quick_book"))
	}
	return append(quick, t.words("quick_hours"), t.words("quick_human"))
}

func (t *turn) business() string {
	if name := t.agent.Config.Business.Name; name != "" {
		return name
	}
	return t.agent.DisplayName
}

// canBook says whether this agent books: unless it has services, and none of
// them can be.
func (t *turn) canBook() bool { return len(t.bookable) > 0 || len(t.catalogue.Services) == 0 }

// text is the caller's turn to speak.
func (t *turn) text(text string) {
	text = strings.Join(strings.Fields(clip(text)), " ")
	if text == "" {
		t.silence()
		return
	}
	t.s.Turns++
	t.s.Silences = 0
	t.heard = t.listen(t.ctx, text, t.setting(), t.s.Lines)
	t.heed(text)
	t.s.Lines = lastLines(append(t.s.Lines, "caller: "+text))
	t.offer, t.s.Offer = t.s.Offer, NoOffer
	if !t.guard() {
		t.decide()
	}
	t.breakLoop()
}

func clip(text string) string {
	if utf8.RuneCountInString(text) <= maxText {
		return text
	}
	return string([]rune(text)[:maxText])
}

// setting is what hearing may know of the conversation.
func (t *turn) setting() Setting {
	offered := make([]string, len(t.s.Choices))
	for i, c := range t.s.Choices {
		offered[i] = c.Said
	}
	return Setting{
		Now: t.now, Language: t.s.Lang, Expect: t.s.Expect, Offered: offered,
		Booking: t.s.Task.Kind == Book || t.s.Task.Kind == Reschedule, Vertical: t.agent.Vertical, Region: t.region, Catalogue: t.catalogue,
	}
}

// heed follows the caller into their language, where the agent speaks it.
func (t *turn) heed(text string) {
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
func (t *turn) guard() bool {
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
		t.askAgain()
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

// decide is what the receptionist does about what it heard.
func (t *turn) decide() {
	h := t.heard
	switch {
	case h.Has(Human):
		t.s.want(Human)
		t.handOff("handoff", "the caller asked for a person")
		return
	case h.Has(Restart) && t.s.Task.Kind != "":
		t.drop()
		return
	case h.Has(Repeat) && len(h.Intents) == 1 && !t.bringsSlot() && t.s.Misses < maxMisses:
		t.s.Misses++
		t.sayText(t.s.LastSay)
		t.expect(t.s.Expect, t.s.LastReplies...)
		t.s.Offer = t.offer
		return
	}
	t.takeListing()
	t.answerQuestion()
	if t.begin() || t.comesBack() || t.s.Task.Kind != "" {
		t.arrange()
		return
	}
	if len(t.said) > 0 && t.s.Offer == OfferMore {
		return // it was dropped, or answered with an offer
	}
	t.chat()
}

// begin takes up what the caller wants arranged, and says whether there is
// something new. Wishes for what is already under way change nothing.
func (t *turn) begin() bool {
	h, task := t.heard, &t.s.Task
	for _, i := range h.Intents {
		switch i {
		case Reschedule, Cancel, LookUp:
			if task.Kind == i || task.Kind == Book && i == Reschedule && (t.justBooked(i).ID == "" || task.Service != "" || task.Timed) {
				return false // a change of what is being arranged, not of what was
			}
			if task.Kind == Book && i == Cancel && h.Code == "" {
				t.drop()
				return false
			}
			if task.Kind == Reschedule && i == Cancel && task.Own.ID == "" {
				t.s.want(i)
				task.Kind = i
				return true
			}
			t.start(i)
			return true
		case Book:
			if task.Kind != "" && task.Kind != Leave || t.resume() {
				return false
			}
			if !t.canBook() || len(h.Unbookable) > 0 && len(h.Services) == 0 {
				t.say("no_bookings")
				t.message(frontdesk.Lead, h.Text)
				return true
			}
			t.start(Book)
			return true
		case Order:
			if task.Kind != "" {
				return false
			}
			t.s.want(Order)
			if len(t.catalogue.Dishes)+len(t.catalogue.Products) == 0 {
				t.say("no_orders")
				t.message(frontdesk.Lead, h.Text)
				return true
			}
			t.start(Order)
			task.Note = frontdesk.Order
			return true
		case Leave:
			if task.Kind != "" {
				return false
			}
			t.s.want(Leave)
			t.message(frontdesk.Callback, "")
			if t.tellsWhy() {
				t.s.Task.Note, t.s.Task.About = frontdesk.Lead, h.Text
			}
			return true
		}
	}
	return false
}

// resume takes up again what was being arranged when the caller was passed on,
// once.
func (t *turn) resume() bool {
	if t.s.Paused == nil || t.s.Task.Kind != Leave {
		return false
	}
	t.s.Task, t.s.Paused = *t.s.Paused, nil
	t.s.Task.Tries = nil
	t.s.Expect = Nothing
	t.letChoices()
	return true
}

// comesBack says whether somebody who was passed on goes on booking instead of
// leaving a number.
func (t *turn) comesBack() bool {
	h := t.heard
	_, day := h.When.Day()
	_, clock := h.When.Time()
	return t.s.Paused != nil && h.Phone == "" && h.BadPhone == "" && (day || clock || h.Party > 0) && t.resume()
}

// start begins a task afresh.
func (t *turn) start(i Intent) {
	t.s.want(i)
	t.letChoices()
	t.s.Task = Task{Kind: i, Own: t.justBooked(i)}
	t.s.Expect = Nothing
	t.s.Misses = 0
	t.changed = true
}

// justBooked is the appointment that was made in this very conversation, for
// those who want to change it again: they need not show that it is theirs.
func (t *turn) justBooked(i Intent) (o Own) {
	if i != Reschedule && i != Cancel && i != LookUp {
		return o
	}
	for _, e := range t.s.Log {
		switch e.Kind {
		case Booked, Moved:
			o = Own{ID: e.Capture, Service: e.Service, Of: e.Of, Party: e.Party, At: e.At, Name: e.Name, Phone: e.Phone}
		case Cancelled:
			o = Own{}
		}
	}
	return o
}

// message begins the taking of a message.
func (t *turn) message(kind, about string) {
	t.start(Leave)
	t.s.Task.Note, t.s.Task.About = kind, about
}

func (t *turn) letChoices() { t.s.Choices = nil }

// drop lets go of what was being arranged.
func (t *turn) drop() {
	t.s.Task = Task{}
	t.letChoices()
	t.say("dropped")
	t.offerMore()
}

// chat is a turn in which nothing is being arranged.
func (t *turn) chat() {
	h, offer := t.heard, t.offer
	answered := len(t.said) > 0
	switch {
	case h.Has(Goodbye) && !answered:
		t.goodbye()
	case offer == OfferCall && h.Yes:
		t.message(frontdesk.Callback, t.lastUnanswered())
		t.next()
	case h.Phone != "" || h.Name != "" && offer == OfferCall:
		t.message(frontdesk.Callback, t.lastUnanswered())
		t.arrange()
	case offer == OfferBooking && h.Yes:
		t.start(Book)
		if found := t.catalogue.FindServices("visita viewing", t.s.Lang); len(found) > 0 && t.s.Listing != "" && found[0].Entry.Bookable {
			t.s.Task.Service = found[0].Entry.ID
		}
		t.next()
	case t.wantsTime() && h.No && t.justBooked(Reschedule).ID != "":
		t.start(Reschedule) // "better on Thursday", of what was just booked
		t.arrange()
	case t.wantsTime():
		t.start(Book)
		t.arrange()
	case answered:
		t.s.Misses = 0
		if t.s.Offer == NoOffer {
			t.s.Offer = OfferMore
			t.expect(Nothing)
		}
	case h.No && (offer == OfferBooking || offer == OfferCall) && !h.Has(Thanks):
		t.offerMore()
	case h.No && (offer == OfferMore || offer == OfferCall), h.Has(Thanks) && (h.No || offer == OfferMore):
		t.goodbye()
	case h.Has(Thanks):
		t.say("welcome")
		t.offerMore()
	case h.Self:
		t.say("machine", "business", t.business())
		t.offerMore()
	case h.Has(Greet):
		t.say("greet_back")
		t.s.Offer = OfferHelp
		t.expect(Nothing, t.openingReplies()...)
	case h.Has(Restart) && t.s.Misses == 0:
		t.s.Misses++
		t.say("dropped")
		t.offerMore()
	case h.Yes && offer != NoOffer && offer != OfferHelp:
		t.say("go_on")
		t.s.Offer = OfferHelp
		t.expect(Nothing, t.openingReplies()...)
	default:
		t.miss()
	}
}

// wantsTime says whether a day, a time or a service was named out of nothing:
// that is somebody who wants to come.
func (t *turn) wantsTime() bool {
	h := t.heard
	if h.Has(Ask) || len(t.said) > 0 || !t.canBook() {
		return false
	}
	_, day := h.When.Day()
	_, clock := h.When.Time()
	return day || clock || len(h.Services) == 1 || h.Party > 0
}

func (t *turn) offerMore() {
	t.say("more")
	t.s.Offer = OfferMore
	t.expect(Nothing, t.words("quick_no_thanks"))
}

func (t *turn) goodbye() {
	t.say("bye", "business", t.business())
	t.end()
}

// miss is a turn that nothing came of. The third in a row passes the caller on.
func (t *turn) miss() {
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
		t.askAgain()
		return
	}
	if len(t.said) == 0 {
		t.say("no_match")
	}
	t.s.Offer = OfferHelp
	t.expect(Nothing, t.openingReplies()...)
}

// breakLoop ends what goes round in circles: when the same thing would be said
// for the fourth time in a row, and no question was answered by it, the caller is
// passed on instead.
func (t *turn) breakLoop() {
	if t.s.Ended || t.replied || t.out.Capture != nil || join(t.said, t.s.Lang) != t.s.LastSay {
		t.s.Same = 0
		return
	}
	t.s.Same++
	if t.s.Same < maxTries {
		return
	}
	t.said, t.s.Same = nil, 0
	if t.s.happened(HandedOff) || t.s.Task.Kind == Leave {
		t.giveUp()
		return
	}
	t.handOff("stuck", "the conversation went round in circles")
}

// handOff passes the caller on to a person: here, by having one call back.
func (t *turn) handOff(phrase, why string) {
	if t.s.happened(HandedOff) && t.s.Task.Kind == Leave {
		t.giveUp()
		return
	}
	t.s.log(Event{Kind: HandedOff, Text: why})
	t.did("handoff", map[string]any{"reason": why}, map[string]any{"result": "callback"})
	about := t.s.Task.about(t)
	if kind := t.s.Task.Kind; kind == Book || kind == Reschedule {
		paused := t.s.Task
		t.s.Paused = &paused
	}
	t.say(phrase)
	if phone := t.agent.Config.Business.Phone; phone != "" {
		t.say("handoff_phone", "phone", phone)
	}
	t.message(frontdesk.Callback, about)
	t.takePerson()
	t.s.Misses = 0
	t.next()
}

// giveUp ends what cannot be helped, and says where else to turn.
func (t *turn) giveUp() {
	if !t.s.happened(HandedOff) {
		t.s.log(Event{Kind: HandedOff, Text: "the caller could not be helped"})
		t.did("handoff", map[string]any{"reason": "the caller could not be helped"}, map[string]any{"result": "given up"})
	}
	if phone := t.agent.Config.Business.Phone; phone != "" {
		t.say("give_up_phone", "phone", phone)
	} else {
		t.say("give_up")
	}
	t.end()
}

// silence is a caller who says nothing.
func (t *turn) silence() {
	t.s.Silences++
	if t.s.Silences >= maxTries {
		t.say("silent_bye")
		t.end()
		return
	}
	t.say("you_there")
	if t.s.Task.Kind != "" || t.s.Expect != Nothing {
		t.sayText(t.lastQuestion())
	}
	t.expect(t.s.Expect, t.s.LastReplies...)
}

// lastQuestion is the question at the end of what was said last.
func (t *turn) lastQuestion() string {
	text := strings.TrimPrefix(t.s.LastSay, t.words("you_there")+" ")
	return text
}

// keys are the keys of a telephone: what they mean depends on what was asked.
func (t *turn) keys(keys string) {
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
