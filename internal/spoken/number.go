package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// amountReader says numbers with what they count.
type amountReader struct{ *speaker }

// number is a number as it is written, taken apart.
type number struct {
	whole, part string // the figures before and behind the decimal mark
	end         int
}

// numberAt reads the number at i: "1.150", "1,150", "9,50", "7.20", "12".
func (s amountReader) numberAt(i int) (n number, ok bool) {
	end := digitsEnd(s.in, i)
	if end == i {
		return n, false
	}
	n = number{whole: s.in[i:end], end: end}
	for sep := byte(0); len(n.whole) < 16; {
		mark, digits := s.group(n.end)
		switch {
		case digits == "":
			return n, true
		case len(digits) == 3 && (sep == 0 && end-i <= 3 && s.in[i] != '0' || sep == mark):
			sep, n.whole, n.end = mark, n.whole+digits, n.end+4
		case sep == mark:
			return n, true
		default:
			n.part, n.end = digits, n.end+1+len(digits)
			return n, true
		}
	}
	return n, true
}

// group are the figures behind a mark at i that divides a number.
func (s amountReader) group(i int) (mark byte, digits string) {
	if i >= len(s.in) || s.in[i] != '.' && s.in[i] != ',' {
		return 0, ""
	}
	return s.in[i], s.in[i+1 : digitsEnd(s.in, i+1)]
}

// said is a number in plain figures, which voices read well.
func (s amountReader) said(n number) string {
	if n.part == "" {
		return n.whole
	}
	if text := s.say("decimal", "whole", n.whole, "part", n.part); text != "" {
		return text
	}
	return n.whole + " " + n.part
}

// amount says a number with what is counted, or a range of two.
func (s amountReader) amount() {
	n, _ := s.numberAt(s.at)
	if to, ok := s.rangeAt(n.end); ok {
		s.put(s.said(n))
		s.put(s.say("to"))
		n, _ = s.numberAt(to)
	}
	if s.millions(n) || s.money(n, n.end) || s.percent(n) || s.unit(n) || s.ordinal(n) {
		return
	}
	digits := n.part == "" && s.isName(s.in[n.end-len(n.whole):n.end])
	s.at = n.end
	if len(n.whole) > 20 || digits || s.emergency(n) {
		s.digits(n.whole)
	} else {
		s.put(s.said(n))
	}
}

// isName says whether figures name something and count nothing: a post code, or a
// telephone number that lacks a few.
func (s amountReader) isName(figures string) bool {
	if strings.ContainsAny(figures, ".,") || strings.HasSuffix(figures, "00") {
		return false
	}
	return len(figures) > 4 || len(figures) == 4 && s.Slow
}

// emergency says whether a number is one to call in an emergency.
func (s amountReader) emergency(n number) bool {
	if n.part != "" || n.whole != "112" && n.whole != language.EmergencyNumber(s.Region) {
		return false
	}
	word, _ := s.lastWord()
	return s.is("before_emergency", word)
}

// rangeAt is where the second number of a range begins, whose first ends at i.
func (s amountReader) rangeAt(i int) (int, bool) {
	j := s.dashEnd(i)
	if j == i || j >= len(s.in) || !isDigit(s.in[j]) {
		return 0, false
	}
	n, _ := s.numberAt(j)
	return j, s.in[j] != '0' && len(n.whole) < 7 && s.next(n.end) != '-'
}

func isDash(r rune) bool { return r == '-' || r >= '‐' && r <= '―' || r == '−' }

// currencyAt finds a currency at i, behind a space or not.
func (s amountReader) currencyAt(i int) (f forms, end int, ok bool) {
	if i < len(s.in) && s.in[i] == ' ' {
		i++
	}
	if i >= len(s.in) {
		return nil, 0, false
	}
	_, size := utf8.DecodeRuneInString(s.in[i:])
	if f, ok = s.voice.money[s.in[i:i+size]]; ok {
		return f, i + size, true
	}
	if end = wordEnd(s.in, i); end-i < 3 || end-i > 12 || unicode.IsDigit(s.next(end)) {
		return nil, 0, false
	}
	f, ok = s.voice.money[strings.ToLower(s.in[i:end])]
	return f, end, ok
}

// money says an amount whose currency stands behind it, at i.
func (s amountReader) money(n number, i int) bool {
	f, end, ok := s.currencyAt(i)
	if !ok || len(n.part) == 1 && end-i > len(" EUR") { // 2.5 pounds are a weight
		return false
	}
	s.at = end
	s.sum(n, f)
	return true
}

// moneyBefore says an amount whose currency stands before it, at the place.
func (s amountReader) moneyBefore(size int) bool {
	f, ok := s.voice.money[s.in[s.at:s.at+size]]
	if !ok {
		return false
	}
	i := s.at + size
	if i < len(s.in) && s.in[i] == ' ' {
		i++
	}
	n, ok := s.numberAt(i)
	if !ok {
		return false
	}
	if to, ok := s.rangeAt(n.end); ok {
		s.put(s.said(n))
		s.put(s.say("to"))
		n, _ = s.numberAt(to)
	}
	s.at = n.end
	s.sum(n, f)
	return true
}

// sum says an amount of money, and what it is for: "€/mes".
func (s amountReader) sum(n number, f forms) {
	if scale, end := s.scaleAt(s.at); scale != "" {
		s.at = end
		s.put(s.said(n) + " " + scale + " " + f.at(1))
		return
	}
	cents := strings.TrimLeft(n.part, "0")
	if len(n.part) == 1 {
		cents += "0"
	}
	if len(n.part) > 2 {
		s.put(s.said(n) + " " + f.at(1))
	} else {
		s.put(s.coins(n.whole, strings.Trim(cents, " "), f))
	}
	s.perUnit()
	if unicode.IsLetter(s.next(s.at)) || unicode.IsDigit(s.next(s.at)) {
		s.space()
	}
}

