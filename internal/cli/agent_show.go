package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) agentShow() *cobra.Command {
	var tenant, agent string
	cmd := &cobra.Command{
		Use: "show [SLUG]", Short: "Show an agent with its settings and rules; --json also shows its configuration", Args: cobra.MaximumNArgs(1),
		Example: `  frontdesk agent show --tenant casa-lola recepcion
  frontdesk agent show --tenant casa-lola recepcion --json`,
		ValidArgsFunction: p.completeAgents,
		RunE: p.onStore(func(s *session, args []string) error {
			slug, err := oneOf("agent's slug", "agent", agent, args)
			if err != nil {
				return err
			}
			return s.showAgent(tenant, slug)
		}),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&agent, "agent", "", "slug of the agent")
	return cmd
}

func (s *session) showAgent(tenant, slug string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	a, err := s.store.AgentBySlug(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true}, slug)
	if isMissing(err) {
		return noAgent(slug, t)
	}
	if err != nil {
		return err
	}
	return s.print(wire.AgentEnvelope(a, true, s.now()), func(w io.Writer) {
		for _, line := range [][2]string{
			{"Slug", a.Slug},
			{"Name", a.DisplayName},
			{"Vertical", a.Vertical},
			{"Status", a.Status},
			{"Languages", strings.Join(a.Languages, ", ")},
			{"Timezone", a.Timezone},
			{"Currency", a.Currency()},
			{"Settings", settingsText(a)},
			{"Updated", when(a.UpdatedAt)},
			{"ID", string(a.ID)},
		} {
			row(w, line[0], line[1])
		}
		for i, r := range a.Settings.Rules {
			row(w, fmt.Sprintf("Rule %d", i+1), ruleText(r))
		}
	})
}

// ruleText is a rule in a line: when topic is event and party is over 12: message.
func ruleText(r frontdesk.Rule) string {
	var when []string
	add := func(given bool, format string, args ...any) {
		if given {
			when = append(when, fmt.Sprintf(format, args...))
		}
	}
	w := r.When
	add(w.Topic != "", "the topic is %s", w.Topic)
	add(len(w.Words) > 0, "somebody says %s", strings.Join(w.Words, ", "))
	add(w.PartyOver > 0, "more than %d come", w.PartyOver)
	add(w.From != "", "it is %s or later", w.From)
	add(w.To != "", "it is before %s", w.To)
	add(len(w.Days) > 0, "the day is one of %s", strings.Trim(fmt.Sprint(w.Days), "[]"))
	text := "always"
	if len(when) > 0 {
		text = "when " + strings.Join(when, " and ")
	}
	text += ": " + r.Do
	if r.ServiceID != "" {
		text += " " + r.ServiceID
	}
	for _, language := range frontdesk.Languages {
		if said := r.Say[language]; said != "" {
			text += fmt.Sprintf(" (%s: %q)", language, said)
		}
	}
	return text
}

func noAgent(slug string, t frontdesk.Tenant) error {
	return refused("not_found", "agent", "there is no agent %q of the tenant %s; `frontdesk agent list --tenant %s` shows them", slug, t.Slug, t.Slug)
}
