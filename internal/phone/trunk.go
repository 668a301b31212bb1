package phone

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/sip"
	"frontdesk.dev/frontdesk/internal/turns"
	"frontdesk.dev/frontdesk/internal/voice"
)

// trunks are the trunks of all numbers that have one: where the server registers.
func (p *Phone) trunks(ctx context.Context) ([]sip.Trunk, error) {
	all, err := p.store.NumbersForWorker(ctx)
	if err != nil {
		return nil, err
	}
	var trunks []sip.Trunk
	for _, n := range all {
		if n.Carrier != frontdesk.SIP || n.Trunk == "" {
			continue
		}
		_, password, err := p.numbers.Find(ctx, n.Number.Number)
		if err != nil {
			p.log.Error("telephone: a trunk is not registered: its password cannot be opened; put the master key back that sealed it, or remove the number and add it again", "number", n.Number.Number, "error", err)
			continue
		}
		user, registrar := n.TrunkUser()
		trunks = append(trunks, sip.Trunk{Registrar: registrar, User: user, Password: password, Number: n.Number.Number})
	}
	return trunks, nil
}

// AnswerSIP takes a call that comes over SIP, from its first ring to its end.
func (p *Phone) AnswerSIP(ctx context.Context, call *sip.Call) {
	t := &trunkCall{Phone: p, call: call}
	if err := t.answer(ctx); err != nil {
		p.refusedOverSIP(call, err)
	}
}

// refusedOverSIP logs why a call was not taken, but not each time: who sends thousands
// would fill the log with them.
func (p *Phone) refusedOverSIP(call *sip.Call, err error) {
	passed, ok := p.seldom.Take("sip", p.now())
	if ok {
		p.log.Warn("telephone: a call over SIP could not be taken", "call", call.ID(), "error", err, "not_logged_before", passed)
	}
}

// trunkCall is a call over SIP.
type trunkCall struct {
	*Phone
	call   *sip.Call
	number frontdesk.Number
	agent  frontdesk.Agent
}

// What callers' telephones are told of a call that is not taken.
const (
	notHere = 404
	isBusy  = 486
	notNow  = 503
)

