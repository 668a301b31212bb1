package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// Bounds of the notes of one task.
const (
	mostNotes   = 12
	longestNote = 300 // characters
	longestSaid = 160 // characters of notes that are read back
)

// keepNotes keeps what was said beside the slots: with what is being arranged,
// or until something is.
func (t notes) keepNotes() {
	if t.s.Task.Kind == Leave {
		t.messages().addWords()
		return
	}
	for _, note := range t.heard.Notes {
		t.replaceNote(note)
		t.keepHeard(note, true)
	}
	for _, note := range t.heard.Asides {
		t.keepHeard(note, t.onlyTold())
	}
}

// replaceNote lets go of the note that another one corrects: who says no to what was read
// back and tells of the same thing again has told it otherwise.
func (t notes) replaceNote(note string) {
	const fewest = 4 // letters of a word that is not in two notes by chance
	if t.s.Expect != SlotConfirm || !t.heard.No {
		return
	}
	said := t.tokens(note)
	t.s.Task.Notes = slices.DeleteFunc(t.s.Task.Notes, func(kept string) bool {
		return slices.ContainsFunc(t.tokens(kept), func(k language.Token) bool {
			return len(k.Word) >= fewest && !k.Figures && passage.Telling(k.Word) && slices.ContainsFunc(said, func(w language.Token) bool { return w.Word == k.Word })
		})
	})
}

// onlyTold says whether the answer to a read-back tells something and does nothing else:
// then it is an addition, and the caller hears that it was taken.
func (t notes) onlyTold() bool {
	h := t.heard
	return t.s.Expect == SlotConfirm && !h.Yes && !h.No && !h.Waits && h.Question == "" && len(h.Intents)+len(h.When.Mentions)+len(h.Services)+len(h.Messages) == 0 && h.Name+h.Phone+h.Email == "" && h.Party == 0
}

// kept are all notes that may be taken back: of what is being arranged, or else of
// what was just booked. The last one is that which was said back last.
func (t notes) kept() []string {
	own := t.s.Task.Own
	if t.s.Task.Kind == "" {
		own = t.s.justBooked(Reschedule)
	}
	all := slices.Concat(strings.Split(own.Notes, "\n"), t.s.LooseAsides, t.s.Task.Asides, t.s.Loose, t.s.Task.Notes)
	return slices.DeleteFunc(all, func(note string) bool { return note == "" })
}

// forget lets go of notes that were taken back. Those of what was just booked are
// taken out of it like any other change.
func (t notes) forget() {
	gone := t.heard.Forgets
	if len(gone) == 0 {
		return
	}
	isGone := func(note string) bool { return slices.Contains(gone, note) }
	s := &t.s
	if own := t.s.justBooked(Reschedule); s.Task.Kind == "" && slices.ContainsFunc(strings.Split(own.Notes, "\n"), isGone) {
		t.arrangement().start(Reschedule)
	}
	for _, list := range []*[]string{&s.Loose, &s.LooseAsides, &s.Task.Notes, &s.Task.Asides} {
		*list = slices.DeleteFunc(*list, isGone)
	}
	if left := slices.DeleteFunc(strings.Split(s.Task.Own.Notes, "\n"), isGone); s.Task.Own.ID != "" && strings.Join(left, "\n") != s.Task.Own.Notes {
		s.Task.Own.Notes, s.Task.Amends = strings.Join(left, "\n"), true
		s.Task.Gone = append(s.Task.Gone, gone...)
	}
	s.Notes = strings.Join(slices.DeleteFunc(strings.Split(s.Notes, "\n"), isGone), "\n")
	again := func(note string) bool {
		return slices.ContainsFunc(gone, func(g string) bool { return says(g, note) }) // "take out that she is ten" tells it once more
	}
	t.heard.Notes, t.heard.Asides = slices.DeleteFunc(t.heard.Notes, again), slices.DeleteFunc(t.heard.Asides, again)
	t.changed, t.forgot = true, true
}

