// Package apitest holds answers of the API against its own description. It is
// for tests: every client that a test makes can be watched with it.
package apitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const documentURL = "frontdesk:///openapi.json"

// Document is openapi.json, ready to check answers with.
type Document struct {
	Root     map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	paths    []pathPattern
}

type pathPattern struct {
	template string
	pattern  *regexp.Regexp
}

// ErrorClass is a type of error with its codes.
type ErrorClass struct {
	Type  string
	Codes []string
}

// Errors are the types and codes of errors, by status.
var Errors = map[int][]ErrorClass{
	400: {{"invalid_request_error", []string{
		"invalid_json", "parameter_missing", "parameter_unknown", "parameter_invalid", "invalid_cursor", "empty_patch", "url_invalid",
		"url_not_public", "unsupported_content_type", "unsupported_extension", "document_empty", "limit_reached", "connection_disabled",
		"delivery_not_retryable",
	}}},
	401: {{"authentication_error", []string{"api_key_missing", "api_key_invalid", "api_key_expired", "api_key_revoked"}}},
	403: {{"permission_error", []string{"scope_missing", "live_key_required", "protected_field"}}},
	404: {{"invalid_request_error", []string{"not_found", "route_not_found"}}},
	405: {{"invalid_request_error", []string{"method_not_allowed"}}},
	409: {
		{"idempotency_error", []string{"idempotency_key_reused", "idempotency_key_in_use"}},
		{"conflict_error", []string{"slot_unavailable", "capture_not_changeable"}},
	},
	412: {{"invalid_request_error", []string{"version_mismatch"}}},
	413: {{"invalid_request_error", []string{"request_too_large", "document_too_large"}}},
	429: {{"rate_limit_error", []string{"rate_limited"}}},
	500: {{"api_error", []string{"internal_error"}}},
	502: {{"api_error", []string{"storage_failed"}}},
	503: {{"api_error", []string{"database_unavailable"}}},
}

// ErrorType is the type of an error with a status and a code; "" when there is
// no such error.
func ErrorType(status int, code string) string {
	for _, class := range Errors[status] {
		if slices.Contains(class.Codes, code) {
			return class.Type
		}
	}
	return ""
}

// Load reads a document.
func Load(text []byte) (*Document, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	d := &Document{Root: value.(map[string]any), compiler: jsonschema.NewCompiler()}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	for template := range d.Root["paths"].(map[string]any) {
		quoted := regexp.QuoteMeta("/v1" + template)
		pattern := regexp.MustCompile(`\\\{[a-z_]+\\\}`).ReplaceAllString(quoted, `[^/]+`)
		d.paths = append(d.paths, pathPattern{template, regexp.MustCompile("^" + pattern + "$")})
	}
	return d, d.compiler.AddResource(documentURL, d.Root)
}

// Schema compiles the schema at a JSON pointer.
func (d *Document) Schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.compiler.Compile(documentURL + "#" + pointer)
}

// CheckAnswer says what an answer has that the document does not allow, or
// lacks that it demands.
func (d *Document) CheckAnswer(method, path string, answer *http.Response, body []byte) error {
	if !strings.HasPrefix(path, "/v1/") {
		return nil
	}
	if id := answer.Header.Get("X-Request-Id"); id == "" {
		return fmt.Errorf("no X-Request-Id")
	}
	if answer.StatusCode >= 400 {
		if err := d.checkError(answer, body, method == http.MethodHead); err != nil {
			return err
		}
	}
	template, operation := d.operation(method, path)
	if operation == nil {
		return d.checkUndescribed(method, path, answer)
	}
	return d.checkDescribed(template, strings.ToLower(method), operation, answer, body)
}

func (d *Document) operation(method, path string) (string, map[string]any) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, p := range d.paths {
		if p.pattern.MatchString(path) {
			item := d.Root["paths"].(map[string]any)[p.template].(map[string]any)
			operation, _ := item[strings.ToLower(method)].(map[string]any)
			return p.template, operation
		}
	}
	return "", nil
}

