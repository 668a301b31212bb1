package privacy

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// person is by what somebody is known: by their telephone number, and by the ids of
// what stands under it. Not by an e-mail address or a name: anybody can give one that
// is another's, and to take somebody else for the person would give out or erase what
// is not theirs.
type person struct {
	number   number
	houses   houses
	captures map[frontdesk.ID]string // theirs, and the name that must stand beside it; "": it was always theirs
	calls    map[frontdesk.ID]bool   // in which they stand
	others   map[frontdesk.ID]bool   // captures of somebody else in those calls
}

// standsIn says whether a text is about the person. An id alone does not say so: a
// capture that was theirs may be another's by now, and what came of a call of theirs
// may be for somebody else.
func (p person) standsIn(text string) bool {
	mine, call, other := false, false, false
	eachID(text, func(_ int, id frontdesk.ID) {
		name, theirs := p.captures[id]
		mine = mine || theirs && (name == "" || isNamed(text, name) && !p.isAnothers(text))
		call, other = call || p.calls[id], other || p.others[id]
	})
	if strings.Contains(text, `"object":"capture"`) { // an event of one
		call = false
	}
	if strings.Contains(text, `"object":"call"`) { // which goes with its call, whatever else came of it
		other = false
	}
	return mine || call && !other || p.number.isIn(text)
}

// isNamed says whether a name stands in a text, and not as a part of another one.
func isNamed(text, name string) bool {
	text, name = strings.ToLower(text), strings.ToLower(name)
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(name):])
		if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return true
		}
		from = at + 1
	}
}

// isAnothers says whether a text is about a capture while it had another number: two
// people may have one name.
func (p person) isAnothers(text string) bool {
	_, rest, found := strings.Cut(text, `"customer_phone":"`)
	phone, _, _ := strings.Cut(rest, `"`)
	return found && phone != "" && !p.number.is(phone, p.houses.of(""))
}

// eachID calls each with every id in a text, and where it begins.
func eachID(text string, each func(int, frontdesk.ID)) {
	const before, length = 8, 36 // of the first hyphen, of all
	for from := 0; ; {
		at := strings.IndexByte(text[from:], '-')
		if at < 0 {
			return
		}
		at += from
		from = at + 1
		if at < before || at-before+length > len(text) {
			continue
		}
		if id, ok := frontdesk.ParseID(text[at-before : at-before+length]); ok {
			each(at-before, id)
			from = at - before + length
		}
	}
}

// number is a telephone number of the world, and the countries in which it may be
// written without the code of its own.
type number struct {
	code     int32
	national uint64
	zeros    int32    // before the national number, where they belong to it
	homes    []string // the countries of the business
	written  []string // its digits after a plus
	bare     []string // and where nothing says that the code of a country comes first
}

// longestNumber is what is looked at of what may be one.
const longestNumber = 60

// numberOf reads a number as people write one. One without the code of its country is
// of the first home.
func numberOf(phone string, homes []string) (n number, ok bool) {
	for _, home := range slices.Concat(homes, []string{"ZZ"}) {
		parsed, err := parse(phone, home)
		if err != nil || !phonenumbers.IsPossibleNumber(parsed) {
			continue
		}
		n = number{code: parsed.GetCountryCode(), national: parsed.GetNationalNumber(), zeros: zeros(parsed), homes: homes}
		n.write(parsed)
		return n, true
	}
	return n, false
}

func parse(phone, home string) (*phonenumbers.PhoneNumber, error) {
	if len(phone) > longestNumber {
		return nil, phonenumbers.ErrNumTooLong
	}
	if strings.HasPrefix(strings.TrimSpace(phone), "00") { // from where most dial abroad so
		phone = "+" + strings.TrimPrefix(strings.TrimSpace(phone), "00")
	}
	return phonenumbers.Parse(phone, home)
}

// zeros are those that belong to a national number, as in Italy.
func zeros(n *phonenumbers.PhoneNumber) int32 {
	if n.GetItalianLeadingZero() {
		return max(1, n.GetNumberOfLeadingZeros())
	}
	return 0
}

// write makes the forms of the number. Without the code of a country it can be told
// where all homes have the same one.
func (n *number) write(parsed *phonenumbers.PhoneNumber) {
	code, national := strconv.Itoa(int(n.code)), phonenumbers.GetNationalSignificantNumber(parsed)
	n.written = []string{code + national}
	trunk := phonenumbers.GetNddPrefixForRegion(phonenumbers.GetRegionCodeForNumber(parsed), true)
	if trunk != "" {
		n.written = append(n.written, code+trunk+national) // +44 (0)20 …
	}
	abroad := func(home string) bool { return phonenumbers.GetCountryCodeForRegion(home) != int(n.code) }
	if len(n.homes) == 0 || slices.ContainsFunc(n.homes, abroad) {
		return
	}
	n.bare = []string{national, code + national}
	if trunk != "" {
		n.bare = append(n.bare, trunk+national)
	}
}

