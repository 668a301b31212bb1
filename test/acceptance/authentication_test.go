package acceptance

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// scope is a scope of the specification, and whether a test key can have it.
type scope struct {
	name string
	test bool
}

// specScopes are all of them, in the specification's order.
var specScopes = []scope{
	{"agents:read", true},
	{"agents:write", false},
	{"calls:read", true},
	{"captures:read", true},
	{"captures:write", false},
	{"connections:read", true},
	{"connections:write", true},
	{"knowledge:read", true},
	{"knowledge:write", false},
	{"usage:read", true},
}

// TestScopesOpenTheirOperationsAndNoOthers walks every operation of the
// description with a key for each scope in each mode.
func TestScopesOpenTheirOperationsAndNoOthers(t *testing.T) {
	t.Parallel()
	d := demo(t, newPlace(t, "FRONTDESK_NOW="+noon))
	for _, scope := range specScopes {
		for _, mode := range []string{"live", "test"} {
			if mode == "test" && !scope.test {
				continue
			}
			k := d.place.key("demo", mode, "--scopes", scope.name)
			if !slices.Equal(k.Scopes, []string{scope.name}) || k.Livemode != (mode == "live") {
				t.Errorf("asked for %s in %s mode, got %+v", scope.name, mode, k)
			}
			t.Run(scope.name+", "+mode, func(t *testing.T) {
				d := d.in(t)
				for _, o := range d.operations() {
					checkScope(t, d, o, k)
				}
			})
		}
	}
}

func checkScope(t *testing.T, d *showroom, o operation, k key) {
	t.Helper()
	all := d.test
	if k.Livemode {
		all = d.live
	}
	c := get[list[capture]](d.node, "/captures?limit=1&status=confirmed", all).Data[0]
	values := d.examples(all)
	if o.path == "/events/{event_id}" && slices.Contains(k.Scopes, "calls:read") {
		values["event_id"] = get[list[struct{ ID string }]](d.node, "/events?limit=1&type=call.completed", all).Data[0].ID
	} else if o.path == "/events/{event_id}" {
		values["event_id"] = get[list[struct{ ID string }]](d.node, "/events?limit=1&type=capture.created", all).Data[0].ID
	}
	if strings.Contains(o.path, "{revision}") {
		values["revision"] = d.revision()
	}
	if o.scope == "connections:write" && slices.Contains(k.Scopes, o.scope) {
		maps.Copy(values, d.disposable(all)) // it may use them up
	}
	if o.liveOnly && o.scope == "knowledge:write" && k.Livemode {
		values["document_id"] = d.throwaway(all)
	}
	got := d.do(o.at(values), k.Key, o.harmless(c))
	switch {
	case o.anyScope != nil && !slices.ContainsFunc(o.anyScope, func(s string) bool { return slices.Contains(k.Scopes, s) }):
		if f := got.refuses(t, http.StatusForbidden, "scope_missing"); !slices.Contains(o.anyScope, f.param()) {
			t.Errorf("%s: param is %q, want one of %s", o, f.param(), o.anyScope)
		}
	case o.public || o.scope == "":
		if got.status != http.StatusOK {
			t.Errorf("%s needs no scope, answered %s", o, got)
		}
	case o.liveOnly && !k.Livemode:
		got.refuses(t, http.StatusForbidden, "live_key_required")
	case !slices.Contains(k.Scopes, o.scope):
		if f := got.refuses(t, http.StatusForbidden, "scope_missing"); f.param() != o.scope {
			t.Errorf("%s: param is %q, want %s", o, f.param(), o.scope)
		}
	case got.status != o.success():
		t.Errorf("%s with %s answered %s", o, o.scope, got)
	}
}

