package app

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/knowledge"
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
	return openSessions(s, st, knowledge.NewShelves(st, embedder, now, log, s.KnowledgeMemory<<20), now, log)
}

func openSessions(s config.Settings, st *store.Store, shelves *knowledge.Shelves, now func() time.Time, log *slog.Logger) (*reception.Sessions, error) {
	model, err := OpenModel(s, log)
	if err != nil {
		return nil, err
	}
	return reception.NewSessions(reception.SessionOptions{Store: st, Shelves: shelves, Model: model, Now: now, Log: log}), nil
}

// addReception puts together what holds conversations.
func (p *parts) addReception() (err error) {
	p.sessions, err = openSessions(p.settings, p.store, p.shelves, p.now, p.log)
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
