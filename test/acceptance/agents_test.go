package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// agent is an Agent as an integrator would write it down.
type agent struct {
	ID            string         `json:"id"`
	Slug          string         `json:"slug"`
	Vertical      string         `json:"vertical"`
	DisplayName   string         `json:"display_name"`
	Status        string         `json:"status"`
	Languages     []string       `json:"languages"`
	Timezone      string         `json:"timezone"`
	OpenNow       bool           `json:"open_now"`
	NextOpeningAt *time.Time     `json:"next_opening_at"`
	DemoFixtures  bool           `json:"demo_fixtures"`
	Config        map[string]any `json:"config"`
}

func (n *node) agent(key, slug string) agent {
	n.t.Helper()
	for _, a := range get[struct{ Agents []agent }](n, "/agents", key).Agents {
		if a.Slug == slug {
			return a
		}
	}
	n.t.Fatalf("there is no agent %s", slug)
	return agent{}
}

// patch changes an agent, which must succeed.
func (n *node) patch(key, slug, body string) agent {
	n.t.Helper()
	got := n.do("PATCH /agents/"+slug, key, body)
	if got.status != http.StatusOK {
		n.t.Fatalf("PATCH %s: %s", body, got)
	}
	var envelope struct{ Agent agent }
	decode(n.t, got.body, &envelope)
	return envelope.Agent
}

// office is a place with one tenant, one agent and one key, served.
func office(t testing.TB, settings ...string) (*node, string) {
	t.Helper()
	p := newPlace(t, settings...)
	p.tenant("lola")
	p.agent("lola", "bar")
	return p.serve(), p.key("lola", "live").Key
}

