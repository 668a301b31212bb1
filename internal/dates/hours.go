package dates

import "frontdesk.dev/frontdesk/internal/language"

// clockRange reads "between 3 and 5", "de 10 a 12", "from 9 to 11 am", "3-5 pm".
func clockRange(r *reader, i int) (Mention, int) {
	k := i
	if r.is(i, "range_open") && !r.moving {
		k++
	}
	from, marked := r.rangeHour(k)
	if from.end == 0 || k > i && !r.soft(k) {
		return Mention{}, 0
	}
	to, also := r.rangeEnd(from.end)
	if also && !marked && !from.sure && r.is(from.end, "range_articles") { // "de 4 a las 2"
		return Mention{}, 0
	}
	if to.end == 0 || r.is(i, "range_open") && k == i || r.counts(to.end) || r.moreNumbers(to.end) {
		return Mention{}, 0
	}
	if !r.isHours(i, k, from, to, marked || also) {
		return Mention{}, 0
	}
	return between(from, to), to.end
}

// rangeHour reads one end of a range, and says whether an article marks it.
func (r clocks) rangeHour(k int) (s said, marked bool) {
	at := r.over(k, "range_articles")
	return r.spoken(at, true), at > k
}

func (r clocks) rangeEnd(i int) (said, bool) {
	if r.tok(i).gap == language.Dash && r.tok(i).value >= 0 {
		return r.spoken(i, true), false
	}
	if !r.is(i, "range_to") || !r.soft(i) {
		return said{}, false
	}
	return r.rangeHour(i + 1)
}

// isHours says whether two numbers are hours: an article, p.m. or a colon says
// so, or else words that open a range and nothing that is counted.
func (r clocks) isHours(i, k int, from, to said, marked bool) bool {
	opened := k > i
	switch {
	case (from.compact || to.compact) && !from.sure && !to.sure: // years
		return false
	case !opened && !r.unopened(i, from):
		return false
	case from.sure && to.sure:
		return opened || r.joinsHours(from)
	case to.sure || from.sure:
		return opened || !r.is(from.end, "and")
	}
	return opened && (marked || r.closed(to.end)) && !r.is(i-1, "labelled")
}

// unopened says whether a range may begin at i without a word that opens it: not
// in "el 15 a las 17:00", nor in "ten to six pm".
func (r clocks) unopened(i int, from said) bool {
	return !r.marked(i) && (from.sure || !r.is(from.end, "range_articles")) && !(from.bare && r.minutesTo(i, from))
}

// joinsHours says whether what stands between two times makes them a range.
func (r clocks) joinsHours(from said) bool {
	if r.is(from.end, "range_articles") {
		return from.half.part == NoPart
	}
	return !r.is(from.end, "and")
}

// minutesTo says whether "ten to" is said of the minutes before an hour, and not
// of a range. In figures, "10 to 12 pm" is a range.
func (r clocks) minutesTo(k int, from said) bool {
	for _, l := range r.lexicons {
		if n, e := l.minutesBefore.at(r.line, from.end); e > 0 && n < 0 {
			return from.clock.Hour%5 == 0 && (r.tok(k).value < 0 || from.clock.Hour > 12)
		}
	}
	return false
}

// between makes one range of two clocks. The half of the day that is said once
// holds for both: from 10 to 2 pm begins in the morning.
func between(from, to said) Mention {
	m := Mention{Kind: Hours, From: from.clock, To: to.clock, Open: !from.certain && !to.certain}
	switch {
	case to.certain && !from.certain:
		m.From = lastBefore(from.clock, to.clock)
	case from.certain && !to.certain:
		m.To = firstAfter(to.clock, from.clock)
	}
	if m.To == (Clock{}) {
		m.To = Clock{Hour: 24}
	}
	return m
}

// lastBefore is the half of an open clock that comes right before end.
func lastBefore(c, end Clock) Clock {
	h := halves(c)
	if h[1].Before(end) {
		return h[1]
	}
	return h[0]
}

// firstAfter is the half of an open clock that comes right after start.
func firstAfter(c, start Clock) Clock {
	h := halves(c)
	if start.Before(h[0]) {
		return h[0]
	}
	return h[1]
}
