package caldav_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/caldav"
	"frontdesk.dev/frontdesk/internal/caldav/caldavtest"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/ical"
)

var ctx = context.Background()

const patience = time.Minute

func open(t *testing.T, s *caldavtest.Server, address string) *caldav.Collection {
	t.Helper()
	g := s.Guard()
	c, err := caldav.Open(g, g.Client(patience, 1), address, s.User, frontdesk.Secret(s.Password))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func text(uid, start string) []byte {
	return []byte("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//frontdesk//test//EN\r\nBEGIN:VEVENT\r\nUID:" + uid + "\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:" + start +
		"\r\nDURATION:PT1H\r\nSUMMARY:Corte: Ana\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
}

var (
	june = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	july = june.AddDate(0, 1, 0)
)

func busy(t *testing.T, c *caldav.Collection) (starts []string) {
	t.Helper()
	all, err := c.Events(ctx, june, july)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		return nil
	}
	periods, err := ical.Busy(strings.NewReader(string(all)), ical.Options{From: june, To: july})
	if err != nil {
		t.Fatalf("%v in\n%s", err, all)
	}
	for _, p := range periods {
		starts = append(starts, p.UID+" "+p.Start.Format("01-02 15:04"))
	}
	return starts
}

func TestRealServers(t *testing.T) {
	t.Parallel()
	caldavtest.Each(t, func(t *testing.T, s *caldavtest.Server) {
		c := open(t, s, s.Calendar)
		if found, err := c.Check(ctx); err != nil {
			t.Fatalf("it is no calendar: %v, %v", found, err)
		}
		if got := busy(t, c); got != nil {
			t.Fatalf("in an empty calendar: %v", got)
		}
		if err := c.Create(ctx, "a", text("a@frontdesk", "20260610T100000Z")); err != nil {
			t.Fatal(err)
		}
		if err := c.Create(ctx, "a", text("a@frontdesk", "20260610T110000Z")); !errors.Is(err, caldav.ErrExists) {
			t.Fatalf("created twice: %v", err)
		}
		if err := c.Replace(ctx, "a", text("a@frontdesk", "20260611T100000Z")); err != nil {
			t.Fatal(err)
		}
		s.Put("weekly", "DTSTART:20260501T090000Z", "DURATION:PT30M", "RRULE:FREQ=WEEKLY;UNTIL=20260612T000000Z")
		s.Put("dates", "DTSTART:20260501T090000Z", "DURATION:PT30M", "RDATE:20260603T120000Z")
		s.Put("past", "DTSTART:20260101T090000Z", "DURATION:PT30M")
		if got, want := strings.Join(busy(t, c), ", "), "dates 06-03 12:00, weekly 06-05 09:00, a@frontdesk 06-11 10:00"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		for range 2 { // what is gone is gone
			if err := c.Delete(ctx, "a"); err != nil {
				t.Fatal(err)
			}
		}
		if n := s.Count(); n != 3 {
			t.Errorf("%d events", n)
		}
	})
}

func TestTheAddressOfAnAccount(t *testing.T) {
	t.Parallel()
	caldavtest.Each(t, func(t *testing.T, s *caldavtest.Server) {
		found, err := open(t, s, s.Home).Check(ctx)
		if !errors.Is(err, caldav.ErrNoCalendar) || strings.Join(found, " ") != s.Calendar {
			t.Errorf("got %v, %v; want %s", found, err, s.Calendar)
		}
	})
}

func TestAWrongPassword(t *testing.T) {
	t.Parallel()
	s := caldavtest.Radicale(t)
	s.Password = "guessed"
	_, err := open(t, s, s.Calendar).Check(ctx)
	var status *caldav.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusUnauthorized && status.Status != http.StatusForbidden {
		t.Errorf("got %v", err)
	}
}

// answering is a calendar whose server answers in a way of its own.
func answering(t *testing.T, answer http.HandlerFunc) *caldav.Collection {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	g, err := egress.New(egress.Options{Allow: []string{s.URL}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := caldav.Open(g, g.Client(patience, 1), s.URL+"/calendar", "", "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAServerThatDoesNotKnowReports(t *testing.T) {
	t.Parallel()
	c := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/calendar/" {
			w.WriteHeader(http.StatusNotImplemented)
			return
		}
		w.Write(text("whole", "20260610T100000Z"))
	})
	if got := strings.Join(busy(t, c), ", "); got != "whole 06-10 10:00" {
		t.Errorf("got %s", got)
	}
}

func TestAnswersThatSayNo(t *testing.T) {
	t.Parallel()
	const begin, end = `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">`, `</multistatus>`
	tests := map[string]struct {
		status int
		body   string
		want   error
	}{
		"a redirect":           {http.StatusFound, "", &caldav.StatusError{Method: "REPORT", Status: http.StatusFound}},
		"forbidden":            {http.StatusForbidden, "", &caldav.StatusError{Method: "REPORT", Status: http.StatusForbidden}},
		"a web page":           {http.StatusMultiStatus, "<html></html>", caldav.ErrUnreadable},
		"half an answer":       {http.StatusMultiStatus, begin + "<response>", caldav.ErrUnreadable},
		"nothing":              {http.StatusMultiStatus, "", caldav.ErrUnreadable},
		"an entity of its own": {http.StatusMultiStatus, `<!DOCTYPE a [<!ENTITY b "c">]>` + begin + "<response><href>&b;</href></response>" + end, caldav.ErrUnreadable},
		"too deep":             {http.StatusMultiStatus, begin + strings.Repeat("<a>", 100), caldav.ErrTooMuch},
		"left out":             {http.StatusMultiStatus, begin + "<response><href>/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>" + end, caldav.ErrIncomplete},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := answering(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(tt.status)
				w.Write([]byte(tt.body))
			})
			_, err := c.Events(ctx, june, july)
			var got, want *caldav.StatusError
			if errors.As(tt.want, &want) {
				if !errors.As(err, &got) || *got != *want {
					t.Errorf("got %v", err)
				}
			} else if !errors.Is(err, tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}