func sameJSON(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

func TestTheDemosFourBusinesses(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	live := get[struct{ Agents []agent }](d.node, "/agents", d.live).Agents
	test := get[struct{ Agents []agent }](d.node, "/agents", d.test).Agents
	verticals := projected(live, func(a agent) string { return a.Vertical })
	slices.Sort(verticals)
	if want := []string{"clinic", "real_estate", "restaurant", "retail"}; !slices.Equal(verticals, want) {
		t.Errorf("the demo's verticals are %v, want %v", verticals, want)
	}
	for i := range live {
		if live[i].DemoFixtures || !test[i].DemoFixtures {
			t.Errorf("demo_fixtures of %s is %t in live mode, %t in test mode", live[i].Slug, live[i].DemoFixtures, test[i].DemoFixtures)
		}
		same := test[i]
		same.DemoFixtures = false
		if !reflect.DeepEqual(live[i], same) {
			t.Errorf("%s differs between the modes", live[i].Slug)
		}
		for _, field := range []string{"business", "assistant", "voice", "hours"} {
			if c, _ := live[i].Config[field].(map[string]any); len(c) == 0 {
				t.Errorf("%s has no %s", live[i].Slug, field)
			}
		}
	}
}

func TestVoices(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	type voice struct {
		ID, Name, Language string
	}
	languages := map[string]int{}
	for _, v := range get[struct{ Voices []voice }](d.node, "/voices", d.test).Voices {
		if v.ID == "" || v.Name == "" {
			t.Errorf("a voice is %+v", v)
		}
		languages[v.Language]++
	}
	if languages["es"] == 0 || languages["en"] == 0 || len(languages) != 2 {
		t.Errorf("voices by language: %v", languages)
	}
}

// TestPatchMergesAndReplaces goes through the fields one after another on one
// agent; what a step does not name must stay.
func TestPatchMergesAndReplaces(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	steps := []struct {
		name, body string
		want       map[string]string // by field, as JSON; "" means gone
	}{
		{"strings are set", `{"specials":"arroz","policy":"p"}`, map[string]string{"specials": `"arroz"`, "policy": `"p"`}},
		{"business is merged", `{"business":{"name":"Bar","phone":"1"}}`, map[string]string{"business": `{"name":"Bar","phone":"1"}`}},
		{"property by property", `{"business":{"phone":"2","website":"https://bar.example"}}`, map[string]string{"business": `{"name":"Bar","phone":"2","website":"https://bar.example"}`}},
		{"one is cleared", `{"business":{"phone":""}}`, map[string]string{"business": `{"name":"Bar","website":"https://bar.example"}`}},
		{"an empty object merges nothing", `{"business":{}}`, nil},
		{"assistant is merged", `{"assistant":{"name":"Lola"}}`, map[string]string{"assistant": `{"name":"Lola"}`}},
		{"and goes on", `{"assistant":{"greeting":"Hola"}}`, map[string]string{"assistant": `{"greeting":"Hola","name":"Lola"}`}},
		{"voices are merged", `{"voice":{"es":"voc_es_alba"}}`, map[string]string{"voice": `{"es":"voc_es_alba"}`}},
		{"hours are replaced", `{"hours":{"0":[9,20],"1":[9,20]}}`, map[string]string{"hours": `{"0":[9,20],"1":[9,20]}`}},
		{"whole", `{"hours":{"5":[20,2]}}`, map[string]string{"hours": `{"5":[20,2]}`}},
		{"the whole clock", `{"hours":{"6":[0,24]}}`, map[string]string{"hours": `{"6":[0,24]}`}},
		{"never open", `{"hours":{}}`, map[string]string{"hours": `{}`}},
		{"services are kept as sent", `{"services":[{"name":"Corte","precio":[1,{"x":null}],"price":1.10}]}`, map[string]string{"services": `[{"name":"Corte","precio":[1,{"x":null}],"price":1.1}]`}},
		{"services are replaced", `{"services":[{"name":"Tinte"}]}`, map[string]string{"services": `[{"name":"Tinte"}]`}},
		{"the menu", `{"menu":{"Postres":[{"name":"Flan","price":{"amount":4,"currency":"EUR"}}],"Vinos":[]}}`, map[string]string{"menu": `{"Postres":[{"name":"Flan","price":{"amount":4,"currency":"EUR"}}],"Vinos":[]}`}},
		{"the menu again", `{"menu":{"Vinos":[]}}`, map[string]string{"menu": `{"Vinos":[]}`}},
		{"products", `{"products":{"Ropa":[{"name":"Gorra","price":"9 €"}]}}`, map[string]string{"products": `{"Ropa":[{"name":"Gorra","price":"9 €"}]}`}},
		{"listings", `{"listings":[{"title":"Ático","status":"sold","id":"7"}]}`, map[string]string{"listings": `[{"id":"7","status":"sold","title":"Ático"}]`}},
		{"listings are emptied", `{"listings":[]}`, map[string]string{"listings": `[]`}},
		{"wrapped in config", `{"config":{"dietary":"sin gluten","assistant":{"name":"Ana"}}}`, map[string]string{"dietary": `"sin gluten"`, "assistant": `{"greeting":"Hola","name":"Ana"}`}},
		{"a string is cleared", `{"specials":""}`, map[string]string{"specials": ""}},
		{"nothing", `{}`, nil},
		{"nothing, wrapped", `{"config":{}}`, nil},
		{"text of every kind", `{"prompt_extra":"línea\n\"comillas\" 😀 </script> \u2028"}`, map[string]string{"prompt_extra": `"línea\n\"comillas\" 😀 </script> \u2028"`}},
	}
	want := n.agent(key, "bar").Config
	for _, step := range steps {
		for field, text := range step.want {
			if text == "" {
				delete(want, field)
				continue
			}
			var value any
			decode(t, []byte(text), &value)
			want[field] = value
		}
		answered := n.patch(key, "bar", step.body)
		if !sameJSON(answered.Config, want) {
			t.Errorf("%s: answered %v, want %v", step.name, answered.Config, want)
		}
		if stored := n.agent(key, "bar"); !sameJSON(stored, answered) {
			t.Errorf("%s: stored %v, answered %v", step.name, stored, answered)
		}
	}
}

// protected are the fields of the contract that a business cannot write.
var protected = strings.Fields(`slug vertical status display_name demo_fixtures id tenant_id livemode transfer_number
	provider providers provider_settings model llm stt tts prompt system_prompt tools behavior behaviour plan limits
	plan_limits timezone languages rules currency calendar`)

func TestProtectedFields(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	before := n.agent(key, "bar")
	for _, field := range protected {
		for name, tt := range map[string]struct{ body, param string }{
			"alone":                   {`{%q:"x"}`, field},
			"with a good one":         {`{"specials":"x",%q:null}`, field},
			"with an unknown one":     {`{"aaaa":1,%q:1,"zzzz":1}`, field},
			"with a wrong one":        {`{"hours":7,%q:{}}`, field},
			"in config":               {`{"config":{"specials":"x",%q:[]}}`, "config." + field},
			"beside config":           {`{"config":{"specials":"x"},%q:1}`, field},
			"inside business":         {`{"business":{"name":"x",%q:"x"}}`, "business." + field},
			"inside config.assistant": {`{"config":{"assistant":{%q:"x"}}}`, "config.assistant." + field},
		} {
			got := n.do("PATCH /agents/bar", key, fmt.Sprintf(tt.body, field))
			f := got.refuses(t, http.StatusForbidden, "protected_field")
			if f.param() != tt.param || f.Type != "permission_error" {
				t.Errorf("%s %s: %s", field, name, got)
			}
		}
	}
	if after := n.agent(key, "bar"); !sameJSON(before, after) {
		t.Errorf("something was applied: %v", after)
	}
}

// TestConcurrentPatchesSurvive lets many write different fields of one agent
// at once.
func TestConcurrentPatchesSurvive(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	fields := []string{
		`{"specials":%q}`, `{"dietary":%q}`, `{"policy":%q}`, `{"prompt_extra":%q}`,
		`{"business":{"name":%q}}`, `{"business":{"phone":%q}}`, `{"assistant":{"name":%q}}`, `{"assistant":{"greeting":%q}}`,
		`{"services":[{"name":%q}]}`, `{"listings":[{"title":%q}]}`,
	}
	const rounds = 10
	for round := range rounds {
		value := fmt.Sprintf("round %d", round)
		atOnce(len(fields), func(i int) {
			if got, err := n.try("PATCH /agents/bar", key, fmt.Sprintf(fields[i], value)); err != nil || got.status != http.StatusOK {
				t.Errorf("%v %s", err, got)
			}
		})
		text, err := json.Marshal(n.agent(key, "bar").Config)
		must(t, err)
		if got := strings.Count(string(text), value); got != len(fields) {
			t.Fatalf("%d of %d changes survived: %s", got, len(fields), text)
		}
	}
}

// TestOpenNow asks at instants around openings, midnights and the days on which
// the clocks change.
func TestOpenNow(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.tenant("lola")
	config := filepath.Join(t.TempDir(), "config.json")
	// Monday 9 to 14; Friday 20 to 2; Saturday 20 to 2; Sunday 2 to 3.
	must(t, os.WriteFile(config, []byte(`{"hours":{"0":[9,14],"4":[20,2],"5":[20,2],"6":[2,3]}}`), 0o600))
	for _, zone := range []string{"Europe/Madrid", "America/St_Johns", "Asia/Kathmandu"} {
		p.agent("lola", slugOf(zone), "--timezone", zone, "--config", config)
	}
	p.agent("lola", "shut")
	key := p.key("lola", "live").Key
	tests := map[string]struct {
		now, agent string
		open       bool
		next       string
	}{
		"a Monday morning":                      {"2026-11-16T08:00:00Z", "europe-madrid", true, ""},
		"a second before":                       {"2026-11-16T07:59:00Z", "europe-madrid", false, "2026-11-16T08:00:00Z"},
		"at closing":                            {"2026-11-16T13:00:00Z", "europe-madrid", false, "2026-11-20T19:00:00Z"},
		"past midnight":                         {"2026-11-21T00:30:00Z", "europe-madrid", true, ""},
		"two in the morning":                    {"2026-11-21T01:00:00Z", "europe-madrid", false, "2026-11-21T19:00:00Z"},
		"Sunday follows Saturday's night":       {"2026-11-22T01:30:00Z", "europe-madrid", true, ""},
		"Sunday over":                           {"2026-11-22T02:00:00Z", "europe-madrid", false, "2026-11-23T08:00:00Z"},
		"the hour that is jumped over":          {"2026-03-29T00:30:00Z", "europe-madrid", true, ""},
		"after the jump it is three":            {"2026-03-29T01:00:00Z", "europe-madrid", false, "2026-03-30T07:00:00Z"},
		"the hour that comes twice, first":      {"2026-10-25T00:30:00Z", "europe-madrid", true, ""},
		"the hour that comes twice, again":      {"2026-10-25T01:30:00Z", "europe-madrid", true, ""},
		"and is over":                           {"2026-10-25T02:00:00Z", "europe-madrid", false, "2026-10-26T08:00:00Z"},
		"half an hour off":                      {"2026-11-16T12:30:00Z", "america-st-johns", true, ""},
		"half an hour off, before":              {"2026-11-16T12:29:00Z", "america-st-johns", false, "2026-11-16T12:30:00Z"},
		"five hours and three quarters":         {"2026-11-16T03:15:00Z", "asia-kathmandu", true, ""},
		"five hours and three quarters, before": {"2026-11-16T03:14:00Z", "asia-kathmandu", false, "2026-11-16T03:15:00Z"},
		"no hours at all":                       {"2026-11-16T08:00:00Z", "shut", false, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := p.with(t, "FRONTDESK_NOW="+tt.now).serve()
			a := n.agent(key, tt.agent)
			next := ""
			if a.NextOpeningAt != nil {
				next = a.NextOpeningAt.Format(time.RFC3339)
			}
			if a.OpenNow != tt.open || next != tt.next {
				t.Errorf("at %s: open %t, next %q; want %t, %q", tt.now, a.OpenNow, next, tt.open, tt.next)
			}
		})
	}
}

