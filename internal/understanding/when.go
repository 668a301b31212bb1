package understanding

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
)

// when is the day or the time of a claim. Where the rules can read every word
// that the model quotes, their reading counts and not the model's value: a model
// says which words are meant, and what words mean that we cannot read.
func (c *checker) when(cl claim, made hearing.Command) (*dates.Mention, bool) {
	read, plain := c.readQuote(made)
	var own dates.Mention
	var ok bool
	if cl.slot == hearing.SlotDate {
		own, ok = c.date(cl.value)
	} else if own, ok = clock(cl.value); !ok {
		return named(cl.value, read)
	}
	if !ok {
		return nil, false
	}
	if plain && cl.do == hearing.DoSet && !agrees(own, read) && !c.standsAlready(own) && !c.relates(own, read, made.Text) {
		own = read
	}
	own.Start, own.End, own.Counts = made.At[0], made.At[1], true
	if cl.do == hearing.DoExclude {
		own.Negated, own.Counts = true, false
		return &own, true
	}
	return &own, !c.refused(own)
}

// readQuote is what the rules read in the quoted words, and whether that is all
// of them.
func (c *checker) readQuote(made hearing.Command) (m dates.Mention, plain bool) {
	asked, find := dates.AskedDay, dates.Reading.Day
	if made.Slot == hearing.SlotTime {
		asked, find = dates.AskedTime, dates.Reading.Time
	}
	m, ok := find(dates.ReadAnswer(made.Text, c.setting.Now, c.setting.Language, asked))
	if !ok || m.Impossible || m.WeekdayDiffers {
		return m, false
	}
	const most = 1 // word before it that changes nothing, as a preposition
	beside := 0
	for _, t := range language.Tokenize(made.Text) {
		if t.Start >= m.End {
			return m, false
		}
		if t.Start < m.Start {
			beside++
		}
	}
	return m, beside <= most
}

// relates says whether the quoted words count from another day, which they do not
// name: "the Monday after" may be any Monday.
func (c *checker) relates(own, read dates.Mention, quote string) bool {
	if own.Kind != dates.OneDay || read.Kind != dates.OneDay || own.Date.Weekday() != read.Date.Weekday() {
		return false
	}
	counts := c.setting.Mix.Words("counts_from")
	return slices.ContainsFunc(language.Tokenize(quote), func(w language.Token) bool { return counts[w.Word] })
}

// standsAlready says whether a day or a time is that of what is being arranged:
// "Thursday's fine" is the one that was read back, whichever comes next.
func (c *checker) standsAlready(own dates.Mention) bool {
	b := c.background
	return own.Kind == dates.OneDay && own.Date == b.Date || own.Kind == dates.AtClock && b.Timed && own.Clock == b.Clock
}

// agrees says whether a model's value is one that a reading leaves open.
func agrees(own, read dates.Mention) bool {
	switch read.Kind {
	case dates.OneDay:
		return own.Date == read.Date
	case dates.Days:
		return !own.Date.Before(read.Date) && !read.Until.Before(own.Date)
	case dates.AtClock:
		return own.Kind != dates.AtClock || own.Clock == read.Clock ||
			read.Open && own.Clock.Hour%12 == read.Clock.Hour%12 && own.Clock.Minute == read.Clock.Minute
	}
	return true // a part of a day, or hours: what a caller means by them is theirs
}

// date is the model's, unless it lies behind us or years ahead.
func (c *checker) date(value string) (dates.Mention, bool) {
	at, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return dates.Mention{}, false
	}
	d, today := dates.DateOf(at), dates.DateOf(c.setting.Now)
	return dates.Mention{Kind: dates.OneDay, Date: d}, !d.Before(today) && d.Before(today.AddDays(2*365))
}

// clock is a time, or hours: 17:00, 17:00-18:00, 17:00-, -18:00.
func clock(value string) (dates.Mention, bool) {
	from, to, between := strings.Cut(value, "-")
	if !between {
		c, ok := clockOf(value)
		return dates.Mention{Kind: dates.AtClock, Clock: c}, ok
	}
	m := dates.Mention{Kind: dates.Hours, To: dates.Clock{Hour: 24}}
	good := from != "" || to != ""
	if from != "" {
		c, ok := clockOf(from)
		m.From, good = c, good && ok
	}
	if to != "" {
		c, ok := clockOf(to)
		m.To, good = c, good && ok
	}
	return m, good && m.From.Before(m.To)
}

