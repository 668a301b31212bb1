package store

import (
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Conversation is one that is being held, or that has ended a short while ago.
// State is its holder's own; the store does not read it.
type Conversation struct {
	Owner     frontdesk.Owner
	ID        frontdesk.ID
	AgentID   frontdesk.ID
	Channel   frontdesk.Channel
	Token     []byte // SHA-256 of what its visitor holds
	Language  string
	State     []byte
	Version   int64
	StartedAt time.Time
	TouchedAt time.Time // when something was last said
	EndedAt   time.Time // zero: it goes on
	Outcome   frontdesk.Outcome
}

const conversationColumns = `tenant_id, live, id, agent_id, channel, token, language, state, version, started_at, touched_at, ended_at, outcome`

// ConversationByID finds a conversation by what its visitor has: the question
// that comes before we know whose it is. Whether the token fits is the caller's
// to check.
func (s *Store) ConversationByID(ctx context.Context, id frontdesk.ID) (Conversation, error) {
	return one(s.asking(ctx, "reading a conversation"), "conversation",
		`SELECT `+conversationColumns+` FROM conversations WHERE id = $1`, []any{string(id)}, scanConversation)
}

// OpenCalls is what an owner's conversations amount to that go on.
type OpenCalls struct {
	Count   int
	Seconds int // that they have lasted
}

// OpenCalls counts the owner's conversations in which something was said since.
func (s *Store) OpenCalls(ctx context.Context, owner frontdesk.Owner, since time.Time) (OpenCalls, error) {
	return openCalls(s.asking(ctx, "counting conversations"), owner, since)
}

func openCalls(ask asks, owner frontdesk.Owner, since time.Time) (OpenCalls, error) {
	return one(ask, "conversation",
		`SELECT COUNT(*), COALESCE(SUM(touched_at - started_at), 0) FROM conversations
		WHERE tenant_id = $1 AND live = $2 AND ended_at IS NULL AND touched_at >= $3`,
		[]any{string(owner.TenantID), owner.Live, micros(since)}, func(r row) (o OpenCalls, err error) {
			var lasted int64
			err = r.Scan(&o.Count, &lasted)
			o.Seconds = int(time.Duration(lasted) * time.Microsecond / time.Second)
			return o, err
		})
}

// OpenConversation writes a new conversation with the first thing said, if the
// owner has fewer than most in which something was said since. Of many that
// open at once, no more than that do.
func (s *Store) OpenConversation(ctx context.Context, owner frontdesk.Owner, c Conversation, turns []byte, most int, since time.Time) (opened bool, err error) {
	err = s.transact(ctx, "opening a conversation", func(t *tx) error {
		if _, err := t.row(`SELECT 1 FROM tenants WHERE id = $1`+t.dialect.forUpdate, []any{string(owner.TenantID)}, new(int)); err != nil {
			return err
		}
		open, err := openCalls(t.each, owner, since)
		if err != nil || open.Count >= most {
			return err
		}
		opened = true
		return t.insertConversation(owner, c, turns)
	})
	return opened && err == nil, err
}

// RefuseConversation writes a conversation that has ended before it began,
// together with the call that tells of it.
func (s *Store) RefuseConversation(ctx context.Context, owner frontdesk.Owner, c Conversation, r Recording) error {
	return s.withWork(ctx, "refusing a conversation", func(t *tx) error {
		if err := t.insertConversation(owner, c, nil); err != nil {
			return err
		}
		return t.record(owner, []Recording{r})
	})
}

// SaveConversation writes what one turn has made of a conversation. It says
// whether it did: not when another turn, or its end, came first.
func (s *Store) SaveConversation(ctx context.Context, owner frontdesk.Owner, c Conversation, turns []byte) (saved bool, err error) {
	changed, err := s.exec(ctx, "saving a conversation",
		`UPDATE conversations SET state = $5, turns = turns || $6, language = $7, touched_at = $8, version = version + 1
		WHERE tenant_id = $1 AND live = $2 AND id = $3 AND version = $4 AND ended_at IS NULL`,
		string(owner.TenantID), owner.Live, string(c.ID), c.Version, string(c.State), string(turns), c.Language, micros(c.TouchedAt))
	return changed > 0, err
}

// ConversationTurns is all that was said in one of the owner's conversations, as
// it was written.
func (s *Store) ConversationTurns(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) ([]byte, error) {
	return one(s.asking(ctx, "reading a conversation"), "conversation",
		`SELECT turns FROM conversations WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		[]any{string(owner.TenantID), owner.Live, string(id)}, func(r row) (turns []byte, err error) {
			err = r.Scan(&turns)
			return turns, err
		})
}

// CloseConversation ends a conversation and records the call that it was, in
// one transaction. It says whether it did: not when another turn, or another
// end, came first. So a call is recorded once, whoever ends it.
func (s *Store) CloseConversation(ctx context.Context, owner frontdesk.Owner, c Conversation, r Recording) (closed bool, err error) {
	err = s.withWork(ctx, "closing a conversation", func(t *tx) error {
		changed, err := t.exec(`UPDATE conversations SET state = '', turns = '', language = $5, ended_at = $6, outcome = $7, version = version + 1
			WHERE tenant_id = $1 AND live = $2 AND id = $3 AND version = $4 AND ended_at IS NULL`,
			string(owner.TenantID), owner.Live, string(c.ID), c.Version, c.Language, micros(c.EndedAt), string(c.Outcome))
		if err != nil {
			return err
		}
		if changed == 0 {
			return nil
		}
		closed = true
		return t.record(owner, []Recording{r})
	})
	return closed && err == nil, err
}

// SilentForWorker lists conversations in which nothing was said since an
// instant, the longest silent first: a page of them, after the last of the page
// before or, for the first page, after the zero Conversation.
func (s *Store) SilentForWorker(ctx context.Context, since time.Time, after Conversation, most int) ([]Conversation, error) {
	if after.ID == "" {
		after.ID = frontdesk.FirstIDAt(time.Unix(0, 0))
	}
	var all []Conversation
	err := s.each(ctx, "looking for silent conversations",
		`SELECT `+conversationColumns+` FROM conversations
		WHERE ended_at IS NULL AND touched_at < $1 AND (touched_at, id) > ($2, $3) ORDER BY touched_at, id LIMIT $4 + 0`,
		[]any{micros(since), micros(after.TouchedAt), string(after.ID), most}, func(r row) error {
			c, err := scanConversation(r)
			all = append(all, c)
			return err
		})
	return all, err
}

// ForgetConversationsForWorker deletes some of those that ended before an
// instant, and says how many.
func (s *Store) ForgetConversationsForWorker(ctx context.Context, before time.Time, most int) (int64, error) {
	return s.exec(ctx, "forgetting conversations",
		`DELETE FROM conversations WHERE id IN
			(SELECT id FROM conversations WHERE ended_at IS NOT NULL AND ended_at < $1 ORDER BY ended_at LIMIT $2 + 0)`, micros(before), most)
}

func (t *tx) insertConversation(owner frontdesk.Owner, c Conversation, turns []byte) error {
	_, err := t.exec(`INSERT INTO conversations (`+conversationColumns+`, turns)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		string(owner.TenantID), owner.Live, string(c.ID), string(c.AgentID), string(c.Channel), c.Token, c.Language, string(c.State), c.Version,
		micros(c.StartedAt), micros(c.TouchedAt), maybeMicros(c.EndedAt), string(c.Outcome), string(turns))
	return err
}

func scanConversation(r row) (c Conversation, err error) {
	var startedAt, touchedAt int64
	var endedAt sql.NullInt64
	err = r.Scan(&c.Owner.TenantID, &c.Owner.Live, &c.ID, &c.AgentID, &c.Channel, &c.Token, &c.Language, &c.State, &c.Version,
		&startedAt, &touchedAt, &endedAt, &c.Outcome)
	c.StartedAt, c.TouchedAt, c.EndedAt = fromMicros(startedAt), fromMicros(touchedAt), fromMaybeMicros(endedAt)
	return c, err
}
