package language

import "strings"

// A rule of cleaning is a phrase with the words in braces that it is about, in
// the notation of phrases and with these signs besides:
//
//	{this}        the words that are passed over, or written otherwise
//	{this} = that how they are written; among fillers, that they stay
//	!word         before or behind the braces: this word must not stand there
//	%name         a word that was meant as one of "set name": it is listed in the
//	              section "alike name", or it is no word that we know and sounds
//	              like one of them ("sounds"), or is one letter away from one
//
// The lines below it that begin with "+" are sentences with what becomes of them
// behind an arrow, those with "-" are sentences in which it changes nothing.
type rule struct {
	before, what, after []element
	to                  []string
	numbers             Set
	likes               *alikes // of %name in the braces
}

// rules are found by the first word in their braces, in the order of their file.
type rules struct {
	byFirst map[string][]rule
	unknown []rule // about words that we do not know
	known   func() Set
}

func newRules(known func() Set) rules { return rules{byFirst: map[string][]rule{}, known: known} }

// addAll adds the rules of a section.
func (r *rules) addAll(l *Language, section string) {
	for _, line := range l.Lines(section) {
		if line[0] != '+' && line[0] != '-' {
			r.add(l.ruleOf(line))
		}
	}
}

func (r *rules) add(one rule) {
	if len(one.what) == 0 {
		return
	}
	first := one.what[0]
	for w := range first.words {
		r.byFirst[w] = append(r.byFirst[w], one)
	}
	if one.likes != nil {
		for w := range one.likes.first {
			r.byFirst[w] = append(r.byFirst[w], one)
		}
		r.unknown = append(r.unknown, one)
	}
}

// ruleOf reads a line. A line without braces gives a rule about nothing.
func (l *Language) ruleOf(line string) rule {
	pattern, to, _ := strings.Cut(line, " = ")
	before, rest, _ := strings.Cut(pattern, "{")
	what, after, _ := strings.Cut(rest, "}")
	r := rule{
		before: l.phraseOf(before), what: l.phraseOf(l.joined(what)), after: l.phraseOf(after), to: strings.Fields(Fold(to)), numbers: l.setNamed("number"),
	}
	if len(r.what) > 0 && r.what[0].like != "" {
		r.likes = l.alikes(r.what[0].like)
	}
	return r
}

// joined writes as one the words that are said as one.
func (l *Language) joined(text string) string {
	for from, to := range l.Pairs("joined") {
		text = strings.ReplaceAll(" "+text+" ", " "+from+" ", " "+to+" ")
	}
	return strings.TrimSpace(text)
}

// at finds the first rule that fits at token i: how many tokens it is about, and
// what they are written as. What stands before i has been cleaned already.
func (r *rules) at(before, tokens []Token, i int) (n int, to []string) {
	if tokens[i].Skip != Read {
		return 0, nil
	}
	for _, one := range r.byFirst[tokens[i].Word] {
		if one.likes != nil && named(tokens[i]) {
			continue
		}
		if n, to := one.at(before, tokens, i); n > 0 {
			return n, to
		}
	}
	if len(r.unknown) == 0 || tokens[i].Figures || named(tokens[i]) || len(tokens[i].Word) < 3 || r.knows(tokens[i].Word) {
		return 0, nil
	}
	for _, one := range r.unknown {
		if n, to := one.at(before, tokens, i); n > 0 {
			return n, to
		}
	}
	return 0, nil
}

// knows says whether a word, or what it is the plural of, is known.
func (r *rules) knows(word string) bool {
	known := r.known()
	return known[word] || known[strings.TrimSuffix(word, "s")] || known[strings.TrimSuffix(word, "es")]
}

// named says whether a word is written as a name is: with a capital inside a
// sentence.
func named(t Token) bool { return t.Capital && t.Gap != Stop }

func (r rule) at(before, tokens []Token, i int) (n int, to []string) {
	n, to = r.whatAt(tokens, i)
	if n == 0 || !r.fitsBefore(before, tokens[i]) || !r.fitsAfter(tokens, i+n) {
		return 0, nil
	}
	return n, to
}

// whatAt matches what stands in the braces.
func (r rule) whatAt(tokens []Token, i int) (n int, to []string) {
	if r.likes != nil {
		n, word := r.likes.at(tokens, i, r.longEnough())
		return n, strings.Fields(word)
	}
	for _, e := range r.what {
		if i+n >= len(tokens) || n > 0 && tokens[i+n].Sentence != tokens[i].Sentence || !r.fits(e, tokens[i+n]) {
			return 0, nil
		}
		n++
	}
	return n, r.to
}

// longEnough is from how many letters on a word may have a slip in it: more where
// nothing beside it says which word is meant.
func (r rule) longEnough() int {
	if len(r.before) == 0 && len(r.after) == 0 {
		return 7
	}
	return 5
}

// fitsBefore matches what stands before the braces, from the braces outwards.
func (r rule) fitsBefore(tokens []Token, at Token) bool {
	i := len(tokens) - 1
	for n := len(r.before) - 1; n >= 0; n-- {
		for i >= 0 && tokens[i].Skip != Read {
			i--
		}
		e, inside := r.before[n], i >= 0 && tokens[i].Sentence == at.Sentence
		if e.begin {
			if inside && tokens[i].Clause == at.Clause {
				return false
			}
			continue
		}
		if !r.holds(e, tokens, i, inside) {
			return false
		}
		i--
	}
	return true
}

func (r rule) fitsAfter(tokens []Token, i int) bool {
	last := tokens[i-1]
	for _, e := range r.after {
		for i < len(tokens) && tokens[i].Skip != Read {
			i++
		}
		inside := i < len(tokens) && tokens[i].Sentence == last.Sentence
		if e.end {
			if inside && tokens[i].Clause == last.Clause {
				return false
			}
			continue
		}
		if !r.holds(e, tokens, i, inside) {
			return false
		}
		i++
	}
	return true
}

// holds says whether an element of the surroundings is as it must be.
func (r rule) holds(e element, tokens []Token, i int, inside bool) bool {
	if e.not {
		return !inside || !r.fits(e, tokens[i])
	}
	return inside && r.fits(e, tokens[i])
}

func (r rule) fits(e element, t Token) bool {
	if e.words[t.Word] || e.number && (t.Figures || r.numbers[t.Word]) {
		return true
	}
	for _, prefix := range e.prefixes {
		if strings.HasPrefix(t.Word, prefix) {
			return true
		}
	}
	return false
}
