package catalogue

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// How sure it is that two words are meant to be the same one.
const (
	exact     = 1.0
	inflected = 0.97
	means     = 0.9 // the lexicon says that they mean the same
	misspelt  = 0.85
	cognate   = 0.75 // they begin alike: "ortodoncista", "ortodoncia"
)

// finder knows which entries a text may mean. Every entry has labels, its names
// and aliases, and every label is made of units, the words that tell.
type finder struct {
	headed bool
	langs  []string        // that names are in whose words do not tell
	own    map[string]bool // words of the name of the business, which tell no entry from another
	denied map[string]bool // two words of a name of which the first denies: "no hot"
	labels []label
	places map[lexicon.Entry][]place
	spells map[string][]place    // by folded word, for misspellings
	long   map[lexicon.Entry]int // the longest phrase that begins with a stem, in words
	counts map[int]int           // labels of an entry
	shapes map[int][]string      // words by their length, for misspellings
}

// place is where in the labels a word or phrase stands.
type place struct {
	label    int
	units    uint32 // that it covers; none when the word does not count
	word     int    // of the label; -1 when it covers several
	name     string // that word
	synonym  bool   // another word of the same language
	function bool   // of words that otherwise only hold sentences together
	strength float64
}

// found is an entry that a text may mean.
type found struct {
	entry      int
	score      float64
	start, end int
	tokens     []int // of the text that named it
	hint       bool  // it was not named
	vague      bool  // it was named by words that say little
	strength   float64
	full       bool // all of its name was said
	head       bool // what it is was said, and not only what says more of it
}

// newFinder makes a finder. Where a name has a head, the part that is not the
// head means less: ham is no ham croquette.
func newFinder(headed bool) *finder {
	return &finder{
		headed: headed, langs: languages(), denied: map[string]bool{},
		places: map[lexicon.Entry][]place{}, spells: map[string][]place{}, long: map[lexicon.Entry]int{},
		counts: map[int]int{}, shapes: map[int][]string{},
	}
}

// add gives an entry a name. An empty language is taken from the words.
func (f *finder) add(entry int, name, lang string) {
	langs := labelLanguages(name, lang, f.langs)
	if len(langs) == 1 {
		lang = langs[0]
	}
	words := tokens(name, lang)
	if len(words) == 0 || f.counts[entry] >= mostLabels {
		return
	}
	f.counts[entry]++
	l := label{entry: entry}
	at := len(f.labels)
	unitOf := make([]int, len(words)) // -1: the word does not count
	for i := 0; i < len(words); {
		n := 1
		for words[i+n-1].hyphen && i+n < len(words) {
			n++
		}
		u := l.take(words, i, n, f.own)
		for k := i; k < i+n; k++ {
			unitOf[k] = u
		}
		mask := uint32(0)
		if u >= 0 {
			mask = 1 << u
		}
		if u >= 0 || !words[i].grammar() {
			f.enter(place{label: at, units: mask, word: i, name: words[i].word}, words[i:i+n], langs)
		}
		i += n
	}
	f.enterPhrases(at, words, unitOf, langs)
	f.enterDenials(words)
	l.core = headOf(words, unitOf, langs[0])
	l.head = ^uint32(0)
	if f.headed {
		l.head = l.core
	}
	f.labels = append(f.labels, l)
}

// enter makes a place known under its words, their stems and what means the same.
func (f *finder) enter(p place, words []token, langs []string) {
	joined := words[0]
	if len(words) > 1 {
		joined = joinTokens(words)
	}
	as := func(strength float64, function bool) place {
		p.strength, p.function = strength, function
		return p
	}
	f.spell(joined.word, as(exact, joined.grammar()))
	for _, lang := range languages() {
		f.put(joined.entry(lang), as(inflected, joined.grammar()))
		if len(words) > 1 {
			f.put(entryOf(words, lang), as(exact, false))
		}
		for _, same := range lexicon.Numbers(lang, joined.word) {
			f.put(lexicon.Words().Entry(lang, same), as(exact, false))
		}
	}
	for _, lang := range langs {
		f.putSame(entryOf(words, lang), as(means, false))
	}
}

