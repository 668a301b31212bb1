package document

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// edge is how many lines at the top and at the bottom of a page can be running
// headers and footers.
const edge = 3

// How far from the edge of the paper, in points, running lines stand.
const (
	marginDepth = 90
	outerDepth  = 40 // where nothing else stands
)

// contact is what a running line may tell that the pages do not.
var contact = regexp.MustCompile(`@|www\.|(?:\d[ .-]?){7,}`)

// pageNumber is a line that is nothing else.
var pageNumber = regexp.MustCompile(`^\s*(?i:[-–—]\s*\d{1,4}\s*[-–—]|(?:page|página|pagina|pág\.?|pag\.?|p\.)\s*\d{1,4}(?:\s*(?:of|de|/)\s*\d{1,4})?|\d{1,4}\s*(?:of|de|/)\s*\d{1,4}|\d{1,4})\s*$`)

// withoutMargins returns the lines of all pages without what runs over and under
// them. A telephone number that stands there is kept, once, in contacts.
func withoutMargins(sheets [][]printed) (body, contacts []printed) {
	repeated := runningLines(sheets)
	kept := map[string]bool{}
	usual := usualSize(sheets)
	for _, s := range sheets {
		m := marginOf(s, usual)
		for i, l := range s {
			k := shape(l.Text)
			switch {
			case !m.edge[i] || !(repeated[k] || m.numbers(i, len(sheets)) || m.heads(i)):
				body = append(body, l)
			case contact.MatchString(l.Text) && !kept[k] && !strings.Contains(l.Text, "://"):
				kept[k] = true
				l.Text = withoutNumber(l.Text)
				contacts = append(contacts, l)
			}
		}
	}
	return body, contacts
}

// withoutNumber is a line without the number of its page.
func withoutNumber(text string) string {
	parts := slices.DeleteFunc(strings.Split(text, "\t"), pageNumber.MatchString)
	return strings.Join(parts, " ")
}

// margin is what stands at the edges of a page.
type margin struct {
	lines []printed
	edge  []bool // whether a line does
	usual float32
	first int // the uppermost line
	foot  int // the line with the number of the page, -1 if there is none
}

// marginOf looks at a page by where its lines stand, or by their order where
// that is not known.
func marginOf(lines []printed, usual float32) margin {
	m := margin{lines: lines, edge: make([]bool, len(lines)), usual: usual, first: -1, foot: -1}
	order := downwards(lines)
	for i, at := range order {
		m.edge[at] = i < edge || i >= len(order)-edge
	}
	if len(order) == 0 || !known(lines[order[0]]) {
		return m
	}
	m.first = order[0]
	for _, at := range order[max(0, len(order)-edge):] {
		if lines[at].Bottom < marginDepth && hasPageNumber(lines[at]) {
			m.foot = at
		}
	}
	return m
}

func known(l printed) bool { return l.Top > 0 || l.Bottom > 0 }

// downwards is the order in which lines stand on a page.
func downwards(lines []printed) []int {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	if !slices.ContainsFunc(lines, func(l printed) bool { return !known(l) }) {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lines[a].Top, lines[b].Top) })
	}
	return order
}

// hasPageNumber says whether a line has the number of its page, by itself or beside
// something else.
func hasPageNumber(l printed) bool {
	for part := range strings.SplitSeq(l.Text, "\t") {
		if pageNumber.MatchString(part) {
			return true
		}
	}
	return false
}

// numbers says whether line i is the number of the page. Without knowing where
// it stands, it takes several pages to tell.
func (m margin) numbers(i, pages int) bool {
	l := m.lines[i]
	if !known(l) {
		return pages > 1 && pageNumber.MatchString(l.Text)
	}
	if l.Table > 0 || !hasPageNumber(l) || min(l.Top, l.Bottom) > marginDepth {
		return false
	}
	return pageNumber.MatchString(l.Text) || min(l.Top, l.Bottom) < outerDepth || strings.Contains(l.Text, "\t")
}

// heads says whether line i runs over a page, which one page alone must show: it
// is the uppermost and no larger than the text, and either the page has a
// footer with its number, or nothing else stands so near to the edge.
func (m margin) heads(i int) bool {
	l := m.lines[i]
	if i != m.first || l.Table > 0 || len(m.lines) < 3 || utf8.RuneCountInString(l.Text) > longestHeading || complete(l.Text) {
		return false
	}
	if m.foot >= 0 && (i-m.foot == 1 || m.foot-i == 1) {
		return true // it is drawn with the footer, not with the text
	}
	if l.Size > m.usual*1.05 {
		return false
	}
	below := m.lines[downwards(m.lines)[1]]
	apart := below.Size > l.Size*1.1 || below.Top-l.Top > 2*l.Size
	return apart && (m.foot >= 0 || l.Top < outerDepth)
}

// runningLines are the shapes of lines that stand at the edge of most pages.
func runningLines(sheets [][]printed) map[string]bool {
	counts, places := map[string]int{}, map[string]printed{}
	running := map[string]bool{}
	for _, s := range sheets {
		seen := map[string]bool{}
		m := marginOf(s, 0)
		for i, l := range s {
			k := shape(l.Text)
			if !m.edge[i] || k == "" || seen[k] {
				continue
			}
			seen[k] = true
			counts[k]++
			before, twice := places[k]
			if twice && known(l) && l.Top-before.Top < 2 && before.Top-l.Top < 2 && min(l.Top, l.Bottom) < marginDepth {
				running[k] = len(sheets) == 2
			}
			places[k] = l
		}
	}
	for k, n := range counts {
		running[k] = running[k] || n >= 3 && n*2 > len(sheets)
	}
	return running
}

// shape is a line with its figures alike, so that page numbers do not matter.
func shape(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return unicode.ToLower(r)
	}, squeeze(s))
}
