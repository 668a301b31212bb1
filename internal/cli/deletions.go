package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// deletedAtOnce is how many rows go in one statement: few enough that nobody waits.
const deletedAtOnce = 500

func (p *program) tenantDelete() *cobra.Command {
	var slug string
	var yes bool
	cmd := &cobra.Command{
		Use: "delete [SLUG]", Short: "Delete a tenant with everything that it has", Args: cobra.MaximumNArgs(1),
		Long: `Delete a tenant with everything that it has, in both modes: receptionists, calls,
appointments, documents, keys, people, figures and its audit log. Its keys, people
and numbers stop working first. Without --yes it only says what would go. There is
no way back, but a backup. If it is stopped in between, run it again.`,
		Example: `  frontdesk tenant delete casa-lola
  frontdesk tenant delete casa-lola --yes`,
		RunE: p.onStore(func(s *session, args []string) error {
			slug, err := oneOf("slug", "slug", slug, args)
			if err != nil {
				return err
			}
			return s.deleteTenant(slug, yes)
		}),
	}
	cmd.Flags().StringVar(&slug, "slug", "", "name of the tenant in addresses and commands")
	cmd.Flags().BoolVar(&yes, "yes", false, "delete, and do not only say what would go")
	return cmd
}

func (s *session) deleteTenant(slug string, yes bool) error {
	t, err := s.findTenant(slug)
	if err != nil {
		return err
	}
	agents, err := s.store.Agents(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
	if err != nil {
		return err
	}
	for more := yes; more; {
		if more, err = s.store.DeleteTenantForWorker(s.ctx, t.ID, deletedAtOnce); err != nil {
			return fmt.Errorf("deleting %s: %w; run the command again to go on", t.Slug, err)
		}
	}
	return s.print(map[string]any{"deleted": yes, "tenant": t.Slug, "agents": len(agents)}, func(w io.Writer) {
		if yes {
			fmt.Fprintf(w, "Deleted the tenant %s with everything that it had. The bytes of its documents are swept by the server, a day after they were written.\n", t.Slug)
			return
		}
		fmt.Fprintf(w, "The tenant %s (%s) has %d receptionists. With it go all of its calls, appointments, documents, keys, people and figures.\n", t.Slug, t.Name, len(agents))
		fmt.Fprintln(w, "Nothing is deleted yet: add --yes. There is no way back, but a backup.")
	})
}

func (p *program) agentDelete() *cobra.Command {
	var tenant, agent string
	var yes bool
	cmd := &cobra.Command{
		Use: "delete [SLUG]", Short: "Delete an agent with everything that it took down", Args: cobra.MaximumNArgs(1),
		Long: `Delete an agent with everything that it took down, in both modes: its calls,
appointments and messages, its own documents, numbers and calendars. What counts for
the tenant stays: usage and the audit log. Without --yes it only says what would go.
There is no way back, but a backup. ` + "`frontdesk agent pause`" + ` only stops its calls.`,
		Example: `  frontdesk agent delete --tenant casa-lola recepcion
  frontdesk agent delete --tenant casa-lola recepcion --yes`,
		ValidArgsFunction: p.completeAgents,
		RunE: p.onStore(func(s *session, args []string) error {
			slug, err := oneOf("agent's slug", "agent", agent, args)
			if err != nil {
				return err
			}
			return s.deleteAgent(tenant, slug, yes)
		}),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&agent, "agent", "", "slug of the agent")
	cmd.Flags().BoolVar(&yes, "yes", false, "delete, and do not only say what would go")
	return cmd
}

func (s *session) deleteAgent(tenant, slug string, yes bool) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	owner := frontdesk.Owner{TenantID: t.ID, Live: true}
	a, err := s.store.AgentBySlug(s.ctx, owner, slug)
	if isMissing(err) {
		return noAgent(slug, t)
	}
	if err != nil {
		return err
	}
	if yes { // nobody talks to it while it goes
		if _, err := s.store.ChangeAgent(s.ctx, owner, slug, s.byOperator(func(a frontdesk.Agent) (frontdesk.Agent, error) {
			a.Status = frontdesk.AgentPaused
			return a, nil
		})); err != nil {
			return err
		}
	}
	for more := yes; more; {
		if more, err = s.store.DeleteAgentForWorker(s.ctx, s.by(), a, deletedAtOnce); err != nil {
			return fmt.Errorf("deleting %s: %w; run the command again to go on", a.Slug, err)
		}
	}
	return s.print(map[string]any{"deleted": yes, "tenant": t.Slug, "agent": a.Slug}, func(w io.Writer) {
		if yes {
			fmt.Fprintf(w, "Deleted the agent %s with everything that it took down.\n", a.Slug)
			return
		}
		fmt.Fprintf(w, "With the agent %s (%s) go its calls, appointments and messages, its own documents, numbers and calendars.\n", a.Slug, a.DisplayName)
		fmt.Fprintln(w, "Nothing is deleted yet: add --yes. There is no way back, but a backup. To stop its calls, `frontdesk agent pause` is enough.")
	})
}
