package hearing

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// noteWriter makes notes and messages of the pieces that an utterance was cut into.
type noteWriter struct{ *cutter }

// note makes notes of the remarks, one of those that follow each other.
func (c noteWriter) note() {
	c.wordMessages()
	if c.Has(Abuse) || c.Has(Meddle) || c.Has(Others) || c.leaves {
		return
	}
	for i := 0; i < len(c.pieces); i++ {
		if c.pieces[i].Kind != Remark {
			continue
		}
		at, must := c.pieces[i].At, c.mustBeKnown(c.pieces[i])
		for i+1 < len(c.pieces) && c.goesWith(i, must) {
			i++
			at[1] = c.pieces[i].At[1]
			must = must || c.mustBeKnown(c.pieces[i])
		}
		if c.asksUnder(at) {
			continue
		}
		if len(c.Messages) == 0 || must && touchesAny(at, c.placesAt) { // the rest is in the message
			c.keep(at, must)
		}
	}
	c.noteAskedDone()
}

// goesWith says whether the piece behind piece i is one remark with it: both are
// for the same ears, or the second tells of the last word of the first.
func (c noteWriter) goesWith(i int, must bool) bool {
	next := c.pieces[i+1]
	if next.Kind != Remark || !c.sameSentence(c.pieces[i].At, next.At) {
		return false
	}
	words := c.within(next.At)
	relative := len(words) > 0 && c.is("tells_of", words[0].Word) && c.pieces[i].At[1]+1 >= next.At[0]
	return relative || c.mustBeKnown(next) == must
}

// noteAskedDone notes what somebody of the house is asked to do, beside what is
// being arranged. Where a slot is all that it brings, it is a wish.
func (c noteWriter) noteAskedDone() {
	if len(c.Messages) > 0 || !c.Booking && !c.Ordering && !c.Has(Book) && !c.Has(Reschedule) && !c.Has(Order) {
		return
	}
	for _, at := range c.doneAt {
		says := func(w language.Token) bool {
			return !c.empty(w) && !w.Figures && !c.isNumberWord(w.Word) && !touches(w, c.slotsAt())
		}
		if !slices.ContainsFunc(c.within(at), says) {
			continue
		}
		asked := strings.TrimRight(c.Text[at[0]:at[1]], " ,.;")
		c.Notes = slices.DeleteFunc(c.Notes, func(note string) bool { return strings.Contains(asked, note) })
		c.Notes = append(c.Notes, asked)
	}
}

// slotsAt are where values of slots stand.
func (c noteWriter) slotsAt() [][2]int {
	all := [][2]int{c.phoneAt, c.emailAt, c.codeAt, c.nameAt, c.partyAt, c.serviceAt}
	for _, m := range c.When.Mentions {
		all = append(all, [2]int{m.Start, m.End})
	}
	return all
}

// wordMessages gives the messages their text: all that was said but courtesies
// at both ends, and a question at the end.
func (c noteWriter) wordMessages() {
	from, to := 0, len(c.pieces)
	for from < to && (c.pieces[from].Kind == Courtesy || c.pieces[from].Kind == AnswerPiece && c.Expect == SlotConfirm) {
		from++
	}
	for to > from+1 && (c.pieces[to-1].Kind == Courtesy || c.pieces[to-1].Kind == QuestionPiece && c.Has(Ask)) {
		to--
	}
	for i := range c.Messages {
		if c.Messages[i].Text == "" && from < to {
			at := [2]int{c.pieces[from].At[0], c.pieces[to-1].At[1]}
			c.Messages[i].Text, c.Messages[i].At = c.Text[at[0]:at[1]], at
		}
	}
}

func (c noteWriter) sameSentence(a, b [2]int) bool {
	first, second := c.within(a), c.within(b)
	return len(first) > 0 && len(second) > 0 && first[len(first)-1].Sentence == second[0].Sentence
}

