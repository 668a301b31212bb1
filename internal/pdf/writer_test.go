package pdf_test

import (
	"bytes"
	"compress/flate"
	"fmt"
	"strings"
)

// writer puts a PDF together, object by object. Object 1 is the catalog, 2 the
// root of the pages and 3 a font.
type writer struct {
	objects []string
	kids    []string
	catalog string // entries beside the pages
}

func newWriter() *writer {
	return &writer{objects: []string{"", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"}}
}

// add returns the reference of a new object.
func (w *writer) add(format string, args ...any) string {
	w.objects = append(w.objects, fmt.Sprintf(format, args...))
	return fmt.Sprintf("%d 0 R", len(w.objects))
}

func (w *writer) stream(entries, data string) string {
	return w.add("<< %s /Length %d >>\nstream\n%s\nendstream", entries, len(data), data)
}

// page adds one with a content and, in entries, whatever else it has.
func (w *writer) page(content, entries string) {
	w.kid("/Contents %s /Resources << /Font << /F 3 0 R >> >> %s", w.stream("", content), entries)
}

func (w *writer) kid(format string, args ...any) {
	w.kids = append(w.kids, w.add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "+format+" >>", args...))
}

func (w *writer) bytes() []byte {
	w.objects[0] = "<< /Type /Catalog /Pages 2 0 R " + w.catalog + " >>"
	if w.objects[1] == "" {
		w.objects[1] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(w.kids), strings.Join(w.kids, " "))
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(w.objects)+1)
	for i, body := range w.objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	start := b.Len()
	fmt.Fprintf(&b, "%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", table, len(w.objects)+1, start)
	return b.Bytes()
}

// document has a page for each content.
func document(contents ...string) []byte {
	w := newWriter()
	for _, content := range contents {
		w.page(content, "")
	}
	return w.bytes()
}

// at draws text with its baseline at a point, in the characters of Windows.
func at(x, y int, text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '€':
			b.WriteByte(0x80)
		case strings.ContainsRune(`()\`, r):
			b.WriteString(`\` + string(r))
		default:
			b.WriteByte(byte(r))
		}
	}
	return fmt.Sprintf("BT /F 11 Tf %d %d Td (%s) Tj ET\n", x, y, b.String())
}

// column draws lines below one another.
func column(x, y int, lines ...string) (content string) {
	for i, line := range lines {
		content += at(x, y-14*i, line)
	}
	return content
}

// bomb is a zlib stream of so many MiB of spaces.
func bomb(size int) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	w.Write(bytes.Repeat([]byte(" "), 1<<20))
	w.Flush()
	return "\x78\xda" + strings.Repeat(b.String(), size) + "\x03\x00"
}

// packed is data as a zlib stream.
func packed(data string) string {
	var b bytes.Buffer
	b.WriteString("\x78\xda")
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	w.Write([]byte(data))
	w.Close()
	return b.String()
}
