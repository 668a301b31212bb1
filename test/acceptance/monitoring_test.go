package acceptance

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const monitoring = "../../docs/monitoring/"

// alert is a rule of alerts.yml.
type alert struct {
	Name        string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

func alerts(t testing.TB) (all []alert) {
	t.Helper()
	text, err := os.ReadFile(monitoring + "alerts.yml")
	must(t, err)
	var file struct {
		Groups []struct {
			Rules []alert `yaml:"rules"`
		} `yaml:"groups"`
	}
	must(t, yaml.Unmarshal(text, &file))
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	if len(all) == 0 {
		t.Fatal("there are no alerts")
	}
	return all
}

// panel is a part of the dashboard, as Grafana reads it.
type panel struct {
	ID         int    `json:"id"`
	Type       string `json:"type"`
	Title      string `json:"title"`
	Datasource *struct{ Type, UID string }
	GridPos    struct{ H, W, X, Y int }
	Targets    []struct {
		RefID      string `json:"refId"`
		Expr       string `json:"expr"`
		Datasource struct{ Type, UID string }
	}
}

type dashboard struct {
	UID           string  `json:"uid"`
	Title         string  `json:"title"`
	SchemaVersion int     `json:"schemaVersion"`
	Panels        []panel `json:"panels"`
	Templating    struct {
		List []struct {
			Name, Type string
			Query      any
		}
	}
}

func readDashboard(t testing.TB) (d dashboard) {
	t.Helper()
	text, err := os.ReadFile(monitoring + "dashboard.json")
	must(t, err)
	decode(t, text, &d)
	return d
}

// expressions are those of all panels, with Grafana's variables filled in.
func (d dashboard) expressions() (all []string) {
	fill := strings.NewReplacer("$__rate_interval", "1m", "$instance", ".*")
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			all = append(all, fill.Replace(target.Expr))
		}
	}
	return all
}

// TestTheDashboard holds dashboard.json to the shape that Grafana imports: panels have
// ids of their own and do not overlap, and all ask the data source that is chosen.
func TestTheDashboard(t *testing.T) {
	t.Parallel()
	d := readDashboard(t)
	if d.UID == "" || d.Title == "" || d.SchemaVersion < 30 {
		t.Errorf("the dashboard is %q, %q of version %d", d.UID, d.Title, d.SchemaVersion)
	}
	known := map[string]bool{}
	for _, v := range d.Templating.List {
		known[v.Name] = v.Type == "datasource" && v.Query == "prometheus" || v.Type == "query"
	}
	if !known["datasource"] || !known["instance"] {
		t.Errorf("the variables are %v", d.Templating.List)
	}
	variable := regexp.MustCompile(`\$\{?([a-z]\w*)`)
	ids, taken := map[int]string{}, map[[2]int]string{}
	for _, p := range d.Panels {
		if other, twice := ids[p.ID]; twice || p.ID == 0 || p.Title == "" {
			t.Errorf("panel %d is %q and %q", p.ID, p.Title, other)
		}
		ids[p.ID] = p.Title
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%q and %q stand at the same place, or beside the page", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		if p.Type == "row" {
			continue
		}
		if len(p.Targets) == 0 || p.Datasource == nil || p.Datasource.UID != "${datasource}" {
			t.Errorf("%q has the targets %v and the data source %v", p.Title, p.Targets, p.Datasource)
		}
		refs := map[string]bool{}
		for _, target := range p.Targets {
			if target.RefID == "" || refs[target.RefID] || target.Datasource.UID != "${datasource}" {
				t.Errorf("%q has the target %+v", p.Title, target)
			}
			refs[target.RefID] = true
			for _, used := range variable.FindAllStringSubmatch(target.Expr, -1) {
				if !known[used[1]] {
					t.Errorf("%q uses the variable %s", p.Title, used[1])
				}
			}
		}
	}
}

