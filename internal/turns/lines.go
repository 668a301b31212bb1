package turns

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
)

// Lines are those that are open on this node. There are so many at most, one call has
// one, and all of them are over when Stop returns.
type Lines struct {
	most, mostOfTenant int
	log                *slog.Logger

	mu       sync.Mutex
	count    int
	of       map[frontdesk.ID]int    // by tenant
	held     map[frontdesk.ID]*Place // by call
	open     sync.WaitGroup          // as many as count
	stopping chan struct{}
	stopped  bool
}

// Place is room for one line.
type Place struct {
	lines  *Lines
	tenant frontdesk.ID
	call   frontdesk.ID
	cancel context.CancelFunc
}

// Why there is no place for a line.
var (
	ErrStopping = errors.New("this process is stopping")
	ErrFull     = errors.New("as many lines are open as may be")
)

// NewLines returns room for so many lines, and so many of one tenant.
func NewLines(most, mostOfTenant int, log *slog.Logger) *Lines {
	return &Lines{
		most: most, mostOfTenant: mostOfTenant, log: log,
		of: map[frontdesk.ID]int{}, held: map[frontdesk.ID]*Place{}, stopping: make(chan struct{}),
	}
}

// Stopping is closed when the lines are to end.
func (l *Lines) Stopping() <-chan struct{} { return l.stopping }

// Count is how many are open.
func (l *Lines) Count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}

// Enter takes room for a line of a tenant's, until Leave gives it back.
func (l *Lines) Enter(tenant frontdesk.ID) (*Place, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.stopped:
		return nil, ErrStopping
	case l.count >= l.most || l.of[tenant] >= l.mostOfTenant:
		return nil, ErrFull
	}
	l.count++
	l.of[tenant]++
	l.open.Add(1)
	return &Place{lines: l, tenant: tenant}, nil
}

// Hold says which call the line is of. The one that held it before is cancelled.
func (p *Place) Hold(call frontdesk.ID, cancel context.CancelFunc) {
	p.lines.mu.Lock()
	defer p.lines.mu.Unlock()
	if older := p.lines.held[call]; older != nil {
		older.cancel()
	}
	p.call, p.cancel = call, cancel
	p.lines.held[call] = p
}

// Leave gives the room back.
func (p *Place) Leave() {
	l := p.lines
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[p.call] == p {
		delete(l.held, p.call)
	}
	l.count--
	if l.of[p.tenant]--; l.of[p.tenant] == 0 {
		delete(l.of, p.tenant)
	}
	l.open.Done()
}

// Stop lets no more lines open, and returns when all are over, or ctx is: it says
// whether they are.
func (l *Lines) Stop(ctx context.Context) bool {
	l.mu.Lock()
	if !l.stopped {
		l.stopped = true
		close(l.stopping)
	}
	l.mu.Unlock()
	closed := service.Go(l.log, "end of all lines", func() error {
		l.open.Wait()
		return nil
	})
	select {
	case <-closed:
		return true
	case <-ctx.Done():
		return false
	}
}
