package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) agendaCommand() *cobra.Command {
	var book bookFlags
	var on string
	var days int
	cmd := &cobra.Command{
		Use: "agenda", Short: "Show who comes on a day", Args: cobra.NoArgs,
		Example: `  frontdesk agenda --tenant rizos
  frontdesk agenda --tenant rizos --on 2026-11-20
  frontdesk agenda --tenant rizos --on 2026-11-20 --days 7 --json`,
		RunE: p.onStore(func(s *session, _ []string) error { return s.agenda(book, on, days) }),
	}
	book.add(p, cmd)
	cmd.Flags().StringVar(&on, "on", "", "date, such as 2026-11-20 (default: today where the business is)")
	cmd.Flags().IntVar(&days, "days", 1, fmt.Sprintf("how many days, %d at most", calendar.MostDays))
	return cmd
}

func (s *session) agenda(book bookFlags, on string, days int) error {
	if days < 1 || days > calendar.MostDays {
		return misused("--days is %d: expected 1 to %d", days, calendar.MostDays)
	}
	who, err := book.open(s)
	if err != nil {
		return err
	}
	zone, err := frontdesk.LoadZone(who.Agent.Timezone)
	if err != nil {
		return err
	}
	from := frontdesk.DateOf(s.now().In(zone))
	if on != "" {
		if from, err = dateFlag("on", on); err != nil {
			return err
		}
	}
	found, err := s.book().Agenda(s.ctx, who, from, from.AddDays(days), s.now())
	if err != nil {
		return err
	}
	return s.print(wire.Agenda(who.Agent, bookDays(found)), func(w io.Writer) {
		for i, d := range found {
			if i > 0 {
				fmt.Fprintln(w)
			}
			printDay(w, zone, d)
		}
	})
}

func printDay(w io.Writer, zone *time.Location, d calendar.Day) {
	open := []string{}
	for _, span := range d.Open {
		open = append(open, span.From.In(zone).Format("15:04")+"-"+span.To.In(zone).Format("15:04"))
	}
	hours := "closed"
	if len(open) > 0 {
		hours = "open " + strings.Join(open, ", ")
	}
	if why := strings.TrimSpace(d.Reason + " " + d.Holiday); why != "" {
		hours += " (" + why + ")"
	}
	fmt.Fprintf(w, "%s %s, %s\n", d.Date.Weekday(), d.Date, hours)
	for _, c := range d.Captures {
		at := c.StartsAt().In(zone).Format("15:04")
		row(w, "  "+at, c.Service, c.CustomerName, c.CustomerPhone, party(c), c.Visit.Resource, string(c.Status), c.ConfirmationCode)
	}
	if len(d.Captures) == 0 {
		fmt.Fprintln(w, "  nobody")
	}
	for _, k := range d.Kept {
		at, _ := k.ScheduledAt.In(zone)
		row(w, "  "+clockOn(d.Date, at, zone), k.Service, k.Name, k.Phone, party(frontdesk.Capture{Visit: k.Visit}), cmp.Or(k.Visit.Resource, k.Visit.ResourceID),
			"kept until "+clockOn(d.Date, k.Until, zone)+" (waiting list)")
	}
	for _, b := range d.Busy {
		row(w, "  "+clockOn(d.Date, b.Outside.From, zone)+"-"+clockOn(d.Date, b.Outside.To, zone), "busy in an outside calendar", b.Visit.ResourceID)
	}
}

// clockOn is what the clock shows at an instant, with the date when it is another
// day's.
func clockOn(day frontdesk.Date, at time.Time, zone *time.Location) string {
	local := at.In(zone)
	if frontdesk.DateOf(local) == day {
		return local.Format("15:04")
	}
	return local.Format("01-02 15:04")
}

func party(c frontdesk.Capture) string {
	if c.Visit.Party == 0 {
		return ""
	}
	return fmt.Sprintf("%d people", c.Visit.Party)
}

func dateFlag(name, text string) (frontdesk.Date, error) {
	d, ok := frontdesk.ParseDate(text)
	if !ok {
		return d, misused("--%s is %q: expected a date such as 2026-11-20", name, text)
	}
	return d, nil
}

// bookDays are days as they are spelled.
func bookDays(days []calendar.Day) []wire.BookDay {
	all := make([]wire.BookDay, len(days))
	for i, d := range days {
		all[i] = wire.BookDay{Day: d.Day, Captures: d.Captures, Busy: d.Busy, Kept: d.Kept}
	}
	return all
}
