package store

import (
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Conversation is one that is being held, or that has ended a short while ago.
// It is written with the first thing that its visitor says: Version counts what
// was said since, so that one which ended without a word has none. State is its
// holder's own; the store does not read it.
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
	TouchedAt time.Time     // when something was last said
	Lasted    time.Duration // that counts of it so far
	EndedAt   time.Time     // zero: it goes on
	Outcome   frontdesk.Outcome

	// Draft is the agent that is tried out in a rehearsal; "": it is none. A
	// rehearsal takes no place and no time of the plan.
	Draft Draft
}

// Rehearsal says whether an agent is tried out.
func (c Conversation) Rehearsal() bool { return c.Draft != "" }

const conversationColumns = `tenant_id, live, id, agent_id, channel, token, language, state, version, started_at, touched_at, ended_at, outcome, lasted, draft`

// ConversationByID finds a conversation by what its visitor has: the question
// that comes before we know whose it is. Whether the token fits is the caller's
// to check.
func (s *Store) ConversationByID(ctx context.Context, id frontdesk.ID) (Conversation, error) {
	return one(s.asking(ctx, "reading a conversation"), "conversation",
		`SELECT `+conversationColumns+` FROM conversations WHERE id = $1`, []any{string(id)}, scanConversation)
}

// OpenSeconds is how long the owner's conversations have lasted together that go
// on, and in which something was said since.
func (s *Store) OpenSeconds(ctx context.Context, owner frontdesk.Owner, since time.Time) (int, error) {
	var lasted int64
	err := s.row(ctx, "counting conversations",
		`SELECT COALESCE(SUM(lasted), 0) FROM conversations WHERE tenant_id = $1 AND live = $2 AND ended_at IS NULL AND draft IS NULL AND touched_at >= $3`,
		[]any{string(owner.TenantID), owner.Live, micros(since)}, &lasted)
	return int(time.Duration(lasted) * time.Microsecond / time.Second), err
}

// Places are those of an owner's plan for conversations: Most of them, or any
// number if it is 0. One is taken by every conversation that goes on and in
// which something was said since.
type Places struct {
	Most  int
	Since time.Time
}

// placesTaken counts the places that are taken, and no further than there are:
// it costs as much as the plan allows, whatever is open.
const placesTaken = `SELECT COUNT(*) FROM (SELECT 1 FROM conversations
	WHERE tenant_id = $1 AND live = $2 AND ended_at IS NULL AND draft IS NULL AND touched_at >= $3 LIMIT $4 + 0) taken`

// HasPlace says whether the owner has a place free at this moment.
func (s *Store) HasPlace(ctx context.Context, owner frontdesk.Owner, p Places) (bool, error) {
	if p.Most == 0 {
		return true, nil
	}
	var taken int
	err := s.row(ctx, "counting conversations", placesTaken, []any{string(owner.TenantID), owner.Live, micros(p.Since), p.Most}, &taken)
	return taken < p.Most, err
}

// Opening is what became of a conversation that was to be opened.
type Opening int

// The ways that an opening can go.
const (
	Opened Opening = iota + 1
	NoPlace
	OpenedBefore // by another message at the same time
)

// OpenConversation writes a new conversation with the first things said, if
// there is a place for it. Of many that open at once, no more do than there are
// places: who counts keeps the owner's other openings waiting until it is
// written.
func (s *Store) OpenConversation(ctx context.Context, owner frontdesk.Owner, c Conversation, turns []byte, p Places) (opening Opening, err error) {
	err = s.transact(ctx, "opening a conversation", func(t *tx) error {
		free, err := t.countPlaces(owner, p)
		if err != nil {
			return err
		}
		if !free {
			opening = NoPlace
			if known, err := t.knowsConversation(c.ID); err != nil || !known {
				return err
			}
			opening = OpenedBefore
			return nil
		}
		opening = Opened
		if written, err := t.insertConversation(owner, c, turns); err != nil || written {
			return err
		}
		opening = OpenedBefore
		return nil
	})
	return opening, err
}

