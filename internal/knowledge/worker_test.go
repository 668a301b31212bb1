package knowledge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/store"
)

// unanswered records a call in which a question found no answer.
func (h *house) unanswered(question string) {
	h.t.Helper()
	at := h.clock.Now()
	r := store.Recording{Period: at.Format("2006-01"), Unanswered: []string{question}, Call: frontdesk.Call{
		ID: frontdesk.NewID(at), StartedAt: at, Duration: 1, Language: "es", Outcome: frontdesk.Info, Channel: frontdesk.Web,
		Summary: json.RawMessage(`{}`), Transcript: json.RawMessage(`{}`),
	}}
	if err := h.store.RecordCalls(ctx, h.owner, r); err != nil {
		h.t.Fatal(err)
	}
}

func TestDocumentsOfEveryKindAreRead(t *testing.T) {
	t.Parallel()
	warm(t)
	h := newHouse(t)
	paper, err := os.ReadFile("../pdf/testdata/open.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for filename, text := range map[string]string{
		"a.md": questions, "b.csv": "Plato,Precio\nTortilla,8 €\nPaella,15 €\n", "c.txt": "Abrimos a las nueve.\n\nWe close at eleven at night.\n", "d.pdf": string(paper),
	} {
		d := h.ready(filename, text)
		fragments := h.fragments(d)
		if len(fragments) == 0 || len(fragments) != d.Fragments || len(d.Languages) == 0 || !d.ReadyAt.Equal(h.clock.Now()) {
			t.Errorf("%s: %+v has %d fragments", filename, d, len(fragments))
		}
		seen := map[frontdesk.ID]bool{}
		for i, f := range fragments {
			if seen[f.ID] || f.ID == "" || f.Position != i || f.Vector != nil || f.Text == "" {
				t.Errorf("%s: got %+v", filename, f)
			}
			seen[f.ID] = true
		}
	}
	if worked, err := h.worker(reader, nil).RunOnce(ctx); worked || err != nil {
		t.Errorf("with nothing to do: %v, %v", worked, err)
	}
}

func TestDocumentsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	warm(t)
	h := newHouse(t)
	locked, err := os.ReadFile("../pdf/testdata/locked.pdf")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		filename, text, help string
	}{
		"no words in it":      {"a.txt", " \n\n ", "upload"},
		"not text":            {"b.md", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "upload"},
		"a NUL in the middle": {"c.txt", "Abrimos a las nueve.\x00\x00\x00\x00Cerramos.", ""},
		"a locked PDF":        {"d.pdf", string(locked), "password"},
		"not a PDF":           {"e.pdf", "%PDF-1.7\nnothing of the kind", "PDF"},
		"a kind nobody reads": {"f.docx", "words", knowledge.FailedHelp},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := h.add(tt.filename, tt.text)
			h.once(h.worker(reader, nil))
			got, err := h.store.Document(ctx, h.owner, d.ID)
			if err != nil {
				t.Fatal(err)
			}
			if tt.help == "" && got.Status == frontdesk.DocumentReady {
				return // either will do, so long as it ends
			}
			if got.Status != frontdesk.DocumentError || got.Help == "" || !strings.Contains(got.Help, tt.help) || got.Fragments != 0 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestWhenTheBytesCannotBeFetchedTheDocumentWaits(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	w := h.worker(reader, nil)
	d := h.add("a.md", questions)
	h.blobs.away("Get")
	for range 5 { // it is not the document's fault, however often
		h.once(w)
		h.is(d, frontdesk.DocumentPending)
		if worked, err := w.RunOnce(ctx); worked || err != nil {
			t.Errorf("at once again: %v, %v", worked, err)
		}
		h.clock.Forward(knowledge.Patience)
	}
	h.blobs.away()
	h.once(w)
	h.is(d, frontdesk.DocumentReady)
}

func TestADocumentWhoseBytesAreNotThoseThatCame(t *testing.T) {
	t.Parallel()
	tests := map[string]func(name string) error{
		"cut short": func(name string) error { return os.Truncate(name, 10) },
		"longer":    func(name string) error { return os.WriteFile(name, []byte(questions+"more"), 0o600) },
		"others":    func(name string) error { return os.WriteFile(name, []byte(strings.ToUpper(questions)), 0o600) },
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			d := h.add("a.md", questions)
			if err := damage(h.file(d)); err != nil {
				t.Fatal(err)
			}
			h.once(h.worker(reader, nil))
			if got := h.is(d, frontdesk.DocumentError); !strings.Contains(got.Help, "upload it again") {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// Two nodes with a directory each, although they share a database: the one that
// does not have the bytes leaves the document to the one that has.
func TestADocumentWhoseBytesAnotherNodeHas(t *testing.T) {
	t.Parallel()
	here := newHouse(t)
	there := *here
	there.dir = t.TempDir()
	there.open()
	d := here.add("a.md", questions)
	stranger := there.worker(reader, nil)
	for range 5 {
		there.once(stranger)
		here.is(d, frontdesk.DocumentPending)
		here.clock.Forward(knowledge.Patience)
	}
	here.once(here.worker(reader, nil))
	here.is(d, frontdesk.DocumentReady)
}

func TestADocumentWhoseBytesNobodyHas(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	w := h.worker(reader, nil)
	d := h.add("a.md", questions)
	h.clock.Forward(24 * time.Hour) // that it waited long is not its fault
	if err := os.Remove(h.file(d)); err != nil {
		t.Fatal(err)
	}
	tries := 0
	for left := knowledge.MissingTime; left > 0; left -= knowledge.Patience {
		h.once(w)
		h.is(d, frontdesk.DocumentPending)
		h.clock.Forward(knowledge.Patience)
		tries++
	}
	h.once(w)
	if got := h.is(d, frontdesk.DocumentError); !strings.Contains(got.Help, "upload it again") {
		t.Errorf("got %+v", got)
	}
	t.Logf("tried %d times", tries)
}

func TestAReaderThatFailsInWaysItShouldNot(t *testing.T) {
	t.Parallel()
	tests := map[string]reads{
		"it panics": func(context.Context, frontdesk.DocumentKind, []byte) ([]frontdesk.Fragment, error) {
			panic("the cat sat on it")
		},
		"it does not say why": func(context.Context, frontdesk.DocumentKind, []byte) ([]frontdesk.Fragment, error) {
			return nil, errors.New("why?")
		},
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			d := h.add("a.md", questions)
			h.once(h.worker(r, nil))
			if got := h.is(d, frontdesk.DocumentError); got.Help != knowledge.FailedHelp {
				t.Errorf("got %+v", got)
			}
			h.ready("b.md", "# Hours\n\nOpen daily from nine to five.") // life goes on
		})
	}
}

// The time that reading may take passes at once: in the bubble of synctest
// nobody waits for it.
func TestAReaderThatTakesTooLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		d := h.add("a.md", questions)
		h.once(h.worker(reads(func(ctx context.Context, _ frontdesk.DocumentKind, _ []byte) ([]frontdesk.Fragment, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}), nil))
		if got := h.is(d, frontdesk.DocumentError); !strings.Contains(got.Help, "too long") {
			t.Errorf("got %+v", got)
		}
		h.store.Close()
	})
}

func TestADocumentThatEndsTheProcessTwice(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d := h.add("a.md", questions)
	for attempt := range 2 { // a process that is killed says nothing: its lease runs out
		c, found, err := h.store.ClaimDocumentForWorker(ctx, h.clock.Now(), h.clock.Now().Add(knowledge.Lease), 0)
		if err != nil || !found || c.Attempts != attempt+1 {
			t.Fatalf("got %+v, %v", c, err)
		}
		h.is(d, frontdesk.DocumentProcessing)
		h.clock.Forward(knowledge.Lease)
	}
	h.once(h.worker(reads(func(context.Context, frontdesk.DocumentKind, []byte) ([]frontdesk.Fragment, error) {
		t.Error("it is read a third time")
		return nil, nil
	}), nil))
	if got := h.is(d, frontdesk.DocumentError); got.Help != knowledge.FailedHelp {
		t.Errorf("got %+v", got)
	}
}