func (t *trunkCall) answer(ctx context.Context) error {
	if err := t.find(ctx); err != nil {
		return errors.Join(err, t.call.Reject(notHere, "Not Found"))
	}
	caller := t.caller()
	if t.tooMany(caller, t.number.Number, t.now()) {
		t.metrics.refused.Inc()
		return errors.Join(errors.New("too many calls came within a minute"), t.call.Reject(isBusy, "Busy Here"))
	}
	place, err := t.lines.Enter(t.number.TenantID)
	if err != nil {
		return errors.Join(err, t.call.Reject(notNow, "Service Unavailable"))
	}
	defer place.Leave()
	if err := t.call.Ringing(); err != nil {
		return errors.Join(err, t.call.Reject(notNow, "Service Unavailable"))
	}
	on, err := t.sessions.Ring(ctx, reception.Ringing{
		Owner: t.number.Owner(), AgentID: t.number.AgentID, Line: t.line(), Caller: caller, Number: t.number.Number,
		Transfer: mayTransfer(t.agent, t.number.Number),
	})
	if err != nil {
		return errors.Join(err, t.call.Reject(notNow, "Service Unavailable"))
	}
	if err := t.call.Answer(ctx); err != nil {
		return errors.Join(err, t.over(on))
	}
	t.metrics.calls.WithLabelValues(string(frontdesk.SIP)).Inc()
	if on.Reply.Ended { // there is no room for it in the plan
		v := turns.VoiceOf(t.agent, on.Reply.Language)
		return t.studio.Announce(ctx, trunkSocket{t.call}, t.agent, v.Locale, v.Text(on.Reply.Text))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	place.Hold(on.ID, cancel)
	t.metrics.relays.Inc()
	defer t.metrics.relays.Dec()
	return t.talk(ctx, on)
}

// find finds the number that is called, and who answers it.
func (t *trunkCall) find(ctx context.Context) (err error) {
	candidates := t.call.Called()
	if trunk := t.call.Trunk(); trunk != nil {
		candidates = []string{trunk.Number}
	}
	err = frontdesk.Missing("number")
	for _, text := range candidates {
		if t.number, _, err = t.numbers.Find(ctx, spelled(text)); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	if t.number.Carrier != frontdesk.SIP {
		return errors.New("the number belongs to a carrier that does not call by SIP")
	}
	t.agent, err = t.store.Agent(ctx, t.number.Owner(), t.number.AgentID)
	return err
}

// spelled is a number as it is kept, from the way that trunks write it: with a plus,
// two zeros, or neither.
func spelled(text string) string {
	text = strings.TrimPrefix(text, "+")
	return "+" + strings.TrimPrefix(text, "00")
}

// caller is the number of who calls; "": it is withheld, or a name within an exchange.
func (t *trunkCall) caller() string {
	from := t.call.From()
	if from.Anonymous || strings.ContainsFunc(from.User, func(r rune) bool { return r > unicode.MaxASCII }) {
		return "" // figures of other scripts would be read as ours
	}
	if strings.HasPrefix(from.User, "+") {
		return callerOf(from.User)
	}
	if len(from.User) < wholeNumber {
		return "" // an extension
	}
	return callerOf(frontdesk.International(from.User, t.agent.Timezone))
}

// wholeNumber is how many figures a telephone number has at least that is not an
// extension of an exchange.
const wholeNumber = 8

// line is what the conversation is found by. A Call-ID is the caller's to choose: who
// knows that of another call would be handed its conversation.
func (t *trunkCall) line() string { return t.ownLines() + t.call.Tag() }

// ownLines begins the names of all lines over SIP that this process holds.
func (p *Phone) ownLines() string {
	sum := sha256.Sum256([]byte(p.station))
	return lineOf(frontdesk.SIP, hex.EncodeToString(sum[:8])) + " "
}

// EndLost records the calls over SIP that a process at the same station held when it
// was killed, before an instant: only one can be there at a time.
func (p *Phone) EndLost(ctx context.Context, before time.Time) error {
	n, err := p.sessions.EndLost(ctx, p.ownLines(), before)
	if n > 0 {
		p.log.Warn("telephone: calls over SIP were lost when this server was killed; they are recorded with what was said", "calls", n)
	}
	return err
}

// talk holds the call until its caller has gone, was put through, or has been said
// goodbye to.
func (t *trunkCall) talk(ctx context.Context, on reception.OnLine) error {
	for {
		line := voice.NewLine(voice.LineOptions{
			Socket: trunkSocket{t.call}, Studio: t.studio, Agent: on.Agent, Hints: turns.Hints(on.Agent),
			Now: t.now, Log: t.log.With("call", on.ID), Watch: t.metrics.sound(frontdesk.SIP),
		})
		held := turns.NewCall(line, turns.Options{
			Sessions: t.sessions, On: on, Habits: voice.Habits, Stopping: t.lines.Stopping(),
			Now: t.now, Log: t.log, Watch: t.metrics.watch(),
		})
		held.Hold(ctx)
		if end := held.Ended(); end == nil || !end.Transfer {
			return t.over(on)
		}
		var gone bool
		var err error
		if on, gone, err = t.passOn(ctx); err != nil || gone {
			return err
		}
	}
}

// over records a call whose caller has gone, and hangs up if they have not.
func (t *trunkCall) over(on reception.OnLine) error {
	ctx, cancel := context.WithTimeout(context.Background(), reception.TurnTime)
	defer cancel()
	_ = t.call.Hangup(ctx) // it may have ended
	_, err := t.sessions.End(ctx, on.ID, on.Token.Reveal())
	return unlessMissing(err)
}

// passOn puts the caller through to a person, and says whether they are gone with
// that. If not, the conversation goes on with why.
func (t *trunkCall) passOn(ctx context.Context) (on reception.OnLine, gone bool, err error) {
	status, err := t.call.Refer(ctx, t.agent.Settings.TransferNumber)
	result := referred(status)
	if err != nil && result == frontdesk.Transferred {
		result = frontdesk.NotPassedOn
	}
	t.log.Info("telephone: a caller was to be put through", "call", t.call.ID(), "status", status, "result", result, "error", err)
	t.metrics.transfers.WithLabelValues(result).Inc()
	turn, cancel := context.WithTimeout(context.WithoutCancel(ctx), reception.TurnTime)
	defer cancel()
	if on, err = t.sessions.Line(turn, t.number.Owner(), t.line()); err != nil || on.Reply.Ended {
		return on, true, err
	}
	reply, err := t.sessions.Hear(turn, on.ID, on.Token.Reveal(), conversation.Input{Kind: conversation.Passed, Text: result})
	if err != nil {
		return on, false, err
	}
	on.Reply, on.Unsaid, on.Begun = reply, true, true
	return on, reply.Ended, nil
}

// referred is how putting somebody through went, by what the new party answered.
func referred(status int) string {
	switch {
	case status >= 200 && status < 300:
		return frontdesk.Transferred
	case status == 486 || status == 600:
		return frontdesk.LineBusy
	case status == 408 || status == 480 || status == 487:
		return frontdesk.NoAnswer
	case status == 603:
		return frontdesk.Declined
	}
	return frontdesk.NotPassedOn
}

// trunkSocket is the sound of a call.
type trunkSocket struct{ *sip.Call }

// Read waits for what comes next.
func (s trunkSocket) Read(ctx context.Context) (voice.In, error) {
	in, err := s.Call.Read(ctx)
	return voice.In{Frame: in.Frame, Key: in.Key}, err
}

// SetTrunks has the server register with the trunks that numbers have now: they are
// added and removed by commands of other processes.
func (p *Phone) SetTrunks(ctx context.Context, server *sip.Server) error {
	trunks, err := p.trunks(ctx)
	if err == nil {
		server.SetTrunks(trunks)
	}
	return err
}
