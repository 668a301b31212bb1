package conversation

import (
	"errors"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// What is asked for without being a slot of the channel.
const (
	slotAbout Slot = "about"
	slotItems Slot = "items"
)

// nextMessage asks for what a message needs: who, which number, what about.
func (t *turn) nextMessage() {
	task := &t.s.Task
	if task.About == "" && task.Tries[slotAbout] == 0 && !t.s.happened(HandedOff) && t.s.Person.Phone == "" {
		task.try(slotAbout)
		t.say("ask_about")
		t.expect(Nothing)
		return
	}
	if t.s.Person.Name == "" && task.Tries[SlotName] < 2 {
		t.haveName()
		return
	}
	if t.s.Person.Phone == "" && t.s.Person.Email == "" && !t.havePhone() {
		return
	}
	if task.About == "" {
		t.readBack(t.words("read_back_call", "who", t.who()))
		return
	}
	t.readBack(t.words("read_back_note", "who", t.who(), "about", task.About))
}

// who is the caller, and how to reach them.
func (t *turn) who() string {
	p := t.s.Person
	contact := t.words("by_phone", "phone", spokenPhone(p.Phone))
	if p.Phone == "" {
		contact = t.words("by_email", "email", p.Email)
	}
	if p.Name == "" {
		return contact
	}
	return p.Name + ", " + contact
}

// tellsWhy says whether somebody who wants to be called also says what about.
func (t *turn) tellsWhy() bool {
	telling, name := 0, strings.ToLower(t.heard.Name)
	for _, w := range strings.FieldsFunc(strings.ToLower(t.heard.Text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 2 && !strings.Contains(name, w) && !spoken("call")[lexicon.Fold(w)] && !lexicon.Grammar("es", w) && !lexicon.Grammar("en", w) && !lexicon.Manners("es", w) && !lexicon.Manners("en", w) {
			telling++
		}
	}
	return telling >= 2 || len(t.catalogue.Listings) > 0 && len(t.catalogue.FindListings(t.heard.Text, t.s.Lang)) == 1
}

// nextOrder asks for what an order needs.
func (t *turn) nextOrder() {
	task := &t.s.Task
	if len(task.Items) == 0 {
		if t.changed || task.Tries[slotItems] == 0 || t.s.Expect == Nothing {
			if !t.changed && task.try(slotItems) {
				t.stuck(slotItems)
				return
			}
			if task.Tries[slotItems] == 0 {
				task.try(slotItems)
			}
		}
		t.say("ask_items")
		t.expect(Nothing)
		return
	}
	if !t.haveName() || !t.havePhone() {
		return
	}
	t.readBack(t.words("read_back_order", "items", spokenItems(task.Items), "name", t.s.Person.Name, "phone", spokenPhone(t.s.Person.Phone)))
}

func (t *turn) writeNote() {
	task, p := t.s.Task, t.s.Person
	about := task.About
	if task.Kind == Order {
		about = spokenItems(task.Items)
	}
	if p.Email != "" {
		about = strings.TrimSpace(about + " <" + p.Email + ">")
	}
	if code := t.notedBefore(task.Note, about, p.Phone); code != "" {
		t.say("noted", "code", code)
		t.close()
		return
	}
	n := Note{Key: t.s.nextKey() + "/" + task.Note, Kind: task.Note, Name: p.Name, Phone: p.Phone, Service: about, Now: t.now}
	c, err := t.desk.Note(t.ctx, n)
	if errors.Is(err, ErrTooMany) {
		t.did("note", map[string]any{"kind": task.Note}, map[string]any{"error": "too many"})
		t.tooMany()
		return
	}
	if err != nil {
		t.did("note", map[string]any{"kind": task.Note}, map[string]any{"error": "unavailable"})
		t.notWritten()
		return
	}
	t.did("note", map[string]any{"kind": task.Note, "about": about}, map[string]any{"confirmation_code": c.ConfirmationCode})
	t.s.Keys++
	t.s.log(Event{Kind: Noted, Text: task.Note, Capture: c.ID, Service: c.Service, Name: c.CustomerName, Phone: c.CustomerPhone, Code: c.ConfirmationCode})
	t.out.Capture = &c
	switch {
	case p.Phone == "":
		t.say("noted_mail", "code", c.ConfirmationCode)
	case task.Note == frontdesk.Order:
		t.say("ordered", "items", spokenItems(task.Items), "code", c.ConfirmationCode)
	default:
		t.say("noted", "code", c.ConfirmationCode)
	}
	t.close()
}

// notedBefore is the reference of the same message, when it was taken already.
func (t *turn) notedBefore(kind, about, phone string) string {
	for _, e := range t.s.Log {
		if e.Kind == Noted && e.Text == kind && e.Service == about && e.Phone == phone {
			return e.Code
		}
	}
	return ""
}

// inStock is how many of a product are left, where the business counts them.
func (t *turn) inStock(name string) (left int, counted bool) {
	for _, p := range t.catalogue.Products {
		if p.Name == name {
			return p.Stock, p.Counted
		}
	}
	return 0, false
}

// soldOut says whether something cannot be ordered now.
func (t *turn) soldOut(name string) bool {
	if left, counted := t.inStock(name); counted {
		return left <= 0
	}
	for _, d := range t.catalogue.Dishes {
		if d.Name == name {
			return !d.Available
		}
	}
	return false
}
