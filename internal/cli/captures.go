package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) captureCommands() *cobra.Command {
	return group("capture", "Appointments, messages and what else callers left", p.captureList(), p.captureAdd(), p.captureMove(), p.captureCancel())
}

// captureWhere are the flags that say which captures are meant.
type captureWhere struct {
	kind, status, from, to, phone string
}

func (f *captureWhere) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.kind, "kind", "", "appointment, lead, order, callback, message or waiting")
	flags.StringVar(&f.status, "status", "", "pending_confirm, confirmed, cancelled or no_show")
	flags.StringVar(&f.from, "from", "", "scheduled on this date or later, such as 2026-11-20")
	flags.StringVar(&f.to, "to", "", "scheduled before this date")
	flags.StringVar(&f.phone, "phone", "", "of this telephone number, in any spelling")
}

func (f captureWhere) filter(agent frontdesk.ID) (filter frontdesk.CaptureFilter, err error) {
	filter = frontdesk.CaptureFilter{Kind: f.kind, Status: frontdesk.CaptureStatus(f.status), AgentID: agent}
	for _, bound := range []struct {
		name, text string
		to         *frontdesk.LocalTime
	}{{"from", f.from, &filter.ScheduledFrom}, {"to", f.to, &filter.ScheduledTo}} {
		if bound.text == "" {
			continue
		}
		d, err := dateFlag(bound.name, bound.text)
		if err != nil {
			return filter, err
		}
		*bound.to = frontdesk.LocalTimeOf(d.In(time.UTC))
	}
	if f.phone != "" {
		if filter.PhoneTail = frontdesk.PhoneTail(f.phone); filter.PhoneTail == "" {
			return filter, misused("--phone is %q: expected six digits or more", f.phone)
		}
	}
	return filter, nil
}

func (p *program) captureList() *cobra.Command {
	var book bookFlags
	var where captureWhere
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List captures, newest first", Args: cobra.NoArgs,
		Example: `  frontdesk capture list --tenant rizos --kind appointment --from 2026-11-20 --to 2026-11-21
  frontdesk capture list --tenant rizos --phone 600000001`,
		RunE: p.onStore(func(s *session, _ []string) error { return s.listCaptures(book, where, limit) }),
	}
	book.add(p, cmd)
	where.add(cmd)
	cmd.Flags().IntVar(&limit, "limit", 50, "how many at most, up to 100")
	return cmd
}

func (s *session) listCaptures(book bookFlags, where captureWhere, limit int) error {
	if limit < 1 || limit > 100 {
		return misused("--limit is %d: expected 1 to 100", limit)
	}
	who, err := book.open(s)
	if err != nil {
		return err
	}
	filter, err := where.filter(who.Agent.ID)
	if err != nil {
		return err
	}
	found, err := s.store.Captures(s.ctx, who.Owner(), filter, frontdesk.Page{Limit: limit})
	if err != nil {
		return err
	}
	return s.print(json.RawMessage(wire.CaptureList(found)), func(w io.Writer) {
		row(w, "WHEN", "KIND", "WHAT", "NAME", "TELEPHONE", "WITH", "STATUS", "CODE", "ID")
		for _, c := range found.Items {
			row(w, shownTime(c.ScheduledAt), c.Kind, c.Service, c.CustomerName, c.CustomerPhone, c.Visit.Resource, string(c.Status), c.ConfirmationCode, string(c.ID))
		}
		if found.More {
			fmt.Fprintf(w, "There are more; narrow the list, or raise --limit.\n")
		}
	})
}

func shownTime(at frontdesk.LocalTime) string {
	if len(at) < len("2026-11-20T17:30") {
		return "–"
	}
	return strings.Replace(string(at[:len("2026-11-20T17:30")]), "T", " ", 1)
}

func (p *program) captureAdd() *cobra.Command {
	var book bookFlags
	var e calendar.Entry
	var at string
	cmd := &cobra.Command{
		Use: "add", Short: "Write an appointment, or something without a time, into the book", Args: cobra.NoArgs,
		Example: `  frontdesk capture add --tenant rizos --at 2026-11-20T17:30 --service corte --name "Ana García" --phone 600000001
  frontdesk capture add --tenant rizos --at 2026-11-20T17:30 --with luis --force`,
		RunE: p.onStore(func(s *session, _ []string) error { return s.addCapture(book, e, at) }),
	}
	book.add(p, cmd)
	f := cmd.Flags()
	f.StringVar(&at, "at", "", "local time of the business, such as 2026-11-20T17:30")
	f.StringVar(&e.Kind, "kind", "", "what it is (default appointment with --at, else lead)")
	f.StringVar(&e.ServiceID, "service", "", "id of the service")
	f.StringVar(&e.ResourceID, "with", "", "id of the person, room or table (default: whoever is free)")
	f.IntVar(&e.Party, "party", 0, "people")
	f.IntVar(&e.Duration, "minutes", 0, "how long it takes (default: as the service)")
	f.StringVar(&e.Name, "name", "", "name of the customer")
	f.StringVar(&e.Phone, "phone", "", "telephone number of the customer")
	f.StringVar(&e.Email, "email", "", "e-mail address of the customer")
	f.StringVar(&e.Language, "language", "", "language that the customer is written to in (default: that of their telephone's country, else the agent's first)")
	f.StringVar(&e.Notes, "notes", "", "what is to be known beside")
	f.BoolVar(&e.Force, "force", false, "write it although the place is taken, or the business is closed")
	p.completeWords(cmd, "language", frontdesk.Languages)
	return cmd
}

