package search

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
	fact     float32 // 1: where it speaks of the question there is the kind of fact asked for; -1: there is not
	crossing float32 // 1: it is in another language than the question
	vector   float32 // cosine of the vectors
}

// part is one sentence of a fragment.
type part struct {
	stretch
	found []float32 // for each term, the best weight of a variant in it
	kinds kinds
}

// weigh collects the evidence for one candidate.
func (ix *Index) weigh(q *question, c candidate) evidence {
	f, lang := &ix.fragments[c.fragment], ix.notes[c.fragment].lang
	e := evidence{fragment: c.fragment, score: c.score / q.most(), found: make([]float32, len(q.terms))}
	for i := range q.terms {
		e.found[i] = ix.best(&q.terms[i], c.fragment)
	}
	e.parts = ix.parts(q, f.Text, lang)
	e.coverage = q.share(e.found)
	e.exact = q.shareFrom(e.found, sameStem)
	e.firm = q.shareFrom(e.found, cognate)
	e.missing = q.missing(e.found)
	e.absent = q.absent()
	e.nearby, e.fact = q.closest(e.parts)
	e.echo = ix.echo(q, f.Question, lang) * e.coverage
	e.title = ix.echo(q, f.Heading, lang)
	if q.sure && q.lang != lang {
		e.crossing = 1
	}
	return e
}

// best is the weight of the best variant of a term that stands in a fragment.
func (ix *Index) best(t *term, fragment int32) (best float32) {
	for _, v := range t.variants {
		if v.weight > best && ix.words.words[v.word].standsIn(fragment) {
			best = v.weight
		}
	}
	return best
}

// parts are the sentences of a text and what is found in them.
func (ix *Index) parts(q *question, text string, lang uint8) (all []part) {
	for _, s := range sentences(text) {
		sentence := s.of(text)
		words := tokens(sentence)
		has := kindsIn(sentence, words)
		ids := ix.words.ids(words, lang, false)
		has.each(func(k kinds) { ids = append(ids, ix.words.word(kindWord(k), false)) })
		all = append(all, part{s, q.find(ids), has})
	}
	return all
}

// find gives for each term the best weight of a variant among words.
func (q *question) find(words []int32) []float32 {
	found := make([]float32, len(q.terms))
	for i := range q.terms {
		for _, w := range words {
			found[i] = max(found[i], q.terms[i].weightOf(w))
		}
	}
	return found
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
		var best float32
		for _, v := range q.terms[i].variants {
			best = max(best, v.weight)
		}
		sum += q.terms[i].heft() * (1 - best)
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

func union(a, b []float32) []float32 {
	both := make([]float32, len(a))
	for i := range a {
		both[i] = max(a[i], b[i])
	}
	return both
}

// echo is the share of a text's own meaning that the question asks for: of a
// question that is answered already, or of a heading.
func (ix *Index) echo(q *question, text string, lang uint8) float32 {
	var total, asked float32
	for _, t := range tokens(text) {
		id := ix.words.word(t.word, false)
		if id == nowhere {
			continue
		}
		h := worth(langNames[lang], t.word) * idf(float32(len(ix.fragments)), float32(len(ix.words.words[id].postings)))
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
