package store

import (
	"cmp"
	"context"
	"database/sql"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Recording is a finished call with all that came of it, ready to be written:
// the call, its captures, the month it counts for, and the events to tell of.
type Recording struct {
	Call     frontdesk.Call
	Captures []frontdesk.Capture
	Period   string
	Events   []frontdesk.Event
	Notices  []frontdesk.Notice

	Unanswered []string // questions that found no answer
}

const callColumns = `id, agent_id, started_at, duration_seconds, language, outcome, channel, caller, number, capture_ids, summary`

// selectCalls is the beginning of a question for calls. Those from before it was
// kept whether they are counted were.
const selectCalls = `SELECT ` + callColumns + `, counted IS FALSE, done_at`

// Calls lists the owner's calls without their transcripts.
func (s *Store) Calls(ctx context.Context, owner frontdesk.Owner, f frontdesk.CallFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Call], error) {
	filters, p := callFilters(f, p)
	if words := searchWords(f.Search); len(words) > 0 {
		p.Limit = cmp.Or(p.Limit, frontdesk.DefaultPageSize)
		return s.searchCalls(ctx, owner, words, f, p, filters)
	}
	return page(ctx, s, "listing calls", selectCalls+` FROM calls`, owner, p, filters, func(r row) (frontdesk.Call, error) {
		return scanCall(r)
	})
}

// callFilters are the conditions of a filter, and the page that begins where its
// times end.
func callFilters(f frontdesk.CallFilter, p frontdesk.Page) ([]filter, frontdesk.Page) {
	uneven := f.AgentID == "" // of an agent's, its own indexes know
	filters := []filter{
		{column: "outcome", value: string(f.Outcome), uneven: uneven},
		{column: "channel", value: string(f.Channel), uneven: uneven},
		{column: "agent_id", value: string(f.AgentID)},
		{column: "language", value: f.Language, uneven: uneven},
		{column: "caller", value: f.Caller},
		{column: "id", compare: ">=", value: firstIDFrom(f.StartedFrom)},
	}
	// Ids are minted when a call begins: a range of times is one of ids, which
	// every index of a list ends with.
	if end := firstIDFrom(f.StartedTo); end != "" {
		p.StartingAfter = min(cmp.Or(p.StartingAfter, afterAll), frontdesk.ID(end))
	}
	return filters, p
}

// firstIDFrom is the smallest id that can be minted at a time or later, in
// milliseconds; "" for no time.
func firstIDFrom(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	if whole := t.Truncate(time.Millisecond); whole.Before(t) {
		t = whole.Add(time.Millisecond)
	}
	return string(frontdesk.FirstIDAt(t))
}

