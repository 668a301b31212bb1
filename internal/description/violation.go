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
		said := "must be one of " + strings.Join(words, ", ")
		if got, ok := k.Got.(string); ok && elsewhere[got] != "" {
			said += "; " + elsewhere[got]
		}
		return said
	case *kind.Pattern:
		return form(k.Want)
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

// forms are the patterns of the description that a request can miss, in words.
var forms = map[string]string{
	`^ *[0-9][0-9]{0,3} *(min.*)?$`:                                         "a number of minutes, such as 15",
	`^ *[1-9][0-9]{0,3} *(min.*)?$`:                                         "a number of minutes, such as 45",
	`^ ?[+]?[0-9]{6,15}$`:                                                   "a telephone number, such as +34612345678",
	`^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$`:                               "a time of day from 00:00 to 24:00, such as 17:30",
	`^([01][0-9]|2[0-3]):[0-5][0-9]$`:                                       "a time of day from 00:00 to 23:59, such as 17:30",
	`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`:                                          "a date, such as 2026-11-14",
	`^[A-Z]{3}$`:                                                            "a currency by its three letters, such as EUR",
	`^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$`:                                     "a country, or a country and a region, such as ES or ES-MD",
	`^"[^"]+"$`:                                                             `an ETag with its quotation marks, such as "2026-11-14T09:30:00.000Z"`,
	`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$`:               "the business's local time without an offset, such as 2026-11-14T09:30:00",
	`^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2})?$`:            "a date, or the business's local time without an offset, such as 2026-11-14 or 2026-11-14T09:30:00",
	`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?$`:    "the business's local time without an offset, such as 2026-11-14T09:30:00",
	`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`: "an id as the API gives it, such as 0193f6c2-8a5b-7c3d-9e4f-1a2b3c4d5e6f",
}

// elsewhere are words that are refused in one place and belong into another.
var elsewhere = map[string]string{
	"capture.updated": "subscribe to capture.updated with PUT /connections/{connection_id}/additional-events",
}

// form says what a pattern asks for.
func form(pattern string) string {
	if words, ok := forms[pattern]; ok {
		return "must be " + words
	}
	return "must have the form " + pattern
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
