package table

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// value is what a cell says, as far as it is understood.
type value struct {
	kind      form
	low, high string // numbers; high "": there is but one
	bound     string // "least", "most" or "about": what the number is
	money     string // the currency of money
	unit      string // of a length, or what a price is for each of
	perWords  string // the same, in words of the document, where they are not known
	tax       string // "included", "added" or "exempt"
	rate      string // of the tax
	taxName   string
	hours     []span
	smaller   *value // "30 min" of "1 h 30 min"
	words     string // as it is written
}

// form is what sort of thing a value is.
type form int

const (
	inWords form = iota
	asMoney
	asLength // how long something takes
	asHours
	asNumber
	asYes
	asNo
	asFree
	asClosed
)

// span is from when to when something is open.
type span struct{ from, to string }

// read understands a cell of a column.
func read(text string, c column) value {
	text = strings.TrimSpace(text)
	v := value{words: text}
	switch lex := lexes(); {
	case c.kind == priceColumn && (is(text, lex.free) || text == "0"):
		v.kind = asFree
	case is(text, lex.closed):
		v.kind = asClosed
	case c.kind != priceColumn && !c.sizes && is(text, lex.yes):
		v.kind = asYes
	case c.kind != priceColumn && is(text, lex.no):
		v.kind = asNo
	default:
		readFigures(&v, c)
	}
	return v
}

func readFigures(v *value, c column) {
	if !strings.ContainsAny(v.words, "0123456789") {
		return
	}
	if hours := readHours(v.words, c.tellsHours()); hours != nil && c.kind != priceColumn {
		v.kind, v.hours = asHours, hours
		return
	}
	words := wordsOf(v.words)
	if n, rest, ok := readNumbers(words, c); ok {
		n.words = v.words
		if len(rest) > 0 {
			n.perWords = strings.TrimLeft(v.words[rest[0].start:], "/ ")
			if gap := strings.TrimSpace(v.words[words[len(words)-len(rest)-1].end:rest[0].start]); gap == "," || gap == "(" {
				n.perWords = v.words[words[len(words)-len(rest)-1].end:]
			}
		}
		*v = n
	}
}

// readNumbers reads a number or a range of them, with what stands around it. What stands
// behind money and is not understood is the rest.
func readNumbers(words []word, c column) (v value, rest []word, ok bool) {
	v.bound, words = bound(words)
	money, words := currency(words)
	if len(words) == 0 || !words[0].number {
		return v, nil, false
	}
	v.low, words = number(words)
	if m, rest := currency(words); m != "" && (money == "" || len(rest) == 0 || !rest[0].number) {
		money, words = m, rest
	}
	words, money = v.readHigh(words, money)
	v.money = money
	unit, n := match(words, lexes().times)
	_, coins := match(words, lexes().coins)
	switch {
	case coins > 0, c.unit == "year" && len(words) == 0 && len(v.low) == 4: // "80p" and "2019" are said as they stand
		return v, nil, false
	case len(words) == 1 && words[0].text == "%" && v.money == "":
		v.kind, v.unit = asNumber, "%"
		return v, nil, true
	case len(words) > 0 && words[0].text == "%":
		return v, nil, false
	case v.money != "" || c.kind == priceColumn:
		v.kind = asMoney
		return v, v.readPer(words), amount(v.low) && (v.high == "" || amount(v.high))
	case n > 0:
		v.kind, v.unit = asLength, unit
		return v, nil, v.readSmaller(words[n:])
	case c.unit != "" && len(words) == 0:
		v.kind, v.unit = asLength, c.unit
		return v, nil, true
	}
	v.kind = asNumber
	return v, nil, len(words) == 0 && amount(v.low)
}

// readSmaller reads the second part of a length: "1 h 30 min", "1 h 30".
func (v *value) readSmaller(words []word) bool {
	switch {
	case len(words) == 0:
		return true
	case !words[0].number:
		return false
	case len(words) == 1 && v.unit == "hour":
		v.smaller = &value{kind: asLength, low: words[0].text, unit: "minute"}
		return true
	}
	smaller, _, ok := readNumbers(words, column{})
	v.smaller = &smaller
	return ok && smaller.kind == asLength
}

// readHigh reads the second number of a range, and the currency behind it.
func (v *value) readHigh(words []word, money string) ([]word, string) {
	_, n := match(words, lexes().between)
	if n == 0 && len(words) > 0 && words[0].text == dash {
		n = 1
	}
	m, next := currency(words[n:])
	if n == 0 || len(next) == 0 || !next[0].number {
		return words, money
	}
	v.high, next = number(next)
	if last, rest := currency(next); last != "" {
		return rest, last
	}
	return next, cmp.Or(m, money)
}

// bound reads "from", "up to" or "about" before a number.
func bound(words []word) (string, []word) {
	lex := lexes()
	for _, b := range []struct {
		name string
		in   map[string]string
	}{{"least", lex.least}, {"most", lex.most}, {"about", lex.about}} {
		if _, n := match(words, b.in); n > 0 && n < len(words) {
			return b.name, words[n:]
		}
	}
	return "", words
}

func currency(words []word) (string, []word) {
	money, n := match(words, lexes().money)
	return money, words[n:]
}

