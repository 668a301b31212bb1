package search

import (
	"math"
	"slices"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// Words alone do not tell that "will you give our table away if we are late?"
// is answered by "we hold it for a quarter of an hour". Senses do: they give
// every sign of a text a vector, and a text the sum of its signs', such that a
// question lies near what answers it. They are learned from facts as businesses
// write them and the questions that callers put to get them; see test/eval.

// Sign is something that the meaning of a text is made of: a word, a phrase, a
// kind of fact, or a small word that tells how a question is asked.
type Sign struct {
	Name  string
	Entry lexicon.Entry // of a word or a phrase
}

// Signs are those of a statement in a language.
func Signs(lang, text string) (all []Sign) {
	words := tokens(text)
	all = contentSigns(lang, words)
	lex := lexicon.Words()
	known := func(word string) bool { return lex.Knows(lex.Entry(lang, word)) }
	kindsIn(text, words, known).each(func(k kinds) { all = append(all, Sign{Name: kindWord(k)}) })
	return all
}

// QuestionSigns are those of a question in a language.
func QuestionSigns(lang, text string) []Sign { return questionSigns(lang, tokens(text)) }

func questionSigns(lang string, words []token) (all []Sign) {
	all = contentSigns(lang, words)
	for _, t := range words {
		if lexicon.Grammar(lang, t.word) {
			all = append(all, Sign{Name: "?" + lang + ":" + t.word})
		}
	}
	kindsAsked(words).each(func(k kinds) { all = append(all, Sign{Name: "?" + kindWord(k)}) })
	return all
}

// contentSigns are the words and phrases that carry meaning.
func contentSigns(lang string, words []token) (all []Sign) {
	lex := lexicon.Words()
	stems := make([]string, len(words))
	for i, t := range words {
		e := lex.Entry(lang, t.word)
		stems[i] = e.Stems
		if !t.number && !lexicon.Grammar(lang, t.word) {
			all = append(all, Sign{signOf(e), e})
		}
	}
	for i := range stems {
		if e, n := lex.PhraseAt(lang, stems[i:]); n > 0 {
			all = append(all, Sign{signOf(e), e})
		}
	}
	return all
}

// sign is a sign of a question among the senses.
type sign struct {
	row    int32
	weight float32
	unit   []float32 // its direction
}

// makeSense finds where a question, its signs and its terms lie. A term that
// senses do not know is taken for the word that it seems to be a misspelling of.
func (ix *Index) makeSense(q *question, words []token) {
	lang, lex := nameOf(q.lang), ix.words.lex
	q.sense, q.weights, q.near = make([]float32, SenseDims), SenseRest, map[int32][]float32{}
	for _, s := range questionSigns(lang, words) {
		if s.Entry == (lexicon.Entry{}) {
			q.addSign(learned().row(s.Name))
		} else {
			q.addSign(learned().rowOf(lex, s.Entry))
		}
	}
	for i := range q.terms {
		t := &q.terms[i]
		t.sense = make([]float32, SenseDims)
		row := learned().rowOf(lex, lex.Entry(lang, t.word))
		if row == unseen {
			row = ix.likeliestRow(t)
			q.addSign(row)
		}
		if row != unseen {
			learned().add(t.sense, row)
			t.length, t.sensed = learned().length[row], learned().known[row]
		}
	}
}

func (q *question) addSign(row int32) {
	if row == unseen || len(q.signs) == mostSigns || slices.ContainsFunc(q.signs, func(o sign) bool { return o.row == row }) {
		return
	}
	learned().add(q.sense, row)
	q.signs = append(q.signs, sign{row, learned().weight[row], learned().direction(row)})
	q.weights += learned().weight[row]
}

// likeliestRow is the row of the word that most likely stands for a term.
func (ix *Index) likeliestRow(t *term) int32 {
	row, most := unseen, float32(0)
	for _, v := range t.variants {
		for _, meant := range ix.words.words[v.word].meant {
			if meant != unseen && v.weight > most {
				row, most = meant, v.weight
			}
		}
	}
	return row
}

// known is the share of a question's meaning that senses know.
func (q *question) known() (sum float32) {
	for i := range q.terms {
		sum += q.terms[i].heft() * q.terms[i].sensed
	}
	return sum / q.most()
}

// nearTo is how near each sign of the question is to that of a row. A row is
// compared once.
func (q *question) nearTo(row int32) []float32 {
	near, ok := q.near[row]
	if !ok {
		near = make([]float32, len(q.signs))
		for i := range q.signs {
			near[i] = learned().nearness(q.signs[i].unit, row)
		}
		q.near[row] = near
	}
	return near
}

// meet finds for each sign of the question how near the nearest word of a
// passage is to it, where that is nearer than what was found.
func (ix *Index) meet(q *question, found []float32, p *passage, lang uint8) {
	for _, id := range ix.said[p.from:p.to] {
		if row := ix.words.words[id].meant[lang]; row != unseen {
			unite(found, q.nearTo(row))
		}
	}
}

// met is how near all signs of a question are to what is nearest to each.
func (q *question) met(found []float32) (sum float32) {
	for i := range q.signs {
		sum += q.signs[i].weight * found[i]
	}
	return sum / q.weights
}

// addSense adds the senses of a passage's words to a sum.
func (ix *Index) addSense(sum []float32, p *passage, lang uint8) {
	for _, id := range ix.said[p.from:p.to] {
		learned().add(sum, ix.words.words[id].meant[lang])
	}
}

// underHeading is how much the heading of a sentence counts for its meaning.
const underHeading = 0.5

// compare tells how near a fragment is to the question in meaning.
func (ix *Index) compare(q *question, e *evidence, parts [fields][]part, lang uint8) {
	above, met := make([]float32, SenseDims), make([]float32, len(q.signs))
	for _, p := range parts[inHeading] {
		ix.addSense(above, p.passage, lang)
		ix.meet(q, met, p.passage, lang)
	}
	scale(above, underHeading)
	for _, p := range parts[inQuestion] {
		ix.addSense(above, p.passage, lang)
		ix.meet(q, met, p.passage, lang)
	}
	e.heading, e.met = cosine(q.sense, above), q.met(met)
	var nearest []float32
	for i := range e.parts {
		p := &e.parts[i]
		alone := make([]float32, SenseDims)
		ix.addSense(alone, p.passage, lang)
		under := slices.Clone(above)
		add(under, alone)
		for _, v := range [][]float32{alone, under} {
			if c := cosine(q.sense, v); c > e.sense {
				e.sense, nearest = c, v
			}
		}
		met := slices.Clone(met)
		ix.meet(q, met, p.passage, lang)
		e.met = max(e.met, q.met(met))
		p.near = (max(0, cosine(q.sense, alone)) + q.met(met)) / 2
	}
	if nearest != nil {
		e.agree, e.odd = q.agree(nearest)
	}
}

// agree tells how near the terms of a question are to a sentence, each for
// itself, and what the farthest of them weighs.
func (q *question) agree(sentence []float32) (agree, odd float32) {
	total := float32(0.001) // there may be no terms
	for i := range q.terms {
		t := &q.terms[i]
		c := cosine(t.sense, sentence)
		total += t.length
		agree += t.length * c
		odd = max(odd, t.length*(1-c))
	}
	return agree / total, odd / total
}

// product is the inner product of a vector and a row, in sums that do not wait
// for each other.
func product(a []float32, row []int8) float32 {
	row = row[:len(a)]
	var s0, s1, s2, s3 float32
	for i := 3; i < len(a); i += 4 {
		s0 += a[i-3] * float32(row[i-3])
		s1 += a[i-2] * float32(row[i-2])
		s2 += a[i-1] * float32(row[i-1])
		s3 += a[i] * float32(row[i])
	}
	return s0 + s1 + s2 + s3
}

// cosine is how near two vectors are: 0 when either is nothing.
func cosine(a, b []float32) float32 {
	var ab, aa, bb float32
	for i, x := range a {
		ab, aa, bb = ab+x*b[i], aa+x*x, bb+b[i]*b[i]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / float32(math.Sqrt(float64(aa)*float64(bb)))
}

func add(sum, v []float32) {
	for i, x := range v {
		sum[i] += x
	}
}

func scale(v []float32, by float32) {
	for i := range v {
		v[i] *= by
	}
}

func length(v []float32) float32 {
	var sum float32
	for _, x := range v {
		sum += x * x
	}
	return float32(math.Sqrt(float64(sum)))
}
