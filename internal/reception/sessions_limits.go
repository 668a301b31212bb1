package reception

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/netip"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/store"
)

// Limits bound what one visitor can do to the others. 0 stands for the figure
// beside it, less than 0 for no limit. Those by address hold for each node; who
// comes from no address that is known (a carrier, a terminal) is not counted
// under them.
type Limits struct {
	OpenPerAddress     int // conversations that one address may hold at once; 50
	BookingsPerAddress int // what one address may have written down in an hour; 60
	BookingsPerPhone   int // what may be written down for one telephone number in an hour; 20
	BookingsPerAgent   int // what one agent writes down in an hour; 200
}

// Refusals are recorded so often in an hour, on each node, and said without being
// recorded after that: a business must see that it turns callers away, and
// nobody must be able to fill its books that way.
const (
	refusalsPerOwner   = 100
	refusalsPerAddress = 20
)

// limits are Limits at work.
type limits struct {
	callers  *callers
	bookings *limit.Hourly[netip.Prefix]

	refusedOwners *limit.Hourly[frontdesk.Owner]
	refusedFrom   *limit.Hourly[netip.Prefix]
}

func newLimits(l Limits) limits {
	return limits{
		callers:       newCallers(figure(l.OpenPerAddress, 50)),
		bookings:      limit.NewHourly[netip.Prefix](figure(l.BookingsPerAddress, 60)),
		refusedOwners: limit.NewHourly[frontdesk.Owner](refusalsPerOwner),
		refusedFrom:   limit.NewHourly[netip.Prefix](refusalsPerAddress),
	}
}

// figure is a limit as it was set, or else its default.
func figure(set, usual int) int {
	if set < 0 {
		return math.MaxInt32
	}
	return cmp.Or(set, usual)
}

// mayRecordRefusal says whether one more refusal is worth recording.
func (l limits) mayRecordRefusal(owner frontdesk.Owner, from netip.Prefix, now time.Time) bool {
	if from.IsValid() && !l.refusedFrom.Take(from, now) {
		return false
	}
	return l.refusedOwners.Take(owner, now)
}

// bookingLimits are those that hold over all nodes, for one thing that is
// written down.
func (l Limits) bookingLimits(agent frontdesk.ID, phone string) []store.BookingLimit {
	all := []store.BookingLimit{{Name: limitAgent, Whose: "agent " + string(agent), Most: figure(l.BookingsPerAgent, 200)}}
	if tail := frontdesk.PhoneTail(phone); tail != "" {
		sum := sha256.Sum256([]byte(tail))
		all = append(all, store.BookingLimit{Name: limitPhone, Whose: "phone " + hex.EncodeToString(sum[:16]), Most: figure(l.BookingsPerPhone, 20)})
	}
	return all
}

// callers knows which conversations are held from which address, on this node.
type callers struct {
	most int

	mu    sync.Mutex
	from  map[netip.Prefix]map[frontdesk.ID]time.Time // when each was last heard
	where map[frontdesk.ID]netip.Prefix
	swept time.Time
}

// mostCallers bounds the memory.
const mostCallers = 1 << 16

func newCallers(most int) *callers {
	return &callers{most: most, from: map[netip.Prefix]map[frontdesk.ID]time.Time{}, where: map[frontdesk.ID]netip.Prefix{}}
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
	if _, known := c.from[from][id]; !known {
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
	held := c.from[from]
	if len(held) < c.most {
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
	if len(c.from[from]) < c.most {
		return 0
	}
	return max(wait, time.Second)
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
