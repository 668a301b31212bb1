package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Lane is the queue of one connection's deliveries. Work is claimed lane by
// lane, so that a full one never stands before an empty one.
type Lane struct {
	Owner      frontdesk.Owner
	Connection frontdesk.ID
}

// workChannel is where nodes on one PostgreSQL tell each other of work.
const workChannel = "frontdesk_work"

// documentsWait is what is told there of documents.
const documentsWait = "documents"

func (l Lane) String() string {
	mode := "test"
	if l.Owner.Live {
		mode = "live"
	}
	return string(l.Owner.TenantID) + " " + mode + " " + string(l.Connection)
}

func parseLane(text string) (l Lane, ok bool) {
	parts := strings.Fields(text)
	if len(parts) != 3 {
		return l, false
	}
	return Lane{
		Owner:      frontdesk.Owner{TenantID: frontdesk.ID(parts[0]), Live: parts[1] == "live"},
		Connection: frontdesk.ID(parts[2]),
	}, true
}

// withWork is transact for changes that may make work for the dispatcher: it is
// told once they are there to be seen. The dispatcher of this process takes the
// work, unless that of another node is at work on the lane: then all nodes are
// told, of whom that one takes it. Where there is no dispatcher, they are told
// too. What a process leaves behind they find when they look for themselves.
func (s *Store) withWork(ctx context.Context, doing string, work func(*tx) error) error {
	var lanes []Lane
	var documents bool
	var written Written
	err := s.transact(ctx, doing, func(t *tx) error {
		if err := work(t); err != nil {
			return err
		}
		lanes, documents, written = t.lanes, t.documents, t.written
		return t.notify(!s.dispatches())
	})
	if err == nil && unitOf(ctx) == nil { // a unit tells when it is kept
		s.tell(lanes, false)
		s.tellOfDocuments(documents)
		s.tellWritten(written)
	}
	return err
}

// OnDocuments says whom to tell, in this process, when documents wait to be read.
func (s *Store) OnDocuments(tell func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onDocuments = tell
}

func (s *Store) tellOfDocuments(some bool) {
	s.mu.RLock()
	tell := s.onDocuments
	s.mu.RUnlock()
	if some && tell != nil {
		tell()
	}
}

// OnWork says whom to tell, in this process, when lanes have work, and whether it
// was another process that made it; nil: nobody.
func (s *Store) OnWork(tell func(lanes []Lane, elsewhere bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onWork = tell
}

func (s *Store) tell(lanes []Lane, elsewhere bool) {
	s.mu.RLock()
	tell := s.onWork
	s.mu.RUnlock()
	if tell != nil && len(lanes) > 0 {
		tell(lanes, elsewhere)
	}
}

// dispatches says whether a dispatcher in this process takes the work.
func (s *Store) dispatches() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.onWork != nil
}

// notify tells other nodes of documents that wait, of lanes that one of them
// holds, and of the others if nobody here takes their work.
func (t *tx) notify(ofLanes bool) error {
	if t.dialect.notify == "" {
		return nil
	}
	lanes := t.others
	if ofLanes {
		lanes = append(lanes, t.lanes...)
	}
	for _, l := range lanes {
		if err := t.later(t.dialect.notify, l.String()); err != nil {
			return err
		}
	}
	if t.documents {
		return t.later(t.dialect.notify, documentsWait)
	}
	return nil
}

// Emit writes events that no call made, for the operator.
func (s *Store) Emit(ctx context.Context, owner frontdesk.Owner, events ...frontdesk.Event) error {
	return s.withWork(ctx, "emitting an event", func(t *tx) error { return t.emit(owner, events) })
}

// emit writes events and, for each, a delivery to every active connection of
// the owner that subscribes to it.
func (t *tx) emit(owner frontdesk.Owner, events []frontdesk.Event) error {
	if len(events) == 0 {
		return nil
	}
	subscribers, err := t.subscribers(owner)
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := t.insertEvent(owner, e); err != nil {
			return err
		}
		for _, c := range subscribers {
			if !slices.Contains(c.events, e.Type) {
				continue
			}
			if err := t.insertDelivery(owner, newDelivery(owner, c.id, e)); err != nil {
				return err
			}
			t.hasWork(Lane{owner, c.id}, c.heldBy)
		}
	}
	return nil
}

