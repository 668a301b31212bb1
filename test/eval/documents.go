package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// readDocuments returns the fragments of all documents in a folder, as the
// product makes them. There are no PDFs among them.
func readDocuments(dir string) (all []frontdesk.Fragment, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	reader := document.NewReader(nil)
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
