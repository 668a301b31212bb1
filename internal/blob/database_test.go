package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// watched is a database that remembers what was asked of it, and that can be
// made to fail.
type watched struct {
	blob.Table
	mu     sync.Mutex
	ids    []frontdesk.ID // of blobs that were begun
	added  []int          // how large the chunks were
	read   int            // how many chunks
	remove int            // how often a blob was to be removed
	fail   func(call string, n int) error
}

func watch(t testing.TB) *watched { return &watched{Table: storetest.New(t).Blobs()} }

func (w *watched) failing(call string, n int) error {
	if w.fail == nil {
		return nil
	}
	return w.fail(call, n)
}

func (w *watched) AddChunk(ctx context.Context, id frontdesk.ID, position int, data []byte, now time.Time) error {
	w.mu.Lock()
	w.added = append(w.added, len(data))
	if position == 0 {
		w.ids = append(w.ids, id)
	}
	w.mu.Unlock()
	if err := w.failing("AddChunk", position); err != nil {
		return err
	}
	return w.Table.AddChunk(ctx, id, position, data, now)
}

func (w *watched) SetKey(ctx context.Context, id frontdesk.ID, key string, size int64, now time.Time) (frontdesk.ID, error) {
	if err := w.failing("SetKey", 0); err != nil {
		return "", err
	}
	return w.Table.SetKey(ctx, id, key, size, now)
}

func (w *watched) Chunk(ctx context.Context, id frontdesk.ID, position int) ([]byte, error) {
	w.mu.Lock()
	w.read++
	w.mu.Unlock()
	return w.Table.Chunk(ctx, id, position)
}

func (w *watched) Remove(ctx context.Context, id frontdesk.ID) error {
	w.mu.Lock()
	w.remove++
	w.mu.Unlock()
	if err := w.failing("Remove", 0); err != nil {
		return err
	}
	return w.Table.Remove(ctx, id)
}

// rest says whether chunks of blobs that were begun are still in the database.
func (w *watched) rest(t testing.TB) (n int) {
	t.Helper()
	for _, id := range w.ids {
		chunk, err := w.Table.Chunk(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		if chunk != nil {
			n++
		}
	}
	return n
}

func TestADatabaseIsGivenChunksAndAskedForThem(t *testing.T) {
	t.Parallel()
	w := watch(t)
	s := blob.OpenDatabase(w)
	want := random(3*blob.ChunkSize + 1000)
	if _, err := s.Put(t.Context(), key, bytes.NewReader(want)); err != nil {
		t.Fatal(err)
	}
	if want := []int{blob.ChunkSize, blob.ChunkSize, blob.ChunkSize, 1000}; !slices.Equal(w.added, want) {
		t.Errorf("chunks of %v bytes were written", w.added)
	}
	r, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if w.read != 0 {
		t.Errorf("%d chunks were read before anybody asked", w.read)
	}
	first := make([]byte, 1000)
	if _, err := io.ReadFull(r, first); err != nil || w.read != 1 {
		t.Errorf("%d chunks were read for the first bytes, %v", w.read, err)
	}
	rest, err := io.ReadAll(r)
	if err != nil || w.read != 4 || !bytes.Equal(append(first, rest...), want) {
		t.Errorf("%d chunks were read, %d bytes, %v", w.read, len(first)+len(rest), err)
	}
	r.Close()
	if _, err := r.Read(first); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after closing: %v", err)
	}
}

// A blob of just so many chunks has no empty one at its end.
func TestABlobOfWholeChunks(t *testing.T) {
	t.Parallel()
	w := watch(t)
	s := blob.OpenDatabase(w)
	if _, err := s.Put(t.Context(), key, bytes.NewReader(random(2*blob.ChunkSize))); err != nil {
		t.Fatal(err)
	}
	if len(w.added) != 2 || len(get(t, s, key)) != 2*blob.ChunkSize {
		t.Errorf("chunks of %v bytes were written", w.added)
	}
}

// asking is a body that needs the database while it is being sent.
type asking struct {
	io.Reader
	ask func() error
}

func (a asking) Read(p []byte) (int, error) {
	if err := a.ask(); err != nil {
		return 0, err
	}
	return a.Reader.Read(p)
}

