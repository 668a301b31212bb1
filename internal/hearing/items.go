package hearing

import (
	"cmp"
	"slices"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// itemReader hears what is ordered.
type itemReader struct{ *ear }

// mostItems is how many of one thing can be ordered in a sentence.
const mostItems = 500

// named is a dish or a product that the words name.
type named struct {
	thing
	score      float64
	Start, End int
	from       int // the word that it begins with, its quantity included
	quantity   int // 0: nobody counted
}

// thing is a dish or a product, as far as an order needs to know it.
type thing struct {
	name     string
	labels   []string // all that it is called
	group    string   // the heading that it stands under
	variants []catalogue.Variant
}

// hearItems hears what is ordered or asked for, with its quantities and wishes:
// "dos croquetas y una de bravas sin salsa".
func (e itemReader) hearItems() {
	if e.Catalogue == nil || len(e.Catalogue.Dishes)+len(e.Catalogue.Products) == 0 || len(e.words.words) == 0 {
		return
	}
	e.freeCounts()
	e.hearLess()
	e.hearReplaced()
	all := e.withoutParts(apart(e.allNamed()))
	for i := range all {
		all[i].from, all[i].quantity = e.begins(all[i])
	}
	for i, n := range all {
		next := len(e.words.words)
		if i+1 < len(all) {
			next = all[i+1].from
		}
		e.addItem(n, next)
	}
	e.hearParts()
}

// addItem adds an item with what is said of it before the word next.
func (e itemReader) addItem(n named, next int) {
	words := e.words.words
	first := e.after(n.Start)
	last := e.nameEnd(n, first)
	before := e.detailBefore(n, first)
	only, behind := e.onlySo(last+1, next)
	if n.quantity == 0 && only > 0 && e.Ordering {
		n.quantity, last = only, behind-1
	}
	parts, end := e.portionsOf(n, last+1, next)
	tail, to := e.detailAfter(n, max(end, last+1), next)
	e.itemsAt = append(e.itemsAt, [2]int{words[n.from].Start, words[max(to, end, last+1)-1].End})
	if e.refused(max(to, end, last+1)) {
		e.Items = append(e.Items, Item{Name: n.name, Quantity: 1, Less: true})
		return
	}
	rest := max(n.quantity, 1)
	for _, p := range parts {
		e.Items = append(e.Items, Item{Name: n.name, Quantity: p.Quantity, Counted: true, Detail: join(before, p.Detail)})
		rest -= p.Quantity
	}
	if rest > 0 || len(parts) == 0 {
		e.Items = append(e.Items, Item{Name: n.name, Quantity: rest, Counted: n.quantity > 0, Detail: join(before, tail)})
	}
}

// nameEnd is the last word of a name, without variants that were taken for a part
// of it.
func (e itemReader) nameEnd(n named, first int) int {
	words := e.words.words
	own := map[string]bool{}
	for _, label := range n.labels {
		for _, w := range e.wordsOf(label).words {
			own[e.stem(w.Word)] = true
		}
	}
	end := e.before(n.End)
	last := end
	for last > first && !own[e.stem(words[last].Word)] && (e.describes(n.thing, last) || last < end && e.smallest(words[last].Word)) {
		last--
	}
	return last
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// after is the first word that begins at a place of the text or behind it.
func (e itemReader) after(at int) int {
	i, _ := slices.BinarySearchFunc(e.words.words, at, func(w language.Token, at int) int { return cmp.Compare(w.Start, at) })
	return i
}

// before is the last word that ends at a place of the text or before it.
func (e itemReader) before(at int) int { return e.after(at) - 1 }

// taken are where other readers have found something.
func (e itemReader) taken() [][2]int {
	return append(e.whenSpans(), e.phoneAt, e.emailAt, e.codeAt, e.nameAt)
}

func (e itemReader) whenSpans() [][2]int { return wishReader(e).whenSpans() }

// allNamed are all things that the words may name: anywhere in the text, and
// behind each number with the noun that was said before it.
func (e itemReader) allNamed() []named {
	text := blank(e.Text, append(e.taken(), e.lessAt...)...)
	var all []named
	for _, n := range e.find(text) {
		if e.compact(n) {
			all = append(all, n)
		}
	}
	for i := range e.words.words {
		if _, taken := e.countAt(i); taken > 0 {
			all = append(all, e.namedBehind(text, i, taken)...)
		}
	}
	all = slices.DeleteFunc(all, func(n named) bool { return n.score < weakMatch || n.score < clearMatch && n.quantity == 0 })
	return all
}

// find are the things that a text names, with how many of each.
func (e itemReader) find(text string) (all []named) {
	for _, m := range e.Catalogue.FindDishes(text, e.language()) {
		d := m.Entry
		all = append(all, e.newNamed(thing{d.Name, labelsOf(d.Name, d.Names, d.Aliases), d.Course, d.Variants}, m.Score, m.Start, m.End))
	}
	for _, m := range e.Catalogue.FindProducts(text, e.language()) {
		p := m.Entry
		all = append(all, e.newNamed(thing{p.Name, labelsOf(p.Name, p.Names, p.Aliases), p.Shelf, p.Variants}, m.Score, m.Start, m.End))
	}
	return slices.DeleteFunc(all, func(n named) bool { return n.End <= n.Start })
}

func (e itemReader) newNamed(t thing, score float64, start, end int) named {
	n := named{thing: t, score: score, Start: start, End: end}
	if end > start {
		n.from, n.quantity = e.begins(n)
	}
	return n
}

func labelsOf(name string, names map[string]string, aliases []string) []string {
	all := append([]string{name}, aliases...)
	for _, n := range names {
		all = append(all, n)
	}
	return all
}

// compact says whether the words of a name stand together: "sandwiches for
// Saturday, three with tuna" does not name the tuna sandwich in one breath.
func (e itemReader) compact(n named) bool {
	const between = 2
	longest := 0
	for _, label := range n.labels {
		longest = max(longest, len(e.wordsOf(label).words))
	}
	from, to := e.after(n.Start), e.before(n.End)+1
	for i := from; i < to; i++ {
		count, taken := e.countAt(i)
		if touches(e.words.words[i], e.taken()) || i > from && taken > 0 && !e.ownNumber(n.thing, count) {
			return false
		}
	}
	return to-from <= longest+between
}

// namedBehind are the things that are named behind the number at word i, up to
// the next one; also those whose first noun was said before it: "sandwiches:
// three with tuna, two with cheese".
func (e itemReader) namedBehind(text string, i, taken int) (all []named) {
	words := e.words.words
	to := i + taken
	for to < len(words) && words[to].Sentence == words[i].Sentence {
		if _, n := e.countAt(to); n > 0 && to > i+taken {
			break
		}
		to++
	}
	if to == i+taken {
		return nil
	}
	at := [2]int{words[i+taken].Start, words[to-1].End}
	only := func(spans ...[2]int) string { return keepOnly(text, spans...) }
	all = e.find(only(at))
	all = slices.DeleteFunc(all, func(n named) bool { return !e.compact(n) })
	head := e.headBefore(i)
	if head < 0 || !e.is("portions", words[i+taken].Word) {
		return all
	}
	for _, n := range e.find(only([2]int{words[head].Start, words[head].End}, at)) {
		if n.End > at[0] && n.Start < at[0] {
			first := i + taken
			for first < to-1 && e.is("portions", words[first].Word) {
				first++
			}
			whole := e.newNamed(n.thing, n.score, words[first].Start, n.End)
			all = append(all, whole)
		}
	}
	return all
}

// keepOnly overwrites all of a text but some spans, in their order.
func keepOnly(text string, spans ...[2]int) string {
	at := 0
	for _, s := range spans {
		text = blank(text, [2]int{at, s[0]})
		at = s[1]
	}
	return blank(text, [2]int{at, len(text)})
}

// headBefore is the last word before word i that names of things begin with, -1
// when there is none.
func (e itemReader) headBefore(i int) int {
	heads := map[string]bool{}
	add := func(labels []string) {
		for _, label := range labels {
			if words := e.wordsOf(label).words; len(words) > 1 {
				heads[e.stem(words[0].Word)] = true
			}
		}
	}
	for _, d := range e.Catalogue.Dishes {
		add(labelsOf(d.Name, d.Names, d.Aliases))
	}
	for _, p := range e.Catalogue.Products {
		add(labelsOf(p.Name, p.Names, p.Aliases))
	}
	for j := i - 1; j >= 0; j-- {
		if heads[e.stem(e.words.words[j].Word)] && !e.smallest(e.words.words[j].Word) {
			return j
		}
	}
	return -1
}

func (e itemReader) stem(word string) string { return lexicon.Stem(e.stemLanguage(), word) }

// apart keeps of those that stand in the same place the best one, and puts them
// in the order of the text.
func apart(all []named) []named {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b named) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.End-a.Start, b.End-b.Start))
	})
	var kept []named
	for _, n := range all {
		if !slices.ContainsFunc(kept, func(k named) bool { return n.Start < k.End && k.Start < n.End }) {
			kept = append(kept, n)
		}
	}
	slices.SortFunc(kept, func(a, b named) int { return cmp.Compare(a.Start, b.Start) })
	return kept
}

