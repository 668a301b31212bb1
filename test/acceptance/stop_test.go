package acceptance

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// TestAStopIsBounded stops a process that is busy with everything that can hang:
// receivers, a model, embeddings, clients, and the database itself. It ends by
// itself, says what it cut off, and what it was busy with is taken up again.
func TestAStopIsBounded(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]string{
		"while its database answers": "",
		"while its database hangs":   "hanging",
		"while its database is gone": "gone",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if database != "" && !storetest.IsPostgres() {
				t.Skip("SQLite is never away")
			}
			b := newBusyHouse(t)
			if database != "" {
				b.door.shut(database)
			}
			must(t, b.node.cmd.Process.Signal(syscall.SIGTERM))
			code := b.node.await()
			log := b.node.log.String()
			switch {
			case !strings.Contains(log, `"stopped"`):
				t.Errorf("exit %d, and it did not stop by itself: %s", code, log)
			case code == 1 && (!strings.Contains(log, `"means":`) || !strings.Contains(log, "the stop timeout of 4s was over before this work had ended")):
				t.Errorf("it does not say what it has cut off: %s", log)
			case code != 0 && code != 1:
				t.Errorf("exit %d: %s", code, log)
			}
			b.goesOn()
		})
	}
}

// busyHouse is a clinic in the middle of everything.
type busyHouse struct {
	*clinic
	node     *node
	door     *door // nil on SQLite
	document string
}

// newBusyHouse starts work of every kind and returns when all of it is under way.
func newBusyHouse(t *testing.T) *busyHouse {
	t.Helper()
	receiver, model, embeddings := newHanging(t), newHanging(t), newHanging(t)
	c := newClinic(t, "FRONTDESK_STOP_TIMEOUT=4s", "FRONTDESK_WEBHOOK_ALLOW="+receiver.URL,
		"FRONTDESK_MODEL_URL="+model.URL, "FRONTDESK_MODEL_NAME=any")
	b := &busyHouse{clinic: c}
	front := c.place.with(t, "FRONTDESK_EMBEDDINGS_URL="+embeddings.URL, "FRONTDESK_EMBEDDINGS_MODEL=any")
	if storetest.IsPostgres() {
		b.door = openDoor(t, front)
	}
	b.node = front.serve()
	b.node.killed.Store(true) // work is cut off: it may exit with 1

	b.node.connect(c.test, receiver.URL)
	ask[any](c.place, "event", "emit", "--tenant", "salud", "--mode", "test", "--type", "call.completed", "--count", "100")
	receiver.awaitSome(t, "deliveries")

	made, got := b.node.upload(c.live, "rules.txt", []byte("House rules\n\nDogs are welcome on the terrace, but not inside.\n"))
	if got.status != http.StatusCreated {
		t.Fatalf("uploading: %s", got)
	}
	b.document = made.ID
	embeddings.awaitSome(t, "embeddings")

	v := b.node.visit("salud/"+dentist, "live", "en")
	patient := b.node.dial()
	b.node.say(patient, request("POST /web/conversations/"+v.id+"/messages", v.token, `{"text":"the thing about the other one, you know"}`))
	model.awaitSome(t, "questions to the model")

	b.node.say(b.node.dial(), request("GET /relay/events?after="+made.ID, c.test, "")) // waits for events
	slow := b.node.dial()
	b.node.say(slow, "PATCH /v1/agents/"+dentist+" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+c.live+"\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
	_, err := slow.reader.ReadString('\n') // it waits for its body
	must(t, err)
	return b
}

// goesOn starts the place again, when all leases have run out: the document that
// was being read is read, and no delivery is lost.
func (b *busyHouse) goesOn() {
	b.t.Helper()
	again := b.with(b.t, "FRONTDESK_WEBHOOK_ALLOW=", at(3*time.Minute)).serve() // the receiver would hang again
	if d := again.settled(b.live, b.document); d.Status != "ready" {
		b.t.Errorf("the document is %+v", d)
	}
	c := walk[struct{ ID string }](again, "/connections", b.test, 100)
	if n := len(walk[any](again, "/connections/"+c[0].ID+"/deliveries", b.test, 100)); n != 100 {
		b.t.Errorf("there are %d deliveries", n)
	}
}

func request(operation, token, body string) string {
	return fmt.Sprintf("%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", operation, token, len(body), body)
}

// hanging is a server that takes requests and never answers.
type hanging struct {
	*httptest.Server
	came atomic.Int64
}

func newHanging(t *testing.T) *hanging {
	t.Helper()
	h, over := &hanging{}, make(chan struct{})
	h.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		h.came.Add(1)
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(h.Close)
	t.Cleanup(func() { close(over) })
	return h
}

func (h *hanging) awaitSome(t *testing.T, what string) {
	t.Helper()
	if !until(func() bool { return h.came.Load() > 0 }, nil) {
		t.Fatalf("%s do not come", what)
	}
}

// TestADatabaseThatHangsAtTheStart: a process that has not begun to serve can be
// stopped as well.
func TestADatabaseThatHangsAtTheStart(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("SQLite is never away")
	}
	p := newPlace(t, "FRONTDESK_STOP_TIMEOUT=2s")
	door := openDoor(t, p)
	door.shut("hanging")
	n := p.start("--demo")
	n.killed.Store(true) // it exits with 1, as nothing was served
	eventually(t, "it asks the database", door.isUsed)
	must(t, n.cmd.Process.Signal(syscall.SIGTERM))
	if code := n.await(); code == 0 {
		t.Errorf("exit %d: %s", code, n.log)
	}
}

// isUsed says whether somebody has come to the door.
func (d *door) isUsed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.conns) > 0
}

// TestProfilesAreServedWhereTheyAreAskedFor: the debug listener is there when it
// is asked for, on this machine alone, and not otherwise.
func TestProfilesAreServedWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	n := p.serve("--debug-listen", "127.0.0.1:0")
	_, rest, _ := strings.Cut(n.log.String(), `"debug_listen":"`)
	address, _, _ := strings.Cut(rest, `"`)
	res, err := n.client.Get(address + "goroutine?debug=1")
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	if res.StatusCode != http.StatusOK || !strings.Contains(string(text), "goroutine profile") {
		t.Errorf("got %s %.200s", res.Status, text)
	}
	if status := n.status("/debug/pprof/"); status != http.StatusNotFound {
		t.Errorf("customers are answered %d", status)
	}
	if got := p.run("serve", "--debug-listen", "0.0.0.0:6060"); got.code != 2 || !strings.Contains(got.err, "--debug-listen") || !strings.Contains(got.err, "loopback") {
		t.Errorf("an address that others reach: %+v", got)
	}
	n.stop()
	if quiet := p.serve(); strings.Contains(quiet.log.String(), "debug_listen") {
		t.Errorf("it listens without being asked to: %s", quiet.log)
	}
}
