package store_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func newConversation(owner frontdesk.Owner, agent frontdesk.ID, at time.Time) store.Conversation {
	at = at.UTC().Truncate(time.Microsecond)
	return store.Conversation{
		Owner: owner, ID: frontdesk.NewID(at), AgentID: agent, Channel: frontdesk.Web, Token: []byte("hash"), Language: "es",
		State: []byte(`{"n":0}`), Version: 1, StartedAt: at, TouchedAt: at, Lasted: 7 * time.Second,
	}
}

// someAgent is a new agent of an owner's.
func someAgent(t *testing.T, s *store.Store, owner frontdesk.Owner) frontdesk.ID {
	t.Helper()
	return newAgentCalled(t, s, owner.TenantID, "desk-"+string(frontdesk.NewID(day))[24:]).ID
}

// talk opens a conversation.
func talk(t *testing.T, s *store.Store, owner frontdesk.Owner, agent frontdesk.ID, at time.Time) store.Conversation {
	t.Helper()
	c := newConversation(owner, agent, at)
	if opening, err := s.OpenConversation(ctx, owner, c, []byte("hello\n"), store.Places{Most: 1000, Since: at}); err != nil || opening != store.Opened {
		t.Fatalf("got %v, %v", opening, err)
	}
	return c
}

// ending is a conversation as it ends, and the call that it was.
func ending(c store.Conversation, at time.Time) (store.Conversation, store.Recording) {
	c.EndedAt, c.Outcome, c.Language = at, frontdesk.Info, "en"
	r := recording(c.StartedAt, 60, 0)
	r.Call.ID, r.Call.Outcome = c.ID, c.Outcome
	return c, r
}

func TestAConversationFromTurnToTurn(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c := talk(t, s, owner, someAgent(t, s, owner), day)
	if got, err := s.ConversationByID(ctx, c.ID); err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("got %+v, %v; want %+v", got, err, c)
	}
	next := c
	next.State, next.Language, next.TouchedAt, next.Lasted = []byte(`{"n":1}`), "en", c.TouchedAt.Add(time.Second), 8*time.Second
	if saved, err := s.SaveConversation(ctx, owner, next, []byte("one\n")); err != nil || !saved {
		t.Fatalf("got %v, %v", saved, err)
	}
	if saved, err := s.SaveConversation(ctx, owner, next, []byte("the same again\n")); err != nil || saved {
		t.Errorf("a state that was left behind is gone on from: %v, %v", saved, err)
	}
	next.Version++
	if got, err := s.ConversationByID(ctx, c.ID); err != nil || !reflect.DeepEqual(got, next) {
		t.Errorf("got %+v, %v; want %+v", got, err, next)
	}
	if turns, err := s.ConversationTurns(ctx, owner, c.ID); err != nil || string(turns) != "hello\none\n" {
		t.Errorf("said %q, %v", turns, err)
	}

	old, r := ending(c, day.Add(time.Minute))
	if closed, err := s.CloseConversation(ctx, owner, old, r); err != nil || closed {
		t.Errorf("one that has gone on is closed: %v, %v", closed, err)
	}
	end, r := ending(next, day.Add(time.Minute))
	end.State = []byte("last word")
	if closed, err := s.CloseConversation(ctx, owner, end, r); err != nil || !closed {
		t.Fatalf("got %v, %v", closed, err)
	}
	end.Version++
	if closed, err := s.CloseConversation(ctx, owner, end, r); err != nil || closed {
		t.Errorf("closed twice: %v, %v", closed, err)
	}
	if saved, err := s.SaveConversation(ctx, owner, end, nil); err != nil || saved {
		t.Errorf("one that has ended goes on: %v, %v", saved, err)
	}
	got, err := s.ConversationByID(ctx, c.ID)
	if err != nil || string(got.State) != "last word" || got.Outcome != frontdesk.Info || got.Language != "en" || !got.EndedAt.Equal(end.EndedAt.Truncate(time.Microsecond)) {
		t.Errorf("got %+v, %v", got, err)
	}
	if turns, err := s.ConversationTurns(ctx, owner, c.ID); err != nil || len(turns) != 0 {
		t.Errorf("kept %q, %v", turns, err)
	}
	if call, err := s.Call(ctx, owner, c.ID); err != nil || call.Outcome != frontdesk.Info {
		t.Errorf("recorded %+v, %v", call, err)
	}
}

func TestAMissingConversation(t *testing.T) {
	t.Parallel()
	_, err := storetest.New(t).ConversationByID(ctx, frontdesk.NewID(day))
	isMissing(t, err)
}

