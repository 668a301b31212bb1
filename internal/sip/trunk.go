package sip

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"time"

	gosip "github.com/emiago/sipgo/sip"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Trunk is a telephone system or carrier that we register with, so that calls come
// to us.
type Trunk struct {
	Registrar string // such as "sip:fritz.box" or "sip:host:5061;transport=tls"
	User      string
	Password  frontdesk.Secret
	Number    string // ours; it means nothing here and is handed back with a call
}

// TrunkState is how a trunk stands, for an operator.
type TrunkState struct {
	Trunk Trunk
	Until time.Time // it is registered; zero: it is not
	Error string    // why not, or why the last attempt failed
	Next  time.Time // when it is tried or refreshed again
}

// registrar reads where to register.
func (t Trunk) registrar() (gosip.Uri, error) {
	text := t.Registrar
	if !strings.HasPrefix(text, "sip:") && !strings.HasPrefix(text, "sips:") {
		text = "sip:" + text
	}
	var uri gosip.Uri
	err := gosip.ParseUri(text, &uri)
	if err == nil && uri.Host == "" {
		err = errors.New("there is no host")
	}
	return uri, err
}

// domain is the registrar's.
func (t Trunk) domain() string {
	uri, err := t.registrar()
	if err != nil {
		return t.Registrar
	}
	return uri.Host
}

// SetTrunks says which trunks there are from now on. Those that stay as they were
// stay registered; the others are registered and unregistered in the background.
func (s *Server) SetTrunks(trunks []Trunk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kept, gone []*registration
	for _, r := range s.trunks {
		if slices.Contains(trunks, r.trunk) {
			kept = append(kept, r)
		} else {
			gone = append(gone, r)
		}
	}
	for _, t := range trunks {
		if !slices.ContainsFunc(kept, func(r *registration) bool { return r.trunk == t }) && !s.stopping {
			r := newRegistration(s, t)
			kept = append(kept, r)
			s.work.Go("sip registration", func(context.Context) { r.run() })
		}
	}
	s.trunks = kept
	for _, r := range gone {
		r.cancel()
	}
}

// Trunks is how each trunk stands.
func (s *Server) Trunks() []TrunkState {
	var all []TrunkState
	for _, r := range s.registrations() {
		all = append(all, r.stateNow())
	}
	return all
}

// trunkOf finds the trunk that a call came by, and the name that we go by there.
func (s *Server) trunkOf(req *gosip.Request) (*Trunk, string) {
	from := sourceOf(req).Addr()
	var there []*registration
	for _, r := range s.registrations() {
		if !r.hasAddress(from) {
			continue
		}
		if r.token == req.Recipient.User {
			return &r.trunk, r.token
		}
		there = append(there, r)
	}
	// Some systems call the number instead of the contact that was registered.
	numbers := called(req)
	for _, r := range there {
		if slices.Contains(numbers, r.trunk.User) || r.trunk.Number != "" && slices.Contains(numbers, r.trunk.Number) {
			return &r.trunk, r.token
		}
	}
	if len(there) == 1 && !s.gate.isAllowed(from) {
		return &there[0].trunk, there[0].token
	}
	return nil, "frontdesk"
}

// hasAddress says whether a registrar has an address.
func (r *registration) hasAddress(a netip.Addr) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trusted[a] > 0
}
