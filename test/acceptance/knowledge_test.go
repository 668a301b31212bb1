package acceptance

import (
	"bytes"
	"compress/zlib"
	"crypto/rand"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// document is a document as customers read it.
type document struct {
	ID         string
	Title      string
	Kind       string
	Status     string
	StatusHelp string `json:"status_help"`
	Fragments  int
	SizeBytes  int64 `json:"size_bytes"`
}

// answer is the answer to a question.
type answer struct {
	Answered bool
	Answer   *string
	MatchPct float64 `json:"match_pct"`
	Sources  []struct{ Title string }
}

// contentTypes are what documents are sent as, by extension.
var contentTypes = map[string]string{".pdf": "application/pdf", ".md": "text/markdown", ".csv": "text/csv", ".txt": "text/plain"}

func (n *node) upload(key, filename string, data []byte) (document, reply) {
	n.t.Helper()
	got, err := n.tryUpload(key, filename, data)
	if err != nil {
		n.t.Fatal(err)
	}
	var made struct{ Document document }
	if got.status == http.StatusCreated {
		decode(n.t, got.body, &made)
	}
	return made.Document, got
}

func (n *node) tryUpload(key, filename string, data []byte) (reply, error) {
	return n.try("POST /knowledge/documents?filename="+url.QueryEscape(filename), key, string(data), "Content-Type: "+contentTypes[filepath.Ext(filename)])
}

// settled waits until a document is read, and returns it.
func (n *node) settled(key, id string) (d document) {
	n.t.Helper()
	eventually(n.t, "the document is read", func() bool {
		d = get[struct{ Document document }](n, "/knowledge/documents/"+id, key).Document
		return d.Status != "pending" && d.Status != "processing"
	})
	return d
}

func (n *node) question(key, text string) (a answer) {
	n.t.Helper()
	body, _ := json.Marshal(map[string]string{"question": text})
	return post[answer](n, "/knowledge/test", key, string(body))
}

// has says whether a question is answered, with a text in it.
func (a answer) has(text string) bool {
	return a.Answered && a.Answer != nil && strings.Contains(strings.ToLower(*a.Answer), strings.ToLower(text))
}

// TestAKnowledgeBase takes a document of each kind from its upload to answers in
// both languages, and out again.
func TestAKnowledgeBase(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	tariff, err := os.ReadFile("../../internal/demo/documents/dental-la-plaza/tarifas.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for filename, tt := range map[string]struct {
		data      string
		questions map[string]string // to what the answer has
	}{
		"aparcar.md": {
			"# Cómo llegar\n\n## Aparcamiento\n\nHay un aparcamiento gratuito detrás del edificio para nuestros clientes.\n\n## Metro\n\nLa parada más cercana es Goya, a cinco minutos.\n",
			map[string]string{"¿Dónde puedo aparcar?": "aparcamiento gratuito", "Is there parking for customers?": "aparcamiento gratuito"},
		},
		"products.csv": {
			"name,price,material\nAnchor mug,14.50,stoneware\nSailor scarf,39.00,lambswool\nDeck lamp,85.00,brass\n",
			map[string]string{"How much is the sailor scarf?": "39 ", "¿Cuánto cuesta la bufanda sailor?": "39 "},
		},
		"rules.txt": {
			"House rules\n\nDogs are welcome on the terrace, but not inside.\n\nSmoking is not allowed anywhere.\n",
			map[string]string{"Can I bring my dog?": "terrace", "¿Puedo llevar a mi perro?": "terrace"},
		},
		"tarifas.pdf": {
			string(tariff),
			map[string]string{"¿Cuánto cuesta una limpieza dental?": "60 euros", "How much is a dental cleaning?": "60 euros"},
		},
	} {
		t.Run(filename, func(t *testing.T) {
			n := n.in(t)
			made, got := n.upload(key, filename, []byte(tt.data))
			if got.status != http.StatusCreated || made.Status != "pending" || made.Fragments != 0 || made.SizeBytes != int64(len(tt.data)) {
				t.Fatalf("got %s", got)
			}
			if again, _ := n.upload(key, filename, []byte(tt.data)); again.ID != made.ID {
				t.Errorf("the same bytes became %s beside %s", again.ID, made.ID)
			}
			if d := n.settled(key, made.ID); d.Status != "ready" || d.Fragments == 0 {
				t.Fatalf("it is %+v", d)
			}
			for question, want := range tt.questions {
				if a := n.question(key, question); !a.has(want) {
					t.Errorf("%s: %+v", question, a)
				}
			}
		})
	}
	for _, d := range walk[document](n, "/knowledge/documents", key, 100) {
		if got := n.do("DELETE /knowledge/documents/"+d.ID, key, ""); got.status != http.StatusOK {
			t.Errorf("deleting: %s", got)
		}
	}
	if a := n.question(key, "¿Dónde puedo aparcar?"); a.Answered || len(a.Sources) != 0 {
		t.Errorf("it is not forgotten: %+v", a)
	}
	for _, left := range files(t, filepath.Join(n.place.data, "documents")) {
		if !strings.Contains(left, "/test/") { // the sandbox has its own
			t.Errorf("bytes are left: %s", left)
		}
	}
}

// TestTheReaderOfPDFsIsKept: what the PDF reader is compiled to, by the first PDF
// or before it, is kept.
func TestTheReaderOfPDFsIsKept(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "cache")
	d := demo(t, newPlace(t, "FRONTDESK_NOW="+noon, "FRONTDESK_CACHE="+cache))
	for _, made := range walk[document](d.node, "/knowledge/documents", d.live, 100) {
		if made = d.settled(d.live, made.ID); made.Status != "ready" {
			t.Errorf("a document of the demo is %+v", made)
		}
	}
	tariff, err := os.ReadFile("../../internal/demo/documents/dental-la-plaza/tarifas.pdf")
	must(t, err)
	made, _ := d.upload(d.live, "tarifas.pdf", tariff)
	if made = d.settled(d.live, made.ID); made.Status != "ready" {
		t.Errorf("the PDF is %+v", made)
	}
	if kept := files(t, cache); len(kept) != 1 {
		t.Errorf("after the first PDF the cache has %v", kept)
	}
}

