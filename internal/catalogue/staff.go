package catalogue

import (
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/opening"
)

// staff is somebody who works at the house. Of them only is told what anybody can book:
// when they are there and what they do, never why they are away.
type staff struct {
	frontdesk.Resource
	hours *opening.Hours
}

func readStaff(c frontdesk.Calendar, of *opening.Hours) (all []staff) {
	for _, r := range c.Resources {
		if r.Kind == frontdesk.PersonKind {
			all = append(all, staff{r, of.With(c, r)})
		}
	}
	return all
}

// Named are the resources that words name: a person by one of their names that nobody
// else has, anything else by its whole name. Words for which skip is true name nobody.
func Named(words []language.Token, all []frontdesk.Resource, skip func(word string) bool) (named []frontdesk.Resource) {
	for _, r := range all {
		own := nameWords(r)
		if r.Kind != frontdesk.PersonKind {
			if len(own) > 0 && inARow(words, own) {
				named = append(named, r)
			}
			continue
		}
		if slices.ContainsFunc(own, func(name string) bool {
			return !sharedName(name, r, all) && inARow(words, []string{name}) && !skip(name)
		}) {
			named = append(named, r)
		}
	}
	return named
}

// inARow says whether words stand in others, one after the other.
func inARow(words []language.Token, row []string) bool {
	for i := 0; i+len(row) <= len(words); i++ {
		if slices.EqualFunc(words[i:i+len(row)], row, func(a language.Token, b string) bool { return a.Word == b }) {
			return true
		}
	}
	return false
}

// nameWords are the words of a resource's name, without titles.
func nameWords(r frontdesk.Resource) (all []string) {
	for _, w := range language.Tokenize(r.Name) {
		if !mixed().Words("titles")[w.Word] {
			all = append(all, w.Word)
		}
	}
	return all
}

// sharedName says whether somebody else of the house has a name too.
func sharedName(name string, r frontdesk.Resource, all []frontdesk.Resource) bool {
	return slices.ContainsFunc(all, func(o frontdesk.Resource) bool {
		return o.ID != r.ID && slices.Contains(nameWords(o), name)
	})
}

// StaffNames are the words by which those who work at the house are called.
func (c *Catalogue) StaffNames() language.Set {
	names := language.Set{}
	for _, s := range c.house.staff {
		for _, name := range nameWords(s.Resource) {
			names[name] = true
		}
	}
	return names
}

// staffQuestion asks who works at the house: when they are there, and who does what.
type staffQuestion struct{ *question }

// AskBook answers what the book of the house knows beside its hours: who is there when,
// who does what, how far ahead and how late appointments are made. What is left over of
// the question makes it none of these.
func (c *Catalogue) AskBook(text, lang string, now time.Time, focus Focus) (Reply, bool) {
	for _, ask := range []func(*question) (Reply, bool){
		func(q *question) (Reply, bool) { return staffQuestion{q}.ask() },
		func(q *question) (Reply, bool) { return termsQuestion{q}.ask() },
		func(q *question) (Reply, bool) { return hoursQuestion{q}.askPresence() },
	} {
		if r, ok := ask(c.open(text, lang, now, focus)); ok && r.Certain {
			return r, true
		}
	}
	return Reply{}, false
}

func (q staffQuestion) ask() (Reply, bool) {
	if len(q.c.house.staff) == 0 {
		return Reply{}, false
	}
	who := q.named()
	if len(who) == 0 && !q.asksWho() && !q.says("asks_with_whom") {
		return Reply{}, false
	}
	if len(who) > 0 {
		return q.askOf(who)
	}
	return q.askWho()
}

// askOf answers what is asked of those who are named: whether they do something, or are
// there.
func (q staffQuestion) askOf(who []staff) (Reply, bool) {
	a, there, wants, done := hoursQuestion(q).readDays(), q.saysThere(), q.wants(), q.does()
	switch {
	case wants:
	case len(done) > 0 && q.said(wordsOf("staff does")):
		return q.sayDoes(who, done, a)
	case len(done) == 0 && there && !q.requests() && !(a.none() && q.mayAskFor()):
		return q.sayThere(who, a)
	}
	return Reply{}, false
}

// askWho answers who does something, or who is there, where nobody is named.
func (q staffQuestion) askWho() (Reply, bool) {
	a, there, wants, done := hoursQuestion(q).readDays(), q.saysThere(), q.wants(), q.does()
	switch {
	case len(done) == 0 && q.focus.Service != "" && q.says("asks_with_whom"):
		return q.arranged()
	case len(done) > 0 && q.asksWho():
		return q.sayWhoDoes(done, a)
	case len(done) == 0 && q.asksWho() && !wants && !a.none() && there:
		return q.sayWhoIsThere(a)
	}
	return Reply{}, false
}

