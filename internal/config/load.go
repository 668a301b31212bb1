package config

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Load fills the settings from the environment and says everything that is
// wrong with it at once, as ValueErrors. A variable that is empty counts as
// not set; a value that cannot be read leaves the default.
func Load(lookup func(string) (string, bool)) (Settings, error) {
	var s Settings
	var wrong []error
	fields := reflect.ValueOf(&s).Elem()
	for i := range fields.NumField() {
		if err := fill(fields.Field(i), describe(fields.Type().Field(i)), lookup); err != nil {
			wrong = append(wrong, err)
		}
	}
	if domains := s.Domains(); len(domains) > 0 && isDomain(domains[0]) && s.PublicURL == "" {
		s.PublicURL = "https://" + domains[0]
	}
	wrong = append(wrong, s.check()...)
	return s, errors.Join(wrong...)
}

// ValueError is a setting with a value that cannot be used. Name is its
// variable; the command line puts its flag there when the value came by one.
type ValueError struct {
	Name   string
	Value  string
	Secret bool // Value must not be shown
	Want   string
}

func (e *ValueError) Error() string {
	if e.Secret {
		return fmt.Sprintf("%s has a value that cannot be used: expected %s", e.Name, e.Want)
	}
	return fmt.Sprintf("%s is %q: expected %s", e.Name, e.Value, e.Want)
}

// fill sets one field to its default, and then to what the environment says.
func fill(field reflect.Value, d Description, lookup func(string) (string, bool)) error {
	if d.Default != "" {
		if want := parse(field, d.Default); want != "" {
			panic(fmt.Sprintf("the default of %s is not %s", d.Env, want))
		}
	}
	value, _ := lookup(d.Env)
	if value == "" {
		return nil
	}
	if want := parse(field, value); want != "" {
		return &ValueError{Name: d.Env, Value: value, Secret: d.Secret, Want: want}
	}
	return nil
}

// parse sets a field from text. When it cannot, it says what it expected and
// leaves the field alone.
func parse(field reflect.Value, text string) (want string) {
	switch v := field.Addr().Interface().(type) {
	case *string:
		*v = text
	case *frontdesk.Secret:
		*v = frontdesk.Secret(text)
	case *int:
		return keep(v, "a whole number such as 200", text, strconv.Atoi)
	case *float64:
		return keep(v, "a number such as 0.05", text, parseNumber)
	case *time.Duration:
		return keep(v, "a duration such as 1500ms, 20s or 5m", text, time.ParseDuration)
	case *time.Time:
		return keep(v, "an RFC 3339 instant such as 2026-11-14T09:30:00Z", text, parseTime)
	default:
		panic(fmt.Sprintf("settings of type %T cannot be read", v))
	}
	return ""
}

func keep[T any](dst *T, want, text string, read func(string) (T, error)) string {
	value, err := read(text)
	if err != nil {
		return want
	}
	*dst = value
	return ""
}

func parseNumber(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

func parseTime(text string) (time.Time, error) { return time.Parse(time.RFC3339, text) }
