package store

import (
	"context"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// ownedTable is a table whose rows belong to a tenant.
type ownedTable struct {
	name string
	key  string // the columns that tell its rows of one tenant apart
	of   string // what tells the rows of one agent, $2; "": they belong to all of them
}

// ownedTables are all of them, those by which more would come in first, and what
// refers to others before them.
var ownedTables = []ownedTable{
	{"api_keys", "id", ""},
	{"numbers", "number", "agent_id = $2"},
	{"calendar_feeds", "live, id", "agent_id = $2"},
	{"outside_calendars", "live, id", "agent_id = $2"},
	{"people", "id", ""},
	{"agent_drafts", "agent_id", "agent_id = $2"},
	{"agents", "id", "id = $2"},
	{"agent_revisions", "agent_id, id", "agent_id = $2"},
	{"lines", "live, line", "conversation_id IN (SELECT c.id FROM conversations c WHERE c.tenant_id = $1 AND c.agent_id = $2)"},
	{"conversations", "live, id", "agent_id = $2"},
	{"holds", "live, call_id", "agent_id = $2"},
	{"outside_busy", "live, agent_id, starts_at, calendar_id", "agent_id = $2"},
	{"calendar_writes", "live, capture_id, calendar_id", "capture_id IN (SELECT c.id FROM captures c WHERE c.tenant_id = $1 AND c.agent_id = $2)"},
	{"notices", "live, id", "agent_id = $2"},
	{"notice_stops", "live, address", ""},
	{"waiting_list", "live, capture_id", "agent_id = $2"},
	{"booking_counts", "live, whose", ""},
	{"captures", "live, id", "agent_id = $2"},
	{"transcripts", "live, call_id", "call_id IN (SELECT c.id FROM calls c WHERE c.tenant_id = $1 AND c.agent_id = $2)"},
	{"calls", "live, id", "agent_id = $2"},
	{"deliveries", "live, id", "event_id IN (SELECT e.id FROM events e WHERE e.tenant_id = $1 AND e.agent_id = $2)"},
	{"events", "live, id", "agent_id = $2"},
	{"connections", "live, id", "agent_id = $2"},
	{"deleted_connections", "live, id", ""},
	{"fragments", "live, document_id, position", "document_id IN (SELECT d.id FROM documents d WHERE d.tenant_id = $1 AND d.shelf = $2)"},
	{"documents", "live, id", "shelf = $2"},
	{"knowledge", "live", ""},
	{"unanswered_of_agents", "live, day, agent_id, spelling", "agent_id = $2"},
	{"unanswered", "live, day, spelling", ""},
	{"tally_backfills", "live, source", ""},
	{"word_backfills", "live", ""},
	{"tally_entries", "live, day, id", ""},
	{"tally_days", "live, agent_id, day", "agent_id = $2"},
	{"usage_periods", "live, period", ""},
	{"idempotency_keys", "live, key", ""},
	{"requests", "live, id", ""},
	{"audit", "id", ""},
}

// DeleteTenantForWorker deletes some rows of a tenant, and the tenant itself once there
// are no others. Callers ask again while there is more; one that was stopped in
// between goes on where it was. Nothing else may write for the tenant any more: its
// keys, people, numbers and agents go first.
func (s *Store) DeleteTenantForWorker(ctx context.Context, tenant frontdesk.ID, most int) (more bool, err error) {
	for _, table := range ownedTables {
		if more, err := s.deleteRows(ctx, table, "", most, string(tenant)); more || err != nil {
			return more, err
		}
	}
	_, err = s.exec(ctx, "deleting a tenant", `DELETE FROM tenants WHERE id = $1`, string(tenant))
	if err == nil {
		s.wipe(ctx)
	}
	return false, err
}

// DeleteAgentForWorker deletes some rows of what one of a tenant's agents is and has
// taken down, in both modes, and the agent itself once there are no others. Callers
// ask again while there is more. What counts for the whole tenant stays: usage, and
// the audit log. A conversation that is opened meanwhile goes with the agent, and none
// is opened afterwards.
func (s *Store) DeleteAgentForWorker(ctx context.Context, by frontdesk.Actor, agent frontdesk.Agent, most int) (more bool, err error) {
	ids := []any{string(agent.TenantID), string(agent.ID)}
	for _, table := range ownedTables {
		if table.of == "" || table.name == "agents" {
			continue
		}
		if more, err := s.deleteRows(ctx, table, ` AND `+table.of, most, ids...); more || err != nil {
			return more, err
		}
	}
	err = s.transact(ctx, "deleting an agent", func(t *tx) error {
		// Who is about to write for it has done so, or finds it gone.
		changed, err := t.exec(`DELETE FROM agents WHERE tenant_id = $1 AND id = $2`, ids...)
		if err != nil || changed == 0 {
			return err
		}
		for _, table := range ownedTables {
			if table.of == "" || table.name == "agents" {
				continue
			}
			if err := t.later(`DELETE FROM `+table.name+` WHERE tenant_id = $1 AND `+table.of, ids...); err != nil {
				return err
			}
		}
		return t.auditBoth(agent.TenantID, by, change{frontdesk.AuditAgentDeleted, string(agent.ID), agent.DisplayName, nil})
	})
	if err == nil {
		s.wipe(ctx)
	}
	return false, err
}

// deleteRows deletes some of a table's rows, and says whether there may be more.
func (s *Store) deleteRows(ctx context.Context, table ownedTable, where string, most int, args ...any) (more bool, err error) {
	limit := "$2"
	if where != "" {
		limit = "$3"
	}
	key := table.key
	if strings.Contains(key, ",") {
		key = "(" + key + ")"
	}
	n, err := s.exec(ctx, "deleting from "+table.name, `DELETE FROM `+table.name+` WHERE tenant_id = $1 AND `+key+` IN
		(SELECT `+table.key+` FROM `+table.name+` WHERE tenant_id = $1`+where+` LIMIT `+limit+` + 0)`, append(args, most)...)
	return n >= int64(most), err
}

// wipe overwrites what the database has left of deleted rows beside its tables. Where
// it cannot, because somebody reads just now, that is overwritten as others write.
func (s *Store) wipe(ctx context.Context) { _ = s.engine.wipe(ctx) }
