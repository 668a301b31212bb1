package acceptance

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/api/apitest"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// binary is the program under test.
var binary string

// patience is how long a test waits for what must come soon, on a machine that
// is busy with other things.
const patience = 30 * time.Second

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "frontdesk-acceptance-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	// Other users may run it: a test does so, to be without root's rights.
	if err := os.Chmod(dir, 0o755); err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "frontdesk")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "frontdesk.dev/frontdesk/cmd/frontdesk")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
		return 1
	}
	defer shared.end()
	return m.Run()
}

// place is what an operator has before the first command: a data directory, a
// database, and settings.
type place struct {
	t        testing.TB
	data     string
	database string // empty: SQLite in data
	env      []string
	program  string // empty: the one under test
}

// masterKey lets several nodes share one PostgreSQL.
const masterKey = "FRONTDESK_MASTER_KEY=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// newPlace makes an empty one. Settings come as NAME=value; they hold for every
// command and process.
func newPlace(t testing.TB, settings ...string) *place {
	t.Helper()
	p := &place{t: t, data: filepath.Join(t.TempDir(), "data"), env: settings}
	if storetest.IsPostgres() {
		p.database = storetest.Unmigrated(t)
		p.env = append([]string{masterKey}, p.env...)
	}
	return p
}

// with is the same place as another test, or with other settings, sees it.
func (p *place) with(t testing.TB, settings ...string) *place {
	other := *p
	other.t, other.env = t, append(slices.Clip(p.env), settings...)
	return &other
}

// beside is a place of its own for another node on the same database, which is
// PostgreSQL: one process serves the embedded one.
func (p *place) beside(settings ...string) *place {
	p.t.Helper()
	if p.database == "" {
		p.t.Fatal("several nodes need PostgreSQL")
	}
	other := *p
	other.env = append(slices.Clip(p.env), settings...)
	other.data = filepath.Join(p.t.TempDir(), "data")
	return &other
}

// serveTwice starts two nodes. Where there can be only one, it is both.
func (p *place) serveTwice() []*node {
	p.t.Helper()
	first := p.serve()
	if p.database == "" {
		return []*node{first, first}
	}
	return []*node{first, p.beside().serve()}
}

// command is the program with its settings, and none of those that this
// process happens to have.
func (p *place) command(args ...string) *exec.Cmd {
	c := exec.Command(cmp.Or(p.program, binary), args...)
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "FRONTDESK_") {
			c.Env = append(c.Env, entry)
		}
	}
	c.Env = append(c.Env, "FRONTDESK_DATA="+p.data, "FRONTDESK_DATABASE="+p.database,
		"FRONTDESK_LISTEN=127.0.0.1:0", "FRONTDESK_LOG_FORMAT=json",
		// None of the tests is about the time that a question takes, and all of
		// them share a loaded machine; the ones that are say otherwise.
		"FRONTDESK_DATABASE_TIMEOUT=30s", "FRONTDESK_RATE_BURST=1000000",
		"FRONTDESK_CACHE="+pdftest.ProgramCacheDir())
	c.Env = append(c.Env, p.env...)
	return c
}

// printed is what a command left behind.
type printed struct {
	out, err string
	code     int
}

// run runs a command to its end.
func (p *place) run(args ...string) printed {
	p.t.Helper()
	return finish(p.t, p.command(args...))
}