func (s *session) addCapture(book bookFlags, e calendar.Entry, at string) (err error) {
	who, err := book.open(s)
	if err != nil {
		return err
	}
	if e.ScheduledAt, err = timeFlag("at", at); err != nil {
		return err
	}
	if e.Language != "" && !slices.Contains(who.Agent.Languages, e.Language) {
		return misused("--language is %q: the agent %s speaks %s", e.Language, who.Agent.Slug, strings.Join(who.Agent.Languages, ", "))
	}
	s.warnOfEmail(e.Email)
	e.Source, e.Now = frontdesk.FromConsole, s.now()
	c, err := s.book().Enter(s.ctx, who, e)
	if err != nil {
		return err
	}
	return s.printCapture(c, "Written: ")
}

// warnOfEmail warns of what is no e-mail address.
func (s *session) warnOfEmail(email string) {
	if email != "" && !frontdesk.IsEmail(email) {
		s.warn(fmt.Sprintf("%q is no e-mail address: it is written down, and nothing is sent to it", email))
	}
}

// timeFlag reads a local time of the business.
func timeFlag(name, text string) (frontdesk.LocalTime, error) {
	if text == "" {
		return "", nil
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return frontdesk.LocalTimeOf(at), nil
		}
	}
	return "", misused("--%s is %q: expected a local time such as 2026-11-20T17:30", name, text)
}

func (s *session) printCapture(c frontdesk.Capture, done string) error {
	return s.print(json.RawMessage(wire.CaptureEnvelope(c)), func(w io.Writer) {
		with := ""
		if c.Visit.Resource != "" {
			with = " with " + c.Visit.Resource
		}
		fmt.Fprintf(w, "%s%s %s %s%s, %s, code %s (%s).\n", done, c.Kind, shownTime(c.ScheduledAt), strings.Map(printable, c.Service), with, c.Status, c.ConfirmationCode, c.ID)
	})
}

func (p *program) captureMove() *cobra.Command {
	var book bookFlags
	var at, with, email string
	var force bool
	cmd := &cobra.Command{
		Use: "move CODE|ID", Short: "Move an appointment, or correct the customer's e-mail address; it keeps its code", Args: cobra.ExactArgs(1),
		Example: `  frontdesk capture move --tenant rizos K7M4QX --at 2026-11-20T18:00
  frontdesk capture move --tenant rizos K7M4QX --with luis
  frontdesk capture move --tenant rizos K7M4QX --email lucia@example.com`,
	}
	cmd.RunE = p.onStore(func(s *session, args []string) error {
		patch := calendar.Patch{Force: force, Now: s.now()}
		if cmd.Flags().Changed("at") {
			t, err := timeFlag("at", at)
			if err != nil {
				return err
			}
			patch.ScheduledAt = &t
		}
		if cmd.Flags().Changed("with") {
			patch.ResourceID = &with
		}
		if cmd.Flags().Changed("email") {
			patch.Email = &email
		}
		if patch.ScheduledAt == nil && patch.ResourceID == nil && patch.Email == nil {
			return misused("nothing to change: give --at, --with or --email")
		}
		s.warnOfEmail(email)
		return s.moveCapture(book, args[0], patch)
	})
	book.add(p, cmd)
	cmd.Flags().StringVar(&at, "at", "", "new local time, such as 2026-11-20T18:00")
	cmd.Flags().StringVar(&with, "with", "", `id of the person, room or table; "": nobody in particular`)
	cmd.Flags().StringVar(&email, "email", "", `e-mail address of the customer; "": none`)
	cmd.Flags().BoolVar(&force, "force", false, "move it although the place is taken, or the business is closed")
	return cmd
}

func (s *session) moveCapture(book bookFlags, name string, patch calendar.Patch) error {
	who, err := book.open(s)
	if err != nil {
		return err
	}
	c, err := s.findCapture(who, name)
	if err != nil {
		return err
	}
	if c, err = s.book().Change(s.ctx, who, c.ID, patch); err != nil {
		return err
	}
	return s.printCapture(c, "Changed: ")
}

