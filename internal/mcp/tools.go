package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is one row: an operation of the API as assistants see it.
type tool struct {
	name      string
	title     string
	when      string // to use it
	operation string // of the API: method and path
	effect    effect
	outside   bool     // it reaches systems of others
	without   []string // parameters of the operation that it does not have
	needs     []string // parameters that it does not do without, though the operation does
	body      string   // the argument that is the body; "": the body's properties are arguments
	live      bool     // it needs a live key, though the operation does not

	// handle calls the tool; nil: the operation is called, and its answer given.
	handle func(*Server, *visit, arguments) (*sdk.CallToolResult, error)
	// shape changes what the operation takes and gives into what the tool does; nil:
	// it is the same.
	shape func(input, output map[string]any) (map[string]any, map[string]any)

	described *sdk.Tool
	scope     string
	paths     []string // names of the parameters in the path
	queries   []string // and in the query
	takesBody bool
}

// effect is what a call does to the business's data.
type effect int

const (
	reads      effect = iota
	adds              // something new; the same call again adds once more
	addsOnce          // something new; the same call again adds nothing
	overwrites        // what was there is replaced; the same call again changes nothing
)

// hints are what a client may tell a person before the tool is called.
func (t *tool) hints() *sdk.ToolAnnotations {
	destroys := t.effect == overwrites
	return &sdk.ToolAnnotations{
		Title: t.title, ReadOnlyHint: t.effect == reads, DestructiveHint: &destroys,
		IdempotentHint: t.effect == reads || t.effect == addsOnce || t.effect == overwrites, OpenWorldHint: &t.outside,
	}
}

