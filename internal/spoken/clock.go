package spoken

import (
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
)

// clockReader says times of day.
type clockReader struct{ *speaker }

// moment is a time of day as it is written.
type moment struct {
	hour, minute int
	sure         bool // whether it is before or after noon
	half         bool // written with am or pm
	end          int
}

// clock says a time of day, or two with what joins them.
func (s clockReader) clock() bool {
	first, ok := s.momentAt(s.at)
	if !ok {
		return s.shortRange()
	}
	next := s.joinedAt(first.end)
	second, ok := s.momentAt(next)
	if next == first.end || !ok {
		s.at = first.end
		s.moment(first)
		return true
	}
	s.at = second.end
	s.span(first, second)
	return true
}

// shortRange says "9-5pm".
func (s clockReader) shortRange() bool {
	end := digitsEnd(s.in, s.at)
	next := s.dashEnd(end)
	if end-s.at > 2 || next == end {
		return false
	}
	second, ok := s.momentAt(next)
	hour, err := strconv.Atoi(s.in[s.at:end])
	if !ok || !second.half || err != nil || hour < 1 || hour > 12 {
		return false
	}
	first := moment{hour: hour % 12, sure: true}
	if first.hour+12 < second.hour {
		first.hour += 12
	}
	s.at = second.end
	s.span(first, second)
	return true
}

// joinedAt is where a second time may begin behind one that ends at i: behind a
// dash or the word for it.
func (s clockReader) joinedAt(i int) int {
	if j := s.dashEnd(i); j > i {
		return j
	}
	if word := " " + s.say("to") + " "; len(word) > 2 && strings.HasPrefix(s.in[i:], word) {
		return i + len(word)
	}
	return i
}

// momentAt reads the time at i: "16:00", "9:30 pm", "9am", "20:30 h".
func (s clockReader) momentAt(i int) (moment, bool) {
	end := digitsEnd(s.in, i)
	hour, err := strconv.Atoi(s.in[i:min(end, i+3)])
	if err != nil || end-i > 2 || hour > 24 {
		return moment{}, false
	}
	m := moment{hour: hour, end: end, sure: hour > 7 || s.in[i] == '0'}
	minutes := false
	if s.minutesAt(end) {
		m.minute, _ = strconv.Atoi(s.in[end+1 : end+3])
		m.end, minutes = end+3, true
		if s.minutesAt(m.end) && s.in[m.end] == ':' {
			m.end += 3 // seconds
		}
	}
	if pm, to := halfDay(s.in, spacesEnd(s.in, m.end)); to > 0 && hour >= 1 && hour <= 12 {
		m.hour, m.sure, m.half, m.end = hour%12, true, true, s.stopAfter(to)
		if pm {
			m.hour += 12
		}
	} else if minutes {
		m.end = s.hourSign(m.end)
	}
	return m, (minutes || m.half) && m.minute < 60 && !isWordRune(s.next(m.end))
}

// minutesAt says whether minutes stand at i: a colon and two figures, or a full
// stop where a time is sure to stand.
func (s clockReader) minutesAt(i int) bool {
	if i+2 >= len(s.in) || digitsEnd(s.in, i+1) != i+3 {
		return false
	}
	if s.in[i] == '.' {
		word, _ := s.lastWord()
		currency := false
		if i+3 < len(s.in) {
			_, _, currency = s.amounts().currencyAt(i + 3)
		}
		_, half := halfDay(s.in, spacesEnd(s.in, i+3))
		return half > 0 || s.is("before_dotted_clock", word) && !currency && s.next(i+3) != '%'
	}
	return s.in[i] == ':'
}

// hourSign is where the sign or word for hours ends behind a time, i if there is
// none.
func (s clockReader) hourSign(i int) int {
	hours := s.units["h"].at(1)
	from := spacesEnd(s.in, i)
	if from-i > 1 || hours == "" {
		return i
	}
	if f, end := s.amounts().unitAt(from); end > 0 && f.at(1) == hours {
		return s.stopAfter(end)
	}
	if hasPrefixFold(s.in[from:], hours) && !isWordRune(s.next(from+len(hours))) {
		return from + len(hours)
	}
	return i
}

