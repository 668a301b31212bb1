package knowledge_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

func TestADocumentComesInWithItsBytes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	agent := frontdesk.NewID(h.clock.Now())
	d, added, err := h.send(knowledge.NewDocument{Filename: "Carta de verano.MD", AgentID: agent}, iotest.OneByteReader(strings.NewReader(questions)))
	if err != nil || !added {
		t.Fatalf("got %v, %v", added, err)
	}
	sum := sha256.Sum256([]byte(questions))
	if d.Title != "Carta de verano" || d.Kind != frontdesk.Markdown || d.AgentID != agent || d.SizeBytes != int64(len(questions)) || !slices.Equal(d.SHA256, sum[:]) {
		t.Errorf("got %+v", d)
	}
	if got := h.is(d, frontdesk.DocumentPending); !got.CreatedAt.Equal(h.clock.Now()) || got.Filename != "Carta de verano.MD" {
		t.Errorf("got %+v", got)
	}
	if got := string(h.bytesOf(d)); got != questions {
		t.Errorf("its bytes are %q", got)
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	tests := map[string]struct {
		title, filename, want string
	}{
		"the title as given":                  {"  La carta ", "a.txt", "La carta"},
		"without one the name of the file":    {"", "La carta.v2.txt", "La carta.v2"},
		"spaces are no title":                 {" \t ", "carta.txt", "carta"},
		"a name that is all extension":        {"", ".txt", ".txt"},
		"a long one is cut between letters":   {strings.Repeat("ñ", 500), "a.txt", strings.Repeat("ñ", 200)},
		"a long name of a file is cut, too":   {"", strings.Repeat("é", 300) + ".txt", strings.Repeat("é", 200)},
		"an ending that is no kind is no bar": {"", "carta.docx", "carta"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := h.library.Receive(ctx, h.owner, knowledge.NewDocument{Title: tt.title, Filename: tt.filename}, strings.NewReader("x"), 1)
			if err != nil || d.Title != tt.want {
				t.Errorf("got %q, %v", d.Title, err)
			}
		})
	}
}

func TestWhatIsRefusedLeavesNothing(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(ctx)
	cancel()
	tests := map[string]struct {
		ctx  context.Context
		body io.Reader
		kind frontdesk.Kind
		code string
	}{
		"too large by one byte":         {ctx, strings.NewReader(strings.Repeat("x", 1001)), frontdesk.TooLarge, "document_too_large"},
		"too large, byte by byte":       {ctx, iotest.OneByteReader(strings.NewReader(strings.Repeat("x", 5000))), frontdesk.TooLarge, "document_too_large"},
		"empty":                         {ctx, strings.NewReader(""), frontdesk.Invalid, "document_empty"},
		"broken off at once":            {ctx, iotest.ErrReader(io.ErrUnexpectedEOF), frontdesk.Invalid, "parameter_invalid"},
		"broken off in the middle":      {ctx, io.MultiReader(strings.NewReader("half"), iotest.ErrReader(io.ErrUnexpectedEOF)), frontdesk.Invalid, "parameter_invalid"},
		"too slow":                      {ctx, iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("half"))), frontdesk.Invalid, "parameter_invalid"},
		"of a caller who has gone away": {gone, strings.NewReader("whole"), frontdesk.StorageFailed, "storage_failed"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			_, err := h.library.Receive(tt.ctx, h.owner, knowledge.NewDocument{Filename: "a.txt"}, tt.body, 1000)
			isCode(t, err, tt.kind, tt.code)
			if files := h.files(); len(files) != 0 || h.rows() != 0 {
				t.Errorf("%d rows and these files are left: %v", h.rows(), files)
			}
		})
	}
}

// What is refused is gone from the database at once, not only unseen.
func TestWhatIsRefusedLeavesNothingInTheDatabase(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	tests := map[string]struct {
		body io.Reader
		kind frontdesk.Kind
		code string
	}{
		"too large":                {strings.NewReader(strings.Repeat("x", most+1)), frontdesk.TooLarge, "document_too_large"},
		"empty":                    {strings.NewReader(""), frontdesk.Invalid, "document_empty"},
		"broken off in the middle": {io.MultiReader(strings.NewReader(strings.Repeat("x", most/2)), iotest.ErrReader(io.ErrUnexpectedEOF)), frontdesk.Invalid, "parameter_invalid"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := inDatabase(t)
			_, err := h.library.Receive(ctx, h.owner, knowledge.NewDocument{Filename: "a.txt"}, tt.body, most)
			isCode(t, err, tt.kind, tt.code)
			if keys, halves := h.keys(), h.halves(); len(keys)+halves+h.rows() != 0 {
				t.Errorf("%d rows, these keys and %d without one are left: %v", h.rows(), halves, keys)
			}
		})
	}
}

