package main

import (
	_ "embed"
	"fmt"
	"go/format"
	"slices"
	"strings"
)

// goRuntime is what the types need: values that can be null or left out, and
// fields that nobody knows yet.
//
//go:embed runtime.go.txt
var goRuntime string

// golang writes the types for Go. Pages and envelopes are left out: the client
// takes them apart.
func golang(m *model, header []string) (string, error) {
	g := goWriter{model: m}
	g.f("// %s\n// %s\n\n%s", header[0], header[1], goRuntime)
	for _, d := range m.Declarations {
		g.declaration(d)
	}
	out, err := format.Source([]byte(g.String()))
	if err != nil {
		return g.String(), fmt.Errorf("what was written is not Go: %w", err)
	}
	return string(out), nil
}

type goWriter struct {
	strings.Builder
	model *model
}

func (g *goWriter) f(format string, args ...any) { fmt.Fprintf(g, format, args...) }

func (g *goWriter) declaration(d *declaration) {
	switch {
	case leftOut(d) || g.isEventType(d):
	case d.Discriminator != "":
		g.events(d)
	case d.Object && byDigits(d):
		g.doc("", d.Name+": "+d.Doc)
		g.f("type %s map[string]%s\n\n", d.Name, g.kind(d.Fields[0].Type))
	case d.Object:
		g.object(d)
	case d.Values != nil:
		g.enum(d)
	case d.Type.Kind == union:
		g.union(d)
	case g.named(d.Type) == "":
		g.doc("", d.Name+": "+d.Doc)
		g.f("type %s %s\n\n", d.Name, g.kind(d.Type))
	}
}

// leftOut says whether the client has no use for a type: it takes pages, envelopes
// and errors apart, sends an agent's patch unwrapped, has a method of its own for
// trying one, and one type for all events.
func leftOut(d *declaration) bool {
	return strings.HasSuffix(d.Name, "List") || strings.HasSuffix(d.Name, "Envelope") ||
		slices.Contains([]string{"ErrorBody", "AgentPatchWrapped", "AgentUpdateParams", "RecordedEvent"}, d.Name)
}

// isEventType says whether an enumeration that stands in another type has no other
// values than the types of events.
func (g *goWriter) isEventType(d *declaration) bool {
	if !d.Inline || d.Values == nil {
		return false
	}
	of := g.eventTypes()
	return !slices.ContainsFunc(d.Values, func(v string) bool { return !slices.Contains(of, v) })
}

func (g *goWriter) eventTypes() (types []string) {
	for _, d := range g.model.Declarations {
		if d.Discriminator == "" {
			continue
		}
		for _, t := range d.Type.Of {
			types = append(types, g.discriminator(g.target(t), d.Discriminator))
		}
	}
	return types
}

// byDigits says whether an object is a table of weekdays.
func byDigits(d *declaration) bool {
	return !slices.ContainsFunc(d.Fields, func(f field) bool { return f.Name[0] < '0' || f.Name[0] > '9' })
}

// named is what stands in Go for a type that gets no name of its own.
func (g *goWriter) named(t *typ) string {
	switch t.Kind {
	case text:
		return "string"
	case instant:
		return "time.Time"
	}
	return ""
}

func (g *goWriter) object(d *declaration) {
	g.doc("", d.Name+": "+d.Doc)
	g.f("type %s struct {\n", d.Name)
	for _, f := range d.Fields {
		g.doc("\t", f.Doc)
		g.f("\t%s %s", exported(f.Name), g.fieldType(d, f))
		if !d.Query {
			g.f(" `json:\"%s%s\"`", f.Name, omit(f))
		}
		g.f("\n")
	}
	if d.Query {
		g.f("}\n\n")
		g.query(d)
		return
	}
	g.f("\n\t// Extra is what this version of the types does not know, by its name.\n")
	g.f("\tExtra map[string]json.RawMessage `json:\"-\"`\n}\n\n")
	g.f("func (v *%s) UnmarshalJSON(data []byte) error {\n\ttype plain %s\n\treturn unmarshalExtra(data, (*plain)(v), &v.Extra)\n}\n\n", d.Name, d.Name)
	g.f("func (v %s) MarshalJSON() ([]byte, error) {\n\ttype plain %s\n\treturn marshalExtra(plain(v), v.Extra)\n}\n\n", d.Name, d.Name)
}

