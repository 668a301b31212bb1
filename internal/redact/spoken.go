package redact

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// What callers dictate has no check digits to be known by when it is short: the
// expiry and the code of a card are known by the words that lead to them. A card
// and an account are known by their check digits, or by such words if there are
// as many digits as in no telephone number.

// spoken takes out what is said in words, and what belongs to a card.
func spoken(s string) string {
	var b strings.Builder
	after := ""
	for s != "" {
		at, mark := nextMark(s)
		t := talk{text: s[:at], tokens: language.Tokenize(s[:at]), n: spokenWords()}
		b.WriteString(t.redacted(after))
		b.WriteString(mark)
		s, after = s[at+len(mark):], mark
	}
	return b.String()
}

// nextMark finds the first of our own marks. What stands before and behind one is
// read apart, for the words of a mark are not the caller's.
func nextMark(s string) (at int, mark string) {
	at = len(s)
	for _, m := range Marks() {
		if i := strings.Index(s[:at], m); i >= 0 {
			at, mark = i, m
		}
	}
	return at, mark
}

// talk is a text between two marks.
type talk struct {
	text   string
	tokens []language.Token
	n      *numerals
	found  []finding
}

// finding is something to take out, and what stands for it.
type finding struct {
	span
	name string
}

func (t *talk) redacted(after string) string {
	if after == Card {
		t.afterCard()
	}
	for i := 0; i < len(t.tokens); {
		i = max(t.at(i), i+1)
	}
	slices.SortStableFunc(t.found, func(a, b finding) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, f := range t.found {
		if f.start < at {
			continue
		}
		b.WriteString(t.text[at:f.start])
		b.WriteString(f.name)
		at = f.end
	}
	b.WriteString(t.text[at:])
	return b.String()
}

// at looks for something at a token and returns the token behind it.
func (t *talk) at(i int) int {
	if next := t.account(i); next > 0 {
		return next
	}
	if to, ok := t.n.expiry.At(t.tokens, i); ok {
		if next := t.expiryFrom(to); next > 0 {
			return next
		}
	}
	if to, ok := t.n.code.At(t.tokens, i); ok {
		if next := t.codeFrom(to); next > 0 {
			return next
		}
	}
	return t.number(i)
}

func (t *talk) take(from, to int, name string) {
	t.found = append(t.found, finding{span{from, to}, name})
}

// row reads the numbers that follow each other from token i on.
func (t *talk) row(i int) (all []item) {
	for len(all) < longestRow {
		one, ok := t.n.item(t.tokens, i)
		if !ok || len(all) > 0 && !t.goesOn(all[len(all)-1].end, one.start) {
			break
		}
		all = append(all, one)
		i = t.pass(one.next)
	}
	return all
}

// longestRow is how many numbers are read of one row: a card, its date and its
// code, digit by digit, and as many again.
const longestRow = 64

// goesOn says whether a row goes on over what stands between two places.
func (t *talk) goesOn(from, to int) bool { return !strings.ContainsAny(t.text[from:to], "?!\n|@") }

// pass is the token behind hesitations and a joint.
func (t *talk) pass(i int) int {
	for i < len(t.tokens) && (t.n.hesitations[t.tokens[i].Word] || t.n.joints[t.tokens[i].Word]) {
		i++
	}
	return i
}

// toNumber is the first token behind words that may stand before a secret, which
// may be none.
func (t *talk) toNumber(i int) int {
	const most = 5
	for k := 0; k < most && i < len(t.tokens) && t.n.before[t.tokens[i].Word]; k++ {
		i++
	}
	return t.pass(i)
}

func digitsOf(all []item) string {
	var b strings.Builder
	for _, one := range all {
		b.WriteString(one.digits)
	}
	return b.String()
}

func anyWord(all []item) bool {
	return slices.ContainsFunc(all, func(one item) bool { return one.word })
}

// number takes out a card number of which a part is said in words.
func (t *talk) number(i int) int {
	row := t.row(i)
	if len(row) == 0 {
		return 0
	}
	end := row[len(row)-1].next
	if !anyWord(row) {
		return end
	}
	if from, to := t.cardIn(row, i); to > from {
		t.take(row[from].start, row[to-1].end, Card)
		return row[to-1].next
	}
	return end
}

// cardIn finds the numbers of a row that are a card: all of them, or the first or
// the last that make sixteen digits.
func (t *talk) cardIn(row []item, i int) (from, to int) {
	all := digitsOf(row)
	if len(all) < minCard || twice(all) || len(all) == 18 && all[0] >= '6' && all[9] >= '6' {
		return 0, 0
	}
	if isCard([]byte(all)) || len(all) <= maxCard && t.announced(i, t.n.cards) {
		return 0, len(row)
	}
	const usual = 16
	for to = 1; to < len(row) && len(digitsOf(row[:to])) < usual; to++ {
	}
	if first := digitsOf(row[:to]); len(first) == usual && isCard([]byte(first)) {
		return 0, to
	}
	for from = len(row) - 1; from > 0 && len(digitsOf(row[from:])) < usual; from-- {
	}
	if last := digitsOf(row[from:]); len(last) == usual && isCard([]byte(last)) {
		return from, len(row)
	}
	return 0, 0
}

// twice says whether digits are the same telephone number said twice.
func twice(digits string) bool {
	const shortest = 9
	half := len(digits) / 2
	return len(digits)%2 == 0 && digits[:half] == digits[half:] && half >= shortest && half < minCard
}

// announced says whether one of some words stands shortly before a token.
func (t *talk) announced(i int, words language.Set) bool {
	const near = 8
	return slices.ContainsFunc(t.tokens[max(0, i-near):i], func(o language.Token) bool { return words[o.Word] })
}

// expiryFrom takes out a month and a year behind token i, and a code that is said
// on.
func (t *talk) expiryFrom(i int) int {
	i = t.toNumber(i)
	row := t.row(i)
	n := expiryIn(row)
	if n == 0 {
		return 0
	}
	t.take(row[0].start, row[n-1].end, Expiry)
	if rest := row[n:]; isCode(rest) {
		t.take(rest[0].start, rest[len(rest)-1].end, Code)
		n = len(row)
	}
	return row[n-1].next
}

// expiryIn is how many numbers at the beginning of a row are a month and a year,
// best those that make four digits.
func expiryIn(row []item) (n int) {
	best := 9
	for k := 1; k <= min(6, len(row)); k++ {
		digits := digitsOf(row[:k])
		if off := max(4-len(digits), len(digits)-4); isExpiry(digits) && off < best && (len(digits) != 3 || k == len(row)) {
			n, best = k, off
		}
	}
	return n
}

// isExpiry says whether digits are a month and a year: "827", "0827", "082027".
func isExpiry(digits string) bool {
	if len(digits) < 3 || len(digits) > 6 {
		return false
	}
	month := digits[:2-len(digits)%2]
	year := strings.TrimPrefix(digits[len(month):], "20")
	return len(year) == 2 && year >= "20" && year <= "59" && strings.TrimLeft(month, "0") != "" && (len(month) == 1 || month <= "12")
}

// codeFrom takes out three or four digits behind token i.
func (t *talk) codeFrom(i int) int {
	row := t.row(t.toNumber(i))
	if !isCode(row) {
		return 0
	}
	t.take(row[0].start, row[len(row)-1].end, Code)
	return row[len(row)-1].next
}

func isCode(row []item) bool {
	n := len(digitsOf(row))
	return n == 3 || n == 4
}

// afterCard takes out the date and the code that are written right behind a card
// number. A date alone must be written as one: "10 30" may be a time.
func (t *talk) afterCard() {
	i := t.toNumber(0)
	row := t.row(i)
	n := expiryIn(row)
	if n == 0 {
		return
	}
	written := t.text[row[0].start:row[n-1].end]
	if rest := row[n:]; isCode(rest) {
		t.take(row[0].start, row[n-1].end, Expiry)
		t.take(rest[0].start, rest[len(rest)-1].end, Code)
	} else if len(rest) == 0 && strings.Contains(written, "/") {
		t.take(row[0].start, row[n-1].end, Expiry)
	}
}
