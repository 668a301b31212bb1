package hearing

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// choiceReader hears which of those offered is meant.
type choiceReader struct{ questionReader }

// lastOne is the Choice of "the last one".
const lastOne = -1

// hearChoice hears which of those offered is meant: by its place, by its time
// or by its words. A day or a time that none of them has is no choice, and
// neither is the number in it: "a las nueve y cuarto" is not the fourth.
func (e choiceReader) hearChoice() {
	if len(e.Offered) == 0 {
		return
	}
	readers := []func() int{e.byWhen, e.byWords, e.byPlace, e.byOrder, e.byNumber}
	if e.saysWhen() && e.offersTimes() {
		readers = []func() int{e.byWhen, e.byWords, e.byOrder}
	}
	for _, read := range readers {
		if n := read(); n != 0 {
			e.Choice = n
			return
		}
	}
}

// saysWhen says whether a day or a time was named: "as soon as possible" names
// none.
func (e choiceReader) saysWhen() bool {
	return slices.ContainsFunc(e.When.Mentions, func(m dates.Mention) bool { return m.Kind != dates.Soonest })
}

// unchoose takes back a choice that only a question names: "how much is the
// second one?" does not take it.
func (e choiceReader) unchoose() {
	if e.Choice == 0 || e.Question == "" || e.choosing() {
		return
	}
	heard := *e.ear
	beside := choiceReader{questionReader{&heard}}
	beside.Text, beside.words = blank(e.Text, e.questionAt), e.words.blanked(e.questionAt)
	beside.When.Mentions, beside.Choice = nil, 0
	for _, m := range e.When.Mentions {
		if m.End <= e.questionAt[0] || m.Start >= e.questionAt[1] {
			beside.When.Mentions = append(beside.When.Mentions, m)
		}
	}
	beside.hearChoice()
	e.Choice = beside.Choice
}

// choosing says whether the question asks for one of those offered: "the first
// one?", "can I have the second?"
func (e choiceReader) choosing() bool {
	const few = 4
	asked := e.wordsOf(e.Question).words
	return len(asked) <= few && !e.opens(asked, 0) || e.hears("choices", asked)
}

// offersTimes says whether days or times were offered.
func (e choiceReader) offersTimes() bool {
	return len(dates.Read(e.Offered[0], e.Now, e.Setting.Language).Mentions) > 0
}

// unread are the words that have not told anything yet.
func (e choiceReader) unread() []language.Token { return e.rest().blanked(e.nameAt, e.partyAt).words }

// byPlace hears "the first one", "la segunda", "option two".
func (e choiceReader) byPlace() int {
	words := e.unread()
	for i, w := range words {
		if e.hasOf("not_that", words[max(0, i-2):i]) {
			continue
		}
		n, _ := e.number("places", w.Word)
		if n == 0 && i > 0 && e.is("numbered", words[i-1].Word) {
			n, _ = e.numberAt(words, i)
		}
		if (n == lastOne || n > 0 && n <= len(e.Offered)) && e.pointsAt(words, i) {
			return n
		}
	}
	return 0
}

// pointsAt says whether the place at word i is one of those offered: with an
// article before it and nothing else to point at, or when nothing else is said.
// The first of "it's the first time" is none.
func (e choiceReader) pointsAt(words []language.Token, i int) bool {
	named := i > 0 && (e.is("articles", words[i-1].Word) || e.is("numbered", words[i-1].Word))
	if i+1 == len(words) || words[i+1].Clause != words[i].Clause {
		return named || e.onlySmallTalk(words[:i])
	}
	next := words[i+1].Word
	switch {
	case e.is("options", next):
		return true
	case named:
		return e.smallTalk(next) && !e.is("nouns", next)
	}
	return e.onlySmallTalk(words[:i]) && e.onlySmallTalk(words[i+1:])
}

func (e choiceReader) onlySmallTalk(words []language.Token) bool {
	for _, w := range words {
		if !e.smallTalk(w.Word) && !e.is("name_manners", w.Word) || e.is("measures", w.Word) {
			return false
		}
	}
	return true
}

