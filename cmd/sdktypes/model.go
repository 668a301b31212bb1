package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// model is what the three languages are written from.
type model struct {
	Declarations []*declaration
	byName       map[string]*declaration
}

// declaration is a named type. It is an object if it has Fields, an open
// enumeration if it has Values, and another name for Type otherwise.
type declaration struct {
	Name   string
	Doc    string
	Fields []field
	Values []string
	Type   *typ

	Object   bool
	Open     bool // says of itself that it has further properties
	Nullable bool // null stands for it
	Changes  bool // what is left out stays as it is, so what is not given is told from what is empty
	Inline   bool // stands in another, and got its name here
	Sent     bool // stands in what is sent
	Query    bool // parameters of a query
	// Discriminator is the property by which the variants of a union are told apart.
	Discriminator string
}

type field struct {
	Name     string
	Doc      string
	Type     *typ
	Required bool
}

type kind int

const (
	anything kind = iota
	text
	instant
	integer
	number
	boolean
	constant
	reference
	list
	tuple
	dictionary
	union
)

// typ is a type as it is used.
type typ struct {
	Kind     kind
	Name     string // of a reference
	Constant any
	Of       []*typ // element, items or variants
	Nullable bool
	Positive bool // a number that is never zero
}

// read returns the model of a document.
func read(source []byte) (*model, error) {
	var d document
	if err := json.Unmarshal(source, &d); err != nil {
		return nil, fmt.Errorf("reading the description: %w", err)
	}
	r := reader{document: &d, model: &model{byName: map[string]*declaration{}}, enums: map[string]string{}}
	r.nameEnums()
	for _, name := range d.Components.Schemas.Names {
		r.schema(name, d.Components.Schemas.Of[name])
	}
	if err := r.operations(); err != nil {
		return nil, err
	}
	for _, d := range r.model.Declarations {
		if d.Changes {
			r.mark(d, func(d *declaration) *bool { return &d.Changes })
		}
	}
	return r.model, nil
}

type reader struct {
	document *document
	model    *model
	enums    map[string]string // name of the type, by property and values
}

func (r *reader) declare(d *declaration) {
	if r.model.byName[d.Name] == nil {
		r.model.byName[d.Name] = d
		r.model.Declarations = append(r.model.Declarations, d)
	}
}

// typeName is the name of a schema's type. Error is taken: each language has its
// own.
func typeName(schema string) string {
	if schema == "Error" {
		return "ErrorBody"
	}
	return schema
}

// nameEnums finds a name for each enumeration that stands inside a schema: that of
// the schema and the property; the shortest, where several schemas have the same.
func (r *reader) nameEnums() {
	schemas := r.document.Components.Schemas
	for _, name := range schemas.Names {
		properties := schemas.Of[name].Properties
		for _, property := range properties.Names {
			s := properties.Of[property]
			if s.is("array") && s.Items != nil && len(s.Items.Enum) > 0 {
				s = s.Items
			}
			if len(s.Enum) == 0 {
				continue
			}
			key, enum := enumKey(property, s), name+exported(property)
			if old := r.enums[key]; old == "" || len(enum) < len(old) {
				r.enums[key] = enum
			}
		}
	}
}

func enumKey(property string, s *schema) string { return property + "=" + strings.Join(s.Enum, ",") }

func (r *reader) schema(name string, s *schema) {
	d := &declaration{
		Name: typeName(name), Doc: s.Description, Nullable: s.is("null"),
		Open: s.Additional.Any, Changes: s.MinProperties > 0,
	}
	switch {
	case len(s.Properties.Names) > 0:
		d.Object = true
		for _, property := range s.Properties.Names {
			p := s.Properties.Of[property]
			d.Fields = append(d.Fields, field{
				Name: property, Doc: cmp.Or(p.Description, r.docOf(p)),
				Type: r.typ(property, p, name), Required: slices.Contains(s.Required, property),
			})
		}
	case len(s.Enum) > 0:
		d.Values = s.Enum
	default:
		d.Type = r.typ("", s, name)
		d.Type.Nullable = false
		if s.Discriminator != nil {
			d.Discriminator = s.Discriminator.Property
		}
	}
	r.declare(d)
}

// docOf is what an enumeration says of itself; what other types say stands with
// them.
func (r *reader) docOf(s *schema) string {
	if s.Ref != "" {
		return r.document.Components.Schemas.Of[path.Base(s.Ref)].Description
	}
	return ""
}

