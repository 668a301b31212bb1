package cli

import (
	"strings"
	"testing"
)

func TestMisuse(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	d.must("agent", "create", "--tenant", "acme", "--slug", "a", "--vertical", "hotel", "--name", "A")
	tests := map[string]struct {
		args string
		code int
		says []string
	}{
		"an unknown command":                {"tennant list", 2, []string{`there is no command "frontdesk tennant"`, "did you mean: frontdesk tenant"}},
		"an unknown subcommand":             {"tenant destroy", 2, []string{`there is no command "frontdesk tenant destroy"; there are: create, delete, list`}},
		"an unknown flag":                   {"tenant list --colour", 2, []string{"--colour", "`frontdesk tenant list --help`"}},
		"missing flags":                     {"key create", 2, []string{"missing: --mode, --tenant"}},
		"one argument too many":             {"tenant create a b", 2, []string{"accepts at most 1 arg"}},
		"no slug":                           {"tenant create", 2, []string{"the slug is missing"}},
		"two slugs":                         {"tenant create a --slug b", 2, []string{"given twice"}},
		"an unknown mode":                   {"key create --tenant acme --mode prod", 2, []string{`--mode is "prod": expected live or test`}},
		"a strange duration":                {"key create --tenant acme --mode live --expires soon", 2, []string{"--expires", "such as 90d"}},
		"no duration at all":                {"key create --tenant acme --mode live --expires 0d", 2, []string{"--expires must be more than 0"}},
		"nothing to change in a plan":       {"plan set --tenant acme", 2, []string{"nothing to change", "--overage"}},
		"a bad address by flag":             {"doctor --listen 80", 1, []string{}},
		"a bad database by flag":            {"tenant list --database mysql://u:hunter2@h/d", 2, []string{"--database has a value that cannot be used"}},
		"an unknown tenant":                 {"agent list --tenant nobody", 1, []string{`there is no tenant "nobody"; ` + "`frontdesk tenant list` shows them"}},
		"an id of no tenant":                {"plan show --tenant 01993c5e-0000-7000-8000-000000000000", 1, []string{"there is no tenant"}},
		"a bad slug":                        {"tenant create Casa_Lola", 1, []string{"lower-case letters"}},
		"a slug that is taken":              {"tenant create acme", 1, []string{`The tenant "acme" exists already`}},
		"a bad time zone":                   {"tenant create b --timezone Mars/Olympus", 1, []string{`no time zone "Mars/Olympus"`}},
		"an unknown scope":                  {"key create --tenant acme --mode live --scopes calls:rede", 1, []string{`no scope "calls:rede"`, "calls:read"}},
		"a scope that test keys lack":       {"key create --tenant acme --mode test --scopes agents:write", 1, []string{"cannot be granted to a test key"}},
		"a key that is not":                 {"key revoke 01993c5e-0000-7000-8000-000000000000", 1, []string{"there is no key", "frontdesk key list"}},
		"a key that cannot be":              {"key rotate svc_live_abcd", 1, []string{"there is no key"}},
		"an unknown vertical":               {"agent create --tenant acme --slug b --vertical bank --name B", 1, []string{`no vertical "bank"`}},
		"an agent's slug that is taken":     {"agent create --tenant acme --slug a --vertical hotel --name A", 1, []string{"already"}},
		"an unknown agent":                  {"agent pause --tenant acme nobody", 1, []string{`there is no agent "nobody" of the tenant acme`, "frontdesk agent list --tenant acme"}},
		"an unknown language":               {"agent create --tenant acme --slug b --vertical hotel --name B --languages fr", 1, []string{`no language "fr"`}},
		"a plan with a bad limit":           {"plan set --tenant acme --max-concurrent-calls 0", 1, []string{"must be at least 1"}},
		"a plan with an unknown overage":    {"plan set --tenant acme --overage maybe", 1, []string{"overage must be"}},
		"a configuration that is not there": {"agent create --tenant acme --slug b --vertical hotel --name B --config nowhere.json", 1, []string{"nowhere.json", "no such file"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.run(strings.Fields(tt.args)...)
			if a.code != tt.code {
				t.Errorf("exit code %d; want %d", a.code, tt.code)
			}
			hold(t, "stderr", a.stderr, tt.says...)
			if a.code == 1 && strings.Contains(a.stderr, "Usage:") {
				t.Errorf("a failure shows the usage: %s", a.stderr)
			}
			if strings.Contains(a.stderr+a.stdout, "hunter2") {
				t.Errorf("the password shows: %s", a.stderr)
			}
		})
	}
}

