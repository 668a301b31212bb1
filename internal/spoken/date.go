package spoken

import (
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// dateReader says dates in figures.
type dateReader struct{ *speaker }

// day is a date as it is written in figures.
type day struct{ day, month, year, end int }

// date says a date in figures, or two with a dash between them.
func (s dateReader) date() bool {
	first, ok := s.dayAt(s.at)
	if !ok || s.isFraction() {
		return false
	}
	s.at = first.end
	word, _ := s.lastWord()
	led := s.is("before_date", word) || s.weekdays[language.Fold(word)]
	next := s.dashEnd(first.end)
	second, ok := s.dayAt(next)
	if next == first.end || !ok {
		if !led {
			s.put(s.say("date_lead"))
		}
		s.puts(s.saidDay(first))
		s.fresh = s.at // the time may follow a T
		return true
	}
	s.at = second.end
	if !led {
		s.put(s.say("date_from"))
	}
	s.put(s.saidDay(first))
	s.put(s.say("date_to"))
	s.puts(s.saidDay(second))
	return true
}

// isFraction says whether "1/2" is meant as a fraction.
func (s dateReader) isFraction() bool {
	if s.at+3 > len(s.in) || s.fractions[s.in[s.at:s.at+3]] == "" || isDigit(byte(s.next(s.at+3))) || s.next(s.at+3) == '/' {
		return false
	}
	word, _ := s.lastWord()
	return !s.is("before_date", word) && !s.weekdays[language.Fold(word)]
}

// dayAt reads the date at i: "24/12", "24/12/2026", "24.12.2026", "2026-12-24".
func (s dateReader) dayAt(i int) (day, bool) {
	p, ok := s.partsAt(i)
	if !ok {
		return day{}, false
	}
	short := len(p.part[0]) <= 2 && len(p.part[1]) <= 2
	same := p.sep[0] == p.sep[1]
	switch {
	case p.n == 3 && same && len(p.part[0]) == 4 && p.sep[0] != '.':
		return s.ordered(day{p.number(2), p.number(1), p.number(0), p.end}, true)
	case p.n == 3 && same && short && (len(p.part[2]) == 4 || len(p.part[2]) == 2 && p.sep[0] == '/'):
		return s.ordered(day{p.number(0), p.number(1), p.number(2), p.end}, false)
	case p.n == 2 && short && p.sep[0] == '/':
		return s.ordered(day{p.number(0), p.number(1), 0, p.end}, false)
	case p.n == 3 && short && p.sep == [2]byte{'/', '-'}: // "24/12-6/1"
		return s.ordered(day{p.number(0), p.number(1), 0, p.end - len(p.part[2]) - 1}, false)
	}
	return day{}, false
}

// parts are two or three numbers with what stands between them.
type parts struct {
	part [3]string
	sep  [2]byte
	n    int
	end  int
}

func (p parts) number(i int) int {
	n, _ := strconv.Atoi(p.part[i])
	return n
}

// partsAt reads up to three short numbers at i.
func (s dateReader) partsAt(i int) (p parts, ok bool) {
	for p.n < len(p.part) {
		end := digitsEnd(s.in, i)
		if end == i || end-i > 4 {
			return p, false
		}
		p.part[p.n], p.end = s.in[i:end], end
		p.n++
		if p.n == len(p.part) || end+1 >= len(s.in) || strings.IndexByte("/-.", s.in[end]) < 0 || !isDigit(s.in[end+1]) {
			break
		}
		p.sep[p.n-1], i = s.in[end], end+1
	}
	return p, p.n > 1
}

// ordered puts day and month in the order of the country, and refuses what is no
// date.
func (s dateReader) ordered(d day, yearFirst bool) (day, bool) {
	monthFirst := slices.Contains(strings.Fields(s.say("month_first")), strings.ToUpper(s.Region))
	if !yearFirst && (monthFirst && d.day <= 12 || d.month > 12) {
		d.day, d.month = d.month, d.day
	}
	if d.end < len(s.in) && s.in[d.end] == 'T' && isDigit(byte(s.next(d.end+1))) {
		d.end++ // the time follows
	}
	if d.year > 0 && d.year < 100 {
		d.year += 2000
	}
	return d, d.day >= 1 && d.day <= 31 && d.month >= 1 && d.month <= 12 && d.month <= len(s.months) && s.next(d.end) != '/'
}

// saidDay is how a date is said, without an article.
func (s dateReader) saidDay(d day) string {
	key, n := "date", strconv.Itoa(d.day)
	if d.year > 0 {
		key = "date_year"
	}
	return s.say(key, "day", n, "nth", n+s.Pairs("calendar said_nth")[n], "month", s.months[d.month-1], "year", strconv.Itoa(d.year))
}
