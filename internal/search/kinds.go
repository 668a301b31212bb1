package search

import (
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// kinds are what sorts of facts a text holds, or a question asks for.
type kinds uint16

const (
	price kinds = 1 << iota
	clock
	date
	span // how long something takes or lasts
	number
	place
	person
	phone
	address // of mail or of the web
	age
	saving // what makes something cheaper
)

// kindSections are the sections of the languages' words for each kind of fact.
var kindSections = map[string]kinds{
	"price": price, "clock": clock, "day": clock | date, "date": date, "number": number, "place": place, "person": person, "phone": phone,
	"age": age, "saving": saving, "address": address,
}

// askSections are the sections of the ways to ask for a kind of fact. The first
// that a question has tells: "how much time" is not "how much".
var askSections = []struct {
	name  string
	kinds kinds
}{
	{"how long", span},
	{"how much", price},
	{"how many", number},
	{"how old", number | age},
	{"what age", age},
	{"how far", number | place},
	{"what share", number},
	{"what time", clock},
	{"when", clock | date | span},
	{"what day", date},
	{"until when", clock},
	{"where", place},
	{"who", person},
	{"phone", phone},
	{"address", address},
	{"open", clock | date},
	{"cheaper", saving},
}

// factWords are the words of all languages that tell of kinds of facts.
type factWords struct {
	kinds      map[string]kinds
	asked      []asked          // in the order of askSections
	asking     map[string]kinds // what a single word asks for: "price", "horario"
	spanUnits  language.Set
	hourUnits  language.Set
	years      language.Set
	beforeAge  language.Set
	upTo       language.Set
	roundClock language.Set
	whether    language.Set // begin a question for whether there is something

	leaning language.Set // stand at the beginning of a sentence for what was named before it

	abbreviations, beforeNumbers language.Set
}

// asked is a way to ask for a kind of fact, a run of folded words.
type asked struct {
	words string
	kinds kinds
}

var facts = sync.OnceValue(func() *factWords {
	mix := language.MixOf()
	f := &factWords{
		kinds: map[string]kinds{}, asking: map[string]kinds{}, spanUnits: mix.Words("span units"), hourUnits: mix.Words("hour units"),
		years: mix.Words("age units"), beforeAge: mix.Words("before ages"), upTo: mix.Words("up to"), roundClock: mix.Words("round the clock"),
		whether: mix.Words("asks whether"), leaning: mix.Words("leaning"), abbreviations: mix.Words("abbreviations"), beforeNumbers: mix.Words("before numbers"),
	}
	for name, k := range kindSections {
		for w := range mix.Words("kind " + name) {
			f.kinds[w] |= k
		}
	}
	for _, section := range askSections {
		for _, l := range mix.Languages {
			for _, words := range l.Lines("asks " + section.name) {
				f.ask(asked{words, section.kinds})
			}
		}
	}
	return f
})

func (f *factWords) ask(a asked) {
	f.asked = append(f.asked, a)
	if !strings.Contains(a.words, " ") {
		f.asking[a.words] = a.kinds
	}
}

// kindsIn tells which kinds of facts a text speaks of. A word with a capital
// letter inside a sentence that is not known is someone's name.
func kindsIn(text string, all []token, known func(word string) bool) (found kinds) {
	if strings.ContainsAny(text, "€$£") {
		found |= price
	}
	if strings.Contains(text, "@") {
		found |= address
	}
	if strings.Contains(text, "%") {
		found |= saving
	}
	digits := 0
	for i, t := range all {
		found |= facts().kinds[t.word]
		if !t.number {
			if t.capital && i > 0 && (all[i-1].capital && all[i-1].end+1 == t.start || !known(t.word)) {
				found |= person
			}
			digits = 0
			continue
		}
		digits += t.end - t.start
		found |= number | kindsOfNumber(text, all, i)
		if digits >= 9 {
			found |= phone
		}
	}
	return found
}

func kindsOfNumber(text string, all []token, i int) (found kinds) {
	t := all[i]
	written := text[t.start:t.end]
	if strings.Contains(written, ":") {
		found |= clock
	}
	if _, cents, ok := strings.Cut(written, ","); ok && len(cents) == 2 {
		found |= price
	}
	if whole, cents, ok := strings.Cut(written, "."); ok && len(cents) == 2 {
		found |= price
		if hourly(whole) && cents < "60" {
			found |= clock
		}
	}
	if n := t.end - t.start; n == 4 && (written[0] == '1' || written[0] == '2') {
		found |= date
	}
	if i > 0 && facts().beforeAge[all[i-1].word] {
		found |= age
	}
	if i+1 < len(all) {
		found |= kindsBefore(all[i:])
	}
	return found
}

// kindsBefore is what the words after a number tell about it.
func kindsBefore(all []token) (found kinds) {
	next, words := all[1], facts()
	if words.spanUnits[next.word] {
		found |= span
	}
	if words.years[next.word] {
		found |= age
	}
	if words.hourUnits[next.word] || next.word == "a" && len(all) > 2 && all[2].word == "m" {
		found |= clock
	}
	if all[0].word == "24" && words.roundClock[next.word] {
		found |= clock // open round the clock
	}
	if words.upTo[next.word] && len(all) > 2 {
		next = all[2]
	}
	if next.number && hourly(all[0].word) && hourly(next.word) && next.start-all[0].end <= len(" until ") {
		found |= clock // "9 to 5", "9–5"
	}
	return found
}

func hourly(number string) bool {
	hour, _, _ := strings.Cut(number, ".")
	n, err := strconv.Atoi(hour)
	return err == nil && n <= 24
}

// kindWord is the word of the vocabulary that stands in every fragment with a
// kind of fact.
func kindWord(k kinds) string { return "#" + strconv.Itoa(bits.TrailingZeros16(uint16(k))) }

// each calls yield with every single kind.
func (k kinds) each(yield func(kinds)) {
	for ; k != 0; k &= k - 1 {
		yield(k & -k)
	}
}

// kindsAsked tells which kind of fact would answer a question; 0 when any may.
func kindsAsked(all []token) kinds {
	words := make([]string, len(all))
	for i, t := range all {
		words[i] = t.word
	}
	line := " " + strings.Join(words, " ") + " "
	for _, a := range facts().asked {
		if strings.Contains(line, " "+a.words+" ") {
			return a.kinds
		}
	}
	return 0
}
