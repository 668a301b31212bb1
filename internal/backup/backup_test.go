package backup

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/blob/blobtest"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var day = time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// database makes an embedded database with a tenant in a directory of its own.
func database(t *testing.T, slug string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	must(t, os.Mkdir(dir, 0o700))
	s := open(t, dir)
	_, err := s.Migrate(t.Context(), day)
	must(t, err)
	storetest.Tenant(t, s, slug)
	must(t, s.Close())
	return dir
}

func open(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{URL: filepath.Join(dir, databaseName), Timeout: time.Minute})
	must(t, err)
	return s
}

// tenants are the slugs in the database of a directory.
func tenants(t *testing.T, dir string) (slugs []string) {
	t.Helper()
	s := open(t, dir)
	defer s.Close()
	all, err := s.Tenants(t.Context())
	must(t, err)
	for _, one := range all {
		slugs = append(slugs, one.Slug)
	}
	return slugs
}

// copyOf is a backup of the database in a directory.
func copyOf(t *testing.T, dir string) []byte {
	t.Helper()
	s := open(t, dir)
	defer s.Close()
	file := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Backup(t.Context(), file))
	text, err := os.ReadFile(file)
	must(t, err)
	return text
}

func anyKey(*store.Store) error { return nil }

func TestRestore(t *testing.T) {
	t.Parallel()
	from := copyOf(t, database(t, "new"))
	dir := database(t, "old")
	must(t, os.WriteFile(filepath.Join(dir, keyName), []byte("old key"), 0o600))
	staged, err := Stage(t.Context(), dir, bytes.NewReader(from), day, anyKey)
	must(t, err)
	if staged.Contents.Tenants != 1 {
		t.Errorf("it holds %+v", staged.Contents)
	}
	must(t, staged.AddKey(strings.NewReader("new key")))
	if got := tenants(t, dir); !slices.Equal(got, []string{"old"}) || interrupted(t, dir) {
		t.Fatalf("before it begins: %v", got)
	}
	moved, err := staged.Place(day)
	must(t, err)
	if got := tenants(t, dir); !slices.Equal(got, []string{"new"}) {
		t.Errorf("in place: %v", got)
	}
	if got := tenants(t, moved); !slices.Equal(got, []string{"old"}) {
		t.Errorf("moved aside: %v", got)
	}
	for file, want := range map[string]string{filepath.Join(dir, keyName): "new key", filepath.Join(moved, keyName): "old key"} {
		if text, err := os.ReadFile(file); string(text) != want {
			t.Errorf("%s holds %q, %v", file, text, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, staging)); err == nil {
		t.Error("something was left behind")
	}
}

// TestRestoreIsKilled cuts it off after each of its steps: Finish takes it to its
// end, and nothing is lost.
func TestRestoreIsKilled(t *testing.T) {
	t.Parallel()
	from := copyOf(t, database(t, "new"))
	steps := []struct{ from, to string }{
		{keyName, "aside/" + keyName},
		{staging + "/" + keyName, keyName},
		{databaseName, "aside/" + databaseName},
		{databaseName + "-wal", "aside/" + databaseName + "-wal"},
		{staging + "/" + databaseName, databaseName},
	}
	for done := range len(steps) + 1 {
		dir := database(t, "old")
		for _, name := range []string{keyName, databaseName + "-wal"} {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600))
		}
		staged, err := Stage(t.Context(), dir, bytes.NewReader(from), day, anyKey)
		must(t, err)
		must(t, staged.AddKey(strings.NewReader("new")))
		must(t, os.WriteFile(staged.path(ready), []byte("aside"), 0o600))
		for _, s := range steps[:done] {
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, s.to)), 0o700))
			must(t, os.Rename(filepath.Join(dir, s.from), filepath.Join(dir, s.to)))
		}
		if !interrupted(t, dir) {
			t.Errorf("after %d steps: nobody knows that it was cut off", done)
		}
		if finished, err := Finish(dir); !finished || err != nil {
			t.Fatalf("after %d steps: %v, %v", done, finished, err)
		}
		if got := tenants(t, dir); !slices.Equal(got, []string{"new"}) || interrupted(t, dir) {
			t.Errorf("after %d steps the database holds %v", done, got)
		}
		for file, want := range map[string]string{keyName: "new", "aside/" + keyName: "old", "aside/" + databaseName + "-wal": "old"} {
			if text, err := os.ReadFile(filepath.Join(dir, file)); string(text) != want {
				t.Errorf("after %d steps %s holds %q, %v", done, file, text, err)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "aside", databaseName)); err != nil {
			t.Errorf("after %d steps: %v", done, err)
		}
		if again, err := Finish(dir); again || err != nil {
			t.Errorf("finished twice: %v, %v", again, err)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	good := copyOf(t, database(t, "new"))
	damaged := slices.Clone(good)
	for i := len(damaged) / 4; i < len(damaged)*3/4; i++ {
		damaged[i] = 0xff
	}
	wrongKey := errors.New("another key")
	tests := map[string]struct {
		text  []byte
		check error
		want  error
	}{
		"nothing":              {nil, nil, ErrForeign},
		"another kind of file": {[]byte(strings.Repeat("this is no database ", 1000)), nil, ErrForeign},
		"half a copy":          {good[:len(good)/2], nil, ErrDamaged},
		"a damaged copy":       {damaged, nil, ErrDamaged},
		"another key":          {good, wrongKey, wrongKey},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := database(t, "old")
			_, err := Stage(t.Context(), dir, bytes.NewReader(tt.text), day, func(*store.Store) error { return tt.check })
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			entries, err := os.ReadDir(dir)
			must(t, err)
			for _, e := range entries {
				if !strings.HasPrefix(e.Name(), databaseName) {
					t.Errorf("%s was left behind", e.Name())
				}
			}
			if got := tenants(t, dir); !slices.Equal(got, []string{"old"}) {
				t.Errorf("the database holds %v", got)
			}
		})
	}
}

