package web

import (
	"net/http"
	"net/netip"

	"frontdesk.dev/frontdesk/internal/exchange"
)

// visitor is the address that a visit is counted under.
func (s *Web) visitor(r *http.Request) netip.Prefix { return exchange.Household(s.client(r)) }

// client is the address that a visit comes from.
func (s *Web) client(r *http.Request) netip.Addr { return s.proxies.Client(r) }
