package pdf

import (
	"encoding/binary"
	"math"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// word is a piece of text without spaces, and where it stands.
type word struct {
	text        string
	first, last int  // its UTF-16 units in PDFium's text, then first is its first character
	breaks      bool // PDFium begins a new line after it
	level       bool // it reads from left to right, and box is known
	added       bool // by an annotation, after all else
	bold        bool
	size        float32 // of its letters, in points
	base        float32 // the line that it stands on
	box         box
}

// box is in points from the lower left corner of the page.
type box struct{ left, top, right, bottom float32 }

func (b box) with(c box) box {
	return box{min(b.left, c.left), max(b.top, c.top), max(b.right, c.right), min(b.bottom, c.bottom)}
}

func (b box) height() float32 { return b.top - b.bottom }

// over says whether two boxes have some of their width in common.
func (b box) over(c box) bool { return b.left < c.right-touching && c.left < b.right-touching }

// touching is how far, in points, two boxes reach into each other that only
// touch.
const touching = 1

// PDFium puts one of these for a hyphen at the end of a line, and no line break.
const (
	hyphen      = '\ufffe'
	otherHyphen = '\u0002'
)

// cut makes words of PDFium's text, which is in UTF-16.
func cut(raw []byte) (words []word) {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(raw[2*i:])
	}
	begin := 0
	for i, unit := range units {
		switch unit {
		case 0, ' ', '\t':
			words = appendWord(words, units, begin, i, "")
		case '\r', '\n':
			words = appendWord(words, units, begin, i, "")
			if len(words) > 0 {
				words[len(words)-1].breaks = true
			}
		case hyphen, otherHyphen:
			words = appendWord(words, units, begin, i, "-")
			if len(words) > 0 {
				words[len(words)-1].breaks = true
			}
		default:
			continue
		}
		begin = i + 1
	}
	return appendWord(words, units, begin, len(units), "")
}

func appendWord(words []word, units []uint16, begin, end int, tail string) []word {
	if begin == end {
		return words
	}
	text := string(utf16.Decode(units[begin:end])) + tail
	if r, n := utf8.DecodeRuneInString(text); n == len(text) && unicode.IsControl(r) {
		text = "•" // a font of signs, such as TeX's, does not say what its signs mean
	}
	return append(words, word{text: text, first: begin, last: end - 1})
}

func float(bits uint32) float32 { return math.Float32frombits(bits) }

func abs(f float32) float32 { return max(f, -f) }
