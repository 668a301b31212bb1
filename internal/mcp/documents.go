package mcp

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// textArgument is the argument that is a document.
const textArgument = "text"

// documentShape takes a text where the operation takes a file.
func documentShape(input, output map[string]any) (map[string]any, map[string]any) {
	input["properties"].(map[string]any)[textArgument] = map[string]any{
		"type": "string", "minLength": 1, "description": "The document, in Markdown: best as questions in headings, with their answers below.",
	}
	input["required"] = []any{"title", textArgument}
	return input, output
}

// addDocument uploads a text as a Markdown file.
func (s *Server) addDocument(v *visit, given arguments) (*sdk.CallToolResult, error) {
	text, err := given.need(textArgument)
	if err != nil {
		return nil, err
	}
	title, err := given.need("title")
	if err != nil {
		return nil, err
	}
	agent, err := given.take("agent_id")
	if err != nil {
		return nil, err
	}
	once, err := given.takeOnce()
	if err != nil {
		return nil, err
	}
	if err := given.done([]string{"agent_id", onceArgument, textArgument, "title"}); err != nil {
		return nil, err
	}
	query := url.Values{"filename": {filename(title)}, "title": {title}}
	if agent != "" {
		query.Set("agent_id", agent)
	}
	return s.answer(v, question{method: "POST", target: "/v1/knowledge/documents?" + query.Encode(), contentType: "text/markdown", body: text, once: once})
}

// filename is a name for a document of that title.
func filename(title string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '-'
	}, title)
	if runes := []rune(name); len(runes) > 100 {
		name = string(runes[:100])
	}
	return cmp.Or(strings.Trim(name, "-"), "document") + ".md"
}
