package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"frontdesk.dev/frontdesk/internal/exchange"
)

// guarded makes a panic in what a message asks for an error: the protocol runs it
// in a goroutine of its own, where nothing else would catch it.
func (s *Server) guarded(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if err != nil {
				result, err = nil, s.protocolError(ctx, err)
			}
		}()
		defer exchange.Recover(&err)
		return next(ctx, method, req)
	}
}

// protocolError is an error as the protocol tells it: its own as they are, ours in
// the words of the API, and of all others none.
func (s *Server) protocolError(ctx context.Context, err error) error {
	v, lost := visitOf(ctx)
	var known *jsonrpc.Error
	if errors.As(err, &known) {
		if lost == nil {
			v.failed(fmt.Sprint(known.Code))
		}
		return err
	}
	if lost != nil {
		s.log.Error("a message of an assistant failed", "cause", err)
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
	}
	if cause := exchange.Cause(err); cause != "" {
		s.log.Error("a message of an assistant failed", "request_id", v.id, "method", v.method, "cause", cause)
	}
	return refusalOf(v, err).protocolError(v)
}

// protocolError is what the API refused, where the protocol has no room for a
// tool's error.
func (e refusal) protocolError(v *visit) error {
	v.failed(e.Code)
	code := int64(jsonrpc.CodeInvalidParams)
	if e.Type == "api_error" {
		code = jsonrpc.CodeInternalError
	}
	return &jsonrpc.Error{Code: code, Message: e.String()}
}

// filtered shows a key only what it may do.
func (s *Server) filtered(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return nil, err
		}
		switch list := result.(type) {
		case *sdk.ListToolsResult:
			return s.shownTools(ctx, list)
		case *sdk.ListResourcesResult:
			return s.withAgents(ctx, list)
		}
		return result, nil
	}
}

// shownTools are the tools that the key may call, by what the API says of it.
func (s *Server) shownTools(ctx context.Context, list *sdk.ListToolsResult) (sdk.Result, error) {
	v, err := visitOf(ctx)
	if err != nil {
		return nil, err
	}
	a, err := ask(s.api, v, question{method: http.MethodGet, target: "/v1/whoami"})
	if err != nil {
		return nil, err
	}
	if e, refused := a.refused(); refused {
		return nil, e.protocolError(v)
	}
	var who struct {
		Livemode bool     `json:"livemode"`
		Scopes   []string `json:"scopes"`
	}
	if err := json.Unmarshal(a.body, &who); err != nil {
		return nil, fmt.Errorf("reading who asks: %w", err)
	}
	shown := *list
	shown.Tools = []*sdk.Tool{}
	for _, t := range s.tools {
		if (t.scope == "" || slices.Contains(who.Scopes, t.scope)) && (who.Livemode || !t.live) {
			shown.Tools = append(shown.Tools, t.described)
		}
	}
	return &shown, nil
}
