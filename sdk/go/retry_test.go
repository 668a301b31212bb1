package frontdesk

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

const whoamiBody = `{"authenticated_as":"api_key","livemode":false,"tenant":{"id":"i","slug":"s"},"key_prefix":null,"scopes":[]}`

func TestWhatIsSentAgain(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		first http.HandlerFunc
		want  int // requests
	}{
		"a connection that was reset":       {resets, 2},
		"408":                               {fails(408, "api_error", "x"), 2},
		"409, the first one is still on":    {fails(409, "idempotency_error", "idempotency_key_in_use"), 2},
		"409, the key is another request's": {fails(409, "idempotency_error", "idempotency_key_reused"), 1},
		"409, a conflict":                   {fails(409, "conflict_error", "slot_unavailable"), 1},
		"429":                               {fails(429, "rate_limit_error", "rate_limited"), 2},
		"500":                               {fails(500, "api_error", "internal_error"), 2},
		"502 of a proxy":                    {says(502, "<html>"), 2},
		"503":                               {fails(503, "api_error", "database_unavailable"), 2},
		"504":                               {says(504, ""), 2},
		"501":                               {says(501, ""), 1},
		"400":                               {fails(400, "invalid_request_error", "parameter_invalid"), 1},
		"401":                               {fails(401, "authentication_error", "api_key_invalid"), 1},
		"404":                               {fails(404, "invalid_request_error", "not_found"), 1},
		"an answer that breaks off":         {breaksOff, 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tt.first, says(200, `{"capture":{"id":"1"}}`))
			c, w := clientOf(t, s)
			capture, err := c.Captures.Create(t.Context(), CaptureInput{Agent: "a"})
			asked := s.requests()
			if len(asked) != tt.want || len(w.all) != tt.want-1 {
				t.Fatalf("%d requests and %d pauses, want %d requests; %v", len(asked), len(w.all), tt.want, err)
			}
			if tt.want == 1 {
				if err == nil {
					t.Error("no error")
				}
				return
			}
			if err != nil || capture.ID != "1" {
				t.Errorf("got %v, %v", capture, err)
			}
			first, second := asked[0].header.Get("Idempotency-Key"), asked[1].header.Get("Idempotency-Key")
			if first == "" || first != second || asked[0].body != asked[1].body || asked[1].body != `{"agent":"a"}` {
				t.Errorf("sent %q %s, then %q %s", first, asked[0].body, second, asked[1].body)
			}
		})
	}
}

func breaksOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	w.WriteHeader(200)
	w.Write([]byte(`{"capture":`))
}

func TestEveryMethodIsSentAgainAndOnlyPOSTHasAKey(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"GET", "PUT", "PATCH", "DELETE", "POST"} {
		s := serve(t, resets, says(200, `{}`))
		c, _ := clientOf(t, s)
		if err := c.Request(t.Context(), method, "/x", Input{}, nil); err != nil {
			t.Errorf("%s: %v", method, err)
		}
		for _, asked := range s.requests() {
			if key := asked.header.Get("Idempotency-Key"); (key != "") != (method == "POST") {
				t.Errorf("%s has the key %q", method, key)
			}
		}
	}
}

