package calendar

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/caldav"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/ical"
)

// icsSource is a calendar in a file at an address. It cannot be written.
type icsSource struct {
	guard    *egress.Guard
	client   *http.Client
	address  string
	user     string
	password frontdesk.Secret
}

// statusError is an answer that says no.
type statusError int

func (e statusError) Error() string {
	return fmt.Sprintf("the answer was %d %s", int(e), http.StatusText(int(e)))
}

func (s icsSource) read(ctx context.Context, in frontdesk.Span, zone *time.Location, tag string) (reading, error) {
	answer, err := s.get(ctx, tag)
	if err != nil {
		return reading{}, err
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusNotModified && tag != "":
		return reading{same: true, tag: tag}, nil
	case answer.StatusCode != http.StatusOK:
		return reading{}, statusError(answer.StatusCode)
	}
	return understood(answer.Body, in, zone, answer.Header.Get("ETag"))
}

// understood reads the periods of a calendar's text.
func understood(text io.Reader, in frontdesk.Span, zone *time.Location, tag string) (reading, error) {
	periods, err := ical.Busy(text, ical.Options{From: in.From, To: in.To, Zone: zone})
	var event *ical.EventError
	if err != nil && periods == nil && !errors.As(err, &event) {
		return reading{}, err
	}
	if errors.Is(err, ical.ErrTooMuch) {
		return reading{}, err // of what recurs too often nobody knows how much is missing
	}
	if len(tag) > 256 {
		tag = ""
	}
	return reading{periods: periods, tag: tag, partly: err}, nil
}

// mostRedirects is how often an address may point elsewhere, as those of large
// providers do.
const mostRedirects = 4

// get asks for the file. Every address on the way is checked as the first one
// was; the password goes to the first one's server alone.
func (s icsSource) get(ctx context.Context, tag string) (*http.Response, error) {
	to, err := url.Parse(s.address)
	if err != nil {
		return nil, errors.New("the address cannot be read")
	}
	first := to
	for range mostRedirects + 1 {
		if err := s.guard.CheckScheme(to); err != nil {
			return nil, err
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, to.String(), nil)
		if err != nil {
			return nil, errors.New("the address cannot be asked")
		}
		r.Header.Set("User-Agent", "frontdesk")
		r.Header.Set("Accept", "text/calendar, */*;q=0.1")
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		if s.user != "" && to.Scheme == first.Scheme && to.Host == first.Host {
			r.SetBasicAuth(s.user, s.password.Reveal())
		}
		answer, err := s.client.Do(r)
		if err != nil {
			return nil, withoutAddress(err)
		}
		next := answer.Header.Get("Location")
		if answer.StatusCode/100 != 3 || answer.StatusCode == http.StatusNotModified || next == "" {
			return answer, nil
		}
		answer.Body.Close()
		if to, err = to.Parse(next); err != nil {
			return nil, errors.New("the address points to one that cannot be read")
		}
		to.Fragment = ""
		if err := s.guard.CheckURL(ctx, to.String()); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("the address points from one to another without end")
}

var errNotWritten = errors.New("a calendar in a file cannot be written")

func (icsSource) put(context.Context, frontdesk.ID, ical.Calendar, bool) error { return errNotWritten }

func (icsSource) remove(context.Context, frontdesk.ID) error { return errNotWritten }

// withoutAddress leaves the address, which is a secret, out of a client's error.
func withoutAddress(err error) error {
	var in *url.Error
	if errors.As(err, &in) {
		return in.Err
	}
	return err
}

// caldavSource is a calendar on a CalDAV server.
type caldavSource struct{ calendar *caldav.Collection }

func openCalDAV(guard *egress.Guard, client *http.Client, address, user string, password frontdesk.Secret) (source, error) {
	calendar, err := caldav.Open(guard, client, address, user, password)
	return caldavSource{calendar}, err
}

func (s caldavSource) read(ctx context.Context, in frontdesk.Span, zone *time.Location, _ string) (reading, error) {
	if others, err := s.calendar.Check(ctx); err != nil {
		return reading{}, &noCalendar{others, err}
	}
	text, err := s.calendar.Events(ctx, in.From.Add(-24*time.Hour), in.To.Add(24*time.Hour)) // floating times are by no server's clock
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return reading{}, err
	}
	return understood(bytes.NewReader(text), in, zone, "")
}

