package knowledge_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var (
	ctx   = context.Background()
	quiet = slog.New(slog.DiscardHandler)
	// reader is shared: what it reads PDFs with is made once.
	reader = document.NewReader(pdftest.Reader())
)

// patience is how long a test waits for what must come.
const patience = time.Minute

// cellar is a blob store that fails on demand.
type cellar struct {
	*blob.Store
	mu   sync.Mutex
	fail map[string]error // by method
}

func (c *cellar) away(methods ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fail = map[string]error{}
	for _, m := range methods {
		c.fail[m] = errors.New("the cellar is flooded")
	}
}

func (c *cellar) failing(method string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fail[method]
}

// Put fails after the bytes are stored, which is when nobody knows.
func (c *cellar) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	n, err := c.Store.Put(ctx, key, r)
	return n, errors.Join(err, c.failing("Put"))
}

func (c *cellar) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	if err := c.failing("Get"); err != nil {
		return nil, err
	}
	return c.Store.Get(ctx, key)
}

func (c *cellar) Delete(ctx context.Context, key string) error {
	if err := c.failing("Delete"); err != nil {
		return err
	}
	return c.Store.Delete(ctx, key)
}

// house is one node with a tenant.
type house struct {
	t       testing.TB
	url     string // of the database
	dir     string // of the bytes; "": they are in the database
	store   *store.Store
	blobs   *cellar
	clock   *servicetest.Clock
	library *knowledge.Library
	shelves *knowledge.Shelves
	tenant  frontdesk.Tenant
	owner   frontdesk.Owner
}

func newHouse(t testing.TB) *house {
	t.Helper()
	h := &house{t: t, url: storetest.URL(t), dir: t.TempDir(), clock: servicetest.NewClock(time.Now().Truncate(time.Microsecond))}
	h.open()
	h.tenant = storetest.Tenant(t, h.store, "casa-lola")
	h.owner = frontdesk.Owner{TenantID: h.tenant.ID, Live: true}
	return h
}

func (h *house) open() {
	h.t.Helper()
	h.store = storetest.Open(h.t, h.url)
	b, err := openBlobs(h.store, h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { b.Close() })
	h.blobs = &cellar{Store: b}
	h.library = knowledge.NewLibrary(h.store, h.blobs, h.clock.Now, quiet)
	h.shelves = knowledge.NewShelves(h.store, nil, h.clock.Now, quiet, 0)
}

// openBlobs opens a directory, or the database where there is none.
func openBlobs(s *store.Store, dir string) (*blob.Store, error) {
	if dir == "" {
		return blob.OpenDatabase(s.Blobs()), nil
	}
	return blob.OpenDir(dir)
}

// inDatabase is a node that keeps the bytes in the database.
func inDatabase(t testing.TB) *house {
	t.Helper()
	h := newHouse(t)
	h.dir = ""
	h.open()
	return h
}

// nextDoor is another node on the same database and the same bytes.
func (h *house) nextDoor() *house {
	h.t.Helper()
	other := *h
	other.open()
	return &other
}

// worker is one that is woken by uploads.
func (h *house) worker(r knowledge.Reader, e knowledge.Embedder) *knowledge.Worker {
	w := knowledge.NewWorker(h.store, h.blobs, r, e, h.clock.Now, quiet)
	w.Fill(h.shelves)
	h.store.OnDocuments(w.Wake)
	return w
}

// send uploads a document.
func (h *house) send(n knowledge.NewDocument, body io.Reader) (frontdesk.Document, bool, error) {
	d, err := h.library.Receive(ctx, h.owner, n, body, h.tenant.Plan.MaxDocumentBytes)
	if err != nil {
		return d, false, err
	}
	return h.library.Add(ctx, h.owner, frontdesk.Actor{}, d, h.tenant.Plan)
}

// add uploads a document that is not there yet.
func (h *house) add(filename, text string) frontdesk.Document {
	h.t.Helper()
	return h.addFor("", filename, text)
}

func (h *house) addFor(agent frontdesk.ID, filename, text string) frontdesk.Document {
	h.t.Helper()
	d, added, err := h.send(knowledge.NewDocument{Filename: filename, AgentID: agent}, strings.NewReader(text))
	if err != nil || !added {
		h.t.Fatalf("adding %s: %v, %v", filename, added, err)
	}
	return d
}

// once has a worker read the document that is due.
func (h *house) once(w *knowledge.Worker) {
	h.t.Helper()
	if worked, err := w.RunOnce(ctx); err != nil || !worked {
		h.t.Fatalf("reading: %v, %v", worked, err)
	}
}

