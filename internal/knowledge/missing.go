package knowledge

import (
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// missingTime is how long a document whose bytes are not found is tried again:
// a node that keeps bytes in a directory of its own may be starting.
const missingTime = 10 * time.Minute

// missing remembers since when the bytes of documents are not found here. With
// a directory that is not shared, a document is claimed by nodes that cannot
// read it, until the one that can has its turn.
type missing struct {
	mu    sync.Mutex
	since map[frontdesk.ID]time.Time
}

func newMissing() *missing { return &missing{since: map[frontdesk.ID]time.Time{}} }

// again says whether a document is to be tried again, and whether it is missed
// for the first time.
func (m *missing) again(id frontdesk.ID, now time.Time) (again, first bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for other, since := range m.since {
		if now.Sub(since) > 2*missingTime { // another node has read it, or it was deleted
			delete(m.since, other)
		}
	}
	since, known := m.since[id]
	if !known {
		m.since[id] = now
		return true, true
	}
	if now.Sub(since) < missingTime {
		return true, false
	}
	delete(m.since, id)
	return false, false
}
