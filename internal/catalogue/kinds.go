package catalogue

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// says says whether a phrase of a meaning stands in the question.
func (q *question) says(meaning string) bool {
	return mixed().Phrases("catalogue_" + meaning).In(q.spoken)
}

// fitsGoods says whether what is asked can be answered by what there is to be
// had. Who, where, when and why cannot: "who does the highlights?" does not ask
// whether there are any. What callers bring along is not asked for either.
func (q *question) fitsGoods() bool {
	for _, meaning := range []string{"asks_who", "asks_where", "asks_when", "asks_why"} {
		if q.says(meaning) {
			return false
		}
	}
	return !q.says("brings") || q.says("takes_away")
}

// asksHours says whether the hours are asked for, and those of the house: who
// says that they come when it opens does not ask, and the hours of its pool may be
// others.
func (q *question) asksHours() bool {
	return q.about(hours, openNow, closing) && !q.says("tells_hours") && !q.subject(hours, openNow, closing) || hoursQuestion{q}.asksPresence()
}

// asksPresence says whether nothing is asked but whether somebody is there on certain
// days: "los sábados, ¿trabajan?", "are you in on bank holidays?"
func (q hoursQuestion) asksPresence() bool {
	var used tokenSet
	days, present := false, false
	for i, w := range q.words {
		switch {
		case weekdayOf(w.word) >= 0 || weekdayOf(strings.TrimSuffix(w.word, "s")) >= 0, wordsOf("today")[w.word], wordsOf("tomorrow")[w.word], wordsOf("parts of day")[w.word]:
			days = true
			used.add(i, i+1)
		case wordsOf("present")[w.word]:
			present = true
			used.add(i, i+1)
		}
	}
	for _, patterns := range [][]pattern{expressions("expressions weekend"), expressions("expressions weekdays only"), expressions("about holidays")} {
		for _, p := range patterns {
			if at, ok := p.anywhere(q.words); ok {
				days = true
				for _, i := range at {
					used.add(i, i+1)
				}
			}
		}
	}
	if !days || !present || q.says("asks_who") {
		return false
	}
	for i, w := range q.words {
		if !used.any(i, i+1) && !w.grammar() && !talk()[w.word] {
			return false
		}
	}
	return true
}

// subject says whether the words that show a topic have a subject of their own:
// "what time does the pool open?", "¿a qué hora abre la piscina?"
func (q *question) subject(topics ...topic) bool {
	left := q.unshown()
	for _, t := range topics {
		for _, i := range q.shown[t] {
			if left(i+2) && q.function(i+1) && !q.words[i].stop || left(i-1) && i > 1 && q.function(i-2) && !q.words[i-1].stop {
				return true
			}
		}
	}
	return false
}

func (q *question) function(i int) bool {
	return i >= 0 && i < len(q.words) && definite()[q.words[i].word]
}

// definite are the words that stand before something that is known.
func definite() language.Set { return wordsOf("definite") }

// unshown tells the tokens that say something and show no topic: those that name
// what is asked about.
func (q *question) unshown() func(i int) bool {
	var shown tokenSet
	for _, used := range q.shown {
		for _, i := range used {
			shown.add(i, i+1)
		}
	}
	return func(i int) bool {
		return i >= 0 && i < len(q.words) && !shown.any(i, i+1) && !q.dated.any(i, i+1) && q.tells(i)
	}
}

func (q *question) unshownTokens() (all []int) {
	left := q.unshown()
	for i := range q.words {
		if left(i) {
			all = append(all, i)
		}
	}
	return all
}

// tells says whether a word tells something that no answer about the house can
// leave out. Words that say little do here: the bride of "prueba de novia".
func (q *question) tells(i int) bool {
	w := q.words[i]
	return !w.function && !w.manners && !q.c.house.own[w.word] && !wordsOf("house")[w.word] && !talk()[w.word] && !w.numeral() &&
		weekdayOf(w.word) < 0 && !wordsOf("parts of day")[w.word] && !wordsOf("today")[w.word] && !unimportant()[w.word]
}

// unimportant are words that say nothing in any question.
func unimportant() language.Set { return wordsOf("unimportant") }

// untold are the words that tell something, say it as little as they may, and
// that are not accounted for.
func (q *question) untold() (all []int) {
	for i := range q.words {
		if !q.clear.any(i, i+1) && q.tells(i) {
			all = append(all, i)
		}
	}
	return all
}

// untoldBut is untold without what shows the topics.
func (q *question) untoldBut(topics ...topic) []int {
	before := q.clear
	q.account(topics...)
	all := q.untold()
	q.clear = before
	return all
}

// ownThing says whether what was named belongs to the caller: "where is my
// dress?", "my order".
func (q *question) ownThing(m found) bool {
	first := m.tokens[0]
	return first > 0 && wordsOf("possessives")[q.words[first-1].word]
}

// modifies says whether what was named only says more of something else that
// was not: the gift of "gift cards", the "regalo" of "tarjetas de regalo".
func (q *question) modifies(m found, accounted func(int) bool) bool {
	first, last := m.tokens[0], m.tokens[len(m.tokens)-1]
	if headLast(q.lang) {
		return accounted(last+1) && !q.words[last].stop
	}
	return first > 1 && accounted(first-2) && wordsOf("of")[q.words[first-1].word]
}

// headLast says whether a language puts what says more before what it says more
// of: "gift cards".
func headLast(lang string) bool {
	l := language.Of(lang)
	return l != nil && l.Pairs("catalogue order")["head"] == "last"
}

// itself leaves those that were named themselves, not in the name of something
// else and not as the caller's own.
func (q *question) itself(all []found) []found {
	named := func(i int) bool {
		return !slices.ContainsFunc(all, func(o found) bool { return slices.Contains(o.tokens, i) })
	}
	left := q.unshown()
	return slices.DeleteFunc(slices.Clone(all), func(m found) bool {
		return q.ownThing(m) || q.modifies(m, func(i int) bool { return left(i) && named(i) && strong(q.words[i]) })
	})
}
