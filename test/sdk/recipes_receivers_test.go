package sdk

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// elsewhere is what the programs write to: a CRM, a channel. It keeps what it is sent.
type elsewhere struct {
	*httptest.Server
	mu    sync.Mutex
	fails int // so many requests more
	all   []sent
}

type sent struct {
	method, path, key string
	body              map[string]any
}

func newElsewhere(t *testing.T) *elsewhere {
	e := &elsewhere{}
	e.Server = httptest.NewServer(http.HandlerFunc(e.take))
	t.Cleanup(e.Close)
	return e
}

func (e *elsewhere) take(w http.ResponseWriter, q *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	body, err := io.ReadAll(q.Body)
	one := sent{method: q.Method, path: q.URL.Path, key: q.Header.Get("Idempotency-Key")}
	if e.fails--; e.fails >= 0 || err != nil || json.Unmarshal(body, &one.body) != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	e.all = append(e.all, one)
}

// failsOnce fails the next request, and no other.
func (e *elsewhere) failsOnce() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fails = 1
}

func (e *elsewhere) got() []sent {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]sent(nil), e.all...)
}

// at is what was last put at a path.
func (e *elsewhere) at(path string) (last map[string]any) {
	for _, one := range e.got() {
		if one.method == http.MethodPut && one.path == path {
			last = one.body
		}
	}
	return last
}

// holdsCount checks how much was sent so far.
func (e *elsewhere) holdsCount(t *testing.T, when string, want int) {
	t.Helper()
	if got := e.got(); len(got) != want {
		t.Errorf("%s: %d were sent, want %d: %v", when, len(got), want, got[min(want, len(got)):])
	}
}

func tryCRM(t *testing.T, s service, r *relay) {
	crm := newElsewhere(t)
	secret := s.connect(t, r, "/crm", []string{"capture.created"}, "capture.updated")
	env := []string{
		"CRM_URL=" + crm.URL, "CRM_TOKEN=t", "CRM_STATE=" + filepath.Join(t.TempDir(), "crm.db"), "WEBHOOK_SECRETS=" + secret,
	}
	url, stop := listening(t, pythonRecipe(t, s, "crm/crm.py", env...))
	r.to("/crm", url)
	if len(crm.got()) == 0 {
		t.Error("nothing of the last 30 days was caught up with")
	}

	ada := s.write(t, map[string]any{"customer_name": "Ada", "customer_phone": "+34600000901", "status": "pending_confirm"})
	created := r.next(t, ada)
	if deal, contact := crm.at("/deals/"+ada), crm.at("/contacts/+34600000901"); created.status != 204 || deal["stage"] != "open" ||
		deal["contact"] != "+34600000901" || contact["name"] != "Ada" {
		t.Fatalf("%d: %v, %v", created.status, deal, contact)
	}
	before := len(crm.got())
	created.again(t, url, 204)
	crm.holdsCount(t, "the event came twice", before)

	var changed any
	s.do(t, http.MethodPatch, "/captures/"+ada, map[string]string{"status": "cancelled"}, &changed)
	r.next(t, ada)
	if deal := crm.at("/deals/" + ada); deal["stage"] != "lost" {
		t.Errorf("it is cancelled, and the deal %v", deal)
	}
	resigned(t, secret, "late", []byte(strings.Replace(string(created.body), created.header.Get("webhook-id"), "late", 1))).again(t, url, 204)
	if deal := crm.at("/deals/" + ada); deal["stage"] != "lost" {
		t.Errorf("an older event came late, and the deal is %v", deal)
	}
	signedByOther := resigned(t, webhookSecret, "other", created.body)
	signedByOther.again(t, url, 401)

	// The CRM fails, and the event comes again by itself.
	crm.failsOnce()
	eva := s.write(t, map[string]any{"customer_name": "Eva", "customer_phone": "+34600000902"})
	if a := r.next(t, eva); a.status != 503 {
		t.Errorf("the CRM fails, and the answer is %d", a.status)
	}
	if a := r.next(t, eva); a.status != 204 || crm.at("/deals/" + eva)["stage"] != "won" {
		t.Errorf("the second time: %d, %v", a.status, crm.at("/deals/"+eva))
	}

	// The receiver is down, and catches up when it starts.
	stop()
	r.to("/crm", "")
	noa := s.write(t, map[string]any{"customer_name": "Noa", "customer_phone": "+34600000903"})
	r.next(t, noa)
	catchUp := pythonRecipe(t, s, "crm/crm.py", env...)
	catchUp.Args = append(catchUp.Args, "--catch-up")
	printed(t, catchUp)
	if crm.at("/deals/"+noa) == nil {
		t.Error("what was missed was not caught up with")
	}
	before = len(crm.got())
	url, _ = listening(t, pythonRecipe(t, s, "crm/crm.py", env...))
	created.again(t, url, 204)
	crm.holdsCount(t, "started again", before)
}

