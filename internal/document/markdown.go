package document

import (
	"context"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))

// markdownReader walks the tree of a document, or of a part of a long one.
type markdownReader struct {
	source []byte
	starts []int // of the lines
	before int   // lines before the source
	blocks []block
	part   int
}

func markdownBlocks(ctx context.Context, source string) ([]block, error) {
	m := &markdownReader{}
	for _, s := range stretches(tame(skipFrontMatter(source))) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		m.source = []byte(s)
		m.starts = lineStarts(s)
		m.children(markdown.Parser().Parse(text.NewReader(m.source)))
		m.before += strings.Count(s, "\n")
		if len(m.blocks) > mostBlocks {
			return nil, &Unreadable{Help: helpTooLarge}
		}
	}
	return m.blocks, nil
}

func lineStarts(s string) []int {
	starts := []int{0}
	for i := range len(s) {
		if s[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineAt is the number of the line at an offset of the source.
func (m *markdownReader) lineAt(offset int) int {
	return m.before + max(1, sort.SearchInts(m.starts, offset+1))
}

func (m *markdownReader) lineOf(n ast.Node) int {
	if lines := n.Lines(); n.Type() == ast.TypeBlock && lines != nil && lines.Len() > 0 {
		return m.lineAt(lines.At(0).Start)
	}
	return m.lineAt(max(0, n.Pos()))
}

func (m *markdownReader) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		m.block(c)
	}
}

func (m *markdownReader) block(n ast.Node) {
	m.part++
	switch n := n.(type) {
	case *ast.Heading:
		m.heading(squeeze(m.inline(n)), n.Level, m.lineOf(n))
	case *ast.Paragraph, *ast.TextBlock:
		m.paragraph(n, paragraph)
	case *ast.List:
		m.list(n)
	case *east.Table:
		m.table(n)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		m.say(string(n.Lines().Value(m.source)), m.lineOf(n), paragraph)
	case *ast.HTMLBlock:
		raw := string(n.Lines().Value(m.source))
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(m.source))
		}
		m.say(untag(raw), m.lineOf(n), paragraph)
	default:
		m.children(n)
	}
}

func (m *markdownReader) heading(text string, level, line int) {
	b := block{kind: heading, level: level, text: text, part: m.part, line: line}
	if utf8.RuneCountInString(text) > longestHeading && !isQuestion(text) {
		b.kind = paragraph
	}
	if text != "" {
		m.blocks = append(m.blocks, b)
	}
}

// boldLevel is that of a paragraph in bold print, which stands for a heading.
const boldLevel = 7

func (m *markdownReader) paragraph(n ast.Node, kind kind) {
	text := m.inline(n)
	if kind == paragraph && isBold(n) && !strings.Contains(text, "\n") && !complete(text) && utf8.RuneCountInString(text) <= longestHeading {
		m.heading(squeeze(text), boldLevel, m.lineOf(n))
		return
	}
	m.say(text, m.lineOf(n), kind)
}

// isBold says whether all of a paragraph is in bold print.
func isBold(n ast.Node) bool {
	e, ok := n.FirstChild().(*ast.Emphasis)
	return ok && e.Level == 2 && e.NextSibling() == nil
}

// say makes blocks of lines, with the questions among them.
func (m *markdownReader) say(text string, number int, kind kind) {
	var lines []line
	for t := range strings.SplitSeq(text, "\n") {
		if !blank(t) {
			lines = append(lines, line{text: t, number: number})
		}
		number++
	}
	m.blocks = append(m.blocks, ask(sayings(lines), kind, m.part)...)
}

// list makes a block of each item. What is nested in one stays with it, as long
// as it is short.
func (m *markdownReader) list(n *ast.List) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		m.item(c)
	}
}

func (m *markdownReader) item(n ast.Node) {
	start, part := len(m.blocks), m.part
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			m.paragraph(c, item)
		case *ast.List:
			m.nested(c)
		default:
			m.block(c)
		}
	}
	// A question and its answer end with the item.
	for i := start; i < len(m.blocks); i++ {
		m.blocks[i].part = part
		m.blocks[i].alone = false
	}
	m.part = part + 1
}

// nested puts a short list behind what it stands under: "Drinks: tea; coffee".
func (m *markdownReader) nested(list *ast.List) {
	start := len(m.blocks)
	m.list(list)
	inner := m.blocks[start:]
	if start == 0 || m.blocks[start-1].kind != item || len(inner) == 0 {
		return
	}
	length := utf8.RuneCountInString(m.blocks[start-1].text)
	var texts []string
	for _, b := range inner {
		length += utf8.RuneCountInString(b.text) + 2
		texts = append(texts, strings.TrimRight(b.text, ".;, "))
		if b.kind != item || length > enough {
			return
		}
	}
	parent := &m.blocks[start-1]
	parent.text = strings.TrimRight(parent.text, ":. ") + ": " + strings.Join(texts, "; ")
	m.blocks = m.blocks[:start]
}

func (m *markdownReader) table(n *east.Table) {
	var names columns
	var rows []record
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r := record{cells: m.cells(c), line: m.lineOf(c)}
		switch {
		case r.filled() == 0:
		case c.Kind() == east.KindTableHeader && c.NextSibling() != nil:
			names = r.cells
		default:
			rows = append(rows, r)
		}
	}
	for _, r := range filledDown(rows) {
		m.part++
		m.blocks = append(m.blocks, names.rowBlocks(r, m.part)...)
	}
}

func (m *markdownReader) cells(row ast.Node) (cells []string) {
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		cells = append(cells, squeeze(m.inline(c)))
	}
	return cells
}

// inline is the text in a block, with the breaks between its lines.
func (m *markdownReader) inline(n ast.Node) string {
	var b strings.Builder
	m.write(&b, n)
	return untag(b.String())
}

func (m *markdownReader) write(b *strings.Builder, n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Value(m.source))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(m.source))
		case *ast.RawHTML:
			b.Write(c.Segments.Value(m.source))
		case *ast.Emphasis:
			m.emphasis(b, c)
		default:
			m.write(b, c)
		}
	}
}

// emphasis puts a bold question at the start of a paragraph on a line of its
// own, marked as one: what follows is the answer.
func (m *markdownReader) emphasis(b *strings.Builder, e *ast.Emphasis) {
	var inner strings.Builder
	m.write(&inner, e)
	text := inner.String()
	if b.Len() > 0 || e.Level != 2 || !endsAsking(text) || e.Parent().Kind() != ast.KindParagraph && e.Parent().Kind() != ast.KindTextBlock {
		b.WriteString(text)
		return
	}
	if !marksQuestion(text) {
		b.WriteString("Q: ")
	}
	b.WriteString(text + "\n")
}

var frontMatter = regexp.MustCompile(`^(?:---[ \t]*\n(?:[^\n]*\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\n|$)|\+\+\+[ \t]*\n(?:[^\n]*\n){0,200}?\+\+\+[ \t]*(?:\n|$))`)

// skipFrontMatter leaves out what tools keep at the top of a document, but not
// its line breaks.
func skipFrontMatter(source string) string {
	matter := frontMatter.FindString(source)
	if matter == "" || !strings.ContainsAny(matter, ":=") {
		return source
	}
	return strings.Repeat("\n", strings.Count(matter, "\n")) + source[len(matter):]
}
