package acceptance

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/signature"
	"frontdesk.dev/frontdesk/test/freeport"
)

type (
	connection struct {
		ID             string   `json:"id"`
		Type           string   `json:"type"`
		Name           string   `json:"name"`
		URL            string   `json:"url"`
		Events         []string `json:"events"`
		Status         string   `json:"status"`
		DisabledBy     string   `json:"disabled_by"`
		DisabledReason string   `json:"disabled_reason"`
		Livemode       bool     `json:"livemode"`
		SecretPrefix   string   `json:"secret_prefix"`
		Secret         string   `json:"secret"`
		Deliveries     struct {
			Last24h map[string]int `json:"last_24h"`
		} `json:"deliveries"`
	}
	delivery struct {
		ID            string     `json:"id"`
		ConnectionID  string     `json:"connection_id"`
		Event         string     `json:"event"`
		Status        string     `json:"status"`
		Attempts      int        `json:"attempts"`
		MaxAttempts   int        `json:"max_attempts"`
		HTTPStatus    *int       `json:"http_status"`
		ErrorCode     string     `json:"error_code"`
		Livemode      bool       `json:"livemode"`
		NextAttemptAt *time.Time `json:"next_attempt_at"`
		DeliveredAt   *time.Time `json:"delivered_at"`
	}
)

// post decodes the answer to a POST that must succeed.
func post[T any](n *node, path, key, body string) (value T) {
	n.t.Helper()
	got := n.do("POST "+path, key, body)
	if got.status != http.StatusOK && got.status != http.StatusCreated {
		n.t.Fatalf("POST %s: %s", path, got)
	}
	decode(n.t, got.body, &value)
	return value
}

// connect makes a connection to an address.
func (n *node) connect(key, url string) connection {
	n.t.Helper()
	return post[struct{ Connection connection }](n, "/connections", key,
		fmt.Sprintf(`{"name":"CRM","url":%q,"events":["capture.created","call.completed"]}`, url)).Connection
}

// disposable are the path parameters of a connection made for the occasion, and
// of a delivery of it that can be retried.
func (n *node) disposable(key string) map[string]string {
	n.t.Helper()
	c := n.connect(key, "https://crm.example.com/")
	if test := post[struct{ OK bool }](n, "/connections/"+c.ID+"/test", key, ""); test.OK {
		n.t.Fatal("somebody answers at crm.example.com")
	}
	d := get[list[delivery]](n, "/connections/"+c.ID+"/deliveries", key).Data[0]
	return map[string]string{"connection_id": c.ID, "delivery_id": d.ID}
}

// receiver is a customer's program behind TLS.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	all    []arrival
}

type arrival struct {
	header http.Header
	body   []byte
}

func newReceiver(t testing.TB, secure bool) *receiver {
	r := &receiver{status: http.StatusOK}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(r.take))
	if secure {
		r.StartTLS()
	} else {
		r.Start()
	}
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) take(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, arrival{q.Header.Clone(), body})
	w.WriteHeader(r.status)
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

func (r *receiver) arrivals() []arrival {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]arrival(nil), r.all...)
}

// next waits for the arrival after the first n.
func (r *receiver) next(t testing.TB, n int) arrival {
	t.Helper()
	if !until(func() bool { return len(r.arrivals()) > n }, nil) {
		t.Fatalf("delivery %d does not arrive", n+1)
	}
	return r.arrivals()[n]
}

// openings are the settings that let deliveries reach the receiver.
func (r *receiver) openings(t testing.TB) []string {
	t.Helper()
	settings := []string{"FRONTDESK_WEBHOOK_ALLOW=" + r.URL}
	if r.Certificate() != nil {
		file := filepath.Join(t.TempDir(), "ca.pem")
		must(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.Certificate().Raw}), 0o600))
		settings = append(settings, "FRONTDESK_WEBHOOK_CA="+file)
	}
	return settings
}

func (a arrival) verifies(secret string) bool {
	return signature.Verify(secret, a.header, a.body, time.Now()) == nil
}

