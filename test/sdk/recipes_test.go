package sdk

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/signature"
)

const recipesDir = "../../docs/recipes"

// TestRecipes runs the programs of docs/recipes against one service. One after the
// other: each is told of all that happens while it is connected.
func TestRecipes(t *testing.T) {
	t.Parallel()
	r := newRelay(t)
	s := serve(t, "FRONTDESK_WEBHOOK_ALLOW="+r.URL)
	t.Run("crm", func(t *testing.T) { tryCRM(t, s, r) })
	t.Run("spreadsheet", func(t *testing.T) { trySpreadsheet(t, s) })
	t.Run("urgent", func(t *testing.T) { tryUrgent(t, s, r) })
	t.Run("n8n", func(t *testing.T) { tryN8N(t, s, r) })
	t.Run("zapier", func(t *testing.T) { tryZapier(t, s, r) })
	t.Run("booking", func(t *testing.T) { tryBooking(t, s) })
	t.Run("export", func(t *testing.T) { tryExport(t, s) })
}

// pythonRecipe is a program of docs/recipes in Python, with what it needs of the
// environment.
func pythonRecipe(t *testing.T, s service, file string, env ...string) *exec.Cmd {
	t.Helper()
	pythons := found(t, "find-python")
	if len(pythons) == 0 {
		t.Skip("NOT COVERED: there is no Python of 3.10 or later here")
	}
	source, err := filepath.Abs("../../sdk/python/src")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(pythons[len(pythons)-1], "-W", "error", filepath.Join(recipesDir, file))
	c.Env = append(recipeEnv(s, env), "PYTHONPATH="+source, "PYTHONDONTWRITEBYTECODE=1")
	return c
}

// nodeRecipe is one for Node, beside the SDK as it is packed. newest is for what
// the oldest Node that the SDK works with does not run.
func nodeRecipe(t *testing.T, s service, newest bool, file string, env ...string) *exec.Cmd {
	t.Helper()
	nodes := found(t, "find-node")
	if len(nodes) == 0 || newest && len(nodes) < 2 {
		t.Skip("NOT COVERED: there is no Node here, or no later one than 20")
	}
	dir, err := packed()
	if err != nil {
		t.Fatal(err)
	}
	if dir == "" {
		t.Skip("NOT COVERED: the TypeScript compiler is not here (scripts/find-npm --install typescript)")
	}
	node := nodes[0]
	if newest {
		node = nodes[len(nodes)-1]
	}
	c := exec.Command(node, filepath.Join(dir, file))
	c.Env = recipeEnv(s, env)
	return c
}

func recipeEnv(s service, env []string) []string {
	var clean []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "FRONTDESK_") {
			clean = append(clean, entry)
		}
	}
	return append(append(clean, "FRONTDESK_BASE_URL="+s.url, "FRONTDESK_API_KEY="+s.key, "PORT=0"), env...)
}

// listening starts a program that receives, and returns its address. It ends with
// the test, or when stop is called.
func listening(t *testing.T, c *exec.Cmd) (url string, stop func()) {
	t.Helper()
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		c.Process.Kill()
		c.Wait()
		if t.Failed() {
			t.Logf("%s: %s", filepath.Base(c.Args[len(c.Args)-1]), &said)
		}
	})
	t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		c.Wait()
		t.Fatalf("%s does not listen: %q, %v\n%s", c.Args, line, err, &said)
	}
	return url, stop
}

// printed runs a program to its end and returns what it prints.
func printed(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", c.Args, err, out, &said)
	}
	return string(out)
}

// relay is where the service delivers to. It hands deliveries on to programs that
// begin after the service, which must know beforehand where it may deliver to.
type relay struct {
	*httptest.Server
	mu      sync.Mutex
	targets map[string]string
	arrived chan arrival
}

// arrival is a delivery, and how the program answered it.
type arrival struct {
	header http.Header
	body   []byte
	status int
}

func newRelay(t *testing.T) *relay {
	r := &relay{targets: map[string]string{}, arrived: make(chan arrival, 1000)}
	r.Server = httptest.NewServer(http.HandlerFunc(r.take))
	t.Cleanup(r.Close)
	return r
}

func (r *relay) take(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	target := r.targets[q.URL.Path]
	r.mu.Unlock()
	a := arrival{header: q.Header.Clone(), body: body, status: http.StatusBadGateway}
	if target != "" {
		if status, err := a.post(target); err == nil {
			a.status = status
		}
	}
	w.WriteHeader(a.status)
	r.arrived <- a
}

// to hands what is delivered at a path on to a program; to none where it is empty.
func (r *relay) to(path, target string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.targets[path] = target
}

// next waits for the next delivery that matches, and passes over others.
func (r *relay) next(t *testing.T, what string) arrival {
	t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case a := <-r.arrived:
			if strings.Contains(string(a.body), what) {
				return a
			}
		case <-late:
			t.Fatalf("nothing that contains %s is delivered", what)
		}
	}
}