// TestEveryAlertSaysWhatToDo: each is tried by a test of the rules, and has a chapter that
// it points to.
func TestEveryAlertSaysWhatToDo(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/monitoring.md")
	must(t, err)
	tests, err := os.ReadFile(monitoring + "alerts_test.yml")
	must(t, err)
	ofDays, err := os.ReadFile(monitoring + "alerts_days_test.yml")
	must(t, err)
	tests = append(tests, ofDays...)
	names := map[string]bool{}
	for _, a := range alerts(t) {
		names[a.Name] = true
		if a.Annotations["runbook"] != "docs/monitoring.md#"+strings.ToLower(a.Name) || a.Annotations["summary"] == "" {
			t.Errorf("%s has the annotations %v", a.Name, a.Annotations)
		}
		if severity := a.Labels["severity"]; severity != "page" && severity != "ticket" {
			t.Errorf("%s has the severity %q", a.Name, severity)
		}
		if !bytes.Contains(page, []byte("\n### "+a.Name+"\n")) {
			t.Errorf("docs/monitoring.md says nothing of %s", a.Name)
		}
		if !bytes.Contains(tests, []byte("alertname: "+a.Name+"\n        exp_alerts:")) {
			t.Errorf("no test of the rules tries %s", a.Name)
		}
	}
	for _, heading := range regexp.MustCompile(`(?m)^### (Frontdesk\w+)$`).FindAllSubmatch(page, -1) {
		if !names[string(heading[1])] {
			t.Errorf("docs/monitoring.md tells of %s, which is no alert", heading[1])
		}
	}
}

// promtool returns the paths of promtool and of Prometheus.
func promtool(t testing.TB) (tool, server string) {
	t.Helper()
	found, err := exec.Command("../../scripts/find-promtool").Output()
	if err != nil {
		t.Skip("NOT COVERED: there is no Prometheus here (scripts/find-promtool --install)")
	}
	paths := strings.Fields(string(found))
	return paths[0], paths[1]
}

func TestTheAlertRules(t *testing.T) {
	t.Parallel()
	tool, _ := promtool(t)
	for _, args := range [][]string{{"check", "rules", "--lint-fatal", "alerts.yml"}, {"test", "rules", "alerts_test.yml"}, {"test", "rules", "alerts_days_test.yml"}} {
		c := exec.Command(tool, args...)
		c.Dir = monitoring
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}

// watched is a clinic that has everything that there are figures of, and to which
// something of everything has happened. What it asks of others fails.
func watched(t *testing.T) *node {
	t.Helper()
	if storetest.IsPostgres() {
		t.Skip("backups, and so their figures, are those of SQLite")
	}
	const nobody = "127.0.0.1:1"
	p := newPlace(t, slices.Concat(crowded, []string{
		"FRONTDESK_BACKUP_TO=" + t.TempDir(), "FRONTDESK_DOMAIN=desk.example.com", "FRONTDESK_ACME_DIRECTORY=https://" + nobody + "/dir",
		"FRONTDESK_TLS_LISTEN=127.0.0.1:0", "FRONTDESK_HTTP_LISTEN=127.0.0.1:0",
		"FRONTDESK_MODEL_URL=http://" + nobody + "/v1", "FRONTDESK_MODEL_NAME=none", "FRONTDESK_HEARING_URL=http://" + nobody + "/v1",
		"FRONTDESK_SIP_LISTEN=udp:127.0.0.1:" + freePort(t),
	})...)
	p.tenant("salud")
	ask[any](p, "agent", "import", "../../internal/demo/businesses/"+dentist+".json", "--tenant", "salud")
	return p.serve()
}

// liven lets some things happen, so that there is something to see.
func (n *node) liven(key string) {
	n.t.Helper()
	v := n.visit("salud/"+dentist, "live", "es")
	v.say("¿Cuánto cuesta una limpieza?")
	v.say("Eso de lo otro que hablamos con aquel señor del bigote")
	v.end()
	n.visit("salud/"+dentist, "live", "en").say("Hello")
	get[any](n, "/whoami", key)
	n.do("GET /whoami", "", "").refuses(n.t, http.StatusUnauthorized, "api_key_missing")
	res, err := n.client.Get(n.base + "/console")
	must(n.t, err)
	res.Body.Close()
}

var figureName = regexp.MustCompile(`\bfrontdesk_\w+`)

// TestEveryFigureThatIsWatchedExists reads the names in the rules and in the dashboard,
// and looks for them in what a program tells; promtool looks at that too.
func TestEveryFigureThatIsWatchedExists(t *testing.T) {
	t.Parallel()
	tool, _ := promtool(t)
	n := watched(t)
	n.liven(n.place.key("salud", "live").Key)
	got, err := n.knock("GET /metrics", "", "")
	must(t, err)
	told := map[string]bool{}
	for name := range readFigures(t, string(got.body)) {
		name, _, _ = strings.Cut(name, "{")
		told[name] = true
	}
	check := func(where, expr string) {
		for _, name := range figureName.FindAllString(expr, -1) {
			if !told[name] {
				t.Errorf("%s asks for %s, which /metrics does not have", where, name)
			}
		}
	}
	for _, a := range alerts(t) {
		check(a.Name, a.Expr)
	}
	for _, expr := range readDashboard(t).expressions() {
		check("the dashboard", expr)
	}
	c := exec.Command(tool, "check", "metrics")
	c.Stdin = bytes.NewReader(got.body)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}

// prometheus is a running one that scrapes a node.
type prometheus struct {
	t    testing.TB
	base string
}

func (n *node) scraped() *prometheus {
	n.t.Helper()
	_, server := promtool(n.t)
	dir, port := n.t.TempDir(), freePort(n.t)
	rules, err := filepath.Abs(monitoring + "alerts.yml")
	must(n.t, err)
	config := "global: {scrape_interval: 500ms, evaluation_interval: 500ms}\nrule_files: [" + rules + "]\nscrape_configs:\n" +
		"  - job_name: frontdesk\n    static_configs: [{targets: ['" + strings.TrimPrefix(n.base, "http://") + "']}]\n"
	must(n.t, os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(config), 0o600))
	log := &notes{}
	c := exec.Command(server, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address=127.0.0.1:"+port)
	c.Stdout, c.Stderr = log, log
	must(n.t, c.Start())
	n.t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		if n.t.Failed() {
			n.t.Logf("Prometheus says %s", log)
		}
	})
	p := &prometheus{n.t, "http://127.0.0.1:" + port}
	eventually(n.t, "Prometheus has scraped", func() bool {
		values, problem := p.query(`count_over_time(up{job="frontdesk"}[1m]) > 3 and up == 1`)
		return problem == "" && values > 0
	})
	return p
}