// emit makes an event by the command line.
func (p *place) emit(tenant, mode, kind string) {
	p.t.Helper()
	ask[any](p, "event", "emit", "--tenant", tenant, "--mode", mode, "--type", kind)
}

// TestAConnectionFromBeginningToEnd follows one through the whole program: the
// event is made by a process of its own, and the receiver is behind TLS.
func TestAConnectionFromBeginningToEnd(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, true)
	p := newPlace(t, r.openings(t)...)
	p.tenant("lola")
	n := p.serve()
	k := p.key("lola", "test").Key
	if log := n.log.String(); !strings.Contains(log, "DEVELOPMENT OPENING") || !strings.Contains(log, r.URL) {
		t.Errorf("the opening is not announced: %s", log)
	}

	c := n.connect(k, r.URL+"/hook")
	if c.Status != "active" || c.Livemode || c.Type != "crm.outbound" || !strings.HasPrefix(c.Secret, "whsec_") || c.SecretPrefix != c.Secret[:10] {
		t.Fatalf("%+v", c)
	}
	if got := string(n.do("GET /connections/"+c.ID, k, "").body) + string(n.do("GET /connections", k, "").body); strings.Contains(got, c.Secret) || strings.Contains(got, `"secret":`) {
		t.Errorf("the secret is shown again: %s", got)
	}

	p.emit("lola", "test", "capture.created")
	first := r.next(t, 0)
	checkArrival(t, n, k, first)
	if !first.verifies(c.Secret) {
		t.Errorf("the signature does not fit: %v", first.header)
	}
	n.awaitDelivery(k, c.ID, "delivered")

	rotated := post[struct{ Connection connection }](n, "/connections/"+c.ID+"/rotate-secret", k, "").Connection
	p.emit("lola", "test", "call.completed")
	if second := r.next(t, 1); !second.verifies(c.Secret) || !second.verifies(rotated.Secret) || rotated.Secret == c.Secret {
		t.Errorf("in the grace both secrets must fit: %v", second.header)
	}
	post[any](n, "/connections/"+c.ID+"/rotate-secret", k, `{"grace_seconds":0}`)
	if test := post[struct{ OK bool }](n, "/connections/"+c.ID+"/test", k, ""); !test.OK {
		t.Error("the test was refused")
	}
	if third := r.next(t, 2); third.verifies(c.Secret) || third.verifies(rotated.Secret) {
		t.Error("a secret without grace still signs")
	}

	r.answer(http.StatusInternalServerError)
	p.emit("lola", "test", "capture.created")
	failed := n.awaitDelivery(k, c.ID, "failed")
	if failed.ErrorCode != "http_5xx" || failed.HTTPStatus == nil || *failed.HTTPStatus != 500 || failed.NextAttemptAt == nil {
		t.Errorf("%+v", failed)
	}
	before := r.next(t, 3)
	r.answer(http.StatusNoContent)
	retried := post[struct {
		OK       bool
		Delivery delivery
	}](n, "/deliveries/"+failed.ID+"/retry", k, "")
	all := r.arrivals()
	if !retried.OK || retried.Delivery.Status != "delivered" || retried.Delivery.Attempts < 2 || all[len(all)-1].header.Get("webhook-id") != before.header.Get("webhook-id") {
		t.Errorf("%+v", retried)
	}
	n.do("POST /deliveries/"+failed.ID+"/retry", k, "").refuses(t, http.StatusBadRequest, "delivery_not_retryable")

	if got := n.do("DELETE /connections/"+c.ID, k, ""); string(got.body) != fmt.Sprintf(`{"deleted":true,"id":%q}`, c.ID) {
		t.Errorf("%s", got)
	}
	for _, operation := range []string{"GET /connections/" + c.ID, "GET /connections/" + c.ID + "/deliveries", "POST /deliveries/" + failed.ID + "/retry", "DELETE /connections/" + c.ID} {
		n.do(operation, k, "").refuses(t, http.StatusNotFound, "not_found")
	}
	// What comes after is seen by another connection alone.
	other := n.connect(k, r.URL+"/other")
	p.emit("lola", "test", "capture.created")
	n.awaitDelivery(k, other.ID, "delivered")
	if got := len(r.arrivals()); got != len(all)+1 {
		t.Errorf("%d arrivals, want %d", got, len(all)+1)
	}
	if log := n.log.String(); strings.Contains(log, c.Secret) || strings.Contains(log, rotated.Secret) {
		t.Error("a secret is in the log")
	}
}

