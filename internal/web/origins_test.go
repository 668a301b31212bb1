package web

import (
	"net/http"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestOrigins(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *Options) { o.StartsPerMinute = 1000 })
	d.hire("choosy", frontdesk.AgentActive, func(a *frontdesk.Agent) {
		a.Settings.Origins = []string{"https://lola.example", "https://www.lola.example"}
	})
	tests := map[string]struct {
		agent, origin string
		served        bool
		open          string // Access-Control-Allow-Origin
	}{
		"anybody's site, without a list":        {"desk", "https://any.example", true, "*"},
		"a page without an origin":              {"desk", "null", true, "*"},
		"no site at all":                        {"desk", "", true, "*"},
		"a site on the list":                    {"choosy", "https://www.lola.example", true, "https://www.lola.example"},
		"a site that is not on it":              {"choosy", "https://any.example", false, ""},
		"a site with another scheme":            {"choosy", "http://lola.example", false, ""},
		"a site with another port":              {"choosy", "https://lola.example:8443", false, ""},
		"a site that looks like one on it":      {"choosy", "https://lola.example.evil.example", false, ""},
		"a page without an origin, with a list": {"choosy", "null", false, ""},
		"no site at all, with a list":           {"choosy", "", true, ""},
		"our own page":                          {"choosy", "self", true, "self"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var headers []string
			if tt.origin == "self" {
				tt.origin, tt.open = d.server.URL, d.server.URL
			}
			if tt.origin != "" {
				headers = []string{"Origin", tt.origin}
			}
			preflight := append(headers[:len(headers):len(headers)], "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type")
			asked := d.do("OPTIONS /web/lola/"+tt.agent+"/conversations", "", preflight...)
			started := d.do("POST /web/lola/"+tt.agent+"/conversations", "", headers...)
			shown := d.do("GET /web/lola/"+tt.agent, "", headers...)
			for _, a := range []answered{asked, started, shown} {
				if got := a.header.Get("Access-Control-Allow-Origin"); got != tt.open {
					t.Errorf("open to %q, want %q", got, tt.open)
				}
				if a.header.Get("Access-Control-Allow-Credentials") != "" || a.header.Get("Set-Cookie") != "" {
					t.Error("there are credentials")
				}
				if !tt.served {
					a.t = t
					a.refused(403, "origin_not_allowed", "")
				}
			}
			if tt.served && (asked.status != http.StatusNoContent || started.status != http.StatusCreated || shown.status != http.StatusOK) {
				t.Errorf("got %d, %d, %d", asked.status, started.status, shown.status)
			}
		})
	}
}

// Preflights are answered by what was known a moment ago.
func TestPreflightsAskSeldom(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	asked := func(agent string) int {
		return d.do("OPTIONS /web/lola/"+agent+"/conversations", "", "Origin", "https://any.example", "Access-Control-Request-Method", "POST").status
	}
	if open, unknown := asked("desk"), asked("later"); open != http.StatusNoContent || unknown != http.StatusNoContent {
		t.Errorf("got %d, %d", open, unknown)
	}
	choosy := func(a *frontdesk.Agent) { a.Settings.Origins = []string{"https://lola.example"} }
	d.hire("later", frontdesk.AgentActive, choosy)
	if got := asked("later"); got != http.StatusNoContent {
		t.Errorf("at once: %d", got)
	}
	d.Forward(keepOrigins)
	if got := asked("later"); got != http.StatusForbidden {
		t.Errorf("a moment later: %d", got)
	}
}

func TestPreflightOfAMessage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	v := d.start("")
	a := d.do("OPTIONS /web/conversations/"+v.id+"/messages", "", "Origin", "https://any.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type,idempotency-key")
	if h := a.header; a.status != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Methods") != "POST" ||
		!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization, Content-Type, Idempotency-Key") {
		t.Errorf("got %d %v", a.status, h)
	}
	// What is refused can be read by the site's script too.
	a = d.do("POST /web/conversations/"+v.id+"/messages", `{"text":"hola"}`, "Origin", "https://any.example")
	a.refused(401, "token_missing", "")
	if got := a.header.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("open to %q", got)
	}
	for _, path := range []string{"/talk/lola/desk", "/widget.js"} {
		d.do("OPTIONS "+path, "").refused(405, "method_not_allowed", "")
	}
}
