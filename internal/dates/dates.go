// Package dates reads dates and times the way callers say them, in the languages
// that the house speaks, and says them back. Their words stand with the languages,
// in calendar.txt; here are the rules.
//
// The way through it is straight:
//
//	text -> tokens -> numbers -> mentions -> which of them count -> Reading -> Resolve -> When
//
// A Reading holds what was said and no more: "at six" stays open between
// morning and evening, "next week" stays a week. Resolve then settles what
// opening hours and the clock can settle, and says what is left to ask.
//
// Everything here is civil: dates and clocks as on a wall calendar. Only "in
// half an hour" has an instant. The package knows no bookings, no party sizes
// and no zones; now comes in, in the zone of the business.
//
// Where people differ, it reads as follows:
//
//   - Bookings lie ahead: "the 3rd" said on the 5th is next month's, a month
//     without a year is the next one to come, and "on Monday" said on a Monday
//     is a week away.
//   - "This Friday" is the first Friday to come. English "next Friday" is the
//     Friday of next week, weeks beginning on Monday. Spanish "el próximo
//     viernes" and "el viernes que viene" are the first Friday to come, unless
//     that is tomorrow: who means tomorrow says so.
//   - "The Friday after next" is a week after "next Friday". "The following
//     Friday" is the first one after the day that was said, or that stands.
//   - With a day that stands, "the Friday", "that Friday" and "better on Friday"
//     are of its week, as is a Friday that is agreed to where that day is a week
//     ahead or more; "this Friday" and a bare "Friday" are the first to come,
//     unless the day that stands is a Friday: a bare one is that. Once what stands
//     is settled, a bare "Friday" corrects it, and is of its week as well.
//   - "That week", "the day before" and "two days earlier" are counted from the day
//     that was said last in the same breath, and else from what stands.
//   - "I finish at six" and "I'm at work until six" are no wishes: without another
//     time, the first place after six is meant.
//   - "Wednesday week" and "a week on Wednesday" said on a Wednesday are a week away.
//   - 3/5 is the third of May in Spanish and March 5th in English, unless only
//     the other order gives a date, or the weekday that was said.
//   - "De hoy en ocho días" is a week, "de hoy en quince días" two.
//   - A weekday with a day of the month that it falls on only months from now,
//     "Friday the 19th", is the next 19th, and the weekday differs.
//   - "Before Friday" and "by Friday" are the days from today to Thursday, "Friday at
//     the latest" has the Friday as well; any other day that is wished for counts more.
//   - Noon and mediodía are 12:00; midnight is 0:00 of the date that was said.
//     One to five of "tonight" are the next date's.
package dates

import (
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/language"
)

// Kind says what a mention is about.
type Kind int

// The kinds of mentions.
const (
	OneDay     Kind = iota + 1 // "tomorrow", "el 3 de marzo": Date
	Days                       // "next week", "del 3 al 5": Date to Until
	AtClock                    // "at six", "a las 17:00": Clock
	Hours                      // "between 3 and 5", "after six": From to To
	InPart                     // "por la tarde": Part, From to To
	Instant                    // "in half an hour": At
	Shift                      // "the day before", "same time": By, counted from what stands
	DaysOfWeek                 // "entre semana": Weekdays
	Soonest                    // "lo antes posible"; "as early as you can" with Earliest
)

