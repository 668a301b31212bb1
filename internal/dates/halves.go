package dates

import "frontdesk.dev/frontdesk/internal/language"

// tail reads what follows a clock: p.m., o'clock, de la tarde, horas.
func (r clocks) tail(s said, plain bool) said {
	for range 4 {
		if p, end := meridiem(r.line, s.end); end > 0 && s.half.part == NoPart {
			s = s.with(p, end)
			continue
		}
		if kind, end := r.trimmings.at(r.line, s.end); end > 0 && r.soft(s.end) && (kind == "sure" || r.hoursMean(s)) {
			s.end, s.sure, s.bare = end, true, false
			continue
		}
		if p, end := r.spokenParts.at(r.line, s.end); end > 0 && r.near(s.end) && s.half.part == NoPart && r.partBelongs(s.end) {
			s = s.with(p, end)
			continue
		}
		more := r.anyAdded(s)
		if more.end == 0 || plain || s.clock.Minute > 0 || s.half.part == NoPart {
			break
		}
		s.clock, s.end = more.clock, more.end
	}
	return s
}

// anyAdded is what is added to a clock behind its half of the day: "las 5 de la
// tarde y media".
func (r clocks) anyAdded(s said) said {
	for _, l := range r.lexicons {
		if more := r.added(s.clock, s.end, l, true); more.end > 0 {
			return more
		}
	}
	return said{}
}

// partBelongs is false for a part that belongs to a day of its own: "at 9, in
// the morning of the 3rd" still is one, "at 9, mornings are best" is not.
func (r clocks) partBelongs(i int) bool { return r.soft(i) || r.is(i, "part_links") }

// with settles the half of the day.
func (s said) with(p period, end int) said {
	s.end, s.sure, s.bare, s.half = end, true, false, p
	if s.certain {
		return s
	}
	if c, ok := p.settle(s.clock); ok {
		s.clock, s.certain = c, true
	}
	return s
}

// hoursMean says whether the horas behind a number make it a clock: they do
// behind "las", glued to it, or from 13 on; "2 horas" is how long.
func (r clocks) hoursMean(s said) bool {
	if r.tok(s.end).gap == language.Glued || s.sure || !s.bare {
		return s.clock.Hour != 0
	}
	first := s.end - 1
	for first > 0 && !r.is(first-1, "hour_articles") && r.number(first-1, r.lang).ok() {
		first--
	}
	return r.is(first-1, "hour_articles") || r.is(first-1, "at") || s.clock.Hour >= 13 && !r.is(first-1, "lasting")
}

// halfDayAt says whether a.m. or p.m. stands at i.
func (r *line) halfDayAt(i int) bool {
	_, end := meridiem(r, i)
	return end > 0
}

// meridiem reads "am", "a.m.", "a m", "p. m.", and "8p", which are written the
// same in all languages.
func meridiem(r *line, i int) (period, int) {
	t, after := r.tok(i), r.tok(i+1)
	if t.gap > language.Dot || t.gap == language.Colon {
		return period{}, 0
	}
	half := period{part: Morning}
	switch t.word {
	case "pm", "p":
		half = period{part: Afternoon}
	case "am", "a":
	default:
		return period{}, 0
	}
	switch {
	case len(t.word) == 2:
		return half, i + 1
	case after.word == "m" && (after.gap <= language.Dot && after.gap != language.Colon || after.gap == language.Stop):
		return half, i + 2
	case t.gap == language.Glued && r.tok(i-1).value >= 0:
		return half, i + 1
	}
	return period{}, 0
}

// startsClock says whether what stands at i makes a time of the number before:
// a colon, "pm", "y media", "de la tarde", "o'clock".
func (r *line) startsClock(i int) bool {
	t := r.tok(i)
	if t.word == "" {
		return false
	}
	if t.gap == language.Colon && t.value >= 0 || r.is(i, "clock_starts") && r.soft(i) || r.halfDayAt(i) || fractionAt(r, i) {
		return true
	}
	if kind, end := r.trimmings.at(r, i); end > i+1 && kind == "sure" {
		return true
	}
	_, end := r.spokenParts.at(r, i)
	return end > i+1 && r.soft(i)
}

// fractionAt says whether a fraction is added to the number before i: "y media".
func fractionAt(r *line, i int) bool {
	for _, l := range r.lexicons {
		if _, at := l.minutesAfter.at(r, i); at > 0 && r.soft(i) {
			_, end := l.fractions.at(r, at)
			return end > 0
		}
	}
	return false
}
