package dates

import (
	"strconv"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// The words of days and times stand in the file calendar.txt of each language;
// the comments there say what each section is for. A section "calendar NAME" is
// called by its NAME here.
const calendar = "calendar "

// lexicon is what the reader must know of one language alone: how it makes
// numbers and clocks of words.
type lexicon struct {
	language            *language.Language
	cardinals, ordinals map[string]int
	joiner              string // between tens and units
	joinedFrom          int    // the first ten that has it
	ordinalTens         bool
	pairYears           bool
	halfPast            bool // "half four" is half past four
	dayFirst            bool // 3/5 is the third of May

	fractions     phrases[int] // minutes
	minutesAfter  phrases[int] // "four AND a half": 1 or -1
	minutesBefore phrases[int] // "half PAST four"
	quarterBefore phrases[int]
	oh            language.Set
	repeats       map[string]int

	grammar, ordinalEnds, noMonths language.Set
}

func lexiconOf(l *language.Language) *lexicon {
	settings := l.Pairs("dates")
	from, _ := strconv.Atoi(settings["tens_joined_from"]) // 0 when there is no joiner
	x := &lexicon{
		language: l, cardinals: l.Numbers("cardinals"), ordinals: l.Numbers("ordinals"),
		joiner: settings["tens_joiner"], joinedFrom: from,
		ordinalTens: settings["ordinal_tens"] == "yes", pairYears: settings["pair_years"] == "yes",
		halfPast: settings["half_hour"] == "past", dayFirst: settings["order"] == "day-month",
		oh: l.Words(calendar + "oh"), grammar: l.Words(calendar + "grammar"), ordinalEnds: l.Words(calendar + "ordinal_ends"),
		noMonths: l.Words(calendar + "no_months"), repeats: l.Numbers("repeats"),
	}
	one := []*language.Language{l}
	x.fractions = load(one, "fractions", numberIn)
	x.minutesAfter = load(one, "minutes_after", numberIn)
	x.minutesBefore = load(one, "minutes_before", numberIn)
	x.quarterBefore = load(one, "quarter_before", numberIn)
	return x
}

// vocabulary is what the languages of a mix say about days and times.
type vocabulary struct {
	lexicons []*lexicon

	weekdays, months           names
	shortWeekdays, shortMonths map[string]int
	first                      map[string]bool // words that a mention may begin with
	sets                       map[string]language.Set

	relatives, neighbours, beside, weeksAfter, others, yearPhrases, monthPhrases            phrases[int]
	nthWeekdays, nthWeeks, monthParts, amounts, andMore, thousands, weekdaySides, dayBounds phrases[int]
	whichBefore, whichAfter, stretches, trimmings                                           phrases[string]
	offsetOpen, offsetClose, shiftOpen, shiftClose, links                                   phrases[direction]
	feasts, feastsBeside                                                                    phrases[feast]
	units                                                                                   phrases[unit]
	leads                                                                                   phrases[lead]
	fixedClocks                                                                             phrases[Clock]
	spokenParts, otherParts, partsAfterDay, partsOfDay, thatParts, meals                    phrases[period]
	daySets                                                                                 phrases[Weekdays]
	plain                                                                                   map[string]phrases[bool] // those that only have to be there
}

// vocabularyOf is made once for each mix.
func vocabularyOf(m *language.Mix) *vocabulary {
	if v, ok := vocabularies.Load(m); ok {
		return v.(*vocabulary)
	}
	v, _ := vocabularies.LoadOrStore(m, newVocabulary(m))
	return v.(*vocabulary)
}

var vocabularies sync.Map // of *vocabulary by *language.Mix

func newVocabulary(m *language.Mix) *vocabulary {
	v := &vocabulary{first: map[string]bool{}, sets: map[string]language.Set{}, plain: map[string]phrases[bool]{}}
	for _, l := range m.Languages {
		v.lexicons = append(v.lexicons, lexiconOf(l))
	}
	v.loadNames(m)
	v.loadDays(m.Languages)
	v.loadTimes(m.Languages)
	for _, name := range setNames {
		v.sets[name] = m.Words(calendar + name)
	}
	for _, name := range plainNames {
		v.plain[name] = load(m.Languages, name, func(string) bool { return true })
	}
	v.loadFirst()
	return v
}

// setNames are the sections that are sets of words.
var setNames = []string{
	"a", "explains", "greets_alone", "greets_before", "agreed_before", "and", "and_then", "any", "articles", "at", "at_leisure", "because_after", "being", "but", "but_not", "clock_ends", "clock_starts", "coming", "compared_with", "concludes", "corrections", "counted", "day_marks", "day_month_joiner", "day_nouns", "day_preps",
	"denied", "echoing", "feast_which", "half_hours", "hour_articles", "hour_parts", "visits", "in_month", "in_month_links", "instead", "labelled",
	"lacking", "lacking_to", "lasting", "leading", "lone_units", "minute_nouns", "month_links", "morning_marks", "moves", "musing", "not_now_before", "of",
	"offset_tail", "one_article", "one_is", "or", "or_between", "ordinal_articles", "ordinary", "part_for", "part_links", "part_of",
	"personal_months", "range_articles", "range_open", "range_to", "small", "stretch_of", "street_after", "street_before", "street_links", "subjects", "thing_before",
	"to_day", "told", "told_after", "tomorrow_or_morning", "unable", "unit_ends", "unlikely_after_day", "weekday_links", "week_links", "wishes", "year_links", "year_nouns",
}

// plainNames are the sections of expressions that mean nothing more than that
// they are said.
var plainNames = []string{
	"after_tomorrow", "agreed_after", "at_the_latest", "because", "bound_ends", "bound_over", "courtesies", "day_ends", "denials", "denied_after", "earliest", "events", "fleeting", "greetings", "introductions", "keeps", "month_as_verb", "no_denials",
	"both", "freeing", "busy", "no_times", "now", "nowadays", "nth_week_tail", "same_time", "short_while", "since", "soonest", "that_before", "that_week", "this_one", "week_of", "weekend_of", "weekends", "weeks",
}

func (v *vocabulary) loadNames(m *language.Mix) {
	all := func(section string) map[string]int {
		numbers := map[string]int{}
		for _, l := range m.Languages {
			for word, n := range l.Numbers(calendar + section) {
				numbers[word] = n
			}
		}
		return numbers
	}
	var alike []string
	for _, l := range m.Languages {
		for from, to := range l.Pairs(calendar + "letters") {
			alike = append(alike, from, to)
		}
	}
	not := m.Words(calendar + "lookalikes")
	v.weekdays, v.months = named(all("weekdays"), not, alike), named(all("months"), not, alike)
	v.shortWeekdays, v.shortMonths = all("short_weekdays"), all("short_months")
}

func (v *vocabulary) loadDays(all []*language.Language) {
	v.relatives, v.neighbours, v.beside = load(all, "relatives", numberIn), load(all, "neighbours", numberIn), load(all, "beside", numberIn)
	v.weeksAfter, v.others = load(all, "weeks_after", numberIn), load(all, "others", numberIn)
	v.yearPhrases, v.monthPhrases = load(all, "year_phrases", numberIn), load(all, "month_phrases", numberIn)
	v.nthWeekdays, v.nthWeeks, v.monthParts = load(all, "nth_weekdays", numberIn), load(all, "nth_weeks", numberIn), load(all, "month_parts", numberIn)
	v.amounts, v.andMore, v.thousands = load(all, "amounts", numberIn), load(all, "and_more", numberIn), load(all, "thousands", numberIn)
	v.weekdaySides, v.dayBounds = load(all, "weekday_sides", numberIn), load(all, "day_bounds", numberIn)
	v.whichBefore, v.whichAfter, v.stretches = load(all, "which_before", itself), load(all, "which_after", itself), load(all, "stretches", itself)
	v.offsetOpen, v.offsetClose = load(all, "offset_open", directionOf), load(all, "offset_close", directionOf)
	v.shiftOpen, v.shiftClose, v.links = load(all, "shift_open", directionOf), load(all, "shift_close", directionOf), load(all, "links", directionOf)
	v.feasts, v.feastsBeside = load(all, "feasts", feastOf), load(all, "feasts_beside", feastOf)
	v.units, v.daySets = load(all, "units", unitOf), load(all, "day_sets", weekdaysOf)
}

func (v *vocabulary) loadTimes(all []*language.Language) {
	v.leads, v.fixedClocks, v.trimmings = load(all, "leads", leadOf), load(all, "fixed_clocks", clockNamed), load(all, "trimmings", itself)
	v.spokenParts, v.otherParts = load(all, "spoken_parts", periodOf), load(all, "other_parts", periodOf)
	v.partsAfterDay, v.partsOfDay = load(all, "parts_after_day", periodOf), load(all, "parts_of_day", periodOf)
	v.thatParts, v.meals = load(all, "that_parts", periodOf), load(all, "meals", periodOf)
}

// loadFirst collects the first words of all that the rules know.
func (v *vocabulary) loadFirst() {
	for _, l := range v.lexicons {
		firsts(v.first, l.cardinals)
		firsts(v.first, l.ordinals)
		firsts(v.first, l.fractions)
	}
	for _, p := range []phrases[int]{
		v.relatives, v.neighbours, v.beside, v.weeksAfter, v.others, v.nthWeekdays, v.nthWeeks, v.monthParts, v.amounts, v.monthPhrases, v.dayBounds,
	} {
		firsts(v.first, p)
	}
	for _, p := range []phrases[period]{v.spokenParts, v.otherParts, v.partsAfterDay, v.partsOfDay, v.thatParts} {
		firsts(v.first, p)
	}
	for _, name := range []string{"after_tomorrow", "week_of", "weekend_of", "now", "day_ends", "soonest", "earliest", "same_time", "short_while", "that_before"} {
		firsts(v.first, v.plain[name])
	}
	for _, name := range []string{"feast_which", "in_month", "range_open", "lacking", "lone_units"} {
		firsts(v.first, v.sets[name])
	}
	firsts(v.first, v.whichBefore)
	firsts(v.first, v.stretches)
	firsts(v.first, v.feasts)
	firsts(v.first, v.offsetOpen)
	firsts(v.first, v.leads)
	firsts(v.first, v.fixedClocks)
	firsts(v.first, v.daySets)
}

func firsts[T any](all map[string]bool, words map[string]T) {
	for w := range words {
		w, _, _ = strings.Cut(w, " ")
		all[w] = true
	}
}

// load reads the expressions of a section in some languages. Of two that have
// the same expression, the first one holds.
func load[T any](languages []*language.Language, section string, value func(string) T) phrases[T] {
	all := phrases[T]{}
	for _, l := range languages {
		for expression, means := range l.Pairs(calendar + section) {
			words := strings.Fields(expression)
			all[words[0]] = append(all[words[0]], phrase[T]{words, value(means)})
		}
	}
	return all
}

func itself(s string) string { return s }

// numberIn is a number of the data; the tests of this package read all of it.
func numberIn(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("dates: " + strconv.Quote(s) + " is no number")
	}
	return n
}

// clockNamed reads 12:00.
func clockNamed(s string) Clock {
	hour, minute, timed := strings.Cut(s, ":")
	c := Clock{Hour: numberIn(hour)}
	if timed {
		c.Minute = numberIn(minute)
	}
	return c
}

// namedBy is the day of the week, or else the month, that a word names in full
// or short; -1 and 0 when it names none.
func (v *vocabulary) namedBy(word string) (weekday, month int) {
	if len(word) < 3 {
		return -1, 0
	}
	month = v.shortMonths[word]
	if w, ok := v.shortWeekdays[word]; ok {
		return w, month
	}
	if w, ok := v.weekdays.look(word); ok {
		return w, month
	}
	if m, ok := v.months.look(word); ok {
		month = m
	}
	return -1, month
}

// shortened says whether a full stop behind the word only shortens it.
func (v *vocabulary) shortened(word string) bool {
	_, weekday := v.shortWeekdays[word]
	return weekday || v.shortMonths[word] > 0
}
