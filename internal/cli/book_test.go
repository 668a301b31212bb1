package cli

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// salon is a desk with the hairdresser of docs/examples.
func salon(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t, "FRONTDESK_NOW=2026-11-16T08:00:00Z")
	d.must("tenant", "create", "rizos")
	d.must("agent", "import", "../../docs/examples/hairdresser-zaragoza.yaml", "--tenant", "rizos")
	return d
}

func TestTheBookAtTheCommandLine(t *testing.T) {
	d := salon(t)
	add := func(args ...string) []string {
		return append([]string{"capture", "add", "--tenant", "rizos", "--service", "corte", "--name", "Ana García", "--phone", "600000001"}, args...)
	}
	written := d.must(add("--at", "2026-11-18T10:00")...)
	hold(t, "add", written, "appointment 2026-11-18 10:00 Corte de pelo with Luis, confirmed, code ")
	code := written[strings.Index(written, "code ")+len("code "):][:6]
	hold(t, "the other one", d.must(add("--at", "2026-11-18T10:00")...), "with Ana")
	hold(t, "both are busy", d.fail(1, add("--at", "2026-11-18T10:00")...), "That place is taken. Free nearest: 2026-11-18T10:30:00")
	hold(t, "the break", d.fail(1, add("--at", "2026-11-18T14:00")...), "closed at that time")
	hold(t, "Christmas Day", d.fail(1, add("--at", "2026-12-25T10:00")...), "closed at that time")
	hold(t, "Luis's free Tuesday", d.fail(1, add("--at", "2026-11-17T10:00", "--with", "luis")...), "Nobody who can do it is there")
	hold(t, "forced", d.must(add("--at", "2026-11-17T10:00", "--with", "luis", "--force")...), "with Luis")
	hold(t, "no such person", d.fail(1, add("--at", "2026-11-17T10:00", "--with", "eva")...), `There is no resource "eva"`)

	hold(t, "the day", d.must("agenda", "--tenant", "rizos", "--on", "2026-11-18"), "Wednesday 2026-11-18, open 10:00-14:00, 17:00-20:30", code)
	hold(t, "a holiday", d.must("agenda", "--tenant", "rizos", "--on", "2026-12-25"), "closed (christmas_day)", "nobody")
	moved := d.must("capture", "move", "--tenant", "rizos", code, "--at", "2026-11-19T17:00")
	hold(t, "moved", moved, "2026-11-19 17:00", "code "+code)
	hold(t, "listed", d.must("capture", "list", "--tenant", "rizos", "--from", "2026-11-19", "--to", "2026-11-20"), code, "2026-11-19 17:00")
	hold(t, "cancelled", d.must("capture", "cancel", "--tenant", "rizos", code), "Appointments cancelled: 1.")
	hold(t, "again", d.fail(1, "capture", "cancel", "--tenant", "rizos", code), "there is no appointment")
	hold(t, "only shown", d.must("capture", "cancel", "--tenant", "rizos", "--where", "--phone", "600 000 001"), "2 appointments would be cancelled")
	hold(t, "all of a number", d.must("capture", "cancel", "--tenant", "rizos", "--where", "--phone", "600 000 001", "--yes"), "Appointments cancelled: 2.")
	hold(t, "not everything", d.fail(2, "capture", "cancel", "--tenant", "rizos", "--where"), "--where alone means every appointment")
	hold(t, "the day, empty", d.must("agenda", "--tenant", "rizos", "--on", "2026-11-18"), "nobody")
}

