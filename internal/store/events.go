package store

import (
	"context"
	"database/sql"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const selectEvents = `SELECT id, type, agent_id, live, body, created_at FROM events`

// Events lists the owner's events. Tests of connections are none.
func (s *Store) Events(ctx context.Context, owner frontdesk.Owner, f frontdesk.EventFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Event], error) {
	about := filter{column: "type", compare: "<>", value: frontdesk.ConnectionTest}
	if f.About != "" {
		about = filter{column: "type", compare: "LIKE", value: f.About + ".%"}
	}
	filters := []filter{
		about,
		{column: "type", value: f.Type},
		{column: "agent_id", value: string(f.AgentID)},
		// Ids are minted when an event is made: a time is a range of ids.
		{column: "id", compare: ">=", value: firstIDFrom(f.CreatedFrom)},
	}
	return page(ctx, s, "listing events", selectEvents, owner, p, filters, scanEvent)
}

// Event returns one of the owner's events.
func (s *Store) Event(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Event, error) {
	return one(s.asking(ctx, "reading an event"), "event",
		selectEvents+` WHERE tenant_id = $1 AND live = $2 AND id = $3 AND type <> '`+frontdesk.ConnectionTest+`'`,
		[]any{string(owner.TenantID), owner.Live, string(id)}, scanEvent)
}

// EventSent is Event for who looks at a delivery: tests of connections are found
// too.
func (s *Store) EventSent(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Event, error) {
	return one(s.asking(ctx, "reading what was sent"), "event", selectEvents+` WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		[]any{string(owner.TenantID), owner.Live, string(id)}, scanEvent)
}

// EventsAfter lists the owner's events after one, oldest first; with "" those
// made from now on can be asked for with the id of an instant.
func (s *Store) EventsAfter(ctx context.Context, owner frontdesk.Owner, after frontdesk.ID, most int) ([]frontdesk.Event, error) {
	var all []frontdesk.Event
	err := s.each(ctx, "reading events",
		selectEvents+` WHERE tenant_id = $1 AND live = $2 AND id > $3 ORDER BY id LIMIT $4 + 0`,
		[]any{string(owner.TenantID), owner.Live, string(after), most}, func(r row) error {
			e, err := scanEvent(r)
			all = append(all, e)
			return err
		})
	return all, err
}

func scanEvent(r row) (e frontdesk.Event, err error) {
	var agentID sql.NullString
	var createdAt int64
	err = r.Scan(&e.ID, &e.Type, &agentID, &e.Live, &e.Body, &createdAt)
	e.AgentID, e.CreatedAt = frontdesk.ID(agentID.String), fromMicros(createdAt)
	return e, err
}
