package blob

import (
	"net/http"
	"net/url"
	"time"
)

// PartSize is what a Put holds in memory.
const PartSize = partSize

// ChunkSize is what a database is given at once.
const ChunkSize = chunkSize

// OpenDatabaseInPages is a database that lists few blobs at once.
func OpenDatabaseInPages(in Table, page int) *Store {
	s := OpenDatabase(in)
	s.in.(*database).page = page
	return s
}

// WithFormer adds a directory in which blobs were kept before.
var WithFormer = withFormer

// Unfinished begins the names of files that are being written.
const Unfinished = unfinished

// NewTransport is the way to a bucket with a limit on silence of its own.
func NewTransport(endpoint string, stall time.Duration) (*http.Transport, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	guard, err := guardFor(u, "bucket")
	return newTransport(guard, stall), err
}
