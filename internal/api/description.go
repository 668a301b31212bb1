package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

//go:embed openapi.json
var openapi []byte

//go:embed llms.txt
var llms []byte

const documentURL = "frontdesk:///openapi.json"

// description is the API's own description, ready to check requests with.
type description struct {
	document map[string]any
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema // by JSON pointer
}

func loadDescription(text []byte) (*description, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("reading openapi.json: %w", err)
	}
	document, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("openapi.json is not an object")
	}
	d := &description{document: document, compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	return d, d.compiler.AddResource(documentURL, document)
}

// schema compiles the schema at a pointer, once.
func (d *description) schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(documentURL + "#" + pointer)
	if err != nil {
		return nil, fmt.Errorf("compiling %s of openapi.json: %w", pointer, err)
	}
	d.schemas[pointer] = s
	return s, nil
}

// check holds a value to a named schema.
func (d *description) check(name string, value any) error {
	s, err := d.schema("/components/schemas/" + name)
	if err != nil {
		return err
	}
	return violation(s.Validate(value), value)
}

// agentPatch reads an AgentPatch that has been parsed before.
func (d *description) agentPatch(body []byte, value map[string]any) (frontdesk.AgentPatch, error) {
	if err := d.check("AgentPatch", value); err != nil {
		return frontdesk.AgentPatch{}, err
	}
	patch, err := wire.DecodeAgentPatch(body)
	if err != nil {
		return patch, unreadable(err, value)
	}
	return patch, patch.Check()
}

// parameter is a query parameter that an operation knows.
type parameter struct {
	name     string
	integer  bool
	boolean  bool
	standard int // the default of an integer
	schema   *jsonschema.Schema
}

// parameters are the query parameters of an operation, by name.
func (d *description) parameters(method, path string) (map[string]parameter, error) {
	operation, ok := dig(d.document, "paths", path, strings.ToLower(method))
	if !ok {
		return nil, fmt.Errorf("openapi.json does not describe it")
	}
	list, _ := operation["parameters"].([]any)
	known := map[string]parameter{}
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
		p := parameter{name: declared["name"].(string)}
		var err error
		if p.schema, err = d.schema(pointer + "/schema"); err != nil {
			return nil, err
		}
		schema, _ := declared["schema"].(map[string]any)
		p.integer, p.boolean = schema["type"] == "integer", schema["type"] == "boolean"
		if n, ok := schema["default"].(json.Number); ok {
			p.standard, _ = strconv.Atoi(n.String())
		}
		known[p.name] = p
	}
	return known, nil
}

// parse reads the text of a query parameter.
func (p parameter) parse(text string) (any, error) {
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

func (rt *route) queryNames() []string { return slices.Sorted(maps.Keys(rt.query)) }

// violation turns what the schema said into our error: the one violation that
// comes first by weight and place, so that the same request always gets the
// same answer.
func violation(err error, value any) error {
	if err == nil {
		return nil
	}
	found, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return fmt.Errorf("checking against the description: %w", err)
	}
	var all []*frontdesk.Error
	for _, leaf := range leaves(found, nil) {
		all = append(all, leafErrors(leaf, value)...)
	}
	weight := map[string]int{"parameter_unknown": 0, "parameter_missing": 1}
	return slices.MinFunc(all, func(a, b *frontdesk.Error) int {
		wa, knownA := weight[a.Code]
		wb, knownB := weight[b.Code]
		if !knownA {
			wa = 2
		}
		if !knownB {
			wb = 2
		}
		if wa != wb {
			return wa - wb
		}
		return strings.Compare(a.Param, b.Param)
	})
}

// leaves are the violations themselves. What fails every branch of a oneOf or an
// anyOf is one violation, at its place.
func leaves(e *jsonschema.ValidationError, into []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		return append(into, e)
	}
	if len(e.Causes) == 0 {
		return append(into, e)
	}
	for _, cause := range e.Causes {
		into = leaves(cause, into)
	}
	return into
}

func firstLeaf(e *jsonschema.ValidationError) *jsonschema.ValidationError { return leaves(e, nil)[0] }

func leafErrors(e *jsonschema.ValidationError, value any) []*frontdesk.Error {
	at := placeOf(e.InstanceLocation, value)
	var all []*frontdesk.Error
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		if names := eitherOf(e); len(names) > 0 {
			return []*frontdesk.Error{missingParam(join(at, names[0]), strings.Join(names, " or ")+" is required. Add one of them to the request.")}
		}
		all = append(all, frontdesk.InvalidParam(at, "%s: %s.", at, plain(e)))
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			all = append(all, unknownParam(join(at, name), "property", nil))
		}
	case *kind.Required:
		for _, name := range k.Missing {
			all = append(all, missingParam(join(at, name), join(at, name)+" is required. Add it to the request."))
		}
	case *kind.MinProperties:
		all = append(all, &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "empty_patch", Param: at,
			Message: "There is nothing to change. Send at least one property.",
		})
	default:
		all = append(all, frontdesk.InvalidParam(at, "%s: %s.", at, plain(e)))
	}
	return all
}

// eitherOf are the properties of which an object needs one and has none: those
// that the branches of an anyOf require. There are none where they demand more.
func eitherOf(e *jsonschema.ValidationError) (names []string) {
	for _, branch := range e.Causes {
		missing, ok := branch.ErrorKind.(*kind.Required)
		if !ok {
			return nil
		}
		names = append(names, missing.Missing...)
	}
	return names
}

func missingParam(param, message string) *frontdesk.Error {
	return &frontdesk.Error{Kind: frontdesk.Invalid, Code: "parameter_missing", Param: param, Message: message}
}

var english = message.NewPrinter(language.English)

// plain says a violation in words for a customer.
func plain(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		return "the value has none of the forms that are allowed here"
	case *kind.Type:
		return fmt.Sprintf("must be %s, not %s", strings.Join(k.Want, " or "), k.Got)
	case *kind.Enum:
		words := make([]string, len(k.Want))
		for i, w := range k.Want {
			words[i] = fmt.Sprint(w)
		}
		return "must be one of " + strings.Join(words, ", ")
	case *kind.MinLength:
		if k.Want == 1 {
			return "must not be empty"
		}
		return fmt.Sprintf("must have at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters", k.Want)
	case *kind.Minimum:
		return "must be at least " + k.Want.RatString()
	case *kind.Maximum:
		return "must be at most " + k.Want.RatString()
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d items", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d items", k.Want)
	case *kind.UniqueItems:
		return "must not hold the same item twice"
	}
	// A schema that says more than these is put into words here.
	return e.ErrorKind.LocalizedString(english)
}

func unknownParam(param, what string, known []string) *frontdesk.Error {
	hint := "Remove it, or check its spelling."
	if len(known) > 0 {
		hint = "Known here: " + strings.Join(known, ", ") + "."
	}
	return &frontdesk.Error{
		Kind: frontdesk.Invalid, Code: "parameter_unknown", Param: param,
		Message: fmt.Sprintf("There is no %s %s. %s", what, param, hint),
	}
}

// placeOf writes a location as customers read it: events[1], hours.0[1].
func placeOf(location []string, value any) string {
	at := ""
	for _, token := range location {
		switch v := value.(type) {
		case []any:
			at += "[" + token + "]"
			if i, err := strconv.Atoi(token); err == nil && i < len(v) {
				value = v[i]
			}
		case map[string]any:
			at = join(at, token)
			value = v[token]
		}
	}
	return at
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
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

func sortedKeys(m map[string][]string) []string { return slices.Sorted(maps.Keys(m)) }