// readPer reads what stands behind an amount of money: what it is for each of, and
// whether the tax is in it. The rest is what it does not understand.
func (v *value) readPer(words []word) (rest []word) {
	lex := lexes()
	for len(words) > 0 {
		tax, t := match(words, lex.tax)
		unit, u := match(words, lex.units)
		rate := len(words) > 1 && words[0].number && words[1].text == "%"
		switch {
		case words[0].text == "/" && len(words) > 1:
			words = words[1:]
		case t > 0 && t >= u && t < len(words) && lex.taxNames[words[t].text]: // "incl. VAT"
			v.tax, v.taxName, words = tax, words[t].text, words[t+1:]
		case t > 0 && t >= u:
			v.tax, words = tax, words[t:]
		case u > 0:
			v.unit, words = unit, words[u:]
		case rate:
			v.rate, words = words[0].text+" %", words[2:]
		case lex.taxNames[words[0].text] || words[0].text == "+":
			words = words[1:]
		default:
			return words
		}
	}
	return nil
}

// number reads one number, of which the thousands may stand apart: "1 250".
func number(words []word) (text string, rest []word) {
	text = words[0].text
	for end := words[0].end; ; end = words[0].end {
		words = words[1:]
		if len(words) == 0 || !words[0].number || words[0].start != end+1 || len(words[0].text) != 3 || strings.ContainsAny(text+words[0].text, ".,:") {
			return text, words
		}
		text += words[0].text
	}
}

// amount tells whether a number can be one of money or of things: no time, no date such as
// 01.09.2026, no number of a telephone.
func amount(number string) bool {
	plain := !strings.ContainsAny(number, ".,")
	return !strings.Contains(number, ":") && !dated.MatchString(number) && !(plain && len(number) > mostDigits)
}

// mostDigits is how many a number has that is counted, without points between them.
const mostDigits = 7

var dated = regexp.MustCompile(`^\d{1,2}\.\d{1,2}\.(\d{2}|\d{4})$`)

// clockTime is a time of the day.
const clockTime = `(\d{1,2})(?:[:.h](\d{2}))?\s*(a\.?m\.?|p\.?m\.?|h)?`

// clocks are the shapes of times, with the words of all languages between them.
type clocks struct {
	one, span, inProse *regexp.Regexp
	between            *regexp.Regexp // what stands between two spans
}

var clock = sync.OnceValue(func() clocks {
	to := `\s*(?:-|–|—|` + strings.Join(slices.Sorted(maps.Keys(expressions("table until"))), "|") + `)\s*`
	and := []string{"/", ",", ";", `\+`, "&"}
	for _, l := range language.MixOf().Languages {
		and = append(and, `\b`+l.SayIn("table wording", "and")+`\b`)
	}
	return clocks{
		one: regexp.MustCompile(`(?i)^` + clockTime + `$`), span: regexp.MustCompile(`(?i)^` + clockTime + to + clockTime + `$`),
		inProse: regexp.MustCompile(`(?i)\d{1,2}[:.]\d{2}\s*(?:[ap]\.?m\.?|h)?` + to + `\d{1,2}[:.]\d{2}(?:\s*[ap]\.?m\.?)?`),
		between: regexp.MustCompile(`\s*(?:` + strings.Join(and, "|") + `)\s*`),
	}
})

// readHours reads times of the day, "9:00-14:00, 16:00-20:00"; nil: they are none.
// Mere numbers are times where the column tells so.
func readHours(text string, told bool) (all []span) {
	if text == "" || text[0] < '0' || text[0] > '9' || !told && !strings.ContainsAny(text, ":hHmM") {
		return nil
	}
	for _, part := range clock().between.Split(text, -1) {
		s, ok := readSpan(part, told)
		if !ok {
			s, ok = readTime(part, told)
		}
		if !ok {
			return nil
		}
		all = append(all, s)
	}
	return all
}

func readSpan(text string, told bool) (span, bool) {
	m := clock().span.FindStringSubmatch(text)
	if m == nil || !told && m[2]+m[3]+m[5]+m[6] == "" {
		return span{}, false
	}
	from, ok := moment(m[1], m[2], cmp.Or(m[3], half(m[6], m[1], m[4])))
	to, last := moment(m[4], m[5], m[6])
	return span{from, to}, ok && last
}

func readTime(text string, told bool) (span, bool) {
	m := clock().one.FindStringSubmatch(text)
	if m == nil || !told && !strings.Contains(text, ":") && (m[3] == "" || strings.EqualFold(m[3], "h")) {
		return span{}, false
	}
	at, ok := moment(m[1], m[2], m[3])
	return span{from: at}, ok
}

// half is the half of the day of the first of two times of which only the second names
// it: "9-5pm" and "10-12pm" begin in the morning, "2-5pm" does not.
func half(second, from, to string) string {
	a, _ := strconv.Atoi(from)
	b, _ := strconv.Atoi(to)
	if strings.HasPrefix(strings.ToLower(second), "p") && (a > b || a == 12 || b == 12) {
		return ""
	}
	return second
}

// moment is a time on the clock of 24 hours.
func moment(hour, minutes, mark string) (string, bool) {
	h, _ := strconv.Atoi(hour)
	m, _ := strconv.Atoi(cmp.Or(minutes, "0"))
	switch mark = strings.ToLower(mark); {
	case strings.HasPrefix(mark, "p") && h < 12:
		h += 12
	case strings.HasPrefix(mark, "a") && h == 12:
		h = 0
	}
	if h > 24 || m > 59 {
		return "", false
	}
	return strconv.Itoa(h) + ":" + cmp.Or(minutes, "00"), true
}
