package catalogue

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
			case reach > 0 && abs(size-len(w.word)) <= reach && distance(w.word, word, reach) <= reach:
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

// distance is how many letters are wrong, missing, too many or swapped, most
// at most; one more than most stands for anything beyond.
func distance(a, b string, most int) int {
	var rows [3][48]int
	if len(a) >= 47 || len(b) >= 47 {
		return most + 1
	}
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := 0; j <= len(b); j++ {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], most+1)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
