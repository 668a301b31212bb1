package pdf

import (
	"context"
	"fmt"
)

// PDFium is the module itself.
var PDFium = pdfium

// With returns a reader that shares PDFium's code with r and has other bounds.
func (r *Reader) With(o Options) *Reader {
	shared := New(o)
	shared.engine = r.engine
	return shared
}

// Read also says how much memory a document took.
func (r *Reader) Read(ctx context.Context, data []byte) (pages []Page, took int, err error) {
	return r.read(ctx, data)
}

// Loaded says whether PDFium's code is in memory.
func (r *Reader) Loaded() bool {
	r.starting <- struct{}{}
	defer release(r.starting)
	return r.engine != nil
}

// Crowded lays out a page of so many words, each at its place.
func Crowded(count int, place func(i int) (left, base float32)) []Line {
	words := make([]word, count)
	for i := range words {
		left, base := place(i)
		words[i] = word{text: fmt.Sprint(i % 100), level: true, size: 10, base: base, box: box{left: left, top: base + 8, right: left + 8, bottom: base - 2}}
	}
	return layOut(words, box{top: 842, right: 595})
}
