package web

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// newStage is a desk at which businesses rehearse.
func newStage(t *testing.T) (*desk, *account.Keys) {
	t.Helper()
	var keys *account.Keys
	d := newDesk(t, func(o *Options) {
		keys = account.NewKeys(o.Store, o.Now)
		o.Keys = keys
	})
	return d, keys
}

// key makes a key and returns the header that shows it.
func key(t *testing.T, keys *account.Keys, tenant frontdesk.Tenant, live bool, scopes ...string) string {
	t.Helper()
	_, secret, err := keys.Create(context.Background(), account.NewKey{Tenant: tenant, Live: live, Name: "k", Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
	return "Bearer " + secret.Reveal()
}

// A business rehearses with its live key, also with a receptionist that takes no
// visitors, and goes on with the token like any visitor.
func TestARehearsalOverTheWeb(t *testing.T) {
	t.Parallel()
	d, keys := newStage(t)
	d.hire("new", frontdesk.AgentDraft)
	mine := key(t, keys, d.tenant, true, "agents:read")
	v := d.start(`{"mode": "rehearsal", "language": "en"}`, "Authorization", mine)
	v.headers = nil
	reply := v.say("How much is the check-up?")["reply"].(map[string]any)
	if !strings.Contains(reply["text"].(string), "30") {
		t.Errorf("said %v", reply)
	}
	if end := v.post("end", "").value(); end["call_id"] != nil || d.calls(true)+d.calls(false) != 0 {
		t.Errorf("ended as %v, with %d and %d calls", end, d.calls(true), d.calls(false))
	}
	if a := d.do("POST /web/lola/new/conversations", `{"mode": "rehearsal"}`, "Authorization", mine); a.status != http.StatusCreated {
		t.Errorf("with one that is not finished: %d %s", a.status, a.body)
	}
	if a := d.do("POST /web/lola/new/conversations", `{"mode": "live"}`, "Authorization", mine); a.status != http.StatusNotFound {
		t.Errorf("live with one that is not finished: %d %s", a.status, a.body)
	}
}

func TestWhoCannotRehearse(t *testing.T) {
	t.Parallel()
	d, keys := newStage(t)
	other := storetest.Tenant(t, d.store, "other")
	tests := map[string]struct {
		at     string
		header string
		status int
		code   string
		param  string
	}{
		"without a key":         {"lola/desk", "", 401, "api_key_missing", ""},
		"with no key at all":    {"lola/desk", "Bearer nothing", 401, "api_key_invalid", ""},
		"with a test key":       {"lola/desk", key(t, keys, d.tenant, false, "agents:read"), 403, "live_key_required", ""},
		"without the scope":     {"lola/desk", key(t, keys, d.tenant, true, "calls:read"), 403, "scope_missing", "agents:read"},
		"with another's key":    {"lola/desk", key(t, keys, other, true, "agents:read"), 404, "not_found", ""},
		"another's agent":       {"other/desk", key(t, keys, other, true, "agents:read"), 404, "not_found", ""},
		"an agent that is not":  {"lola/nobody", key(t, keys, d.tenant, true, "agents:read"), 404, "not_found", ""},
		"a name that cannot be": {"lola/-", key(t, keys, d.tenant, true, "agents:read"), 404, "not_found", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var headers []string
			if tt.header != "" {
				headers = []string{"Authorization", tt.header}
			}
			d.do("POST /web/"+tt.at+"/conversations", `{"mode": "rehearsal"}`, headers...).refused(tt.status, tt.code, tt.param)
		})
	}
	closed := newDesk(t)
	closed.do("POST /web/lola/desk/conversations", `{"mode": "rehearsal"}`, "Authorization", "Bearer x").refused(401, "api_key_missing", "")
}
