package sdk

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/signature"
)

// pagesKind is the kind of the captures that three-pages goes through.
const pagesKind = "conformance"

// uploadSize is the size of the largest document that there can be.
const uploadSize = 10 << 20

// result is what a program prints of a scenario.
type result struct {
	Scenario string `json:"scenario"`
	OK       bool   `json:"ok"`
	Detail   string `json:"detail"`

	CaptureID     string          `json:"capture_id"`
	IDs           []string        `json:"ids"`
	DocumentID    string          `json:"document_id"`
	SizeBytes     int             `json:"size_bytes"`
	Error         string          `json:"error"`
	Results       map[string]bool `json:"results"`
	Status        any             `json:"status"`
	Type          string          `json:"type"`
	Code          string          `json:"code"`
	RequestID     string          `json:"request_id"`
	Kind          string          `json:"kind"`
	Future        any             `json:"future"`
	AttemptsError int             `json:"attempts_error"`
	RetryAfter    float64         `json:"retry_after"`
}

// trial is one run of a program.
type trial struct {
	language language
	service  service
	proxy    *proxy
	hooks    hooks
	prepared *prepared
	results  map[string]result
}

// prepared is what all programs find.
type prepared struct {
	upload string   // the large file
	digest string   // of it
	before []string // captures that were there
	pages  []string // captures of pagesKind, newest first
}

func TestConformance(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := prepare(t, s)
	ran := 0
	t.Cleanup(func() {
		// One by unavailable-twice and one by reset-in-post, and no other.
		if made := len(s.captures(t, "")) - len(p.before); !t.Failed() && made != 2*ran {
			t.Errorf("%d programs made %d captures, want 2 each", ran, made)
		}
	})
	for _, l := range languages(t) {
		c := l.command(t, "conformance")
		if c == nil {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			ran++
			t.Parallel()
			tr := &trial{language: l, service: s, proxy: behind(t, s), hooks: signed(t), prepared: p}
			c.Env = append(c.Environ(), "FRONTDESK_BASE_URL="+tr.proxy.url, "FRONTDESK_API_KEY="+s.key,
				"CONFORMANCE_WEBHOOK="+tr.hooks.write(t), "CONFORMANCE_UPLOAD="+p.upload)
			var said bytes.Buffer
			c.Stderr = &said
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, out, &said)
			}
			t.Logf("%s took %v of processor time", l.name, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
			if strings.Contains(string(out)+said.String(), s.key) {
				t.Error("the program prints the key")
			}
			tr.read(t, out)
			for scenario, check := range checks {
				t.Run(scenario, func(t *testing.T) { tr.check(t, scenario, check) })
			}
			tr.headers(t)
		})
	}
}

// largeFile writes the file that is uploaded, and returns its digest. It is nearly
// empty, so that the service has little to read.
func largeFile(t *testing.T) (name, digest string) {
	t.Helper()
	text := bytes.Repeat([]byte{' '}, uploadSize)
	for at := 0; at < uploadSize; at += 64 << 10 {
		copy(text[at:], "\nPart "+strconv.Itoa(at>>16)+".\n")
	}
	name = filepath.Join(t.TempDir(), "large.txt")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return name, hex.EncodeToString(sum[:])
}

// prepare makes the captures that are listed page by page, and the file.
func prepare(t *testing.T, s service) *prepared {
	t.Helper()
	p := &prepared{}
	p.upload, p.digest = largeFile(t)
	var agents struct{ Agents []struct{ Slug string } }
	s.do(t, http.MethodGet, "/agents", nil, &agents)
	for i := range 5 {
		var made struct{ Capture struct{ ID string } }
		s.do(t, http.MethodPost, "/captures", map[string]any{
			"agent": agents.Agents[0].Slug, "kind": pagesKind, "customer_name": "Page " + strconv.Itoa(i),
		}, &made)
		p.pages = slices.Insert(p.pages, 0, made.Capture.ID)
	}
	p.before = s.captures(t, "")
	return p
}

func (tr *trial) read(t *testing.T, out []byte) {
	t.Helper()
	tr.results = map[string]result{}
	for line := range bytes.Lines(out) {
		var r result
		if err := json.Unmarshal(line, &r); err != nil {
			t.Errorf("the program printed %q: %v", line, err)
			continue
		}
		if _, twice := tr.results[r.Scenario]; twice || checks[r.Scenario] == nil {
			t.Errorf("the program printed %q twice, or it is no scenario", r.Scenario)
		}
		tr.results[r.Scenario] = r
	}
}

func (tr *trial) check(t *testing.T, scenario string, check func(*testing.T, *trial, result, []*attempt)) {
	r, ok := tr.results[scenario]
	if !ok {
		t.Fatal("the program printed nothing about it")
	}
	if !r.OK {
		t.Fatalf("the program says that it failed: %s", r.Detail)
	}
	check(t, tr, r, tr.proxy.attempts(scenario))
}

