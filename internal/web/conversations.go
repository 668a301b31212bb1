package web

import (
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

// The modes, as visitors name them.
const (
	live = "live"
	test = "test"

	rehearsal = "rehearsal" // for the business itself, which shows a key
)

// longestText is how much a visitor can say at once, in characters.
const longestText = 1000

// introduce says who a receptionist is, before anything is said.
func (s *Web) introduce(v *visit) (answer, error) {
	if err := s.limit("address", s.messages.Take(v.address, s.now())); err != nil {
		return answer{}, err
	}
	tenant, agent, err := s.receptionist(v, v.http.URL.Query().Get("mode") != test)
	if err != nil {
		return answer{}, err
	}
	if err := s.admit(v, agent); err != nil {
		return answer{}, err
	}
	return spelled(http.StatusOK, introduction{Agent: profileOf(agent), Voice: s.studio != nil, Privacy: keptOf(tenant, agent)})
}

// start begins a conversation.
func (s *Web) start(v *visit) (answer, error) {
	if err := s.limit("address", s.starts.Take(v.address, s.now())); err != nil {
		return answer{}, err
	}
	b, mode, err := v.beginning()
	if err != nil {
		return answer{}, err
	}
	if mode == rehearsal {
		return s.rehearse(v, b)
	}
	b.Admit = func(agent frontdesk.Agent) error {
		if err := s.admit(v, agent); err != nil {
			return err
		}
		if s.first.Take(v.address, s.now()) == 0 {
			return nil
		}
		return s.limit("agent", s.agents.Take(agentMode{agent.ID, b.Live}, s.now()))
	}
	welcome, err := s.sessions.Start(v.Context(), b)
	if err != nil {
		return answer{}, unknown(err, noReceptionist)
	}
	return s.opened(v, welcome, modeOf(b.Live))
}

// opened is the answer with a conversation that has begun.
func (s *Web) opened(v *visit, welcome reception.Welcome, mode string) (answer, error) {
	v.conversation = welcome.ID
	s.metrics.started.WithLabelValues(mode).Inc()
	return spelled(http.StatusCreated, begun{opening{
		ID: welcome.ID, Token: welcome.Token.Reveal(), Language: welcome.Reply.Language,
		Greeting: welcome.Reply.Text, Voice: welcome.Agent.VoiceFor(welcome.Reply.Language),
		QuickReplies: welcome.Reply.QuickReplies,
	}})
}

// beginning reads what a visitor may wish for at the start.
func (v *visit) beginning() (b reception.Beginning, mode string, err error) {
	b = reception.Beginning{
		Tenant: v.http.PathValue("tenant"), Agent: v.http.PathValue("agent"),
		Live: true, Channel: frontdesk.Web, From: v.address,
	}
	value, err := v.wishes("mode", "language")
	if err != nil {
		return b, "", err
	}
	if !named(b.Tenant, b.Agent) {
		return b, "", noReceptionist
	}
	if mode, err = oneOf(value, "mode", live, test, rehearsal); err != nil {
		return b, "", err
	}
	b.Live = mode != test
	b.Language, err = oneOf(value, "language", frontdesk.Languages...)
	return b, mode, err
}

// message takes what a visitor says and gives what the receptionist answers.
func (s *Web) message(v *visit) (answer, error) {
	began := time.Now()
	id, token, err := s.known(v)
	if err != nil {
		return answer{}, err
	}
	value, err := v.object("text")
	if err != nil {
		return answer{}, err
	}
	text, err := textOf(value)
	if err != nil {
		return answer{}, err
	}
	key, err := v.onceKey()
	if err != nil {
		return answer{}, err
	}
	m := reception.Message{Input: conversation.Input{Kind: conversation.Text, Text: text}, Key: key, From: v.address}
	reply, err := s.sessions.HearOnce(v.Context(), id, token, m)
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.RateLimited {
		s.metrics.refused.WithLabelValues("open").Inc()
	}
	if err != nil {
		return answer{}, unknown(err, noConversation)
	}
	s.metrics.turn(time.Since(began))
	s.metrics.over(reply.Ended, reply.Outcome)
	return spelled(http.StatusOK, reply.Shape())
}

// textOf is what the visitor says, in a form that can be kept.
func textOf(value map[string]any) (string, error) {
	given, there := value["text"]
	if !there {
		return "", &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_missing", Param: "text",
			Message: "text is required. Add it to the request.",
		}
	}
	text, ok := given.(string)
	n := utf8.RuneCountInString(text)
	if !ok || n > longestText || strings.TrimSpace(text) == "" {
		return "", frontdesk.InvalidParam("text", "text must be 1 to 1,000 characters, not all of them blank.")
	}
	if !exchange.Storable(text) {
		return "", frontdesk.InvalidParam("text", "text must be text without NUL.")
	}
	return text, nil
}

