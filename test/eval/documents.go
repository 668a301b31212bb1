package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/pdf"
)

// pdfs reads PDFs. What it compiles is kept, so that only the first run takes long.
var pdfs = sync.OnceValue(func() *pdf.Reader {
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "frontdesk", "eval")
	}
	return pdf.New(pdf.Options{CacheDir: cache})
})

// readDocuments returns the fragments of all documents in a folder, as the
// product makes them.
func readDocuments(dir string) (all []frontdesk.Fragment, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	reader := document.NewReader(pdfs())
	for _, f := range files {
		kind := frontdesk.KindOf(f.Name())
		if kind == "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		fragments, err := reader.Read(context.Background(), kind, data)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Name(), err)
		}
		all = append(all, fragments...)
	}
	return all, nil
}
