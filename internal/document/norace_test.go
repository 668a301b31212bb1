//go:build !race

package document_test

const underRace = false
