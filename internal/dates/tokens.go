package dates

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word or a number. What stands between it and the one before is
// kept as its gap, for "8:30", "8.30" and "8, 30" are not the same.
type token struct {
	word       string // folded: lower case, no accents
	start, end int
	gap        gap
	value      int  // of digits; -1 for words
	weekday    int  // the day of the week that the word may name, or -1
	month      int  // the month, or 0
	price      bool // a currency or another sign stands by it
	taken      bool // belongs to something that is no time: a telephone number
}

type gap int

const (
	glued gap = iota
	space
	dash
	colon
	dot
	slash
	comma
	stop // the end of a sentence, or brackets
)

// soft says whether words on both sides may belong to one expression.
func (g gap) soft() bool { return g <= dash }

// most is how many tokens are looked at; nobody says more in one breath.
const most = 600

func tokenise(text string) []token {
	toks := make([]token, 0, 16)
	last := 0
	for i := 0; i < len(text) && len(toks) < most; {
		c, size := utf8.DecodeRuneInString(text[i:])
		if !wordy(c) {
			i += size
			continue
		}
		t := next(text, i)
		t.weekday, t.month = -1, 0
		if t.value < 0 {
			t.weekday, t.month = namedBy(t.word)
		}
		t.gap, t.price = gapOf(text[last:i], len(toks) == 0)
		if len(toks) > 0 && !t.price && priceBehind(text[last:i]) {
			toks[len(toks)-1].price = true
		}
		if len(toks) > 0 && t.gap == stop && abbreviated(toks[len(toks)-1].word) && strings.TrimSpace(text[last:i]) == "." {
			t.gap = space
		}
		toks = append(toks, t)
		i, last = t.end, t.end
	}
	if len(toks) > 0 && priceBehind(text[last:]) {
		toks[len(toks)-1].price = true
	}
	return toks
}

// abbreviated says whether a full stop behind the word only shortens it.
func abbreviated(word string) bool {
	_, month := shortMonths[word]
	_, weekday := shortWeekdays[word]
	return month || weekday
}

func wordy(c rune) bool { return unicode.IsLetter(c) || '0' <= c && c <= '9' || c == 'º' || c == 'ª' }

// next is the word or the number that begins at i. Letters and digits never
// share a token: "8pm" is two.
func next(text string, i int) token {
	t := token{start: i, end: i, value: -1}
	if c := text[i]; '0' <= c && c <= '9' {
		t.value = 0
		for t.end < len(text) && '0' <= text[t.end] && text[t.end] <= '9' {
			t.value = min(10*t.value+int(text[t.end]-'0'), 1<<30)
			t.end++
		}
		t.word = text[i:t.end]
		return t
	}
	plain := true
	for t.end < len(text) {
		c, size := utf8.DecodeRuneInString(text[t.end:])
		if !unicode.Is(unicode.Mn, c) && (!wordy(c) || '0' <= c && c <= '9') {
			break
		}
		plain = plain && 'a' <= c && c <= 'z'
		t.end += size
	}
	if t.word = text[i:t.end]; !plain {
		t.word = fold(t.word)
	}
	return t
}

var unaccented = strings.NewReplacer(
	"á", "a", "à", "a", "â", "a", "ä", "a", "ã", "a", "ª", "a", "é", "e", "è", "e", "ê", "e", "ë", "e",
	"í", "i", "ì", "i", "î", "i", "ï", "i", "ó", "o", "ò", "o", "ô", "o", "ö", "o", "õ", "o", "º", "o",
	"ú", "u", "ù", "u", "û", "u", "ü", "u", "ñ", "n", "ç", "c",
)

func fold(word string) string {
	word = strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			return -1
		}
		return unicode.ToLower(c)
	}, word)
	return unaccented.Replace(word)
}

// gapOf says what kind of gap s is, and whether a currency stands right before
// what follows it.
func gapOf(s string, first bool) (g gap, price bool) {
	price = strings.ContainsAny(s, "$€£#+") && !strings.HasSuffix(s, " ")
	switch {
	case first:
		return stop, price
	case s == "":
		return glued, false
	case strings.ContainsAny(s, ";?!()\n…¿¡—–|\"") && strings.Trim(s, "\"") != "":
		return stop, price
	case strings.Contains(s, ","):
		return comma, price
	case strings.Contains(s, ":"):
		return colon, price
	case strings.Contains(s, "/"):
		return slash, price
	case s == ".":
		return dot, price
	case strings.Contains(s, "."):
		return stop, price
	case strings.Contains(s, "-"):
		return dash, price
	}
	return space, price
}

// priceBehind says whether s begins with the currency of what stands before it.
func priceBehind(s string) bool {
	c, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " "))
	return c == '€' || c == '%' || c == '$' || c == '£'
}
