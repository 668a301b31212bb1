package reception

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
)

// Conversations of one address count once, whichever nodes their messages reach.
func TestConversationsOfOneAddressOnAllNodes(t *testing.T) {
	t.Parallel()
	const most, nodes = 50, 3
	now := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	from, other := netip.MustParsePrefix("203.0.113.7/32"), netip.MustParsePrefix("203.0.113.8/32")
	var groups []*limit.Group
	var all []*callers
	for range nodes {
		groups = append(groups, limit.NewGroup([]byte("secret")))
		all = append(all, newCallers(most, groups[len(groups)-1]))
	}
	beat := int64(0)
	exchange := func() {
		beat++
		for i := range groups {
			var told []limit.Told
			for j, g := range groups {
				if j != i {
					told = append(told, limit.Told{Node: fmt.Sprint(j), Beat: beat, Counts: g.Here(now)})
				}
			}
			groups[i].Hear(told, now)
		}
	}
	held := map[frontdesk.ID]int{}
	for i := range 2 * most {
		id := frontdesk.NewID(now)
		if all[i%nodes].mayCome(from, now) == 0 && all[i%nodes].hear(from, id, now) == 0 {
			held[id] = i % nodes
		}
		exchange()
	}
	if len(held) != most {
		t.Fatalf("%d conversations are held, want %d", len(held), most)
	}
	for id, node := range held {
		for i := range nodes { // the next messages reach the others
			if wait := all[(node+i)%nodes].hear(from, id, now); wait > 0 {
				t.Errorf("a conversation has to wait %s on another node", wait)
			}
		}
	}
	exchange()
	for i, c := range all {
		if got := len(c.from[from]) + c.heldElsewhere(from); got != most {
			t.Errorf("node %d counts %d conversations", i, got)
		}
		if c.mayCome(from, now) == 0 || c.mayCome(other, now) > 0 {
			t.Errorf("node %d lets one too many come, or nobody else", i)
		}
	}
	// One ends: every node that had it forgets it, and another may come.
	for id := range held {
		for _, c := range all {
			c.leave(id)
		}
		break
	}
	exchange()
	for i, c := range all {
		if wait := c.mayCome(from, now); wait > 0 {
			t.Errorf("node %d has one wait %s where one has left", i, wait)
		}
	}
}
