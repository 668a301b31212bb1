package store_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// varied records n calls with captures of every kind and status in both modes,
// and returns those of the owner, newest first.
func varied(t *testing.T, s *store.Store, owner frontdesk.Owner, n int) (calls []frontdesk.Call, captures []frontdesk.Capture) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	kinds := []string{frontdesk.Appointment, frontdesk.Lead, frontdesk.Order, frontdesk.Callback, "fábula \"rara\""}
	var mine, other []store.Recording
	for i := range n {
		r := recording(day.Add(time.Duration(i)*time.Second), i, 1)
		r.Call.Outcome = frontdesk.Outcomes[random.IntN(6)]
		r.Call.Channel = frontdesk.Channels[random.IntN(2)]
		r.Captures[0].Status = frontdesk.CaptureStatuses[random.IntN(4)]
		r.Captures[0].Kind = kinds[random.IntN(len(kinds))]
		if i%3 == 0 {
			r.Captures[0].ScheduledAt = ""
		}
		mine = append(mine, r)
		calls, captures = append(calls, r.Call), append(captures, r.Captures[0])
		other = append(other, recording(day.Add(time.Duration(i)*time.Second), i, 1))
	}
	record(t, s, owner, mine...)
	record(t, s, frontdesk.Owner{TenantID: owner.TenantID, Live: !owner.Live}, other...)
	slices.Reverse(calls)
	slices.Reverse(captures)
	return calls, captures
}

func TestEveryCallComesOnceOverThePages(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	calls, _ := varied(t, s, owner, 120)
	for _, outcome := range append([]frontdesk.Outcome{""}, frontdesk.Outcomes...) {
		for _, channel := range append([]frontdesk.Channel{""}, frontdesk.Channels...) {
			var want []frontdesk.ID
			for _, c := range calls {
				if (outcome == "" || c.Outcome == outcome) && (channel == "" || c.Channel == channel) {
					want = append(want, c.ID)
				}
			}
			read := func(p frontdesk.Page) (ids []frontdesk.ID, more bool) {
				l, err := s.Calls(ctx, owner, frontdesk.CallFilter{Outcome: outcome, Channel: channel}, p)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range l.Items {
					ids = append(ids, c.ID)
				}
				return ids, l.More
			}
			t.Run(fmt.Sprintf("outcome %q, channel %q", outcome, channel), func(t *testing.T) {
				walkPages(t, want, read)
			})
		}
	}
}

func TestEveryCaptureComesOnceOverThePages(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	_, captures := varied(t, s, owner, 120)
	for _, status := range append([]frontdesk.CaptureStatus{""}, frontdesk.CaptureStatuses...) {
		for _, kind := range []string{"", frontdesk.Lead, frontdesk.Order, "fábula \"rara\"", "none has it"} {
			var want []frontdesk.ID
			for _, c := range captures {
				if (status == "" || c.Status == status) && (kind == "" || c.Kind == kind) {
					want = append(want, c.ID)
				}
			}
			read := func(p frontdesk.Page) (ids []frontdesk.ID, more bool) {
				l, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{Status: status, Kind: kind}, p)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range l.Items {
					ids = append(ids, c.ID)
				}
				return ids, l.More
			}
			t.Run(fmt.Sprintf("status %q, kind %q", status, kind), func(t *testing.T) {
				walkPages(t, want, read)
			})
		}
	}
}

// walkPages reads all pages in several sizes and wants every item once, in
// order, and More to be exact.
func walkPages(t *testing.T, want []frontdesk.ID, read func(frontdesk.Page) ([]frontdesk.ID, bool)) {
	t.Helper()
	sizes := []int{0, 7, frontdesk.MaxPageSize}
	if n := len(want); n > 1 && n < 100 {
		sizes = append(sizes, n-1, n, n+1) // the boundary
	}
	if len(want) < 30 {
		sizes = append(sizes, 1)
	}
	for _, size := range sizes {
		var got []frontdesk.ID
		for p := (frontdesk.Page{Limit: size}); ; {
			ids, more := read(p)
			got = append(got, ids...)
			if more != (len(got) < len(want)) {
				t.Fatalf("in pages of %d: after %d of %d items, more is %v", size, len(got), len(want), more)
			}
			if more && len(ids) != cmp.Or(size, frontdesk.DefaultPageSize) {
				t.Fatalf("in pages of %d: a page of %d", size, len(ids))
			}
			if !more {
				break
			}
			p.StartingAfter = ids[len(ids)-1]
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d: got %d items, want %d", size, len(got), len(want))
		}
	}
}

