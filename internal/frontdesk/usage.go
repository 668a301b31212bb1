package frontdesk

import "time"

// UsagePeriod is the sum over the calls that began in one calendar month of
// the tenant's time zone.
type UsagePeriod struct {
	Period  string // YYYY-MM
	Seconds int
	Calls   int
}

// MaxUsagePeriods is how far back usage is told, the current month included.
const MaxUsagePeriods = 12

// PeriodOf is the month that t falls in, in loc.
func PeriodOf(t time.Time, loc *time.Location) string { return t.In(loc).Format("2006-01") }

// UsageHistory lays the used periods out newest first, from the current month
// back to the oldest one given, with zeros for the months between.
func UsageHistory(used []UsagePeriod, now time.Time, loc *time.Location) []UsagePeriod {
	byPeriod := make(map[string]UsagePeriod, len(used))
	oldest := PeriodOf(now, loc)
	for _, u := range used {
		byPeriod[u.Period] = u
		oldest = min(oldest, u.Period)
	}
	local := now.In(loc)
	var history []UsagePeriod
	for back := range MaxUsagePeriods {
		month := time.Date(local.Year(), local.Month()-time.Month(back), 1, 12, 0, 0, 0, loc)
		period := month.Format("2006-01")
		if period < oldest {
			break
		}
		u := byPeriod[period]
		u.Period = period
		history = append(history, u)
	}
	return history
}

// RemainingSeconds is what is left of the plan in a period; ok is false when
// the plan has no limit.
func (p Plan) RemainingSeconds(used int) (seconds int, ok bool) {
	if p.IncludedSeconds == 0 {
		return 0, false
	}
	return max(0, p.IncludedSeconds-used), true
}
