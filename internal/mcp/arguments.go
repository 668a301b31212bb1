package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// arguments are what a tool is called with, each as it was written.
type arguments map[string]json.RawMessage

// readArguments reads one JSON object, as strictly as the API reads a body.
func readArguments(text json.RawMessage) (arguments, error) {
	given := arguments{}
	if len(bytes.TrimSpace(text)) == 0 || string(bytes.TrimSpace(text)) == "null" {
		return given, nil
	}
	if _, err := exchange.ParseObject(text); err != nil {
		return nil, err
	}
	return given, json.Unmarshal(text, &given)
}

// take is an argument as text, "" where it is missing; it is then used up. A
// number and a truth are written as a query writes them.
func (a arguments) take(name string) (string, error) {
	raw, given := a[name]
	delete(a, name)
	if !given || string(raw) == "null" { // assistants write null for what they leave out
		return "", nil
	}
	switch raw[0] {
	case '"':
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	case '{', '[':
		return "", frontdesk.InvalidParam(name, "%s must be one value, not several.", name)
	}
	return string(raw), nil
}

// need is take of an argument that must be there.
func (a arguments) need(name string) (string, error) {
	text, err := a.take(name)
	if err == nil && text == "" {
		err = frontdesk.MissingParam(name, "%s is required. Add it to the arguments.", name)
	}
	return text, err
}

// object are the arguments that are left, as one JSON object.
func (a arguments) object() (string, error) {
	b, err := json.Marshal(map[string]json.RawMessage(a))
	return string(b), err
}

// done refuses arguments that nobody has used.
func (a arguments) done(known []string) error {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		return &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_unknown", Param: name,
			Message: fmt.Sprintf("There is no argument %s. Known here: %s.", name, strings.Join(known, ", ")),
		}
	}
	return nil
}

// onceArgument is the argument that becomes the header Idempotency-Key.
const onceArgument = "idempotency_key"

// Lists are short, so that an assistant reads them whole; it can ask for the next
// page.
const (
	longestList = 25
	usualList   = 10
)

// question is the request that a call of the tool sends. What an argument must be
// like, the API says.
func (t *tool) question(given arguments) (q question, err error) {
	method, path, _ := strings.Cut(t.operation, " ")
	q = question{method: method, contentType: exchange.JSON}
	if path, err = t.fillPath(path, given); err != nil {
		return q, err
	}
	query, err := t.query(given)
	if err != nil {
		return q, err
	}
	if q.target = "/v1" + path; len(query) > 0 {
		q.target += "?" + query.Encode()
	}
	if t.takesOnce() {
		if q.once, err = given.takeOnce(); err != nil {
			return q, err
		}
	}
	switch {
	case t.body != "":
		q.body = string(given[t.body])
		delete(given, t.body)
		if q.body == "" || q.body == "null" {
			return q, frontdesk.MissingParam(t.body, "%s is required. Add it to the arguments.", t.body)
		}
	case t.takesBody:
		q.body, err = given.object()
		return q, err
	}
	return q, given.done(t.argumentNames())
}

func (t *tool) fillPath(path string, given arguments) (string, error) {
	for _, name := range t.paths {
		value, err := given.need(name)
		if err != nil {
			return "", err
		}
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	return path, nil
}

func (t *tool) query(given arguments) (url.Values, error) {
	query := url.Values{}
	for _, name := range t.queries {
		take := given.take
		if slices.Contains(t.needs, name) {
			take = given.need
		}
		there := t.insists(string(given[name]))
		value, err := take(name)
		if err != nil {
			return nil, err
		}
		if name == "limit" {
			if value, err = limitOf(value); err != nil {
				return nil, err
			}
		}
		if value != "" || there {
			query.Set(name, value)
		}
	}
	return query, nil
}

// insists says whether an argument that has no value is handed on all the same, for the
// API to refuse: who gives a tool that overwrites an empty dry_run does not mean none.
func (t *tool) insists(raw string) bool {
	return raw == `""` || raw == "null" && t.effect == overwrites
}

// takeOnce is the idempotency key of a call, "" where it has none. It becomes a
// header.
func (a arguments) takeOnce() (string, error) {
	key, err := a.take(onceArgument)
	if err == nil && strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) {
		err = frontdesk.InvalidParam(onceArgument, "%s must be printable ASCII, such as a UUID.", onceArgument)
	}
	return key, err
}

// limitOf is how many entries a list shall have.
func limitOf(text string) (string, error) {
	if text == "" {
		return strconv.Itoa(usualList), nil
	}
	if n, err := strconv.Atoi(text); err != nil || n < 1 || n > longestList {
		return "", frontdesk.InvalidParam("limit", "limit must be an integer from 1 to %d. Use starting_after for the next page.", longestList)
	}
	return text, nil
}
