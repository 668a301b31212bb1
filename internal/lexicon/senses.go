package lexicon

import (
	"slices"
)

// sense is one of the words that share a stem.
type sense struct {
	text   string
	number uint8
}

// Entry returns the entry that a folded word belongs to: its stem, and which of
// the words with that stem it is.
func (l *Lexicon) Entry(lang, word string) Entry {
	return l.EntryOf(lang, word, Stem(lang, word))
}

// EntryOf is Entry for a word whose stem is known.
func (l *Lexicon) EntryOf(lang, word, stem string) Entry {
	e := Entry{Lang: lang, Stems: stem}
	e.Sense = likeliest(lang, word, l.senses[e], 0)
	return e
}

// likeness is how likely a word is a form of another: most if it is that word
// or its plural, else the more of its beginning is the same.
func likeness(lang, word, of string) int {
	if word == of {
		return 1000
	}
	if base, ok := tongueOf(lang).irregular[word]; ok {
		word = base
	}
	switch {
	case word == of, word == of+"es":
		return 1000
	case tongueOf(lang).bare(word) == tongueOf(lang).bare(of):
		return 500
	}
	shared := 0
	for shared < len(word) && shared < len(of) && word[shared] == of[shared] {
		shared++
	}
	return 10*shared - max(len(word)-len(of), len(of)-len(word)) + 50
}

// company is what stands with a word in strict groups.
type company map[Meaning][]Meaning

// tellApart gives the words of one stem senses of their own, unless they are
// kin.
func (l *Lexicon) tellApart() {
	texts := map[Entry][]string{}
	for _, g := range l.groups {
		for _, m := range g.meanings {
			if !m.Phrase() && !slices.Contains(texts[m.Entry], m.Text) {
				texts[m.Entry] = append(texts[m.Entry], m.Text)
			}
		}
	}
	with := company{} // of words that share a stem: of all of them it would be larger than the lexicon
	for _, g := range l.groups {
		for _, m := range g.meanings {
			if !g.loose && len(texts[m.Entry]) > 1 {
				with[m] = append(with[m], g.meanings...)
			}
		}
	}
	for e, words := range texts {
		if len(words) > 1 {
			l.senses[e] = with.senses(e, words)
		}
	}
	for _, g := range l.groups {
		for i := range g.meanings {
			g.meanings[i].Sense = l.senseOf(g.meanings[i])
		}
	}
}

func (l *Lexicon) senseOf(m Meaning) uint8 {
	for _, s := range l.senses[m.Entry] {
		if s.text == m.Text {
			return s.number
		}
	}
	return 0
}

// senses numbers the words of one stem, kin alike. Words that stand in no strict
// group go with the likeliest that does.
func (c company) senses(e Entry, words []string) (all []sense) {
	slices.SortStableFunc(words, func(a, b string) int { return min(1, len(c[Meaning{e, b}])) - min(1, len(c[Meaning{e, a}])) })
	known := 0
	for i, w := range words {
		s := sense{w, uint8(i)}
		if len(c[Meaning{e, w}]) > 0 {
			known++
		} else {
			s.number = likeliest(e.Lang, w, all[:known], s.number)
		}
		all = append(all, s)
	}
	for i := range known {
		for j := range i {
			if c.kin(Meaning{e, all[i].text}, Meaning{e, all[j].text}) {
				renumber(all, all[i].number, all[j].number)
			}
		}
	}
	return all
}

func likeliest(lang, word string, among []sense, number uint8) uint8 {
	most := -1
	for _, s := range among {
		if n := likeness(lang, word, s.text); n > most {
			most, number = n, s.number
		}
	}
	return number
}

func renumber(all []sense, from, to uint8) {
	for i := range all {
		if all[i].number == from {
			all[i].number = to
		}
	}
}

// kin tells whether two words of a stem belong together: they are forms of one
// word, stand in one group, or have a synonym or translation in common.
func (c company) kin(a, b Meaning) bool {
	if tongueOf(a.Lang).bare(a.Text) == tongueOf(b.Lang).bare(b.Text) || slices.Contains(c[a], b) {
		return true
	}
	return slices.ContainsFunc(c[a], func(m Meaning) bool {
		return m.Entry != a.Entry && slices.ContainsFunc(c[b], func(o Meaning) bool {
			return o.Entry == m.Entry && tongueOf(o.Lang).bare(o.Text) == tongueOf(m.Lang).bare(m.Text)
		})
	})
}
