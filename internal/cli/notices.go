package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) noticeCommands() *cobra.Command {
	return group("notice", "What customers and owners are written", p.noticeSet(), p.noticeShow(), p.noticeList(), p.noticeRetry(), p.noticeBounced(), p.noticeTry())
}

// noticeFlags are the flags of `notice set`.
type noticeFlags struct {
	customer, reminders, emails, phones []string
	quiet, when, at, replyTo, file      string
}

func (p *program) noticeSet() *cobra.Command {
	var book bookFlags
	var given noticeFlags
	cmd := &cobra.Command{
		Use: "set", Short: "Say who is told what of an agent's book; what is not given stays as it is", Args: cobra.NoArgs,
		Long: `Say who is told what of an agent's book; what is not given stays as it is.

Customers are told by the first channel of --customer for which they left an
address. The words of your own that docs/notices.md speaks of come with --file.`,
		Example: `  frontdesk notice set --tenant rizos --customer email,text --owner-email ana@rizos.example
  frontdesk notice set --tenant rizos --owner-phone +34600111222 --when daily --at 08:00
  frontdesk notice set --tenant rizos --reminders 24h,2h --quiet 21:00-09:00
  frontdesk notice set --tenant rizos --customer none --owner-email none`,
	}
	cmd.RunE = p.onStore(func(s *session, _ []string) error { return s.setNotices(book, given, cmd.Flags().Changed) })
	book.add(p, cmd)
	f := cmd.Flags()
	f.StringSliceVar(&given.customer, "customer", nil, "channels in order of preference: email, text; none: customers are told nothing")
	f.StringSliceVar(&given.reminders, "reminders", nil, "how long before an appointment, such as 24h,2h (the default); none: no reminders")
	f.StringVar(&given.quiet, "quiet", "", "hours in which nobody is reminded, such as 21:00-09:00 (the default); none: there are none")
	f.StringSliceVar(&given.emails, "owner-email", nil, "where the business is told; none: nowhere")
	f.StringSliceVar(&given.phones, "owner-phone", nil, "telephone that gets text messages, with its country; none: none does")
	f.StringVar(&given.when, "when", "", "at_once or daily")
	f.StringVar(&given.at, "at", "", "when the daily summary comes (default 07:30)")
	f.StringVar(&given.replyTo, "reply-to", "", "where customers' answers to a mail go; none: to the sender")
	f.StringVar(&given.file, "file", "", "file with all of it, in JSON or YAML; - for standard input")
	p.completeWords(cmd, "when", []string{"at_once", "daily"})
	return cmd
}

func (s *session) setNotices(book bookFlags, given noticeFlags, has func(string) bool) error {
	who, err := book.open(s)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc([]string{"customer", "reminders", "quiet", "owner-email", "owner-phone", "when", "at", "reply-to", "file"}, has) {
		return misused("nothing to change: give at least one of --customer, --reminders, --quiet, --owner-email, --owner-phone, --when, --at, --reply-to, --file")
	}
	_, err = s.store.ChangeAgent(s.ctx, who.Owner(), who.Agent.Slug, s.byOperator(func(a frontdesk.Agent) (frontdesk.Agent, error) {
		a.Settings.Notices, err = given.over(s, a.Settings.Notices, has)
		if err != nil {
			return a, err
		}
		return a, a.Settings.Notices.Check()
	}))
	if err != nil {
		return err
	}
	return s.showNotices(book)
}

// over lays the flags over what is set.
func (g noticeFlags) over(s *session, n frontdesk.NoticeSettings, has func(string) bool) (_ frontdesk.NoticeSettings, err error) {
	if g.file != "" {
		text, err := s.readJSON(g.file)
		if err != nil {
			return n, err
		}
		if n, err = wire.DecodeNotices(text); err != nil {
			return n, err
		}
	}
	if has("customer") {
		n.Customer = nil
		for _, c := range orNone(g.customer) {
			n.Customer = append(n.Customer, frontdesk.NoticeChannel(c))
		}
	}
	if has("owner-email") {
		n.Owner.Emails = orNone(g.emails)
	}
	if has("owner-phone") {
		n.Owner.Phones = orNone(g.phones)
	}
	if has("reply-to") {
		n.ReplyTo = strings.Join(orNone([]string{g.replyTo}), "")
	}
	if has("reminders") {
		if n.Reminders, err = remindersFlag(orNone(g.reminders)); err != nil {
			return n, err
		}
	}
	if has("quiet") {
		if n.Quiet, err = quietFlag(g.quiet); err != nil {
			return n, err
		}
	}
	return g.overOwner(n, has)
}

