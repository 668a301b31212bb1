package hearing

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"

	"github.com/nyaruka/phonenumbers"
)

// phoneReader hears telephone numbers.
type phoneReader struct{ *ear }

// fewest is how many figures in a row are taken for an attempt at a telephone
// number, when none was asked for.
const fewest = 7

// farthestBack is how many characters may stand between a number that is taken back and
// the one that is meant, to be of nothing else.
const farthestBack = 70

// longestNumber is how many figures the longest telephone number has.
const longestNumber = 15

// hearPhone hears a telephone number in figures or in words.
func (e phoneReader) hearPhone() {
	spans := append([][2]int{e.emailAt, e.codeAt}, e.apartAt...)
	for _, m := range writtenWhens().FindAllStringIndex(e.Text, -1) {
		spans = append(spans, [2]int{m[0], m[1]})
	}
	words := e.words.blanked(spans...).words
	for i, w := range words {
		if said := e.written(w); e.digits(said) != "" { // however it is read elsewhere: "four two"
			words[i].Word = said
		}
	}
	for i := 0; i < len(words); {
		digits, to := e.digitsAt(words, i)
		if to == i {
			i++
			continue
		}
		if next := e.nextSentence(words, i, to); next < to { // "at half past seven. 07700 …"
			i = next
			continue
		}
		digits, to = e.withoutFiller(words, i, digits, to)
		if !e.takePhone(digits, [2]int{words[i].Start, words[to-1].End}) {
			i = nextClause(words, i, to)
			continue
		}
		if i = e.takenBack(words, to); i < 0 {
			return
		}
	}
}

// takenBack is where the words end that take back the number that ends at word to, "no,
// that's my mother's", -1 where none do before another number begins.
func (e phoneReader) takenBack(words []language.Token, to int) int {
	const far = 12 // words
	for i := to; i < len(words) && i < to+far; i++ {
		if end := e.Mix.CorrectionAt(words, i); end > 0 {
			return end
		}
		if end, ok := e.at("number_of_other", words, i); ok {
			return end
		}
		begins := i == to || words[i].Clause != words[i-1].Clause
		if begins && e.is("bare_no", words[i].Word) {
			return i + 1
		}
		if e.digits(words[i].Word) != "" {
			return -1
		}
	}
	return -1
}

// withoutFiller is a row of figures without the last word, where that begins what is
// said next and the number is none with it: "0171 946 0042 oh and is it far", "612 345 678
// una pregunta".
func (e phoneReader) withoutFiller(words []language.Token, from int, digits string, to int) (string, int) {
	last := to - 1
	begins := last > from && (e.is("lead_ins", words[last].Word) || words[last-1].Figures)
	if !begins || words[last].Figures || e164(digits, e.Region) != "" {
		return digits, to
	}
	if shorter, end := e.digitsAt(words[:last], from); end == last && e164(shorter, e.Region) != "" {
		return shorter, end
	}
	return digits, to
}

// nextSentence is where a number begins within a row that runs over the end of a
// sentence and is none as a whole; to where there is no such place.
func (e phoneReader) nextSentence(words []language.Token, from, to int) int {
	for i := from + 1; i < to; i++ {
		if words[i].Sentence == words[i-1].Sentence {
			continue
		}
		if digits, _ := e.digitsAt(words, i); e164(digits, e.Region) != "" {
			return i
		}
	}
	return to
}

// nextClause is where another number may begin within a row that is none: after
// the comma of "anuncio 1057, 600 123 456".
func nextClause(words []language.Token, from, to int) int {
	for i := from + 1; i < to; i++ {
		if words[i].Clause != words[i-1].Clause {
			return i
		}
	}
	return to
}

// takePhone says whether a row of digits was meant as a telephone number, and
// notes it as a good one or a bad one.
func (e phoneReader) takePhone(digits string, at [2]int) bool {
	n := len(strings.TrimPrefix(digits, "+"))
	if n < 3 || n < fewest && e.Expect != SlotPhone && !e.namesPhone(at) {
		return false
	}
	if n < 5 && e.Expect != SlotPhone {
		return false
	}
	if n > longestNumber && e.Expect != SlotPhone || e.otherNumber(at) {
		return false
	}
	if at[0] > 0 && e.Text[at[0]-1] == '+' {
		at[0]--
		digits = "+" + strings.TrimPrefix(digits, "+")
	}
	number := e164(digits, e.regionOf(at))
	if first := e.phoneAt; first != [2]int{} { // one was said before, and taken back
		if number == "" || number == e.Number {
			return false
		}
		e.BadPhone = ""
		if e.apartAt = append(e.apartAt, first); at[0]-first[1] <= farthestBack {
			at[0] = first[0] // with the words that take it back
		}
	}
	e.phoneAt = at
	if number != "" {
		e.Phone = number
		return true
	}
	e.BadPhone = digits
	return true
}

