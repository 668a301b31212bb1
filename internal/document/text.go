package document

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Levels of the headings of a text, by the way in which they stand out.
const (
	titleLevel     = 1
	underlinedHigh = 2 // with ===
	underlinedLow  = 3 // with ---
	capitalsLevel  = 3
	bareLevel      = 4
	colonLevel     = 5
)

const longestHeading = 120 // in characters

// textReader makes blocks of lines without markup.
type textReader struct {
	ctx    context.Context
	blocks []block
	part   int
	styled bool // headings are known by their look
}

func plainBlocks(ctx context.Context, text string) ([]block, error) {
	lines, err := textLines(text)
	if err != nil {
		return nil, err
	}
	return textBlocks(ctx, lines)
}

// textBlocks reads lines: headings, lists, tables and paragraphs by the way they
// look.
func textBlocks(ctx context.Context, lines []line) ([]block, error) {
	t := &textReader{ctx: ctx}
	t.all(undivide(lines, nil))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(t.blocks) > mostBlocks {
		return nil, &Unreadable{Help: helpTooLarge}
	}
	return titled(t.blocks), nil
}

// all reads lines, until there are too many blocks.
func (t *textReader) all(lines []line) {
	for i := range lines {
		text := unlead(lines[i].text)
		lines[i].led = text != lines[i].text
		lines[i].text = text
	}
	all := paragraphs(lines)
	for i, p := range all {
		if i%256 == 0 && t.ctx.Err() != nil || len(t.blocks) > mostBlocks {
			return
		}
		var next []line
		if i+1 < len(all) {
			next = all[i+1]
		}
		t.part++
		t.read(p, next)
	}
}

// leaders lead the eye from a dish to its price.
var leaders = regexp.MustCompile(`\s*(?:\.{4,}|…{2,}|_{4,}|(?:\. ){4,}\.?)\s*`)

func unlead(s string) string {
	if !strings.Contains(s, "....") && !strings.Contains(s, "……") && !strings.Contains(s, "____") && !strings.Contains(s, ". . . .") || isRule(s) {
		return s
	}
	return leaders.ReplaceAllString(s, ": ")
}

// read makes blocks of one paragraph; next is the one after it.
func (t *textReader) read(lines, next []line) {
	var said []line
	flush := func() {
		t.say(said)
		said = nil
	}
	for i := 0; i < len(lines); i++ {
		if n := alignedFrom(lines, i); n > tableLength(lines[i:]) {
			flush()
			t.table(aligned(lines[i : i+n]))
			i += n - 1
			continue
		}
		if n := tableLength(lines[i:]); n > 0 {
			flush()
			t.table(tableRows(lines[i : i+n]))
			i += n - 1
			continue
		}
		after := lines[i+1:]
		level := headingLevel(lines[i], said, after, next)
		if t.styled && level >= bareLevel {
			level = 0
		}
		if level == 0 && !t.styled && len(t.blocks) == 0 && len(said) == 0 && titles(lines[i:]) {
			level = titleLevel
		}
		if level > 0 {
			flush()
			t.heading(lines[i], level)
			continue
		}
		if !isRule(lines[i].text) {
			said = append(said, lines[i])
		}
	}
	flush()
}

// say makes blocks of lines that are neither headings nor tables.
func (t *textReader) say(lines []line) {
	for _, s := range runs(sayings(lines)) {
		kind := paragraph
		if isItem(s[0].text) {
			kind = item
		}
		t.blocks = append(t.blocks, ask(s, kind, t.part)...)
	}
}

// runs parts items of lists from what is none.
func runs(said []line) (all [][]line) {
	for len(said) > 0 {
		n := 1
		listed := isItem(said[0].text)
		for n < len(said) && isItem(said[n].text) == listed {
			n++
		}
		all, said = append(all, said[:n]), said[n:]
	}
	return all
}

func (t *textReader) heading(l line, level int) {
	text := squeeze(strings.Trim(strings.TrimSpace(l.text), "#*_= "))
	t.blocks = append(t.blocks, block{kind: heading, level: level, text: strings.TrimSuffix(text, ":"), part: t.part, line: l.number, page: l.page})
	t.part++
}

