package knowledge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/provider"
)

// vendor gives every text a vector: one direction for those about cars, one
// for all others. It counts, and handle, if set, answers in its place.
type vendor struct {
	*httptest.Server
	mu     sync.Mutex
	asked  [][]string
	handle func(w http.ResponseWriter, r *http.Request, nth int) (done bool)
}

func newVendor(t testing.TB) (*vendor, knowledge.Embedder) {
	t.Helper()
	v := &vendor{}
	v.Server = httptest.NewServer(v)
	t.Cleanup(v.Close)
	e, err := provider.NewEmbeddings(provider.EmbeddingsOptions{URL: v.URL, Model: "small", Client: v.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return v, e
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, "what?", http.StatusBadRequest)
		return
	}
	v.mu.Lock()
	v.asked = append(v.asked, in.Input)
	nth, handle := len(v.asked), v.handle
	v.mu.Unlock()
	if handle != nil && handle(w, r, nth) {
		return
	}
	var data []string
	for i, text := range in.Input {
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, direction(text)))
	}
	fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
}

func direction(text string) string {
	for _, word := range []string{"parking", "automóvil", "vehículo"} {
		if strings.Contains(text, word) {
			return "[1,0.25]"
		}
	}
	return "[-0.5,1]"
}

// answers makes the vendor do something else from now on.
func (v *vendor) answers(handle func(w http.ResponseWriter, r *http.Request, nth int) bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.handle, v.asked = handle, nil
}

func (v *vendor) texts() (all [][]string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked
}

// withVectors makes the house ask an embedder for the vectors of questions.
func (h *house) withVectors(e knowledge.Embedder) {
	h.shelves = knowledge.NewShelves(h.store, e, h.clock.Now, quiet, 0)
}

// long is a document of so many questions.
func long(questions int) string {
	var b strings.Builder
	for i := range questions {
		fmt.Fprintf(&b, "## What about thing number %d?\nThing number %d is on shelf %d.\n\n", i, i, i)
	}
	return b.String()
}

func TestVectorsAreKeptWithTheirFragments(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	v, e := newVendor(t)
	d := h.add("a.md", questions)
	h.once(h.worker(reader, e))
	h.is(d, frontdesk.DocumentReady)
	found := false
	for _, f := range h.fragments(d) {
		about := strings.Join([]string{f.Heading, f.Question, f.Text}, " ")
		if got := fmt.Sprint(f.Vector); got != strings.ReplaceAll(direction(about), ",", " ") {
			t.Errorf("%q has %s", about, got)
		}
		found = found || strings.Contains(f.Question, "parking")
	}
	asked := fmt.Sprint(v.texts())
	if !found || !strings.Contains(asked, "Do you have parking?\nYes, there is free parking") {
		t.Errorf("asked %s", asked)
	}
}

func TestALongDocumentIsEmbeddedInParts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	v, e := newVendor(t)
	d := h.add("a.md", long(150))
	h.once(h.worker(reader, e))
	n := h.is(d, frontdesk.DocumentReady).Fragments
	for i, f := range h.fragments(d) {
		if len(f.Vector) != 2 {
			t.Errorf("fragment %d has %v", i, f.Vector)
		}
	}
	for i, texts := range v.texts() {
		if len(texts) != min(knowledge.EmbedAtOnce, n-i*knowledge.EmbedAtOnce) {
			t.Errorf("%d texts were sent at once", len(texts))
		}
	}
	if want := (n + knowledge.EmbedAtOnce - 1) / knowledge.EmbedAtOnce; len(v.texts()) != want || want < 2 {
		t.Errorf("%d fragments took %d requests", n, len(v.texts()))
	}
}