// A document that ended the process once is read again, by whoever comes next.
func TestADocumentThatEndsTheProcessOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d := h.add("a.md", questions)
	if _, _, err := h.store.ClaimDocumentForWorker(ctx, h.clock.Now(), h.clock.Now().Add(knowledge.Lease), 0); err != nil {
		t.Fatal(err)
	}
	h.clock.Forward(knowledge.Lease)
	h.once(h.nextDoor().worker(reader, nil))
	h.is(d, frontdesk.DocumentReady)
}

// stopped runs a worker on a reader that is in the middle when it is stopped.
func (h *house) stopped(w *knowledge.Worker, middle <-chan struct{}) {
	h.t.Helper()
	stop, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Run(stop)
	}()
	receive(h.t, "the worker is in the middle", middle)
	cancel()
	receive(h.t, "the worker has stopped", done)
}

func TestAStopInTheMiddleGivesTheDocumentBack(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d := h.add("a.md", questions)
	middle := make(chan struct{})
	h.stopped(h.worker(reads(func(ctx context.Context, _ frontdesk.DocumentKind, _ []byte) ([]frontdesk.Fragment, error) {
		close(middle)
		<-ctx.Done()
		return nil, ctx.Err()
	}), nil), middle)
	h.is(d, frontdesk.DocumentPending)
	c, found, err := h.store.ClaimDocumentForWorker(ctx, h.clock.Now(), h.clock.Now().Add(knowledge.Lease), 0)
	if err != nil || !found || c.Attempts != 1 {
		t.Errorf("given back it is %+v, %v", c, err)
	}
}

func TestAStopDoesNotWaitForAReaderThatCannotBeInterrupted(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d := h.add("a.md", questions)
	middle, over := make(chan struct{}), make(chan struct{})
	defer close(over)
	h.stopped(h.worker(reads(func(context.Context, frontdesk.DocumentKind, []byte) ([]frontdesk.Fragment, error) {
		close(middle)
		<-over
		return nil, nil
	}), nil), middle)
	h.is(d, frontdesk.DocumentPending)
}

func TestAStopDoesNotWaitForADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.add("a.md", questions)
	middle := make(chan struct{})
	h.stopped(h.worker(reads(func(ctx context.Context, _ frontdesk.DocumentKind, _ []byte) ([]frontdesk.Fragment, error) {
		h.store.Close()
		close(middle)
		<-ctx.Done()
		return nil, ctx.Err()
	}), nil), middle)
}

func TestWorkersShareTheWork(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	nodes := []*house{h, h.nextDoor()}
	const documents = 30
	var all []frontdesk.Document
	var mu sync.Mutex
	times := map[string]int{}
	counting := reads(func(ctx context.Context, kind frontdesk.DocumentKind, data []byte) ([]frontdesk.Fragment, error) {
		mu.Lock()
		times[string(data)]++
		mu.Unlock()
		return reader.Read(ctx, kind, data)
	})
	stop, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for _, n := range nodes {
		w := n.worker(counting, nil)
		wg.Go(func() { w.Run(stop) })
		wg.Go(func() { w.Run(stop) }) // side by side
	}
	for i := range documents { // uploads wake who waits
		all = append(all, h.add("a.txt", fmt.Sprintf("Paper number %d is about something.", i)))
	}
	eventually(t, "all are ready", func() bool {
		k, err := h.store.KnowledgeSummary(ctx, h.owner, h.clock.Now(), 1)
		return err == nil && k.ByStatus[frontdesk.DocumentReady] == documents
	})
	cancel()
	wg.Wait()
	for text, n := range times {
		if n != 1 {
			t.Errorf("%q was read %d times", text, n)
		}
	}
	for _, d := range all {
		if n := len(h.fragments(d)); n != 1 {
			t.Errorf("%s has %d fragments", d.ID, n)
		}
	}
}

