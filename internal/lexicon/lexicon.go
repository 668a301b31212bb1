// Package lexicon knows the words of all languages: their stems, which of them
// mean the same in any language, and which carry no meaning of their own.
//
// The words stand in words/*.txt, one group a line, with bars between the
// languages in the order of language.Codes; a tilde marks a group whose words are
// related but do not mean the same. They are read once, when first asked for:
//
//	Words().Same(Entry{Lang: "es", Stems: "aparcamient"}) -> "parking", "car park", …
//
// The package does not know documents, questions or scores.
package lexicon

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// Entry is a word or a short phrase of a language, as the stems of its words
// with spaces between them. Words that share a stem and nothing else, as "casa"
// and "caso", differ in their sense.
type Entry struct {
	Lang  string
	Stems string
	Sense uint8
}

// Phrase tells whether the entry is of more than one word.
func (e Entry) Phrase() bool { return strings.Contains(e.Stems, " ") }

// Meaning is an entry as a group has it.
type Meaning struct {
	Entry
	Text string // as it is written, folded
}

// Lexicon is a collection of groups of words.
type Lexicon struct {
	groups  []group
	senses  map[Entry][]sense // the words of a stem, where it has several
	strict  map[Entry][]int32 // the groups in which an entry means the same as the others
	loose   map[Entry][]int32 // the groups in which it is related to the others
	longest map[beginning]int // the number of words of the longest phrase that begins so
}

type group struct {
	loose    bool
	meanings []Meaning
}

// beginning are the first two stems of a phrase.
type beginning struct{ lang, first, second string }

//go:embed words
var words embed.FS

// Words returns the lexicon that comes with the program.
var Words = sync.OnceValue(func() *Lexicon {
	l, err := readAll(words)
	if err != nil {
		panic(err) // the files are part of the program, and tests read them
	}
	return l
})

func readAll(files fs.FS) (*Lexicon, error) {
	l := &Lexicon{senses: map[Entry][]sense{}, strict: map[Entry][]int32{}, loose: map[Entry][]int32{}, longest: map[beginning]int{}}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := files.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := l.read(f); err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		return nil
	})
	l.tellApart()
	l.index()
	return l, err
}

func (l *Lexicon) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := l.add(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

func (l *Lexicon) add(line string) error {
	line, loose := strings.CutPrefix(line, "~")
	columns := strings.Split(line, "|")
	codes := language.Codes()
	if len(columns) < 2 || len(columns) > len(codes) {
		return fmt.Errorf("%d languages in %q", len(columns), line)
	}
	g := group{loose: loose}
	for i, column := range columns {
		g.meanings = append(g.meanings, entries(codes[i], column)...)
	}
	l.groups = append(l.groups, g)
	return nil
}

// index notes in which groups each entry stands.
func (l *Lexicon) index() {
	for i, g := range l.groups {
		index := l.strict
		if g.loose {
			index = l.loose
		}
		for _, m := range g.meanings {
			index[m.Entry] = append(index[m.Entry], int32(i))
			if stems := strings.Fields(m.Stems); len(stems) > 1 {
				b := beginning{m.Lang, stems[0], stems[1]}
				l.longest[b] = max(l.longest[b], len(stems))
			}
		}
	}
}

func entries(lang, list string) (all []Meaning) {
	for words := range strings.SplitSeq(language.Fold(list), ",") {
		words = strings.TrimSpace(words)
		stems := strings.FieldsFunc(words, func(r rune) bool { return strings.ContainsRune(" -'’.", r) })
		for i, w := range stems {
			stems[i] = Stem(lang, w)
		}
		e := Entry{Lang: lang, Stems: strings.Join(stems, " ")}
		if e.Stems != "" && !slices.Contains(all, Meaning{e, words}) {
			all = append(all, Meaning{e, words})
		}
	}
	return all
}

// Knows tells whether the entry stands in the lexicon.
func (l *Lexicon) Knows(e Entry) bool { return len(l.strict[e]) > 0 || len(l.loose[e]) > 0 }

// Same gives the entries that mean the same as e, in all languages. One that
// stands in several groups with it comes several times.
func (l *Lexicon) Same(e Entry) iter.Seq[Meaning] { return l.others(e, l.strict[e]) }

// Related gives the entries that someone who speaks of e may have in mind.
func (l *Lexicon) Related(e Entry) iter.Seq[Meaning] { return l.others(e, l.loose[e]) }

// Breadth is in how many groups an entry is related to others: the more, the
// less each of them tells.
func (l *Lexicon) Breadth(e Entry) int { return len(l.loose[e]) }

// Groups are the numbers of the groups that an entry stands in: of those in
// which it means the same as the others, and of those in which it is related.
func (l *Lexicon) Groups(e Entry) (same, related []int32) { return l.strict[e], l.loose[e] }

func (l *Lexicon) others(e Entry, groups []int32) iter.Seq[Meaning] {
	return func(yield func(Meaning) bool) {
		for _, g := range groups {
			for _, other := range l.groups[g].meanings {
				if other.Entry != e && !yield(other) {
					return
				}
			}
		}
	}
}

// PhraseAt returns the longest phrase of the lexicon that the stems begin with,
// and of how many words it is; 0 when they begin with none.
func (l *Lexicon) PhraseAt(lang string, stems []string) (Entry, int) {
	if len(stems) < 2 {
		return Entry{}, 0
	}
	for n := min(len(stems), l.longest[beginning{lang, stems[0], stems[1]}]); n > 1; n-- {
		if e := (Entry{Lang: lang, Stems: strings.Join(stems[:n], " ")}); l.Knows(e) {
			return e, n
		}
	}
	return Entry{}, 0
}

// All calls yield with every entry of a single word, in the order of the files.
func (l *Lexicon) All(yield func(Entry) bool) {
	seen := map[Entry]bool{}
	for _, group := range l.groups {
		for _, m := range group.meanings {
			e := m.Entry
			if seen[e] || e.Phrase() {
				continue
			}
			seen[e] = true
			if !yield(e) {
				return
			}
		}
	}
}
