// Package caldav speaks to one calendar on a CalDAV server (RFC 4791): it reads
// the events of a time, and puts, replaces and deletes events by a name of our
// own.
//
// Creating is exactly once: an event's address is made from its name, and a PUT
// with If-None-Match writes only where nothing is. Whoever lost an answer asks
// again, and hears that it is there.
//
// It does not know what an event means: it passes on iCalendar text.
package caldav

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Collection is a calendar on a server.
type Collection struct {
	client   *http.Client
	guard    *egress.Guard
	url      *url.URL
	user     string
	password frontdesk.Secret
}

// maxAnswer bounds what is read of an answer.
const maxAnswer = 32 << 20

// What can be wrong with a calendar.
var (
	ErrExists      = errors.New("caldav: there is an event of that name")
	ErrNoCalendar  = errors.New("caldav: the address is not that of a calendar")
	ErrTooMuch     = errors.New("caldav: the answer is larger than is read")
	ErrIncomplete  = errors.New("caldav: the server left some of the events out")
	ErrUnreadable  = errors.New("caldav: the answer is not what a CalDAV server says")
	errUnsupported = errors.New("caldav: the server does not know the request")
)

// StatusError is an answer that says no.
type StatusError struct {
	Method string
	Status int
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("caldav: %s was answered with %d %s", e.Method, e.Status, http.StatusText(e.Status))
}

// Open returns the calendar at an address. Nothing is sent yet.
func Open(guard *egress.Guard, client *http.Client, address, user string, password frontdesk.Secret) (*Collection, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("caldav: the address: %w", err)
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
		u.RawPath = ""
	}
	return &Collection{client: client, guard: guard, url: u, user: user, password: password}, nil
}

const findCalendar = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>`

// Check says whether the address is that of a calendar. If it is not, the error
// wraps ErrNoCalendar, and calendars are the addresses of those that stand
// there.
func (c *Collection) Check(ctx context.Context) (calendars []string, err error) {
	here, err := c.propfind(ctx, "0")
	if err != nil {
		return nil, err
	}
	for _, r := range here {
		if r.calendar {
			return nil, nil
		}
	}
	below, err := c.propfind(ctx, "1")
	for _, r := range below {
		if at, err := c.url.Parse(r.href); r.calendar && err == nil && at.Host == c.url.Host {
			calendars = append(calendars, at.String())
		}
	}
	if err == nil {
		err = ErrNoCalendar
	}
	return calendars, err
}

func (c *Collection) propfind(ctx context.Context, depth string) ([]response, error) {
	return c.ask(ctx, "PROPFIND", findCalendar, depth)
}

// stamp is how a time is spelled in a filter.
const stamp = "20060102T150405Z"

const findEvents = `<?xml version="1.0" encoding="utf-8"?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
<D:prop><C:calendar-data/></D:prop>
<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">%s</C:comp-filter></C:comp-filter></C:filter>
</C:calendar-query>`

// Events reads the events that may be in the time from one instant up to
// another, as the text of one calendar after the other. Of a server that does
// not know the question the whole calendar is read.
func (c *Collection) Events(ctx context.Context, from, to time.Time) ([]byte, error) {
	filters := []string{
		fmt.Sprintf(`<C:time-range start="%s" end="%s"/>`, from.UTC().Format(stamp), to.UTC().Format(stamp)),
		// Some servers, Xandikos among them, find a recurring event only at the time
		// of its first occurrence: those are asked for apart, whenever they are.
		`<C:prop-filter name="RRULE"/>`,
		`<C:prop-filter name="RDATE"/>`,
	}
	text, seen := &bytes.Buffer{}, map[string]bool{}
	for _, filter := range filters {
		all, err := c.ask(ctx, "REPORT", fmt.Sprintf(findEvents, filter), "1")
		if errors.Is(err, errUnsupported) {
			return c.whole(ctx)
		}
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			if r.data != "" && !seen[r.href] {
				seen[r.href] = true
				text.WriteString(r.data)
				text.WriteString("\r\n")
			}
		}
		if text.Len() > maxAnswer {
			return nil, ErrTooMuch
		}
	}
	return text.Bytes(), nil
}

// whole reads all of the calendar, as some servers show it at its address.
func (c *Collection) whole(ctx context.Context) ([]byte, error) {
	answer, err := c.send(ctx, http.MethodGet, c.url, nil, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, &StatusError{http.MethodGet, answer.StatusCode}
	}
	return readAll(answer.Body)
}

func readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		err = ErrTooMuch
	}
	return text, err
}

// ask sends a question in XML and reads the answer to it.
func (c *Collection) ask(ctx context.Context, method, question, depth string) ([]response, error) {
	answer, err := c.send(ctx, method, c.url, []byte(question), map[string]string{"Content-Type": "application/xml; charset=utf-8", "Depth": depth})
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusMultiStatus:
		return parse(answer.Body)
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusNotImplemented:
		return nil, errors.Join(errUnsupported, &StatusError{method, answer.StatusCode})
	case http.StatusOK: // a web page, most likely
		return nil, errors.Join(ErrNoCalendar, errUnsupported)
	}
	return nil, &StatusError{method, answer.StatusCode}
}

// Create writes an event under a name that nothing has yet: ErrExists.
func (c *Collection) Create(ctx context.Context, name string, text []byte) error {
	err := c.put(ctx, name, text, map[string]string{"If-None-Match": "*"})
	var status *StatusError
	if errors.As(err, &status) && status.Status == http.StatusPreconditionFailed {
		return ErrExists
	}
	return err
}

// Replace writes an event, whatever its name holds now.
func (c *Collection) Replace(ctx context.Context, name string, text []byte) error {
	return c.put(ctx, name, text, map[string]string{})
}

func (c *Collection) put(ctx context.Context, name string, text []byte, header map[string]string) error {
	header["Content-Type"] = "text/calendar; charset=utf-8"
	return c.change(ctx, http.MethodPut, name, text, header)
}

// Delete takes an event away. One that is not there has been.
func (c *Collection) Delete(ctx context.Context, name string) error {
	err := c.change(ctx, http.MethodDelete, name, nil, nil)
	var status *StatusError
	if errors.As(err, &status) && (status.Status == http.StatusNotFound || status.Status == http.StatusGone) {
		return nil
	}
	return err
}

func (c *Collection) change(ctx context.Context, method, name string, text []byte, header map[string]string) error {
	answer, err := c.send(ctx, method, c.url.JoinPath(name+".ics"), text, header)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.CopyN(io.Discard, answer.Body, 64<<10); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("caldav: reading the answer: %w", err)
	}
	if answer.StatusCode/100 != 2 {
		return &StatusError{method, answer.StatusCode}
	}
	return nil
}

// send makes one request. Redirects are not followed: the password is for the
// address that the operator gave.
func (c *Collection) send(ctx context.Context, method string, to *url.URL, body []byte, header map[string]string) (*http.Response, error) {
	if err := c.guard.CheckScheme(to); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("caldav: making a request: %w", err)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	request.Header.Set("User-Agent", "frontdesk")
	if c.user != "" {
		request.SetBasicAuth(c.user, c.password.Reveal())
	}
	answer, err := c.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("caldav: %w", withoutURL(err))
	}
	return answer, nil
}

// withoutURL leaves the address, which is a secret, out of a client's error.
func withoutURL(err error) error {
	var in *url.Error
	if errors.As(err, &in) {
		return in.Err
	}
	return err
}
