package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/install"
)

const installedBinary = "/usr/local/bin/frontdesk"

func (p *program) installCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Set this machine up to run frontdesk as a service of systemd",
		Long: `Set this machine up to run frontdesk as a service of systemd.

It copies this program to ` + installedBinary + `, makes the user ` + install.User + `,
` + install.Settings + ` and ` + install.Data + `, and writes the unit. It starts
nothing. Run again with a newer program, it upgrades: settings and data stay.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return p.install(dryRun) },
	}
	dryRunFlag(cmd, &dryRun)
	return cmd
}

func (p *program) uninstallCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Stop the service that install has set up, and take it away",
		Long: `Stop the service that install has set up, and take it away.

` + install.Settings + `, ` + install.Data + ` and the user ` + install.User + ` stay.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return p.uninstall(dryRun) },
	}
	dryRunFlag(cmd, &dryRun)
	return cmd
}

func dryRunFlag(cmd *cobra.Command, dryRun *bool) {
	cmd.Flags().BoolVar(dryRun, "dry-run", false, "print what would be done, and do nothing")
}

func (p *program) install(dryRun bool) error {
	place, err := p.machine("install", dryRun)
	if err != nil {
		return err
	}
	return p.walk(place.Install(), dryRun, fmt.Sprintf(`Settings are in %s. Start it, now and with the machine:
  systemctl enable --now frontdesk
or, if it has been running: systemctl restart frontdesk
Commands are run as its user:
  sudo -u %s FRONTDESK_DATA=%s frontdesk tenant list`, install.Settings, install.User, install.Data))
}

func (p *program) uninstall(dryRun bool) error {
	place, err := p.machine("uninstall", dryRun)
	if err != nil {
		return err
	}
	return p.walk(place.Uninstall(), dryRun, fmt.Sprintf(`Settings and data stay. To destroy them for good:
  rm -r /etc/frontdesk %s && userdel %s`, install.Data, install.User))
}

// machine is the one that this program is on, if the command may change it.
func (p *program) machine(command string, dryRun bool) (install.Place, error) {
	p.begun = true
	self, err := os.Executable()
	if err != nil {
		return install.Place{}, fmt.Errorf("finding this program: %w", err)
	}
	place := install.Place{Source: self, Binary: installedBinary}
	if dryRun {
		return place, nil
	}
	var no *install.Refusal
	if err := place.Check(command); errors.As(err, &no) {
		return place, refused(no.Code, "", "%s", no.Message)
	}
	return place, nil
}

// walk runs the steps, or only says them, and what is next.
func (p *program) walk(steps []install.Step, dryRun bool, next string) error {
	done := []string{}
	for _, step := range steps {
		if !dryRun {
			if err := step.Run(); err != nil {
				return err
			}
		}
		done = append(done, step.Does)
	}
	value := struct {
		DryRun bool     `json:"dry_run"`
		Steps  []string `json:"steps"`
	}{dryRun, done}
	return p.print(value, func(w io.Writer) {
		for _, does := range done {
			fmt.Fprintln(w, does)
		}
		switch {
		case dryRun:
			fmt.Fprintln(w, "Nothing was done.")
		case len(done) == 0:
			fmt.Fprintln(w, "There was nothing to do.")
		default:
			fmt.Fprintln(w, next)
		}
	})
}
