// Package install makes a machine with systemd run frontdesk as a service, and
// undoes it.
//
// Install and Uninstall return steps; each says what it does, and does it when
// it is run. So what a dry run prints is what a real one would do:
//
//	Place -> Install -> steps -> Run
//
// The unit and the settings' file are embedded here. Packages of a release
// carry the same ones, so that a machine looks alike whoever set it up. Nothing
// here enables or starts the service, and nothing removes its data.
package install

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Where everything is on a machine, whoever set it up.
const (
	User      = "frontdesk"
	Unit      = "frontdesk.service"
	Settings  = "/etc/frontdesk/frontdesk.env"
	Data      = "/var/lib/frontdesk"
	packaged  = "/usr/bin/frontdesk"
	unitDir   = "/etc/systemd/system"
	packageAt = "/usr/lib/systemd/system/" + Unit
)

//go:embed files/frontdesk.service
var unitText string

//go:embed files/frontdesk.env
var settingsText string

// UnitText is the unit of a service whose program is at binary.
func UnitText(binary string) []byte {
	return []byte(strings.Replace(unitText, "ExecStart="+packaged+" ", "ExecStart="+binary+" ", 1))
}

// SettingsText is the settings' file as it comes, for the operator to change.
func SettingsText() []byte { return []byte(settingsText) }

// Place is a machine that is set up.
type Place struct {
	Source string // the program that is copied
	Binary string // where it goes
}

// Refusal is a reason why a machine cannot be set up, and what to do.
type Refusal struct {
	Code    string
	Message string
}

func (r *Refusal) Error() string { return r.Message }

func refusal(code, format string, args ...any) error {
	return &Refusal{code, fmt.Sprintf(format, args...)}
}

// Check says why the machine cannot be changed by command, which is install or
// uninstall.
func (p Place) Check(command string) error {
	switch {
	case runtime.GOOS != "linux":
		return refusal("systemd_missing", "%s is about a service of systemd, which there is on Linux alone; have `frontdesk serve` started by what starts services on %s", command, runtime.GOOS)
	case !exists("/run/systemd/system"):
		return refusal("systemd_missing", "this machine is not run by systemd: have `frontdesk serve` started by what starts services here, as a user of its own, with FRONTDESK_DATA=%s; `frontdesk %s --dry-run` shows what it would have done", Data, command)
	case exists(packageAt):
		return refusal("packaged", "frontdesk is here as a package: use the package manager to upgrade or remove it (apt or dnf)")
	case os.Geteuid() != 0:
		return refusal("not_root", "only root can do this: sudo %s %s; --dry-run shows what it would do", p.Source, command)
	}
	return nil
}

// Step is one change to the machine.
type Step struct {
	Does string
	run  func() error
}

// Run makes the change.
func (s Step) Run() error {
	if err := s.run(); err != nil {
		return fmt.Errorf("%s: %w", s.Does, err)
	}
	return nil
}

// Install are the steps to the service, or to a newer one: what is there already
// is left as it is, but for the program and the unit.
func (p Place) Install() []Step {
	var steps []Step
	if !userExists(User) {
		steps = append(steps, command("useradd", "--system", "--user-group", "--home-dir", Data, "--no-create-home", "--shell", "/usr/sbin/nologin", User))
	}
	if !sameFile(p.Source, p.Binary) {
		steps = append(steps, Step{"copy " + p.Source + " to " + p.Binary, func() error { return copyProgram(p.Source, p.Binary) }})
	}
	if !exists(Settings) {
		steps = append(steps, Step{"write " + Settings + " (0640, root:" + User + ")", func() error { return writeSettings(Settings) }})
	}
	if !exists(Data) {
		steps = append(steps, Step{"make " + Data + " (0700, " + User + ")", func() error { return makeData(Data) }})
	}
	unit := filepath.Join(unitDir, Unit)
	return append(steps,
		Step{"write " + unit, func() error { return replace(unit, UnitText(p.Binary), 0o644) }},
		command("systemctl", "daemon-reload"))
}

// Uninstall are the steps back. Settings, data and the user stay: they cannot be
// made anew.
func (p Place) Uninstall() []Step {
	unit := filepath.Join(unitDir, Unit)
	var steps []Step
	if exists(unit) {
		steps = append(steps, command("systemctl", "disable", "--now", Unit), remove(unit), command("systemctl", "daemon-reload"))
	}
	if exists(p.Binary) {
		steps = append(steps, remove(p.Binary))
	}
	return steps
}

func remove(file string) Step {
	return Step{"remove " + file, func() error {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}}
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