// end ends a conversation, as often as it is asked to.
func (s *Web) end(v *visit) (answer, error) {
	id, token, err := s.known(v)
	if err != nil {
		return answer{}, err
	}
	if _, err := v.wishes(); err != nil {
		return answer{}, err
	}
	ended, err := s.sessions.End(v.Context(), id, token)
	if err != nil {
		return answer{}, unknown(err, noConversation)
	}
	s.metrics.over(true, ended.Outcome)
	return spelled(http.StatusOK, farewell{CallID: given(ended.CallID), Outcome: ended.Outcome})
}

// calendarFile gives an appointment for the visitor's own calendar. Whoever has
// the address may: it cannot be guessed.
func (s *Web) calendarFile(v *visit) (answer, error) {
	if err := s.limit("address", s.messages.Take(v.address, s.now())); err != nil {
		return answer{}, err
	}
	id, ok := frontdesk.ParseID(v.http.PathValue("id"))
	ticket, isFile := strings.CutSuffix(v.http.PathValue("file"), ".ics")
	if !ok || !isFile {
		return answer{}, noAppointment
	}
	v.conversation = id
	file, err := s.sessions.CalendarFile(v.Context(), id, ticket)
	if err != nil {
		return answer{}, unknown(err, noAppointment)
	}
	v.header.Set("Content-Disposition", `attachment; filename="appointment.ics"`)
	v.header.Set("X-Robots-Tag", "noindex")
	return answer{status: http.StatusOK, contentType: "text/calendar; charset=utf-8", body: file}, nil
}

// known is the conversation that a visit goes on with, once its visitor has not
// come too often and shows a token. Whether it is the right one, sessions know.
func (s *Web) known(v *visit) (frontdesk.ID, string, error) {
	if err := s.limit("address", s.messages.Take(v.address, s.now())); err != nil {
		return "", "", err
	}
	token, err := v.token()
	if err != nil {
		return "", "", err
	}
	id, ok := frontdesk.ParseID(v.http.PathValue("id"))
	if !ok {
		return "", "", noConversation
	}
	v.conversation = id
	return id, token, nil
}

// receptionist is who answers at the address that a visitor has come to, and whose
// they are.
func (s *Web) receptionist(v *visit, live bool) (t frontdesk.Tenant, a frontdesk.Agent, err error) {
	tenant, slug := v.http.PathValue("tenant"), v.http.PathValue("agent")
	if !named(tenant, slug) {
		return t, a, noReceptionist
	}
	if t, err = s.store.TenantBySlug(v.Context(), tenant); err != nil {
		return t, a, unknown(err, noReceptionist)
	}
	if a, err = s.store.AgentBySlug(v.Context(), frontdesk.Owner{TenantID: t.ID, Live: live}, slug); err != nil {
		return t, a, unknown(err, noReceptionist)
	}
	if !a.TakesCalls(live) {
		return t, a, noReceptionist
	}
	return t, a, nil
}

// named says whether a tenant and an agent can have these names at all: what
// cannot is neither looked for nor kept.
func named(tenant, agent string) bool {
	return frontdesk.CheckSlug(tenant) == nil && frontdesk.CheckSlug(agent) == nil
}

var (
	noReceptionist = &frontdesk.Error{
		Kind: frontdesk.NotFound, Code: "not_found",
		Message: "There is no such receptionist, or it takes no visitors now. Check the address.",
	}
	noAppointment = &frontdesk.Error{
		Kind: frontdesk.NotFound, Code: "not_found",
		Message: "There is no such appointment. Check the address.",
	}
	noConversation = &frontdesk.Error{
		Kind: frontdesk.NotFound, Code: "not_found",
		Message: "There is no such conversation for this token. Start a new one.",
	}
)

// unknown says of a missing thing what a visitor can do about it. Visitors have
// no keys and no accounts, which is what the house speaks of otherwise.
func unknown(err error, missing *frontdesk.Error) error {
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
		return missing
	}
	return err
}

func modeOf(isLive bool) string {
	if isLive {
		return live
	}
	return test
}