// hostile are documents that nobody should be able to read, or to read for long.
func hostile(t *testing.T) map[string][]byte {
	t.Helper()
	tariff, err := os.ReadFile("../../internal/demo/documents/dental-la-plaza/tarifas.pdf")
	if err != nil {
		t.Fatal(err)
	}
	locked, err := os.ReadFile("../../internal/pdf/testdata/locked.pdf")
	if err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 1<<20)
	rand.Read(noise)
	return map[string][]byte{
		"locked.pdf": locked,
		"scanned.pdf": pdfOf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>",
			"<</Type/XObject/Subtype/Image/Width 4/Height 4/BitsPerComponent 8/ColorSpace/DeviceGray/Length 16>>\nstream\n"+strings.Repeat("\x80", 16)+"\nendstream",
			"<</Length 24>>\nstream\n595 0 0 842 0 0 cm /I Do\nendstream"),
		"truncated.pdf":   tariff[:len(tariff)/2],
		"noise.pdf":       append([]byte("%PDF-1.7\n"), noise...),
		"renamed-zip.pdf": append([]byte("PK\x03\x04"), noise...),
		"renamed-zip.txt": append([]byte("PK\x03\x04"), noise...),
		"noise.csv":       noise,
		"nul.md":          bytes.Repeat([]byte{0}, 1<<20),
		"blank.txt":       []byte(strings.Repeat(" \n", 1<<20)),
		"one-line.txt":    []byte(strings.Repeat("palabra ", 10<<20/8)),
		"one-word.md":     []byte(strings.Repeat("a", 10<<20)),
		"quotes.csv":      []byte("a,b\n\"" + strings.Repeat("x,\n", 3<<20)),
		"columns.csv":     []byte(strings.Repeat("a,", 5<<20)),
		"nested.md":       []byte(strings.Repeat("> ", 5<<20)),
		"brackets.md":     []byte(strings.Repeat("[", 5<<20)),
		"bomb.pdf":        bomb(t),
		"loop.pdf":        pdfOf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 9999999/Kids[2 0 R 2 0 R 2 0 R]>>"),
		"recursion.pdf": pdfOf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>/Contents 5 0 R>>",
			"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>/Length 11>>\nstream\n/X Do /X Do\nendstream", "<</Length 5>>\nstream\n/X Do\nendstream"),
		"deep.pdf": pdfOf("<</Type/Catalog/Pages 2 0 R/X "+strings.Repeat("[", 1<<20)+strings.Repeat("]", 1<<20)+">>", "<</Type/Pages/Count 0/Kids[]>>"),
	}
}

