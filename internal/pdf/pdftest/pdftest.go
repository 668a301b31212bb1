// Package pdftest gives tests a PDF reader that starts quickly: PDFium is
// compiled once on a machine, not once in every test program.
package pdftest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"frontdesk.dev/frontdesk/internal/pdf"
)

// Reader is the reader of all tests of a program.
var Reader = sync.OnceValue(func() *pdf.Reader { return pdf.New(pdf.Options{CacheDir: CacheDir()}) })

// CacheDir is where the tests of this user keep PDFium's machine code.
func CacheDir() string { return dir("tests") }

// ProgramCacheDir is where the program keeps it when tests run it: its code is
// another than that of tests.
func ProgramCacheDir() string { return dir("program") }

func dir(whose string) string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("frontdesk-pdfium-%s-%d", whose, os.Getuid()))
}
