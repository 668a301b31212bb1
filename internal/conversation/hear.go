package conversation

import (
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/understanding"
)

// What is heard, under the names that this package uses most.
type (
	Slot    = hearing.Slot
	Intent  = hearing.Intent
	Gist    = hearing.Gist
	Item    = hearing.Item
	Setting = hearing.Setting
)

// The slots.
const (
	Nothing       = hearing.Nothing
	SlotService   = hearing.SlotService
	SlotDate      = hearing.SlotDate
	SlotTime      = hearing.SlotTime
	SlotPartySize = hearing.SlotPartySize
	SlotName      = hearing.SlotName
	SlotPhone     = hearing.SlotPhone
	SlotEmail     = hearing.SlotEmail
	SlotConfirm   = hearing.SlotConfirm
	SlotCode      = hearing.SlotCode
	SlotChoice    = hearing.SlotChoice
)

// The intents.
const (
	Book       = hearing.Book
	Reschedule = hearing.Reschedule
	Cancel     = hearing.Cancel
	LookUp     = hearing.LookUp
	Ask        = hearing.Ask
	Leave      = hearing.Leave
	Order      = hearing.Order
	Human      = hearing.Human
	Thanks     = hearing.Thanks
	Goodbye    = hearing.Goodbye
	Greet      = hearing.Greet
	Repeat     = hearing.Repeat
	Abuse      = hearing.Abuse
	Meddle     = hearing.Meddle
	Others     = hearing.Others
	Restart    = hearing.Restart
)

// background is what a line is understood against.
func (s State) background() understanding.Background {
	task := s.Task
	return understanding.Background{
		Task: task.Kind, Service: task.Service, Date: task.Date, Clock: task.Clock, Timed: task.Timed, Party: task.Party, Own: task.Own.At,
		Name: s.Person.Name, Phone: s.Person.Phone, Email: s.Person.Email,
		AskedForMore: s.Offer == OfferMore, Lines: s.Lines,
	}
}

// spoken are the words of a set, in any language.
func spoken(set string) language.Set { return language.MixOf().Words(set) }
