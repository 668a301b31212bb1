package limit

import (
	"sync"
	"time"
)

// Hourly counts what each key does within an hour, which begins with the first
// time. It is safe for concurrent use.
type Hourly[K comparable] struct {
	most  int
	group *Group

	mu    sync.Mutex
	held  map[string]*hour // by mark
	swept time.Time
	told  map[string]map[string]int64 // what each other node counts, by mark
}

type hour struct {
	began time.Time
	count int
}

// NewHourly returns counts that let each key do something most times an hour.
func NewHourly[K comparable](most int) *Hourly[K] {
	return &Hourly[K]{most: most, held: map[string]*hour{}, told: map[string]map[string]int64{}}
}

// In has the counts hold over all nodes of a group, under a name that they have on
// each, and returns them.
func (h *Hourly[K]) In(g *Group, name string) *Hourly[K] {
	h.group = g
	g.Add(name, h)
	return h
}

// Take counts one time more, and says whether it is one too many: then it is
// not counted.
func (h *Hourly[K]) Take(key K, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	mark := h.group.Mark(key)
	at := h.held[mark]
	if at == nil || now.Sub(at.began) >= time.Hour {
		h.makeRoom(now)
		at = &hour{began: now}
		h.held[mark] = at
	}
	elsewhere := 0
	for _, counts := range h.told {
		elsewhere += max(0, int(counts[mark]))
	}
	if at.count+elsewhere >= h.most {
		return false
	}
	at.count++
	return true
}

// GiveBack takes back one time that came to nothing.
func (h *Hourly[K]) GiveBack(key K) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at := h.held[h.group.Mark(key)]; at != nil && at.count > 0 {
		at.count--
	}
}

// Here is what was counted on this node in hours that are not over.
func (h *Hourly[K]) Here(now time.Time) map[string]int64 {
	counts := map[string]int64{}
	h.mu.Lock()
	for mark, at := range h.held {
		if at.count > 0 && now.Sub(at.began) < time.Hour {
			counts[mark] = int64(at.count)
		}
	}
	h.mu.Unlock()
	return largest(counts)
}

// Elsewhere keeps what another node has counted.
func (h *Hourly[K]) Elsewhere(node string, counts map[string]int64, _ bool, _ time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told[node] = counts
}

// Gone forgets what a node has counted.
func (h *Hourly[K]) Gone(node string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.told, node)
}

func (h *Hourly[K]) makeRoom(now time.Time) {
	if now.Sub(h.swept) < sweepEvery && len(h.held) < mostKeys {
		return
	}
	h.swept = now
	for mark, at := range h.held {
		if now.Sub(at.began) >= time.Hour {
			delete(h.held, mark)
		}
	}
	drop(h.held)
}
