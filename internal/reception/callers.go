package reception

import (
	"maps"
	"net/netip"
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
	told  map[string]heldBy // by node
}

// heldBy is which conversations a node holds, by the marks of address and conversation.
type heldBy map[string]map[string]bool

// mostCallers bounds the memory.
const mostCallers = 1 << 16

func newCallers(most int, nodes *limit.Group) *callers {
	c := &callers{
		most: most, nodes: nodes, from: map[netip.Prefix]map[frontdesk.ID]time.Time{}, where: map[frontdesk.ID]netip.Prefix{},
		told: map[string]heldBy{},
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
	if len(c.from[from])+c.heldElsewhere(from) < c.most {
		return 0
	}
	wait = Talking
	for id, heard := range c.from[from] {
		if now.Sub(heard) >= Talking {
			c.forget(id)
			continue
		}
		wait = min(wait, Talking-now.Sub(heard))
	}
	if len(c.from[from])+c.heldElsewhere(from) < c.most {
		return 0
	}
	return max(wait, time.Second)
}

// fewHeld is how many conversations an address may hold on a node before the others
// are told: of a small limit fewer.
func (c *callers) fewHeld() int { return min(4, c.most/10) }

// Here is which conversations are held from addresses that hold more than a few.
func (c *callers) Here(now time.Time) map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	counts := map[string]int64{}
	for from, held := range c.from {
		if len(held) <= c.fewHeld() || len(counts) >= mostTold {
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
func (c *callers) Elsewhere(node string, counts map[string]int64, _ bool, _ time.Time) {
	held := heldBy{}
	for mark := range counts {
		if len(mark) != 2*limit.MarkLength {
			continue
		}
		address := mark[:limit.MarkLength]
		if held[address] == nil {
			held[address] = map[string]bool{}
		}
		held[address][mark[limit.MarkLength:]] = true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told[node] = held
}

// Gone forgets which conversations a node held.
func (c *callers) Gone(node string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.told, node)
}

func (c *callers) isHeldElsewhere(from netip.Prefix, id frontdesk.ID) bool {
	if len(c.told) == 0 {
		return false
	}
	address, conversation := c.nodes.Mark(from), c.nodes.Mark(id)
	for _, held := range c.told {
		if held[address][conversation] {
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
	for _, held := range c.told {
		maps.Copy(others, held[address])
	}
	if len(others) == 0 {
		return 0
	}
	for id := range c.from[from] {
		delete(others, c.nodes.Mark(id))
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
