package reception_test

import (
	"errors"
	"testing"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

// left counts the rows of the tenant that a conversation may write.
func (f *front) left() (n int) {
	f.t.Helper()
	for _, table := range []string{"conversations", "lines", "calls", "transcripts", "captures", "holds", "events", "notices", "unanswered_of_agents"} {
		var rows int
		must(f.t, f.database().QueryRow(`SELECT COUNT(*) FROM `+table+` WHERE tenant_id = $1`, string(f.tenant.ID)).Scan(&rows))
		n += rows
	}
	return n
}

func (f *front) deleteAgent() {
	f.t.Helper()
	for more := true; more; {
		var err error
		more, err = f.store.DeleteAgentForWorker(ctx, frontdesk.Actor{}, f.agent, 1)
		must(f.t, err)
	}
}

func (f *front) deleteTenant() {
	f.t.Helper()
	for more := true; more; {
		var err error
		more, err = f.store.DeleteTenantForWorker(ctx, f.tenant.ID, 1)
		must(f.t, err)
	}
}

// Whose receptionist is deleted, or the whole business, is told so, however far the
// conversation was, and nothing is written any more: not even by a node that still has
// both in its memory.
func TestAReceptionistThatIsDeleted(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*front){"the agent": (*front).deleteAgent, "the tenant": (*front).deleteTenant} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t)
			looks, talks, books, leaves := f.start(), f.start(), f.start(), f.start()
			talks.say("hola")
			leaves.say("hola")
			books.untilAsked(conversation.SlotConfirm)
			rings := f.connect(f.ring("twilio CA1"))
			remove(f)
			for who, c := range map[string]*caller{"who has said nothing": looks, "who talks": talks, "who confirms": books, "on the telephone": rings} {
				r, err := c.sessions.Hear(ctx, c.id, c.token, conversation.Input{Kind: conversation.Text, Text: "sí"})
				if isNotFound(t, err); err == nil || errors.Is(err, reception.ErrHeldElsewhere) {
					t.Errorf("%s hears %q, %v", who, r.Text, err)
				}
			}
			_, err := f.sessions.End(ctx, leaves.id, leaves.token)
			isNotFound(t, err)
			_, err = f.sessions.Ring(ctx, reception.Ringing{Owner: f.owner, AgentID: f.agent.ID, Line: "twilio CA2", Number: "+34911000000"})
			isNotFound(t, err)
			f.clock.Forward(silent)
			must(t, f.sessions.Sweep(ctx))
			if n := f.left(); n > 0 {
				t.Errorf("%d rows were written", n)
			}
		})
	}
}

// Who holds a call with a token that was replaced is told that from a call that is gone.
func TestACallThatIsHeldElsewhere(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.connect(f.ring("twilio CA1"))
	f.ring("twilio CA1")
	_, err := f.sessions.Hear(ctx, c.id, c.token, conversation.Input{Kind: conversation.Text, Text: "hola"})
	if isNotFound(t, err); !errors.Is(err, reception.ErrHeldElsewhere) {
		t.Errorf("got %v", err)
	}
}

// A conversation that was left behind by a receptionist does not fail every sweep.
func TestAnOrphanIsSwept(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.start().say("hola")
	f.connect(f.ring("trunk 1")).say("hola")
	_, err := f.database().Exec(`DELETE FROM agents WHERE id = $1`, string(f.agent.ID))
	must(t, err)
	f.clock.Forward(silent)
	_, err = f.sessions.EndLost(ctx, "trunk", f.clock.Now())
	must(t, err)
	must(t, f.sessions.Sweep(ctx))
	if n := f.left(); n > 0 {
		t.Errorf("%d rows are left", n)
	}
}
