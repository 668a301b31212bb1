package frontdesk

import "time"

// Visit is what the house must know of an appointment beside its time. What is
// zero was not said.
type Visit struct {
	ServiceID  string
	Party      int // people
	Duration   int // minutes that the customer is there
	Minutes    int // that it takes, with the time to tidy up after it
	Email      string
	ResourceID string // who or what it is with; "": nobody in particular
	Resource   string // its name
}

// Hold is a place that is kept for a call until its caller has said yes or no.
type Hold struct {
	CallID      ID
	AgentID     ID
	ScheduledAt LocalTime
	Visit       Visit
	Until       time.Time
}

// KeptPlace is a place that is kept for somebody on the waiting list: the capture
// that waits is the hold's CallID.
type KeptPlace struct {
	Hold
	Service string
	Name    string
	Phone   string
}

// Busy is a place that is taken: by an appointment, or by a hold, which has no
// ID and no Service. A time of an outside calendar has Outside alone, and the
// resource whose calendar it is.
type Busy struct {
	ID          ID
	ScheduledAt LocalTime
	Service     string // as the appointment has it
	Visit       Visit
	Outside     Span // zero: it is no outside calendar's
}

// In is the instant at which a clock in the zone shows l: the first one of two.
// It is false when the clock jumps over l, or l is no time; a time it jumps
// over is given as if it did not.
func (l LocalTime) In(zone *time.Location) (time.Time, bool) {
	wall, err := time.Parse(localLayout, string(l))
	if err != nil {
		return time.Time{}, false
	}
	return FirstShowing(wall, zone)
}

// FirstShowing is the first instant at which a clock in the zone shows what
// wall shows, be wall in whatever zone. It is false when the clock never does,
// because it jumps.
func FirstShowing(wall time.Time, zone *time.Location) (time.Time, bool) {
	year, month, day := wall.Date()
	hour, minute, second := wall.Clock()
	at := time.Date(year, month, day, hour, minute, second, 0, zone)
	if h, m, _ := at.Clock(); h != hour || m != minute {
		return at, false
	}
	// When the clock has just been put back, the same is shown by an earlier
	// instant, which has the offset of the hours before.
	_, now := at.Zone()
	_, before := at.Add(-12 * time.Hour).Zone()
	if earlier := at.Add(time.Duration(now-before) * time.Second); before > now && onTheWall(earlier).Equal(onTheWall(at)) {
		return earlier, true
	}
	return at, true
}

// PhoneTail are the last nine digits of a telephone number, by which two ways
// of writing it are the same. Fewer than six tell nobody apart: "".
func PhoneTail(phone string) string {
	var digits []byte
	for i := range len(phone) {
		if c := phone[i]; c >= '0' && c <= '9' {
			digits = append(digits, c)
		}
	}
	if len(digits) < 6 {
		return ""
	}
	return string(digits[max(0, len(digits)-9):])
}
