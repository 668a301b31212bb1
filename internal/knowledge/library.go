package knowledge

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"path"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// Blobs is where the bytes of documents are kept. A Put is there whole, or not
// at all; a Get of what is not there fails with fs.ErrNotExist.
type Blobs interface {
	Put(ctx context.Context, key string, r io.Reader) (int64, error)
	Get(ctx context.Context, key string) (io.ReadCloser, error)
	Delete(ctx context.Context, key string) error
	Each(ctx context.Context, olderThan time.Time, found func(key string, at time.Time) error) error
	Sweep(ctx context.Context, olderThan time.Time) (int, error) // what broken Puts have left
}

// Library takes documents in and gives them away.
type Library struct {
	store *store.Store
	blobs Blobs
	now   func() time.Time
	log   *slog.Logger
	onPDF func() // nil: nobody wants to know
}

// NewLibrary returns a library.
func NewLibrary(s *store.Store, b Blobs, now func() time.Time, log *slog.Logger) *Library {
	return &Library{store: s, blobs: b, now: now, log: log}
}

// OnPDF has f called when a PDF begins to come in: its reader can be made ready
// meanwhile. It is called before documents come, and f must not wait.
func (l *Library) OnPDF(f func()) { l.onPDF = f }

// NewDocument is what is said of a document that comes in.
type NewDocument struct {
	Title    string // "": the name of the file
	Filename string
	AgentID  frontdesk.ID // "": for all agents
}

// maxTitle is how many characters a title has at most.
const maxTitle = 200

// Receive keeps the bytes of a document, and returns it ready to be added. It
// reads no more than most bytes; what is larger, empty or breaks off leaves
// nothing behind.
func (l *Library) Receive(ctx context.Context, owner frontdesk.Owner, n NewDocument, body io.Reader, most int64) (frontdesk.Document, error) {
	now := l.now()
	d := frontdesk.Document{
		ID: frontdesk.NewID(now), Live: owner.Live, AgentID: n.AgentID, Title: titleOf(n), Filename: n.Filename,
		Kind: frontdesk.KindOf(n.Filename), Status: frontdesk.DocumentPending, CreatedAt: now, UpdatedAt: now,
	}
	if d.Kind == frontdesk.PDF && l.onPDF != nil {
		l.onPDF()
	}
	in := &intake{from: body, most: most, hash: sha256.New()}
	if _, err := l.blobs.Put(ctx, blobKey(owner, d.ID), in); err != nil {
		if in.err != nil { // not the store's fault
			return d, in.err
		}
		if frontdesk.IsUnavailable(err) {
			// The bytes go to the database, and it is away: to ask it to drop
			// them would only hold up the answer. The sweeper does.
			return d, err
		}
		l.drop(ctx, owner, d.ID) // it may be there all the same
		return d, storageFailed(err)
	}
	d.SizeBytes, d.SHA256 = in.n, in.hash.Sum(nil)
	if d.SizeBytes == 0 {
		l.drop(ctx, owner, d.ID)
		return d, &frontdesk.Error{Kind: frontdesk.Invalid, Code: "document_empty", Message: "The document has no bytes. Send the file as the body of the request."}
	}
	return d, nil
}

// Add enters a document that was received. Where the same bytes are there
// already for the same agents, that document is returned and added is false.
func (l *Library) Add(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, d frontdesk.Document, plan frontdesk.Plan) (_ frontdesk.Document, added bool, err error) {
	there, added, err := l.store.AddDocument(ctx, owner, by, d, plan)
	if err != nil || !added {
		// After an error it is not known whether the row is there, so the
		// bytes stay for the sweeper to decide; a refusal is certain.
		var refused *frontdesk.Error
		if err == nil || errors.As(err, &refused) && refused.Kind == frontdesk.Invalid {
			l.drop(ctx, owner, d.ID)
		}
	}
	return there, added, err
}

// Delete deletes one of the owner's documents: it is forgotten by the next
// question.
func (l *Library) Delete(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) error {
	if err := l.store.DeleteDocument(ctx, owner, by, id); err != nil {
		return err
	}
	l.drop(ctx, owner, id)
	return nil
}

