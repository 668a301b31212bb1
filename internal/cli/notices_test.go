package cli

import "testing"

func TestNoticesAtTheCommandLine(t *testing.T) {
	d := salon(t)
	notice := func(args ...string) []string {
		return append([]string{"notice", args[0], "--tenant", "rizos"}, args[1:]...)
	}
	hold(t, "nobody", d.must(notice("show")...), "Customers      none", "Owner          none")
	hold(t, "set", d.must(notice("set", "--customer", "email,text", "--owner-email", "ana@rizos.example")...),
		"email, text", "ana@rizos.example", "each thing at once", "24h, 2h before", "21:00-09:00", "FRONTDESK_SMTP", "FRONTDESK_TEXT", "FRONTDESK_PUBLIC_URL")
	hold(t, "more", d.must(notice("set", "--when", "daily", "--at", "08:15", "--reminders", "2d,90m", "--quiet", "22:00-08:00")...),
		"once a day at 08:15", "48h, 1h30m before", "22:00-08:00", "email, text")
	hold(t, "the file has it", d.must("agent", "export", "--tenant", "rizos", "rizos"), "notices", "ana@rizos.example", "48h")
	hold(t, "none of it", d.must(notice("set", "--customer", "none", "--owner-email", "none", "--reminders", "none")...), "Customers      none", "Owner          none")
	hold(t, "nothing given", d.fail(2, notice("set")...), "give at least one of")
	hold(t, "another channel", d.fail(1, notice("set", "--customer", "pigeon")...), `There is no channel "pigeon"`)
	hold(t, "no country", d.fail(1, notice("set", "--owner-phone", "600111222")...), "with its country")
	hold(t, "no time", d.fail(2, notice("set", "--at", "soon")...), "such as 07:30")
	hold(t, "no relay", d.fail(1, "notice", "try", "ana@rizos.example"), "FRONTDESK_SMTP")
	hold(t, "no carrier", d.fail(1, "notice", "try", "+34600111222"), "FRONTDESK_TEXT")
	hold(t, "no address", d.fail(2, "notice", "try", "ana"), "neither an e-mail address nor")
	hold(t, "no report", d.mustFeed("Subject: hello\n\nhello", "notice", "bounced"), "reports no delivery that failed")
	hold(t, "a report of nobody's", d.mustFeed("Action: failed\nDiagnostic-Code: smtp; 550 no\nMessage-ID: <01a1e3dc-7554-74c0-8f05-8f7a674deb8d@example.com>\n", "notice", "bounced"), "Notices that came back: 0. smtp; 550 no")
	hold(t, "nothing sent", d.must(notice("list")...), "MADE")
	hold(t, "nothing to retry", d.fail(1, notice("retry", "01a1e3dc-7554-74c0-8f05-8f7a674deb8d")...), "there is no such notice")
}

func TestWhatIsNotSentIsSeen(t *testing.T) {
	d := salon(t)
	d.must("notice", "set", "--tenant", "rizos", "--customer", "email")
	d.must("capture", "add", "--tenant", "rizos", "--service", "corte", "--at", "2026-11-18T10:00", "--email", "lucia@example.com")
	hold(t, "it waits", d.must("notice", "list", "--tenant", "rizos"), "confirmation", "lucia@example.com", "pending")
	out := d.run("doctor").stdout
	hold(t, "doctor", out, "people are not told, because this server has no channel for it: rizos/rizos")
}
