package blob

import (
	"net/http"
	"time"
)

// PartSize is what a Put holds in memory.
const PartSize = partSize

// Unfinished begins the names of files that are being written.
const Unfinished = unfinished

// NewTransportWith is NewTransport with another limit on silence.
func NewTransportWith(stall time.Duration) *http.Transport { return newTransport(stall) }