func finish(t testing.TB, c *exec.Cmd) printed {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("running %v: %v", c.Args, err)
	}
	return printed{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

// ask runs a command that must succeed and decodes its JSON.
func ask[T any](p *place, args ...string) (value T) {
	p.t.Helper()
	got := p.run(append(args, "--json")...)
	if got.code != 0 {
		p.t.Fatalf("frontdesk %s: exit %d: %s", strings.Join(args, " "), got.code, got.err)
	}
	if err := json.Unmarshal([]byte(got.out), &value); err != nil {
		p.t.Fatalf("frontdesk %s printed no JSON: %v\n%s", strings.Join(args, " "), err, got.out)
	}
	return value
}

// key is what `key create --json` prints.
type key struct {
	ID       string   `json:"id"`
	Key      string   `json:"key"`
	Prefix   string   `json:"prefix"`
	Tenant   string   `json:"tenant"`
	Livemode bool     `json:"livemode"`
	Scopes   []string `json:"scopes"`
}

func (p *place) tenant(slug string, flags ...string) {
	p.t.Helper()
	ask[any](p, append([]string{"tenant", "create", slug}, flags...)...)
}

func (p *place) agent(tenant, slug string, flags ...string) {
	p.t.Helper()
	ask[any](p, append([]string{"agent", "create", "--tenant", tenant, "--slug", slug, "--vertical", "general", "--name", slug}, flags...)...)
}

func (p *place) key(tenant, mode string, flags ...string) key {
	p.t.Helper()
	return ask[key](p, append([]string{"key", "create", "--tenant", tenant, "--mode", mode}, flags...)...)
}

// node is a process that serves a place.
type node struct {
	t        testing.TB
	place    *place
	cmd      *exec.Cmd
	base     string // http://127.0.0.1:port
	out      *notes // standard output
	log      *notes // standard error
	document *apitest.Document
	text     []byte // of the document
	client   *http.Client
	ended    chan struct{}
	killed   *atomic.Bool // on purpose
}

// serve starts a process and returns when it is ready. It is stopped, and must
// stop well, when the test ends.
func (p *place) serve(flags ...string) *node {
	p.t.Helper()
	n := p.start(flags...)
	if !n.awaitReady() {
		p.t.Fatalf("the process did not become ready: %s", n.log)
	}
	return n
}

// in is the same node as another test, or a part of one, sees it.
func (n *node) in(t testing.TB) *node {
	other := *n
	other.t, other.place = t, n.place.with(t)
	return &other
}

// start starts a process and does not wait for it.
func (p *place) start(flags ...string) *node {
	p.t.Helper()
	n := &node{t: p.t, place: p, cmd: p.command(append([]string{"serve"}, flags...)...), out: &notes{}, log: &notes{}, ended: make(chan struct{}), killed: &atomic.Bool{}}
	n.cmd.Stdout, n.cmd.Stderr = n.out, n.log
	if err := n.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		n.cmd.Wait()
		close(n.ended)
	}()
	n.client = &http.Client{
		Timeout:       patience,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	p.t.Cleanup(func() {
		n.client.CloseIdleConnections()
		if code := n.stop(); code != 0 && !n.killed.Load() {
			p.t.Errorf("the process ended with %d: %s", code, n.log)
		}
	})
	return n
}

// awaitReady waits for the line that says where the process listens.
func (n *node) awaitReady() bool {
	n.t.Helper()
	ready := func() bool {
		for line := range n.log.lines() {
			var entry struct{ Msg, Listen string }
			if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "ready" {
				n.base = "http://" + entry.Listen
				return true
			}
		}
		return false
	}
	if !until(ready, n.ended) {
		return false
	}
	got, err := n.client.Get(n.base + "/v1/openapi.json")
	if err != nil {
		n.t.Fatal(err)
	}
	defer got.Body.Close()
	if n.text, err = io.ReadAll(got.Body); err != nil {
		n.t.Fatal(err)
	}
	if n.document, err = apitest.Load(n.text); err != nil {
		n.t.Fatalf("openapi.json: %v", err)
	}
	return true
}

// stop asks the process to end and returns its exit code.
func (n *node) stop() int {
	n.cmd.Process.Signal(syscall.SIGTERM) // it may have gone already
	return n.await()
}

// kill ends the process without asking.
func (n *node) kill() {
	n.killed.Store(true)
	n.cmd.Process.Kill()
	n.await()
}

func (n *node) await() int {
	n.t.Helper()
	select {
	case <-n.ended:
		return n.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		n.cmd.Process.Kill()
		n.t.Errorf("the process does not end: %s", n.log)
		return -1
	}
}

// notes is what a process writes; it can be read meanwhile.
type notes struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(b)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.String()
}

