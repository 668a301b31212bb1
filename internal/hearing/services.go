package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/language"
)

// serviceReader hears which service is meant.
type serviceReader struct{ *ear }

// How sure a match must be: less when a service was asked for, or something is
// wanted.
const (
	clearMatch = 0.75
	weakMatch  = 0.45
	fullMatch  = 0.9 // all of a name was said
	muchBetter = 0.2 // how far ahead the best must be to stand alone
)

// hearServices hears which service is meant, or which ones may be.
func (e serviceReader) hearServices() {
	if e.Catalogue == nil {
		return
	}
	least := clearMatch
	if e.Booking || e.Expect == SlotService || e.Expect == SlotChoice || e.hears("want", e.words.words) || e.hears("book", e.words.words) {
		least = weakMatch
	}
	e.takeServices(blank(e.Text, e.phoneAt, e.emailAt, e.codeAt), e.language(), least)
	if e.Booking && e.Expect != SlotService && e.Expect != SlotChoice && e.inReason(e.serviceAt) {
		e.Services, e.Unbookable, e.serviceAt = nil, nil, [2]int{}
	}
	if len(e.Services)+len(e.Unbookable) == 0 && e.hears("view_it", e.words.words) {
		e.takeViewing()
		e.serviceAt = [2]int{} // it was not named
	}
}

// takeViewing takes the service of the house by which things are shown, under
// whatever name it has for it.
func (e serviceReader) takeViewing() {
	for _, l := range e.Mix.Languages {
		for _, name := range l.Lines("viewing names") {
			if len(e.Services)+len(e.Unbookable) == 0 {
				e.takeServices(name, l.Code, clearMatch)
			}
		}
	}
}

// takeServices keeps the best match, and those that come close to it.
func (e serviceReader) takeServices(text, lang string, least float64) {
	top := 0.0
	for _, m := range e.Catalogue.FindServices(text, lang) {
		if m.Score < least || top-m.Score >= muchBetter {
			break
		}
		if top == 0 {
			top, e.serviceAt = m.Score, [2]int{m.Start, m.End}
			e.UnsureService = (!m.Sure && m.Score < clearMatch || m.Score < fullMatch && e.accompanies(e.serviceAt)) && e.Expect != SlotService
		}
		if m.Entry.Bookable {
			e.Services = append(e.Services, m.Entry)
		} else {
			e.Unbookable = append(e.Unbookable, m.Entry)
		}
	}
}

// accompanies says whether a place in the text tells with whom, and not what:
// "an hour with a teacher".
func (e serviceReader) accompanies(at [2]int) bool {
	words := e.words.words
	i := slices.IndexFunc(words, func(w language.Token) bool { return w.Start >= at[0] })
	if i < 0 || i+1 < len(words) && words[i+1].Start < at[1] {
		return false // several words say more
	}
	for i > 0 && e.is("determiners", words[i-1].Word) {
		i--
	}
	return i > 0 && e.is("with_whom", words[i-1].Word)
}

// inReason says whether a place in the text is in a clause that tells why: "a las
// nueve, que venimos de la ruta".
func (e serviceReader) inReason(at [2]int) bool {
	reason := false
	for i, w := range e.words.words {
		if w.Start >= at[0] {
			break
		}
		if i > 0 && w.Sentence != e.words.words[i-1].Sentence {
			reason = false
		}
		if e.is("set want", w.Word) {
			reason = false
		} else if _, defines := e.at("defines", e.words.words, i); e.is("reason_words", w.Word) && !defines && i > 0 && !e.is("set want", e.words.words[i-1].Word) && !e.is("no_clause_after", e.words.words[i-1].Word) {
			reason = true
		}
	}
	return reason
}