// byOrder hears "the later one" among offers that have a time.
func (e choiceReader) byOrder() int {
	spans := [][2]int{e.nameAt, e.partyAt}
	for _, m := range e.When.Mentions {
		if m.Kind == dates.AtClock || m.Kind == dates.InPart { // "por la tarde" is no "más tarde"
			spans = append(spans, [2]int{m.Start, m.End})
		}
	}
	words := e.words.blanked(spans...).words
	late := e.hears("later", words)
	if !late && !e.hears("sooner", words) {
		return 0
	}
	best, at := "", 0
	for i, offer := range e.Offered {
		key := sortable(dates.Read(offer, e.Now, e.Setting.Language).Resolve(e.Now, nil))
		if key == "" {
			return 0
		}
		if at == 0 || late == (key > best) {
			best, at = key, i+1
		}
	}
	return at
}

func sortable(w dates.When) string {
	if !w.Timed && w.Date.IsZero() {
		return ""
	}
	return w.Date.String() + " " + w.Clock.String()
}

// byWhen hears the one offer that has the day or the time that was said.
func (e choiceReader) byWhen() int {
	when := e.When
	if len(when.Mentions) == 0 {
		return e.byBareHour()
	}
	var found []int
	for i, offer := range e.Offered {
		if agrees(when, dates.Read(offer, e.Now, e.Setting.Language), e.ear) {
			found = append(found, i)
		}
	}
	if len(found) == 0 || len(found) > 1 && !e.sameClock(found) {
		return 0
	}
	return e.nearest(found) + 1
}

// sameClock says whether some of those offered are all at the same time, on days of
// which none was named: who says only the time leaves the day as it was.
func (e choiceReader) sameClock(offers []int) bool {
	clock, timed := e.When.Time()
	_, dated := e.When.Day()
	if !timed || dated || clock.Kind != dates.AtClock {
		return false
	}
	first := e.offered(offers[0])
	return first.Timed && !slices.ContainsFunc(offers, func(i int) bool {
		other := e.offered(i)
		return !other.Timed || other.Clock != first.Clock || other.Date.IsZero()
	})
}

// nearest is the one of some offers that is on the day that the caller wished for, else
// the first.
func (e choiceReader) nearest(offers []int) int {
	for _, i := range offers {
		if d := e.offered(i).Date; !d.IsZero() && d == e.Standing.Date {
			return i
		}
	}
	return offers[0]
}

// offered is the day and the time of an offer.
func (e choiceReader) offered(i int) dates.When {
	return dates.Read(e.Offered[i], e.Now, e.Setting.Language).Resolve(e.Now, nil)
}

// byBareHour: "five" is the offer at five, where there is one.
func (e choiceReader) byBareHour() int {
	said := dates.ReadAnswer(e.Text, e.Now, e.language(), dates.AskedTime)
	if len(e.words.words) > 5 || len(said.Mentions) == 0 {
		return 0
	}
	before := e.When
	e.When = said
	n := e.byWhen()
	e.When = before
	return n
}

// agrees says whether all that was said of the time fits an offer, and anything
// was.
func agrees(said, offered dates.Reading, e *ear) bool {
	day, dated := said.Day()
	clock, timed := said.Time()
	if !dated && !timed {
		return false
	}
	offer := offered.Resolve(e.Now, nil)
	if dated && (day.Kind != dates.OneDay || offer.Date != day.Date) {
		return false
	}
	if !timed {
		return true
	}
	return fitsClock(clock, offer)
}

func fitsClock(m dates.Mention, offer dates.When) bool {
	clocks := offer.Clocks
	if offer.Timed {
		clocks = []dates.Clock{offer.Clock}
	}
	for _, c := range clocks {
		switch m.Kind {
		case dates.AtClock:
			if c == m.Clock || m.Open && c.Minute == m.Clock.Minute && c.Hour%12 == m.Clock.Hour%12 {
				return true
			}
		case dates.Hours, dates.InPart:
			if !c.Before(m.From) && c.Before(m.To) {
				return true
			}
		}
	}
	return false
}

