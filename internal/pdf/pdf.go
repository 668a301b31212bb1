// Package pdf gets the text out of a PDF that a stranger sent.
//
// PDFium does the reading, compiled to WebAssembly and run by wazero: a parser
// of a hostile format never touches our own memory. Every document has an
// instance to itself, which ends with it:
//
//	Reader.Pages -> sandbox.start -> load -> document.page -> layOut
//
// What PDFium gives is words and where they stand. Words that read on are a run,
// runs below one another a cell, cells beside one another a row, and rows whose
// cells stand in the same columns a table:
//
//	layOut -> split -> stack -> gather -> spanned -> tabulate
//
// Whatever the bytes are, reading ends within its bounds of time, memory and
// text, in pages or in one of the errors below. The package knows nothing of
// languages, passages or storage; it does not normalise text, put hyphenated
// words together again, or read what is only a picture.
package pdf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/service"
)

// What can be wrong with a document. Errors of Pages wrap one of these, unless
// the caller's own context ended or the machine failed us.
var (
	ErrPassword = errors.New("the PDF is locked with a password")
	ErrDamaged  = errors.New("the PDF is damaged or none at all")
	ErrNoText   = errors.New("the PDF has pages but no text on them")
	ErrTooMuch  = errors.New("the PDF takes more time, memory or text than a document may")
)

// Page is what stands on one page, in the order in which it was drawn.
type Page struct {
	Number int // from 1
	Lines  []Line
}

// Line is a line of a page, or a row of a table on it.
type Line struct {
	// Text has a tab at each wide gap, as between a label and its field. A word
	// that is divided between two lines keeps its hyphen.
	Text string
	// Cells are those of a row, one for each column of its table, "" where there
	// is none. Their lines have "\n" between them.
	Cells []string
	Table int // that the row is of, from 1; 0: none

	Size  float32 // of its letters, in points; 0: not known
	Bold  bool    // all of it is
	Apart bool    // there is more room above it than between the lines of a text

	// Top and Bottom are the room to the edges of the page, in points.
	Top, Bottom float32
}

// Text is all that is on the page, a line for each row.
func (p Page) Text() string {
	texts := make([]string, len(p.Lines))
	for i, l := range p.Lines {
		texts[i] = l.Text
	}
	return strings.Join(texts, "\n")
}

func (p Page) size() (n int) {
	for _, l := range p.Lines {
		n += len(l.Text) + 1
	}
	return n
}

// Options bound what a document may take. The zero value has sensible bounds.
type Options struct {
	// CacheDir keeps PDFium's machine code from one start to the next, in a
	// directory of its own; "" compiles anew at each start. Who can write there
	// can run code as us.
	CacheDir string
	Log      *slog.Logger // slog.Default()

	AtOnce int           // documents read at the same time; 1
	Time   time.Duration // for one document, compiling PDFium apart; 30 s
	Memory int           // bytes for one document, its own included; 160 MiB, never below 32
	Pages  int           // of one document; 5,000
	Text   int           // bytes of text of one document; 20 MiB
}

func (o Options) withDefaults() Options {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.AtOnce = cmp.Or(o.AtOnce, 1)
	o.Time = cmp.Or(o.Time, 30*time.Second)
	o.Memory = max(cmp.Or(o.Memory, 160<<20), leastMemory) / wasmPage * wasmPage
	o.Pages = cmp.Or(o.Pages, 5000)
	o.Text = cmp.Or(o.Text, 20<<20)
	return o
}

// Reader reads PDFs. It is safe for use by several goroutines.
type Reader struct {
	bounds   Options
	slots    chan struct{} // one for each document that is being read
	starting chan struct{} // held by who compiles PDFium
	engine   *engine       // guarded by starting; nil until it is compiled
}

// New returns a reader. It is cheap: PDFium is compiled for the first document,
// or by Prepare.
func New(o Options) *Reader {
	o = o.withDefaults()
	return &Reader{bounds: o, slots: make(chan struct{}, o.AtOnce), starting: make(chan struct{}, 1)}
}

// Warm compiles PDFium before there is a document, which takes seconds unless
// the cache has it. Documents that come meanwhile wait for it.
func (r *Reader) Warm(ctx context.Context) error {
	_, err := r.warm(ctx)
	return err
}

// Prepare compiles PDFium into the cache before there is a document, and lets go
// of it again: the first document is then read as soon as any later one, and an
// idle process is no larger. Where there is no cache it does nothing.
func (r *Reader) Prepare(ctx context.Context) error {
	if r.bounds.CacheDir == "" {
		return nil
	}
	if err := r.Warm(ctx); err != nil {
		return err
	}
	return r.Rest(ctx)
}

// warm returns PDFium, compiled once for all who wait for it.
func (r *Reader) warm(ctx context.Context) (*engine, error) {
	for {
		if err := acquire(ctx, r.starting); err != nil {
			return nil, err
		}
		if e := r.engine; e != nil {
			release(r.starting)
			return e, nil
		}
		select {
		case err := <-r.compile(ctx):
			if err != nil {
				return nil, fmt.Errorf("compiling PDFium: %w", err)
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// compile compiles PDFium and releases starting. It goes on when the one who
// asked for it leaves: it cannot be interrupted, and others will need it.
func (r *Reader) compile(ctx context.Context) <-chan error {
	return service.Go(r.bounds.Log, "compiling of the PDF reader", func() (err error) {
		defer release(r.starting)
		defer debug.FreeOSMemory() // compiling takes far more than it leaves
		r.engine, err = startEngine(context.WithoutCancel(ctx), r.bounds)
		return err
	})
}

// Rest lets go of PDFium's machine code, which is larger than all else in an idle
// process, unless a document is being read. The next one has it back from the
// cache in a tenth of a second.
func (r *Reader) Rest(ctx context.Context) error {
	for range cap(r.slots) {
		select {
		case r.slots <- struct{}{}:
			defer release(r.slots)
		default:
			return nil
		}
	}
	if err := acquire(ctx, r.starting); err != nil {
		return err
	}
	defer release(r.starting)
	if r.engine == nil || r.bounds.CacheDir == "" {
		return nil
	}
	e := r.engine
	r.engine = nil
	return e.close(ctx)
}

// Pages returns the text of every page. A page that is empty, a picture, or
// beyond repair in a document that is otherwise fine has no text.
func (r *Reader) Pages(ctx context.Context, data []byte) ([]Page, error) {
	pages, _, err := r.read(ctx, data)
	if err != nil {
		return nil, fmt.Errorf("reading a PDF: %w", err)
	}
	return pages, nil
}

// read also says how much memory the document took.
func (r *Reader) read(ctx context.Context, data []byte) (_ []Page, took int, _ error) {
	if err := acquire(ctx, r.slots); err != nil {
		return nil, 0, err
	}
	defer release(r.slots)
	e, err := r.warm(ctx)
	if err != nil {
		return nil, 0, err
	}

	bounded, cancel := context.WithTimeout(ctx, r.bounds.Time)
	defer cancel()
	s, err := newSandbox(bounded, r.bounds.Memory)
	if err != nil {
		return nil, 0, err
	}
	defer s.close()
	pages, err := s.read(e, data, r.bounds)
	return pages, s.memory.used, s.blame(ctx, err)
}

func acquire(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func release(slots chan struct{}) { <-slots }
