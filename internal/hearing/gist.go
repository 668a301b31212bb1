package hearing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
)

// Gist is what the commands of one wish come to, slot by slot. What was not said
// is zero.
type Gist struct {
	Text     string   // as it came, in one line
	Language string   // its code; "" when the words do not tell
	Intents  []Intent // in the order of their weight; none when nothing was understood

	Yes bool // agrees to what was asked, or offered; a yes that brings a change with it ("yes, but at six") is no Yes
	No  bool // refuses it, corrects it

	When     dates.Reading       // with its mentions, as they were said
	Services []catalogue.Service // that may be meant, likeliest first; one when it is clear
	// Unbookable are services that were named and are not booked here: a note
	// can be taken of them.
	Unbookable []catalogue.Service
	// UnsureService: the one service may be meant, and is asked about.
	UnsureService bool
	// Same are the slots that are to be as with the appointment before: another
	// one of the same, the same day, and right after it.
	Same    []Slot
	Swapped bool  // the service is wanted in the place of the one that stands
	Dropped []int // those of the services that were wanted which are not any more, counted from 0
	Party   int   // people
	// MaybeParty are people, unless the time is meant that was read of the same number.
	MaybeParty int
	Name       string // tidied: "Ana García"
	Phone      string // E.164
	BadPhone   string // digits that were meant as a number and are none
	Email      string
	Code       string   // a confirmation code, upper case
	Choice     int      // which of those offered, from 1; -1 is the last one
	Items      []Item   // that are ordered, or asked for
	Unlisted   []string // what is ordered and the house does not list, as it was said

	Notes    []string  // what was said beside the slots and whoever serves them must know, in the caller's words
	Asides   []string  // what was told besides: kept, and not said back
	Forgets  []string  // notes that are taken back, as they were noted
	Messages []Command // reasons for calling that are no booking and no question
	Waits    bool      // "hold on", "let me think"

	Question string // the part of the text that asks something, without greetings and thanks; "" when nothing is asked
	// Questions are those that Question is made of, where it is more than one.
	Questions []string
	AnyTime   bool // "whenever", "me da igual": no preference for what was asked
	DontKnow  bool // "I don't have it", "no lo sé": cannot tell what was asked
	Self      bool // asks whether this is a machine: "are you a robot?"
}

// Item is something ordered from the menu or the products.
type Item struct {
	Name     string // as the business writes it; of one that is left out, as it was said
	Quantity int
	Counted  bool   // the quantity was said
	Detail   string // variant or wish, as it was said
	Less     bool   // it is to be left out of the order
	Part     bool   // so many of what is ordered already; Name is what it was called, or ""
}

// command is what an item comes to. One that nobody counted has no quantity.
func (i Item) command() Command {
	c := Command{Do: DoItem, Value: i.Name, Text: i.Detail, Less: i.Less, Part: i.Part}
	if i.Counted {
		c.Quantity = i.Quantity
	}
	return c
}

// Has says whether an intent was heard.
func (h Gist) Has(i Intent) bool {
	for _, heard := range h.Intents {
		if heard == i {
			return true
		}
	}
	return false
}

// wants are the commands that say what a caller wants, with the intents that
// they stand for.
var wants = []struct {
	do     Verb
	intent Intent
}{
	{DoAsk, Ask},
	{DoPerson, Human},
	{DoThanks, Thanks},
	{DoBye, Goodbye},
	{DoGreet, Greet},
	{DoRepeat, Repeat},
	{DoAbuse, Abuse},
	{DoMeddle, Meddle},
	{DoOthers, Others},
	{DoDrop, Restart},
}