func (t notes) keepNote(note string, aloud bool) {
	note = frontdesk.Clip(strings.TrimSpace(note), longestNote)
	list := &t.s.LooseAsides
	if aloud {
		list = &t.s.Loose
	}
	if t.s.Task.Kind != "" {
		list = &t.s.Task.Asides
		if aloud {
			list = &t.s.Task.Notes
		}
	}
	if note == "" || len(*list) >= mostNotes || slices.ContainsFunc(slices.Concat(t.s.Loose, t.s.LooseAsides, t.s.Task.Notes, t.s.Task.Asides), func(kept string) bool { return says(kept, note) }) {
		return
	}
	*list = append(*list, note)
	if len(t.s.Notes) < frontdesk.MaxNotes {
		t.s.Notes = strings.TrimPrefix(t.s.Notes+"\n"+note, "\n")
	}
	if aloud {
		t.noted = append(t.noted, note)
		t.changed = true
	}
}

// addAfterwards adds what is said when nothing is being arranged any more to what
// was written down last: "and tell them that he bites".
func (t notes) addAfterwards() {
	added, i := slices.Concat(t.s.Loose, t.s.LooseAsides), t.s.lastWritten()
	if t.s.Task.Kind != "" || len(added) == 0 || i < 0 {
		return
	}
	e := &t.s.Log[i]
	if err := t.desk.Add(t.ctx, e.Capture, Addition{Notes: strings.Join(added, "\n")}); err != nil {
		t.did("note", map[string]any{"kind": "addition"}, map[string]any{"error": "unavailable"})
		return
	}
	t.did("note", map[string]any{"kind": "addition"}, map[string]any{"added": len(added)})
	e.Notes = strings.TrimPrefix(e.Notes+"\n"+strings.Join(added, "\n"), "\n")
	t.s.Loose, t.s.LooseAsides = nil, nil
}

// says tells whether a note that is kept has every word of another.
func says(kept, note string) bool {
	have := language.Set{}
	for _, w := range language.Tokenize(kept) {
		have[w.Word] = true
	}
	return !slices.ContainsFunc(language.Tokenize(note), func(w language.Token) bool { return !have[w.Word] })
}

// takeLoose gives a task the notes that were made before it.
func (t notes) takeLoose() {
	t.s.Task.Notes = append(t.s.Task.Notes, t.s.Loose...)
	t.s.Task.Asides = append(t.s.Task.Asides, t.s.LooseAsides...)
	t.s.Loose, t.s.LooseAsides = nil, nil
}

// sayNoted says back what was noted in this turn, before what is asked next. At
// a read-back it is part of that.
func (t notes) sayNoted() {
	if len(t.noted) == 0 || t.s.Expect == SlotConfirm || t.s.Ended {
		return
	}
	t.said = append([]string{t.words("noted_wish", "notes", t.shortNotes(t.noted))}, t.said...)
}

// withNotes is a read-back with the notes of the task.
func (t notes) withNotes(text string) string {
	notes := slices.DeleteFunc(slices.Clone(t.s.Task.Notes), func(note string) bool { return says(t.s.Task.About, note) })
	if len(notes) == 0 {
		return text
	}
	note := t.words("with_notes", "notes", t.shortNotes(notes))
	before, question := splitQuestion(text)
	return strings.TrimSpace(before + " " + note + " " + question)
}

// splitQuestion parts the question that a read-back ends in from what is read.
func splitQuestion(text string) (before, question string) {
	at := strings.LastIndex(text, "¿")
	if at < 0 {
		at = strings.LastIndex(strings.TrimRight(text, "?"), ".") + 1
	}
	if at == 0 {
		return text, ""
	}
	return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at:])
}

// shortNotes are notes in one line, no longer than one listens to. What was added to a
// read-back is among them, whatever else is left out.
func (t notes) shortNotes(notes []string) string {
	var said []string
	left, added := longestSaid, t.s.Expect == SlotConfirm && len(t.noted) > 0
	if added {
		notes = slices.Clone(notes)
		slices.Reverse(notes)
	}
	for _, note := range notes {
		if left -= len(note); left < 0 && len(said) > 0 {
			break
		}
		said = append(said, shorten(strings.TrimRight(note, " .,;"), longestSaid))
	}
	if added {
		slices.Reverse(said)
	}
	return strings.Join(said, "; ")
}

// written are all notes of a task as they are written down, one a line.
func (task Task) written() string {
	return frontdesk.TidyNotes(strings.Join(slices.Concat(task.Notes, task.Asides), "\n"))
}
