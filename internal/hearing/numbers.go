package hearing

import (
	"strconv"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/language"
)

// Figures are those of a text, without what stands between them.
func Figures(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// isFigures says whether a word is written in figures alone.
func isFigures(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// number is the value of a word of a section of numbers.
func (e *ear) number(section, word string) (int, bool) {
	value, ok := e.Mix.Value(section, word)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(value)
	return n, err == nil
}

// counts is the value of a word that people count people and things with.
func (e *ear) counts(word string) (int, bool) {
	const most = 59
	if n, ok := e.number("cardinals", word); ok && n > 0 && n <= most {
		return n, true
	}
	return e.number("quantities", word)
}

func (e *ear) isNumberWord(w string) bool {
	_, small := e.counts(w)
	return small || e.digits(w) != ""
}

// digits are the figures that a word stands for when a telephone number is read
// out.
func (e *ear) digits(word string) string {
	for _, section := range []string{"cardinals", "digits"} {
		if value, ok := e.Mix.Value(section, word); ok {
			return value
		}
	}
	return ""
}

// numberAt reads the number that begins at word i, and says how many words it
// takes; 0 when there is none.
func (e *ear) numberAt(words []language.Token, i int) (n, taken int) {
	if i >= len(words) {
		return 0, 0
	}
	w := words[i].Word
	if words[i].Figures {
		if len(w) > 4 {
			return 0, 0
		}
		n, _ = strconv.Atoi(w)
		return n, 1
	}
	n, ok := e.counts(w)
	if !ok {
		return 0, 0
	}
	if n%10 != 0 || n < 20 {
		return n, 1
	}
	at := i + 1
	if at < len(words) && e.is("between_numbers", words[at].Word) { // treinta y cinco
		at++
	}
	if at < len(words) && !words[at].Figures {
		if unit, ok := e.number("cardinals", words[at].Word); ok && unit > 0 && unit < 10 {
			return n + unit, at + 1 - i
		}
	}
	return n, 1
}
