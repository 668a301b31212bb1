package document_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/pdf"
)

var update = flag.Bool("update", false, "write the golden files anew")

// typed is a PDF reader whose documents are text already, with form feeds
// between the pages.
type typed struct{ err error }

func (p typed) Pages(_ context.Context, data []byte) (pages []pdf.Page, _ error) {
	for i, text := range strings.Split(string(data), "\f") {
		page := pdf.Page{Number: i + 1}
		for l := range strings.SplitSeq(text, "\n") {
			page.Lines = append(page.Lines, pdf.Line{Text: l})
		}
		pages = append(pages, page)
	}
	return pages, p.err
}

func read(t testing.TB, kind frontdesk.DocumentKind, data string) []frontdesk.Fragment {
	t.Helper()
	fragments, err := document.NewReader(typed{}).Read(t.Context(), kind, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return fragments
}

// show sets fragments down the way the tests write them: a line with the
// headings, the question and the text of each.
func show(fragments []frontdesk.Fragment) string {
	var b strings.Builder
	for _, f := range fragments {
		if f.Heading != "" {
			b.WriteString(f.Heading + " | ")
		}
		if f.Question != "" {
			b.WriteString(f.Question + " | ")
		}
		b.WriteString(strings.ReplaceAll(f.Text, "\n", " / ") + "\n")
	}
	return strings.TrimSpace(b.String())
}

// reading is what a document says, and what becomes of it.
type reading struct{ in, want string }

func check(t *testing.T, kind frontdesk.DocumentKind, tests map[string]reading) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := show(read(t, kind, tt.in)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for file, kind := range map[string]frontdesk.DocumentKind{
		"restaurant.md": frontdesk.Markdown, "prices.csv": frontdesk.CSV, "rules.txt": frontdesk.Text, "clinic.pdf.txt": frontdesk.PDF,
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join("testdata", file))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, f := range read(t, kind, string(data)) {
				fmt.Fprintf(&b, "%d page %d line %d %s\nheading: %s\nquestion: %s\n%s\n\n", f.Position, f.Page, f.Line, f.Language, f.Heading, f.Question, f.Text)
			}
			golden := filepath.Join("testdata", file+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("differs from %s:\n%s", golden, b.String())
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		kind frontdesk.DocumentKind
		data string
		pdf  error
		help string
	}{
		"an empty file":                 {frontdesk.Text, "", nil, "no text"},
		"nothing but blank lines":       {frontdesk.Text, strings.Repeat("\n", 1000), nil, "no text"},
		"a Markdown file of rules only": {frontdesk.Markdown, "---\n\n***\n", nil, "no text"},
		"a renamed ZIP":                 {frontdesk.Text, "PK\x03\x04 and so on", nil, "not text"},
		"a renamed PNG":                 {frontdesk.CSV, "\x89PNG\r\n\x1a\n", nil, "not text"},
		"a renamed EXE":                 {frontdesk.Text, "MZ\x90\x00\x03", nil, "not text"},
		"text with zeros all over it":   {frontdesk.Markdown, strings.Repeat("ab\x00", 100), nil, "not text"},
		"control characters":            {frontdesk.Text, strings.Repeat("a\x01\x02\x03", 100), nil, "not text"},
		"more than 10 MiB":              {frontdesk.Text, strings.Repeat("ab ", 4<<20), nil, "too long"},
		"too many rows":                 {frontdesk.CSV, "name,price\n" + strings.Repeat("tea,2\n", 30_000), nil, "too long"},
		"a PDF with a password":         {frontdesk.PDF, "", pdf.ErrPassword, "password"},
		"a scanned PDF":                 {frontdesk.PDF, "", pdf.ErrNoText, "OCR"},
		"a damaged PDF":                 {frontdesk.PDF, "", pdf.ErrDamaged, "damaged"},
		"a PDF that takes too much":     {frontdesk.PDF, "", pdf.ErrTooMuch, "too much"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := document.NewReader(typed{tt.pdf}).Read(t.Context(), tt.kind, []byte(tt.data))
			var fault *document.Unreadable
			if !errors.As(err, &fault) || !strings.Contains(fault.Help, tt.help) {
				t.Errorf("got %d fragments and %v, want help about %q", len(got), err, tt.help)
			}
		})
	}
}

