package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// additionReader hears what is added to what was read back, or written down.
type additionReader struct{ questionReader }

// takeAddition marks what a part says was left out of what was read back, or is to be
// added to what was written down: "you forgot the gate code", "nothing else, only that
// the dog is loose". It says whether the part holds nothing else. A value of a slot is
// a correction and no addition.
func (e additionReader) takeAddition(part []language.Token) bool {
	if e.Expect != SlotConfirm && (!e.Booked || e.Expect != Nothing) {
		return false
	}
	from, to, ok := e.find("additions", part)
	if !ok || e.contentWords(part[to:]) == 0 {
		return false
	}
	if e.is("determiners", part[to-1].Word) {
		to-- // it belongs to what is noted
	}
	rest := e.withoutLeave(part[to:])
	if e.contentWords(rest) == 0 {
		return false
	}
	at := [2]int{rest[0].Start, rest[len(rest)-1].End}
	if e.namesSlot(rest) || e.holdsSlot(at) {
		return false
	}
	e.apartAt, e.placesAt = append(e.apartAt, at), append(e.placesAt, at)
	e.dropTold(rest)
	e.Yes, e.DontKnow, e.Waits = false, false, false
	return e.onlyFillers(part[:from]) || e.contentWords(part[:from]) == 0
}

// withoutLeave are the words of a note without the thanks and the goodbye behind it.
func (e additionReader) withoutLeave(words []language.Token) []language.Token {
	for i := 1; i < len(words); i++ {
		to, ok := e.at("goodbye", words, i)
		if !ok {
			to, ok = e.at("thanks", words, i)
		}
		if ok && words[i].Start > words[i-1].End && e.contentWords(words[to:]) == 0 {
			return words[:i]
		}
	}
	return words
}

// namesSlot says whether words begin with what is asked for: who misses their name
// wants to give it.
func (e additionReader) namesSlot(words []language.Token) bool {
	for _, w := range words {
		_, slot := e.Mix.Value("slot_names", w.Word)
		if slot || e.contentWords([]language.Token{w}) > 0 {
			return slot
		}
	}
	return false
}

// holdsSlot says whether a day, a time, a name or a number is told within a stretch.
func (e additionReader) holdsSlot(at [2]int) bool {
	inside := func(s [2]int) bool { return s[1] > s[0] && s[0] >= at[0] && s[1] <= at[1] }
	when := slices.ContainsFunc(e.When.Mentions, func(m dates.Mention) bool { return !m.Negated && inside([2]int{m.Start, m.End}) })
	return when || e.Name != "" && inside(e.nameAt) || e.Phone != "" && inside(e.phoneAt) || e.Email != "" && inside(e.emailAt)
}

// dropTold lets go of a service and of people that are only spoken of in what is to be
// noted: "add that two of us are vegan". Who says nothing behind how many they are
// counts them.
func (e additionReader) dropTold(words []language.Token) {
	at := [2]int{words[0].Start, words[len(words)-1].End}
	inside := func(s [2]int) bool { return s[1] > s[0] && s[0] >= at[0] && s[1] <= at[1] }
	arranged := e.Expect == SlotConfirm || e.Booked
	if arranged && inside(e.serviceAt) {
		e.Services, e.Unbookable, e.UnsureService, e.serviceAt = nil, nil, false, [2]int{}
	}
	behind := slices.DeleteFunc(slices.Clone(words), func(w language.Token) bool {
		return w.Start < e.partyAt[1] || e.is("people", w.Word)
	})
	if arranged && inside(e.partyAt) && e.contentWords(behind) > 0 {
		e.Party, e.partyAt = 0, [2]int{}
	}
}

// refersBack says whether a part only asks for what was told before it to be written
// down.
func (e additionReader) refersBack(part []language.Token) bool {
	from, to, ok := e.find("notes_before", part)
	return ok && e.onlyFillers(part[:from]) && e.onlyFillers(part[to:])
}
