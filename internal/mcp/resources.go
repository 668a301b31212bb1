package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	openapiURI = "frontdesk://openapi.json"
	guideURI   = "frontdesk://llms.txt"
	agentsURI  = "frontdesk://agents/"
)

// addResources adds what an assistant can read beside its tools.
func (s *Server) addResources(server *sdk.Server) {
	server.AddResource(&sdk.Resource{
		URI: openapiURI, Name: "openapi.json", Title: "The API's description", MIMEType: "application/json",
		Description: "OpenAPI 3.1: every operation, field and error of the customer API, of which the tools are a part.",
	}, s.reading("/v1/openapi.json"))
	server.AddResource(&sdk.Resource{
		URI: guideURI, Name: "llms.txt", Title: "The API's guide", MIMEType: "text/plain",
		Description: "How the customer API is used, in plain text, with examples and common mistakes.",
	}, s.reading("/v1/llms.txt"))
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: agentsURI + "{slug}", Name: "agent", Title: "An agent's configuration", MIMEType: "application/json",
		Description: "Business, hours, services, menu, products, listings, policy and voice of one receptionist, by the slug of list_agents. Needs agents:read.",
	}, s.reading(""))
}

// reading reads an address of the API; of an agent, the one that the resource
// names.
func (s *Server) reading(target string) sdk.ResourceHandler {
	return func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		v, err := visitOf(ctx)
		if err != nil {
			return nil, err
		}
		from := target
		if from == "" {
			slug, err := url.PathUnescape(strings.TrimPrefix(req.Params.URI, agentsURI))
			if err != nil {
				return nil, sdk.ResourceNotFoundError(req.Params.URI)
			}
			from = "/v1/agents/" + url.PathEscape(slug)
		}
		a, err := ask(s.api, v, question{method: http.MethodGet, target: from})
		if err != nil {
			return nil, err
		}
		switch e, refused := a.refused(); {
		case refused && a.status == http.StatusNotFound:
			v.failed(e.Code)
			return nil, sdk.ResourceNotFoundError(req.Params.URI)
		case refused:
			return nil, e.protocolError(v)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, Text: string(a.body)}}}, nil
	}
}

// withAgents lists the configuration of each agent too, for a key that may read
// it.
func (s *Server) withAgents(ctx context.Context, list *sdk.ListResourcesResult) (sdk.Result, error) {
	v, err := visitOf(ctx)
	if err != nil {
		return nil, err
	}
	a, err := ask(s.api, v, question{method: http.MethodGet, target: "/v1/agents"})
	if err != nil {
		return nil, err
	}
	switch e, refused := a.refused(); {
	case refused && a.status == http.StatusForbidden:
		return list, nil
	case refused:
		return nil, e.protocolError(v)
	}
	var agents struct {
		Agents []struct {
			Slug string `json:"slug"`
			Name string `json:"display_name"`
		} `json:"agents"`
	}
	if err := json.Unmarshal(a.body, &agents); err != nil {
		return nil, fmt.Errorf("reading the agents: %w", err)
	}
	shown := *list
	shown.Resources = append([]*sdk.Resource{}, list.Resources...)
	for _, agent := range agents.Agents {
		shown.Resources = append(shown.Resources, &sdk.Resource{
			URI: agentsURI + url.PathEscape(agent.Slug), Name: agent.Slug, Title: agent.Name, MIMEType: "application/json",
			Description: "The configuration of this receptionist.",
		})
	}
	return &shown, nil
}
