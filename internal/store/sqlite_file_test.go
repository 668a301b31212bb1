package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// inFile is a store in a file of its own, whatever database the other tests have.
func inFile(t *testing.T) (*store.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data", "frontdesk.db")
	s, err := store.Open(store.Options{URL: path, Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.Migrate(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	return s, path
}

func newTenant(slug string) frontdesk.Tenant {
	return frontdesk.Tenant{ID: frontdesk.NewID(time.Now()), Slug: slug, Name: slug, Timezone: "Europe/Madrid", CreatedAt: time.Now()}
}

// What would be written into a file that nobody opens again is refused.
func TestAFileThatIsGone(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string) error{
		"removed": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"moved":   func(path string) error { return os.Rename(filepath.Dir(path), filepath.Dir(path)+"-old") },
		"replaced": func(path string) error {
			if err := os.Rename(path, path+"-old"); err != nil {
				return err
			}
			return os.WriteFile(path, nil, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, path := inFile(t)
			if err := s.CreateTenant(t.Context(), store.NewTenant{Tenant: newTenant("before")}); err != nil {
				t.Fatal(err)
			}
			if err := s.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			for what, err := range map[string]error{
				"ping": s.Ping(t.Context()), "write": s.CreateTenant(t.Context(), store.NewTenant{Tenant: newTenant("after")}),
			} {
				if !frontdesk.IsUnavailable(err) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "restore a backup") {
					t.Errorf("%s: %v", what, err)
				}
			}
			if name != "moved" {
				return
			}
			if err := os.Rename(filepath.Dir(path)+"-old", filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
			if err := s.Ping(t.Context()); err != nil {
				t.Errorf("it is back, and: %v", err)
			}
		})
	}
}

// A file that was found to be damaged is not said to be well.
func TestAFileThatIsDamaged(t *testing.T) {
	t.Parallel()
	s, path := inFile(t)
	if err := s.CreateTenant(t.Context(), store.NewTenant{Tenant: newTenant("before")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(text); i++ {
		text[i] = 0x5a
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err = store.Open(store.Options{URL: path, Timeout: 30 * time.Second}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.Tenants(t.Context()); err == nil {
		t.Fatal("the damaged file was read")
	}
	if err := s.Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "frontdesk doctor") {
		t.Errorf("it is said to be well: %v", err)
	}
}
