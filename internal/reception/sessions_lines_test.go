package reception_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

func (f *front) ring(line string, change ...func(*reception.Ringing)) reception.OnLine {
	f.t.Helper()
	r := reception.Ringing{
		Owner: f.owner, AgentID: f.agent.ID, Line: line, Caller: "+34612345678", Number: "+34911000000", Transfer: true,
	}
	for _, c := range change {
		c(&r)
	}
	on, err := f.sessions.Ring(ctx, r)
	must(f.t, err)
	return on
}

// connect takes a call up as its carrier does.
func (f *front) connect(on reception.OnLine) *caller {
	f.t.Helper()
	got, err := f.sessions.Connect(ctx, on.ID, on.Token.Reveal(), "+34911000000")
	must(f.t, err)
	return &caller{front: f, id: got.ID, token: got.Token.Reveal(), last: got.Reply}
}

func (c *caller) hear(in conversation.Input) reception.Reply {
	c.t.Helper()
	r, err := c.sessions.Hear(ctx, c.id, c.token, in)
	must(c.t, err)
	c.last = r
	if r.Capture != nil {
		c.capture = r.Capture
	}
	return r
}

func (f *front) call(id frontdesk.ID) frontdesk.Call {
	f.t.Helper()
	c, err := f.store.Call(ctx, f.owner, id)
	must(f.t, err)
	return c
}

func TestACallIsBegunOnce(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	first := f.ring("twilio CA1")
	again := f.ring("twilio CA1")
	if first.ID != again.ID || first.Token == again.Token {
		t.Errorf("the call was begun as %s and as %s", first.ID, again.ID)
	}
	if _, err := f.sessions.Connect(ctx, first.ID, first.Token.Reveal(), "+34911000000"); err == nil {
		t.Error("a token that was replaced opens the call")
	}
	c := f.connect(again)
	if _, err := f.sessions.Connect(ctx, again.ID, again.Token.Reveal(), "+34911000000"); err == nil {
		t.Error("a token opens the call twice")
	}
	if c.last.Text == "" || c.last.Text != first.Reply.Text {
		t.Errorf("the greeting is %q, was %q", c.last.Text, first.Reply.Text)
	}
}

func TestACallGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.connect(f.ring("twilio CA1"))
	c.say("Quiero reservar una revisión el miércoles a las doce del mediodía")
	asked := c.last
	on, err := f.node().Line(ctx, f.owner, "twilio CA1")
	must(t, err)
	if !on.Begun || on.Reply.Text != asked.Text || on.Reply.Expect != asked.Expect {
		t.Errorf("it goes on with %+v, was %+v", on.Reply, asked)
	}
	if _, err := f.sessions.Hear(ctx, c.id, c.token, conversation.Input{Kind: conversation.Text, Text: "Ana García"}); err == nil {
		t.Error("who held the call before speaks in it still")
	}
	c = f.connect(on)
	c.say("Ana García")
	if c.last.Expect != conversation.SlotPhone {
		t.Errorf("asked for %q", c.last.Expect)
	}
}

func TestTheCallersOwnNumberIsOffered(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.connect(f.ring("twilio CA1"))
	c.say("Quiero reservar una revisión el miércoles a las doce del mediodía, soy Ana García")
	if c.last.Expect != conversation.SlotPhone {
		t.Fatalf("it says %q", c.last.Text)
	}
	c.say("sí")
	if c.last.Expect != conversation.SlotConfirm {
		t.Fatalf("it says %q", c.last.Text)
	}
	c.say("sí")
	if c.capture == nil || c.capture.CustomerPhone != "+34612345678" {
		t.Errorf("written was %+v", c.capture)
	}
	f.clock.Forward(40 * time.Second)
	_, err := f.sessions.End(ctx, c.id, c.token)
	must(t, err)
	call := f.call(c.id)
	if call.Caller != "+34612345678" || call.Number != "+34911000000" || call.Channel != frontdesk.Phone || call.Duration != 40 || call.Uncounted {
		t.Errorf("the call is %+v", call)
	}
}