func (n *notes) lines() func(func(string) bool) { return strings.Lines(n.String()) }

// until polls a condition until it holds, patience ends, or ended is closed.
func until(holds func() bool, ended <-chan struct{}) bool {
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if holds() {
			return true
		}
		select {
		case <-tick.C:
		case <-ended:
			return holds()
		case <-deadline:
			return false
		}
	}
}

// eventually is until with more patience.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for range 10 {
		if until(holds, nil) {
			return
		}
	}
	t.Fatalf("it did not come to be: %s", what)
}

// reply is an answer that has been read whole.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) String() string {
	const enough = 500
	return fmt.Sprintf("%d %s", r.status, r.body[:min(len(r.body), enough)])
}

// do sends a request ("GET /calls?limit=3", relative to /v1) and holds the
// answer against the description. Headers come as "Name: value".
func (n *node) do(operation, key, body string, headers ...string) reply {
	n.t.Helper()
	got, err := n.try(operation, key, body, headers...)
	if err != nil {
		n.t.Fatalf("%s: %v", operation, err)
	}
	return got
}

// try is do for tests in which a request may fail, from any goroutine.
func (n *node) try(operation, key, body string, headers ...string) (reply, error) {
	method, path, _ := strings.Cut(operation, " ")
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequest(method, n.base+"/v1"+path, reader)
	if err != nil {
		return reply{}, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	if strings.HasPrefix(operation, upload) && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "text/plain")
	}
	res, err := n.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return reply{}, err
	}
	if problem := n.document.CheckAnswer(method, req.URL.Path, res, text); problem != nil {
		n.t.Errorf("%s breaks the description: %v\n%d %s", operation, problem, res.StatusCode, text)
	}
	return reply{res.StatusCode, res.Header, text}, nil
}

// get decodes the answer to a GET, which must be 200.
func get[T any](n *node, path, key string) (value T) {
	n.t.Helper()
	got := n.do("GET "+path, key, "")
	if got.status != http.StatusOK {
		n.t.Fatalf("GET %s: %s", path, got)
	}
	decode(n.t, got.body, &value)
	return value
}