func TestOthersFaultsAreNotTheDocuments(t *testing.T) {
	t.Parallel()
	broken := errors.New("out of luck")
	_, err := document.NewReader(typed{broken}).Read(t.Context(), frontdesk.PDF, nil)
	var fault *document.Unreadable
	if !errors.Is(err, broken) || errors.As(err, &fault) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = document.NewReader(typed{}).Read(ctx, frontdesk.Text, []byte("Abrimos a las nueve."))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	const want = "El baño está al fondo; cuesta 1 €."
	utf16 := func(order func(byte, byte) []byte) (b []byte) {
		for _, r := range want {
			b = append(b, order(byte(r), byte(r>>8))...)
		}
		return b
	}
	little := utf16(func(lo, hi byte) []byte { return []byte{lo, hi} })
	big := utf16(func(lo, hi byte) []byte { return []byte{hi, lo} })
	for name, data := range map[string]string{
		"UTF-8":                      want,
		"UTF-8 with its mark":        "\ufeff" + want,
		"UTF-16, little end first":   "\xff\xfe" + string(little),
		"UTF-16, big end first":      "\xfe\xff" + string(big),
		"UTF-16 without mark":        string(little),
		"UTF-16 without mark, big":   string(big),
		"Windows-1252":               "El ba\xf1o est\xe1 al fondo; cuesta 1 \x80.",
		"UTF-8 with one bad byte":    "El baño está al fondo;\xff cuesta 1 €.",
		"accents as marks":           "El ban\u0303o esta\u0301 al fondo; cuesta 1 €.",
		"accents before letters":     "El ba˜no est´a al fondo; cuesta 1 €.",
		"accents after letters":      "El ban˜o esta´ al fondo; cuesta 1 €.",
		"hyphens that do not show":   "El ba\u00adño está al fondo; cuesta 1 €.",
		"ligatures":                  "El baño está al fondo; cuesta 1 €.",
		"spaces of all widths":       "El\u00a0baño\u2003está al fondo;\u202fcuesta 1 €.",
		"line breaks of a Mac":       "El baño está\ral fondo; cuesta\r1 €.",
		"wide letters from the East": "Ｅｌ baño está al fondo; cuesta 1 €.",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := show(read(t, frontdesk.Text, data))
			if name == "line breaks of a Mac" {
				got = strings.ReplaceAll(got, " / ", " ")
			}
			if got != want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestSpelling(t *testing.T) {
	t.Parallel()
	check(t, frontdesk.Text, map[string]reading{
		"a dotless i takes its accent":                {"Abrimos al mediod´ıa.", "Abrimos al mediodía."},
		"two dots go onto the u":                      {"Pag¨uen en caja; ling¨u´ıstica.", "Pagüen en caja; lingüística."},
		"the document says which side accents are on": {"La t´ecnica de informaci´on.", "La técnica de información."},
		"and if it is the other":                      {"La direccio´n de informacio´n.", "La dirección de información."},
		"an apostrophe stays one":                     {"It´s Lola´s bar in O´Donnell.", "It's Lola's bar in O'Donnell."},
		"an elided article stays one":                 {"Vamos a L´Alcora.", "Vamos a L'Alcora."},
		"fractions and squares stay":                  {"Dura 1½ h en 40 m².", "Dura 1½ h en 40 m²."},
		"ligatures are spelt out":                     {"La oﬁcina ﬂota.", "La oficina flota."},
	})
}

func TestDividedWords(t *testing.T) {
	t.Parallel()
	check(t, frontdesk.Text, map[string]reading{
		"a divided word is put together":           {"Haga su reserva-\nción por teléfono.", "Haga su reservación por teléfono."},
		"with the mark after it":                   {"Llame para su reserva-\nción, por favor.", "Llame para su reservación, por favor."},
		"a soft hyphen at the end of a line":       {"Haga su reserva\u00ad\nción por teléfono.", "Haga su reservación por teléfono."},
		"days keep theirs":                         {"Abrimos de lunes-\nviernes todo el día.", "Abrimos de lunes-viernes todo el día."},
		"so do words that the document has singly": {"A drop off point. We drop off late. The drop-\noff point is open.", "A drop off point. We drop off late. The drop-off point is open."},
		"and numbers":                              {"Tel. 955-\n000 is ours.", "Tel. 955- / 000 is ours."},
		"and capitals":                             {"We serve the Baden-\nBaden area.", "We serve the Baden- / Baden area."},
	})
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	check(t, frontdesk.Markdown, map[string]reading{
		"headings make a path":               {"# A\n\nOne.\n\n## B\n\nTwo.\n\n# C\n\nThree.", "A | One.\nA > B | Two.\nC | Three."},
		"paragraphs under one are together":  {"# A\n\nOne.\n\nTwo.", "A | One. /  / Two."},
		"broken lines are one":               {"We open at nine\nand close at five.", "We open at nine and close at five."},
		"markup goes":                        {"A *small* [bar](http://x.example) with `wifi` & ![a cat](c.png).", "A small bar with wifi & a cat."},
		"HTML goes":                          {"<div>Open <b>daily</b>&nbsp;<!-- x --></div>\n\nA<br>B.", "Open daily /  / A / B."},
		"front matter goes":                  {"---\ntitle: x\n---\nHello there.", "Hello there."},
		"items stay together":                {"- one\n- two\n- three", "one / two / three"},
		"what is nested stays with its item": {"- Drinks\n  - tea\n  - coffee\n- Food", "Drinks: tea; coffee / Food"},
		"rows have their columns' names":     {"| Cut | Price |\n|---|---|\n| Fade | 22 € |\n| Trim | |", "Cut: Fade; Price: 22 €\nCut: Trim"},
		"quotes are text":                    {"> Come in.\n> We are open.", "Come in. / We are open."},
		"code is text":                       {"```\nTel: 1\nFax: 2\n```", "Tel: 1 / Fax: 2"},
		"a bold line is a heading":           {"**Prices**\n\nFive euro.", "Prices | Five euro."},
		"a heading over nothing is a text":   {"# Open daily\n\n# Closed at Easter", "Open daily\nClosed at Easter"},
		"a list that is divided keeps what leads to it": {
			"We never take:\n\n- " + strings.Repeat("dogs ", 90) + "\n- " + strings.Repeat("cats ", 90),
			"We never take: / " + strings.TrimSpace(strings.Repeat("dogs ", 90)) + "\nWe never take: / " + strings.TrimSpace(strings.Repeat("cats ", 90)),
		},
	})
}

func TestPairs(t *testing.T) {
	t.Parallel()
	both := map[string]reading{
		"marked in English":                 {"Q: Do you deliver?\nA: Yes, daily.\n\nQ: Far?\nA: No.", "Do you deliver? | Yes, daily.\nFar? | No."},
		"marked in Spanish":                 {"P: ¿Reparten?\nR: Sí.\n\nPregunta 2: ¿Lejos?\nRespuesta: No.", "¿Reparten? | Sí.\n¿Lejos? | No."},
		"marked on one line":                {"P: ¿Reparten? R: Sí, a diario.", "¿Reparten? | Sí, a diario."},
		"with the answer in a paragraph":    {"Pregunta: ¿Reparten?\n\nRespuesta: Sí.", "¿Reparten? | Sí."},
		"by the question alone":             {"¿Hay ascensor?\nSí, hasta el tercero.", "¿Hay ascensor? | Sí, hasta el tercero."},
		"in a paragraph of its own":         {"Is there a lift?\n\nYes, to the third.\n\nIt is small.", "Is there a lift? | Yes, to the third. /  / It is small."},
		"with the answer behind it":         {"¿Hay ascensor? Sí, hasta el tercero.", "¿Hay ascensor? | Sí, hasta el tercero."},
		"and nothing asked within a text":   {"Breakfast is at eight. Leaving early? We pack it.", "Breakfast is at eight. Leaving early? We pack it."},
		"and a question without an answer":  {"We sell tea.\n\nWhy wait?", "We sell tea. /  / Why wait?"},
		"and a name that looks like a mark": {"P. Castro, tel: 5\nA. Ruiz, tel: 6", "P. Castro, tel: 5 / A. Ruiz, tel: 6"},
		"with the paragraph after left out": {"Q: Far?\nA: No.\n\nWe close in May.", "Far? | No.\nWe close in May."},
		"with a list as the answer":         {"Q: What do you fix?\nA: These:\n\n- bikes\n- prams\n\nWe close in May.", "What do you fix? | These: / bikes / prams\nWe close in May."},
	}
	check(t, frontdesk.Markdown, both)
	check(t, frontdesk.Text, both)
	check(t, frontdesk.PDF, map[string]reading{
		"on a page": {"¿Hay ascensor?\nSí, hasta el tercero.\n¿Hay rampa?\nNo.", "¿Hay ascensor? | Sí, hasta el tercero.\n¿Hay rampa? | No."},
	})
	check(t, frontdesk.Markdown, map[string]reading{
		"a heading that asks":              {"# Us\n\n## Is it far?\n\nNo.\n\n## Hours\n\nNine to five.", "Us | Is it far? | No.\nUs > Hours | Nine to five."},
		"a heading that asks over others":  {"# When?\n\n## Winter\n\nTen to six.", "When? > Winter | Ten to six."},
		"in bold":                          {"**Is it far?** No.\n\n**My bike broke. Can you help?**\nYes.", "Is it far? | No.\nMy bike broke. Can you help? | Yes."},
		"in a list":                        {"1. Is it far?\n   No.\n2. Is it dear?\n\n   No.\n\nWe close in May.", "Is it far? | No.\nIs it dear? | No.\nWe close in May."},
		"in a table":                       {"| Pregunta | Respuesta |\n|---|---|\n| ¿Es caro? | No. |", "¿Es caro? | No."},
		"a long answer keeps its question": {"# Is it far?\n\n" + long(1200), "Is it far? | " + strings.Join(halves(1200), "\nIs it far? | ")},
	})
}

// long is sentences of 50 characters each, n characters in all.
func long(n int) string {
	return strings.TrimSpace(strings.Repeat("This sentence is exactly fifty characters, truly. ", n/50))
}

func halves(n int) []string { return []string{long(n / 2), long(n / 2)} }

func TestCSV(t *testing.T) {
	t.Parallel()
	check(t, frontdesk.CSV, map[string]reading{
		"commas":                            {"name,price\nTea,2.50", "name: Tea; price: 2.50"},
		"semicolons, with commas in prices": {"plato;precio\nSopa;2,50\nPan;1,00", "plato: Sopa; precio: 2,50\nplato: Pan; precio: 1,00"},
		"a name that is a value as well":    {"item,unit,price\nTea,unit,2\nRice,kilo,3", "item: Tea; unit: unit; price: 2\nitem: Rice; unit: kilo; price: 3"},
		"tabs":                              {"name\tprice\nTea, green\t2", "name: Tea, green; price: 2"},
		"bars":                              {"name|price\nTea|2", "name: Tea; price: 2"},
		"a line for spreadsheets":           {"sep=;\nname;price\nTea;2", "name: Tea; price: 2"},
		"line breaks in cells":              {"name,note\nTea,\"green\nor black\"", "name: Tea; note: green or black"},
		"empty cells are left out":          {"name,price,note\nTea,,hot", "name: Tea; note: hot"},
		"names of databases become words":   {"item_name,price_eur\nTea,2", "item name: Tea; price eur: 2"},
		"no names":                          {"Tea,2.50\nCoffee,3", "Tea; 2.50\nCoffee; 3"},
		"no names, and nothing but words":   {"Monday,open\nTuesday,closed\nFriday,open", "Monday; open\nTuesday; closed\nFriday; open"},
		"sizes as names":                    {"pizza,30 cm,40 cm\nMargarita,8,11", "pizza: Margarita; 30 cm: 8; 40 cm: 11"},
		"a mark that is never closed":       {"name,price\n\"Tea,2\nCoffee,3", "name: Tea; price: 2\nname: Coffee; price: 3"},
		"an inch in a cell":                 {"name,price\nTable 24\" round,80\n\"Table 30\" \"\"oak\"\"\",90", "name: Table 24\" round; price: 80\nname: Table 30\" \"oak\"; price: 90"},
		"a title above":                     {"Prices 2025,,\n\nname,price,note\nTea,2,hot", "Prices 2025 | name: Tea; price: 2; note: hot"},
		"capitals between":                  {"name,price\nDRINKS,\nTea,2\nFOOD,\nSoup,5", "DRINKS | name: Tea; price: 2\nFOOD | name: Soup; price: 5"},
		"questions and answers":             {"pregunta,respuesta\n¿Es caro?,No.", "¿Es caro? | No."},
		"questions, answers and what about": {"Topic;Question;Answer;Since\nPaying;By card?;Yes.;2020", "Paying | By card? | Yes. / Since: 2020"},
		"rows with more cells than names":   {"name,price\nTea,2,3", "name: Tea; price: 2; 3"},
		"one column is text":                {"We open at nine.\nWe close at five.", "We open at nine. / We close at five."},
		"a long row keeps its name":         {"name;a;b\nTea;" + long(600) + ";" + long(600), "name: Tea; a: " + long(600) + "\nname: Tea; b: " + long(600)},
	})
	lines := read(t, frontdesk.CSV, "name,note\nTea,\"a\nb\"\nSoup,x")
	if lines[0].Line != 2 || lines[1].Line != 4 {
		t.Errorf("rows begin on lines %d and %d, not 2 and 4", lines[0].Line, lines[1].Line)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	check(t, frontdesk.Text, map[string]reading{
		"a short line over a text is a heading":    {"House rules\n\nNo smoking in the rooms.", "House rules | No smoking in the rooms."},
		"also right over it":                       {"House rules\nNo smoking in the rooms.\nNo dogs.", "House rules | No smoking in the rooms. / No dogs."},
		"so is one in capitals":                    {"HOUSE RULES\nNo smoking.\nRECORDS\nNone.", "HOUSE RULES | No smoking.\nRECORDS | None."},
		"and one that is underlined":               {"Our rules, in short.\n====\n\nNo smoking.", "Our rules, in short. | No smoking."},
		"a title stands over the headings":         {"Hotel Sol\n\nRULES\nNo smoking.\n\nHOURS\nAlways.", "Hotel Sol > RULES | No smoking.\nHotel Sol > HOURS | Always."},
		"a line with a price is none":              {"Soup 5 €\n\nWe make it every day.", "Soup 5 € /  / We make it every day."},
		"nor is a sentence":                        {"We are open.\n\nWe make soup.", "We are open. /  / We make soup."},
		"nor are names in a row":                   {"Ana\n\nLuis\n\nMarta", "Ana /  / Luis /  / Marta"},
		"names with values keep their lines":       {"Classes\nYoga: Monday at six\nBoxing: Friday at two", "Classes | Yoga: Monday at six / Boxing: Friday at two"},
		"lines broken to a width are put together": {"The pool is open to everybody from nine in the morning to\nNoon on every day of the week that is not a holiday, and\nMay close early.", "The pool is open to everybody from nine in the morning to Noon on every day of the week that is not a holiday, and May close early."},
		"items lose their marks":                   {"Bring:\n• a towel\n• 2) soap", "Bring: / a towel / 2) soap"},
		"dots lead to prices":                      {"Soup ........ 5 €\nBread ....... 1 €", "Soup: 5 € / Bread: 1 €"},
		"columns are a table":                      {"Dish\tPrice\nSoup\t5 €\nBread\t1 €", "Dish: Soup; Price: 5 €\nDish: Bread; Price: 1 €"},
		"columns by spaces are one":                {"Dish      Price\nSoup      5 €\nBread     1 €", "Dish: Soup; Price: 5 €\nDish: Bread; Price: 1 €"},
		"lines that are drawn go":                  {"We are open.\n\n-----\n\nWe make soup.", "We are open. /  / We make soup."},
	})
}

func TestPages(t *testing.T) {
	t.Parallel()
	page := func(n int, text string) string {
		return fmt.Sprintf("Bar Lola, since 1987\n%s\nPage %d of 3 - printed 2025", text, n)
	}
	check(t, frontdesk.PDF, map[string]reading{
		"what runs over and under the pages goes": {
			page(1, "We open at nine.") + "\f" + page(2, "We close at five.") + "\f" + page(3, "We make soup."), "We open at nine. / We close at five. / We make soup.",
		},
		"page numbers go":                   {"We open at nine.\n1\fWe close at five.\nPágina 2", "We open at nine. / We close at five."},
		"a sentence goes on, page for page": {"The kitchen closes at ten, and the bar goes on until the\flast guest has left the house.", "The kitchen closes at ten, and the bar goes on until the last guest has left the house."},
		"a number on a single page stays":   {"Our number is\n112", "Our number is / 112"},
		"a line twice on three pages stays": {"Soup.\nTea.\fSoup.\nMilk.\fWine.", "Soup. / Tea. / Soup. / Milk. / Wine."},
	})
	got := read(t, frontdesk.PDF, "HOURS\nAlways.\fPRICES\nFree.")
	if len(got) != 2 || got[0].Page != 1 || got[1].Page != 2 || got[1].Line != 0 || got[1].Position != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"one long paragraph":    long(5000),
		"many short paragraphs": strings.Repeat(long(100)+"\n\n", 50),
		"a sentence too long":   strings.Repeat("word and ", 600) + ".",
		"a word too long":       strings.Repeat("ñ", 5000),
		"a list":                strings.Repeat("- "+long(100)+"\n", 50),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, kind := range []frontdesk.DocumentKind{frontdesk.Text, frontdesk.Markdown} {
				all := read(t, kind, text)
				for i, f := range all {
					if n := utf8.RuneCountInString(f.Text); n > 900 || n < 390 && i < len(all)-1 {
						t.Errorf("fragment %d of %d of a %s has %d characters", i, len(all), kind, n)
					}
				}
			}
		})
	}
}