// regionOf is where a number belongs that is written without a country code: to
// the country that is named beside it, else to that of the business.
func (e phoneReader) regionOf(at [2]int) string {
	if americanForm().MatchString(e.Text) {
		return "US"
	}
	const before, after = 8, 4
	words := e.words.words
	first, last := len(words), -1
	for i, w := range words {
		if touches(w, [][2]int{at}) {
			first, last = min(first, i), i
		}
	}
	for i := max(0, first-before); i < len(words) && i <= last+after; i++ {
		if country, ok := e.Mix.Value("countries", words[i].Word); ok && (i < first || i > last) && (e.namesPhone(at) || e.Expect == SlotPhone || e164(e.Text[at[0]:at[1]], e.Region) == "") {
			return country // unless a language is learned, or a dish is Italian
		}
	}
	return e.Region
}

// americanForm is how only numbers of the North American plan are written.
var americanForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\(\d{3}\) ?\d{3}[- ]\d{4}`)
})

// written dates and clocks have as many figures as numbers do.
var writtenWhens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{1,2}[.-]\d{1,2}[.-]\d{4}|\d{1,2}:\d{2})\b`)
})

// otherNumber says whether a row of figures is that of a document or a price.
func (e phoneReader) otherNumber(at [2]int) bool {
	if next, _ := utf8.DecodeRuneInString(e.Text[at[1]:]); unicode.IsLetter(next) || next == '€' || next == '%' {
		return true
	}
	before, after := e.words.words, []language.Token(nil)
	for i, w := range e.words.words {
		if w.End > at[0] && len(before) > i {
			before = before[:i]
		}
		if w.Start >= at[1] {
			after = e.words.words[i:]
			break
		}
	}
	return e.namesDocument(before) || len(after) > 0 && e.is("currencies", after[0].Word)
}

// namesDocument says whether the last words lead to the number of a document:
// one is named shortly before, and no telephone is after it. A number may be
// that of either.
func (e phoneReader) namesDocument(words []language.Token) bool {
	const near = 3
	for n := 0; len(words) > 0 && n < near; words = words[:len(words)-1] {
		w := words[len(words)-1].Word
		switch {
		case e.is("documents", w):
			return true
		case e.is("number_nouns", w):
			continue
		case e.is("phone_nouns", w), isFigures(w):
			return false // nearer; or the document has its number already
		}
		n++
	}
	return false
}

func (e phoneReader) namesPhone(at [2]int) bool {
	for _, w := range e.words.words {
		if w.Start < at[0] && e.is("phone_nouns", w.Word) {
			return true
		}
	}
	return false
}

// e164 is a number as the world writes it, "" when it cannot be one. Without a
// plus or 00 it is one of the region, with the region's code or without.
func e164(digits, region string) string {
	if strings.HasPrefix(digits, "00") {
		digits = "+" + digits[2:]
	}
	number, err := phonenumbers.Parse(digits, cmp.Or(strings.ToUpper(region), "ES"))
	if err != nil || !believed(number, strings.HasPrefix(digits, "+")) {
		return ""
	}
	return phonenumbers.Format(number, phonenumbers.E164)
}

// believed says whether a number is one that can be called. Plans change: what
// has the right length after its country code is believed, unless it is plainly
// made up. Without that code it may belong to another country, and must be one
// of the plan, or of those that are kept for examples.
func believed(number *phonenumbers.PhoneNumber, coded bool) bool {
	if phonenumbers.IsValidNumber(number) {
		return true
	}
	national := phonenumbers.GetNationalSignificantNumber(number)
	if phonenumbers.IsPossibleNumberWithReason(number) != phonenumbers.IS_POSSIBLE || madeUp(national, number.GetCountryCode()) {
		return false
	}
	return coded || number.GetCountryCode() == 44 && britishExample().MatchString(national)
}

