package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// desk is an installation of its own on which a test runs the real program.
type desk struct {
	t    *testing.T
	data string
	env  []string
}

// newDesk is one whose database is migrated.
func newDesk(t *testing.T, env ...string) *desk {
	d := bareDesk(t, env...)
	if !storetest.IsPostgres() {
		makeDirectory(t, d.data)
		storetest.WriteSQLite(t, filepath.Join(d.data, "frontdesk.db"))
	}
	return d
}

// bareDesk is one where no command has run yet.
func bareDesk(t *testing.T, env ...string) *desk {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	env = append(env, "FRONTDESK_DATA="+data, "FRONTDESK_DATABASE_TIMEOUT=60s", "FRONTDESK_LISTEN=127.0.0.1:0",
		"FRONTDESK_CACHE="+pdftest.CacheDir())
	if storetest.IsPostgres() {
		env = append(env, "FRONTDESK_DATABASE="+storetest.Unmigrated(t))
	}
	return &desk{t: t, data: data, env: env}
}

// answer is what a run left behind.
type answer struct {
	code   int
	stdout string
	stderr string
}

func (d *desk) feed(stdin string, args ...string) answer {
	d.t.Helper()
	var stdout, stderr bytes.Buffer
	code := Main(d.t.Context(), args, strings.NewReader(stdin), &stdout, &stderr, d.env)
	return answer{code, stdout.String(), stderr.String()}
}

func (d *desk) run(args ...string) answer {
	d.t.Helper()
	return d.feed("", args...)
}

// must runs a command that has to succeed and returns what it printed.
func (d *desk) must(args ...string) string {
	d.t.Helper()
	a := d.run(args...)
	if a.code != 0 {
		d.t.Fatalf("%v: exit code %d\n%s", args, a.code, a.stderr)
	}
	return a.stdout
}

// read runs a command with --json and reads its answer.
func (d *desk) read(args ...string) map[string]any {
	d.t.Helper()
	return decode(d.t, d.must(append(args, "--json")...))
}

func decode(t *testing.T, text string) (value map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	return value
}

// first is the first entry of a list in an answer.
func first(t *testing.T, value map[string]any, list string) map[string]any {
	t.Helper()
	entries, _ := value[list].([]any)
	if len(entries) == 0 {
		t.Fatalf("%s is empty: %v", list, value)
	}
	return entries[0].(map[string]any)
}

func marshal(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// settings are those of the installation.
func (d *desk) settings() config.Settings {
	d.t.Helper()
	s, err := config.Load((&program{environ: d.env}).lookup)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// open opens the database of the installation.
func (d *desk) open() *store.Store {
	d.t.Helper()
	s, err := app.OpenStore(d.settings())
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { s.Close() })
	return s
}

func hold(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: %q is missing in\n%s", what, part, text)
		}
	}
}

func TestTheStory(t *testing.T) {
	d := newDesk(t)
	hold(t, "tenant create", d.must("tenant", "create", "casa-lola", "--name", "Casa Lola"), "Created the tenant casa-lola")
	d.must("agent", "create", "--tenant", "casa-lola", "--slug", "recepcion", "--vertical", "restaurant", "--name", "Recepción")
	hold(t, "agent list", d.must("agent", "list", "--tenant", "casa-lola"), "SLUG", "recepcion", "restaurant", "active", "es,en")
	hold(t, "agent pause", d.must("agent", "pause", "--tenant", "casa-lola", "recepcion"), "is paused")
	hold(t, "agent resume", d.must("agent", "resume", "--tenant", "casa-lola", "--agent", "recepcion"), "is active")

	key := d.read("key", "create", "--tenant", "casa-lola", "--mode", "live", "--expires", "90d", "--name", "crm")
	secret, id := key["key"].(string), key["id"].(string)
	list := d.must("key", "list", "--tenant", "casa-lola")
	hold(t, "key list", list, "svc_live_", "active", "crm", id)
	if strings.Contains(list, secret) {
		t.Error("key list shows the key")
	}

	turned := d.read("key", "rotate", id, "--grace", "1h")
	if turned["replaces"] != id || turned["key"] == secret || turned["old_key_ends_at"] == nil {
		t.Errorf("rotate: %v", turned)
	}
	hold(t, "key list", d.must("key", "list", "--tenant", "casa-lola"), "ending", "active")
	hold(t, "key revoke", d.must("key", "revoke", id), "Revoked")
	hold(t, "key list", d.must("key", "list", "--tenant", "casa-lola"), "revoked")
	hold(t, "rotating a revoked key", d.run("key", "rotate", id).stderr, "has ended")
}

func TestJSONShapes(t *testing.T) {
	d := bareDesk(t)
	tests := []struct {
		args []string
		list string // the answer is a list under this name
		keys string
	}{
		{[]string{"migrate"}, "", "applied database"},
		{[]string{"tenant", "create", "--slug", "acme", "--timezone", "UTC"}, "", "created_at id name plan slug timezone"},
		{[]string{"tenant", "list"}, "tenants", "created_at id name plan slug timezone"},
		{[]string{"agent", "create", "--tenant", "acme", "--slug", "a", "--vertical", "hotel", "--name", "A", "--languages", "en"}, "", "created_at display_name id languages slug status tenant timezone updated_at vertical"},
		{[]string{"agent", "list", "--tenant", "acme"}, "agents", "created_at display_name id languages slug status tenant timezone updated_at vertical"},
		{[]string{"agent", "show", "--tenant", "acme", "a"}, "", "agent"},
		{[]string{"agent", "pause", "--tenant", "acme", "a"}, "", "created_at display_name id languages slug status tenant timezone updated_at vertical"},
		{[]string{"key", "create", "--tenant", "acme", "--mode", "test"}, "", "id key livemode prefix scopes tenant"},
		{[]string{"key", "list", "--tenant", "acme"}, "keys", "created_at expires_at id last_used_at livemode name prefix revoked_at scopes status"},
		{[]string{"plan", "set", "--tenant", "acme", "--included-seconds", "0"}, "", "plan tenant"},
		{[]string{"plan", "show", "--tenant", "acme"}, "", "plan tenant"},
		{[]string{"version"}, "", "go platform version"},
	}
	for _, tt := range tests {
		value := d.read(tt.args...)
		if tt.list != "" {
			value = first(t, value, tt.list)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(value)), " "); got != tt.keys {
			t.Errorf("%v has the keys %s", tt.args, got)
		}
	}
}

