package store

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// OpenLine is OpenConversation for a call on the telephone. A line is a carrier's
// name for one call: of all who open the conversation of a line, the first does.
func (s *Store) OpenLine(ctx context.Context, owner frontdesk.Owner, line string, c Conversation, turns []byte, p Places) (opening Opening, err error) {
	err = s.transact(ctx, "opening a line", func(t *tx) error {
		opening = OpenedBefore
		if known, err := t.row(`SELECT 1 FROM lines WHERE tenant_id = $1 AND live = $2 AND line = $3`,
			[]any{string(owner.TenantID), owner.Live, line}, new(int)); err != nil || known {
			return err
		}
		free, err := t.countPlaces(owner, p)
		if err != nil {
			return err
		}
		opening = NoPlace
		if !free {
			return nil
		}
		taken, err := t.takeLine(owner, line, c)
		if err != nil {
			return err
		}
		if opening = OpenedBefore; !taken {
			return nil
		}
		opening = Opened
		_, err = t.insertConversation(owner, c, turns)
		return err
	})
	return opening, err
}

// RecordLine is RecordConversation for a call on the telephone that ends as it
// begins.
func (s *Store) RecordLine(ctx context.Context, owner frontdesk.Owner, line string, c Conversation, r Recording) (recorded bool, err error) {
	err = s.withWork(ctx, "recording a line", func(t *tx) error {
		if recorded, err = t.takeLine(owner, line, c); err != nil || !recorded {
			return err
		}
		if _, err = t.insertConversation(owner, c, nil); err != nil {
			return err
		}
		return t.record(owner, []Recording{r})
	})
	return recorded && err == nil, err
}

func (t *tx) takeLine(owner frontdesk.Owner, line string, c Conversation) (taken bool, err error) {
	if err := t.keepAgent(owner, c.AgentID); err != nil {
		return false, err
	}
	changed, err := t.exec(`INSERT INTO lines (line, tenant_id, live, conversation_id, started_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
		line, string(owner.TenantID), owner.Live, string(c.ID), micros(c.StartedAt))
	return changed > 0, err
}

// LineConversation is the conversation of one of the owner's lines.
func (s *Store) LineConversation(ctx context.Context, owner frontdesk.Owner, line string) (Conversation, error) {
	return one(s.asking(ctx, "reading a line"), "call",
		`SELECT `+conversationColumns+` FROM conversations WHERE tenant_id = $1 AND live = $2
			AND id = (SELECT conversation_id FROM lines WHERE tenant_id = $1 AND live = $2 AND line = $3)`,
		[]any{string(owner.TenantID), owner.Live, line}, scanConversation)
}

// RenewToken gives a conversation of the owner's another token, in the place of one.
// It says whether it did: not when it has another one by now, or has ended.
func (s *Store) RenewToken(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID, old, renewed []byte) (bool, error) {
	changed, err := s.exec(ctx, "renewing a token",
		`UPDATE conversations SET token = $5 WHERE tenant_id = $1 AND live = $2 AND id = $3 AND token = $4 AND ended_at IS NULL`,
		string(owner.TenantID), owner.Live, string(id), old, renewed)
	return changed > 0, err
}

// OpenLinesForWorker lists conversations that go on, on lines whose names begin with a
// prefix and that were opened between two instants: a page of them, in order of their
// ids after one.
func (s *Store) OpenLinesForWorker(ctx context.Context, prefix string, since, before time.Time, after frontdesk.ID, most int) (all []Conversation, err error) {
	if after == "" {
		after = frontdesk.FirstIDAt(time.Unix(0, 0))
	}
	err = s.each(ctx, "looking for open lines",
		`SELECT `+conversationColumns+` FROM conversations WHERE ended_at IS NULL AND id > $5 AND id IN
			(SELECT conversation_id FROM lines WHERE started_at >= $1 AND started_at < $2 AND substr(line, 1, CAST($3 AS INTEGER)) = $4)
		ORDER BY id LIMIT $6 + 0`,
		[]any{micros(since), micros(before), len(prefix), prefix, string(after), most}, func(r row) error {
			c, err := scanConversation(r)
			all = append(all, c)
			return err
		})
	return all, err
}

// ForgetLinesForWorker deletes some of the lines that began before an instant, and
// says how many.
func (s *Store) ForgetLinesForWorker(ctx context.Context, before time.Time, most int) (int64, error) {
	return s.exec(ctx, "forgetting lines",
		`DELETE FROM lines WHERE (tenant_id, live, line) IN (SELECT tenant_id, live, line FROM lines WHERE started_at < $1 ORDER BY started_at LIMIT $2 + 0)`, micros(before), most)
}
