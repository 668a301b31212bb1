package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/install"
)

// TestTheUnitIsHardened holds the unit to 2.0 of systemd's own scale, on which
// 10 is worst.
func TestTheUnitIsHardened(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("NOT COVERED: there is no systemd-analyze here")
	}
	unit := filepath.Join(t.TempDir(), install.Unit)
	if err := os.WriteFile(unit, install.UnitText("/bin/true"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=20", unit).CombinedOutput(); err != nil {
		t.Errorf("more than 2.0: %v\n%s", err, out)
	}
	if out, err := exec.Command("systemd-analyze", "verify", "--man=no", unit).CombinedOutput(); err != nil || strings.Contains(string(out), "frontdesk.service:") {
		t.Errorf("systemd does not understand it: %v\n%s", err, out)
	}
}

// inRoot runs a script as root in a root of its own, in which the file is
// /given, and returns what it printed.
func inRoot(t *testing.T, given, script string) string {
	t.Helper()
	if exec.Command("../../scripts/find-packaging").Run() != nil {
		t.Skip("NOT COVERED: packages cannot be installed in a root of their own here")
	}
	const around = `
mount -t tmpfs tmpfs "$1"
cd "$1"
mkdir up work root
mount -t overlay overlay -o lowerdir=/,upperdir="$1/up",workdir="$1/work" root
mount --bind /proc root/proc
mount --rbind /dev root/dev
cp "$2" root/given
exec chroot root sh -euc "$3"
`
	c := exec.Command("unshare", "--mount", "sh", "-euc", around, "sh", t.TempDir(), given, script)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// checks are what holds of a machine on which frontdesk was set up, whoever did.
const checks = `
says() { echo "FAULT: $*"; exit 1; }
set_up() {
	[ "$(stat -c %U:%G:%a /etc/frontdesk/frontdesk.env)" = root:frontdesk:640 ] || says "settings $(stat -c %U:%G:%a /etc/frontdesk/frontdesk.env)"
	[ "$(stat -c %U:%G:%a /var/lib/frontdesk)" = frontdesk:frontdesk:700 ] || says "data $(stat -c %U:%G:%a /var/lib/frontdesk)"
	[ "$(id -u frontdesk)" -lt 1000 ] || says "no system user"
	frontdesk version
}
used() {
	runuser -u frontdesk -- env FRONTDESK_DATA=/var/lib/frontdesk frontdesk tenant create acme
	echo "FRONTDESK_LOG_LEVEL=warn" >>/etc/frontdesk/frontdesk.env
}
kept() {
	[ -s /var/lib/frontdesk/frontdesk.db ] || says "the data is gone"
	grep -q LOG_LEVEL=warn /etc/frontdesk/frontdesk.env || says "the settings are gone"
}
gone() {
	[ ! -e /usr/bin/frontdesk ] && [ ! -e /usr/local/bin/frontdesk ] || says "the program is still there"
	[ ! -e /usr/lib/systemd/system/frontdesk.service ] && [ ! -e /etc/systemd/system/frontdesk.service ] || says "the unit is still there"
}
`

func TestDeb(t *testing.T) {
	t.Parallel()
	out := inRoot(t, path("frontdesk_%s_%s.deb"), checks+`
mv /given /frontdesk.deb
dpkg -i /frontdesk.deb
set_up
dpkg -V frontdesk
used
dpkg -i /frontdesk.deb
kept
dpkg -r frontdesk
gone
kept
dpkg -P frontdesk
[ ! -e /etc/frontdesk ] || says "purged, and the settings are still there"
[ -s /var/lib/frontdesk/frontdesk.db ] || says "purged, and the data is gone"
`)
	if !strings.Contains(out, "systemctl enable --now frontdesk") || !strings.Contains(out, "stays in /var/lib/frontdesk") {
		t.Errorf("it does not say what to do: %s", out)
	}
}

func TestRPM(t *testing.T) {
	t.Parallel()
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	inRoot(t, filepath.Join(dist, "frontdesk-"+version+"-1."+arch+".rpm"), checks+`
rpm --checksig /given
rpm -i --nodeps /given
set_up
rpm --verify --nodeps frontdesk
used
rpm -U --force --nodeps /given
kept
rpm -e frontdesk
gone
[ -s /var/lib/frontdesk/frontdesk.db ] || says "the data is gone"
grep -q LOG_LEVEL=warn /etc/frontdesk/frontdesk.env.rpmsave || says "the settings are gone"
`)
}

func TestInstall(t *testing.T) {
	t.Parallel()
	out := inRoot(t, program(t), checks+`
if /given install; then says "installed without systemd"; fi
mkdir -p /run/systemd/system
# No systemd runs in this root: what it is told is written down.
printf '#!/bin/sh\necho "told: $*"\necho "told: $*" >>/told\n' >/usr/bin/systemctl
if runuser -u nobody -- /given install; then says "installed without rights"; fi
/given install
set_up
grep -q ExecStart=/usr/local/bin/frontdesk /etc/systemd/system/frontdesk.service || says "the unit starts another program"
used
/given install
kept
/usr/local/bin/frontdesk uninstall
gone
cat /told
kept
mkdir -p /usr/lib/systemd/system
touch /usr/lib/systemd/system/frontdesk.service
if /given install; then says "installed over a package"; fi
`)
	for _, want := range []string{"not run by systemd", "only root can do this", "systemctl enable --now frontdesk", "Settings and data stay", "told: daemon-reload\ntold: daemon-reload\ntold: disable --now frontdesk.service\ntold: daemon-reload\n", "frontdesk is here as a package"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}
