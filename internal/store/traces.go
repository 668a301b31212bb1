package store

import (
	"context"
	"fmt"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Trace is a row of an owner's in which a person may stand.
type Trace struct {
	Kind TraceKind
	Key  string // of the row, for Erase
	Text string // all that the row says, in clear
	// Sealed is what it says that only the holder of the master key can read.
	Sealed []byte
}

// TraceKind says what a row is.
type TraceKind string

// The kinds, in the order in which they are looked through: captures lead to calls,
// and both to all the others.
const (
	TraceCapture      TraceKind = "captures"
	TraceNote         TraceKind = "notes"
	TraceWish         TraceKind = "wishes"
	TraceCall         TraceKind = "calls"
	TraceConversation TraceKind = "conversations"
	TraceNotice       TraceKind = "notices"
	TraceStop         TraceKind = "notice_stops"
	TraceQuestion     TraceKind = "unanswered_questions"
	TraceEvent        TraceKind = "events"
	TraceAnswer       TraceKind = "stored_answers"
	TraceRequest      TraceKind = "requests"
	TraceAudit        TraceKind = "audit_entries"
)

// traces says, for every kind, where its rows are read, and what is done to erase
// them: statements that end where the keys follow.
var traces = map[TraceKind]struct {
	read  string
	erase []string
}{
	TraceCapture: {
		`SELECT CAST(id AS TEXT), COALESCE(CAST(agent_id AS TEXT), '') || '|' || customer_phone, NULL FROM captures WHERE tenant_id = $1 AND live = $2 ORDER BY id`,
		// The worker that writes into outside calendars takes out what is not there any more.
		append([]string{`UPDATE calendar_writes SET version = version + 1, attempts = 0, dead = FALSE, due_at = 0, problem = ''
			WHERE tenant_id = $1 AND live = $2 AND capture_id IN `}, deleteCaptures...),
	},
	// Somebody else's capture stays, without what it says of the person.
	TraceNote: {
		`SELECT CAST(id AS TEXT), notes, NULL FROM captures WHERE tenant_id = $1 AND live = $2 AND notes IS NOT NULL ORDER BY id`,
		[]string{`UPDATE captures SET notes = NULL WHERE tenant_id = $1 AND live = $2 AND id IN `},
	},
	// What a message is about, in the caller's own words, stands where the service does.
	TraceWish: {
		`SELECT CAST(id AS TEXT), service, NULL FROM captures WHERE tenant_id = $1 AND live = $2 AND service <> '' ORDER BY id`,
		[]string{`UPDATE captures SET service = '' WHERE tenant_id = $1 AND live = $2 AND id IN `},
	},
	TraceCall: {
		`SELECT CAST(c.id AS TEXT), COALESCE(c.caller, '') || ' | ' || COALESCE(c.capture_ids, '') || ' | ' || c.summary || ' | ' || COALESCE(t.transcript, ''), NULL
			FROM calls c LEFT JOIN transcripts t ON t.tenant_id = c.tenant_id AND t.live = c.live AND t.call_id = c.id
			WHERE c.tenant_id = $1 AND c.live = $2 ORDER BY c.id`,
		deleteCalls,
	},
	TraceConversation: {
		`SELECT CAST(id AS TEXT), state || ' | ' || turns, NULL FROM conversations WHERE tenant_id = $1 AND live = $2 ORDER BY id`,
		deleteConversations,
	},
	TraceNotice: {
		`SELECT CAST(id AS TEXT), address || ' | ' || COALESCE(CAST(capture_id AS TEXT), '') || ' | ' || COALESCE(CAST(call_id AS TEXT), '') || ' | ' || message, NULL
			FROM notices WHERE tenant_id = $1 AND live = $2 ORDER BY id`,
		[]string{`DELETE FROM notices WHERE tenant_id = $1 AND live = $2 AND id IN `},
	},
	TraceStop: {
		`SELECT address, address, NULL FROM notice_stops WHERE tenant_id = $1 AND live = $2 ORDER BY address`,
		[]string{`DELETE FROM notice_stops WHERE tenant_id = $1 AND live = $2 AND address IN `},
	},
	TraceQuestion: {
		`SELECT spelling, MAX(question), NULL FROM (
				SELECT spelling, question FROM unanswered WHERE tenant_id = $1 AND live = $2
				UNION ALL SELECT spelling, question FROM unanswered_of_agents WHERE tenant_id = $1 AND live = $2) q
			GROUP BY spelling ORDER BY spelling`,
		[]string{
			`DELETE FROM unanswered WHERE tenant_id = $1 AND live = $2 AND spelling IN `,
			`DELETE FROM unanswered_of_agents WHERE tenant_id = $1 AND live = $2 AND spelling IN `,
		},
	},
	TraceEvent: {
		`SELECT CAST(id AS TEXT), body, NULL FROM events WHERE tenant_id = $1 AND live = $2 ORDER BY id`,
		[]string{
			`DELETE FROM deliveries WHERE tenant_id = $1 AND live = $2 AND event_id IN `,
			`DELETE FROM events WHERE tenant_id = $1 AND live = $2 AND id IN `,
		},
	},
	TraceAnswer: {
		`SELECT key, key, answer FROM idempotency_keys WHERE tenant_id = $1 AND live = $2 AND answer IS NOT NULL ORDER BY key`,
		[]string{`DELETE FROM idempotency_keys WHERE tenant_id = $1 AND live = $2 AND key IN `},
	},
	// The id is the client's own: it may have been made of anything.
	TraceRequest: {
		`SELECT CAST(id AS TEXT), request_id, NULL FROM requests WHERE tenant_id = $1 AND live = $2 ORDER BY id`,
		[]string{`UPDATE requests SET request_id = '…' WHERE tenant_id = $1 AND live = $2 AND id IN `},
	},
	// That something was done stays; to whom and what, goes.
	TraceAudit: {
		`SELECT CAST(id AS TEXT), object_id || ' | ' || object || ' | ' || changes, NULL FROM audit
			WHERE tenant_id = $1 AND (live = $2 OR live IS NULL) ORDER BY id`,
		[]string{`UPDATE audit SET object = '', changes = '[]' WHERE tenant_id = $1 AND (live = $2 OR live IS NULL) AND id IN `},
	},
}

// Traces calls each with all rows of the owner's of a kind.
func (s *Store) Traces(ctx context.Context, owner frontdesk.Owner, kind TraceKind, each func(Trace) error) error {
	err := s.engine.ask(ctx, bulk, traces[kind].read, []any{string(owner.TenantID), owner.Live}, func(r row) error {
		found := Trace{Kind: kind}
		if err := r.Scan(&found.Key, &found.Text, &found.Sealed); err != nil {
			return err
		}
		return each(found)
	})
	return s.failed("looking for traces of a person", err)
}

// Erase takes rows out that Traces named, all or none, and enters in the audit log
// that it was done.
func (s *Store) Erase(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, keys map[TraceKind][]string) error {
	err := s.transactFor(ctx, bulk, "erasing a person", func(t *tx) error {
		var fields []frontdesk.FieldChange
		for _, kind := range TraceKinds {
			ids := make([]frontdesk.ID, len(keys[kind]))
			for i, key := range keys[kind] {
				ids[i] = frontdesk.ID(key)
			}
			if err := t.forEach(owner, ids, traces[kind].erase); err != nil {
				return err
			}
			if len(ids) > 0 {
				fields = append(fields, frontdesk.FieldChange{Field: string(kind), From: fmt.Sprint(len(ids))})
			}
		}
		return t.audit(owner, by, change{frontdesk.AuditCallerErased, "", "", fields})
	})
	if err == nil {
		s.wipe(ctx)
	}
	return err
}

// TraceKinds are all there are.
var TraceKinds = []TraceKind{
	TraceCapture, TraceNote, TraceWish, TraceCall, TraceConversation, TraceNotice, TraceStop, TraceQuestion, TraceEvent, TraceAnswer,
	TraceRequest, TraceAudit,
}
