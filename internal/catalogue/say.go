package catalogue

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// mostNamed is how many entries are named before the rest is counted.
const mostNamed = 3

// enumerate names up to three and counts the rest: "A, B, C and 4 more".
func enumerate(lang string, names []string) string {
	if rest := len(names) - mostNamed; rest > 0 {
		return wording(lang, "and_more", "things", strings.Join(names[:mostNamed], ", "), "n", strconv.Itoa(rest))
	}
	return joinAnd(lang, names)
}

func joinAnd(lang string, names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := names[len(names)-1]
	and := wording(lang, "and")
	if other := wording(lang, "and_before"); other != "" && soundsLikeAnd(lang, last) {
		and = other
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + and + " " + last
}

// joinOr lists names of which one is meant.
func joinOr(lang string, names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + wording(lang, "or") + " " + names[len(names)-1]
}

// soundsLikeAnd says whether a word begins so that "and" changes before it:
// Spanish "y" becomes "e" before "iguanas".
func soundsLikeAnd(lang, word string) bool {
	w := language.Fold(word)
	begins := func(section string) bool {
		for beginning := range spoken(lang).Words("catalogue " + section) {
			if strings.HasPrefix(w, beginning) {
				return true
			}
		}
		return false
	}
	return begins("and before") && !begins("and not before")
}

// several joins short statements, three at most, and counts the rest.
func several(lang string, statements []string) string {
	if rest := len(statements) - mostNamed; rest > 0 {
		return wording(lang, "and_more_parts", "things", strings.Join(statements[:mostNamed], "; "), "n", strconv.Itoa(rest))
	}
	return strings.Join(statements, "; ")
}

// withPrice is a name with its price behind it.
func withPrice(lang, name string, p Price) string {
	if !p.Said() {
		return name
	}
	return name + " (" + p.Say(lang) + ")"
}

// quote gives a text of the business in its own words, and says so when they
// are in another language.
func quote(lang, text string) string {
	text = sentence(text)
	of := lexicon.Language(text)
	if of == lang || of == "" {
		return text
	}
	return wording(lang, "quoted", "language", spoken(lang).Pairs("catalogue languages")[of], "text", text)
}

// sentence begins a text with a capital and ends it with a full stop.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	r, size := firstRune(text)
	text = string(unicode.ToUpper(r)) + text[size:]
	if last, _ := utf8.DecodeLastRuneInString(text); !strings.ContainsRune(".!?…", last) {
		text += "."
	}
	return text
}

func firstRune(text string) (rune, int) { return utf8.DecodeRuneInString(text) }
