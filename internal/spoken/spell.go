package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// speller says words letter by letter.
type speller struct{ *speaker }

// longestName is how many letters of a name are spelled at most.
const longestName = 40

// code spells the confirmation code, each letter with a word. Where it stands a
// second time it is said by its letters alone.
func (s speller) code() bool {
	end := s.at + len(s.Code)
	if s.Code == "" || !strings.HasPrefix(s.in[s.at:], s.Code) || isWordRune(s.next(end)) {
		return false
	}
	said := s.fits(end, func() { s.spell(s.Code, !s.coded) }) || s.fits(end, func() { s.spell(s.Code, false) })
	if said {
		s.at, s.coded = end, true
	}
	return said
}

// fits spells what ends at end, and takes it back if that would be far longer than
// the text.
func (s speller) fits(end int, spell func()) bool {
	before := len(s.out)
	spell()
	if len(s.out) > most(end-s.grown) {
		s.out = s.out[:before]
		return false
	}
	return true
}

// spell says a word letter by letter.
func (s speller) spell(word string, clear bool) {
	first := true
	for _, r := range word {
		if !isWordRune(r) {
			continue
		}
		if !first {
			s.out = append(s.out, ',')
		}
		first = false
		s.space()
		s.out = append(s.out, s.letter(r, clear)...)
	}
}

// letter is what a letter is called.
func (s speller) letter(r rune, clear bool) string {
	r = unicode.ToLower(r)
	l, ok := s.letters[r]
	if !ok {
		l, ok = s.letters[withoutAccent(r)]
	}
	switch {
	case !ok:
		return string(unicode.ToUpper(r))
	case clear && l.clear != "":
		return l.clear
	}
	return l.name
}

// name spells a name that stands behind words that lead to one, after a "no".
func (s speller) name() bool {
	if !s.Slow || !unicode.IsUpper(s.next(s.at)) || !s.led() {
		return false
	}
	limit := min(len(s.in), s.at+2*longestName)
	end := s.at + strings.IndexAny(s.in[s.at:limit]+".", ",.;:?!\n\"»")
	end = min(end, len(s.in))
	name := s.in[s.at:end]
	if name == "" || utf8.RuneCountInString(name) > longestName || strings.ContainsAny(name, "0123456789@") {
		return false
	}
	if !s.fits(end, func() { s.spelled(strings.TrimSpace(name)) }) {
		return false
	}
	s.at = end
	return true
}

// spelled says a name, and then its letters.
func (s speller) spelled(name string) {
	before, after, _ := strings.Cut(s.say("spelled", "name", name), "{letters}")
	s.put(strings.TrimSpace(before))
	for i, part := range strings.Fields(name) {
		if i > 0 {
			s.out = append(s.out, ';')
		}
		s.spell(part, false)
	}
	s.put(strings.TrimSpace(after))
}

// led says whether the words just before lead to a name.
func (s speller) led() bool {
	before := strings.TrimRight(s.in[max(0, s.at-40):s.at], " ")
	for _, lead := range s.leads {
		if n := len(before) - len(lead); n >= 0 && strings.EqualFold(before[n:], lead) {
			return true
		}
	}
	return false
}

// withoutAccent is the letter that an accent stands on.
func withoutAccent(r rune) rune {
	plain, _ := utf8.DecodeRuneInString(language.Fold(string(r)))
	return plain
}
