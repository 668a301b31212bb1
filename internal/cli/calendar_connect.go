package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// connectFlags say which calendar to connect, and whose it is.
type connectFlags struct {
	bookFlags
	resource string
	caldav   bool
	user     string
}

func (p *program) calendarConnect() *cobra.Command {
	var f connectFlags
	cmd := &cobra.Command{
		Use: "connect ADDRESS", Short: "Connect an outside calendar: its busy times take places away", Args: cobra.ExactArgs(1),
		Long: `Connect an outside calendar: its busy times take places away, of everybody or with
--resource of one person, room or table. It is read every five minutes.

ADDRESS is that of an .ics file, as Google, Microsoft and others show it for a
calendar ("secret address in iCal format", "publish a calendar"). With --caldav it
is that of one calendar on a CalDAV server (Nextcloud, iCloud, Fastmail, Radicale),
into which appointments are written too.

The address is a secret: - reads it from standard input. With --user the password
is asked for, or read from the next line of standard input.`,
		Example: `  frontdesk calendar connect --tenant rizos https://calendar.google.com/calendar/ical/…/basic.ics
  frontdesk calendar connect --tenant rizos --resource luis --caldav --user luis https://cloud.example.com/remote.php/dav/calendars/luis/work/`,
		RunE: p.onStore(func(s *session, args []string) error { return s.connectCalendar(f, args[0]) }),
	}
	f.add(p, cmd)
	cmd.Flags().StringVar(&f.resource, "resource", "", "id of the person, room or table whose calendar it is (default: everybody's)")
	cmd.Flags().BoolVar(&f.caldav, "caldav", false, "the address is that of a calendar on a CalDAV server")
	cmd.Flags().StringVar(&f.user, "user", "", "user name at the server; the password is asked for")
	return cmd
}

func (s *session) connectCalendar(f connectFlags, address string) error {
	who, err := f.open(s)
	if err != nil {
		return err
	}
	if _, known := who.Agent.Settings.Calendar.Resource(f.resource); f.resource != "" && !known {
		return refused("not_found", "resource", "there is no resource %q; `frontdesk agent show` lists them", f.resource)
	}
	in := calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: address, ResourceID: f.resource, User: f.user}
	if f.caldav {
		in.Kind = frontdesk.OutsideCalDAV
	}
	lines := bufio.NewReader(io.LimitReader(s.stdin, maxInput))
	if address == "-" {
		if in.Address, err = readLine(lines, "the address"); err != nil {
			return err
		}
	}
	if f.user != "" {
		password, err := s.readPassword(lines)
		if err != nil {
			return err
		}
		in.Password = frontdesk.Secret(password)
	}
	outside, err := s.outside()
	if err != nil {
		return err
	}
	c, err := outside.Connect(s.ctx, who, in)
	if err != nil {
		return err
	}
	writes, err := s.store.CalendarWrites(s.ctx, who.Owner())
	if err != nil {
		return err
	}
	value := map[string]any{
		"id": c.ID, "agent": who.Agent.Slug, "resource_id": c.ResourceID, "kind": c.Kind, "host": c.Host, "livemode": c.Live,
		"busy_times": c.Periods, "to_write": writes[c.ID].Waiting, "problem": c.Problem,
	}
	return s.print(value, func(w io.Writer) { s.sayConnected(w, c, who, writes[c.ID].Waiting) })
}

func (s *session) sayConnected(w io.Writer, c frontdesk.OutsideCalendar, who calendar.Caller, waiting int) {
	whose := "of everybody with " + who.Agent.Slug
	if c.ResourceID != "" {
		whose = "of " + c.ResourceID
	}
	fmt.Fprintf(w, "Connected a calendar at %s. Its busy times take places %s away; found in the days that can be booked: %d.\n", c.Host, whose, c.Periods)
	if c.Kind == frontdesk.OutsideCalDAV {
		fmt.Fprintf(w, "The server writes appointments into it: those to come, and those that stand already: %d.\n", waiting)
	}
	if c.Problem != "" {
		fmt.Fprintln(w, c.Problem)
	}
	fmt.Fprintf(w, "`frontdesk calendar list --tenant %s` shows how it is; `frontdesk calendar disconnect --tenant %s %s` ends it.\n", who.Tenant.Slug, who.Tenant.Slug, c.ID)
}

// outside are the outside calendars of the settings.
func (s *session) outside() (*calendar.Outside, error) {
	box, err := app.OpenBox(s.ctx, s.settings, s.store, s.now())
	if err != nil {
		return nil, err
	}
	return app.OpenOutside(s.settings, s.store, box, s.now, slog.New(slog.DiscardHandler))
}

func readLine(r *bufio.Reader, what string) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading %s: %w", what, err)
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", misused("%s is missing on standard input", what)
	}
	return line, nil
}

// readPassword reads the password from standard input.
func (s *session) readPassword(r *bufio.Reader) (string, error) {
	return s.readHidden(r, "Password", "the password")
}

// readHidden reads a secret from standard input. Who types it is asked for it,
// and it is not shown, where the terminal can do that.
func (s *session) readHidden(r *bufio.Reader, prompt, what string) (string, error) {
	f, ok := s.stdin.(*os.File)
	if info, err := statOf(f, ok); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return readLine(r, what)
	}
	fmt.Fprint(s.stderr, prompt+": ")
	if hideTyping(f, true) == nil {
		defer func() {
			_ = hideTyping(f, false) // nothing can be done about it
			fmt.Fprintln(s.stderr)
		}()
	}
	return readLine(r, what)
}

var errNoFile = errors.New("standard input is no file")

func statOf(f *os.File, ok bool) (os.FileInfo, error) {
	if !ok {
		return nil, errNoFile
	}
	return f.Stat()
}

// hideTyping keeps a terminal from showing what is typed.
func hideTyping(terminal *os.File, hidden bool) error {
	mode := "echo"
	if hidden {
		mode = "-echo"
	}
	cmd := exec.Command("stty", mode)
	cmd.Stdin = terminal
	return cmd.Run()
}

func (p *program) calendarDisconnect() *cobra.Command {
	return p.onOne(oneThing{
		use: "disconnect", short: "End an outside calendar: it takes nothing away any more",
		long: `End an outside calendar: it takes nothing away any more, and no appointment is
written into it. Those that were stay there.`,
		what: "calendar", list: "calendar list", key: "disconnected", done: "Disconnected %s. Appointments that were written into it stay there.",
		act: func(s *session, owner frontdesk.Owner, id frontdesk.ID) error {
			return s.store.DeleteOutsideCalendar(s.ctx, owner, s.by(), id)
		},
	})
}
