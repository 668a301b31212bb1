package cli

import (
	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// bookFlags say whose book a command is about.
type bookFlags struct {
	tenant string
	agent  string
	mode   string
}

func (f *bookFlags) add(p *program, cmd *cobra.Command) {
	p.tenantFlag(cmd, &f.tenant)
	cmd.Flags().StringVar(&f.agent, "agent", "", "slug of the agent; not needed where the tenant has one")
	cmd.Flags().StringVar(&f.mode, "mode", "live", "live or test")
	p.complete(cmd, "agent", func(cmd *cobra.Command) []string {
		words, _ := p.completeAgents(cmd, nil, "")
		return words
	})
	p.completeWords(cmd, "mode", []string{"live", "test"})
}

// open finds the book.
func (f *bookFlags) open(s *session) (calendar.Caller, error) {
	if f.mode != "live" && f.mode != "test" {
		return calendar.Caller{}, misused("--mode is %q: expected live or test", f.mode)
	}
	t, err := s.findTenant(f.tenant)
	if err != nil {
		return calendar.Caller{}, err
	}
	who := calendar.Caller{By: s.by(), Tenant: t, Live: f.mode == "live", Channel: frontdesk.Web}
	who.Agent, err = s.agentOrOnly(t, f.agent)
	who.Services = catalogue.Read(who.Agent).Services
	return who, err
}

// agentOrOnly is the agent with a slug or, without one, the only agent.
func (s *session) agentOrOnly(t frontdesk.Tenant, slug string) (frontdesk.Agent, error) {
	owner := frontdesk.Owner{TenantID: t.ID, Live: true}
	if slug != "" {
		a, err := s.store.AgentBySlug(s.ctx, owner, slug)
		if isMissing(err) {
			return a, noAgent(slug, t)
		}
		return a, err
	}
	all, err := s.store.Agents(s.ctx, owner)
	switch {
	case err != nil:
		return frontdesk.Agent{}, err
	case len(all) == 0:
		return frontdesk.Agent{}, refused("not_found", "agent", "the tenant %s has no agents; `frontdesk agent create` makes one", t.Slug)
	case len(all) > 1:
		return frontdesk.Agent{}, misused("the tenant %s has %d agents: say which with --agent", t.Slug, len(all))
	}
	return all[0], nil
}

// book is the calendar that commands write into. What the operator writes is not
// held to what callers are.
func (s *session) book() *calendar.Calendar { return calendar.New(s.store, nil) }
