package spoken

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// phoneReader says telephone numbers.
type phoneReader struct{ *speaker }

const mostFigures = 15 // of a telephone number

// dialled is a telephone number as it is written, in its groups.
type dialled struct {
	plus   bool
	groups []string
	total  int
	end    int
}

// phone says a telephone number in groups, figure by figure.
func (s phoneReader) phone() bool {
	d, ok := s.dialledAt(s.at)
	if !ok {
		return false
	}
	code, groups := s.grouped(d)
	s.at = d.end
	if code != "" {
		s.put(s.say("country_code", "code", strings.Join(strings.Split(code, ""), " ")))
	}
	first := code == ""
	for _, group := range groups {
		for _, part := range portions(group) {
			if !first {
				s.out = append(s.out, ',')
			}
			first = false
			s.digits(part)
		}
	}
	if isWordRune(s.next(s.at)) {
		s.space()
	}
	return true
}

// dialledAt reads the number at i. Without a plus it must be long enough not to
// be anything else.
func (s phoneReader) dialledAt(i int) (d dialled, ok bool) {
	var room [8]string
	d.groups = room[:0]
	if d.plus = s.in[i] == '+'; d.plus {
		i++
	}
	for i < len(s.in) && len(d.groups) < cap(d.groups) {
		group, end := s.groupAt(i)
		if group == "" || d.total+len(group) > mostFigures || !d.plus && len(group) < 2 {
			break
		}
		if trunk := d.plus && group == "0" && s.in[i] == '('; !trunk { // "+44 (0)20": it is not dialled
			d.groups, d.total = append(d.groups, group), d.total+len(group)
		}
		d.end, i = end, end
		if end < len(s.in) && strings.IndexByte(" -.", s.in[end]) >= 0 {
			i++
		}
	}
	return d, s.dialable(d)
}

// groupAt reads figures at i, in brackets or not, and where they end.
func (s phoneReader) groupAt(i int) (group string, end int) {
	if s.in[i] != '(' {
		end = digitsEnd(s.in, i)
		return s.in[i:end], end
	}
	end = digitsEnd(s.in, i+1)
	if end == i+1 || end >= len(s.in) || s.in[end] != ')' {
		return "", i
	}
	return s.in[i+1 : end], end + 1
}

func (s phoneReader) dialable(d dialled) bool {
	if isWordRune(s.next(d.end)) || len(d.groups) == 0 {
		return false
	}
	if _, _, sum := s.amounts().currencyAt(d.end); sum {
		return false
	}
	if len(d.groups) == 1 {
		return d.total >= 7
	}
	return d.total >= 9 || d.plus && d.total >= 8
}

// grouped is a number by its country code, "" for the business's own country, and
// its groups as they are said there.
func (s phoneReader) grouped(d dialled) (code string, groups []string) {
	region := strings.ToUpper(s.Region)
	own := strconv.Itoa(phonenumbers.GetCountryCodeForRegion(region))
	groups = d.groups
	if d.plus && len(groups[0]) > 3 || len(groups) == 1 {
		groups = formatted(d, region)
	}
	if !d.plus || len(groups) < 2 {
		return "", groups
	}
	if groups[0] != own {
		return groups[0], groups[1:]
	}
	groups = groups[1:]
	if trunk := phonenumbers.GetNddPrefixForRegion(region, true); trunk != own {
		groups[0] = trunk + groups[0]
	}
	return "", groups
}

// formatted are the groups of a number that was written without any.
func formatted(d dialled, region string) []string {
	digits, form := strings.Join(d.groups, ""), phonenumbers.NATIONAL
	if d.plus {
		digits, form, region = "+"+digits, phonenumbers.INTERNATIONAL, "ZZ"
	}
	n, err := phonenumbers.Parse(digits, region)
	if err != nil || !phonenumbers.IsPossibleNumber(n) {
		return d.groups
	}
	return strings.FieldsFunc(phonenumbers.Format(n, form), func(r rune) bool { return r < '0' || r > '9' })
}

// portions divides a group that is too long to be remembered.
func portions(group string) []string {
	var parts []string
	for len(group) > 5 {
		n := 3
		if len(group) == 8 {
			n = 4
		}
		parts = append(parts, group[:n])
		group = group[n:]
	}
	return append(parts, group)
}