func TestWithoutVectorsWordsAreFound(t *testing.T) {
	t.Parallel()
	broken := func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		http.Error(w, "out of order", http.StatusServiceUnavailable)
		return true
	}
	tests := map[string]struct {
		handle  func(w http.ResponseWriter, r *http.Request, nth int) bool
		vectors int
	}{
		"a vendor who fails": {broken, 0},
		"a vendor who talks nonsense": {func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			_, err := w.Write([]byte("<html>"))
			return err == nil
		}, 0},
		"a vendor who fails after some parts": {func(w http.ResponseWriter, r *http.Request, nth int) bool { return nth > 1 && broken(w, r, nth) }, knowledge.EmbedAtOnce},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			v, e := newVendor(t)
			v.answers(tt.handle)
			h.withVectors(e)
			d := h.add("a.md", long(100))
			h.once(h.worker(reader, e))
			h.is(d, frontdesk.DocumentReady)
			n := 0
			for _, f := range h.fragments(d) {
				if f.Vector != nil {
					n++
				}
			}
			if n != tt.vectors {
				t.Errorf("%d fragments have vectors", n)
			}
			if a := h.ask("What about thing number 77?"); !strings.Contains(a.Text, "shelf 77") {
				t.Errorf("got %+v", a)
			}
		})
	}
}

// slow never answers in time.
type slow struct{}

func (slow) Embed(ctx context.Context, _ []string) ([][]float32, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestAVendorWhoIsTooSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // where time passes at once
		h := newHouse(t)
		d := h.add("a.md", questions)
		h.once(h.worker(reader, slow{}))
		h.is(d, frontdesk.DocumentReady)
		for _, f := range h.fragments(d) {
			if f.Vector != nil {
				t.Errorf("got %+v", f)
			}
		}
		h.store.Close()
	})
}

// A caller does not wait for a vendor who does not answer: a vendor who never
// does would hold this test for ever.
func TestAQuestionDoesNotWaitForItsVector(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	v, e := newVendor(t)
	h.withVectors(e)
	h.add("a.md", questions)
	h.once(h.worker(reader, e))
	v.answers(func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		<-r.Context().Done()
		return true
	})
	if a := h.ask("¿Tienen terraza?"); !strings.Contains(a.Text, "doce mesas") {
		t.Errorf("got %+v", a)
	}
	if len(v.texts()) != 1 {
		t.Errorf("the vendor was asked %q", v.texts())
	}
}

func TestAnAnswerFoundByItsMeaning(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	v, e := newVendor(t)
	h.withVectors(e)
	h.add("a.md", questions)
	h.once(h.worker(reader, e))
	v.answers(nil)
	const question = "¿xyzzy vehículo qwertz?"
	a := h.ask(question)
	if len(a.Hits) == 0 || !strings.Contains(a.Hits[0].Fragment.Text, "free parking") || strings.Contains(a.Explanation, `", but not of`) {
		t.Errorf("got %+v", a)
	}
	if got := fmt.Sprint(v.texts()); got != "[["+question+"]]" {
		t.Errorf("the vendor was asked %s", got)
	}
	// Nobody is asked when no fragment has a vector.
	other := h.nextDoor()
	other.owner.Live = false
	other.withVectors(e)
	other.ready("a.md", questions)
	v.answers(nil)
	other.ask(question)
	if len(v.texts()) != 0 {
		t.Errorf("the vendor was asked %q", v.texts())
	}
}

// A stop while vectors are under way must not cost the document its vectors.
func TestAStopWhileEmbeddingGivesTheDocumentBack(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	v, e := newVendor(t)
	middle := make(chan struct{})
	v.answers(func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		close(middle)
		<-r.Context().Done()
		return true
	})
	d := h.add("a.md", questions)
	h.stopped(h.worker(reader, e), middle)
	h.is(d, frontdesk.DocumentPending)
	v.answers(nil)
	h.once(h.worker(reader, e))
	for _, f := range h.fragments(h.is(d, frontdesk.DocumentReady)) {
		if f.Vector == nil {
			t.Errorf("got %+v", f)
		}
	}
}
