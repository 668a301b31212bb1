package demo

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
)

func TestEveryDocumentIsListedOnce(t *testing.T) {
	t.Parallel()
	var listed []string
	for _, f := range Documents() {
		listed = append(listed, address(f))
	}
	slices.Sort(listed)
	embedded, err := fs.Glob(documentFiles, "documents/*/*")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(listed, embedded) {
		t.Errorf("listed %q\nembedded %q", listed, embedded)
	}
}

func TestDocumentsAreOfAllKindsOfTextAndForAllHouses(t *testing.T) {
	t.Parallel()
	kinds, agents := map[frontdesk.DocumentKind]int{}, map[string]int{}
	for _, f := range Documents() {
		if f.Title == "" || len(f.Bytes) == 0 {
			t.Errorf("%s has no title or nothing in it", address(f))
		}
		if f.Live {
			kinds[frontdesk.KindOf(f.Filename)]++
			agents[f.Agent]++
		}
	}
	for _, kind := range []frontdesk.DocumentKind{frontdesk.Markdown, frontdesk.CSV, frontdesk.Text} {
		if kinds[kind] == 0 {
			t.Errorf("no document is %s", kind)
		}
	}
	if len(kinds) != 3 { // a PDF would have its reader compiled at the demo's first start
		t.Errorf("kinds %v", kinds)
	}
	slugs := map[string]int{"": 1} // one is for all
	for _, h := range housesOf(t) {
		slugs[h.agent.Slug] = 2
	}
	for slug, n := range agents {
		if slugs[slug] != n {
			t.Errorf("%d documents for %q, want %d", n, slug, slugs[slug])
		}
	}
	if len(agents) != len(slugs) {
		t.Errorf("documents for %v", agents)
	}
}

func TestSampleDocumentsAreForEverySandbox(t *testing.T) {
	t.Parallel()
	files := SampleDocuments()
	if len(files) != 2 {
		t.Errorf("%d documents", len(files))
	}
	for _, f := range files {
		if f.Live || f.Agent != "" {
			t.Errorf("%s is live, or an agent's", f.Filename)
		}
	}
}

// TestDocumentsAreUsable reads the documents the way uploads are read.
func TestDocumentsAreUsable(t *testing.T) {
	t.Parallel()
	for _, f := range Documents() {
		fragments := read(t, document.NewReader(nil), f)
		if f.Filename == "tarifas.md" {
			checkTariff(t, fragments)
		}
	}
}

// TestThePDFSaysTheSame: the printed tariff, with which an upload can be tried,
// has the same rows.
func TestThePDFSaysTheSame(t *testing.T) {
	t.Parallel()
	checkTariff(t, read(t, document.NewReader(pdftest.Reader()), File{Filename: "tarifas.pdf", Live: true, Agent: "dental-la-plaza", Bytes: []byte(printedTariff(t))}))
}

// printedTariff is the PDF, which is not among the demo's documents.
func printedTariff(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("documents/dental-la-plaza/tarifas.pdf")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func read(t *testing.T, reader *document.Reader, f File) []frontdesk.Fragment {
	t.Helper()
	fragments, err := reader.Read(t.Context(), frontdesk.KindOf(f.Filename), f.Bytes)
	if err != nil {
		t.Fatalf("%s: %v", address(f), err)
	}
	if len(fragments) < 6 {
		t.Errorf("%s has %d fragments", address(f), len(fragments))
	}
	return fragments
}

// checkTariff compares the clinic's printed prices with what its agent says.
func checkTariff(t *testing.T, fragments []frontdesk.Fragment) {
	t.Helper()
	for _, service := range houseOf(t, "dental-la-plaza").services {
		price := "gratuita"
		if euros, ok := service.amount(); ok {
			price = spellEuros(euros).es
		}
		row := slices.IndexFunc(fragments, func(f frontdesk.Fragment) bool { return strings.Contains(f.Text, ": "+service.Name) })
		if row < 0 {
			t.Errorf("the tariff has no %s", service.Name)
			continue
		}
		for _, want := range []string{fmt.Sprintf(" %d min;", service.Minutes), " " + price} {
			if !strings.Contains(fragments[row].Text, want) {
				t.Errorf("%q has no %q", fragments[row].Text, want)
			}
		}
	}
}

// TestThePDFNamesNobody holds for metadata as well: it is not compressed.
func TestThePDFNamesNobody(t *testing.T) {
	t.Parallel()
	text := printedTariff(t)
	if !strings.HasPrefix(text, "%PDF-") || !strings.Contains(text, "/Title") {
		t.Error("not a PDF whose metadata can be seen")
	}
	if len(text) > 60<<10 {
		t.Errorf("%d bytes", len(text))
	}
	for _, key := range []string{"/Author", "/Creator", "/Producer", "/ObjStm", "/Metadata"} {
		if strings.Contains(text, key) {
			t.Errorf("it has %s", key)
		}
	}
}

func TestProductsAgreeWithTheShop(t *testing.T) {
	t.Parallel()
	rows := rowsOf(t, "documents/harbour-store/products.csv")
	products := houseOf(t, "harbour-store").products
	if len(rows) != len(products) {
		t.Errorf("%d rows for %d products", len(rows), len(products))
	}
	for _, p := range products {
		euros, _ := p.amount()
		row := rows[p.SKU]
		got := []string{row["Name"], row["Price (EUR)"], row["Stock"], row["Variants"]}
		want := []string{p.Name, strconv.FormatFloat(euros, 'f', 2, 64), strconv.Itoa(p.Stock), strings.Join(p.Variants, ", ")}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", p.SKU, got, want)
		}
	}
}