func TestTwoCallsHaveTwoKeys(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, `{}`))
	c, _ := clientOf(t, s)
	for range 2 {
		if _, err := c.Knowledge.Ask(t.Context(), KnowledgeQuestion{Question: "?"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Knowledge.Ask(t.Context(), KnowledgeQuestion{Question: "?"}, RequestOptions{IdempotencyKey: "mine"}); err != nil {
		t.Fatal(err)
	}
	key := func(i int) string { return s.requests()[i].header.Get("Idempotency-Key") }
	if key(0) == key(1) || len(key(0)) != 36 || key(2) != "mine" {
		t.Errorf("keys %q, %q, %q", key(0), key(1), key(2))
	}
}

func TestHowLongItWaits(t *testing.T) {
	t.Parallel()
	soon := time.Now().Add(30 * time.Second).UTC().Format(http.TimeFormat)
	late := time.Now().Add(3 * time.Hour).UTC().Format(http.TimeFormat)
	past := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	tests := map[string]struct {
		header     string
		sentAgain  bool
		least, big time.Duration
	}{
		"seconds":             {"7", true, 7 * time.Second, 7 * time.Second},
		"no seconds":          {"0", true, 0, 0},
		"a minute":            {"60", true, time.Minute, time.Minute},
		"more than a minute":  {"61", false, 0, 0},
		"an hour":             {"3600", false, 0, 0},
		"a date":              {soon, true, 0, 30 * time.Second},
		"a date far off":      {late, false, 0, 0},
		"a date in the past":  {past, true, 0, 0},
		"nothing":             {"", true, 375 * time.Millisecond, 625 * time.Millisecond},
		"what is no time":     {"soon", true, 375 * time.Millisecond, 625 * time.Millisecond},
		"less than no second": {"-5", true, 375 * time.Millisecond, 625 * time.Millisecond},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, fails(429, "rate_limit_error", "rate_limited", "Retry-After", tt.header), says(200, whoamiBody))
			c, w := clientOf(t, s)
			_, err := c.Whoami(t.Context())
			if tt.sentAgain != (err == nil) || tt.sentAgain != (len(w.all) == 1) {
				t.Fatalf("%d pauses, %v", len(w.all), err)
			}
			if tt.sentAgain && (w.all[0] < tt.least || w.all[0] > tt.big) {
				t.Errorf("waited %s", w.all[0])
			}
			var e *Error
			if !tt.sentAgain && (!errors.As(err, &e) || e.RetryAfter <= time.Minute || !errors.Is(err, ErrRateLimit)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestPausesGrow(t *testing.T) {
	t.Parallel()
	s := serve(t, fails(503, "api_error", "database_unavailable"))
	c, w := clientOf(t, s)
	_, err := c.Whoami(t.Context(), RequestOptions{MaxRetries: 8})
	if !errors.Is(err, ErrServer) || len(s.requests()) != 9 {
		t.Fatalf("%d requests, %v", len(s.requests()), err)
	}
	for i, want := range []float64{0.5, 1, 2, 4, 8, 8, 8, 8} {
		got := w.all[i].Seconds()
		if got < want*0.75 || got > min(want*1.25, 8) {
			t.Errorf("pause %d is %v s, want about %v", i, got, want)
		}
	}
}

func TestHowOften(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		client, request, want int
	}{
		"by default":              {0, 0, 3},
		"by the client":           {1, 0, 2},
		"never, by the client":    {NoRetries, 0, 1},
		"by the request":          {5, 1, 2},
		"never, by the request":   {5, NoRetries, 1},
		"by the request although": {NoRetries, 3, 4},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, fails(503, "api_error", "database_unavailable"))
			c, err := New(Options{APIKey: testKey, BaseURL: s.URL, MaxRetries: tt.client})
			if err != nil {
				t.Fatal(err)
			}
			c.wait = (&waits{}).wait
			var res Response
			_, err = c.Whoami(t.Context(), RequestOptions{MaxRetries: tt.request, Response: &res})
			if !errors.Is(err, ErrServer) || len(s.requests()) != tt.want || res.Attempts != tt.want {
				t.Errorf("%d requests, %d attempts, %v", len(s.requests()), res.Attempts, err)
			}
		})
	}
}

