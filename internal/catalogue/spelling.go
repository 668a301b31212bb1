package catalogue

import "frontdesk.dev/frontdesk/internal/language"

// guess yields the words of the labels that a word may be meant as: those that
// it is a misspelling of, unless it is a word of its own, and those that begin
// like it.
func (f *finder) guess(w token, yield func(word string, strength float64)) {
	reach := 0
	if !w.known() {
		reach = slips(len(w.word))
	}
	for size := max(5, len(w.word)-6); size <= len(w.word)+7; size++ {
		for _, word := range f.shapes[size] {
			switch {
			case reach > 0 && abs(size-len(w.word)) <= reach && language.Distance(w.word, word) <= reach:
				yield(word, misspelt)
			case alike(w.word, word):
				yield(word, cognate)
			}
		}
	}
}

// slips is how many letters of a word may be wrong.
func slips(length int) int {
	switch {
	case length >= 9:
		return 2
	case length >= 5:
		return 1
	}
	return 0
}

// alike says whether two words begin with the same six letters or more, and
// little follows.
func alike(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= 6 && n*2 >= max(len(a), len(b)) && len(a)-n <= 5
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