func (g noticeFlags) overOwner(n frontdesk.NoticeSettings, has func(string) bool) (frontdesk.NoticeSettings, error) {
	if has("when") {
		if g.when != "at_once" && g.when != "daily" {
			return n, misused("--when is %q: expected at_once or daily", g.when)
		}
		n.Owner.Daily = g.when == "daily"
	}
	if has("at") {
		minute, ok := minuteFlag(g.at)
		if !ok {
			return n, misused("--at is %q: expected a time such as 07:30", g.at)
		}
		n.Owner.At = minute
	}
	return n, nil
}

// orNone is a list, or nothing where it is the word none.
func orNone(list []string) []string {
	if len(list) == 1 && (list[0] == "none" || list[0] == "") {
		return nil
	}
	return list
}

func remindersFlag(list []string) ([]time.Duration, error) {
	all := []time.Duration{}
	for _, text := range list {
		var d span
		if err := d.Set(text); err != nil {
			return nil, misused("--reminders has %q: expected times such as 24h or 2d", text)
		}
		all = append(all, time.Duration(d))
	}
	return all, nil
}

func quietFlag(text string) (*frontdesk.Period, error) {
	if text == "none" {
		return &frontdesk.Period{}, nil
	}
	from, to, _ := strings.Cut(text, "-")
	first, okFirst := minuteFlag(from)
	last, okLast := minuteFlag(to)
	if !okFirst || !okLast {
		return nil, misused("--quiet is %q: expected hours such as 21:00-09:00, or none", text)
	}
	return &frontdesk.Period{From: first, To: last}, nil
}

func minuteFlag(text string) (int, bool) {
	t, err := time.Parse("15:04", text)
	return 60*t.Hour() + t.Minute(), err == nil
}

func (p *program) noticeShow() *cobra.Command {
	var book bookFlags
	cmd := &cobra.Command{
		Use: "show", Short: "Show who is told what", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.showNotices(book) }),
	}
	book.add(p, cmd)
	return cmd
}

func (s *session) showNotices(book bookFlags) error {
	who, err := book.open(s)
	if err != nil {
		return err
	}
	n := who.Agent.Settings.Notices
	return s.print(wire.NoticeSettings(n), func(w io.Writer) {
		for _, line := range noticeLines(n) {
			row(w, line[0], line[1])
		}
		if missing := s.missingChannels(n); missing != "" {
			fmt.Fprintf(w, "\n%s\n", missing)
		}
	})
}

func noticeLines(n frontdesk.NoticeSettings) [][2]string {
	var channels, before []string
	for _, c := range n.Customer {
		channels = append(channels, string(c))
	}
	for _, d := range n.RemindersBefore() {
		before = append(before, shortSpan(d))
	}
	when := "each thing at once"
	if n.Owner.Daily {
		when = fmt.Sprintf("once a day at %02d:%02d; what is urgent at once", n.Owner.SummaryAt()/60, n.Owner.SummaryAt()%60)
	}
	var hours []string
	if quiet := n.QuietHours(); quiet.From != quiet.To {
		hours = append(hours, quiet.String())
	}
	if len(before) > 0 {
		before[len(before)-1] += " before"
	}
	lines := [][2]string{
		{"Customers", orNobody(channels)},
		{"Reminders", orNobody(before)},
		{"Quiet hours", orNobody(hours)},
		{"Owner", orNobody(slices.Concat(n.Owner.Emails, n.Owner.Phones))},
		{"Owner is told", when},
		{"Answers go to", cmp.Or(n.ReplyTo, "the sender of the mail")},
	}
	if len(n.Countries) > 0 {
		lines = append(lines, [2]string{"Texts also to", strings.Join(n.Countries, ", ")})
	}
	for _, kind := range slices.Sorted(maps.Keys(n.Words)) {
		for _, language := range slices.Sorted(maps.Keys(n.Words[kind])) {
			lines = append(lines, [2]string{"Own words (" + kind + ", " + language + ")", n.Words[kind][language]})
		}
	}
	return lines
}

func orNobody(list []string) string {
	if text := strings.Trim(strings.Join(list, ", "), ", "); text != "" {
		return text
	}
	return "none"
}

// missingChannels says which channels an agent's notices want that this server
// has not set up.
func (s *session) missingChannels(n frontdesk.NoticeSettings) string {
	var lines []string
	mail, text := n.Wants()
	if mail && s.settings.SMTP == "" {
		lines = append(lines, "No mail is sent: set FRONTDESK_SMTP and FRONTDESK_MAIL_FROM for the server.")
	}
	if text && s.settings.Text == "" {
		lines = append(lines, "No text messages are sent: set FRONTDESK_TEXT, FRONTDESK_TEXT_KEY and FRONTDESK_TEXT_FROM for the server.")
	}
	if len(n.Customer) > 0 && s.settings.PublicURL == "" {
		lines = append(lines, "What customers are sent has no link to move or cancel: set FRONTDESK_PUBLIC_URL for the server.")
	}
	return strings.Join(lines, "\n")
}

