package description

import (
	"fmt"
	"maps"
	"strings"
)

// Operation is what the description says of one operation, for those who
// describe it once more in another form.
type Operation struct {
	Summary  string
	Scope    string // that it needs; "": none
	LiveOnly bool   // it needs a live key

	Parameters []Field        // of the path and the query, in the order of the description
	Body       map[string]any // schema of the JSON body; nil: it has none
	Answer     map[string]any // schema of the answer
}

// Field is a parameter of an operation.
type Field struct {
	Name     string
	In       string // "path", "query" or "header"
	Required bool
	Schema   map[string]any // with the field's description
}

// Operation describes an operation. Its path is written as the description writes
// it: /calls/{call_id}. The schemas stand by themselves: what they refer to is in
// its place, and what only documents the API is left out. They are the caller's
// own.
func (d *Description) Operation(method, path string) (Operation, error) {
	declared, ok := dig(d.document, "paths", path, strings.ToLower(method))
	if !ok {
		return Operation{}, fmt.Errorf("openapi.json does not describe %s %s", method, path)
	}
	o := Operation{}
	o.Summary, _ = declared["summary"].(string)
	o.Scope, _ = declared["x-required-scope"].(string)
	o.LiveOnly, _ = declared["x-live-only"].(bool)
	list, _ := declared["parameters"].([]any)
	for _, entry := range list {
		o.Parameters = append(o.Parameters, d.field(d.follow(entry)))
	}
	if body, ok := dig(declared, "requestBody", "content", "application/json"); ok {
		o.Body = d.alone(body["schema"])
	}
	for _, status := range []string{"200", "201"} {
		if answer, ok := dig(declared, "responses", status, "content", "application/json"); ok {
			o.Answer = d.alone(answer["schema"])
		}
	}
	return o, nil
}

func (d *Description) field(declared map[string]any) (f Field) {
	f.Name, _ = declared["name"].(string)
	f.In, _ = declared["in"].(string)
	f.Required, _ = declared["required"].(bool)
	f.Schema = d.alone(declared["schema"])
	if text, ok := declared["description"].(string); ok {
		f.Schema["description"] = text
	}
	return f
}

// follow is what an entry of the document stands for.
func (d *Description) follow(entry any) map[string]any {
	value, _ := entry.(map[string]any)
	if ref, ok := value["$ref"].(string); ok {
		value, _ = dig(d.document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return value
}

// alone is a schema that refers to nothing.
func (d *Description) alone(schema any) map[string]any {
	value, _ := d.expand(schema, true).(map[string]any)
	if value == nil {
		value = map[string]any{}
	}
	return value
}

// expand copies a value with its references in place. Where a schema stands, what
// is only for readers of the document is left out; in the names of properties every
// word is somebody's own.
func (d *Description) expand(value any, schema bool) any {
	switch v := value.(type) {
	case []any:
		all := make([]any, len(v))
		for i, item := range v {
			all[i] = d.expand(item, schema)
		}
		return all
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && schema {
			inner, _ := dig(d.document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
			whole := maps.Clone(inner)
			maps.Copy(whole, v) // what stands beside a reference says more
			delete(whole, "$ref")
			v = whole
		}
		all := make(map[string]any, len(v))
		for name, item := range v {
			switch {
			case !schema: // a name of somebody's own, and its schema
				all[name] = d.expand(item, true)
			case name == "examples" || name == "example" || strings.HasPrefix(name, "x-"):
			case name == "properties" || name == "patternProperties":
				all[name] = d.expand(item, false)
			case name == "const" || name == "default" || name == "enum":
				all[name] = item
			default:
				all[name] = d.expand(item, true)
			}
		}
		return all
	}
	return value
}