// headers holds every request to what all of them have, and the attempts of each
// POST to one key.
func (tr *trial) headers(t *testing.T) {
	keys := map[string]string{} // scenario, by Idempotency-Key
	for scenario := range checks {
		of := map[string]bool{}
		for _, a := range tr.proxy.attempts(scenario) {
			if a.bearer != "Bearer "+tr.service.key {
				t.Errorf("%s: a request without the key", scenario)
			}
			if !strings.HasPrefix(a.agent, tr.language.agent) {
				t.Errorf("%s: User-Agent is %q, want %s…", scenario, a.agent, tr.language.agent)
			}
			if a.method != http.MethodPost {
				continue
			}
			if other := keys[a.key]; a.key == "" || other != "" && other != scenario {
				t.Errorf("%s: a POST with the Idempotency-Key %q, which %q had", scenario, a.key, other)
			}
			keys[a.key], of[a.key] = scenario, true
		}
		if scenario != "upload" && len(of) > 1 {
			t.Errorf("%s: %d Idempotency-Keys for one request", scenario, len(of))
		}
	}
}

// checks hold a scenario against what was prepared and what the proxy saw.
var checks = map[string]func(t *testing.T, tr *trial, r result, seen []*attempt){
	"rate-limited": func(t *testing.T, _ *trial, _ result, seen []*attempt) {
		times(t, seen, 2)
		if waited := seen[1].at.Sub(seen[0].at); waited < time.Second {
			t.Errorf("it waited %v, less than Retry-After says", waited)
		}
	},
	"unavailable-twice": func(t *testing.T, tr *trial, r result, seen []*attempt) {
		times(t, seen, 3)
		tr.isMade(t, r.CaptureID)
	},
	"reset-in-post": func(t *testing.T, tr *trial, r result, seen []*attempt) {
		times(t, seen, 2)
		tr.isMade(t, r.CaptureID)
		if seen[0].status != http.StatusCreated || seen[1].replayed != "true" {
			t.Errorf("the first was answered %d and the second was replayed: %q", seen[0].status, seen[1].replayed)
		}
	},
	"three-pages": func(t *testing.T, tr *trial, r result, seen []*attempt) {
		times(t, seen, 3)
		if !slices.Equal(r.IDs, tr.prepared.pages) {
			t.Errorf("it found %q, want %q", r.IDs, tr.prepared.pages)
		}
	},
	"upload": func(t *testing.T, tr *trial, r result, seen []*attempt) {
		times(t, seen, 1)
		if seen[0].digest() != tr.prepared.digest {
			t.Error("what was sent is not the file")
		}
		var found struct {
			Document struct {
				SizeBytes int `json:"size_bytes"`
			}
		}
		tr.service.do(t, http.MethodGet, "/knowledge/documents/"+r.DocumentID, nil, &found)
		if found.Document.SizeBytes != uploadSize || r.SizeBytes != uploadSize {
			t.Errorf("it has %d bytes, and the program says %d", found.Document.SizeBytes, r.SizeBytes)
		}
	},
	"timeout": func(t *testing.T, _ *trial, r result, seen []*attempt) {
		times(t, seen, 1)
		if r.Error == "" {
			t.Error("the program names no error")
		}
	},
	"rotated-secret": func(t *testing.T, tr *trial, r result, _ []*attempt) {
		want := map[string]bool{}
		for _, c := range tr.hooks.Cases {
			want[c.Name] = c.OK
		}
		if !maps.Equal(r.Results, want) {
			t.Errorf("it found %v, want %v", r.Results, want)
		}
	},
	"error-with-request-id": func(t *testing.T, _ *trial, r result, seen []*attempt) {
		times(t, seen, 1)
		if r.Status != 404.0 || r.Type != "invalid_request_error" || r.Code != "not_found" {
			t.Errorf("it found %v, %s, %s", r.Status, r.Type, r.Code)
		}
		if r.RequestID == "" || r.RequestID != seen[0].requestID {
			t.Errorf("it found request %q, the answer was to %q", r.RequestID, seen[0].requestID)
		}
	},
	"unknown-enum": func(t *testing.T, _ *trial, r result, _ []*attempt) {
		if r.Status != unknownStatus || r.Kind != unknownKind || r.Future != unknownField {
			t.Errorf("it found %v, %s, %v", r.Status, r.Kind, r.Future)
		}
	},
	"retry-gives-up": func(t *testing.T, _ *trial, r result, seen []*attempt) {
		times(t, seen, 3)
		if r.AttemptsError != http.StatusServiceUnavailable {
			t.Errorf("the error has status %d", r.AttemptsError)
		}
	},
	"long-retry-after": func(t *testing.T, _ *trial, r result, seen []*attempt) {
		times(t, seen, 1)
		if r.RetryAfter != 3600 {
			t.Errorf("the error says to wait %v s", r.RetryAfter)
		}
	},
	"cancelled": func(t *testing.T, _ *trial, r result, seen []*attempt) {
		if r.Detail != "not applicable" {
			times(t, seen, 1)
		}
	},
}

