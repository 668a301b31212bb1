package store

import (
	"context"
	"errors"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// BookingLimit is how much may be written down for somebody within an hour,
// which begins with the first time.
type BookingLimit struct {
	Name  string // of the limit, for who counts what is refused
	Whose string // an agent, or the digest of a telephone number
	Most  int
}

// ErrTooMany says that something was not written down because that was done too
// often within the hour.
var ErrTooMany = errors.New("too much was written down within the hour")

// TooManyError is ErrTooMany that says which limit was reached.
type TooManyError struct{ Limit string }

func (e TooManyError) Error() string { return ErrTooMany.Error() + " (limit: " + e.Limit + ")" }

// Is makes it ErrTooMany.
func (e TooManyError) Is(target error) bool { return target == ErrTooMany }

// countBookings counts one time more under every limit. One too many is refused,
// and with the transaction the counting is undone.
func (t *tx) countBookings(owner frontdesk.Owner, limits []BookingLimit, now time.Time) error {
	for _, l := range limits {
		var count int
		if _, err := t.row(`INSERT INTO booking_counts (tenant_id, live, whose, since, count) VALUES ($1, $2, $3, $4, 1)
			ON CONFLICT (tenant_id, live, whose) DO UPDATE SET
				count = CASE WHEN booking_counts.since <= $5 THEN 1 ELSE booking_counts.count + 1 END,
				since = CASE WHEN booking_counts.since <= $5 THEN excluded.since ELSE booking_counts.since END
			RETURNING count`,
			[]any{string(owner.TenantID), owner.Live, l.Whose, micros(now), micros(now.Add(-time.Hour))}, &count); err != nil {
			return err
		}
		if count > l.Most {
			return refusal{TooManyError{l.Name}}
		}
	}
	return nil
}

// ForgetBookingCountsForWorker deletes some of the counts whose hour began before
// an instant, and says how many.
func (s *Store) ForgetBookingCountsForWorker(ctx context.Context, before time.Time, most int) (int64, error) {
	return s.exec(ctx, "forgetting how much was booked",
		`DELETE FROM booking_counts WHERE (tenant_id, live, whose) IN
			(SELECT tenant_id, live, whose FROM booking_counts WHERE since < $1 ORDER BY since LIMIT $2 + 0`+s.dialect.skip+`)`, micros(before), most)
}
