package knowledge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"runtime/debug"
	"time"

	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
)

const (
	// lease is how long a worker may have a document: longer than reading,
	// embedding and saving one take together.
	lease = 2 * time.Minute
	// readingTime is for one document. The reader of PDFs bounds itself, and may
	// have to be compiled first.
	readingTime = 30 * time.Second
	pdfTime     = 90 * time.Second
	// mostAttempts is how often a document is read that ends the process.
	mostAttempts = 2
	// mostFragments is how many an owner's documents have together: an index
	// of them fits into memory.
	mostFragments = 50_000
	// lightDocument is the size of a text that takes next to no memory to read.
	lightDocument = 256 << 10
	pollEvery     = time.Second
	// patience is how long a worker waits after the blob store or the
	// database failed.
	patience = 5 * time.Second
)

// Embedder turns texts into vectors.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Reader turns the bytes of a document into fragments.
type Reader interface {
	Read(ctx context.Context, kind frontdesk.DocumentKind, data []byte) ([]frontdesk.Fragment, error)
}

// Worker reads documents that wait.
type Worker struct {
	store   *store.Store
	blobs   Blobs
	reader  Reader
	embed   Embedder // nil: none
	now     func() time.Time
	log     *slog.Logger
	missing *missing
	shelves *Shelves // nil: indices are made when they are asked for
	most    int64    // bytes of a document; 0: any document
	wake    chan struct{}
}

// NewWorker returns a worker that does nothing until it runs.
func NewWorker(s *store.Store, b Blobs, r Reader, e Embedder, now func() time.Time, log *slog.Logger) *Worker {
	return &Worker{store: s, blobs: b, reader: r, embed: e, now: now, log: log, missing: newMissing(), wake: make(chan struct{}, 1)}
}

// Fill has w make the indices of shelves before a document is ready, so that the
// next question does not wait for them. It is called before w runs.
func (w *Worker) Fill(shelves *Shelves) { w.shelves = shelves }

// Light returns a worker beside w that takes nothing but small texts: they pass
// while w reads something large, and memory is large once.
func (w *Worker) Light() *Worker {
	light := *w
	light.most, light.wake = lightDocument, make(chan struct{}, 1)
	return &light
}

// Wake tells that documents wait.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Run reads documents until ctx ends. Several workers may run side by side, here
// and on other nodes.
func (w *Worker) Run(ctx context.Context) {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for ctx.Err() == nil {
		worked, err := w.RunOnce(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			w.log.Error("reading documents failed", "error", err)
		case worked:
			continue
		}
		select {
		case <-ctx.Done():
		case <-w.wake:
		case <-poll.C:
		}
	}
}

// RunOnce reads the document that has waited longest, if one does.
func (w *Worker) RunOnce(ctx context.Context) (worked bool, err error) {
	now := w.now()
	c, found, err := w.store.ClaimDocumentForWorker(context.WithoutCancel(ctx), now, now.Add(lease), w.most)
	if err != nil || !found {
		return false, err
	}
	began := time.Now()
	end := w.read(ctx, c)
	ahead := w.makeAhead(ctx, c, end)
	saved, err := w.finish(ctx, c, end)
	ahead.put(context.WithoutCancel(ctx), saved)
	if c.Document.SizeBytes > lightDocument {
		debug.FreeOSMemory() // before the next one takes as much again
	}
	w.log.Info("document", "tenant", c.Owner.TenantID, "live", c.Owner.Live, "document", c.Document.ID, "kind", c.Document.Kind,
		"bytes", c.Document.SizeBytes, "attempt", c.Attempts, "end", end.word(), "fragments", len(end.fragments), "took", time.Since(began), "cause", end.cause)
	return true, err
}

// ending is how the reading of a document ended.
type ending struct {
	fragments []frontdesk.Fragment
	help      string // what to do about one that cannot be used
	again     bool   // it was not the document's fault
	cause     error
}

func (e ending) word() string {
	switch {
	case e.again:
		return "again"
	case e.help != "":
		return "error"
	}
	return "ready"
}

const failedHelp = "Reading this document failed in a way that should not be possible. Save it anew with another program, or export it as text, and upload that."

