package search

import "slices"

// evidence is what speaks for and against a fragment as the answer to a
// question. Shares are from 0 to 1, of the question's meaning: each word counts
// by what it carries, and by how surely it is found.
type evidence struct {
	fragment int32
	found    []float32 // for each term, the best weight of a variant in the fragment
	parts    []part    // its sentences

	score    float32 // of BM25, against that of a fragment in which each word stands once
	coverage float32 // share of the question that the fragment speaks of
	exact    float32 // share of words that are found as they were asked
	firm     float32 // share of words that are found, or something of the same meaning
	nearby   float32 // share that is found within two neighbouring sentences
	missing  float32 // share of the heaviest word that is missing
	absent   float32 // share that no fragment at all speaks of
	echo     float32 // how much question and the fragment's own question are the same
	title    float32 // share of its heading that was asked
	inside   float32 // share that is found in one sentence
	above    float32 // share that is found in the heading or the fragment's own question
	weakest  float32 // how surely the least found of the words with a meaning is found
	key      float32 // how surely the word is found that the question is about
	touched  float32 // share of words that are found, or something near them
	relative float32 // share that is found, where the surest that any fragment has counts whole
	row      float32 // 1: it is a row of a table
	fact     float32 // 1: where it speaks of the question there is the kind of fact asked for; -1: there is not
	crossing float32 // 1: it is in another language than the question
	vector   float32 // cosine of the vectors
	sense    float32 // how near its nearest sentence is to the question in meaning
	heading  float32 // how near its heading or its own question is to it
	met      float32 // how near its signs are, each to the nearest of that sentence and its heading
	agree    float32 // how near the question's words are to that sentence, each for itself
	odd      float32 // share of the word that is farthest from it
}

// part is one passage of a fragment, and what is found in it.
type part struct {
	*passage
	found []float32 // for each term, the best weight of a variant in it
	near  float32   // how near it is to the question in meaning
}

// weigh collects the evidence for one candidate.
func (ix *Index) weigh(q *question, c candidate) evidence {
	n := &ix.notes[c.fragment]
	e := evidence{fragment: c.fragment, score: c.score / q.most(), found: make([]float32, len(q.terms))}
	var parts [fields][]part
	for _, p := range ix.parts(q, c.fragment) {
		parts[p.field] = append(parts[p.field], p)
		e.found = unite(e.found, p.found)
	}
	e.parts = parts[inText]
	q.judge(&e)
	ix.compare(q, &e, parts, n.lang)
	for _, p := range parts[inQuestion] {
		e.echo = ix.echo(q, p.passage, n.lang) * e.coverage
		e.above = max(e.above, q.share(p.found))
	}
	for _, p := range parts[inHeading] {
		e.title = ix.echo(q, p.passage, n.lang)
		e.above = max(e.above, q.share(p.found))
	}
	if n.row {
		e.row = 1
	}
	if q.sure && q.lang != n.lang {
		e.crossing = 1
	}
	return e
}

// near is how surely a word must be found to count as touched.
const near = 0.2

// judge tells what follows from where the words of the question are found.
func (q *question) judge(e *evidence) {
	e.coverage = q.share(e.found)
	e.exact = q.shareFrom(e.found, sameStem)
	e.firm = q.shareFrom(e.found, cognate)
	e.missing = q.missing(e.found)
	e.weakest = q.weakest(e.found)
	e.key = q.key(e.found)
	e.absent = q.absent()
	e.touched = q.shareFrom(e.found, near)
	e.relative = q.relative(e.found)
	e.nearby, e.fact = q.closest(e.parts)
	e.inside = q.inside(e.parts)
}

// parts are the passages of a fragment and what is found in them.
func (ix *Index) parts(q *question, fragment int32) []part {
	passages := ix.passagesOf(fragment)
	all := make([]part, len(passages))
	for i := range passages {
		p := &passages[i]
		all[i] = part{passage: p, found: q.find(ix.said[p.from:p.to])}
	}
	return all
}

