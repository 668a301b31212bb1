package search

import (
	"cmp"
	"slices"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/table"
)

// Bounds of a table: how many rows are read above and below the one that was found, and
// by how much weaker a row may be that is meant as well.
const (
	mostAround = 20
	rival      = 1.0
)

// rows makes an answer of rows of a table.
type rows struct {
	*Index
	q     *question
	asked []token
	money string // the currency of prices that tell none
}

// worded is an answer that is made of rows.
type worded struct {
	said map[string]string // in each language in which it can be worded
	lang string            // that of the table
	used []int32           // the fragments that it is made of
}

// answerRows words what rows of a table have to say to a question, where the strongest
// fragment is a row. Other rows of its table that speak of as much of the question are
// told as well: the caller, not we, knows which is meant.
func (ix *Index) answerRows(q *question, query Query, all ranking) (worded, bool) {
	r := rows{ix, q, tokens(query.Text), query.Money}
	read, at := r.around(all)
	if read == nil {
		return worded{}, false
	}
	t := table.New(read, r.money)
	in := table.Inquiry{Text: query.Text, Found: r.found, Echo: r.named}
	picked, more := r.pick(t, in, at, all)
	w := worded{lang: r.languageOf(all[0].fragment), said: map[string]string{}, used: []int32{all[0].fragment}}
	for _, row := range picked {
		if !t.Turned() && at[row] != all[0].fragment {
			w.used = append(w.used, at[row])
		}
	}
	if !t.Turned() && !slices.Contains(picked, slices.Index(at, all[0].fragment)) {
		w.used = w.used[1:]
	}
	reading := t.Read(in, picked)
	for _, code := range language.Codes() {
		if said, ok := reading.Say(code, w.lang, more); ok || code == w.lang && said != "" {
			w.said[code] = clip(said)
		}
	}
	if w.said[w.lang] == "" {
		w.said[w.lang] = clip(table.Describe(r.fragments[all[0].fragment].Text))
	}
	return w, true
}

// pick tells the rows of a table that are meant, by their places in it.
func (r rows) pick(t *table.Table, in table.Inquiry, at []int32, all ranking) ([]int, int) {
	if t.Turned() {
		return t.PickNamed(in)
	}
	var beside []int
	for _, e := range all[:min(len(all), mostHits)] {
		if row := slices.Index(at, e.fragment); row >= 0 && e.strength >= all[0].strength-rival {
			beside = append(beside, row)
		}
	}
	picked, more := t.Pick(in, slices.Index(at, all[0].fragment), beside)
	// They are named as they stand in the document.
	slices.SortFunc(picked, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	return picked, more
}

// around are the rows that stand together with the strongest fragment, those of the same
// table that were found with it, and the fragments that they are; nil when it is no row.
func (r rows) around(found ranking) (all []table.Row, at []int32) {
	fragment := found[0].fragment
	row, ok := r.rowOf(fragment)
	if !ok {
		return nil, nil
	}
	document := r.fragments[fragment].DocumentID
	add := func(i int32) bool {
		if i < 0 || int(i) >= len(r.fragments) || r.fragments[i].DocumentID != document {
			return false
		}
		next, ok := r.rowOf(i)
		if !ok || !table.Alike(row, next) {
			return false
		}
		all, at = append(all, next), append(at, i)
		return true
	}
	for i := fragment - 1; i >= fragment-mostAround && add(i); i-- {
	}
	slices.Reverse(all)
	slices.Reverse(at)
	all, at = append(all, row), append(at, fragment)
	for i := fragment + 1; i <= fragment+mostAround && add(i); i++ {
	}
	for _, e := range found[:min(len(found), mostHits)] {
		if !slices.Contains(at, e.fragment) {
			add(e.fragment)
		}
	}
	if !row.Strict && len(all) == 1 {
		return nil, nil // a sentence with semicolons
	}
	return all, at
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

// languageOf is the language of a row: that of its document, else that of the question.
func (r rows) languageOf(fragment int32) string {
	f := &r.fragments[fragment]
	return cmp.Or(f.Language, lexicon.Language(f.Text), nameOf(r.q.lang))
}

// found is how surely a text speaks of each word of the question, by its share of it.
func (r rows) found(text string) []float32 {
	found := r.q.find(r.words.lookUp(tokens(text)))
	for i := range found {
		found[i] *= r.q.terms[i].heft() / r.q.most()
	}
	return found
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
