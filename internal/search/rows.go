package search

import (
	"cmp"
	"slices"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/table"
)

// Bounds of a table: how many rows are read above and below the one that was found, how
// many other fragments of its document beside it and from how far at its beginning, and by how much weaker a row may be that is meant
// as well.
const (
	mostAround = 20
	mostBeside = 8
	mostBegin  = 200
	rival      = 1.0
)

// rows makes an answer of rows of a table.
type rows struct {
	*Index
	q        *question
	asked    []token
	unwanted []bool // the terms that the question does without
	money    string // the currency of prices that tell none
}

// worded is an answer that is made of rows.
type worded struct {
	said map[string]string // in each language in which it can be worded
	lang string            // that of the table
	used []int32           // the fragments that it is made of
}

// standing are rows that stand together.
type standing struct {
	*table.Table
	at   []int32 // the fragments that they are of
	best int     // the row that was found
}

// answerRows words what rows of a table have to say to a question, where the strongest
// fragment is a row or has the row of a list. Other rows of its table that speak of as much
// of the question are told as well: the caller, not we, knows which is meant.
func (ix *Index) answerRows(q *question, query Query, all ranking) (worded, bool) {
	r := rows{Index: ix, q: q, money: query.Money}
	t, ok := r.around(all)
	if !ok {
		t, ok = r.list(all)
	}
	if !ok {
		return worded{}, false
	}
	r.asked, r.unwanted = tokens(query.Text), unwantedTerms(q, query.Text)
	in := table.Inquiry{Text: query.Text, Found: r.found, Echo: r.named, Stance: r.stance}
	picked, more := r.pick(t, in, all)
	w := worded{lang: r.languageOf(t), said: map[string]string{}}
	for _, row := range picked {
		if at := all[0].fragment; t.Turned() {
			w.used = []int32{at}
		} else if !slices.Contains(w.used, t.at[row]) {
			w.used = append(w.used, t.at[row])
		}
	}
	reading := t.Read(in, picked)
	for _, code := range language.Codes() {
		if said, ok := reading.Say(code, w.lang, more); ok || code == w.lang && said != "" {
			w.said[code] = clip(said)
		}
	}
	if w.said[w.lang] == "" && !r.notes[all[0].fragment].row {
		return worded{}, false
	}
	if w.said[w.lang] == "" {
		w.said[w.lang] = clip(table.Describe(r.fragments[all[0].fragment].Text))
	}
	return w, true
}

// pick tells the rows of a table that are meant, by their places in it.
func (r rows) pick(t standing, in table.Inquiry, all ranking) ([]int, int) {
	if t.Turned() {
		return t.PickNamed(in)
	}
	var beside []int
	for _, e := range all[:min(len(all), mostHits)] {
		for row, at := range t.at {
			if at == e.fragment && e.strength >= all[0].strength-rival {
				beside = append(beside, row)
			}
		}
	}
	picked, more := t.Pick(in, t.best, beside)
	// They are named as they stand in the document.
	slices.SortFunc(picked, func(a, b int) int { return cmp.Or(cmp.Compare(t.at[a], t.at[b]), cmp.Compare(a, b)) })
	return picked, more
}

// around are the rows that stand together with the strongest fragment, and those of the
// same table that were found with it. It is not ok when that fragment is no row.
func (r rows) around(found ranking) (t standing, ok bool) {
	fragment := found[0].fragment
	row, ok := r.rowOf(fragment)
	if !ok {
		return t, false
	}
	var all []table.Row
	add := func(i int32) bool {
		if !r.sameDocument(i, fragment) {
			return false
		}
		next, ok := r.rowOf(i)
		if !ok || !table.Alike(row, next) {
			return false
		}
		all, t.at = append(all, next), append(t.at, i)
		return true
	}
	for i := fragment - 1; i >= fragment-mostAround && add(i); i-- {
	}
	slices.Reverse(all)
	slices.Reverse(t.at)
	all, t.at = append(all, row), append(t.at, fragment)
	for i := fragment + 1; i <= fragment+mostAround && add(i); i++ {
	}
	for _, e := range found[:min(len(found), mostHits)] {
		if !slices.Contains(t.at, e.fragment) {
			add(e.fragment)
		}
	}
	if !row.Strict && len(all) == 1 {
		return t, false // a sentence with semicolons
	}
	t.Table, t.best = table.New(all, r.money, r.textsBeside(t.at)...), slices.Index(t.at, fragment)
	return t, true
}

