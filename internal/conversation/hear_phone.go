package conversation

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"
)

// digitWords are number words as the figures they stand for when a telephone
// number is read out.
var digitWords = map[string]string{
	"cero": "0", "uno": "1", "un": "1", "una": "1", "dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7",
	"ocho": "8", "nueve": "9", "diez": "10", "once": "11", "doce": "12", "trece": "13", "catorce": "14", "quince": "15",
	"dieciseis": "16", "diecisiete": "17", "dieciocho": "18", "diecinueve": "19", "veinte": "20", "veintiuno": "21",
	"veintiun": "21", "veintidos": "22", "veintitres": "23", "veinticuatro": "24", "veinticinco": "25", "veintiseis": "26",
	"veintisiete": "27", "veintiocho": "28", "veintinueve": "29", "treinta": "30", "cuarenta": "40", "cincuenta": "50",
	"sesenta": "60", "setenta": "70", "ochenta": "80", "noventa": "90",
	"cien": "100", "ciento": "100", "doscientos": "200", "trescientos": "300", "cuatrocientos": "400", "quinientos": "500",
	"seiscientos": "600", "setecientos": "700", "ochocientos": "800", "novecientos": "900",
	"zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
	"nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
	"seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
	"sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
}

// fewest is how many figures in a row are taken for an attempt at a telephone
// number, when none was asked for.
const fewest = 7

// longestNumber is how many figures the longest telephone number has.
const longestNumber = 15

// hearPhone hears a telephone number in figures or in words.
func (e *ear) hearPhone() {
	spans := [][2]int{e.emailAt, e.codeAt}
	for _, m := range writtenWhens.FindAllStringIndex(e.Text, -1) {
		spans = append(spans, [2]int{m[0], m[1]})
	}
	words := e.words.blanked(spans...).words
	for i := 0; i < len(words); {
		digits, to := e.digitsAt(words, i)
		if to == i {
			i++
			continue
		}
		if e.takePhone(digits, [2]int{words[i].start, words[to-1].end}) {
			return
		}
		i = nextClause(words, i, to)
	}
}

// nextClause is where another number may begin within a row that is none: after
// the comma of "anuncio 1057, 600 123 456".
func nextClause(words []word, from, to int) int {
	for i := from + 1; i < to; i++ {
		if words[i].clause != words[i-1].clause {
			return i
		}
	}
	return to
}

// takePhone says whether a row of digits was meant as a telephone number, and
// notes it as a good one or a bad one.
func (e *ear) takePhone(digits string, at [2]int) bool {
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
	e.phoneAt = at
	region := e.Region
	if americanForm.MatchString(e.Text) {
		region = "US"
	}
	if number := e164(digits, region); number != "" {
		e.Phone = number
		return true
	}
	e.BadPhone = digits
	return true
}

// americanForm is how only numbers of the North American plan are written.
var americanForm = regexp.MustCompile(`\(\d{3}\) ?\d{3}[- ]\d{4}`)

// written dates and clocks have as many figures as numbers do.
var writtenWhens = regexp.MustCompile(`\b(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{1,2}[.-]\d{1,2}[.-]\d{4}|\d{1,2}:\d{2})\b`)

// otherNumber says whether a row of figures is that of a document or a price.
func (e *ear) otherNumber(at [2]int) bool {
	if next, _ := utf8.DecodeRuneInString(e.Text[at[1]:]); unicode.IsLetter(next) || next == '€' || next == '%' {
		return true
	}
	before, after := e.words.words, []word(nil)
	for i, w := range e.words.words {
		if w.end > at[0] && len(before) > i {
			before = before[:i]
		}
		if w.start >= at[1] {
			after = e.words.words[i:]
			break
		}
	}
	return namesDocument(before) || len(after) > 0 && currencies[after[0].fold]
}

// namesDocument says whether the last words lead to the number of a document:
// one is named shortly before, and no telephone is after it. A number may be
// that of either.
func namesDocument(words []word) bool {
	const near = 3
	for n := 0; len(words) > 0 && n < near; words = words[:len(words)-1] {
		w := words[len(words)-1].fold
		switch {
		case documents[w]:
			return true
		case w == "number" || w == "numero":
			continue
		case phoneNouns[w], isFigures(w):
			return false // nearer; or the document has its number already
		}
		n++
	}
	return false
}

var (
	documents  = setOf(`dni nie nif iban tarjeta card passport pasaporte cuenta account ref referencia reference listing anuncio`)
	currencies = setOf(`euros euro dollars dollar pounds eur metros m2 meters`)
)

func (e *ear) namesPhone(at [2]int) bool {
	for _, w := range e.words.words {
		if w.start < at[0] && phoneNouns[w.fold] {
			return true
		}
	}
	return false
}

