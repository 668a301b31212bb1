package hearing

import "frontdesk.dev/frontdesk/internal/language"

// replacementReader reads what is wanted in the place of something.
type replacementReader struct{ *ear }

// replacedAt are where the text names what something else is wanted for: "instead of
// the tacos", the cola of "change the cola for a water".
func (e replacementReader) replacedAt() (all [][2]int) {
	words := e.words.words
	for i := range words {
		if to, ok := e.at("instead_of", words, i); ok && to < len(words) {
			all = append(all, [2]int{words[i].Start, words[e.replacedEnd(to)-1].End})
		}
		to, ok := e.at("swaps", words, i)
		for j := to; ok && j < len(words) && words[j].Sentence == words[i].Sentence; j++ {
			if e.is("swap_joins", words[j].Word) {
				all = append(all, [2]int{words[i].Start, words[j].End})
				break
			}
		}
	}
	return all
}

// replacedEnd is where the thing ends that is replaced from word i on: with its
// clause, or where the words begin that want the other one.
func (e replacementReader) replacedEnd(i int) int {
	words := e.words.words
	for to := i + 1; to < len(words); to++ {
		_, rather := e.at("rather", words, to)
		_, takes := e.at("takes_instead", words, to)
		if words[to].Clause != words[i].Clause || rather || takes || e.is("set want", words[to].Word) || e.is("set can", words[to].Word) || e.is("clause_subjects", words[to].Word) {
			return to
		}
	}
	return len(words)
}

// hearReplaced hears what is taken out of an order because something else is wanted
// in its place.
func (e itemReader) hearReplaced() {
	if !e.Ordering {
		return
	}
	for _, at := range replacementReader(e).replacedAt() {
		from, to := e.after(at[0]), e.before(at[1])+1
		if end, ok := e.at("instead_of", e.words.words, from); ok {
			from = end
		} else if end, ok := e.at("swaps", e.words.words, from); ok {
			from, to = end, to-1
		}
		for from < to && (e.is("articles", e.words.words[from].Word) || e.is("determiners", e.words.words[from].Word)) && !e.isCount(from) {
			from++
		}
		if from >= to {
			continue
		}
		name := e.Text[e.words.words[from].Start:e.words.words[to-1].End]
		e.Items = append(e.Items, Item{Name: name, Quantity: 1, Less: true})
		e.itemsAt, e.lessAt = append(e.itemsAt, at), append(e.lessAt, at)
	}
}

// hearParts hears what is said of some of the things that are ordered already: "one of
// them without onion", "solo dos".
func (e itemReader) hearParts() {
	if !e.Ordering || e.Expect == SlotPhone || e.Expect == SlotTime {
		return
	}
	for _, clause := range e.words.parts(byClause) {
		from := e.after(clause[0].Start)
		e.hearPart(from, from+len(clause))
	}
}

func (e itemReader) hearPart(from, to int) {
	words := e.words.words
	i, led := from, false
	for i < to && !e.isCount(i) && (e.is("fillers", words[i].Word) || e.is("part_leads", words[i].Word) || e.is("bare_no", words[i].Word)) {
		led = led || e.is("part_only", words[i].Word) || !e.Standing.Timed // "make it seven" may be the time that stands
		i++
	}
	if i >= to || touches(words[i], append(e.itemsAt, e.taken()...)) {
		return
	}
	count, taken := e.countAt(i)
	if taken == 0 {
		return
	}
	j, noun, known := e.partNoun(i+taken, to)
	if j < to && touches(words[j], e.itemsAt) {
		return
	}
	detail, end := "", j
	if j < to && e.is("detail_leads", words[j].Word) && !e.is("weak_leads", words[j].Word) {
		detail, end = e.detailAfter(named{}, j, to)
	}
	rest := words[end:to]
	if detail == "" && (!led && !known || e.contentWords(rest) > 0) {
		return
	}
	e.Items = append(e.Items, Item{Name: noun, Quantity: count, Counted: true, Detail: detail, Part: true})
	e.itemsAt = append(e.itemsAt, [2]int{words[from].Start, words[max(end, i+taken)-1].End})
}

// partNoun reads what the things are called of which a number was said, up to word
// to: "of the pizzas", "de ellas". known says whether they are named, or pointed at.
func (e itemReader) partNoun(j, to int) (next int, noun string, known bool) {
	words := e.words.words
	start := j
	for j < to && (e.is("part_of", words[j].Word) || e.is("articles", words[j].Word) && j > start) {
		j++
	}
	switch {
	case j < to && e.is("part_pronouns", words[j].Word):
		return j + 1, "", true
	case j < to && e.callsThings(words[j]):
		return j + 1, words[j].Word, true
	}
	return start, "", false
}

// pointedEnd is where words end that point at what is ordered, from word i on: "of
// them". It is i where there are none.
func (e itemReader) pointedEnd(i, to int) int {
	words := e.words.words
	at := i
	for at < min(to, len(words)) && e.is("part_of", words[at].Word) {
		at++
	}
	if at > i && at < min(to, len(words)) && e.is("part_pronouns", words[at].Word) {
		return at + 1
	}
	return i
}

// onlySo is how many of a thing are wanted where that is said behind its name: "the
// croquettes, only one". end is where that ends.
func (e itemReader) onlySo(i, next int) (n, end int) {
	words := e.words.words
	at := i
	for at < next && at < len(words) && e.is("part_only", words[at].Word) {
		at++
	}
	if at == i || at >= next || at >= len(words) {
		return 0, i
	}
	n, taken := e.countAt(at)
	if taken == 0 || at+taken < next && words[at+taken].Clause == words[at].Clause && e.contentWords(words[at+taken:at+taken+1]) > 0 {
		return 0, i
	}
	return n, at + taken
}

// refused says whether word i takes back the thing that was named before it: the last
// word of "the prawns no".
func (e itemReader) refused(i int) bool {
	words := e.words.words
	return e.Ordering && i > 0 && i < len(words) && words[i].Clause == words[i-1].Clause && e.is("bare_no", words[i].Word) &&
		(i+1 == len(words) || words[i+1].Clause != words[i].Clause)
}

// callsThings says whether a word stands in what the business calls its things, or a
// kind of them.
func (e itemReader) callsThings(w language.Token) bool {
	if e.smallest(w.Word) || e.is("detail_leads", w.Word) {
		return false
	}
	same := func(label string) bool {
		for _, own := range e.wordsOf(label).words {
			if e.stem(own.Word) == e.stem(w.Word) {
				return true
			}
		}
		return false
	}
	for _, d := range e.Catalogue.Dishes {
		if same(d.Name) || same(d.Course) {
			return true
		}
	}
	for _, p := range e.Catalogue.Products {
		if same(p.Name) || same(p.Shelf) {
			return true
		}
	}
	return false
}
