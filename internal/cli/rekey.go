package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/certificate"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/webhook"
)

func (p *program) rekeyCommand() *cobra.Command {
	var abandon, yes bool
	cmd := &cobra.Command{
		Use:   "rekey",
		Short: "Seal the secrets in the database anew with the present master key",
		Long: `Seal the secrets in the database anew with the present master key.

To change the master key: give all nodes the new one in FRONTDESK_MASTER_KEY and
the old one in FRONTDESK_MASTER_KEY_OLD, and restart them; run this; a day later,
when the last kept answer that the old one sealed is forgotten, take the old one
away.

--abandon-sealed is for a master key that is gone for good: the present one, which
is made if there is none, becomes that of the database. What only the lost one
opens stays unreadable and is listed; docs/operations.md says what to enter anew.`,
		Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.rekey(abandon, yes) }),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "with --abandon-sealed: the key is gone, and what it sealed may be lost")
	cmd.Flags().BoolVar(&abandon, "abandon-sealed", false, "go on without the master key that sealed what the database holds, which is gone for good")
	return cmd
}

func (s *session) rekey(abandon, yes bool) error {
	if abandon && !yes {
		return refused("not_sure", "yes", "what only the lost master key opens would be given up for good: "+app.LostWithKey+". Look for the key first, in backups and on other nodes: with it in FRONTDESK_MASTER_KEY_OLD nothing is lost. Nothing was changed; add --yes to go on without it")
	}
	box, err := s.boxToSealWith(abandon)
	if err != nil {
		return err
	}
	unreadable := []string{}
	var lost func(error)
	if abandon {
		lost = func(err error) { unreadable = append(unreadable, err.Error()) }
	}
	connections, err := webhook.Rekey(s.ctx, s.store, box, lost)
	if err != nil {
		return err
	}
	calendars, err := calendar.Rekey(s.ctx, s.store, box, lost)
	if err != nil {
		return err
	}
	numbers, err := account.RekeyNumbers(s.ctx, s.store, box, lost)
	if err != nil {
		return err
	}
	certificates, err := certificate.Rekey(s.ctx, s.store, box, lost)
	if err != nil {
		return err
	}
	// Last: until everything is sealed anew, the earlier key is still needed.
	if err := app.Rekeyed(s.ctx, s.store, box, s.now()); err != nil {
		return err
	}
	return s.print(map[string]any{"connections": connections, "calendars": calendars, "numbers": numbers, "certificates": certificates, "unreadable": unreadable}, func(w io.Writer) {
		fmt.Fprintf(w, "Sealed the secrets of %d connections, of %d outside calendars and of %d telephone numbers, and %d keys of certificates, with the present master key.\n", connections, calendars, numbers, certificates)
		for _, line := range unreadable {
			fmt.Fprintln(w, "lost:", line)
		}
		if len(unreadable) > 0 {
			fmt.Fprintln(w, "What is lost has to be entered anew: rotate the secrets of connections with grace_seconds 0; remove telephone numbers and outside calendars, and add them again. Certificates are ordered anew.")
		}
	})
}

func (s *session) boxToSealWith(abandon bool) (*seal.Box, error) {
	if abandon {
		return app.NewBox(s.settings)
	}
	return app.OpenBox(s.ctx, s.settings, s.store, s.now())
}
