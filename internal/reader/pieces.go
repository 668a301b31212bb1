package reader

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// The pieces with which every vocabulary begins.
const (
	padding = iota
	unknown
	begin
	end
	specials
)

// Specials are their names.
var Specials = [specials]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}

// continues stands before a piece that goes on with a word.
const continues = "##"

// longestWord is of how many bytes a word is at most that is looked for in pieces.
const longestWord = 64

// Vocabulary cuts texts into the pieces that a network knows.
type Vocabulary struct {
	names   []string
	numbers map[string]int32
	longest int // of the pieces, in bytes
}

// NewVocabulary returns the vocabulary of pieces, the special ones first. Those that go
// on with a word begin with "##".
func NewVocabulary(names []string) (*Vocabulary, error) {
	v := &Vocabulary{names: names, numbers: make(map[string]int32, len(names))}
	for i, name := range names {
		if i < specials && name != Specials[i] {
			return nil, fmt.Errorf("the piece %d is %q, not %q", i, name, Specials[i])
		}
		if _, twice := v.numbers[name]; twice {
			return nil, fmt.Errorf("the piece %q is there twice", name)
		}
		v.numbers[name] = int32(i)
		v.longest = max(v.longest, len(name))
	}
	if len(names) < specials {
		return nil, fmt.Errorf("there are %d pieces", len(names))
	}
	return v, nil
}

// Len is the number of pieces.
func (v *Vocabulary) Len() int { return len(v.names) }

// Pieces are the first pieces of a text, at most so many: the longest that are known,
// word by word. A mark is a word of its own.
func (v *Vocabulary) Pieces(text string, most int) (all []int32) {
	// A text of any length takes a bounded time. Words are far shorter than this.
	text = text[:min(len(text), most*longestWord)]
	EachWord(text, func(word string) bool {
		all = v.cut(all, word)
		return len(all) < most
	})
	return all[:min(len(all), most)]
}

// EachWord calls do with the words and marks of a text, folded, until it returns false.
func EachWord(text string, do func(word string) bool) {
	text = language.Fold(text)
	from := -1
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if from < 0 {
				from = i
			}
			continue
		}
		if from >= 0 && !do(text[from:i]) {
			return
		}
		from = -1
		if mark := unicode.IsPunct(r) || unicode.IsSymbol(r); mark && !do(text[i:i+utf8.RuneLen(r)]) {
			return
		}
	}
	if from >= 0 {
		do(text[from:])
	}
}

// cut adds the pieces of a word, or that it is unknown.
func (v *Vocabulary) cut(all []int32, word string) []int32 {
	before := len(all)
	for rest, first := word, true; rest != ""; first = false {
		n, piece := v.longestIn(rest, first)
		if n == 0 || len(word) > longestWord {
			return append(all[:before], unknown)
		}
		all = append(all, piece)
		rest = rest[n:]
	}
	return all
}

// longestIn is the longest piece with which a word, or the rest of one, begins.
func (v *Vocabulary) longestIn(rest string, first bool) (n int, piece int32) {
	var key [longestWord + len(continues)]byte
	start := 0
	if !first {
		start = copy(key[:], continues)
	}
	for n = min(len(rest), v.longest-start, longestWord); n > 0; n-- {
		if piece, ok := v.numbers[string(append(key[:start], rest[:n]...))]; ok {
			return n, piece
		}
	}
	return 0, unknown
}
