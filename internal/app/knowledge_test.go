package app

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestWhereDocumentsAreKept(t *testing.T) {
	t.Parallel()
	const server, bucket = "postgres://u@127.0.0.1/x", "s3://docs?region=eu-west-3"
	tests := map[string]struct {
		s    config.Settings
		want string
		warn bool // of a directory that other nodes may not reach
	}{
		"SQLite":                      {config.Settings{Data: "data"}, filepath.Join("data", "documents"), false},
		"SQLite and a directory":      {config.Settings{Data: "data", Documents: "/srv/d"}, "/srv/d", false},
		"SQLite and the database":     {config.Settings{Data: "data", Documents: "database"}, "database", false},
		"PostgreSQL":                  {config.Settings{Data: "data", Database: server}, "database", false},
		"PostgreSQL and the database": {config.Settings{Data: "data", Database: server, Documents: "database"}, "database", false},
		"PostgreSQL and a bucket":     {config.Settings{Data: "data", Database: server, Documents: bucket}, bucket, false},
		"PostgreSQL and a directory":  {config.Settings{Data: "data", Database: server, Documents: "/srv/d"}, "/srv/d", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := PlaceOfDocuments(tt.s); got != tt.want {
				t.Errorf("they are in %q", got)
			}
			if got := DirectoryOnPostgres(tt.s); got != tt.warn {
				t.Errorf("warned of: %v", got)
			}
		})
	}
}

func TestADirectoryOfOneNodeIsWarnedOf(t *testing.T) {
	t.Parallel()
	for documents, warned := range map[string]bool{"": false, "database": false, t.TempDir(): storetest.IsPostgres()} {
		s, _ := settings(t)
		s.Documents = documents
		var log bytes.Buffer
		p, err := assemble(context.Background(), s, Options{Log: slog.New(slog.NewTextHandler(&log, nil)), Version: "test"})
		must(t, err)
		p.store.Close()
		if strings.Contains(log.String(), "documents are kept in a directory") != warned {
			t.Errorf("with %q the log says: %s", documents, log.String())
		}
	}
}

func TestNotReadyWithoutAPlaceForDocuments(t *testing.T) {
	t.Parallel()
	s, _ := settings(t)
	s.Documents = filepath.Join(t.TempDir(), "documents")
	p := launch(t, s)
	if got := p.ask(patience, "GET /readyz", "", ""); got.status != 200 || !strings.Contains(got.body, `"documents":"can be stored"`) {
		t.Errorf("got %s", got)
	}
	must(t, os.RemoveAll(s.Documents))
	got := p.ask(patience, "GET /readyz", "", "")
	if got.status != 503 || !strings.Contains(got.body, `"documents":"cannot be stored"`) || got.header.Get("Retry-After") == "" {
		t.Errorf("got %s", got)
	}
	if strings.Contains(got.body, s.Documents) {
		t.Errorf("it tells where: %s", got)
	}
}
