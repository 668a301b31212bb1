package calendar

import (
	"cmp"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

const (
	mostNear = 3             // alternatives are offered
	ahead    = 14            // days are looked at after the one wished for
	back     = 3             // and before it
	apart    = 2 * time.Hour // are two openings of one day, when any day will do
)

// choice is a time that can be had.
type choice struct {
	opening Opening
	at      time.Time
}

// days are the dates on which alternatives to a wish are looked for. A date
// beyond the horizon is answered with the last ones before it.
func (d *diary) days(w Wish) (first, last dates.Date) {
	today := dates.DateOf(d.now)
	switch {
	case !w.Last.IsZero() && !w.Last.Before(today) && !d.last.Before(w.Last):
		return later(today, w.Date), w.Last
	case w.Date.IsZero() || w.Date.Before(today):
		return today, earlier(today.AddDays(ahead), d.last)
	case d.last.Before(w.Date):
		return later(today, d.last.AddDays(-ahead)), d.last
	}
	return later(today, w.Date.AddDays(-back)), earlier(w.Date.AddDays(ahead), d.last)
}

func earlier(a, b dates.Date) dates.Date {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b dates.Date) dates.Date {
	if a.Before(b) {
		return b
	}
	return a
}

// openings is what the wish comes to.
func (d *diary) openings(w Wish) Openings {
	if d.most > 0 && d.party > d.most {
		return Openings{Why: WhyLarge, Most: d.most}
	}
	switch {
	case w.Date.IsZero() || !w.Last.IsZero():
		return d.next(w)
	case !w.Timed:
		return d.ofDay(w)
	}
	if why := d.against(w.Date, w.Clock); why != "" {
		return Openings{Why: why, Near: d.near(w, w.Clock)}
	}
	return Openings{Free: true}
}

// near are up to three times around one that cannot be had: on the same day the
// nearest before and after it, then the same time on other days, then the
// nearest time on other days; and more of the same day when there is nothing
// else.
func (d *diary) near(w Wish, clock dates.Clock) []Opening {
	wish, _ := frontdesk.FirstShowing(wall(w.Date, clock), d.house.zone)
	others := d.otherDays(w)
	same := byDistance(d.choices(d.openDay(w.Date, wish)), wish)
	var found offer
	found.first(same, func(c choice) bool { return c.at.Before(wish) })
	found.first(same, func(c choice) bool { return c.at.After(wish) })
	found.sort(wish)
	for _, date := range others {
		if !found.full() && d.suits(date, clock) && d.against(date, clock) == "" {
			found.add(Opening{Date: date, Clock: clock})
		}
	}
	for _, date := range others {
		if found.full() {
			break
		}
		at, _ := frontdesk.FirstShowing(wall(date, clock), d.house.zone)
		found.first(byDistance(d.choices(date), at), func(c choice) bool { return true })
	}
	for _, c := range same {
		found.add(c.opening)
	}
	return found
}

// otherDays are the days beside the one wished for, nearest first.
func (d *diary) otherDays(w Wish) (days []dates.Date) {
	first, last := d.days(w)
	for date := first; !last.Before(date); date = date.AddDays(1) {
		if date != w.Date {
			days = append(days, date)
		}
	}
	far := func(date dates.Date) int {
		hours := int(wall(date, dates.Clock{}).Sub(wall(w.Date, dates.Clock{})) / time.Hour)
		return max(hours, -hours+1) // of two as near, the later one first
	}
	slices.SortStableFunc(days, func(a, b dates.Date) int { return cmp.Compare(far(a), far(b)) })
	return days
}

// openDay is the day on which the house opened that is open at an instant, if
// it is: past midnight that is the day before.
func (d *diary) openDay(date dates.Date, at time.Time) dates.Date {
	if _, began, open := d.open.at(at); open {
		return began
	}
	return date
}

// ofDay is what there is on a day, within the hours that were wished for.
func (d *diary) ofDay(w Wish) Openings {
	if found := pick(w, d.wanted(w, w.Date)); len(found) > 0 {
		return Openings{Near: found}
	}
	clock := dates.Clock{Hour: 12}
	if hasHours(w) {
		middle := (minutes(w.From) + minutes(w.To)) / 2 / 30 * 30
		clock = dates.Clock{Hour: middle / 60, Minute: middle % 60}
	}
	return Openings{Why: d.againstDay(w), Near: d.near(w, clock)}
}

// pick are those of a day's choices that are offered: the first or the last where
// that was wished for, else some over the day.
func pick(w Wish, all []choice) []Opening {
	switch {
	case len(all) > 0 && w.First:
		return []Opening{all[0].opening}
	case len(all) > 0 && w.Latest:
		return []Opening{all[len(all)-1].opening}
	}
	return spread(all)
}

// againstDay says why there is nothing on a day: the reason that is nearest to
// there being something.
func (d *diary) againstDay(w Wish) string {
	today := dates.DateOf(d.now)
	switch {
	case w.Date.Before(today):
		return WhyPast
	case d.last.Before(w.Date):
		return WhyFar
	}
	found := map[string]bool{}
	for m := 0; m < 24*60; m += d.step() {
		if clock := (dates.Clock{Hour: m / 60, Minute: m % 60}); within(w, clock) {
			found[d.against(w.Date, clock)] = true
		}
	}
	for _, why := range []string{WhyFull, WhySoon, WhyAway} {
		if found[why] {
			return why
		}
	}
	// What has passed today matters only if the house was open.
	if found[WhyPast] && w.Date == today && d.wasOpen(w) {
		return WhyPast
	}
	return WhyClosed
}

// wasOpen says whether the house has been open today in the hours wished for.
func (d *diary) wasOpen(w Wish) bool {
	for m := 0; m < 24*60; m += d.step() {
		clock := dates.Clock{Hour: m / 60, Minute: m % 60}
		at, exists := frontdesk.FirstShowing(wall(w.Date, clock), d.house.zone)
		if within(w, clock) && exists && d.opens(at) {
			return true
		}
	}
	return false
}

// next is what there is from now on: at the time that was said, or within the
// hours, or at any.
func (d *diary) next(w Wish) Openings {
	first, last := d.days(w)
	var found offer
	for date := first; !found.full() && !last.Before(date); date = date.AddDays(1) {
		switch {
		case !w.Timed:
			found.addTwo(d.wanted(w, date))
		case d.suits(date, w.Clock) && d.against(date, w.Clock) == "":
			found.add(Opening{Date: date, Clock: w.Clock})
		}
	}
	if len(found) > 0 {
		return Openings{Near: found}
	}
	o := Openings{Why: d.againstAll(w)}
	if w.Timed || hasHours(w) { // not then: at another time
		o.Near = d.next(Wish{}).Near
	}
	return o
}

// againstAll says why there is nothing on any day.
func (d *diary) againstAll(w Wish) string {
	first, last := d.days(w)
	for date := first; !last.Before(date); date = date.AddDays(1) {
		w.Date = date
		if w.Timed && d.against(date, w.Clock) == WhyFull || !w.Timed && d.againstDay(w) == WhyFull {
			return WhyFull
		}
	}
	return WhyClosed
}

// wanted are the choices of a date within the hours that were wished for. When
// none were, a night that began the day before does not count as this day.
func (d *diary) wanted(w Wish, date dates.Date) (all []choice) {
	days := []dates.Date{date}
	if hasHours(w) {
		days = []dates.Date{date.AddDays(-1), date}
	}
	for _, day := range days {
		for _, c := range d.choices(day) {
			if c.opening.Date == date && within(w, c.opening.Clock) {
				all = append(all, c)
			}
		}
	}
	return all
}

func hasHours(w Wish) bool { return w.To != dates.Clock{} }

func within(w Wish, c dates.Clock) bool {
	return !hasHours(w) || !c.Before(w.From) && c.Before(w.To)
}

// choices are the times that can be had on the day that the house opens on a
// date, in their order; after midnight they have the next date.
func (d *diary) choices(date dates.Date) []choice {
	if known, ok := d.free[date]; ok {
		return known
	}
	var all []choice
	d.eachChoice(date, func(c choice) { all = append(all, c) })
	d.free[date] = all
	return all
}

// eachChoice visits the choices of a date while it finds them.
func (d *diary) eachChoice(date dates.Date, visit func(choice)) {
	for _, s := range d.open.day(date).Open {
		for m := d.firstStep(date, s); m < 2*24*60; m += d.step() {
			o := Opening{Date: date.AddDays(m / (24 * 60)), Clock: dates.Clock{Hour: m / 60 % 24, Minute: m % 60}}
			at, exists := frontdesk.FirstShowing(wall(o.Date, o.Clock), d.house.zone)
			if !at.Before(s.To) {
				break
			}
			if exists && !at.Before(s.From) && d.suits(o.Date, o.Clock) && d.againstInstant(o.Date, at, exists) == "" {
				visit(choice{o, at})
			}
		}
	}
}

// firstStep is the minute of a date from which on an opening is worth looking at.
func (d *diary) firstStep(date dates.Date, s opening.Span) int {
	opens := s.From.In(d.house.zone)
	minute := 24*60*date.DaysUntil(dates.DateOf(opens)) + 60*opens.Hour() + opens.Minute()
	return max(0, minute) / d.step() * d.step()
}

// step is the grid in minutes on which times are offered.
func (d *diary) step() int {
	if own := d.house.settings.Calendar.SlotMinutes; own > 0 {
		return own
	}
	if d.lasts >= time.Hour {
		return 30
	}
	return 15
}

func byDistance(all []choice, from time.Time) []choice {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b choice) int {
		return cmp.Compare(a.at.Sub(from).Abs(), b.at.Sub(from).Abs())
	})
	return all
}