const (
	urgentWords = "It is an emergency, my face is swollen <!channel> and I cannot stop the bleeding"
	calmWords   = "How much is a cleaning?"
	// webhookSecret is of no connection.
	webhookSecret = "whsec_b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcm90aGVyb3RoZXI="
)

func tryUrgent(t *testing.T, s service, r *relay) {
	channel := newElsewhere(t)
	secret := s.connect(t, r, "/urgent", []string{"call.completed"})
	env := []string{"CHANNEL_URL=" + channel.URL + "/services/T0", "WEBHOOK_SECRETS=" + secret, "TOLD=" + filepath.Join(t.TempDir(), "told.txt")}
	url, stop := listening(t, nodeRecipe(t, s, false, "recipes/urgent/urgent.mjs", env...))
	r.to("/urgent", url)

	if a := r.next(t, s.say(t, calmWords)); a.status != 204 {
		t.Errorf("a call that is not urgent: %d", a.status)
	}
	channel.holdsCount(t, "nobody was in need", 0)
	first := r.next(t, s.say(t, urgentWords))
	channel.holdsCount(t, "somebody was in need", 1)
	if t.Failed() {
		t.Fatalf("%d: %s", first.status, first.body)
	}
	message, _ := json.Marshal(channel.got()[0].body)
	var shape struct {
		Text   string
		Blocks []struct {
			Type string
			Text struct{ Type, Text string }
		}
	}
	if err := json.Unmarshal(message, &shape); err != nil || !strings.HasPrefix(shape.Text, "Urgent call: ") || len(shape.Blocks) != 4 ||
		shape.Blocks[0].Type != "header" || !strings.Contains(shape.Blocks[1].Text.Text, "&lt;!channel&gt;") {
		t.Errorf("%v: %s", err, message)
	}
	first.again(t, url, 204)
	channel.holdsCount(t, "the event came twice", 1)

	channel.failsOnce()
	second := r.next(t, s.say(t, urgentWords))
	if second.status != 503 {
		t.Errorf("the channel fails, and the answer is %d", second.status)
	}
	second.again(t, url, 204)
	channel.holdsCount(t, "the channel works again", 2)

	stop()
	url, _ = listening(t, nodeRecipe(t, s, false, "recipes/urgent/urgent.mjs", env...))
	first.again(t, url, 204)
	second.again(t, url, 204)
	channel.holdsCount(t, "started again", 2)
	resigned(t, webhookSecret, "other", first.body).again(t, url, 401)
}

