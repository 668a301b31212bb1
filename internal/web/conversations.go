package web

import (
	"context"
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
)

// longestText is how much a visitor can say at once, in characters.
const longestText = 1000

// introduce says who a receptionist is, before anything is said.
func (s *Web) introduce(v *visit) (answer, error) {
	if err := s.limit("address", s.messages.Take(v.address, s.now())); err != nil {
		return answer{}, err
	}
	agent, err := s.agent(v, v.http.URL.Query().Get("mode") != test)
	if err != nil {
		return answer{}, err
	}
	if err := s.admit(v, agent); err != nil {
		return answer{}, err
	}
	return spelled(http.StatusOK, introduction{Agent: profileOf(agent), Voice: s.studio != nil})
}

// start begins a conversation.
func (s *Web) start(v *visit) (answer, error) {
	if err := s.limit("address", s.starts.Take(v.address, s.now())); err != nil {
		return answer{}, err
	}
	b, err := v.beginning()
	if err != nil {
		return answer{}, err
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
	v.conversation = welcome.ID
	s.metrics.started.WithLabelValues(modeOf(b.Live)).Inc()
	return spelled(http.StatusCreated, begun{opening{
		ID: welcome.ID, Token: welcome.Token.Reveal(), Language: welcome.Reply.Language,
		Greeting: welcome.Reply.Text, Voice: welcome.Agent.VoiceFor(welcome.Reply.Language),
		QuickReplies: welcome.Reply.QuickReplies,
	}})
}

// beginning reads what a visitor may wish for at the start.
func (v *visit) beginning() (reception.Beginning, error) {
	b := reception.Beginning{
		Tenant: v.http.PathValue("tenant"), Agent: v.http.PathValue("agent"),
		Live: true, Channel: frontdesk.Web, From: v.address,
	}
	value, err := v.wishes("mode", "language")
	if err != nil {
		return b, err
	}
	if !named(b.Tenant, b.Agent) {
		return b, noReceptionist
	}
	mode, err := oneOf(value, "mode", live, test)
	if err != nil {
		return b, err
	}
	b.Live = mode != test
	b.Language, err = oneOf(value, "language", frontdesk.Languages...)
	return b, err
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

// agent is the receptionist that a path names, if it takes visitors.
func (s *Web) agent(v *visit, live bool) (frontdesk.Agent, error) {
	agent, err := s.find(v.Context(), v.http.PathValue("tenant"), v.http.PathValue("agent"), live)
	if err != nil {
		return agent, unknown(err, noReceptionist)
	}
	if !agent.TakesCalls(live) {
		return agent, noReceptionist
	}
	return agent, nil
}

func (s *Web) find(ctx context.Context, tenant, slug string, live bool) (frontdesk.Agent, error) {
	if !named(tenant, slug) {
		return frontdesk.Agent{}, noReceptionist
	}
	t, err := s.store.TenantBySlug(ctx, tenant)
	if err != nil {
		return frontdesk.Agent{}, err
	}
	return s.store.AgentBySlug(ctx, frontdesk.Owner{TenantID: t.ID, Live: live}, slug)
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
