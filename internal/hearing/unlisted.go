package hearing

import "frontdesk.dev/frontdesk/internal/language"

// hearUnlisted hears what is ordered and the house does not list, with its number: the
// "two lasagnes" of an order from a house without any. Nobody is to believe that they
// ordered it.
func (e itemReader) hearUnlisted() {
	if e.Catalogue == nil || len(e.Catalogue.Dishes)+len(e.Catalogue.Products) == 0 || !e.Ordering && !e.Has(Order) || e.Has(Book) {
		return
	}
	words := e.words.words
	heard := append(e.taken(), e.itemsAt...)
	heard = append(append(heard, e.lessAt...), e.partyAt, e.questionAt)
	heard = append(heard, partyReader(e).peopleTold()...)
	for i := 0; i < len(words); i++ {
		_, taken := e.countAt(i)
		if taken == 0 || touches(words[i], heard) {
			continue
		}
		to := e.unlistedEnd(i+taken, heard)
		if to == 0 || !e.lists(i) {
			continue
		}
		at := [2]int{words[i].Start, words[to-1].End}
		e.Unlisted, e.itemsAt = append(e.Unlisted, e.Text[at[0]:at[1]]), append(e.itemsAt, at)
		i = to - 1
	}
}

// lists says whether the number at word i is one of a list of what is ordered: it begins
// a clause, or stands behind a word that joins or wants. The one of "with a candle" is not.
func (e itemReader) lists(i int) bool {
	words := e.words.words
	if i == 0 || words[i].Clause != words[i-1].Clause || e.is("conjunctions", words[i-1].Word) || touches(words[i-1], e.itemsAt) {
		return true
	}
	for from := max(0, i-4); from < i; from++ {
		for _, wants := range []string{"want", "order"} {
			if to, ok := e.at(wants, words, from); ok && to == i {
				return true
			}
		}
	}
	return false
}

// unlistedEnd is where the name of a thing ends that begins at word i behind a number, 0
// when there is none.
func (e itemReader) unlistedEnd(i int, heard [][2]int) int {
	words := e.words.words
	for i < len(words) && e.is("portions", words[i].Word) {
		i++
	}
	names := func(w language.Token) bool {
		return !w.Figures && len(w.Word) > 2 && !e.smallTalk(w.Word) && !e.is("never_sold", w.Word) && !e.is("not_people", w.Word) &&
			!e.is("detail_leads", w.Word) && !e.is("detail_words", w.Word) && !e.is("detail_ends", w.Word) && !touches(w, heard)
	}
	if i >= len(words) || !names(words[i]) || words[i].Clause != words[i-1].Clause {
		return 0
	}
	return i + 1
}
