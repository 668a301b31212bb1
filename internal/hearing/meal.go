package hearing

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
)

// hearMeal takes the meal that a table is for as the hours of it, when no time is
// said: "a table for dinner".
func (e whenReader) hearMeal() {
	if _, timed := e.When.Time(); timed || !e.takesParties() || e.Standing.Timed && e.Expect != SlotTime {
		return
	}
	for _, w := range e.words.words {
		hours, ok := e.Mix.Value("meals", w.Word)
		if !ok || w.Asks {
			continue
		}
		from, to, _ := strings.Cut(hours, "-")
		e.When.Mentions = append(e.When.Mentions, dates.Mention{
			Kind: dates.InPart, Start: w.Start, End: w.End, From: clockOf(from), To: clockOf(to), Counts: true,
		})
		return
	}
}

// clockOf is an hour of the data, HH:MM.
func clockOf(text string) dates.Clock {
	hour, minute, _ := strings.Cut(text, ":")
	number := func(s string) (n int) {
		for _, c := range s {
			n = 10*n + int(c-'0')
		}
		return n
	}
	return dates.Clock{Hour: number(hour), Minute: number(minute)}
}