// enterDenials keeps the names that deny something themselves.
func (f *finder) enterDenials(words []token) {
	for i := range len(words) - 1 {
		if w := words[i].word; wordsOf("excluding")[w] || wordsOf("denying")[w] {
			f.denied[w+" "+words[i+1].word] = true
		}
	}
}

// enterPhrases makes known what means the same as several words of a name:
// "haircut" for "corte de pelo". Two words are also known as one: "hair cut".
func (f *finder) enterPhrases(at int, words []token, unitOf []int, langs []string) {
	for i := range words {
		for _, lang := range langs {
			stems := make([]string, 0, mostPhrase)
			for _, w := range words[i:min(len(words), i+mostPhrase)] {
				stems = append(stems, w.stem(lang))
			}
			if e, n := lexicon.Words().PhraseAt(lang, stems); n > 1 {
				if mask := unitsOf(unitOf[i : i+n]); mask != 0 {
					f.putSame(e, place{label: at, units: mask, word: -1, strength: means})
				}
			}
		}
		if i+1 < len(words) && len(words[i].word) > 2 && len(words[i+1].word) > 2 {
			if mask := unitsOf(unitOf[i : i+2]); bits.OnesCount32(mask) == 2 {
				f.spell(words[i].word+words[i+1].word, place{label: at, units: mask, word: -1, strength: exact})
			}
		}
	}
}

func unitsOf(units []int) (mask uint32) {
	for _, u := range units {
		if u >= 0 {
			mask |= 1 << u
		}
	}
	return mask
}

func joinTokens(words []token) token {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.word)
	}
	return newToken(b.String(), "", 0, 0)
}

// entryOf is a word or a phrase as the lexicon has it.
func entryOf(words []token, lang string) lexicon.Entry {
	if len(words) == 1 {
		return words[0].entry(lang)
	}
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = w.stem(lang)
	}
	return lexicon.Entry{Lang: lang, Stems: strings.Join(stems, " ")}
}

func (f *finder) putSame(e lexicon.Entry, p place) {
	for m := range lexicon.Words().Same(e) {
		p.synonym = m.Entry.Lang == e.Lang
		f.put(m.Entry, p)
	}
}

func (f *finder) put(e lexicon.Entry, p place) {
	if slices.ContainsFunc(f.places[e], func(o place) bool {
		return o.label == p.label && o.units == p.units && o.word == p.word && o.strength >= p.strength
	}) {
		return
	}
	f.places[e] = append(f.places[e], p)
	first, _, _ := strings.Cut(e.Stems, " ")
	begin := lexicon.Entry{Lang: e.Lang, Stems: first}
	f.long[begin] = max(f.long[begin], 1+strings.Count(e.Stems, " "))
}

func (f *finder) spell(word string, p place) {
	if f.spells[word] == nil {
		f.shapes[len(word)] = append(f.shapes[len(word)], word)
	}
	f.spells[word] = append(f.spells[word], p)
}

// find returns the entries that the words may mean, best first.
func (f *finder) find(words []token) []found { return f.findBut(words, nil) }

// findBut is find without some entries, which are no rivals of the others then.
func (f *finder) findBut(words []token, refused map[int]bool) []found {
	if f == nil || len(f.labels) == 0 {
		return nil
	}
	byLabel := map[int][]sighting{}
	see := func(p place, from, to int) {
		if !refused[f.labels[p.label].entry] {
			byLabel[p.label] = append(byLabel[p.label], sighting{p, from, to})
		}
	}
	for i := range words {
		f.sight(words, i, see)
	}
	return f.judge(words, byLabel)
}

