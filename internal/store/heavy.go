package store

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// heavy are the shares that long reads have of the database and of our
// processors. So a list finds a connection and a processor free, however many
// ask for analytics at once. Counting, which takes longest, has a share of its
// own: who has to count does not hold up who reads tallies.
type heavy struct {
	summing   share
	counting  share
	searching share
}

// share lets half as many in at once as there are processors; the others wait.
// The zero value is ready for use.
type share struct {
	once   sync.Once
	places chan struct{}
}

// enter waits for a place and returns what gives it back.
func (h *share) enter(ctx context.Context, limit time.Duration) (leave func(), err error) {
	h.once.Do(func() { h.places = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)) })
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case h.places <- struct{}{}:
		return func() { <-h.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// eachHeavy is each for questions that look at many rows. Who finds no place in
// their share within the time of a question learns that the database is
// unavailable.
func (s *Store) eachHeavy(ctx context.Context, in *share, doing, query string, args []any, scan func(row) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout) // waiting and asking together
	defer cancel()
	leave, err := in.enter(ctx, s.timeout)
	if err != nil {
		return s.failed(doing, err)
	}
	defer leave()
	return s.each(ctx, doing, query, args, scan)
}
