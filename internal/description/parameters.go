package description

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Parameters are the query parameters that an operation knows, by name.
type Parameters map[string]Parameter

// Parameter is a query parameter that an operation knows.
type Parameter struct {
	Default int // of an integer

	name    string
	integer bool
	boolean bool
	schema  *jsonschema.Schema
}

// Parameters are the query parameters of an operation. Its path is written as
// the description writes it: /calls/{call_id}.
func (d *Description) Parameters(method, path string) (Parameters, error) {
	operation, ok := dig(d.document, "paths", path, strings.ToLower(method))
	if !ok {
		return nil, fmt.Errorf("openapi.json does not describe it")
	}
	list, _ := operation["parameters"].([]any)
	known := Parameters{}
	for i, entry := range list {
		declared, _ := entry.(map[string]any)
		pointer := fmt.Sprintf("/paths/%s/%s/parameters/%d", escapePointer(path), strings.ToLower(method), i)
		if ref, ok := declared["$ref"].(string); ok {
			pointer = strings.TrimPrefix(ref, "#")
			declared, _ = dig(d.document, strings.Split(pointer, "/")[1:]...)
		}
		if declared["in"] != "query" {
			continue
		}
		p := Parameter{name: declared["name"].(string)}
		var err error
		if p.schema, err = d.schema(pointer + "/schema"); err != nil {
			return nil, err
		}
		schema, _ := declared["schema"].(map[string]any)
		p.integer, p.boolean = schema["type"] == "integer", schema["type"] == "boolean"
		if n, ok := schema["default"].(json.Number); ok {
			p.Default, _ = strconv.Atoi(n.String())
		}
		known[p.name] = p
	}
	return known, nil
}

// Read reads a query: nothing unknown, nothing twice, every value as its schema
// wants it. A value is a string, an int or a bool.
func (known Parameters) Read(query string) (map[string]any, error) {
	if query == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_invalid", Cause: err,
			Message: "The query string cannot be read. Percent-encode its values.",
		}
	}
	read := make(map[string]any, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		p, ok := known[name]
		if !ok {
			return nil, unknownParam(name, "query parameter", slices.Sorted(maps.Keys(known)))
		}
		if len(values[name]) > 1 {
			return nil, frontdesk.InvalidParam(name, "%s is given more than once. Give it once.", name)
		}
		if read[name], err = p.parse(values[name][0]); err != nil {
			return nil, err
		}
	}
	return read, nil
}

// parse reads the text of a query parameter.
func (p Parameter) parse(text string) (any, error) {
	if !exchange.Storable(text) {
		return nil, frontdesk.InvalidParam(p.name, "%s must be UTF-8 text without NUL.", p.name)
	}
	var value any = text
	switch {
	case p.boolean:
		if text != "true" && text != "false" {
			return nil, frontdesk.InvalidParam(p.name, "%s must be true or false.", p.name)
		}
		value = text == "true"
	case p.integer:
		n, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(n) != text {
			return nil, frontdesk.InvalidParam(p.name, "%s must be a whole number.", p.name)
		}
		value = n
	}
	if err := p.schema.Validate(value); err != nil {
		return nil, frontdesk.InvalidParam(p.name, "%s: %s.", p.name, plain(firstLeaf(err.(*jsonschema.ValidationError))))
	}
	return value, nil
}

func dig(v map[string]any, path ...string) (map[string]any, bool) {
	for _, name := range path {
		inner, ok := v[name].(map[string]any)
		if !ok {
			return nil, false
		}
		v = inner
	}
	return v, true
}

func escapePointer(s string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}
