package main

import (
	"fmt"
	"strconv"
	"strings"
)

// typescript writes the types for TypeScript. They say what is known; a value is
// kept as it was received, and what is not known stays in it.
func typescript(m *model, header []string) string {
	var b strings.Builder
	for _, line := range header {
		fmt.Fprintf(&b, "// %s\n", line)
	}
	b.WriteString(`
/**
 * A value as it was received, with whatever else it has: for fields that this
 * version of the types does not know.
 */
export type Received<T> = T & { readonly [name: string]: unknown };
`)
	for _, d := range m.Declarations {
		b.WriteString("\n")
		writeTSDoc(&b, "", d.Doc)
		switch {
		case d.Object:
			writeInterface(&b, d)
		case d.Values != nil:
			fmt.Fprintf(&b, "export type %s =\n", d.Name)
			for _, v := range d.Values {
				fmt.Fprintf(&b, "  | %s\n", strconv.Quote(v))
			}
			b.WriteString("  | (string & {});\n")
		default:
			fmt.Fprintf(&b, "export type %s = %s;\n", d.Name, tsType(d.Type))
		}
	}
	return b.String()
}

func writeInterface(b *strings.Builder, d *declaration) {
	fmt.Fprintf(b, "export interface %s {\n", d.Name)
	for _, f := range d.Fields {
		writeTSDoc(b, "  ", f.Doc)
		name := f.Name
		if name[0] >= '0' && name[0] <= '9' || strings.Contains(name, "-") {
			name = strconv.Quote(name)
		}
		if !f.Required {
			name += "?"
		}
		// What a caller leaves undefined is left out.
		kind := tsType(f.Type)
		if d.Query && f.Type.Kind == instant {
			kind += " | Date"
		}
		if d.Sent && !f.Required {
			kind += " | undefined"
		}
		fmt.Fprintf(b, "  %s: %s;\n", name, kind)
	}
	if d.Open {
		b.WriteString("  [name: string]: unknown;\n")
	}
	b.WriteString("}\n")
}

func tsType(t *typ) string {
	s := tsKind(t)
	if t.Nullable {
		s += " | null"
	}
	return s
}

func tsKind(t *typ) string {
	switch t.Kind {
	case text, instant:
		return "string"
	case integer, number:
		return "number"
	case boolean:
		return "boolean"
	case constant:
		if s, ok := t.Constant.(string); ok {
			return strconv.Quote(s)
		}
		return fmt.Sprint(t.Constant)
	case reference:
		return t.Name
	case list:
		return "Array<" + tsType(t.Of[0]) + ">"
	case tuple:
		return "[" + joined(t.Of, ", ", tsType) + "]"
	case dictionary:
		return "{ [name: string]: " + tsType(t.Of[0]) + " }"
	case union:
		return joined(t.Of, " | ", tsType)
	default:
		return "unknown"
	}
}

func joined(of []*typ, by string, write func(*typ) string) string {
	parts := make([]string, len(of))
	for i, t := range of {
		parts[i] = write(t)
	}
	return strings.Join(parts, by)
}

func writeTSDoc(b *strings.Builder, indent, doc string) {
	if doc == "" {
		return
	}
	lines := wrapped(strings.ReplaceAll(doc, "*/", "* /"), 90)
	if len(lines) == 1 {
		fmt.Fprintf(b, "%s/** %s */\n", indent, lines[0])
		return
	}
	fmt.Fprintf(b, "%s/**\n", indent)
	for _, line := range lines {
		fmt.Fprintf(b, "%s%s\n", indent, strings.TrimRight(" * "+line, " "))
	}
	fmt.Fprintf(b, "%s */\n", indent)
}