func slugOf(zone string) string {
	return strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(zone))
}

func TestAnOperatorPausesAnAgent(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	for _, step := range []struct{ command, status string }{{"pause", "paused"}, {"pause", "paused"}, {"resume", "active"}} {
		ask[any](n.place, "agent", step.command, "bar", "--tenant", "lola")
		if got := n.agent(key, "bar").Status; got != step.status {
			t.Errorf("after %s the status is %s", step.command, got)
		}
	}
}

// TestTheDocumentedFileCanBeImported imports the example of docs/agents.md, and
// then what it made out of it, twice.
func TestTheDocumentedFileCanBeImported(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/agents.md")
	must(t, err)
	_, rest, found := strings.Cut(string(text), "```yaml\n")
	example, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/agents.md has no example in YAML")
	}
	file := filepath.Join(t.TempDir(), "agents.yaml")
	must(t, os.WriteFile(file, []byte(example), 0o600))
	p := newPlace(t)
	p.tenant("lola")
	n, key := p.serve(), p.key("lola", "live").Key
	ask[any](p, "agent", "import", file, "--tenant", "lola")
	first := get[any](n, "/agents", key)
	if a := n.agent(key, "casa-lola"); a.Vertical != "restaurant" || !sameJSON(a.Config["hours"].(map[string]any)["5"], []int{13, 1}) {
		t.Errorf("imported %+v", a)
	}
	if a := n.agent(key, "harbour-store"); a.Status != "draft" || a.Timezone != "Europe/London" {
		t.Errorf("imported %+v", a)
	}
	ask[any](p, "agent", "import", file, "--tenant", "lola")
	if second := get[any](n, "/agents", key); !reflect.DeepEqual(first, second) {
		t.Error("importing the same file again changed something")
	}
}

