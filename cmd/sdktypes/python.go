package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// keywords are those of Python's that the API uses as names.
var keywords = []string{"from", "class", "in", "is", "not", "import", "global", "pass"}

// python writes the types for Python: dictionaries whose keys are known. What is
// not known stays in them. NotRequired came with Python 3.11, so a dictionary whose
// keys are not all required inherits those that are.
func python(m *model, header []string) string {
	var b strings.Builder
	for _, line := range header {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	b.WriteString(`"""The shapes of the API: plain dictionaries with known keys."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`)
	writeAll(&b, m)
	for _, d := range m.Declarations {
		b.WriteString("\n")
		switch {
		case d.Object:
			b.WriteString("\n")
			writeTypedDict(&b, d)
		case d.Values != nil:
			fmt.Fprintf(&b, "%s = Union[\n    Literal[\n", d.Name)
			for _, v := range d.Values {
				fmt.Fprintf(&b, "        %s,\n", strconv.Quote(v))
			}
			b.WriteString("    ],\n    str,\n]\n")
			writeDocstring(&b, "", d.Doc)
		default:
			fmt.Fprintf(&b, "%s = %s\n", d.Name, pyType(d.Type, true))
			writeDocstring(&b, "", d.Doc)
		}
	}
	return b.String()
}

func writeAll(b *strings.Builder, m *model) {
	var all []string
	for _, d := range m.Declarations {
		all = append(all, d.Name)
	}
	slices.Sort(all)
	b.WriteString("\n__all__ = [\n")
	for _, name := range all {
		fmt.Fprintf(b, "    %q,\n", name)
	}
	b.WriteString("]\n")
}

func writeTypedDict(b *strings.Builder, d *declaration) {
	var required, optional []field
	for _, f := range d.Fields {
		if f.Required {
			required = append(required, f)
		} else {
			optional = append(optional, f)
		}
	}
	switch {
	case len(optional) == 0:
		writeDict(b, d.Name, "TypedDict", d.Doc, required, true)
	case len(required) == 0:
		writeDict(b, d.Name, "TypedDict", d.Doc, optional, false)
	default:
		base := "_" + d.Name
		writeDict(b, base, "TypedDict", "", required, true)
		b.WriteString("\n\n")
		if !namesFit(optional) {
			panic(d.Name + " has an optional key that is no name in Python beside required ones")
		}
		writeDict(b, d.Name, base, d.Doc, optional, false)
	}
}

func namesFit(fields []field) bool {
	return !slices.ContainsFunc(fields, func(f field) bool {
		return slices.Contains(keywords, f.Name) || f.Name[0] >= '0' && f.Name[0] <= '9' || strings.Contains(f.Name, "-")
	})
}

func writeDict(b *strings.Builder, name, base, doc string, fields []field, total bool) {
	option := ""
	if !total {
		option = ", total=False"
	}
	if !namesFit(fields) {
		fmt.Fprintf(b, "%s = TypedDict(\n    %q,\n    {\n", name, name)
		for _, f := range fields {
			for _, line := range wrapped(f.Doc, 90) {
				fmt.Fprintf(b, "        # %s\n", line)
			}
			fmt.Fprintf(b, "        %q: %s,\n", f.Name, pyQuoted(f.Type))
		}
		fmt.Fprintf(b, "    }%s,\n)\n", strings.Replace(option, ", ", ",\n    ", 1))
		writeDocstring(b, "", doc)
		return
	}
	fmt.Fprintf(b, "class %s(%s%s):\n", name, base, option)
	if doc != "" {
		writeDocstring(b, "    ", doc)
		b.WriteString("\n")
	}
	for _, f := range fields {
		fmt.Fprintf(b, "    %s: %s\n", f.Name, pyType(f.Type, false))
		writeDocstring(b, "    ", f.Doc)
	}
}

// pyQuoted is a type as text, for where it would be evaluated before all names are
// known.
func pyQuoted(t *typ) string { return "'" + pyType(t, false) + "'" }

// pyType writes a type. evaluated: Python evaluates it where it stands, so that
// names which may come later are quoted.
func pyType(t *typ, evaluated bool) string {
	s := pyKind(t, evaluated)
	if t.Nullable {
		return "Optional[" + s + "]"
	}
	return s
}

func pyKind(t *typ, evaluated bool) string {
	in := func(t *typ) string { return pyType(t, evaluated) }
	switch t.Kind {
	case text, instant:
		return "str"
	case integer:
		return "int"
	case number:
		return "float"
	case boolean:
		return "bool"
	case constant:
		if s, ok := t.Constant.(string); ok {
			return "Literal[" + strconv.Quote(s) + "]"
		}
		return "Literal[True]"
	case reference:
		if evaluated {
			return strconv.Quote(t.Name)
		}
		return t.Name
	case list, tuple: // of one type; JSON has no tuples
		return "List[" + in(t.Of[0]) + "]"
	case dictionary:
		return "Dict[str, " + in(t.Of[0]) + "]"
	case union:
		return "Union[" + joined(t.Of, ", ", in) + "]"
	default:
		return "Any"
	}
}

func writeDocstring(b *strings.Builder, indent, doc string) {
	if doc == "" {
		return
	}
	lines := wrapped(strings.ReplaceAll(doc, `\`, `\\`), 88)
	if strings.HasSuffix(doc, `"`) {
		lines[len(lines)-1] += " "
	}
	if len(lines) == 1 {
		fmt.Fprintf(b, "%s\"\"\"%s\"\"\"\n", indent, lines[0])
		return
	}
	fmt.Fprintf(b, "%s\"\"\"%s\n", indent, lines[0])
	for _, line := range lines[1:] {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
	fmt.Fprintf(b, "%s\"\"\"\n", indent)
}