// When the call cannot be recorded, the conversation has not ended.
func TestClosingIsWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c := talk(t, s, owner, someAgent(t, s, owner), day)
	taken := recording(day, 60, 0)
	taken.Call.ID = c.ID
	record(t, s, owner, taken)
	end, r := ending(c, day)
	if closed, err := s.CloseConversation(ctx, owner, end, r); err == nil || closed {
		t.Errorf("got %v, %v", closed, err)
	}
	if got, err := s.ConversationByID(ctx, c.ID); err != nil || !got.EndedAt.IsZero() || !bytes.Equal(got.State, c.State) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestManyCloseOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c := talk(t, s, owner, someAgent(t, s, owner), day)
	var closed atomic.Int64
	for _, err := range atOnce(20, func(int) error {
		end, r := ending(c, day)
		done, err := s.CloseConversation(ctx, owner, end, r)
		if done {
			closed.Add(1)
		}
		return err
	}) {
		t.Error(err)
	}
	used, err := s.Usage(ctx, owner, "2000-01")
	if err != nil || closed.Load() != 1 || len(used) != 1 || used[0].Calls != 1 {
		t.Errorf("closed %d times, used %v, %v", closed.Load(), used, err)
	}
}

// However many open at once, no more do than there are places, and those in
// which nothing is said keep nobody out.
func TestNoMoreOpenThanAllowed(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	talk(t, s, owner, someAgent(t, s, owner), day.Add(-time.Hour)) // silent
	places := store.Places{Most: 3, Since: day.Add(-time.Minute)}
	open := func(c store.Conversation) (store.Opening, error) {
		return s.OpenConversation(ctx, owner, c, nil, places)
	}
	if free, err := s.HasPlace(ctx, owner, places); err != nil || !free {
		t.Errorf("got %v, %v", free, err)
	}
	var opened atomic.Int64
	for _, err := range atOnce(20, func(int) error {
		opening, err := open(newConversation(owner, someAgent(t, s, owner), day))
		if opening == store.Opened {
			opened.Add(1)
		} else if opening != store.NoPlace {
			t.Errorf("got %v", opening)
		}
		return err
	}) {
		t.Error(err)
	}
	if opened.Load() != 3 {
		t.Errorf("%d were opened", opened.Load())
	}
	if free, err := s.HasPlace(ctx, owner, places); err != nil || free {
		t.Errorf("got %v, %v", free, err)
	}
	places.Most = 0
	if free, err := s.HasPlace(ctx, owner, places); err != nil || !free {
		t.Errorf("a plan without a limit: %v, %v", free, err)
	}
	if opening, err := open(newConversation(owner, someAgent(t, s, owner), day)); err != nil || opening != store.Opened {
		t.Errorf("a plan without a limit: %v, %v", opening, err)
	}
}

// The first messages of one conversation, at once, open it once: whether there
// is a place left or not.
func TestOneConversationOpensOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c := newConversation(owner, someAgent(t, s, owner), day)
	var got [4]atomic.Int64
	for _, err := range atOnce(20, func(int) error {
		opening, err := s.OpenConversation(ctx, owner, c, []byte("hello\n"), store.Places{Most: 1, Since: day})
		got[opening].Add(1)
		return err
	}) {
		t.Error(err)
	}
	if got[store.Opened].Load() != 1 || got[store.OpenedBefore].Load() != 19 {
		t.Errorf("%d opened it, %d found it open, %d found no place", got[store.Opened].Load(), got[store.OpenedBefore].Load(), got[store.NoPlace].Load())
	}
	if turns, err := s.ConversationTurns(ctx, owner, c.ID); err != nil || string(turns) != "hello\n" {
		t.Errorf("said %q, %v", turns, err)
	}
	end, r := ending(c, day)
	if recorded, err := s.RecordConversation(ctx, owner, end, r); err != nil || recorded {
		t.Errorf("recorded beside it: %v, %v", recorded, err)
	}
	if ended, err := s.EndUnspoken(ctx, owner, end); err != nil || ended {
		t.Errorf("ended beside it: %v, %v", ended, err)
	}
	if calls, err := s.Calls(ctx, owner, frontdesk.CallFilter{}, frontdesk.Page{Limit: 10}); err != nil || len(calls.Items) != 0 {
		t.Errorf("recorded %v, %v", calls.Items, err)
	}
}

func TestOpenConversationsCountTheirSeconds(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	for i := range 3 {
		c := talk(t, s, owner, someAgent(t, s, owner), day)
		c.Lasted = time.Duration(i) * 1500 * time.Millisecond
		if _, err := s.SaveConversation(ctx, owner, c, nil); err != nil {
			t.Fatal(err)
		}
	}
	if seconds, err := s.OpenSeconds(ctx, owner, day); err != nil || seconds != 4 {
		t.Errorf("got %d, %v", seconds, err)
	}
	if seconds, err := s.OpenSeconds(ctx, owner, day.Add(time.Second)); err != nil || seconds != 0 {
		t.Errorf("silent ones: %d, %v", seconds, err)
	}
}