func TestADeleteWhoseAnswerWasLost(t *testing.T) {
	t.Parallel()
	gone := fails(404, "invalid_request_error", "not_found")
	tests := map[string]struct {
		answers []http.HandlerFunc
		done    bool
	}{
		"is done when there is nothing left":    {[]http.HandlerFunc{resets, gone}, true},
		"so is one lost by a proxy":             {[]http.HandlerFunc{says(502, ""), gone}, true},
		"and one lost before another failure":   {[]http.HandlerFunc{resets, fails(503, "api_error", "database_unavailable"), gone}, true},
		"not when it was refused before":        {[]http.HandlerFunc{fails(503, "api_error", "database_unavailable"), gone}, false},
		"not when it never was there":           {[]http.HandlerFunc{gone}, false},
		"not when there is no such place":       {[]http.HandlerFunc{resets, fails(404, "invalid_request_error", "route_not_found")}, false},
		"not when somebody else's page says so": {[]http.HandlerFunc{resets, says(404, "<html>")}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := clientOf(t, serve(t, tt.answers...))
			deleted, err := c.Connections.Delete(t.Context(), anID)
			if tt.done && (err != nil || !deleted.Deleted || deleted.ID != anID) || !tt.done && err == nil {
				t.Errorf("got %v, %v", deleted, err)
			}
		})
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	hangs := make(chan struct{})
	s := serve(t, func(http.ResponseWriter, *http.Request) { <-hangs })
	t.Cleanup(func() { close(hangs) })
	c, w := clientOf(t, s)
	_, err := c.Whoami(t.Context(), RequestOptions{Timeout: 20 * time.Millisecond})
	var e *ConnectionError
	if !errors.As(err, &e) || !e.Timeout || e.Attempts != 3 || !errors.Is(err, ErrTimeout) || !errors.Is(err, ErrConnection) {
		t.Errorf("got %v", err)
	}
	if len(w.all) != 2 {
		t.Errorf("%d pauses", len(w.all))
	}
	has(t, err.Error(), "GET /whoami: timed out (attempts: 3)")
}

func TestABodyThatHangsTimesOutToo(t *testing.T) {
	t.Parallel()
	hangs := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-hangs
	})
	t.Cleanup(func() { close(hangs) })
	c, _ := clientOf(t, s)
	_, err := c.Whoami(t.Context(), RequestOptions{Timeout: 20 * time.Millisecond, MaxRetries: NoRetries})
	if !errors.Is(err, ErrTimeout) {
		t.Errorf("got %v", err)
	}
}

func TestCancelledDuringAnAttempt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	hangs := make(chan struct{})
	s := serve(t, func(http.ResponseWriter, *http.Request) { cancel(); <-hangs })
	t.Cleanup(func() { close(hangs) })
	c, w := clientOf(t, s)
	_, err := c.Whoami(ctx)
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrConnection) || len(w.all) != 0 {
		t.Errorf("got %v after %d pauses", err, len(w.all))
	}
}

// The pause is the real one here: it ends because the context does.
func TestCancelledDuringAPause(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("closing time")
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fails(503, "api_error", "database_unavailable", "Retry-After", "60")(w, r)
	})
	c, err := New(Options{APIKey: testKey, BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	c.wait = func(ctx context.Context, d time.Duration) error {
		cancel(why)
		return wait(ctx, d)
	}
	_, err = c.Whoami(ctx)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, why) || !errors.Is(err, ErrServer) || len(s.requests()) != 1 {
		t.Errorf("got %v after %d requests", err, len(s.requests()))
	}
}

func TestADeadlineOfTheCaller(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	c, _ := clientOf(t, serve(t, says(200, whoamiBody)))
	_, err := c.Whoami(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrTimeout) {
		t.Errorf("got %v", err)
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, whoamiBody))
	c, w := clientOf(t, s)
	s.Close()
	_, err := c.Whoami(t.Context())
	if !errors.Is(err, ErrConnection) || errors.Is(err, ErrTimeout) || len(w.all) != 2 {
		t.Errorf("got %v after %d pauses", err, len(w.all))
	}
	has(t, err.Error(), "GET /whoami: no answer (attempts: 3)", "refused")
}

func TestRetryAfterInAnError(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[string]time.Duration{"3600": time.Hour, strconv.Itoa(1 << 40): 0, "": 0, strings.Repeat("9", 40): 0} {
		got, _ := retryAfter(http.Header{"Retry-After": {seconds}}, time.Now())
		if got != want {
			t.Errorf("%q: got %s", seconds, got)
		}
	}
}