func decode(t testing.TB, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// failure is what stands in the error envelope.
type failure struct {
	Type, Code, Message string
	Param               *string
	RequestID           string `json:"request_id"`
}

func (r reply) failure(t testing.TB) failure {
	t.Helper()
	var envelope struct{ Error failure }
	decode(t, r.body, &envelope)
	return envelope.Error
}

// refuses demands an error with a status and a code.
func (r reply) refuses(t testing.TB, status int, code string) failure {
	t.Helper()
	f := r.failure(t)
	if r.status != status || f.Code != code {
		t.Errorf("got %s, want %d %s", r, status, code)
	}
	return f
}

// param spells a failure's parameter, "" for none.
func (f failure) param() string {
	if f.Param == nil {
		return ""
	}
	return *f.Param
}

// The resources, as an integrator would write them down.
type (
	call struct {
		ID              string         `json:"id"`
		Object          string         `json:"object"`
		StartedAt       time.Time      `json:"started_at"`
		DurationSeconds int            `json:"duration_seconds"`
		Language        string         `json:"language"`
		Outcome         string         `json:"outcome"`
		Channel         string         `json:"channel"`
		Summary         map[string]any `json:"summary"`
		Transcript      map[string]any `json:"transcript"`
	}
	capture struct {
		ID               string    `json:"id"`
		Object           string    `json:"object"`
		Source           string    `json:"source"`
		Kind             string    `json:"kind"`
		CustomerName     string    `json:"customer_name"`
		CustomerPhone    string    `json:"customer_phone"`
		ScheduledAt      *string   `json:"scheduled_at"`
		Service          string    `json:"service"`
		ConfirmationCode string    `json:"confirmation_code"`
		Status           string    `json:"status"`
		CreatedAt        time.Time `json:"created_at"`
	}
	list[T any] struct {
		Object            string  `json:"object"`
		Data              []T     `json:"data"`
		HasMore           bool    `json:"has_more"`
		NextStartingAfter *string `json:"next_starting_after"`
	}
)

// walk pages through a list to its end. The path has its filters already.
func walk[T any](n *node, path, key string, limit int) (all []T) {
	n.t.Helper()
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	after := ""
	for {
		page := get[list[T]](n, fmt.Sprintf("%s%slimit=%d%s", path, sign, limit, after), key)
		if page.HasMore != (page.NextStartingAfter != nil) || len(page.Data) > limit || page.HasMore && len(page.Data) < limit {
			n.t.Fatalf("%s: a page of %d has %d items, has_more %t, next_starting_after %v", path, limit, len(page.Data), page.HasMore, page.NextStartingAfter)
		}
		all = append(all, page.Data...)
		if !page.HasMore {
			return all
		}
		after = "&starting_after=" + *page.NextStartingAfter
	}
}

// showroom is a demo that serves, with the keys it printed.
type showroom struct {
	*node
	live, test string
}

// noon is the instant of every demo that does not ask for another: a day on
// which no zone in these tests is near midnight, three weeks after a day of 25
// hours in Europe.
const noon = "2026-11-14T09:30:00Z"

// demo opens a demo of the test's own.
func demo(t testing.TB, p *place) *showroom {
	t.Helper()
	return enter(t, p.serve("--demo"))
}

func enter(t testing.TB, n *node) *showroom {
	t.Helper()
	s := &showroom{node: n}
	for word := range strings.FieldsSeq(n.out.String()) {
		_, value, _ := strings.Cut(word, "=")
		switch {
		case strings.HasPrefix(value, "svc_live_"):
			s.live = value
		case strings.HasPrefix(value, "svc_test_"):
			s.test = value
		}
	}
	if s.live == "" || s.test == "" {
		t.Fatalf("the demo printed no keys: %s", n.out)
	}
	return s
}

// lookAround gives a test the demo that all tests share. Nothing may be changed
// in it, other than by adding tenants and keys.
func lookAround(t testing.TB) *showroom {
	t.Helper()
	return shared.open(t).in(t)
}

// in is the same showroom as another test, or a part of one, sees it.
func (s *showroom) in(t testing.TB) *showroom { return &showroom{s.node.in(t), s.live, s.test} }

// shared is the demo that lookAround gives. It outlives every test.
var shared lasting

// lasting stands in for the test that a world belongs to when it belongs to all
// of them.
type lasting struct {
	testing.TB
	once     sync.Once
	showroom *showroom
	trouble  string
	undo     []func()
}

func (l *lasting) open(t testing.TB) *showroom {
	t.Helper()
	l.once.Do(func() {
		done := make(chan struct{})
		go func() { // Fatal ends the goroutine it is called on
			defer close(done)
			l.showroom = demo(l, newPlace(l, "FRONTDESK_NOW="+noon))
		}()
		<-done
	})
	if l.showroom == nil {
		t.Fatalf("the shared demo is not there: %s", l.trouble)
	}
	return l.showroom
}

func (l *lasting) Helper()          {}
func (l *lasting) Cleanup(f func()) { l.undo = append(l.undo, f) }

func (l *lasting) TempDir() string {
	dir, err := os.MkdirTemp("", "frontdesk-acceptance-")
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (l *lasting) Errorf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "the shared demo: "+format+"\n", args...)
}

func (l *lasting) Fatal(args ...any) { l.Fatalf("%s", fmt.Sprint(args...)) }

func (l *lasting) Fatalf(format string, args ...any) {
	l.trouble = fmt.Sprintf(format, args...)
	runtime.Goexit() // as a test would: go no further
}

func (l *lasting) end() {
	for _, undo := range slices.Backward(l.undo) {
		undo()
	}
}

// operation is a row of the description.
type operation struct {
	method, path string
	scope        string   // "" for none
	anyScope     []string // one of these is enough, in place of scope
	liveOnly     bool
	public       bool
}