func TestEveryPageSize(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	calls, _ := varied(t, s, owner, 101)
	for limit := 1; limit <= frontdesk.MaxPageSize; limit++ {
		l, err := s.Calls(ctx, owner, frontdesk.CallFilter{}, frontdesk.Page{Limit: limit})
		if err != nil || len(l.Items) != limit || !l.More || l.Items[limit-1].ID != calls[limit-1].ID {
			t.Fatalf("limit %d: %d items, more %v, %v", limit, len(l.Items), l.More, err)
		}
	}
	l, err := s.Calls(ctx, owner, frontdesk.CallFilter{}, frontdesk.Page{StartingAfter: calls[0].ID, Limit: 100})
	if err != nil || len(l.Items) != 100 || l.More {
		t.Errorf("the last hundred: %d items, more %v, %v", len(l.Items), l.More, err)
	}
}

func TestACursorIsAPosition(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	_, captures := varied(t, s, owner, 30)
	read := func(f frontdesk.CaptureFilter, after frontdesk.ID) []frontdesk.Capture {
		l, err := s.Captures(ctx, owner, f, frontdesk.Page{StartingAfter: after, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		return l.Items
	}
	middle := captures[14]
	tests := map[string]struct {
		after frontdesk.ID
		want  int
	}{
		"an item":                   {middle.ID, 15},
		"a time between two items":  {frontdesk.FirstIDAt(middle.CreatedAt.Add(500 * time.Millisecond)), 16},
		"before everything":         {frontdesk.FirstIDAt(day.AddDate(0, 0, -1)), 0},
		"after everything":          {frontdesk.FirstIDAt(day.AddDate(0, 0, 1)), 30},
		"another tenant's, at once": {frontdesk.NewID(middle.CreatedAt.Add(time.Microsecond)), 16},
	}
	for name, tt := range tests {
		if got := read(frontdesk.CaptureFilter{}, tt.after); len(got) != tt.want {
			t.Errorf("%s: %d items follow, want %d", name, len(got), tt.want)
		}
	}

	// It works on when the item leaves the filter, and when it is deleted.
	f := frontdesk.CaptureFilter{Status: middle.Status}
	before := read(f, middle.ID)
	if _, err := setStatus(s, owner, middle.ID, otherThan(middle.Status), day); err != nil {
		t.Fatal(err)
	}
	if got := read(f, middle.ID); !slices.Equal(got, before) {
		t.Errorf("%d items follow one that left the filter, %d did before", len(got), len(before))
	}
	if _, err := s.Beside().Exec(`DELETE FROM captures WHERE id = $1`, string(middle.ID)); err != nil {
		t.Fatal(err)
	}
	if got := read(f, middle.ID); !slices.Equal(got, before) {
		t.Errorf("%d items follow a deleted one, %d did before", len(got), len(before))
	}
}

func otherThan(s frontdesk.CaptureStatus) frontdesk.CaptureStatus {
	i := slices.Index(frontdesk.CaptureStatuses, s)
	return frontdesk.CaptureStatuses[(i+1)%len(frontdesk.CaptureStatuses)]
}

func TestListsReadNoTranscripts(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	record(t, s, owner, recording(day, 5, 0))
	l, err := s.Calls(ctx, owner, frontdesk.CallFilter{}, frontdesk.Page{})
	if err != nil || len(l.Items) != 1 || l.Items[0].Transcript != nil || !strings.Contains(string(l.Items[0].Summary), "Hola") {
		t.Errorf("got %+v, %v", l, err)
	}
}