// TestABadFileTouchesNothing: one agent is good, one is wrong.
func TestABadFileTouchesNothing(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	file := filepath.Join(t.TempDir(), "agents.json")
	must(t, os.WriteFile(file, []byte(`{"agents":[{"slug":"good","vertical":"general","display_name":"Good"},
		{"slug":"bad","vertical":"general","display_name":"Bad","config":{"hours":{"0":[9,25]}}}]}`), 0o600))
	got := n.place.run("agent", "import", file, "--tenant", "lola", "--json")
	if got.code != 1 || !strings.Contains(got.err, "agents[1].config.hours.0[1]") {
		t.Errorf("import says %+v", got)
	}
	if all := get[struct{ Agents []agent }](n, "/agents", key).Agents; len(all) != 1 {
		t.Errorf("there are %d agents, want the one from before", len(all))
	}
}

// TestAnAgentHasTheContractsFields, no more and no fewer.
func TestAnAgentHasTheContractsFields(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	a := get[map[string][]map[string]any](n, "/agents", key)["agents"][0]
	want := "config currency demo_fixtures display_name id languages next_opening_at open_now rules slug status timezone vertical"
	if got := strings.Join(slices.Sorted(maps.Keys(a)), " "); got != want {
		t.Errorf("an agent has %s, want %s", got, want)
	}
}
