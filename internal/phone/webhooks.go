package phone

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// maxForm bounds what a carrier posts.
const maxForm = 64 << 10

// post is something that a carrier has posted, once it is known to be its own.
type post struct {
	http   *http.Request
	d      *dialect
	form   url.Values
	number frontdesk.Number
	call   string // the carrier's id of the call that comes in
	tries  int    // times that its relay was connected again
}

func (r *post) line() string { return lineOf(r.d.carrier, r.call) }

// webhook serves what a carrier posts: what it is answered with tells it what to do
// with the call.
func (p *Phone) webhook(d *dialect, answer func(*post) ([]byte, error)) http.HandlerFunc {
	return p.guarded(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		status, body := http.StatusOK, []byte(nil)
		in, err := p.read(r, d)
		if err == nil {
			body, err = answer(in)
		}
		if err != nil {
			status, body = refused(err)
		}
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.WriteHeader(status)
		_, _ = w.Write(body)
		p.note(r, d, in, status, err, time.Since(began))
	})
}

// note writes the one line about a webhook.
func (p *Phone) note(r *http.Request, d *dialect, in *post, status int, err error, took time.Duration) {
	p.metrics.webhooks.WithLabelValues(string(d.carrier), lastOf(r.URL.Path), http.StatusText(status)).Inc()
	about := []any{"carrier", d.carrier, "what", lastOf(r.URL.Path), "status", status, "took", took.String()}
	if in != nil {
		about = append(about, "tenant", in.number.TenantID, "number", in.number.Number, "call", in.call)
	}
	switch {
	case err == nil:
		p.log.Info("telephone", about...)
	case status >= http.StatusInternalServerError:
		p.log.Error("telephone: a carrier could not be answered; its caller may hear nothing", append(about, "error", err)...)
	default:
		p.log.Warn("telephone: a request was refused", append(about, "error", err)...)
	}
}

func lastOf(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

// refusal is why a request is not answered.
type refusal struct {
	status int
	cause  error
}

func (r refusal) Error() string { return r.cause.Error() }

// refused is what somebody reads who is refused: nothing that helps a stranger.
func refused(err error) (int, []byte) {
	var why refusal
	if errors.As(err, &why) {
		return why.status, []byte(http.StatusText(why.status) + "\n")
	}
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
		return http.StatusNotFound, []byte("Not Found\n")
	}
	return http.StatusServiceUnavailable, []byte("Service Unavailable\n")
}

// ticket is what an address that we give a carrier brings back: about which call it
// is. It is sealed, since not every carrier signs the address with the form.
type ticket struct {
	Number, Call string
	Tries        int
}

func ticketPlace(d *dialect, what string) string { return "phone " + string(d.carrier) + " " + what }

// address is one of ours that the carrier posts to about this call.
func (p *Phone) address(in *post, what string, tries int) string {
	text, err := json.Marshal(ticket{in.number.Number, in.call, tries})
	if err != nil { // texts and a number alone: always possible
		return ""
	}
	sealed := base64.RawURLEncoding.EncodeToString(p.box.Seal(ticketPlace(in.d, what), text))
	return p.public + Path + string(in.d.carrier) + "/" + what + "?ticket=" + sealed
}

func (p *Phone) readTicket(d *dialect, what, sealed string) (t ticket, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return t, false
	}
	if text, err = p.box.Open(ticketPlace(d, what), text); err != nil {
		return t, false
	}
	return t, json.Unmarshal(text, &t) == nil
}

// read reads what was posted and holds it to the carrier's signature.
func (p *Phone) read(r *http.Request, d *dialect) (*post, error) {
	if p.public == "" {
		return nil, refusal{http.StatusServiceUnavailable, errors.New("FRONTDESK_PUBLIC_URL is not set: what carriers sign cannot be checked without it")}
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
		return nil, refusal{http.StatusUnsupportedMediaType, errors.New("a carrier posts a form; this was something else")}
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxForm))
	if err != nil {
		return nil, refusal{http.StatusRequestEntityTooLarge, err}
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, refusal{http.StatusBadRequest, err}
	}
	in := &post{http: r, d: d, form: form, call: form.Get("CallSid")}
	called := form.Get("To")
	if what := lastOf(r.URL.Path); what != "voice" && what != "status" {
		t, ok := p.readTicket(d, what, r.URL.Query().Get("ticket"))
		if !ok {
			return nil, refusal{http.StatusForbidden, errors.New("the address is none that we have given out")}
		}
		called, in.call, in.tries = t.Number, t.Call, t.Tries // the form may speak of another leg
	}
	number, secret, err := p.numbers.Find(r.Context(), called)
	if err != nil {
		return nil, err
	}
	if number.Carrier != d.carrier {
		return nil, refusal{http.StatusNotFound, errors.New("the number belongs to another carrier")}
	}
	if err := d.signed(r, body, spellings(p.public+r.URL.RequestURI()), secret, p.now()); err != nil {
		return nil, refusal{http.StatusForbidden, err}
	}
	if in.call == "" || len(in.call) > 256 {
		return nil, refusal{http.StatusBadRequest, errors.New("the carrier names no call")}
	}
	in.number = number
	return in, nil
}
