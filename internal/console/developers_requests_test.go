package console

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// requested keeps a request of an owner, some time ago.
func (o *office) requested(owner frontdesk.Owner, ago time.Duration, r frontdesk.Request) frontdesk.Request {
	o.t.Helper()
	r.Owner, r.At = owner, o.Now().Add(-ago)
	r.ID = frontdesk.NewID(r.At)
	if r.Key == "" {
		r.Key = frontdesk.NewID(o.Now())
	}
	if err := o.store.RecordRequestsForWorker(context.Background(), []frontdesk.Request{r}); err != nil {
		o.t.Fatal(err)
	}
	return r
}

func TestRequestsAreFound(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleDeveloper)
	holds(t, b.open("developers/requests"), "There is none yet", "for 7 days", `href="developers/start"`)
	key, _, err := account.NewKeys(o.store, o.Now).Create(context.Background(), account.NewKey{Tenant: o.tenant, Live: true, Name: "Till", Scopes: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	made := o.requested(o.owner(), time.Minute, frontdesk.Request{RequestID: "order-1", Method: "POST", Path: "/v1/captures", Status: 201, Took: 12 * time.Millisecond, Key: key.ID})
	bad := o.requested(o.owner(), 2*time.Minute, frontdesk.Request{RequestID: "order-2", Method: "PATCH", Path: "/v1/agents/desk", Status: 400, Code: "parameter_invalid", Param: "hours.0[1]", Took: 90 * time.Microsecond})
	broken := o.requested(o.owner(), 3*time.Minute, frontdesk.Request{RequestID: "req_X", Method: "GET", Path: "/v1/calls", Status: 503, Code: "database_unavailable", Took: 1800 * time.Millisecond})
	list := b.open("developers/requests")
	holds(t, list, "POST /v1/captures", "12 ms", "order-1", `chip good">201`, `chip warn">400`, `chip bad">503`, "under 1 ms", "1,800 ms", "A value is not as the description asks.")
	if strings.Index(list, "order-1") > strings.Index(list, "order-2") || strings.Index(list, "order-2") > strings.Index(list, "req_X") {
		t.Error("the newest is not the first")
	}
	holds(t, b.open("developers/requests?failed=yes"), "order-2", "req_X", "!order-1", "checked")
	holds(t, b.open("developers/requests?method=POST"), "order-1", "!order-2", `<option value="POST" selected>`)
	holds(t, b.open("developers/requests?method=POST&failed=yes"), "There are none like that.", "Show all")
	holds(t, b.open("developers/requests?method=BREW"), "order-1", "order-2")

	if got := b.get(b.at("developers/requests?id=+order-2+")); got.status != http.StatusSeeOther || !strings.HasSuffix(got.location, "/developers/requests/"+string(bad.ID)) {
		t.Errorf("looking for one: %d %s", got.status, got.location)
	}
	holds(t, b.open("developers/requests?id=order-9"), "No request of a live key has this id", `value="order-9"`)
	got := b.get(b.at("developers/requests?id=order%209"))
	if got.status != http.StatusBadRequest {
		t.Errorf("an id that is none: %d", got.status)
	}
	holds(t, got.body, "up to 64 letters", `value="order 9"`, "aria-invalid")

	holds(t, b.open("developers/requests/"+string(made.ID)), "<h1 class=\"reqpath\">POST /v1/captures</h1>", "HTTP 201", "order-1", "Till", `href="developers/keys/`+string(key.ID)+`"`, "2026-", "are not kept", "!Others with this id", "!people/audit", "!said bad", "!Idempotency-Key")
	holds(t, b.open("developers/requests/"+string(bad.ID)), "A value is not as the description asks.", "<code>parameter_invalid</code>", "hours.0[1]", string(bad.Key), "!people/audit")
	holds(t, b.open("developers/requests/"+string(broken.ID)), "The database did not answer.", "1,800 ms")
	holds(t, o.enter(frontdesk.RoleOwner).open("developers/requests/"+string(made.ID)), `href="people/audit"`)
	b.language = "es"
	holds(t, b.open("developers/requests"), "Peticiones", "hace 1 min", "Un valor no es como pide la descripción.", "Solo fallos")
	holds(t, b.open("developers/requests/"+string(broken.ID)), "La base de datos no contestó.", "Tardó", "1.800 ms")
}

// A client may give several requests the same id, and send one again.
func TestRequestsWithTheSameID(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	first := o.requested(o.owner(), time.Hour, frontdesk.Request{RequestID: "order-1", Method: "POST", Path: "/v1/captures", Status: 500, Code: "of_another_version"})
	again := o.requested(o.owner(), time.Minute, frontdesk.Request{RequestID: "order-1", Method: "POST", Path: "/v1/captures", Status: 201, Replayed: true})
	holds(t, b.open("developers/requests?id=order-1"), string(first.ID), string(again.ID))
	holds(t, b.open("developers/requests/"+string(first.ID)), "of_another_version", "Others with this id", "!said bad", `href="developers/requests/`+string(again.ID)+`"`)
	holds(t, b.open("developers/requests/"+string(again.ID)), "its first answer was sent once more", "!people/audit", `href="developers/requests/`+string(first.ID)+`"`)
	for range mostRows + 1 {
		o.requested(o.owner(), 30*time.Second, frontdesk.Request{RequestID: "order-1", Method: "POST", Path: "/v1/captures", Status: 400, Code: "invalid_json"})
	}
	page := b.open("developers/requests?id=order-1")
	address := regexp.MustCompile(`href="(developers/requests\?after=[^"]+)"`).FindStringSubmatch(page)
	if n := strings.Count(page, `href="developers/requests/`); n != mostRows || address == nil || !strings.Contains(address[1], "id=order-1") {
		t.Fatalf("%d are shown, then %v", n, address)
	}
	if n := strings.Count(b.open(strings.ReplaceAll(address[1], "&amp;", "&")), `href="developers/requests/`); n != 3 {
		t.Errorf("then %d are shown", n)
	}
	if n := strings.Count(b.open("developers/requests/"+string(first.ID)), `href="developers/requests/`); n != mostSame {
		t.Errorf("beside one there are %d", n)
	}
	if got := b.get(b.at("developers/requests?after=nothing")); got.status != http.StatusBadRequest {
		t.Errorf("after nothing: %d", got.status)
	}
}

func TestRequestsOfOthersAreNotShown(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	sandbox := frontdesk.Owner{TenantID: o.tenant.ID}
	rival := o.rival()
	r := frontdesk.Request{RequestID: "order-1", Method: "POST", Path: "/v1/captures", Status: 201}
	mine := o.requested(o.owner(), time.Minute, r)
	r.RequestID = "sandbox-1"
	tried := o.requested(sandbox, time.Minute, r)
	r.RequestID = "rival-1"
	theirs := o.requested(frontdesk.Owner{TenantID: rival.ID, Live: true}, time.Minute, r)
	b := o.enter(frontdesk.RoleDeveloper)
	holds(t, b.open("developers/requests"), "order-1", "!sandbox-1", "!rival-1")
	for _, strange := range []frontdesk.Request{tried, theirs} {
		if got := b.get(b.at("developers/requests/" + string(strange.ID))); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", strange.RequestID, got.status)
		}
		holds(t, b.open("developers/requests?id="+strange.RequestID), "No request of a live key has this id", "!/v1/captures")
	}
	test := b.get("/console/test/desk/developers/requests")
	holds(t, test.body, "sandbox-1", "!order-1", "!rival-1")
	holds(t, b.get("/console/test/desk/developers/requests?id=order-1").body, "No request of a test key has this id")
	if got := b.get("/console/test/desk/developers/requests/" + string(mine.ID)); got.status != http.StatusNotFound {
		t.Errorf("in test mode: %d", got.status)
	}
	if got := o.enter(frontdesk.RoleStaff).get(b.at("developers/requests/" + string(mine.ID))); got.status != http.StatusForbidden {
		t.Errorf("staff: %d", got.status)
	}
	if got := o.enterAt(rival, frontdesk.RoleOwner).get("/console/live/-/developers/requests/" + string(mine.ID)); got.status != http.StatusNotFound {
		t.Errorf("another tenant: %d", got.status)
	}
}

// Every code that a key can meet has words in every language.
func TestCodesOfRequestsHaveWords(t *testing.T) {
	t.Parallel()
	// Nobody is known yet when these come up, so that such requests are not kept.
	before := map[string]bool{"api_key_missing": true, "api_key_invalid": true, "api_key_expired": true, "api_key_revoked": true, "route_not_found": true, "method_not_allowed": true}
	var d struct {
		Components struct {
			Schemas struct {
				Error struct {
					Properties struct{ Code struct{ Enum []string } }
				}
			}
		}
	}
	if err := json.Unmarshal(description.Text(), &d); err != nil {
		t.Fatal(err)
	}
	codes := d.Components.Schemas.Error.Properties.Code.Enum
	if len(codes) < 20 {
		t.Fatalf("the description has %q", codes)
	}
	for _, code := range codes {
		for _, lang := range []string{"en", "es"} {
			if said := language.Of(lang).SayIn("console", "req_code_"+code); (said == "") != before[code] {
				t.Errorf("%s in %s: %q", code, lang, said)
			}
		}
	}
}