func TestSilentOnesAndOldOnes(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	var all []store.Conversation
	for i := range 4 {
		all = append(all, talk(t, s, owner, someAgent(t, s, owner), day.Add(time.Duration(i)*time.Minute)))
	}
	end, r := ending(all[0], day.Add(time.Hour))
	if _, err := s.CloseConversation(ctx, owner, end, r); err != nil {
		t.Fatal(err)
	}
	silent, err := s.SilentForWorker(ctx, all[3].TouchedAt, store.Conversation{}, 10)
	if err != nil || len(silent) != 2 || silent[0].ID != all[1].ID || silent[1].ID != all[2].ID || silent[0].Owner != owner {
		t.Errorf("got %+v, %v", silent, err)
	}
	var last store.Conversation
	for _, want := range []frontdesk.ID{all[1].ID, all[2].ID} {
		few, err := s.SilentForWorker(ctx, all[3].TouchedAt, last, 1)
		if err != nil || len(few) != 1 || few[0].ID != want {
			t.Fatalf("got %+v, %v", few, err)
		}
		last = few[0]
	}
	if none, err := s.SilentForWorker(ctx, all[3].TouchedAt, last, 1); err != nil || len(none) != 0 {
		t.Errorf("got %+v, %v", none, err)
	}
	for i, want := range []int64{0, 1, 0} {
		n, err := s.ForgetConversationsForWorker(ctx, day.Add(time.Hour+time.Duration(i)*time.Second), 10)
		if err != nil || n != want {
			t.Errorf("forgot %d, %v; want %d", n, err, want)
		}
	}
	_, err = s.ConversationByID(ctx, all[0].ID)
	isMissing(t, err)
	if _, err := s.ConversationByID(ctx, all[1].ID); err != nil {
		t.Error(err)
	}
}

// A conversation of one message and its call are there together, once.
func TestRecordingAtOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c, r := ending(newConversation(owner, someAgent(t, s, owner), day), day)
	if recorded, err := s.RecordConversation(ctx, owner, c, r); err != nil || !recorded {
		t.Fatalf("got %v, %v", recorded, err)
	}
	if recorded, err := s.RecordConversation(ctx, owner, c, r); err != nil || recorded {
		t.Errorf("twice: %v, %v", recorded, err)
	}
	if got, err := s.ConversationByID(ctx, c.ID); err != nil || got.EndedAt.IsZero() || got.Outcome != frontdesk.Info {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := s.Call(ctx, owner, c.ID); err != nil {
		t.Error(err)
	}
	if used, err := s.Usage(ctx, owner, "2000-01"); err != nil || len(used) != 1 || used[0].Calls != 1 {
		t.Errorf("used %v, %v", used, err)
	}
}

// One that ended without a word is no call.
func TestEndingWithoutAWord(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c := newConversation(owner, someAgent(t, s, owner), day)
	c.State, c.Version, c.Lasted, c.EndedAt, c.Outcome = nil, 0, 0, day, frontdesk.Abandoned
	for i, want := range []bool{true, false} {
		if ended, err := s.EndUnspoken(ctx, owner, c); err != nil || ended != want {
			t.Errorf("time %d: %v, %v", i, ended, err)
		}
	}
	if got, err := s.ConversationByID(ctx, c.ID); err != nil || got.Version != 0 || !got.EndedAt.Equal(day) || got.Outcome != frontdesk.Abandoned {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err := s.Call(ctx, owner, c.ID)
	isMissing(t, err)
}

// What every turn asks has its index, however many conversations there are.
func TestConversationsHaveTheirIndices(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	fillConversations(t, s, owner)
	texts := tellingStore(t)
	me := []any{string(owner.TenantID), owner.Live}
	position := string(frontdesk.NewID(day))
	tests := map[string]struct {
		ask   func(*store.Store) error
		args  []any
		index string
	}{
		"one conversation": {func(s *store.Store) error {
			_, err := s.ConversationByID(ctx, frontdesk.ID(position))
			return ignoreMissing(err)
		}, []any{position}, "conversations_by_id"},
		"what was said": {func(s *store.Store) error {
			_, err := s.ConversationTurns(ctx, owner, frontdesk.ID(position))
			return ignoreMissing(err)
		}, append(me[:2:2], position), "conversations_pkey conversations_by_id"},
		"how long open ones have lasted": {func(s *store.Store) error {
			_, err := s.OpenSeconds(ctx, owner, day)
			return err
		}, append(me[:2:2], micros(day)), "conversations_calling"},
		"places": {func(s *store.Store) error {
			_, err := s.HasPlace(ctx, owner, store.Places{Most: 5, Since: day})
			return err
		}, append(me[:2:2], micros(day), 5), "conversations_calling"},
		"silent ones": {func(s *store.Store) error {
			_, err := s.SilentForWorker(ctx, day, store.Conversation{ID: frontdesk.ID(position), TouchedAt: day.Add(-time.Hour)}, 10)
			return err
		}, []any{micros(day), micros(day.Add(-time.Hour)), position, 10}, "conversations_silent"},
		"the captures of a call": {func(s *store.Store) error {
			_, err := s.CapturesOfCall(ctx, owner, frontdesk.ID(position))
			return err
		}, append(me[:2:2], position), "captures_by_call"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			before := texts.Asked()
			if err := tt.ask(texts); err != nil {
				t.Fatal(err)
			}
			asked := slices.DeleteFunc(texts.Asked(), func(q string) bool { return slices.Contains(before, q) })
			if len(asked) != 1 {
				t.Fatalf("asked %d questions: %q", len(asked), asked)
			}
			for _, plan := range plans(t, s, asked[0], tt.args) {
				if !slices.ContainsFunc(strings.Fields(tt.index), func(index string) bool { return uses(plan, index) }) {
					t.Errorf("%s is not used:\n%s\n%s", tt.index, asked[0], plan)
				}
			}
		})
	}
}

