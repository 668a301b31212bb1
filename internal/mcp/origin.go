package mcp

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// checkOrigin refuses what a browser sends from a page that is not this server's
// own. Programs send no Origin.
//
// A page elsewhere can give its own name the address of this machine, and is then
// of the same origin as the server that it speaks to. So a connection on a loopback
// address is believed to be from a page of ours only if it calls the server by such
// an address too, or by the name that FRONTDESK_PUBLIC_URL gives.
func (s *Server) checkOrigin(r *http.Request) error {
	values := r.Header.Values("Origin")
	if len(values) == 0 {
		return nil
	}
	origin, err := url.Parse(values[0])
	if err == nil && len(values) == 1 && origin.Host != "" && s.ours(r, origin) {
		return nil
	}
	return &frontdesk.Error{
		Kind: frontdesk.Forbidden, Code: "other_origin", Param: "Origin",
		Message: "This was sent by a page of another site. Assistants call this address from programs, without an Origin; pages of this server's own need FRONTDESK_PUBLIC_URL where a proxy is in front.",
	}
}

func (s *Server) ours(r *http.Request, origin *url.URL) bool {
	if s.publicly != "" && strings.EqualFold(origin.Scheme+"://"+origin.Host, s.publicly) {
		return true
	}
	if !strings.EqualFold(origin.Host, r.Host) {
		return false
	}
	return loopback(r.Host) || s.publicly == "" && !arrivedOnLoopback(r)
}

func arrivedOnLoopback(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && loopback(at.String())
}

// loopback says whether a host, with or without a port, is this machine and cannot
// be another.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	at, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && at.Unmap().IsLoopback()
}

// base is the address of this server, as the client that asks knows it.
func (s *Server) base(r *http.Request) string {
	if s.publicly != "" {
		return s.publicly
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + cmp.Or(r.Host, "localhost")
}
