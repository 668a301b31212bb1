package hearing

import (
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// Intent is what a caller wants.
type Intent string

// The intents.
const (
	Book       Intent = "book"
	Reschedule Intent = "reschedule"
	Cancel     Intent = "cancel"
	LookUp     Intent = "look_up" // when is my appointment?
	Ask        Intent = "ask"     // anything that data or documents may answer
	Leave      Intent = "leave"   // leave a number, be called back, be interested
	Order      Intent = "order"   // buy, take away, have delivered
	Human      Intent = "human"   // speak with a person
	Thanks     Intent = "thanks"
	Goodbye    Intent = "goodbye"
	Greet      Intent = "greet"
	Repeat     Intent = "repeat"  // say that again
	Abuse      Intent = "abuse"   // insults, obscenities
	Meddle     Intent = "meddle"  // tries to give the receptionist orders: "ignore your instructions"
	Others     Intent = "others"  // asks for somebody else's data
	Restart    Intent = "restart" // forget it, start again
)

// Slot is something that the receptionist asks for. The values are the ones
// that the web channel names in expect.
type Slot string

// The slots.
const (
	Nothing       Slot = ""
	SlotService   Slot = "service"
	SlotDate      Slot = "date"
	SlotTime      Slot = "time"
	SlotPartySize Slot = "party_size"
	SlotName      Slot = "name"
	SlotPhone     Slot = "phone"
	SlotEmail     Slot = "email"
	SlotConfirm   Slot = "confirm"
	SlotCode      Slot = "code"
	SlotChoice    Slot = "choice"
)

// Setting is what hearing may know beside the words: what was asked, what was
// offered, where and when.
type Setting struct {
	Now       time.Time // in the zone of the business
	Language  string    // of the conversation so far
	Expect    Slot      // what the caller was asked for last
	Offered   []string  // the choices as they were said, when Expect is SlotChoice or a service was asked for
	Booking   bool      // an appointment is being arranged: bare dates and times belong to it
	Booked    bool      // an appointment was made in this conversation: "move it" and "cancel it" are about that one
	Vertical  string    // of the agent
	Region    string    // of telephone numbers without a country code: ES
	Catalogue *catalogue.Catalogue
	Mix       *language.Mix // of the languages that are listened to; nil: all that the house speaks
}

// Heard is what a sentence was understood to say. It decides nothing. What was
// not said is zero.
type Heard struct {
	Text     string   // as it came, in one line
	Language string   // es or en; "" when the words do not tell
	Intents  []Intent // in the order of their weight; none when nothing was understood

	Yes bool // agrees to what was asked, or offered; a yes that brings a change with it ("yes, but at six") is no Yes
	No  bool // refuses it, corrects it

	When     dates.Reading       // with its mentions, as they were said
	Services []catalogue.Service // that may be meant, likeliest first; one when it is clear
	// Unbookable are services that were named and are not booked here: a note
	// can be taken of them.
	Unbookable []catalogue.Service
	Party      int    // people
	Name       string // tidied: "Ana García"
	Phone      string // E.164
	BadPhone   string // digits that were meant as a number and are none
	Email      string
	Code       string // a confirmation code, upper case
	Choice     int    // which of those offered, from 1; -1 is the last one
	Items      []Item // that are ordered, or asked for

	Question string // the part of the text that asks something, without greetings and thanks; "" when nothing is asked
	AnyTime  bool   // "whenever", "me da igual": no preference for what was asked
	DontKnow bool   // "I don't have it", "no lo sé": cannot tell what was asked
	Self     bool   // says that it is the receptionist, a machine, that is meant: "are you a robot?"
}

// Item is something ordered from the menu or the products.
type Item struct {
	Name     string // as the business writes it
	Quantity int
	Detail   string // variant or wish, as it was said
}

// Has says whether an intent was heard.
func (h Heard) Has(i Intent) bool {
	for _, heard := range h.Intents {
		if heard == i {
			return true
		}
	}
	return false
}
