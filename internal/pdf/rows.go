package pdf

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// word is a piece of text without spaces, and where it stands.
type word struct {
	text        string
	first, last int  // its UTF-16 units in PDFium's text
	breaks      bool // PDFium begins a new line after it
	level       bool // it reads from left to right, and box is known
	added       bool // by an annotation, after all else
	box         box
}

// box is in points from the lower left corner of the page.
type box struct{ left, top, right, bottom float32 }

func (b box) with(c box) box {
	return box{min(b.left, c.left), max(b.top, c.top), max(b.right, c.right), min(b.bottom, c.bottom)}
}

func (b box) height() float32 { return b.top - b.bottom }

// beside says how much of the lower of two boxes is level with the other, from
// 0 to 1.
func (b box) beside(c box) float32 {
	return (min(b.top, c.top) - max(b.bottom, c.bottom)) / max(min(b.height(), c.height()), math.SmallestNonzeroFloat32)
}

// line is words that read on.
type line struct {
	words  []word
	box    box
	level  bool // all words are
	length int  // in characters
}

func lineOf(w word) line { return line{[]word{w}, w.box, w.level, utf8.RuneCountInString(w.text)} }

func (l *line) insert(i int, words ...word) {
	l.words = slices.Insert(l.words, i, words...)
	for _, w := range words {
		l.box, l.level = l.box.with(w.box), l.level && w.level
		l.length += 1 + utf8.RuneCountInString(w.text)
	}
}

func (l line) added() bool { return l.words[0].added }

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
	return append(words, word{text: string(utf16.Decode(units[begin:end])) + tail, first: begin, last: end - 1})
}

// split makes lines of words: where PDFium does, unless the next word stands
// farther on in the same row, and where PDFium misses that it does not.
func split(words []word) (lines []line) {
	for i, w := range words {
		if i == 0 || parts(words[i-1], w) {
			lines = append(lines, lineOf(w))
			continue
		}
		l := &lines[len(lines)-1]
		l.insert(len(l.words), w)
	}
	return lines
}

func parts(w, v word) bool {
	if !w.level || !v.level {
		return w.breaks
	}
	beside := w.box.beside(v.box)
	if w.breaks {
		return beside < sameRow || v.box.left < w.box.right
	}
	return beside < otherRow
}

// How much two words are beside each other in one row, and in two. A raised
// number is somewhere between.
const (
	sameRow  = 0.6
	otherRow = 0.3
)

// What makes lines the cells of a column that was drawn after the columns to
// its left. The bounds are narrow, so that columns of prose stay apart.
const (
	fewestCells  = 3
	longestCell  = 20 // characters
	longestLabel = 32
	longestRow   = 200
	alignment    = 2    // points
	mostLines    = 1000 // on a page that is looked at so closely
)

// gather puts what is drawn late into its row: the fields of a form, which come
// after everything else, and tables that are drawn column by column.
func gather(lines []line) (rows []line) {
	if len(lines) > mostLines {
		return lines
	}
	for len(lines) > 0 {
		n := 0
		if lines[0].added() {
			n = min(1, len(partners(rows, lines[:1])))
		} else {
			n = column(rows, lines)
		}
		for i, p := range partners(rows, lines[:n]) {
			rows[p].place(lines[i])
		}
		if n == 0 {
			rows, n = append(rows, lines[0]), 1
		}
		lines = lines[n:]
	}
	return rows
}

// column returns how many lines, from the first on, are cells of rows that are
// there already.
func column(rows, lines []line) int {
	n := 0
	for n < len(lines) && isCell(lines[n]) && aligned(lines[0], lines[n]) {
		n++
	}
	found := partners(rows, lines[:n])
	for i, p := range found {
		if rows[p].label() > longestLabel || i > 0 && p <= found[i-1] {
			found = found[:i]
			break
		}
	}
	if len(found) < fewestCells {
		return 0
	}
	return len(found)
}

func isCell(l line) bool { return l.level && !l.added() && l.length <= longestCell }

func aligned(a, b line) bool {
	return abs(a.box.left-b.box.left) < alignment || abs(a.box.right-b.box.right) < alignment
}

func abs(f float32) float32 { return max(f, -f) }

// label is the length of what stands before a row's first gap.
func (r line) label() (n int) {
	for i, w := range r.words {
		if i > 0 && between(r.words[i-1], w) == "\t" {
			break
		}
		n += utf8.RuneCountInString(w.text) + 1
	}
	return n
}

// partners returns the row that each of some lines continues, up to the first
// line that continues none.
func partners(rows, lines []line) (found []int) {
	for _, l := range lines {
		p := partner(rows, l)
		if p < 0 {
			break
		}
		found = append(found, p)
	}
	return found
}

// partner is the nearest row that l continues, -1 if there is none.
func partner(rows []line, l line) int {
	found, nearest := -1, float32(math.Inf(1))
	for i, r := range rows {
		if !l.level || !r.level || r.length > longestRow || r.box.beside(l.box) < sameRow {
			continue
		}
		if before := r.before(l); before > 0 {
			if gap := l.box.left - r.words[before-1].box.right; gap < nearest {
				found, nearest = i, gap
			}
		}
	}
	return found
}

// before is how many words of a row stand to the left of l; 0 as well if l
// would cover one.
func (r line) before(l line) (n int) {
	for _, w := range r.words {
		switch {
		case w.box.right <= l.box.left:
			n++
		case w.box.left < l.box.right:
			return 0
		}
	}
	return n
}

func (r *line) place(l line) { r.insert(r.before(l), l.words...) }

// write sets lines down as text.
func write(lines []line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for j, w := range l.words {
			if j > 0 {
				b.WriteString(between(l.words[j-1], w))
			}
			b.WriteString(w.text)
		}
	}
	return b.String()
}

// between is a tab where there is more room than between words, as in a table.
func between(w, v word) string {
	if w.level && v.level && (v.box.left-w.box.right > 1.5*w.box.height() || v.box.right < w.box.left) {
		return "\t"
	}
	return " "
}

func float(bits uint32) float32 { return math.Float32frombits(bits) }
