package exchange

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/wire"
)

// Status is what a kind of error is to a client: the status of the answer, and
// the type in its envelope.
type Status struct {
	Code  int
	Class string
}

// Statuses is the one table from kinds of errors to answers.
var Statuses = map[frontdesk.Kind]Status{
	frontdesk.Internal:      {http.StatusInternalServerError, "api_error"},
	frontdesk.Invalid:       {http.StatusBadRequest, "invalid_request_error"},
	frontdesk.Unauthorized:  {http.StatusUnauthorized, "authentication_error"},
	frontdesk.Forbidden:     {http.StatusForbidden, "permission_error"},
	frontdesk.NotFound:      {http.StatusNotFound, "invalid_request_error"},
	frontdesk.NotAllowed:    {http.StatusMethodNotAllowed, "invalid_request_error"},
	frontdesk.Conflict:      {http.StatusConflict, "idempotency_error"},
	frontdesk.Clash:         {http.StatusConflict, "conflict_error"},
	frontdesk.Outdated:      {http.StatusPreconditionFailed, "invalid_request_error"},
	frontdesk.TooLarge:      {http.StatusRequestEntityTooLarge, "invalid_request_error"},
	frontdesk.RateLimited:   {http.StatusTooManyRequests, "rate_limit_error"},
	frontdesk.StorageFailed: {http.StatusBadGateway, "api_error"},
	frontdesk.Unavailable:   {http.StatusServiceUnavailable, "api_error"},
}

// Envelope is the status and the body of the answer to an error.
func Envelope(e *frontdesk.Error, requestID string) (status int, body []byte) {
	s := Statuses[e.Kind]
	return s.Code, wire.Error(s.Class, e.Code, e.Message, e.Param, requestID)
}

// RetryAfter is the value of the header that says when to try again, in whole
// seconds; "" when nobody can say.
func RetryAfter(e *frontdesk.Error) string {
	switch {
	case e.Wait > 0:
		return strconv.Itoa(max(1, int(math.Ceil(e.Wait.Seconds()))))
	case e.Kind == frontdesk.Unavailable:
		return "1"
	}
	return ""
}

// Refusal is the domain error that err is answered with. What is not a domain
// error is an internal one: its cause is for the log alone.
func Refusal(err error) *frontdesk.Error {
	if e := Domain(err); e != nil {
		return e
	}
	return &frontdesk.Error{
		Kind: frontdesk.Internal, Code: "internal_error",
		Message: "Something went wrong on our side. Try again; if it stays, tell the operator the request_id.",
	}
}

// Domain is the domain error in err, or nil.
func Domain(err error) *frontdesk.Error {
	var e *frontdesk.Error
	errors.As(err, &e)
	return e
}

// Cause is what the log says about an error and the answer does not.
func Cause(err error) string {
	known := Domain(err)
	switch {
	case err == nil:
		return ""
	case known == nil:
		return err.Error()
	case known.Cause != nil:
		return known.Cause.Error()
	}
	return ""
}

// Recover, deferred, makes a panic of a handler an error, and the process lives
// on. A handler that wants its connection cut off still gets that.
func Recover(err *error) {
	switch p := recover(); {
	case p == nil:
	case p == http.ErrAbortHandler:
		panic(p)
	default:
		service.CountPanic()
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}
