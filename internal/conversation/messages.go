package conversation

import (
	"errors"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// slotAbout is asked for without being a slot of the channel.
const slotAbout Slot = "about"

// takeMessage is a caller with a reason for calling that is neither a booking
// nor a question. It says whether the turn is done with that.
func (t messages) takeMessage() bool {
	m, ok := t.reason()
	if t.s.Reason == string(hearing.WrongNumber) && t.s.Task.Kind == "" && t.wantsNothing() && (!ok || m.Topic == hearing.WrongNumber) {
		t.talk().goodbye() // who has the wrong number, and says so or excuses it, is gone
		return true
	}
	if !ok {
		return false
	}
	t.s.Reason = string(m.Topic)
	switch {
	case m.Topic == hearing.Spam:
		t.s.Uncounted = true
		t.say("spam")
		t.end()
		return true
	case m.Topic == hearing.WrongNumber:
		t.s.Uncounted = true
		t.say("wrong_number", "business", t.talk().business())
		t.talk().offerHelp()
		return true
	case m.Topic == hearing.Urgent:
		return t.emergencies().urgent(m)
	case t.s.Task.Kind == Leave:
		t.addToMessage(m)
		return false
	case t.belongsToTask(m):
		t.notes().keepNote(m.Text, true)
		return false
	}
	t.answerReason(m)
	t.answerBeside()
	t.beginTopic(m)
	t.values().takePerson()
	t.arrangement().next()
	return true
}

// withdraw is a caller who takes back the message that was written down last: that is
// written on it, for somebody may have read it already.
func (t messages) withdraw() bool {
	i := t.s.lastWritten()
	if t.s.Task.Kind != "" || i < 0 || t.s.Log[i].Kind != Noted || !t.mix.Phrases("withdraws").In(t.tokens(t.heard.Text)) {
		return false
	}
	if err := t.desk.Add(t.ctx, t.s.Log[i].Capture, Addition{Notes: t.words("withdrawn_note")}); err != nil {
		t.did("note", map[string]any{"kind": "addition"}, map[string]any{"error": "unavailable"})
		return false
	}
	t.did("note", map[string]any{"kind": "addition"}, map[string]any{"added": 1})
	t.s.Loose, t.s.LooseAsides, t.noted = nil, nil, nil
	t.say("withdrawn")
	t.talk().offerMore()
	return true
}

// wantsNothing says whether nothing that was said asks for anything.
func (t messages) wantsNothing() bool {
	h := t.heard
	for _, i := range h.Intents {
		if i != Thanks && i != Greet && i != Goodbye && i != Repeat {
			return false
		}
	}
	return h.Question == "" && len(h.When.Mentions)+len(h.Services)+h.Party == 0 && h.Phone == ""
}

// reason is the message of the turn that weighs most.
func (t messages) reason() (hearing.Command, bool) {
	all := t.heard.Messages
	if len(all) == 0 {
		return hearing.Command{}, false
	}
	if i := slices.IndexFunc(all, func(m hearing.Command) bool { return m.Topic == hearing.Urgent }); i >= 0 {
		return all[i], true
	}
	return all[0], true
}

// belongsToTask says whether a remark is about what is being arranged: who books
// a table and tells that they may be late wants the table.
func (t messages) belongsToTask(m hearing.Command) bool {
	if m.Topic == hearing.Refund || m.Topic == hearing.Complaint && (!t.namesDay() || t.mix.Phrases("complains_outright").In(t.tokens(t.heard.Text))) {
		return false // who is unhappy and names a time to come wants to come
	}
	if m.Topic == hearing.Complaint && t.s.Task.Kind == "" {
		t.heard.Intents = append(t.heard.Intents, Book)
		return true
	}
	return t.s.Task.Kind != "" || t.heard.Has(Book) && m.Topic != hearing.GroupEvent
}

// longestAbout is how much of one utterance a message keeps, in characters.
const longestAbout = 500

// addWords adds what is said while a message is taken to it, whole: who reads it
// has nothing else.
func (t messages) addWords() {
	h, task := t.heard, &t.s.Task
	tells := t.s.Expect == SlotName && h.Name+h.Phone+h.Code == "" && !h.Yes && !h.No && !h.Has(Human) && !h.Has(Book) && t.telling() >= fewestTold
	if len(h.Notes)+len(h.Asides)+len(h.Messages) == 0 && !tells && !t.emergencies().tellsBesideNumber() || task.Tries[slotAbout] > 0 && task.About == "" {
		return
	}
	text := frontdesk.Clip(h.Text, longestAbout)
	if t.s.Expect == SlotConfirm && len(h.Messages) == 0 { // the yes beside it is none of the message
		text = frontdesk.Clip(strings.Join(slices.Concat(h.Notes, h.Asides), "; "), longestAbout)
	}
	if says(task.About, text) || len(task.About) > frontdesk.MaxNotes {
		return
	}
	task.About = strings.TrimPrefix(task.About+"\n"+text, "\n")
	t.s.Notes = strings.TrimPrefix(t.s.Notes+"\n"+text, "\n")
	t.changed = true
}

// namesDay says whether a day to come was named.
func (t messages) namesDay() bool {
	w := t.heard.When.Resolve(t.now, t.isOpen)
	return dates.DateOf(t.now).Before(w.Date) || dates.DateOf(t.now).Before(w.First)
}

// addToMessage adds what is said to the message that is being taken.
func (t messages) addToMessage(m hearing.Command) {
	task := &t.s.Task
	if task.Topic == "" || task.Topic == hearing.Callback {
		task.Topic, task.Note = m.Topic, frontdesk.Message
	}
}

// answerReason says what the business's documents know about a reason: where
// lost property is kept, how a refund is had.
func (t messages) answerReason(m hearing.Command) {
	if m.Topic == hearing.Complaint || m.Topic == hearing.OtherTopic || m.Text == "" {
		return
	}
	if m.Topic == hearing.Supplier { // what is offered is no matter of the documents
		t.answerSupplier()
		return
	}
	a, err := t.lookUp(m.Text)
	if m.Topic == hearing.Invoice && !t.mix.Phrases("billing").In(t.tokens(t.heard.Text)) {
		return // how bills are had tells nothing of a report
	}
	if query := t.reasonQuery(m.Topic); query != "" {
		if b, err := t.lookUp(query); err == nil && b.Answered && b.MatchPct >= answer.SureMatch {
			a = b
		} else if a.MatchPct < answer.ExactMatch {
			return
		}
	}
	if err != nil || !a.Answered {
		return
	}
	t.tell(m.Text, answer.Of(a, t.s.Lang))
}

// answerSupplier says when those who sell something are seen, where a document says so.
func (t messages) answerSupplier() {
	query := t.reasonQuery(hearing.Supplier)
	a, err := t.lookUp(query)
	if err != nil {
		return
	}
	for _, line := range passage.Lines(a.Hits) {
		if t.mix.Phrases("tells_suppliers").In(t.tokens(line)) && t.inquiry().InLanguage(line) {
			t.tell(query, answer.Quote(line))
			return
		}
	}
}

// reasonQuery is what callers with a reason need to know, as a question to documents;
// "" where nothing. Who is late for the night needs to get in.
func (t messages) reasonQuery(topic hearing.Topic) string {
	if t.trade.StaysOvernight {
		if query := t.words("topic_" + string(topic) + "_query_overnight"); query != "" {
			return query
		}
	}
	return t.words("topic_" + string(topic) + "_query")
}

// answerBeside answers the question that came with a reason for calling, where
// documents know: "we'll be late, how do we get in?"
func (t messages) answerBeside() {
	question := t.heard.Question
	if question == "" || t.replied {
		return
	}
	a, err := t.inquiry().Documents().Ask(question)
	if err != nil || !a.Answered {
		return
	}
	t.tell(question, answer.Of(a, t.s.Lang))
}

// beginTopic begins to take a message about something.
func (t messages) beginTopic(m hearing.Command) {
	wish := t.s.Task
	t.s.log(Event{Kind: HandedOff, Text: string(m.Topic)})
	t.did("handoff", map[string]any{"reason": string(m.Topic)}, map[string]any{"result": frontdesk.MessageTaken})
	if phrase := "topic_" + string(m.Topic) + "_taken"; t.words(phrase) != "" {
		t.say(phrase)
	} else {
		t.say("topic_other_taken")
	}
	t.arrangement().message(frontdesk.Message, frontdesk.Clip(t.heard.Text, longestAbout))
	task := &t.s.Task
	task.Topic, task.Urgent = m.Topic, m.Urgent
	task.Date, task.Clock, task.Timed, task.Party, task.Service = wish.Date, wish.Clock, wish.Timed, wish.Party, wish.Service
	t.talk().keepWish(wish)
	t.values().takeParty()
	w := t.times().wishedWhen().Resolve(t.now, t.isOpen)
	if !w.Date.IsZero() && !w.Past {
		task.Date = w.Date
	}
	if w.Timed {
		task.Clock, task.Timed = w.Clock, true
	}
	t.notes().keepNotes()
}

// nextMessage asks for what a message needs: who, which number, what about.
func (t messages) nextMessage() {
	task := &t.s.Task
	if task.About == "" && task.Tries[slotAbout] == 0 && !t.s.happened(HandedOff) && t.s.Person.Phone == "" {
		task.try(slotAbout)
		t.say("ask_about")
		t.expect(Nothing)
		return
	}
	nameless := task.Urgent && task.Topic != hearing.RunningLate // whose appointment waits is told by the name alone
	if t.s.Person.Name == "" && task.Tries[SlotName] < 2 && !nameless {
		t.contacts().haveName()
		return
	}
	if nameless && t.emergencies().hasNoTime() {
		t.emergencies().letGo()
		return
	}
	if nameless && t.emergencies().asksNumber() {
		return
	}
	if t.s.Person.Phone == "" && t.s.Person.Email == "" && !t.contacts().havePhone() {
		return
	}
	switch {
	case task.Urgent:
		t.writeNote() // every turn counts
	case task.About == "":
		t.consent().readBack(t.notes().withNotes(t.words("read_back_call", "who", t.who())))
	default:
		t.consent().readBack(t.notes().withNotes(t.words("read_back_note", "who", t.who(), "about", t.shortAbout())))
	}
}

// about is what a message is about, in one line.
func (t messages) about() string {
	return strings.Join(strings.Split(t.s.Task.About, "\n"), "; ")
}

// shortAbout is what a message is about, no longer than one listens to: what was added
// last is said whole, and what was read back before is shortened for it.
func (t messages) shortAbout() string {
	const fewest = 60 // characters of what comes before
	about, at := t.about(), strings.LastIndex(t.s.Task.About, "\n")
	if at < 0 || len(about) <= longestSaid {
		return shorten(about, longestSaid)
	}
	before, last := strings.ReplaceAll(t.s.Task.About[:at], "\n", "; "), t.s.Task.About[at+1:]
	return shorten(before, max(fewest, longestSaid-len(last))) + "; " + shorten(last, longestSaid)
}

// who is the caller, and how to reach them.
func (t messages) who() string {
	p := t.s.Person
	contact := t.contacts().spokenContact()
	if p.Name == "" {
		return contact
	}
	return p.Name + ", " + contact
}

// takeAbout is what a message is about, when that was asked, and what is added
// to it.
func (t messages) takeAbout() {
	h, task := t.heard, &t.s.Task
	if task.About != "" || task.Tries[slotAbout] == 0 || t.s.Expect != Nothing || (h.No || h.Yes) && t.telling() <= mostBesideNo || h.DontKnow || h.Phone != "" || h.Name != "" {
		return
	}
	task.About = h.Text
}

// writeNote writes down a message or an order.
func (t messages) writeNote() {
	task, p := t.s.Task, t.s.Person
	n := t.note(task)
	if code := t.notedBefore(n); code != "" {
		t.say("noted", "code", code)
		t.booking().close()
		return
	}
	c, err := t.desk.Note(t.ctx, n)
	if err != nil {
		t.notNoted(task.Note, err)
		return
	}
	t.did("note", map[string]any{"kind": n.Kind, "about": n.Service}, map[string]any{"confirmation_code": c.ConfirmationCode})
	t.s.Keys++
	t.s.log(Event{Kind: Noted, Text: n.Kind, Capture: c.ID, Service: c.Service, Name: c.CustomerName, Phone: c.CustomerPhone, Code: c.ConfirmationCode})
	t.out.Capture = &c
	switch {
	case task.Urgent:
		t.emergencies().sayNoted(c.ConfirmationCode)
	case p.Phone == "":
		t.say("noted_mail", "code", c.ConfirmationCode)
	case task.Note == frontdesk.Order:
		t.say("ordered", "items", spokenItems(task.Items)+t.orders().orderWhen(), "code", c.ConfirmationCode)
	default:
		t.say("noted", "code", c.ConfirmationCode)
	}
	t.booking().close()
}

// note is what a task comes to on paper.
func (t messages) note(task Task) Note {
	p := t.s.Person
	n := Note{
		Key: t.s.nextKey() + "/" + task.Note, Kind: task.Note, Name: p.Name, Phone: p.Phone, Email: p.Email,
		Topic: string(task.Topic), Urgency: frontdesk.Normal, Party: task.Party, Now: t.now,
	}
	if task.Urgent {
		n.Urgency = frontdesk.Urgent
		t.s.Urgency = frontdesk.Urgent
	}
	if !task.Date.IsZero() && task.Last.IsZero() {
		n.At = localTime(task.Date, task.Clock, task.Timed)
	}
	n.Service = t.about()
	if task.Kind == Order {
		n.Service = spokenItems(task.Items)
		task.Notes = append([]string{t.orders().orderLine(task)}, task.Notes...)
		n.Notes, n.Kind = task.written(), frontdesk.Order
		return n
	}
	task.Notes = append(strings.Split(task.About, "\n"), task.Notes...)
	n.Notes = task.written()
	return n
}

// notNoted is something that could not be written down.
func (t messages) notNoted(kind string, err error) {
	if errors.Is(err, ErrTooMany) {
		t.did("note", map[string]any{"kind": kind}, map[string]any{"error": "too many"})
		t.booking().tooMany()
		return
	}
	t.did("note", map[string]any{"kind": kind}, map[string]any{"error": "unavailable"})
	t.booking().notWritten()
}

// notedBefore is the reference of the same message, when it was taken already.
func (t messages) notedBefore(n Note) string {
	for _, e := range t.s.Log {
		if e.Kind == Noted && e.Text == n.Kind && e.Service == n.Service && e.Phone == n.Phone {
			return e.Code
		}
	}
	return ""
}

// keepLead writes down a wish that was left half done: who has named a day or a
// service, and a number, is called back. Who dropped it has not.
func (t messages) keepLead() {
	task := t.s.Task
	urgent := task.Kind == Leave && task.Urgent // to be known even where nobody can call back
	if !t.s.Ended || task.Kind != Book && task.Kind != Order && task.Kind != Leave || t.s.Person.Phone == "" && t.s.Person.Email == "" && !urgent {
		return
	}
	if task.Kind == Book && task.Date.IsZero() && task.Service == "" || task.Kind == Order && len(task.Items) == 0 || task.Kind == Leave && task.About == "" {
		return
	}
	about := task.about(t.turn)
	if task.Kind == Book || task.Kind == Order { // nobody has said yes to it
		task.Note, task.About = frontdesk.Lead, t.words("lead_left", "about", about)
		task.Kind = Leave
	}
	n := t.note(task)
	n.Service = about
	if t.notedBefore(n) != "" {
		return
	}
	c, err := t.desk.Note(t.ctx, n)
	if err != nil {
		t.did("note", map[string]any{"kind": n.Kind}, map[string]any{"error": "unavailable"})
		return
	}
	t.did("note", map[string]any{"kind": n.Kind, "about": about}, map[string]any{"confirmation_code": c.ConfirmationCode})
	t.s.Keys++
	t.s.log(Event{Kind: Noted, Text: n.Kind, Capture: c.ID, Service: c.Service, Name: c.CustomerName, Phone: c.CustomerPhone, Code: c.ConfirmationCode, Kept: true})
	t.s.Task = Task{}
}

// tellsWhy says whether somebody who wants to be called also says what about.
func (t messages) tellsWhy() bool {
	const enough = 2
	telling, name := 0, language.Fold(t.heard.Name)
	for _, w := range t.tokens(t.heard.Text) {
		if !w.Figures && passage.Telling(w.Word) && !strings.Contains(name, w.Word) && !spoken("call")[w.Word] {
			telling++
		}
	}
	return telling >= enough || t.mix.Phrases("told_about").In(t.tokens(t.heard.Text)) || len(t.catalogue.Listings) > 0 && len(t.catalogue.FindListings(t.heard.Text, t.s.Lang)) == 1
}