func TestKeyCreateJSON(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	tenant := first(t, d.read("tenant", "list"), "tenants")
	key := d.read("key", "create", "--tenant", tenant["id"].(string), "--mode", "test", "--scopes", "usage:read,calls:read")
	scopes, _ := json.Marshal(key["scopes"])
	if key["tenant"] != "acme" || key["livemode"] != false || string(scopes) != `["calls:read","usage:read"]` {
		t.Errorf("got %v", key)
	}
	if !strings.HasPrefix(key["key"].(string), strings.TrimSuffix(key["prefix"].(string), "…")) {
		t.Errorf("the prefix does not fit: %v", key)
	}
}

func TestANewTenantHasASandbox(t *testing.T) {
	d := newDesk(t)
	id := frontdesk.ID(d.read("tenant", "create", "acme")["id"].(string))
	for _, live := range []bool{true, false} {
		calls, err := d.open().Calls(t.Context(), frontdesk.Owner{TenantID: id, Live: live}, frontdesk.CallFilter{}, frontdesk.Page{})
		if err != nil || (len(calls.Items) == 0) != live {
			t.Errorf("live %t: %d calls, %v", live, len(calls.Items), err)
		}
	}
}

func TestPlanSetChangesOnlyWhatIsGiven(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	before := d.read("plan", "show", "--tenant", "acme")["plan"].(map[string]any)
	d.must("plan", "set", "--tenant", "acme", "--overage", "block", "--max-document-bytes", "5")
	after := d.read("plan", "show", "--tenant", "acme")["plan"].(map[string]any)
	before["overage"], before["max_document_bytes"] = "block", 5.0
	if a, b := marshal(t, after), marshal(t, before); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
	hold(t, "no limit", d.must("plan", "set", "--tenant", "acme", "--included-seconds", "0"), "no limit")
}

func TestFlagsOverrideTheEnvironment(t *testing.T) {
	d := newDesk(t)
	other := filepath.Join(t.TempDir(), "other")
	d.must("tenant", "create", "acme", "--data", other, "--database", "")
	d.env = append([]string{"FRONTDESK_DATA=" + other, "FRONTDESK_DATABASE="}, d.env...)
	hold(t, "tenant list", d.must("tenant", "list"), "acme")
}

func TestFilesAreWhereWeLook(t *testing.T) {
	d := bareDesk(t)
	d.must("tenant", "list", "--database", "")
	s := d.settings()
	if _, err := os.Stat(s.DatabaseFile()); err != nil {
		t.Error(err)
	}
	if _, err := app.NewBox(s); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.MasterKeyFile()); err != nil {
		t.Error(err)
	}
}

func TestCompletion(t *testing.T) {
	d := bareDesk(t)
	hold(t, "before there is a database", d.must("__complete", "key", "list", "--tenant", ""), ":4")
	if _, err := os.Stat(d.data); err == nil {
		t.Error("completion made the data directory")
	}
	d.must("tenant", "create", "acme")
	d.must("agent", "create", "--tenant", "acme", "--slug", "front", "--vertical", "hotel", "--name", "A")
	tests := map[string]struct {
		args []string
		has  string
	}{
		"tenants":          {[]string{"key", "list", "--tenant", ""}, "acme\n"},
		"agents":           {[]string{"agent", "pause", "--tenant", "acme", ""}, "front\n"},
		"agents, by flag":  {[]string{"agent", "pause", "--tenant", "acme", "--agent", ""}, "front\n"},
		"verticals":        {[]string{"agent", "create", "--vertical", ""}, "real_estate\n"},
		"modes":            {[]string{"key", "create", "--mode", ""}, "live\ntest\n"},
		"scopes":           {[]string{"key", "create", "--scopes", ""}, "all\nagents:read\nagents:write\n"},
		"scopes of a test": {[]string{"key", "create", "--mode", "test", "--scopes", ""}, "all\nagents:read\ncalls:read\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			hold(t, "completion", d.must(append([]string{"__complete"}, tt.args...)...), tt.has)
		})
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		hold(t, shell, d.must("completion", shell), "frontdesk")
	}
}

func TestSpans(t *testing.T) {
	t.Parallel()
	good := map[string]string{"90d": "2160h0m0s", "2w": "336h0m0s", "1w1d": "192h0m0s", "1d12h": "36h0m0s", "24h": "24h0m0s", "0d": "0s", "15m": "15m0s"}
	for text, want := range good {
		if d, err := parseSpan(text); err != nil || d.String() != want {
			t.Errorf("parseSpan(%q) = %v, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "d", "90", "-1d", "-5h", "1d-5h", "99999d", "9999w9999999h", "1 d", "soon"} {
		if d, err := parseSpan(text); err == nil {
			t.Errorf("parseSpan(%q) = %v", text, d)
		}
	}
}
