package exchange

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Pace is how slowly the body of a request may arrive: at Rate bytes a second on
// average, after a grace. Write is how long the answer may take after the body.
type Pace struct {
	Grace time.Duration
	Rate  int64
	Write time.Duration
}

// Unhurried is the pace of files: the largest document passes on a line of 64 kbit/s,
// and who sends a few bytes a second is cut off after the grace.
var Unhurried = Pace{Grace: 30 * time.Second, Rate: 1 << 10, Write: 30 * time.Second}

// ErrTooSlow is the cause of the error for a body that did not keep the pace.
var ErrTooSlow = errors.New("the body of the request arrived too slowly")

// Hold has the body of a request arrive at the pace, instead of in the time that the
// server gives to requests. A body that keeps it takes as long as its line does; one
// that stalls, or trickles to hold a connection, ends in an error.
//
// The request itself stays as it is: by its body net/http knows that one was not read
// to its end, and lets the client read the answer before the connection is reset.
func (p Pace) Hold(w http.ResponseWriter, r *http.Request) *http.Request {
	held := r.WithContext(r.Context())
	held.Body = &pacedBody{ReadCloser: r.Body, pace: p, control: http.NewResponseController(w)}
	return held
}

// pacedBody moves the deadline of its connection on as bytes come. Its time begins
// with the first read: before, the server looks at who asks.
type pacedBody struct {
	io.ReadCloser
	pace    Pace
	control *http.ResponseController
	began   time.Time
	got     int64
}

// until is when a body that began at an instant must have brought more than it has.
func (p Pace) until(began time.Time, got int64) time.Time {
	return began.Add(p.Grace).Add(time.Duration(got) * time.Second / time.Duration(p.Rate))
}

func (b *pacedBody) Read(to []byte) (int, error) {
	if b.began.IsZero() {
		b.began = time.Now()
	}
	until := b.pace.until(b.began, b.got)
	// A writer that knows no deadlines has none to be moved.
	_ = b.control.SetReadDeadline(until)
	_ = b.control.SetWriteDeadline(until.Add(b.pace.Write))
	n, err := b.ReadCloser.Read(to)
	b.got += int64(n)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_invalid", Cause: ErrTooSlow,
			Message: "The file arrived too slowly and was not read to its end. Send it again on a faster line.",
		}
	case errors.Is(err, io.EOF):
		// All is here: what is read from now on is whether the client is still there.
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