// hints are words that the help for a document must have.
var hints = map[string]string{"locked.pdf": "password", "scanned.pdf": "OCR", "renamed-zip.pdf": "PDF", "nul.md": "text"}

// bomb is a PDF of a few kilobytes whose one page unpacks to a gigabyte: the
// same packed megabyte again and again, each of which refers to the one before.
func bomb(t *testing.T) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	chunk := bytes.Repeat([]byte("BT (boom) Tj ET\n"), 1<<16)
	var again []byte
	for range 3 {
		before := packed.Len()
		if _, err := z.Write(chunk); err != nil {
			t.Fatal(err)
		}
		if err := z.Flush(); err != nil {
			t.Fatal(err)
		}
		again = bytes.Clone(packed.Bytes()[before:])
	}
	packed.Write(bytes.Repeat(again, 1<<10))
	return pdfOf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
		fmt.Sprintf("<</Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream", packed.Len(), packed.String()))
}

// pdfOf is a PDF of objects, the first its root.
func pdfOf(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}

// TestHostileDocuments uploads all of them at once: each ends in a clear status,
// the process stays small, and other requests are answered.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	ids := map[string]string{}
	for filename, data := range hostile(t) {
		made, got := n.upload(key, filename, data)
		if got.status != http.StatusCreated {
			t.Fatalf("%s: %s", filename, got)
		}
		ids[filename] = made.ID
	}
	for filename, id := range ids {
		d := n.settled(key, id)
		switch {
		case d.Status == "ready" && d.Fragments > 0:
		case d.Status == "error" && d.Fragments == 0 && strings.HasSuffix(d.StatusHelp, "."):
		default:
			t.Errorf("%s is %+v", filename, d)
		}
		if hint := hints[filename]; hint != "" && !strings.Contains(d.StatusHelp, hint) {
			t.Errorf("%s is helped with %q, without %q", filename, d.StatusHelp, hint)
		}
		t.Logf("%s: %s, %d fragments %s", filename, d.Status, d.Fragments, d.StatusHelp)
		if got := n.do("GET /whoami", key, ""); got.status != http.StatusOK {
			t.Errorf("meanwhile: %s", got)
		}
	}
	if peak, ok := peakMemory(n); ok {
		t.Logf("at its peak the process had %d MiB", peak>>20)
		if peak > 400<<20 {
			t.Errorf("the process took %d MiB", peak>>20)
		}
	}
}

// peakMemory is the most memory that a process had of its own, where the system
// tells. The pages of the binary itself are left out: the system reads them from
// its file and takes them back when memory is short, and how many are in depends
// on how long the process has run.
func peakMemory(n *node) (int64, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.cmd.Process.Pid))
	if err != nil {
		return 0, false
	}
	sizes := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		if name, rest, _ := strings.Cut(line, ":"); name == "VmHWM" || name == "RssFile" {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				return 0, false
			}
			sizes[name] = kb << 10
		}
	}
	return sizes["VmHWM"] - sizes["RssFile"], len(sizes) == 2
}

