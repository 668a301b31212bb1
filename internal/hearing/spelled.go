package hearing

import (
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// spellingReader hears names that are read out letter by letter.
type spellingReader struct{ nameReader }

// spelt is a word that was read out letter by letter.
type spelt struct {
	word string // folded
	at   [2]int
}

// hearSpelled finds the letters that a name is spelled in: they are no words,
// of no language.
func (e spellingReader) hearSpelled() {
	words := e.words.words
	for i := 0; i < len(words); i++ {
		if to := e.lettersLed(i); to > 0 {
			e.spelled = append(e.spelled, spelt{"", [2]int{words[i].Start, words[to-1].End}})
			i = to - 1
			continue
		}
		const fewest = 3
		if e.endsClause(i) {
			continue
		}
		word, to := e.letters(i)
		if utf8.RuneCountInString(word) < fewest || e.Expect != SlotName && to-i < fewest+1 {
			continue
		}
		e.spelled = append(e.spelled, spelt{word, [2]int{words[e.spellingLead(i)].Start, words[to-1].End}})
		i = to - 1
	}
}

// endsClause says whether word i is the last one of a clause with others: the
// letters after it are not read on from it, as in "Hazel Zee, aitch, ay".
func (e spellingReader) endsClause(i int) bool {
	words := e.words.words
	return i > 0 && i+1 < len(words) && words[i-1].Clause == words[i].Clause && words[i+1].Clause != words[i].Clause
}

// lettersLed reads "con zeta", "with a C", "con dos erres": a remark on the
// spelling, of however few letters. It returns where it ends, 0 when there is
// none.
func (e spellingReader) lettersLed(i int) int {
	words := e.words.words
	to, ok := e.at("spelled_with", words, i)
	if !ok || e.Expect != SlotName && e.Expect != SlotConfirm {
		return 0
	}
	end := 0
	for to < len(words) && words[to].Sentence == words[i].Sentence {
		switch {
		case e.letter(words[to]) != "" || e.letter(language.Token{Word: strings.TrimSuffix(words[to].Word, "s")}) != "":
			end = to + 1
		case end == to && end > 0 && e.is("letter_ends", words[to].Word):
			end++
		case end > 0 && e.is("letter_joins", words[to].Word):
		default:
			return end
		}
		to++
	}
	return end
}

// letters joins the letters that are read out from word i on.
func (e spellingReader) letters(i int) (string, int) {
	words := e.words.words
	var b strings.Builder
	for i < len(words) {
		times := 1
		if n, _ := e.number("repeats", words[i].Word); n > 0 && i+1 < len(words) {
			times, i = n, i+1
		}
		letter := e.letter(words[i])
		if letter == "" && b.Len() > 0 && i+1 < len(words) && e.letter(words[i+1]) != "" {
			letter, _ = e.Mix.Value("letters_within", words[i].Word)
		}
		if joined, ok := e.Mix.Value("double_letters", words[i].Word); ok && times == 2 {
			letter, times = joined, 1
		}
		if letter == "" {
			if times > 1 {
				i--
			}
			break
		}
		b.WriteString(strings.Repeat(letter, times))
		i++
	}
	return b.String(), i
}

// letter is the letter that a word is, or names.
func (e spellingReader) letter(w language.Token) string {
	if w.Figures {
		return ""
	}
	if utf8.RuneCountInString(w.Word) == 1 {
		return w.Word
	}
	if w.End > 0 && utf8.RuneCountInString(e.Text[w.Start:w.End]) == 3 && e.Text[w.Start:w.End][1] == ' ' {
		return language.Fold(e.Text[w.Start:w.Start+1] + e.Text[w.End-1:w.End]) // two letters that are a word elsewhere: "o k"
	}
	letter, _ := e.Mix.Value("letters", w.Word)
	return letter
}

// spellingLead is where the words begin that lead to spelled letters at word i.
func (e spellingReader) spellingLead(i int) int {
	for i > 0 && e.is("spelling_leads", e.words.words[i-1].Word) {
		i--
	}
	return i
}

// spelledSpans are where letters stand.
func (e *ear) spelledSpans() [][2]int {
	all := make([][2]int, len(e.spelled))
	for i, s := range e.spelled {
		all[i] = s.at
	}
	return all
}

// spelledName reads the name of an answer in which something is spelled. Letters
// of a name that was said as well are passed over; those of one that was not are
// the name. A surname that is spelled first comes last: "Harker, H A R K E R, Joan".
func (e spellingReader) spelledName() bool {
	if len(e.spelled) == 0 || e.Expect != SlotName {
		return false
	}
	said := e.rest().blanked(e.spelledSpans()...)
	for i := range said.words { // letters part what stands around them
		for _, s := range e.spelled {
			if said.words[i].Start >= s.at[1] {
				said.words[i].Clause += 1000
			}
		}
	}
	var parts [][]language.Token
	for _, clause := range said.parts(byClause) {
		clause = e.pastManners(clause)
		n := e.nameLength(clause)
		if n > 0 && e.endsAfter(clause, n) && (clause[0].Capital || !e.allWords(clause[:n])) && !e.hasOf("kin", clause[:n]) {
			parts = append(parts, clause[:n])
		}
	}
	names, first := e.spelledParts(parts)
	if len(names) == 0 {
		return false
	}
	given := func(name string) bool { return e.is("given_names", language.Fold(name)) }
	if len(names) == 2 && first && given(names[1]) && !given(names[0]) {
		names[0], names[1] = names[1], names[0]
	}
	e.Name = strings.Join(names, " ")
	e.nameAt = e.spelledExtent(parts)
	return true
}

// spelledParts are the parts of the name, with what was only spelled in its
// place; and whether the first of them was spelled.
func (e spellingReader) spelledParts(parts [][]language.Token) (names []string, first bool) {
	for _, p := range parts {
		name := e.tidyName(e.Text[p[0].Start:p[len(p)-1].End])
		if n := len(names); n > 0 && strings.HasPrefix(name, names[n-1]+" ") {
			names = names[:n-1] // said again in full: "Itziar. Itziar Olano"
		}
		if n := len(names); n > 0 && strings.HasSuffix(" "+language.Fold(names[n-1]), " "+language.Fold(name)) {
			continue // said again
		}
		names = append(names, name)
	}
	for _, s := range e.spelled {
		before := 0
		for _, p := range parts {
			if p[len(p)-1].End <= s.at[0] {
				before++
			}
		}
		if s.word == "" {
			first = first || before == 1 && len(parts) == 2
			continue
		}
		if len(parts) > 0 && strings.Contains(language.Fold(strings.ReplaceAll(strings.Join(names, ""), " ", "")), s.word[:min(len(s.word), 3)]) {
			first = first || before == 1 && len(parts) == 2
			continue
		}
		names = append(names[:min(before, len(names))], append([]string{capitalised(s.word)}, names[min(before, len(names)):]...)...)
	}
	return names, first
}

// spelledExtent is where the name and its letters stand.
func (e spellingReader) spelledExtent(parts [][]language.Token) [2]int {
	at := e.spelled[0].at
	for _, s := range e.spelled {
		at = [2]int{min(at[0], s.at[0]), max(at[1], s.at[1])}
	}
	for _, p := range parts {
		at = [2]int{min(at[0], p[0].Start), max(at[1], p[len(p)-1].End)}
	}
	return at
}

// pastManners is a clause without the small words that a name is answered with.
func (e spellingReader) pastManners(clause []language.Token) []language.Token {
	for len(clause) > 0 && (e.is("name_manners", clause[0].Word) || e.is("fillers", clause[0].Word) || e.is("name_titles", clause[0].Word)) {
		clause = clause[1:]
	}
	if to, ok := 0, false; len(clause) > 0 {
		if to, ok = e.at("name_leads", clause, 0); ok && to < len(clause) {
			return clause[to:]
		}
	}
	return clause
}
