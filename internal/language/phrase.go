package language

import "strings"

// A phrase is a way to say something, written as people say it, with these signs:
//
//	a/b      either word          word?    may be left out
//	reserv~  any such beginning   *        up to three words between
//	#        a number, or @number ^ and $  begin and end of a clause
//	@want    the words of the section "set want"
//
// In its file, a phrase is a line below "[phrase MEANING]". The lines below it
// that begin with "+" are sentences in which it must be heard, those with "-"
// are sentences in which it must not. Fillers may stand anywhere between words.
type phrase []element

type element struct {
	words    Set
	prefixes []string
	gap      int // up to so many words of any kind
	number   bool
	begin    bool
	end      bool
	optional bool
	not      bool   // of rules only
	like     string // of rules only: meant as a word of this set
}

// Book is a set of phrases, found by the word they begin with.
type Book struct {
	byFirst map[string][]phrase
	others  []phrase
	fillers Set
	tails   Set
	numbers Set
}

// phraseSection is where the phrases of a meaning stand.
const phraseSection = "phrase "

func newBook() *Book {
	return &Book{byFirst: map[string][]phrase{}, fillers: Set{}, tails: Set{}, numbers: Set{}}
}

// Phrases are the phrases of a meaning.
func (l *Language) Phrases(meaning string) *Book {
	l.mu.Lock()
	b, ok := l.books[meaning]
	l.mu.Unlock()
	if ok {
		return b
	}
	b = newBook()
	b.addAll(l, meaning)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.books[meaning] = b
	return b
}

// addAll adds a language's phrases of a meaning.
func (b *Book) addAll(l *Language, meaning string) {
	for w := range l.Words("fillers") {
		b.fillers[w] = true
	}
	for w := range l.Words("tails") {
		b.tails[w] = true
	}
	for w := range l.Numbers("cardinals") {
		b.numbers[w] = true
	}
	for _, line := range l.Lines(phraseSection + meaning) {
		if line[0] != '+' && line[0] != '-' {
			b.add(l.phraseOf(line))
		}
	}
}

func (b *Book) add(p phrase) {
	first := 0
	for first < len(p)-1 && p[first].begin {
		first++
	}
	e := p[first]
	if e.optional || e.gap > 0 || e.number || e.end || len(e.prefixes) > 0 {
		b.others = append(b.others, p)
		return
	}
	for w := range e.words {
		b.byFirst[w] = append(b.byFirst[w], p)
	}
}

func (l *Language) phraseOf(line string) phrase {
	var p phrase
	for field := range strings.FieldsSeq(line) {
		p = append(p, l.elementOf(field))
	}
	return p
}

func (l *Language) elementOf(field string) element {
	var e element
	if len(field) > 1 && strings.HasSuffix(field, "?") {
		e.optional, field = true, strings.TrimSuffix(field, "?")
	}
	if len(field) > 1 && field[0] == '!' {
		e.not, field = true, field[1:]
	}
	switch field {
	case "^":
		e.begin = true
		return e
	case "$":
		e.end = true
		return e
	case "*":
		e.gap = 3
		return e
	}
	e.words = Set{}
	for alternative := range strings.SplitSeq(field, "/") {
		l.alternative(&e, alternative)
	}
	return e
}

func (l *Language) alternative(e *element, word string) {
	switch {
	case word == "#" || word == "@number":
		e.number = true
	case strings.HasPrefix(word, "%"):
		e.like = word[1:]
	case strings.HasPrefix(word, "@"):
		for w := range l.setNamed(word[1:]) {
			e.words[w] = true
		}
	case strings.HasSuffix(word, "~"):
		e.prefixes = append(e.prefixes, Fold(strings.TrimSuffix(word, "~")))
	default:
		e.words[withoutApostrophes(Fold(word))] = true
	}
}

// Find returns the first place where a phrase of the book stands in the tokens:
// from the token at from to the one before to.
func (b *Book) Find(tokens []Token) (from, to int, ok bool) {
	for i := range tokens {
		if to, ok := b.At(tokens, i); ok {
			return i, to, true
		}
	}
	return 0, 0, false
}

// In says whether a phrase of the book stands in the tokens.
func (b *Book) In(tokens []Token) bool {
	_, _, ok := b.Find(tokens)
	return ok
}

// At returns where the longest phrase that begins at token i ends.
func (b *Book) At(tokens []Token, i int) (to int, ok bool) {
	for _, p := range b.byFirst[tokens[i].Word] {
		if n, fits := b.match(p, tokens, i); fits && n > to {
			to, ok = n, true
		}
	}
	for _, p := range b.others {
		if n, fits := b.match(p, tokens, i); fits && n > to {
			to, ok = n, true
		}
	}
	return to, ok
}

// match says whether a phrase stands at token i, and where it ends.
func (b *Book) match(p phrase, tokens []Token, i int) (int, bool) {
	if len(p) == 0 {
		return i, true
	}
	e, rest := p[0], p[1:]
	switch {
	case e.begin:
		if !b.beginsClause(tokens, i) {
			return 0, false
		}
		return b.match(rest, tokens, i)
	case e.end:
		if !b.endsClause(tokens, i) {
			return 0, false
		}
		return b.match(rest, tokens, i)
	case e.gap > 0:
		return b.matchGap(e.gap, rest, tokens, i)
	}
	if i < len(tokens) && b.fits(e, tokens[i]) {
		if to, ok := b.match(rest, tokens, i+1); ok {
			return to, true
		}
	}
	if e.optional {
		if to, ok := b.match(rest, tokens, i); ok {
			return to, true
		}
	}
	if i < len(tokens) && i > 0 && b.passes(tokens[i]) && !b.filled(tokens[:i]) {
		return b.match(p, tokens, i+1)
	}
	return 0, false
}

func (b *Book) matchGap(most int, rest phrase, tokens []Token, i int) (int, bool) {
	for n := 0; n <= most && i+n <= len(tokens); n++ {
		if to, ok := b.match(rest, tokens, i+n); ok {
			return to, true
		}
	}
	return 0, false
}

// passes says whether a token may stand between the words of a phrase.
func (b *Book) passes(t Token) bool { return t.Skip != Read || b.fillers[t.Word] }

// filled says whether so many fillers have been passed over that a phrase does
// not hold together any more.
func (b *Book) filled(tokens []Token) bool {
	const most = 3
	for n := 1; n <= most; n++ {
		if n > len(tokens) || !b.passes(tokens[len(tokens)-n]) {
			return false
		}
	}
	return true
}

func (b *Book) fits(e element, t Token) bool {
	if e.words[t.Word] || e.number && (t.Figures || b.numbers[t.Word]) {
		return true
	}
	for _, prefix := range e.prefixes {
		if strings.HasPrefix(t.Word, prefix) {
			return true
		}
	}
	return false
}

// beginsClause says whether only fillers stand before token i in its clause.
func (b *Book) beginsClause(tokens []Token, i int) bool {
	for i--; i >= 0 && i < len(tokens); i-- {
		if i+1 < len(tokens) && tokens[i].Clause != tokens[i+1].Clause {
			return true
		}
		if !b.passes(tokens[i]) {
			return false
		}
	}
	return true
}

func (b *Book) endsClause(tokens []Token, i int) bool {
	for ; i < len(tokens); i++ {
		if i > 0 && tokens[i].Clause != tokens[i-1].Clause {
			return true
		}
		if !b.passes(tokens[i]) && !b.tails[tokens[i].Word] {
			return false
		}
	}
	return true
}
