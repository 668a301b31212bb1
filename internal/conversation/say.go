package conversation

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// speech is how an agent speaks in one language. The words stand in the folder
// of the language; the manner is the house's own, as the Spanish tú.
type speech struct {
	language *language.Language
	manner   string
}

// words are a phrase with its gaps filled: "name", "Ana".
func (s speech) words(phrase string, pairs ...string) string {
	if s.language == nil {
		return ""
	}
	return s.language.Say(phrase, s.manner, pairs...)
}

// wording is a phrase in the usual manner of a language, for summaries.
func wording(lang, phrase string, pairs ...string) string {
	return speech{language: language.Of(lang)}.words(phrase, pairs...)
}

// speech is that of the conversation now.
func (t *turn) speech() speech {
	return speech{t.tongue(t.s.Lang), t.manner}
}

// tongue is one of the languages that the engine speaks.
func (e *Engine) tongue(code string) *language.Language {
	for _, l := range e.mix.Languages {
		if l.Code == code {
			return l
		}
	}
	return language.Of(code)
}

// say adds a phrase to what is said in this turn.
func (t *turn) say(phrase string, pairs ...string) { t.sayText(t.words(phrase, pairs...)) }

// sayText adds words that are nobody's phrase: an answer from the business's
// data.
func (t *turn) sayText(text string) {
	if text != "" {
		t.said = append(t.said, text)
	}
}

// words are a phrase in the language of the conversation, and in the manner of
// the house.
func (t *turn) words(phrase string, pairs ...string) string {
	return t.speech().words(phrase, pairs...)
}

// variant is a phrase in the words for the nth time that it is said: the first
// time in its own, then in others where there are.
func (t *turn) variant(phrase string, n int, pairs ...string) string {
	all := t.speech().language.Variants(phrase, t.manner, pairs...)
	return all[min(max(n, 0), len(all)-1)]
}

// join puts the sentences of a turn together as the language does.
func (t *turn) join(said []string) string {
	if l := t.tongue(t.s.Lang); l != nil {
		return l.Join(said)
	}
	return strings.Join(said, " ")
}

// day is a date as it is said.
func (t *turn) day(d dates.Date) string { return dates.SayDate(d, t.s.Lang, t.now) }

// clock is a time as it is said by itself: "a las cinco", "5 pm".
func (t *turn) clock(c dates.Clock) string { return dates.SayTime(c, t.s.Lang) }

// moment is a day with its time.
func (t *turn) moment(d dates.Date, c dates.Clock) string {
	return t.words("moment", "day", t.day(d), "time", t.clock(c))
}

// upper begins a sentence.
func upper(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// localMoment is a capture's time as it is said.
func (t *turn) localMoment(at frontdesk.LocalTime) string {
	d, c, ok := splitLocal(at)
	if !ok {
		return string(at)
	}
	return t.moment(d, c)
}

// chip is a time on a button: short, and read back as what it is.
func (t *turn) chip(c Choice) string {
	switch {
	case c.Timed && c.Date.IsZero():
		return c.Clock.String()
	case c.Timed:
		return t.shortDay(c.Date) + ", " + c.Clock.String()
	}
	return t.shortDay(c.Date)
}

// shortDay is a date in few words, as on a button.
func (t *turn) shortDay(d dates.Date) string {
	weekdays, months := strings.Fields(t.words("weekdays")), strings.Fields(t.words("months"))
	if len(weekdays) < 7 || len(months) < 12 {
		return d.String()
	}
	return t.words("short_day", "weekday", weekdays[d.Weekday()], "n", strconv.Itoa(d.Day), "month", months[d.Month-1])
}

// list puts things in a row: "a, b y c".
func (t *turn) list(items []string, word string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " " + t.words(word) + " " + items[len(items)-1]
}

// spokenPhone is a number with the spaces that its country puts.
func spokenPhone(e164 string) string {
	n, err := phonenumbers.Parse(e164, "ZZ")
	if err != nil {
		return e164
	}
	return phonenumbers.Format(n, phonenumbers.INTERNATIONAL)
}

// spokenItems are the things of an order.
func spokenItems(items []Item) string {
	said := make([]string, len(items))
	for i, it := range items {
		said[i] = strconv.Itoa(max(1, it.Quantity)) + " × " + it.Name
		if it.Detail != "" {
			said[i] += " (" + it.Detail + ")"
		}
	}
	return strings.Join(said, ", ")
}

// shorten is the beginning of a text in whole words, with a sign that there is more.
func shorten(text string, most int) string {
	short := frontdesk.Clip(text, most)
	if short == text {
		return text
	}
	if i := strings.LastIndexByte(short, ' '); i > 0 {
		short = short[:i]
	}
	return short + "…"
}
