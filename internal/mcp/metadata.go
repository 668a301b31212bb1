package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// wellKnown is where clients look for what protects a resource (RFC 9728).
const wellKnown = "/.well-known/oauth-protected-resource"

// metadataOf are its addresses: for the server, and for the resource at Path.
var metadataOf = map[string]bool{wellKnown: true, wellKnown + Path: true}

// protection is what protects the resource, in the words of RFC 9728.
type protection struct {
	Resource      string   `json:"resource"`
	Methods       []string `json:"bearer_methods_supported"`
	Scopes        []string `json:"scopes_supported"`
	Name          string   `json:"resource_name"`
	Documentation string   `json:"resource_documentation"`
}

// serveMetadata says how a client gets in. It is public, and any page may read it.
func (s *Server) serveMetadata(w http.ResponseWriter, v *visit) error {
	v.method = "metadata"
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	switch v.http.Method {
	case http.MethodOptions:
		h.Set("Access-Control-Allow-Methods", "GET, OPTIONS")
		h.Set("Access-Control-Allow-Headers", "MCP-Protocol-Version")
		w.WriteHeader(http.StatusNoContent)
		return nil
	case http.MethodGet, http.MethodHead:
	default:
		h.Set("Allow", "GET, HEAD, OPTIONS")
		return &frontdesk.Error{Kind: frontdesk.NotAllowed, Code: "method_not_allowed", Message: "This address does not know that method. It knows: GET, HEAD, OPTIONS."}
	}
	base := s.base(v.http)
	p := protection{
		Resource: base + Path, Methods: []string{"header"}, Name: "frontdesk", Documentation: base + "/v1/llms.txt",
	}
	for _, scope := range frontdesk.Scopes {
		p.Scopes = append(p.Scopes, scope.Name)
	}
	body, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encoding the metadata: %w", err)
	}
	h.Set("Content-Type", exchange.JSON)
	w.Write(body)
	return nil
}

// challenge tells a client without a good key where it reads how to get one.
func (s *Server) challenge(r *http.Request, e *frontdesk.Error) string {
	text := fmt.Sprintf("Bearer resource_metadata=%q", s.base(r)+wellKnown+Path)
	if e.Code != "api_key_missing" {
		text += `, error="invalid_token"`
	}
	return text
}