// operations reads all of them from openapi.json.
func (n *node) operations() (all []operation) {
	n.t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			Scope    *string  `json:"x-required-scope"`
			AnyScope []string `json:"x-any-scope"`
			LiveOnly bool     `json:"x-live-only"`
			Security []any    `json:"security"`
		} `json:"paths"`
	}
	decode(n.t, n.text, &document)
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(document.Paths[path])) {
			o := document.Paths[path][method]
			row := operation{method: strings.ToUpper(method), path: path, anyScope: o.AnyScope, liveOnly: o.LiveOnly, public: len(o.Security) == 0}
			if o.Scope != nil {
				row.scope = *o.Scope
			}
			all = append(all, row)
		}
	}
	return all
}

func (o operation) String() string { return o.method + " " + o.path }

// at fills the parameters of the path in.
func (o operation) at(values map[string]string) string {
	path := o.path
	for name, value := range values {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	switch o.String() {
	case upload:
		path += "?filename=note.txt"
	case "GET /agents/{slug}/availability", "GET /agents/{slug}/agenda":
		path += "?from=2026-11-16&to=2026-11-23"
	}
	return o.method + " " + path
}

// upload is the one operation whose body is a file.
const upload = "POST /knowledge/documents"

// harmless is a body that changes nothing where a body is needed.
func (o operation) harmless(c capture) string {
	switch {
	case o.method == http.MethodGet:
		return ""
	case o.String() == "POST /captures":
		return `{"agent":"casa-lola","customer_name":"Sam"}`
	case strings.HasSuffix(o.path, "/change"):
		return `{"force":true}`
	case strings.HasSuffix(o.path, "/additional-events"):
		return `{"events":[]}`
	case strings.HasPrefix(o.path, "/captures"):
		return fmt.Sprintf(`{"status":%q}`, c.Status)
	case o.String() == "POST /connections":
		return `{"name":"CRM","url":"https://crm.example.com/","events":["call.completed"]}`
	case o.String() == "PATCH /connections/{connection_id}":
		return `{"name":"CRM"}`
	case o.String() == "POST /knowledge/test":
		return `{"question":"Where can I park?"}`
	case o.String() == upload:
		return "Guests park behind the house.\n"
	}
	return `{}`
}

// success is the status of an answer that is none of an error.
func (o operation) success() int {
	if o.String() == "POST /connections" || o.String() == "POST /captures" || o.String() == upload {
		return http.StatusCreated
	}
	return http.StatusOK
}

// wire is a connection on which a test speaks HTTP by hand.
type wire struct {
	net.Conn
	reader *bufio.Reader
}

func (n *node) dial() *wire {
	n.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(n.base, "http://"))
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		n.t.Fatal(err)
	}
	return &wire{c, bufio.NewReader(c)}
}

func (n *node) say(w *wire, lines string) {
	n.t.Helper()
	if _, err := io.WriteString(w, lines); err != nil {
		n.t.Fatal(err)
	}
}

// hear reads one answer.
func (n *node) hear(w *wire) reply {
	n.t.Helper()
	res, err := http.ReadResponse(w.reader, nil)
	if err != nil {
		n.t.Fatalf("reading an answer: %v", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		n.t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, body}
}

// atOnce runs work for every number below count, all at the same time.
func atOnce(count int, work func(i int)) {
	var group sync.WaitGroup
	for i := range count {
		group.Go(func() { work(i) })
	}
	group.Wait()
}

// projected maps a list.
func projected[T, V any](all []T, of func(T) V) []V {
	out := make([]V, len(all))
	for i, v := range all {
		out[i] = of(v)
	}
	return out
}

// kept filters a list.
func kept[T any](all []T, keep func(T) bool) (out []T) {
	for _, v := range all {
		if keep(v) {
			out = append(out, v)
		}
	}
	return out
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// bounded is a context that ends before the test binary's own patience does.
func bounded(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}