// commands are what a gist comes to, in an order that keeps what leads before
// what belongs to it.
func (g Gist) commands() []Command {
	all := g.intentCommands()
	for i := range g.When.Mentions {
		all = append(all, whenCommand(&g.When.Mentions[i]))
	}
	all = append(all, g.slotCommands()...)
	for _, item := range g.Items {
		all = append(all, item.command())
	}
	for _, text := range g.Unlisted {
		all = append(all, Command{Do: DoItem, Text: text, Unlisted: true})
	}
	for _, note := range g.Notes {
		all = append(all, Command{Do: DoNote, Text: note})
	}
	for _, aside := range g.Asides {
		all = append(all, Command{Do: DoNote, Text: aside, Aside: true})
	}
	for _, note := range g.Forgets {
		all = append(all, Command{Do: DoForget, Text: note})
	}
	for _, n := range g.Dropped {
		all = append(all, Command{Do: DoLetGo, Value: strconv.Itoa(n)})
	}
	if g.AnyTime {
		all = append(all, Command{Do: DoAny})
	}
	if g.DontKnow {
		all = append(all, Command{Do: DoUnknown})
	}
	if g.Self {
		all = append(all, Command{Do: DoSelf})
	}
	if g.Waits {
		all = append(all, Command{Do: DoWait})
	}
	if g.Choice != 0 {
		all = append(all, Command{Do: DoChoose, Value: strconv.Itoa(g.Choice)})
	}
	if g.Yes {
		all = append(all, Command{Do: DoYes})
	}
	if g.No {
		all = append(all, Command{Do: DoNo})
	}
	return all
}

func (g Gist) intentCommands() (all []Command) {
	for _, i := range g.Intents {
		switch i {
		case Book, Reschedule, Cancel, LookUp, Order:
			all = append(all, Command{Do: DoStart, Task: i})
		case Leave:
			all = append(all, Command{Do: DoMessage, Topic: Callback})
		case Ask:
			for _, question := range g.asked() {
				all = append(all, Command{Do: DoAsk, Text: question})
			}
		default:
			for _, w := range wants {
				if w.intent == i {
					all = append(all, Command{Do: w.do})
				}
			}
		}
	}
	return append(all, g.Messages...)
}

// asked is what is asked, one question after the other.
func (g Gist) asked() []string {
	foreign := func(question string) bool { return !strings.Contains(g.Question, question) }
	if len(g.Questions) > 1 && !slices.ContainsFunc(g.Questions, foreign) {
		return g.Questions
	}
	return []string{g.Question}
}

// whenCommand is one mention of a day or a time.
func whenCommand(m *dates.Mention) Command {
	c := Command{Do: DoSet, Slot: SlotTime, When: m, At: [2]int{m.Start, m.End}}
	if m.Kind == dates.OneDay || m.Kind == dates.Days {
		c.Slot = SlotDate
	}
	if m.Negated {
		c.Do = DoExclude
	}
	return c
}

func (g Gist) slotCommands() (all []Command) {
	if len(g.Services) > 0 {
		all = append(all, Command{Do: DoSet, Slot: SlotService, Services: g.Services, Unsure: len(g.Services) > 1 || g.UnsureService, Instead: g.Swapped})
	}
	if len(g.Unbookable) > 0 {
		all = append(all, Command{Do: DoSet, Slot: SlotService, Services: g.Unbookable, Unsure: len(g.Unbookable) > 1})
	}
	for _, slot := range g.Same {
		all = append(all, Command{Do: DoRelate, Slot: slot})
	}
	if g.Party > 0 {
		all = append(all, Command{Do: DoSet, Slot: SlotPartySize, Value: strconv.Itoa(g.Party)})
	}
	if g.MaybeParty > 0 {
		all = append(all, Command{Do: DoSet, Slot: SlotPartySize, Value: strconv.Itoa(g.MaybeParty), Unsure: true})
	}
	for _, s := range []struct {
		slot   Slot
		value  string
		unsure bool
	}{{SlotName, g.Name, false}, {SlotPhone, g.Phone, false}, {SlotPhone, g.BadPhone, true}, {SlotEmail, g.Email, false}, {SlotCode, g.Code, false}} {
		if s.value != "" {
			all = append(all, Command{Do: DoSet, Slot: s.slot, Value: s.value, Unsure: s.unsure})
		}
	}
	return all
}

