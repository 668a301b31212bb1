package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) agentCommands() *cobra.Command {
	return group("agent", "Receptionists",
		p.agentCreate(), p.agentList(), p.agentImport(), p.agentSet(),
		p.agentStatus("pause", "Stop an agent from taking calls", frontdesk.AgentPaused),
		p.agentStatus("resume", "Let an agent take calls again", frontdesk.AgentActive))
}

func (p *program) agentCreate() *cobra.Command {
	var tenant, config string
	var file wire.AgentFile
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create an agent",
		Example: `  frontdesk agent create --tenant casa-lola --slug recepcion --vertical restaurant --name "Casa Lola"
  frontdesk agent create --tenant casa-lola --slug bar --vertical restaurant --name Bar --config bar.json`,
		Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.createAgent(tenant, file, config) }),
	}
	p.tenantFlag(cmd, &tenant)
	f := cmd.Flags()
	f.StringVar(&file.Slug, "slug", "", "name of the agent in addresses and commands")
	f.StringVar(&file.Vertical, "vertical", "", "trade: "+strings.Join(frontdesk.Verticals, ", "))
	f.StringVar(&file.DisplayName, "name", "", "name of the agent for people")
	f.StringVar(&file.Timezone, "timezone", "Europe/Madrid", "IANA time zone of its opening hours")
	f.StringSliceVar(&file.Languages, "languages", frontdesk.Languages, "languages it speaks, the first is the one it greets in")
	f.StringVar(&file.Status, "status", frontdesk.AgentActive, strings.Join(frontdesk.AgentStatuses, ", "))
	f.StringVar(&config, "config", "", "file with its AgentConfig in JSON or YAML; - for standard input")
	require(cmd, "slug", "vertical", "name")
	p.completeWords(cmd, "vertical", frontdesk.Verticals)
	p.completeWords(cmd, "status", frontdesk.AgentStatuses)
	p.completeWords(cmd, "languages", frontdesk.Languages)
	return cmd
}

func (s *session) createAgent(tenant string, file wire.AgentFile, config string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	if config != "" {
		if file.Config, err = s.readJSON(config); err != nil {
			return err
		}
	}
	a, err := newAgent(file)
	if err != nil {
		return err
	}
	a = s.bear(a, t)
	if err := s.store.CreateAgent(s.ctx, a); err != nil {
		return err
	}
	return s.print(agentJSON(a, t), func(w io.Writer) {
		fmt.Fprintf(w, "Created the agent %s of %s (%s).\n", a.Slug, t.Slug, a.ID)
	})
}

// bear gives a new agent its tenant, its id and its time.
func (s *session) bear(a frontdesk.Agent, t frontdesk.Tenant) frontdesk.Agent {
	now := s.now()
	a.ID, a.TenantID, a.CreatedAt, a.UpdatedAt = frontdesk.NewID(now), t.ID, now, now
	return a
}

func (p *program) agentList() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use: "list", Short: "List a tenant's agents, newest first", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.listAgents(tenant) }),
	}
	p.tenantFlag(cmd, &tenant)
	return cmd
}

func (s *session) listAgents(tenant string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	agents, err := s.store.Agents(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
	if err != nil {
		return err
	}
	shapes := make([]agentShape, len(agents))
	for i, a := range agents {
		shapes[i] = agentJSON(a, t)
	}
	return s.print(map[string]any{"agents": shapes}, func(w io.Writer) {
		row(w, "SLUG", "NAME", "VERTICAL", "STATUS", "LANGUAGES", "TIMEZONE", "UPDATED", "ID")
		for _, a := range agents {
			row(w, a.Slug, a.DisplayName, a.Vertical, a.Status, strings.Join(a.Languages, ","), a.Timezone, when(a.UpdatedAt), string(a.ID))
		}
	})
}

type agentShape struct {
	ID          frontdesk.ID `json:"id"`
	Tenant      string       `json:"tenant"`
	Slug        string       `json:"slug"`
	Vertical    string       `json:"vertical"`
	DisplayName string       `json:"display_name"`
	Status      string       `json:"status"`
	Languages   []string     `json:"languages"`
	Timezone    string       `json:"timezone"`
	CreatedAt   *string      `json:"created_at"`
	UpdatedAt   *string      `json:"updated_at"`
}

func agentJSON(a frontdesk.Agent, t frontdesk.Tenant) agentShape {
	return agentShape{
		a.ID, t.Slug, a.Slug, a.Vertical, a.DisplayName, a.Status, a.Languages, a.Timezone,
		stamp(a.CreatedAt), stamp(a.UpdatedAt),
	}
}

// agentSet changes what only the operator decides about an agent.
func (p *program) agentSet() *cobra.Command {
	var tenant, agent string
	var threshold int
	cmd := &cobra.Command{
		Use: "set [SLUG]", Short: "Change an operator's setting of an agent", Args: cobra.MaximumNArgs(1),
		Example:           "  frontdesk agent set --tenant casa-lola --threshold 75 recepcion",
		ValidArgsFunction: p.completeAgents,
	}
	cmd.RunE = p.onStore(func(s *session, args []string) error {
		slug, err := oneOf("agent's slug", "agent", agent, args)
		if err != nil {
			return err
		}
		if threshold < 1 || threshold > 100 {
			return misused("--threshold is %d: expected 1 to 100", threshold)
		}
		return s.changeAgent(tenant, slug, func(a *frontdesk.Agent) { a.Settings.ThresholdPct = threshold },
			fmt.Sprintf("answers from the knowledge base at %d %% and above", threshold))
	})
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&agent, "agent", "", "slug of the agent")
	cmd.Flags().IntVar(&threshold, "threshold", frontdesk.DefaultThresholdPct, "per cent that an answer from the knowledge base must be likely to be right")
	require(cmd, "threshold")
	return cmd
}

// agentStatus is the command that moves an agent to a status.
func (p *program) agentStatus(name, short, status string) *cobra.Command {
	var tenant, agent string
	cmd := &cobra.Command{
		Use: name + " [SLUG]", Short: short, Args: cobra.MaximumNArgs(1),
		Example:           fmt.Sprintf("  frontdesk agent %s --tenant casa-lola recepcion", name),
		ValidArgsFunction: p.completeAgents,
		RunE: p.onStore(func(s *session, args []string) error {
			slug, err := oneOf("agent's slug", "agent", agent, args)
			if err != nil {
				return err
			}
			return s.changeAgent(tenant, slug, func(a *frontdesk.Agent) { a.Status = status }, "is "+status)
		}),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&agent, "agent", "", "slug of the agent")
	p.complete(cmd, "agent", func(cmd *cobra.Command) []string {
		words, _ := p.completeAgents(cmd, nil, "")
		return words
	})
	return cmd
}

// changeAgent changes one of a tenant's agents, and says how it is now.
func (s *session) changeAgent(tenant, slug string, change func(*frontdesk.Agent), now string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	owner := frontdesk.Owner{TenantID: t.ID, Live: true}
	a, err := s.store.ChangeAgent(s.ctx, owner, slug, s.now(), func(a frontdesk.Agent) (frontdesk.Agent, error) {
		change(&a)
		return a, nil
	})
	if isMissing(err) {
		return refused("not_found", "agent", "there is no agent %q of the tenant %s; `frontdesk agent list --tenant %s` shows them", slug, t.Slug, t.Slug)
	}
	if err != nil {
		return err
	}
	return s.print(agentJSON(a, t), func(w io.Writer) {
		fmt.Fprintf(w, "The agent %s of %s %s.\n", a.Slug, t.Slug, now)
	})
}