// named are those whom the question names, or means by "she"; their words are accounted
// for.
func (q staffQuestion) named() (who []staff) {
	var all []frontdesk.Resource
	for _, s := range q.c.house.staff {
		all = append(all, s.Resource)
	}
	named := Named(q.spoken, all, func(string) bool { return false })
	if len(named) == 0 && q.focus.Resource != "" && !q.asksWho() && q.meansThem() {
		named = slices.DeleteFunc(all, func(r frontdesk.Resource) bool { return r.ID != q.focus.Resource })
	}
	for _, s := range q.c.house.staff {
		if !slices.ContainsFunc(named, func(r frontdesk.Resource) bool { return r.ID == s.ID }) {
			continue
		}
		who = append(who, s)
		for _, name := range language.Tokenize(s.Name) {
			q.said(language.Set{name.Word: true})
		}
	}
	return who
}

// meansThem says whether the question speaks of somebody without a name: by a pronoun, or
// with a verb alone.
func (q staffQuestion) meansThem() bool {
	last := len(q.words) - 1
	if last >= 0 && wordsOf("staff pronouns last")[q.words[last].word] {
		q.clear.add(last, last+1)
		return true
	}
	alone := func(w token) bool { return wordsOf("staff alone")[w.word] }
	return q.said(wordsOf("staff pronouns")) || slices.ContainsFunc(q.words, alone)
}

// saysThere says whether a word asks for presence, outside of what names days.
func (q staffQuestion) saysThere() (found bool) {
	for i, w := range q.words {
		if wordsOf("staff there")[w.word] && !q.clear.any(i, i+1) {
			q.clear.add(i, i+1)
			found = true
		}
	}
	return found
}

// wants says whether somebody speaks of a wish of their own.
func (q staffQuestion) wants() bool {
	return slices.ContainsFunc(q.words, func(w token) bool { return wordsOf("staff wishes")[w.word] || talk()[w.word] })
}

// requests says whether something is asked to be done.
func (q staffQuestion) requests() bool {
	return slices.ContainsFunc(q.words, func(w token) bool { return wordsOf("staff requests")[w.word] })
}

// mayAskFor says whether a question without a day may ask for somebody to speak to: "is
// Ana there?"
func (q staffQuestion) mayAskFor() bool {
	return !q.asksWhat()
}

// asksWho says whether it is asked who, or which of them.
func (q staffQuestion) asksWho() bool {
	which := q.sees(expressions("expressions which of you"))
	return which || q.says("asks_who")
}

// does are the services that the question names surely; their words are accounted for.
func (q staffQuestion) does() (all []Service) {
	for _, m := range q.c.services.find(q.words) {
		if m.score < surely && !m.full || m.hint {
			continue
		}
		all = append(all, q.c.Services[m.entry])
		q.mark(m.tokens)
	}
	return all
}

// sayDoes answers whether somebody does something.
func (q staffQuestion) sayDoes(who []staff, done []Service, a daysAsked) (Reply, bool) {
	var parts []string
	for _, s := range who {
		for _, service := range done {
			key := "staff_does_not"
			if s.Does(service.ID) {
				key = "staff_does"
			}
			parts = append(parts, sentence(wording(q.lang, key, "who", s.Name, "service", service.Say(q.lang))))
			if names := q.whoDoes(service, a); key == "staff_does_not" && len(names) > 0 {
				parts = append(parts, sentence(service.Say(q.lang)+": "+joinAnd(q.lang, names)))
			}
		}
		if !a.none() && s.Does(done[0].ID) {
			parts = append(parts, q.sayPerson(s, a))
		}
	}
	return q.replyOf(who, strings.Join(parts, " "))
}

// sayThere says when somebody is there.
func (q staffQuestion) sayThere(who []staff, a daysAsked) (Reply, bool) {
	var parts []string
	for _, s := range who {
		parts = append(parts, q.sayPerson(s, a))
	}
	return q.replyOf(who, strings.Join(parts, " "))
}

// replyOf is an answer about people, who are talked about from then on.
func (q staffQuestion) replyOf(who []staff, text string) (Reply, bool) {
	r, ok := q.reply("staff", text)
	if len(who) == 1 {
		r.Resource = who[0].ID
	}
	return r, ok
}

func (q staffQuestion) sayPerson(s staff, a daysAsked) string {
	h := hoursQuestion(q)
	week := s.hours.Usual()
	var parts []string
	switch {
	case !a.first.IsZero():
		return q.sayAway(s, a)
	case len(a.dates) > 0:
		for _, d := range slices.Compact(slices.Clone(a.dates)) {
			parts = append(parts, q.sayOn(s, a, d))
		}
	case len(a.weekly) > 0 && len(a.weekly) <= 2:
		for _, d := range a.weekly {
			open, _ := a.covers(week[d])
			parts = append(parts, q.answer(h.whether(open), q.sayIn(s, everyDay(q.lang, d), week[d])))
		}
	default:
		days := house{week: week}.runsOpen(q.lang)
		if days == "" {
			return ""
		}
		parts = append(parts, sentence(wording(q.lang, "staff_days", "who", s.Name, "days", days)))
		if d := frontdesk.DateOf(q.now); len(s.hours.Special(d, d.AddDays(6))) > 0 {
			parts = append(parts, q.sayAway(s, daysAsked{first: d, last: d.AddDays(6)}))
		}
	}
	return strings.Join(parts, " ")
}

