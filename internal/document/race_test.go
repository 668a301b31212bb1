//go:build race

package document_test

// underRace says that the race detector looks on, and makes all take ten times
// as long.
const underRace = true
