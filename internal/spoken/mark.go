package spoken

import (
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// markReader says what is neither letter nor figure.
type markReader struct{ *speaker }

// mark says a mark as a word, as a pause, or not at all.
func (s markReader) mark(r rune, size int) {
	switch {
	case isDash(r):
		s.dash(size)
	case r == '/':
		s.slash()
	case r == '.':
		s.stop()
	case (r == '+' || r == '(') && s.number(), s.amounts().moneyBefore(size), s.half(size):
	default:
		before := lastRune(s.in[:s.at])
		s.at += size
		if !s.punctuation(r, before) {
			s.sign(r, before, s.next(s.at))
		}
	}
}

// number says a telephone number that begins with a mark.
func (s markReader) number() bool {
	after := s.next(s.at + 1)
	return (unicode.IsDigit(after) || after == '(') && s.phones().phone()
}

// half says a fraction that is one sign.
func (s markReader) half(size int) bool {
	said := s.fractions[s.in[s.at:s.at+size]]
	if said == "" {
		return false
	}
	s.at += size
	s.puts(said)
	return true
}

// punctuation says whether a mark, which has been read, was one of punctuation.
func (s markReader) punctuation(r, before rune) bool {
	after := s.next(s.at)
	switch r {
	case '¿', '¡':
		s.open(r)
	case '!', '?', ',', ';':
		s.pause(byte(r))
	case ':':
		if unicode.IsDigit(before) && unicode.IsDigit(after) {
			s.space()
		} else {
			s.pause(':')
		}
	case '(', ')', '[', ']', '{', '}', '|', '•', '·', '→', '=':
		s.pause(',')
	case '…':
		s.ellipsis()
	case '\'', '’':
		if unicode.IsLetter(before) && unicode.IsLetter(after) {
			s.out = append(s.out, '\'')
		}
	case '"', '«', '»', '“', '”', '„', '‹', '›', '‘', '`', '´', '*':
	default:
		return false
	}
	return true
}

// sign says a sign by its name, or passes over it.
func (s markReader) sign(r, before, after rune) {
	apart := !isWordRune(before)
	switch {
	case r == '&':
		s.puts(s.say("and"))
	case r == '+' && (after == ' ' || isWordRune(after)):
		s.puts(s.say("plus"))
	case r == '#' && apart && unicode.IsDigit(after):
		s.puts(s.say("number"))
	case r == '@' && apart && unicode.IsLetter(after):
		s.puts(s.say("at_sign"))
	case r == '×' && unicode.IsDigit(before):
		s.puts(s.say("by"))
	case unicode.Is(unicode.Sc, r) && (before == ' ' || !apart):
		s.puts(s.voice.money[string(r)].at(1))
	default:
		s.silent(r, before)
	}
}

// silent passes over a sign, which divides words unless it is part of one.
func (s markReader) silent(r, before rune) {
	switch {
	case isMark(r) && unicode.IsLetter(before) || unicode.IsDigit(r):
		s.out = utf8.AppendRune(s.out, r)
	case r != zeroWidthJoiner && r != emojiStyle:
		s.space()
	}
}

// What holds the parts of one picture together.
const (
	zeroWidthJoiner = '\u200d'
	emojiStyle      = '\ufe0f'
)

// open writes a mark that opens a sentence.
func (s markReader) open(r rune) {
	s.space()
	if !opening(s.out) {
		s.out = utf8.AppendRune(s.out, r)
	}
}

// ellipsis ends a sentence, or is a pause within it.
func (s markReader) ellipsis() {
	for s.at < len(s.in) && s.in[s.at] == '.' {
		s.at++
	}
	rest := spacesEnd(s.in, s.at)
	if r := s.next(rest); rest == len(s.in) || unicode.IsUpper(r) || r == '¿' || r == '¡' {
		s.pause('.')
	} else {
		s.pause(',')
	}
}

// stop reads a full stop: the end of a sentence, unless it stands inside a word
// or between initials.
func (s markReader) stop() {
	before, size := utf8.DecodeLastRuneInString(s.in[:s.at])
	if s.at++; s.next(s.at) == '.' {
		s.ellipsis()
		return
	}
	after := s.next(s.at)
	initial := unicode.IsUpper(before) && !isWordRune(lastRune(s.in[:s.at-1-size]))
	switch {
	case isWordRune(before) && isWordRune(after):
		if unicode.IsUpper(after) && !initial && unicode.IsLetter(before) {
			s.pause('.')
		}
		s.space()
	default:
		s.pause('.')
	}
}

func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

// dash reads a dash: "to" between figures and days of the week, a part of a word
// between letters, else a pause.
func (s markReader) dash(size int) {
	hyphen := s.in[s.at] == '-'
	before := lastRune(s.in[:s.at])
	s.at += size
	after := s.next(s.at)
	next := spacesEnd(s.in, s.at)
	end := wordEnd(s.in, next)
	word, _ := s.lastWord()
	switch {
	case unicode.IsDigit(before) && unicode.IsDigit(after),
		end-next < 32 && s.weekdays[language.Fold(word)] && s.weekdays[language.Fold(s.in[next:end])]:
		s.at = next
		s.puts(s.say("to"))
	case hyphen && unicode.IsLetter(before) && unicode.IsLetter(after):
		s.out = append(s.out, '-')
	case isWordRune(before) && isWordRune(after) && hyphen:
		s.space()
	case !isWordRune(before) && isWordRune(after) && hyphen:
	default:
		s.pause(',')
	}
}

// slash reads a slash between words as "or"; an ending behind it is not said.
func (s markReader) slash() {
	before := lastRune(s.in[:s.at])
	s.at++
	next := spacesEnd(s.in, s.at)
	after := s.next(next)
	end := wordEnd(s.in, next)
	switch {
	case unicode.IsLetter(before) && next == s.at && end-next < 4 && s.is("endings", s.in[next:end]):
		s.at = end
	case unicode.IsDigit(before) && unicode.IsDigit(after) || !isWordRune(after):
		s.space()
	case isWordRune(before) || before == ' ':
		s.puts(s.say("or"))
	default:
		s.space()
	}
}
