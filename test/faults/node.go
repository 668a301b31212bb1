package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Node is a process that serves a place.
type Node struct {
	t      testing.TB
	cmd    *exec.Cmd
	base   string // http://127.0.0.1:port
	log    *journal
	client *http.Client
	ended  chan struct{}
}

// Serve starts a process and returns when it is ready. It is gone when the test
// ends.
func (p *Place) Serve() *Node {
	p.t.Helper()
	n := &Node{
		t: p.t, cmd: p.command("serve"), log: &journal{}, ended: make(chan struct{}),
		client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
	}
	n.cmd.Stderr = n.log
	if err := n.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		n.cmd.Wait()
		close(n.ended)
	}()
	p.t.Cleanup(func() {
		n.client.CloseIdleConnections()
		n.Kill()
	})
	if !until(func() bool { return n.log.listens() != "" }, n.ended) {
		p.t.Fatalf("the process did not become ready: %s", n.log)
	}
	n.base = "http://" + n.log.listens()
	return n
}

// Base is where it listens.
func (n *Node) Base() string { return n.base }

// Process is the number of its process.
func (n *Node) Process() int { return n.cmd.Process.Pid }

// Kill ends the process without asking.
func (n *Node) Kill() {
	n.cmd.Process.Kill() // it may have gone already
	<-n.ended
}

// Stop asks the process to end and says how long it took. A process that is
// still there when the watchdog's time is up is killed, and the test fails.
func (n *Node) Stop(watchdog time.Duration) time.Duration {
	n.t.Helper()
	began := time.Now()
	n.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-n.ended:
		if code := n.cmd.ProcessState.ExitCode(); code != 0 {
			n.t.Errorf("a stop ended with %d: %s", code, n.log)
		}
	case <-time.After(watchdog):
		n.t.Errorf("the process did not stop in %v and was killed: %s", watchdog, n.log)
		n.Kill()
	}
	return time.Since(began)
}

// reply is an answer that has been read whole.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) String() string {
	const enough = 400
	return fmt.Sprintf("%d %s", r.status, r.body[:min(len(r.body), enough)])
}

// code is the code of an error, "" for none.
func (r reply) code() string {
	var envelope struct{ Error struct{ Code string } }
	if json.Unmarshal(r.body, &envelope) != nil {
		return ""
	}
	return envelope.Error.Code
}

// try sends a request ("GET /v1/calls"), from any goroutine. Headers come as
// "Name: value".
func (n *Node) try(client *http.Client, operation, bearer, body string, headers ...string) (reply, error) {
	method, path, _ := strings.Cut(operation, " ")
	req, err := http.NewRequest(method, n.base+path, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, text}, err
}

// do sends a request until it is answered with something else than "not now",
// and decodes the answer, which must be a success.
func (n *Node) do(into any, operation, bearer, body string) {
	n.t.Helper()
	var got reply
	answered := func() bool {
		var err error
		if got, err = n.try(n.client, operation, bearer, body); err != nil {
			n.t.Fatalf("%s: %v: %s", operation, err, n.log)
		}
		return !notNow(got)
	}
	if !until(answered, n.ended) || got.status >= 300 {
		n.t.Fatalf("%s: %s", operation, got)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(got.body, into); err != nil {
		n.t.Fatalf("%s: %v in %s", operation, err, got)
	}
}

// notNow says whether an answer asks to come again later.
func notNow(r reply) bool {
	return r.status == http.StatusServiceUnavailable || r.status == http.StatusTooManyRequests
}

// walk reads a list to its end.
func walk[T any](n *Node, path, key string) (all []T) {
	n.t.Helper()
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	after := ""
	for {
		var page struct {
			Data []T
			Next *string `json:"next_starting_after"`
		}
		n.do(&page, "GET /v1"+path+sign+"limit=100"+after, key, "")
		all = append(all, page.Data...)
		if page.Next == nil {
			return all
		}
		after = "&starting_after=" + *page.Next
	}
}

// Connection is a connection as customers read it.
type Connection struct {
	ID, Name, URL, Status, Secret string
	DisabledReason                string `json:"disabled_reason"`
}

// Connect makes a connection and returns it, secret and all.
func (n *Node) Connect(key, name, url string, events ...string) Connection {
	n.t.Helper()
	body, err := json.Marshal(map[string]any{"name": name, "url": url, "events": events})
	if err != nil {
		n.t.Fatal(err)
	}
	var made struct{ Connection Connection }
	n.do(&made, "POST /v1/connections", key, string(body))
	return made.Connection
}

// journal is what a process logs: where it listens, and the end of the rest.
type journal struct {
	mu   sync.Mutex
	line []byte
	tail []byte
	at   string
}

// Write takes a part of the log.
func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	const enough = 16 << 10
	if j.tail = append(j.tail, b...); len(j.tail) > 2*enough {
		j.tail = append([]byte(nil), j.tail[len(j.tail)-enough:]...)
	}
	for j.line = append(j.line, b...); j.at == ""; {
		line, rest, whole := bytes.Cut(j.line, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		var entry struct{ Msg, Listen string }
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "ready" {
			j.at = entry.Listen
		}
		j.line = rest
	}
	j.line = nil
	return len(b), nil
}

// listens is the address of a process that is ready.
func (j *journal) listens() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.at
}

// String is the end of the log.
func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	const enough = 4 << 10
	return string(j.tail[max(0, len(j.tail)-enough):])
}