// coins says an amount in its two parts.
func (s amountReader) coins(whole, cents string, f forms) string {
	large, small := whole+" "+f.at(1), cents+" "+f.at(3)
	if whole == "1" && f.at(0) != "" {
		large = f.at(0)
	}
	if cents == "1" && f.at(2) != "" {
		small = f.at(2)
	}
	switch {
	case cents == "" || strings.Trim(cents, "0") == "":
		return large
	case strings.Trim(whole, "0") == "":
		return small
	case len(cents) == 1:
		return s.say("money", "whole", large, "cents", small)
	}
	return s.say("money", "whole", large, "cents", cents)
}

// millions says "1,5 millones €".
func (s amountReader) millions(n number) bool {
	scale, end := s.scaleAt(n.end)
	if scale == "" {
		return false
	}
	f, to, ok := s.currencyAt(end)
	if !ok {
		return false
	}
	s.at = to
	s.puts(s.said(n) + " " + scale + " " + f.at(1))
	return true
}

// scaleAt finds a word that multiplies an amount: "million".
func (s amountReader) scaleAt(i int) (string, int) {
	if i >= len(s.in) || s.in[i] != ' ' {
		return "", 0
	}
	end := wordEnd(s.in, i+1)
	if end-i > 16 {
		return "", 0
	}
	return strings.ReplaceAll(s.scales[strings.ToLower(s.in[i+1:end])], "_", " "), end
}

// perUnit says what an amount is paid for, behind a slash.
func (s amountReader) perUnit() {
	i := spacesEnd(s.in, s.at)
	if i >= len(s.in) || s.in[i] != '/' {
		return
	}
	i = spacesEnd(s.in, i+1)
	said, end := s.longestIn(i, func(word string) string { return s.per[word] })
	if said == "" {
		if unicode.IsLetter(s.next(i)) {
			s.at = i
			s.puts(s.say("per"))
		}
		return
	}
	s.at = s.stopAfter(end)
	s.puts(said)
}

// longestIn looks up what stands at i, the longest that ends as a word first.
func (s amountReader) longestIn(i int, look func(string) string) (string, int) {
	if i >= len(s.in) {
		return "", 0
	}
	var ends [9]int
	n := 0
	for j := i; j < len(s.in) && n < len(ends); n++ {
		_, size := utf8.DecodeRuneInString(s.in[j:])
		j += size
		ends[n] = j
	}
	for n--; n >= 0; n-- {
		last, _ := utf8.DecodeLastRuneInString(s.in[:ends[n]])
		if last == ' ' || isWordRune(last) && isWordRune(s.next(ends[n])) {
			continue
		}
		if said := look(strings.ToLower(s.in[i:ends[n]])); said != "" {
			return said, ends[n]
		}
	}
	return "", 0
}

func (s amountReader) percent(n number) bool {
	i := n.end
	if i < len(s.in) && s.in[i] == ' ' {
		i++
	}
	if i >= len(s.in) || s.in[i] != '%' {
		return false
	}
	s.at = i + 1
	s.puts(strings.TrimRight(s.said(n)+" "+s.say("percent"), " "))
	return true
}

// unit says a number with its unit in full.
func (s amountReader) unit(n number) bool {
	i := n.end
	if i < len(s.in) && s.in[i] == ' ' {
		i++
	}
	words, end := s.unitAt(i)
	if words == nil {
		return false
	}
	s.at = s.stopAfter(end)
	if n.whole == "1" && n.part == "" {
		s.puts(words.at(0))
	} else {
		s.puts(s.said(n) + " " + words.at(1))
	}
	return true
}

func (s amountReader) unitAt(i int) (forms, int) {
	var found forms
	_, end := s.longestIn(i, func(word string) string {
		found = s.units[word]
		return found.at(1)
	})
	if end == 0 {
		return nil, 0
	}
	return found, end
}

// ordinal says "1.º" and "2ª".
func (s amountReader) ordinal(n number) bool {
	i := n.end
	if i < len(s.in) && s.in[i] == '.' {
		i++
	}
	sign := s.next(i)
	if n.part != "" || sign != 'º' && sign != 'ª' {
		return false
	}
	s.at = i + len("º")
	names, at := s.ordinals[sign], 0
	if len(n.whole) <= 2 {
		for _, c := range n.whole {
			at = at*10 + int(c-'0')
		}
	}
	if at >= 1 && at <= len(names) {
		s.puts(names[at-1])
	} else {
		s.puts(n.whole)
	}
	return true
}

// quantity says "2 × Tarta" of an order, and "130 × 180 cm".
func (s amountReader) quantity() bool {
	end := digitsEnd(s.in, s.at)
	i := spacesEnd(s.in, end)
	if s.next(i) != '×' || end-s.at > 6 {
		return false
	}
	n := s.in[s.at:end]
	s.at = spacesEnd(s.in, i+len("×"))
	switch {
	case unicode.IsDigit(s.next(s.at)):
		s.put(n)
		s.puts(s.say("by"))
	case n == "1":
		s.puts(s.say("each_one"))
	default:
		s.puts(s.say("each", "n", n))
	}
	return true
}

// fraction says "1/2".
func (s amountReader) fraction() bool {
	if s.at+3 > len(s.in) || s.in[s.at+1] != '/' || unicode.IsDigit(s.next(s.at+3)) {
		return false
	}
	said := s.fractions[s.in[s.at:s.at+3]]
	if said == "" {
		return false
	}
	s.at += 3
	s.puts(said)
	return true
}