// get asks Prometheus; problem says what is wrong.
func (p *prometheus) get(path string, into any) (problem string) {
	res, err := http.Get(p.base + path)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	var answer struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return err.Error()
	}
	if answer.Status != "success" {
		return answer.Error
	}
	decode(p.t, answer.Data, into)
	return ""
}

// query says how many series an expression gives now.
func (p *prometheus) query(expr string) (series int, problem string) {
	var data struct{ Result []any }
	problem = p.get("/api/v1/query?query="+url.QueryEscape(expr), &data)
	return len(data.Result), problem
}

// TestPrometheusReadsTheDashboard lets a real Prometheus scrape a program, load the
// rules and answer what the dashboard asks.
func TestPrometheusReadsTheDashboard(t *testing.T) {
	t.Parallel()
	promtool(t)
	n := watched(t)
	key := n.place.key("salud", "live").Key
	n.liven(key)
	p := n.scraped()
	n.liven(key)
	eventually(t, "the increase is seen", func() bool {
		series, _ := p.query(`increase(frontdesk_requests_total{operation="GET /whoami",status="200"}[1m]) > 0`)
		return series > 0
	})
	empty := []string{}
	expressions := readDashboard(t).expressions()
	for _, expr := range expressions {
		switch series, problem := p.query(expr); {
		case problem != "":
			t.Errorf("%s: %s", expr, problem)
		case series == 0:
			empty = append(empty, expr)
		}
	}
	if len(empty) > 0 {
		t.Errorf("%d of %d expressions give nothing:\n%s", len(empty), len(expressions), strings.Join(empty, "\n"))
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError string }
		}
	}
	eventually(t, "all rules were evaluated", func() bool {
		if problem := p.get("/api/v1/rules", &rules); problem != "" || len(rules.Groups) == 0 {
			return false
		}
		for _, r := range rules.Groups[0].Rules {
			if r.Health == "unknown" {
				return false
			}
		}
		return true
	})
	for _, r := range rules.Groups[0].Rules {
		if r.Health != "ok" {
			t.Errorf("%s: %s %s", r.Name, r.Health, r.LastError)
		}
	}
	if got, want := len(rules.Groups[0].Rules), len(alerts(t)); got != want {
		t.Errorf("%d rules are loaded, not %d", got, want)
	}
}
