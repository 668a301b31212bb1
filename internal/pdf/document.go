package pdf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// What FPDF_GetLastError says of a document that did not load.
const (
	wrongPassword   = 4
	unknownSecurity = 5
)

// Kinds of annotations.
const (
	link   = 2
	popup  = 16
	widget = 20 // a field of a form
)

// document is a PDF that PDFium has open. It ends with its sandbox.
type document struct {
	*sandbox
	handle  uint64
	count   int    // of its pages
	lost    int    // of them so far, beyond repair
	scratch uint32 // the address of a rectangle
}

// read has the one document that the sandbox is for read in it.
func (s *sandbox) read(e *engine, data []byte, bounds Options) ([]Page, error) {
	if err := s.start(e); err != nil {
		return nil, err
	}
	d, err := load(s, data)
	if err != nil {
		return nil, err
	}
	if d.count > bounds.Pages {
		return nil, fmt.Errorf("%w: %d pages", ErrTooMuch, d.count)
	}
	return d.pages(bounds.Text)
}

func load(s *sandbox, data []byte) (*document, error) {
	d := &document{sandbox: s, scratch: s.alloc(rectangle)}
	d.handle = uint64(s.run("FPDF_LoadMemDocument64", uint64(s.place(data)), uint64(len(data)), 0))
	if d.handle == 0 {
		return nil, s.refusal()
	}
	d.count = int(int32(s.run("FPDF_GetPageCount", d.handle)))
	if s.failed == nil && d.count <= 0 {
		return nil, fmt.Errorf("%w: it has no pages", ErrDamaged)
	}
	return d, s.failed
}

func (s *sandbox) refusal() error {
	code := s.run("FPDF_GetLastError")
	switch {
	case s.failed != nil:
		return s.failed
	case code == wrongPassword, code == unknownSecurity:
		return ErrPassword
	}
	return fmt.Errorf("%w: PDFium's error %d", ErrDamaged, code)
}

// pages returns the text of every page, if it is not longer than room.
func (d *document) pages(room int) (pages []Page, err error) {
	blank := true
	for i := range d.count {
		text, err := d.page(i, room)
		if err != nil {
			return nil, err
		}
		room -= len(text)
		blank = blank && strings.TrimSpace(text) == ""
		pages = append(pages, Page{Number: i + 1, Text: text})
	}
	switch {
	case d.lost == d.count:
		return nil, fmt.Errorf("%w: none of its pages loads", ErrDamaged)
	case blank:
		return nil, ErrNoText
	}
	return pages, nil
}

// page returns the text of page i, if it is not longer than room.
func (d *document) page(i, room int) (string, error) {
	page, own := d.open(i)
	words, err := d.words(page, own, room)
	d.run("FPDF_ClosePage", page)
	switch text := write(gather(split(words))); {
	case err != nil:
		return "", err
	case d.failed != nil:
		return "", d.failed
	case d.memory.refused:
		return "", errLeftOut
	case len(text) > room:
		return "", errTooLong
	default:
		return text, nil
	}
}

var (
	errTooLong = fmt.Errorf("%w: too long a text", ErrTooMuch)
	// PDFium can do without some of the memory it asks for, but then text is missing.
	errLeftOut = errors.New("PDFium left something out")
)

// open loads page i, 0 if it is beyond repair, with what its annotations show
// drawn onto it. Characters from own on come from those.
func (d *document) open(i int) (page uint64, own int) {
	page = d.loadPage(i)
	if page == 0 {
		d.lost++
	}
	if page == 0 || !d.annotated(page) {
		return page, math.MaxInt
	}
	own = d.characters(page)
	d.run("FPDFPage_Flatten", page, 0)
	d.run("FPDF_ClosePage", page)
	return d.loadPage(i), own
}

func (d *document) loadPage(i int) uint64 { return uint64(d.run("FPDF_LoadPage", d.handle, uint64(i))) }

// annotated says whether a page has annotations that show something, and sees
// to it that fields do that are only filled in.
func (d *document) annotated(page uint64) (shows bool) {
	for i := range int32(d.run("FPDFPage_GetAnnotCount", page)) {
		note := uint64(d.run("FPDFPage_GetAnnot", page, uint64(i)))
		if note == 0 {
			continue
		}
		kind := d.run("FPDFAnnot_GetSubtype", note)
		shows = shows || kind != link && kind != popup
		if kind == widget && d.run("EPDFAnnot_HasAppearanceStream", note, 0) == 0 {
			d.run("EPDFAnnot_GenerateFormFieldAP", note)
		}
		d.run("FPDFPage_CloseAnnot", note)
	}
	return shows
}

// characters counts those of a page.
func (d *document) characters(page uint64) int {
	text := uint64(d.run("FPDFText_LoadPage", page))
	defer d.run("FPDFText_ClosePage", text)
	return int(int32(d.run("FPDFText_CountChars", text)))
}

// words returns what is on a page, in the order of its drawing.
func (d *document) words(page uint64, own, room int) ([]word, error) {
	text := uint64(d.run("FPDFText_LoadPage", page))
	defer d.run("FPDFText_ClosePage", text)
	count := int(int32(d.run("FPDFText_CountChars", text)))
	if count > room {
		return nil, errTooLong
	}
	if count <= 0 {
		return nil, nil
	}
	buffer := d.alloc(2 * (count + 1))
	written := int(d.run("FPDFText_GetText", text, 0, uint64(count), uint64(buffer)))
	words := cut(d.view(buffer, 2*written))
	d.free(buffer)
	for i := range words {
		d.locate(text, &words[i], own)
	}
	return words, nil
}

// rectangle is the size of PDFium's FS_RECTF: left, top, right and bottom, each
// a 32-bit floating-point number.
const rectangle = 16

// locate finds out where a word stands on the page.
func (d *document) locate(text uint64, w *word, own int) {
	first := d.run("FPDFText_GetCharIndexFromTextIndex", text, uint64(w.first))
	last := d.run("FPDFText_GetCharIndexFromTextIndex", text, uint64(w.last))
	w.added = int(first) >= own
	angle := float64(float(d.run("FPDFText_GetCharAngle", text, uint64(first))))
	start, known := d.box(text, first)
	end, alsoKnown := d.box(text, last)
	w.box = start.with(end)
	w.level = known && alsoKnown && w.box.top > w.box.bottom && math.Cos(angle) > 0.99
}

func (d *document) box(text uint64, character uint32) (box, bool) {
	known := d.run("FPDFText_GetLooseCharBox", text, uint64(character), uint64(d.scratch)) != 0
	raw := d.view(d.scratch, rectangle)
	if raw == nil {
		return box{}, false
	}
	at := func(i int) float32 { return float(binary.LittleEndian.Uint32(raw[4*i:])) }
	return box{left: at(0), top: at(1), right: at(2), bottom: at(3)}, known
}