// rule is a line that is only drawn.
var rule = regexp.MustCompile(`^\s*(?:={3,}|-{3,}|_{3,}|\*{3,}|~{3,}|(?:[-*_=] ){3,}[-*_=]?)\s*$`)

func isRule(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return beginsWith(s, "=-_*~") && rule.MatchString(s)
}

// numbered is a heading with a number before it, as in contracts.
var numbered = regexp.MustCompile(`^\d{1,2}(?:\.\d{1,2})*[.)]?\s+\p{Lu}`)

// unnumbered is a heading without its number.
func unnumbered(s string) string {
	if numbered.MatchString(s) {
		return s[strings.IndexByte(s, ' ')+1:]
	}
	return s
}

// headingLevel is that of a line, 0 if it is none. said stands before it in its
// paragraph, after follows it there, and next is the paragraph after.
func headingLevel(l line, said, after, next []line) int {
	text := strings.TrimSpace(l.text)
	if text == "" || utf8.RuneCountInString(text) > longestHeading || isRule(text) {
		return 0
	}
	follows := len(after) > 0 || len(next) > 0
	switch {
	case len(after) > 0 && underlines(after[0].text, "="):
		return underlinedHigh
	case len(after) > 0 && underlines(after[0].text, "-") && len(after) != 1+len(said):
		return underlinedLow
	case beginsWith(text, "#") && hashes.MatchString(text) && follows:
		return strings.IndexFunc(text, func(r rune) bool { return r != '#' })
	case !follows || isQuestion(text) || marksQuestion(text):
		return 0
	case capitalHeading(text) && startsLine(said):
		return capitalsLevel
	case len(said) == 0 || complete(said[len(said)-1].text):
		return bareHeading(text, len(said) == 0, after, next)
	}
	return 0
}

// capitalHeading says whether a line stands out by its capitals, and is neither a row
// of a table nor a sentence nor a value.
func capitalHeading(text string) bool {
	return capitals(text) && !strings.ContainsAny(text, "\t|") && !complete(text) && !valued(unnumbered(text))
}

var hashes = regexp.MustCompile(`^#{1,6}\s+\S`)

func underlines(s, mark string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= 3 && strings.Trim(s, mark) == ""
}

// startsLine says whether a new saying can begin after what was said.
func startsLine(said []line) bool {
	return len(said) == 0 || complete(said[len(said)-1].text) || utf8.RuneCountInString(said[len(said)-1].text) < 60
}

// bareHeading is the level of a line that stands out by nothing but its being
// short: a few words without a value, which a sentence, a list or a table
// follows.
func bareHeading(text string, first bool, after, next []line) int {
	if !headingWords(text) {
		return 0
	}
	colon := strings.HasSuffix(text, ":")
	if len(after) == 0 {
		if !first || len(next) == 0 || colon || listOfNames(next) {
			return 0
		}
		return bareLevel
	}
	following := strings.TrimSpace(after[0].text)
	start, _ := utf8.DecodeRuneInString(following)
	switch {
	case unicode.IsLower(start), isItem(text) && isItem(following):
		return 0
	case colon && (!first || isItem(following)):
		return 0 // leads to the list, and stays with it
	case colon:
		return colonLevel
	case isItem(following), isQuestion(following), marksQuestion(following), label.MatchString(following):
		return bareLevel
	case tableLength(after) > 0:
		return bareLevel
	case sentence(following, after) && utf8.RuneCountInString(text) < 60:
		return bareLevel
	}
	return 0
}

// headingWords says whether a line can be a heading by its words.
func headingWords(text string) bool {
	name := unnumbered(text)
	if isItem(name) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(name)
	inside := strings.TrimSuffix(name, ":")
	return (unicode.IsUpper(first) || first == '¡') && utf8.RuneCountInString(name) <= 60 && len(strings.Fields(name)) <= 9 &&
		!strings.ContainsAny(inside, ":;\t|@") && !strings.ContainsRune(".,!;-", lastRune(inside)) && !valued(inside)
}