// TestKilledWhileDocumentsComeIn kills the process while documents are uploaded
// and read. FRONTDESK_TEST_KILLS=20 makes it 20 kills.
func TestKilledWhileDocumentsComeIn(t *testing.T) {
	t.Parallel()
	kills := 4
	if more, err := strconv.Atoi(os.Getenv("FRONTDESK_TEST_KILLS")); err == nil && more > 0 {
		kills = more
	}
	p := newPlace(t)
	p.tenant("casa")
	key := p.key("casa", "live").Key
	p.run("plan", "set", "--tenant", "casa", "--max-documents", "100000")
	uploaded := 0
	for range kills {
		n := p.serve()
		uploaded += n.uploadUntilKilled(key, 5+mathrand.IntN(40))
	}
	last := p.with(t, "FRONTDESK_NOW="+time.Now().Add(5*time.Minute).UTC().Format(time.RFC3339)).serve()
	all := walk[document](last, "/knowledge/documents", key, 100)
	for _, d := range all {
		if d = last.settled(key, d.ID); d.Status != "ready" || d.Fragments != documentParts {
			t.Errorf("it is %+v", d)
		}
	}
	// On SQLite the place of the bytes is at hand: each row has its own.
	if bytes := files(t, filepath.Join(p.data, "documents")); len(bytes) < len(all) && !storetest.IsPostgres() {
		t.Errorf("%d documents have the bytes of %d", len(all), len(bytes))
	}
	if len(all) < uploaded {
		t.Errorf("%d uploads were answered, and there are %d documents", uploaded, len(all))
	}
	t.Logf("%d kills, %d uploads answered, %d documents", kills, uploaded, len(all))
}

// documentParts is how many fragments the documents of this test have.
const documentParts = 12

// uploadUntilKilled uploads documents until so many are answered, kills the
// process in the middle of others, and says how many were answered.
func (n *node) uploadUntilKilled(key string, enough int) int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	answered := 0
	reached := make(chan struct{})
	for range 4 {
		wg.Go(func() {
			for {
				got, err := n.tryUpload(key, "text.md", []byte(uniqueDocument()))
				if err != nil || got.status != http.StatusCreated {
					return
				}
				mu.Lock()
				if answered++; answered == enough {
					close(reached)
				}
				mu.Unlock()
			}
		})
	}
	select {
	case <-reached:
	case <-time.After(patience):
		n.t.Error("the uploads stand still")
	}
	n.kill()
	wg.Wait()
	return answered
}

func uniqueDocument() string {
	var b strings.Builder
	for i := range documentParts {
		fmt.Fprintf(&b, "## Section %d\n\n%s is the code of this section.\n\n", i, rand.Text())
	}
	return b.String()
}

// TestNodesShareDocuments uploads on one node and asks on another.
func TestNodesShareDocuments(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("several nodes need PostgreSQL")
	}
	p := newPlace(t)
	p.tenant("casa")
	key := p.key("casa", "live").Key
	here, there := p.serve(), p.beside().serve()
	if a := there.question(key, "Where do I park?"); a.Answered {
		t.Fatalf("it knows already: %+v", a)
	}
	made, _ := here.upload(key, "parking.txt", []byte("Guests park for free behind the house.\n"))
	here.settled(key, made.ID)
	if a := there.question(key, "Where do I park?"); !a.has("behind the house") {
		t.Errorf("the other node says %+v", a)
	}
	if got := here.do("DELETE /knowledge/documents/"+made.ID, key, ""); got.status != http.StatusOK {
		t.Fatal(got)
	}
	if a := there.question(key, "Where do I park?"); a.Answered || len(a.Sources) != 0 {
		t.Errorf("the other node still says %+v", a)
	}
}