func (r *reader) typ(property string, s *schema, owner string) *typ {
	t := &typ{Nullable: s.is("null") && s.Ref == ""}
	switch {
	case s.Ref != "":
		name := path.Base(s.Ref)
		t.Nullable = r.document.Components.Schemas.Of[name].is("null")
		t.Kind, t.Name = reference, typeName(name)
	case len(s.Enum) > 0:
		t.Kind, t.Name = reference, r.enum(property, s, owner)
	case s.Const != nil && property != "api_version": // the version of today is none of the type's
		t.Kind, t.Constant = constant, s.Const
	case len(s.OneOf) > 0:
		r.variants(t, property, s.OneOf, owner)
	case s.is("array"):
		r.items(t, property, s, owner)
	case s.is("object"):
		t.Kind, t.Of = dictionary, []*typ{{}}
		if s.Additional.Of != nil {
			t.Of[0] = r.typ(property, s.Additional.Of, owner)
		}
	default:
		r.scalar(t, s)
	}
	return t
}

func (r *reader) scalar(t *typ, s *schema) {
	switch {
	case s.is("string") && s.Format == "date-time":
		t.Kind = instant
	case s.is("string"):
		t.Kind = text
	case s.is("integer"):
		t.Kind, t.Positive = integer, s.Minimum > 0
	case s.is("number"):
		t.Kind, t.Positive = number, s.Minimum > 0
	case s.is("boolean"):
		t.Kind = boolean
	}
}

func (r *reader) enum(property string, s *schema, owner string) string {
	name := cmp.Or(r.enums[enumKey(property, s)], owner+exported(property))
	r.declare(&declaration{Name: name, Doc: s.Description, Values: s.Enum, Inline: true})
	return name
}

func (r *reader) items(t *typ, property string, s *schema, owner string) {
	if len(s.PrefixItems) == 0 {
		t.Kind, t.Of = list, []*typ{r.typ(property, s.Items, owner)}
		return
	}
	t.Kind = tuple
	for _, item := range s.PrefixItems {
		t.Of = append(t.Of, r.typ(property, item, owner))
	}
}

// variants makes t a union. One variant and null is that variant, nullable.
func (r *reader) variants(t *typ, property string, of []*schema, owner string) {
	for _, s := range of {
		if len(s.Type) == 1 && s.is("null") {
			t.Nullable = true
			continue
		}
		t.Of = append(t.Of, r.typ(property, s, owner))
	}
	if len(t.Of) == 1 {
		nullable := t.Nullable
		*t = *t.Of[0]
		t.Nullable = t.Nullable || nullable
		return
	}
	t.Kind = union
}

// operations goes through what is sent: bodies, and the parameters in queries, for
// which it declares types.
func (r *reader) operations() error {
	for _, path := range r.document.Paths.Names {
		item := r.document.Paths.Of[path]
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			if item[method] == nil {
				continue
			}
			var op operation
			if err := json.Unmarshal(item[method], &op); err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}
			r.query(op)
			r.body(method, op)
		}
	}
	return nil
}

func (r *reader) body(method string, op operation) {
	s := op.Body.Content["application/json"].Schema
	if s == nil || s.Ref == "" {
		return
	}
	d := r.model.byName[typeName(path.Base(s.Ref))]
	r.mark(d, func(d *declaration) *bool { return &d.Sent })
	if method == "patch" {
		r.mark(d, func(d *declaration) *bool { return &d.Changes })
	}
}

func (r *reader) query(op operation) {
	d := &declaration{Name: queryName(op.ID), Doc: "The query of " + op.ID + ".", Object: true, Query: true, Sent: true}
	for _, p := range op.Parameters {
		if p.Ref != "" {
			p = r.document.Components.Parameters[path.Base(p.Ref)]
		}
		if p.In != "query" {
			continue
		}
		d.Fields = append(d.Fields, field{
			Name: p.Name, Doc: p.Description, Required: p.Required,
			Type: r.typ(p.Name, p.Schema, strings.TrimSuffix(d.Name, "Params")),
		})
	}
	if len(d.Fields) > 0 {
		r.declare(d)
	}
}

// queryName turns the name of an operation into that of its parameters: listCalls
// into CallListParams, getAgenda into AgendaParams, updateAgent into
// AgentUpdateParams.
func queryName(id string) string {
	at := strings.IndexFunc(id, func(r rune) bool { return r >= 'A' && r <= 'Z' })
	verb, noun := id[:at], id[at:]
	switch verb {
	case "get":
		return noun + "Params"
	case "list":
		noun = singular(noun)
	}
	return noun + exported(verb) + "Params"
}

func singular(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(noun, "s")
}

// mark sets a mark on d and on all that stands in it.
func (r *reader) mark(d *declaration, of func(*declaration) *bool) {
	*of(d) = true
	visit := func(t *typ) {
		if next := r.model.byName[t.Name]; next != nil && !*of(next) {
			r.mark(next, of)
		}
	}
	for _, f := range d.Fields {
		walk(f.Type, visit)
	}
	if d.Type != nil {
		walk(d.Type, visit)
	}
}

func walk(t *typ, visit func(*typ)) {
	visit(t)
	for _, of := range t.Of {
		walk(of, visit)
	}
}