func times(t *testing.T, seen []*attempt, want int) {
	t.Helper()
	if len(seen) != want {
		t.Fatalf("there were %d requests, want %d", len(seen), want)
	}
}

// isMade says whether a capture is there that was not before.
func (tr *trial) isMade(t *testing.T, id string) {
	t.Helper()
	if slices.Contains(tr.prepared.before, id) || !slices.Contains(tr.service.captures(t, ""), id) {
		t.Errorf("%q is no new capture", id)
	}
}

// hooks are deliveries to verify.
type hooks struct {
	SecretOld string     `json:"secretOld"`
	SecretNew string     `json:"secretNew"`
	Cases     []hookCase `json:"cases"`
}

type hookCase struct {
	Name    string            `json:"name"`
	Body    string            `json:"body"`
	Headers map[string]string `json:"headers"`
	Secrets string            `json:"secrets"`
	OK      bool              `json:"ok"`
}

// signed returns deliveries as they come before, during and after a rotation, and
// as somebody else would send them.
func signed(t *testing.T) hooks {
	t.Helper()
	h := hooks{SecretOld: secret('o'), SecretNew: secret('n')}
	body := `{"id":"01a1cf42-4ce8-7250-9e38-9491c542872f","object":"event","type":"capture.created","api_version":"1.0.0",` +
		`"timestamp":"2026-11-12T10:16:31.208Z","livemode":true,"tenant":{"id":"019cad8f-ac00-7141-a16d-adb928ae5432","slug":"grupo-aurora"},` +
		`"agent":null,"data":{"object":{"id":"01a1cf42-4ce8-73d6-85a3-a72be55533f4","object":"capture","customer_name":"Lucía"}}}`
	now := time.Now()
	sign := func(secret string, at time.Time) string {
		text, err := signature.Sign(secret, "evt_1", at, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	add := func(name, secrets string, ok bool, at time.Time, signatures ...string) *hookCase {
		h.Cases = append(h.Cases, hookCase{Name: name, Body: body, Secrets: secrets, OK: ok, Headers: map[string]string{
			signature.HeaderID: "evt_1", signature.HeaderTimestamp: strconv.FormatInt(at.Unix(), 10),
			signature.HeaderSignature: strings.Join(signatures, " "),
		}})
		return &h.Cases[len(h.Cases)-1]
	}
	byOld, byNew := sign(h.SecretOld, now), sign(h.SecretNew, now)
	add("the old secret alone", "old", true, now, byOld)
	add("both sign, the receiver has the old", "old", true, now, byNew, byOld)
	add("both sign, the receiver has the new", "new", true, now, byNew, byOld)
	add("the new one signs, the receiver has both", "both", true, now, byNew)
	add("the old one signs, the receiver has both", "both", true, now, byOld)
	add("the new one signs, the receiver has the old", "old", false, now, byNew)
	add("a scheme of tomorrow beside", "new", true, now, "v2,"+strings.Repeat("A", 43)+"=", byNew)
	add("a scheme of tomorrow alone", "new", false, now, "v2,"+strings.TrimPrefix(byNew, "v1,"))
	add("no base64", "new", false, now, "v1,!")
	add("no signature", "new", false, now)
	add("six minutes old", "new", false, now.Add(-6*time.Minute), sign(h.SecretNew, now.Add(-6*time.Minute)))
	add("six minutes early", "new", false, now.Add(6*time.Minute), sign(h.SecretNew, now.Add(6*time.Minute)))
	add("two minutes old", "new", true, now.Add(-2*time.Minute), sign(h.SecretNew, now.Add(-2*time.Minute)))
	add("another body", "new", false, now, byNew).Body += " "
	add("another id", "new", false, now, byNew).Headers[signature.HeaderID] = "evt_2"
	add("no time", "new", false, now, byNew).Headers[signature.HeaderTimestamp] = "today"
	delete(add("no id", "new", false, now, byNew).Headers, signature.HeaderID)
	capitals := add("headers in capitals", "new", true, now, byNew)
	for name, value := range maps.Clone(capitals.Headers) {
		delete(capitals.Headers, name)
		capitals.Headers[strings.ToUpper(name)] = value
	}
	return h
}

func secret(letter byte) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{letter}, 32))
}

func (h hooks) write(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "webhook.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
