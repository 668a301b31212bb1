package catalogue

import (
	"cmp"
	"slices"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// What tells a service that is meant for sure: how well it is named, and how far
// any other that the same words name lies behind.
const (
	surely = 0.75
	ahead  = 0.2
)

// What words that are no name of a service make of it: never enough to choose
// it, but enough to ask.
const (
	hinted      = 0.4
	hintedTwice = 0.5
	hintedMost  = 0.56
	hintBeside  = 0.03 // for one that was named as well as others
)

// FindServices returns the services that a text may mean, likeliest first. What
// the caller does not want is not among them: "a blow-dry, no cut". Those that
// only their descriptions speak for, or words that belong to the same matter,
// come behind those that were named.
func (c *Catalogue) FindServices(text, lang string) []Match[Service] {
	words, hits := c.named(text, lang)
	hits = c.hint(words, hits)
	all := matchesOf(c.Services, hits)
	for i := range all {
		all[i].Weak = hits[i].hint || len(hits[i].tokens) == 1 && hits[i].strength < inflected && !audience()[words[hits[i].tokens[0]].word]
		all[i].Sure = hits[i].score >= surely && !slices.ContainsFunc(hits, func(o found) bool {
			return o.entry != hits[i].entry && o.score > hits[i].score-ahead && (hits[i].vague || overlap(o.tokens, hits[i].tokens))
		})
	}
	return all
}

// named are the services that a text names, without those that the caller does not
// want, and its words.
func (c *Catalogue) named(text, lang string) (words []token, hits []found) {
	words, denied := c.services.unsaid(tokens(text, lang), cmp.Or(lexicon.Language(text), lang))
	hits = c.services.find(words)
	if not := c.services.find(denied); len(not) > 0 {
		refused := map[int]bool{}
		for _, m := range not {
			full := slices.ContainsFunc(hits, func(h found) bool { return h.entry == m.entry && h.score >= surely })
			refused[m.entry] = !full
		}
		hits = c.services.findBut(words, refused)
	}
	return words, hits
}

func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(i int) bool { return slices.Contains(b, i) })
}

// unsaid parts the words for what the caller does not want from the others; in
// both, those of the other are blank. The words of a name that denies something
// itself are not parted: "sin gluten".
func (f *finder) unsaid(all []token, lang string) (words, denied []token) {
	of := wordsOf
	if l := language.Of(lang); l != nil {
		of = func(section string) language.Set { return l.Words("catalogue " + section) }
	}
	words = slices.Clone(all)
	for i := range all {
		if f == nil || !of("excluding")[all[i].word] && !of("denying")[all[i].word] {
			continue
		}
		if all[i].stop || i+1 == len(all) {
			blankBefore(words, i, of("but"))
			continue
		}
		if from := deniedFrom(all, i, of); from > 0 && !f.denied[all[i].word+" "+all[i+1].word] {
			for k := from; k < reachOf(all, from, of("but")); k++ {
				words[k].blank()
			}
		}
	}
	if f == nil || !slices.ContainsFunc(words, token.blanked) {
		return words, nil
	}
	denied = slices.Clone(all)
	for i := range denied {
		if !words[i].blanked() {
			denied[i].blank()
		}
	}
	return words, denied
}

// deniedFrom is where what a word denies begins; 0 when it denies nothing that
// could be had: "no me corto", "not had".
func deniedFrom(all []token, i int, of func(string) language.Set) int {
	from := i + 1
	for from < len(all) && !all[from-1].stop && (of("denied")[all[from].word] || from > i+1 && of("denied after")[all[from].word]) {
		from++
	}
	if from == i+1 && !of("excluding")[all[i].word] {
		return 0
	}
	return from
}

// blankBefore blanks what a denial at the end of a clause takes back: "tinte no,
// mechas". Who asks "or not?" takes nothing back.
func blankBefore(words []token, i int, but language.Set) {
	if i == 0 || but[words[i-1].word] {
		return
	}
	for k := i - 1; k >= 0 && k >= i-2 && !words[k].stop && !but[words[k].word]; k-- {
		words[k].blank()
	}
}

// mostDenied is how many words a denial reaches.
const mostDenied = 4

// reachOf is where a denial ends that begins at from.
func reachOf(words []token, from int, but language.Set) int {
	to := from
	for to < len(words) && to < from+mostDenied && !words[to-1].stop && !but[words[to].word] {
		to++
	}
	return to
}

// matter is what a service is about beside its names: the words of its
// description, and the groups of words that belong to the same matter as either.
type matter struct {
	description passage
	related     map[int32]bool
}

