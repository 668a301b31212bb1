package web

import (
	"net/http"
	"strings"

	"frontdesk.dev/frontdesk/internal/notice"
)

// route is one address, with the one method that it knows; a page with a form
// knows POST too.
type route struct {
	method  string
	path    string
	handle  func(*visit) (answer, error)
	crosses crossing
	post    func(*visit) (answer, error) // what the page's form sends; nil: it has none
	refuse  func(*visit, error) answer   // what somebody reads who is refused; nil: the API's envelope
}

// crossing says which sites' scripts may use an address.
type crossing int

const (
	own      crossing = iota // it is opened, not called by scripts
	listed                   // those that the agent's setting lists
	anywhere                 // all: what counts is the token
)

const (
	icsPath  = "/web/conversations/{id}/captures/{file}"
	feedPath = "/calendar/{file}"
)

func (s *Web) routes() []*route {
	all := []*route{
		{method: http.MethodGet, path: "/web/{tenant}/{agent}", handle: s.introduce, crosses: listed},
		{method: http.MethodPost, path: "/web/{tenant}/{agent}/conversations", handle: s.start, crosses: listed},
		{method: http.MethodPost, path: "/web/conversations/{id}/messages", handle: s.message, crosses: anywhere},
		{method: http.MethodPost, path: "/web/conversations/{id}/end", handle: s.end, crosses: anywhere},
		{method: http.MethodGet, path: "/web/conversations/{id}/voice", handle: s.microphone, crosses: anywhere},
		{method: http.MethodGet, path: icsPath, handle: s.calendarFile, crosses: own},
		{method: http.MethodGet, path: feedPath, handle: s.calendarFeed, crosses: own},
		{method: http.MethodGet, path: "/talk/{tenant}/{agent}", handle: s.page, crosses: own},
		{method: "", path: "/", handle: s.nothing, crosses: own},
	}
	for path, script := range scripts {
		all = append(all, &route{method: http.MethodGet, path: path, handle: script.serve, crosses: own})
	}
	return append(counter{s}.routes(), all...)
}

// operation names what a method does with the route, in the log and the figures.
func (r *route) operation(method string) string {
	switch {
	case r.method == "":
		return "none"
	case r.post != nil && method == http.MethodPost:
		return method + " " + r.path
	}
	return r.method + " " + r.path
}

// secret says whether the address opens something to whoever has it: then it
// stands in no log.
func (r *route) secret() bool {
	return r.path == icsPath || r.path == feedPath || strings.HasPrefix(r.path, notice.LinkPath)
}

// methods is the Allow header of the route.
func (r *route) methods() string {
	allow := r.method
	if allow == http.MethodGet {
		allow += ", HEAD"
	}
	if r.post != nil {
		allow += ", POST"
	}
	if r.crosses != own {
		allow += ", OPTIONS"
	}
	return allow
}

func (r *route) knows(method string) bool {
	return method == r.method || r.method == "" || method == http.MethodHead && r.method == http.MethodGet ||
		method == http.MethodPost && r.post != nil
}
