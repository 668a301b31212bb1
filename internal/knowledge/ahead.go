package knowledge

import (
	"cmp"
	"context"
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
)

// coming is a document that is read and not yet ready, with its fragments.
type coming struct {
	owner     frontdesk.Owner
	document  frontdesk.Document
	fragments []frontdesk.Fragment
}

// among puts the fragments where the database has them once they are saved.
func (c *coming) among(others []frontdesk.Fragment) []frontdesk.Fragment {
	at, _ := slices.BinarySearchFunc(others, c.document.ID, func(f frontdesk.Fragment, id frontdesk.ID) int {
		return cmp.Compare(f.DocumentID, id)
	})
	return slices.Insert(others, at, c.fragments...)
}

// ahead are indices that are made before the document is ready that is new in
// them. A question that comes before is answered without it, as it must be; one
// that comes after finds the index there.
type ahead struct {
	shelves *Shelves
	owner   frontdesk.Owner
	version int64 // of what the indices are made from, the new document apart
	books   map[name]*book
	makings map[name]*making // that questions wait for, for the moment that saving takes
}

// makeAhead makes the indices for a document that was read through. While more
// of its owner's documents wait it makes none: each would be made for nothing,
// when the next document comes. What fails is made when it is asked for.
func (w *Worker) makeAhead(ctx context.Context, c store.DocumentClaim, end ending) *ahead {
	if w.shelves == nil || end.fragments == nil {
		return nil
	}
	more, err := w.store.DocumentsWait(ctx, c.Owner)
	if more || err != nil {
		return nil
	}
	a := &ahead{shelves: w.shelves, owner: c.Owner, books: map[name]*book{}, makings: map[name]*making{}}
	err = service.Guard(w.log, "making of an index ahead", func() error {
		return a.make(ctx, &coming{c.Owner, c.Document, end.fragments})
	})
	if err != nil {
		w.log.Warn("the index for a new document is made when it is asked for", "document", c.Document.ID, "error", err)
		return nil
	}
	a.announce()
	return a
}

func (a *ahead) make(ctx context.Context, c *coming) (err error) {
	if a.version, err = a.shelves.store.KnowledgeVersion(ctx, c.owner); err != nil {
		return err
	}
	for _, n := range a.shelves.concerned(c) {
		if a.books[n], err = a.shelves.write(ctx, n, c); err != nil {
			return err
		}
	}
	return nil
}

// concerned are the shelves that a document goes to: that of whom it serves, and
// those that are there of agents with documents of their own.
func (s *Shelves) concerned(c *coming) []name {
	all := []name{{c.owner, c.document.AgentID}}
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, sh := range s.byName {
		if n.owner == c.owner && n != all[0] && c.document.AgentID == "" && sh.bytes > 0 {
			all = append(all, n)
		}
	}
	return all
}

// announce has questions that come while the document is saved wait for the
// indices rather than make them again.
func (a *ahead) announce() {
	s := a.shelves
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := range a.books {
		sh := s.byName[n]
		if sh == nil {
			sh = &shelf{used: s.now()}
			s.byName[n] = sh
		}
		if sh.making == nil {
			sh.making = &making{done: make(chan struct{})}
			a.makings[n] = sh.making
		}
	}
}

// put gives the indices to the shelves if the document is ready, and if nothing
// else has changed since they were made.
func (a *ahead) put(ctx context.Context, ready bool) {
	if a == nil {
		return
	}
	s := a.shelves
	version, err := s.store.KnowledgeVersion(ctx, a.owner)
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, b := range a.books {
		sh := s.byName[n]
		if sh != nil && sh.making == a.makings[n] {
			sh.making = nil
		}
		if ready && err == nil && sh != nil && version == a.version+1 && sh.version < version {
			s.put(n, sh, b, version, b.index.Bytes())
		}
	}
	for _, m := range a.makings {
		close(m.done)
	}
}
