package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/reception/receptiontest"
	"frontdesk.dev/frontdesk/internal/wire"
)

// view is what one key sees: one tenant in one mode. Everything that is told
// about it carries its mark, and its calls last as long as nobody else's.
type view struct {
	name       string
	key        string
	mark       string
	seconds    int // of its marked call
	call       frontdesk.ID
	capture    frontdesk.ID
	connection frontdesk.ID
	delivery   frontdesk.ID
	document   frontdesk.ID
	event      frontdesk.ID // that tells of the capture
}

func (v view) ids() []string {
	return []string{string(v.call), string(v.capture), string(v.connection), string(v.delivery), string(v.document), string(v.event)}
}

// marked is a house in which every view can be told from every other by what
// it says.
func marked(t *testing.T) (*house, []view) {
	t.Helper()
	h := newHouse(t, unhurried).start()
	var views []view
	for i, side := range []struct {
		tenant tenant
		live   bool
	}{{h.a, true}, {h.a, false}, {h.b, true}, {h.b, false}} {
		v := view{name: side.tenant.Slug + ", test", key: side.tenant.test, mark: fmt.Sprintf("mark%dx", i), seconds: 1000 << i}
		v.connection, v.delivery = side.tenant.testConnection, side.tenant.testDelivery
		if side.live {
			v.name, v.key = side.tenant.Slug+", live", side.tenant.live
			v.connection, v.delivery = side.tenant.liveConnection, side.tenant.liveDelivery
		}
		_, err := h.webhooks.Change(context.Background(), side.tenant.owner(side.live), frontdesk.Actor{}, v.connection, frontdesk.ConnectionPatch{Name: &v.mark})
		must(t, err)
		call := sampleCall(side.tenant.agent.ID, noon.Add(-2*time.Hour))
		call.Duration = time.Duration(v.seconds) * time.Second
		call.Summary.Text, call.Transcript.Turns[0].Text = v.mark, v.mark
		call.Captures[0].CustomerName, call.Captures[0].Kind = v.mark, v.mark
		must(t, receptiontest.Record(context.Background(), h.store, wire.EventSource{Tenant: side.tenant.Tenant, Live: side.live}, call))
		v.call, v.capture = call.ID, call.Captures[0].ID
		must(t, h.store.AddNotices(context.Background(), side.tenant.owner(side.live), frontdesk.Notice{
			ID: frontdesk.NewID(noon), AgentID: side.tenant.agent.ID, CaptureID: v.capture, Kind: frontdesk.OwnerMessage, Channel: frontdesk.ByEmail,
			Address: v.mark + "@example.com", Status: frontdesk.NoticePending, CreatedAt: noon, DueAt: noon,
		}))
		v.event = h.eventOf(side.tenant, side.live, v.capture)
		v.document = h.addDocument(side.tenant, side.live, knowledge.NewDocument{Filename: "m.md", Title: v.mark}, aboutUmbrellas(v.mark))
		views = append(views, v)
	}
	h.readDocuments()
	// Agents are the tenant's, in both modes: one that the other has not.
	for i, side := range []tenant{h.a, h.b} {
		agent := side.agent
		agent.ID, agent.Slug = frontdesk.NewID(noon), side.Slug+"-only"
		agent.Config.Policy = fmt.Sprintf("policy%dx", i)
		must(t, h.store.CreateAgent(context.Background(), frontdesk.Actor{}, agent))
	}
	return h, views
}

// eventOf is the event that tells of something that was made.
func (h *house) eventOf(t tenant, live bool, id frontdesk.ID) frontdesk.ID {
	h.t.Helper()
	events, err := h.store.Events(context.Background(), t.owner(live), frontdesk.EventFilter{}, frontdesk.Page{Limit: 100})
	must(h.t, err)
	for _, e := range events.Items {
		if strings.Contains(string(e.Body), `"object":{"id":"`+string(id)) {
			return e.ID
		}
	}
	h.t.Fatalf("nothing tells of %s", id)
	return ""
}

// aboutUmbrellas is a document that all views have and that each words by its
// own mark.
func aboutUmbrellas(mark string) string {
	return "# Umbrellas\n\n## Where can I leave my umbrella?\n\nUmbrellas are kept in the stand called " + mark + ".\n"
}

// stranger is what a path parameter can be given that the key must not reach.
type stranger struct{ why, value string }

