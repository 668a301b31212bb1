package opening

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// Holiday is a day on which the public rests.
type Holiday struct {
	Date frontdesk.Date
	// Name is the key of its name in internal/language: "christmas_day". One that
	// ends in ".observed" is the day off in place of a holiday on a weekend, which
	// stands on its own date as well.
	Name string
}

// The years whose holidays are known. Before the first, days were proclaimed or
// moved that holidays.txt does not have; behind the last, laws change.
const (
	firstHolidayYear = 2024
	lastHolidayYear  = 2099
)

// Holidays lists the public holidays of a country or one of its regions ("ES",
// "ES-MD", "GB-SCT", "FR-67") in a year, in their order. What is not computed
// is said in holidays.txt: above all, no day of a town is among them.
func Holidays(region string, year int) ([]Holiday, error) {
	all, err := holidaysIn(region, year)
	return slices.Clone(all), err
}

// HolidayOn is the public holiday of a country or region on a day. It is false
// where there is none, and where the region or the year is not known.
func HolidayOn(region string, d frontdesk.Date) (Holiday, bool) {
	all, _ := holidaysIn(region, d.Year)
	i := slices.IndexFunc(all, func(h Holiday) bool { return h.Date == d })
	if i < 0 {
		return Holiday{}, false
	}
	return all[i], true
}

// Regions are the countries and regions whose holidays are known, by their
// codes of ISO 3166, in order.
func Regions() []string { return slices.Sorted(maps.Keys(holidayRules().byRegion)) }

type regionYear struct {
	region string
	year   int
}

// computedHolidays holds the holidays of each regionYear that was asked for. Only known
// regions and years come in, so it stays small.
var computedHolidays sync.Map

func holidaysIn(region string, year int) ([]Holiday, error) {
	asked := regionYear{strings.ToUpper(strings.TrimSpace(region)), year}
	if all, ok := computedHolidays.Load(asked); ok {
		return all.([]Holiday), nil
	}
	if _, ok := holidayRules().byRegion[asked.region]; !ok {
		return nil, unknownRegion(asked.region)
	}
	if year < firstHolidayYear || year > lastHolidayYear {
		return nil, fmt.Errorf("holidays are known from %d to %d, not in %d", firstHolidayYear, lastHolidayYear, year)
	}
	// The first day of a year may be kept on the last of the year before.
	all := append(holidayRules().fill(asked), holidayRules().fill(regionYear{asked.region, year + 1})...)
	all = slices.DeleteFunc(all, func(h Holiday) bool { return h.Date.Year != year })
	slices.SortFunc(all, func(a, b Holiday) int { return cmp.Compare(a.Date.String(), b.Date.String()) })
	computedHolidays.Store(asked, all)
	return all, nil
}

// Computed says whether the holidays of a region in a year are those that it
// usually keeps, because what it chooses every year is not known for that one.
func Computed(region string, year int) bool {
	b := holidayRules()
	if _, known := b.published[regionYear{region, year}]; known {
		return false
	}
	for in := range b.published {
		if in.region == region {
			return true
		}
	}
	return false
}

// unknownRegion names what its country has, or else the code most like it.
// CheckRegion says whether the holidays of a country or region are known and, if
// not, which are.
func CheckRegion(region string) error {
	if _, known := holidayRules().byRegion[region]; known {
		return nil
	}
	return unknownRegion(region)
}

func unknownRegion(region string) error {
	const long = 20 // no code is: what is longer is cut before it is compared and shown
	known := Regions()
	country, _, _ := strings.Cut(region, "-")
	there := slices.DeleteFunc(slices.Clone(known), func(k string) bool {
		return k != country && !strings.HasPrefix(k, country+"-")
	})
	if len(there) > 0 {
		return frontdesk.InvalidParam("holidays", "No holidays are known for %.*q, only for %s.", long, region, strings.Join(there, ", "))
	}
	nearest := slices.MinFunc(known, func(a, b string) int {
		short := region[:min(len(region), long)]
		return cmp.Compare(language.Distance(short, a), language.Distance(short, b))
	})
	return frontdesk.InvalidParam("holidays", "No holidays are known for %.*q: the nearest code that is known is %s.", long, region, nearest)
}

// holidayRule is a line of holidays.txt: a day of the year, and what becomes of it on
// some weekdays and in some years.
type holidayRule struct {
	name  string
	month time.Month
	day   int // or else:

	easter  bool
	after   int // days after Easter
	weekday time.Weekday
	nth     int // weekday of the month; the fifth is the last

	fridayFirst bool // the first of the month, when it is a Friday
	kept        keeping

	from, every, only, except int // years; 0 is none
}

// keeping says on which day a holiday is kept.
type keeping string

