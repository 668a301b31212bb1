package pdf_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/pdf"
)

// hostile are documents that mean harm, or that were harmed.
func hostile() map[string][]byte {
	whole := document(column(60, 700, prose...), at(60, 700, "dos"))
	all := map[string][]byte{
		"an inflating content":             inflating("/Filter /FlateDecode", bomb(2048)),
		"a twice inflating content":        inflating("/Filter [/FlateDecode /FlateDecode]", packed(bomb(2048))),
		"an inflating list of objects":     inflatingObjects(),
		"a picture of many gigabytes":      hugePicture(),
		"a table of objects that loops":    bytes.Replace(whole, []byte("/Root 1 0 R"), []byte("/Root 1 0 R /Prev "+startOf(whole)), 1),
		"pages that are their own kids":    pageLoop(),
		"pages under a thousand levels":    deepPages(1000),
		"pages under many levels":          deepPages(50_000),
		"a form that draws itself":         drawing(1, 1),
		"forms that draw each other often": drawing(12, 12),
		"arrays in arrays":                 nested("[", "]", 200_000),
		"dictionaries in dictionaries":     nested("<< /A ", " >>", 200_000),
		"arrays in the content":            document(strings.Repeat("[", 1<<20) + at(60, 700, "uno")),
		"states kept and never restored":   document(strings.Repeat("q ", 1<<20) + at(60, 700, "uno")),
		"a count of pages that lies":       bytes.Replace(whole, []byte("/Count 2"), []byte("/Count 2147483647"), 1),
		"a length that lies":               bytes.ReplaceAll(whole, []byte("/Length "), []byte("/Length 9999999")),
		"one line of a million words":      document("BT /F 11 Tf 60 700 Td (" + strings.Repeat("a ", 1<<20) + ") Tj ET"),
		"a million lines":                  document("BT /F 11 Tf 60 700 Td 1 TL " + strings.Repeat("(a) ' ", 1<<20) + "ET"),
		"numbers beyond all bounds":        document("BT /F 1e38 Tf 1e38 0 0 1e38 1e38 1e38 Tm (uno) Tj 1e38 1e38 Td (dos) Tj ET"),
	}
	for _, part := range []int{1, 3, 5, 7, 9} {
		all[fmt.Sprintf("the first %d tenths", part)] = whole[:len(whole)*part/10]
	}
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 1))
		noise := make([]byte, 4<<10)
		for i := range noise {
			noise[i] = byte(random.Uint32())
		}
		all[fmt.Sprintf("noise %d", seed)] = append([]byte("%PDF-1.7\n"), noise...)
		flipped := bytes.Clone(whole)
		for range 20 {
			flipped[random.IntN(len(flipped))] = byte(random.Uint32())
		}
		all[fmt.Sprintf("some bytes changed %d", seed)] = flipped
	}
	return all
}

func startOf(whole []byte) string {
	_, after, _ := bytes.Cut(whole, []byte("startxref\n"))
	start, _, _ := bytes.Cut(after, []byte("\n"))
	return string(start)
}

func inflating(filter, data string) []byte {
	w := newWriter()
	w.kid("/Contents %s", w.stream(filter, data))
	return w.bytes()
}

// inflatingObjects needs the bomb for a page that stands behind it.
func inflatingObjects() []byte {
	w := newWriter()
	list := w.stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", bomb(2048))
	w.kids = append(w.kids, "9 0 R", list)
	return w.bytes()
}

func hugePicture() []byte {
	w := newWriter()
	image := w.stream("/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode", bomb(64))
	w.kid("/Contents %s /Resources << /XObject << /I %s >> >>", w.stream("", "595 0 0 842 0 0 cm /I Do"), image)
	return w.bytes()
}

func pageLoop() []byte {
	w := newWriter()
	w.objects[1] = "<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 4 0 R] /Parent 4 0 R >>"
	w.add("<< /Type /Pages /Count 2 /Kids [2 0 R 4 0 R] /Parent 2 0 R >>")
	return w.bytes()
}

func deepPages(levels int) []byte {
	w := newWriter()
	w.objects[1] = "<< /Type /Pages /Count 1 /Kids [4 0 R] >>"
	for i := range levels {
		w.add("<< /Type /Pages /Count 1 /Parent %d 0 R /Kids [%d 0 R] >>", max(2, i+3), i+5)
	}
	w.add("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /Font << /F 3 0 R >> >> >>", levels+3, levels+5)
	w.stream("", at(60, 700, "abajo"))
	return w.bytes()
}