// One node takes documents in and another reads them: there is nothing but the
// database between them.
func TestTheBytesAreInTheDatabase(t *testing.T) {
	t.Parallel()
	h := inDatabase(t)
	there := h.nextDoor()
	large := strings.Repeat("Paella for two is served on Sundays. ", 20_000) // several chunks
	d := h.add("a.md", questions)
	there.once(there.worker(reader, nil))
	h.is(d, frontdesk.DocumentReady)
	second := h.add("b.txt", large)
	if got := there.bytesOf(second); string(got) != large {
		t.Errorf("the other node has %d bytes", len(got))
	}
	if err := there.library.Delete(ctx, h.owner, frontdesk.Actor{}, d.ID); err != nil {
		t.Fatal(err)
	}
	if keys := h.keys(); len(keys) != 1 || keys[0] != knowledge.BlobKey(h.owner, second.ID) || h.halves() != 0 {
		t.Errorf("left are %v and %d without a key", keys, h.halves())
	}
}

func TestADocumentOfJustTheLargestSize(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d, err := h.library.Receive(ctx, h.owner, knowledge.NewDocument{Filename: "a.txt"}, strings.NewReader(strings.Repeat("x", 1000)), 1000)
	if err != nil || d.SizeBytes != 1000 {
		t.Errorf("got %+v, %v", d, err)
	}
}

func TestTheSameBytesAreKeptOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	nodes := []*house{h, h.nextDoor()}
	const uploads = 20
	var wg sync.WaitGroup
	var got [uploads]frontdesk.Document
	for i := range uploads {
		wg.Go(func() {
			var err error
			if got[i], _, err = nodes[i%2].send(knowledge.NewDocument{Filename: "a.txt"}, strings.NewReader("the same")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, d := range got {
		if d.ID != got[0].ID {
			t.Errorf("there are %s and %s", d.ID, got[0].ID)
		}
	}
	if files := h.files(); len(files) != 1 || h.rows() != 1 || string(h.bytesOf(got[0])) != "the same" {
		t.Errorf("%d rows, files: %v", h.rows(), files)
	}
}

func TestADocumentBeyondThePlanLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.tenant.Plan.MaxDocuments = 1
	h.add("a.txt", "one")
	_, _, err := h.send(knowledge.NewDocument{Filename: "b.txt"}, strings.NewReader("two"))
	isCode(t, err, frontdesk.Invalid, "limit_reached")
	if files := h.files(); len(files) != 1 || h.rows() != 1 {
		t.Errorf("%d rows, files: %v", h.rows(), files)
	}
}

func TestStorageThatFails(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.blobs.away("Put")
	_, _, err := h.send(knowledge.NewDocument{Filename: "a.txt"}, strings.NewReader("one"))
	isCode(t, err, frontdesk.StorageFailed, "storage_failed")
	if files := h.files(); len(files) != 0 || h.rows() != 0 {
		t.Errorf("%d rows, files: %v", h.rows(), files)
	}

	// When not even what remains can be deleted, it is swept later.
	h.blobs.away("Put", "Delete")
	_, _, err = h.send(knowledge.NewDocument{Filename: "a.txt"}, strings.NewReader("one"))
	isCode(t, err, frontdesk.StorageFailed, "storage_failed")
	if files := h.files(); len(files) != 1 || h.rows() != 0 {
		t.Errorf("%d rows, files: %v", h.rows(), files)
	}
	h.blobs.away()
	h.sweep(knowledge.OrphanAge + time.Minute)
	if files := h.files(); len(files) != 0 {
		t.Errorf("files: %v", files)
	}
}

// Whether a row was written is not known when the database fails: the bytes
// stay, for a row without its bytes would be worse.
func TestADatabaseThatFailsLeavesTheBytesToTheSweeper(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d, err := h.library.Receive(ctx, h.owner, knowledge.NewDocument{Filename: "a.txt"}, strings.NewReader("one"), 1000)
	if err != nil {
		t.Fatal(err)
	}
	h.store.Close()
	if _, added, err := h.library.Add(ctx, h.owner, frontdesk.Actor{}, d, h.tenant.Plan); err == nil || added {
		t.Errorf("got %v, %v", added, err)
	}
	h.clock.Forward(knowledge.OrphanAge + time.Minute)
	if err := h.library.Sweep(ctx); err == nil {
		t.Error("it was swept without asking the database")
	}
	if string(h.bytesOf(d)) != "one" {
		t.Error("its bytes are gone")
	}
	other := h.nextDoor()
	other.sweep(0)
	if files := h.files(); len(files) != 0 {
		t.Errorf("files: %v", files)
	}
}

func TestADeletedDocumentIsGone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d, other := h.ready("a.md", questions), h.ready("b.md", "# Other\n\nSomething else entirely.")
	if err := h.library.Delete(ctx, h.owner, frontdesk.Actor{}, d.ID); err != nil {
		t.Fatal(err)
	}
	if files := h.files(); len(files) != 1 || files[0] != h.file(other) || h.rows() != 1 {
		t.Errorf("%d rows, files: %v", h.rows(), files)
	}
	isCode(t, h.library.Delete(ctx, h.owner, frontdesk.Actor{}, d.ID), frontdesk.NotFound, "not_found")
	isCode(t, h.library.Delete(ctx, frontdesk.Owner{TenantID: h.owner.TenantID}, frontdesk.Actor{}, other.ID), frontdesk.NotFound, "not_found")
	if string(h.bytesOf(other)) == "" {
		t.Error("the bytes were deleted by the other mode")
	}

	// It is gone for the customer also when its bytes cannot be deleted now.
	h.blobs.away("Delete")
	if err := h.library.Delete(ctx, h.owner, frontdesk.Actor{}, other.ID); err != nil {
		t.Fatal(err)
	}
	h.blobs.away()
	if h.rows() != 0 || len(h.files()) != 1 {
		t.Errorf("%d rows, files: %v", h.rows(), h.files())
	}
}

// sweep sweeps once the clock has moved on.
func (h *house) sweep(later time.Duration) {
	h.t.Helper()
	h.clock.Forward(later)
	if err := h.library.Sweep(ctx); err != nil {
		h.t.Fatal(err)
	}
}

func TestTheSweeperTakesOnlyWhatNobodyHas(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	receive := func(owner frontdesk.Owner, text string) frontdesk.Document {
		t.Helper()
		d, err := h.library.Receive(ctx, owner, knowledge.NewDocument{Filename: "a.txt"}, strings.NewReader(text), 1000)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	age := func(name string) string {
		t.Helper()
		old := h.clock.Now().Add(-knowledge.OrphanAge - time.Minute)
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
		return name
	}
	put := func(name string) string {
		t.Helper()
		name = filepath.Join(h.dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
		return name
	}
	id := string(frontdesk.NewID(h.clock.Now()))
	sandbox := frontdesk.Owner{TenantID: h.owner.TenantID}

	read := h.ready("b.txt", "of one that was read")
	keeps := map[string]string{
		"of a document":               age(h.file(h.add("a.txt", "of a document"))),
		"of one that was read":        age(h.file(read)),
		"of an upload under way":      h.file(receive(h.owner, "of an upload under way")),
		"an upload half written":      put(string(h.owner.TenantID) + "/live/.unfinished-ABC"),
		"not a document's: too short": age(put("probe/" + id)),
		"not a document's: no mode":   age(put(id + "/other/" + id)),
		"not a document's: no ids":    age(put("a/live/b")),
	}
	takes := map[string]string{
		"of an upload that ended":        age(h.file(receive(h.owner, "of an upload that ended"))),
		"of an upload in the other mode": age(filepath.Join(h.dir, filepath.FromSlash(knowledge.BlobKey(sandbox, receive(sandbox, "x").ID)))),
		"of a tenant that is not there":  age(put(id + "/live/" + id)),
		"an old upload half written":     age(put(string(h.owner.TenantID) + "/live/.unfinished-DEF")),
	}
	h.sweep(0)
	left := h.files()
	for what, name := range keeps {
		if !slices.Contains(left, name) {
			t.Errorf("it took one %s", what)
		}
	}
	for what, name := range takes {
		if slices.Contains(left, name) {
			t.Errorf("it left one %s", what)
		}
	}
}

func TestOldQuestionsAreForgotten(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.unanswered("¿Hay terraza?")
	count := func() int {
		t.Helper()
		k, err := h.store.KnowledgeSummary(ctx, h.owner, time.Unix(0, 0), 10)
		if err != nil {
			t.Fatal(err)
		}
		return k.Unanswered
	}
	forget := func(later time.Duration) int {
		t.Helper()
		h.clock.Forward(later)
		if err := h.library.ForgetQuestions(ctx); err != nil {
			t.Fatal(err)
		}
		return count()
	}
	if n := forget(89 * 24 * time.Hour); n != 1 {
		t.Errorf("after 89 days there are %d", n)
	}
	if n := forget(2 * 24 * time.Hour); n != 0 {
		t.Errorf("after 91 days there are %d", n)
	}
}

func TestTheReaderHearsOfAPDFBeforeItIsThere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	heard := 0
	h.library.OnPDF(func() { heard++ })
	h.add("a.md", questions)
	if heard != 0 {
		t.Error("a text is taken for a PDF")
	}
	h.add("a.pdf", "%PDF-1.7")
	if heard != 1 {
		t.Errorf("heard %d times of a PDF", heard)
	}
}