// withoutParts leaves out what is only said of the thing before it: the crust of
// "a pepperoni with a stuffed crust" is not ordered by itself.
func (e itemReader) withoutParts(all []named) (kept []named) {
	words := e.words.words
	for i, n := range all {
		at := e.after(n.Start)
		for at > 0 && e.is("articles", words[at-1].Word) {
			at--
		}
		part := at > 0 && e.is("item_parts", words[at-1].Word) && n.quantity <= 1 && len(kept) > 0 && words[at].Sentence == words[e.after(kept[len(kept)-1].Start)].Sentence
		heading := n.score < clearMatch && i+1 < len(all) && e.headBefore(e.after(all[i+1].Start)) == e.after(n.Start) && n.End <= words[e.after(n.Start)].End
		if !part && !heading || n.quantity == 1 && part && at > 0 && e.isCount(at) {
			kept = append(kept, n)
		}
	}
	return kept
}

// isCount says whether a number counts at word i.
func (e itemReader) isCount(i int) bool {
	_, taken := e.countAt(i)
	return taken > 0
}

// countAt reads the number at word i that counts things: no time, no telephone
// and no measure.
func (e itemReader) countAt(i int) (n, taken int) {
	words := e.words.words
	if touches(words[i], append(e.taken(), e.sizesAt...)) {
		return 0, 0
	}
	if i > 0 && words[i-1].Clause == words[i].Clause && !touches(words[i-1], e.taken()) {
		if _, longer := e.numberAt(words, i-1); longer > 1 {
			return 0, 0 // the five of thirty-five
		}
	}
	if i > 0 && e.is("sized_by", words[i-1].Word) {
		return 0, 0
	}
	if e.is("item_some", words[i].Word) {
		return 1, 1
	}
	n, taken = e.numberAt(words, i)
	if n <= 0 || n > mostItems {
		return 0, 0
	}
	return n, taken
}

