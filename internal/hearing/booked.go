package hearing

import "frontdesk.dev/frontdesk/internal/language"

// What is said of the appointment that was just made. Without one, the same
// words may be about anything: "muévela" is then no wish to move a booking.

// ofBooked is what a part wants done with the appointment that was just made,
// "" when it is not about that one.
func (e intentReader) ofBooked(part []language.Token) Intent {
	switch {
	case !e.Booked || e.Booking:
		return ""
	case e.hears("cancel_it", part):
		return Cancel
	case e.hears("move_it", part), e.mentioned(part) && e.hears("change_it", part) && !e.hears("hours", part):
		return Reschedule
	}
	return ""
}