// britishExample is how the numbers look that Britain keeps for examples, of each of
// its large cities as well, and leaves out of its plan.
var britishExample = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:7700900\d{3}|1632960\d{3}|1(?:1[3-8]|[2-6]1)4960\d{3}|1914980\d{3}|2079460\d{3}|289649[67]\d{3}|2920180\d{3}|8081570\d{3}|3069990\d{3})$`)
})

// madeUp says whether figures are a row on the keyboard, or all the same, or
// begin as no number of Spain does.
func madeUp(national string, country int32) bool {
	const row = "01234567890123456789"
	const back = "98765432109876543210"
	return strings.Contains(row, national) || strings.Contains(back, national) ||
		strings.Count(national, national[:1]) == len(national) || country == 34 && national[0] < '5'
}

// digitsAt reads the row of digits that begins at word i: figures, number words,
// "double oh", "triple cinco", with nothing but signs between them.
func (e phoneReader) digitsAt(words []language.Token, i int) (digits string, to int) {
	var b strings.Builder
	to = i
	for to < len(words) {
		if to > i && !e.closeTo(words[to-1], words[to]) {
			break
		}
		piece, n := e.digitPiece(words, to, b.Len() > 0)
		if n == 0 && e.hesitates(words, to, i) {
			to++
			continue
		}
		if n == 0 {
			break
		}
		b.WriteString(piece)
		to += n
	}
	return b.String(), to
}

// hesitates says whether a word only fills the pause within a number that was
// asked for: "six one two, eh, three four".
func (e phoneReader) hesitates(words []language.Token, i, from int) bool {
	return e.Expect == SlotPhone && i > from && i+1 < len(words) && words[i].Sentence == words[i+1].Sentence &&
		e.is("fillers", words[i].Word) && !e.is("phone_joins", words[i].Word) && e.digitOf(words[i+1].Word) != ""
}

// closeTo says whether only signs that stand within numbers are between two
// words.
func (e phoneReader) closeTo(a, b language.Token) bool {
	between := e.between(a, b)
	return len(between) <= 4 && strings.Trim(between, " .,-()/+–") == ""
}

// digitPiece reads one piece of a spoken number: "600", "seis", "cuarenta y
// cinco", "ciento veintitrés", "double five".
func (e phoneReader) digitPiece(words []language.Token, i int, within bool) (string, int) {
	w := words[i].Word
	if isFigures(w) {
		return w, 1
	}
	if times, _ := e.number("repeats", w); times > 0 && i+1 < len(words) {
		if d := e.digitOf(words[i+1].Word); d != "" {
			return strings.Repeat(d, times), 2
		}
	}
	if (e.is("phone_oh", w) || e.is("phone_joins", w)) && !within {
		return "", 0
	}
	if e.is("phone_oh", w) && i+1 < len(words) && e.digitOf(words[i+1].Word) != "" {
		return "0", 1
	}
	if e.is("phone_plus", w) {
		if i+1 < len(words) && e.digitOf(words[i+1].Word) != "" && !within {
			return "+", 1
		}
		return "", 0
	}
	d := e.digits(w)
	if d == "" {
		return "", 0
	}
	return e.compound(words, i, d)
}

// compound joins hundreds, tens and units that are said as one number.
func (e phoneReader) compound(words []language.Token, i int, d string) (string, int) {
	n := 1
	if len(d) == 1 && i+1 < len(words) && e.is("hundreds", words[i+1].Word) {
		return e.hundreds(words, i, d)
	}
	next := func() string {
		if i+n < len(words) {
			return e.digits(words[i+n].Word)
		}
		return ""
	}
	if len(d) == 3 {
		if more := next(); len(more) == 2 {
			inner, taken := e.compound(words, i+n, more)
			return d[:1] + inner, n + taken
		} else if len(more) == 1 && more != "0" && e.is("open_hundreds", words[i].Word) {
			return d[:2] + more, n + 1
		}
		return d, n
	}
	if len(d) == 2 && d[1] == '0' && d != "10" {
		if i+n+1 < len(words) && e.is("ten_joins", words[i+n].Word) {
			if unit := e.digits(words[i+n+1].Word); len(unit) == 1 && unit != "0" {
				return d[:1] + unit, n + 2
			}
		}
		if unit := next(); e.is("english_tens", words[i].Word) && len(unit) == 1 && unit != "0" {
			return d[:1] + unit, n + 1
		}
	}
	return d, n
}

// hundreds reads "six hundred", "six hundred and twelve", and "seis cientos" as
// recognisers write it.
func (e phoneReader) hundreds(words []language.Token, i int, d string) (string, int) {
	n := 2
	if i+3 < len(words) && e.is("hundred_joins", words[i+2].Word) && len(e.digits(words[i+3].Word)) == 2 {
		n = 3
	}
	if i+n < len(words) {
		if more := e.digits(words[i+n].Word); len(more) == 2 {
			inner, taken := e.compound(words, i+n, more)
			return d + inner, n + taken
		}
	}
	return d + "00", 2
}

func (e phoneReader) digitOf(w string) string {
	if isFigures(w) {
		return w
	}
	if e.is("phone_oh", w) {
		return "0"
	}
	return e.digits(w)
}