// awaitDelivery waits for a connection to have a delivery in a status.
func (n *node) awaitDelivery(key, connection, status string) (d delivery) {
	n.t.Helper()
	if !until(func() bool {
		found := get[list[delivery]](n, "/connections/"+connection+"/deliveries?status="+status, key).Data
		if len(found) > 0 {
			d = found[0]
		}
		return len(found) > 0
	}, n.ended) {
		n.t.Fatalf("no delivery is %s: %s", status, n.do("GET /connections/"+connection+"/deliveries", key, ""))
	}
	return d
}

// checkArrival holds a delivery of a capture to the contract.
func checkArrival(t *testing.T, n *node, key string, a arrival) {
	t.Helper()
	var event struct {
		ID, Object, Type string
		APIVersion       string `json:"api_version"`
		Timestamp        string
		Livemode         bool
		Tenant           map[string]string
		Agent            map[string]string
		Data             struct{ Object json.RawMessage }
	}
	decode(t, a.body, &event)
	if event.ID != a.header.Get("webhook-id") || event.Object != "event" || event.Type != "capture.created" || event.APIVersion != "1.0.0" ||
		event.Livemode || event.Tenant["slug"] != "lola" || !timestamp.MatchString(event.Timestamp) {
		t.Errorf("the body is %s", a.body)
	}
	if a.header.Get("Content-Type") != "application/json" || !strings.HasPrefix(a.header.Get("User-Agent"), "frontdesk/") {
		t.Errorf("the headers are %v", a.header)
	}
	var object capture
	decode(t, event.Data.Object, &object)
	if got := n.do("GET /captures/"+object.ID, key, ""); string(got.body) != `{"capture":`+string(event.Data.Object)+`}` {
		t.Errorf("the event holds %s, GET gives %s", event.Data.Object, got)
	}
}

func TestNothingIsOpenByDefault(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, false)
	p := newPlace(t)
	p.tenant("lola")
	n := p.serve()
	k := p.key("lola", "live").Key
	for url, code := range map[string]string{
		r.URL: "url_invalid", "https://127.0.0.1/": "url_not_public", "https://169.254.169.254/": "url_not_public", "https://localhost/": "url_not_public",
	} {
		body := fmt.Sprintf(`{"name":"CRM","url":%q,"events":["call.completed"]}`, url)
		if f := n.do("POST /connections", k, body).refuses(t, http.StatusBadRequest, code); f.param() != "url" {
			t.Errorf("%s: param is %q", url, f.param())
		}
	}
	if strings.Contains(n.log.String(), "DEVELOPMENT OPENING") {
		t.Error("an opening is announced where there is none")
	}
	if len(r.arrivals()) != 0 {
		t.Error("something was sent")
	}
}

