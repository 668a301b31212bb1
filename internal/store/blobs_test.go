package store_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// putBlob stores a blob of some chunks, with a key or, with "", without one.
func putBlob(t testing.TB, b *store.Blobs, key string, at time.Time, chunks ...string) frontdesk.ID {
	t.Helper()
	id := frontdesk.NewID(at)
	for i, chunk := range chunks {
		if err := b.AddChunk(ctx, id, i, []byte(chunk), at); err != nil {
			t.Fatal(err)
		}
	}
	if key == "" {
		return id
	}
	if _, err := b.SetKey(ctx, id, key, int64(len(strings.Join(chunks, ""))), at); err != nil {
		t.Fatal(err)
	}
	return id
}

// textOf reads a blob by its key; none is "none".
func textOf(t testing.TB, b *store.Blobs, key string) string {
	t.Helper()
	id, size, err := b.ByKey(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	if id == "" {
		return "none"
	}
	var all bytes.Buffer
	for i := 0; int64(all.Len()) < size; i++ {
		chunk, err := b.Chunk(ctx, id, i)
		if err != nil || chunk == nil {
			t.Fatalf("chunk %d of %s: %v", i, key, err)
		}
		all.Write(chunk)
	}
	return all.String()
}

// count counts the rows of a table.
func count(t testing.TB, s *store.Store, table string) (n int) {
	t.Helper()
	if err := s.Beside().QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestABlobIsFoundWhenItIsWhole(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	b := s.Blobs()
	id := putBlob(t, b, "", day, "one ", "two")
	if got := textOf(t, b, "a/live/b"); got != "none" {
		t.Errorf("half of it is %q", got)
	}
	if replaced, err := b.SetKey(ctx, id, "a/live/b", 7, day); err != nil || replaced != "" {
		t.Errorf("got %q, %v", replaced, err)
	}
	if got := textOf(t, b, "a/live/b"); got != "one two" {
		t.Errorf("got %q", got)
	}
	if chunk, err := b.Chunk(ctx, id, 2); err != nil || chunk != nil {
		t.Errorf("beyond its end: %q, %v", chunk, err)
	}
	empty := putBlob(t, b, "a/live/empty", day, "")
	if got := textOf(t, b, "a/live/empty"); got != "" {
		t.Errorf("an empty one is %q", got)
	}
	if id, _, err := b.ByKey(ctx, "a/live/empty"); err != nil || id != empty {
		t.Errorf("got %q, %v", id, err)
	}
}

func TestABlobThatIsReplacedOrDeletedIsNotFound(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	b := s.Blobs()
	old := putBlob(t, b, "k", day, "old")
	id := putBlob(t, b, "", day, "new")
	if replaced, err := b.SetKey(ctx, id, "k", 3, day); err != nil || replaced != old {
		t.Errorf("replaced %q, %v", replaced, err)
	}
	if got := textOf(t, b, "k"); got != "new" {
		t.Errorf("got %q", got)
	}
	if got, err := b.ClearKey(ctx, "k"); err != nil || got != id {
		t.Errorf("deleted %q, %v", got, err)
	}
	if got := textOf(t, b, "k"); got != "none" {
		t.Errorf("got %q", got)
	}
	if got, err := b.ClearKey(ctx, "k"); err != nil || got != "" {
		t.Errorf("deleted again %q, %v", got, err)
	}
}

func TestABlobIsRemovedWhole(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	b := s.Blobs()
	large := make([]string, 3*16+5) // more than one transaction removes
	for i := range large {
		large[i] = fmt.Sprint("chunk ", i)
	}
	kept := putBlob(t, b, "kept", day, large...)
	gone := putBlob(t, b, "", day, large...)
	for _, id := range []frontdesk.ID{gone, gone, kept, frontdesk.NewID(day)} {
		if err := b.Remove(ctx, id); err != nil {
			t.Error(err)
		}
	}
	if blobs, chunks := count(t, s, "blobs"), count(t, s, "blob_chunks"); blobs != 1 || chunks != len(large) {
		t.Errorf("%d blobs and %d chunks are left", blobs, chunks)
	}
	if got := textOf(t, b, "kept"); got != strings.Join(large, "") {
		t.Errorf("what has a key is damaged: %q", got)
	}
	// Who is still writing learns of it.
	if err := b.AddChunk(ctx, gone, len(large), []byte("more"), day); err == nil {
		t.Error("a chunk was added to a blob that was removed")
	}
	if _, err := b.SetKey(ctx, gone, "gone", 1, day); err == nil {
		t.Error("a blob that was removed was given a key")
	}
	if got := textOf(t, b, "gone"); got != "none" {
		t.Errorf("got %q", got)
	}
}

func TestManyRemoveABlobAtOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	b := s.Blobs()
	id := putBlob(t, b, "", day, slices.Repeat([]string{"chunk"}, 100)...)
	for _, err := range atOnce(4, func(int) error { return b.Remove(ctx, id) }) {
		t.Error(err)
	}
	if blobs, chunks := count(t, s, "blobs"), count(t, s, "blob_chunks"); blobs != 0 || chunks != 0 {
		t.Errorf("%d blobs and %d chunks are left", blobs, chunks)
	}
}

func TestOfManyThatWantOneKeyTheLastHasIt(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	b := s.Blobs()
	const writers = 3
	for round := range 5 {
		key := fmt.Sprint("k", round)
		var ids [writers]frontdesk.ID
		for i := range ids {
			ids[i] = putBlob(t, b, "", day, fmt.Sprint("of ", i))
		}
		for _, err := range atOnce(writers, func(i int) error {
			_, err := b.SetKey(ctx, ids[i], key, 4, day)
			return err
		}) {
			t.Error(err)
		}
		if got := textOf(t, b, key); !strings.HasPrefix(got, "of ") {
			t.Errorf("got %q", got)
		}
	}
	without, err := b.WithoutKey(ctx, day.Add(time.Second), 100)
	if err != nil || len(without) != 5*(writers-1) {
		t.Errorf("%d have lost their key, %v", len(without), err)
	}
}

// The order is that of the bytes, whatever the database's language.
func TestKeysAreListedInTheirOrder(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	b := s.Blobs()
	want := []string{"a-b/live/1", "a.b", "a/live/1", "a/live/10", "a/test/1", "a0", "a_b", "aa", "b"}
	for _, key := range []string{"aa", "a_b", "a/live/10", "b", "a-b/live/1", "a/test/1", "a.b", "a0", "a/live/1"} {
		putBlob(t, b, key, day, "x")
	}
	putBlob(t, b, "", day, "x")
	var got []string
	for after := ""; ; after = got[len(got)-1] {
		before := len(got)
		if err := b.Keys(ctx, after, 2, func(key string, at time.Time) {
			got = append(got, key)
			if !at.Equal(day) {
				t.Errorf("%s is of %s", key, at)
			}
		}); err != nil {
			t.Fatal(err)
		}
		if len(got) == before {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestBlobsWithoutAKeyAreListedByTheirAge(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	b := s.Blobs()
	putBlob(t, b, "whole", day.Add(-time.Hour), "x")
	second := putBlob(t, b, "", day.Add(-time.Minute), "x")
	first := putBlob(t, b, "", day.Add(-time.Hour), "x")
	putBlob(t, b, "", day, "x")
	for most, want := range map[int][]frontdesk.ID{1: {first}, 2: {first, second}, 9: {first, second}} {
		if got, err := b.WithoutKey(ctx, day, most); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d at most: %v, %v", most, got, err)
		}
	}
}

// Neither finding a blob nor sweeping looks through the others.
func TestBlobsHaveTheirIndex(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if storetest.IsPostgres() {
		for _, statement := range []string{
			`INSERT INTO blobs (id, key, size_bytes, stored_at) SELECT gen_random_uuid(), CASE WHEN i % 100 > 0 THEN convert_to('tenant/live/' || i, 'UTF8') END, 1, i FROM generate_series(1, 20000) i`,
			`INSERT INTO blob_chunks (blob_id, position, bytes) SELECT id, p, 'x' FROM blobs, generate_series(0, 3) p`,
		} {
			if _, err := s.Beside().Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		analyze(t, s, "blobs", "blob_chunks")
	}
	id := string(frontdesk.NewID(day))
	texts := tellingStore(t)
	tests := map[string]struct {
		ask   func(*store.Blobs) error
		args  []any
		index string
	}{
		"a blob by its key": {func(b *store.Blobs) error {
			_, _, err := b.ByKey(ctx, "tenant/live/7")
			return err
		}, []any{[]byte("tenant/live/7")}, "blobs_by_key"},
		"a chunk": {func(b *store.Blobs) error {
			_, err := b.Chunk(ctx, frontdesk.ID(id), 3)
			return err
		}, []any{id, 3}, "blob_chunks_pkey"},
		"keys": {func(b *store.Blobs) error {
			return b.Keys(ctx, "tenant/live/7", 500, func(string, time.Time) {})
		}, []any{[]byte("tenant/live/7"), 500}, "blobs_by_key"},
		"those without a key": {func(b *store.Blobs) error {
			_, err := b.WithoutKey(ctx, day, 500)
			return err
		}, []any{micros(day), 500}, "blobs_without_key"},
	}
	for name, tt := range tests {
		before := texts.Asked()
		if err := tt.ask(texts.Blobs()); err != nil {
			t.Fatal(err)
		}
		asked := slices.DeleteFunc(texts.Asked(), func(q string) bool { return slices.Contains(before, q) })
		for _, plan := range plans(t, s, asked[0], tt.args) {
			if !uses(plan, tt.index) || regexp.MustCompile(`Seq Scan|SCAN |Sort|USE TEMP`).MatchString(plan) {
				t.Errorf("%s: it is looked through:\n%s", name, plan)
			}
		}
	}
}

// A database from before blobs were kept in it keeps what it has.
func TestMigrateToBlobs(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "blobs", day); err != nil {
		t.Fatal(err)
	}
	tenant, document := frontdesk.NewID(day), frontdesk.NewID(day)
	for _, statement := range []string{
		fmt.Sprintf(`INSERT INTO tenants (id, slug, name, timezone, plan, created_at) VALUES ('%s', 'a', 'A', 'Europe/Madrid', '{}', 1)`, tenant),
		fmt.Sprintf(`INSERT INTO documents (tenant_id, live, id, shelf, title, filename, kind, size_bytes, sha256, status, help, attempts, fragments, languages, created_at, updated_at)
			VALUES ('%s', true, '%s', '%s', 'Card', 'card.txt', 'text', 4, 'sum', 'ready', '', 1, 0, '', 1, 1)`, tenant, document, tenant),
	} {
		if _, err := s.Beside().Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	applied, err := s.Migrate(ctx, day)
	if err != nil || len(applied) == 0 || !strings.HasSuffix(applied[0].Name, "_blobs") {
		t.Fatalf("applied %v, %v", applied, err)
	}
	d, err := s.Document(ctx, frontdesk.Owner{TenantID: tenant, Live: true}, document)
	if err != nil || d.Title != "Card" || d.Status != frontdesk.DocumentReady {
		t.Errorf("the document is now %+v, %v", d, err)
	}
	if n := count(t, s, "blobs") + count(t, s, "blob_chunks"); n != 0 {
		t.Errorf("there are %d rows in new tables", n)
	}
	putBlob(t, s.Blobs(), "k", day, "new")
	if got := textOf(t, s.Blobs(), "k"); got != "new" {
		t.Errorf("got %q", got)
	}
}