// is says whether a telephone number as somebody gave it is this one, or one of
// several that they gave. home is the country that it is of where it does not say so.
func (n number) is(phone, home string) bool {
	other, err := parse(phone, home)
	if err == nil && other.GetCountryCode() == n.code && other.GetNationalNumber() == n.national && zeros(other) == n.zeros {
		return true
	}
	return n.isIn(phone)
}

// between says whether a sign can stand between the digits of one number: any space or
// dash, what is not seen, and some more.
func between(r rune) bool {
	return strings.ContainsRune(".,_\t()/'·’", r) || unicode.In(r, unicode.Zs, unicode.Pd, unicode.Cf)
}

// group is a run of digits in a text.
type group struct {
	digits string
	plus   bool // a plus stands before it, or it begins with the two zeros of a call abroad
	stuck  bool // to a letter or two: it is part of something else
	joined bool // with the group before by signs that stand between digits alone
}

// isIn says whether the number is written in a text, with whatever stands between its
// digits.
func (n number) isIn(text string) bool {
	groups := groupsOf(withoutIDs(text))
	for i := range groups {
		if n.begins(groups[i:], abroad(groups[:i+1])) {
			return true
		}
	}
	return false
}

// abroad says whether the last of some groups is the rest of a number that begins with
// the code of a country.
func abroad(groups []group) bool {
	const shortest = 7 // digits of a number with its code: what follows one is another
	before := 0
	for i := len(groups) - 1; i >= 0 && before < shortest; i-- {
		if groups[i].plus {
			return true
		}
		if !groups[i].joined || i == 0 {
			return false
		}
		before += len(groups[i-1].digits)
	}
	return false
}

// begins says whether groups of digits begin with the number, and are not the rest of
// one from abroad.
func (n number) begins(groups []group, abroad bool) bool {
	forms, digits := n.bare, ""
	if groups[0].plus {
		forms = n.written
	} else if abroad {
		return false
	}
	for i, g := range groups {
		if i > 0 && !g.joined || g.stuck || len(digits)+len(g.digits) > 22 {
			return false
		}
		digits += g.digits
		if slices.Contains(forms, strings.TrimPrefix(digits, "00")) && !isDate(groups) {
			return true
		}
	}
	return false
}

// isDate says whether groups begin with a date: 2026-12-08 or 08-12-2026.
func isDate(groups []group) bool {
	if len(groups) < 3 || groups[0].plus {
		return false
	}
	isYear := func(g group) bool {
		return len(g.digits) == 4 && (strings.HasPrefix(g.digits, "19") || strings.HasPrefix(g.digits, "20"))
	}
	short := func(g group) bool { return len(g.digits) <= 2 }
	return short(groups[1]) && (isYear(groups[0]) && short(groups[2]) || short(groups[0]) && isYear(groups[2]))
}

// withoutIDs is a text in which no part of an id looks like a number.
func withoutIDs(text string) string {
	var b []byte
	eachID(text, func(at int, id frontdesk.ID) {
		if b == nil {
			b = []byte(text)
		}
		copy(b[at:], strings.Repeat("x", len(id)))
	})
	if b == nil {
		return text
	}
	return string(b)
}

// groupsOf are the runs of digits in a text. A whole word may stand right before a
// number, and so may the end of a line as JSON spells it.
func groupsOf(text string) (all []group) {
	const word = 3 // letters
	plus, joined, letters, from, before := false, false, 0, -1, ' '
	for i, r := range text + "\n" {
		if r >= '0' && r <= '9' {
			if from < 0 {
				from = i
			}
			before = r
			continue
		}
		if from >= 0 {
			digits := text[from:i]
			stuck := letters > 0 && letters < word || unicode.IsLetter(r)
			all = append(all, group{digits, plus || strings.HasPrefix(digits, "00"), stuck, joined})
			from, plus, joined, letters = -1, false, true, 0
		}
		if unicode.IsLetter(r) && before != '\\' {
			letters++
		} else {
			letters = 0
		}
		joined = joined && between(r)
		plus = r == '+' || plus && between(r)
		before = r
	}
	return all
}