// byWords hears the one offer that shares most words with what was said. Days
// and times are compared by what they mean, never by their letters: Marta is no
// martes.
func (e choiceReader) byWords() int {
	var said []string
	for _, w := range e.unread() {
		if !isFigures(w.Word) && !e.isNumberWord(w.Word) && !e.smallTalk(w.Word) {
			said = append(said, w.Word)
		}
	}
	best, most, tie := 0, 0, false
	for i, offer := range e.Offered {
		n := e.shared(said, offer)
		switch {
		case n > most:
			best, most, tie = i+1, n, false
		case n == most:
			tie = true
		}
	}
	if most == 0 || tie || e.takesAnother(said, most) {
		return 0
	}
	return best
}

// takesAnother hears the service that was not offered and has more of what was said than
// those that were: it is meant, and none of them.
func (e choiceReader) takesAnother(said []string, most int) bool {
	if e.Expect != SlotService || e.Catalogue == nil {
		return false
	}
	offered := func(s catalogue.Service) bool {
		return slices.ContainsFunc(s.AllNames(), func(name string) bool { return slices.Contains(e.Offered, name) })
	}
	if len(e.Services) == 1 && !e.UnsureService && !offered(e.Services[0]) {
		return true
	}
	var better []catalogue.Service
	for _, s := range e.Catalogue.Services {
		if offered(s) || !s.Bookable {
			continue
		}
		n := 0
		for _, name := range s.AllNames() {
			n = max(n, e.shared(said, name))
		}
		switch {
		case n > most:
			better, most = []catalogue.Service{s}, n
		case n == most && len(better) > 0:
			better = append(better, s)
		}
	}
	if len(better) == 0 {
		return false
	}
	e.Services, e.Unbookable, e.UnsureService = better, nil, false
	return true
}

// shared weighs the words that an offer shares with what was said. Those that tell what
// is done outweigh those that only tell which visit it is, and those that stand in what
// is written about it: a vaccine, for the first time, is no first visit to somebody else.
func (e choiceReader) shared(said []string, offer string) int {
	const named, visit, described = 9, 3, 1
	stem := func(word string) string { return lexicon.Stem(e.stemLanguage(), word) }
	words := e.wordsOf(dates.Read(offer, e.Now, e.Setting.Language).Without(offer)).words
	about := e.describedBy(offer)
	n := 0
	for _, w := range said {
		switch {
		case slices.ContainsFunc(words, func(o language.Token) bool {
			return !e.smallTalk(o.Word) && (stem(o.Word) == stem(w) || shortens(w, o.Word))
		}):
			if e.is("visit_words", w) {
				n += visit
			} else {
				n += named
			}
		case slices.ContainsFunc(about, func(o language.Token) bool { return !e.smallTalk(o.Word) && stem(o.Word) == stem(w) }):
			n += described
		}
	}
	return n
}

// shortens says whether a word is the beginning of a longer one, as people shorten it:
// "physio" for physiotherapy.
func shortens(word, whole string) bool {
	const fewest, further = 4, 3 // letters that are said, and that are left out
	return len(word) >= fewest && len(whole) >= len(word)+further && strings.HasPrefix(whole, word)
}

// describedBy are the words of what is written about the service that was offered.
func (e choiceReader) describedBy(offer string) []language.Token {
	if e.Catalogue == nil {
		return nil
	}
	for _, s := range e.Catalogue.Services {
		if slices.Contains(s.AllNames(), offer) {
			return e.wordsOf(s.Description + " " + strings.Join(s.Aliases, " ")).words
		}
	}
	return nil
}

func (e *ear) stemLanguage() string { return cmp.Or(e.language(), language.Codes()[0]) }

// byNumber takes a bare number for a place: "two", "la 2".
func (e choiceReader) byNumber() int {
	words := e.unread()
	if len(e.When.Mentions) > 0 || e.Party > 0 {
		return 0
	}
	for i := range words {
		n, taken := e.numberAt(words, i)
		if taken > 0 && n >= 1 && n <= len(e.Offered) && !e.is("counters", words[i].Word) && e.onlySmallTalk(words[:i]) && e.onlySmallTalk(words[i+taken:]) {
			return n
		}
	}
	return 0
}