// TestTheDescriptionTellsTheScopesOfTheSpecification keeps the matrix above
// from resting on a description that is wrong itself.
func TestTheDescriptionTellsTheScopesOfTheSpecification(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"GET /whoami": "", "GET /scopes": "", "GET /usage": "usage:read", "GET /agents": "agents:read",
		"PATCH /agents/{slug}": "agents:write live", "GET /voices": "agents:read", "GET /calls": "calls:read",
		"GET /calls/{call_id}": "calls:read", "GET /analytics": "calls:read", "GET /captures": "captures:read",
		"GET /captures/{capture_id}": "captures:read", "PATCH /captures/{capture_id}": "captures:write live",
		"GET /connectors": "connections:read", "GET /connections": "connections:read", "POST /connections": "connections:write",
		"GET /connections/{connection_id}": "connections:read", "PATCH /connections/{connection_id}": "connections:write",
		"DELETE /connections/{connection_id}": "connections:write", "POST /connections/{connection_id}/enable": "connections:write",
		"POST /connections/{connection_id}/disable": "connections:write", "POST /connections/{connection_id}/test": "connections:write",
		"POST /connections/{connection_id}/rotate-secret": "connections:write", "GET /connections/{connection_id}/deliveries": "connections:read",
		"POST /deliveries/{delivery_id}/retry": "connections:write",
		"GET /knowledge":                       "knowledge:read", "GET /knowledge/documents": "knowledge:read", "POST /knowledge/documents": "knowledge:write live",
		"GET /knowledge/documents/{document_id}": "knowledge:read", "DELETE /knowledge/documents/{document_id}": "knowledge:write live",
		"POST /knowledge/test": "knowledge:read",
		"GET /openapi.json":    "public", "GET /llms.txt": "public",
	}
	for _, o := range lookAround(t).operations() {
		needs := o.scope
		if o.liveOnly {
			needs += " live"
		}
		if o.public {
			needs = "public"
		}
		expected, known := want[o.String()]
		if known && needs != expected {
			t.Errorf("%s needs %q, want %q", o, needs, expected)
		}
		delete(want, o.String())
	}
	for missing := range want {
		t.Errorf("%s is not described", missing)
	}
}

func TestScopesTellsAboutAllTen(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	k := d.place.key("demo", "live", "--scopes", "captures:write,calls:read")
	type entry struct {
		Scope, Description string
		TestMode           bool `json:"test_mode"`
		Granted            bool
		Operations         []string
	}
	got := get[struct{ Scopes []entry }](d.node, "/scopes", k.Key).Scopes
	if len(got) != len(specScopes) {
		t.Fatalf("there are %d scopes", len(got))
	}
	for i, want := range specScopes {
		e := got[i]
		if e.Scope != want.name || e.TestMode != want.test || e.Description == "" || e.Granted != slices.Contains(k.Scopes, e.Scope) {
			t.Errorf("entry %d is %+v", i, e)
		}
	}
	if want := []string{"PATCH /captures/{capture_id}", "POST /captures", "POST /captures/{capture_id}/change"}; !slices.Equal(got[4].Operations, want) {
		t.Errorf("captures:write opens %v, want %v", got[4].Operations, want)
	}
	described := projected(d.operations(), operation.String)
	for _, e := range got {
		for _, o := range e.Operations {
			if !slices.Contains(described, o) {
				t.Errorf("%s opens %s, which is not described", e.Scope, o)
			}
		}
	}
}

func TestTestKeysCannotBeGrantedLiveScopes(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, scope := range specScopes {
		got := d.place.run("key", "create", "--tenant", "demo", "--mode", "test", "--scopes", scope.name, "--json")
		if scope.test != (got.code == 0) {
			t.Errorf("a test key with %s: exit %d %s", scope.name, got.code, got.err)
		}
	}
	k := d.place.key("demo", "test", "--scopes", "all")
	grantable := kept(specScopes, func(s scope) bool { return s.test })
	want := projected(grantable, func(s scope) string { return s.name })
	if !slices.Equal(k.Scopes, want) {
		t.Errorf("a test key with all scopes has %v", k.Scopes)
	}
}

func TestTheFormOfAKey(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, mode := range []string{"live", "test"} {
		k := d.place.key("demo", mode)
		if !regexp.MustCompile(`^svc_` + mode + `_[0-9A-Za-z]{38}$`).MatchString(k.Key) {
			t.Fatalf("the %s key has another form", mode)
		}
		letters, sum := k.Key[9:41], k.Key[41:]
		if want := base62(crc32.ChecksumIEEE([]byte(letters))); sum != want {
			t.Errorf("the checksum is %s, want %s", sum, want)
		}
		if want := k.Key[:13] + "…"; k.Prefix != want {
			t.Errorf("the prefix is %s, want %s", k.Prefix, want)
		}
		who := get[map[string]any](d.node, "/whoami", k.Key)
		tenant := who["tenant"].(map[string]any)
		if who["authenticated_as"] != "api_key" || who["livemode"] != (mode == "live") || who["key_prefix"] != k.Prefix ||
			tenant["slug"] != "demo" || !uuidV7.MatchString(tenant["id"].(string)) || len(tenant) != 2 {
			t.Errorf("whoami says %v", who)
		}
		if fmt.Sprint(who["scopes"]) != fmt.Sprint(k.Scopes) {
			t.Errorf("whoami says %v, the key has %v", who["scopes"], k.Scopes)
		}
	}
}

