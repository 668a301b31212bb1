package language

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// mostTokens bounds what is read of what somebody says: nobody says more in one
// breath.
const mostTokens = 4096

// Tokens are those of a text as everybody reads them: cleaned.
func (m *Mix) Tokens(text string) []Token {
	tokens := Tokenize(text)
	return m.Clean(tokens[:min(len(tokens), mostTokens)])
}

// Kept are the tokens that are not passed over, in order.
func Kept(tokens []Token) []Token {
	return slices.DeleteFunc(slices.Clone(tokens), func(t Token) bool { return t.Skip != Read })
}

// Clean marks what a speaker did not mean to say, and writes as it was meant
// what a recogniser or a thumb spelled otherwise. Offsets stay those of the
// text, so that what is kept for people is the caller's own writing. It works
// on the tokens given and returns them.
//
// What is put right depends on the words beside it, so fillers go first, and once
// more when the words are right.
func (m *Mix) Clean(tokens []Token) []Token {
	c := m.clean()
	tokens = m.join(tokens)
	c.passHesitations(tokens)
	c.passFillers(tokens)
	for range 2 { // a word that was put right lets the one before it be put right
		tokens = c.respell(tokens)
	}
	tokens = m.join(tokens)
	c.passFillers(tokens)
	c.passRestarts(tokens)
	c.passStutters(tokens)
	c.goOn(tokens)
	return tokens
}

// join makes one token of two words of a clause that are said as one: "por
// favor".
func (m *Mix) join(tokens []Token) []Token {
	out := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if i+1 < len(tokens) && tokens[i+1].Clause == t.Clause {
			if one, ok := m.Value("joined", t.Word+" "+tokens[i+1].Word); ok {
				t.Word, t.End = one, tokens[i+1].End
				i++
			}
		}
		out = append(out, t)
	}
	return out
}

// cleaning is what a mix of languages knows of unclean speech.
type cleaning struct {
	spellings   rules
	fillers     rules
	corrections rules
	hesitations Set
	doubled     Set
	unfinished  Set
	leads       Set // of numbers
	tails       Set // of numbers
	kinds       map[string]string
	values      map[string]int
}

// kindSets are the sets of words that replace each other in a correction.
var kindSets = []string{"number", "weekdays", "months", "dayparts", "days"}

func newCleaning(m *Mix) *cleaning {
	c := &cleaning{
		hesitations: m.Words("hesitations"), unfinished: m.Words("set unfinished"),
		leads: m.Words("set number_leads"), tails: m.Words("set number_tails"), doubled: Set{}, kinds: map[string]string{},
		values: map[string]int{},
	}
	known := sync.OnceValue(m.vocabulary)
	c.spellings, c.fillers, c.corrections = newRules(known), newRules(known), newRules(known)
	for _, l := range m.Languages {
		c.spellings.addAll(l, "spellings")
		c.fillers.addAll(l, "filler words")
		for _, line := range l.Lines("corrections") {
			c.corrections.add(l.ruleOf("{" + line + "}"))
		}
		for _, line := range l.Lines("doubled") {
			c.doubled[Fold(line)] = true
		}
		maps.Copy(c.values, l.Numbers("cardinals"))
		for _, kind := range kindSets {
			for w := range l.setNamed(kind) {
				c.kinds[w] = kind
			}
		}
	}
	return c
}

// vocabulary is every word that the data of the languages has, but for those
// that stand there as misspelled, and those that only catalogues know: a tree nut
// must not keep "tree people" from being three.
func (m *Mix) vocabulary() Set {
	all := Set{}
	for _, l := range m.Languages {
		for section, lines := range l.all {
			if section == "spellings" || strings.HasPrefix(section, "alike") || strings.Contains(section, "catalogue") {
				continue
			}
			for _, line := range lines {
				if line[0] != '+' && line[0] != '-' {
					addWords(all, line)
				}
			}
		}
	}
	return all
}

func addWords(all Set, line string) {
	for _, t := range Tokenize(line) {
		if !t.Figures {
			all[t.Word] = true
		}
	}
}

// respell writes words as they were meant.
func (c *cleaning) respell(tokens []Token) []Token {
	out := make([]Token, 0, len(tokens))
	for i := 0; i < len(tokens); {
		n, to := c.spellings.at(out, tokens, i)
		if n == 0 {
			out = append(out, tokens[i])
			if t := &out[len(out)-1]; !t.Figures && !named(*t) {
				t.Word = Full(t.Word)
			}
			i++
			continue
		}
		out = append(out, respelled(tokens[i:i+n], to)...)
		i += n
	}
	return out
}

// respelled are the tokens that some others stand for. Each covers the whole
// place, because nobody can tell which letters are whose.
func respelled(from []Token, to []string) []Token {
	all := make([]Token, len(to))
	for i, w := range to {
		all[i] = from[0]
		all[i].Word, all[i].End = w, from[len(from)-1].End
		all[i].Figures = w[0] >= '0' && w[0] <= '9'
		if i > 0 {
			all[i].Gap = Space
		}
	}
	return all
}

func (c *cleaning) passHesitations(tokens []Token) {
	for i := range tokens {
		if tokens[i].Skip == Read && tokens[i].Gap != Glued && c.hesitations[tokens[i].Word] {
			tokens[i].Skip = Filler
		}
	}
}

// passFillers marks words that say nothing where they stand. If there is nothing
// beside them they say something: "well?", "bueno".
func (c *cleaning) passFillers(tokens []Token) {
	var marked []int
	for i := 0; i < len(tokens); {
		n, stays := c.fillers.at(tokens[:i], tokens, i)
		for k := range n {
			if tokens[i+k].Skip == Read && len(stays) == 0 && !(n == 1 && tokens[i].apostrophe) {
				tokens[i+k].Skip = Filler
				marked = append(marked, i+k)
			}
		}
		i += max(n, 1)
	}
	if slices.ContainsFunc(tokens, func(t Token) bool { return t.Skip == Read }) {
		return
	}
	for _, i := range marked {
		tokens[i].Skip = Read
	}
}

// goOn lets a clause go on where somebody only paused, or began again: no clause
// ends in "a las" or "for the".
func (c *cleaning) goOn(tokens []Token) {
	last := -1 // the token that the clause goes on from
	for i := range tokens {
		switch {
		case tokens[i].Skip == Filler:
			continue
		case last < 0 || tokens[i].Gap <= Dash && tokens[i].Clause == tokens[last].Clause || tokens[last].Asks:
		case tokens[last].Skip != Read || c.unfinished[tokens[last].Word]:
			goOnFrom(tokens, last, i)
		}
		last = i
	}
}

// goOnFrom puts the rest of a token's clause into that of a token before it.
func goOnFrom(tokens []Token, last, i int) {
	clause, sentence := tokens[i].Clause, tokens[i].Sentence
	tokens[i].Gap = Space
	for k := i; k < len(tokens) && tokens[k].Sentence == sentence; k++ {
		if tokens[k].Clause == clause {
			tokens[k].Clause = tokens[last].Clause
		}
		tokens[k].Sentence = tokens[last].Sentence
	}
	for k := last + 1; k < i; k++ {
		tokens[k].Clause, tokens[k].Sentence = tokens[last].Clause, tokens[last].Sentence
	}
}
