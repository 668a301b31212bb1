package hearing

import (
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
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
	Now       time.Time           // in the zone of the business
	Language  string              // of the conversation so far
	Expect    Slot                // what the caller was asked for last
	Offered   []string            // the choices as they were said, when Expect is SlotChoice or a service was asked for
	Booking   bool                // an appointment is being arranged: bare dates and times belong to it
	Ordering  bool                // an order is being taken: things may be added to it and left out
	Booked    bool                // an appointment was made in this conversation: "move it" and "cancel it" are about that one
	Trade     frontdesk.Trade     // of the business
	Coming    int                 // how many people the appointment is for that is arranged, or was just made; 0: not known
	Called    string              // the name that stands: who corrects the surname keeps the rest of it
	Wanted    []catalogue.Service // what is being arranged and what waits behind it, where it is several: one may be let go of
	Noted     []string            // what was noted so far: it may be taken back
	Number    string              // the telephone number that stands: who corrects its end keeps the rest of it
	Region    string              // of telephone numbers without a country code: ES
	Catalogue *catalogue.Catalogue
	Standing  dates.Standing // the day and the time that are being arranged
	Mix       *language.Mix  // of the languages that are listened to; nil: all that the house speaks
}

// Heard is what an utterance was understood to say.
type Heard struct {
	Text     string // as it came, in one line
	Language string // its code; "" when the words do not tell
	Pieces   []Piece
	Commands []Command
}

// Piece is a stretch of the utterance with one meaning. Every word that says
// something belongs to one.
type Piece struct {
	Kind PieceKind
	Text string
	At   [2]int
}

// PieceKind is what a piece is.
type PieceKind string

// The kinds of pieces.
const (
	ValuePiece    PieceKind = "value" // of a slot: a day, a name, a service
	AnswerPiece   PieceKind = "answer"
	WishPiece     PieceKind = "wish"
	QuestionPiece PieceKind = "question"
	Condition     PieceKind = "condition"
	Courtesy      PieceKind = "courtesy"
	Remark        PieceKind = "remark"  // to be noted
	MessagePiece  PieceKind = "message" // a reason for calling
)