// hasWork notes that a lane was given work. Where another worker holds it, that
// one is to be told, and else the dispatcher of this process.
func (t *tx) hasWork(l Lane, heldBy string) {
	lanes := &t.lanes
	if heldBy != "" && heldBy != t.worker {
		lanes = &t.others
	}
	if !slices.Contains(*lanes, l) {
		*lanes = append(*lanes, l)
	}
}

func newDelivery(owner frontdesk.Owner, connection frontdesk.ID, e frontdesk.Event) frontdesk.Delivery {
	return frontdesk.Delivery{
		ID: frontdesk.NewID(e.CreatedAt), ConnectionID: connection, EventID: e.ID, Event: e.Type, Live: owner.Live,
		Status: frontdesk.DeliveryPending, MaxAttempts: frontdesk.MaxAttempts, CreatedAt: e.CreatedAt, NextAttemptAt: e.CreatedAt,
	}
}

type subscriber struct {
	id     frontdesk.ID
	events []string
	heldBy string // the worker that holds its lane, "" if none has lately
}

// subscribers are the owner's active connections. They cannot be deleted while
// the transaction lasts, so no delivery is left without its connection. Their
// order is that of SaveAttempts: neither waits for the other in a circle.
func (t *tx) subscribers(owner frontdesk.Owner) (all []subscriber, err error) {
	fresh := micros(time.Now().Add(-HeldFor))
	err = t.each(`SELECT id, events, additional_events, worker, worked_at FROM connections WHERE tenant_id = $1 AND live = $2 AND status = 'active' ORDER BY id`+t.dialect.keepRow,
		[]any{string(owner.TenantID), owner.Live}, func(r row) error {
			var c subscriber
			var events string
			var more, worker sql.NullString
			var workedAt sql.NullInt64
			err := r.Scan(&c.id, &events, &more, &worker, &workedAt)
			c.events = strings.Fields(events + " " + more.String)
			if workedAt.Int64 >= fresh {
				c.heldBy = worker.String
			}
			all = append(all, c)
			return err
		})
	return all, err
}

func (t *tx) insertEvent(owner frontdesk.Owner, e frontdesk.Event) error {
	return t.later(`INSERT INTO events (tenant_id, live, id, type, body, created_at, agent_id) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		string(owner.TenantID), owner.Live, string(e.ID), e.Type, string(e.Body), micros(e.CreatedAt), maybeID(e.AgentID))
}

// PruneForWorker deletes some of the deliveries and events made before an
// instant that are done, and says how many. Callers ask again until it is none.
func (s *Store) PruneForWorker(ctx context.Context, before time.Time, most int) (int64, error) {
	if deleted, err := s.pruneDeletedForWorker(ctx); err != nil || deleted > 0 {
		return deleted, err
	}
	deliveries, err := s.exec(ctx, "pruning deliveries",
		`DELETE FROM deliveries WHERE (tenant_id, live, id) IN
			(SELECT tenant_id, live, id FROM deliveries WHERE created_at < $1 AND due_at IS NULL ORDER BY created_at LIMIT $2 + 0`+s.dialect.skip+`)`, micros(before), most)
	// Events last: while a delivery is there, what it delivers is too.
	if err != nil || deliveries > 0 {
		return deliveries, err
	}
	return s.exec(ctx, "pruning events",
		`DELETE FROM events WHERE (tenant_id, live, id) IN
			(SELECT tenant_id, live, id FROM events e WHERE created_at < $1 AND NOT EXISTS
				(SELECT 1 FROM deliveries d WHERE d.event_id = e.id)
			ORDER BY created_at LIMIT $2 + 0`+s.dialect.skip+`)`, micros(before), most)
}