// TestTheMasterKeyIsChanged goes the way that docs/operations.md describes; the
// customer's secret signs on all along.
func TestTheMasterKeyIsChanged(t *testing.T) {
	t.Parallel()
	const (
		first  = "FRONTDESK_MASTER_KEY=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
		second = "FRONTDESK_MASTER_KEY=HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA="
	)
	r := newReceiver(t, false)
	p := newPlace(t, append(r.openings(t), first)...)
	p.tenant("lola")
	k := p.key("lola", "test").Key
	n := p.serve()
	c := n.connect(k, r.URL)
	signs := func(n *node, when string) {
		t.Helper()
		before := len(r.arrivals())
		post[any](n, "/connections/"+c.ID+"/test", k, "")
		if !r.next(t, before).verifies(c.Secret) {
			t.Errorf("%s: the secret does not fit", when)
		}
	}
	signs(n, "at first")
	n.stop()

	both := p.with(t, second, strings.Replace(first, "KEY=", "KEY_OLD=", 1))
	n = both.serve()
	signs(n, "with both keys")
	if got := ask[struct{ Connections int }](both, "rekey"); got.Connections != 1 {
		t.Errorf("rekey says %+v", got)
	}
	signs(n, "sealed anew")
	n.stop()
	n = p.with(t, second).serve()
	signs(n, "with the new key alone")
	n.stop()

	// The new key is lost, and the old one opens nothing any more.
	if got := p.run("serve"); got.code != 1 || !strings.Contains(got.err, "FRONTDESK_MASTER_KEY is not the master key of this database") {
		t.Errorf("with the old key alone: %+v", got)
	}
	if got := ask[struct{ Unreadable []string }](p, "rekey", "--abandon-sealed", "--yes"); len(got.Unreadable) != 1 || !strings.Contains(got.Unreadable[0], c.ID) {
		t.Errorf("rekey says %+v", got)
	}
	n = p.serve()
	if got := post[struct {
		OK         bool
		HTTPStatus *int `json:"http_status"`
	}](n, "/connections/"+c.ID+"/test", k, ""); got.OK || got.HTTPStatus != nil {
		t.Errorf("%+v: %s", got, n.log)
	}
	if !until(func() bool { return strings.Contains(n.log.String(), "a delivery could not be signed") }, n.ended) {
		t.Errorf("nothing is said of it: %s", n.log)
	}
	rotated := post[struct{ Connection connection }](n, "/connections/"+c.ID+"/rotate-secret", k, `{"grace_seconds":0}`).Connection
	c.Secret = rotated.Secret
	signs(n, "rotated after a loss")
}

// TestAReceiverThatHangs costs one bounded attempt, and the one who asked for it
// gets an answer, also when the server's own patience for requests is shorter.
func TestAReceiverThatHangs(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		io.Copy(io.Discard, q.Body)
		select {
		case <-over:
		case <-q.Context().Done():
		}
	}))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(over) })
	p := newPlace(t, "FRONTDESK_WEBHOOK_ALLOW="+hanging.URL)
	p.tenant("lola")
	n := p.serve()
	k := p.key("lola", "test").Key
	c := n.connect(k, hanging.URL)
	began := time.Now()
	got := n.do("POST /connections/"+c.ID+"/test", k, "", "Idempotency-Key: once")
	took := time.Since(began)
	var result struct {
		OK         bool
		HTTPStatus *int `json:"http_status"`
		LatencyMS  int  `json:"latency_ms"`
	}
	decode(t, got.body, &result)
	if got.status != 200 || result.OK || result.HTTPStatus != nil || result.LatencyMS < 14_900 || result.LatencyMS > 16_500 || took > 17*time.Second {
		t.Errorf("after %v: %s", took, got)
	}
	d := get[list[delivery]](n, "/connections/"+c.ID+"/deliveries", k).Data[0]
	if d.Status != "dead" || d.ErrorCode != "timeout" || d.Attempts != 1 {
		t.Errorf("%+v", d)
	}
	if again := n.do("POST /connections/"+c.ID+"/test", k, "", "Idempotency-Key: once"); string(again.body) != string(got.body) || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%s", again)
	}
}