// fillConversations gives the owner and another tenant 20,000 conversations
// each, of which few are open, and captures of as many calls.
func fillConversations(t *testing.T, s *store.Store, owner frontdesk.Owner) {
	t.Helper()
	if !storetest.IsPostgres() {
		return
	}
	const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)`
	for nth, o := range []frontdesk.Owner{owner, {TenantID: storetest.Tenant(t, s, "other").ID, Live: true}} {
		id := fmt.Sprintf(`('01900000-0000-7000-8000-' || lpad(to_hex(i + %d), 12, '0'))::uuid`, nth*100_000)
		at := fmt.Sprintf("%d + i * CAST(1000000 AS BIGINT)", day.Add(-5*time.Hour).UnixMicro())
		tenant := fmt.Sprintf("'%s'::uuid, %v", o.TenantID, o.Live)
		for _, statement := range []string{
			`INSERT INTO conversations (tenant_id, live, id, agent_id, channel, token, language, state, turns, version, started_at, touched_at, ended_at, outcome) ` + numbers + `
			SELECT ` + tenant + `, ` + id + `, ` + id + `, 'web', 'token', 'es', '', '', 3, ` + at + `, ` + at + `, CASE WHEN i % 100 > 0 THEN ` + at + ` END, 'info' FROM n`,
			`INSERT INTO captures (tenant_id, live, id, call_id, channel, kind, customer_name, customer_phone, service, confirmation_code, status, created_at) ` + numbers + `
			SELECT ` + tenant + `, ` + id + `, ` + id + `, 'web', 'lead', 'Ana', '+34600000001', 'Mesa', 'ACDEFG', 'confirmed', ` + at + ` FROM n`,
		} {
			if _, err := s.Beside().Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	analyze(t, s, "conversations", "captures")
}

// Nothing is written of a conversation whose agent is not there, whoever opens it and
// however it ends.
func TestAConversationWithoutItsAgent(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	other := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "other").ID, Live: true}
	for name, agent := range map[string]frontdesk.ID{"of nobody": frontdesk.NewID(day), "of somebody else": someAgent(t, s, other)} {
		c := newConversation(owner, agent, day)
		end, r := ending(c, day)
		for how, write := range map[string]func() error{
			"opened":         func() error { _, err := s.OpenConversation(ctx, owner, c, nil, store.Places{}); return err },
			"on a line":      func() error { _, err := s.OpenLine(ctx, owner, "line", c, nil, store.Places{}); return err },
			"recorded":       func() error { _, err := s.RecordConversation(ctx, owner, end, r); return err },
			"a line's end":   func() error { _, err := s.RecordLine(ctx, owner, "line", end, r); return err },
			"without a word": func() error { _, err := s.EndUnspoken(ctx, owner, end); return err },
		} {
			isMissing(t, write())
			if _, err := s.ConversationByID(ctx, c.ID); err == nil {
				t.Errorf("the agent is %s, %s: the conversation is written", name, how)
			}
			if _, err := s.Call(ctx, owner, c.ID); err == nil {
				t.Errorf("the agent is %s, %s: the call is written", name, how)
			}
			if _, err := s.LineConversation(ctx, owner, "line"); err == nil {
				t.Errorf("the agent is %s, %s: the line is written", name, how)
			}
		}
	}
}