// drop deletes the bytes of a document that has no row. What cannot be deleted
// now is swept later.
func (l *Library) drop(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) {
	store.Finally(ctx, func() {
		ctx, cancel := context.WithTimeout(store.Apart(context.WithoutCancel(ctx)), dropTime)
		defer cancel()
		if err := l.blobs.Delete(ctx, blobKey(owner, id)); err != nil {
			l.log.Warn("the bytes of a document are left to be swept", "document", id, "error", err)
		}
	})
}

// dropTime is how long deleting bytes may hold an answer up.
const dropTime = 5 * time.Second

// orphanAge is how old bytes without a row must be to be swept: older than any
// upload takes.
const orphanAge = 24 * time.Hour

// Sweep deletes bytes that no document has.
func (l *Library) Sweep(ctx context.Context) error {
	if _, err := l.blobs.Sweep(ctx, l.now().Add(-orphanAge)); err != nil {
		return err
	}
	return l.blobs.Each(ctx, l.now().Add(-orphanAge), func(key string, _ time.Time) error {
		owner, id, ok := parseBlobKey(key)
		if !ok {
			return nil // not ours to judge
		}
		_, err := l.store.Document(ctx, owner, id)
		var e *frontdesk.Error
		if !errors.As(err, &e) || e.Kind != frontdesk.NotFound {
			return err
		}
		l.log.Info("sweeping the bytes of a document that is not there", "document", id)
		return l.blobs.Delete(ctx, key)
	})
}

// ForgetQuestions forgets unanswered questions that are too old to be shown.
func (l *Library) ForgetQuestions(ctx context.Context) error {
	return l.store.PruneUnansweredForWorker(ctx, l.now().Add(-frontdesk.QuestionRetention))
}

// intake is a body on its way in: counted, hashed and bounded while it is read.
type intake struct {
	from io.Reader
	most int64
	n    int64
	hash hash.Hash
	err  error // why the body, not the store, is at fault
}

func (in *intake) Read(p []byte) (int, error) {
	if in.err != nil {
		return 0, in.err
	}
	n, err := in.from.Read(p)
	in.n += int64(n)
	in.hash.Write(p[:n])
	switch {
	case in.n > in.most:
		in.err = TooLarge(in.most)
	case err != nil && err != io.EOF:
		in.err = &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_invalid", Cause: err,
			Message: "The document did not arrive whole, or not in time. Send it again.",
		}
	default:
		return n, err
	}
	return 0, in.err
}

// TooLarge is the error for a document beyond the plan's limit.
func TooLarge(most int64) *frontdesk.Error {
	return &frontdesk.Error{
		Kind: frontdesk.TooLarge, Code: "document_too_large",
		Message: fmt.Sprintf("The document is larger than %d bytes. Send a smaller one, or split it.", most),
	}
}

func storageFailed(cause error) *frontdesk.Error {
	return &frontdesk.Error{
		Kind: frontdesk.StorageFailed, Code: "storage_failed", Cause: cause,
		Message: "The document could not be stored, and nothing of it remains. Send it again in a moment.",
	}
}

// titleOf is the title as given, or the name of the file without its extension.
func titleOf(n NewDocument) string {
	title := strings.TrimSpace(n.Title)
	if title == "" {
		title = strings.TrimSuffix(n.Filename, path.Ext(n.Filename))
	}
	if title == "" {
		title = n.Filename
	}
	if runes := []rune(title); len(runes) > maxTitle {
		title = string(runes[:maxTitle])
	}
	return title
}

// blobKey is where the bytes of a document are.
func blobKey(owner frontdesk.Owner, id frontdesk.ID) string {
	mode := "test"
	if owner.Live {
		mode = "live"
	}
	return string(owner.TenantID) + "/" + mode + "/" + string(id)
}

func parseBlobKey(key string) (owner frontdesk.Owner, id frontdesk.ID, ok bool) {
	parts := strings.Split(key, "/")
	if len(parts) != 3 || parts[1] != "live" && parts[1] != "test" {
		return owner, "", false
	}
	tenant, fine := frontdesk.ParseID(parts[0])
	id, ok = frontdesk.ParseID(parts[2])
	return frontdesk.Owner{TenantID: tenant, Live: parts[1] == "live"}, id, ok && fine
}
