package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/description"
)

// route is one operation: what it needs, and who serves it.
type route struct {
	operation string   // method and path, as the specification writes them
	scope     string   // "" for none
	anyScope  []string // one of these is enough, in place of scope
	bodyLimit int64    // 0: no body
	uploads   bool     // the body is a file, bounded by the plan
	access    access
	handle    func(*request) (any, error)

	method   string
	segments []string
	query    description.Parameters
}

// access says what kind of key an operation takes.
type access int

const (
	anyKey   access = iota
	freshKey        // any key, but asked for in the database every time
	liveKey         // a live key only
	public          // no key
)

// smallBody is the limit of every JSON body.
const smallBody = 256 << 10

func (a *API) routes() []route {
	return []route{
		{operation: "GET /openapi.json", access: public, handle: a.getOpenAPI},
		{operation: "GET /llms.txt", access: public, handle: a.getLLMs},
		// These ask nothing else of the database, so the key is looked up
		// every time: what they say is never a second old, and they notice
		// like all others when the database is away.
		{operation: "GET /whoami", access: freshKey, handle: a.getWhoami},
		{operation: "GET /scopes", access: freshKey, handle: a.listScopes},
		{operation: "GET /voices", scope: "agents:read", access: freshKey, handle: a.listVoices},
		{operation: "GET /usage", scope: "usage:read", handle: a.getUsage},
		{operation: "GET /agents", scope: "agents:read", handle: a.listAgents},
		{operation: "GET /agents/{slug}", scope: "agents:read", handle: a.getAgent},
		{operation: "PATCH /agents/{slug}", scope: "agents:write", access: liveKey, bodyLimit: smallBody, handle: a.patchAgent},
		{operation: "GET /agents/{slug}/history", scope: "agents:read", handle: a.listRevisions},
		{operation: "GET /agents/{slug}/history/{revision}", scope: "agents:read", handle: a.getRevision},
		{operation: "POST /agents/{slug}/history/{revision}/restore", scope: "agents:write", access: liveKey, handle: a.restoreRevision},
		{operation: "GET /agents/{slug}/calendar", scope: "agents:read", handle: a.getCalendar},
		{operation: "PUT /agents/{slug}/calendar", scope: "agents:write", access: liveKey, bodyLimit: smallBody, handle: a.putCalendar},
		{operation: "GET /agents/{slug}/availability", scope: "agents:read", handle: a.getAvailability},
		{operation: "GET /agents/{slug}/agenda", scope: "captures:read", handle: a.getAgenda},
		{operation: "GET /calls", scope: "calls:read", handle: a.listCalls},
		{operation: "GET /calls/{call_id}", scope: "calls:read", handle: a.getCall},
		{operation: "GET /analytics", scope: "calls:read", handle: a.getAnalytics},
		{operation: "GET /captures", scope: "captures:read", handle: a.listCaptures},
		{operation: "GET /captures/{capture_id}", scope: "captures:read", handle: a.getCapture},
		{operation: "PATCH /captures/{capture_id}", scope: "captures:write", access: liveKey, bodyLimit: smallBody, handle: a.patchCapture},
		{operation: "POST /captures", scope: "captures:write", access: liveKey, bodyLimit: smallBody, handle: a.createCapture},
		{operation: "POST /captures/{capture_id}/change", scope: "captures:write", access: liveKey, bodyLimit: smallBody, handle: a.changeCapture},
		{operation: "GET /notices", scope: "captures:read", handle: a.listNotices},
		// Which events a key reads depends on which of the two it has.
		{operation: "GET /events", anyScope: eventScopes, handle: a.listEvents},
		{operation: "GET /events/{event_id}", anyScope: eventScopes, handle: a.getEvent},
		{operation: "GET /connectors", scope: "connections:read", access: freshKey, handle: a.listConnectors},
		{operation: "GET /connections", scope: "connections:read", handle: a.listConnections},
		{operation: "POST /connections", scope: "connections:write", bodyLimit: smallBody, handle: a.createConnection},
		{operation: "GET /connections/{connection_id}", scope: "connections:read", handle: a.getConnection},
		{operation: "PATCH /connections/{connection_id}", scope: "connections:write", bodyLimit: smallBody, handle: a.patchConnection},
		{operation: "DELETE /connections/{connection_id}", scope: "connections:write", handle: a.deleteConnection},
		{operation: "POST /connections/{connection_id}/enable", scope: "connections:write", handle: a.enableConnection},
		{operation: "POST /connections/{connection_id}/disable", scope: "connections:write", bodyLimit: smallBody, handle: a.disableConnection},
		{operation: "POST /connections/{connection_id}/test", scope: "connections:write", handle: a.testConnection},
		{operation: "POST /connections/{connection_id}/rotate-secret", scope: "connections:write", bodyLimit: smallBody, handle: a.rotateSecret},
		{operation: "PUT /connections/{connection_id}/additional-events", scope: "connections:write", bodyLimit: smallBody, handle: a.putAdditionalEvents},
		{operation: "GET /connections/{connection_id}/deliveries", scope: "connections:read", handle: a.listDeliveries},
		{operation: "POST /deliveries/{delivery_id}/retry", scope: "connections:write", handle: a.retryDelivery},
		{operation: "GET /knowledge", scope: "knowledge:read", handle: a.getKnowledge},
		{operation: "GET /knowledge/documents", scope: "knowledge:read", handle: a.listDocuments},
		{operation: "POST /knowledge/documents", scope: "knowledge:write", access: liveKey, uploads: true, handle: a.uploadDocument},
		{operation: "GET /knowledge/documents/{document_id}", scope: "knowledge:read", handle: a.getDocument},
		{operation: "DELETE /knowledge/documents/{document_id}", scope: "knowledge:write", access: liveKey, handle: a.deleteDocument},
		{operation: "POST /knowledge/test", scope: "knowledge:read", bodyLimit: smallBody, handle: a.testKnowledge},
	}
}

