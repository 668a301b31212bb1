package acceptance

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// TestEveryError makes each error that the operations can give, with its
// status, type and param. Those of a key that has ended, of the rate and of a
// database that is away have tests of their own.
func TestEveryError(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	readOnly := d.place.key("demo", "live", "--scopes", "agents:read,captures:read").Key
	id := get[list[capture]](d.node, "/captures?limit=1", d.live).Data[0].ID
	long := `{"specials":"` + strings.Repeat("x", 256<<10) + `"}`
	tests := map[string]struct {
		do, key, body string
		status        int
		code, param   string
	}{
		"a parameter is missing":              {"PATCH /captures/" + id, d.live, `{}`, 400, "parameter_missing", "status"},
		"an entry's name is missing":          {"PATCH /agents/casa-lola", d.live, `{"menu":{"Postres":[{"name":"Flan"},{"price":1}]}}`, 400, "parameter_missing", "menu.Postres[1].name"},
		"a listing's title is missing":        {"PATCH /agents/casa-lola", d.live, `{"listings":[{"name":"x"}]}`, 400, "parameter_missing", "listings[0].title"},
		"a query parameter is unknown":        {"GET /calls?status=x", d.live, "", 400, "parameter_unknown", "status"},
		"another letter case":                 {"GET /calls?Limit=1", d.live, "", 400, "parameter_unknown", "Limit"},
		"where none is known":                 {"GET /whoami?x=1", d.live, "", 400, "parameter_unknown", "x"},
		"at the public ones":                  {"GET /openapi.json?x=1", "", "", 400, "parameter_unknown", "x"},
		"in the query of a PATCH":             {"PATCH /agents/casa-lola?preview=1", d.live, `{}`, 400, "parameter_unknown", "preview"},
		"a switch that is neither on nor off": {"PATCH /agents/casa-lola?dry_run=1", d.live, `{}`, 400, "parameter_invalid", "dry_run"},
		"a property is unknown":               {"PATCH /agents/casa-lola", d.live, `{"colour":"red"}`, 400, "parameter_unknown", "colour"},
		"a property of a property":            {"PATCH /agents/casa-lola", d.live, `{"business":{"fax":"1"}}`, 400, "parameter_unknown", "business.fax"},
		"wrapped":                             {"PATCH /agents/casa-lola", d.live, `{"config":{"voice":{"fr":"x"}}}`, 400, "parameter_unknown", "config.voice.fr"},
		"beside config":                       {"PATCH /agents/casa-lola", d.live, `{"config":{},"specials":"x"}`, 400, "parameter_unknown", "specials"},
		"a day that is none":                  {"PATCH /agents/casa-lola", d.live, `{"hours":{"7":[1,2]}}`, 400, "parameter_unknown", "hours.7"},
		"an hour that is none":                {"PATCH /agents/casa-lola", d.live, `{"hours":{"0":[9,25]}}`, 400, "parameter_invalid", "hours.0[1]"},
		"an opening hour of 24":               {"PATCH /agents/casa-lola", d.live, `{"hours":{"0":[24,1]}}`, 400, "parameter_invalid", "hours.0[0]"},
		"half an hour":                        {"PATCH /agents/casa-lola", d.live, `{"hours":{"0":[9.5,20]}}`, 400, "parameter_invalid", "hours.0[0]"},
		"one hour only":                       {"PATCH /agents/casa-lola", d.live, `{"hours":{"0":[9]}}`, 400, "parameter_invalid", "hours.0"},
		"null":                                {"PATCH /agents/casa-lola", d.live, `{"specials":null}`, 400, "parameter_invalid", "specials"},
		"a website that is none":              {"PATCH /agents/casa-lola", d.live, `{"config":{"business":{"website":"bar.example"}}}`, 400, "parameter_invalid", "config.business.website"},
		"a website to run":                    {"PATCH /agents/casa-lola", d.live, `{"business":{"website":"javascript:alert(1)"}}`, 400, "parameter_invalid", "business.website"},
		"a voice of another language":         {"PATCH /agents/casa-lola", d.live, `{"voice":{"en":"voc_es_alba"}}`, 400, "parameter_invalid", "voice.en"},
		"a voice that is not there":           {"PATCH /agents/casa-lola", d.live, `{"voice":{"es":"x"}}`, 400, "parameter_invalid", "voice.es"},
		"an empty name":                       {"PATCH /agents/casa-lola", d.live, `{"services":[{"name":""}]}`, 400, "parameter_invalid", "services[0].name"},
		"a price that is none":                {"PATCH /agents/casa-lola", d.live, `{"services":[{"name":"x","price":true}]}`, 400, "parameter_invalid", "services[0].price"},
		"twice":                               {"GET /calls?limit=1&limit=1", d.live, "", 400, "parameter_invalid", "limit"},
		"a filter that is empty":              {"GET /captures?kind=", d.live, "", 400, "parameter_invalid", "kind"},
		"an outcome that is empty":            {"GET /calls?outcome=", d.live, "", 400, "parameter_invalid", "outcome"},
		"a query that cannot be read":         {"GET /calls?limit=%zz", d.live, "", 400, "parameter_invalid", ""},
		"a cursor that is none":               {"GET /calls?starting_after=x", d.live, "", 400, "invalid_cursor", "starting_after"},
		"no body":                             {"PATCH /agents/casa-lola", d.live, ``, 400, "invalid_json", ""},
		"no object":                           {"PATCH /agents/casa-lola", d.live, `null`, 400, "invalid_json", ""},
		"half an object":                      {"PATCH /agents/casa-lola", d.live, `{"specials":`, 400, "invalid_json", "specials"},
		"a name twice":                        {"PATCH /agents/casa-lola", d.live, `{"business":{"name":"a","name":"b"}}`, 400, "invalid_json", "business.name"},
		"something after it":                  {"PATCH /agents/casa-lola", d.live, `{} {}`, 400, "invalid_json", ""},
		"not UTF-8":                           {"PATCH /agents/casa-lola", d.live, "{\"specials\":\"\xff\"}", 400, "invalid_json", "specials"},
		"half a letter":                       {"PATCH /agents/casa-lola", d.live, `{"specials":"\ud800"}`, 400, "invalid_json", "specials"},
		"deep":                                {"PATCH /agents/casa-lola", d.live, `{"services":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, 400, "invalid_json", "services" + strings.Repeat("[0]", 31)},
		"no key":                              {"GET /calls", "", "", 401, "api_key_missing", ""},
		"no key of ours":                      {"GET /calls", "svc_live_x", "", 401, "api_key_invalid", ""},
		"a scope is missing":                  {"GET /calls", readOnly, "", 403, "scope_missing", "calls:read"},
		"a scope to write is missing":         {"PATCH /captures/" + id, readOnly, `{"status":"confirmed"}`, 403, "scope_missing", "captures:write"},
		"a live key is needed":                {"PATCH /captures/" + id, d.test, `{"status":"confirmed"}`, 403, "live_key_required", ""},
		"a field is protected":                {"PATCH /agents/casa-lola", d.live, `{"transfer_number":"1"}`, 403, "protected_field", "transfer_number"},
		"a thing is missing":                  {"GET /calls/" + id, d.live, "", 404, "not_found", ""},
		"an agent is missing":                 {"PATCH /agents/nobody", d.live, `{}`, 404, "not_found", ""},
		"an agent to filter by":               {"GET /analytics?agent=nobody", d.live, "", 404, "not_found", "agent"},
		"an address is missing":               {"GET /call", d.live, "", 404, "route_not_found", ""},
		"a slash too many":                    {"GET /calls/", d.live, "", 404, "route_not_found", ""},
		"two slashes":                         {"GET //calls", d.live, "", 404, "route_not_found", ""},
		"deeper than there is":                {"GET /calls/" + id + "/transcript", d.live, "", 404, "route_not_found", ""},
		"a method that is not there":          {"DELETE /captures/" + id, d.live, "", 405, "method_not_allowed", ""},
		"an agent cannot be deleted":          {"DELETE /agents/casa-lola", d.live, "", 405, "method_not_allowed", ""},
		"a place that cannot be had":          {"POST /captures", d.live, `{"agent":"casa-lola","scheduled_at":"2026-11-17T05:00:00"}`, 409, "slot_unavailable", "scheduled_at"},
		"a time that the clock jumps over":    {"POST /captures", d.live, `{"agent":"casa-lola","scheduled_at":"2027-03-28T02:30:00"}`, 400, "parameter_invalid", "scheduled_at"},
		"too large":                           {"PATCH /agents/casa-lola", d.live, long, 413, "request_too_large", ""},
		"too large, and nobody by that name":  {"PATCH /agents/nobody", d.live, long, 413, "request_too_large", ""},
	}
	types := map[int]string{
		400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
		404: "invalid_request_error", 405: "invalid_request_error", 409: "conflict_error", 413: "invalid_request_error",
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := d.in(t)
			got := d.do(tt.do, tt.key, tt.body)
			f := got.refuses(t, tt.status, tt.code)
			if f.param() != tt.param || f.Type != types[tt.status] || f.Message == "" {
				t.Errorf("got %s, want the param %q", got, tt.param)
			}
		})
	}
}

// TestAWholeNumberMayHaveAFraction: the description says integer, and by its
// rules 9.0 is one. Either it is taken, or refused at the right place.
func TestAWholeNumberMayHaveAFraction(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	for _, number := range []string{"9.0", "9e0", "90e-1"} {
		got := n.do("PATCH /agents/bar", key, fmt.Sprintf(`{"hours":{"0":[%s,20]}}`, number))
		if got.status == http.StatusOK {
			continue
		}
		if f := got.refuses(t, http.StatusBadRequest, "parameter_invalid"); f.param() != "hours.0[0]" {
			t.Errorf("%s: param is %q", number, f.param())
		}
	}
}

// TestTheOrderOfChecks sends requests with several faults; the first in the
// contract's order answers.
func TestTheOrderOfChecks(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	noScope := d.place.key("demo", "live", "--scopes", "usage:read").Key
	long := `{"slug":"x","nope":"` + strings.Repeat("x", 256<<10)
	steps := []struct {
		name, do, key, body, code string
	}{
		{"the route comes first", "PATCH /nowhere?x=1", "", long, "route_not_found"},
		{"then the method", "PUT /agents/nobody?x=1", "", long, "method_not_allowed"},
		{"then the key", "PATCH /agents/nobody?x=1", "svc_live_x", long, "api_key_invalid"},
		{"then the mode", "PATCH /agents/nobody?x=1", d.test, long, "live_key_required"},
		{"then the scope", "PATCH /agents/nobody?x=1", noScope, long, "scope_missing"},
		{"then the query", "PATCH /agents/nobody?x=1", d.live, long, "parameter_unknown"},
		{"then the size", "PATCH /agents/nobody", d.live, long, "request_too_large"},
		{"then JSON", "PATCH /agents/nobody", d.live, `{"slug":"x","nope":1,`, "invalid_json"},
		{"then what is protected", "PATCH /agents/nobody", d.live, `{"slug":"x","nope":1}`, "protected_field"},
		{"then the schema", "PATCH /agents/nobody", d.live, `{"nope":1}`, "parameter_unknown"},
		{"then existence", "PATCH /agents/nobody", d.live, `{"specials":"x"}`, "not_found"},
		{"of captures too", "PATCH /captures/nothing", d.live, `{"status":"x"}`, "parameter_invalid"},
		{"in the end", "PATCH /captures/nothing", d.live, `{"status":"confirmed"}`, "not_found"},
	}
	for _, step := range steps {
		if f := d.do(step.do, step.key, step.body).failure(t); f.Code != step.code {
			t.Errorf("%s: got %s, want %s", step.name, f.Code, step.code)
		}
	}
}

func TestEveryOtherMethodIsRefused(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	methods := map[string][]string{}
	for _, o := range d.operations() {
		methods[o.path] = append(methods[o.path], o.method)
		if o.method == http.MethodGet {
			methods[o.path] = append(methods[o.path], http.MethodHead)
		}
	}
	for path, known := range methods {
		slices.Sort(known)
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
			if slices.Contains(known, method) {
				continue
			}
			got := d.do(method+" "+path, "", "")
			if allow := got.header.Get("Allow"); got.status != http.StatusMethodNotAllowed || allow != strings.Join(known, ", ") {
				t.Errorf("%s %s: %s, Allow: %s", method, path, got, allow)
			}
		}
	}
}

// TestWhatIsNotHTTP speaks to the server as net/http answers by itself, before
// any handler runs.
func TestWhatIsNotHTTP(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	head := "GET /v1/whoami HTTP/1.1\r\nHost: x\r\n"
	for name, tt := range map[string]struct {
		request string
		status  int
	}{
		"no request line":       {"HELLO\r\n\r\n", 400},
		"no version":            {"GET /v1/whoami\r\n\r\n", 400},
		"another version":       {"GET /v1/whoami HTTP/3.0\r\nHost: x\r\n\r\n", 400},
		"no host":               {"GET /v1/whoami HTTP/1.1\r\n\r\n", 400},
		"two hosts":             {head + "Host: y\r\n\r\n", 400},
		"a broken escape":       {"GET /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"a broken header":       {head + "No Colon\r\n\r\n", 400},
		"NUL in a header":       {head + "X: a\x00b\r\n\r\n", 400},
		"a negative length":     {head + "Content-Length: -1\r\n\r\n", 400},
		"two lengths":           {head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nx", 400},
		"an unknown encoding":   {head + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400},
		"an unknown Expect":     {head + "Expect: wonders\r\n\r\n", 400},
		"a header too large":    {head + "X: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 413},
		"a line too long":       {"GET /v1/whoami?" + strings.Repeat("x", 64<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n", 413},
		"a proxy is asked":      {"CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", 404},
		"the server itself":     {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 404},
		"two slashes":           {"GET //x HTTP/1.1\r\nHost: x\r\n\r\n", 404},
		"HTTP/2 without asking": {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 404},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := d.in(t)
			w := d.dial()
			d.say(w, tt.request)
			got := d.hear(w)
			f := got.failure(t)
			if got.status != tt.status || f.Code == "" || f.RequestID != got.header.Get("X-Request-Id") || f.RequestID == "" {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestSmuggledSlashes: an encoded slash is no slash.
func TestSmuggledSlashes(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, path := range []string{"/v1%2Fwhoami", "/v1%2fcalls", "/v1/calls%2F" + d.examples(d.live)["call_id"]} {
		w := d.dial()
		d.say(w, "GET "+path+" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+d.live+"\r\n\r\n")
		d.hear(w).refuses(t, http.StatusNotFound, "route_not_found")
	}
}

// TestMessagesSayWhatToDo: every message is a sentence, without the words of
// the machinery.
func TestMessagesSayWhatToDo(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, request := range [][2]string{
		{"GET /calls?limit=0", ""},
		{"GET /calls?limit=x", ""},
		{"GET /calls?outcome=x", ""},
		{"GET /calls?x=1", ""},
		{"PATCH /agents/casa-lola", `{"hours":{"0":[1,2,3]}}`},
		{"PATCH /agents/casa-lola", `{"hours":{"0":[9,25]}}`},
		{"PATCH /agents/casa-lola", `{"hours":1}`},
		{"PATCH /agents/casa-lola", `{`},
		{"PATCH /agents/casa-lola", `{"services":[{}]}`},
	} {
		message := d.do(request[0], d.live, request[1]).failure(t).Message
		for _, word := range []string{"jsonschema", "minItems", "maxItems", "additionalProperties", "oneOf", "got", "sql", "panic", "internal/"} {
			if slices.Contains(strings.FieldsFunc(message, func(r rune) bool { return r == ' ' || r == ':' || r == ',' }), word) {
				t.Errorf("%s %s: %q", request[0], request[1], message)
			}
		}
		if !strings.HasSuffix(message, ".") {
			t.Errorf("%s %s: %q is no sentence", request[0], request[1], message)
		}
	}
}

// TestADatabaseThatIsAway puts a proxy before PostgreSQL and makes it refuse,
// and then say nothing.
func TestADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("SQLite is never away; a full disk has a test of its own")
	}
	p := newPlace(t, "FRONTDESK_NOW="+noon, "FRONTDESK_DATABASE_TIMEOUT=1500ms")
	door := openDoor(t, p)
	d := demo(t, p)
	values := d.examples(d.live)
	stranger := d.place.key("demo", "live").Key
	for _, how := range []string{"gone", "hanging"} {
		t.Run(how, func(t *testing.T) {
			d := d.in(t)
			door.shut(how)
			var group sync.WaitGroup
			for _, o := range d.operations() {
				for _, key := range []string{d.live, stranger} {
					if o.public {
						continue
					}
					group.Go(func() { checkAway(t, d.node, o.at(values), key, o.harmless(capture{Status: "confirmed"})) })
				}
			}
			group.Wait()
			if got := d.status("/readyz"); got != http.StatusServiceUnavailable {
				t.Errorf("/readyz is %d", got)
			}
			if got := d.status("/healthz"); got != http.StatusOK {
				t.Errorf("/healthz is %d", got)
			}
			get[any](d.node, "/openapi.json", "")
			door.open()
			if !until(func() bool { return d.status("/readyz") == http.StatusOK }, d.ended) {
				t.Fatal("it does not come back")
			}
			for _, o := range d.operations() {
				values := maps.Clone(values)
				if o.scope == "connections:write" {
					maps.Copy(values, d.disposable(d.live))
				}
				if strings.Contains(o.path, "{revision}") {
					values["revision"] = d.revision()
				}
				if o.scope == "knowledge:write" {
					values["document_id"] = d.throwaway(d.live)
				}
				if got := d.do(o.at(values), d.live, o.harmless(capture{Status: "confirmed"})); got.status != o.success() {
					t.Errorf("afterwards %s: %s", o, got)
				}
				if o.scope == "connections:write" { // an account has only so many
					d.do("DELETE /connections/"+values["connection_id"], d.live, "")
				}
			}
		})
	}
}

func checkAway(t *testing.T, n *node, operation, key, body string) {
	t.Helper()
	began := time.Now()
	got, err := n.try(operation, key, body)
	took := time.Since(began)
	if err != nil {
		t.Errorf("%s: %v", operation, err)
		return
	}
	if f := got.failure(t); got.status != http.StatusServiceUnavailable || f.Code != "database_unavailable" || f.Type != "api_error" || got.header.Get("Retry-After") == "" {
		t.Errorf("%s: %s", operation, got)
	}
	// Two seconds are the promise; the rest is for a machine with other work.
	if took > 2500*time.Millisecond {
		t.Errorf("%s took %s", operation, took)
	}
}

// status asks for something outside of /v1.
func (n *node) status(path string) int {
	n.t.Helper()
	res, err := n.client.Get(n.base + path)
	must(n.t, err)
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	must(n.t, err)
	return res.StatusCode
}

// door is a proxy before a database, which can be shut.
type door struct {
	listener net.Listener
	behind   string

	mu    sync.Mutex
	how   string // "" for open
	conns map[net.Conn]bool
}

// openDoor puts a door before the place's database.
func openDoor(t *testing.T, p *place) *door {
	t.Helper()
	u, err := url.Parse(p.database)
	must(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	d := &door{listener: l, behind: u.Host, conns: map[net.Conn]bool{}}
	u.Host = l.Addr().String()
	p.database = u.String()
	go d.serve()
	t.Cleanup(func() {
		l.Close()
		d.shut("gone")
	})
	return d
}

func (d *door) serve() {
	for {
		c, err := d.listener.Accept()
		if err != nil {
			return
		}
		go d.pass(c)
	}
}

// pass connects one client through, or keeps it, or turns it away.
func (d *door) pass(c net.Conn) {
	if !d.keep(c) {
		c.Close()
		return
	}
	back, err := net.Dial("tcp", d.behind)
	if err != nil || !d.keep(back) {
		c.Close()
		return
	}
	go d.carry(back, c)
	d.carry(c, back)
}

func (d *door) keep(c net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.conns[c] = true
	return d.how != "gone"
}

// carry copies while the door is open; what hangs is dropped.
func (d *door) carry(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		d.mu.Lock()
		how := d.how
		d.mu.Unlock()
		if how == "" {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
	}
}

func (d *door) shut(how string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.how = how
	if how == "gone" {
		d.drop()
	}
}

// open lets everybody through again; who was kept waiting must come anew, as
// after a server's restart.
func (d *door) open() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.how = ""
	d.drop()
}

func (d *door) drop() {
	for c := range maps.Keys(d.conns) {
		c.Close()
	}
	clear(d.conns)
}
