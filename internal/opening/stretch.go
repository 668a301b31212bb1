package opening

import (
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Run are days one after the other with the same hours, and the same reason for them.
type Run struct {
	First, Last frontdesk.Date
	Open        []frontdesk.Period
	Reason      string // as Day.Reason
	Holiday     string // as Day.Holiday
}

// Shown are the periods of a date as the clock of the house shows them.
func (h *Hours) Shown(d frontdesk.Date) (periods []frontdesk.Period) {
	for _, s := range h.Day(d).Open {
		from, to := s.From.In(h.zone), s.To.In(h.zone)
		p := frontdesk.Period{From: 60*from.Hour() + from.Minute(), To: 60*to.Hour() + to.Minute()}
		if p.To == 0 {
			p.To = 24 * 60
		}
		periods = append(periods, p)
	}
	return periods
}

// Usual is an ordinary week: of a resource, what it has in common with that of its
// house.
func (h *Hours) Usual() frontdesk.Week {
	own := h.Week()
	if h.house == nil {
		return own
	}
	house := h.house.Week()
	var week frontdesk.Week
	for d := range week {
		for _, p := range own[d] {
			for _, o := range house[d] {
				if from, to := max(p.From, o.From), min(p.End(), o.End()); from < to {
					week[d] = append(week[d], frontdesk.Period{From: from, To: (to-1)%(24*60) + 1})
				}
			}
		}
	}
	return week
}

// Runs are all days from first to last, those with the same hours together.
func (h *Hours) Runs(first, last frontdesk.Date) (all []Run) {
	for d := first; !last.Before(d); d = d.AddDays(1) {
		all = joinRun(all, h.run(d))
	}
	return all
}

// Special are the days from first to last that are not as in an ordinary week. Days on
// which the house is never open do not part the days of a closure.
func (h *Hours) Special(first, last frontdesk.Date) (all []Run) {
	for d := first; !last.Before(d); d = d.AddDays(1) {
		run := h.run(d)
		usual := h.Usual()[(int(d.Weekday())+6)%7]
		if !samePeriods(run.Open, usual) {
			all = joinRun(all, run)
			continue
		}
		if n := len(all) - 1; n >= 0 && len(usual) == 0 && all[n].Last.AddDays(1) == d && sameRun(all[n], run) {
			all[n].Last = d
		}
	}
	return all
}

func (h *Hours) run(d frontdesk.Date) Run {
	_, reason, holiday := h.Periods(d)
	return Run{First: d, Last: d, Open: h.Shown(d), Reason: reason, Holiday: holiday}
}

// joinRun adds a run of a day to others: to the last where it goes on as that does.
func joinRun(all []Run, run Run) []Run {
	if n := len(all) - 1; n >= 0 && all[n].Last.AddDays(1) == run.First && sameRun(all[n], run) {
		all[n].Last = run.Last
		return all
	}
	return append(all, run)
}

func sameRun(a, b Run) bool {
	return samePeriods(a.Open, b.Open) && a.Reason == b.Reason && a.Holiday == b.Holiday
}

func samePeriods(a, b []frontdesk.Period) bool {
	return slices.EqualFunc(a, b, func(a, b frontdesk.Period) bool { return a.From == b.From && a.End() == b.End() })
}

// Reopens is the first day after a date on which the house opens. It is false when
// there is none in a year.
func (h *Hours) Reopens(d frontdesk.Date) (frontdesk.Date, bool) {
	for range farthest {
		if d = d.AddDays(1); len(h.Day(d).Open) > 0 {
			return d, true
		}
	}
	return frontdesk.Date{}, false
}

// Region is whose public holidays the house keeps: as its book says, else those of its
// country as far as its words say it. "": it has not said.
func (h *Hours) Region() string {
	if h.region == "" && h.told.holidays {
		return h.told.country
	}
	return h.region
}

// HolidaysFrom are the public holidays of a region in the year that begins with a date.
func HolidaysFrom(region string, from frontdesk.Date) (all []Holiday) {
	end := from.AddMonths(12)
	for year := from.Year; year <= end.Year; year++ {
		of, _ := holidaysIn(region, year)
		for _, h := range of {
			if !h.Date.Before(from) && h.Date.Before(end) {
				all = append(all, h)
			}
		}
	}
	return all
}

// MayRest says whether a date is a public holiday anywhere in a country.
func MayRest(country string, d frontdesk.Date) bool {
	return slices.ContainsFunc(Regions(), func(region string) bool {
		if region != country && !strings.HasPrefix(region, country+"-") {
			return false
		}
		_, rests := HolidayOn(region, d)
		return rests
	})
}

// Bridge are the days off around a holiday: the weekend and the holidays next to it, and
// a single day between two of them.
func Bridge(region string, d frontdesk.Date) (first, last frontdesk.Date) {
	rests := func(d frontdesk.Date) bool {
		_, holiday := HolidayOn(region, d)
		return holiday || d.Weekday() == time.Saturday || d.Weekday() == time.Sunday
	}
	end := func(step int) frontdesk.Date {
		at := d
		for {
			switch {
			case rests(at.AddDays(step)):
				at = at.AddDays(step)
			case rests(at.AddDays(2 * step)):
				at = at.AddDays(2 * step)
			default:
				return at
			}
		}
	}
	return end(-1), end(1)
}

// Feast is the date of a feast in a year, written as the calendars of languages write
// it: "12-25", "easter-2".
func Feast(rule string, year int) (frontdesk.Date, bool) {
	r, ok := feastRule(rule)
	if !ok {
		return frontdesk.Date{}, false
	}
	return r.in(year), true
}
