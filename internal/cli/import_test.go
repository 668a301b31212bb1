package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// file writes a file for a command to read.
func (d *desk) file(name, text string) string {
	d.t.Helper()
	path := filepath.Join(d.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	return path
}

// agent reads an agent of the tenant acme from the database.
func (d *desk) agent(slug string) frontdesk.Agent {
	d.t.Helper()
	s := d.open()
	t, err := s.TenantBySlug(d.t.Context(), "acme")
	if err != nil {
		d.t.Fatal(err)
	}
	a, err := s.AgentBySlug(d.t.Context(), frontdesk.Owner{TenantID: t.ID, Live: true}, slug)
	if err != nil {
		d.t.Fatal(err)
	}
	return a
}

// example is the YAML of docs/agents.md.
func example(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	text, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("docs/agents.md has no example")
	}
	return text
}

func TestImportTheExample(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	file := d.file("agents.yaml", example(t))
	got := d.read("agent", "import", file, "--tenant", "acme")
	if len(got["created"].([]any)) != 2 || len(got["updated"].([]any)) != 0 {
		t.Errorf("the first import: %v", got)
	}
	lola := d.agent("casa-lola")
	if lola.Config.Business.Phone != "+34 960 000 012" || lola.Config.Hours[5] != (frontdesk.Shift{Open: 13, Close: 1}) ||
		!strings.HasPrefix(string(lola.Config.Menu), `{"Entrantes":[{"name":"Croquetas de jamón","price":9.5`) {
		t.Errorf("got %+v\nmenu %s", lola.Config, lola.Config.Menu)
	}
	if shop := d.agent("harbour-store"); shop.Status != frontdesk.AgentDraft || shop.Timezone != "Europe/London" {
		t.Errorf("got %+v", shop)
	}
	got = d.read("agent", "import", file, "--tenant", "acme")
	if len(got["created"].([]any)) != 0 || len(got["updated"].([]any)) != 2 {
		t.Errorf("the second import: %v", got)
	}
	again := d.agent("casa-lola")
	if marshal(t, again.Config) != marshal(t, lola.Config) || again.ID != lola.ID {
		t.Errorf("the second import changed the agent: %+v", again)
	}
}

func TestImportUpdatesOnlyWhatItNames(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	d.must("agent", "import", d.file("a.json", `{"slug":"a","vertical":"hotel","display_name":"A","languages":["en"],
		"config":{"business":{"name":"Inn","phone":"1"},"specials":"Soup","hours":{"0":[9,20]}}}`), "--tenant", "acme")
	d.must("agent", "pause", "--tenant", "acme", "a")
	hold(t, "import", d.must("agent", "import", d.file("b.yaml", "slug: a\ndisplay_name: B\nconfig:\n  business: {phone: \"2\"}\n  hours: {1: [8, 12]}\n"), "--tenant", "acme"), "Updated the agent a")
	a := d.agent("a")
	c := a.Config
	if a.DisplayName != "B" || a.Vertical != "hotel" || a.Status != frontdesk.AgentPaused || len(a.Languages) != 1 {
		t.Errorf("got %+v", a)
	}
	if c.Business.Name != "Inn" || c.Business.Phone != "2" || c.Specials != "Soup" || *c.Hours != (frontdesk.Hours{1: {Open: 8, Close: 12}}) {
		t.Errorf("got %+v", c)
	}
}

func TestImportFromStandardInput(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	if a := d.feed(`[{"slug":"a","vertical":"hotel","display_name":"A"}]`, "agent", "import", "-", "--tenant", "acme"); a.code != 0 {
		t.Fatal(a.stderr)
	}
	if a := d.feed("business:\n  name: Inn\n", "agent", "create", "--tenant", "acme", "--slug", "b", "--vertical", "hotel", "--name", "B", "--config", "-"); a.code != 0 {
		t.Fatal(a.stderr)
	}
	if b := d.agent("b"); b.Config.Business.Name != "Inn" {
		t.Errorf("got %+v", b.Config)
	}
}