func TestSamplePricesAgreeWithTheSample(t *testing.T) {
	t.Parallel()
	h, err := loadHouse(sampleFile)
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, "documents/sample/price-list.csv")
	for _, it := range slices.Concat(h.services, h.products) {
		row := rows[it.ID+it.SKU]
		if row["Name"] != it.NameEN || !strings.EqualFold(row["Price"], it.costs().en) {
			t.Errorf("%s: %q, want %q at %s", it.ID+it.SKU, row, it.NameEN, it.costs().en)
		}
		if it.SKU != "" && (row["Availability"] == "Sold out") != (it.Stock == 0) {
			t.Errorf("%s: %s with %d in stock", it.SKU, row["Availability"], it.Stock)
		}
	}
}

// TestDocumentsSayWhatTheAgentsSay looks for phrases that stand both in a
// document and in its agent's configuration.
func TestDocumentsSayWhatTheAgentsSay(t *testing.T) {
	t.Parallel()
	for file, phrases := range map[string][]string{
		"casa-lola/preguntas-frecuentes.md": {
			"+34 600 000 010", "14,50 €", "19 € por persona", "guardamos la mesa 15 minutos", "3 horas antes",
			"en un radio de 2 km, de martes a sábado a partir de las 20:00", "freidora es compartida",
			"no podemos garantizar la ausencia de trazas de gluten en los fritos",
		},
		"dental-la-plaza/patient-faq.md": {"Plaza Mayor, 3, 1.º B, Zaragoza"},
		"harbour-store/shipping-and-returns.md": {
			"Paseo del Puerto, 8, Málaga", "2 to 3 working days", "€4.90", "free from €50", "within 30 days with the receipt, in the shop or by post",
			"Monday to Friday 10:00 to 20:00, Saturday 10:00 to 18:00", "aside for two days", "gift wrapping is free",
			"cards, cash and phone payments are accepted in the shop",
		},
		"costa-clara/condiciones.txt": {
			"Avenida del Mar, 45, Valencia", "+34 600 000 040", "de lunes a viernes de 10:00 a 19:00",
			"gratuitas y sin compromiso", "se confirman el día anterior", "las dos últimas nóminas y un documento de identidad", "informe en 48 horas",
		},
	} {
		text := strings.Join(strings.Fields(textOf(t, "documents/"+file)), " ")
		config := configOf(t, path.Dir(file))
		for _, phrase := range phrases {
			if !containsFold(text, phrase) {
				t.Errorf("%s does not say %q", file, phrase)
			}
			if !containsFold(config, phrase) {
				t.Errorf("%s says %q, its agent does not", file, phrase)
			}
		}
	}
}

func TestThePatientFAQHasThePricesOfTheClinic(t *testing.T) {
	t.Parallel()
	faq := strings.Join(strings.Fields(textOf(t, "documents/dental-la-plaza/patient-faq.md")), " ")
	for id, sentence := range map[string]string{
		"revision":           "The general check-up takes about {minutes} minutes and costs {price},",
		"limpieza":           "how long does it take?** It takes about {minutes} minutes and costs {price}.",
		"urgencia":           "An emergency visit costs {price};",
		"blanqueamiento":     "Whitening costs {price} and",
		"ortodoncia-estudio": "orthodontic assessment: {minutes} minutes, {price},",
	} {
		service := itemOf(t, houseOf(t, "dental-la-plaza").services, id)
		said := strings.NewReplacer("{minutes}", strconv.Itoa(service.Minutes), "{price}", service.costs().en).Replace(sentence)
		if !strings.Contains(faq, said) {
			t.Errorf("the FAQ does not say %q", said)
		}
	}
}

