package phone

import (
	"errors"
	"net/http"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/turns"
)

// ringFor is how many seconds a person is rung.
const ringFor = 20

// acceptKey is the key by which a person takes a call: so nobody is handed to an
// answering machine.
const acceptKey = "1"

// dial calls the person who may take the call. The caller hears it ring.
func (p *Phone) dial(in *post, on reception.OnLine) []byte {
	return response(dialElement{
		number: on.Agent.Settings.TransferNumber, whisper: p.address(in, "whisper", 0), after: p.address(in, "dialled", 0), seconds: ringFor,
	}.element())
}

// whisper tells a person who calls and why, before they take the call.
func (p *Phone) whisper(in *post) ([]byte, error) {
	on, err := p.sessions.Line(in.http.Context(), in.number.Owner(), in.line())
	if err != nil {
		return nil, err
	}
	if on.Reply.Ended {
		return response(hangUp()), nil
	}
	v := turns.VoiceOf(on.Agent, on.Agent.Languages[0]) // the business's own
	return response(keyElement(p.address(in, "accept", 0), v.Locale, v.Text(on.Whisper)+" "+v.Words("whisper_key", "key", acceptKey)), hangUp()), nil
}

// accept is the key that a person has pressed. Whoever takes the call has it from
// here on: the conversation is over.
func (p *Phone) accept(in *post) ([]byte, error) {
	if in.form.Get("Digits") != acceptKey {
		return response(hangUp()), nil
	}
	if _, _, err := p.passed(in, frontdesk.Transferred); err != nil {
		return nil, err
	}
	return response(), nil // nothing more is said to them: the lines are joined
}

// dialled is how calling the person went. Who could not be put through goes on
// talking to the receptionist.
func (p *Phone) dialled(in *post) ([]byte, error) {
	if hasEnded(in.form.Get("CallStatus")) { // the caller has not waited
		on, err := p.sessions.Line(in.http.Context(), in.number.Owner(), in.line())
		if err != nil || on.Reply.Ended {
			return response(hangUp()), unlessMissing(err)
		}
		return response(hangUp()), p.end(in, on)
	}
	result := map[string]string{"busy": frontdesk.LineBusy, "no-answer": frontdesk.NoAnswer, "completed": frontdesk.Declined}[in.form.Get("DialCallStatus")]
	if result == "" {
		result = frontdesk.NotPassedOn
	}
	on, over, err := p.passed(in, result)
	if err != nil {
		return nil, err
	}
	if over {
		return response(hangUp()), nil
	}
	return p.connect(in, on, 0)
}

// passed tells the conversation how putting its caller through went. It says whether
// the conversation is over with that, or was before.
func (p *Phone) passed(in *post, result string) (on reception.OnLine, over bool, err error) {
	ctx := in.http.Context()
	if on, err = p.sessions.Line(ctx, in.number.Owner(), in.line()); err != nil || on.Reply.Ended {
		return on, true, err
	}
	reply, err := p.sessions.Hear(ctx, on.ID, on.Token.Reveal(), conversation.Input{Kind: conversation.Passed, Text: result})
	if err != nil {
		return on, false, err
	}
	p.metrics.transfers.WithLabelValues(result).Inc()
	on.Reply = reply
	return on, reply.Ended, nil
}

// unlessMissing is an error that says something else than that a thing is missing.
func unlessMissing(err error) error {
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
		return nil
	}
	return err
}

// errTaken is why a relay is not opened that was opened before.
var errTaken = refusal{http.StatusForbidden, errors.New("the token was used before, or replaced by a newer one: a relay is opened once")}
