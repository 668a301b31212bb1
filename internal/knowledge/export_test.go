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

// Current says whether the index of an agent is there and is of the documents as
// they are now.
func (s *Shelves) Current(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID) (bool, error) {
	version, err := s.store.KnowledgeVersion(ctx, owner)
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.byName[name{owner, agent}]
	return sh != nil && sh.book != nil && sh.version == version, err
}

// SavedWhile reads the document that is due, and calls meanwhile when its index
// is made and it is not yet saved.
func (w *Worker) SavedWhile(ctx context.Context, meanwhile func()) error {
	now := w.now()
	c, _, err := w.store.ClaimDocumentForWorker(ctx, now, now.Add(lease), 0)
	if err != nil {
		return err
	}
	end := w.read(ctx, c)
	ahead := w.makeAhead(ctx, c, end)
	meanwhile()
	saved, err := w.finish(ctx, c, end)
	ahead.put(ctx, saved)
	return err
}
