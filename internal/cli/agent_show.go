package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
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
	return s.print(wire.AgentForOperator(a, s.now()), func(w io.Writer) {
		for _, line := range [][2]string{
			{"Slug", a.Slug},
			{"Name", a.DisplayName},
			{"Vertical", a.Vertical},
			{"Status", a.Status},
			{"Languages", strings.Join(a.Languages, ", ")},
			{"Timezone", a.Timezone},
			{"Currency", a.Currency()},
			{"Transfer to", cmp.Or(a.Settings.TransferNumber, "nobody")},
			{"Settings", settingsText(a)},
			{"Updated", when(a.UpdatedAt)},
			{"ID", string(a.ID)},
		} {
			row(w, line[0], line[1])
		}
		for _, line := range hoursText(a) {
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

var weekdays = [7]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// hoursText is the book of hours, a line for each thing in it.
func hoursText(a frontdesk.Agent) (lines [][2]string) {
	hours, err := opening.Of(a)
	if err != nil || !hours.Known() {
		return [][2]string{{"Hours", "not set"}}
	}
	for day, periods := range hours.Week() {
		lines = append(lines, [2]string{weekdays[day], periodsText(periods)})
	}
	c := a.Settings.Calendar
	for _, e := range c.Exceptions {
		text := fmt.Sprintf("%s to %s: %s", e.From, e.To.AddDays(-1), periodsText(e.Openings))
		lines = append(lines, [2]string{"Exception", strings.TrimSpace(text + " " + e.Reason)})
	}
	for _, cl := range c.Closures {
		who := "the house"
		if r, known := c.Resource(cl.ResourceID); known {
			who = r.Name
		}
		lines = append(lines, [2]string{"Closure", strings.TrimSpace(fmt.Sprintf("%s, %s to %s %s", who, shownTime(cl.From), shownTime(cl.To), cl.Reason))})
	}
	for _, r := range c.Resources {
		does := "everything"
		if r.Services != nil {
			does = strings.Join(r.Services, ", ")
		}
		lines = append(lines, [2]string{"Resource", fmt.Sprintf("%s (%s, %s): %s", r.Name, r.ID, r.Kind, does)})
	}
	return lines
}

func periodsText(periods []frontdesk.Period) string {
	if len(periods) == 0 {
		return "closed"
	}
	all := make([]string, len(periods))
	for i, p := range periods {
		all[i] = p.String()
	}
	return strings.Join(all, ", ")
}

func (p *program) agentExport() *cobra.Command {
	var tenant, agent string
	cmd := &cobra.Command{
		Use: "export [SLUG]", Short: "Print an agent as a file that agent import reads", Args: cobra.MaximumNArgs(1),
		Example:           `  frontdesk agent export --tenant casa-lola recepcion > recepcion.json`,
		ValidArgsFunction: p.completeAgents,
		RunE: p.onStore(func(s *session, args []string) error {
			slug, err := oneOf("agent's slug", "agent", agent, args)
			if err != nil {
				return err
			}
			return s.exportAgent(tenant, slug)
		}),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&agent, "agent", "", "slug of the agent")
	return cmd
}

// exportAgent prints JSON in any case: it is YAML as well.
func (s *session) exportAgent(tenant, slug string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	a, err := s.agentOrOnly(t, slug)
	if err != nil {
		return err
	}
	text, err := jsonv2.Marshal(wire.AgentFileOf(a), jsontext.WithIndent("  "), jsonv2.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encoding an agent: %w", err)
	}
	_, err = fmt.Fprintf(s.stdout, "%s\n", text)
	return err
}