func omit(f field) string {
	if f.Required {
		return ""
	}
	return ",omitzero"
}

// fieldType decides how a field says that it has no value. Where what is left out
// stays as it is, empty and left out differ; elsewhere they do not, unless zero
// means something.
func (g *goWriter) fieldType(d *declaration, f field) string {
	kind := g.kind(f.Type)
	if d.Query || g.canBeNil(f.Type) {
		return kind
	}
	switch {
	case f.Type.Nullable && !f.Required && !g.isObject(f.Type):
		return "Optional[" + kind + "]"
	case f.Type.Nullable:
		return "*" + kind
	case f.Required:
		return kind
	case f.Type.Kind == boolean: // false, where it is left out
		return kind
	case d.Changes, g.isObject(f.Type), f.Type.Kind == instant:
		return "*" + kind
	case (f.Type.Kind == integer || f.Type.Kind == number) && !f.Type.Positive:
		return "*" + kind
	}
	return kind
}

func (g *goWriter) target(t *typ) *declaration {
	if t.Kind == reference {
		return g.model.byName[t.Name]
	}
	return nil
}

func (g *goWriter) isObject(t *typ) bool {
	d := g.target(t)
	return d != nil && (d.Object || d.Discriminator != "")
}

// canBeNil says whether Go's own zero value says that there is none.
func (g *goWriter) canBeNil(t *typ) bool {
	if d := g.target(t); d != nil {
		return d.Object && byDigits(d) || d.Type != nil && d.Discriminator == "" && g.canBeNil(d.Type)
	}
	return t.Kind == list || t.Kind == dictionary || t.Kind == anything || t.Kind == union
}

func (g *goWriter) kind(t *typ) string {
	switch t.Kind {
	case text:
		return "string"
	case instant:
		return "time.Time"
	case integer:
		return "int"
	case number:
		return "float64"
	case boolean:
		return "bool"
	case constant:
		if _, ok := t.Constant.(string); ok {
			return "string"
		}
		return "bool"
	case reference:
		return g.reference(g.target(t))
	case list:
		return "[]" + g.element(t.Of[0])
	case tuple:
		return fmt.Sprintf("[%d]%s", len(t.Of), g.kind(t.Of[0]))
	case dictionary:
		return "map[string]" + g.element(t.Of[0])
	}
	return "any"
}

func (g *goWriter) reference(d *declaration) string {
	switch {
	case d.Type != nil && g.named(d.Type) != "":
		return g.named(d.Type)
	case g.isEventType(d):
		return "EventType"
	}
	return d.Name
}

func (g *goWriter) element(t *typ) string {
	if t.Nullable && !g.canBeNil(t) {
		return "*" + g.kind(t)
	}
	return g.kind(t)
}

func (g *goWriter) enum(d *declaration) {
	g.doc("", d.Name+": "+d.Doc+"\nFurther values may be added: have a default case.")
	g.f("type %s string\n\n// The values of %s that are known.\nconst (\n", d.Name, d.Name)
	for _, v := range d.Values {
		g.f("\t%s%s %s = %q\n", d.Name, exported(v), d.Name, v)
	}
	g.f(")\n\n")
}

// union writes a type whose value is one of several.
func (g *goWriter) union(d *declaration) {
	// A body that is taken both bare and wrapped is sent bare.
	if slices.ContainsFunc(d.Type.Of, func(t *typ) bool { return strings.HasSuffix(t.Name, "Wrapped") }) {
		return
	}
	g.doc("", d.Name+": "+d.Doc+"\nIt is "+joined(d.Type.Of, " or ", g.kind)+" when it is sent; what is received has a "+
		"map[string]any for an object.")
	g.f("type %s = any\n\n", d.Name)
}