// strangers knows every path parameter: what stands for another tenant's, the
// other mode's, nobody's, and nothing that could be one. A parameter that is
// missing here is not tested, and the test says so.
func strangers(h *house, views []view) map[string][]stranger {
	nobody := string(frontdesk.NewID(noon))
	ids := func(foreign, otherMode frontdesk.ID) []stranger {
		return []stranger{
			{"nobody's", nobody},
			{"another tenant's", string(foreign)},
			{"the other mode's", string(otherMode)},
			{"no UUID", "42"},
			{"no UUID, though long enough", strings.Repeat("z", 36)},
			{"a UUID of another version", "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"},
			{"a NUL", "%00"},
			{"broken UTF-8", "%ff"},
			{"a slash", "a%2Fb"},
		}
	}
	return map[string][]stranger{
		"call_id":       ids(views[2].call, views[1].call),
		"capture_id":    ids(views[2].capture, views[1].capture),
		"connection_id": ids(views[2].connection, views[1].connection),
		"delivery_id":   ids(views[2].delivery, views[1].delivery),
		"document_id":   ids(views[2].document, views[1].document),
		"event_id":      ids(views[2].event, views[1].event),
		"revision":      ids(h.b.revision, h.b.revision), // agents are the same in both modes
		"slug": {
			{"nobody's", "nobody"},
			{"another tenant's", h.b.Slug + "-only"},
			{"the agent's id", string(h.a.agent.ID)},
			{"in capitals", "DESK"},
			{"a NUL", "%00"},
			{"broken UTF-8", "%ff"},
			{"a slash", "a%2Fb"},
		},
	}
}

// without are the operations that name nothing in their path. Each has its
// place in TestListsShowNothingOfOthers, or shows nothing of a tenant.
var without = []string{
	"GET /openapi.json", "GET /llms.txt", "GET /voices", "GET /connectors", // the same for all
	"GET /whoami", "GET /scopes", "GET /usage", "GET /agents", "GET /calls", "GET /analytics", "GET /captures", "GET /connections",
	"GET /knowledge", "GET /knowledge/documents", "GET /events", "GET /notices",
	"POST /connections", "POST /knowledge/documents", "POST /captures", // what they make is their own: TestEachViewReachesItsOwn
	"POST /knowledge/test", // TestNobodyAnswersFromOthersDocuments
}

// unknownRoutes are the routes that these tests would pass over.
func unknownRoutes(routes []route, parameters map[string][]stranger) (unknown []string) {
	for _, rt := range routes {
		named := 0
		for _, segment := range strings.Split(rt.operation, "/") {
			if !strings.HasPrefix(segment, "{") {
				continue
			}
			named++
			if parameters[strings.Trim(segment, "{}")] == nil {
				unknown = append(unknown, rt.operation)
			}
		}
		if named == 0 && !slices.Contains(without, rt.operation) {
			unknown = append(unknown, rt.operation)
		}
	}
	return unknown
}

func TestEveryRouteIsTestedForIsolation(t *testing.T) {
	t.Parallel()
	h, views := marked(t)
	parameters := strangers(h, views)
	if unknown := unknownRoutes(h.api.routes(), parameters); len(unknown) > 0 {
		t.Errorf("the isolation of these is not tested; add them: %v", unknown)
	}
	for _, added := range []string{"GET /orders/{order_id}", "GET /agents/{slug}/orders/{order_id}", "GET /orders", "POST /calls"} {
		if len(unknownRoutes(append(h.api.routes(), route{operation: added}), parameters)) != 1 {
			t.Errorf("a new route %s is passed over in silence", added)
		}
	}
}

func TestWhatIsNotOursDoesNotExist(t *testing.T) {
	t.Parallel()
	h, views := marked(t)
	parameters := strangers(h, views)
	before, sent := h.everything(views), h.receiver.count()
	own := views[0]
	for _, rt := range h.api.router.all {
		for _, name := range parametersOf(rt) {
			var first reply
			for _, s := range parameters[name] {
				operation := refill(strings.ReplaceAll(h.address(rt), "{"+name+"}", s.value), h.fill())
				got := h.do(operation, own.key, h.bodyFor(rt), "X-Request-Id", "the-same")
				if got.status != 404 || got.fail().Code != "not_found" {
					t.Errorf("%s (%s): %s", operation, s.why, got)
				}
				got.header.Del("Date")
				got.header.Del("RateLimit")
				if first.body == "" {
					first = got
				}
				if got.body != first.body || fmt.Sprint(got.header) != fmt.Sprint(first.header) {
					t.Errorf("%s (%s) can be told from a missing one:\n%s %v\n%s %v", operation, s.why, got, got.header, first, first.header)
				}
			}
			if first.body == "" {
				t.Errorf("%s: nothing was tried", rt.operation)
			}
		}
	}
	if after := h.everything(views); after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
	if now := h.receiver.count(); now != sent {
		t.Errorf("%d deliveries were sent", now-sent)
	}
}

