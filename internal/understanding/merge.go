package understanding

import (
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
)

// merger decides which commands of the rules' and of a model's count. What comes
// in of the model has been held against the caller's words already; here it is
// only about who is believed.
type merger struct {
	text       string
	expect     hearing.Slot
	background Background
	rules      []hearing.Command
	model      []hearing.Command
}

// merge is what a turn comes to when a model was asked as well. The rules lead:
// their commands come first, but for those that give way. A further wish opens
// behind all that belongs to the first.
func (m merger) merge() []hearing.Command {
	if len(m.model) == 0 {
		return m.rules
	}
	first, further := split(m.rules)
	var all []hearing.Command
	for _, r := range first {
		if !m.givesWay(r) {
			all = append(all, r)
		}
	}
	own, more := split(m.model)
	for _, c := range own {
		if m.joins(c, all) {
			all = append(all, c)
		}
	}
	if len(more) > 1 { // more than the word that opens it
		return append(all, more...)
	}
	return append(all, further...)
}

// split parts the commands of the first wish from all behind it.
func split(commands []hearing.Command) (first, further []hearing.Command) {
	i := slices.IndexFunc(commands, func(c hearing.Command) bool { return c.Do == hearing.DoAnother })
	if i < 0 {
		return commands, nil
	}
	return commands[:i], commands[i:]
}

// givesWay says whether a command of the rules' is overruled.
func (m merger) givesWay(r hearing.Command) bool {
	switch r.Do {
	case hearing.DoYes:
		return m.vetoed()
	case hearing.DoSet, hearing.DoAny, hearing.DoUnknown:
		return m.values(r.Slot) && m.beats(r) || m.excludes(r) || m.onlyTold(r) || m.takesLeave(r)
	case hearing.DoItem:
		return m.has(hearing.DoItem)
	case hearing.DoStart:
		return m.wantsElse(r)
	case hearing.DoAsk:
		return m.has(hearing.DoAsk) || m.covers(r.Text, hearing.DoNote, hearing.DoMessage, hearing.DoSet, hearing.DoPerson)
	case hearing.DoNote:
		return m.covers(r.Text)
	case hearing.DoMessage:
		return m.has(hearing.DoMessage) && (!presses(r) || slices.ContainsFunc(m.model, presses)) // who is in danger is believed
	case hearing.DoChoose:
		return !m.has(hearing.DoChoose) && (m.values(hearing.SlotDate) || m.values(hearing.SlotTime) || m.values(hearing.SlotService))
	case hearing.DoBye:
		return m.has(hearing.DoStart, hearing.DoSet, hearing.DoAsk, hearing.DoItem, hearing.DoMessage)
	}
	return false
}

// wantsElse says whether a task that the rules heard is not what is wanted. They
// know it when they hear it, unless a model hears a message or a question in all
// that was said. Who names what they order, orders.
func (m merger) wantsElse(r hearing.Command) bool {
	other := m.has(hearing.DoStart) && !m.starts(r.Task) && (r.Unsure || m.starts(hearing.Order) && m.has(hearing.DoItem))
	return other || !m.has(hearing.DoStart) && m.covers(m.text, hearing.DoMessage, hearing.DoAsk)
}

// joins says whether a command of the model's is taken, beside those that are.
func (m merger) joins(c hearing.Command, taken []hearing.Command) bool {
	heard := func(verbs ...hearing.Verb) bool { return has(taken, verbs...) }
	switch c.Do {
	case hearing.DoYes:
		return false // nothing is written down but on a yes that the rules have heard
	case hearing.DoNo:
		return !heard(hearing.DoYes, hearing.DoNo) && (has(m.rules, hearing.DoYes) || !m.answered())
	case hearing.DoStart:
		return !heard(hearing.DoStart) && !m.answered()
	case hearing.DoSet, hearing.DoRelate, hearing.DoAny, hearing.DoUnknown:
		return !slices.ContainsFunc(taken, func(t hearing.Command) bool { return t.Do == hearing.DoSet && t.Slot == c.Slot && !m.fromModel(t) })
	case hearing.DoExclude, hearing.DoItem, hearing.DoAsk:
		return true
	case hearing.DoNote, hearing.DoMessage, hearing.DoPerson:
		return !slices.ContainsFunc(taken, func(t hearing.Command) bool { return t.Do == c.Do && t.Text == c.Text })
	case hearing.DoChoose:
		return !m.answered() && !heard(hearing.DoChoose)
	case hearing.DoWait:
		return !heard(hearing.DoYes)
	}
	// Courtesies, "forget it", "say that again": from somebody of whom nothing
	// else was heard.
	return !has(m.rules, hearing.DoStart, hearing.DoSet, hearing.DoItem, hearing.DoAsk, hearing.DoMessage, hearing.DoPerson, hearing.DoYes, hearing.DoNo, hearing.DoChoose)
}

