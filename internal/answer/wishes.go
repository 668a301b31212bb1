package answer

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// How well a document must answer what may be a wish as well, for it to have been a
// question; and where it has none of the words of what was said.
const (
	surelyAsked    = 80
	certainlyAsked = 90
)

// AsksRather says whether what was heard as a wish to come, and is put as a question,
// is one, for a document or a house rule answers just that: "can we eat there?", of a
// house that serves no meals. Who names a time, a number of people or a day that the
// answer does not speak of wants to come.
func (d Documents) AsksRather() bool {
	h := d.Heard
	if d.Busy || h.Question != "" || !h.Has(hearing.Book) || h.Has(hearing.Reschedule) || d.namesClock() || h.Party > 0 || h.Name+h.Phone+h.Code != "" || !d.couldAsk() {
		return false
	}
	text := d.rule(h.Text, 2)
	if text == "" || !d.has("asks_extent", h.Text) {
		text = d.answersWish()
	}
	return text != "" && d.namesDaysOf(text)
}

// answersWish is what documents say to a wish that is put as a question, where that
// speaks of something beside what there is to be booked; "" when nothing.
func (d Documents) answersWish() string {
	h := d.Heard
	beside := d.besideServices(h.Text)
	if len(beside) == 0 {
		return ""
	}
	a, err := d.LookUp(h.Text)
	if err != nil || !a.Answered || a.MatchPct < surelyAsked {
		return ""
	}
	about := d.tellsApart(strings.Join(beside, " "), a.Text, a.Hits)
	if !about && (a.MatchPct < certainlyAsked || len(h.Services) > 0) {
		return ""
	}
	return a.Text
}

// couldAsk says whether a wish to come is put as a question, and does not name what
// is to be booked or that it is.
func (d Documents) couldAsk() bool {
	words := d.Tokens(d.Heard.Text)
	books := func(w language.Token) bool { return d.Mix.Words("set booking")[w.Word] }
	return d.Mix.Phrases("asks_extent").In(words) || d.Mix.Phrases("could_ask").In(words) && !slices.ContainsFunc(words, books)
}

// namesClock says whether a time of the day was named: a meal is none.
func (d Documents) namesClock() bool {
	return slices.ContainsFunc(d.Heard.When.Mentions, func(m dates.Mention) bool {
		return m.Kind == dates.AtClock || m.Kind == dates.Hours || m.Kind == dates.Instant
	})
}

// namesDaysOf says whether a text has the days that were named, if any were.
func (d Documents) namesDaysOf(text string) bool {
	if _, day := d.Heard.When.Day(); !day {
		return true
	}
	for _, m := range d.Heard.When.Mentions {
		if m.Start >= 0 && m.Start < m.End && m.End <= len(d.Heard.Text) && passage.Signs(d.Heard.Text[m.Start:m.End], text) > 0 {
			return true
		}
	}
	return false
}

// AsksForService says whether a question names a service that can be booked, and
// nothing beside: "can she come for a fringe trim?"
func (d Documents) AsksForService(question string) bool {
	return !d.Busy && !d.Heard.Has(hearing.Order) && d.dietTold(question) == "" && len(d.Heard.Items) == 0 && len(d.Heard.Services) == 1 && d.Heard.Services[0].Bookable && !d.Heard.UnsureService &&
		(d.has("could_ask", question) && len(d.besideServices(question)) == 0 || d.has("asks_of_told", question) && len(d.matterOf(d.thingAsked(question))) == 0)
}

// besideServices are the words that a text is about beside those of services that it
// may name.
func (d Documents) besideServices(text string) (all []string) {
	names := ""
	for _, m := range d.Catalogue.FindServices(text, d.Lang) {
		names += " " + called(m.Entry)
	}
	return slices.DeleteFunc(d.matterOf(text), func(word string) bool { return passage.Signs(word, names) > 0 })
}

// WishMatter are the words of a wish that say what is wanted: neither that it is, nor
// when.
func (d Documents) WishMatter(wish string) []string {
	for _, m := range d.Heard.When.Mentions {
		if m.Start >= 0 && m.Start < m.End && m.End <= len(wish) {
			wish = wish[:m.Start] + strings.Repeat(" ", m.End-m.Start) + wish[m.End:]
		}
	}
	return slices.DeleteFunc(d.matterOf(wish), func(word string) bool {
		return d.SpeaksOfBooking(word) || d.Mix.Words("set booking")[word] || speaksOf(d.servicesText(), word)
	})
}

// servicesText is what the services are called.
func (d Documents) servicesText() (text string) {
	for _, s := range d.Catalogue.Services {
		text += " " + called(s)
	}
	return text
}

// Against is what documents say against what is wanted; "" when nothing.
func (d Documents) Against(matter string) string {
	a, err := d.LookUp(matter)
	if err != nil {
		return ""
	}
	a.Answered = false // whatever else it says
	denial := d.outrightDenial(matter, a)
	if denial == "" {
		denial = d.denial(matter, a)
	}
	if !d.InLanguage(denial) {
		return ""
	}
	return denial
}
