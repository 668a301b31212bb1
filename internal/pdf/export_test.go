package pdf

import "context"

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
