package document

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// look is how the headings of a PDF differ from its text.
type look struct {
	usual float32   // the size of most letters
	sizes []float32 // of headings, from the largest to the smallest
	bold  bool      // most of the text is, so it tells nothing
}

// usualSize is the size of most letters of a document.
func usualSize(sheets [][]printed) (usual float32) {
	counts := map[float32]int{}
	for _, s := range sheets {
		for _, l := range s {
			counts[rounded(l.Size)] += len(l.Text)
		}
	}
	for size, n := range counts {
		if n > counts[usual] || n == counts[usual] && size < usual {
			usual = size
		}
	}
	return usual
}

// rounded is a size to half a point.
func rounded(size float32) float32 { return float32(int(size*2+0.5)) / 2 }

func lookOf(lines []printed) (k look) {
	k.usual = usualSize([][]printed{lines})
	bold, all := 0, 0
	for _, l := range lines {
		if l.Table > 0 {
			continue
		}
		if all += len(l.Text); l.Bold {
			bold += len(l.Text)
		}
	}
	k.bold = bold*2 > all
	for i := 0; i < len(lines); {
		n := k.headingLength(lines[i:])
		if n > 0 && !slices.Contains(k.sizes, rounded(lines[i].Size)) {
			k.sizes = append(k.sizes, rounded(lines[i].Size))
		}
		i += max(n, 1)
	}
	slices.SortFunc(k.sizes, func(a, b float32) int { return int(2*b - 2*a) })
	return k
}

// level is that of a heading: the larger, the higher.
func (k look) level(l printed) int { return 1 + slices.Index(k.sizes, rounded(l.Size)) }

// longestTitle is how many lines a heading has at most.
const longestTitle = 3

// headingLength is how many lines, from the first on, are one heading; 0 if they
// are none.
func (k look) headingLength(lines []printed) int {
	if !k.stands(lines[0]) {
		return 0
	}
	n := 1
	for n < len(lines) && n <= longestTitle && k.continues(lines[n-1], lines[n]) {
		n++
	}
	if n > longestTitle || n == len(lines) || !k.heads(lines[:n]) {
		return 0
	}
	return n
}

// stands says whether a line stands out by its size, or by being bold.
func (k look) stands(l printed) bool {
	if l.Table > 0 || l.Size == 0 {
		return false
	}
	return l.Size > k.usual*1.08 || l.Bold && !k.bold && l.Size > k.usual*0.95
}

func (k look) continues(above, l printed) bool {
	return k.stands(l) && !l.Apart && l.Bold == above.Bold && rounded(l.Size) == rounded(above.Size) && l.page == above.page &&
		!isQuestion(strings.TrimSpace(above.Text)) && !isItem(l.Text)
}

// heads says whether lines that stand out can be a heading by their words.
func (k look) heads(lines []printed) bool {
	text := strings.TrimSpace(join(textsOf(lines)))
	name := unnumbered(text)
	if utf8.RuneCountInString(text) > longestHeading || isItem(name) || strings.ContainsAny(text, "\t@") || strings.IndexFunc(name, unicode.IsLetter) < 0 {
		return false
	}
	if lines[0].Size <= k.usual*1.3 && (strings.ContainsRune(".,;", lastRune(text)) || valued(strings.TrimSuffix(name, ":"))) {
		return false // a sentence, or a price
	}
	return true
}
