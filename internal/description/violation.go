package description

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

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
			return []*frontdesk.Error{frontdesk.MissingParam(join(at, names[0]), "%s is required. Add one of them to the request.", strings.Join(names, " or "))}
		}
		all = append(all, frontdesk.InvalidParam(at, "%s: %s.", at, plain(e)))
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			all = append(all, unknownParam(join(at, name), "property", nil))
		}
	case *kind.Required:
		for _, name := range k.Missing {
			all = append(all, frontdesk.MissingParam(join(at, name), "%s is required. Add it to the request.", join(at, name)))
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
	return e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
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