// An upload that takes its time has no connection, nor the one that writes: the
// database has only one, and others use it meanwhile.
func TestAnUploadHoldsNoConnection(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	storetest.Open(t, address) // migrated
	db, err := store.Open(store.Options{URL: address, Timeout: time.Minute, MaxConnections: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := blob.OpenDatabase(db.Blobs())
	asked := 0
	body := asking{bytes.NewReader(random(3 * blob.ChunkSize)), func() error {
		asked++
		if err := db.Ping(t.Context()); err != nil {
			return err
		}
		_, err := s.Put(t.Context(), fmt.Sprint("other/", asked%2), strings.NewReader("meanwhile"))
		return err
	}}
	if _, err := s.Put(t.Context(), key, body); err != nil || asked < 3 {
		t.Errorf("asked %d times: %v", asked, err)
	}
	r, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := io.Copy(io.Discard, asking{r, func() error { return db.Ping(t.Context()) }}); n != 3*blob.ChunkSize || err != nil {
		t.Errorf("read %d bytes, %v", n, err)
	}
}

func TestAPutThatTheDatabaseRefuses(t *testing.T) {
	t.Parallel()
	refused := errors.New("no")
	for name, fails := range map[string]func(call string, n int) bool{
		"at the first chunk":  func(call string, n int) bool { return call == "AddChunk" && n == 0 },
		"at the second chunk": func(call string, n int) bool { return call == "AddChunk" && n == 1 },
		"at the key":          func(call string, _ int) bool { return call == "SetKey" },
	} {
		for what, cause := range map[string]error{"refuses": refused, "is away": frontdesk.DatabaseUnavailable(refused)} {
			t.Run("it "+what+" "+name, func(t *testing.T) {
				t.Parallel()
				w := watch(t)
				s := blob.OpenDatabase(w)
				put(t, s, key, "the old one")
				w.fail = func(call string, n int) error {
					if fails(call, n) {
						return cause
					}
					return nil
				}
				if n, err := s.Put(t.Context(), key, bytes.NewReader(random(blob.ChunkSize+1))); !errors.Is(err, refused) || n != 0 {
					t.Errorf("put %d, %v", n, err)
				}
				// One that is away is not asked to clean up: somebody waits.
				if away := frontdesk.IsUnavailable(cause); (w.remove == 0) != away {
					t.Errorf("it was asked to remove %d times", w.remove)
				}
				w.fail = nil
				if got := get(t, s, key); string(got) != "the old one" {
					t.Errorf("got %q", got)
				}
				if _, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); err != nil {
					t.Error(err)
				}
				if n := w.rest(t); n != 1 {
					t.Errorf("%d blobs are there after a sweep", n)
				}
			})
		}
	}
}

// A process that dies in the middle says nothing more to the database.
func TestAPutThatIsCutOffIsSweptLater(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"AddChunk", "SetKey"} {
		t.Run("before "+at, func(t *testing.T) {
			t.Parallel()
			w := watch(t)
			s := blob.OpenDatabase(w)
			dead := errors.New("the process has died")
			w.fail = func(call string, n int) error {
				if call == "Remove" || call == at && (n > 1 || at == "SetKey") {
					return dead
				}
				return nil
			}
			if _, err := s.Put(t.Context(), key, bytes.NewReader(random(20*blob.ChunkSize))); !errors.Is(err, dead) {
				t.Fatal(err)
			}
			w.fail = nil
			gone(t, s, key)
			if got := keys(t, s, time.Time{}); len(got) != 0 || w.rest(t) != 1 {
				t.Errorf("listed are %v", got)
			}
			if n, err := s.Sweep(t.Context(), time.Now().Add(-time.Hour)); n != 0 || err != nil || w.rest(t) != 1 {
				t.Errorf("one that may still be written was swept: %d, %v", n, err)
			}
			if n, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil || w.rest(t) != 0 {
				t.Errorf("swept %d, %v", n, err)
			}
		})
	}
}

