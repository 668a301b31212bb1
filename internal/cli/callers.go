package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/api"
	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/privacy"
	"frontdesk.dev/frontdesk/internal/store"
)

func (p *program) callerCommands() *cobra.Command {
	return group("caller", "What is known of a person who called", p.callerExport(), p.callerErase())
}

func (p *program) callerExport() *cobra.Command {
	var tenant, phone, file string
	cmd := &cobra.Command{
		Use: "export", Short: "Write all that is known of a caller into one file", Args: cobra.NoArgs,
		Long: `Write all that is known of a caller into one file: captures, calls with what was
said, notices, events, questions and audit entries, in both modes, as JSON. The
person is found by the telephone number, however it is written.`,
		Example: `  frontdesk caller export --tenant casa-lola --phone "+34 600 111 222" --output ana.json`,
		RunE:    p.onStore(func(s *session, _ []string) error { return s.exportCaller(tenant, phone, file) }),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&phone, "phone", "", "telephone number of the person")
	cmd.Flags().StringVar(&file, "output", "", "file to write; without it, to standard output")
	_ = cmd.MarkFlagRequired("phone")
	return cmd
}

func (p *program) callerErase() *cobra.Command {
	var tenant, phone string
	var yes bool
	cmd := &cobra.Command{
		Use: "erase", Short: "Erase all that is known of a caller", Args: cobra.NoArgs,
		Long: `Erase all that is known of a caller: captures, calls with what was said, notices,
events, questions, stored answers and the values of audit entries, in both modes,
and the copies in connected calendars. Figures stay, for they name nobody. Without
--yes it only says what would be erased. There is no way back, but a backup.`,
		Example: `  frontdesk caller erase --tenant casa-lola --phone "+34 600 111 222"
  frontdesk caller erase --tenant casa-lola --phone "+34 600 111 222" --yes`,
		RunE: p.onStore(func(s *session, _ []string) error { return s.eraseCaller(tenant, phone, yes) }),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&phone, "phone", "", "telephone number of the person")
	cmd.Flags().BoolVar(&yes, "yes", false, "erase, and do not only say what would be erased")
	_ = cmd.MarkFlagRequired("phone")
	return cmd
}

// keeper is what knows where callers stand.
func (s *session) keeper() (*privacy.Keeper, error) {
	box, err := app.OpenBox(s.ctx, s.settings, s.store, s.now())
	if err != nil {
		return nil, err
	}
	return privacy.New(privacy.Options{Store: s.store, Log: logger(s.stderr, s.settings), Now: s.now, OpenAnswer: api.OpenAnswer(box)}), nil
}

// inBothModes does something for each mode of a tenant.
func (s *session) inBothModes(tenant string, do func(*privacy.Keeper, frontdesk.Owner, string) error) error {
	k, err := s.keeper()
	if err != nil {
		return err
	}
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	for _, mode := range []string{"live", "test"} {
		if err := do(k, frontdesk.Owner{TenantID: t.ID, Live: mode == "live"}, mode); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) exportCaller(tenant, phone, file string) error {
	all := map[string]privacy.Caller{}
	err := s.inBothModes(tenant, func(k *privacy.Keeper, owner frontdesk.Owner, mode string) error {
		c, err := k.Find(s.ctx, owner, phone)
		all[mode] = c
		return err
	})
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if file == "" {
		_, err := s.stdout.Write(text)
		return err
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return fmt.Errorf("writing what is known of the caller: %w", err)
	}
	fmt.Fprintf(s.stdout, "wrote %s: %d captures and %d calls, %d and %d of test mode\n", file,
		len(all["live"].Captures), len(all["live"].Calls), len(all["test"].Captures), len(all["test"].Calls))
	return nil
}

func (s *session) eraseCaller(tenant, phone string, yes bool) error {
	rows := map[string]map[store.TraceKind]int{}
	err := s.inBothModes(tenant, func(k *privacy.Keeper, owner frontdesk.Owner, mode string) error {
		find := k.Find
		if yes {
			find = func(ctx context.Context, owner frontdesk.Owner, phone string) (privacy.Caller, error) {
				return k.Erase(ctx, owner, s.by(), phone)
			}
		}
		c, err := find(s.ctx, owner, phone)
		rows[mode] = c.Rows()
		return err
	})
	if err != nil {
		return err
	}
	return s.print(map[string]any{"erased": yes, "rows": rows}, func(w io.Writer) { printErased(w, rows, yes) })
}

func printErased(w io.Writer, rows map[string]map[store.TraceKind]int, yes bool) {
	if len(rows["live"])+len(rows["test"]) == 0 {
		fmt.Fprintln(w, "Nothing is known of this number.")
		return
	}
	row(w, "WHAT", "LIVE", "TEST")
	for _, kind := range store.TraceKinds {
		if live, test := rows["live"][kind], rows["test"][kind]; live+test > 0 {
			row(w, string(kind), fmt.Sprint(live), fmt.Sprint(test))
		}
	}
	if yes {
		fmt.Fprintln(w, "Erased. Copies in connected calendars go within moments; those in your backups and at the receivers of your webhooks are yours to erase.")
		return
	}
	fmt.Fprintln(w, "Nothing is erased yet: add --yes.")
}
