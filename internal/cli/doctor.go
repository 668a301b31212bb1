package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

func (p *program) doctorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check settings, data directory, database, master key, documents, clock and address",
		Long: `Check settings, data directory, database, master key, documents, clock and address,
and say what to do about what is wrong. Nothing is changed. The exit code is 1
if anything fails; warnings do not count.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.begun = true
			return p.examine(cmd)
		},
	}
	listenFlag(cmd)
	domainFlag(cmd)
	return cmd
}

// What a check can find.
const (
	fine   = "ok"
	unwell = "warn"
	broken = "fail"
)

// finding is the result of one check.
type finding struct {
	Check   string `json:"check"`
	Status  string `json:"status"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
}

// doctor goes from check to check and notes what it finds.
type doctor struct {
	ctx      context.Context
	settings config.Settings
	findings []finding

	keyProblem   *frontdesk.Error // why the master key is not the database's
	installation frontdesk.ID     // of the database; "": not known
	talkPath     string           // of a page for visitors
}

func (d *doctor) ok(check, format string, args ...any) {
	d.findings = append(d.findings, finding{check, fine, fmt.Sprintf(format, args...), ""})
}

func (d *doctor) warn(check, fix, format string, args ...any) {
	d.findings = append(d.findings, finding{check, unwell, fmt.Sprintf(format, args...), fix})
}

func (d *doctor) fail(check, fix, format string, args ...any) {
	d.findings = append(d.findings, finding{check, broken, fmt.Sprintf(format, args...), fix})
}

func (p *program) examine(cmd *cobra.Command) error {
	d := &doctor{ctx: cmd.Context(), talkPath: "/talk/no-tenant/no-agent"}
	var err error
	d.settings, err = p.settings(cmd)
	d.checkSettings(err, config.Unknown(p.environ))
	if err == nil {
		d.checkAll()
	}
	if err := p.printFindings(d.findings); err != nil {
		return err
	}
	if failures(d.findings) > 0 {
		return &failure{exit: exitFailed, told: true}
	}
	return nil
}

func (d *doctor) checkSettings(err error, unknown []string) {
	if err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			d.fail("settings", "Correct it; docs/settings.md describes every setting. The other checks follow when the settings can be read.", "%s", line)
		}
	}
	for _, line := range unknown {
		d.warn("settings", "Correct the name, or remove the variable.", "%s", line)
	}
	if len(d.findings) == 0 {
		d.ok("settings", "all well-formed")
	}
}

func (d *doctor) checkAll() {
	d.checkData()
	d.checkDatabase()
	d.checkMasterKey()
	d.checkDocuments()
	d.checkBackups()
	d.checkOutbound()
	d.checkTraces()
	addresses{d}.checkListen()
	addresses{d}.checkFronts()
}

// checkOutbound looks for what serve would refuse.
func (d *doctor) checkOutbound() {
	const check = "way out"
	if err := app.CheckOutbound(d.settings); err != nil {
		d.fail(check, "Correct it: serve does not start with it. docs/settings.md has examples.", "%v", err)
		return
	}
	d.ok(check, "the settings for deliveries and outside calendars can be used")
}

func (d *doctor) postgres() bool { return store.IsPostgres(d.settings.Database.Reveal()) }

func (p *program) printFindings(findings []finding) error {
	failed := failures(findings)
	value := struct {
		OK     bool      `json:"ok"`
		Checks []finding `json:"checks"`
	}{failed == 0, findings}
	return p.print(value, func(w io.Writer) {
		for _, f := range findings {
			row(w, f.Status, f.Check, f.Message)
			if f.Fix != "" {
				row(w, "", "", "→ "+f.Fix)
			}
		}
		fmt.Fprintln(w, verdict(findings, failed))
	})
}

func verdict(findings []finding, failed int) string {
	warned := 0
	for _, f := range findings {
		if f.Status == unwell {
			warned++
		}
	}
	switch {
	case failed > 0:
		return fmt.Sprintf("Not ready to serve; failures: %d, warnings: %d.", failed, warned)
	case warned > 0:
		return fmt.Sprintf("Ready to serve; warnings: %d.", warned)
	}
	return "Ready to serve."
}

func failures(findings []finding) (n int) {
	for _, f := range findings {
		if f.Status == broken {
			n++
		}
	}
	return n
}
