package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/understanding"
)

// plainYes says whether a yes to a read-back is one to all that was read, and to
// nothing else. Hearing lets no yes pass that hangs on a condition, a question
// or a change; here it is held against what was read.
func (t consent) plainYes() bool {
	if !t.heard.Yes || len(t.behind) == 0 && (!t.namesNothingNew() || t.reserves()) { // a further wish brings words of its own
		return false
	}
	return t.s.Task.Kind != Cancel || len(t.heard.When.Mentions)+len(t.heard.Notes) == 0 // it cannot be undone
}

// reserves says whether a word beside the yes, and beside what was noted, takes
// something back: "yes, keep the old one".
func (t consent) reserves() bool {
	noted := language.Set{}
	for _, w := range language.Tokenize(strings.Join(slices.Concat(t.heard.Notes, t.heard.Asides), " ")) {
		noted[w.Word] = true
	}
	reserved, keeping, asksNote := spoken("reservations"), spoken("keeping"), spoken("note_leads")
	return slices.ContainsFunc(t.tokens(t.heard.Text), func(w language.Token) bool {
		leads := len(t.heard.Notes) > 0 && asksNote[w.Word] // "add that he bites" adds the note and nothing else
		return keeping[w.Word] || reserved[w.Word] && !noted[w.Word] && !leads
	})
}

// namesNothingNew says whether every figure that was said beside a note stands in
// what was read back.
func (t consent) namesNothingNew() bool {
	read := []string{t.s.LastSay}
	if t.s.Task.Brief {
		read = slices.DeleteFunc(slices.Clone(t.s.Lines), understanding.IsCallerLine)
	}
	known := strings.Join(slices.Concat(read, t.heard.Notes, t.heard.Asides), " ")
	said := language.Tokenize(known)
	digits := hearing.Figures(known)
	for _, w := range language.Tokenize(t.heard.Text) {
		if w.Figures && !slices.ContainsFunc(said, func(r language.Token) bool { return r.Word == w.Word }) && !strings.Contains(digits, w.Word) {
			return false
		}
	}
	return true
}

// readBack says what a yes will write down, and waits for it.
func (t consent) readBack(question string) {
	task := &t.s.Task
	asked := t.s.Expect == SlotConfirm && task.ReadBack == t.arrangement().fingerprint() && !task.Unheard
	switch {
	case !asked:
		delete(task.Tries, SlotConfirm)
		task.try(SlotConfirm)
	case !t.changed && task.try(SlotConfirm):
		t.arrangement().stuck(SlotConfirm)
		return
	}
	task.Brief, task.Unheard = asked, false
	switch {
	case !asked || task.Kind == Cancel:
		task.Brief = false
	case len(t.noted) > 0: // all else was read back, and stands
		question = t.words("added_right", "notes", t.notes().shortNotes(t.noted))
	case t.forgot:
		question = t.words("removed_right")
	case t.replied:
		question = t.words("still_right")
	default:
		task.Brief = false
	}
	task.ReadBack = t.arrangement().fingerprint()
	t.sayText(question)
	t.expect(SlotConfirm, t.words("yes"), t.words("quick_change"))
}

// askOnceMore asks who said yes before they had heard all of it.
func (t consent) askOnceMore() {
	t.s.Task.Brief = true
	t.say("still_right")
	t.expect(SlotConfirm, t.words("yes"), t.words("quick_change"))
}

// answerReadBack is the answer to a read-back that nothing was changed in. It
// says whether the turn is done.
func (t consent) answerReadBack() bool {
	h, task := t.heard, &t.s.Task
	switch {
	case task.ReadBack == "" || task.ReadBack != t.arrangement().fingerprint():
		return false
	case task.Unheard && h.Yes:
		return false // it is read back once more
	case t.early && h.Yes:
		t.askOnceMore()
		return true
	case t.plainYes():
		t.booking().write()
		return true
	case t.replied || h.Question != "" && len(t.said) > 0, h.Yes && task.Kind == Cancel, len(t.noted) > 0 && task.Kind != Cancel, t.forgot:
		return false // it is asked once more, after the answer if there was a question
	case h.Yes:
		task.ReadBack = ""
		t.say("what_change")
		t.s.Offer = OfferChange
		t.expect(Nothing)
		return true
	}
	return t.refuseReadBack()
}

// refuseReadBack is a no to a read-back. It says whether the turn is done.
func (t consent) refuseReadBack() bool {
	h, task := t.heard, &t.s.Task
	switch {
	case h.No && task.Kind == Cancel:
		t.say("kept")
		t.s.Task = Task{}
		t.talk().offerMore()
		return true
	case h.No && h.Has(Goodbye):
		t.talk().drop()
		return true
	case t.slotNamed() != "":
		return false // it is asked for anew
	case h.No && task.Refused >= maxTries:
		t.talk().drop()
		return true
	case h.No:
		task.Refused++
		task.ReadBack = ""
		t.sayText(t.variant("what_change", task.Refused-1))
		t.s.Offer = OfferChange
		t.expect(Nothing)
		return true
	}
	return false
}

// reopen asks anew for what the caller says is wrong: "the name".
func (t consent) reopen() bool {
	slot := t.slotNamed()
	task, p := &t.s.Task, &t.s.Person
	switch slot {
	case SlotName:
		p.Name = ""
	case SlotPhone:
		p.Phone = ""
	case SlotDate:
		task.Date, task.Last, task.Timed = dates.Date{}, dates.Date{}, false
	case SlotTime:
		task.Timed, task.Clocks = false, nil
	case SlotService:
		task.Service = ""
	case SlotPartySize:
		task.Party = 0
	default:
		return false
	}
	task.ReadBack, task.Checked = "", ""
	delete(task.Tries, slot)
	t.changed = true
	t.arrangement().next()
	return true
}

// slotNamed is the one slot that is spoken of, "" when there is none or several.
// Who asks something about the day that stands does not speak of changing it:
// "what happens if it rains that day?".
func (t consent) slotNamed() (found Slot) {
	words := t.tokens(t.heard.Text)
	if t.replied || t.heard.Has(Ask) && !t.heard.Has(Book) {
		words = t.tokens(hearing.Without(t.heard.Text, t.heard.Question))
	}
	moves := t.mix.Words("calendar moves")
	moving := t.heard.No || slices.ContainsFunc(words, func(w language.Token) bool { return moves[w.Word] })
	if !moving && (t.replied || t.heard.Question != "") || t.mix.Phrases("the_same").In(words) {
		return "" // "the same name as before" changes nothing
	}
	for _, w := range words {
		name, ok := t.mix.Value("slot_names", w.Word)
		pointed := slices.ContainsFunc(t.heard.When.Mentions, func(m dates.Mention) bool { return m.Start <= w.Start && w.End <= m.End })
		switch slot := Slot(name); {
		case !ok || slot == found || pointed:
		case found != "":
			return ""
		default:
			found = slot
		}
	}
	return found
}