// label begins a line that is a name and its value: "Pilates: martes y jueves".
var label = regexp.MustCompile(`^[\p{L}\d][^:.;!?]{0,50}:\s+\S`)

// valued says whether a line tells a number that is more than a year.
func valued(text string) bool {
	for _, w := range strings.Fields(text) {
		w = strings.Trim(w, ".,:;()")
		if strings.IndexFunc(w, unicode.IsDigit) >= 0 && !year.MatchString(w) {
			return true
		}
	}
	return false
}

var year = regexp.MustCompile(`^(?:19|20)\d\d(?:[-/–](?:19|20)?\d\d)?$`)

// sentence says whether a line, or those that it flows into, end as sentences do.
func sentence(text string, lines []line) bool {
	for i, l := range lines[:min(len(lines), 4)] {
		s := strings.TrimSpace(l.text)
		if complete(s) || len(sentences(s)) > 1 {
			return true
		}
		if i+1 == len(lines) || !flows(s, lines[i+1].text, widest(lines[:min(len(lines), 8)])) {
			return false
		}
	}
	return utf8.RuneCountInString(text) > 50
}

// listOfNames says whether a paragraph is short words in a line again: then the
// line before it is likely one of a list, rather than a heading.
func listOfNames(lines []line) bool {
	return len(lines) == 1 && headingWords(strings.TrimSpace(lines[0].text)) && !capitals(lines[0].text)
}

// titles says whether a title and a line below it are what a document begins
// with.
func titles(lines []line) bool {
	return len(lines) > 2 && headingWords(strings.TrimSpace(lines[0].text)) && headingWords(strings.TrimSpace(lines[1].text)) &&
		!strings.Contains(lines[1].text, ":") && sentence(lines[2].text, lines[2:])
}

// titled lifts the first heading above the others, if nothing stands between it
// and the next one of its kind.
func titled(blocks []block) []block {
	if len(blocks) > 1 && blocks[0].kind == heading && blocks[1].kind == heading {
		blocks[0].level = titleLevel
	}
	return blocks
}

// gap is what stands between the cells of a line.
var gap = regexp.MustCompile(`\s*\t\s*|\s*\|\s*|\s{3,}`)

func cellsOf(s string) []string {
	s = strings.Trim(strings.TrimSpace(s), "|")
	cells := gap.Split(s, -1)
	for i := range cells {
		cells[i] = squeeze(cells[i])
	}
	return cells
}

// ruled is the line under a table's names.
var ruled = regexp.MustCompile(`^[\s|:+=-]*-{2,}[\s|:+=-]*$`)

func isRuled(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return beginsWith(s, "|:+=-") && ruled.MatchString(s)
}

// tableLength is how many lines are rows of a table, 0 if it is none: at least
// two, with the same number of cells.
func tableLength(lines []line) int {
	wide, n, rows := 0, 0, 0
	for i, l := range lines {
		if rows > 0 && isRuled(l.text) && !isRuled(lines[i-1].text) {
			n++
			continue
		}
		if text := strings.TrimSpace(l.text); !strings.ContainsAny(text, "\t|") && !strings.Contains(text, "   ") || isItem(text) {
			break
		}
		cells := len(cellsOf(l.text))
		if cells < 2 || rows > 0 && cells != wide {
			break
		}
		wide = cells
		n++
		rows++
	}
	if rows < 2 {
		return 0
	}
	return n
}

// tableRows are the rows of lines whose cells marks or wide gaps part.
func tableRows(lines []line) (rows []record) {
	for _, l := range lines {
		if !isRuled(l.text) {
			rows = append(rows, record{cells: cellsOf(l.text), line: l.number, page: l.page})
		}
	}
	return rows
}

func (t *textReader) table(rows []record) {
	t.part++
	t.blocks = append(t.blocks, tableBlocks(slices.Clip(rows), t.part)...)
	t.part += len(rows)
}
