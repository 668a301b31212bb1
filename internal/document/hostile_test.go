package document_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

var textKinds = []frontdesk.DocumentKind{frontdesk.Markdown, frontdesk.CSV, frontdesk.Text}

// sound reads what may be anything, and holds the result to what every document
// is promised.
func sound(t *testing.T, kind frontdesk.DocumentKind, data []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	all, err := document.NewReader(typed{}).Read(ctx, kind, data)
	var fault *document.Unreadable
	switch {
	case err != nil && !errors.As(err, &fault):
		t.Fatalf("%s: %v", kind, err)
	case err != nil && (fault.Help == "" || len(all) > 0):
		t.Fatalf("%s: help %q and %d fragments", kind, fault.Help, len(all))
	case err == nil && (len(all) == 0 || len(all) > 20_000):
		t.Fatalf("%s: %d fragments", kind, len(all))
	}
	for i, f := range all {
		switch {
		case f.Position != i || strings.TrimSpace(f.Text) == "" || f.Language != "es" && f.Language != "en":
			t.Fatalf("%s: fragment %d is %+v", kind, i, f)
		case utf8.RuneCountInString(f.Text) > 900 || utf8.RuneCountInString(f.Question) > 200 || !utf8.ValidString(f.Heading+f.Question+f.Text):
			t.Fatalf("%s: fragment %d is too long or no text: %+v", kind, i, f)
		case kind != frontdesk.PDF && (f.Line < 1 || f.Page != 0):
			t.Fatalf("%s: fragment %d is on line %d of page %d", kind, i, f.Line, f.Page)
		}
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	fill := func(part string, size int) string { return strings.Repeat(part, size/len(part)) }
	var stairs strings.Builder
	for i := range 2000 {
		stairs.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	size, whole := 64<<10, 10<<20
	if underRace { // how time grows is seen without
		size, whole = size/8, whole/10
	}
	for name, data := range map[string]string{
		"one line of 10 MiB":       fill("word ", whole),
		"one word of 2 MiB":        fill("a", whole/5),
		"a million blank lines":    strings.Repeat("\n", whole/10) + "a",
		"spaces":                   fill(" ", whole/10) + "a",
		"lists in lists":           stairs.String(),
		"lists in lists, one line": fill("- ", size) + "a",
		"numbers in numbers":       fill("1. ", size) + "a",
		"quotes in quotes":         fill("> ", size) + "a",
		"quotes, line for line":    fill(fill("> ", 500)+"a\n", size),
		"all sorts in all sorts":   fill("* > 1. ", size) + "a",
		"brackets":                 fill("[", size),
		"links without end":        fill("[a](", size),
		"pictures in links":        fill("![[]()", size),
		"stars":                    fill("**a *b ", size),
		"underlines":               fill("a_b*c", size),
		"backticks":                fill("`a``b```c", size),
		"tags":                     fill("<a ", size),
		"comments":                 fill("<!-- a\n", size),
		"entities":                 fill("&amp;&#x", size),
		"references":               fill("[a]: b\n", size),
		"a table of a row":         fill("|a", size) + "\n" + fill("|-", size) + "\n" + fill("|a", size),
		"headings":                 fill("# a\n", size),
		"lines under no names":     fill("|--|--|\n", size),
		"lines under lines":        fill("-- | --\n----\n", size),
		"bold questions":           fill("**A?** b\n\n", size),
		"questions":                fill("¿A?\n", size),
		"answers":                  fill("Q: a? A: b ", size),
		"divided words":            fill("aaa-\nbbb ", size),
		"open quotation marks":     fill("\"a,", size),
		"and on every line":        fill("\"a\n", size),
		"a million columns":        fill("a,", whole/5) + "\n1,2",
		"rows":                     fill("a,b\n", size),
		"capitals":                 fill("AAA\n", size),
		"titles":                   fill("Aaa bbb\n\n", size),
		"accents":                  fill("´a", size),
		"dots":                     fill(". ", size),
		"tabs":                     fill("\ta", size),
		"zeros":                    fill("\x00", size),
		"invalid UTF-8":            fill("a\xff\xfe", size),
		"half a UTF-16 character":  "\xff\xfea\x00b",
	} {
		t.Run(name, func(t *testing.T) {
			for _, kind := range append(textKinds, frontdesk.PDF) {
				sound(t, kind, []byte(data))
			}
		})
	}
}

func fuzz(f *testing.F, kind frontdesk.DocumentKind, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { sound(t, kind, data) })
}

func FuzzMarkdown(f *testing.F) {
	fuzz(f, frontdesk.Markdown, "# A\n\nB c.\n\n- d\n  - e\n\n| f | g |\n|---|---|\n| 1 | 2 |\n", "---\na: b\n---\n**Q: a?**\nA: b", "> 1. - a\n<b>c</b>&amp;[d](e)", "## ¿A?\n\n```\nb\n```\n")
}

func FuzzCSV(f *testing.F) {
	fuzz(f, frontdesk.CSV, "a,b\n1,\"2\n3\"\n", "sep=;\na;b\n\"1;2", "pregunta\trespuesta\n¿a?\tb", "T,,\n\nname,price\nA,\n1,2")
}

func FuzzText(f *testing.F) {
	fuzz(f, frontdesk.Text, "TITLE\nA: b\n\n- c\n- d\n\nQ: e?\nA: f", "a-\nb ´ı ˜n\n====\n\nx\ty\n1\t2\n", "\xff\xfea\x00b\x00", "ba\xf1o", "#\n===", "|--|--|\n|--|--|\n")
}