// Gist is what the commands of the first wish come to.
func (h Heard) Gist() Gist {
	first, _ := Wishes(h.Commands)
	g := GistOf(first)
	g.Text, g.Language = h.Text, h.Language
	return g
}

// Wishes parts the commands of the first wish from those of the further ones.
func Wishes(commands []Command) (first []Command, further [][]Command) {
	for _, c := range commands {
		switch {
		case c.Do == DoAnother:
			c.Do = DoStart
			further = append(further, []Command{c})
		case len(further) > 0:
			further[len(further)-1] = append(further[len(further)-1], c)
		default:
			first = append(first, c)
		}
	}
	return first, further
}

// GistOf is what commands come to.
func GistOf(commands []Command) Gist {
	var g Gist
	for _, c := range commands {
		g.add(c)
	}
	slices.SortStableFunc(g.Intents, func(a, b Intent) int { return cmp.Compare(slices.Index(order, a), slices.Index(order, b)) })
	return g
}

func (g *Gist) add(c Command) {
	switch c.Do {
	case DoStart:
		g.want(c.Task)
	case DoMessage:
		g.addMessage(c)
	case DoSet, DoExclude, DoRelate:
		g.set(c)
	case DoItem:
		if c.Unlisted {
			g.Unlisted = append(g.Unlisted, c.Text)
			return
		}
		g.Items = append(g.Items, Item{Name: c.Value, Quantity: max(c.Quantity, 1), Counted: c.Quantity > 0, Detail: c.Text, Less: c.Less, Part: c.Part})
	case DoNote:
		if c.Aside {
			g.Asides = append(g.Asides, c.Text)
		} else {
			g.Notes = append(g.Notes, c.Text)
		}
	case DoForget:
		g.Forgets = append(g.Forgets, c.Text)
	case DoLetGo:
		n, _ := strconv.Atoi(c.Value)
		g.Dropped = append(g.Dropped, n)
	case DoAny:
		g.AnyTime = true
	case DoUnknown:
		g.DontKnow = true
	case DoSelf:
		g.Self = true
	case DoWait:
		g.Waits = true
	case DoYes:
		g.Yes = true
	case DoNo:
		g.No = true
	case DoChoose:
		g.Choice, _ = strconv.Atoi(c.Value)
	case DoAsk:
		g.want(Ask)
		g.Question = strings.TrimSpace(g.Question + " " + c.Text)
		g.Questions = append(g.Questions, c.Text)
	default:
		for _, w := range wants {
			if w.do == c.Do {
				g.want(w.intent)
			}
		}
	}
}

func (g *Gist) addMessage(c Command) {
	if c.Topic == Callback {
		g.want(Leave)
	}
	if c.Topic != Callback || c.Text != "" {
		g.Messages = append(g.Messages, c)
	}
}

func (g *Gist) want(i Intent) {
	if !slices.Contains(g.Intents, i) {
		g.Intents = append(g.Intents, i)
	}
}

// set takes a value for a slot.
func (g *Gist) set(c Command) {
	if c.Do == DoRelate && c.When == nil {
		g.Same = append(g.Same, c.Slot)
		return
	}
	switch c.Slot {
	case SlotService:
		g.Swapped = g.Swapped || c.Instead
		for _, s := range c.Services {
			if s.Bookable {
				g.UnsureService = c.Unsure && len(c.Services) == 1
				g.Services = append(g.Services, s)
			} else {
				g.Unbookable = append(g.Unbookable, s)
			}
		}
	case SlotDate, SlotTime:
		if c.When != nil {
			g.When.Mentions = append(g.When.Mentions, *c.When)
		}
	case SlotPartySize:
		n, _ := strconv.Atoi(c.Value)
		if c.Unsure {
			g.MaybeParty = n
		} else {
			g.Party = n
		}
	case SlotName:
		g.Name = c.Value
	case SlotPhone:
		if c.Unsure {
			g.BadPhone = c.Value
		} else {
			g.Phone = c.Value
		}
	case SlotEmail:
		g.Email = c.Value
	case SlotCode:
		g.Code = c.Value
	}
}
