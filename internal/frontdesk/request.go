package frontdesk

import "time"

// Request is a request to the customer API, as it is kept for who wrote the program
// that sent it: what was asked for and how it ended. No body, header or query
// stands in it, and no secret.
type Request struct {
	ID        ID // minted at At
	Owner     Owner
	RequestID string // as its client knows it; clients may send the same one again
	At        time.Time
	Method    string
	Path      string // begins with /v1; what is no fit part of an address is left out
	Status    int
	Code      string // of its error; "": it succeeded
	Param     string // that the error is about; "": none
	Took      time.Duration
	Key       ID
	Replayed  bool // the answer is that of an earlier request with the same Idempotency-Key
}

// Failed says whether the request was refused, or came to nothing.
func (r Request) Failed() bool { return r.Status >= 400 }

// RequestFilter narrows a list of requests. Zero fields do not.
type RequestFilter struct {
	RequestID string
	Failed    bool
	Method    string
}

// RequestMethods are the methods of the customer API.
var RequestMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}

// RequestsKept is how long requests are kept.
const RequestsKept = 7 * 24 * time.Hour
