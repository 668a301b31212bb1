package reception

import (
	"context"
	"sync"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// queue lets one at a time work on a conversation. Its zero value is ready. It
// spares this node turns that the database would refuse; between nodes the
// version of the conversation decides.
type queue struct {
	mu    sync.Mutex
	lines map[frontdesk.ID]*line
}

// line is those who wait for one conversation, and the one who has it.
type line struct {
	free  chan struct{} // holds one: whose turn it is takes it
	count int           // of those in the line, guarded by queue.mu
}

// tryEnter is enter for who does not wait: free says whether nobody else has the
// conversation.
func (q *queue) tryEnter(id frontdesk.ID) (leave func(), free bool) {
	l := q.join(id)
	select {
	case <-l.free:
		return q.leaving(id, l), true
	default:
		q.part(id, l)
		return nil, false
	}
}

// enter waits until nobody else has the conversation. leave gives it back. Who
// gives up waiting has ctx's own error.
func (q *queue) enter(ctx context.Context, id frontdesk.ID) (leave func(), err error) {
	l := q.join(id)
	select {
	case <-l.free:
		return q.leaving(id, l), nil
	case <-ctx.Done():
		q.part(id, l)
		return nil, ctx.Err()
	}
}

func (q *queue) leaving(id frontdesk.ID, l *line) func() {
	return func() {
		l.free <- struct{}{}
		q.part(id, l)
	}
}

func (q *queue) join(id frontdesk.ID) *line {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lines[id]
	if l == nil {
		if q.lines == nil {
			q.lines = map[frontdesk.ID]*line{}
		}
		l = &line{free: make(chan struct{}, 1)}
		l.free <- struct{}{}
		q.lines[id] = l
	}
	l.count++
	return l
}

func (q *queue) part(id frontdesk.ID, l *line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if l.count--; l.count == 0 {
		delete(q.lines, id)
	}
}