// TestDietsAgreeWithTheMenu: what the FAQ calls free of gluten or vegan, and
// nothing else, is so on the menu.
func TestDietsAgreeWithTheMenu(t *testing.T) {
	t.Parallel()
	faq := strings.Join(strings.Fields(textOf(t, "documents/casa-lola/preguntas-frecuentes.md")), " ")
	for diet, opening := range map[string]string{
		"sin gluten": "¿Tenéis platos sin gluten? ",
		"vegano":     "¿Qué hay para veganos y vegetarianos? ",
	} {
		_, answer, found := strings.Cut(faq, opening)
		if !found {
			t.Errorf("nobody asks %q", opening)
		}
		sentence, _, _ := strings.Cut(answer, ".")
		for _, dish := range houseOf(t, "casa-lola").dishes {
			if says := containsFold(sentence, dish.Name); says != slices.Contains(dish.Dietary, diet) {
				t.Errorf("%s, %s: the FAQ says %t", dish.Name, diet, says)
			}
		}
	}
}

func TestListingsInTheConditionsExist(t *testing.T) {
	t.Parallel()
	text := textOf(t, "documents/costa-clara/condiciones.txt")
	listings := houseOf(t, "costa-clara").listings
	for _, ref := range regexp.MustCompile(`CC-\d+`).FindAllString(text, -1) {
		itemOf(t, listings, ref)
	}
	if rent := itemOf(t, listings, "CC-2015").costs().es; !strings.Contains(text, "CC-2015, con una renta de "+rent) {
		t.Errorf("CC-2015 is not let for %s", rent)
	}
}

var (
	phoneNumber = regexp.MustCompile(`\+?\d{2,3}(?:[ .-]?\d{3}){3}`)
	hostName    = regexp.MustCompile(`[\w-]+(?:\.[\w-]+)*\.(?:com|es|net|org|eu|io)\b`)
)

// TestDocumentsReachNobody: numbers and hosts are those that nobody can have.
func TestDocumentsReachNobody(t *testing.T) {
	t.Parallel()
	for _, f := range Documents() {
		for _, number := range phoneNumber.FindAllString(string(f.Bytes), -1) {
			if !strings.HasPrefix(number, "+34 600 000 ") {
				t.Errorf("%s has the number %s", address(f), number)
			}
		}
		for _, host := range hostName.FindAllString(string(f.Bytes), -1) {
			if host != "example.com" && !strings.HasSuffix(host, ".example.com") {
				t.Errorf("%s has the host %s", address(f), host)
			}
		}
	}
}

// address is where a document lies.
func address(f File) string {
	folder := f.Agent
	switch {
	case !f.Live:
		folder = "sample"
	case folder == "":
		folder = "all"
	}
	return path.Join("documents", folder, f.Filename)
}

func textOf(t *testing.T, name string) string {
	t.Helper()
	text, err := documentFiles.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func configOf(t *testing.T, slug string) string {
	t.Helper()
	text, err := businessFiles.ReadFile("businesses/" + slug + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rowsOf reads a table by its first column; cells have their column's name.
func rowsOf(t *testing.T, name string) map[string]map[string]string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(textOf(t, name))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]map[string]string{}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, cell := range record {
			row[records[0][i]] = cell
		}
		rows[record[0]] = row
	}
	return rows
}

func housesOf(t *testing.T) []*house {
	t.Helper()
	houses, err := loadHouses()
	if err != nil {
		t.Fatal(err)
	}
	return houses
}

func houseOf(t *testing.T, slug string) *house {
	t.Helper()
	for _, h := range housesOf(t) {
		if h.agent.Slug == slug {
			return h
		}
	}
	t.Fatalf("there is no house %q", slug)
	return nil
}

// itemOf finds an item by its id, stock number or reference.
func itemOf(t *testing.T, items []*item, name string) *item {
	t.Helper()
	for _, it := range items {
		if it.ID+it.SKU+it.Ref == name {
			return it
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}

func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
