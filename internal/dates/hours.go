package dates

var (
	hoursOpen = set(`from between de entre desde`)
	hoursTo   = set(`to till til until and through a y hasta`)
)

// clockRange reads "between 3 and 5", "de 10 a 12", "from 9 to 11 am", "3-5 pm".
func clockRange(r *reader, i int) (Mention, int) {
	k := i
	if hoursOpen[r.word(i)] && !r.moving {
		k++
	}
	from, marked := r.rangeHour(k)
	if from.end == 0 || k > i && !r.soft(k) {
		return Mention{}, 0
	}
	to, also := r.rangeEnd(from.end)
	if also && !marked && !from.sure && r.word(from.end) == "a" { // "de 4 a las 2"
		return Mention{}, 0
	}
	if to.end == 0 || hoursOpen[r.word(i)] && k == i || r.soft(to.end) && counted[r.word(to.end)] || r.moreNumbers(to.end) {
		return Mention{}, 0
	}
	if !r.isHours(i, k, from, to, marked || also) {
		return Mention{}, 0
	}
	return between(from, to), to.end
}

// rangeHour reads one end of a range, and says whether an article marks it.
func (r *reader) rangeHour(k int) (s said, marked bool) {
	at := r.skip(k, "las", "la", "at", "a")
	if r.word(at) == "las" || r.word(at) == "la" {
		at++
	}
	return r.spoken(at, true), at > k
}

func (r *reader) rangeEnd(i int) (said, bool) {
	if r.tok(i).gap == dash && r.tok(i).value >= 0 {
		return r.spoken(i, true), false
	}
	if !hoursTo[r.word(i)] || !r.soft(i) {
		return said{}, false
	}
	return r.rangeHour(i + 1)
}

// isHours says whether two numbers are hours: an article, p.m. or a colon says
// so, or else words that open a range and nothing that is counted.
func (r *reader) isHours(i, k int, from, to said, marked bool) bool {
	joint := r.word(from.end)
	switch {
	case (from.compact || to.compact) && !from.sure && !to.sure: // years
		return false
	case k == i && (r.marked(i) || joint == "a" && !from.sure): // "el 15 a las 17:00"
		return false
	case k == i && from.bare && joint == "to" && r.minutesTo(k, from): // "ten to six pm"
		return false
	case from.sure && to.sure:
		return k > i || joint != "and" && joint != "y" && joint != "a" || from.half.part == NoPart && joint == "a"
	case to.sure || from.sure:
		return k > i || joint != "and" && joint != "y"
	case marked:
		return k > i && !labelled[r.word(i-1)]
	}
	return k > i && r.closed(to.end) && r.word(i-1) != "grupo" && !labelled[r.word(i-1)]
}

// minutesTo says whether "ten to" is said of the minutes before an hour, and not
// of a range. In figures, "10 to 12 pm" is a range.
func (r *reader) minutesTo(k int, from said) bool {
	return from.clock.Hour%5 == 0 && (r.tok(k).value < 0 || from.clock.Hour > 12)
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
	h := c.halves()
	if h[1].Before(end) {
		return h[1]
	}
	return h[0]
}

// firstAfter is the half of an open clock that comes right after start.
func firstAfter(c, start Clock) Clock {
	h := c.halves()
	if start.Before(h[0]) {
		return h[0]
	}
	return h[1]
}
