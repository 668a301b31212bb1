package exchange

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// pacedServer reads the body of every request and says how it went. Without the
// pace, no body would arrive in its time.
func pacedServer(t *testing.T, p Pace) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = p.Hold(w, r)
		n, err := io.Copy(io.Discard, r.Body)
		if err == nil {
			fmt.Fprint(w, n)
			return
		}
		status, body := Envelope(Refusal(err), "req_1")
		w.WriteHeader(status)
		w.Write(body)
	}))
	s.Config.ReadHeaderTimeout, s.Config.IdleTimeout, s.Config.ReadTimeout = time.Minute, time.Minute, time.Nanosecond
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func TestABodyThatStallsIsCutOff(t *testing.T) {
	t.Parallel()
	s := pacedServer(t, Pace{Grace: 20 * time.Millisecond, Rate: 1 << 10, Write: time.Minute})
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc")
	answer, err := io.ReadAll(c) // the rest never comes
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.Contains(string(answer), "too slowly") {
		t.Errorf("%v: %s", err, answer)
	}
}

// TestABodyThatKeepsThePaceArrives although the server's own time for requests is
// over, and the connection serves the next request.
func TestABodyThatKeepsThePaceArrives(t *testing.T) {
	t.Parallel()
	s := pacedServer(t, Pace{Grace: time.Minute, Rate: 1 << 10, Write: time.Minute})
	for range 2 {
		got, err := s.Client().Post(s.URL, "text/plain", bytes.NewReader(make([]byte, 10<<20)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil || string(text) != fmt.Sprint(10<<20) {
			t.Errorf("%v: %d %s", err, got.StatusCode, text)
		}
	}
}

func TestThePace(t *testing.T) {
	t.Parallel()
	p, began := Pace{Grace: 30 * time.Second, Rate: 1 << 10}, time.Unix(0, 0)
	left := func(after time.Duration, bytesPerSecond int64) bool {
		return began.Add(after).Before(p.until(began, int64(after.Seconds())*bytesPerSecond))
	}
	for _, after := range []time.Duration{29 * time.Second, time.Minute, 22 * time.Minute} {
		if !left(after, 8000) {
			t.Errorf("64 kbit/s are cut off after %s", after)
		}
	}
	if left(31*time.Second, 3) {
		t.Error("3 bytes a second go on")
	}
}
