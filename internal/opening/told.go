package opening

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// told is what the words of a house say of the days on which it is closed, beside
// those of the week: "closed on Thanksgiving and in August".
type told struct {
	months   []time.Month
	feasts   []holidayRule
	holidays bool   // on public holidays
	country  string // where it is
}

// longestTold is how many bytes of a house's words about its hours are read.
const longestTold = 2000

// readTold reads the words of a house about its hours. Only what is said plainly
// counts: whoever closes for a part of a month, or on some weekdays of it, is left
// to enter an exception.
func readTold(text, country string) (t told) {
	t.country = country
	words := language.Tokenize(text[:min(len(text), longestTold)])
	for len(words) > 0 {
		end := 1
		for end < len(words) && words[end].Sentence == words[0].Sentence {
			end++
		}
		t.readSentence(words[:end])
		words = words[end:]
	}
	return t
}

// readSentence takes the days that stand behind the word for closed, or before it
// where that ends the sentence: "festivos, cerrado". Of a sentence without one, those
// behind "except" are taken.
func (t *told) readSentence(words []language.Token) {
	at := slices.IndexFunc(words, func(w language.Token) bool { return isOf("closed words", w.Word) })
	if at < 0 {
		if at = slices.IndexFunc(words, func(w language.Token) bool { return isOf("closed except", w.Word) }); at < 0 {
			return
		}
	}
	if at+1 < len(words) {
		for _, part := range partsOf(words[at+1:]) {
			if !t.readPart(part) {
				return
			}
		}
		return
	}
	for _, part := range slices.Backward(partsOf(words[:at])) {
		if !t.readPart(part) {
			return
		}
	}
}

// partsOf are the things that a sentence lists.
func partsOf(words []language.Token) (parts [][]language.Token) {
	var part []language.Token
	for _, w := range words {
		joins := isOf("closed joins", w.Word)
		if (joins || w.Gap >= language.Comma) && len(part) > 0 {
			parts, part = append(parts, part), nil
		}
		if !joins {
			part = append(part, w)
		}
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts
}

// readPart takes one thing that is listed, and says whether it was understood whole.
func (t *told) readPart(part []language.Token) bool {
	part = trimmed(part, "closed small")
	if t.readDay(part) {
		return true
	}
	return t.readDay(trimmed(trimmed(part, "closed away"), "closed small"))
}

func (t *told) readDay(part []language.Token) bool {
	words := make([]string, len(part))
	for i, w := range part {
		words[i] = w.Word
	}
	said, mix := strings.Join(words, " "), language.MixOf()
	if _, weekday := mix.Value("calendar weekdays", said); weekday || said == "" || isOf("closed weekdays", said) {
		return true
	}
	if _, ok := mix.Value("closed holidays", said); ok {
		t.holidays = true
		return true
	}
	if value, ok := mix.Value("calendar months", said); ok {
		n, err := strconv.Atoi(value)
		t.months = append(t.months, time.Month(n))
		return err == nil
	}
	value, ok := mix.Value("calendar feasts", said)
	if !ok {
		return t.readDate(words)
	}
	rule, ok := feastRule(value)
	if ok {
		t.feasts = append(t.feasts, rule)
	}
	return ok
}

// readDate takes a day of the year: "25 de diciembre", "December 25th".
func (t *told) readDate(words []string) bool {
	r := holidayRule{}
	for _, w := range words {
		month, isMonth := language.MixOf().Value("calendar months", w)
		day, err := strconv.Atoi(w)
		switch {
		case isMonth && r.month == 0:
			n, _ := strconv.Atoi(month)
			r.month = time.Month(n)
		case err == nil && r.day == 0 && day > 0 && day <= 31:
			r.day = day
		case !isOf("closed small", w) && !isOf("closed ordinals", w):
			return false
		}
	}
	if r.month == 0 || r.day == 0 {
		return false
	}
	t.feasts = append(t.feasts, r)
	return true
}

// feastRule reads a feast as the calendars of languages write it: "12-25", "easter-2"
// or "11 weekday 4 nth 4".
func feastRule(s string) (r holidayRule, ok bool) {
	fields := strings.Fields(s)
	if len(fields) == 1 {
		return r, r.parseDay(s) == nil
	}
	const long = 5 // month, "weekday", which, "nth", which of them
	if len(fields) != long {
		return r, false
	}
	month, err := strconv.Atoi(fields[0])
	weekday, err2 := strconv.Atoi(fields[2])
	nth, err3 := strconv.Atoi(fields[4])
	r.month, r.weekday, r.nth = time.Month(month), time.Weekday(weekday%7), nth
	return r, err == nil && err2 == nil && err3 == nil
}

// trimmed are words without those of a list at both ends.
func trimmed(words []language.Token, list string) []language.Token {
	for len(words) > 0 && isOf(list, words[0].Word) {
		words = words[1:]
	}
	for len(words) > 0 && isOf(list, words[len(words)-1].Word) {
		words = words[:len(words)-1]
	}
	return words
}

func isOf(list, word string) bool { return language.MixOf().Words(list)[word] }

// closes says whether the house is closed on a date, and for which public holiday:
// "" where it is none.
func (t told) closes(d frontdesk.Date) (holiday string, closed bool) {
	if slices.Contains(t.months, d.Month) {
		return "", true
	}
	feast := slices.ContainsFunc(t.feasts, func(r holidayRule) bool { return r.in(d.Year) == d })
	if !feast && !t.holidays {
		return "", false
	}
	public, ok := HolidayOn(t.country, d)
	return public.Name, feast || ok
}
