package wire

import "frontdesk.dev/frontdesk/internal/frontdesk"

type volume struct {
	Calls    int `json:"calls"`
	Seconds  int `json:"seconds"`
	Captures int `json:"captures"`
}

type outcomes struct {
	Booking   int `json:"booking"`
	Info      int `json:"info"`
	Handoff   int `json:"handoff"`
	Abandoned int `json:"abandoned"`
	Error     int `json:"error"`
	OverLimit int `json:"over_limit"`
}

type channels struct {
	Web   int `json:"web"`
	Phone int `json:"phone"`
}

type languages struct {
	ES int `json:"es"`
	EN int `json:"en"`
}

type analyticsDay struct {
	Date     string   `json:"date"`
	Calls    int      `json:"calls"`
	Seconds  int      `json:"seconds"`
	Captures int      `json:"captures"`
	Outcomes outcomes `json:"outcomes"`
	Channels channels `json:"channels"`
}

type analyticsHour struct {
	Hour     int `json:"hour"`
	Calls    int `json:"calls"`
	Seconds  int `json:"seconds"`
	Captures int `json:"captures"`
}

type analyticsTotals struct {
	Calls              int       `json:"calls"`
	Seconds            int       `json:"seconds"`
	AvgDurationSeconds float64   `json:"avg_duration_seconds"`
	Captures           int       `json:"captures"`
	BookingRate        float64   `json:"booking_rate"`
	Outcomes           outcomes  `json:"outcomes"`
	Channels           channels  `json:"channels"`
	Languages          languages `json:"languages"`
	AfterHoursCalls    int       `json:"after_hours_calls"`
	Previous           volume    `json:"previous"`
}

// Analytics spells how the calls of a window went.
func Analytics(a frontdesk.Analytics) any {
	days := make([]analyticsDay, len(a.PerDay))
	for i, d := range a.PerDay {
		days[i] = analyticsDay{d.Date, d.Calls, d.Seconds, d.Captures, outcomesOf(d.Outcomes), channelsOf(d.Channels)}
	}
	hours := make([]analyticsHour, len(a.ByHour))
	for i, h := range a.ByHour {
		hours[i] = analyticsHour{i, h.Calls, h.Seconds, h.Captures}
	}
	t := a.Totals
	return struct {
		Days     int             `json:"days"`
		Timezone string          `json:"timezone"`
		PerDay   []analyticsDay  `json:"per_day"`
		ByHour   []analyticsHour `json:"by_hour"`
		Totals   analyticsTotals `json:"totals"`
	}{a.Days, a.Timezone, days, hours, analyticsTotals{
		Calls: t.Calls, Seconds: t.Seconds, AvgDurationSeconds: t.AvgDuration, Captures: t.Captures, BookingRate: t.BookingRate,
		Outcomes: outcomesOf(t.Outcomes), Channels: channelsOf(t.Channels),
		Languages: languages{ES: t.Languages["es"], EN: t.Languages["en"]}, AfterHoursCalls: t.AfterHours, Previous: volume(t.Previous),
	}}
}

func outcomesOf(n map[frontdesk.Outcome]int) outcomes {
	return outcomes{
		Booking: n[frontdesk.Booking], Info: n[frontdesk.Info], Handoff: n[frontdesk.Handoff],
		Abandoned: n[frontdesk.Abandoned], Error: n[frontdesk.Failed], OverLimit: n[frontdesk.OverLimit],
	}
}

func channelsOf(n map[frontdesk.Channel]int) channels {
	return channels{Web: n[frontdesk.Web], Phone: n[frontdesk.Phone]}
}
