package store

import (
	"context"
	"maps"
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Usage returns the owner's used months, newest first, back to the given one.
func (s *Store) Usage(ctx context.Context, owner frontdesk.Owner, since string) ([]frontdesk.UsagePeriod, error) {
	var used []frontdesk.UsagePeriod
	err := s.each(ctx, "reading usage",
		`SELECT period, seconds, calls FROM usage_periods WHERE tenant_id = $1 AND live = $2 AND period >= $3 ORDER BY period DESC`,
		[]any{string(owner.TenantID), owner.Live, since}, func(r row) error {
			var u frontdesk.UsagePeriod
			err := r.Scan(&u.Period, &u.Seconds, &u.Calls)
			used = append(used, u)
			return err
		})
	return used, err
}

// addUsage counts recordings in their months, but not those that are not to be
// counted: one statement a month, in the
// order of the months, so that two transactions never wait for each other.
func (t *tx) addUsage(owner frontdesk.Owner, recordings []Recording) error {
	sums := map[string]frontdesk.UsagePeriod{}
	for _, r := range recordings {
		if r.Call.Uncounted {
			continue
		}
		u := sums[r.Period]
		u.Seconds += r.Call.Duration
		u.Calls++
		sums[r.Period] = u
	}
	for _, period := range slices.Sorted(maps.Keys(sums)) {
		err := t.later(`INSERT INTO usage_periods (tenant_id, live, period, seconds, calls) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (tenant_id, live, period) DO UPDATE
			SET seconds = usage_periods.seconds + excluded.seconds, calls = usage_periods.calls + excluded.calls`,
			string(owner.TenantID), owner.Live, period, sums[period].Seconds, sums[period].Calls)
		if err != nil {
			return err
		}
	}
	return nil
}
