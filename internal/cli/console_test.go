package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// openPeople opens the people of a desk beside its commands.
func (d *desk) openPeople() (*account.People, func(slug string) frontdesk.Owner) {
	d.t.Helper()
	env := map[string]string{}
	for _, line := range d.env {
		name, value, _ := strings.Cut(line, "=")
		env[name] = value
	}
	settings, err := config.Load(func(name string) (string, bool) { value, ok := env[name]; return value, ok })
	if err != nil {
		d.t.Fatal(err)
	}
	s, err := app.OpenStore(settings)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { s.Close() })
	now := func() time.Time { return time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC) }
	return account.NewPeople(s, now), func(slug string) frontdesk.Owner {
		t, err := s.TenantBySlug(context.Background(), slug)
		if err != nil {
			d.t.Fatal(err)
		}
		return frontdesk.Owner{TenantID: t.ID, Live: true}
	}
}

func TestConsoleCommands(t *testing.T) {
	d := newDesk(t, "FRONTDESK_NOW=2026-11-16T08:00:00Z", "FRONTDESK_PUBLIC_URL=https://desk.example.com")
	d.must("tenant", "create", "rizos", "--name", "Rizos")
	d.must("tenant", "create", "lola")
	hold(t, "nobody", d.must("console", "people", "--tenant", "rizos"), "Nobody has entered", "frontdesk console link --tenant rizos")
	printed := d.must("console", "link", "--tenant", "rizos")
	hold(t, "link", printed, "https://desk.example.com/console/enter/", "Rizos, owner of rizos,", "once, within an hour")
	people, owner := d.openPeople()
	address, _, _ := strings.Cut(printed, "\n")
	_, token, _ := strings.Cut(address, consoleEntry)
	v, _, err := people.Enter(t.Context(), token, "Firefox", "192.0.2.1")
	if err != nil || v.Tenant.Slug != "rizos" || v.Person.Role != frontdesk.RoleOwner {
		t.Fatalf("got %+v, %v", v, err)
	}
	if _, _, err := people.Invite(t.Context(), owner("rizos"), account.NewPerson{Name: "Ana", Email: "Ana@example.com", Role: frontdesk.RoleStaff}); err != nil {
		t.Fatal(err)
	}
	listed := d.must("console", "people", "--tenant", "rizos")
	hold(t, "people", listed, "Rizos", "owner", "2026-11-16 08:00 UTC", "Ana@example.com", "staff")
	if strings.Contains(listed+d.must("console", "people", "--tenant", "rizos", "--json"), token) {
		t.Error("a token shows")
	}
	hold(t, "a person", d.must("console", "link", "--tenant", "rizos", "--person", "ana@EXAMPLE.com", "--server", "http://localhost:9000/"), "http://localhost:9000/console/enter/", "Ana, staff of rizos")
	hold(t, "JSON", d.must("console", "link", "--tenant", "rizos", "--json"), `"url":"https://desk.example.com/console/enter/`, `"expires_at":"2026-11-16T09:0`, `"tenant":"rizos"`, `"role":"owner"`)
	hold(t, "operator", d.must("console", "link", "--operator"), "the operator of this server")
	hold(t, "operator in JSON", d.must("console", "link", "--operator", "--json"), `"tenant":null`, `"role":"operator"`)
	hold(t, "remove", d.must("console", "remove", "--tenant", "rizos", "--person", "ana@example.com"), "Removed Ana@example.com of rizos")
	if all, err := people.People(t.Context(), owner("rizos")); err != nil || len(all) != 1 {
		t.Errorf("left are %v, %v", all, err)
	}
}

func TestConsoleMisuse(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "rizos")
	d.must("console", "link", "--tenant", "rizos")
	people, owner := d.openPeople()
	all, err := people.People(t.Context(), owner("rizos"))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	for name, tt := range map[string]struct {
		args string
		code int
		says string
	}{
		"for nobody":            {"link", 2, "for whom? Give --tenant"},
		"for both":              {"link --operator --tenant rizos", 2, "an operator belongs to no tenant"},
		"a server of no scheme": {"link --operator --server desk", 2, `--server is "desk"`},
		"no such tenant":        {"link --tenant lola", 1, `there is no tenant "lola"`},
		"no such person":        {"link --tenant rizos --person eva@example.com", 1, `the tenant rizos has no person "eva@example.com"`},
		"nobody to remove":      {"remove --tenant rizos", 2, "missing: --person"},
		"a stranger to remove":  {"remove --tenant rizos --person eva@example.com", 1, "frontdesk console people --tenant rizos"},
		"the only owner":        {"remove --tenant rizos --person " + string(all[0].ID), 1, "Make another person an owner and let them enter first"},
	} {
		a := d.run(append([]string{"console"}, strings.Fields(tt.args)...)...)
		if a.code != tt.code || !strings.Contains(a.stderr, tt.says) {
			t.Errorf("%s: exit code %d, %s", name, a.code, a.stderr)
		}
	}
}

// Without a public address, the one that is printed is that of the settings; where no
// server of this database answers there, it is said how to give another.
func TestAConsoleLinkToNobody(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(app.InstallationHeader, "another")
	}))
	defer other.Close()
	d := newDesk(t)
	d.env = append([]string{"FRONTDESK_LISTEN=" + strings.TrimPrefix(other.URL, "http://")}, d.env...)
	d.must("tenant", "create", "rizos")
	if _, err := app.OpenBox(t.Context(), d.settings(), d.open(), time.Now()); err != nil { // it has a name then
		t.Fatal(err)
	}
	hint := "No server of this database answers at " + other.URL
	if got := d.run("console", "link", "--tenant", "rizos"); got.code != 0 || !strings.Contains(got.stderr, hint) || !strings.Contains(got.stderr, "--server") || !strings.HasPrefix(got.stdout, other.URL) {
		t.Errorf("got %+v", got)
	}
	if got := d.run("console", "link", "--tenant", "rizos", "--server", "http://localhost:9000"); got.code != 0 || got.stderr != "" {
		t.Errorf("with --server: %+v", got)
	}
}