// sayIn says that somebody is there on some day, or is not.
func (q staffQuestion) sayIn(s staff, when string, periods []frontdesk.Period) string {
	if len(periods) == 0 {
		return wording(q.lang, "staff_out", "who", s.Name, "when", when)
	}
	return wording(q.lang, "staff_in", "who", s.Name, "when", when, "shift", sayShifts(q.lang, periods))
}

// sayOn says whether somebody is there on a date, and if not, when next.
func (q staffQuestion) sayOn(s staff, a daysAsked, d frontdesk.Date) string {
	periods := s.hours.Shown(d)
	open, clear := a.covers(periods)
	v := hoursQuestion(q).whether(open)
	if !clear {
		v = notAsked
	}
	text := q.answer(v, q.sayIn(s, q.nameDay(d), periods))
	next, ok := s.hours.Reopens(d)
	if len(periods) > 0 || !ok {
		return text
	}
	return text + " " + sentence(wording(q.lang, "staff_next", "who", s.Name, "when", q.nameDay(next), "shift", sayShifts(q.lang, s.hours.Shown(next))))
}

// sayAway says on which of some days somebody is not there who usually is, or is at other
// hours.
func (q staffQuestion) sayAway(s staff, a daysAsked) string {
	var parts []string
	for _, r := range s.hours.Special(a.first, a.last) {
		parts = append(parts, sentence(q.sayIn(s, q.nameDays(r.First, r.Last), r.Open)))
	}
	if len(parts) == 0 {
		return sentence(wording(q.lang, "staff_days", "who", s.Name, "days", house{week: s.hours.Usual()}.runsOpen(q.lang)))
	}
	return strings.Join(parts, " ")
}

// sayWhoDoes says who does something, of those who are there on the days that were named.
func (q staffQuestion) sayWhoDoes(done []Service, a daysAsked) (Reply, bool) {
	q.said(wordsOf("staff does"))
	q.saysThere()
	var parts, all []string
	for _, service := range done {
		if names := q.whoDoes(service, a); len(names) > 0 {
			parts, all = append(parts, sentence(service.Say(q.lang)+": "+joinAnd(q.lang, names))), append(all, names...)
		}
	}
	only := slices.DeleteFunc(slices.Clone(q.c.house.staff), func(s staff) bool { return !slices.Contains(all, s.Name) })
	return q.replyOf(only, strings.Join(parts, " "))
}

// whoDoes are the names of those who do something and are there on some days.
func (q staffQuestion) whoDoes(service Service, a daysAsked) (names []string) {
	for _, s := range q.c.house.staff {
		if s.Does(service.ID) && s.isThere(a) {
			names = append(names, s.Name)
		}
	}
	return names
}

// arranged answers with whom what is being arranged would be.
func (q staffQuestion) arranged() (Reply, bool) {
	var a daysAsked
	if !q.focus.Date.IsZero() {
		a.dates = []frontdesk.Date{q.focus.Date}
	}
	for _, s := range q.c.house.staff {
		if s.ID == q.focus.With {
			return Reply{Text: wording(q.lang, "staff_with", "names", s.Name), Topic: "staff", Certain: true}, true
		}
	}
	for _, service := range q.c.Services {
		if names := q.whoDoes(service, a); service.ID == q.focus.Service && len(names) > 0 {
			return Reply{Text: wording(q.lang, "staff_with", "names", joinOr(q.lang, names)), Topic: "staff", Certain: true}, true
		}
	}
	return Reply{}, false
}

// isThere says whether somebody is there on one of the days, or at all where none was
// named.
func (s staff) isThere(a daysAsked) bool {
	week := s.hours.Usual()
	switch {
	case !a.first.IsZero():
		return slices.ContainsFunc(s.hours.Runs(a.first, a.last), func(r opening.Run) bool { return len(r.Open) > 0 })
	case len(a.dates) > 0:
		return slices.ContainsFunc(a.dates, func(d frontdesk.Date) bool { open, _ := a.covers(s.hours.Shown(d)); return open })
	case len(a.weekly) > 0:
		return slices.ContainsFunc(a.weekly, func(d int) bool { open, _ := a.covers(week[d]); return open })
	}
	return true
}

// sayWhoIsThere says who is there on some days, each with their hours.
func (q staffQuestion) sayWhoIsThere(a daysAsked) (Reply, bool) {
	var parts []string
	var who []staff
	for _, s := range q.c.house.staff {
		if s.isThere(a) {
			who = append(who, s)
			parts = append(parts, strings.TrimSuffix(q.sayPerson(s, a), "."))
		}
	}
	if len(who) == 0 {
		return q.replyOf(nil, wording(q.lang, "staff_nobody"))
	}
	return q.replyOf(who, strings.Join(parts, "; ")+".")
}

// runsOpen says the days of a week that are open, those with the same hours together.
func (h house) runsOpen(lang string) string {
	var open []int
	for d, periods := range h.week {
		if len(periods) > 0 {
			open = append(open, d)
		}
	}
	return h.runs(lang, open)
}