// TestEachViewReachesItsOwn makes sure that the 404s above are about whose
// something is, and that a change stays where it was made.
func TestEachViewReachesItsOwn(t *testing.T) {
	t.Parallel()
	h, views := marked(t)
	for _, v := range views {
		for _, other := range views {
			want := 404
			if v.name == other.name {
				want = 200
			}
			for _, operation := range []string{
				"GET /calls/" + string(other.call), "GET /captures/" + string(other.capture),
				"GET /connections/" + string(other.connection), "GET /connections/" + string(other.connection) + "/deliveries",
				"GET /knowledge/documents/" + string(other.document), "GET /events/" + string(other.event),
			} {
				if got := h.do(operation, v.key, ""); got.status != want {
					t.Errorf("%s as %s: %d, want %d", operation, v.name, got.status, want)
				}
			}
		}
	}
	// What each operation is given; everything that is named in a path is one
	// of the first view's own, made for the occasion.
	changes := map[string]struct {
		body string
		want int
	}{
		"PATCH /captures/{capture_id}":                       {`{"status":"no_show"}`, 200},
		"PATCH /agents/{slug}":                               {`{"policy":"changed"}`, 200},
		"PUT /agents/{slug}/calendar":                        {`{"slot_minutes":20}`, 200},
		"POST /agents/{slug}/history/{revision}/restore":     {"", 200},
		"POST /captures":                                     {`{"agent":"desk","customer_name":"changed"}`, 201},
		"POST /captures/{capture_id}/change":                 {`{"notes":"changed"}`, 200},
		"PUT /connections/{connection_id}/additional-events": {`{"events":["capture.updated"]}`, 200},
		"POST /connections":                                  {`{"name":"changed","url":"https://hooks.example.com/","events":["call.completed"]}`, 201},
		"PATCH /connections/{connection_id}":                 {`{"name":"changed","events":["call.completed"]}`, 200},
		"DELETE /connections/{connection_id}":                {"", 200},
		"POST /connections/{connection_id}/enable":           {"", 200},
		"POST /connections/{connection_id}/disable":          {`{"reason":"changed"}`, 200},
		"POST /connections/{connection_id}/test":             {"", 200},
		"POST /connections/{connection_id}/rotate-secret":    {"", 200},
		"POST /deliveries/{delivery_id}/retry":               {"", 200},
		"POST /knowledge/documents":                          {"changed", 201},
		"DELETE /knowledge/documents/{document_id}":          {"", 200},
		"POST /knowledge/test":                               {`{"question":"changed"}`, 200},
	}
	for operation, change := range changes {
		t.Run(operation, func(t *testing.T) {
			others := views[1:]
			if strings.Contains(operation, "{slug}") {
				others = views[2:] // an agent is the tenant's in both modes
			}
			before := h.everything(others)
			values := h.fresh(h.a, true)
			values["slug"], values["revision"] = "desk", string(h.a.revision)
			rt := pick(h.routesOf(operation), strings.Fields(operation)[0])
			if got := h.do(refill(operation, values), views[0].key, change.body, headersFor(rt)...); got.status != change.want {
				t.Error(got)
			}
			if after := h.everything(others); after != before {
				t.Errorf("another tenant's things changed:\n%s\n%s", before, after)
			}
		})
	}
	for _, rt := range h.api.router.all {
		if rt.method != "GET" && changes[rt.operation].want == 0 {
			t.Errorf("nobody looks at what %s changes; add it", rt.operation)
		}
	}
}

func TestListsShowNothingOfOthers(t *testing.T) {
	t.Parallel()
	h, views := marked(t)
	for i, v := range views {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			seen := h.everything(views[i : i+1])
			for _, own := range append(v.ids(), v.mark) {
				if !strings.Contains(seen, own) {
					t.Errorf("its own %s is not in %s", own, seen)
				}
			}
			for j, other := range views {
				if j == i {
					continue
				}
				for _, secret := range append(other.ids(), other.mark) {
					if strings.Contains(seen, secret) {
						t.Errorf("%s of %s is in what %s sees", secret, other.name, v.name)
					}
				}
			}
			if foreign := fmt.Sprintf("policy%dx", 1-i/2); strings.Contains(seen, foreign) {
				t.Errorf("the other tenant's agent is in %s", seen)
			}
			h.countsOnly(t, v)
		})
	}
}

