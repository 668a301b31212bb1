package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/webhook"
)

func (p *program) rekeyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rekey",
		Short: "Seal the secrets in the database anew with the present master key",
		Long: `Seal the secrets in the database anew with the present master key.

To change the master key: give all nodes the new one in FRONTDESK_MASTER_KEY and
the old one in FRONTDESK_MASTER_KEY_OLD, and restart them; run this; a day later,
when the last kept answer that the old one sealed is forgotten, take the old one
away.`,
		Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error {
			box, err := app.OpenBox(s.settings)
			if err != nil {
				return err
			}
			n, err := webhook.Rekey(s.ctx, s.store, box)
			if err != nil {
				return err
			}
			calendars, err := calendar.Rekey(s.ctx, s.store, box)
			if err != nil {
				return err
			}
			numbers, err := account.RekeyNumbers(s.ctx, s.store, box)
			if err != nil {
				return err
			}
			return s.print(map[string]any{"connections": n, "calendars": calendars, "numbers": numbers}, func(w io.Writer) {
				fmt.Fprintf(w, "Sealed the secrets of %d connections, of %d outside calendars and of %d telephone numbers with the present master key.\n", n, calendars, numbers)
			})
		}),
	}
}