func (t *tx) countPlaces(owner frontdesk.Owner, p Places) (free bool, err error) {
	if p.Most == 0 {
		return true, nil
	}
	if _, err := t.row(`SELECT 1 FROM tenants WHERE id = $1`+t.dialect.forUpdate, []any{string(owner.TenantID)}, new(int)); err != nil {
		return false, err
	}
	var taken int
	_, err = t.row(placesTaken, []any{string(owner.TenantID), owner.Live, micros(p.Since), p.Most}, &taken)
	return taken < p.Most, err
}

func (t *tx) knowsConversation(id frontdesk.ID) (bool, error) {
	return t.row(`SELECT version FROM conversations WHERE id = $1`, []any{string(id)}, new(int64))
}

// RecordConversation writes a conversation that has ended with the first thing
// its visitor said, together with the call that it was. It says whether it did:
// not when another message came first.
func (s *Store) RecordConversation(ctx context.Context, owner frontdesk.Owner, c Conversation, r Recording) (recorded bool, err error) {
	err = s.withWork(ctx, "recording a conversation", func(t *tx) error {
		if recorded, err = t.insertConversation(owner, c, nil); err != nil || !recorded {
			return err
		}
		return t.record(owner, []Recording{r})
	})
	return recorded && err == nil, err
}

// EndUnspoken writes down that a conversation has ended in which nothing was
// said. It says whether it did: not when a message came first.
func (s *Store) EndUnspoken(ctx context.Context, owner frontdesk.Owner, c Conversation) (ended bool, err error) {
	err = s.transact(ctx, "ending a conversation", func(t *tx) error {
		ended, err = t.insertConversation(owner, c, nil)
		return err
	})
	return ended && err == nil, err
}

