package redact

import "regexp"

// A card number has 13 to 19 digits, the last of which is a check digit over the
// others (Luhn).
const (
	minCard = 13
	maxCard = 19
)

// cards finds card numbers: first those that are written as cards are, then
// those that stand alone in any other grouping, as when they are dictated.
func cards(s string) (found []span) {
	for _, run := range runs(s) {
		found = append(found, run.cards(s)...)
	}
	if len(found) > 0 {
		return found
	}
	for _, at := range oddlyWritten.FindAllStringIndex(s, -1) {
		if at[0] > 0 && isDigit(s[at[0]-1]) || at[1] < len(s) && isDigit(s[at[1]]) {
			continue
		}
		if isCard(onlyDigits(s[at[0]:at[1]])) {
			return []span{{at[0], at[1]}} // Text looks again
		}
	}
	return nil
}

// oddlyWritten are four groups of four between signs that also stand between
// other numbers.
var oddlyWritten = regexp.MustCompile(`\(?[0-9]{4}\)?[/,_]{0,2}\(?[0-9]{4}\)?[/,_]{0,2}\(?[0-9]{4}\)?[/,_]{0,2}\(?[0-9]{4}\)?`)

// run is groups of digits with nothing but separators between them.
type run struct {
	groups  []span
	dialled bool // a plus stands before it: a telephone number
}

// runs finds all runs of digits in a text.
func runs(s string) (all []run) {
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		r := run{dialled: i > 0 && s[i-1] == '+'}
		for i < len(s) && isDigit(s[i]) {
			g := span{i, i}
			for g.end < len(s) && isDigit(s[g.end]) {
				g.end++
			}
			r.groups = append(r.groups, g)
			i = overGap(s, g.end)
		}
		all = append(all, r)
	}
	return all
}

func (r run) cards(s string) (found []span) {
	for from := 0; from < len(r.groups); {
		if n := r.written(s, from); n > 0 && !(r.dialled && from == 0) {
			found = append(found, span{r.groups[from].start, r.groups[from+n-1].end})
			from += n
			continue
		}
		from++
	}
	if len(found) == 0 && !r.dialled && !r.telephones(s) && r.loose() && isCard(digits(s, r.groups)) {
		found = []span{{r.groups[0].start, r.groups[len(r.groups)-1].end}}
	}
	return found
}

// patterns are the groups in which cards are printed.
var patterns = [][]int{{4, 4, 4, 4, 3}, {4, 4, 4, 4}, {4, 6, 5}, {4, 6, 4}, {6, 13}, {4, 4, 5}}

// written says how many groups from one on are a card number as it is printed
// or typed; 0 when they are none.
func (r run) written(s string, from int) int {
	if g := digits(s, r.groups[from:from+1]); isCard(g) || len(g) > 16 && len(g) <= 20 && isCard(g[:16]) { // its code written on
		return 1
	}
	for _, p := range patterns {
		if from+len(p) <= len(r.groups) && fits(r.groups[from:], p) && isCard(digits(s, r.groups[from:from+len(p)])) {
			return len(p)
		}
	}
	return 0
}

func fits(groups []span, pattern []int) bool {
	for i, size := range pattern {
		if groups[i].end-groups[i].start != size {
			return false
		}
	}
	return true
}

// loose says whether the groups are small enough to be parts of one number. A
// longer one is a telephone number of its own.
func (r run) loose() bool {
	for _, g := range r.groups {
		if g.end-g.start > 6 {
			return false
		}
	}
	return true
}

// telephones says whether the run is two Spanish telephone numbers, one after
// the other.
func (r run) telephones(s string) bool {
	n := 0
	for _, g := range r.groups {
		if first := s[g.start]; n%9 == 0 && first < '6' {
			return false
		}
		was := n / 9
		n += g.end - g.start
		if n/9 != was && n%9 != 0 { // a group reaches over from one to the other
			return false
		}
	}
	return n == 18
}

func digits(s string, groups []span) []byte {
	var all []byte
	for _, g := range groups {
		all = append(all, s[g.start:g.end]...)
	}
	return all
}

func onlyDigits(s string) (all []byte) {
	for i := range len(s) {
		if isDigit(s[i]) {
			all = append(all, s[i])
		}
	}
	return all
}

// isCard says whether digits can be a card number. None begins with 0 or 1, and
// the few that begin with 7 to 9 have 16 digits or more; telephone numbers and
// bar codes have fewer.
func isCard(number []byte) bool {
	if len(number) < minCard || len(number) > maxCard || number[0] < '2' {
		return false
	}
	if number[0] > '6' && len(number) < 16 {
		return false
	}
	return luhn(number)
}

func luhn(number []byte) bool {
	sum := 0
	for i, c := range number {
		d := int(c - '0')
		if (len(number)-i)%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
