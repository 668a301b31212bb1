package pdf_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/pdf"
)

func BenchmarkThreeHundredPages(b *testing.B) {
	r := reader(b, pdf.Options{})
	data := manyPages(300)
	for b.Loop() {
		if _, err := r.Pages(b.Context(), data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOnePage(b *testing.B) {
	r := reader(b, pdf.Options{})
	data := document(column(60, 700, prose...))
	for b.Loop() {
		if _, err := r.Pages(b.Context(), data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWarm(b *testing.B) {
	for name, dir := range map[string]string{"without a cache": "", "from the cache": cacheDir} {
		reader(b, pdf.Options{}) // fills the cache
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := pdf.New(pdf.Options{CacheDir: dir}).Warm(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
