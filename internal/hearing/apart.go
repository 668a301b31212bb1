package hearing

import (
	"regexp"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// numberReader finds the numbers that belong to something else.
type numberReader struct{ *ear }

// hearApart finds the numbers that are neither times nor people nor telephones:
// those of addresses, gates, rooms, ages, amounts and sizes. A number is read
// once.
func (e numberReader) hearApart() {
	words := e.words.words
	for i := range words {
		if to, ok := e.at("number_apart", words, i); ok {
			if to = sameClause(words, i, to); !e.partOfCode(words, to) {
				e.setApart(words, e.listedFrom(i), to, true)
			}
		}
		if to, ok := e.at("tax_number", words, i); ok {
			e.setApart(words, i, sameClause(words, i, to), false)
		}
		if to, ok := e.at("sized", words, i); ok {
			e.sizesAt = append(e.sizesAt, [2]int{words[i].Start, words[to-1].End})
		}
		if to := e.modelAt(i); to > 0 {
			e.setApart(words, i, to, false)
		}
		if to := e.orderAt(i); to > 0 {
			e.setApart(words, i, to, true)
		}
		if from, to := e.streetAt(i); to > 0 {
			e.setApart(words, from, to, true)
		}
	}
	for _, m := range postcode().FindAllStringIndex(e.Text, -1) {
		e.apartAt = append(e.apartAt, [2]int{m[0], m[1]})
		e.placesAt = append(e.placesAt, [2]int{m[0], m[1]})
	}
}

// listedFrom is where a list of numbers begins that the number at word i ends: "de 4, 6 y
// 9 años". Without one it is i.
func (e numberReader) listedFrom(i int) int {
	words, from := e.words.words, i
	if _, taken := e.numberAt(words, i); taken == 0 {
		return i
	}
	for j := i - 1; j >= 0 && words[j].Sentence == words[i].Sentence; j-- {
		if _, taken := e.numberAt(words, j); taken > 0 {
			from = j
		} else if !e.is("number_joins", words[j].Word) || from != j+1 {
			break
		}
	}
	return from
}

// sameClause is where the clause of word from ends, if it does before to.
func sameClause(words []language.Token, from, to int) int {
	for i := from + 1; i < to; i++ {
		if words[i].Clause != words[from].Clause {
			return i
		}
	}
	return to
}

// partOfCode says whether the last of the words is glued to its neighbours: the
// figure in "APT3YQ" is that of no flat.
func (e numberReader) partOfCode(words []language.Token, to int) bool {
	return words[to-1].Gap == language.Glued || to < len(words) && words[to].Gap == language.Glued
}

func (e numberReader) setApart(words []language.Token, from, to int, place bool) {
	at := [2]int{words[from].Start, words[to-1].End}
	e.apartAt = append(e.apartAt, at)
	if place {
		e.placesAt = append(e.placesAt, at)
	}
}

// modelAt reads "r twelve fifty" behind the words of a thing: where the numbers of a
// model end that a single letter leads, 0 when there are none.
func (e numberReader) modelAt(i int) int {
	words := e.words.words
	letter := len(words[i].Word) == 1 && !words[i].Figures && !e.smallest(words[i].Word) && !e.is("small", words[i].Word)
	if !letter || i == 0 || len(words[i-1].Word) == 1 || words[i-1].Figures || e.Expect == SlotPhone || e.Expect == SlotCode || e.Expect == SlotEmail || e.Expect == SlotName {
		return 0
	}
	to := i + 1
	for to < len(words) && words[to].Clause == words[i].Clause && !words[to].Figures {
		_, taken := e.numberAt(words, to)
		if taken == 0 {
			break
		}
		to += taken
	}
	if to == i+1 {
		return 0
	}
	return to
}

// orderAt reads "order HF 3082": where its figures end, 0 when there are none.
func (e numberReader) orderAt(i int) int {
	const fewest = 3
	words := e.words.words
	if !e.is("order_words", words[i].Word) {
		return 0
	}
	for j := i + 1; j < len(words) && j-i <= 2 && words[j].Clause == words[i].Clause; j++ {
		if words[j].Figures && len(words[j].Word) >= fewest {
			return j + 1
		}
	}
	return 0
}

// postcode is how the British write theirs.
var postcode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b[a-z]{1,2}\d[\da-z]? \d[a-z]{2}\b`)
})

// streetAt reads the address whose street is named at word i: with its number
// before it, "12 Cotham Brow", or after it, "calle del Mar 12".
func (e numberReader) streetAt(i int) (from, to int) {
	words := e.words.words
	if e.is("streets_last", words[i].Word) {
		if n := e.houseBefore(i); n >= 0 {
			return n, e.doorAfter(i + 1)
		}
	}
	if e.is("streets_first", words[i].Word) {
		if n := e.houseAfter(i); n > 0 {
			return i, n
		}
	}
	return 0, 0
}

// houseBefore is where the number stands before the name of the street that
// ends at word i, -1 when there is none.
func (e numberReader) houseBefore(i int) int {
	const longest = 4
	words := e.words.words
	for j := i - 1; j >= 0 && i-j <= longest; j-- {
		if words[j].Figures && len(words[j].Word) <= 4 && j < i-1 {
			return j
		}
		if words[j].Clause != words[i].Clause || e.smallest(words[j].Word) && !e.is("particles", words[j].Word) {
			break
		}
	}
	return -1
}

// houseAfter is where an address ends that begins with its street at word i, 0
// when no number follows.
func (e numberReader) houseAfter(i int) int {
	const longest = 7
	words := e.words.words
	for j := i + 1; j < len(words) && j-i <= longest; j++ {
		w := words[j]
		if w.Sentence != words[i].Sentence || e.smallest(w.Word) && !e.is("particles", w.Word) && !e.is("house_numbers", w.Word) {
			return 0
		}
		if _, taken := e.numberAt(words, j); taken > 0 && j > i+1 && !e.is("counters", w.Word) {
			return e.doorAfter(j + taken)
		}
	}
	return 0
}

// doorAfter is where the floor and the door end that follow a house's number.
func (e numberReader) doorAfter(i int) int {
	words := e.words.words
	for i < len(words) && words[i].Sentence == words[i-1].Sentence {
		letter := len(words[i].Word) == 1 && !e.smallest(words[i].Word) && strings.TrimLeft(e.between(words[i-1], words[i]), " ºª,.-") == ""
		numbered := e.is("doors", words[i-1].Word) && words[i].Figures && len(words[i].Word) <= 3
		if !letter && !numbered && !e.is("doors", words[i].Word) {
			break
		}
		i++
	}
	return i
}

// NamesPlace says whether a text has an address in it.
func NamesPlace(text string, s Setting) bool {
	if s.Mix == nil {
		s.Mix = language.MixOf()
	}
	e := &ear{Setting: s}
	e.Text = OneLine(text)
	e.words = e.wordsOf(e.Text)
	for i := range e.words.words {
		door := i > 0 && e.words.words[i].Figures && e.is("doors", e.words.words[i-1].Word)
		if _, to := (numberReader{e}).streetAt(i); to > 0 || door {
			return true
		}
	}
	return postcode().MatchString(e.Text)
}
