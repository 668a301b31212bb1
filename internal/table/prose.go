package table

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// longestLabel is how many words stand at most before the colon of a short fact.
const longestLabel = 8

// Short words a short fact of a text, "Men's cut: 18 €", in a language other than its own.
// It is not ok for anything else.
func Short(question, text, lang, written string) (said string, ok bool) {
	label, told, found := strings.Cut(strings.TrimRight(strings.TrimLeft(text, "-*•· "), ". "), ": ")
	if !found || strings.ContainsAny(text, "\n;") || len(strings.Fields(label)) > longestLabel || !isValue(told) {
		return "", false
	}
	t := New([]Row{{Cells: []Cell{{Value: label}, {Value: told}}}}, "")
	in := Inquiry{Text: question, Found: nothing, Echo: func(string) float32 { return 0 }}
	return t.Read(in, []int{0}).Say(lang, written, 0)
}

// Lead is what of a sentence in another language can be said first in the caller's own: yes
// or no, and the price, the length or the time that was asked for, where the sentence has
// but one. It is "" where there is nothing.
func Lead(question, text, lang string) string {
	l := language.Of(lang)
	if l == nil {
		return ""
	}
	s := &saying{Reading: Reading{table: &Table{columns: []column{{}}, rows: []Row{{}}}}, l: l}
	var all []string
	if yes := begins(text); yes != "" {
		all = append(all, s.word(yes))
	}
	if fact := s.onlyFact(wantsOf(question), text); fact != "" {
		all = append(all, s.word("told_next", "value", fact))
	}
	return strings.Join(all, " ")
}

// begins tells whether a text begins with a yes or a no: "lead_yes", "lead_no" or "".
func begins(text string) string {
	first, _, found := strings.Cut(text, ",")
	if before, _, stop := strings.Cut(text, "."); !found || stop && len(before) < len(first) {
		first = before
	}
	lex := lexes()
	switch {
	case len(strings.Fields(first)) > 1 || len([]rune(first)) < 2:
	case is(first, lex.yes):
		return "lead_yes"
	case is(first, lex.no):
		return "lead_no"
	}
	return ""
}

// onlyFact is the only price, length or time of a text, in words; "" where there are
// several, or none that was asked for.
func (s *saying) onlyFact(w wants, text string) string {
	var facts []string
	switch {
	case w.price:
		for _, v := range amounts(text, asMoney) {
			facts = append(facts, s.money(0, 0, v))
		}
	case w.length:
		for _, v := range amounts(text, asLength) {
			facts = append(facts, s.length(v))
		}
	case w.when:
		for _, m := range clock().inProse.FindAllString(text, -1) {
			for _, h := range readHours(m, false) {
				facts = append(facts, s.word("hours", "from", h.from, "to", h.to))
			}
		}
	}
	if len(facts) != 1 {
		return ""
	}
	return facts[0]
}

// amounts are the numbers of a form in a text.
func amounts(text string, f form) (all []value) {
	words := wordsOf(text)
	for i := 0; i < len(words); i++ {
		from := i
		if !words[i].number {
			continue
		}
		if i > 0 {
			if money, _ := match(words[i-1:i], lexes().money); money != "" {
				from = i - 1
			}
		}
		if from > 0 {
			if b, _ := bound(words[from-1 : from+1]); b != "" {
				from--
			}
		}
		v, rest, ok := readNumbers(words[from:min(len(words), from+6)], column{})
		if !ok && f == asLength {
			v, rest, ok = readNumbers(words[from:min(len(words), i+2)], column{})
		}
		if ok && v.kind == f {
			v.perWords = ""
			all = append(all, v)
			i = max(i, from+min(len(words)-from, 6)-len(rest)-1)
		}
	}
	return all
}
