package store

import (
	"context"
	"time"
)

// Contents are what a database holds, for who restores it.
type Contents struct {
	Tenants, Agents, Calls int       // calls in live mode
	NewestCall             time.Time // in live mode; zero: there is none
}

// ContentsForWorker counts, which takes a while in a large database.
func (s *Store) ContentsForWorker(ctx context.Context) (c Contents, err error) {
	var newest int64
	query := `SELECT (SELECT COUNT(*) FROM tenants), (SELECT COUNT(*) FROM agents), (SELECT COUNT(*) FROM calls WHERE live), (SELECT COALESCE(MAX(started_at), 0) FROM calls WHERE live)`
	err = s.engine.ask(ctx, checkTime, query, nil, func(r row) error { return r.Scan(&c.Tenants, &c.Agents, &c.Calls, &newest) })
	if newest > 0 {
		c.NewestCall = fromMicros(newest)
	}
	return c, s.failed("counting what the database holds", err)
}