// places are a directory, a bucket, and where scripts/with-s3 has started a
// server, one of that.
func places(t *testing.T) map[string]*blob.Store {
	t.Helper()
	all := map[string]*blob.Store{}
	add := func(name, place string, o blob.Options) {
		b, err := blob.Open(place, o)
		must(t, err)
		t.Cleanup(func() { b.Close() })
		all[name] = b
	}
	add("directory", filepath.Join(t.TempDir(), "backups"), blob.Options{})
	add("bucket", blobtest.NewServer(t).Place("backups"), blob.Options{AccessKey: blobtest.AccessKey, SecretKey: blobtest.SecretKey})
	if u, err := url.Parse(os.Getenv("FRONTDESK_TEST_S3")); err == nil && u.User != nil {
		secret, _ := u.User.Password()
		o := blob.Options{AccessKey: frontdesk.Secret(u.User.Username()), SecretKey: frontdesk.Secret(secret)}
		u.User, u.Path = nil, strings.TrimSuffix(u.Path, "/")+"/backups-"+strings.ToLower(rand.Text())
		add("real bucket", u.String(), o)
	}
	return all
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			dir := database(t, "lola")
			db := open(t, dir)
			t.Cleanup(func() { db.Close() })
			now := day
			s := NewSchedule(ScheduleOptions{Store: db, Dir: dir, Place: place, Every: time.Hour, Keep: 2, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)})
			_, err := place.Put(t.Context(), "precious.db", strings.NewReader("not ours"))
			must(t, err)
			for range 4 {
				s.Run(t.Context())
				now = now.Add(59 * time.Minute)
				s.Run(t.Context()) // not due yet
				now = now.Add(time.Minute)
			}
			want := []Copy{{Name(day.Add(3 * time.Hour)), day.Add(3 * time.Hour)}, {Name(day.Add(2 * time.Hour)), day.Add(2 * time.Hour)}}
			all, err := Copies(t.Context(), place)
			if err != nil || !slices.Equal(all, want) {
				t.Errorf("there are %v, %v", all, err)
			}
			if r, err := place.Get(t.Context(), "precious.db"); err != nil {
				t.Errorf("what is not ours is gone: %v", err)
			} else {
				r.Close()
			}
			// After a restart the newest copy counts.
			now = now.Add(-30 * time.Minute)
			again := NewSchedule(s.ScheduleOptions)
			again.Run(t.Context())
			if after, err := Copies(t.Context(), place); err != nil || !slices.Equal(after, want) {
				t.Errorf("after a restart there are %v, %v", after, err)
			}
			r, err := place.Get(t.Context(), want[0].Name)
			must(t, err)
			defer r.Close()
			into := t.TempDir()
			staged, err := Stage(t.Context(), into, r, day, anyKey)
			must(t, err)
			_, err = staged.Place(day)
			must(t, err)
			if got := tenants(t, into); !slices.Equal(got, []string{"lola"}) {
				t.Errorf("restored: %v", got)
			}
		})
	}
}

