package limit

import (
	"sync"
	"time"
)

// Hourly counts what each key does within an hour, which begins with the first
// time. It is safe for concurrent use.
type Hourly[K comparable] struct {
	most int

	mu    sync.Mutex
	held  map[K]*hour
	swept time.Time
}

type hour struct {
	began time.Time
	count int
}

// NewHourly returns counts that let each key do something most times an hour.
func NewHourly[K comparable](most int) *Hourly[K] {
	return &Hourly[K]{most: most, held: map[K]*hour{}}
}

// Take counts one time more, and says whether it is one too many: then it is
// not counted.
func (h *Hourly[K]) Take(key K, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := h.held[key]
	if at == nil || now.Sub(at.began) >= time.Hour {
		h.makeRoom(now)
		at = &hour{began: now}
		h.held[key] = at
	}
	if at.count >= h.most {
		return false
	}
	at.count++
	return true
}

// GiveBack takes back one time that came to nothing.
func (h *Hourly[K]) GiveBack(key K) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at := h.held[key]; at != nil && at.count > 0 {
		at.count--
	}
}

func (h *Hourly[K]) makeRoom(now time.Time) {
	if now.Sub(h.swept) < sweepEvery && len(h.held) < mostKeys {
		return
	}
	h.swept = now
	for key, at := range h.held {
		if now.Sub(at.began) >= time.Hour {
			delete(h.held, key)
		}
	}
	drop(h.held)
}