func clockOf(value string) (dates.Clock, bool) {
	at, err := time.Parse("15:04", value)
	return dates.Clock{Hour: at.Hour(), Minute: at.Minute()}, err == nil
}

// named is a time that has a name: the first of the day, or of the hours that the
// quoted words say, the last of them, the soonest of all.
func named(value string, read dates.Mention) (*dates.Mention, bool) {
	m := read
	if m.Kind == 0 || m.Kind == dates.AtClock {
		m = dates.Mention{Kind: dates.InPart, Part: dates.Morning, To: dates.Clock{Hour: 24}}
		if value == "last" {
			m.Part = dates.EndOfDay
		}
	}
	switch value {
	case "first":
		m.Earliest = true
	case "last":
		m.Latest = true
	case "soonest":
		m = dates.Mention{Kind: dates.Soonest}
	default:
		return nil, false
	}
	m.Counts = true
	return &m, true
}

// refused says whether the caller has just refused this day or this time.
func (c *checker) refused(own dates.Mention) bool {
	for _, r := range c.rules {
		if m := r.When; m != nil && m.Negated && m.Kind == own.Kind && agrees(own, *m) {
			return true
		}
	}
	return false
}

// relation is a value told by what stands: the same, or so many days or minutes
// from it.
func (c *checker) relation(cl claim, made hearing.Command, quoted bool, before []hearing.Command) (hearing.Command, bool) {
	made.Value = cl.value
	day, at := c.stands(before)
	n, unit := step(cl.value)
	if unit == 's' {
		unit = map[hearing.Slot]byte{hearing.SlotDate: 'd', hearing.SlotTime: 'm'}[cl.slot]
	}
	switch {
	case !quoted:
		return made, false
	case cl.slot == hearing.SlotDate && unit == 'd' && !day.IsZero():
		made.When = &dates.Mention{Kind: dates.OneDay, Date: day.AddDays(n), Counts: true, Start: made.At[0], End: made.At[1]}
	case cl.slot == hearing.SlotTime && unit == 'm' && at != nil:
		minutes := at.Hour*60 + at.Minute + n
		if minutes < 0 || minutes >= 24*60 {
			return made, false
		}
		made.When = &dates.Mention{Kind: dates.AtClock, Clock: dates.Clock{Hour: minutes / 60, Minute: minutes % 60}, Counts: true, Start: made.At[0], End: made.At[1]}
	}
	return made, (cl.slot == hearing.SlotDate || cl.slot == hearing.SlotTime) && unit != 0
}

// step reads "same", "+7d", "-2w", "+30m", "+1h" as days (d) or minutes (m);
// the unit of "same" is either, and of what is none of them 0.
func step(value string) (n int, unit byte) {
	if value == "same" {
		return 0, 's'
	}
	if len(value) < 2 {
		return 0, 0
	}
	n, err := strconv.Atoi(value[:len(value)-1])
	if err != nil || n < -1000 || n > 1000 {
		return 0, 0
	}
	switch value[len(value)-1] {
	case 'd':
		return n, 'd'
	case 'w':
		return 7 * n, 'd'
	case 'm':
		return n, 'm'
	case 'h':
		return 60 * n, 'm'
	}
	return 0, 0
}

// stands are the day and the time that a relation is to: those that were just
// said for another wish, those of what is being arranged, or of the appointment
// that is to be moved.
func (c *checker) stands(before []hearing.Command) (day dates.Date, at *dates.Clock) {
	b := c.background
	day = b.Date
	if b.Timed {
		at = &b.Clock
	}
	if own, err := time.Parse("2006-01-02T15:04:05", string(b.Own)); err == nil && day.IsZero() {
		day = dates.DateOf(own)
		if at == nil {
			at = &dates.Clock{Hour: own.Hour(), Minute: own.Minute()}
		}
	}
	for _, said := range before {
		switch {
		case said.Do != hearing.DoSet || said.When == nil:
		case said.When.Kind == dates.OneDay:
			day = said.When.Date
		case said.When.Kind == dates.AtClock:
			at = &said.When.Clock
		}
	}
	return day, at
}
