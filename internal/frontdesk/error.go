package frontdesk

import (
	"errors"
	"fmt"
	"time"
)

// Kind is the class of an Error; it decides the HTTP status of the answer.
type Kind int

// The kinds of errors a customer can meet.
const (
	Internal      Kind = iota // our fault; the cause goes to the log only
	Invalid                   // 400: the request is wrong
	Unauthorized              // 401: no key, or not a good one
	Forbidden                 // 403: a good key that may not do this
	NotFound                  // 404
	NotAllowed                // 405
	Conflict                  // 409: idempotency
	Clash                     // 409: what stands in the book is in the way
	Outdated                  // 412: it has changed since it was read
	TooLarge                  // 413
	RateLimited               // 429
	StorageFailed             // 502
	Unavailable               // 503: the database does not answer
)

// Error is the one domain error. Message is written for the customer and says
// what to do; Cause is written for our log and never leaves the house.
type Error struct {
	Kind    Kind
	Code    string
	Param   string
	Message string
	Cause   error
	Wait    time.Duration // before it is worth trying again; 0: nobody knows
}

func (e *Error) Error() string {
	s := e.Code
	if e.Param != "" {
		s += " (" + e.Param + ")"
	}
	s += ": " + e.Message
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Cause }

// InvalidParam is the error for a value that breaks a rule, at the path param.
func InvalidParam(param, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Code: "parameter_invalid", Param: param, Message: fmt.Sprintf(format, args...)}
}

// MissingParam is the error for a value that must be given and is not, at the
// path param.
func MissingParam(param, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Code: "parameter_missing", Param: param, Message: fmt.Sprintf(format, args...)}
}

// Missing is the error for a thing that does not exist for this owner. It is
// the same for absent, foreign and other-mode things, so that it tells nothing.
func Missing(thing string) *Error {
	return &Error{Kind: NotFound, Code: "not_found", Message: "No such " + thing + ". Check the id, and that your key belongs to the same account and mode."}
}

// TooOften is the error for what has to wait.
func TooOften(wait time.Duration, message string) *Error {
	return &Error{Kind: RateLimited, Code: "rate_limited", Message: message, Wait: wait}
}

// ProtectedField is the error for a field that customers cannot write.
func ProtectedField(param string) *Error {
	return &Error{
		Kind: Forbidden, Code: "protected_field", Param: param,
		Message: fmt.Sprintf("The field %q cannot be changed through this API. Remove it from the request; nothing was applied.", param),
	}
}

// DatabaseUnavailable is the error for a database that does not answer.
func DatabaseUnavailable(cause error) *Error {
	return &Error{
		Kind: Unavailable, Code: "database_unavailable", Cause: cause,
		Message: "The account database is temporarily unavailable. Retry after the time in the Retry-After header.",
	}
}

// IsUnavailable says whether err is about a database that does not answer.
func IsUnavailable(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == Unavailable
}
