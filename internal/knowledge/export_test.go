package knowledge

import (
	"context"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// What tests must know of the times and bounds in here.
const (
	Lease         = lease
	Patience      = patience
	MostFragments = mostFragments
	EmbedAtOnce   = embedAtOnce
	OrphanAge     = orphanAge
	Idle          = idle
	FailedHelp    = failedHelp
	MissingTime   = missingTime
)

// Confidence is how sure an answer is, in a word.
var Confidence = confidence

// BlobKey is where the bytes of a document are.
var BlobKey = blobKey

// Book is what a question would be answered from now.
func (s *Shelves) Book(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID) (any, error) {
	return s.book(ctx, name{owner, agent})
}

// Holds says whether there is an index for an agent in memory.
func (s *Shelves) Holds(owner frontdesk.Owner, agent frontdesk.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byName[name{owner, agent}] != nil
}

// Bytes is what all indices in memory are booked with.
func (s *Shelves) Bytes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total()
}
