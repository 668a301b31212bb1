package phone

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/turns"
)

// voice is a call that comes in.
func (p *Phone) voice(in *post) ([]byte, error) {
	caller := callerOf(in.form.Get("From"))
	now := p.now()
	if p.tooMany(caller, in.number.Number, now) {
		p.metrics.refused.Inc()
		p.log.Warn("telephone: a call was refused: too many came within a minute", "number", in.number.Number)
		return response(busy()), nil
	}
	owner := in.number.Owner()
	agent, err := p.store.Agent(in.http.Context(), owner, in.number.AgentID)
	if err != nil {
		return nil, err
	}
	on, err := p.sessions.Ring(in.http.Context(), reception.Ringing{
		Owner: owner, AgentID: in.number.AgentID, Line: in.line(), Caller: caller, Number: in.number.Number,
		Transfer: mayTransfer(agent, in.number.Number), Suspect: strings.Contains(in.form.Get("StirVerstat"), "Failed"),
	})
	if err != nil {
		return nil, err
	}
	if on.Reply.Ended {
		return p.farewell(in, on, agent), nil
	}
	p.metrics.calls.WithLabelValues(string(in.d.carrier)).Inc()
	return p.connect(in, on, 0)
}

// tooMany says whether too many calls came lately: of the caller, or to the number.
// Who is refused for their own calls takes nobody else's.
func (p *Phone) tooMany(caller, number string, now time.Time) bool {
	if caller == "" {
		return p.withheld.Take(number, now) > 0 || p.perNumber.Take(number, now) > 0
	}
	return p.perCaller.Take(caller+" "+number, now) > 0 || p.perNumber.Take(number, now) > 0
}

// mayTransfer says whether a person can be put on the line: at a number that is not
// the one that is called, or the call would come back to us.
func mayTransfer(agent frontdesk.Agent, called string) bool {
	number := agent.Settings.TransferNumber
	return number != "" && number != called
}

// withheld are numbers that carriers give for callers who show none.
var withheld = []string{"anonymous", "+266696687", "+86282452253", "+7378742833", "+2562533", "+8656696"}

// callerOf is the number of who calls; "": it is withheld, or none.
func callerOf(from string) string {
	if slices.Contains(withheld, from) {
		return ""
	}
	n, err := phonenumbers.Parse(from, "ZZ")
	if err != nil || !phonenumbers.IsPossibleNumber(n) {
		return ""
	}
	return phonenumbers.Format(n, phonenumbers.E164)
}

// farewell tells a caller the last thing and hangs up.
func (p *Phone) farewell(in *post, on reception.OnLine, agent frontdesk.Agent) []byte {
	if on.Reply.Text == "" || in.form.Get("CallStatus") == "completed" {
		return response(hangUp())
	}
	v := turns.VoiceOf(agent, on.Reply.Language)
	return response(sayElement(v.Locale, v.Text(on.Reply.Text)), hangUp())
}

// mostTries is how often the relay of a call is connected again after it broke:
// something is wrong then that another try does not mend.
const mostTries = 5

// connect has the carrier open a relay.
func (p *Phone) connect(in *post, on reception.OnLine, tries int) ([]byte, error) {
	agent := on.Agent
	first := turns.LocaleOf(agent, on.Reply.Language)
	relay := relayElement{
		address: p.socketAddress(in, on), after: p.address(in, "after", tries), locale: first, hints: turns.Hints(agent),
	}
	for _, code := range agent.Languages {
		relay.spoken = append(relay.spoken, p.spokenLocale(in.d.carrier, agent, code))
	}
	return response(relay.element()), nil
}

// spokenLocale is a language of an agent's, in the voice that its business chose where
// the operator has said what the carrier calls it: provider/voice, or a voice alone.
func (p *Phone) spokenLocale(carrier frontdesk.Carrier, agent frontdesk.Agent, code string) spokenLocale {
	s := spokenLocale{locale: turns.LocaleOf(agent, code)}
	name := p.voices[string(carrier)][agent.VoiceFor(code)]
	if provider, voice, both := strings.Cut(name, "/"); both {
		s.provider, s.voice = provider, voice
	} else {
		s.voice = name
	}
	return s
}

// socketAddress is where the relay of a call is opened, once.
func (p *Phone) socketAddress(in *post, on reception.OnLine) string {
	base := "ws" + strings.TrimPrefix(p.public, "http")
	return base + Path + string(in.d.carrier) + "/relay/" + string(on.ID) + "/" + on.Token.Reveal() + "?" + url.Values{"number": {in.number.Number}}.Encode()
}

// after is what the carrier asks when a relay has ended: the caller has hung up, we
// have ended it, or it broke.
func (p *Phone) after(in *post) ([]byte, error) {
	owner := in.number.Owner()
	on, err := p.sessions.Line(in.http.Context(), owner, in.line())
	if err != nil {
		return nil, err
	}
	if on.Reply.Ended {
		return response(hangUp()), nil
	}
	switch status := in.form.Get("SessionStatus"); {
	case status == "completed" || hasEnded(in.form.Get("CallStatus")):
		return response(hangUp()), p.end(in, on)
	case readHandoff(in.form.Get("HandoffData")).Over:
		return response(hangUp()), p.end(in, on)
	case on.Transfer && on.Agent.Settings.TransferNumber != "":
		return p.dial(in, on), nil // also where the relay broke before it could be ended
	}
	tries := in.tries
	if p.perLine.Take(in.line(), p.now()) > 0 {
		tries = mostTries
	}
	p.metrics.broken.WithLabelValues(string(in.d.carrier)).Inc()
	p.log.Warn("telephone: a relay broke; the carrier is connected again", "call", on.ID, "tries", tries,
		"status", briefly(in.form.Get("SessionStatus")), "error_code", briefly(in.form.Get("ErrorCode")))
	if tries >= mostTries {
		v := turns.VoiceOf(on.Agent, on.Reply.Language)
		return response(sayElement(v.Locale, v.Words("line_lost")), hangUp()), p.end(in, on)
	}
	return p.connect(in, on, tries+1)
}

// hasEnded says whether a status of a call means that nobody is on it any more.
func hasEnded(status string) bool {
	return slices.Contains([]string{"completed", "busy", "failed", "no-answer", "canceled"}, status)
}

// status is what the carrier tells of a call beside: its end, should we not know.
func (p *Phone) status(in *post) ([]byte, error) {
	if !hasEnded(in.form.Get("CallStatus")) {
		return response(), nil
	}
	on, err := p.sessions.Line(in.http.Context(), in.number.Owner(), in.line())
	if err != nil || on.Reply.Ended {
		return response(), unlessMissing(err)
	}
	return response(), p.end(in, on)
}

// end records a call whose caller has gone.
func (p *Phone) end(in *post, on reception.OnLine) error {
	_, err := p.sessions.End(in.http.Context(), on.ID, on.Token.Reveal())
	return unlessMissing(err)
}