// noCalendar is an address that is not that of a calendar, with those that are.
type noCalendar struct {
	others []string
	error
}

func (e *noCalendar) Unwrap() error { return e.error }

// put creates the event, or replaces it. One that is there although nobody knew
// is from an attempt whose answer was lost: it is brought up to date.
func (s caldavSource) put(ctx context.Context, id frontdesk.ID, event ical.Calendar, there bool) error {
	event.Kept = true
	text, err := event.AppendText(nil)
	if err != nil {
		return err
	}
	if !there {
		if err := s.calendar.Create(ctx, string(id), text); !errors.Is(err, caldav.ErrExists) {
			return err
		}
	}
	return s.calendar.Replace(ctx, string(id), text)
}

func (s caldavSource) remove(ctx context.Context, id frontdesk.ID) error {
	return s.calendar.Delete(ctx, string(id))
}

// inWords says what is wrong with a calendar, and what to do, to whoever
// connected it. It holds no address: that is a secret.
func inWords(err error) string {
	var refusal *frontdesk.Error
	var dns *net.DNSError
	var netErr net.Error
	var dial *net.OpError
	switch status := statusOf(err); {
	case errors.As(err, &refusal):
		return refusal.Message
	case status != 0:
		return statusInWords(status)
	case errors.Is(err, egress.ErrBlocked):
		return "The address does not lead to a public place. A server of your own is opened with FRONTDESK_CALENDAR_ALLOW."
	case errors.As(err, &dns):
		return "The name of the server cannot be resolved. Check the address."
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return "The server did not answer in time."
	case errors.As(err, &dial) && dial.Op == "dial":
		return "The server cannot be reached. Check the address, and that it runs: " + dial.Err.Error()
	case errors.Is(err, caldav.ErrNoCalendar):
		return "What stands at the address is no calendar. Give the address of one calendar, as its server shows it for CalDAV."
	case errors.Is(err, ical.ErrNoCalendar):
		return "What stands at the address is no calendar, or ends too soon. Give the address of an .ics file, or use --caldav."
	case errors.Is(err, ical.ErrTooMuch), errors.Is(err, caldav.ErrTooMuch):
		return "The calendar holds more than is read. Share a smaller one: " + frontdesk.Clip(err.Error(), 200)
	}
	return "The server does not answer as it should: " + frontdesk.Clip(err.Error(), 300)
}

// toConnector is inWords for whoever connects a calendar, who has the address
// and may see those of others on the same account.
func toConnector(err error) string {
	var other *noCalendar
	if errors.As(err, &other) && len(other.others) > 0 {
		return "The address is that of an account. Give the address of one of its calendars: " + strings.Join(other.others[:min(10, len(other.others))], " ")
	}
	return inWords(err)
}

func statusOf(err error) int {
	var file statusError
	var dav *caldav.StatusError
	switch {
	case errors.As(err, &file):
		return int(file)
	case errors.As(err, &dav):
		return dav.Status
	}
	return 0
}

func statusInWords(status int) string {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Sprintf("The server refuses it (%d). Check user and password; some providers want a password for apps. Then disconnect the calendar and connect it again.", status)
	case status == http.StatusNotFound || status == http.StatusGone:
		return fmt.Sprintf("There is no calendar at the address (%d). If its owner made a new one, disconnect this one and connect that.", status)
	case status/100 == 3:
		return fmt.Sprintf("The server points elsewhere (%d). Connect the address to which it points.", status)
	case status == http.StatusTooManyRequests || status/100 == 5:
		return fmt.Sprintf("The server cannot answer now (%d). It is asked again.", status)
	}
	return fmt.Sprintf("The server answered %d %s.", status, http.StatusText(status))
}