func TestWhoDeclinesTheOfferGivesAnother(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.connect(f.ring("twilio CA1"))
	c.say("Quiero reservar una revisión el miércoles a las doce del mediodía, soy Ana García")
	c.say("no, mejor a otro")
	if c.last.Expect != conversation.SlotPhone {
		t.Fatalf("it says %q", c.last.Text)
	}
	c.say("655 111 222")
	c.say("sí")
	if c.capture == nil || c.capture.CustomerPhone != "+34655111222" {
		t.Errorf("written was %+v after %q", c.capture, c.last.Text)
	}
}

// A yes counts once all that was read back was heard.
func TestAReadBackThatWasCutIsReadAgain(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.connect(f.ring("twilio CA1"))
	c.say("Quiero reservar una revisión el miércoles a las doce del mediodía, soy Ana García, 655 111 222")
	read := c.last
	if read.Expect != conversation.SlotConfirm {
		t.Fatalf("it says %q", read.Text)
	}
	c.hear(conversation.Input{Kind: conversation.Text, Text: "sí", Cut: true, Heard: read.Text[:20]})
	if c.capture != nil || c.last.Expect != conversation.SlotConfirm || c.last.Text != read.Text {
		t.Fatalf("a yes to half of it led to %q", c.last.Text)
	}
	c.say("sí")
	if c.capture == nil {
		t.Fatalf("a yes to all of it led to %q", c.last.Text)
	}
	_, err := f.sessions.End(ctx, c.id, c.token)
	must(t, err)
	var said struct {
		Turns []struct {
			Role, Text  string
			Interrupted bool
		}
	}
	must(t, json.Unmarshal(f.call(c.id).Transcript, &said))
	for _, turn := range said.Turns {
		if turn.Interrupted && turn.Text == read.Text[:20] {
			return
		}
	}
	t.Errorf("the transcript has not what was heard: %+v", said.Turns)
}

// A yes to what was asked before is none to a read-back that was written as the line
// broke, and that nobody has heard.
func TestAYesToAnotherQuestion(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.connect(f.ring("twilio CA1"))
	c.say("Quiero reservar una revisión el miércoles a las doce del mediodía, soy Ana García")
	told := c.last.Version
	yes := func() reception.Reply {
		r, err := f.sessions.HearOnce(ctx, c.id, c.token, reception.Message{Input: conversation.Input{Kind: conversation.Text, Text: "sí"}, Version: told})
		must(t, err)
		return r
	}
	read := yes() // to the number that was offered; the answer is lost
	if read.Expect != conversation.SlotConfirm || read.Version == told {
		t.Fatalf("it says %q", read.Text)
	}
	again := yes()
	if again.Capture != nil || again.Text != read.Text {
		t.Fatalf("a yes to an earlier question led to %q", again.Text)
	}
	told = again.Version
	if last := yes(); last.Capture == nil {
		t.Errorf("a yes to the read-back led to %q", last.Text)
	}
}

// Who pauses in the middle of a sentence has said one.
func TestASentenceInTwoHalves(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.connect(f.ring("twilio CA1"))
	halves := []string{"Quiero una revisión el miércoles a las doce y", "media, a nombre de Ana García, 655 111 222"}
	for i, half := range halves {
		r, err := f.sessions.HearOnce(ctx, c.id, c.token, reception.Message{
			Input: conversation.Input{Kind: conversation.Text, Text: half, Cut: i > 0}, Joins: i > 0, Version: c.last.Version,
		})
		must(t, err)
		c.last = r
	}
	c.say("sí")
	if c.capture == nil || c.capture.ScheduledAt != "2026-11-18T12:30:00" {
		t.Errorf("written was %+v after %q", c.capture, c.last.Text)
	}
	// What has changed the books is not taken back.
	r, err := f.sessions.HearOnce(ctx, c.id, c.token, reception.Message{
		Input: conversation.Input{Kind: conversation.Text, Text: "gracias", Cut: true}, Joins: true, Version: c.last.Version,
	})
	must(t, err)
	if l, err := f.store.Captures(ctx, f.owner, frontdesk.CaptureFilter{}, frontdesk.Page{Limit: 10}); err != nil || len(l.Items) != 1 {
		t.Errorf("there are %d captures after %q", len(l.Items), r.Text)
	}
}