func TestLightDocumentsDoNotWaitForHeavyOnes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	middle, release := make(chan struct{}), make(chan struct{})
	w := h.worker(reads(func(ctx context.Context, kind frontdesk.DocumentKind, data []byte) ([]frontdesk.Fragment, error) {
		if kind == frontdesk.PDF {
			close(middle)
			select {
			case <-release:
			case <-time.After(patience):
			}
			return []frontdesk.Fragment{{Text: "heavy"}}, nil
		}
		return reader.Read(ctx, kind, data)
	}), nil)
	light := w.Light()
	heavy := h.add("a.pdf", "something that takes long")
	if worked, err := light.RunOnce(ctx); worked || err != nil {
		t.Errorf("the light one took it: %v, %v", worked, err)
	}
	stop, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { w.Run(stop) })
	receive(t, "the heavy one is being read", middle)
	small := h.add("b.md", questions)
	h.once(light)
	h.is(small, frontdesk.DocumentReady)
	h.is(heavy, frontdesk.DocumentProcessing)
	close(release)
	eventually(t, "the heavy one is ready", func() bool {
		got, err := h.store.Document(ctx, h.owner, heavy.ID)
		return err == nil && got.Status == frontdesk.DocumentReady
	})
	cancel()
	wg.Wait()
}

func TestDocumentsWithTooManyPassages(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d := h.add("a.md", questions)
	h.once(h.worker(reads(func(context.Context, frontdesk.DocumentKind, []byte) ([]frontdesk.Fragment, error) {
		return make([]frontdesk.Fragment, knowledge.MostFragments+1), nil
	}), nil))
	if got := h.is(d, frontdesk.DocumentError); !strings.Contains(got.Help, fmt.Sprint(knowledge.MostFragments)) || got.Fragments != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestWhatHappensToADocumentWhileItIsRead(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var meanwhile func()
	w := h.worker(reads(func(ctx context.Context, kind frontdesk.DocumentKind, data []byte) ([]frontdesk.Fragment, error) {
		meanwhile()
		return reader.Read(ctx, kind, data)
	}), nil)

	deleted := h.add("a.md", questions)
	meanwhile = func() {
		if err := h.library.Delete(ctx, h.owner, frontdesk.Actor{}, deleted.ID); err != nil {
			t.Error(err)
		}
	}
	h.once(w)
	if h.rows() != 0 || len(h.files()) != 0 || len(h.fragments(deleted)) != 0 {
		t.Errorf("%d rows, files: %v", h.rows(), h.files())
	}

	archived := h.add("a.md", questions)
	meanwhile = func() {
		if _, err := h.store.ArchiveDocument(ctx, h.owner, frontdesk.Actor{}, archived.ID, h.clock.Now()); err != nil {
			t.Error(err)
		}
	}
	h.once(w)
	h.is(archived, frontdesk.DocumentArchived)
	if a := h.ask("¿Tienen terraza?"); a.Answered {
		t.Errorf("it is answered from: %+v", a)
	}

	// Another has it once the lease has run out, and what is late is dropped.
	lost := h.add("b.md", questions+"\nMás.")
	var inner atomic.Bool
	meanwhile = func() {
		if inner.CompareAndSwap(false, true) {
			h.clock.Forward(knowledge.Lease)
			h.once(h.nextDoor().worker(reader, nil))
		}
	}
	h.once(w)
	got := h.is(lost, frontdesk.DocumentReady)
	if n := len(h.fragments(lost)); n != got.Fragments {
		t.Errorf("it has %d fragments, and says %d", n, got.Fragments)
	}
}

func TestAnUploadWakesTheWorker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // where time stands until everybody waits for it
		h := newHouse(t)
		w := h.worker(reader, nil)
		stop, cancel := context.WithCancel(ctx)
		var wg sync.WaitGroup
		wg.Go(func() { w.Run(stop) })
		synctest.Wait()
		began := time.Now()
		d := h.add("a.md", questions)
		synctest.Wait()
		h.is(d, frontdesk.DocumentReady)
		if waited := time.Since(began); waited != 0 {
			t.Errorf("it was read after %v", waited)
		}
		cancel()
		wg.Wait()
		h.store.Close()
	})
}