func newMatter(s Service) matter {
	m := matter{description: newPassage(s.Description), related: map[int32]bool{}}
	for _, name := range append(s.AllNames(), s.Aliases...) {
		words := tokens(name, "")
		for i := range words {
			if !strong(words[i]) {
				continue
			}
			for _, lang := range languages() {
				m.relate(words[i].entry(lang))
			}
		}
		for _, e := range phrasesIn(words) {
			m.relate(e)
		}
	}
	return m
}

func (m matter) relate(e lexicon.Entry) {
	_, related := lexicon.Words().Groups(e)
	for _, g := range related {
		m.related[g] = true
	}
}

// phrasesIn are the phrases of several words that the lexicon knows in a text.
func phrasesIn(words []token) (all []lexicon.Entry) {
	for i := range words {
		all = append(all, phrasesAt(words, i)...)
	}
	return all
}

// phrasesAt are those that begin with the word at i.
func phrasesAt(words []token, i int) (all []lexicon.Entry) {
	for _, lang := range languages() {
		stems := make([]string, 0, mostPhrase)
		for _, w := range words[i:min(len(words), i+mostPhrase)] {
			stems = append(stems, w.stem(lang))
		}
		if e, n := lexicon.Words().PhraseAt(lang, stems); n > 1 {
			all = append(all, e)
		}
	}
	return all
}

// hint adds to the services that were named those that the other words of the
// text speak for.
func (c *Catalogue) hint(words []token, named []found) []found {
	signs, tokensOf := c.signs(words, named)
	for at, sum := range signs {
		if sum < 1 {
			continue
		}
		named = hintAt(named, at, sum, words, tokensOf[at])
	}
	slices.SortStableFunc(named, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	return named
}

// signs are how much the words that name no service speak for each of them, and
// which words do.
func (c *Catalogue) signs(words []token, named []found) (signs []float64, tokensOf [][]int) {
	var used tokenSet
	for _, m := range named {
		for _, i := range m.tokens {
			used.add(i, i+1)
		}
	}
	signs, tokensOf = make([]float64, len(c.matters)), make([][]int, len(c.matters))
	for i, w := range words {
		phrases := phrasesAt(words, i)
		tells := strong(w) && !w.manners && !audience()[w.word] && !c.house.own[w.word]
		if used.any(i, i+1) || w.blanked() || !tells && len(phrases) == 0 {
			continue
		}
		for at, sign := range c.spokenOf(w, tells, phrases) {
			signs[at] += sign
			tokensOf[at] = append(tokensOf[at], i)
		}
	}
	return signs, tokensOf
}

func hintAt(named []found, at int, sum float64, words []token, used []int) []found {
	score := hinted
	if sum >= 2 {
		score = min(hintedMost, hintedTwice+0.03*(sum-2))
	}
	if i := slices.IndexFunc(named, func(m found) bool { return m.entry == at }); i >= 0 {
		if named[i].score < surely {
			named[i].score = min(surely-0.01, named[i].score+hintBeside)
		}
		return named
	}
	return append(named, found{
		entry: at, score: score, tokens: used, hint: true,
		start: words[used[0]].start, end: words[used[len(used)-1]].end,
	})
}

// spokenOf are the services whose matter a word belongs to, or the phrases that
// begin with it, and how much they say for each: less when they say it for several,
// and when a word is none of theirs but of the same matter. A phrase says as much as
// a word of theirs.
func (c *Catalogue) spokenOf(w token, tells bool, phrases []lexicon.Entry) map[int]float64 {
	var groups, whole []int32
	if tells {
		for _, lang := range languages() {
			_, related := lexicon.Words().Groups(w.entry(lang))
			groups = append(groups, related...)
		}
	}
	for _, e := range phrases {
		_, related := lexicon.Words().Groups(e)
		whole = append(whole, related...)
	}
	signs := map[int]float64{}
	told, sum := 0.0, 0.0
	for at, m := range c.matters {
		about := func(g int32) bool { return m.related[g] }
		switch {
		case tells && m.description.says(w), slices.ContainsFunc(whole, about):
			signs[at] = 1
			told++
		case slices.ContainsFunc(groups, about):
			signs[at] = 0.5
		}
		sum += signs[at]
	}
	for at := range signs {
		of := sum
		if signs[at] == 1 {
			of = told
		}
		signs[at] *= min(1, signs[at]/of+0.25)
	}
	return signs
}

// says says whether the sentence has a word, in whatever language.
func (p passage) says(w token) bool { return w.in(p.means) }
