package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// ownerIn is a tenant in one of its modes.
func (s *session) ownerIn(tenant, mode string) (frontdesk.Tenant, frontdesk.Owner, error) {
	if mode != "live" && mode != "test" {
		return frontdesk.Tenant{}, frontdesk.Owner{}, misused("--mode is %q: expected live or test", mode)
	}
	t, err := s.findTenant(tenant)
	return t, frontdesk.Owner{TenantID: t.ID, Live: mode == "live"}, err
}

// oneThing is a command about one thing of a tenant's.
type oneThing struct {
	use, short, long string
	what             string // that there must be one of: "calendar"
	list             string // the command that lists them: "calendar list"
	act              func(*session, frontdesk.Owner, frontdesk.ID) error
	key, done        string // what is printed when it is done, as JSON and for people
}

// onOne is the command of a thing that is named by its id.
func (p *program) onOne(o oneThing) *cobra.Command {
	var tenant, mode string
	cmd := &cobra.Command{
		Use: o.use + " ID", Short: o.short, Long: o.long, Args: cobra.ExactArgs(1),
		RunE: p.onStore(func(s *session, args []string) error { return s.onOne(o, tenant, mode, args[0]) }),
	}
	p.tenantFlag(cmd, &tenant)
	p.modeFlag(cmd, &mode)
	return cmd
}

func (s *session) onOne(o oneThing, tenant, mode, name string) error {
	t, owner, err := s.ownerIn(tenant, mode)
	if err != nil {
		return err
	}
	id, ok := frontdesk.ParseID(name)
	if !ok {
		return misused("%q is no id; `frontdesk %s` shows them", name, o.list)
	}
	err = o.act(s, owner, id)
	if isMissing(err) {
		return refused("not_found", "id", "there is no such %s of the tenant %s; `frontdesk %s --tenant %s` shows them", o.what, t.Slug, o.list, t.Slug)
	}
	if err != nil {
		return err
	}
	return s.print(map[string]any{o.key: id}, func(w io.Writer) { fmt.Fprintf(w, o.done+"\n", id) })
}

func (p *program) modeFlag(cmd *cobra.Command, mode *string) {
	cmd.Flags().StringVar(mode, "mode", "live", "live or test")
	p.completeWords(cmd, "mode", []string{"live", "test"})
}