// mustBeKnown says whether a remark is for whoever serves the caller. The others
// tell why somebody calls: they are kept, and not said back.
func (c noteWriter) mustBeKnown(p Piece) bool {
	words := c.within(p.At)
	if c.explainsChange(p.At) {
		return false
	}
	return c.hears("must_know", words) || c.withSomebody(words) || c.hears("notes_before", c.words.words) && c.contentWords(words) > 0 || touchesAny(p.At, c.placesAt) || c.Expect == SlotConfirm && c.Yes && c.contentWords(words) > 1
}

// explainsChange says whether a remark tells why what was read back does not suit, and
// the day or the time that does comes after it: "no, I pick up my son then, make it six".
func (c noteWriter) explainsChange(at [2]int) bool {
	return c.Expect == SlotConfirm && c.No && !touchesAny(at, c.placesAt) && slices.ContainsFunc(c.When.Mentions, func(m dates.Mention) bool {
		return m.Counts && !m.Negated && !m.Told && m.Start >= at[1] && c.sameSentence(at, [2]int{m.Start, m.End})
	})
}

// withSomebody hears by whom a caller wants to be served: "con Camila", "with
// Dee", "que me lo haga Rocío".
func (c noteWriter) withSomebody(words []language.Token) bool {
	for i := 0; i+1 < len(words); i++ {
		if c.is("with_whom", words[i].Word) && c.maybeName(words[i+1]) {
			return true
		}
		to, ok := c.at("done_by", words, i)
		for ok && to < len(words) && (c.is("determiners", words[to].Word) || c.is("name_titles", words[to].Word)) {
			to++
		}
		if ok && to < len(words) && c.maybeName(words[to]) {
			return true
		}
	}
	return false
}

// maybeName says whether a word may be the name of somebody.
func (c noteWriter) maybeName(w language.Token) bool {
	return c.is("given_names", w.Word) || w.Capital || !c.isWord(w.Word) && !c.smallest(w.Word) && !w.Figures
}

func touchesAny(at [2]int, spans [][2]int) bool {
	for _, s := range spans {
		if at[0] < s[1] && s[0] < at[1] {
			return true
		}
	}
	return false
}