func (p *program) noticeList() *cobra.Command {
	var tenant, mode, status, capture string
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List what was sent, and what was not, newest first", Args: cobra.NoArgs,
		Example: `  frontdesk notice list --tenant rizos --status dead`,
		RunE: p.onStore(func(s *session, _ []string) error {
			_, owner, err := s.ownerIn(tenant, mode)
			if err != nil {
				return err
			}
			if limit < 1 || limit > 100 {
				return misused("--limit is %d: expected 1 to 100", limit)
			}
			filter := frontdesk.NoticeFilter{Status: frontdesk.NoticeStatus(status), CaptureID: frontdesk.ID(capture)}
			if _, ok := frontdesk.ParseID(capture); capture != "" && !ok {
				return misused("%q is no id; `frontdesk capture list` shows them", capture)
			}
			if status != "" && !slices.Contains(frontdesk.NoticeStatuses, filter.Status) {
				return misused("--status is %q: expected pending, sending, sent, failed, dead or ended", status)
			}
			found, err := s.store.Notices(s.ctx, owner, filter, frontdesk.Page{Limit: limit})
			if err != nil {
				return err
			}
			return s.print(wire.NoticeList(found), func(w io.Writer) {
				row(w, "MADE", "WHAT", "TO", "STATUS", "NEXT", "ID", "WHY")
				for _, n := range found.Items {
					row(w, when(n.CreatedAt), string(n.Kind), n.Address, string(n.Status), when(n.DueAt), string(n.ID), whyUnsent(n))
				}
				if found.More {
					fmt.Fprintln(w, "There are more; narrow the list, or raise --limit.")
				}
			})
		}),
	}
	p.tenantFlag(cmd, &tenant)
	p.modeFlag(cmd, &mode)
	cmd.Flags().StringVar(&status, "status", "", "pending, sending, sent, failed, dead or ended")
	cmd.Flags().StringVar(&capture, "capture", "", "id of the capture it is about")
	cmd.Flags().IntVar(&limit, "limit", 50, "how many at most, up to 100")
	return cmd
}

// whyUnsent is why a notice was not sent, for people: what failed, with its code.
func whyUnsent(n frontdesk.Notice) string {
	if n.ErrorCode == "" {
		return n.Message
	}
	return strings.TrimSpace(n.Message + " (" + n.ErrorCode + ")")
}

// retryFlags say which notices are tried again.
type retryFlags struct {
	tenant, mode string
	dead         bool
	agent        string
	since        span
}

// retryOne is the retry of one notice.
var retryOne = oneThing{
	what: "failed notice", list: "notice list", key: "retrying", done: "The server tries %s again now.",
	act: func(s *session, owner frontdesk.Owner, id frontdesk.ID) error {
		return s.store.RetryNotice(s.ctx, owner, s.by(), id, s.now())
	},
}

func (p *program) noticeRetry() *cobra.Command {
	var given retryFlags
	cmd := &cobra.Command{
		Use: "retry ID | --dead", Short: "Have a notice that was not sent tried again, or with --dead all that were given up", Args: cobra.MaximumNArgs(1),
		Long: `Have a notice that was not sent tried again, or with --dead all that were given up,
for instance after a night in which the mail relay refused everything.

What a notice is about is looked at again before it is sent: what is not so any
more is ended. With --dead, mails that came back are left as they are, and so is
what is no address.`,
		Example: `  frontdesk notice retry --tenant rizos 019cad94-3fe0-7969-a073-f427873f5494
  frontdesk notice retry --tenant rizos --dead --since 12h`,
		RunE: p.onStore(func(s *session, args []string) error {
			switch {
			case given.dead == (len(args) == 1):
				return misused("give the id of a notice, or --dead for all that were given up; `frontdesk notice list --status dead` shows them")
			case given.dead:
				return s.retryDead(given)
			case given.agent != "" || given.since != 0:
				return misused("--agent and --since go with --dead")
			}
			return s.onOne(retryOne, given.tenant, given.mode, args[0])
		}),
	}
	p.tenantFlag(cmd, &given.tenant)
	p.modeFlag(cmd, &given.mode)
	cmd.Flags().BoolVar(&given.dead, "dead", false, "all that were given up")
	cmd.Flags().StringVar(&given.agent, "agent", "", "with --dead: of this agent alone")
	cmd.Flags().Var(&given.since, "since", "with --dead: only those that were to be sent this long ago or later, such as 12h or 2d")
	p.complete(cmd, "agent", func(cmd *cobra.Command) []string {
		words, _ := p.completeAgents(cmd, nil, "")
		return words
	})
	return cmd
}

