package table

import (
	"cmp"
	"slices"
	"strings"
)

// money is an amount of money, with what it is for each of.
func (s *saying) money(row, i int, v value) string {
	c := s.table.columns[i]
	name := func(number string) string {
		currency := s.table.currencyOf(cmp.Or(v.money, c.money, s.table.money))
		if currency == "" {
			return ""
		}
		forms := strings.Fields(s.word("money_" + currency))
		switch {
		case len(forms) < 2:
			return " " + strings.ToUpper(currency)
		case number == "1":
			return " " + forms[0]
		}
		return " " + forms[1]
	}
	low := s.figures(v.low, true)
	text := low + name(low)
	if v.high != "" {
		high := s.figures(v.high, true)
		text = s.word("range", "low", low, "high", high+name(high))
	}
	if b := cmp.Or(v.bound, c.bound); b != "" {
		text = s.word(b, "price", text)
	}
	if per := s.per(row, i, v); per != "" {
		text += " " + per
	}
	if v.perWords != "" {
		if !s.own {
			s.prose = true
		}
		if strings.HasPrefix(v.perWords, ",") || strings.HasPrefix(v.perWords, " ") {
			return text + strings.TrimRight(v.perWords, " .")
		}
		text += " " + strings.TrimRight(v.perWords, " .")
	}
	return text
}

// dollarSign is the currency of amounts that are written with "$".
const dollarSign = "dollar_sign"

// dollarSigned are the currencies that are written so at home.
var dollarSigned = []string{"usd", "mxn", "ars", "clp", "cop", "uyu", "dop", "cad", "aud", "nzd"}

// currencyOf is the currency that is meant: "$" is that of the house where its own is
// written so.
func (t *Table) currencyOf(money string) string {
	switch {
	case money != dollarSign:
		return money
	case slices.Contains(dollarSigned, t.own):
		return t.own
	}
	return dollarSigned[0]
}

// per is what a price is for each of; "" where nothing tells.
func (s *saying) per(row, i int, v value) string {
	if v.unit != "" {
		return s.word("per_" + v.unit)
	}
	unit := s.table.columns[i].unit
	if !s.table.columns[i].fee { // a deposit is not paid for each
		for at, c := range s.table.columns {
			if per, known := s.perOf(s.table.cell(row, at), c); known {
				return per
			}
		}
		unit = cmp.Or(unit, s.table.unit)
	}
	if unit != "" {
		return s.word("per_" + unit)
	}
	return ""
}

// length is how long something takes.
func (s *saying) length(v value) string {
	low := s.figures(v.low, false)
	number := low
	text := low
	if v.high != "" {
		number = s.figures(v.high, false)
		text = s.word("range", "low", low, "high", number)
	}
	if forms := strings.Fields(s.word("time_" + v.unit)); len(forms) == 2 {
		if number == "1" {
			text += " " + forms[0]
		} else {
			text += " " + forms[1]
		}
	}
	if v.smaller != nil {
		text += " " + s.word("and") + " " + s.length(*v.smaller)
	}
	if v.bound != "" {
		text = s.word(v.bound, "price", text)
	}
	return text
}

// numbers is a number or a range of them, with a sign behind it.
func (s *saying) numbers(v value, sign string) string {
	text := s.figures(v.low, false)
	if v.high != "" {
		text = s.word("range", "low", text, "high", s.figures(v.high, false))
	}
	if sign != "" {
		text += " " + sign
	}
	if v.bound != "" {
		text = s.word(v.bound, "price", text)
	}
	return text
}

// hours is from when to when something is. A column of when it closes beside it tells
// the end.
func (s *saying) hours(row, i int, v value) string {
	var all []string
	for _, h := range v.hours {
		switch {
		case h.to != "":
			all = append(all, s.word("hours", "from", h.from, "to", h.to))
		case s.table.columns[i].kind == opensColumn:
			all = append(all, s.fromOpening(row, h.from))
		case s.table.columns[i].kind == closesColumn:
			all = append(all, s.word("closes", "to", h.from))
		default:
			all = append(all, h.from)
		}
	}
	return s.list(all)
}

func (s *saying) fromOpening(row int, from string) string {
	for i, c := range s.table.columns {
		if c.kind != closesColumn {
			continue
		}
		if v := read(s.table.cell(row, i), c); v.kind == asHours && len(v.hours) == 1 && v.hours[0].to == "" {
			return s.word("hours", "from", from, "to", v.hours[0].from)
		}
	}
	return s.word("opens", "from", from)
}

// figures writes a number as the language does: "1.200,50". Money has two figures behind
// the point, or none.
func (s *saying) figures(number string, money bool) string {
	whole, part := parts(number)
	if money {
		switch len(part) {
		case 1:
			part += "0"
		case 2:
			if part == "00" {
				part = ""
			}
		}
	} else {
		part = strings.TrimRight(part, "0")
	}
	var b strings.Builder
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 && (money || len(whole) > 4) {
			b.WriteString(s.word("thousands"))
		}
		b.WriteByte(whole[i])
	}
	if part != "" {
		b.WriteString(s.word("point") + part)
	}
	return b.String()
}

// parts are the figures of a number before and behind its point, whichever way it is
// written: "1.150", "1,150.00", "9,50".
func parts(number string) (whole, part string) {
	number = strings.ReplaceAll(number, "'", "")
	dot, comma := strings.LastIndexByte(number, '.'), strings.LastIndexByte(number, ',')
	point := max(dot, comma)
	grouped := point >= 0 && len(number)-point-1 == 3
	if grouped && (dot < 0 || comma < 0) && strings.Trim(number[:point], "0") != "" {
		point = -1 // groups of three are thousands
	}
	if point < 0 {
		return digits(number), ""
	}
	return digits(number[:point]), number[point+1:]
}

func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}