func TestErrorsInJSON(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "list") // else a warning comes first, that the database was made
	tests := map[string]struct{ args, want string }{
		"a failure":        {"plan show --tenant nobody --json", `{"error":{"code":"not_found","message":"there is no tenant \"nobody\"; ` + "`frontdesk tenant list`" + ` shows them","param":"tenant"}}`},
		"a missing flag":   {"plan show --json", `{"error":{"code":"usage","message":"missing: --tenant","param":"tenant"}}`},
		"an unknown flag":  {"--nope plan show --json", `{"error":{"code":"usage","message":"unknown flag: --nope","param":null}}`},
		"a domain error":   {"tenant create a --timezone x --json", `{"error":{"code":"parameter_invalid","message":"There is no time zone \"x\"; use an IANA name such as Europe/Madrid.","param":"timezone"}}`},
		"an unknown group": {"nope --json", `{"error":{"code":"usage","message":"there is no command \"frontdesk nope\"; there are: `},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.run(strings.Fields(tt.args)...)
			if a.code == 0 || a.stdout != "" || !strings.HasPrefix(a.stderr, tt.want) {
				t.Errorf("code %d, stdout %q, stderr\n%s", a.code, a.stdout, a.stderr)
			}
		})
	}
}

func TestBadSettingsAreNamed(t *testing.T) {
	d := newDesk(t, "FRONTDESK_RATE_BURST=many", "FRONTDESK_LOG_LEVEL=loud")
	a := d.run("tenant", "list")
	if a.code != 1 {
		t.Errorf("exit code %d", a.code)
	}
	hold(t, "stderr", a.stderr, `FRONTDESK_RATE_BURST is "many"`, `FRONTDESK_LOG_LEVEL is "loud"`)
}

func TestWarnings(t *testing.T) {
	d := newDesk(t, "FRONTDESK_LISTN=:1", "FRONTDESK_NOW=2026-03-01T10:00:00Z")
	a := d.run("tenant", "create", "acme", "--json")
	hold(t, "stderr", a.stderr, `{"warning":{"message":"FRONTDESK_LISTN is not a setting; did you mean FRONTDESK_LISTEN?"}}`, "the clock starts at 2026-03-01T10:00:00Z")
	hold(t, "stdout", a.stdout, `"created_at":"2026-03-01T10:00:`)
	hold(t, "text", d.run("tenant", "list").stderr, "warning: FRONTDESK_NOW is set")
}

func TestAnArgumentThatIsNotText(t *testing.T) {
	d := newDesk(t)
	if a := d.run("tenant", "create", "a", "--name", "\xff"); a.code != 2 {
		t.Errorf("exit code %d: %s", a.code, a.stderr)
	}
}

// Who forgets where the data is reads that an empty database was made, once, and not in
// what a program reads.
func TestAnEmptyPlaceIsSaid(t *testing.T) {
	d := bareDesk(t)
	first, second := d.run("tenant", "list", "--database", ""), d.run("tenant", "list", "--database", "")
	if first.code != 0 || second.code != 0 || second.stderr != "" {
		t.Errorf("first %d, then %d: %s", first.code, second.code, second.stderr)
	}
	hold(t, "stderr", first.stderr, "new and empty", d.settings().DatabaseFile(), "--data", "FRONTDESK_DATA")
	if strings.Contains(first.stdout, "new and empty") || strings.Count(first.stderr, "\n") != 1 {
		t.Errorf("it prints %q and %q", first.stdout, first.stderr)
	}
}
