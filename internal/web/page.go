package web

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

var (
	//go:embed page.html
	pageText string
	//go:embed missing.html
	missingText string
	//go:embed page.css
	pageStyle string

	talkPage    = template.Must(template.New("page").Parse(pageText))
	missingPage = template.Must(template.New("missing").Parse(missingText))
)

// shown is what the pages are made of.
type shown struct {
	Style    template.CSS
	Language string
	Spanish  bool
	Tenant   string
	Agent    string
	Mode     string
	Busy     bool   // the visitor has come too often
	Wish     string // the language that the visitor asked for; "" for none
	profile
}

// page is the receptionist on a page of its own. It holds no script but the
// widget, which does the rest.
func (s *Web) page(v *visit) (answer, error) {
	if err := s.limit("address", s.messages.Take(v.address, s.now())); err != nil {
		v.header.Set("Retry-After", exchange.RetryAfter(exchange.Refusal(err)))
		return s.nobody(v, http.StatusTooManyRequests)
	}
	query := v.http.URL.Query()
	isLive := query.Get("mode") != test
	_, agent, err := s.receptionist(v, isLive)
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
		return s.nobody(v, http.StatusNotFound)
	}
	if err != nil {
		return answer{}, err
	}
	p := shown{
		Tenant: v.http.PathValue("tenant"), Agent: agent.Slug, Mode: modeOf(isLive),
		Wish: spoken(agent.Languages, query.Get("lang"), v.http.Header.Get("Accept-Language")), profile: profileOf(agent),
	}
	p.Language = p.Wish
	if p.Language == "" && len(agent.Languages) > 0 {
		p.Language = agent.Languages[0]
	}
	v.header.Set("Content-Security-Policy", policy+sockets(v.http.Host)+"; frame-ancestors "+framers(agent.Settings.Origins))
	return v.show(talkPage, http.StatusOK, p)
}

// nobody is the page for an address that names no receptionist, or for a visitor
// who has come too often.
func (s *Web) nobody(v *visit, status int) (answer, error) {
	query := v.http.URL.Query()
	language := spoken(frontdesk.Languages, query.Get("lang"), v.http.Header.Get("Accept-Language"))
	v.header.Set("Content-Security-Policy", policy+"; frame-ancestors *")
	return v.show(missingPage, status, shown{Language: language, Busy: status == http.StatusTooManyRequests})
}

// policy lets the page run our script and nothing else. Its own few rules of
// style are let in by their digest; the widget's are no text of the page. It ends with
// where the page may connect to.
var policy = "default-src 'none'; script-src 'self'; style-src 'sha256-" + digestOf(pageStyle) +
	"'; img-src 'self' data:; base-uri 'none'; form-action 'none'; connect-src 'self'"

// sockets lets the page open WebSockets to where it came from, which not every browser
// takes 'self' to mean.
func sockets(host string) string {
	if !hostName.MatchString(host) {
		return ""
	}
	return " ws://" + host + " wss://" + host
}

var hostName = regexp.MustCompile(`^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?$`)

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func (v *visit) show(t *template.Template, status int, p shown) (answer, error) {
	p.Style, p.Spanish = template.CSS(pageStyle), p.Language != "en"
	if p.Language == "" {
		p.Language = frontdesk.Languages[0]
	}
	v.header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	v.header.Set("Content-Language", p.Language)
	v.header.Set("Vary", "Accept-Language")
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return answer{}, fmt.Errorf("making a page: %w", err)
	}
	return answer{status: status, contentType: "text/html; charset=utf-8", body: b.Bytes()}, nil
}

// spoken is the language that a visitor wishes for, if it is one of those
// spoken: by the address, else by the browser's settings, in the order that
// browsers write them.
func spoken(languages []string, wish, accepted string) string {
	if slices.Contains(languages, wish) {
		return wish
	}
	for entry := range strings.SplitSeq(accepted, ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(entry), ";")
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if slices.Contains(languages, primary) {
			return primary
		}
	}
	return ""
}