func base62(n uint32) string {
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	out := []byte("000000")
	for i := 5; i >= 0; i, n = i-1, n/62 {
		out[i] = letters[n%62]
	}
	return string(out)
}

func TestWhatIsNotAKeyIsRefused(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	stranger := strings.Repeat("x", 32)
	tests := map[string]struct{ header, code string }{
		"nothing":                     {"", "api_key_missing"},
		"another scheme":              {"Authorization: Basic " + d.live, "api_key_missing"},
		"no scheme":                   {"Authorization: " + d.live, "api_key_missing"},
		"another header":              {"X-Api-Key: " + d.live, "api_key_missing"},
		"a cookie":                    {"Cookie: key=" + d.live, "api_key_missing"},
		"a word":                      {"Authorization: Bearer hello", "api_key_invalid"},
		"cut short":                   {"Authorization: Bearer " + d.live[:46], "api_key_invalid"},
		"one letter more":             {"Authorization: Bearer " + d.live + "x", "api_key_invalid"},
		"a bad checksum":              {"Authorization: Bearer " + d.live[:41] + "000000", "api_key_invalid"},
		"the other mode":              {"Authorization: Bearer svc_test_" + d.live[9:], "api_key_invalid"},
		"upper case":                  {"Authorization: Bearer " + strings.ToUpper(d.live), "api_key_invalid"},
		"the masked prefix":           {"Authorization: Bearer " + d.live[:13] + "…", "api_key_invalid"},
		"well-formed, but nobody's":   {"Authorization: Bearer svc_live_" + stranger + base62(crc32.ChecksumIEEE([]byte(stranger))), "api_key_invalid"},
		"something that is not ASCII": {"Authorization: Bearer ñandú", "api_key_invalid"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := d.in(t)
			for _, o := range d.operations() {
				if o.public {
					continue
				}
				var headers []string
				if tt.header != "" {
					headers = append(headers, tt.header)
				}
				got := d.do(o.at(map[string]string{"slug": "casa-lola", "call_id": "x", "capture_id": "x"}), "", "", headers...)
				f := got.refuses(t, http.StatusUnauthorized, tt.code)
				if got.header.Get("WWW-Authenticate") != "Bearer" || f.Type != "authentication_error" || f.Param != nil {
					t.Errorf("%s: %v %s", o, got.header, got)
				}
			}
		})
	}
	t.Run("in the query", func(t *testing.T) {
		t.Parallel()
		d := d.in(t)
		d.do("GET /whoami?api_key="+d.live, "", "").refuses(t, http.StatusUnauthorized, "api_key_missing")
	})
	t.Run("twice", func(t *testing.T) {
		t.Parallel()
		d := d.in(t)
		d.do("GET /whoami", d.live, "", "Authorization: Bearer "+d.test).refuses(t, http.StatusUnauthorized, "api_key_missing")
	})
}

