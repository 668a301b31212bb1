package document_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// BenchmarkRead reads about a megabyte of each kind; of a PDF, what comes after
// the reading of its pages.
func BenchmarkRead(b *testing.B) {
	for file, kind := range map[string]frontdesk.DocumentKind{
		"restaurant.md": frontdesk.Markdown, "prices.csv": frontdesk.CSV, "rules.txt": frontdesk.Text, "clinic.pdf.txt": frontdesk.PDF,
	} {
		one, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			b.Fatal(err)
		}
		data := []byte(strings.Repeat(string(one)+"\n", 1<<20/(len(one)+1)))
		b.Run(string(kind), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := document.NewReader(typed{}).Read(b.Context(), kind, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