// vetoed says whether the model hears more than a yes: a question, a condition,
// a change, a refusal. That costs the caller one more question; a wrong yes
// would cost an appointment.
func (m merger) vetoed() bool {
	return slices.ContainsFunc(m.model, func(c hearing.Command) bool {
		switch c.Do {
		case hearing.DoNo, hearing.DoWait, hearing.DoAsk, hearing.DoExclude, hearing.DoRelate, hearing.DoDrop, hearing.DoPerson:
			return true
		case hearing.DoSet:
			return !m.known(c)
		}
		return false
	})
}

// known says whether a value is the one that stands already.
func (m merger) known(c hearing.Command) bool {
	b := m.background
	switch c.Slot {
	case hearing.SlotService:
		return c.Value == b.Service
	case hearing.SlotDate:
		return c.When != nil && c.When.Kind == dates.OneDay && c.When.Date == b.Date
	case hearing.SlotTime:
		return c.When != nil && c.When.Kind == dates.AtClock && c.When.Clock == b.Clock
	case hearing.SlotPartySize:
		return c.Value == strconv.Itoa(max(b.Party, 1))
	case hearing.SlotName:
		return c.Value == b.Name
	case hearing.SlotPhone:
		return c.Value == b.Phone
	case hearing.SlotEmail:
		return c.Value == b.Email
	}
	return false
}

// answered says whether the rules have heard an answer to what was asked.
func (m merger) answered() bool {
	return slices.ContainsFunc(m.rules, func(r hearing.Command) bool {
		switch r.Do {
		case hearing.DoYes, hearing.DoNo, hearing.DoChoose:
			return m.expect != hearing.Nothing
		case hearing.DoSet:
			return m.expect != hearing.Nothing && r.Slot == m.expect && !r.Unsure
		}
		return false
	})
}

func (m merger) has(verbs ...hearing.Verb) bool { return has(m.model, verbs...) }

func has(commands []hearing.Command, verbs ...hearing.Verb) bool {
	return slices.ContainsFunc(commands, func(c hearing.Command) bool { return slices.Contains(verbs, c.Do) })
}

// values says whether the model has a value for a slot.
func (m merger) values(slot hearing.Slot) bool {
	return slices.ContainsFunc(m.model, func(c hearing.Command) bool {
		return (c.Do == hearing.DoSet || c.Do == hearing.DoRelate) && c.Slot == slot
	})
}

// beats says whether the model's value for a slot counts more than the rules'.
// Numbers, addresses and codes the rules have right to the figure, or are unsure
// of, or there is no such number. Of the others a model sees better which words
// are meant, and what it brings stands in the line and is read back.
func (m merger) beats(r hearing.Command) bool {
	switch r.Slot {
	case hearing.SlotPhone:
		return r.Unsure || !isNumber(r.Value) && slices.ContainsFunc(m.model, func(c hearing.Command) bool { return c.Slot == hearing.SlotPhone && isNumber(c.Value) })
	case hearing.SlotEmail, hearing.SlotCode:
		return r.Unsure
	}
	return true
}

