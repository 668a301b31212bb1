// Package exchange is what every HTTP exchange of the house has in common, for
// customers and for visitors: the id of a request, JSON read strictly, and the
// one way from an error to its answer.
//
//	RequestID -> ParseObject -> (the channel's own work) -> Envelope
//
// It knows no routes and no handlers, writes to no connection and keeps no
// state.
package exchange

import (
	"crypto/rand"
	"net/http"
	"strings"
	"unicode/utf8"
)

// JSON is the content type of every answer that is not a page.
const JSON = "application/json"

// RequestID takes the client's own id over, if it is a fit one.
func RequestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); FitRequestID(id) {
		return id
	}
	return NewRequestID()
}

// NewRequestID is the id of a request that brought none.
func NewRequestID() string { return "req_" + rand.Text() }

// FitRequestID says whether an id can be taken over: 1 to 64 letters, digits,
// dots, dashes and underscores.
func FitRequestID(id string) bool {
	if len(id) < 1 || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}

// Storable says whether both databases can hold a text.
func Storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
