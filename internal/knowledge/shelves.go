package knowledge

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reader"
	"frontdesk.dev/frontdesk/internal/search"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
)

// Shelves hold in memory what agents answer from, one index for each tenant,
// mode and agent that is asked. They are made when they are asked for, made anew
// when the documents have changed, and dropped when they are idle or too many.
type Shelves struct {
	store *store.Store
	embed Embedder // nil: none
	reads search.Reader
	now   func() time.Time
	log   *slog.Logger
	most  int // bytes of all indices

	mu     sync.Mutex
	byName map[name]*shelf
}

// name is whose documents a shelf holds.
type name struct {
	owner frontdesk.Owner
	agent frontdesk.ID // "": those for all agents
}

// shelf is one index and what it was made from. All is guarded by Shelves.mu.
type shelf struct {
	book    *book
	version int64
	making  *making // nil: nobody makes it now
	used    time.Time
	bytes   int // 0: it has the book of the shelf for all agents
}

// making is an index that is being made, once for all who wait for it.
type making struct {
	done chan struct{} // closed when the rest is set
	book *book
	err  error
}

// book is what a question is answered from. It never changes.
type book struct {
	index   *search.Index
	titles  map[frontdesk.ID]frontdesk.Document
	vectors bool
}

const (
	defaultMost = 256 << 20
	idle        = 15 * time.Minute
)

// NewShelves returns shelves that hold at most so many bytes; 0 is 256 MiB. Passages are
// read by the reader that comes with the program, where this machine is quick enough.
func NewShelves(s *store.Store, e Embedder, now func() time.Time, log *slog.Logger, most int) *Shelves {
	if most == 0 {
		most = defaultMost
	}
	sh := &Shelves{store: s, embed: e, now: now, log: log, most: most, byName: map[name]*shelf{}}
	if reader.Quick() {
		sh.reads = trained{}
	}
	return sh
}

// Unread has questions answered by words and senses alone.
func (s *Shelves) Unread() { s.reads = nil }

// trained is the reader that comes with the program. It is loaded when it is first asked.
type trained struct{}

func (trained) Score(question string, passages ...string) []float32 {
	r, err := reader.Fitted()
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return r.Score(question, passages...)
}

// book returns what an agent answers from, as the documents are now. An index
// that takes longer to make than the caller has is made all the same, for the
// next one.
func (s *Shelves) book(ctx context.Context, n name) (*book, error) {
	version, err := s.store.KnowledgeVersion(ctx, n.owner)
	if err != nil {
		return nil, err
	}
	for {
		b, m := s.reach(ctx, n, version)
		if m == nil {
			return b, nil
		}
		select {
		case <-m.done:
		case <-ctx.Done():
			return nil, frontdesk.DatabaseUnavailable(ctx.Err())
		}
		if m.err != nil {
			return nil, m.err
		}
	}
}

// reach returns the book of a shelf that is of a version, or newer; else its
// making, which it begins if nobody has.
func (s *Shelves) reach(ctx context.Context, n name, version int64) (*book, *making) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.byName[n]
	if sh == nil {
		sh = &shelf{}
		s.byName[n] = sh
	}
	sh.used = s.now()
	if sh.book != nil && sh.version >= version {
		return sh.book, nil
	}
	if sh.making == nil {
		m := &making{done: make(chan struct{})}
		sh.making = m
		service.Go(s.log, "making of an index", func() error {
			s.fill(context.WithoutCancel(ctx), n, sh, m, version)
			return nil
		})
	}
	return nil, sh.making
}

// fill makes the book of a shelf and puts it there. Whoever waits for it hears
// of its end, also when making it panicked.
func (s *Shelves) fill(ctx context.Context, n name, sh *shelf, m *making, version int64) {
	var bytes int
	m.err = service.Guard(s.log, "making of an index", func() (err error) {
		if common, err := s.common(ctx, n); common {
			m.book, err = s.book(ctx, name{owner: n.owner})
			return err
		} else if err != nil {
			return err
		}
		if m.book, err = s.write(ctx, n, nil); err == nil {
			bytes = m.book.index.Bytes()
		}
		return err
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(m.done)
	sh.making = nil
	if m.err == nil && sh.version <= version {
		s.put(n, sh, m.book, version, bytes)
	}
}

// put gives a shelf its book. Who has the old one in common lets go of it.
func (s *Shelves) put(n name, sh *shelf, b *book, version int64, bytes int) {
	s.forget(n, sh.book)
	sh.book, sh.version, sh.bytes = b, version, bytes
	s.makeRoom(n)
}

// forget drops the shelves, but one, that have a book in common.
func (s *Shelves) forget(but name, b *book) {
	for n, sh := range s.byName {
		if n != but && b != nil && sh.book == b && sh.bytes == 0 && but.agent == "" {
			delete(s.byName, n)
		}
	}
}

// common says whether an agent answers from no other documents than those for
// all agents: then one index does for both.
func (s *Shelves) common(ctx context.Context, n name) (bool, error) {
	if n.agent == "" {
		return false, nil
	}
	own, err := s.store.AgentHasDocuments(ctx, n.owner, n.agent)
	return err == nil && !own, err
}

// write reads an agent's fragments and makes an index of them, and of a document
// that is about to be ready; nil is none.
func (s *Shelves) write(ctx context.Context, n name, next *coming) (*book, error) {
	titles, err := s.store.Titles(ctx, n.owner)
	if err != nil {
		return nil, err
	}
	b := &book{titles: titles}
	var fragments []frontdesk.Fragment
	err = s.store.Fragments(ctx, n.owner, n.agent, func(f frontdesk.Fragment) error {
		if _, known := titles[f.DocumentID]; known {
			fragments = append(fragments, f)
		} // else it became ready meanwhile: the version has changed, and the next question finds it
		return nil
	})
	if err != nil {
		return nil, err
	}
	if next != nil {
		titles[next.document.ID] = frontdesk.Document{ID: next.document.ID, Title: next.document.Title, Kind: next.document.Kind}
		fragments = next.among(fragments)
	}
	vectors := make([][]float32, len(fragments))
	for i := range fragments {
		f := &fragments[i]
		b.vectors = b.vectors || f.Vector != nil
		vectors[i], f.Vector = f.Vector, nil
	}
	if !b.vectors {
		vectors = nil
	}
	b.index = search.NewWith(fragments, search.Options{Vectors: vectors})
	return b, nil
}

// makeRoom drops the shelves that were not asked for longest until all fit. One
// alone may be as large as it is.
func (s *Shelves) makeRoom(keep name) {
	for s.total() > s.most {
		oldest, found := s.leastUsed(keep)
		if !found {
			return
		}
		s.forget(oldest, s.byName[oldest].book)
		delete(s.byName, oldest)
	}
}

func (s *Shelves) total() (bytes int) {
	for _, sh := range s.byName {
		bytes += sh.bytes
	}
	return bytes
}

// leastUsed passes over those that are being made for the first time: they
// weigh nothing yet, and would only have to be made twice.
func (s *Shelves) leastUsed(but name) (oldest name, found bool) {
	kept := s.byName[but]
	for n, sh := range s.byName {
		if n != but && sh.bytes > 0 && (kept == nil || sh.book != kept.book) && (!found || sh.used.Before(s.byName[oldest].used)) {
			oldest, found = n, true
		}
	}
	return oldest, found
}

// Tidy drops what has not been asked for a while.
func (s *Shelves) Tidy(context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, sh := range s.byName {
		if s.now().Sub(sh.used) > idle {
			delete(s.byName, n)
		}
	}
}