// takesLeave says whether the model hears nothing but a no or a goodbye to
// "anything else?" where the rules hear one lone value: the "two" of "that's the
// two of us done".
func (m merger) takesLeave(r hearing.Command) bool {
	courtesy := []hearing.Verb{hearing.DoNo, hearing.DoBye, hearing.DoThanks, hearing.DoGreet}
	sets := 0
	for _, c := range m.rules {
		if c.Do == hearing.DoSet {
			sets++
		} else if c.Do != hearing.DoYes && !slices.Contains(courtesy, c.Do) {
			return false
		}
	}
	more := slices.ContainsFunc(m.model, func(c hearing.Command) bool { return !slices.Contains(courtesy, c.Do) })
	return r.Do == hearing.DoSet && sets == 1 && m.background.AskedForMore && m.has(hearing.DoNo, hearing.DoBye) && !more
}

// excludes says whether the model hears a refusal of the value.
func (m merger) excludes(r hearing.Command) bool {
	return slices.ContainsFunc(m.model, func(c hearing.Command) bool {
		return c.Do == hearing.DoExclude && c.Slot == r.Slot && c.When != nil && r.When != nil && agrees(*c.When, *r.When)
	})
}

// onlyTold says whether the model hears a remark, a question, a message or one of
// those offered where the rules hear a value other than the one that stands. Then
// what stands stays.
func (m merger) onlyTold(r hearing.Command) bool {
	if r.Do != hearing.DoSet || !m.stands(r.Slot) || m.known(r) {
		return false
	}
	return m.has(hearing.DoChoose) || m.covers(m.wordsOf(r), hearing.DoNote, hearing.DoAsk, hearing.DoMessage)
}

// presses says whether a command is a message about somebody in danger.
func presses(c hearing.Command) bool {
	return c.Do == hearing.DoMessage && (c.Urgent || c.Topic == hearing.Urgent)
}

// wordsOf are the words of the line that a command of the rules' comes from, as
// far as that is known: else all of them.
func (m merger) wordsOf(r hearing.Command) string {
	if r.At[1] > 0 && r.At[1] <= len(m.text) {
		return m.text[r.At[0]:r.At[1]]
	}
	var names []language.Token
	for _, s := range r.Services {
		for _, name := range append(s.AllNames(), s.Aliases...) {
			names = append(names, language.Tokenize(name)...)
		}
	}
	said := slices.DeleteFunc(language.Tokenize(m.text), func(t language.Token) bool {
		return !slices.ContainsFunc(names, func(name language.Token) bool { return name.Word == t.Word })
	})
	if len(said) == 0 {
		return m.text
	}
	words := make([]string, len(said))
	for i, t := range said {
		words[i] = t.Word
	}
	return strings.Join(words, " ")
}

// stands says whether there is a value for a slot already.
func (m merger) stands(slot hearing.Slot) bool {
	b := m.background
	switch slot {
	case hearing.SlotService:
		return b.Service != ""
	case hearing.SlotDate:
		return !b.Date.IsZero()
	case hearing.SlotTime:
		return b.Timed
	case hearing.SlotPartySize:
		return b.Party > 0
	case hearing.SlotName:
		return b.Name != ""
	}
	return false
}

func (m merger) starts(task hearing.Intent) bool {
	return slices.ContainsFunc(m.model, func(c hearing.Command) bool { return c.Do == hearing.DoStart && c.Task == task })
}

func (m merger) fromModel(c hearing.Command) bool {
	return slices.ContainsFunc(m.model, func(own hearing.Command) bool { return own.Do == c.Do && own.Slot == c.Slot && own.At == c.At })
}

// covers says whether most of the words of a text that say something stand in
// what the model quotes, under one of the verbs; under any when none is given.
func (m merger) covers(text string, verbs ...hearing.Verb) bool {
	said := map[string]bool{}
	for _, c := range m.model {
		if len(verbs) == 0 || slices.Contains(verbs, c.Do) {
			for _, t := range language.Tokenize(c.Text) {
				said[t.Word] = true
			}
		}
	}
	all, in := 0, 0
	for _, t := range language.Tokenize(text) {
		if carries(t) {
			all++
			if said[t.Word] {
				in++
			}
		}
	}
	return all > 0 && in*2 > all
}