// begins is where an item begins with its quantity and what stands between it
// and the name, and the quantity: 0 when there is none.
func (e itemReader) begins(n named) (from, quantity int) {
	const most = 7
	words := e.words.words
	at := e.after(n.Start)
	for i := at - 1; i >= 0 && i >= at-most && words[i].Clause == words[at].Clause; i-- {
		if count, taken := e.countAt(i); taken > 0 && i+taken <= at && !e.measures(n.thing, i+taken) {
			return i, count
		}
		if !e.is("portions", words[i].Word) && !e.describes(n.thing, i) && !e.heads(n.thing, words[i].Word) && !e.isCount(i) {
			break
		}
	}
	if count, taken := e.countAt(at); taken > 0 && words[at].Start < n.End && !e.ownNumber(n.thing, count) {
		return at, count
	}
	return at, 0
}

// measures says whether the word behind a number is the unit of a variant: the
// litres of "50 litres".
func (e itemReader) measures(t thing, i int) bool {
	words := e.words.words
	if i >= len(words) {
		return false
	}
	return slices.ContainsFunc(t.variants, func(v catalogue.Variant) bool {
		said := e.wordsOf(v.Name).words
		return len(said) > 1 && said[0].Figures && slices.ContainsFunc(said[1:], func(w language.Token) bool { return e.stem(w.Word) == e.stem(words[i].Word) })
	})
}

