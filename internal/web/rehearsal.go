package web

import (
	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

// rehearse begins a conversation in which a business tries its own receptionist
// out. It needs a live key with the right to read agents; which sites may show the
// receptionist does not matter, nor whether it takes visitors.
func (s *Web) rehearse(v *visit, b reception.Beginning) (answer, error) {
	who, err := s.keyHolder(v)
	if err != nil {
		return answer{}, err
	}
	if who.Tenant.Slug != b.Tenant {
		return answer{}, noReceptionist
	}
	agent, err := s.store.AgentBySlug(v.Context(), who.Owner(), b.Agent)
	if err != nil {
		return answer{}, unknown(err, noReceptionist)
	}
	welcome, err := s.sessions.Rehearse(v.Context(), who.Tenant, agent, b.Language)
	if err != nil {
		return answer{}, unknown(err, noReceptionist)
	}
	return s.opened(v, welcome, rehearsal)
}

// keyHolder is who shows a key with which rehearsals may be begun.
func (s *Web) keyHolder(v *visit) (account.Credential, error) {
	key, given := v.bearer()
	if !given || s.keys == nil {
		return account.Credential{}, &frontdesk.Error{
			Kind: frontdesk.Unauthorized, Code: "api_key_missing",
			Message: "A rehearsal is begun with a live API key. Send it, once, in the header: Authorization: Bearer <API_KEY>.",
		}
	}
	who, err := s.keys.Authenticate(v.Context(), key, false)
	switch {
	case err != nil:
		return who, err
	case !who.Key.Live:
		return who, &frontdesk.Error{
			Kind: frontdesk.Forbidden, Code: "live_key_required",
			Message: "A rehearsal looks into live documents and the live book, and cannot be begun with a test key. Use a live key.",
		}
	case !who.Key.Has("agents:read"):
		return who, frontdesk.ScopeMissing("agents:read")
	}
	return who, nil
}