// TestOneTenantNeverSeesAnother walks every operation that names a thing, with
// the keys that must not find it; the answer is the one for a thing that does
// not exist, byte for byte.
func TestOneTenantNeverSeesAnother(t *testing.T) {
	t.Parallel()
	d := demo(t, newPlace(t, "FRONTDESK_NOW="+noon))
	d.place.tenant("stranger")
	stranger := map[bool]string{true: d.place.key("stranger", "live").Key, false: d.place.key("stranger", "test").Key}
	keys := map[string]struct {
		key  string
		live bool
	}{
		"another tenant's live key":       {stranger[true], true},
		"another tenant's test key":       {stranger[false], false},
		"the same tenant's key, live":     {d.live, true},
		"the same tenant's key, in tests": {d.test, false},
	}
	things := map[bool]map[string]string{true: d.examples(d.live), false: d.examples(d.test)}
	nothing := map[string]string{"slug": "nobody", "call_id": nobody, "capture_id": nobody, "connection_id": nobody, "delivery_id": nobody, "document_id": nobody, "revision": nobody, "event_id": nobody}
	for name, k := range keys {
		for _, o := range d.operations() {
			if !strings.Contains(o.path, "{") || o.liveOnly && !k.live {
				continue
			}
			for mode, values := range things {
				own := k.key == d.live || k.key == d.test
				if own && (mode == k.live || strings.Contains(o.path, "{slug}")) {
					continue // it may see these
				}
				t.Run(fmt.Sprintf("%s, %s, live %t", name, o, mode), func(t *testing.T) {
					d := d.in(t)
					body := o.harmless(capture{Status: "confirmed"})
					const id = "X-Request-Id: the-same"
					got, want := d.do(o.at(values), k.key, body, id), d.do(o.at(nothing), k.key, body, id)
					got.refuses(t, http.StatusNotFound, "not_found")
					if !bytes.Equal(got.body, want.body) {
						t.Errorf("got %s, a missing one gives %s", got, want)
					}
				})
			}
		}
	}
	t.Run("and sees nothing in lists", func(t *testing.T) {
		d := d.in(t)
		for _, path := range append(lists, "/agents", "/connections") {
			if got := string(d.do("GET "+path, stranger[true], "").body); strings.Contains(got, `"id"`) {
				t.Errorf("a new tenant's GET %s holds %s", path, got)
			}
		}
		if got := d.do("GET /analytics?agent=casa-lola", stranger[true], ""); got.refuses(t, http.StatusNotFound, "not_found").param() != "agent" {
			t.Errorf("another tenant's agent as a filter: %s", got)
		}
	})
}

// TestARevokedKeyStopsOnEveryNode uses a key without pause on two nodes, so
// that both remember it well, and revokes it.
func TestARevokedKeyStopsOnEveryNode(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.tenant("lola")
	nodes := p.serveTwice()
	k := p.key("lola", "live")
	for _, n := range nodes {
		get[any](n, "/calls", k.Key)
	}
	revoked := ask[map[string]any](p, "key", "revoke", k.ID)
	if revoked["status"] != "revoked" {
		t.Errorf("key revoke says %v", revoked)
	}
	began := time.Now()
	for i, n := range nodes {
		for {
			got := n.do("GET /calls", k.Key, "")
			if got.status == http.StatusUnauthorized {
				got.refuses(t, http.StatusUnauthorized, "api_key_revoked")
				break
			}
			if time.Since(began) > 5*time.Second {
				t.Fatalf("node %d takes the key %s after it was revoked", i, time.Since(began))
			}
		}
	}
	if again := p.run("key", "rotate", k.ID, "--json"); again.code != 1 || !strings.Contains(again.err, "api_key_revoked") {
		t.Errorf("rotating a revoked key: %+v", again)
	}
}

func TestAKeyExpires(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_NOW=2026-11-14T09:30:00Z")
	p.tenant("lola")
	k, other := p.key("lola", "live", "--expires", "90d"), p.key("lola", "live")
	tests := map[string]struct {
		now  string
		live bool
	}{
		"on its first day":   {"2026-11-14T09:31:00Z", true},
		"on its last day":    {"2027-02-12T09:00:00Z", true},
		"a second too late":  {"2027-02-12T09:31:00Z", false},
		"a long time later":  {"2031-01-01T00:00:00Z", false},
		"and by another way": {"2027-02-12T10:31:01+01:00", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := p.with(t, "FRONTDESK_NOW="+tt.now).serve()
			got := n.do("GET /calls", k.Key, "")
			if tt.live && got.status != http.StatusOK {
				t.Errorf("got %s", got)
			}
			if !tt.live {
				got.refuses(t, http.StatusUnauthorized, "api_key_expired")
			}
			get[any](n, "/calls", other.Key)
		})
	}
	t.Run("while it is in use", func(t *testing.T) {
		n := p.with(t, "FRONTDESK_NOW=2027-02-12T09:29:59Z").serve()
		expired := func() bool { return n.do("GET /calls", k.Key, "").status == http.StatusUnauthorized }
		if !until(expired, n.ended) {
			t.Error("the key goes on working")
		}
		n.do("GET /calls", k.Key, "").refuses(t, http.StatusUnauthorized, "api_key_expired")
	})
}