// A delete, or a replacement, that could not remove the bytes is swept.
func TestWhatADeleteLeavesIsSwept(t *testing.T) {
	t.Parallel()
	w := watch(t)
	s := blob.OpenDatabase(w)
	put(t, s, key, "first")
	put(t, s, "other", "first")
	w.fail = func(call string, _ int) error {
		if call == "Remove" {
			return errors.New("not now")
		}
		return nil
	}
	if err := s.Delete(t.Context(), key); err == nil {
		t.Error("no word that bytes are left")
	}
	put(t, s, "other", "second")
	gone(t, s, key)
	w.fail = nil
	if n, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 2 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	if got := get(t, s, "other"); string(got) != "second" || w.rest(t) != 1 {
		t.Errorf("got %q, %d are left", got, w.rest(t))
	}
}

// What is deleted while it is read ends in an error, never in a shorter blob.
func TestReadingWhatGoesAway(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(*testing.T, *blob.Store){
		"deleted":  func(t *testing.T, s *blob.Store) { s.Delete(t.Context(), key) },
		"replaced": func(t *testing.T, s *blob.Store) { put(t, s, key, "another") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := blob.OpenDatabase(storetest.New(t).Blobs())
			if _, err := s.Put(t.Context(), key, bytes.NewReader(random(3*blob.ChunkSize))); err != nil {
				t.Fatal(err)
			}
			r, err := s.Get(t.Context(), key)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
				t.Fatal(err)
			}
			goes(t, s)
			if n, err := io.Copy(io.Discard, r); !errors.Is(err, blob.ErrNotFound) {
				t.Errorf("%d more bytes, %v", n, err)
			}
		})
	}
}

func TestADatabaseIsListedInPages(t *testing.T) {
	t.Parallel()
	w := watch(t)
	s := blob.OpenDatabaseInPages(w, 3)
	for _, n := range []int{1, 2, 3, 4, 6, 7} {
		var want []string
		for i := range n {
			want = append(want, fmt.Sprintf("a/%d", i))
			put(t, s, want[i], "x")
		}
		if got := keys(t, s, time.Time{}); !slices.Equal(got, want) {
			t.Errorf("of %d: %v", n, got)
		}
		w.fail = func(call string, _ int) error {
			if call == "Remove" {
				return errors.New("not now")
			}
			return nil
		}
		for _, key := range want {
			s.Delete(t.Context(), key)
		}
		w.fail = nil
		if swept, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); swept != n || err != nil {
			t.Errorf("of %d: swept %d, %v", n, swept, err)
		}
	}
}

// Blobs that were kept in a directory before are found there, and deleted there.
func TestAFormerDirectory(t *testing.T) {
	t.Parallel()
	dir, db := t.TempDir(), storetest.New(t)
	before, err := blob.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { before.Close() })
	put(t, before, "a/live/old", "old")
	put(t, before, "a/live/both", "old")
	if err := os.WriteFile(filepath.Join(dir, blob.Unfinished+"X"), nil, 0o600); err != nil {
		t.Fatal(err)
	}

	s := openDatabase(t, db, dir)
	put(t, s, "a/live/new", "new")
	put(t, s, "a/live/both", "new")
	for key, want := range map[string]string{"a/live/old": "old", "a/live/new": "new", "a/live/both": "new"} {
		if got := get(t, s, key); string(got) != want {
			t.Errorf("%s is %q", key, got)
		}
	}
	gone(t, before, "a/live/new")
	if got := keys(t, s, time.Time{}); !slices.Equal(got, []string{"a/live/both", "a/live/new", "a/live/both", "a/live/old"}) {
		t.Errorf("listed are %v", got)
	}
	if n, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	for _, key := range []string{"a/live/old", "a/live/both", "a/live/new", "a/live/none"} {
		if err := s.Delete(t.Context(), key); err != nil {
			t.Error(err)
		}
		gone(t, s, key)
		gone(t, before, key)
	}
	if want := "the database, earlier ones in directory " + dir; s.String() != want {
		t.Errorf("it is called %q", s)
	}

	none := filepath.Join(t.TempDir(), "none")
	if s := openDatabase(t, db, none); s.String() != "the database" {
		t.Errorf("it is called %q", s)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a directory was made that nobody needs")
	}
}
