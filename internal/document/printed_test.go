package document_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/pdf"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
)

// reader reads real PDFs; it is compiled once for all tests.
var reader = sync.OnceValues(func() (*document.Reader, error) {
	r := pdf.New(pdf.Options{CacheDir: pdftest.CacheDir()})
	return document.NewReader(r), r.Warm(context.Background())
})

// TestPrinted holds what a person reads in PDFs that office programs,
// typesetters and browsers made; scripts/make-test-pdfs makes them anew.
//
// Beside each is what it must hold, a line for each statement:
//
//	row HEADING | NAME: VALUE; NAME: VALUE   a fragment is this row, under this heading
//	text HEADING | WORDS                     a fragment under this heading has the words
//	answer QUESTION | WORDS                  a fragment answers the question so
//	es WORDS, en WORDS                       the fragment with the words is in that language
//	not WORDS                                no fragment has the words, nor a heading
//
// Before the bar stands the end of the heading; nothing stands for any.
func TestPrinted(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/pdf/*.pdf")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d PDFs, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".pdf")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fragments := fragmentsOf(t, file)
			want, err := os.ReadFile(strings.TrimSuffix(file, ".pdf") + ".want")
			if err != nil {
				t.Fatal(err)
			}
			right, all := 0, 0
			for statement := range strings.Lines(string(want)) {
				if statement = strings.TrimSpace(statement); statement == "" {
					continue
				}
				all++
				if holds(t, fragments, statement) {
					right++
				} else {
					t.Errorf("does not hold: %s", statement)
				}
			}
			t.Logf("%d of %d", right, all)
			if t.Failed() {
				t.Logf("read:\n%s", show(fragments))
			}
		})
	}
}

func fragmentsOf(t *testing.T, file string) []frontdesk.Fragment {
	t.Helper()
	r, err := reader()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fragments, err := r.Read(t.Context(), frontdesk.PDF, data)
	if err != nil {
		t.Fatal(err)
	}
	return fragments
}

// ends says whether a heading ends so. Small capitals are capitals in a PDF.
func ends(heading, end string) bool {
	return strings.HasSuffix(strings.ToLower(heading), strings.ToLower(end))
}

// holds says whether a statement is true of fragments.
func holds(t *testing.T, fragments []frontdesk.Fragment, statement string) bool {
	t.Helper()
	word, rest, _ := strings.Cut(statement, " ")
	before, words, bar := strings.Cut(rest, "|")
	before, words = strings.TrimSpace(before), strings.TrimSpace(words)
	if !bar {
		words = before
	}
	for _, f := range fragments {
		flat := strings.Join(strings.Fields(f.Text), " ")
		switch word {
		case "row":
			if flat == words && ends(f.Heading, before) {
				return true
			}
		case "text":
			if strings.Contains(flat, words) && ends(f.Heading, before) {
				return true
			}
		case "answer":
			if strings.Contains(flat, words) && f.Question == before {
				return true
			}
		case "es", "en":
			if strings.Contains(cmp.Or(flat, f.Question), words) {
				return f.Language == word
			}
		case "not":
			if strings.Contains(f.Heading+" "+f.Question+" "+flat, words) {
				return false
			}
		default:
			t.Fatalf("no such statement: %s", statement)
		}
	}
	return word == "not"
}