func TestAKeyIsRotated(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.tenant("lola")
	n := p.serve()
	type rotated struct {
		key
		Replaces  string `json:"replaces"`
		OldEndsAt string `json:"old_key_ends_at"`
	}
	old := p.key("lola", "live", "--scopes", "calls:read,usage:read")
	fresh := ask[rotated](p, "key", "rotate", old.ID, "--grace", "1h")
	if fresh.Replaces != old.ID || fresh.Key == old.Key || !slices.Equal(fresh.Scopes, old.Scopes) || !timestamp.MatchString(fresh.OldEndsAt) {
		t.Errorf("key rotate says %+v", fresh)
	}
	get[any](n, "/calls", old.Key)
	get[any](n, "/calls", fresh.Key)
	last := ask[rotated](p, "key", "rotate", fresh.ID, "--grace", "0s")
	get[any](n, "/calls", last.Key)
	ended := func() bool { return n.do("GET /calls", fresh.Key, "").status == http.StatusUnauthorized }
	if !until(ended, n.ended) {
		t.Error("a key that was rotated without grace goes on working")
	}
	get[any](n, "/calls", old.Key) // its grace still runs
}

// TestSecretsAreShownOnce looks for keys where they must not be: in lists, in
// the log, in the database's files.
func TestSecretsAreShownOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.tenant("lola")
	k := p.key("lola", "live", "--name", "till")
	n := p.with(t, "FRONTDESK_LOG_LEVEL=debug").serve()
	get[any](n, "/whoami", k.Key)
	n.do("GET /calls?api_key="+k.Key, "", "")
	n.do("GET /calls?api_key="+k.Key, k.Key, "")
	n.do("PATCH /agents/nobody", k.Key, `{"specials":"`+k.Key+`"}`)
	if code := n.stop(); code != 0 {
		t.Errorf("exit %d", code)
	}
	secret := k.Key[13:]
	listed := p.run("key", "list", "--tenant", "lola")
	for where, text := range map[string]string{"key list": listed.out + listed.err, "the log": n.log.String(), "standard output": n.out.String()} {
		if strings.Contains(text, secret) {
			t.Errorf("%s holds the key: %s", where, text)
		}
	}
	for _, file := range files(t, p.data) {
		text, err := os.ReadFile(file)
		must(t, err)
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s holds the key", filepath.Base(file))
		}
	}
	if !strings.Contains(listed.out, "till") || !strings.Contains(listed.out, k.Prefix) {
		t.Errorf("key list says %s", listed.out)
	}
}

func files(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, name)
		}
		return err
	})
	if err != nil && !storetest.IsPostgres() {
		t.Fatal(err)
	}
	return all
}

// TestTheLastUseOfAKeyIsKept: it is written without a write per request, and
// at the latest when the process stops.
func TestTheLastUseOfAKeyIsKept(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_NOW="+noon)
	p.tenant("lola")
	k, unused := p.key("lola", "live"), p.key("lola", "test")
	n := p.serve()
	get[any](n, "/calls", k.Key)
	n.stop()
	used := map[string]*string{}
	for _, listed := range ask[struct {
		Keys []struct {
			ID         string
			LastUsedAt *string `json:"last_used_at"`
		}
	}](p, "key", "list", "--tenant", "lola").Keys {
		used[listed.ID] = listed.LastUsedAt
	}
	if at := used[k.ID]; at == nil || !strings.HasPrefix(*at, "2026-11-14T09:3") {
		t.Errorf("the last use is %v", at)
	}
	if at := used[unused.ID]; at != nil {
		t.Errorf("a key that was never used was used at %s", *at)
	}
}

// TestABodyIsNotReadForStrangers announces a body and sends none of it: the
// answer comes all the same.
func TestABodyIsNotReadForStrangers(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	readOnly := d.place.key("demo", "live", "--scopes", "agents:read").Key
	requests := []struct {
		name, key string
		status    int
	}{
		{"an empty key", "", http.StatusUnauthorized},
		{"a key that is wrong", "svc_live_x", http.StatusUnauthorized},
		{"no scope", readOnly, http.StatusForbidden},
		{"a key of tests", d.test, http.StatusForbidden},
	}
	wires := make([]*wire, len(requests))
	for i, r := range requests {
		wires[i] = d.dial()
		// Well before the time that a slow body is given.
		must(t, wires[i].SetDeadline(time.Now().Add(10*time.Second)))
		d.say(wires[i], "PATCH /v1/agents/casa-lola HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+r.key+"\r\nContent-Length: 100000\r\n\r\n")
	}
	for i, r := range requests {
		if got := d.hear(wires[i]); got.status != r.status {
			t.Errorf("%s: got %s, want %d", r.name, got, r.status)
		}
	}
}