// list are the lines of a list of prices that the sentence is one of that says most about
// the question, with those around it. It is not ok when that sentence is none.
func (r rows) list(found ranking) (t standing, ok bool) {
	e := &found[0].evidence
	if len(e.parts) == 0 || r.fragments[e.fragment].Question != "" {
		return t, false
	}
	best := e.parts[r.bestPart(r.q, e)].passage
	if _, _, ok := table.ParseLine(best.of(r.fragments[e.fragment].Text)); !ok {
		return t, false
	}
	var all []table.Row
	firm := 0
	for i := e.fragment - mostBeside; i <= e.fragment+mostBeside; i++ {
		if !r.sameDocument(i, e.fragment) || r.notes[i].row {
			continue
		}
		passages := r.passagesOf(i)
		for p := range passages {
			if passages[p].field != inText {
				continue
			}
			row, priced, ok := table.ParseLine(passages[p].of(r.fragments[i].Text))
			if !ok {
				continue
			}
			if &passages[p] == best {
				t.best = len(all)
				t.Table = &table.Table{}
			}
			if priced {
				firm++
			}
			row.Heading = r.fragments[i].Heading
			all, t.at = append(all, row), append(t.at, i)
		}
	}
	if t.Table == nil || firm < 2 || 2*firm < len(all) {
		return t, false
	}
	t.Table = table.NewList(all, r.money, r.textsBeside([]int32{e.fragment})...)
	return t, t.Table != nil
}

// sameDocument says whether there is a fragment, and it is of the document of another.
func (r rows) sameDocument(i, other int32) bool {
	return i >= 0 && int(i) < len(r.fragments) && r.fragments[i].DocumentID == r.fragments[other].DocumentID
}

// textsBeside are the texts beside a table in its document that are no rows: the nearest, and
// what the document begins with.
func (r rows) textsBeside(at []int32) (all []string) {
	first, last := slices.Min(at), slices.Max(at)
	begin := first
	for r.sameDocument(begin-1, first) && begin > first-mostBegin {
		begin--
	}
	add := func(i int32) {
		if r.sameDocument(i, first) && !slices.Contains(at, i) {
			if row, ok := r.rowOf(i); !ok || len(row.Cells) == 1 {
				all = append(all, r.fragments[i].Text)
			}
		}
	}
	for i := range int32(mostBeside) {
		if begin+i < first-mostBeside {
			add(begin + i)
		}
		add(first - 1 - i)
		add(last + 1 + i)
	}
	return all
}

func (r rows) rowOf(fragment int32) (table.Row, bool) {
	f := &r.fragments[fragment]
	if f.Question != "" {
		return table.Row{}, false
	}
	row, ok := table.Parse(f.Text)
	row.Heading = f.Heading
	return row, ok
}

// languageOf is the language of a table: that of most of its rows, for one alone is short;
// else that of the question.
func (r rows) languageOf(t standing) string {
	best, most := nameOf(r.q.lang), 0
	counts := map[string]int{}
	for _, i := range append([]int32{t.at[t.best]}, t.at...) {
		f := &r.fragments[i]
		lang := cmp.Or(f.Language, lexicon.Language(f.Text))
		if counts[lang]++; lang != "" && counts[lang] > most {
			best, most = lang, counts[lang]
		}
	}
	return best
}

// found is how surely a text speaks of each word of the question, by its share of it.
func (r rows) found(text string) []float32 {
	found := r.q.find(r.words.lookUp(tokens(text)))
	for i := range found {
		found[i] *= r.q.terms[i].heft() / r.q.most()
		if r.unwanted[i] {
			found[i] = 0
		}
	}
	return found
}

// unwantedTerms are the terms of a question that it names to do without them.
func unwantedTerms(q *question, text string) []bool {
	all := make([]bool, len(q.terms))
	for _, s := range table.Without(text) {
		for i, t := range q.terms {
			all[i] = all[i] || s.Start <= t.start && t.end <= s.End
		}
	}
	return all
}

// spokenOf is how surely a text must speak of a word to have what it names: a translation
// of a part of a phrase still does.
const spokenOf = 0.5

// stance tells whether a text does without what the question does without, 1, or else has
// what the question does without, or does without what it wants, -1.
func (r rows) stance(text string) int {
	has, without := text, ""
	for _, s := range slices.Backward(table.Without(text)) {
		without += " " + text[s.Start:s.End]
		has = has[:s.Start] + has[s.End:]
	}
	speaks := func(text string, unwanted bool) bool {
		for i, f := range r.q.find(r.words.lookUp(tokens(text))) {
			if f >= spokenOf && r.unwanted[i] == unwanted {
				return true
			}
		}
		return false
	}
	switch {
	case speaks(has, true), speaks(without, false):
		return -1
	case speaks(without, true):
		return 1
	}
	return 0
}

// meant is how surely a word of a text must be what a question asks for.
const meant = 0.65

// named is the share of a text's telling words that the question names. A small word
// alone, "Plus", is named by itself.
func (r rows) named(text string) float32 {
	words := tokens(text)
	if telling := slices.DeleteFunc(slices.Clone(words), smallWord); len(telling) > 0 || len(words) > 1 {
		words = telling
	}
	n := 0
	for _, t := range words {
		found := r.q.find(r.words.lookUp([]token{t}))
		literal := slices.ContainsFunc(r.asked, func(a token) bool { return a.word == t.word })
		if literal || len(found) > 0 && slices.Max(found) >= meant {
			n++
		}
	}
	return float32(n) / float32(max(1, len(words)))
}

// smallWord tells whether a word is grammar in any language.
func smallWord(t token) bool {
	return slices.ContainsFunc(language.Codes(), func(code string) bool { return lexicon.Grammar(code, t.word) })
}