func tryN8N(t *testing.T, s service, r *relay) {
	target := newElsewhere(t)
	secret := s.connect(t, r, "/n8n", []string{"capture.created", "call.completed"})
	text, err := os.ReadFile(filepath.Join(recipesDir, "n8n", "workflow.json"))
	if err != nil {
		t.Fatal(err)
	}
	holdsCheck(t, text)
	// What the page tells people to put in.
	mine := strings.NewReplacer("whsec_PUT-THE-SECRET-HERE", secret, "https://example.com/appointments", target.URL+"/appointments").Replace(string(text))
	file := filepath.Join(t.TempDir(), "workflow.json")
	if err := os.WriteFile(file, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	c := nodeRecipe(t, s, false, "n8n.mjs")
	c.Args = append(c.Args, file)
	url, _ := listening(t, c)
	url += "/webhook/frontdesk"
	r.to("/n8n", url)

	if a := r.next(t, s.say(t, calmWords)); a.status != 204 {
		t.Errorf("a call: %d", a.status)
	}
	target.holdsCount(t, "there was a call alone", 0)
	id := s.write(t, map[string]any{"customer_name": "Íñigo", "customer_phone": "+34600000904"})
	a := r.next(t, id)
	target.holdsCount(t, "there was a capture", 1)
	if t.Failed() {
		t.Fatalf("%d: %s", a.status, a.body)
	}
	if one := target.got()[0]; a.status != 204 || one.body["id"] != id || one.body["name"] != "Íñigo" || one.body["phone"] != "+34600000904" ||
		one.body["status"] != "confirmed" || one.key != a.header.Get("webhook-id") {
		t.Errorf("%d: %+v", a.status, one)
	}
	a.again(t, url, 204)
	if all := target.got(); len(all) != 2 || all[0].key != all[1].key {
		t.Errorf("the event came twice: %+v", all)
	}
	resigned(t, webhookSecret, "other", a.body).again(t, url, 401)
	target.failsOnce()
	a.again(t, url, 500)
	target.holdsCount(t, "refused and failed ones", 2)
}

// holdsCheck holds the code of the workflow to the file that the page shows, and its
// arrows to its nodes.
func holdsCheck(t *testing.T, workflow []byte) {
	t.Helper()
	var w struct {
		Nodes []struct {
			Name       string
			Parameters struct{ JSCode string }
		}
		Connections map[string]struct{ Main [][]struct{ Node string } }
	}
	if err := json.Unmarshal(workflow, &w); err != nil {
		t.Fatal(err)
	}
	shown, err := os.ReadFile(filepath.Join(recipesDir, "n8n", "check.js"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, n := range w.Nodes {
		names[n.Name] = true
		if n.Parameters.JSCode != "" && n.Parameters.JSCode != string(shown) {
			t.Errorf("%s is not n8n/check.js", n.Name)
		}
	}
	for from, c := range w.Connections {
		for _, output := range c.Main {
			for _, to := range output {
				if !names[from] || !names[to.Node] {
					t.Errorf("%s leads to %s, and there is no such node", from, to.Node)
				}
			}
		}
	}
}

// tryZapier looks for the fields that the page names in what is delivered.
func tryZapier(t *testing.T, s service, r *relay) {
	s.connect(t, r, "/zapier", []string{"capture.created", "call.completed"})
	page, err := os.ReadFile(filepath.Join(recipesDir, "zapier.md"))
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	capture := s.write(t, map[string]any{
		"customer_name": "Zoe", "customer_phone": "+34600000905", "customer_email": "zoe@example.com", "notes": "A wish", "service_id": "limpieza",
	})
	flatten("", decoded(t, r.next(t, capture).body), fields)
	call := s.say(t, calmWords)
	flatten("", decoded(t, r.next(t, `"call.completed"`).body), fields)
	named := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(string(page), -1)
	if len(named) < 10 {
		t.Errorf("the page names %d fields", len(named))
	}
	for _, name := range named {
		if _, ok := fields[name[1]]; !ok {
			t.Errorf("the page names %s, which is not delivered", name[1])
		}
	}
	if fields["data__object__id"] != call || fields["data__object__customer_name"] != "Zoe" {
		t.Errorf("%v", fields)
	}
}

func decoded(t *testing.T, body []byte) (value any) {
	t.Helper()
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// flatten names what is inside as Zapier does: with two underscores between.
func flatten(name string, value any, into map[string]any) {
	inside, ok := value.(map[string]any)
	if !ok {
		into[name] = value
		return
	}
	for key, v := range inside {
		flatten(strings.TrimPrefix(fmt.Sprint(name, "__", key), "__"), v, into)
	}
}