// ready uploads a document and reads it.
func (h *house) ready(filename, text string) frontdesk.Document {
	h.t.Helper()
	return h.readyFor("", filename, text)
}

func (h *house) readyFor(agent frontdesk.ID, filename, text string) frontdesk.Document {
	h.t.Helper()
	d := h.addFor(agent, filename, text)
	h.once(h.worker(reader, nil))
	return h.is(d, frontdesk.DocumentReady)
}

// is says how a document stands, and that it is so.
func (h *house) is(d frontdesk.Document, want frontdesk.DocumentStatus) frontdesk.Document {
	h.t.Helper()
	got, err := h.store.Document(ctx, h.owner, d.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	if got.Status != want {
		h.t.Errorf("%s is %s (%s), want %s", got.Title, got.Status, got.Help, want)
	}
	return got
}

// fragments are what a document was cut into.
func (h *house) fragments(d frontdesk.Document) (all []frontdesk.Fragment) {
	h.t.Helper()
	if err := h.store.Fragments(ctx, h.owner, d.AgentID, func(f frontdesk.Fragment) error {
		if f.DocumentID == d.ID {
			all = append(all, f)
		}
		return nil
	}); err != nil {
		h.t.Fatal(err)
	}
	return all
}

// rows is how many documents the owner has.
func (h *house) rows() int {
	h.t.Helper()
	u, err := h.store.DocumentUse(ctx, h.owner)
	if err != nil {
		h.t.Fatal(err)
	}
	return u.Documents
}

// keys are those of all bytes that are whole.
func (h *house) keys() (all []string) {
	h.t.Helper()
	if err := h.blobs.Each(ctx, time.Time{}, func(key string, _ time.Time) error {
		all = append(all, key)
		return nil
	}); err != nil {
		h.t.Fatal(err)
	}
	return all
}

// halves is how many bytes without a key are in the database.
func (h *house) halves() int {
	h.t.Helper()
	ids, err := h.store.Blobs().WithoutKey(ctx, time.Now().Add(time.Hour), 1000)
	if err != nil {
		h.t.Fatal(err)
	}
	return len(ids)
}

// files are all files in the directory of the bytes, finished or not.
func (h *house) files() (all []string) {
	h.t.Helper()
	if err := filepath.WalkDir(h.dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, name)
		}
		return err
	}); err != nil {
		h.t.Fatal(err)
	}
	return all
}

func (h *house) file(d frontdesk.Document) string {
	return filepath.Join(h.dir, filepath.FromSlash(knowledge.BlobKey(h.owner, d.ID)))
}

func (h *house) bytesOf(d frontdesk.Document) []byte {
	h.t.Helper()
	r, err := h.blobs.Store.Get(ctx, knowledge.BlobKey(h.owner, d.ID))
	if err != nil {
		h.t.Fatal(err)
	}
	defer r.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		h.t.Fatal(err)
	}
	return b.Bytes()
}

// ask asks for all agents' documents, with a threshold that everything passes.
func (h *house) ask(question string) frontdesk.Answer {
	h.t.Helper()
	return h.askFor("", question)
}

func (h *house) askFor(agent frontdesk.ID, question string) frontdesk.Answer {
	h.t.Helper()
	a, err := h.shelves.Ask(ctx, h.owner, knowledge.Question{Text: question, AgentID: agent})
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// warm starts the reader of PDFs: where that takes long, it is not the time of a
// document.
func warm(t testing.TB) {
	t.Helper()
	if err := pdftest.Reader().Warm(ctx); err != nil {
		t.Fatal(err)
	}
}

func isCode(t testing.TB, err error, kind frontdesk.Kind, code string) {
	t.Helper()
	var e *frontdesk.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	tick, end := time.NewTicker(2*time.Millisecond), time.After(patience)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("it did not come to be: %s", what)
		}
	}
}

// receive takes what must come on a channel.
func receive[T any](t testing.TB, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(patience):
		t.Fatalf("it did not come to be: %s", what)
	}
	return got
}

// reads is a reader made of a function.
type reads func(ctx context.Context, kind frontdesk.DocumentKind, data []byte) ([]frontdesk.Fragment, error)

func (r reads) Read(ctx context.Context, kind frontdesk.DocumentKind, data []byte) ([]frontdesk.Fragment, error) {
	return r(ctx, kind, data)
}

const questions = `# Casa Lola

## ¿A qué hora abren?
Abrimos todos los días de 9:00 a 23:00.

## ¿Tienen terraza?
Sí, tenemos una terraza con doce mesas junto al mar.

## Do you have parking?
Yes, there is free parking behind the building for our guests.
`