// TestListenForwardsTestEvents runs the integrator's tool beside a server.
func TestListenForwardsTestEvents(t *testing.T) {
	t.Parallel()
	local := newReceiver(t, false)
	p := newPlace(t)
	p.tenant("lola")
	n := p.serve()
	out := &notes{}
	c := p.command("listen", "--server", n.base, "--forward-to", local.URL+"/hook", "--key", p.key("lola", "test").Key)
	c.Stdout, c.Stderr = out, out
	must(t, c.Start())
	ended := make(chan struct{})
	go func() { c.Wait(); close(ended) }()
	t.Cleanup(func() { c.Process.Kill(); <-ended })
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)
	if !until(func() bool { return secret.MatchString(out.String()) }, ended) {
		t.Fatalf("no secret is printed: %s", out)
	}
	p.emit("lola", "test", "capture.created")
	if got := local.next(t, 0); !got.verifies(secret.FindString(out.String())) || !strings.Contains(string(got.body), `"type":"capture.created"`) {
		t.Errorf("%v %s", got.header, got.body)
	}
	if !until(func() bool {
		return regexp.MustCompile(`capture\.created  [0-9a-f-]{36}  200 in `).MatchString(out.String())
	}, ended) {
		t.Errorf("it printed %s", out)
	}
	c.Process.Signal(syscall.SIGINT)
	select {
	case <-ended:
	case <-time.After(patience):
		t.Error("it does not end")
	}
	if got := p.run("listen", "--server", n.base, "--forward-to", local.URL, "--key", p.key("lola", "live").Key); got.code == 0 || !strings.Contains(got.err, "test key") {
		t.Errorf("a live key: %+v", got)
	}
}

// TestTheReceiversOfTheDocs runs every receiver of docs/deliveries.md and sends
// it a delivery: one that it must accept, and one signed with another secret.
func TestTheReceiversOfTheDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/deliveries.md")
	must(t, err)
	for language, run := range map[string][]string{
		"go": {"go", "run"}, "python": {"python3"}, "ts": {"node"},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			needs(t, run[0])
			code := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(string(text))
			if code == nil {
				t.Fatalf("there is no receiver in %s", language)
			}
			// Inside of the module, so that the Go one finds the package.
			dir, err := os.MkdirTemp(".", "_receiver-")
			must(t, err)
			t.Cleanup(func() { os.RemoveAll(dir) })
			suffix := map[string]string{"go": "go", "python": "py", "ts": "mjs"}[language] // it is JavaScript as well
			file := filepath.Join(dir, "receiver."+suffix)
			must(t, os.WriteFile(file, []byte(code[1]), 0o600))
			checkReceiver(t, append(run, file))
		})
	}
}

func checkReceiver(t *testing.T, run []string) {
	t.Helper()
	port := freePort(t)
	address := "http://127.0.0.1:" + port
	p := newPlace(t, "FRONTDESK_WEBHOOK_ALLOW="+address)
	p.tenant("lola")
	n := p.serve()
	k := p.key("lola", "test").Key
	mine, other := n.connect(k, address+"/hook"), n.connect(k, address+"/hook")
	out := &notes{}
	c := exec.Command(run[0], run[1:]...)
	c.Env = append(os.Environ(), "PORT="+port, "WEBHOOK_SECRET="+mine.Secret)
	c.Stdout, c.Stderr = out, out
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // go run has a child
	must(t, c.Start())
	ended := make(chan struct{})
	go func() { c.Wait(); close(ended) }()
	t.Cleanup(func() { syscall.Kill(-c.Process.Pid, syscall.SIGKILL); <-ended })
	type result struct {
		OK         bool
		HTTPStatus *int `json:"http_status"`
	}
	var got result
	if !until(func() bool {
		answer := n.do("POST /connections/"+mine.ID+"/test", k, "")
		if answer.status == http.StatusTooManyRequests { // it takes long to start
			return false
		}
		decode(t, answer.body, &got)
		return got.HTTPStatus != nil
	}, ended) || !got.OK {
		t.Fatalf("%+v: %s", got, out)
	}
	if got := post[result](n, "/connections/"+other.ID+"/test", k, ""); got.OK || got.HTTPStatus == nil || *got.HTTPStatus != 401 {
		t.Errorf("signed with another secret: %+v: %s", got, out)
	}
	p.emit("lola", "test", "capture.created")
	n.awaitDelivery(k, mine.ID, "delivered")
	if !until(func() bool { return strings.Contains(out.String(), "capture.created") }, ended) {
		t.Errorf("it printed %s", out)
	}
}

// freePort is one for a program that must be told its own.
func freePort(t testing.TB) string {
	t.Helper()
	return strconv.Itoa(freeport.Take(t, 1))
}
