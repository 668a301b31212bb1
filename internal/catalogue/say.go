package catalogue

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// mostNamed is how many entries are named before the rest is counted.
const mostNamed = 3

func say(lang, es, en string) string {
	if lang == lexicon.English {
		return en
	}
	return es
}

func sayf(lang, es, en string, args ...any) string { return fmt.Sprintf(say(lang, es, en), args...) }

// enumerate names up to three and counts the rest: "A, B, C and 4 more".
func enumerate(lang string, names []string) string {
	if len(names) > mostNamed {
		rest := len(names) - mostNamed
		return strings.Join(names[:mostNamed], ", ") + sayf(lang, " y %d más", " and %d more", rest)
	}
	return joinAnd(lang, names)
}

func joinAnd(lang string, names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := names[len(names)-1]
	and := say(lang, " y ", " and ")
	if lang != lexicon.English && startsWithI(last) {
		and = " e "
	}
	return strings.Join(names[:len(names)-1], ", ") + and + last
}

// startsWithI says whether Spanish "y" becomes "e" before a word.
func startsWithI(word string) bool {
	w := lexicon.Fold(word)
	return strings.HasPrefix(w, "i") || strings.HasPrefix(w, "hi") && !strings.HasPrefix(w, "hie")
}

// several joins short statements, three at most, and counts the rest.
func several(lang string, statements []string) string {
	if rest := len(statements) - mostNamed; rest > 0 {
		return strings.Join(statements[:mostNamed], "; ") + sayf(lang, "; y %d más", "; and %d more", rest)
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
// are in the other language.
func quote(lang, text string) string {
	text = sentence(text)
	switch lexicon.Language(text) {
	case lang, "":
		return text
	case lexicon.Spanish:
		return "In Spanish: " + text
	}
	return "En inglés: " + text
}

// sentence begins a text with a capital and ends it with a full stop.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(r)) + text[size:]
	if last, _ := utf8.DecodeLastRuneInString(text); !strings.ContainsRune(".!?…", last) {
		text += "."
	}
	return text
}

// spoken is the language that something is said in.
func spoken(lang string) *language.Language {
	if l := language.Of(lang); l != nil {
		return l
	}
	return language.Of(lexicon.Spanish)
}

// wording is how something is said, its gaps filled by pairs.
func wording(lang, key string, pairs ...string) string {
	return spoken(lang).Say("catalogue "+key, "", pairs...)
}