// countsOnly looks at figures: they must be those of the view's own two calls.
func (h *house) countsOnly(t *testing.T, v view) {
	t.Helper()
	const first = 42 // seconds of the call that every view has
	usage := h.do("GET /usage", v.key, "").json(t)
	if got := usage["current_period_seconds"]; got != float64(v.seconds+first) {
		t.Errorf("usage is %v, want %d", got, v.seconds+first)
	}
	own := at(h.do("GET /knowledge", v.key, "").json(t), "summary")
	if own["documents"] != 2.0 || at(own, "by_status")["ready"] != 2.0 || own["fragments"] != 2.0 {
		t.Errorf("knowledge: %v", own)
	}
	for _, query := range []string{"", "?days=1", "?agent=desk", "?channel=phone", "?agent=desk&channel=phone&days=90"} {
		totals := at(h.do("GET /analytics"+query, v.key, "").json(t), "totals")
		if totals["calls"] != 2.0 || totals["seconds"] != float64(v.seconds+first) || totals["captures"] != 2.0 {
			t.Errorf("analytics%s: %v", query, totals)
		}
	}
	for _, none := range []string{"?agent=alfa-only", "?agent=beta-only"} {
		got := h.do("GET /analytics"+none, v.key, "")
		if strings.HasPrefix(v.name, none[len("?agent="):len("?agent=")+4]) {
			if calls := at(got.json(t), "totals")["calls"]; calls != 0.0 {
				t.Errorf("analytics%s: %v", none, calls)
			}
		} else if nobody := h.do("GET /analytics?agent=nobody", v.key, ""); got.status != 404 || got.fail().Message != nobody.fail().Message {
			t.Errorf("analytics%s: %s", none, got)
		}
	}
}

// TestNobodyAnswersFromOthersDocuments: every view has the same question
// answered by its own document alone, and nobody asks for another's agent.
func TestNobodyAnswersFromOthersDocuments(t *testing.T) {
	t.Parallel()
	h, views := marked(t)
	for _, v := range views {
		own, foreign := h.a.agent.ID, h.b.agent.ID
		if strings.HasPrefix(v.name, "beta") {
			own, foreign = foreign, own
		}
		for _, agent := range []string{"", fmt.Sprintf(`,"agent_id":%q`, own)} {
			got := h.do("POST /knowledge/test", v.key, `{"question":"Where can I leave my umbrella?"`+agent+`}`)
			for _, other := range views {
				if strings.Contains(got.body, other.mark) != (other.name == v.name) {
					t.Errorf("%s of %s: %s", other.mark, v.name, got)
				}
			}
		}
		nobody := string(frontdesk.NewID(noon))
		for _, operation := range []string{"GET /calls?agent_id=", "GET /captures?agent_id=", "GET /events?agent_id=", "GET /knowledge/documents?agent_id=", "POST /knowledge/documents?filename=x.txt&agent_id=", "POST /knowledge/test"} {
			ask := func(id string) reply {
				if !strings.HasSuffix(operation, "=") {
					return h.do(operation, v.key, `{"question":"Where?","agent_id":"`+id+`"}`, "X-Request-Id", "the-same")
				}
				return h.do(operation+id, v.key, "x", "X-Request-Id", "the-same", "Content-Type", "text/plain")
			}
			if theirs, none := ask(string(foreign)), ask(nobody); theirs.body != none.body || theirs.status == 200 || theirs.status == 201 {
				t.Errorf("%s%s as %s: %s, want %s", operation, foreign, v.name, theirs, none)
			}
		}
	}
}

// TestForeignCursors: another's id is a position like any other, and opens
// nothing.
func TestForeignCursors(t *testing.T) {
	t.Parallel()
	h, views := marked(t)
	own := views[0]
	mine := h.everything(views[:1])
	for list, cursors := range map[string][]frontdesk.ID{
		"/calls":               {views[1].call, views[2].call, views[3].call, own.call},
		"/knowledge/documents": {views[1].document, views[2].document, views[3].document, own.document},
		"/events":              {views[1].event, views[2].event, views[3].event, own.event},
		"/captures":            {views[1].capture, views[2].capture, views[3].capture, own.capture},
		"/connections":         {views[1].connection, views[2].connection, views[3].connection, own.connection},
		"/connections/" + string(own.connection) + "/deliveries": {views[1].delivery, views[2].delivery, views[3].delivery, own.delivery},
	} {
		for _, cursor := range cursors {
			got := h.do("GET "+list+"?limit=100&starting_after="+string(cursor), own.key, "")
			for _, item := range got.json(t)["data"].([]any) {
				id := item.(map[string]any)["id"].(string)
				if !strings.Contains(mine, id) {
					t.Errorf("GET %s after %s shows %s", list, cursor, id)
				}
			}
		}
	}
}

