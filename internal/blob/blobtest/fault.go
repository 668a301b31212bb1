package blobtest

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
)

// Fault is what goes wrong with a request.
type Fault int

// The faults.
const (
	None      Fault = iota
	Busy            // 503 before the body is read
	Denied          // 403, with the caller's credentials in the message
	Reset           // the connection is cut before anything is done
	Lost            // all is done, and the connection is cut before the answer
	Truncated       // half of the answer's body, and the connection is cut
	Stalled         // half of the answer's body, and then nothing
	Hung            // nothing at all
	Belated         // nothing is done; 200, and in the body an error
	Garbled         // 502 of something in between, with HTML
)

// Fail asks before every request what goes wrong with it.
func (s *Server) Fail(fault func(*http.Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// FailFirst lets the first n requests of a kind fail.
func (s *Server) FailFirst(n int, kind string, fault Fault) {
	s.Fail(func(r *http.Request) Fault {
		if Kind(r) != kind || n == 0 {
			return None
		}
		n--
		return fault
	})
}

// FailAll lets all requests of a kind fail.
func (s *Server) FailAll(kind string, fault Fault) { s.FailFirst(-1, kind, fault) }

// before does what goes wrong before the request is read, and says whether that
// was all.
func (f Fault) before(w http.ResponseWriter, r *http.Request) bool {
	switch f {
	case Busy:
		refuse(w, failure{503, "SlowDown", "Please reduce your request rate."})
	case Denied:
		said := fmt.Sprintf("%s with %s may not do this", AccessKey.Reveal(), SecretKey.Reveal())
		refuse(w, failure{403, "AccessDenied", said})
	case Garbled:
		w.WriteHeader(http.StatusBadGateway)
		w.Write([]byte("<html><body>Bad gateway"))
	case Reset:
		panic(http.ErrAbortHandler)
	case Belated:
		io.Copy(io.Discard, r.Body)
		refuse(w, failure{200, "InternalError", "We encountered an internal error."})
	case Hung:
		<-r.Context().Done()
	default:
		return false
	}
	return true
}

// after passes the answer on, or what is left of it.
func (f Fault) after(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
	if f == Lost {
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	body := answer.Body.Bytes()
	if f != Truncated && f != Stalled {
		w.Write(body)
		return
	}
	w.Write(body[:len(body)/2])
	http.NewResponseController(w).Flush()
	if f == Stalled {
		<-r.Context().Done()
	}
	panic(http.ErrAbortHandler)
}

// failure is an answer that says no.
type failure struct {
	status        int
	code, message string
}

func (f failure) Error() string { return f.code + ": " + f.message }

func refuse(w http.ResponseWriter, err error) {
	f, ok := err.(failure)
	if !ok {
		f = failure{500, "InternalError", err.Error()}
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(f.status)
	encode(w, struct {
		XMLName   xml.Name `xml:"Error"`
		Code      string
		Message   string
		RequestID string `xml:"RequestId"`
	}{Code: f.code, Message: f.message, RequestID: "0"})
}

func reply(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/xml")
	encode(w, answer)
}

func encode(w http.ResponseWriter, answer any) {
	w.Write([]byte(xml.Header))
	xml.NewEncoder(w).Encode(answer)
}