func TestPiecesEndWhereSentencesDo(t *testing.T) {
	t.Parallel()
	const part = "El precio es de 3.500,50 € aprox. según el Sr. Gil, y abrimos a las 9.30 h. ¿Y el IVA? Va aparte. "
	for _, f := range read(t, frontdesk.Text, strings.Repeat(part, 60)) {
		if !strings.HasSuffix(f.Text, "h.") && !strings.HasSuffix(f.Text, "?") && !strings.HasSuffix(f.Text, "aparte.") {
			t.Errorf("a piece ends in %q", f.Text[max(0, len(f.Text)-20):])
		}
	}
	for _, f := range read(t, frontdesk.Text, strings.Repeat("desde 1 250 € hasta ", 200)) {
		if last := f.Text[strings.LastIndex(f.Text, " ")+1:]; last == "1" || last == "250" {
			t.Errorf("a price is cut: %q", f.Text[max(0, len(f.Text)-20):])
		}
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	all := read(t, frontdesk.Markdown, "# Bar\n\nWe open at nine and close at five on every day of the week, and on most of the holidays as well.\n\n# Español\n\nAbrimos a las nueve y cerramos a las cinco todos los días.\n\n# X\n\n1234\n\n# FAQ\n\n## ¿Wifi?\n\nClaro.")
	var got []string
	for _, f := range all {
		got = append(got, f.Language)
	}
	if strings.Join(got, " ") != "en es en es" {
		t.Errorf("got %q for\n%s", got, show(all))
	}
	all = read(t, frontdesk.Markdown, "# Casa\n\nAbrimos a las nueve y cerramos a las cinco todos los días de la semana, también los festivos de la ciudad.\n\n"+
		"# Drinks\n\nAll of our drinks are served with ice unless you ask for none.\n\n| Item | Size |\n|---|---|\n| Cola | 33 cl |\n")
	if last := all[len(all)-1]; last.Language != "en" {
		t.Errorf("under an English heading %q is %s", last.Text, last.Language)
	}
}