// events writes a union whose variants are told apart by a property: what they
// have in common, and the variant itself.
func (g *goWriter) events(d *declaration) {
	g.doc("", d.Name+": "+d.Doc+"\n\nValue is "+joined(d.Type.Of, ", ", func(t *typ) string { return "*" + t.Name })+
		"; nil where the type is not known. Raw is what was received.")
	g.f("type %s struct {\n", d.Name)
	for _, f := range g.common(d) {
		kind := g.fieldType(d, f)
		if f.Name == d.Discriminator {
			kind, f.Doc = d.Name+exported(f.Name), "What happened."
		}
		g.doc("\t", f.Doc)
		g.f("\t%s %s `json:%q`\n", exported(f.Name), kind, f.Name)
	}
	g.f("\n\tValue any `json:\"-\"`\n\tRaw json.RawMessage `json:\"-\"`\n}\n\n")
	g.variants(d)
}

// common returns the fields that all variants have in the same way.
func (g *goWriter) common(d *declaration) (fields []field) {
	for _, f := range g.target(d.Type.Of[0]).Fields {
		everywhere := true
		for _, t := range d.Type.Of[1:] {
			v := g.target(t)
			everywhere = everywhere && slices.ContainsFunc(v.Fields, func(o field) bool {
				return o.Name == f.Name && g.fieldType(v, o) == g.fieldType(d, f)
			})
		}
		if everywhere {
			fields = append(fields, f)
		}
	}
	return fields
}

// variants writes the names of the types of events that are not in the
// enumeration already, and how an event is read and written.
func (g *goWriter) variants(d *declaration) {
	enum := g.model.byName[d.Name+exported(d.Discriminator)]
	g.f("// Further values of %s, which connections do not subscribe to by their events.\nconst (\n", enum.Name)
	read := ""
	for _, t := range d.Type.Of {
		value := g.discriminator(g.target(t), d.Discriminator)
		if !slices.Contains(enum.Values, value) {
			g.f("\t%s%s %s = %q\n", enum.Name, exported(value), enum.Name, value)
		}
		read += fmt.Sprintf("\tcase %q:\n\t\tv.Value = new(%s)\n", value, t.Name)
	}
	g.f(")\n\n")
	g.f("func (v *%s) UnmarshalJSON(data []byte) error {\n\ttype plain %s\n", d.Name, d.Name)
	g.f("\t*v = %s{}\n\tif err := json.Unmarshal(data, (*plain)(v)); err != nil {\n\t\treturn err\n\t}\n", d.Name)
	g.f("\tv.Raw = append(json.RawMessage(nil), data...)\n\tswitch v.%s {\n%s\tdefault:\n\t\treturn nil\n\t}\n", exported(d.Discriminator), read)
	g.f("\treturn json.Unmarshal(data, v.Value)\n}\n\n")
	g.f("func (v %s) MarshalJSON() ([]byte, error) {\n\tif v.Value != nil {\n\t\treturn json.Marshal(v.Value)\n\t}\n", d.Name)
	g.f("\tif v.Raw != nil {\n\t\treturn v.Raw, nil\n\t}\n\ttype plain %s\n\treturn json.Marshal(plain(v))\n}\n\n", d.Name)
}

func (g *goWriter) discriminator(d *declaration, property string) string {
	for _, f := range d.Fields {
		if f.Name == property {
			return f.Type.Constant.(string)
		}
	}
	return ""
}

// query writes what becomes of parameters in a URL. What is zero is left out.
func (g *goWriter) query(d *declaration) {
	g.f("func (p %s) query() url.Values {\n\tq := url.Values{}\n", d.Name)
	for _, f := range d.Fields {
		g.f("\taddTo(q, %q, p.%s)\n", f.Name, exported(f.Name))
	}
	g.f("\treturn q\n}\n\n")
}

func (g *goWriter) doc(indent, doc string) {
	if doc == "" {
		return
	}
	for _, line := range wrapped(doc, 96) {
		g.f("%s\n", strings.TrimRight(indent+"// "+line, " "))
	}
}
