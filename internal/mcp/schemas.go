package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"frontdesk.dev/frontdesk/internal/description"
)

// describe are the tools of the table with what the API's description says of their
// operations.
func describe(d *description.Description) (all []*tool, err error) {
	for _, t := range toolTable {
		method, path, _ := strings.Cut(t.operation, " ")
		o, err := d.Operation(method, path)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.name, err)
		}
		t.scope, t.live = o.Scope, t.live || o.LiveOnly
		input, output := t.input(o), withoutWords(o.Answer)
		if t.shape != nil {
			input, output = t.shape(input, output)
		}
		t.described = &sdk.Tool{
			Name: t.name, Title: t.title, Description: t.when + t.demands(), InputSchema: input, OutputSchema: output, Annotations: t.hints(),
		}
		all = append(all, &t)
	}
	return all, nil
}

// demands says which key a tool needs.
func (t *tool) demands() string {
	switch {
	case t.scope == "":
		return ""
	case t.live:
		return " Needs a live key with " + t.scope + "."
	}
	return " Needs " + t.scope + "."
}

// input is the schema of a tool's arguments: what the operation takes in its path,
// its query and its body, in one object.
func (t *tool) input(o description.Operation) map[string]any {
	properties, required := map[string]any{}, []any{}
	for _, f := range o.Parameters {
		if slices.Contains(t.without, f.Name) {
			continue
		}
		name := f.Name
		switch f.In {
		case "path":
			t.paths = append(t.paths, name)
		case "query":
			t.queries = append(t.queries, name)
		case "header":
			name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
		}
		if f.Required || slices.Contains(t.needs, name) {
			required = append(required, name)
		}
		properties[name] = bounded(name, f.Schema)
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	switch {
	case t.body != "":
		properties[t.body] = plainForm(o.Body)
		required = append(required, t.body)
	case o.Body != nil:
		t.takesBody = true
		required = append(required, t.mergeBody(schema, o.Body)...)
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// mergeBody puts the properties of a body among the arguments.
func (t *tool) mergeBody(schema, body map[string]any) (required []any) {
	properties, _ := body["properties"].(map[string]any)
	maps.Copy(schema["properties"].(map[string]any), properties)
	if any, ok := body["anyOf"]; ok {
		schema["anyOf"] = any
	}
	required, _ = body["required"].([]any)
	return required
}

// plainForm is the first of the forms that a body can have.
func plainForm(body map[string]any) any {
	if forms, ok := body["oneOf"].([]any); ok {
		return forms[0]
	}
	return body
}

// bounded is the schema of a parameter; of the length of a list, with our bounds.
func bounded(name string, schema map[string]any) map[string]any {
	if name == "limit" {
		schema["maximum"], schema["default"] = longestList, usualList
	}
	return schema
}

// withoutWords is a schema without its descriptions: a client checks answers with it,
// and an assistant has the words in frontdesk://openapi.json.
func withoutWords(schema map[string]any) map[string]any {
	kept, _ := strip(schema, true).(map[string]any)
	return kept
}

func strip(value any, schema bool) any {
	switch v := value.(type) {
	case []any:
		all := make([]any, len(v))
		for i, item := range v {
			all[i] = strip(item, schema)
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for name, item := range v {
			if !schema || name != "description" {
				all[name] = strip(item, !schema || name != "properties" && name != "patternProperties")
			}
		}
		return all
	}
	return value
}

// argumentNames are those of the tool's schema.
func (t *tool) argumentNames() []string {
	schema, _ := t.described.InputSchema.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// takesOnce says whether the tool has an idempotency key.
func (t *tool) takesOnce() bool { return slices.Contains(t.argumentNames(), onceArgument) }
