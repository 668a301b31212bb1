package cli

import (
	"os"
	"testing"
)

// A real run changes the machine: test/release does it in a root of its own.
func TestInstallDryRun(t *testing.T) {
	d := newDesk(t)
	got := d.must("install", "--dry-run")
	hold(t, "install", got, "to /usr/local/bin/frontdesk\n", "/etc/systemd/system/frontdesk.service", "systemctl daemon-reload", "Nothing was done.")
	if a := d.read("install", "--dry-run"); a["dry_run"] != true || len(a["steps"].([]any)) < 2 {
		t.Errorf("in JSON: %v", a)
	}
	d.must("uninstall", "--dry-run")
	if _, err := os.Stat("/usr/local/bin/frontdesk"); err == nil {
		t.Skip("frontdesk is installed on this machine")
	}
	if _, err := os.Stat("/etc/systemd/system/frontdesk.service"); err == nil {
		t.Error("a dry run has written the unit")
	}
}

func TestInstallRefuses(t *testing.T) {
	if _, err := os.Stat("/run/systemd/system"); err == nil && os.Geteuid() == 0 {
		t.Skip("it would install")
	}
	d := newDesk(t)
	for _, command := range []string{"install", "uninstall"} {
		a := d.run(command)
		if a.code != 1 {
			t.Errorf("%s: exit code %d", command, a.code)
		}
		hold(t, command, a.stderr, "--dry-run", "shows what it would")
	}
}