// drawing has forms that each draw the next one so many times; the last draws
// the first.
func drawing(forms, times int) []byte {
	w := newWriter()
	first := len(w.objects) + 1
	for i := range forms {
		next := first + (i+1)%forms
		w.stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> /XObject << /X %d 0 R >> >>", next),
			at(60, 700, "otra vez")+strings.Repeat("/X Do ", times))
	}
	w.kid("/Contents %s /Resources << /XObject << /X %d 0 R >> >>", w.stream("", "/X Do"), first)
	return w.bytes()
}

func nested(left, right string, times int) []byte {
	w := newWriter()
	w.page(at(60, 700, "uno"), "/Annots "+strings.Repeat(left, times)+strings.Repeat(right, times))
	return w.bytes()
}

// TestHostileDocuments holds that each ends in text or in an error with a name,
// and never has more memory than its bound.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	const memory = 64 << 20
	r := reader(t, pdf.Options{Memory: memory, Time: time.Second, AtOnce: 2})
	for name, data := range hostile() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages, took, err := r.Read(t.Context(), data)
			t.Logf("%d KiB: %d pages, %d MiB, %v", len(data)>>10, len(pages), took>>20, err)
			if err != nil && !named(err) {
				t.Errorf("an error without a name: %v", err)
			}
			if took > memory {
				t.Errorf("%d bytes of memory", took)
			}
		})
	}
}

// TestCrowdedPages holds that a page of very many words is laid out in a time in
// proportion to their number: else this test does not end.
func TestCrowdedPages(t *testing.T) {
	t.Parallel()
	count := 100_000
	if underRace {
		count = 20_000
	}
	for name, place := range map[string]func(i int) (left, base float32){
		"one line":               func(i int) (float32, float32) { return float32(i) * 30, 700 },
		"one line, close":        func(i int) (float32, float32) { return float32(i) * 10, 700 },
		"one place":              func(int) (float32, float32) { return 60, 700 },
		"one column":             func(i int) (float32, float32) { return 60, -12 * float32(i) },
		"three columns":          func(i int) (float32, float32) { return float32(60 + 100*(i%3)), -20 * float32(i/3) },
		"columns one by one":     func(i int) (float32, float32) { return float32(i/1000) * 100, -12 * float32(i%1000) },
		"steps down":             func(i int) (float32, float32) { return 30 * float32(i%5000), -12 * float32(i%5000) },
		"steps up":               func(i int) (float32, float32) { return 30 * float32(i%5000), 12 * float32(i%5000) },
		"a column to each side":  func(i int) (float32, float32) { return float32(60 + 200*(i%2)), -12 * float32(i) },
		"rows with empty places": func(i int) (float32, float32) { return float32(60 + 37*(i*i%11)), -20 * float32(i/4) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if lines := pdf.Crowded(count, place); len(lines) == 0 {
				t.Error("nothing is left")
			}
		})
	}
}

func named(err error) bool {
	for _, e := range []error{pdf.ErrPassword, pdf.ErrDamaged, pdf.ErrNoText, pdf.ErrTooMuch} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func TestMoreMemoryThanAllowedIsTooMuch(t *testing.T) {
	t.Parallel()
	const memory = 48 << 20
	_, took, err := reader(t, pdf.Options{Memory: memory}).Read(t.Context(), inflating("/Filter /FlateDecode", bomb(512)))
	if !errors.Is(err, pdf.ErrTooMuch) || took > memory {
		t.Errorf("%d bytes, %v", took, err)
	}
}

// FuzzPages holds the same of whatever comes.
func FuzzPages(f *testing.F) {
	f.Add(document(column(60, 700, prose...)))
	f.Add(form(true))
	f.Add(form(false))
	f.Add(drawing(2, 2))
	f.Add(deepPages(20))
	f.Add(pageLoop())
	f.Add(inflating("/Filter /FlateDecode", packed(at(60, 700, "uno"))))
	f.Add(file(f, "open.pdf"))
	f.Add(file(f, "locked.pdf"))
	const memory = 64 << 20
	r := reader(f, pdf.Options{Memory: memory, Time: time.Second})
	f.Fuzz(func(t *testing.T, data []byte) {
		pages, took, err := r.Read(t.Context(), data)
		if err != nil && !named(err) {
			t.Errorf("an error without a name: %v", err)
		}
		if err == nil && len(pages) == 0 || took > memory {
			t.Errorf("%d pages, %d bytes of memory", len(pages), took)
		}
	})
}
