package hearing

import (
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// detailAfter is what is said of an item from word from on, before word next:
// "grande con orilla de queso", "the blue one, size 38". to is where it ends.
func (e itemReader) detailAfter(n named, from, next int) (detail string, to int) {
	d := detailReader{itemReader: e, of: n, next: min(next, len(e.words.words))}
	to = d.read(from)
	words := e.words.words
	start := from
	for start < to && (e.heads(n.thing, words[start].Word) || e.is("detail_joins", words[start].Word) || e.is("articles", words[start].Word)) {
		start++
	}
	if start >= to {
		return "", from
	}
	return e.Text[words[start].Start:words[to-1].End], to
}

// detailReader reads the wishes that follow a name, word by word.
type detailReader struct {
	itemReader
	of   named
	next int // the word of the next item
	led  int // words since one that leads to a wish; 0: there was none
	bare int // words that describe nothing known
}

// read is where the wishes end that begin at word i, without words that lead to
// nothing.
func (d *detailReader) read(i int) (end int) {
	end = i
	for i < d.next && !d.ends(i) {
		w := d.words.words[i]
		switch {
		case d.is("detail_leads", w.Word):
			d.led = 1
		case d.describes(d.of.thing, i), d.heads(d.of.thing, w.Word):
			end = i + 1
		case d.is("detail_joins", w.Word) || d.is("articles", w.Word) && d.led == 0:
			if !d.goesOn(i + 1) {
				return end
			}
			d.led = 0
		case !d.accepts(i):
			return end
		case !d.smallest(w.Word) || w.Figures || d.isNumberWord(w.Word):
			end = i + 1
		}
		i++
	}
	return end
}

// accepts says whether a word that is no variant belongs to a wish: behind a word
// that leads to one, or right behind the name.
func (d *detailReader) accepts(i int) bool {
	const most, bare = 6, 2
	w := d.words.words[i].Word
	if d.led > 0 {
		d.led++
		return d.led <= most && !(d.smallest(w) && !d.is("portions", w) && !d.is("articles", w) && !d.isNumberWord(w))
	}
	d.bare++
	return d.bare <= bare && !d.words.words[i].Asks && !d.smallTalk(w) && !d.isNumberWord(w) && !d.words.words[i].Figures
}

// ends says whether something else begins at word i.
func (d *detailReader) ends(i int) bool {
	words := d.words.words
	w := words[i]
	if touches(w, d.taken()) || d.is("detail_ends", w.Word) || touches(w, d.placesAt) {
		return true
	}
	for _, meaning := range []string{"pick_up", "delivered", "collected", "order_adds", "order_removes", "want", "name_leads"} {
		if _, ok := d.at(meaning, words, i); ok {
			return true
		}
	}
	if i > 0 && w.Clause != words[i-1].Clause {
		d.led = 0
		return !d.goesOn(i)
	}
	return false
}

// goesOn says whether a wish follows at word i, past small words.
func (d *detailReader) goesOn(i int) bool {
	words := d.words.words
	for i < d.next && (d.is("detail_joins", words[i].Word) || d.is("articles", words[i].Word)) {
		i++
	}
	weak := false
	for i < d.next && (d.is("weak_leads", words[i].Word) || weak && d.is("articles", words[i].Word)) {
		weak = true
		i++
	}
	return i < d.next && !touches(words[i], d.taken()) && (d.is("detail_leads", words[i].Word) || d.describes(d.of.thing, i))
}

// markCounted marks the numbers that count something of the house, before anybody reads
// a time or people in them: the two of "tonight two of the croquettes" is no hour. A
// number behind a word that leads to a time or to people counts nothing else.
func (e itemReader) markCounted() {
	if e.Catalogue == nil || len(e.Catalogue.Dishes)+len(e.Catalogue.Products) == 0 {
		return
	}
	words := e.words.words
	for i := range words {
		n, taken := e.countAt(i)
		if n < 2 || e.is("item_some", words[i].Word) || words[i].Gap == language.Colon || words[i].Gap == language.Dot {
			continue
		}
		if i > 0 && words[i].Gap.Soft() && e.is("count_leads_not", words[i-1].Word) {
			continue
		}
		for _, found := range e.namedBehind(e.Text, i, taken) {
			if found.score >= clearMatch && found.from == i && found.quantity > 0 {
				e.countedAt = append(e.countedAt, [2]int{words[i].Start, words[i+taken-1].End})
				break
			}
		}
	}
}

// freeCounts gives back the numbers that were read as part of a day and count
// what follows: "for Saturday three with tuna" is not for Saturday the third.
func (e itemReader) freeCounts() {
	words := e.words.words
	for _, m := range e.When.Mentions {
		last := e.before(m.End)
		if m.Kind != dates.OneDay || last+1 >= len(words) || words[last].Start <= m.Start {
			continue
		}
		if _, taken := e.numberAt(words, last); taken == 0 {
			continue
		}
		number := [2]int{words[last].Start, words[last].End}
		heard := *e.ear
		heard.When = e.readWhen(blank(e.Text, number, e.phoneAt, e.emailAt, e.codeAt), asked(e.Expect))
		found := itemReader{&heard}.namedBehind(blank(e.Text, itemReader{&heard}.taken()...), last, 1)
		for _, n := range found {
			if n.score >= clearMatch && n.from == last {
				e.When = heard.When
				return
			}
		}
	}
}

// hearLess hears what is taken out of an order again: "leave out the salad".
func (e itemReader) hearLess() {
	words := e.words.words
	for i := 0; i < len(words) && e.Ordering; i++ {
		to, ok := e.at("order_removes", words, i)
		if !ok {
			continue
		}
		for from := to; from < len(words); {
			end := e.lessEnd(from)
			if end == from {
				break
			}
			at := [2]int{words[from].Start, words[end-1].End}
			e.Items = append(e.Items, Item{Name: e.Text[at[0]:at[1]], Quantity: 1, Less: true})
			e.itemsAt = append(e.itemsAt, [2]int{words[i].Start, at[1]})
			e.lessAt = append(e.lessAt, at)
			if end+1 >= len(words) || !e.is("detail_joins", words[end].Word) || !e.is("articles", words[end+1].Word) {
				break
			}
			from = end + 1
		}
	}
}

// lessEnd is where the thing ends that is left out from word i on.
func (e itemReader) lessEnd(i int) int {
	words := e.words.words
	stop := func(w language.Token) bool {
		return touches(w, e.taken()) || e.is("detail_ends", w.Word) || e.is("detail_joins", w.Word)
	}
	for to := i; ; to++ {
		if to == len(words) || to-i > 6 || words[to].Clause != words[i].Clause || stop(words[to]) {
			return to
		}
	}
}
