package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// visit is one request on its way.
type visit struct {
	http         *http.Request
	header       http.Header // of the answer
	id           string
	route        *route
	address      netip.Prefix
	conversation frontdesk.ID // for the log
	read         bool         // the body has come in
}

// Context ends when the visitor goes, or has waited too long.
func (v *visit) Context() context.Context { return v.http.Context() }

// bodyLimit is the limit of every body: 1,000 characters, each written as two
// escapes, and some.
const bodyLimit = 16 << 10

// object reads the body as one JSON object, with no other properties than those
// known.
func (v *visit) object(known ...string) (map[string]any, error) {
	if err := v.noQuery(); err != nil {
		return nil, err
	}
	body, err := v.body()
	if err != nil {
		return nil, err
	}
	return parseObject(body, known)
}

// noQuery refuses parameters in the address: a mode that is written there would
// be overlooked, and a test become live.
func (v *visit) noQuery() error {
	for _, name := range slices.Sorted(maps.Keys(v.http.URL.Query())) {
		return &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_unknown", Param: name,
			Message: fmt.Sprintf("There is no query parameter %q here; what can be said stands in the body.", name),
		}
	}
	return nil
}

// wishes is object where the body may be left out.
func (v *visit) wishes(known ...string) (map[string]any, error) {
	if err := v.noQuery(); err != nil {
		return nil, err
	}
	body, err := v.body()
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return nil, err
	}
	return parseObject(body, known)
}

func (v *visit) body() ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(v.http.Body, bodyLimit+1))
	switch {
	case n > bodyLimit:
		return nil, &frontdesk.Error{Kind: frontdesk.TooLarge, Code: "request_too_large", Message: "The request body is larger than 16 KiB. Send less at once."}
	case err != nil:
		return nil, &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "invalid_json", Cause: err,
			Message: "The request body did not arrive whole, or not in time. Send the request again.",
		}
	}
	v.read = true
	return b.Bytes(), nil
}

func parseObject(body []byte, known []string) (map[string]any, error) {
	value, err := exchange.ParseObject(body)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(value)) {
		if !slices.Contains(known, name) {
			return nil, &frontdesk.Error{
				Kind: frontdesk.Invalid, Code: "parameter_unknown", Param: name,
				Message: fmt.Sprintf("There is no property %s. Known here: %s.", name, cmp.Or(strings.Join(known, ", "), "none")),
			}
		}
	}
	return value, nil
}

// oneOf is a property that may be left out, and is one of some words if not.
func oneOf(value map[string]any, name string, words ...string) (string, error) {
	given, there := value[name]
	if !there {
		return "", nil
	}
	word, _ := given.(string)
	if !slices.Contains(words, word) {
		return "", frontdesk.InvalidParam(name, "%s must be one of: %s.", name, strings.Join(words, ", "))
	}
	return word, nil
}

// token is what the visitor shows to be let on with a conversation.
func (v *visit) token() (string, error) {
	if token, ok := v.bearer(); ok {
		return token, nil
	}
	return "", &frontdesk.Error{
		Kind: frontdesk.Unauthorized, Code: "token_missing",
		Message: "Send the token of the conversation, once, in the header: Authorization: Bearer <token>.",
	}
}

// bearer is what stands in the Authorization header, given once.
func (v *visit) bearer() (text string, ok bool) {
	header := v.http.Header.Values("Authorization")
	if len(header) != 1 {
		return "", false
	}
	scheme, text, _ := strings.Cut(header[0], " ")
	text = strings.TrimSpace(text)
	return text, strings.EqualFold(scheme, "Bearer") && text != ""
}

// onceKey is the key of a message that may come again, "" if it has none.
func (v *visit) onceKey() (string, error) {
	values := v.http.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	if n := utf8.RuneCountInString(values[0]); n < 1 || n > 255 || !exchange.Storable(values[0]) {
		return "", frontdesk.InvalidParam("Idempotency-Key", "Idempotency-Key must have 1 to 255 characters.")
	}
	return values[0], nil
}

// refuse turns an error into the envelope. Who has waited in vain, or has closed
// the connection before the end, may try again.
func (v *visit) refuse(err error) answer {
	stopped := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	if stopped && exchange.Domain(err) == nil {
		err = frontdesk.DatabaseUnavailable(err)
	}
	e := exchange.Refusal(err)
	if e.Kind == frontdesk.Unauthorized {
		v.header.Set("WWW-Authenticate", "Bearer")
	}
	if wait := exchange.RetryAfter(e); wait != "" {
		v.header.Set("Retry-After", wait)
	}
	if v.http.ContentLength != 0 && !v.read {
		// net/http would otherwise wait for the body before it answers.
		v.header.Set("Connection", "close")
	}
	status, body := exchange.Envelope(e, v.id)
	return answer{status: status, contentType: exchange.JSON, body: body, code: e.Code}
}

// answer is what goes back to the visitor.
type answer struct {
	status      int
	contentType string
	body        []byte
	code        string // of an error, for the log

	// socket takes the connection over instead; nil: there is an answer.
	socket func(http.ResponseWriter, *http.Request)
}

// spelled is the answer with a value as JSON.
func spelled(status int, value any) (answer, error) {
	body, err := jsonv2.Marshal(value, jsonv2.Deterministic(true))
	if err != nil {
		return answer{}, fmt.Errorf("encoding an answer: %w", err)
	}
	return answer{status: status, contentType: exchange.JSON, body: body}, nil
}

func (a answer) write(w http.ResponseWriter) {
	h := w.Header()
	if a.contentType != "" {
		h.Set("Content-Type", a.contentType)
		h.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	h.Set("X-Content-Type-Options", "nosniff")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(a.status)
	w.Write(a.body) // a visitor who has gone is no error of ours
}
