package pdf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
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
	count   int             // of its pages
	lost    int             // of them so far, beyond repair
	scratch uint32          // the address of a rectangle, a matrix or the name of a font
	bold    map[uint32]bool // whether a font is, by its handle
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
	d := &document{sandbox: s, scratch: s.alloc(scratchSize), bold: map[uint32]bool{}}
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
		page, err := d.page(i, room)
		if err != nil {
			return nil, err
		}
		room -= page.size()
		blank = blank && len(page.Lines) == 0
		pages = append(pages, page)
	}
	switch {
	case d.lost == d.count:
		return nil, fmt.Errorf("%w: none of its pages loads", ErrDamaged)
	case blank:
		return nil, ErrNoText
	}
	return pages, nil
}

// page returns what is on page i, if its text is not longer than room.
func (d *document) page(i, room int) (Page, error) {
	page, own := d.open(i)
	words, err := d.words(page, own, room)
	sheet := d.sheet(page)
	d.run("FPDF_ClosePage", page)
	switch p := (Page{Number: i + 1, Lines: layOut(words, sheet)}); {
	case err != nil:
		return Page{}, err
	case d.failed != nil:
		return Page{}, d.failed
	case d.memory.refused:
		return Page{}, errLeftOut
	case p.size() > room:
		return Page{}, errTooLong
	default:
		return p, nil
	}
}

// sheet is the page itself, in the same points as what stands on it.
func (d *document) sheet(page uint64) box {
	d.run("FPDF_GetPageBoundingBox", page, uint64(d.scratch))
	b, _ := d.rectangle()
	return b
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
	var of textObject
	for i := range words {
		d.locate(text, &words[i], own)
		d.style(text, &words[i], &of)
	}
	return words, nil
}

// Sizes of what PDFium writes for us, in bytes: an FS_RECTF is left, top, right
// and bottom, and an FS_MATRIX six numbers, each a 32-bit floating-point number.
const (
	rectangle   = 16
	matrix      = 24
	longestFont = 128
	scratchSize = longestFont
)

// locate finds out where a word stands on the page.
func (d *document) locate(text uint64, w *word, own int) {
	w.first = int(d.run("FPDFText_GetCharIndexFromTextIndex", text, uint64(w.first)))
	last := d.run("FPDFText_GetCharIndexFromTextIndex", text, uint64(w.last))
	w.added = w.first >= own
	angle := float64(float(d.run("FPDFText_GetCharAngle", text, uint64(w.first))))
	start, known := d.box(text, uint32(w.first))
	end, alsoKnown := d.box(text, last)
	w.box = start.with(end)
	w.level = known && alsoKnown && w.box.top > w.box.bottom && math.Cos(angle) > 0.99
}

func (d *document) box(text uint64, character uint32) (box, bool) {
	known := d.run("FPDFText_GetLooseCharBox", text, uint64(character), uint64(d.scratch)) != 0
	b, read := d.rectangle()
	return b, known && read
}

// rectangle is the one that PDFium has written last.
func (d *document) rectangle() (box, bool) {
	n, read := d.numbers(rectangle)
	return box{left: n[0], top: n[1], right: n[2], bottom: n[3]}, read
}

func (d *document) numbers(size int) (n [matrix / 4]float32, read bool) {
	raw := d.view(d.scratch, size)
	for i := 0; i+4 <= len(raw); i += 4 {
		n[i/4] = float(binary.LittleEndian.Uint32(raw[i:]))
	}
	return n, raw != nil
}

// textObject is what words are drawn with that come in one piece.
type textObject struct {
	handle uint32
	size   float32 // of its letters, in points
	base   float32 // the line that they stand on
	bold   bool
}

// style finds out what a word looks like. Words of one text object look alike,
// and of is the last one.
func (d *document) style(text uint64, w *word, of *textObject) {
	handle := d.run("FPDFText_GetTextObject", text, uint64(w.first))
	if handle != of.handle || handle == 0 {
		*of = textObject{handle: handle, size: w.box.height(), base: w.box.bottom}
		d.run("FPDFText_GetMatrix", text, uint64(w.first), uint64(d.scratch))
		if n, read := d.numbers(matrix); read && n[3] > 0 {
			d.run("FPDFTextObj_GetFontSize", uint64(handle), uint64(d.scratch))
			size, _ := d.numbers(4)
			of.size, of.base = size[0]*n[3], n[5]
		}
		of.bold = handle != 0 && d.isBold(d.run("FPDFTextObj_GetFont", uint64(handle)))
	}
	w.size, w.base, w.bold = of.size, of.base, of.bold
	if !(w.size > 0 && w.size < 1000) { // nor is it, where it is no number
		w.size = max(w.box.height(), 1)
	}
	if !(w.base >= w.box.bottom && w.base <= w.box.top) {
		w.base = w.box.bottom
	}
}

// isBold tells by a font's name.
func (d *document) isBold(font uint32) bool {
	bold, known := d.bold[font]
	if known || font == 0 {
		return bold
	}
	n := d.run("FPDFFont_GetBaseFontName", uint64(font), uint64(d.scratch), longestFont)
	name := d.view(d.scratch, int(min(n, longestFont)))
	d.bold[font] = boldName.Match(name)
	return d.bold[font]
}

// boldName is that of a bold font, in words or as TeX calls its own.
var boldName = regexp.MustCompile(`(?i)bold|black|heavy|demi|-med|-bd|(cm|ec|sf|lm|tc)[a-z]*b[xs]?[a-z]{0,2}[0-9]+`)