// everything is all that these views can read, page by page and one by one.
func (h *house) everything(views []view) string {
	h.t.Helper()
	var b strings.Builder
	for _, v := range views {
		for _, operation := range []string{
			"GET /whoami", "GET /scopes", "GET /usage", "GET /agents", "GET /analytics", "GET /analytics?days=90", "GET /knowledge",
			"GET /agents/desk", "GET /agents/desk/history?limit=100", "GET /agents/desk/calendar",
			"GET /notices?limit=100", "GET /agents/desk/availability?from=2026-11-11&to=2026-11-20", "GET /agents/desk/agenda?from=2026-11-11&to=2026-11-20",
		} {
			fmt.Fprintln(&b, v.name, operation, h.do(operation, v.key, ""))
		}
		for _, list := range []string{"calls", "captures", "connections", "knowledge/documents", "events"} {
			for _, id := range h.pages(list, v.key) {
				fmt.Fprintln(&b, v.name, list, h.do("GET /"+list+"/"+id, v.key, ""))
				if list == "connections" {
					fmt.Fprintln(&b, v.name, h.pages(list+"/"+id+"/deliveries", v.key), h.do("GET /"+list+"/"+id+"/deliveries?limit=100", v.key, ""))
				}
			}
			fmt.Fprintln(&b, v.name, list, h.do("GET /"+list+"?limit=100", v.key, ""))
		}
	}
	return b.String()
}

// pages walks a list one item at a time.
func (h *house) pages(list, key string) (ids []string) {
	h.t.Helper()
	after := ""
	for range 100 {
		page := h.do("GET /"+list+"?limit=1"+after, key, "").json(h.t)
		for _, item := range page["data"].([]any) {
			ids = append(ids, item.(map[string]any)["id"].(string))
		}
		next, more := page["next_starting_after"].(string)
		if !more {
			return ids
		}
		after = "&starting_after=" + next
	}
	h.t.Errorf("GET /%s never ends", list)
	return ids
}

func parametersOf(rt route) (names []string) {
	for _, segment := range strings.Split(rt.operation, "/") {
		if strings.HasPrefix(segment, "{") {
			names = append(names, strings.Trim(segment, "{}"))
		}
	}
	return names
}

// routesOf are those of an operation's path.
func (h *house) routesOf(operation string) []*route {
	_, path, _ := strings.Cut(operation, " ")
	at := slices.IndexFunc(h.api.router.paths, func(same []*route) bool { return slices.Equal(same[0].segments, strings.Split(path, "/")) })
	return h.api.router.paths[at]
}

// headersFor are the headers without which an operation accepts no body.
func headersFor(rt *route) []string {
	if rt.uploads {
		return []string{"Content-Type", "text/plain", "X-Service-Filename", "sample.txt"}
	}
	return nil
}

// address is an operation with what must stand in its query.
func (h *house) address(rt route) string {
	_, path, _ := strings.Cut(rt.operation, " ")
	e := &examiner{doc: h.document(), pointer: "/paths/" + escapePointer(path) + "/" + strings.ToLower(rt.method)}
	operation, _ := e.lookUp(e.pointer)
	if e.require(operation); len(e.required) == 0 {
		return rt.operation
	}
	return rt.operation + "?" + strings.Join(e.required, "&")
}

// bodyFor is a body that the operation would accept.
func (h *house) bodyFor(rt route) string {
	t := h.t
	t.Helper()
	switch {
	case rt.uploads:
		return "Any text will do."
	case rt.bodyLimit == 0:
		return ""
	}
	_, path, _ := strings.Cut(rt.operation, " ")
	examples := at(copyOfDocument(t), "paths", path, strings.ToLower(rt.method), "requestBody", "content", "application/json", "examples")
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		body, err := json.Marshal(filled(at(examples, name)["value"], h.fill()))
		must(t, err)
		return string(body)
	}
	t.Fatalf("%s has no example of a body", rt.operation)
	return ""
}
