package pdftest_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
)

// Run before all others, this compiles PDFium for them.
func TestTheReaderStarts(t *testing.T) {
	t.Parallel()
	if err := pdftest.Reader().Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
}
