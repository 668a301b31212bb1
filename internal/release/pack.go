package release

import (
	_ "embed"
	"regexp"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/install"
)

//go:embed scripts/after-install.sh
var afterInstall string

//go:embed scripts/before-remove.sh
var beforeRemove string

//go:embed scripts/after-remove.sh
var afterRemove string

const (
	summary     = "Voice receptionist that you host yourself"
	description = "Answers a business's callers on the telephone and on the web, in Spanish and\nEnglish, takes appointments and messages, and has a console and an API."
	homepage    = "https://frontdesk.dev/"
	maintainer  = "frontdesk <https://frontdesk.dev>"
	licence     = "Apache-2.0"
)

// pack is what a deb and an rpm have in common. Names of files begin with a
// slash; directories are those that are the package's alone.
type pack struct {
	version string
	arch    string // as Go calls it
	at      time.Time
	files   []file
	config  string // the file that operators change
}

func (r Release) pack(t Target, program []byte, papers []file) pack {
	p := pack{version: packageVersion(r.Version), arch: t.Arch, at: r.Time, config: install.Settings}
	p.files = []file{
		{"/etc/frontdesk/", 0o755, nil},
		{install.Settings, 0o640, install.SettingsText()},
		{"/usr/bin/frontdesk", 0o755, program},
		{"/usr/lib/systemd/system/" + install.Unit, 0o644, install.UnitText("/usr/bin/frontdesk")},
		{"/usr/share/doc/frontdesk/", 0o755, nil},
	}
	for _, f := range papers {
		p.files = append(p.files, file{"/usr/share/doc/frontdesk/" + f.name, f.mode, f.content})
	}
	return p
}

var numbered = regexp.MustCompile(`^v?([0-9].*)$`)

// packageVersion spells a version as package managers compare it. One that is no
// number, as of a tree without a tag, is older than any release.
func packageVersion(version string) string {
	if m := numbered.FindStringSubmatch(version); m != nil && strings.Contains(version, ".") {
		base, more, found := strings.Cut(m[1], "-")
		if !found {
			return base
		}
		return base + "+" + strings.ReplaceAll(more, "-", ".")
	}
	return "0.0.0~git." + strings.ReplaceAll(version, "-", ".")
}