// A copy from a clock that went ahead keeps no others from being made.
func TestACopyFromTheFuture(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			dir := database(t, "lola")
			db := open(t, dir)
			t.Cleanup(func() { db.Close() })
			_, err := place.Put(t.Context(), Name(day.AddDate(1, 0, 0)), strings.NewReader("of next year"))
			must(t, err)
			s := NewSchedule(ScheduleOptions{Store: db, Dir: dir, Place: place, Every: time.Hour, Keep: 2, Now: func() time.Time { return day }, Log: slog.New(slog.DiscardHandler)})
			s.Run(t.Context())
			if all, err := Copies(t.Context(), place); err != nil || !slices.Contains(all, Copy{Name(day), day}) {
				t.Errorf("there are %v, %v", all, err)
			}
		})
	}
}

// TestAScheduledBackupFails: it is counted, tried again after a while, and leaves
// nothing behind.
func TestAScheduledBackupFails(t *testing.T) {
	t.Parallel()
	dir := database(t, "lola")
	db := open(t, dir)
	t.Cleanup(func() { db.Close() })
	backups := filepath.Join(t.TempDir(), "backups")
	place, err := blob.OpenDir(backups)
	must(t, err)
	must(t, os.RemoveAll(backups))
	now := day
	var log bytes.Buffer
	s := NewSchedule(ScheduleOptions{Store: db, Dir: dir, Place: place, Every: time.Hour, Keep: 2, Now: func() time.Time { return now }, Log: slog.New(slog.NewTextHandler(&log, nil))})
	s.Run(t.Context())
	s.Run(t.Context())
	if s.failures != 1 || !strings.Contains(log.String(), "FRONTDESK_BACKUP_TO") {
		t.Errorf("%d failures, %s", s.failures, log.String())
	}
	now = now.Add(againAfter)
	s.Run(t.Context())
	if s.failures != 2 {
		t.Errorf("%d failures", s.failures)
	}
	if _, err := os.Stat(filepath.Join(dir, "backup.partial")); err == nil {
		t.Error("a copy was left behind")
	}
}

func TestABackupThatIsCutOff(t *testing.T) {
	t.Parallel()
	dir := database(t, "lola")
	db := open(t, dir)
	t.Cleanup(func() { db.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	place, err := blob.OpenDir(t.TempDir())
	must(t, err)
	if _, _, err := Make(ctx, db, dir, place, day); err == nil {
		t.Error("a copy was made although the process stops")
	}
	if all, err := Copies(t.Context(), place); len(all) != 0 || err != nil {
		t.Errorf("there are %v, %v", all, err)
	}
}

func FuzzName(f *testing.F) {
	f.Add("frontdesk-2026-11-17-030000.db")
	f.Add("frontdesk-.db")
	f.Fuzz(func(t *testing.T, name string) {
		if at, ok := parseName(name); ok && Name(at) != name {
			t.Errorf("%q is read as %s", name, at)
		}
	})
}

func interrupted(t *testing.T, dir string) bool {
	t.Helper()
	begun, err := Interrupted(dir)
	must(t, err)
	return begun
}
