// Package blobtest is for tests of what keeps blobs: a store that goes with the
// test, and a small server that speaks the S3 protocol on loopback.
//
// The server holds a client to what a real one does: signatures and the hashes
// of bodies are checked, lists come in pages, parts have their least size. What
// it adds is faults, one by one or at will. It knows nothing that the package
// blob does not use.
package blobtest

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/blob"
)

// New returns a store in a directory that goes with the test.
func New(t testing.TB) *blob.Store {
	t.Helper()
	s, err := blob.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