// ownNumber says whether a number is part of what something is called: four
// cheeses are one pizza.
func (e itemReader) ownNumber(t thing, n int) bool {
	return slices.ContainsFunc(t.labels, func(label string) bool {
		words := e.wordsOf(label).words
		for i := range words {
			if own, taken := e.numberAt(words, i); taken > 0 && own == n {
				return true
			}
		}
		return false
	})
}

// heads says whether a word is what the menu calls all things of a kind.
func (e itemReader) heads(t thing, word string) bool {
	return slices.ContainsFunc(e.wordsOf(t.group).words, func(w language.Token) bool { return e.stem(w.Word) == e.stem(word) })
}

// describes says whether a word tells a size, a colour or another variant.
func (e itemReader) describes(t thing, i int) bool {
	words := e.words.words
	w := words[i].Word
	if e.is("detail_words", w) || e.Mix.Words("catalogue colours")[w] {
		return true
	}
	if e.isCount(i) && !e.measures(t, i+1) {
		return false
	}
	const short = 2 // letters of words that only hold names together
	same := func(own language.Token) bool {
		return own.Word == w && len(w) > short || e.stem(own.Word) == e.stem(w) && !e.smallest(w)
	}
	return slices.ContainsFunc(t.variants, func(v catalogue.Variant) bool { return slices.ContainsFunc(e.wordsOf(v.Name).words, same) })
}

// detailBefore is what is said of an item between its quantity and its name: "two
// large pepperoni".
func (e itemReader) detailBefore(n named, first int) string {
	words := e.words.words
	from, to := n.from, first
	if n.quantity > 0 {
		_, taken := e.numberAt(words, n.from)
		from = n.from + max(taken, 1)
	}
	aside := func(w language.Token) bool {
		return e.is("portions", w.Word) || e.heads(n.thing, w.Word) || e.smallest(w.Word)
	}
	for from < to && aside(words[from]) {
		from++
	}
	for from < to && aside(words[to-1]) {
		to--
	}
	if from >= to {
		return ""
	}
	return e.Text[words[from].Start:words[to-1].End]
}

// portionsOf are the parts of what was counted that are wanted in different ways:
// "three margheritas, one large and two small". to is where they end.
func (e itemReader) portionsOf(n named, from, next int) (parts []Item, to int) {
	words := e.words.words
	sum := 0
	for i := from; i < next && n.quantity > 1; {
		count, taken := e.countAt(i)
		if taken == 0 {
			if !e.is("detail_joins", words[i].Word) {
				break
			}
			i++
			continue
		}
		said := i + taken
		for said < next && said < len(words) && e.describes(n.thing, said) {
			said++
		}
		behind := e.pointedEnd(i+taken, next)
		if behind > i+taken && behind < next && e.is("item_parts", words[behind].Word) {
			said = behind // "three of those, one of them without salt"
		}
		if said == i+taken || sum+count > n.quantity {
			break
		}
		detail, end := e.detailAfter(n, behind, next)
		parts, sum = append(parts, Item{Quantity: count, Detail: detail}), sum+count
		to = max(end, said)
		i = to
	}
	return parts, to
}