// toolTable are all tools, in the order in which an assistant meets them. There is
// none that deletes, none that makes keys, and none that shows a secret.
var toolTable = []tool{
	{
		name: "whoami", title: "Who am I", operation: "GET /whoami",
		when: "Use it first: which account and mode (live or test) this key opens, and which scopes it has.",
	},
	{
		name: "list_calls", title: "List calls", operation: "GET /calls", without: []string{"search"},
		when: "Use it to see recent calls, newest first, by outcome, channel, agent, caller or time. For what was said, get_call; to find words, search_calls.",
	},
	{
		name: "get_call", title: "Read a call", operation: "GET /calls/{call_id}",
		when: "Use it for one call with its summary and whole transcript, by an id from list_calls or search_calls.",
	},
	{
		name: "search_calls", title: "Search calls", operation: "GET /calls", needs: []string{"search"},
		when: "Use it to find calls in which all of some words were said.",
	},
	{
		name: "list_captures", title: "List captures", operation: "GET /captures",
		when: "Use it for appointments, leads, orders, callbacks and messages that calls left behind, newest first. For a week's appointments in order, get_agenda.",
	},
	{
		name: "get_agenda", title: "Show the agenda", operation: "GET /agents/{slug}/agenda",
		when: "Use it to see who comes on some days, at most 31, and when the business is open and busy.",
	},
	{
		name: "check_availability", title: "Check what is free", operation: "GET /agents/{slug}/availability",
		when: "Use it before create_capture or change_capture: the times that can be booked on some days, at most 31.",
	},
	{
		name: "create_capture", title: "Write down an appointment or lead", operation: "POST /captures", effect: adds,
		when: "Use it to book an appointment or note a lead on the business's behalf, after the person has agreed. Give an idempotency_key, so that a repeated call books once.",
	},
	{
		name: "change_capture", title: "Move or change a capture", operation: "POST /captures/{capture_id}/change", effect: overwrites, without: []string{"If-Match"},
		when: "Use it to move an appointment or correct what was written down. For confirming or cancelling, set_capture_status.",
	},
	{
		name: "set_capture_status", title: "Confirm or cancel a capture", operation: "PATCH /captures/{capture_id}", effect: overwrites,
		when: "Use it to confirm or cancel a capture, or to mark that nobody came.",
	},
	{
		name: "list_agents", title: "List agents", operation: "GET /agents", handle: (*Server).listAgents, shape: agentsShape,
		when: "Use it to learn which receptionists there are: their slugs, ids, status and configuration.",
	},
	{
		name: "get_agent", title: "Read an agent", operation: "GET /agents/{slug}",
		when: "Use it for one receptionist's configuration: business, hours, services, menu, policy.",
	},
	{
		name: "update_agent", title: "Change an agent", operation: "PATCH /agents/{slug}", effect: overwrites, without: []string{"If-Match"}, body: "changes",
		when: "Use it to change what the receptionist knows: hours, services, prices, policy. Call it with dry_run true first and show the difference. hours, services, menu, products and listings are replaced whole: read the agent, change what is to change, send all of it.",
	},
	{
		name: "get_analytics", title: "Show figures over time", operation: "GET /analytics",
		when: "Use it for numbers: calls and captures by day and hour, outcomes, languages, how it was in the period before.",
	},
	{
		name: "get_usage", title: "Show use and limits", operation: "GET /usage",
		when: "Use it for minutes and calls of each month, and what the plan leaves.",
	},
	{
		name: "get_knowledge", title: "Show how the documents stand", operation: "GET /knowledge",
		when: "Use it to see which questions callers asked in vain, and how many documents there are.",
	},
	{
		name: "ask_knowledge", title: "Ask the documents", operation: "POST /knowledge/test", without: []string{"Idempotency-Key"},
		when: "Use it to see what the receptionist would answer to a question, how sure it is, and from which passages.",
	},
	{
		name: "add_document", title: "Add a document", operation: "POST /knowledge/documents", effect: addsOnce, handle: (*Server).addDocument, shape: documentShape,
		without: []string{"X-Service-Filename", "filename"}, needs: []string{"title"},
		when: "Use it to teach the receptionist an answer, as text: a heading with the question, then the answer. It is used once its status is ready, within seconds; the same call again adds nothing and shows the status.",
	},
	{
		name: "list_connections", title: "List connections", operation: "GET /connections",
		when: "Use it to see which systems are told of calls and captures, and whether that works.",
	},
	{
		name: "list_deliveries", title: "List deliveries", operation: "GET /connections/{connection_id}/deliveries",
		when: "Use it to see what was sent to a connection, what failed and why.",
	},
	{
		name: "retry_delivery", title: "Send a delivery again", operation: "POST /deliveries/{delivery_id}/retry", effect: adds, outside: true,
		when: "Use it for a delivery that is failed or dead, once its receiver works again. Look at ok in the answer.",
	},
	{
		name: "test_connection", title: "Test a connection", operation: "POST /connections/{connection_id}/test", effect: adds, outside: true,
		when: "Use it to send a sample event to a connection and see what its receiver answers. Look at ok in the answer.",
	},
	talkTool,
}

// calling calls a tool with the arguments of a message.
func (s *Server) calling(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		v, err := visitOf(ctx)
		if err != nil {
			return nil, err
		}
		given, err := readArguments(req.Params.Arguments)
		if err != nil {
			return s.failed(v, err), nil
		}
		var result *sdk.CallToolResult
		if t.handle != nil {
			result, err = t.handle(s, v, given)
		} else {
			result, err = s.operate(v, t, given)
		}
		if err != nil {
			return s.failed(v, err), nil
		}
		return result, nil
	}
}

// operate calls the tool's operation and gives its answer.
func (s *Server) operate(v *visit, t *tool, given arguments) (*sdk.CallToolResult, error) {
	q, err := t.question(given)
	if err != nil {
		return nil, err
	}
	return s.answer(v, q)
}

// answer asks the API and gives what it answers.
func (s *Server) answer(v *visit, q question) (*sdk.CallToolResult, error) {
	a, err := ask(s.api, v, q)
	if err != nil {
		return nil, err
	}
	if e, refused := a.refused(); refused {
		return s.refusedResult(v, e), nil
	}
	return structured(a.body), nil
}