// spread are three of a day's choices, one early, one in the middle, one late,
// on the hour where that leaves enough.
func spread(all []choice) []Opening {
	for _, grid := range []int{60, 30} {
		round := slices.DeleteFunc(slices.Clone(all), func(c choice) bool { return c.opening.Clock.Minute%grid != 0 })
		if len(round) >= mostNear {
			all = round
			break
		}
	}
	var found offer
	n := len(all)
	if n <= mostNear {
		for _, c := range all {
			found.add(c.opening)
		}
		return found
	}
	for _, i := range []int{n / 6, n / 2, n * 5 / 6} {
		found.add(all[i].opening)
	}
	return found
}

func minutes(c dates.Clock) int { return 60*c.Hour + c.Minute }

// offer is what is going to be offered: at most three, and nothing twice.
type offer []Opening

func (f offer) full() bool { return len(f) >= mostNear }

func (f *offer) add(o Opening) {
	if !f.full() && !slices.Contains(*f, o) {
		*f = append(*f, o)
	}
}

// first adds the first choice that is fit and not there yet.
func (f *offer) first(all []choice, fit func(choice) bool) {
	for _, c := range all {
		if fit(c) && !slices.Contains(*f, c.opening) {
			f.add(c.opening)
			return
		}
	}
}

// addTwo adds a day's first choice and one that is well after it, so that
// another day is among the three.
func (f *offer) addTwo(all []choice) {
	for _, c := range all {
		if gap := c.at.Sub(all[0].at); gap == 0 || gap >= apart {
			f.add(c.opening)
			if gap > 0 {
				return
			}
		}
	}
}

// sort puts those that are nearest to an instant first.
func (f offer) sort(wish time.Time) {
	away := func(o Opening) time.Duration {
		at, _ := frontdesk.FirstShowing(wall(o.Date, o.Clock), wish.Location())
		return at.Sub(wish).Abs()
	}
	slices.SortStableFunc(f, func(a, b Opening) int { return cmp.Compare(away(a), away(b)) })
}