// checkUndescribed allows what x-route-errors says about addresses and methods
// that do not exist.
func (d *Document) checkUndescribed(method, path string, answer *http.Response) error {
	response := d.at("/x-route-errors/" + strconv.Itoa(answer.StatusCode))
	if response == nil {
		return fmt.Errorf("%s %s is not described, yet answered %d", method, path, answer.StatusCode)
	}
	return d.checkHeaders(response, answer)
}

func (d *Document) checkDescribed(template, method string, operation map[string]any, answer *http.Response, body []byte) error {
	status := strconv.Itoa(answer.StatusCode)
	responses := operation["responses"].(map[string]any)
	response, ok := responses[status].(map[string]any)
	if !ok {
		return fmt.Errorf("status %s of %s %s is not described", status, method, template)
	}
	pointer := "/paths/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(template) + "/" + method + "/responses/" + status
	if ref, ok := response["$ref"].(string); ok {
		pointer = strings.TrimPrefix(ref, "#")
		response = d.at(pointer)
	}
	if err := d.checkHeaders(response, answer); err != nil {
		return err
	}
	content, _ := response["content"].(map[string]any)
	if err := checkMediaType(content, answer); err != nil {
		return err
	}
	if content["application/json"] == nil || method == "head" {
		return nil
	}
	schema, err := d.Schema(pointer + "/content/application~1json/schema")
	if err != nil {
		return err
	}
	return validate(schema, body)
}

func checkMediaType(content map[string]any, answer *http.Response) error {
	got, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if err != nil || len(content) > 0 && content[got] == nil {
		return fmt.Errorf("Content-Type is %q", answer.Header.Get("Content-Type"))
	}
	return nil
}

func (d *Document) at(pointer string) map[string]any {
	v := d.Root
	for _, token := range strings.Split(pointer, "/")[1:] {
		v, _ = v[token].(map[string]any)
	}
	return v
}

// checkHeaders demands the headers that a response declares as required. Those
// of the rate limit come with every answer to a known key; only when the
// database is away is the key not known.
func (d *Document) checkHeaders(response map[string]any, answer *http.Response) error {
	headers, _ := response["headers"].(map[string]any)
	for name, declared := range headers {
		h, _ := declared.(map[string]any)
		if ref, ok := h["$ref"].(string); ok {
			h = d.at(strings.TrimPrefix(ref, "#"))
		}
		required, _ := h["required"].(bool)
		limits := strings.HasPrefix(name, "RateLimit") && answer.StatusCode < http.StatusInternalServerError
		if (required || limits) && answer.Header.Get(name) == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
	}
	return nil
}

// checkError demands the envelope with exactly its five fields.
func (d *Document) checkError(answer *http.Response, body []byte, head bool) error {
	if got := answer.Header.Get("Content-Type"); got != "application/json" {
		return fmt.Errorf("Content-Type of an error is %q", got)
	}
	if head {
		return nil
	}
	schema, err := d.Schema("/components/schemas/ErrorEnvelope")
	if err != nil {
		return err
	}
	if err := validate(schema, body); err != nil {
		return err
	}
	var envelope struct {
		Error struct {
			Type, Code string
			RequestID  string `json:"request_id"`
		}
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return err
	}
	if envelope.Error.RequestID != answer.Header.Get("X-Request-Id") {
		return fmt.Errorf("error.request_id %q is not the header's %q", envelope.Error.RequestID, answer.Header.Get("X-Request-Id"))
	}
	if want := ErrorType(answer.StatusCode, envelope.Error.Code); want == "" || envelope.Error.Type != want {
		return fmt.Errorf("%s, %s is no error of status %d", envelope.Error.Type, envelope.Error.Code, answer.StatusCode)
	}
	return nil
}

func validate(schema *jsonschema.Schema, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("the body does not fit its schema: %w", err)
	}
	return nil
}
