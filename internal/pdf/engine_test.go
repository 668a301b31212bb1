package pdf_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"frontdesk.dev/frontdesk/internal/pdf"
)

func TestPDFiumIsTheOneWeKnow(t *testing.T) {
	t.Parallel()
	sums, err := os.ReadFile("pdfium/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sums)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data, err := os.ReadFile("pdfium/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got := sum(data); got != want {
			t.Errorf("%s has the sum %s", name, got)
		}
	}
	text, err := os.ReadFile("pdfium/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(sum(pdf.PDFium))) {
		t.Error("the README speaks of another PDFium")
	}
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

func TestTheCache(t *testing.T) {
	t.Parallel()
	reader(t, pdf.Options{}) // fills it
	kept := cached(t, cacheDir)
	read(t, cacheDir)
	if again := cached(t, cacheDir); again != kept {
		t.Errorf("%s became %s", kept, again)
	}

	if underRace {
		t.Skip("a damaged cache has PDFium compiled again")
	}
	name, err := filepath.Rel(cacheDir, kept)
	if err != nil {
		t.Fatal(err)
	}
	damaged := t.TempDir()
	if err := os.CopyFS(damaged, os.DirFS(cacheDir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(damaged, name), 1<<20); err != nil {
		t.Fatal(err)
	}
	read(t, damaged)
	if _, err := os.Stat(filepath.Join(damaged, name)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the next start stumbles over it again: %v", err)
	}
}

// read takes a reader of its own through a document.
func read(t *testing.T, dir string) {
	t.Helper()
	pages, err := pdf.New(pdf.Options{CacheDir: dir}).Pages(t.Context(), document(at(60, 700, "uno")))
	if err != nil || len(pages) != 1 || pages[0].Text() != "uno" {
		t.Fatalf("%v, %v", pages, err)
	}
}

// cached is the one file in the cache.
func cached(t *testing.T, dir string) (path string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if path != "" {
				t.Errorf("%s beside %s", p, path)
			}
			path = p
		}
		return err
	})
	if err != nil || path == "" {
		t.Fatalf("nothing in the cache: %v", err)
	}
	return path
}

// A reader that rests between documents, and is told to while it reads, reads
// all of them.
func TestAReaderRests(t *testing.T) {
	t.Parallel()
	reader(t, pdf.Options{}) // fills the cache
	r := pdf.New(pdf.Options{CacheDir: cacheDir})
	done := make(chan struct{})
	var resting sync.WaitGroup
	resting.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if err := r.Rest(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for range 5 {
		pages, err := r.Pages(t.Context(), document(at(60, 700, "uno")))
		if err != nil || len(pages) != 1 || pages[0].Text() != "uno" {
			t.Errorf("%v, %v", pages, err)
		}
	}
	close(done)
	resting.Wait()
}

// Who leaves while PDFium is being compiled does not wait for it, and whoever
// comes next has it.
func TestWhoLeavesDoesNotWaitForTheCompiler(t *testing.T) {
	t.Parallel()
	reader(t, pdf.Options{}) // fills the cache
	r := pdf.New(pdf.Options{CacheDir: cacheDir})
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := r.Warm(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("who left has %v", err)
	}
	if pages, err := r.Pages(t.Context(), document(at(60, 700, "uno"))); err != nil || len(pages) != 1 {
		t.Errorf("who came next has %v, %v", pages, err)
	}
}

// What is prepared is in the cache, and nothing of it stays in memory.
func TestPrepare(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("compiling takes too long under the race detector")
	}
	dir := t.TempDir()
	r := pdf.New(pdf.Options{CacheDir: dir})
	if err := r.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r.Loaded() {
		t.Error("the code is still loaded")
	}
	kept := cached(t, dir)
	before, err := os.Stat(kept)
	if err != nil {
		t.Fatal(err)
	}
	read(t, dir)
	if after, err := os.Stat(kept); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the first document compiled it again: %v", err)
	}
	if err := pdf.New(pdf.Options{}).Prepare(t.Context()); err != nil {
		t.Errorf("without a cache: %v", err)
	}
}