// retryDead has all notices that were given up tried again.
func (s *session) retryDead(given retryFlags) error {
	t, owner, err := s.ownerIn(given.tenant, given.mode)
	if err != nil {
		return err
	}
	var which store.Unsent
	if given.agent != "" {
		a, err := s.agentOrOnly(t, given.agent)
		if err != nil {
			return err
		}
		which.AgentID = a.ID
	}
	now := s.now()
	if given.since != 0 {
		which.Since = now.Add(-time.Duration(given.since))
	}
	const some = 500
	var retried int64
	for n := int64(some); n == some; retried += n {
		if n, err = s.store.RetryDeadNotices(s.ctx, owner, s.by(), which, now, some); err != nil {
			return err
		}
	}
	return s.print(map[string]any{"retrying": retried}, func(w io.Writer) {
		if retried == 0 {
			fmt.Fprintln(w, "There is nothing to try again. Mails that came back, and what is no address, are left as they are.")
			return
		}
		fmt.Fprintf(w, "Notices that the server tries again now: %d. `frontdesk notice list --tenant %s` shows how that goes.\n", retried, t.Slug)
	})
}

func (p *program) noticeBounced() *cobra.Command {
	return &cobra.Command{
		Use: "bounced", Short: "Read a report that a mail could not be delivered, from standard input", Args: cobra.NoArgs,
		Long: `Read a report that a mail could not be delivered, from standard input. The notice
is then shown as dead, with the reason.

The mail server hands reports to it that come to the address in FRONTDESK_MAIL_FROM;
mails that report nothing are passed over.`,
		Example: `  desk: "|frontdesk notice bounced"      # a line of /etc/aliases`,
		RunE: p.onStore(func(s *session, _ []string) error {
			bounce, err := notice.ReadBounce(s.stdin)
			if errors.Is(err, notice.ErrNoBounce) {
				return s.print(map[string]any{"bounced": 0}, func(w io.Writer) { fmt.Fprintln(w, "That mail reports no delivery that failed for good.") })
			}
			if err != nil {
				return err
			}
			n, err := s.store.BounceNoticesForWorker(s.ctx, bounce.Notices, bounce.Why)
			if err != nil {
				return err
			}
			return s.print(map[string]any{"bounced": n, "why": bounce.Why}, func(w io.Writer) { fmt.Fprintf(w, "Notices that came back: %d. %s\n", n, bounce.Why) })
		}),
	}
}

func (p *program) noticeTry() *cobra.Command {
	return &cobra.Command{
		Use: "try ADDRESS", Short: "Send a test message to an e-mail address or a telephone number, and say how that went", Args: cobra.ExactArgs(1),
		Example: `  frontdesk notice try ana@rizos.example
  frontdesk notice try +34600111222`,
		RunE: p.onStore(func(s *session, args []string) error { return s.tryNotice(args[0]) }),
	}
}

func (s *session) tryNotice(address string) error {
	sender, err := s.senderFor(address)
	if err != nil {
		return err
	}
	now := s.now()
	ctx, cancel := context.WithTimeout(s.ctx, 30*time.Second)
	defer cancel()
	const words = "This is a test of frontdesk. It works."
	result := sender.Send(ctx, notice.Message{
		ID: frontdesk.NewID(now), Date: now, Language: "en", From: "frontdesk", To: address, Subject: "A test of frontdesk", Text: words + "\n", HTML: "<p>" + words + "</p>", Short: words,
	})
	if result.ErrorCode != "" {
		return refused("not_sent", "address", "not sent: %s (%s)", result.Message, result.ErrorCode)
	}
	return s.print(map[string]any{"sent": address, "reference": result.Reference}, func(w io.Writer) {
		fmt.Fprintf(w, "Sent to %s.%s\n", address, orNothing(" The carrier calls it ", result.Reference))
	})
}

// orNothing is a text after what leads to it; nothing without one.
func orNothing(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text + "."
}

// senderFor is the channel that an address belongs to.
func (s *session) senderFor(address string) (notice.Sender, error) {
	if frontdesk.IsEmail(address) {
		mail, err := app.OpenMail(s.settings)
		if err != nil || mail != nil {
			return mail, err
		}
		return nil, refused("not_set", "address", "no mail relay is set: FRONTDESK_SMTP and FRONTDESK_MAIL_FROM name one")
	}
	if !strings.HasPrefix(address, "+") || frontdesk.International(address, "") == "" {
		return nil, misused("%q is neither an e-mail address nor a telephone number with its country, such as +34600111222", address)
	}
	text, err := app.OpenText(s.settings)
	if err != nil || text != nil {
		return text, err
	}
	return nil, refused("not_set", "address", "no carrier is set: FRONTDESK_TEXT, FRONTDESK_TEXT_KEY and FRONTDESK_TEXT_FROM name one")
}
