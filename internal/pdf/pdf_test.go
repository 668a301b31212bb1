package pdf_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/pdf"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
)

// cacheDir is where warm keeps its code.
var cacheDir = pdftest.CacheDir()

// warm is compiled once for all tests.
var warm = sync.OnceValues(func() (*pdf.Reader, error) {
	r := pdf.New(pdf.Options{CacheDir: cacheDir})
	return r, r.Warm(context.Background())
})

func reader(t testing.TB, o pdf.Options) *pdf.Reader {
	t.Helper()
	r, err := warm()
	if err != nil {
		t.Fatal(err)
	}
	if o.Time == 0 {
		o.Time = 10 * time.Minute // what is expected does not hang on a busy machine
	}
	return r.With(o)
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// prose fills lines of about forty characters.
var prose = []string{
	"La recepción abre de lunes a viernes a las", "nueve de la mañana y cierra a las ocho de", "la tarde; los sábados, solo por la mañana,", "hasta las dos, y los domingos no se abre.",
}

func TestText(t *testing.T) {
	t.Parallel()
	r := reader(t, pdf.Options{AtOnce: 2})
	for name, c := range map[string]struct {
		data []byte
		want string // pages are separated by a form feed
	}{
		"accents and the euro": {
			document(at(60, 700, "¿Cuánto cuesta el tinte? Señora Núñez: 60 €")),
			"¿Cuánto cuesta el tinte? Señora Núñez: 60 €",
		},
		"lines stay lines": {
			document(column(60, 700, prose...)),
			strings.Join(prose, "\n"),
		},
		"a divided word keeps its hyphen": {
			document(column(60, 700, "Pida más informa-", "ción en recepción")),
			"Pida más informa-\nción en recepción",
		},
		"a row drawn cell by cell is a line": {
			document(at(60, 700, "Corte de pelo") + at(250, 700, "30 min") + at(400, 700, "25,00 €") + at(60, 680, "Tinte") + at(250, 680, "90 min") + at(400, 680, "60,00 €")),
			"Corte de pelo\t30 min\t25,00 €\nTinte\t90 min\t60,00 €",
		},
		"a table drawn column by column has its rows": {
			document(column(60, 700, "Monday", "Tuesday", "Wednesday") + column(200, 700, "9:00", "10:00", "closed") + column(300, 700, "18:00", "19:00", "-")),
			"Monday\t9:00\t18:00\nTuesday\t10:00\t19:00\nWednesday\tclosed\t-",
		},
		"columns of prose are read one after the other": {
			document(column(60, 700, prose...) + column(320, 700, prose...)),
			strings.Join(prose, "\n") + "\n" + strings.Join(prose, "\n"),
		},
		"a list beside prose stays apart": {
			document(column(60, 700, prose...) + column(320, 700, "Café", "Té", "Zumo", "Agua")),
			strings.Join(prose, "\n") + "\nCafé\nTé\nZumo\nAgua",
		},
		"text that runs upwards": {
			document(at(60, 700, "Aviso") + "BT /F 11 Tf 0 1 -1 0 100 100 Tm (sube por el margen) Tj ET\n"),
			"Aviso\nsube por el margen",
		},
		"a page without text among others": {
			document(at(60, 700, "uno"), "", at(60, 700, "tres")),
			"uno\f\ftres",
		},
		"a filled form": {form(true), "Nombre:\tJuan Muñoz\nCiudad:\tLeón\nGracias."},
		"fields in the middle of a line": {
			fields(true, at(60, 700, "Nombre:")+at(230, 700, "Ciudad:"), [2]int{120, 695}, [2]int{280, 695}),
			"Nombre:\tJuan Muñoz\tCiudad:\tLeón",
		},
		"a form whose fields were never drawn": {form(false), "Nombre:\tJuan Muñoz\nCiudad:\tLeón\nGracias."},
		"a lock that opens without a password": {file(t, "open.pdf"), "Horario: de 9:00 a 18:00"},
		"a page beyond repair among others": {
			func() []byte {
				w := newWriter()
				w.page(at(60, 700, "uno"), "")
				w.kids = append(w.kids, "99 0 R")
				w.page(at(60, 700, "tres"), "")
				return w.bytes()
			}(),
			"uno\f\ftres",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages, err := r.Pages(t.Context(), c.data)
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for i, p := range pages {
				if p.Number != i+1 {
					t.Errorf("page %d has the number %d", i+1, p.Number)
				}
				texts = append(texts, p.Text())
			}
			if got := strings.Join(texts, "\f"); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// form has two filled fields that come after everything else on the page.
func form(drawn bool) []byte {
	return fields(drawn, at(60, 700, "Nombre:")+at(60, 670, "Ciudad:")+at(60, 600, "Gracias."), [2]int{150, 695}, [2]int{150, 665})
}

// fields puts a name and a city at two points of a page, whether or not the form
// says how they look.
func fields(drawn bool, content string, points ...[2]int) []byte {
	w := newWriter()
	var all []string
	for i, value := range []string{"Juan Mu\xf1oz", "Le\xf3n"} {
		look := ""
		if drawn {
			look = "/AP << /N " + w.stream("/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F 3 0 R >> >>",
				"/Tx BMC BT /F 11 Tf 2 5 Td ("+value+") Tj ET EMC") + " >>"
		}
		x, y := points[i][0], points[i][1]
		all = append(all, w.add("<< /Type /Annot /Subtype /Widget /FT /Tx /T (f%d) /V (%s) /F 4 /DA (/F 11 Tf 0 g) /Rect [%d %d %d %d] %s >>", i, value, x, y, x+100, y+20, look))
	}
	list := "[" + strings.Join(all, " ") + "]"
	w.catalog = "/AcroForm << /Fields " + list + " /DR << /Font << /F 3 0 R >> >> /DA (/F 11 Tf 0 g) >>"
	w.page(content, "/Annots "+list)
	return w.bytes()
}

func TestManyPages(t *testing.T) {
	t.Parallel()
	count := 300
	if underRace {
		count = 30
	}
	pages, err := reader(t, pdf.Options{}).Pages(t.Context(), manyPages(count))
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != count {
		t.Fatalf("%d pages", len(pages))
	}
	for i, p := range pages {
		if want := fmt.Sprintf("Página %d\n", i+1); p.Number != i+1 || !strings.HasPrefix(p.Text(), want) {
			t.Fatalf("page %d begins %.20q", p.Number, p.Text())
		}
	}
}

// manyPages has about 500 words on each page.
func manyPages(n int) []byte {
	contents := make([]string, n)
	for i := range contents {
		contents[i] = column(60, 780, fmt.Sprintf("Página %d", i+1))
		for block := range 13 {
			contents[i] += column(60, 766-14*4*block, prose...)
		}
	}
	return document(contents...)
}

func TestWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	picture := newWriter()
	image := picture.stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x00")
	picture.kid("/Contents %s /Resources << /XObject << /I %s >> >>", picture.stream("", "595 0 0 842 0 0 cm /I Do"), image)

	for name, c := range map[string]struct {
		data []byte
		o    pdf.Options
		want error
	}{
		"a password":                    {file(t, "locked.pdf"), pdf.Options{}, pdf.ErrPassword},
		"nothing":                       {nil, pdf.Options{}, pdf.ErrDamaged},
		"something else":                {[]byte("Horario: de 9:00 a 18:00"), pdf.Options{}, pdf.ErrDamaged},
		"a header alone":                {[]byte("%PDF-1.7\n"), pdf.Options{}, pdf.ErrDamaged},
		"pages that are not there":      {lost(), pdf.Options{}, pdf.ErrDamaged},
		"no pages":                      {document(), pdf.Options{}, pdf.ErrDamaged},
		"a picture":                     {picture.bytes(), pdf.Options{}, pdf.ErrNoText},
		"blank pages":                   {document("", at(60, 700, "   ")), pdf.Options{}, pdf.ErrNoText},
		"more pages than allowed":       {document("", "", ""), pdf.Options{Pages: 2}, pdf.ErrTooMuch},
		"more text than allowed":        {document(at(60, 700, "uno dos"), at(60, 700, "tres cuatro")), pdf.Options{Text: 15}, pdf.ErrTooMuch},
		"a file larger than its memory": {make([]byte, 33<<20), pdf.Options{Memory: 32 << 20}, pdf.ErrTooMuch},
		"no time":                       {document(at(60, 700, "uno")), pdf.Options{Time: 1}, pdf.ErrTooMuch},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if pages, err := reader(t, c.o).Pages(t.Context(), c.data); !errors.Is(err, c.want) {
				t.Errorf("%d pages and %v, not %v", len(pages), err, c.want)
			}
		})
	}
}

func lost() []byte {
	w := newWriter()
	w.kids = []string{"98 0 R", "99 0 R"}
	return w.bytes()
}

func TestACallerWhoLeavesIsNotTheDocumentsFault(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := reader(t, pdf.Options{})
	_, err := r.Pages(ctx, document(at(60, 700, "uno")))
	if !errors.Is(err, context.Canceled) || errors.Is(err, pdf.ErrTooMuch) {
		t.Errorf("got %v", err)
	}
	if _, err := r.Pages(t.Context(), document(at(60, 700, "uno"))); err != nil {
		t.Errorf("the next document: %v", err)
	}
}

func TestReadersTakeTurns(t *testing.T) {
	t.Parallel()
	r := reader(t, pdf.Options{AtOnce: 2})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			want := fmt.Sprintf("documento %d", i)
			pages, err := r.Pages(t.Context(), document(at(60, 700, want)))
			if err != nil || len(pages) != 1 || pages[0].Text() != want {
				t.Errorf("%v, %v", pages, err)
			}
		})
	}
	wg.Wait()
}
