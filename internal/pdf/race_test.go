//go:build race

package pdf_test

// underRace says that the race detector looks on: PDFium's compiler is then
// slower by an order of magnitude.
const underRace = true
