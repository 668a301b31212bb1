package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// agentsShape is the list of agents in pages: the API gives all of them at once,
// which is more than an assistant can read where they are many.
func agentsShape(input, output map[string]any) (map[string]any, map[string]any) {
	input["properties"] = map[string]any{
		"limit": map[string]any{
			"type": "integer", "minimum": 1, "maximum": longestList, "default": usualList, "description": "How many agents a page has at most.",
		},
		"starting_after": map[string]any{"type": "string", "format": "uuid", "description": "The id of the last agent seen: next_starting_after of the page before."},
	}
	properties, _ := output["properties"].(map[string]any)
	properties["has_more"] = map[string]any{"type": "boolean"}
	properties["next_starting_after"] = map[string]any{"type": []any{"string", "null"}}
	return input, output
}

// listAgents gives one page of the agents, in the order of the API.
func (s *Server) listAgents(v *visit, given arguments) (*sdk.CallToolResult, error) {
	text, err := given.take("limit")
	if err != nil {
		return nil, err
	}
	if text, err = limitOf(text); err != nil {
		return nil, err
	}
	after, err := given.take("starting_after")
	if err != nil {
		return nil, err
	}
	if err := given.done([]string{"limit", "starting_after"}); err != nil {
		return nil, err
	}
	a, err := ask(s.api, v, question{method: http.MethodGet, target: "/v1/agents"})
	if err != nil {
		return nil, err
	}
	if e, refused := a.refused(); refused {
		return s.refusedResult(v, e), nil
	}
	limit, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	body, err := pageOf(a.body, after, limit)
	if err != nil {
		return nil, err
	}
	return structured(body), nil
}

// pageOf cuts a page out of the list of all agents.
func pageOf(all []byte, after string, limit int) ([]byte, error) {
	var list struct {
		Agents []json.RawMessage `json:"agents"`
	}
	if err := json.Unmarshal(all, &list); err != nil {
		return nil, fmt.Errorf("reading the agents: %w", err)
	}
	ids := make([]string, len(list.Agents))
	from := 0
	for i, agent := range list.Agents {
		var named struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(agent, &named); err != nil {
			return nil, fmt.Errorf("reading an agent: %w", err)
		}
		if ids[i] = named.ID; after != "" && ids[i] == after {
			from = i + 1
		}
	}
	if after != "" && from == 0 {
		return nil, &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "invalid_cursor", Param: "starting_after",
			Message: "starting_after must be next_starting_after of the page before. Leave it out to begin again.",
		}
	}
	page := struct {
		Agents  []json.RawMessage `json:"agents"`
		HasMore bool              `json:"has_more"`
		Next    *string           `json:"next_starting_after"`
	}{Agents: list.Agents[from:min(from+limit, len(list.Agents))]}
	if to := from + len(page.Agents); to < len(list.Agents) {
		page.HasMore, page.Next = true, &ids[to-1]
	}
	return json.Marshal(page)
}
