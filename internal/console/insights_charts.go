package console

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Charts are drawn to no scale: they fill whatever width there is, and their
// labels are text beside them, which is readable at any width.
const (
	barStep   = 10  // from one bar to the next
	barWidth  = 7   // of one of them
	barHeight = 100 // of the whole chart
	heatLevel = 5   // how many shades there are beside none
)

// insightBars are the calls of each day.
type insightBars struct {
	Width  int
	Top    string // the number at the upper end
	Bars   []insightBar
	Labels []string
	Days   []insightDay // the same as a table, newest first
	Most   string       // the day with the most calls, in words
}

// insightBar is one day of the chart: all calls, and those with a booking.
type insightBar struct {
	X, Y, Height      float64
	BookedY, BookedUp float64
	Title             string
}

// insightDay is one day of the table.
type insightDay struct {
	Date, Calls, Booked, Captures, Minutes string
}

func newBars(v *visit, a frontdesk.Analytics) insightBars {
	most, at := 0, 0
	for i, d := range a.PerDay {
		if d.Calls > most {
			most, at = d.Calls, i
		}
	}
	top := niceTop(most)
	b := insightBars{Width: barStep * len(a.PerDay), Top: v.figure(top), Labels: dayLabels(v, a.PerDay)}
	if most > 0 {
		b.Most = v.say("insights_most_day", "day", shortDate(v, a.PerDay[at].Date), "n", v.figure(most))
	}
	for i, d := range a.PerDay {
		booked := d.Outcomes[frontdesk.Booking]
		height, up := barLength(d.Calls, top), barLength(booked, top)
		date := shortDate(v, d.Date)
		b.Bars = append(b.Bars, insightBar{
			X: float64(i*barStep) + float64(barStep-barWidth)/2, Y: barHeight - height, Height: height, BookedY: barHeight - up, BookedUp: up,
			Title: v.say("insights_bar", "day", date, "n", v.figure(d.Calls), "booked", v.figure(booked)),
		})
		b.Days = append([]insightDay{{date, v.figure(d.Calls), v.figure(booked), v.figure(d.Captures), v.figure(minutes(d.Seconds))}}, b.Days...)
	}
	return b
}

func barLength(n, top int) float64 { return float64(n*barHeight*10/top) / 10 }

// niceTop is the first of 2, 4, 10, 20, 40, 100 … that is not below n: numbers of
// which the half is whole too.
func niceTop(n int) int {
	for scale := 1; ; scale *= 10 {
		for _, step := range []int{2, 4, 10} {
			if step*scale >= n {
				return step * scale
			}
		}
	}
}

// dayLabels are what stands under the bars: every weekday of a week, else the
// first day, the one in the middle and the last.
func dayLabels(v *visit, days []frontdesk.DayStats) (labels []string) {
	if len(days) > 7 {
		return []string{shortDate(v, days[0].Date), shortDate(v, days[len(days)/2].Date), shortDate(v, days[len(days)-1].Date)}
	}
	names := strings.Fields(v.say("insights_weekdays"))
	for _, d := range days {
		if at, err := time.Parse(time.DateOnly, d.Date); err == nil {
			labels = append(labels, names[(int(at.Weekday())+6)%7])
		}
	}
	return labels
}

// insightHeat is when people call: by weekday and hour.
type insightHeat struct {
	Days    []string // from Monday
	Cells   []insightCell
	Hours   []string   // under the chart: four of them
	Table   []heatHour // the same as a table
	Busiest string     // in words; "": there were no calls
}

// insightCell is one hour of one weekday.
type insightCell struct {
	X, Y, Level int
	Title       string
}

// heatHour is one hour of the table, with the calls of each weekday.
type heatHour struct {
	Clock string
	Calls []string
}

func newHeat(v *visit, week [7][24]frontdesk.Volume) insightHeat {
	h := insightHeat{Days: strings.Fields(v.say("insights_weekdays"))}
	most, day, hour := busiest(week)
	for d := range week {
		for i, volume := range week[d] {
			cell := insightCell{X: i * 10, Y: d * 10}
			if volume.Calls > 0 {
				cell.Level = (volume.Calls*heatLevel + most - 1) / most
				cell.Title = v.say("insights_cell", "day", h.Days[d], "time", clockAt(v, i), "n", v.figure(volume.Calls))
			}
			h.Cells = append(h.Cells, cell)
		}
	}
	for i := range 24 {
		row := heatHour{Clock: clockAt(v, i)}
		for d := range week {
			row.Calls = append(row.Calls, v.figure(week[d][i].Calls))
		}
		h.Table = append(h.Table, row)
		if i%6 == 0 {
			h.Hours = append(h.Hours, row.Clock)
		}
	}
	if most > 0 {
		weekdays := strings.Fields(v.lang.Say("weekdays", "")) // from Sunday
		h.Busiest = v.say("insights_busiest", "day", weekdays[(day+1)%7], "time", clockAt(v, hour))
	}
	return h
}

func busiest(week [7][24]frontdesk.Volume) (most, day, hour int) {
	for d := range week {
		for i, volume := range week[d] {
			if volume.Calls > most {
				most, day, hour = volume.Calls, d, i
			}
		}
	}
	return most, day, hour
}

func clockAt(v *visit, hour int) string {
	return v.clock(time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC))
}

// downloadDays is the file with the figures of each day, named as the API names
// them.
func (c insightsScreen) downloadDays(v *visit) (answer, error) {
	n, err := c.count(v)
	if err != nil {
		return answer{}, err
	}
	header := []string{"date", "calls", "seconds", "captures"}
	for _, o := range frontdesk.Outcomes {
		header = append(header, "outcome_"+string(o))
	}
	for _, name := range frontdesk.Channels {
		header = append(header, "channel_"+string(name))
	}
	var b bytes.Buffer
	w := newSheet(v, &b)
	w.Write(header) // a buffer takes everything; Flush below says so
	for _, d := range n.now.PerDay {
		row := []string{d.Date, strconv.Itoa(d.Calls), strconv.Itoa(d.Seconds), strconv.Itoa(d.Captures)}
		for _, o := range frontdesk.Outcomes {
			row = append(row, strconv.Itoa(d.Outcomes[o]))
		}
		for _, name := range frontdesk.Channels {
			row = append(row, strconv.Itoa(d.Channels[name]))
		}
		w.Write(row)
	}
	if w.Flush(); w.Error() != nil {
		return answer{}, fmt.Errorf("writing the days: %w", w.Error())
	}
	slug := v.tenant.Slug
	if v.agent != nil {
		slug = v.agent.Slug
	}
	name := fmt.Sprintf("%s-%s-%s.csv", slug, v.mode.name, n.now.PerDay[len(n.now.PerDay)-1].Date)
	return v.download(name, "text/csv; charset=utf-8", b.Bytes()), nil
}