// sight looks for what the words from i on may point at.
func (f *finder) sight(words []token, i int, see func(p place, from, to int)) {
	w := words[i]
	seen := false
	talked := f.talked(w)
	look := func(places []place, strength float64, to int) {
		for _, p := range places {
			if to == i+1 && (w.grammar() && !p.function || p.strength < inflected && (slices.Contains(talked, p.label) || p.synonym && audience()[w.word])) {
				continue // the talk of booking is no name of what is booked, and neither is for whom it is
			}
			p.strength = min(p.strength, strength)
			seen = seen || p.units != 0
			see(p, i, to)
		}
	}
	look(f.spells[w.word], exact, i+1)
	if i+1 < len(words) {
		look(f.spells[w.word+words[i+1].word], exact, i+2)
	}
	for _, lang := range languages() {
		for n := min(f.long[lexicon.Entry{Lang: lang, Stems: w.stem(lang)}], len(words)-i); n > 0; n-- {
			look(f.places[entryOf(words[i:i+n], lang)], exact, i+n)
		}
	}
	if !seen && !w.empty() && !w.number() {
		f.guess(w, func(word string, strength float64) { look(f.spells[word], strength, i+1) })
	}
}

// talked are the labels for which a word of the talk of booking stands only as
// another such word of the same language: a visit is no consultation.
func (f *finder) talked(w token) (labels []int) {
	if !talk()[w.word] {
		return nil
	}
	for _, e := range w.entries {
		for _, p := range f.places[e] {
			if p.synonym && talk()[p.name] {
				labels = append(labels, p.label)
			}
		}
	}
	return labels
}

// judge makes matches of sightings. A name that was said in full is a match
// for certain; a part of one the more so the fewer entries it fits.
func (f *finder) judge(words []token, byLabel map[int][]sighting) []found {
	best := map[int]claim{}
	others := func(used tokenSet) int { return otherWords(words, used) }
	for _, at := range slices.Sorted(maps.Keys(byLabel)) { // of equal claims the first counts, every time
		c, ok := f.labels[at].weigh(byLabel[at], others)
		if entry := f.labels[at].entry; ok && c.better(best[entry]) {
			best[entry] = c
		}
	}
	leaveAside(best)
	all := make([]found, 0, len(best))
	for _, entry := range slices.Sorted(maps.Keys(best)) {
		c := best[entry]
		score := c.score(best)
		if score < 0.2 {
			continue
		}
		hit := found{entry: entry, score: score, tokens: c.words.list(), vague: c.vague, strength: c.strength, full: c.full, head: c.core}
		hit.start, hit.end = words[hit.tokens[0]].start, words[hit.tokens[len(hit.tokens)-1]].end
		all = append(all, hit)
	}
	lessen(words, all)
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(cmp.Compare(b.score, a.score), a.entry-b.entry) })
	return all
}

// leaveAside drops the entries that were only touched on beside other things. They
// stay where no other is named in full by words that tell, to be asked about: the
// puppy's first visit, when a vet is to see a puppy.
func leaveAside(best map[int]claim) {
	vague := false
	for _, c := range best {
		if !c.aside && !c.vague && c.full {
			vague = false
			break
		}
		vague = vague || c.vague || !c.aside
	}
	for entry, c := range best {
		if c.aside && !vague {
			delete(best, entry)
		}
	}
}

// otherWords is how many words that tell something stand beside those used.
func otherWords(words []token, used tokenSet) (n int) {
	for i, w := range words {
		if !used.any(i, i+1) && !w.empty() && !w.numeral() && weekdayOf(w.word) < 0 {
			n++
		}
	}
	return n
}

// lessen puts back what is only said to say more of something else: in
// "valoración de mi piso" the flat is not what is wanted.
func lessen(words []token, all []found) {
	const head, part, less = 0.5, 0.95, 0.7
	for i := range all {
		for _, other := range all {
			if other.score >= head && all[i].score < part && completes(words, other, all[i]) {
				all[i].score *= less
				break
			}
		}
	}
}

// completes says whether b follows a with nothing between them but an "of" and
// such small words.
func completes(words []token, a, b found) bool {
	from, to := a.tokens[len(a.tokens)-1]+1, b.tokens[0]
	of := false
	for i := from; i < to; i++ {
		switch w := words[i]; {
		case wordsOf("of")[w.word]:
			of = true
		case !w.grammar() || wordsOf("and")[w.word] || wordsOf("or")[w.word]:
			return false
		}
	}
	return of
}
