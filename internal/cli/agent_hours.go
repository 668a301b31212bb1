package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// dayFlags are those of `agent close` and `agent open`.
type dayFlags struct {
	tenant, agent  string
	on, to, reason string
	hours          string
}

func (f *dayFlags) add(p *program, cmd *cobra.Command) {
	p.tenantFlag(cmd, &f.tenant)
	cmd.Flags().StringVar(&f.agent, "agent", "", "slug of the agent; not needed where the tenant has one")
	cmd.Flags().StringVar(&f.on, "on", "", "first date, such as 2026-12-24")
	cmd.Flags().StringVar(&f.to, "to", "", "first date that is not meant any more (default: the day after --on)")
	cmd.Flags().StringVar(&f.reason, "reason", "", "why, in words that callers may hear")
	require(cmd, "on")
}

// dates are those that are meant.
func (f *dayFlags) dates() (from, to frontdesk.Date, err error) {
	if from, err = dateFlag("on", f.on); err != nil {
		return from, to, err
	}
	to = from.AddDays(1)
	if f.to != "" {
		if to, err = dateFlag("to", f.to); err != nil {
			return from, to, err
		}
	}
	if !from.Before(to) {
		return from, to, misused("--to is %s, which is not after --on %s", to, from)
	}
	return from, to, nil
}

func (p *program) agentClose() *cobra.Command {
	var f dayFlags
	cmd := &cobra.Command{
		Use: "close", Short: "Close the house on a date", Args: cobra.NoArgs,
		Long: `Close the house on a date, or on all dates up to --to.

Appointments that stand on these days stay: ` + "`frontdesk agenda --on DATE`" + ` shows them.`,
		Example: `  frontdesk agent close --tenant rizos --on 2026-12-24
  frontdesk agent close --tenant rizos --on 2027-08-01 --to 2027-08-16 --reason vacaciones`,
		RunE: p.onStore(func(s *session, _ []string) error { return s.setDays(f, nil) }),
	}
	f.add(p, cmd)
	return cmd
}

func (p *program) agentOpen() *cobra.Command {
	var f dayFlags
	cmd := &cobra.Command{
		Use: "open", Short: "Open the house on a date on which it is closed, or at other hours", Args: cobra.NoArgs,
		Long: `Open the house on a date, or on all dates up to --to. Without --hours the usual
hours count again, unless the date is a public holiday: then they have to be said.`,
		Example: `  frontdesk agent open --tenant rizos --on 2026-12-24
  frontdesk agent open --tenant rizos --on 2026-12-06 --hours 10:00-14:00,17:00-20:00`,
		RunE: p.onStore(func(s *session, _ []string) error {
			periods, err := periodsFlag(f.hours)
			if err != nil {
				return err
			}
			return s.setDays(f, &periods)
		}),
	}
	f.add(p, cmd)
	cmd.Flags().StringVar(&f.hours, "hours", "", "hours of these days, such as 10:00-14:00,17:00-20:30")
	return cmd
}

// periodsFlag reads 10:00-14:00,17:00-20:30.
func periodsFlag(text string) (all []frontdesk.Period, err error) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		from, to, _ := strings.Cut(part, "-")
		p, ok := wire.ParsePeriod(strings.TrimSpace(from), strings.TrimSpace(to))
		if !ok {
			return nil, misused("--hours is %q: expected periods such as 10:00-14:00,17:00-20:30", text)
		}
		all = append(all, p)
	}
	return all, nil
}

// setDays sets the hours of some dates: nil closes them, none gives them back to
// the usual hours.
func (s *session) setDays(f dayFlags, periods *[]frontdesk.Period) error {
	from, to, err := f.dates()
	if err != nil {
		return err
	}
	t, err := s.findTenant(f.tenant)
	if err != nil {
		return err
	}
	a, err := s.agentOrOnly(t, f.agent)
	if err != nil {
		return err
	}
	return s.changeAgent(f.tenant, a.Slug, func(a *frontdesk.Agent) error {
		zone, err := frontdesk.LoadZone(a.Timezone)
		if err != nil {
			return err
		}
		c := &a.Settings.Calendar
		c.Exceptions = frontdesk.WithoutDays(c.Exceptions, from, to)
		if periods == nil || len(*periods) > 0 {
			e := frontdesk.Exception{From: from, To: to, Reason: f.reason}
			if periods != nil {
				e.Openings = *periods
			}
			c.Exceptions = append(c.Exceptions, e)
		}
		slices.SortStableFunc(c.Exceptions, func(a, b frontdesk.Exception) int { return b.From.DaysUntil(a.From) })
		return c.Check(zone)
	}, func(a frontdesk.Agent) string {
		days := from.String()
		if last := to.AddDays(-1); from.Before(last) {
			days = fmt.Sprintf("from %s to %s", from, last)
		}
		switch {
		case periods == nil:
			return "is closed " + days
		case len(*periods) == 0:
			return "has its usual hours " + days
		}
		return "is open " + f.hours + " " + days
	})
}
