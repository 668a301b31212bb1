package hearing

import "strings"

// hearTail hears a correction of some figures of a number that stands, or was said
// just before: "it ends in 57", "es 457, no 475".
func (e phoneReader) hearTail() {
	base := e.Number
	if e.Phone != "" {
		base = e.Phone
	}
	if base == "" {
		return
	}
	words := e.words.words
	for i := range words {
		if touches(words[i], [][2]int{e.phoneAt}) && e.Phone != "" {
			continue
		}
		to, ok := e.at("number_ends", words, i)
		if !ok || to >= len(words) || i > 0 && words[i-1].Clause == words[i].Clause && e.is("negations", words[i-1].Word) {
			continue
		}
		digits, end := e.digitsAt(words, to)
		if n := len(digits); n > 0 && n <= longestTail && n < len(base) && e.amendNumber(base[:len(base)-n]+digits, i, e.deniedEnd(end)) {
			return
		}
	}
	e.hearTransposed(base)
}

// longestTail is how many figures are corrected where the whole number is not said.
const longestTail = 6

// hearTransposed hears figures and those that they take the place of, one of them
// denied: "457, not 475", "no 475 sino 457".
func (e phoneReader) hearTransposed(base string) {
	const fewest = 2
	words := e.words.words
	for i := range words {
		if touches(words[i], [][2]int{e.phoneAt}) && e.Phone != "" {
			continue
		}
		first, to := e.digitsAt(words, i)
		if to == i || len(first) < fewest || len(first) > longestTail {
			continue
		}
		next, denied := to, false
		for next < len(words) && (e.is("negations", words[next].Word) || e.smallest(words[next].Word)) && e.digitOf(words[next].Word) == "" {
			denied = denied || e.is("negations", words[next].Word)
			next++
		}
		if next >= len(words) {
			return
		}
		second, end := e.digitsAt(words, next)
		before := i > 0 && e.is("negations", words[i-1].Word)
		if len(second) != len(first) || denied == before {
			continue
		}
		right, wrong := first, second
		if before {
			right, wrong = second, first
		}
		if at := strings.LastIndex(base, wrong); at > 0 && e.amendNumber(base[:at]+right+base[at+len(wrong):], i, end) {
			return
		}
	}
}

// amendNumber takes a number that was corrected by words i to end, where it is one.
func (e phoneReader) amendNumber(number string, i, end int) bool {
	if e164(number, e.Region) == "" {
		return false
	}
	from := e.words.words[i].Start
	if e.Phone != "" {
		from = min(from, e.phoneAt[0])
	}
	e.Phone, e.BadPhone = number, ""
	e.phoneAt = [2]int{from, e.words.words[end-1].End}
	return true
}

// deniedEnd is where the figures end that are denied behind word i, i where there are
// none: "not in 475".
func (e phoneReader) deniedEnd(i int) int {
	words := e.words.words
	at, denied := i, false
	for at < len(words) && (e.is("negations", words[at].Word) || e.smallest(words[at].Word)) && e.digitOf(words[at].Word) == "" {
		denied = denied || e.is("negations", words[at].Word)
		at++
	}
	if !denied || at >= len(words) {
		return i
	}
	if _, end := e.digitsAt(words, at); end > at {
		return end
	}
	return i
}