// findCapture is a capture by its id, or an appointment that stands by its code.
func (s *session) findCapture(who calendar.Caller, name string) (frontdesk.Capture, error) {
	missing := refused("not_found", "capture", "there is no appointment %q that stands; `frontdesk capture list` shows them", name)
	if id, ok := frontdesk.ParseID(name); ok {
		c, err := s.store.Capture(s.ctx, who.Owner(), id)
		if isMissing(err) || err == nil && c.AgentID != who.Agent.ID {
			return c, missing
		}
		return c, err
	}
	found, err := s.book().Find(s.ctx, who, name, "", time.Time{})
	if err != nil {
		return frontdesk.Capture{}, err
	}
	if len(found) == 0 {
		return frontdesk.Capture{}, missing
	}
	return found[0], nil
}

func (p *program) captureCancel() *cobra.Command {
	var book bookFlags
	var where captureWhere
	var all, yes bool
	cmd := &cobra.Command{
		Use: "cancel [CODE|ID …]", Short: "Cancel appointments: by their codes, or all that --where narrows down", Args: cobra.ArbitraryArgs,
		Example: `  frontdesk capture cancel --tenant rizos K7M4QX
  frontdesk capture cancel --tenant rizos --where --phone 600000001 --from 2026-11-20
  frontdesk capture cancel --tenant rizos --where --phone 600000001 --from 2026-11-20 --yes`,
		RunE: p.onStore(func(s *session, args []string) error {
			switch {
			case all && len(args) > 0 || !all && len(args) == 0:
				return misused("give the codes of appointments, or --where with --phone, --from, --to, --status")
			case all:
				return s.cancelWhere(book, where, yes)
			}
			return s.cancelNamed(book, args)
		}),
	}
	book.add(p, cmd)
	where.add(cmd)
	cmd.Flags().BoolVar(&all, "where", false, "all appointments that the other flags mean; without --yes they are only shown")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}

func (s *session) cancelNamed(book bookFlags, names []string) error {
	who, err := book.open(s)
	if err != nil {
		return err
	}
	var found []frontdesk.Capture
	for _, name := range names { // all are looked for before one is cancelled
		c, err := s.findCapture(who, name)
		if err != nil {
			return err
		}
		found = append(found, c)
	}
	return s.cancelAll(who, found)
}

// cancelWhere cancels what slipped through: every appointment that the flags mean.
func (s *session) cancelWhere(book bookFlags, where captureWhere, yes bool) error {
	who, err := book.open(s)
	if err != nil {
		return err
	}
	where.kind = frontdesk.Appointment
	filter, err := where.filter(who.Agent.ID)
	if err != nil {
		return err
	}
	if filter == (frontdesk.CaptureFilter{Kind: frontdesk.Appointment, AgentID: who.Agent.ID}) {
		return misused("--where alone means every appointment there is: narrow it with --phone, --from, --to or --status")
	}
	var found []frontdesk.Capture
	page := frontdesk.Page{Limit: 100}
	for {
		list, err := s.store.Captures(s.ctx, who.Owner(), filter, page)
		if err != nil {
			return err
		}
		for _, c := range list.Items {
			if c.TakesPlace() {
				found = append(found, c)
			}
		}
		if !list.More {
			break
		}
		page.StartingAfter = list.Items[len(list.Items)-1].ID
	}
	if yes {
		return s.cancelAll(who, found)
	}
	return s.print(map[string]any{"would_cancel": captureValues(found)}, func(w io.Writer) {
		for _, c := range found {
			row(w, shownTime(c.ScheduledAt), c.Service, c.CustomerName, c.CustomerPhone, c.ConfirmationCode)
		}
		fmt.Fprintf(w, "%d appointments would be cancelled. Add --yes to do it.\n", len(found))
	})
}

func (s *session) cancelAll(who calendar.Caller, found []frontdesk.Capture) (err error) {
	for i, c := range found {
		if found[i], err = s.book().SetStatus(s.ctx, who, c.ID, frontdesk.Cancelled, s.now()); err != nil {
			return fmt.Errorf("cancelling number %d of %d; those before it are cancelled: %w", i+1, len(found), err)
		}
	}
	return s.print(map[string]any{"cancelled": captureValues(found)}, func(w io.Writer) {
		fmt.Fprintf(w, "Appointments cancelled: %d.\n", len(found))
	})
}

func captureValues(all []frontdesk.Capture) []json.RawMessage {
	values := make([]json.RawMessage, len(all))
	for i, c := range all {
		values[i] = wire.Capture(c)
	}
	return values
}
