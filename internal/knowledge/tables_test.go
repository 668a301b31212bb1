package knowledge_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

// TestTables asks price lists, menus and timetables of many shapes, and holds what is
// said word for word. A file has the name of a document, and the money of the business
// where the document tells none; the document; and questions, each with what is said in
// Spanish and in English. How likely an answer is right is not its matter.
func TestTables(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/tables/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			askTable(t, file)
		})
	}
}

// rawRow is a row as fragments have it, which nobody wants to hear.
var rawRow = regexp.MustCompile(`[\pL\d]+: [^.;]+; [\pL\d ]+: `)

func askTable(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	document, asked, _ := strings.Cut(string(text), "\n---\n")
	first, document, _ := strings.Cut(document, "\n")
	name, money, _ := strings.Cut(first, " ")
	h := newHouse(t)
	h.ready(name, document)
	for part := range strings.SplitSeq(strings.TrimSpace(asked), "\n\n") {
		lines := strings.Split(part, "\n")
		if len(lines) != 3 {
			t.Fatalf("a question has three lines: %q", part)
		}
		a, err := h.shelves.Ask(ctx, h.owner, knowledge.Question{Text: lines[0], Money: money})
		if err != nil {
			t.Fatal(err)
		}
		for i, lang := range []string{"es", "en"} {
			if got, want := a.Say(lang), lines[i+1]; got != want {
				t.Errorf("%s\n said %s\n want %s", lines[0], got, want)
			}
		}
		holdToRows(t, a)
	}
}

// holdToRows sees that an answer is a sentence, and that its rows are told as its sources.
func holdToRows(t *testing.T, a frontdesk.Answer) {
	t.Helper()
	if a.Text != a.Say(a.Language) || rawRow.MatchString(a.Text) || !strings.HasSuffix(a.Text, ".") {
		t.Errorf("%s\n is answered %q", a.Question, a.Text)
	}
	used := 0
	for _, hit := range a.Hits {
		if hit.Used {
			used++
		}
	}
	if used == 0 {
		t.Errorf("%s\n is answered from nothing", a.Question)
	}
}

const rules = `# Posada

El desayuno se sirve de 7:30 a 10:00 en la terraza.

## Perros

Admitimos perros por 12 euros la noche, siempre que no suban a las camas.

## ¿Hay ascensor?

Sí, hasta la tercera planta.
`

// TestProseOfAnotherLanguage: what was asked for is said first in the caller's language,
// and the sentence is quoted.
func TestProseOfAnotherLanguage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ready("posada.md", rules)
	for question, want := range map[string]string{
		"What time is breakfast served?":    "7:30 to 10:00. Our information, in Spanish, says: El desayuno se sirve de 7:30 a 10:00",
		"How much do you charge for a dog?": "12 euros a night. Our information, in Spanish, says: Admitimos perros",
		"Is there a lift?":                  "Yes. Our information, in Spanish, says: Sí, hasta la tercera planta.",
		"Where is breakfast served?":        "Our information, in Spanish, says: El desayuno",
	} {
		a, err := h.shelves.Ask(ctx, h.owner, knowledge.Question{Text: question})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Say("en"); !strings.HasPrefix(got, want) || strings.Contains(a.Say("es"), "Our information") {
			t.Errorf("%s\n said %s\n want %s", question, got, want)
		}
	}
}
