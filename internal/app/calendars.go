package app

import (
	"log/slog"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

// OpenOutside returns the outside calendars of a database, behind a guard of
// their own: what is opened for them is not opened for deliveries.
func OpenOutside(s config.Settings, st *store.Store, box *seal.Box, now func() time.Time, log *slog.Logger) (*calendar.Outside, error) {
	guard, err := calendarGuard(s)
	if err != nil {
		return nil, err
	}
	if opened := guard.Opened(); len(opened) > 0 {
		log.Info("outside calendars may be on servers that are not public", "origins", opened)
	}
	return calendar.NewOutside(st, box, guard, now, log), nil
}
