package console

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// patience is how long a page may take.
const patience = 10 * time.Second

// newHandler sends each address to its row.
func (c *Console) newHandler() http.Handler {
	mux := http.NewServeMux()
	for _, rt := range c.outside() {
		rt.pattern = Path + rt.path
		mux.HandleFunc(rt.method+" "+rt.pattern, c.serving(rt, nil))
	}
	for _, rt := range c.inPlaces() {
		rt.pattern = Path + "/{mode}/{agent}" + rt.path
		for _, m := range modes {
			mux.HandleFunc(rt.method+" "+Path+"/"+m.name+"/{agent}"+rt.path, c.serving(rt, &m))
		}
	}
	mux.HandleFunc("/", c.serving(&route{method: get, pattern: "none", roles: strangers, handle: c.nothing}, nil))
	return mux
}

// serving answers requests to a row and writes one line about each.
func (c *Console) serving(rt *route, m *mode) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		ctx, cancel := context.WithTimeout(r.Context(), cmp.Or(rt.takes, patience))
		defer cancel()
		v := &visit{
			console: c, http: r.WithContext(ctx), header: w.Header(), id: exchange.RequestID(r), route: rt, mode: m,
			words: words{now: c.now(), zone: time.UTC}, address: c.proxies.Client(r),
		}
		v.chooseLanguage()
		guardHeaders(v.header, v.id)
		a, err := c.guarded(w, v)
		if err != nil {
			a = v.refuse(err)
		}
		a.write(w)
		c.note(v, a, err, time.Since(began))
	}
}

// guardHeaders are those of every answer: nothing from elsewhere is loaded, the
// page is shown in no other page, kept in no cache and told to no other site.
func guardHeaders(h http.Header, id string) {
	h.Set("X-Request-Id", id)
	h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; object-src 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Cache-Control", "no-store")
}

// guarded runs the visit; a panic in it is an internal error, and the process
// lives on.
func (c *Console) guarded(w http.ResponseWriter, v *visit) (_ answer, err error) {
	defer exchange.Recover(&err)
	if err := crossing.Check(v.http); err != nil {
		return answer{}, &frontdesk.Error{
			Kind: frontdesk.Forbidden, Code: "other_origin", Cause: err,
			Message: "This was sent from another site. Open the console and do it there.",
		}
	}
	if v.http.Method == post {
		v.http.Body = http.MaxBytesReader(w, v.http.Body, cmp.Or(v.route.limit, formLimit))
	}
	if v.route.roles == nil {
		return v.route.handle(v)
	}
	switch err := c.recognise(v); {
	case isUnauthorized(err):
		return v.toEntrance(), nil
	case err != nil:
		return answer{}, err
	}
	if !v.route.roles.let(v.person.Role) {
		return answer{}, &frontdesk.Error{
			Kind: frontdesk.Forbidden, Code: "role_missing",
			Message: "Your role does not open this page. Ask the owner of the business.",
		}
	}
	if v.mode != nil {
		if err := c.findPlace(v); err != nil {
			return answer{}, err
		}
	}
	if v.route.takes > 0 {
		v.http = exchange.Unhurried.Hold(w, v.http)
	}
	return v.route.handle(v)
}

// crossing refuses what other sites' pages send.
var crossing http.CrossOriginProtection

func isUnauthorized(err error) bool {
	e := exchange.Domain(err)
	return e != nil && e.Kind == frontdesk.Unauthorized
}

// isTooSlow says whether a file did not arrive at the pace that it must.
func isTooSlow(err error) bool { return errors.Is(err, exchange.ErrTooSlow) }

func (c *Console) nothing(*visit) (answer, error) { return answer{}, frontdesk.Missing("page") }

// refuse is the page, or the message in a page, for an error.
func (v *visit) refuse(err error) answer {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		err = &frontdesk.Error{Kind: frontdesk.TooLarge, Code: "request_too_large", Message: "That is too large.", Cause: err}
	}
	e := exchange.Refusal(err)
	if wait := exchange.RetryAfter(e); wait != "" {
		v.header.Set("Retry-After", wait)
	}
	status := exchange.Statuses[e.Kind].Code
	shown := refusal{Status: status, Message: v.explain(e), RequestID: v.id}
	name := "refused"
	if v.htmx() {
		// In its place on the page that is open.
		v.header.Set("HX-Retarget", "#said")
		v.header.Set("HX-Reswap", "innerHTML")
		name = "refusal"
	}
	a, renderErr := v.render(status, name, shown)
	if renderErr != nil {
		v.console.log.Error("an error page could not be made", "error", renderErr)
		return answer{status: status, contentType: "text/plain; charset=utf-8", body: []byte(e.Message)}
	}
	a.code = e.Code
	return a
}

// refusal is what somebody reads when something did not work.
type refusal struct {
	Status    int
	Message   string
	RequestID string
}

// explain says an error in the language of the page, where it has words for it.
func (v *visit) explain(e *frontdesk.Error) string {
	if text := v.say("error_" + e.Code); text != "" {
		return text
	}
	return e.Message
}

// note writes the one line about a request: who, what, how it ended, how long it
// took. No tokens, and nothing of what a page shows.
func (c *Console) note(v *visit, a answer, err error, took time.Duration) {
	operation := v.route.method + " " + v.route.pattern
	c.metrics.observe(operation, a.status, took)
	level := slog.LevelInfo
	if a.status >= 500 {
		level = slog.LevelError
	}
	attrs := []slog.Attr{
		slog.String("request_id", v.id), slog.String("method", v.http.Method), slog.String("path", v.loggedPath()),
		slog.String("operation", operation), slog.Int("status", a.status), slog.Int("bytes", len(a.body)),
		slog.Duration("took", took), slog.String("remote", v.address.String()),
	}
	if v.person.ID != "" {
		attrs = append(attrs, slog.String("tenant", v.tenant.Slug), slog.String("person", string(v.person.ID)))
	}
	if a.code != "" {
		attrs = append(attrs, slog.String("code", a.code))
	}
	if cause := exchange.Cause(err); cause != "" {
		attrs = append(attrs, slog.String("cause", cause))
	}
	c.log.LogAttrs(context.Background(), level, "console", attrs...)
}

// loggedPath is the path for the log: one that lets somebody in is not written
// down.
func (v *visit) loggedPath() string {
	if strings.HasPrefix(v.http.URL.Path, Path+"/enter/") {
		return Path + "/enter/…"
	}
	return v.http.URL.Path
}

// toEntrance sends somebody who is not known to the door, and back here after.
func (v *visit) toEntrance() answer {
	address := Path + "/enter"
	if v.http.URL.RawQuery == "entered" { // just now, and the cookie was not kept
		return v.redirect(address + "?lost")
	}
	if v.http.Method == get && v.http.URL.Path != Path {
		address += "?to=" + url.QueryEscape(v.http.URL.RequestURI())
	}
	if v.htmx() {
		v.header.Set("HX-Redirect", address)
		return answer{status: http.StatusUnauthorized}
	}
	return v.redirect(address)
}
