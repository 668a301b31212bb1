package blob_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/blob/blobtest"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestDirectoryConforms(t *testing.T) {
	t.Parallel()
	conforms(t, func(t *testing.T) *blob.Store { return blobtest.New(t) })
}

// TestDatabaseConforms runs on SQLite, or on PostgreSQL with scripts/with-postgres.
func TestDatabaseConforms(t *testing.T) {
	t.Parallel()
	conforms(t, func(t *testing.T) *blob.Store { return blob.OpenDatabase(storetest.New(t).Blobs()) })
}

func TestAPlaceWithAFormerDirectoryConforms(t *testing.T) {
	t.Parallel()
	conforms(t, func(t *testing.T) *blob.Store {
		s, err := blob.WithFormer(blobtest.New(t), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

func TestBucketConforms(t *testing.T) {
	t.Parallel()
	conforms(t, func(t *testing.T) *blob.Store {
		server := blobtest.NewServer(t)
		server.Page(3)
		return open(t, server.Place("some/prefix"))
	})
}

// TestRealBucketConforms runs on the server that scripts/with-s3 starts, or on
// any other:
//
//	FRONTDESK_TEST_S3='s3://access:secret@bucket?endpoint=https://s3.example.com&region=eu-west-1'
func TestRealBucketConforms(t *testing.T) {
	t.Parallel()
	place := os.Getenv("FRONTDESK_TEST_S3")
	if place == "" {
		t.Skip("NOT COVERED: no real S3 server; run scripts/with-s3 go test ./internal/blob")
	}
	u, err := url.Parse(place)
	if err != nil || u.User == nil {
		t.Fatal("FRONTDESK_TEST_S3 is not an address with credentials")
	}
	secret, _ := u.User.Password()
	o := blob.Options{AccessKey: frontdesk.Secret(u.User.Username()), SecretKey: frontdesk.Secret(secret)}
	u.User = nil
	conforms(t, func(t *testing.T) *blob.Store {
		own := *u
		own.Path = strings.TrimSuffix(u.Path, "/") + "/test-" + strings.ToLower(rand.Text())
		s, err := blob.Open(own.String(), o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

func openDatabase(t testing.TB, s *store.Store, former string) *blob.Store {
	t.Helper()
	b, err := blob.Open(blob.Database, blob.Options{Table: s.Blobs(), Dir: former})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func open(t testing.TB, place string) *blob.Store {
	t.Helper()
	s, err := blob.Open(place, blob.Options{AccessKey: blobtest.AccessKey, SecretKey: blobtest.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

const key = "0198c0de-0000-7000-8000-000000000001/live/0198c0de-0000-7000-8000-00000000000a"

var errBroken = errors.New("the client went away")

// conforms is what every place has to do alike.
func conforms(t *testing.T, newStore func(*testing.T) *blob.Store) {
	tests := map[string]func(*testing.T, *blob.Store){
		"what was put is got, whatever its size": sizes,
		"a blob that is not there":               notThere,
		"a blob is replaced":                     replaced,
		"a reader that fails leaves nothing":     readerFails,
		"a caller that gives up leaves nothing":  callerGivesUp,
		"a failed put leaves the old blob":       oldStays,
		"each finds all, in order":               eachFindsAll,
		"each stops when told":                   eachStops,
		"each may delete":                        eachDeletes,
		"keys that are none are refused":         keysAreChecked,
		"many at once":                           manyAtOnce,
		"it can be checked":                      checked,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			t.Cleanup(func() {
				s.Each(context.Background(), time.Time{}, func(key string, _ time.Time) error { return s.Delete(context.Background(), key) })
				s.Close()
			})
			test(t, s)
		})
	}
}

func sizes(t *testing.T, s *blob.Store) {
	for _, size := range []int{0, 1, 4096, blob.PartSize - 1, blob.PartSize, blob.PartSize + 1, 2 * blob.PartSize, 2*blob.PartSize + 12345} {
		want := random(size)
		// A reader that gives little at a time and hides how much there is.
		n, err := s.Put(t.Context(), key, io.MultiReader(iotest.HalfReader(bytes.NewReader(want))))
		if err != nil || n != int64(size) {
			t.Fatalf("put %d bytes: %d, %v", size, n, err)
		}
		if got := get(t, s, key); !bytes.Equal(got, want) {
			t.Errorf("put %d bytes, got %d others", size, len(got))
		}
	}
}

func notThere(t *testing.T, s *blob.Store) {
	gone(t, s, key)
	gone(t, s, "0198c0de-0000-7000-8000-000000000001")
	put(t, s, key, "x")
	gone(t, s, key+"/below")
	gone(t, s, "0198c0de-0000-7000-8000-000000000001/live")
	for range 2 {
		if err := s.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		gone(t, s, key)
	}
	if err := s.Delete(t.Context(), "never/heard/of"); err != nil {
		t.Error(err)
	}
}

func replaced(t *testing.T, s *blob.Store) {
	put(t, s, key, "a longer text than the one that follows")
	r, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	put(t, s, key, "short")
	if got := get(t, s, key); string(got) != "short" {
		t.Errorf("got %q", got)
	}
}

// broken are readers that fail after a while, and with what.
func broken() map[string]struct {
	r    io.Reader
	want error
} {
	after := func(n int, err error) io.Reader {
		return io.MultiReader(bytes.NewReader(random(n)), iotest.ErrReader(err))
	}
	return map[string]struct {
		r    io.Reader
		want error
	}{
		"at once":              {after(0, errBroken), errBroken},
		"early":                {after(1000, errBroken), errBroken},
		"in the second part":   {after(blob.PartSize+1000, errBroken), errBroken},
		"just after the first": {after(blob.PartSize, errBroken), errBroken},
		"a body cut short":     {after(1000, io.ErrUnexpectedEOF), io.ErrUnexpectedEOF},
		"a large one as well":  {after(blob.PartSize+1000, io.ErrUnexpectedEOF), io.ErrUnexpectedEOF},
	}
}

func readerFails(t *testing.T, s *blob.Store) {
	for name, b := range broken() {
		if n, err := s.Put(t.Context(), key, b.r); !errors.Is(err, b.want) || n != 0 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		gone(t, s, key)
	}
	if got := keys(t, s, time.Time{}); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
	if n, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("swept %d, %v: each failed put should have cleaned up after itself", n, err)
	}
}

// quitter cancels a context in the middle of what is read.
type quitter struct {
	io.Reader
	left   int
	cancel func()
}

func (q *quitter) Read(p []byte) (int, error) {
	n, err := q.Reader.Read(p)
	if q.left -= n; q.left <= 0 {
		q.cancel()
	}
	return n, err
}

func callerGivesUp(t *testing.T, s *blob.Store) {
	for _, after := range []int{0, 1000, blob.PartSize + 1000} {
		ctx, cancel := context.WithCancel(t.Context())
		if after == 0 {
			cancel()
		}
		_, err := s.Put(ctx, key, &quitter{bytes.NewReader(random(2*blob.PartSize + 1000)), after, cancel})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after %d bytes: %v", after, err)
		}
		gone(t, s, key)
	}
	if n, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
}

func oldStays(t *testing.T, s *blob.Store) {
	put(t, s, key, "the old one")
	for name, b := range broken() {
		if _, err := s.Put(t.Context(), key, b.r); err == nil {
			t.Errorf("%s: no error", name)
		}
		if got := get(t, s, key); string(got) != "the old one" {
			t.Errorf("%s: got %d bytes", name, len(got))
		}
	}
}

func eachFindsAll(t *testing.T, s *blob.Store) {
	if got := keys(t, s, time.Time{}); len(got) != 0 {
		t.Fatalf("found %v in an empty store", got)
	}
	var want []string
	for i := range 10 {
		want = append(want, fmt.Sprintf("tenant-%d/live/doc_%d.v1", i%3, i))
		put(t, s, want[i], "x")
	}
	slices.Sort(want)
	for name, cutoff := range map[string]time.Time{"all": {}, "older than to come": time.Now().Add(time.Hour)} {
		if got := keys(t, s, cutoff); !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := keys(t, s, time.Now().Add(-time.Hour)); len(got) != 0 {
		t.Errorf("older than an hour: %v", got)
	}
}

func eachStops(t *testing.T, s *blob.Store) {
	for i := range 5 {
		put(t, s, fmt.Sprintf("a/%d", i), "x")
	}
	n := 0
	err := s.Each(t.Context(), time.Time{}, func(string, time.Time) error {
		n++
		return errBroken
	})
	if err != errBroken || n != 1 {
		t.Errorf("called %d times, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Each(ctx, time.Time{}, func(string, time.Time) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("with nobody waiting: %v", err)
	}
}

func eachDeletes(t *testing.T, s *blob.Store) {
	for i := range 10 {
		put(t, s, fmt.Sprintf("a/%d", i), "x")
	}
	n := 0
	err := s.Each(t.Context(), time.Time{}, func(key string, at time.Time) error {
		n++
		if time.Since(at).Abs() > time.Hour {
			t.Errorf("%s is of %s", key, at)
		}
		return s.Delete(t.Context(), key)
	})
	if err != nil || n != 10 {
		t.Errorf("called %d times, %v", n, err)
	}
	if got := keys(t, s, time.Time{}); len(got) != 0 {
		t.Errorf("still there: %v", got)
	}
}

func keysAreChecked(t *testing.T, s *blob.Store) {
	for _, bad := range badKeys {
		if _, err := s.Put(t.Context(), bad, strings.NewReader("x")); err == nil {
			t.Errorf("put under %q", bad)
		}
		if _, err := s.Get(t.Context(), bad); err == nil || errors.Is(err, blob.ErrNotFound) {
			t.Errorf("get %q: %v", bad, err)
		}
		if err := s.Delete(t.Context(), bad); err == nil {
			t.Errorf("deleted %q", bad)
		}
	}
}

func manyAtOnce(t *testing.T, s *blob.Store) {
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			own := fmt.Sprintf("tenant-%d/live/%d", i%2, i)
			want := random(1000 * i)
			if _, err := s.Put(t.Context(), own, bytes.NewReader(want)); err != nil {
				t.Error(err)
				return
			}
			r, err := s.Get(t.Context(), own)
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Close()
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is another: %v", own, err)
			}
		})
	}
	all.Wait()
}

func checked(t *testing.T, s *blob.Store) {
	put(t, s, key, "x")
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Probe(t.Context()); err != nil {
		t.Error(err)
	}
	if got := keys(t, s, time.Time{}); !slices.Equal(got, []string{key}) {
		t.Errorf("a probe left something: %v", got)
	}
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

func put(t *testing.T, s *blob.Store, key, text string) {
	t.Helper()
	if _, err := s.Put(t.Context(), key, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s *blob.Store, key string) []byte {
	t.Helper()
	r, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func gone(t *testing.T, s *blob.Store, key string) {
	t.Helper()
	r, err := s.Get(t.Context(), key)
	if err == nil {
		r.Close()
	}
	if !errors.Is(err, blob.ErrNotFound) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", key, err)
	}
}

func keys(t *testing.T, s *blob.Store, olderThan time.Time) (all []string) {
	t.Helper()
	err := s.Each(t.Context(), olderThan, func(key string, _ time.Time) error {
		all = append(all, key)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