// A question in between does not make a read-back heard.
func TestAQuestionDoesNotMakeItHeard(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.connect(f.ring("twilio CA1"))
	c.say("Quiero reservar una revisión el miércoles a las doce del mediodía, soy Ana García, 655 111 222")
	read := c.last.Text
	c.hear(conversation.Input{Kind: conversation.Text, Text: "¿cuánto cuesta?", Cut: true, Heard: read[:10]})
	if !strings.HasSuffix(c.last.Text, read) {
		t.Errorf("it goes on with %q", c.last.Text)
	}
}

func TestPuttingThrough(t *testing.T) {
	t.Parallel()
	for result, want := range map[string]struct{ outcome, handoff string }{
		frontdesk.Transferred: {string(frontdesk.Handoff), frontdesk.Transferred},
		frontdesk.LineBusy:    {string(frontdesk.Handoff), frontdesk.LineBusy},
		frontdesk.NoAnswer:    {string(frontdesk.Handoff), frontdesk.NoAnswer},
	} {
		t.Run(result, func(t *testing.T) {
			t.Parallel()
			f := newFront(t)
			c := f.connect(f.ring("twilio CA1"))
			c.say("Quiero hablar con una persona, es por la factura")
			if c.last.Transfer == nil || c.last.Transfer.Summary == "" || c.last.Ended {
				t.Fatalf("it says %q, %+v", c.last.Text, c.last.Transfer)
			}
			c.hear(conversation.Input{Kind: conversation.Passed, Text: result})
			if done := result == frontdesk.Transferred; done != c.last.Ended {
				t.Fatalf("it has ended: %v", c.last.Ended)
			} else if !done {
				if c.last.Expect == conversation.Nothing {
					t.Errorf("nothing is asked: %q", c.last.Text)
				}
				c.say("Ana García")
				c.say("sí")
				c.say("sí")
				_, err := f.sessions.End(ctx, c.id, c.token)
				must(t, err)
				if c.capture == nil || c.capture.Kind != frontdesk.Callback {
					t.Errorf("written was %+v after %q", c.capture, c.last.Text)
				}
			}
			call := f.call(c.id)
			var summary struct {
				Handoff struct{ Reason, Result string }
			}
			must(t, json.Unmarshal(call.Summary, &summary))
			if string(call.Outcome) != want.outcome || summary.Handoff.Result != want.handoff {
				t.Errorf("the call is %s, %+v", call.Outcome, summary)
			}
		})
	}
}

func TestACallWithoutAWordIsNotCounted(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.connect(f.ring("twilio CA1"))
	f.clock.Forward(8 * time.Second)
	_, err := f.sessions.End(ctx, c.id, c.token)
	must(t, err)
	if call := f.call(c.id); !call.Uncounted || call.Outcome != frontdesk.Abandoned || call.Duration != 8 {
		t.Errorf("the call is %+v", call)
	}
}

func TestACallThatThePlanHasNoRoomFor(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 1 })
	f.ring("twilio CA1")
	on := f.ring("twilio CA2")
	if !on.Reply.Ended || on.Token != "" || on.Reply.Text == "" {
		t.Errorf("the second caller is told %+v", on.Reply)
	}
	if call := f.call(on.ID); call.Outcome != frontdesk.OverLimit || call.Caller == "" {
		t.Errorf("the call is %+v", call)
	}
}

// What is said last ends a call whose process was killed: nobody pays for the time until
// another one finds it.
func TestACallThatWasLost(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	lost, other := f.ring("sip here 1"), f.ring("sip there 1")
	for _, on := range []reception.OnLine{lost, other} {
		f.connect(on).hear(conversation.Input{Text: "¿A qué hora abrís?"})
	}
	f.clock.Forward(20 * time.Minute)
	n, err := f.sessions.EndLost(ctx, "sip here ", f.clock.Now())
	must(t, err)
	if n != 1 {
		t.Fatalf("%d calls were ended", n)
	}
	if got := f.call(lost.ID); got.Duration > 60 {
		t.Errorf("it is recorded with %+v", got)
	}
	if _, err := f.store.Call(ctx, f.owner, other.ID); err == nil {
		t.Error("another's call was ended")
	}
	if n, err := f.sessions.EndLost(ctx, "sip here ", f.clock.Now()); n != 0 || err != nil {
		t.Errorf("once more %d, %v", n, err)
	}
}
