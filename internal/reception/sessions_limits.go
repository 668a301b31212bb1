package reception

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/netip"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/store"
)

// Limits bound what one visitor can do to the others. 0 stands for the figure
// beside it, less than 0 for no limit. Who comes from no address that is known (a
// carrier, a terminal) is not counted under those by address.
type Limits struct {
	OpenPerAddress     int // conversations that one address may hold at once; 50
	BookingsPerAddress int // what one address may have written down in an hour; 60
	BookingsPerPhone   int // what may be written down for one telephone number in an hour; 20
	BookingsPerAgent   int // what one agent writes down in an hour; 200

	Nodes *limit.Group // the other nodes, for which they hold too; nil: there are none
}

// Refusals are recorded so often in an hour, and said without being
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
		callers:       newCallers(figure(l.OpenPerAddress, 50), l.Nodes),
		bookings:      limit.NewHourly[netip.Prefix](figure(l.BookingsPerAddress, 60)).In(l.Nodes, "bookings of addresses"),
		refusedOwners: limit.NewHourly[frontdesk.Owner](refusalsPerOwner).In(l.Nodes, "refusals of owners"),
		refusedFrom:   limit.NewHourly[netip.Prefix](refusalsPerAddress).In(l.Nodes, "refusals of addresses"),
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
