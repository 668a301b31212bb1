package mcp

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"frontdesk.dev/frontdesk/internal/exchange"
)

// structured is an answer: as a value, and the same as text for clients that read
// nothing else.
func structured(body []byte) *sdk.CallToolResult {
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: string(body)}},
		StructuredContent: json.RawMessage(body),
	}
}

// refusedResult is what the API refused, in words that say what to do.
func (s *Server) refusedResult(v *visit, e refusal) *sdk.CallToolResult {
	v.failed(e.Code)
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: e.String()}}}
}

// failed is an error of our own, in the same words as one of the API.
func (s *Server) failed(v *visit, err error) *sdk.CallToolResult {
	if cause := exchange.Cause(err); cause != "" {
		s.log.Error("a tool call failed", "request_id", v.id, "tool", v.tool, "cause", cause)
	}
	return s.refusedResult(v, refusalOf(v, err))
}

// refusalOf is an error of our own as the API would tell it.
func refusalOf(v *visit, err error) refusal {
	e := exchange.Refusal(err)
	return refusal{Type: exchange.Statuses[e.Kind].Class, Code: e.Code, Message: e.Message, Param: e.Param, RequestID: v.id}
}