func (a arrival) post(target string) (int, error) {
	request, err := http.NewRequest(http.MethodPost, target, bytes.NewReader(a.body))
	if err != nil {
		return 0, err
	}
	for _, name := range []string{"Content-Type", signature.HeaderID, signature.HeaderTimestamp, signature.HeaderSignature} {
		request.Header.Set(name, a.header.Get(name))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// again sends a delivery once more, and holds the program to its answer.
func (a arrival) again(t *testing.T, target string, want int) {
	t.Helper()
	if status, err := a.post(target); err != nil || status != want {
		t.Errorf("%s, once more: %d, %v, want %d", a.header.Get(signature.HeaderID), status, err, want)
	}
}

// resigned is another delivery with this body, signed now.
func resigned(t *testing.T, secret, id string, body []byte) arrival {
	t.Helper()
	now := time.Now()
	text, err := signature.Sign(secret, id, now, body)
	if err != nil {
		t.Fatal(err)
	}
	a := arrival{header: http.Header{}, body: body}
	a.header.Set(signature.HeaderID, id)
	a.header.Set(signature.HeaderTimestamp, fmt.Sprint(now.Unix()))
	a.header.Set(signature.HeaderSignature, text)
	return a
}

// connect makes a connection to a path of the relay, and returns its secret.
func (s service) connect(t *testing.T, r *relay, path string, events []string, additional ...string) string {
	t.Helper()
	var made struct {
		Connection struct{ ID, Secret string }
	}
	s.do(t, http.MethodPost, "/connections", map[string]any{"name": path, "url": r.URL + path, "events": events}, &made)
	t.Cleanup(func() {
		var gone any
		s.do(t, http.MethodDelete, "/connections/"+made.Connection.ID, nil, &gone)
	})
	if len(additional) > 0 {
		var changed any
		s.do(t, http.MethodPut, "/connections/"+made.Connection.ID+"/additional-events", map[string]any{"events": additional}, &changed)
	}
	return made.Connection.Secret
}

// write writes a capture down, and returns its id.
func (s service) write(t *testing.T, fields map[string]any) string {
	t.Helper()
	fields["agent"] = "dental-la-plaza"
	var made struct{ Capture struct{ ID string } }
	s.do(t, http.MethodPost, "/captures", fields, &made)
	return made.Capture.ID
}

// say holds a conversation of one sentence, and returns the id of the call.
func (s service) say(t *testing.T, text string) string {
	t.Helper()
	var begun struct {
		Conversation struct{ ID, Token string }
	}
	s.talk(t, "/web/demo/dental-la-plaza/conversations", "", `{"language": "en"}`, &begun)
	c := begun.Conversation
	var answer any
	s.talk(t, "/web/conversations/"+c.ID+"/messages", c.Token, fmt.Sprintf(`{"text": %q}`, text), &answer)
	s.talk(t, "/web/conversations/"+c.ID+"/end", c.Token, "", &answer)
	return c.ID
}

var fence = regexp.MustCompile("^```[a-z]+ ([a-z0-9]+/[a-z0-9.]+)\n$")

// TestRecipePages holds the pages to the programs beside them: each is shown, whole.
func TestRecipePages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(recipesDir, "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("there are no pages: %v", err)
	}
	list, err := os.ReadFile(filepath.Join(recipesDir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if base := filepath.Base(name); base != "README.md" && !bytes.Contains(list, []byte("("+base+")")) {
			t.Errorf("docs/recipes/README.md does not list %s", base)
		}
		want, files := withPrograms(t, string(text))
		shown = append(shown, files...)
		if *update {
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if string(text) != want {
			t.Errorf("%s does not show the program beside it (run: go test ./test/sdk -run TestRecipePages -update)", name)
		}
	}
	programs, err := filepath.Glob(filepath.Join(recipesDir, "*", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range programs {
		file, _ := filepath.Rel(recipesDir, file)
		if ext := filepath.Ext(file); ext != ".json" && ext != ".mod" && !slices.Contains(shown, file) {
			t.Errorf("no page shows %s", file)
		}
	}
}

// withPrograms returns a page with the files that its blocks of code name, and the
// names of these.
func withPrograms(t *testing.T, page string) (string, []string) {
	t.Helper()
	var out strings.Builder
	var files []string
	inside := false
	for line := range strings.Lines(page) {
		if inside && line != "```\n" {
			continue
		}
		inside = false
		out.WriteString(line)
		if m := fence.FindStringSubmatch(line); m != nil {
			text, err := os.ReadFile(filepath.Join(recipesDir, m[1]))
			if err != nil {
				t.Fatal(err)
			}
			out.Write(text)
			files = append(files, m[1])
			inside = true
		}
	}
	return out.String(), files
}
