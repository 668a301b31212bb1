package app

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
)

// OpenSessions puts together what holds conversations on a database, for a
// command that needs no server.
func OpenSessions(s config.Settings, st *store.Store, now func() time.Time, log *slog.Logger) (*reception.Sessions, error) {
	embedder, err := OpenEmbeddings(s)
	if err != nil {
		return nil, err
	}
	return openSessions(s, reception.SessionOptions{
		Store: st, Shelves: OpenShelves(s, st, embedder, now, log), Now: now, Log: log,
	})
}

func openSessions(s config.Settings, o reception.SessionOptions) (_ *reception.Sessions, err error) {
	if o.Model, err = OpenModel(s, o.Log); err != nil {
		return nil, err
	}
	o.Limits.OpenPerAddress, o.Limits.BookingsPerAddress = s.WebOpen, s.AddressBookings
	o.Limits.BookingsPerPhone, o.Limits.BookingsPerAgent = s.PhoneBookings, s.AgentBookings
	return reception.NewSessions(o), nil
}

// addReception puts together what holds conversations.
func (p *parts) addReception(registry *prometheus.Registry) (err error) {
	figures := newBusiness(registry)
	p.store.OnWritten(figures.count)
	p.sessions, err = openSessions(p.settings, reception.SessionOptions{
		Store: p.store, Shelves: p.shelves, Box: p.box, Now: p.now, Log: p.log, Limits: reception.Limits{Nodes: p.nodes.limits()}, Tracer: p.tracer,
		Watch: reception.Watch{
			Refused: func(limit string) { figures.refused.WithLabelValues(limit).Inc() },
			Model:   modelTimes(registry),
		},
	})
	return err
}

// warmHearing reads what all conversations share, so that the first caller need
// not wait for it.
func (p *parts) warmHearing(ctx context.Context) error {
	defer debug.FreeOSMemory() // reading was large; listening is not
	return p.sessions.Warm(ctx)
}

// sweepEvery is how far apart silent conversations are looked for.
const sweepEvery = 10 * time.Second