// Call returns one of the owner's calls with its transcript; nil once that is
// forgotten.
func (s *Store) Call(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Call, error) {
	var transcript []byte
	c, err := one(s.asking(ctx, "reading a call"), "call",
		selectCalls+`, (SELECT transcript FROM transcripts WHERE tenant_id = $1 AND live = $2 AND call_id = $3)
		FROM calls WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		[]any{string(owner.TenantID), owner.Live, string(id)},
		func(r row) (frontdesk.Call, error) { return scanCall(r, &transcript) })
	c.Transcript = transcript
	return c, err
}

// CallsByID reads those of the owner's calls, with their transcripts, that are still
// there.
func (s *Store) CallsByID(ctx context.Context, owner frontdesk.Owner, ids []frontdesk.ID) (all []frontdesk.Call, err error) {
	err = inBatches(ids, func(some []frontdesk.ID) error {
		return s.each(ctx, "reading calls", selectCalls+`,
			(SELECT transcript FROM transcripts t WHERE t.tenant_id = calls.tenant_id AND t.live = calls.live AND t.call_id = calls.id)
			FROM calls WHERE tenant_id = $1 AND live = $2 AND id IN `+listed(3, len(some))+` ORDER BY id`, byID(owner, some), func(r row) error {
			var transcript []byte
			c, err := scanCall(r, &transcript)
			c.Transcript = transcript
			all = append(all, c)
			return err
		})
	})
	return all, err
}

// CallMark says that what a call left to do was seen to, and by whom. A zero Done
// takes it back.
type CallMark struct {
	By    frontdesk.Actor
	ID    frontdesk.ID
	Title string // what people call it, for the audit log
	Done  time.Time
}

// MarkCall marks one of the owner's calls. One that stands so already is left as it
// is.
func (s *Store) MarkCall(ctx context.Context, owner frontdesk.Owner, m CallMark) error {
	return s.transact(ctx, "marking a call", func(t *tx) error {
		done := sql.NullInt64{Int64: micros(m.Done), Valid: !m.Done.IsZero()}
		changed, err := t.exec(`UPDATE calls SET done_at = $4 WHERE tenant_id = $1 AND live = $2 AND id = $3 AND (done_at IS NULL) = $5`,
			string(owner.TenantID), owner.Live, string(m.ID), done, done.Valid)
		if err != nil {
			return err
		}
		if changed == 0 {
			found, err := t.row(`SELECT 1 FROM calls WHERE tenant_id = $1 AND live = $2 AND id = $3`,
				[]any{string(owner.TenantID), owner.Live, string(m.ID)}, new(int))
			if err == nil && !found {
				err = frontdesk.Missing("call")
			}
			return err
		}
		action := frontdesk.AuditCallDone
		if m.Done.IsZero() {
			action = frontdesk.AuditCallReopened
		}
		return t.audit(owner, m.By, change{action: action, id: string(m.ID), object: m.Title})
	})
}

// scanCall reads what selectCalls asks for, and more that comes after it.
func scanCall(r row, more ...any) (c frontdesk.Call, err error) {
	var startedAt int64
	var agentID, caller, number, captures sql.NullString
	var doneAt sql.NullInt64
	err = r.Scan(append([]any{
		&c.ID, &agentID, &startedAt, &c.Duration, &c.Language, &c.Outcome, &c.Channel,
		&caller, &number, &captures, (*[]byte)(&c.Summary), &c.Uncounted, &doneAt,
	}, more...)...)
	c.StartedAt, c.AgentID = fromMicros(startedAt), frontdesk.ID(agentID.String)
	c.Caller, c.Number = caller.String, number.String
	if doneAt.Valid {
		c.DoneAt = fromMicros(doneAt.Int64)
	}
	if captures.Valid {
		c.CaptureIDs = splitIDs(captures.String)
	}
	return c, err
}

func splitIDs(text string) []frontdesk.ID {
	ids := []frontdesk.ID{}
	for id := range strings.FieldsSeq(text) {
		ids = append(ids, frontdesk.ID(id))
	}
	return ids
}

func joinIDs(ids []frontdesk.ID) string {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(id))
	}
	return b.String()
}

// RecordCalls writes finished calls: each call, its transcript, its captures,
// its seconds in the usage of its month, its events and their deliveries, all in
// one transaction.
func (s *Store) RecordCalls(ctx context.Context, owner frontdesk.Owner, recordings ...Recording) error {
	return s.withWork(ctx, "recording a call", func(t *tx) error {
		return t.record(owner, recordings)
	})
}

func (t *tx) record(owner frontdesk.Owner, recordings []Recording) error {
	var calls []frontdesk.Call
	var captures []frontdesk.Capture
	for _, r := range recordings {
		if err := t.insertCall(owner, r.Call); err != nil {
			return err
		}
		for _, c := range r.Captures {
			if err := t.insertCapture(owner, c); err != nil {
				return err
			}
		}
		if err := t.insertUnanswered(owner, r.Call.AgentID, r.Unanswered, r.Call.StartedAt); err != nil {
			return err
		}
		calls, captures = append(calls, r.Call), append(captures, r.Captures...)
	}
	if err := t.indexWords(owner, calls); err != nil {
		return err
	}
	if err := t.tally(owner, calls, captures); err != nil {
		return err
	}
	if err := t.addUsage(owner, recordings); err != nil {
		return err
	}
	t.wroteCalls(owner, recordings)
	for _, r := range recordings {
		if err := t.insertNotices(owner, r.Notices); err != nil {
			return err
		}
		if err := t.emit(owner, r.Events); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) insertCall(owner frontdesk.Owner, c frontdesk.Call) error {
	captures := sql.NullString{String: joinIDs(c.CaptureIDs), Valid: c.CaptureIDs != nil}
	err := t.later(`INSERT INTO calls (tenant_id, live, `+callColumns+`, counted, tallied)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, TRUE)`,
		string(owner.TenantID), owner.Live, string(c.ID), maybeID(c.AgentID), micros(c.StartedAt), c.Duration,
		c.Language, string(c.Outcome), string(c.Channel),
		maybeText(c.Caller), maybeText(c.Number), captures, string(c.Summary), !c.Uncounted)
	if err != nil {
		return err
	}
	return t.later(`INSERT INTO transcripts (tenant_id, live, call_id, transcript) VALUES ($1, $2, $3, $4)`,
		string(owner.TenantID), owner.Live, string(c.ID), string(c.Transcript))
}

// CallTallies counts the owner's calls that began in [from, to) by quarter of
// an hour and by what they have in common. It looks at every one of them:
// Analytics does so only where there are no tallies to read.
func (s *Store) CallTallies(ctx context.Context, owner frontdesk.Owner, f frontdesk.AnalyticsFilter, from, to time.Time) ([]frontdesk.CallTally, error) {
	query := `SELECT started_at / 900000000, agent_id, channel, outcome, language, COUNT(*), SUM(duration_seconds)
		FROM calls WHERE tenant_id = $1 AND live = $2 AND started_at >= $3 AND started_at < $4`
	where, args := analyticsWhere(owner, f, from, to)
	var tallies []frontdesk.CallTally
	err := s.eachHeavy(ctx, &s.heavy.counting, "counting calls", query+where+` GROUP BY 1, 2, 3, 4, 5`, args, func(r row) error {
		var t frontdesk.CallTally
		var quarter int64
		var agentID sql.NullString
		err := r.Scan(&quarter, &agentID, &t.Channel, &t.Outcome, &t.Language, &t.Calls, &t.Seconds)
		t.Quarter, t.AgentID = fromQuarter(quarter), frontdesk.ID(agentID.String)
		tallies = append(tallies, t)
		return err
	})
	return tallies, err
}

// analyticsWhere is the rest of a WHERE that begins with the owner and a range
// of times, and its arguments.
func analyticsWhere(owner frontdesk.Owner, f frontdesk.AnalyticsFilter, from, to time.Time) (string, []any) {
	args := []any{string(owner.TenantID), owner.Live, micros(from), micros(to)}
	switch {
	case f.Channel != "" && f.AgentID != "":
		return ` AND channel = $5 AND agent_id = $6`, append(args, string(f.Channel), string(f.AgentID))
	case f.Channel != "":
		return ` AND channel = $5`, append(args, string(f.Channel))
	case f.AgentID != "":
		return ` AND agent_id = $5`, append(args, string(f.AgentID))
	}
	return "", args
}

func fromQuarter(n int64) time.Time {
	return time.Unix(n*int64(frontdesk.Quarter/time.Second), 0).UTC()
}

// maybeID keeps an absent id as NULL.
func maybeID(id frontdesk.ID) any {
	if id == "" {
		return nil
	}
	return string(id)
}