// find gives for each term the best weight of a variant among words.
func (q *question) find(words []int32) []float32 {
	found := make([]float32, len(q.terms))
	for _, w := range words {
		for i := range q.terms {
			found[i] = max(found[i], q.terms[i].weightOf(w))
		}
	}
	return found
}

// inside is the best share of the question found in one sentence.
func (q *question) inside(parts []part) (best float32) {
	for i := range parts {
		best = max(best, q.share(parts[i].found))
	}
	return best
}

// weakest is how surely that word with a meaning of its own is found that is
// found least.
func (q *question) weakest(found []float32) float32 {
	least := float32(1)
	for i := range q.terms {
		if q.terms[i].worth >= contentWorth {
			least = min(least, found[i])
		}
	}
	return least
}

// key is how surely the word is found that the question is about.
func (q *question) key(found []float32) float32 {
	if q.focus < 0 {
		return 0.5
	}
	return found[q.focus]
}

// most is what a fragment scores in which every word of the question stands
// once.
func (q *question) most() float32 {
	sum := float32(0.01) // a question may have no words at all
	for i := range q.terms {
		sum += q.terms[i].heft()
	}
	return sum
}

// share is how much of the question is found.
func (q *question) share(found []float32) (sum float32) {
	for i := range q.terms {
		sum += q.terms[i].heft() * found[i]
	}
	return sum / q.most()
}

// shareFrom is how much of the question is found at least so surely.
func (q *question) shareFrom(found []float32, least float32) (sum float32) {
	for i := range q.terms {
		if found[i] >= least {
			sum += q.terms[i].heft()
		}
	}
	return sum / q.most()
}

// missing is what the heaviest word weighs that is not found.
func (q *question) missing(found []float32) (heaviest float32) {
	for i := range q.terms {
		heaviest = max(heaviest, q.terms[i].heft()*(1-found[i]))
	}
	return heaviest / q.most()
}

// absent is how much of the question stands nowhere in the documents.
func (q *question) absent() (sum float32) {
	for i := range q.terms {
		sum += q.terms[i].heft() * (1 - q.terms[i].best)
	}
	return sum / q.most()
}

// relative is how much of the question is found, measured by the best there is.
func (q *question) relative(found []float32) (sum float32) {
	for i := range q.terms {
		if t := &q.terms[i]; t.best > 0 {
			sum += t.heft() * found[i] / t.best
		}
	}
	return sum / q.most()
}

// closest is the best share of the question found within two neighbouring
// sentences, and whether the kind of fact that is asked for stands there.
func (q *question) closest(parts []part) (best, fact float32) {
	for i := range parts {
		found, has := parts[i].found, parts[i].kinds
		if i > 0 {
			found, has = union(parts[i-1].found, found), has|parts[i-1].kinds
		}
		if share := q.share(found); share > best {
			best, fact = share, q.fits(has)
		}
	}
	return best, fact
}

// fits is 1 when there is a fact of the kind that is asked for, -1 when there is
// none, and 0 when no special kind is asked for.
func (q *question) fits(has kinds) float32 {
	switch {
	case q.kinds == 0:
		return 0
	case q.kinds&has != 0:
		return 1
	}
	return -1
}

func union(a, b []float32) []float32 { return unite(slices.Clone(a), b) }

// unite adds to a what is found more surely in b.
func unite(a, b []float32) []float32 {
	for i := range a {
		a[i] = max(a[i], b[i])
	}
	return a
}

// echo is the share of a passage's own meaning that the question asks for: of a
// question that is answered already, or of a heading.
func (ix *Index) echo(q *question, p *passage, lang uint8) float32 {
	var total, asked float32
	for _, id := range ix.said[p.from:p.to] {
		w := &ix.words.words[id]
		if made(w.text) {
			continue
		}
		h := w.worth[lang] * idf(float32(len(ix.fragments)), float32(len(w.postings)))
		total += h
		var best float32
		for i := range q.terms {
			best = max(best, q.terms[i].weightOf(id))
		}
		asked += h * best
	}
	if total == 0 {
		return 0
	}
	return asked / total
}