// SaveConversation writes what one turn has made of a conversation. It says
// whether it did: not when another turn, or its end, came first.
func (s *Store) SaveConversation(ctx context.Context, owner frontdesk.Owner, c Conversation, turns []byte) (saved bool, err error) {
	changed, err := s.exec(ctx, "saving a conversation",
		`UPDATE conversations SET state = $5, turns = turns || $6, language = $7, touched_at = $8, lasted = $9, version = version + 1
		WHERE tenant_id = $1 AND live = $2 AND id = $3 AND version = $4 AND ended_at IS NULL`,
		string(owner.TenantID), owner.Live, string(c.ID), c.Version, string(c.State), string(turns), c.Language, micros(c.TouchedAt),
		c.Lasted.Microseconds())
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
// end, came first. So a call is recorded once, whoever ends it. What was said is
// kept with the call; of the state, what c has.
func (s *Store) CloseConversation(ctx context.Context, owner frontdesk.Owner, c Conversation, r Recording) (closed bool, err error) {
	err = s.withWork(ctx, "closing a conversation", func(t *tx) error {
		changed, err := t.exec(`UPDATE conversations SET state = $8, turns = '', language = $5, ended_at = $6, outcome = $7, version = version + 1
			WHERE tenant_id = $1 AND live = $2 AND id = $3 AND version = $4 AND ended_at IS NULL`,
			string(owner.TenantID), owner.Live, string(c.ID), c.Version, c.Language, micros(c.EndedAt), string(c.Outcome), string(c.State))
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

// EndRehearsal ends a rehearsal with the last things said. It says whether it
// did: not when another turn, or another end, came first, nor of a conversation
// that is none. There is no call: what was said stays with the conversation, and
// is forgotten with it.
func (s *Store) EndRehearsal(ctx context.Context, owner frontdesk.Owner, c Conversation, turns []byte) (ended bool, err error) {
	changed, err := s.exec(ctx, "ending a rehearsal",
		`UPDATE conversations SET state = $5, turns = turns || $6, language = $7, ended_at = $8, outcome = $9, version = version + 1
		WHERE tenant_id = $1 AND live = $2 AND id = $3 AND version = $4 AND ended_at IS NULL AND draft IS NOT NULL`,
		string(owner.TenantID), owner.Live, string(c.ID), c.Version, string(c.State), string(turns), c.Language, micros(c.EndedAt), string(c.Outcome))
	return changed > 0, err
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

// OpenOn is where a conversation is held, for who counts those that are.
type OpenOn struct {
	Channel frontdesk.Channel
	Live    bool
}

// OpenConversationsForWorker counts the conversations that have not ended, without
// rehearsals.
func (s *Store) OpenConversationsForWorker(ctx context.Context) (map[OpenOn]int, error) {
	open := map[OpenOn]int{}
	err := s.each(ctx, "counting open conversations",
		`SELECT channel, live, COUNT(*) FROM conversations WHERE ended_at IS NULL AND draft IS NULL GROUP BY channel, live`, nil, func(r row) error {
			var on OpenOn
			var n int
			err := r.Scan(&on.Channel, &on.Live, &n)
			open[on] = n
			return err
		})
	return open, err
}

// ForgetConversationsForWorker deletes some of those that ended before an
// instant, and says how many.
func (s *Store) ForgetConversationsForWorker(ctx context.Context, before time.Time, most int) (int64, error) {
	return s.exec(ctx, "forgetting conversations",
		`DELETE FROM conversations WHERE id IN
			(SELECT id FROM conversations WHERE ended_at IS NOT NULL AND ended_at < $1 ORDER BY ended_at LIMIT $2 + 0)`, micros(before), most)
}

// DropConversation deletes one of the owner's conversations, with its line.
func (s *Store) DropConversation(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) error {
	return s.transact(ctx, "dropping a conversation", func(t *tx) error {
		return t.forEach(owner, []frontdesk.ID{id}, deleteConversations)
	})
}

// insertConversation writes a conversation, unless it is there. Nothing is written for
// an agent that is not there any more: who has just read it may not know yet.
func (t *tx) insertConversation(owner frontdesk.Owner, c Conversation, turns []byte) (written bool, err error) {
	if err := t.keepAgent(owner, c.AgentID); err != nil {
		return false, err
	}
	changed, err := t.exec(`INSERT INTO conversations (`+conversationColumns+`, turns)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT DO NOTHING`,
		string(owner.TenantID), owner.Live, string(c.ID), string(c.AgentID), string(c.Channel), c.Token, c.Language, string(c.State), c.Version,
		micros(c.StartedAt), micros(c.TouchedAt), maybeMicros(c.EndedAt), string(c.Outcome), c.Lasted.Microseconds(),
		maybeText(string(c.Draft)), string(turns))
	return changed > 0, err
}

// keepAgent keeps an agent from being deleted until the end of the transaction. One
// that was is missing.
func (t *tx) keepAgent(owner frontdesk.Owner, agent frontdesk.ID) error {
	there, err := t.row(`SELECT 1 FROM agents WHERE tenant_id = $1 AND id = $2`+t.dialect.keepRow, []any{string(owner.TenantID), string(agent)}, new(int))
	if err == nil && !there {
		return frontdesk.Missing("agent")
	}
	return err
}

func scanConversation(r row) (c Conversation, err error) {
	var startedAt, touchedAt, lasted int64
	var endedAt sql.NullInt64
	var draft sql.NullString
	err = r.Scan(&c.Owner.TenantID, &c.Owner.Live, &c.ID, &c.AgentID, &c.Channel, &c.Token, &c.Language, &c.State, &c.Version,
		&startedAt, &touchedAt, &endedAt, &c.Outcome, &lasted, &draft)
	c.StartedAt, c.TouchedAt, c.EndedAt = fromMicros(startedAt), fromMicros(touchedAt), fromMaybeMicros(endedAt)
	c.Lasted = time.Duration(lasted) * time.Microsecond
	c.Draft = Draft(draft.String)
	return c, err
}