const (
	onItsDay      keeping = ""
	substitute    keeping = "substitute"     // of a weekend, also on the next weekday that is no holiday
	nearWeekday   keeping = "near-weekday"   // of a Saturday also on Friday, of a Sunday also on Monday
	sundayMonday  keeping = "monday"         // of a Sunday also on Monday
	mondayIfRoom  keeping = "monday-if-room" // the same, while the region has too few days
	nearestMonday keeping = "nearest-monday" // not on its day, but on the nearest Monday, unless it is on a weekend
	ifRoom        keeping = "if-room"        // only while the region has too few days
	localDay      keeping = "local"          // in the place of a day of each town, which the room does not count
)

func (r holidayRule) appliesIn(year int) bool {
	switch {
	case r.only != 0 && r.only != year, r.except == year, year < r.from:
		return false
	case r.every != 0:
		return (year-r.from)%r.every == 0
	}
	return true
}

func (r holidayRule) in(year int) frontdesk.Date {
	first := frontdesk.Date{Year: year, Month: r.month, Day: 1}
	switch {
	case r.easter:
		return frontdesk.Easter(year).AddDays(r.after)
	case r.fridayFirst && first.Weekday() == time.Friday:
		return first
	case r.nth > 0:
		return first.NthWeekday(r.weekday, r.nth)
	}
	return frontdesk.Date{Year: year, Month: r.month, Day: r.day}
}

// inPlace is the day off for a holiday on d, or d where it needs none. taken are
// the holidays so far.
func (k keeping) inPlace(d frontdesk.Date, taken map[frontdesk.Date]bool) frontdesk.Date {
	w := d.Weekday()
	switch {
	case k == substitute && onWeekend(d):
		for d = d.AddDays(1); onWeekend(d) || taken[d]; {
			d = d.AddDays(1)
		}
		return d
	case k == nearWeekday && w == time.Saturday:
		return d.AddDays(-1)
	case (k == nearWeekday || k == sundayMonday || k == mondayIfRoom) && w == time.Sunday:
		return d.AddDays(1)
	case k == nearestMonday && (w == time.Tuesday || w == time.Wednesday):
		return d.AddDays(-int(w - time.Monday))
	case k == nearestMonday && (w == time.Thursday || w == time.Friday):
		return d.AddDays(8 - int(w))
	}
	return d
}

func onWeekend(d frontdesk.Date) bool {
	w := d.Weekday()
	return w == time.Saturday || w == time.Sunday
}

// holidayBook is holidays.txt.
type holidayBook struct {
	byRegion map[string][]holidayRule
	// room is how many holidays that are no Sundays a region has in a year, where
	// a law says so.
	room map[string]int
	// published are the days that a region chose for a year, in place of its rules.
	published map[regionYear][]holidayRule
}

// fill computes the holidays of a region in a year, in no order. Some may be
// kept in the year before.
func (b *holidayBook) fill(asked regionYear) []Holiday {
	all, room := b.rulesFor(asked)
	f := holidayYear{taken: map[frontdesk.Date]bool{}}
	for _, r := range all {
		d := r.in(asked.year)
		if r.kept != ifRoom && r.kept != nearestMonday {
			f.add(d, r.name)
		}
		if r.kept == localDay && d.Weekday() != time.Sunday {
			room++
		}
	}
	for _, r := range all {
		d := r.in(asked.year)
		switch r.kept {
		case nearestMonday:
			if to := r.kept.inPlace(d, f.taken); !f.taken[to] {
				d = to // otherwise two holidays would be one
			}
			f.add(d, r.name)
		case substitute, nearWeekday, sundayMonday:
			f.add(r.kept.inPlace(d, f.taken), r.name+".observed")
		}
	}
	for _, r := range all {
		if d := r.in(asked.year); r.kept == ifRoom && f.restDays() < room && d.Weekday() != time.Sunday {
			f.add(d, r.name)
		}
	}
	for _, r := range slices.Backward(all) {
		if r.kept == mondayIfRoom && f.restDays() < room {
			f.add(r.kept.inPlace(r.in(asked.year), f.taken), r.name+".observed")
		}
	}
	return f.all
}

// rulesFor are the rules that apply to a region in a year, those of its country
// first, and its room: 0 where it has none, or where what it chose is published.
func (b *holidayBook) rulesFor(asked regionYear) (all []holidayRule, room int) {
	country, _, isRegion := strings.Cut(asked.region, "-")
	own, room := b.byRegion[asked.region], b.room[asked.region]
	if chosen, ok := b.published[asked]; ok {
		for _, r := range own {
			// On a Sunday a holiday is kept whatever was chosen for the weekdays.
			if r.kept != ifRoom && r.in(asked.year).Weekday() == time.Sunday {
				r.kept = onItsDay
				chosen = append(slices.Clip(chosen), r)
			}
		}
		own, room = chosen, 0
	}
	if isRegion {
		all = slices.Clone(b.byRegion[country])
	}
	all = append(all, own...)
	return slices.DeleteFunc(all, func(r holidayRule) bool { return !r.appliesIn(asked.year) }), room
}

// holidayYear is what there is of a year while it is computed.
type holidayYear struct {
	all   []Holiday
	taken map[frontdesk.Date]bool
}

