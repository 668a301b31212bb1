package document

import (
	"context"
	"regexp"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/pdf"
)

// pageBreak parts pages while their text is tidied as one; it is in no script.
const pageBreak = "\U000F0000"

// edge is how many lines at the top and at the bottom of a page can be running
// headers and footers.
const edge = 3

// contact is what a running line may tell that the pages do not.
var contact = regexp.MustCompile(`@|www\.|(?:\d[ .-]?){7,}`)

// pageLines returns the lines of a PDF without what runs over and under its
// pages. A telephone number that stands there is kept, once, in contacts.
func pageLines(pages []pdf.Page) (all, contacts []line) {
	texts := make([]string, len(pages))
	for i, p := range pages {
		texts[i] = strings.ReplaceAll(p.Text, pageBreak, "")
	}
	sheets := make([][]line, 0, len(pages))
	for i, text := range strings.Split(tidy(strings.Join(texts, pageBreak)), pageBreak) {
		sheets = append(sheets, sheet(text, pages[i].Number))
	}
	running := runningLines(sheets)
	kept := map[string]bool{}
	for _, s := range sheets {
		for i, l := range s {
			k := shape(l.text)
			switch atEdge := i < edge || i >= len(s)-edge; {
			case atEdge && running[k] && !kept[k] && contact.MatchString(l.text):
				kept[k] = true
				contacts = append(contacts, line{text: squeeze(l.text), page: l.page})
			case atEdge && (running[k] || len(sheets) > 1 && pageNumber.MatchString(l.text)):
			default:
				all = append(all, l)
			}
		}
	}
	return all, contacts
}

func pageBlocks(ctx context.Context, pages []pdf.Page) ([]block, error) {
	lines, contacts := pageLines(pages)
	blocks, err := textBlocks(ctx, lines)
	if err != nil {
		return nil, err
	}
	var first []block
	for _, l := range contacts {
		first = append(first, block{kind: paragraph, text: l.text, page: l.page})
	}
	return append(first, blocks...), nil
}

func sheet(text string, page int) (lines []line) {
	for t := range strings.SplitSeq(strings.Trim(text, "\n "), "\n") {
		lines = append(lines, line{text: t, page: page})
	}
	return lines
}

// pageNumber is a line that is nothing else.
var pageNumber = regexp.MustCompile(`^\s*(?i:[-–—]\s*\d{1,4}\s*[-–—]|(?:page|página|pagina|pág\.?|pag\.?|p\.)\s*\d{1,4}(?:\s*(?:of|de|/)\s*\d{1,4})?|\d{1,4}\s*(?:of|de|/)\s*\d{1,4}|\d{1,4})\s*$`)

// runningLines are the shapes of lines that stand at the edge of most pages.
func runningLines(sheets [][]line) map[string]bool {
	counts := map[string]int{}
	for _, s := range sheets {
		seen := map[string]bool{}
		for i, l := range s {
			if k := shape(l.text); (i < edge || i >= len(s)-edge) && k != "" && !seen[k] {
				seen[k] = true
				counts[k]++
			}
		}
	}
	running := map[string]bool{}
	for k, n := range counts {
		running[k] = n >= 3 && n*2 > len(sheets)
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