// Mention is one place in the text where a day or a time is said.
type Mention struct {
	Kind       Kind
	Start, End int // bytes of the text

	Date  Date // also of a part that names its day: "tonight"
	Until Date // the last one of Days
	Near  Date // when WeekdayDiffers: the day to come with that number, whatever weekday it is

	Clock Clock // the hour as it was said: 6 for "at six"
	Open  bool  // morning or evening is not known; of Hours as well
	Part  Part
	From  Clock
	To    Clock // 24:00 when the end is not said
	At    time.Time

	By       Step     // of a Shift
	SameTime bool     // of a Shift: the time that stands
	Weekdays Weekdays // of DaysOfWeek
	Earliest bool     // "first thing": the first of the part, or of the day
	Latest   bool     // "last thing"

	Impossible     bool // there is no such date: "31 de abril"
	WeekdayDiffers bool // the weekday that was said is not that of Date
	Negated        bool // "not on Friday"
	Told           bool // it is told beside a wish and is none: "the wedding is at one"
	Or             bool // offered beside the one before: "Thursday or Friday"
	Bound          bool // Days that end where they must: "before Friday"; any other day counts more
	Counts         bool // it is part of what the caller wants in the end

	weekdayOnly bool   // nothing but a weekday was said
	written     bool   // the date was said with its month
	dayOnly     bool   // nothing but the day of a month was said
	inWeek      bool   // a weekday of a week that was named
	frees       bool   // from then on the caller is free: "I finish at six"
	other       bool   // another one than that which was ruled out
	stretch     string // the kind of Days that was said
	past        bool   // it is told of the past, and never counts
	takenBack   bool   // the same day was ruled out later
	mild        bool   // "now": counts only when nothing else is said
	noonIsAM    bool   // twelve in this part is noon: "las doce de la mañana"
	points      bool   // it only points to what stands
	tokens      span
	head        int // the first token without the small words before it
}

// Points says whether a mention only points to the day or the time that stands,
// and says nothing new: "that day", "a esa hora".
func (m Mention) Points() bool { return m.points }

// span is a stretch of tokens.
type span struct{ from, to int }

// Reading is what a text says about when.
type Reading struct {
	Mentions []Mention // in the order of the text
}

// Asked says what the caller was asked for, which gives a bare number a
// meaning: "six" is a time after "at what time?", and nothing otherwise.
type Asked int

// What a caller may have been asked for.
const (
	AskedNothing Asked = iota
	AskedDay
	AskedTime
)

// Read finds what text says about days and times. The language with the code
// lang is the one to prefer; the others are understood as well, for callers mix.
// Without a language it is taken from the text.
func Read(text string, now time.Time, lang string) Reading {
	return ReadAnswer(text, now, lang, AskedNothing)
}

// ReadAnswer is Read for the answer to a question. It knows of nothing that
// stands, and leaves out who wants the soonest of all: that is neither a day nor
// a time.
func ReadAnswer(text string, now time.Time, lang string, asked Asked) Reading {
	mix := language.MixOf()
	r := ReadTokens(text, mix.Tokens(text), mix, now, language.Of(lang), asked, Standing{})
	r.Mentions = slices.DeleteFunc(r.Mentions, func(m Mention) bool { return m.Kind == Soonest })
	return r
}

// ReadTokens is ReadAnswer for a text that has been taken apart already, in the
// languages of a mix; the preferred one may be nil. Tokens that others pass over
// are passed over here. Relations such as "the day before" are counted from what
// stands.
func ReadTokens(text string, tokens []language.Token, mix *language.Mix, now time.Time, lang *language.Language, asked Asked, standing Standing) Reading {
	l := &line{vocabulary: vocabularyOf(mix), text: text, now: now, today: DateOf(now), asked: asked, standing: standing}
	r := &reader{clocks{figures{l}}}
	r.prepare(tokens, lang)
	r.scan()
	c := counting{l}
	c.join()
	c.count()
	return Reading{Mentions: l.found}
}

// Day is the mention that says the day, or the days, in the end.
func (r Reading) Day() (Mention, bool) {
	return r.last(Mention.aboutDay)
}

// Time is the mention that says the time of day in the end.
func (r Reading) Time() (Mention, bool) {
	if m, ok := r.last(Mention.aboutTime); ok {
		return m, ok
	}
	return r.last(func(m Mention) bool { return m.Kind == InPart })
}

func (r Reading) last(fits func(Mention) bool) (Mention, bool) {
	for i := len(r.Mentions) - 1; i >= 0; i-- {
		if m := r.Mentions[i]; m.Counts && fits(m) {
			return m, true
		}
	}
	return Mention{}, false
}

// Without returns text with every mention blanked out, for those who look for
// something else in it: the 9 of "mesa para 4 a las 9" is gone, the 4 is not.
// Bytes keep their places.
func (r Reading) Without(text string) string {
	out := []byte(text)
	for _, m := range r.Mentions {
		for i := m.Start; i < m.End && i < len(out); i++ {
			out[i] = ' '
		}
	}
	return string(out)
}
