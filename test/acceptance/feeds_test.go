package acceptance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOtherCalendarsReadTheFeed subscribes to a feed with vdirsyncer and lists it
// with khal, as somebody would who keeps a calendar of their own.
func TestOtherCalendarsReadTheFeed(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"vdirsyncer", "khal"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("NOT COVERED: there is no %s here, and nobody else's program reads the feed. Install the package of that name.", program)
		}
	}
	p := newPlace(t)
	p.tenant("rizos")
	p.run("agent", "import", filepath.Join("..", "..", "docs", "examples", "hairdresser-zaragoza.yaml"), "--tenant", "rizos")
	day := time.Now().AddDate(0, 0, 21).Format(time.DateOnly)
	p.run("capture", "add", "--tenant", "rizos", "--at", day+"T12:00", "--service", "corte", "--name", "Ana García, de Ñora", "--force")
	feed := ask[struct{ Path string }](p, "calendar", "feed", "--tenant", "rizos")
	n := p.serve()

	home := t.TempDir()
	config := filepath.Join(home, "vdirsyncer.conf")
	must(t, os.WriteFile(config, fmt.Appendf(nil, `[general]
status_path = %q

[pair rizos]
a = "there"
b = "here"
collections = null

[storage there]
type = "http"
url = %q

[storage here]
type = "filesystem"
path = %q
fileext = ".ics"
`, filepath.Join(home, "status"), n.base+feed.Path, filepath.Join(home, "rizos")), 0o600))
	must(t, os.WriteFile(filepath.Join(home, "khal.conf"), fmt.Appendf(nil, "[calendars]\n[[rizos]]\npath = %s\n[locale]\ndateformat = %%Y-%%m-%%d\nlongdateformat = %%Y-%%m-%%d\ndatetimeformat = %%Y-%%m-%%d %%H:%%M\nlongdatetimeformat = %%Y-%%m-%%d %%H:%%M\ntimeformat = %%H:%%M\nlocal_timezone = Europe/Madrid\ndefault_timezone = Europe/Madrid\n[sqlite]\npath = %s\n",
		filepath.Join(home, "rizos"), filepath.Join(home, "khal.db")), 0o600))
	run := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Env = append(os.Environ(), "HOME="+home, "LC_ALL=C.UTF-8", "TZ=Europe/Madrid", "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
		c.Stdin = strings.NewReader("y\ny\n")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run("vdirsyncer", "-c", config, "discover")
	run("vdirsyncer", "-c", config, "sync")
	list := run("khal", "-c", filepath.Join(home, "khal.conf"), "list", "--format", "{start-time} {end-time} {title}", day, "1d")
	if !strings.Contains(list, "12:00") || !strings.Contains(list, "Ana García, de Ñora") {
		t.Errorf("khal lists:\n%s", list)
	}
}
