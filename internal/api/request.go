package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// request is a request on its way through the checks.
type request struct {
	http   *http.Request
	id     string
	route  *route
	path   map[string]string
	query  map[string]any
	caller account.Credential
	owner  frontdesk.Owner
	api    *API

	ctx     context.Context // bounded by what is left of left
	left    time.Duration   // what the database may still take
	began   time.Time
	cancel  context.CancelFunc
	body    []byte
	hasBody bool
	spooled *spool // a file that was read before its time

	// resumes names what the same request had begun before it was cut off, if
	// it had.
	resumes frontdesk.ID
}

// by is who makes the changes that the request asks for.
func (r *request) by() frontdesk.Actor { return r.caller.Key.Actor() }

// Context is the context for questions to the database.
func (r *request) Context() context.Context { return r.ctx }

// startClock begins to count what the database takes of the request's time.
func (r *request) startClock() {
	r.began = time.Now()
	r.ctx, r.cancel = context.WithTimeout(r.http.Context(), r.left)
}

// stopClock ends the count, while a body comes in at its client's own pace.
func (r *request) stopClock() {
	r.left -= time.Since(r.began)
	r.cancel()
}

// underUnit makes all that the request writes from here on one unit.
func (r *request) underUnit(s *store.Store, key string, lease time.Time) *store.Unit {
	r.stopClock()
	defer r.startClock()
	ctx, unit := s.NewUnit(r.http.Context(), r.owner, key, lease)
	r.http = r.http.WithContext(ctx)
	return unit
}

// pathID is the path parameter as an id. What is no UUID names nothing, so the
// answer is the same as for any other missing thing.
func (r *request) pathID(name, thing string) (frontdesk.ID, error) {
	id, ok := frontdesk.ParseID(r.path[name])
	if !ok {
		return "", frontdesk.Missing(thing)
	}
	return id, nil
}

// text is a query parameter that may be missing.
func (r *request) text(name string) string {
	s, _ := r.query[name].(string)
	return s
}

// instant is a query parameter that is a time and may be missing.
func (r *request) instant(name string) (time.Time, error) {
	text, given := r.query[name].(string)
	if !given {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Year() < 1970 {
		return time.Time{}, frontdesk.InvalidParam(name, "%s must be an instant of RFC 3339 such as 2026-11-14T09:30:00Z; percent-encode the + of an offset.", name)
	}
	return at, nil
}

// localTime is a query parameter that is a date, or a date and a time, on the
// business's clock, and may be missing.
func (r *request) localTime(name string) (frontdesk.LocalTime, error) {
	text, given := r.query[name].(string)
	if !given {
		return "", nil
	}
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil {
			return frontdesk.LocalTimeOf(at), nil
		}
	}
	return "", frontdesk.InvalidParam(name, "%s must be a date such as 2026-11-20, or a local time such as 2026-11-20T17:30:00.", name)
}

// date is a query parameter that is a date and must be there.
func (r *request) date(name string) (frontdesk.Date, error) {
	text, given := r.query[name].(string)
	if !given {
		return frontdesk.Date{}, frontdesk.MissingParam(name, "%s is missing: a date such as 2026-11-20.", name)
	}
	d, ok := frontdesk.ParseDate(text)
	if !ok {
		return d, frontdesk.InvalidParam(name, "%s must be a date such as 2026-11-20.", name)
	}
	return d, nil
}

// unlessMatches refuses a change of something that is not the version which
// If-Match names.
func (r *request) unlessMatches(tag string) error {
	wanted := r.ifMatch()
	if wanted == "" || wanted == "*" {
		return nil
	}
	for one := range strings.SplitSeq(wanted, ",") {
		// A proxy that compresses makes a version a weak one.
		if strings.Trim(strings.TrimPrefix(strings.TrimSpace(one), "W/"), `"`) == strings.Trim(tag, `"`) {
			return nil
		}
	}
	return &frontdesk.Error{
		Kind: frontdesk.Outdated, Code: "version_mismatch", Param: "If-Match",
		Message: "It has changed since you read it. Read it again, and send the change with its new ETag.",
	}
}

// ifMatch are the versions of which one must be that of what is changed; "": any.
func (r *request) ifMatch() string {
	return strings.TrimSpace(strings.Join(r.http.Header.Values("If-Match"), ","))
}

// number is an integer query parameter; missing ones have the default of the
// description.
func (r *request) number(name string) int {
	if n, ok := r.query[name].(int); ok {
		return n
	}
	return r.route.query[name].Default
}

// page reads the two parameters of every list.
func (r *request) page() (frontdesk.Page, error) {
	p := frontdesk.Page{Limit: r.number("limit")}
	if cursor, given := r.query["starting_after"]; given {
		after, err := frontdesk.ParseCursor(cursor.(string))
		if err != nil {
			return p, err
		}
		p.StartingAfter = after
	}
	return p, nil
}

// readQuery holds the query to the description.
func (r *request) readQuery() (err error) {
	r.query, err = r.route.query.Read(r.http.URL.RawQuery)
	return err
}

// readBody reads the body, up to its limit. The limit is found while reading.
func (r *request) readBody() error {
	if r.hasBody {
		return nil
	}
	r.stopClock()
	defer r.startClock()
	if r.left <= 0 {
		return frontdesk.DatabaseUnavailable(context.DeadlineExceeded)
	}
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(r.http.Body, r.route.bodyLimit+1))
	switch {
	case n > r.route.bodyLimit:
		return &frontdesk.Error{Kind: frontdesk.TooLarge, Code: "request_too_large", Message: "The request body is larger than 256 KiB. Send less at once."}
	case err != nil:
		return &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "invalid_json", Cause: err,
			Message: "The request body did not arrive whole, or not in time. Send the request again.",
		}
	}
	r.body, r.hasBody = b.Bytes(), true
	return nil
}

// upload is the body of a request that brings a file.
func (r *request) upload() io.Reader {
	if r.spooled != nil {
		return r.spooled
	}
	return r.http.Body
}

// decode reads the body, holds it to a schema of the description, and fills
// dst with it.
func (r *request) decode(schema string, dst any) error {
	if err := r.readBody(); err != nil {
		return err
	}
	return r.api.description.Decode(schema, r.body, dst)
}

// decodeOptional is decode where the body may be left out; dst then stays as it
// is.
func (r *request) decodeOptional(schema string, dst any) error {
	if err := r.readBody(); err != nil {
		return err
	}
	if len(bytes.TrimSpace(r.body)) == 0 {
		return nil
	}
	return r.decode(schema, dst)
}