func (w *Worker) read(ctx context.Context, c store.DocumentClaim) ending {
	if c.Attempts > mostAttempts {
		return ending{help: failedHelp}
	}
	data, err := w.bytes(ctx, c)
	switch {
	case errors.Is(err, fs.ErrNotExist) && w.missed(c.Document.ID):
		return ending{again: true, cause: err}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errOtherBytes):
		return ending{help: "The bytes of this document are no longer there. Delete it, and upload it again.", cause: err}
	case err != nil:
		return ending{again: true, cause: err}
	}
	reading, cancel := context.WithTimeout(ctx, timeFor(c.Document.Kind))
	defer cancel()
	fragments, err := w.fragments(ctx, reading, c.Document.Kind, data)
	var unreadable *document.Unreadable
	switch {
	case ctx.Err() != nil:
		return ending{again: true, cause: ctx.Err()}
	case errors.As(err, &unreadable):
		return ending{help: unreadable.Help, cause: err}
	case reading.Err() != nil:
		return ending{help: "Reading this document took too long. Split it into smaller ones, or export it as text.", cause: err}
	case err != nil:
		return ending{help: failedHelp, cause: err}
	}
	w.number(c.Document, fragments)
	w.addVectors(ctx, fragments)
	if ctx.Err() != nil { // its vectors are not to be lost for that
		return ending{again: true, cause: ctx.Err()}
	}
	return ending{fragments: fragments}
}

// missed says whether a document whose bytes are not found here is to be tried
// again, here or by another node.
func (w *Worker) missed(id frontdesk.ID) bool {
	again, first := w.missing.again(id, w.now())
	if first {
		w.log.Warn("the bytes of a document are not found: it was deleted just now, or they are on another node; trying again. "+
			"With several nodes, set FRONTDESK_DOCUMENTS to a place that all of them reach", "document", id, "for", missingTime)
	}
	return again
}

// errOtherBytes: what is stored was damaged, and trying again does not help.
var errOtherBytes = errors.New("the bytes are not those that were uploaded")

func timeFor(kind frontdesk.DocumentKind) time.Duration {
	if kind == frontdesk.PDF {
		return pdfTime
	}
	return readingTime
}

// bytes fetches a document, as it was when it came.
func (w *Worker) bytes(ctx context.Context, c store.DocumentClaim) ([]byte, error) {
	r, err := w.blobs.Get(ctx, blobKey(c.Owner, c.Document.ID))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var b bytes.Buffer
	b.Grow(int(c.Document.SizeBytes) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(r, c.Document.SizeBytes+1)); err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(b.Bytes()); !bytes.Equal(sum[:], c.Document.SHA256) {
		return nil, errOtherBytes
	}
	return b.Bytes(), nil
}

// fragments reads a document; a panic of the reader is its error. A worker that
// is to stop does not wait for a reader that cannot be interrupted: what it
// would find is found again.
func (w *Worker) fragments(stop, bounded context.Context, kind frontdesk.DocumentKind, data []byte) ([]frontdesk.Fragment, error) {
	var found []frontdesk.Fragment // no result of ours: who goes on reading still writes it
	read := service.Go(w.log, "reading of a document", func() (err error) {
		found, err = w.reader.Read(bounded, kind, data)
		return err
	})
	select {
	case err := <-read:
		return found, err
	case <-stop.Done():
		return nil, stop.Err()
	}
}

func (w *Worker) number(d frontdesk.Document, fragments []frontdesk.Fragment) {
	for i := range fragments {
		fragments[i].ID, fragments[i].DocumentID, fragments[i].Position = frontdesk.NewID(w.now()), d.ID, i
	}
}

// finish writes down how a reading ended, also when ctx has ended. A database
// that fails meanwhile is asked again for as long as the lease lasts, unless
// the worker is to stop: then the lease runs out. It says whether the document
// was made ready.
func (w *Worker) finish(ctx context.Context, c store.DocumentClaim, end ending) (ready bool, err error) {
	for giveUp := time.Now().Add(lease / 2); ; {
		ready, err := w.save(context.WithoutCancel(ctx), c, end)
		var refused *frontdesk.Error
		switch {
		case err == nil:
			return ready, nil
		case errors.As(err, &refused) && refused.Code == "limit_reached":
			end = ending{help: refused.Message}
		case time.Now().After(giveUp), ctx.Err() != nil:
			return false, err
		default:
			w.log.Error("saving a document failed", "document", c.Document.ID, "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(pollEvery):
			}
		}
	}
}

func (w *Worker) save(ctx context.Context, c store.DocumentClaim, end ending) (ready bool, err error) {
	now := w.now()
	switch {
	case end.again:
		again := now
		if !errors.Is(end.cause, context.Canceled) {
			again = now.Add(patience)
		}
		return false, w.store.ReleaseDocument(ctx, c.Owner, c, again, false)
	case end.help != "":
		return false, w.store.FailDocument(ctx, c.Owner, c, end.help, now)
	}
	return w.store.SaveFragments(ctx, c.Owner, c, end.fragments, now, mostFragments)
}