// halfDay reads "am", "p.m." or "p. m." at i, and where it ends.
func halfDay(text string, i int) (pm bool, end int) {
	if i >= len(text) || text[i]|0x20 != 'a' && text[i]|0x20 != 'p' {
		return false, 0
	}
	pm = text[i]|0x20 == 'p'
	dotted := i+1 < len(text) && text[i+1] == '.'
	if i++; dotted {
		i = spacesEnd(text, i+1)
	}
	if i >= len(text) || text[i]|0x20 != 'm' {
		return false, 0
	}
	if i++; dotted && i < len(text) && text[i] == '.' {
		i++
	}
	if i < len(text) && isAlnum(text[i]) {
		return false, 0
	}
	return pm, i
}

// span says from when to when.
func (s clockReader) span(first, second moment) {
	switch {
	case !second.sure && first.hour < 12 && second.hour <= first.hour:
		second.hour, second.sure = second.hour+12, true
	case !second.sure && first.hour > 12, second.sure && second.hour > 12: // both by the 24 hours of a day
		first.sure, second.sure = true, true
	}
	if parts := s.Pairs("calendar said_parts"); s.wording["clock_minutes"] == "" && second.sure {
		first.sure = first.sure && parts[strconv.Itoa(first.hour%24)] != parts[strconv.Itoa(second.hour%24)] // it is said once
	}
	s.dropArticle()
	if word, _ := s.lastWord(); !s.is("before_clock", word) {
		s.put(s.say("clock_from"))
	}
	s.put(s.bare(first))
	s.put(s.say("to"))
	s.puts(s.bare(second))
}

// moment says a time of day, with its preposition unless one stands before.
func (s clockReader) moment(m moment) {
	if s.dropArticle() {
		s.puts(s.bare(m))
		return
	}
	if word, _ := s.lastWord(); s.say("clock_at") != "" && !s.is("before_clock", word) {
		s.put(s.say("clock_at"))
	}
	s.puts(s.bare(m))
}

// dropArticle takes back an article that the time brings with it.
func (s clockReader) dropArticle() bool {
	word, from := s.lastWord()
	if !s.is("clock_articles", word) {
		return false
	}
	s.out = s.out[:from]
	return true
}

// bare is how a time is said, without a preposition.
func (s clockReader) bare(m moment) string {
	hour := strconv.Itoa((m.hour+11)%12 + 1)
	part := s.parts[strconv.Itoa(m.hour%24)]
	switch {
	case s.wording["clock_minutes"] == "":
		return s.inWords(m)
	case m.minute == 0 && !m.sure:
		return s.say("clock_bare", "hour", hour)
	case m.minute == 0:
		return dates.SayTimeIn(s.Language, dates.Clock{Hour: m.hour})
	case !m.sure:
		part = ""
	}
	key := "clock_minutes"
	if m.minute < 10 {
		key = "clock_few"
	}
	return strings.TrimSpace(s.say(key, "hour", hour, "minutes", strconv.Itoa(m.minute), "part", part))
}

// inWords is a time as dates says it, without its preposition, and without the
// part of the day where that is not known.
func (s clockReader) inWords(m moment) string {
	said := dates.SayTimeIn(s.Language, dates.Clock{Hour: m.hour, Minute: m.minute})
	if said == "" {
		return strconv.Itoa(m.hour) + " " + strconv.Itoa(100 + m.minute)[1:]
	}
	said = strings.ReplaceAll(strings.TrimPrefix(said, s.say("clock_at")+" "), ":", " ")
	if !m.sure {
		said = strings.TrimSuffix(said, " "+s.Pairs("calendar said_parts")[strconv.Itoa(m.hour%24)])
	}
	return said
}
