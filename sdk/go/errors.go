package frontdesk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The kinds of errors, for errors.Is. Those of an answer are known by the type
// of the API's error, ErrNotFound by its status.
var (
	// ErrInvalidRequest: something of the request is wrong; Param says what.
	ErrInvalidRequest = errors.New("frontdesk: invalid request")
	// ErrNotFound: there is no such thing for this key. It is an
	// ErrInvalidRequest too.
	ErrNotFound = errors.New("frontdesk: not found")
	// ErrAuthentication: the key is missing, wrong, expired or revoked.
	ErrAuthentication = errors.New("frontdesk: authentication failed")
	// ErrPermissionDenied: the key lacks a scope, or a test key asked for what
	// only a live one may do.
	ErrPermissionDenied = errors.New("frontdesk: permission denied")
	// ErrConflict: the place is taken, or the capture is in no state for it.
	ErrConflict = errors.New("frontdesk: conflict")
	// ErrIdempotency: the Idempotency-Key belongs to another request.
	ErrIdempotency = errors.New("frontdesk: idempotency key in use")
	// ErrRateLimit: too many requests; RetryAfter says how long to wait.
	ErrRateLimit = errors.New("frontdesk: rate limited")
	// ErrServer: the server failed.
	ErrServer = errors.New("frontdesk: server error")
	// ErrConnection: no answer came.
	ErrConnection = errors.New("frontdesk: no connection")
	// ErrTimeout: no answer came in time. It is an ErrConnection too.
	ErrTimeout = errors.New("frontdesk: timed out")
	// ErrSignature: a webhook is not what the secret's owner sent now.
	ErrSignature = errors.New("frontdesk: bad webhook signature")
)

// Error is an answer that is an error. Find it with errors.As:
//
//	var e *frontdesk.Error
//	if errors.As(err, &e) && e.Code == frontdesk.ErrorCodeSlotUnavailable { … }
//
// Type, Code and RequestID are empty where the answer was not the API's own but
// that of a proxy before it.
type Error struct {
	Status    int
	Type      ErrorType
	Code      ErrorCode
	Param     string // what of the request is meant; "": nothing in particular
	Message   string // says what to do
	RequestID string

	// RetryAfter is how long the server asks to wait; 0: it did not say.
	RetryAfter time.Duration
	Header     http.Header
	Body       []byte // as it came
}

// Error reads: 400 parameter_invalid (limit): … [req_…].
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(e.Status))
	if e.Code != "" {
		b.WriteString(" " + string(e.Code))
	}
	if e.Param != "" {
		b.WriteString(" (" + e.Param + ")")
	}
	b.WriteString(": " + e.Message)
	if e.RequestID != "" {
		b.WriteString(" [" + e.RequestID + "]")
	}
	return b.String()
}

// Is says whether the error is of one of the kinds, such as ErrNotFound.
func (e *Error) Is(kind error) bool {
	switch kind {
	case ErrInvalidRequest:
		return e.Type == ErrorTypeInvalidRequestError
	case ErrNotFound:
		return e.Type == ErrorTypeInvalidRequestError && e.Status == http.StatusNotFound
	case ErrAuthentication:
		return e.Type == ErrorTypeAuthenticationError
	case ErrPermissionDenied:
		return e.Type == ErrorTypePermissionError
	case ErrConflict:
		return e.Type == ErrorTypeConflictError
	case ErrIdempotency:
		return e.Type == ErrorTypeIdempotencyError
	case ErrRateLimit:
		return e.Type == ErrorTypeRateLimitError
	case ErrServer:
		return e.Type == ErrorTypeAPIError
	}
	return false
}

// errorOf reads an answer that is an error.
func errorOf(status int, header http.Header, body []byte, now time.Time) *Error {
	e := &Error{Status: status, Header: header, Body: body, RequestID: header.Get("X-Request-Id")}
	e.RetryAfter, _ = retryAfter(header, now)
	var envelope struct {
		Error struct {
			Type      ErrorType
			Code      ErrorCode
			Message   string
			Param     string
			RequestID string `json:"request_id"`
		}
	}
	if err := json.Unmarshal(body, &envelope); err != nil || envelope.Error.Type == "" {
		e.Message = plainMessage(status, header)
		return e
	}
	e.Type, e.Code, e.Message = envelope.Error.Type, envelope.Error.Code, envelope.Error.Message
	e.Param, e.RequestID = envelope.Error.Param, cmp.Or(envelope.Error.RequestID, e.RequestID)
	return e
}

// plainMessage is said of an answer that is not the API's.
func plainMessage(status int, header http.Header) string {
	if status >= 300 && status < 400 {
		return fmt.Sprintf("the server redirects to %q, which is not followed because the API key would go along: check the base URL", header.Get("Location"))
	}
	text := http.StatusText(status)
	if text == "" {
		text = "unexpected status"
	}
	return fmt.Sprintf("%s, and the answer is no error of this API (Content-Type %q): check the base URL, or what stands between", text, header.Get("Content-Type"))
}

// ConnectionError says that no answer came.
type ConnectionError struct {
	Method, Path string
	Attempts     int
	Timeout      bool
	Err          error // why the last attempt failed
}

func (e *ConnectionError) Error() string {
	what := "no answer"
	if e.Timeout {
		what = "timed out"
	}
	return fmt.Sprintf("%s %s: %s (attempts: %d): %v", e.Method, e.Path, what, e.Attempts, e.Err)
}

// Unwrap is why the last attempt failed.
func (e *ConnectionError) Unwrap() error { return e.Err }

// Is says that the error is an ErrConnection, and whether it is an ErrTimeout.
func (e *ConnectionError) Is(kind error) bool {
	return kind == ErrConnection || kind == ErrTimeout && e.Timeout
}
