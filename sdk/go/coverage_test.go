package frontdesk

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// description is what the tests read of openapi.json.
type description struct {
	Paths      map[string]map[string]operation
	Components struct {
		Parameters map[string]parameter
	}
}

type operation struct {
	OperationID string
	Parameters  []parameter
	Responses   map[string]struct {
		Content map[string]struct {
			Examples map[string]struct{ Value json.RawMessage }
		}
	}
}

type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
}

func readDescription(t *testing.T) description {
	t.Helper()
	text, err := os.ReadFile("../../internal/description/openapi.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("NOT COVERED: the API's description is only there in frontdesk's own repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// queryOf are the query parameters of an operation.
func (d description) queryOf(o operation) (names []string) {
	for _, p := range o.Parameters {
		if p.Ref != "" {
			p = d.Components.Parameters[p.Ref[strings.LastIndex(p.Ref, "/")+1:]]
		}
		if p.In == "query" {
			names = append(names, p.Name)
		}
	}
	return names
}

// examplesOf are the answers that an operation gives when all is well.
func (o operation) examplesOf() (examples map[string]json.RawMessage) {
	examples = map[string]json.RawMessage{}
	for status, response := range o.Responses {
		if status[0] != '2' {
			continue
		}
		for _, content := range response.Content {
			for name, example := range content.Examples {
				examples[name] = example.Value
			}
		}
	}
	return examples
}

const (
	anID    = "01a1cf42-4ce8-7250-9e38-9491c542872f"
	aSlug   = "clínica/aurora"
	aCursor = "01a1cf42-4ce8-7250-9e38-9491c5428700"
)

var anInstant = time.Date(2026, 11, 14, 9, 30, 0, 0, time.FixedZone("", 3600))

// calls has a call of a method for every operation, with every query parameter
// that it has. The answer is compared with the description's example, without
// the key that it is wrapped in.
var calls = map[string]struct {
	wrapped string
	do      func(context.Context, *Client) (any, error)
}{
	"getWhoami":  {"", func(ctx context.Context, c *Client) (any, error) { return c.Whoami(ctx) }},
	"listScopes": {"scopes", func(ctx context.Context, c *Client) (any, error) { return data(c.Scopes.List(ctx)) }},
	"getUsage":   {"", func(ctx context.Context, c *Client) (any, error) { return c.Usage.Get(ctx) }},
	"listVoices": {"voices", func(ctx context.Context, c *Client) (any, error) { return data(c.Voices.List(ctx)) }},
	"getAnalytics": {"", func(ctx context.Context, c *Client) (any, error) {
		return c.Analytics.Get(ctx, AnalyticsParams{Days: 7, Timezone: "Europe/Madrid", Channel: ChannelWeb, Agent: "a"})
	}},

	"listAgents": {"agents", func(ctx context.Context, c *Client) (any, error) { return data(c.Agents.List(ctx)) }},
	"getAgent":   {"agent", func(ctx context.Context, c *Client) (any, error) { return c.Agents.Get(ctx, aSlug) }},
	"updateAgent": {"", func(ctx context.Context, c *Client) (any, error) {
		return c.Agents.Preview(ctx, aSlug, AgentPatch{})
	}},
	"listAgentHistory": {"data", func(ctx context.Context, c *Client) (any, error) {
		return data(c.Agents.History.List(ctx, aSlug, AgentHistoryListParams{Limit: 2, StartingAfter: aCursor}))
	}},
	"getAgentRevision": {"revision", func(ctx context.Context, c *Client) (any, error) {
		return c.Agents.History.Get(ctx, aSlug, anID)
	}},
	"restoreAgentRevision": {"agent", func(ctx context.Context, c *Client) (any, error) {
		return c.Agents.History.Restore(ctx, aSlug, anID)
	}},
	"getCalendar": {"", func(ctx context.Context, c *Client) (any, error) { return c.Agents.Calendar.Get(ctx, aSlug) }},
	"replaceCalendar": {"", func(ctx context.Context, c *Client) (any, error) {
		return c.Agents.Calendar.Replace(ctx, aSlug, Calendar{})
	}},
	"getAvailability": {"", func(ctx context.Context, c *Client) (any, error) {
		return c.Agents.Availability(ctx, aSlug, AvailabilityParams{From: "2026-11-20", To: "2026-11-21", ServiceID: "s", PartySize: 2, ResourceID: "r"})
	}},
	"getAgenda": {"", func(ctx context.Context, c *Client) (any, error) {
		return c.Agents.Agenda(ctx, aSlug, AgendaParams{From: "2026-11-20", To: "2026-11-21"})
	}},

	"listCalls": {"data", func(ctx context.Context, c *Client) (any, error) {
		return data(c.Calls.List(ctx, CallListParams{
			Limit: 2, StartingAfter: aCursor, Outcome: OutcomeBooking, Channel: ChannelPhone, StartedFrom: anInstant, StartedTo: anInstant,
			AgentID: anID, Language: "en", Caller: "+34600000012", Search: "pan & vino",
		}))
	}},
	"getCall": {"call", func(ctx context.Context, c *Client) (any, error) { return c.Calls.Get(ctx, anID) }},

	"listCaptures": {"data", func(ctx context.Context, c *Client) (any, error) {
		return data(c.Captures.List(ctx, CaptureListParams{
			Limit: 2, StartingAfter: aCursor, Status: CaptureStatusConfirmed, Kind: "lead", AgentID: anID,
			ScheduledFrom: "2026-11-20", ScheduledTo: "2026-11-21", UpdatedFrom: anInstant, Phone: "600000012",
		}))
	}},
	"createCapture": {"capture", func(ctx context.Context, c *Client) (any, error) {
		return c.Captures.Create(ctx, CaptureInput{Agent: aSlug})
	}},
	"getCapture": {"capture", func(ctx context.Context, c *Client) (any, error) { return c.Captures.Get(ctx, anID) }},
	"updateCapture": {"capture", func(ctx context.Context, c *Client) (any, error) {
		return c.Captures.SetStatus(ctx, anID, CaptureStatusConfirmed)
	}},
	"changeCapture": {"capture", func(ctx context.Context, c *Client) (any, error) {
		return c.Captures.Change(ctx, anID, CaptureChange{Notes: Null[string]()})
	}},

	"listNotices": {"data", func(ctx context.Context, c *Client) (any, error) {
		return data(c.Notices.List(ctx, NoticeListParams{Limit: 2, StartingAfter: aCursor, Status: "sent", Kind: "reminder", CaptureID: anID}))
	}},
	"listEvents": {"data", func(ctx context.Context, c *Client) (any, error) {
		return data(c.Events.List(ctx, EventListParams{Limit: 2, StartingAfter: aCursor, Type: "call.completed", AgentID: anID, CreatedFrom: anInstant}))
	}},
	"getEvent": {"event", func(ctx context.Context, c *Client) (any, error) { return c.Events.Get(ctx, anID) }},

	"listConnectors": {"data", func(ctx context.Context, c *Client) (any, error) {
		return data(c.Connectors.List(ctx, ConnectorListParams{Limit: 2, StartingAfter: aCursor}))
	}},
	"listConnections": {"", func(ctx context.Context, c *Client) (any, error) {
		page, err := c.Connections.List(ctx, ConnectionListParams{Limit: 2, StartingAfter: aCursor})
		if err != nil {
			return nil, err
		}
		return envelopeOf(page.Page, page.Limits), nil
	}},
	"createConnection": {"connection", func(ctx context.Context, c *Client) (any, error) {
		return c.Connections.Create(ctx, ConnectionInput{Name: "n", URL: "https://example.com", Events: []EventType{EventTypeCallCompleted}})
	}},
	"getConnection": {"connection", func(ctx context.Context, c *Client) (any, error) { return c.Connections.Get(ctx, anID) }},
	"updateConnection": {"connection", func(ctx context.Context, c *Client) (any, error) {
		return c.Connections.Update(ctx, anID, ConnectionPatch{Name: Ptr("n")})
	}},
	"deleteConnection": {"", func(ctx context.Context, c *Client) (any, error) { return c.Connections.Delete(ctx, anID) }},
	"enableConnection": {"connection", func(ctx context.Context, c *Client) (any, error) { return c.Connections.Enable(ctx, anID) }},
	"disableConnection": {"connection", func(ctx context.Context, c *Client) (any, error) {
		return c.Connections.Disable(ctx, anID, DisableInput{})
	}},
	"testConnection": {"", func(ctx context.Context, c *Client) (any, error) { return c.Connections.Test(ctx, anID) }},
	"rotateSecret": {"connection", func(ctx context.Context, c *Client) (any, error) {
		return c.Connections.RotateSecret(ctx, anID, RotateInput{GraceSeconds: Ptr(0)})
	}},
	"replaceAdditionalEvents": {"connection", func(ctx context.Context, c *Client) (any, error) {
		return c.Connections.SetAdditionalEvents(ctx, anID, nil)
	}},
	"listDeliveries": {"data", func(ctx context.Context, c *Client) (any, error) {
		return data(c.Connections.Deliveries(ctx, anID, DeliveryListParams{Limit: 2, StartingAfter: aCursor, Status: DeliveryStatusDead}))
	}},
	"retryDelivery": {"", func(ctx context.Context, c *Client) (any, error) { return c.Deliveries.Retry(ctx, anID) }},

	"getKnowledge": {"", func(ctx context.Context, c *Client) (any, error) { return c.Knowledge.Get(ctx) }},
	"listDocuments": {"", func(ctx context.Context, c *Client) (any, error) {
		page, err := c.Knowledge.Documents.List(ctx, DocumentListParams{Limit: 2, StartingAfter: aCursor, Status: DocumentStatusReady, AgentID: anID})
		if err != nil {
			return nil, err
		}
		return envelopeOf(page.Page, page.Limits), nil
	}},
	"uploadDocument": {"", func(ctx context.Context, c *Client) (any, error) {
		return c.Knowledge.Documents.Upload(ctx, strings.NewReader("text"), Upload{Filename: "a ñ.md", Title: "t", AgentID: anID})
	}},
	"getDocument":    {"document", func(ctx context.Context, c *Client) (any, error) { return c.Knowledge.Documents.Get(ctx, anID) }},
	"deleteDocument": {"", func(ctx context.Context, c *Client) (any, error) { return c.Knowledge.Documents.Delete(ctx, anID) }},
	"testKnowledge": {"", func(ctx context.Context, c *Client) (any, error) {
		return c.Knowledge.Ask(ctx, KnowledgeQuestion{Question: "¿Abren hoy?", AgentID: anID})
	}},
	"getOpenapi": {"", func(ctx context.Context, c *Client) (any, error) { return c.OpenAPI(ctx) }},
	"getLlmsTxt": {"", func(ctx context.Context, c *Client) (any, error) { return c.LLMs(ctx) }},
}

func data[T any](page *Page[T], err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return page.Data, nil
}

// envelopeOf puts a page together again as it was received.
func envelopeOf[T any](page Page[T], limits any) any {
	var next any
	if page.NextStartingAfter != "" {
		next = page.NextStartingAfter
	}
	return map[string]any{"object": "list", "data": page.Data, "has_more": page.HasMore, "next_starting_after": next, "limits": limits}
}

// TestEveryOperation holds the client to the description: an operation or a
// query parameter that it does not have fails, and so does a field of an example
// that does not come back out of the types.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	d := readDescription(t)
	known := 0
	for path, methods := range d.Paths {
		for method, o := range methods {
			if o.OperationID == "" {
				continue
			}
			known++
			if _, ok := calls[o.OperationID]; !ok {
				t.Errorf("%s %s (%s) has no method", method, path, o.OperationID)
				continue
			}
			t.Run(o.OperationID, func(t *testing.T) {
				t.Parallel()
				for name, example := range o.examplesOf() {
					d.try(t, strings.ToUpper(method), path, o, name, example)
				}
				if len(o.examplesOf()) == 0 {
					t.Error("the description has no example")
				}
			})
		}
	}
	if known != len(calls) {
		t.Errorf("the description has %d operations, the client %d", known, len(calls))
	}
}

func (d description) try(t *testing.T, method, path string, o operation, name string, example json.RawMessage) {
	call := calls[o.OperationID]
	answer := string(example)
	if path == "/llms.txt" {
		if err := json.Unmarshal(example, &answer); err != nil {
			t.Fatal(err)
		}
	}
	s := serve(t, says(http.StatusOK, answer))
	c, _ := clientOf(t, s)
	out, err := call.do(t.Context(), c)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	asked := s.requests()[0]
	if pattern := "^/v1" + regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(path, "[^/]+") + "$"; asked.method != method || !regexp.MustCompile(pattern).MatchString(asked.path) {
		t.Errorf("asked %s %s, want %s %s", asked.method, asked.path, method, path)
	}
	query, err := url.ParseQuery(asked.query)
	if err != nil {
		t.Fatal(err)
	}
	for _, parameter := range d.queryOf(o) {
		if query.Get(parameter) == "" {
			t.Errorf("the query %q does not have %s", asked.query, parameter)
		}
		query.Del(parameter)
	}
	if len(query) > 0 {
		t.Errorf("the operation does not have %v", query)
	}
	sameAs(t, name, out, example, call.wrapped)
}

// sameAs compares what came out of the types with the example that went in.
func sameAs(t *testing.T, name string, out any, example json.RawMessage, wrapped string) {
	t.Helper()
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := errors.Join(json.Unmarshal(text, &got), json.Unmarshal(example, &want)); err != nil {
		t.Fatal(err)
	}
	if wrapped != "" {
		want = want.(map[string]any)[wrapped]
	}
	leaveOut(want, got)
	if got, want := normal(got), normal(want); !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\ngot  %v\nwant %v", name, got, want)
	}
}

// leaveOut takes from want what is null or false and what got leaves out: that
// means the same where a field is optional.
func leaveOut(want, got any) {
	switch w := want.(type) {
	case []any:
		if g, ok := got.([]any); ok && len(g) == len(w) {
			for i := range w {
				leaveOut(w[i], g[i])
			}
		}
	case map[string]any:
		g, _ := got.(map[string]any)
		for name, value := range w {
			if _, there := g[name]; !there && (value == nil || value == false) {
				delete(w, name)
				continue
			}
			leaveOut(value, g[name])
		}
	}
}

// normal writes every instant in the same way.
func normal(value any) any {
	switch v := value.(type) {
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.UTC().String()
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = normal(v[name])
		}
	}
	return value
}
