package frontdesk

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// sevenCalls serves the calls 1 to 7, as many at once as it is asked for.
func sevenCalls(w http.ResponseWriter, r *http.Request) {
	var from, limit int
	fmt.Sscan(r.URL.Query().Get("starting_after"), &from)
	fmt.Sscan(r.URL.Query().Get("limit"), &limit)
	var items []string
	for id := from + 1; id <= min(from+limit, 7); id++ {
		items = append(items, fmt.Sprintf(`{"id":"%d"}`, id))
	}
	next, more := "null", from+limit < 7
	if more {
		next = fmt.Sprintf(`"%d"`, from+limit)
	}
	says(200, fmt.Sprintf(`{"object":"list","data":[%s],"has_more":%t,"next_starting_after":%s,"future":1}`, strings.Join(items, ","), more, next))(w, r)
}

func TestAllGoesOverAllPages(t *testing.T) {
	t.Parallel()
	s := serve(t, sevenCalls)
	c, _ := clientOf(t, s)
	var ids []string
	for call, err := range c.Calls.All(t.Context(), CallListParams{Limit: 3, Outcome: OutcomeBooking}, RequestOptions{Header: http.Header{"X-Mine": {"1"}}}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, call.ID)
	}
	if got := strings.Join(ids, ""); got != "1234567" {
		t.Errorf("got %s", got)
	}
	var cursors []string
	for _, asked := range s.requests() {
		query, _ := url.ParseQuery(asked.query)
		cursors = append(cursors, query.Get("starting_after"))
		if query.Get("outcome") != "booking" || query.Get("limit") != "3" || asked.header.Get("X-Mine") != "1" {
			t.Errorf("asked %s", asked.query)
		}
	}
	if want := []string{"", "3", "6"}; !slices.Equal(cursors, want) {
		t.Errorf("asked from %q, want %q", cursors, want)
	}
}

func TestAllCanBeGoneOverAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, sevenCalls)
	c, _ := clientOf(t, s)
	every := c.Calls.All(t.Context(), CallListParams{Limit: 5})
	if len(s.requests()) != 0 {
		t.Error("it was asked before anybody wanted to know")
	}
	for range 2 {
		n := 0
		for range every {
			n++
		}
		if n != 7 {
			t.Errorf("got %d", n)
		}
	}
}

func TestBreakStopsAsking(t *testing.T) {
	t.Parallel()
	s := serve(t, sevenCalls)
	c, _ := clientOf(t, s)
	for call, err := range c.Calls.All(t.Context(), CallListParams{Limit: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		if call.ID == "3" {
			break
		}
	}
	if len(s.requests()) != 2 {
		t.Errorf("%d requests", len(s.requests()))
	}
}

func TestPageByPage(t *testing.T) {
	t.Parallel()
	c, _ := clientOf(t, serve(t, sevenCalls))
	page, err := c.Calls.List(t.Context(), CallListParams{Limit: 3})
	if err != nil || !page.HasMore || page.NextStartingAfter != "3" || string(page.Extra["future"]) != "1" || len(page.Extra) != 1 {
		t.Fatalf("got %+v, %v", page, err)
	}
	var sizes []int
	for page != nil && err == nil {
		sizes = append(sizes, len(page.Data))
		page, err = page.NextPage(t.Context())
	}
	if err != nil || !slices.Equal(sizes, []int{3, 3, 1}) {
		t.Errorf("got %v, %v", sizes, err)
	}
}

func TestAllFromAPage(t *testing.T) {
	t.Parallel()
	c, _ := clientOf(t, serve(t, sevenCalls))
	page, err := c.Calls.List(t.Context(), CallListParams{Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range page.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 7 {
		t.Errorf("got %d", n)
	}
}

func TestAnErrorEndsAll(t *testing.T) {
	t.Parallel()
	failed := fails(400, "invalid_request_error", "invalid_cursor")
	tests := map[string]struct {
		answers []http.HandlerFunc
		items   int
	}{
		"at once":    {[]http.HandlerFunc{failed}, 0},
		"after some": {[]http.HandlerFunc{sevenCalls, failed}, 3},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := clientOf(t, serve(t, tt.answers...))
			var items, failures int
			for _, err := range c.Calls.All(t.Context(), CallListParams{Limit: 3}) {
				if err != nil {
					failures++
					if !errors.Is(err, ErrInvalidRequest) {
						t.Error(err)
					}
					continue
				}
				items++
			}
			if items != tt.items || failures != 1 {
				t.Errorf("%d items, %d errors", items, failures)
			}
		})
	}
}

func TestACancelledContextEndsAll(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c, _ := clientOf(t, serve(t, sevenCalls))
	var last error
	n := 0
	for _, err := range c.Calls.All(ctx, CallListParams{Limit: 3}) {
		n, last = n+1, err
		cancel()
	}
	if n != 4 || !errors.Is(last, context.Canceled) {
		t.Errorf("got %d items and %v", n, last)
	}
}

// A search can give an empty page and say that there is more.
func TestAnEmptyPageIsNotTheEnd(t *testing.T) {
	t.Parallel()
	c, _ := clientOf(t, serve(t,
		says(200, `{"object":"list","data":[],"has_more":true,"next_starting_after":"6"}`), sevenCalls))
	n := 0
	for _, err := range c.Calls.All(t.Context(), CallListParams{Limit: 3}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("got %d", n)
	}
}

func TestACursorThatGoesNowhere(t *testing.T) {
	t.Parallel()
	for _, next := range []string{`null`, `"3"`} {
		s := serve(t, says(200, `{"object":"list","data":[],"has_more":true,"next_starting_after":`+next+`}`))
		c, _ := clientOf(t, s)
		var last error
		for _, err := range c.Calls.All(t.Context(), CallListParams{StartingAfter: "3"}) {
			last = err
		}
		if last == nil || len(s.requests()) != 1 {
			t.Errorf("%s: %v after %d requests", next, last, len(s.requests()))
		}
	}
}

// Every list has its All.
func TestEveryAll(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c, _ := clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		says(200, `{"object":"list","data":[{}],"has_more":false,"next_starting_after":null,"`+name+`":[{}],"limits":{"used":1}}`)(w, r)
	}))
	n := 0
	for range c.Scopes.All(ctx) {
		n++
	}
	for range c.Voices.All(ctx) {
		n++
	}
	for range c.Agents.All(ctx) {
		n++
	}
	for range c.Agents.History.All(ctx, "a", AgentHistoryListParams{}) {
		n++
	}
	for range c.Captures.All(ctx, CaptureListParams{}) {
		n++
	}
	for range c.Notices.All(ctx, NoticeListParams{}) {
		n++
	}
	for range c.Events.All(ctx, EventListParams{}) {
		n++
	}
	for range c.Connectors.All(ctx, ConnectorListParams{}) {
		n++
	}
	for range c.Connections.All(ctx, ConnectionListParams{}) {
		n++
	}
	for range c.Connections.AllDeliveries(ctx, "a", DeliveryListParams{}) {
		n++
	}
	for range c.Knowledge.Documents.All(ctx, DocumentListParams{}) {
		n++
	}
	if n != 11 {
		t.Errorf("got %d items of 11 lists", n)
	}
	page, err := c.Connections.List(ctx, ConnectionListParams{})
	if err != nil || page.Limits.Used != 1 || len(page.Data) != 1 || page.Extra["limits"] != nil {
		t.Errorf("got %+v, %v", page, err)
	}
}
