package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// talkTool holds a rehearsal, sentence by sentence.
//
// It needs a live key, since the receptionist answers from the live documents and
// the live book, and agents:read: what a rehearsal tells, any visitor of the
// business's page is told too, and agents:read is what shows how a receptionist is
// set up. It needs no scope that writes: what it writes is test data, and nobody is
// told of it. The rehearsal itself is held by the web channel, which asks for the
// same rights.
var talkTool = tool{
	name: "talk_to_receptionist", title: "Talk to the receptionist", operation: "GET /agents/{slug}", effect: adds, live: true,
	handle: (*Server).talk, shape: talkShape,
	when: "Use it to try a receptionist as a caller would, one sentence a call: after a change of its configuration or documents, or to see how it handles a request. " +
		"It is a rehearsal: it reads the live documents and calendar, and what it writes is test data of which nobody is told. " +
		"The first call names the agent and may bring the first sentence; every further call passes back conversation from the answer.",
}

const (
	slugArgument     = "slug"
	languageArgument = "language"
	talkArgument     = "conversation"
	endArgument      = "end"
)

var talkArguments = []string{talkArgument, endArgument, languageArgument, slugArgument, textArgument}

// talkShape is what the tool takes and gives. The web channel stands in no
// description, so it is written here.
func talkShape(_, _ map[string]any) (input, output map[string]any) { return talkInput(), talkOutput() }

func talkInput() map[string]any {
	return map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{slugArgument},
		"properties": map[string]any{
			slugArgument:     map[string]any{"type": "string", "description": "The agent's slug, from list_agents."},
			textArgument:     map[string]any{"type": "string", "minLength": 1, "maxLength": 1000, "description": "What the caller says, one sentence or two. May be left out in the first call, to hear the greeting alone."},
			languageArgument: map[string]any{"type": "string", "enum": words(frontdesk.Languages), "description": "The language in which the receptionist greets. Only in the first call; default: the agent's first."},
			talkArgument:     map[string]any{"type": "string", "description": "conversation of the answer before. Left out: a new conversation begins."},
			endArgument:      map[string]any{"type": "boolean", "description": "true: hang up. With conversation, and without text."},
		},
	}
}

func talkOutput() map[string]any {
	text := map[string]any{"type": "string"}
	maybe := map[string]any{"type": []any{"string", "null"}}
	return map[string]any{
		"type": "object", "required": []any{talkArgument, "ended"},
		"properties": map[string]any{
			talkArgument: text,
			"greeting":   text,
			"reply": map[string]any{
				"type": "object", "required": []any{"text", "language", "expect", "quick_replies"},
				"properties": map[string]any{
					"text": text, "language": text, "expect": maybe,
					"quick_replies": map[string]any{"type": "array", "items": text},
				},
			},
			"capture": map[string]any{"type": []any{"object", "null"}},
			"ended":   map[string]any{"type": "boolean"},
			"outcome": maybe,
		},
	}
}

func words(all []string) (list []any) {
	for _, word := range all {
		list = append(list, word)
	}
	return list
}

// said is what the tool answers.
type said struct {
	Conversation string          `json:"conversation"`
	Greeting     string          `json:"greeting,omitempty"`
	Reply        json.RawMessage `json:"reply,omitempty"`
	Capture      json.RawMessage `json:"capture,omitempty"`
	Ended        bool            `json:"ended"`
	Outcome      *string         `json:"outcome,omitempty"`
}

// line is one call of the tool.
type line struct {
	slug, text, language string
	id, token            string // "": it has not begun
	end                  bool
}

