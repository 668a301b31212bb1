package web

import "net/http"

// route is one address, with the one method that it knows.
type route struct {
	method  string
	path    string
	handle  func(*visit) (answer, error)
	crosses crossing
}

// crossing says which sites' scripts may use an address.
type crossing int

const (
	own      crossing = iota // it is opened, not called by scripts
	listed                   // those that the agent's setting lists
	anywhere                 // all: what counts is the token
)

const (
	scriptPath = "/widget.js"
	icsPath    = "/web/conversations/{id}/captures/{file}"
	feedPath   = "/calendar/{file}"
)

func (s *Web) routes() []*route {
	return []*route{
		{http.MethodGet, "/web/{tenant}/{agent}", s.introduce, listed},
		{http.MethodPost, "/web/{tenant}/{agent}/conversations", s.start, listed},
		{http.MethodPost, "/web/conversations/{id}/messages", s.message, anywhere},
		{http.MethodPost, "/web/conversations/{id}/end", s.end, anywhere},
		{http.MethodGet, icsPath, s.calendarFile, own},
		{http.MethodGet, feedPath, s.calendarFeed, own},
		{http.MethodGet, "/talk/{tenant}/{agent}", s.page, own},
		{http.MethodGet, scriptPath, s.script, own},
		{"", "/", s.nothing, own},
	}
}

// operation names the route in the log and the figures.
func (r *route) operation() string {
	if r.method == "" {
		return "none"
	}
	return r.method + " " + r.path
}

// methods is the Allow header of the route.
func (r *route) methods() string {
	allow := r.method
	if allow == http.MethodGet {
		allow += ", HEAD"
	}
	if r.crosses != own {
		allow += ", OPTIONS"
	}
	return allow
}

func (r *route) knows(method string) bool {
	return method == r.method || r.method == "" || method == http.MethodHead && r.method == http.MethodGet
}
