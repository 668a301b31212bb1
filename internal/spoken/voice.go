package spoken

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// voice is what a language says of how things are spoken, read once from its
// folder.
type voice struct {
	*language.Language
	wording   map[string]string
	sets      map[string]language.Set
	shorts    map[string][]short // abbreviations by the letters that they begin with
	longest   int                // letters of the longest beginning
	money     map[string]forms
	units     map[string]forms
	per       map[string]string
	scales    map[string]string
	fractions map[string]string
	domains   map[string]string
	parts     map[string]string // of the day, by the hour
	ordinals  map[rune][]string
	letters   map[rune]letter
	leads     []string
	weekdays  language.Set
	months    []string
}

// short is an abbreviation.
type short struct {
	written, said string
	beside        byte // what must stand beside it, see asks
	ends          bool // its full stop may end a sentence as well
	capital       bool // it is one only with a capital: "Sat"
}

// forms are the words for one thing and for several, then for one part of it and
// for several. The words for one hold their numeral.
type forms []string

// at is a form, "" where the language has none.
func (f forms) at(i int) string {
	if i >= len(f) {
		return ""
	}
	return f[i]
}

// letter is how a letter is called, alone and with a word that tells it apart.
type letter struct{ name, clear string }

var voices sync.Map // *language.Language -> *voice

// voiceOf is the voice of a language, or of the first one for none.
func voiceOf(l *language.Language) *voice {
	if l == nil {
		l = language.Of(language.Codes()[0])
	}
	if v, ok := voices.Load(l); ok {
		return v.(*voice)
	}
	v, _ := voices.LoadOrStore(l, newVoice(l))
	return v.(*voice)
}

func newVoice(l *language.Language) *voice {
	v := &voice{
		Language: l, wording: map[string]string{}, sets: map[string]language.Set{}, shorts: map[string][]short{},
		money: formsOf(l, "money"), units: formsOf(l, "units"), per: pairsOf(l, "per"), scales: pairsOf(l, "scales"),
		fractions: pairsOf(l, "fractions"), domains: pairsOf(l, "domains"), parts: pairsOf(l, "parts_of_day"), ordinals: map[rune][]string{}, letters: map[rune]letter{},
		leads: l.Lines("spoken name_leads"), weekdays: language.Set{}, months: strings.Fields(l.Say("months", "")),
	}
	for _, line := range l.Lines("spoken wording") {
		key, text, _ := strings.Cut(line, ":")
		v.wording[strings.TrimPrefix(key, "spoken_")] = strings.TrimSpace(text)
	}
	for _, name := range []string{
		"before_clock", "before_emergency", "clock_articles", "before_dotted_clock", "before_date", "endings", "web_words", "web_connectors", "web_verbs",
	} {
		v.sets[name] = l.Words("spoken " + name)
	}
	for day := range strings.FieldsSeq(l.Say("weekdays", "")) {
		v.weekdays[language.Fold(day)] = true
	}
	for sign, names := range pairsOf(l, "ordinals") {
		r, _ := utf8.DecodeRuneInString(sign)
		v.ordinals[r] = strings.Fields(names)
	}
	for sign, names := range pairsOf(l, "letters") {
		r, _ := utf8.DecodeRuneInString(sign)
		name, clear, _ := strings.Cut(names, "/")
		v.letters[r] = letter{strings.TrimSpace(name), strings.TrimSpace(clear)}
	}
	v.addShorts()
	v.addCurrencies()
	return v
}

// addCurrencies adds the words of the currencies to their signs: "1,20 euros".
func (v *voice) addCurrencies() {
	for _, f := range slices.Collect(maps.Values(v.money)) {
		_, one, _ := strings.Cut(f.at(0), " ")
		v.money[one], v.money[f.at(1)] = f, f
	}
}

// asks are the signs behind an abbreviation that ask for something beside it: a
// capital in the word before, a figure or a capital behind.
const asks = "<#^"

func (v *voice) addShorts() {
	for written, said := range pairsOf(v.Language, "abbreviations") {
		one := short{written: written, said: strings.TrimSuffix(said, "."), ends: strings.HasSuffix(said, ".")}
		if n := len(written) - 2; n > 0 && written[n] == ' ' && strings.IndexByte(asks, written[n+1]) >= 0 {
			one.written, one.beside = written[:n], written[n+1]
		}
		first, _ := utf8.DecodeRuneInString(written)
		one.capital, one.written = unicode.IsUpper(first), strings.ToLower(one.written)
		begin := one.written[:wordEnd(one.written, 0)]
		v.shorts[begin] = append(v.shorts[begin], one)
		v.longest = max(v.longest, len(begin))
	}
	rank := func(s short) int { return strings.IndexByte(asks, s.beside) & 3 } // those that ask for nothing last
	for _, all := range v.shorts {
		slices.SortFunc(all, func(a, b short) int {
			if len(a.written) != len(b.written) {
				return len(b.written) - len(a.written)
			}
			return rank(a) - rank(b)
		})
	}
}

// pairsOf are the lines "written, written = said" of a section. Unlike
// Language.Pairs it does not fold: "nº" is not "no".
func pairsOf(l *language.Language, section string) map[string]string {
	pairs := map[string]string{}
	for _, line := range l.Lines("spoken " + section) {
		left, said, ok := strings.Cut(line, " = ")
		for written := range strings.SplitSeq(left, ",") {
			if written = strings.TrimSpace(written); ok && written != "" {
				pairs[written] = strings.TrimSpace(said)
			}
		}
	}
	return pairs
}

func formsOf(l *language.Language, section string) map[string]forms {
	all := map[string]forms{}
	for written, said := range pairsOf(l, section) {
		f := strings.Fields(said)
		for i := range f {
			f[i] = strings.ReplaceAll(f[i], "_", " ")
		}
		all[written] = f
	}
	return all
}

// say is a wording with its gaps filled.
func (v *voice) say(key string, pairs ...string) string {
	text := v.wording[key]
	for i := 0; i+1 < len(pairs); i += 2 {
		text = strings.ReplaceAll(text, "{"+pairs[i]+"}", pairs[i+1])
	}
	return text
}

// is says whether a word is in a set.
func (v *voice) is(set, word string) bool { return word != "" && v.sets[set][language.Fold(word)] }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isMark says whether a rune is part of a letter: an accent that stands alone.
func isMark(r rune) bool { return unicode.Is(unicode.Mn, r) }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || isMark(r) }

// wordEnd is where the letters that begin at i end. The signs of ordinals are no
// letters here.
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if !unicode.IsLetter(r) && !isMark(r) || r == 'º' || r == 'ª' {
			break
		}
		i += size
	}
	return i
}

// digitsEnd is where the figures that begin at i end.
func digitsEnd(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func spacesEnd(s string, i int) int {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}