func TestImportRefusesTheWholeFile(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	const good = "- {slug: good, vertical: hotel, display_name: Good}\n"
	tests := map[string]struct {
		text string
		says []string
	}{
		"nothing":                      {"", []string{"it is empty"}},
		"only a remark":                {"# later\n", []string{"it is empty"}},
		"a word":                       {"hello", []string{"must hold one agent"}},
		"no agents":                    {"agents: []\n", []string{"holds no agents"}},
		"something beside agents":      {"agents: []\nother: 1\n", []string{"nothing else"}},
		"agents that are no list":      {"agents: 3\n", []string{"must be a list"}},
		"broken YAML":                  {"slug: [a\n", []string{"cannot be read", "[1:"}},
		"broken JSON":                  {"{\"slug\":\n \"a\",,}", []string{"cannot be read", "line 2"}},
		"a key twice in JSON":          {`{"slug":"a","slug":"b"}`, []string{"cannot be read", "duplicate"}},
		"a key twice in YAML":          {"slug: a\nslug: b\n", []string{"cannot be read", "already defined"}},
		"two documents":                {good + "---\n" + good, []string{"several YAML documents"}},
		"references":                   {"- &x {slug: a}\n- *x\n", []string{"anchors and aliases"}},
		"brackets without end":         {"slug: " + strings.Repeat("[", 100_000), []string{"nested too deeply"}},
		"infinity":                     {"slug: a\nvertical: hotel\ndisplay_name: A\nconfig: {services: [{name: a, price: .inf}]}\n", []string{"cannot be written in JSON"}},
		"an unknown field":             {good + "- {slgu: a}\n", []string{"agents[1].slgu", `no field "slgu"`, "slug, vertical"}},
		"a field of another type":      {good + "- {slug: a, languages: es}\n", []string{"agents[1].languages", "wrong type"}},
		"an agent that is none":        {good + "- 3\n", []string{"agents[1]", "must be an object"}},
		"no slug":                      {good + "- {vertical: hotel, display_name: A}\n", []string{"agents[1].slug"}},
		"no vertical":                  {good + "- {slug: a, display_name: A}\n", []string{"agents[1].vertical"}},
		"a slug twice":                 {good + good, []string{"agents[1].slug", "twice", "agents[0]"}},
		"a configuration that is none": {good + "- {slug: a, vertical: hotel, display_name: A, config: }\n", []string{"agents[1].config", "must be an object"}},
		"a number for a telephone":     {good + "- {slug: a, vertical: hotel, display_name: A, config: {business: {phone: +34960000012}}}\n", []string{"agents[1].config.business.phone"}},
		"a website that is none":       {good + "- {slug: a, vertical: hotel, display_name: A, config: {business: {website: casalola}}}\n", []string{"agents[1].config.business.website"}},
		"an hour out of range":         {good + "- {slug: a, vertical: hotel, display_name: A, config: {hours: {0: [9, 25]}}}\n", []string{"agents[1].config.hours.0[1]"}},
		"a voice of another language":  {good + "- {slug: a, vertical: hotel, display_name: A, config: {voice: {es: voc_en_maya}}}\n", []string{"agents[1].config.voice.es"}},
		"an unknown setting":           {good + "- {slug: a, vertical: hotel, display_name: A, config: {llm: gpt}}\n", []string{"agents[1].config.llm"}},
		"a rule that does nothing":     {good + "- {slug: a, vertical: hotel, display_name: A, rules: [{when: {topic: event}}]}\n", []string{"agents[1].rules[0].do"}},
		"a rule with an odd condition": {good + "- {slug: a, vertical: hotel, display_name: A, rules: [{when: {moon: full}, do: say}]}\n", []string{"agents[1].rules[0].when.moon", "party_over"}},
		"a currency that is none":      {good + "- {slug: a, vertical: hotel, display_name: A, currency: Euro}\n", []string{"agents[1].currency"}},
		"a file without end":           {good + strings.Repeat("# x\n", maxInput/4), []string{"larger than 1 MiB"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.feed(tt.text, "agent", "import", "-", "--tenant", "acme")
			if a.code != 1 {
				t.Errorf("exit code %d", a.code)
			}
			hold(t, "stderr", a.stderr, tt.says...)
		})
	}
	if left := d.read("agent", "list", "--tenant", "acme"); len(left["agents"].([]any)) != 0 {
		t.Errorf("something was written: %v", left)
	}
}

func TestYAMLBecomesTheSameJSON(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"b: 1\na: two\n":                     `{"b":1,"a":"two"}`,
		"0: [9, 20]\nx: {y: no}\n":           `{"0":[9,20],"x":{"y":"no"}}`,
		"t: \"a\\u0007\\U000E0001\\x7f<b>\"": "{\"t\":\"a\\u0007\U000E0001\x7f<b>\"}",
		"- ~\n- true\n- 1.50\n- \"007\"\n":   `[null,true,1.5,"007"]`,
		"\ufeff{\"a\": 1}":                   `{"a": 1}`,
	}
	for text, want := range tests {
		if got, err := toJSON([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%q became %s, %v", text, got, err)
		}
	}
}