// router finds the route of a request. Paths without parameters are found at
// once; for others the few patterns are tried one after the other.
type router struct {
	all    []route
	static map[string][]*route
	paths  [][]*route // routes of one path each
}

func newRouter(all []route, d *description.Description) (*router, error) {
	r := &router{all: all, static: map[string][]*route{}}
	for i := range all {
		rt := &all[i]
		method, path, _ := strings.Cut(rt.operation, " ")
		rt.method, rt.segments = method, strings.Split(path, "/")
		var err error
		if rt.query, err = d.Parameters(method, path); err != nil {
			return nil, fmt.Errorf("route %s: %w", rt.operation, err)
		}
		if !strings.Contains(path, "{") {
			r.static[path] = append(r.static[path], rt)
		}
		at := slices.IndexFunc(r.paths, func(same []*route) bool { return slices.Equal(same[0].segments, rt.segments) })
		if at < 0 {
			r.paths = append(r.paths, nil)
			at = len(r.paths) - 1
		}
		r.paths[at] = append(r.paths[at], rt)
	}
	return r, nil
}

// find returns the routes that serve a path, one for each method, and the
// values of its parameters.
func (r *router) find(u *url.URL) ([]*route, map[string]string) {
	// Escaped, so that an encoded slash is none.
	path, ok := strings.CutPrefix(u.EscapedPath(), "/v1")
	if !ok {
		return nil, nil
	}
	if routes := r.static[path]; routes != nil {
		return routes, nil
	}
	segments := strings.Split(path, "/")
	for _, routes := range r.paths {
		if values, ok := match(routes[0].segments, segments); ok {
			return routes, values
		}
	}
	return nil, nil
}

func match(pattern, segments []string) (map[string]string, bool) {
	if len(pattern) != len(segments) {
		return nil, false
	}
	values := map[string]string{}
	for i, p := range pattern {
		s, err := url.PathUnescape(segments[i])
		switch {
		case err != nil:
			return nil, false
		case strings.HasPrefix(p, "{"):
			if s == "" {
				return nil, false
			}
			values[p[1:len(p)-1]] = s
		case p != s:
			return nil, false
		}
	}
	return values, true
}

// pick returns the route for a method; HEAD is served where GET is.
func pick(routes []*route, method string) *route {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, rt := range routes {
		if rt.method == method {
			return rt
		}
	}
	return nil
}

// allowed is the Allow header for a path.
func allowed(routes []*route) string {
	var methods []string
	for _, rt := range routes {
		methods = append(methods, rt.method)
		if rt.method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}

// operationsOf lists the operations that a scope opens.
func (r *router) operationsOf(scope string) []string {
	operations := []string{}
	for _, rt := range r.all {
		if rt.scope == scope || slices.Contains(rt.anyScope, scope) {
			operations = append(operations, rt.operation)
		}
	}
	return operations
}