func TestClosingAndOpeningDays(t *testing.T) {
	d := salon(t)
	hours := func(date string) string {
		out := d.must("agenda", "--tenant", "rizos", "--on", date)
		line, _, _ := strings.Cut(out, "\n")
		_, hours, _ := strings.Cut(line, ", ")
		return hours
	}
	for _, step := range []struct{ args, date, want string }{
		{"close --on 2026-11-20", "2026-11-20", "closed"},
		{"open --on 2026-11-20", "2026-11-20", "open 10:00-14:00, 17:00-20:30"},
		{"open --on 2026-12-25 --hours 11:00-13:00", "2026-12-25", "open 11:00-13:00"},
		{"open --on 2026-12-25", "2026-12-25", "closed (christmas_day)"},
		{"close --on 2027-02-01 --to 2027-02-20 --reason obras", "2027-02-10", "closed (obras)"},
		{"open --on 2027-02-10", "2027-02-10", "open 10:00-14:00, 17:00-20:30"},
	} {
		d.must(append([]string{"agent"}, append(strings.Fields(step.args), "--tenant", "rizos")...)...)
		if got := hours(step.date); got != step.want {
			t.Errorf("after %s: %s, want %s", step.args, got, step.want)
		}
	}
	if got := hours("2027-02-09"); got != "closed (obras)" {
		t.Errorf("the day before: %s", got)
	}
}

// An agent that is exported and imported again is the same, and an import does
// not undo in silence what the business has changed.
func TestImportsShowAndKeepWhatTheBusinessChanged(t *testing.T) {
	d := salon(t)
	exported := d.must("agent", "export", "--tenant", "rizos", "rizos")
	hold(t, "nothing changes", d.mustFeed(exported, "agent", "import", "-", "--tenant", "rizos", "--dry-run"), "rizos: stays as it is.")
	d.byBusiness("rizos", "rizos", "Calle Nueva 1")
	hold(t, "the difference", d.mustFeed(exported, "agent", "import", "-", "--tenant", "rizos", "--dry-run"),
		"rizos: 1 changes.", "config.business.address", `- "Calle Nueva 1"`, `+ "Calle Mayor 5, Zaragoza"`)
	hold(t, "refused", d.failFeed(1, exported, "agent", "import", "-", "--tenant", "rizos"), "the business has changed config.business.address")
	hold(t, "shown", d.must("agent", "show", "--tenant", "rizos", "rizos"), "Tuesday", "10:00-14:00, 17:00-20:30", "Luis (luis, person): corte")
	hold(t, "forced", d.mustFeed(exported, "agent", "import", "-", "--tenant", "rizos", "--force"), "Updated the agent rizos")
	hold(t, "and then it is as in the file", d.mustFeed(exported, "agent", "import", "-", "--tenant", "rizos", "--dry-run"), "stays as it is")
}

// fail runs a command that has to end with an exit code, and returns what it said.
func (d *desk) fail(code int, args ...string) string {
	d.t.Helper()
	return d.failFeed(code, "", args...)
}

func (d *desk) failFeed(code int, stdin string, args ...string) string {
	d.t.Helper()
	a := d.feed(stdin, args...)
	if a.code != code {
		d.t.Fatalf("%v: exit code %d, want %d\n%s%s", args, a.code, code, a.stdout, a.stderr)
	}
	return a.stderr
}

func (d *desk) mustFeed(stdin string, args ...string) string {
	d.t.Helper()
	a := d.feed(stdin, args...)
	if a.code != 0 {
		d.t.Fatalf("%v: exit code %d\n%s", args, a.code, a.stderr)
	}
	return a.stdout
}

// byBusiness changes the address of an agent as its business does through the API.
func (d *desk) byBusiness(tenant, slug, address string) {
	d.t.Helper()
	s := d.open()
	t, err := s.TenantBySlug(d.t.Context(), tenant)
	if err != nil {
		d.t.Fatal(err)
	}
	_, err = s.ChangeAgent(d.t.Context(), frontdesk.Owner{TenantID: t.ID, Live: true}, slug, store.AgentChange{
		By: frontdesk.Actor{Kind: frontdesk.ByKey, Name: "crm"}, Now: time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC), Fields: wire.AgentFields,
		Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
			a.Config.Business.Address = address
			return a, nil
		},
	})
	if err != nil {
		d.t.Fatal(err)
	}
}
