package demo

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// words are the same thing said in both languages.
type words struct{ es, en string }

func (w words) in(language string) string {
	if language == "en" {
		return w.en
	}
	return w.es
}

// same are words that no language changes.
func same(s string) words { return words{s, s} }

func number(n int) words { return same(strconv.Itoa(n)) }

// slots are what a scene leaves open, by name.
type slots map[string]words

// fill replaces every {slot} of a text. A slot written with a capital begins
// with one.
func (s slots) fill(text, language string) (string, error) {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "{")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		name, rest, ok := strings.Cut(after, "}")
		if !ok || !isSlot(name) {
			out.WriteByte('{')
			text = after
			continue
		}
		w, known := s[lowerFirst(name)]
		if !known {
			return "", fmt.Errorf("nothing to put into {%s}", name)
		}
		value := w.in(language)
		if name != lowerFirst(name) {
			value = upperFirst(value)
		}
		out.WriteString(value)
		text = rest
	}
}

// isSlot tells a slot from the brace of a JSON object.
func isSlot(name string) bool {
	for _, r := range name {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return name != "" && unicode.IsLetter(rune(name[0]))
}

func lowerFirst(s string) string { return mapFirst(s, unicode.ToLower) }
func upperFirst(s string) string { return mapFirst(s, unicode.ToUpper) }

func mapFirst(s string, to func(rune) rune) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || to(r) == r {
		return s
	}
	return string(to(r)) + s[size:]
}

func withArticle(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

var (
	weekdays = [7]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}
	months   = [13]string{
		"", "enero", "febrero", "marzo", "abril", "mayo", "junio",
		"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
	}
)

// spellDate names a date without its year.
func spellDate(t time.Time) words {
	return words{
		fmt.Sprintf("el %s %d de %s", weekdays[t.Weekday()], t.Day(), months[t.Month()]),
		t.Format("Monday 2 January"),
	}
}

// spellDay names a date as somebody says it on the day of now: alone, and as
// the day on which something happens.
func spellDay(t, now time.Time) (day, on words) {
	switch t.Format(time.DateOnly) {
	case now.Format(time.DateOnly):
		day = words{"hoy", "today"}
		return day, day
	case now.AddDate(0, 0, 1).Format(time.DateOnly):
		day = words{"mañana", "tomorrow"}
		return day, day
	}
	day = spellDate(t)
	return day, words{day.es, "on " + day.en}
}

func spellWeekday(d time.Weekday) words { return words{"el " + weekdays[d], d.String()} }

func spellTime(t time.Time) words { return same(strings.TrimPrefix(t.Format("15:04"), "0")) }

// spellHour is a full hour, 24 being the end of the day.
func spellHour(hour int) words {
	if hour == 24 {
		return words{"24:00", "midnight"}
	}
	return same(fmt.Sprintf("%d:00", hour))
}

func spellQuantity(n int) words {
	if n == 2 {
		return words{"dos", "two"}
	}
	return words{"tres", "three"}
}

// spellEuros writes an amount as each language does: 1.150 €, 9,50 €; €1,150,
// €9.50. Whole amounts go without cents.
func spellEuros(euros float64) words {
	cents := int(euros*100 + 0.5)
	whole, rest := strconv.Itoa(cents/100), ""
	if cents%100 != 0 {
		rest = fmt.Sprintf("%02d", cents%100)
	}
	return words{
		group(whole, ".") + prefixed(",", rest) + " €",
		"€" + group(whole, ",") + prefixed(".", rest),
	}
}

func prefixed(mark, digits string) string {
	if digits == "" {
		return ""
	}
	return mark + digits
}

// group separates thousands.
func group(digits, mark string) string {
	if len(digits) <= 3 {
		return digits
	}
	head := len(digits) - 3
	return group(digits[:head], mark) + mark + digits[head:]
}