// talk says one sentence and gives what the receptionist answers.
func (s *Server) talk(v *visit, given arguments) (*sdk.CallToolResult, error) {
	l, err := readLine(given)
	if err != nil {
		return nil, err
	}
	// This is the one request that the call costs: it holds the key to its rate and
	// its scope, and says whether there is such an agent.
	known, err := ask(s.api, v, question{method: http.MethodGet, target: "/v1/agents/" + url.PathEscape(l.slug)})
	if err != nil {
		return nil, err
	}
	if e, refused := known.refused(); refused {
		return s.refusedResult(v, e), nil
	}
	if !v.caller.Key.Live {
		return nil, frontdesk.LiveKeyRequired()
	}
	answer := said{}
	if l.id == "" {
		e, refused, err := s.begin(v, &l, &answer)
		if err != nil {
			return nil, err
		}
		if refused {
			return s.refusedResult(v, e), nil
		}
	}
	answer.Conversation = l.id + "." + l.token
	if l.text != "" || l.end {
		a, err := ask(s.web, v, l.question())
		if err != nil {
			return nil, err
		}
		if e, refused := a.refused(); refused {
			return s.refusedResult(v, e), nil
		}
		if err := json.Unmarshal(a.body, &answer); err != nil {
			return nil, fmt.Errorf("reading what the receptionist said: %w", err)
		}
	}
	answer.Ended = answer.Ended || l.end
	body, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return structured(body), nil
}

func readLine(given arguments) (l line, err error) {
	if l.slug, err = given.need(slugArgument); err != nil {
		return l, err
	}
	var conversation, end string
	for name, to := range map[string]*string{textArgument: &l.text, languageArgument: &l.language, talkArgument: &conversation, endArgument: &end} {
		if *to, err = given.take(name); err != nil {
			return l, err
		}
	}
	if err := given.done(talkArguments); err != nil {
		return l, err
	}
	l.end = end == "true"
	id, token, whole := strings.Cut(conversation, ".")
	switch {
	case end != "" && end != "true" && end != "false":
		return l, frontdesk.InvalidParam(endArgument, "end must be true or false.")
	case l.end && (conversation == "" || l.text != ""):
		return l, frontdesk.InvalidParam(endArgument, "end ends a conversation that has begun, without a text. Say the last sentence first.")
	case conversation != "" && l.text == "" && !l.end:
		return l, frontdesk.MissingParam(textArgument, "text is required in a conversation that has begun. Say something, or end it with end true.")
	case conversation == "":
		return l, nil
	case !whole || !fitToken(token):
		return l, noConversation()
	}
	parsed, ok := frontdesk.ParseID(id)
	if !ok {
		return l, noConversation()
	}
	l.id, l.token = string(parsed), token
	return l, nil
}

// fitToken says whether a text can stand in a header.
func fitToken(token string) bool {
	return token != "" && len(token) <= 4096 && !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}

func noConversation() error {
	return frontdesk.InvalidParam(talkArgument, "conversation must be that of an answer of this tool, unchanged. Leave it out to begin a new one.")
}

// begin opens a rehearsal with the web channel.
func (s *Server) begin(v *visit, l *line, answer *said) (e refusal, refused bool, err error) {
	if wait := s.trials.Take(v.caller.Key.ID, s.now()); wait > 0 {
		return e, false, frontdesk.TooOften(wait, fmt.Sprintf("This key has begun many rehearsals. Go on with one of them, or wait %s and begin another.", wait.Round(1e9)))
	}
	wish := map[string]string{"mode": "rehearsal"}
	if l.language != "" {
		wish["language"] = l.language
	}
	body, err := json.Marshal(wish)
	if err != nil {
		return e, false, err
	}
	target := "/web/" + url.PathEscape(v.caller.Tenant.Slug) + "/" + url.PathEscape(l.slug) + "/conversations"
	a, err := ask(s.web, v, question{method: http.MethodPost, target: target, contentType: exchange.JSON, body: string(body)})
	if err != nil {
		return e, false, err
	}
	if e, refused := a.refused(); refused {
		return e, true, nil
	}
	var begun struct {
		Conversation struct{ ID, Token, Greeting string }
	}
	if err := json.Unmarshal(a.body, &begun); err != nil {
		return e, false, fmt.Errorf("reading the greeting: %w", err)
	}
	c := begun.Conversation
	l.id, l.token, answer.Greeting = c.ID, c.Token, c.Greeting
	return e, false, nil
}

// question is what the web channel is sent.
func (l line) question() question {
	q := question{method: http.MethodPost, target: "/web/conversations/" + l.id + "/messages", bearer: l.token, contentType: exchange.JSON}
	if l.end {
		q.target = "/web/conversations/" + l.id + "/end"
		return q
	}
	body, _ := json.Marshal(map[string]string{"text": l.text})
	q.body = string(body)
	return q
}
