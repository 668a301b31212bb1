package reception

import (
	"net/netip"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
)

// callers knows which conversations are held from which address: those of this node,
// and those that other nodes tell of.
type callers struct {
	most  int
	nodes *limit.Group

	mu    sync.Mutex
	from  map[netip.Prefix]map[frontdesk.ID]time.Time // when each was last heard
	where map[frontdesk.ID]netip.Prefix
	swept time.Time
	told  map[string]map[string]int64 // by node, then by the marks of address and conversation
}

// mostCallers bounds the memory.
const mostCallers = 1 << 16

func newCallers(most int, nodes *limit.Group) *callers {
	c := &callers{
		most: most, nodes: nodes, from: map[netip.Prefix]map[frontdesk.ID]time.Time{}, where: map[frontdesk.ID]netip.Prefix{},
		told: map[string]map[string]int64{},
	}
	nodes.Add("conversations of addresses", c)
	return c
}

// hear notes that something is said in a conversation from an address. When the
// address holds too many others, it says how long to wait until one of them has
// been silent long enough.
func (c *callers) hear(from netip.Prefix, id frontdesk.ID, now time.Time) (wait time.Duration) {
	if !from.IsValid() {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.from[from][id]; !known && !c.isHeldElsewhere(from, id) {
		if wait := c.full(from, now); wait > 0 {
			return wait
		}
		c.makeRoom(now)
	}
	c.forget(id) // it may have come from elsewhere
	if c.from[from] == nil {
		c.from[from] = map[frontdesk.ID]time.Time{}
	}
	c.from[from][id], c.where[id] = now, from
	return 0
}

// mayCome says how long an address has to wait before it can hold one more.
func (c *callers) mayCome(from netip.Prefix, now time.Time) (wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.full(from, now)
}

// leave notes that a conversation is over.
func (c *callers) leave(id frontdesk.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(id)
}

func (c *callers) full(from netip.Prefix, now time.Time) (wait time.Duration) {
	held, elsewhere := c.from[from], c.heldElsewhere(from)
	if len(held)+elsewhere < c.most {
		return 0
	}
	wait = Talking
	for id, heard := range held {
		if now.Sub(heard) >= Talking {
			c.forget(id)
			continue
		}
		wait = min(wait, Talking-now.Sub(heard))
	}
	if len(c.from[from])+elsewhere < c.most {
		return 0
	}
	return max(wait, time.Second)
}

// fewHeld is how many conversations an address may hold on a node before the others
// are told.
const fewHeld = 4

// Here is which conversations are held from addresses that hold more than a few.
func (c *callers) Here(now time.Time) map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	counts := map[string]int64{}
	for from, held := range c.from {
		if len(held) <= fewHeld || len(counts) >= mostTold {
			continue
		}
		address := c.nodes.Mark(from)
		for id, heard := range held {
			if now.Sub(heard) < Talking {
				counts[address+c.nodes.Mark(id)] = 1
			}
		}
	}
	return counts
}

// mostTold bounds how many conversations are told of.
const mostTold = 2000

// Elsewhere keeps which conversations another node holds.
func (c *callers) Elsewhere(node string, counts map[string]int64, _ time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told[node] = counts
}

// Gone forgets which conversations a node held.
func (c *callers) Gone(node string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.told, node)
}

func (c *callers) isHeldElsewhere(from netip.Prefix, id frontdesk.ID) bool {
	for _, counts := range c.told {
		if counts[c.nodes.Mark(from)+c.nodes.Mark(id)] > 0 {
			return true
		}
	}
	return false
}

// heldElsewhere is how many conversations other nodes alone hold from an address. One
// whose messages reach several nodes counts once.
func (c *callers) heldElsewhere(from netip.Prefix) int {
	if len(c.told) == 0 {
		return 0
	}
	address := c.nodes.Mark(from)
	others := map[string]bool{}
	for _, counts := range c.told {
		for mark := range counts {
			if strings.HasPrefix(mark, address) {
				others[mark] = true
			}
		}
	}
	for id := range c.from[from] {
		delete(others, address+c.nodes.Mark(id))
	}
	return len(others)
}

func (c *callers) forget(id frontdesk.ID) {
	from, known := c.where[id]
	if !known {
		return
	}
	delete(c.where, id)
	if delete(c.from[from], id); len(c.from[from]) == 0 {
		delete(c.from, from)
	}
}

// makeRoom forgets the silent once a minute; when there is no room after that,
// whoever comes first.
func (c *callers) makeRoom(now time.Time) {
	if now.Sub(c.swept) < time.Minute && len(c.where) < mostCallers {
		return
	}
	c.swept = now
	for id, from := range c.where {
		if now.Sub(c.from[from][id]) >= Talking {
			c.forget(id)
		}
	}
	for id := range c.where {
		if len(c.where) < mostCallers*3/4 {
			break
		}
		c.forget(id)
	}
}