// add adds a holiday, unless there is one on that day.
func (f *holidayYear) add(d frontdesk.Date, name string) {
	if !f.taken[d] {
		f.taken[d] = true
		f.all = append(f.all, Holiday{d, name})
	}
}

// restDays are the holidays that give a day off: the law counts no Sundays.
func (f *holidayYear) restDays() (n int) {
	for d := range f.taken {
		if d.Weekday() != time.Sunday {
			n++
		}
	}
	return n
}

//go:embed holidays.txt
var holidaysText string

var holidayRules = sync.OnceValue(func() *holidayBook {
	b, err := parseHolidayBook(holidaysText)
	if err != nil {
		panic(err) // it is part of the program, and the tests read it
	}
	return b
})

// parseHolidayBook reads the notation that holidays.txt explains.
func parseHolidayBook(text string) (*holidayBook, error) {
	b := &holidayBook{byRegion: map[string][]holidayRule{}, room: map[string]int{}, published: map[regionYear][]holidayRule{}}
	region, year, number := "", 0, 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		var err error
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			region, year, err = b.section(strings.Trim(line, "[]"))
		case year != 0:
			err = b.addPublished(region, year, line)
		default:
			err = b.addRule(region, line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the holidays, %q: %w", number, line, err)
		}
	}
	return b, nil
}

// section reads "ES-MD", or "ES 2026" above what was published for a year.
func (b *holidayBook) section(head string) (region string, year int, err error) {
	region, written, dated := strings.Cut(head, " ")
	if dated {
		year, err = strconv.Atoi(written)
		return region, year, err
	}
	if _, twice := b.byRegion[region]; twice {
		return "", 0, errors.New("there is this section already")
	}
	b.byRegion[region] = nil
	return region, 0, nil
}

// addPublished reads "04-23 aragon_day: AR", a rule and the regions that chose it.
func (b *holidayBook) addPublished(country string, year int, line string) error {
	written, regions, _ := strings.Cut(line, ":")
	r, err := parseHolidayRule(written)
	if err != nil {
		return err
	}
	for region := range strings.FieldsSeq(regions) {
		in := regionYear{country + "-" + region, year}
		if _, ok := b.byRegion[in.region]; !ok {
			return fmt.Errorf("there is no region %s", in.region)
		}
		b.published[in] = append(b.published[in], r)
	}
	return nil
}

// addRule reads a rule, or "room 12".
func (b *holidayBook) addRule(region, line string) (err error) {
	if _, ok := b.byRegion[region]; !ok {
		return errors.New("it stands before the first section")
	}
	if room, ok := strings.CutPrefix(line, "room "); ok {
		b.room[region], err = strconv.Atoi(room)
		return err
	}
	r, err := parseHolidayRule(line)
	b.byRegion[region] = append(b.byRegion[region], r)
	return err
}

// parseHolidayRule reads a day, a name, and how and in which years it is kept.
func parseHolidayRule(line string) (r holidayRule, err error) {
	words := strings.Fields(line)
	if len(words) < 2 {
		return r, errors.New("a rule is a day and a name")
	}
	if err := r.parseDay(words[0]); err != nil {
		return r, err
	}
	r.name = words[1]
	for words = words[2:]; len(words) > 0; words = words[1:] {
		years := map[string]*int{"from": &r.from, "every": &r.every, "in": &r.only, "except": &r.except}
		switch k := keeping(words[0]); {
		case slices.Contains([]keeping{substitute, nearWeekday, sundayMonday, mondayIfRoom, nearestMonday, ifRoom, localDay}, k):
			r.kept = k
		case k == "or-friday-the-first":
			r.fridayFirst = true
		case years[words[0]] != nil && len(words) > 1:
			if *years[words[0]], err = strconv.Atoi(words[1]); err != nil {
				return r, err
			}
			words = words[1:]
		default:
			return r, fmt.Errorf("nothing is known of %q", words[0])
		}
	}
	return r, nil
}

// parseDay reads "12-25", "easter-2" or "05-monday-last".
func (r *holidayRule) parseDay(s string) (err error) {
	if after, ok := strings.CutPrefix(s, "easter"); ok {
		if r.easter = true; after != "" {
			r.after, err = strconv.Atoi(after)
		}
		return err
	}
	month, day, _ := strings.Cut(s, "-")
	m, err := strconv.Atoi(month)
	if err != nil {
		return err
	}
	r.month = time.Month(m)
	weekday, nth, moves := strings.Cut(day, "-")
	if !moves {
		r.day, err = strconv.Atoi(day)
		return err
	}
	for r.weekday = time.Sunday; strings.ToLower(r.weekday.String()) != weekday; r.weekday++ {
		if r.weekday == time.Saturday {
			return fmt.Errorf("%q is no weekday", weekday)
		}
	}
	if nth == "last" {
		nth = "5"
	}
	r.nth, err = strconv.Atoi(nth)
	return err
}
