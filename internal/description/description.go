// Package description is the API's description and the checks made from it, for
// every package that takes from a customer what the API takes: the same rules
// hold, and the same words refuse, wherever it came in.
//
// openapi.json is not only documentation. A body walks one straight line:
//
//	exchange.ParseObject -> protected fields -> schema of openapi.json -> Go type -> rule of the vocabulary
//
// and a query goes through Parameters. Of several violations the first by weight
// and place becomes the error (violation.go), so that the same request always
// gets the same answer.
//
// Nothing is read when the program starts: Load parses the document once, and a
// schema is compiled when it is first needed. The package knows no routes, no
// keys and no database; what only an account's data can refuse is for others.
package description

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

//go:embed openapi.json
var openapi []byte

const documentURL = "frontdesk:///openapi.json"

// Text is the document as it is published. It must not be changed.
func Text() []byte { return openapi }

// Description is a description of the API, ready to check requests with. It is
// safe for concurrent use.
type Description struct {
	document map[string]any
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema // by JSON pointer
}

// Load returns the API's description. All callers share one.
func Load() (*Description, error) { return load() }

var load = sync.OnceValues(func() (*Description, error) { return Read(openapi) })

// Read returns the description that a document gives.
func Read(text []byte) (*Description, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("reading openapi.json: %w", err)
	}
	document, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("openapi.json is not an object")
	}
	d := &Description{document: document, compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	return d, d.compiler.AddResource(documentURL, document)
}

// schema compiles the schema at a pointer, once.
func (d *Description) schema(pointer string) (*jsonschema.Schema, error) {
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

// Check holds a value, as exchange.ParseObject returns it, to a schema that the
// description names.
func (d *Description) Check(schema string, value any) error {
	s, err := d.schema("/components/schemas/" + schema)
	if err != nil {
		return err
	}
	if err := violation(s.Validate(value), value); err != nil {
		return err
	}
	return refuseNUL("", value)
}

// refuseNUL refuses text that a database cannot hold, wherever it stands.
func refuseNUL(at string, value any) error {
	switch v := value.(type) {
	case string:
		if !exchange.Storable(v) {
			return frontdesk.InvalidParam(at, "%s must be text without NUL.", at)
		}
	case []any:
		for i, item := range v {
			if err := refuseNUL(fmt.Sprintf("%s[%d]", at, i), item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !exchange.Storable(name) {
				return frontdesk.InvalidParam(at, "The names of properties must be text without NUL.")
			}
			if err := refuseNUL(join(at, name), v[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckBody is Check for a body that has not been parsed: it must be one JSON
// object.
func (d *Description) CheckBody(schema string, body []byte) error {
	value, err := exchange.ParseObject(body)
	if err != nil {
		return err
	}
	return d.Check(schema, value)
}

// Decode holds a body, which must be one JSON object, to a schema that the
// description names, and fills dst with it.
func (d *Description) Decode(schema string, body []byte, dst any) error {
	value, err := exchange.ParseObject(body)
	if err != nil {
		return err
	}
	if err := d.Check(schema, value); err != nil {
		return err
	}
	if err := jsonv2.Unmarshal(body, dst); err != nil {
		return unreadable(err, value)
	}
	return nil
}

// unreadable is the error for a value that its schema admits but its Go type
// cannot hold, such as 9.0 for a whole number. It keeps no cause, which would
// quote the value.
func unreadable(err error, value any) error {
	var known *frontdesk.Error
	if errors.As(err, &known) {
		return err
	}
	var semantic *jsonv2.SemanticError
	if !errors.As(err, &semantic) {
		return err
	}
	return frontdesk.InvalidParam(placeOf(slices.Collect(semantic.JSONPointer.Tokens()), value),
		"A value has a form that cannot be read here. Write whole numbers without a fraction or an exponent.")
}
