package hearing

import (
	"slices"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// cutter takes an utterance that was read apart into pieces, each with one
// meaning. What no reader took and says something is a remark, and is noted.
type cutter struct {
	*ear
	kinds   []PieceKind // of each word; "" while nobody has taken it
	service []bool      // the word names a service, which a remark may go on about
	clauses [][2]int    // from word to word
}

// hearPieces accounts for every word of the utterance.
func (e *ear) hearPieces() {
	c := &cutter{ear: e, kinds: make([]PieceKind, len(e.words.words)), service: make([]bool, len(e.words.words))}
	c.takeSpans()
	c.takePhrases()
	c.cut()
	for _, clause := range c.clauses {
		c.readClause(clause[0], clause[1])
	}
	c.takeRest()
	c.collect()
	noteWriter{c}.note()
}

// takeSpans marks the words that readers have taken.
func (c *cutter) takeSpans() {
	c.takeWaiting()
	c.takeInstructions()
	c.mark(AnswerPiece, c.retractedAt...)
	c.mark(Remark, c.apartAt...)
	c.mark(ValuePiece, c.phoneAt, emailReader{c.ear}.saidAround(), c.codeAt, c.nameAt, c.partyAt)
	if c.ordering() || !c.Booking && !c.Booked && !c.Has(Book) { // else it is told: "we bring the cake"
		c.mark(ValuePiece, c.itemsAt...)
	}
	c.takeSpellingHints()
	for _, m := range c.When.Mentions {
		c.mark(ValuePiece, [2]int{m.Start, m.End})
	}
	c.takeService()
	c.takeSwap()
	c.takeNameLead()
	if c.Question != "" {
		c.mark(QuestionPiece, c.questionsAt...)
	}
	if c.Question != "" && c.Question == c.Text[c.questionAt[0]:c.questionAt[1]] {
		c.mark(QuestionPiece, c.questionAt)
	}
	c.takeListing()
	c.takeDictated()
}

// takeSpellingHints marks what only tells how a name is written: "with a y", "con be".
func (c *cutter) takeSpellingHints() {
	if c.Name == "" && c.Expect != SlotName && c.Expect != SlotConfirm {
		return
	}
	words := c.words.words
	for i := range words {
		to, ok := c.at("written_with", words, i)
		if !ok {
			continue
		}
		for to < len(words) && words[to].Clause == words[i].Clause && c.spellsOnly(words[to]) {
			to++
		}
		last := words[to-1]
		if (to == len(words) || words[to].Clause != last.Clause) && c.spellsOnly(last) {
			c.mark(ValuePiece, [2]int{words[i].Start, last.End})
		}
	}
}

// spellsOnly says whether a word is a letter, the name of one, or a group of letters
// that is no word.
func (c *cutter) spellsOnly(w language.Token) bool {
	const group = 2 // letters
	return c.is("letter_names", w.Word) || utf8.RuneCountInString(w.Word) <= group && !w.Figures && !c.smallest(w.Word)
}

// takeDictated marks what is to be written down in the caller's words: "put down
// it's Dee we'd like". Where a slot is told, that is what is to be written.
func (c *cutter) takeDictated() {
	words := c.words.words
	for i := range words {
		to, ok := c.at("dictates", words, i)
		if !ok {
			continue
		}
		end, told := to, false
		for ; end < len(words) && words[end].Sentence == words[i].Sentence; end++ {
			told = told || c.kinds[end] == ValuePiece || c.kinds[end] == QuestionPiece
		}
		if told || end-to < 2 {
			continue
		}
		at := [2]int{words[to].Start, words[end-1].End}
		c.placesAt = append(c.placesAt, at)
		c.mark(AnswerPiece, [2]int{words[i].Start, words[to-1].End})
		c.mark(Remark, at)
		return
	}
}

// ordering says whether an order is taken.
func (c *cutter) ordering() bool { return c.Ordering || c.Has(Order) && !c.Has(Book) }

// takeWaiting marks what is said of the waiting list, with what leads to it in its
// clause: "could you put my name down in case".
func (c *cutter) takeWaiting() {
	words := c.words.words
	for i := range words {
		to, waits := c.at("waiting_list", words, i)
		if left, leaves := c.at("leaves_list", words, i); leaves {
			to, waits = max(to, left), true
		}
		if !waits {
			continue
		}
		from := i
		for from > 0 && words[from-1].Clause == words[i].Clause {
			from--
		}
		at := [2]int{words[from].Start, words[to-1].End}
		c.mark(WishPiece, at)
		c.doneAt = slices.DeleteFunc(c.doneAt, func(done [2]int) bool { return touchesAny(done, [][2]int{at}) })
	}
}

// takeInstructions marks what is to be done by whoever serves the caller, whose
// words would be taken for a wish or a no: "don't let them forget it".
func (c *cutter) takeInstructions() {
	words := c.words.words
	for i := range words {
		if to, ok := c.at("instructions", words, i); ok && !c.is("fillers", words[i].Word) {
			at := [2]int{words[i].Start, words[to-1].End}
			c.placesAt = append(c.placesAt, at)
			c.mark(Remark, at)
		}
	}
}

// takeListing marks the flat or house that somebody wants to see: it is no part
// of the wish, and kept.
func (c *cutter) takeListing() {
	if !c.Has(Book) || c.Catalogue == nil || len(c.Catalogue.Listings) == 0 {
		return
	}
	found := c.Catalogue.FindListings(c.Text, c.language())
	if len(found) == 0 || found[0].End <= found[0].Start || len(found) > 1 && found[1].Score == found[0].Score {
		return
	}
	const most = 7 // words: what is longer tells of more than one thing
	at := [2]int{found[0].Start, found[0].End}
	if len(c.within(at)) <= most {
		c.mark(Remark, at)
	}
}

// takeService marks the words that name the service. A long stretch tells more
// than its name: it is left to whatever it says.
func (c *cutter) takeService() {
	const most = 3
	n := len(c.within(c.serviceAt))
	for i, w := range c.words.words {
		c.service[i] = n <= most && touches(w, [][2]int{c.serviceAt}) && c.kinds[i] == ""
	}
}

// takeSwap marks all that is said of one service for another: it is no remark.
func (c *cutter) takeSwap() {
	words := c.words.words
	for i := range words {
		_, swaps := c.at("swaps", words, i)
		_, rather := c.at("rather", words, i)
		if c.swapped && (swaps || rather) && words[i].Start < c.serviceAt[1] {
			c.mark(ValuePiece, [2]int{words[i].Start, c.serviceAt[1]})
		}
	}
}

// takeNameLead marks the words that lead to the name.
func (c *cutter) takeNameLead() {
	words := c.words.words
	for i := range words {
		to, ok := c.at("name_leads", words, i)
		if !ok || to >= len(words) || words[to].Start != c.nameAt[0] || c.Name == "" {
			continue
		}
		c.mark(ValuePiece, [2]int{words[i].Start, words[to-1].End})
	}
}

func (c *cutter) mark(kind PieceKind, spans ...[2]int) {
	for i, w := range c.words.words {
		if c.kinds[i] == "" && touches(w, spans) {
			c.kinds[i] = kind
		}
	}
}

// spokenFor are the meanings whose words are no remark, with what they are.
var spokenFor = []struct {
	kind     PieceKind
	meanings []string
}{
	{Courtesy, []string{"greet", "thanks", "goodbye", "lead_phrases", "courtesies", "repeat"}},
	{WishPiece, []string{
		"book", "move", "cancel", "look", "order", "leave", "human", "available", "requests", "visits", "bare_visits", "want",
		"restart", "wishes", "asks_for", "view_it", "self",
	}},
	{AnswerPiece, []string{
		"note_requests", "notes_before", "yes_starts", "yes_anywhere", "no_starts", "any_time", "dont_know", "waits", "defers", "doubts", "changes", "rewrites", "sooner", "later", "declines", "withholds", "at_once", "additions",
	}},
}

// takePhrases marks the words of wishes, answers and courtesies.
func (c *cutter) takePhrases() {
	if c.ordering() {
		c.markPhrases(WishPiece, "pick_up", "order_adds", "order_removes")
	}
	for _, s := range spokenFor {
		c.markPhrases(s.kind, s.meanings...)
	}
}

func (c *cutter) markPhrases(kind PieceKind, meanings ...string) {
	words := c.words.words
	for _, meaning := range meanings {
		book := c.Mix.Phrases(meaning)
		for i := range words {
			to, ok := book.At(words, i)
			for j := i; ok && j < to; j++ {
				if c.kinds[j] == "" && !c.service[j] {
					c.kinds[j] = kind
				}
			}
		}
	}
}

// cut parts the utterance into clauses: at its punctuation, and where there is
// none at the words that begin a clause.
func (c *cutter) cut() {
	words := c.words.words
	from := 0
	for i := 1; i <= len(words); i++ {
		if i == len(words) || c.begins(i) {
			c.clauses = append(c.clauses, [2]int{from, i})
			from = i
		}
	}
}

// begins says whether a clause begins at word i.
func (c *cutter) begins(i int) bool {
	words := c.words.words
	before, w := words[i-1], words[i]
	switch {
	case w.Clause != before.Clause:
		return !c.withinApart(before.End, w.Start)
	case c.is("clause_words", w.Word):
		return !c.is("no_clause_after", before.Word)
	case c.is("clause_subjects", w.Word):
		return !c.is("no_subject_after", before.Word) && !c.is("clause_words", before.Word) && !(hasEnding(c.ear, "verbs_before_subject", before.Word) && c.is("subjects_behind", w.Word))
	case c.notesBefore(i):
		return true
	}
	return c.kinds[i] == Remark && c.kinds[i-1] != Remark && c.kinds[i-1] != "" ||
		c.kinds[i-1] == Remark && c.kinds[i] != Remark && c.kinds[i] != "" && !c.withinApart(before.End, w.Start)
}

// notesBefore says whether word i is the first of those that ask for what was
// told before them to be written down.
func (c *cutter) notesBefore(i int) bool {
	_, ok := c.at("notes_before", c.words.words, i)
	return ok
}

// withinApart says whether a place lies inside an address or the like.
func (c *cutter) withinApart(from, to int) bool {
	for _, s := range c.apartAt {
		if s[0] < from && to < s[1] {
			return true
		}
	}
	return false
}

// readClause decides what the words of a clause are that nobody has taken: part
// of what was taken beside them when they only hold it together, else a remark.
func (c *cutter) readClause(from, to int) {
	for i := from; i < to && c.Expect == SlotConfirm && c.is("agreeing", c.words.words[i].Word); i++ {
		if c.kinds[i] == "" {
			c.kinds[i] = AnswerPiece
		}
	}
	for i := from; i < to; i++ {
		if !c.says(i) {
			continue
		}
		first, last := i, i
		for i++; i < to && c.kinds[i] != ValuePiece; i++ {
			if c.says(i) {
				last = i
			}
		}
		for last+1 < to && c.kinds[last+1] == "" && c.service[last+1] {
			last++
		}
		last = c.remarkEnd(last, to)
		for j := c.remarkStart(from, first); j <= last; j++ {
			c.kinds[j] = Remark
		}
	}
}

// says says whether word i tells something and nobody has taken it.
func (c *cutter) says(i int) bool {
	w := c.words.words[i]
	if c.kinds[i] == Remark {
		return true
	}
	return c.kinds[i] == "" && !c.service[i] && !c.empty(w)
}

// empty says whether a word tells nothing by itself.
func (c *cutter) empty(w language.Token) bool {
	return c.smallTalk(w.Word) || c.is("says_nothing", w.Word) || !w.Figures && utf8.RuneCountInString(w.Word) < 2
}

// remarkStart is where a remark begins whose first word of weight is at first:
// with the small words before it, as far as "for" and "with", and with a "not".
func (c *cutter) remarkStart(from, first int) int {
	for first > from {
		w := c.words.words[first-1].Word
		kind := c.kinds[first-1]
		if kind != "" && !(kind == AnswerPiece && c.is("negations", w)) && !(kind == WishPiece && c.is("determiners", w)) {
			break
		}
		first--
		if c.is("remark_prepositions", w) && !c.untaken(from, first) {
			break
		}
	}
	return first
}

// remarkEnd is the last word of a remark whose last word of weight is at last: with
// the few small words behind it that end the sentence, as "of it" does.
func (c *cutter) remarkEnd(last, to int) int {
	const most = 2
	words := c.words.words
	if to-last-1 != most || to < len(words) && words[to].Sentence == words[last].Sentence || !c.untaken(last+1, to) {
		return last
	}
	for _, w := range words[last+1 : to] {
		if !c.is("remark_ends", w.Word) || c.is("name_manners", w.Word) || c.is("fillers", w.Word) || c.is("clause_words", w.Word) {
			return last
		}
	}
	return to - 1
}

// untaken says whether nobody has taken any of the words.
func (c *cutter) untaken(from, to int) bool {
	for i := from; i < to; i++ {
		if c.kinds[i] != "" || c.service[i] {
			return false
		}
	}
	return true
}

// takeRest gives the words that are left to what stands beside them.
func (c *cutter) takeRest() {
	for i := range c.kinds {
		switch {
		case c.kinds[i] != "":
		case c.service[i]:
			c.kinds[i] = ValuePiece
		case i > 0:
			c.kinds[i] = c.kinds[i-1]
		default:
			c.kinds[i] = c.leading()
		}
		if c.kinds[i] == Remark && i > 0 && c.kinds[i-1] != Remark && c.empty(c.words.words[i]) {
			continue
		}
	}
}

// leading is the kind of the first word that has one.
func (c *cutter) leading() PieceKind {
	for _, k := range c.kinds {
		if k != "" {
			return k
		}
	}
	return Courtesy
}

// collect makes pieces of the words: those of one kind in one clause.
func (c *cutter) collect() {
	for _, clause := range c.clauses {
		for from := clause[0]; from < clause[1]; {
			to := from + 1
			for to < clause[1] && c.kinds[to] == c.kinds[from] {
				to++
			}
			c.addPiece(c.kinds[from], from, to)
			from = to
		}
	}
}

func (c *cutter) addPiece(kind PieceKind, from, to int) {
	words := c.words.words
	at := [2]int{words[from].Start, words[to-1].End}
	c.pieces = append(c.pieces, Piece{Kind: kind, Text: c.Text[at[0]:at[1]], At: at})
}

// within are the words of a stretch of the text.
func (c *cutter) within(at [2]int) []language.Token {
	var all []language.Token
	for _, w := range c.words.words {
		if w.Start >= at[0] && w.End <= at[1] {
			all = append(all, w)
		}
	}
	return all
}