var phoneNouns = setOf(`phone telephone number telefono tlf tfno movil mobile cell cellphone celular numero whatsapp call llamame llamarme llameme contact contacto`)

// e164 is a number as the world writes it, "" when it cannot be one. Without a
// plus or 00 it is one of the region, with the region's code or without.
func e164(digits, region string) string {
	if strings.HasPrefix(digits, "00") {
		digits = "+" + digits[2:]
	}
	number, err := phonenumbers.Parse(digits, cmp.Or(strings.ToUpper(region), "ES"))
	if err != nil {
		return ""
	}
	// Plans change, and numbers kept for examples belong to none: what has the
	// right length is believed, unless it is plainly made up.
	possible := phonenumbers.IsPossibleNumberWithReason(number) == phonenumbers.IS_POSSIBLE
	if phonenumbers.IsValidNumber(number) || possible && !madeUp(phonenumbers.GetNationalSignificantNumber(number), number.GetCountryCode()) {
		return phonenumbers.Format(number, phonenumbers.E164)
	}
	return ""
}

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
func (e *ear) digitsAt(words []word, i int) (digits string, to int) {
	var b strings.Builder
	to = i
	for to < len(words) {
		if to > i && !e.closeTo(words[to-1], words[to]) {
			break
		}
		piece, n := digitPiece(words, to, b.Len() > 0)
		if n == 0 {
			break
		}
		b.WriteString(piece)
		to += n
	}
	return b.String(), to
}

// closeTo says whether only signs that stand within numbers are between two
// words.
func (e *ear) closeTo(a, b word) bool {
	between := e.Text[a.end:b.start]
	return len(between) <= 4 && strings.Trim(between, " .,-()/+–") == ""
}

// digitPiece reads one piece of a spoken number: "600", "seis", "cuarenta y
// cinco", "ciento veintitrés", "double five".
func digitPiece(words []word, i int, within bool) (string, int) {
	w := words[i].fold
	if isFigures(w) {
		return w, 1
	}
	if times := repeats[w]; times > 0 && i+1 < len(words) {
		if d := digitOf(words[i+1].fold); d != "" {
			return strings.Repeat(d, times), 2
		}
	}
	if (w == "o" || w == "y" || w == "and") && !within {
		return "", 0
	}
	if w == "o" && i+1 < len(words) && digitOf(words[i+1].fold) != "" {
		return "0", 1
	}
	if w == "plus" || w == "mas" {
		if i+1 < len(words) && digitOf(words[i+1].fold) != "" && !within {
			return "+", 1
		}
		return "", 0
	}
	d := digitWords[w]
	if d == "" {
		return "", 0
	}
	return compound(words, i, d)
}

// compound joins hundreds, tens and units that are said as one number.
func compound(words []word, i int, d string) (string, int) {
	n := 1
	if len(d) == 1 && i+1 < len(words) && (words[i+1].fold == "hundred" || words[i+1].fold == "cientos") {
		return hundreds(words, i, d)
	}
	next := func() string {
		if i+n < len(words) {
			return digitWords[words[i+n].fold]
		}
		return ""
	}
	if len(d) == 3 {
		if more := next(); len(more) == 2 {
			inner, taken := compound(words, i+n, more)
			return d[:1] + inner, n + taken
		} else if len(more) == 1 && more != "0" && words[i].fold == "ciento" {
			return d[:2] + more, n + 1
		}
		return d, n
	}
	if len(d) == 2 && d[1] == '0' && d != "10" {
		if i+n+1 < len(words) && words[i+n].fold == "y" {
			if unit := digitWords[words[i+n+1].fold]; len(unit) == 1 && unit != "0" {
				return d[:1] + unit, n + 2
			}
		}
		if unit := next(); englishTens[words[i].fold] && len(unit) == 1 && unit != "0" {
			return d[:1] + unit, n + 1
		}
	}
	return d, n
}

// hundreds reads "six hundred", "six hundred and twelve", and "seis cientos" as
// recognisers write it.
func hundreds(words []word, i int, d string) (string, int) {
	n := 2
	if i+3 < len(words) && words[i+2].fold == "and" && len(digitWords[words[i+3].fold]) == 2 {
		n = 3
	}
	if i+n < len(words) {
		if more := digitWords[words[i+n].fold]; len(more) == 2 {
			inner, taken := compound(words, i+n, more)
			return d + inner, n + taken
		}
	}
	return d + "00", 2
}

func digitOf(w string) string {
	if isFigures(w) {
		return w
	}
	if w == "o" {
		return "0"
	}
	return digitWords[w]
}

var repeats = map[string]int{"double": 2, "doble": 2, "triple": 3, "treble": 3}

var englishTens = setOf(`twenty thirty forty fifty sixty seventy eighty ninety`)