// keep notes a remark in the caller's words, without what leads to it.
func (c noteWriter) keep(at [2]int, must bool) {
	words := c.within(at)
	for len(words) > 0 && c.leadsToRemark(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && c.trailsOff(words[len(words)-1]) && !c.closesSentence(words) {
		words = words[:len(words)-1]
	}
	words = c.withoutService(words)
	if must && len(words) > 0 { // what made it worth knowing may have been taken off
		must = c.mustBeKnown(Piece{Kind: Remark, At: [2]int{at[0], words[len(words)-1].End}})
	}
	if len(words) == 0 || !must && c.beside(words) {
		return
	}
	text := strings.TrimSpace(c.Text[words[0].Start:c.wholeWord(words[len(words)-1].End)])
	switch {
	case must:
		c.Notes = append(c.Notes, text)
	case !slices.ContainsFunc(c.Notes, func(note string) bool { return strings.Contains(text, note) }):
		c.Asides = append(c.Asides, text)
	}
}

// wholeWord is where the word ends whose part ends at a byte: a code of letters and
// figures is several parts.
func (c noteWriter) wholeWord(end int) int {
	for end < len(c.Text) {
		r, size := utf8.DecodeRuneInString(c.Text[end:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		end += size
	}
	return end
}

// withoutService is a remark without the name of the service that it begins with:
// that is booked, and what is told of it stays.
func (c noteWriter) withoutService(words []language.Token) []language.Token {
	if len(c.Services) != 1 || c.beyondService(words) == 0 || !c.namesService(words[:min(2, len(words))]) {
		return words
	}
	for i, w := range words {
		if c.is("remark_prepositions", w.Word) && c.beyondService(words[:i]) == 0 {
			return words[i:]
		}
	}
	return words
}

// namesService says whether words are in the name of the service.
func (c noteWriter) namesService(words []language.Token) bool {
	return c.contentWords(words) > 0 && c.beyondService(words) == 0
}

// withoutLeads is a note without the words that lead to it.
func (c noteWriter) withoutLeads(note string) string {
	words := c.wordsOf(note).words
	for len(words) > 1 && (c.is("remark_leads", words[0].Word) || c.is("fillers", words[0].Word)) && !strings.ContainsAny(note[words[0].Start:words[0].End], "'’") {
		words = words[1:]
	}
	if len(words) == 0 {
		return note
	}
	return note[words[0].Start:]
}

// leadsToRemark says whether a word comes before a remark and is none of it.
func (c noteWriter) leadsToRemark(w language.Token) bool {
	shortened := strings.ContainsAny(c.Text[w.Start:w.End], "'’") // "we'll" is no "well"
	return (c.is("remark_leads", w.Word) || c.is("fillers", w.Word)) && !shortened && !touches(w, c.placesAt)
}

// closesSentence says whether a remark ends where its sentence does, and with what
// belongs to it: "asks for it".
func (c noteWriter) closesSentence(words []language.Token) bool {
	all, last := c.words.words, words[len(words)-1]
	i := slices.IndexFunc(all, func(w language.Token) bool { return w.Start == last.Start })
	if len(words) < 3 || c.is("name_manners", last.Word) || c.is("fillers", last.Word) || i+1 < len(all) && all[i+1].Sentence == last.Sentence {
		return false
	}
	return c.is("remark_ends", words[len(words)-2].Word) && !c.is("clause_words", last.Word) && !c.is("determiners", last.Word)
}

// asksUnder says whether a remark is the condition of a question: "if we bring a
// cake, do you charge for it?" tells of no cake.
func (c noteWriter) asksUnder(at [2]int) bool {
	words := c.within(at)
	if len(words) == 0 || c.Question == "" {
		return false
	}
	asked := slices.ContainsFunc(c.pieces, func(p Piece) bool { return p.Kind == QuestionPiece && p.At[0] >= at[1] && c.sameSentence(at, p.At) })
	i := slices.IndexFunc(c.words.words, func(w language.Token) bool { return w.Start == words[0].Start })
	return asked && (c.is("conditions", words[0].Word) || i > 0 && c.is("conditions", c.words.words[i-1].Word))
}

// trailsOff says whether a word is the last one of a remark and none of it.
func (c noteWriter) trailsOff(w language.Token) bool {
	return (c.is("remark_ends", w.Word) || c.is("fillers", w.Word)) && !touches(w, c.placesAt)
}

// beside says whether a remark only comes along with the answer to a question
// that wanted something short, or hardly says anything.
func (c noteWriter) beside(words []language.Token) bool {
	switch c.Expect {
	case SlotService, SlotPhone, SlotEmail, SlotCode, SlotDate, SlotTime, SlotChoice:
		return true
	}
	const told = 4 // what is told at parting is hardly worth keeping
	if (c.Has(Thanks) || c.Has(Goodbye)) && c.Expect == Nothing && !c.Has(Book) && c.contentWords(words) < told {
		return true
	}
	fewest := 2
	if c.Has(Book) && c.Expect == Nothing && len(c.Services) > 0 {
		fewest = 1 // "a private lesson, of German" says which one
	}
	return c.beyondService(words) < fewest || c.No && c.Waits
}

// beyondService counts the words that say something which is not in the name of
// the service.
func (c noteWriter) beyondService(words []language.Token) int {
	named := map[string]bool{}
	for _, s := range append(slices.Clone(c.Services), c.Unbookable...) {
		for _, name := range append(s.AllNames(), s.Aliases...) {
			for _, w := range c.wordsOf(name).words {
				named[lexicon.Stem(c.stemLanguage(), w.Word)] = true
			}
		}
	}
	return c.contentWords(slices.DeleteFunc(slices.Clone(words), func(w language.Token) bool {
		return named[lexicon.Stem(c.stemLanguage(), w.Word)]
	}))
}
