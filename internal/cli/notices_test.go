package cli

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

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
	hold(t, "nothing to retry", d.fail(1, notice("retry", "01a1e3dc-7554-74c0-8f05-8f7a674deb8d")...), "there is no such failed notice")
	hold(t, "no status", d.fail(2, notice("list", "--status", "lost")...), "expected pending, sending, sent")
	hold(t, "no reminders, no quiet hours", d.must(notice("set", "--quiet", "none")...), "Reminders      none\n", "Quiet hours    none\n")
}

// What is wrong is said in a sentence, without the name of a field before it.
func TestWhatIsRefusedReadsAsASentence(t *testing.T) {
	d := salon(t)
	for name, args := range map[string][]string{
		"no relay":    {"notice", "try", "ana@rizos.example"},
		"no carrier":  {"notice", "try", "+34600111222"},
		"no notice":   {"notice", "retry", "--tenant", "rizos", "01a1e3dc-7554-74c0-8f05-8f7a674deb8d"},
		"no address":  {"calendar", "revoke", "--tenant", "rizos", "01a1e3dc-7554-74c0-8f05-8f7a674deb8d"},
		"no resource": {"calendar", "feed", "--tenant", "rizos", "--with", "eva"},
	} {
		if out := d.fail(1, args...); !strings.Contains(out, "\nerror: no ") && !strings.Contains(out, "\nerror: there is no ") {
			t.Errorf("%s: %s", name, out)
		}
	}
	if out := d.run("notice", "try", "ana@rizos.example", "--json"); !strings.Contains(out.stderr, `"param":"address"`) {
		t.Errorf("programs are told %s", out.stderr)
	}
	hold(t, "no calendars", d.must("calendar", "list", "--tenant", "rizos"), "No calendar is connected")
}

func TestRetryingWhatANightHasKilled(t *testing.T) {
	d := salon(t)
	d.must("notice", "set", "--tenant", "rizos", "--customer", "email")
	for _, at := range []string{"10:00", "11:00"} {
		d.must("capture", "add", "--tenant", "rizos", "--service", "corte", "--at", "2026-11-18T"+at, "--email", "lucia@example.com")
	}
	s := d.open()
	now := time.Date(2026, 11, 16, 8, 0, 30, 0, time.UTC)
	claims, err := s.ClaimNoticesForWorker(t.Context(), frontdesk.ByEmail, now, now.Add(time.Minute), 10)
	if err != nil || len(claims) != 2 {
		t.Fatalf("claimed %+v, %v", claims, err)
	}
	for _, c := range claims {
		after := c.Notice.After(frontdesk.SendResult{ErrorCode: frontdesk.NoticeRefused, ForGood: true, Message: "The mail relay answered 535."}, now, 0)
		if err := s.SaveNotice(t.Context(), c.Owner, c.Notice, after); err != nil {
			t.Fatal(err)
		}
	}
	retry := func(args ...string) []string {
		return append([]string{"notice", "retry", "--tenant", "rizos"}, args...)
	}
	hold(t, "they are dead", d.must("notice", "list", "--tenant", "rizos", "--status", "dead"), "The mail relay answered 535. (refused)")
	hold(t, "nothing said", d.fail(2, retry()...), "--dead")
	hold(t, "both said", d.fail(2, retry("--dead", string(claims[0].Notice.ID))...), "--dead")
	hold(t, "one, of an agent", d.fail(2, retry("--agent", "rizos", string(claims[0].Notice.ID))...), "go with --dead")
	hold(t, "no such agent", d.fail(1, retry("--dead", "--agent", "lola")...), "there is no agent")
	hold(t, "of the sandbox", d.must(retry("--dead", "--mode", "test")...), "nothing to try again")
	hold(t, "all", d.must(retry("--dead", "--agent", "rizos", "--since", "1d")...), "tries again now: 2.")
	hold(t, "they wait", d.must("notice", "list", "--tenant", "rizos", "--status", "failed"), "lucia@example.com")
	if got := d.read(retry("--dead")...)["retrying"]; got != 0.0 {
		t.Errorf("once more: %v", got)
	}
}

func TestTheLanguageOfACustomerAtTheCounter(t *testing.T) {
	d := salon(t)
	d.must("notice", "set", "--tenant", "rizos", "--customer", "email,text")
	add := func(at string, args ...string) []string {
		return append([]string{"capture", "add", "--tenant", "rizos", "--service", "corte", "--at", "2026-11-18T" + at}, args...)
	}
	d.must(add("10:00", "--email", "a@example.com", "--language", "en")...)
	d.must(add("11:00", "--email", "b@example.com", "--phone", "+44 7911 123456")...)
	d.must(add("12:00", "--email", "c@example.com")...)
	hold(t, "another language", d.fail(2, add("13:00", "--language", "fr")...), "speaks es, en")
	out := d.run(add("13:00", "--email", "nobody")...)
	if out.code != 0 || !strings.Contains(out.stderr, `"nobody" is no e-mail address`) {
		t.Errorf("no address: %d %s", out.code, out.stderr)
	}
	hold(t, "it is seen", d.must("notice", "list", "--tenant", "rizos", "--status", "dead"), "nobody", "address_invalid", "/captures/{capture_id}/change")
	code := strings.Fields(strings.SplitAfter(out.stdout, "code ")[1])[0]
	hold(t, "corrected", d.must("capture", "move", "--tenant", "rizos", code, "--email", "d@example.com"), "Changed: appointment 2026-11-18 13:00", code)
	hold(t, "and told", d.must("notice", "list", "--tenant", "rizos", "--status", "pending"), "d@example.com")
	s := d.open()
	tenant, err := s.TenantBySlug(t.Context(), "rizos")
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Notices(t.Context(), frontdesk.Owner{TenantID: tenant.ID, Live: true}, frontdesk.NoticeFilter{}, frontdesk.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a@example.com": "en", "b@example.com": "en", "c@example.com": "", "nobody": ""}
	for _, n := range l.Items {
		if n.Language != want[n.Address] {
			t.Errorf("%s is written to in %q", n.Address, n.Language)
		}
	}
}

func TestWhatIsNotSentIsSeen(t *testing.T) {
	d := salon(t)
	d.must("notice", "set", "--tenant", "rizos", "--customer", "email")
	d.must("capture", "add", "--tenant", "rizos", "--service", "corte", "--at", "2026-11-18T10:00", "--email", "lucia@example.com")
	hold(t, "it waits", d.must("notice", "list", "--tenant", "rizos"), "confirmation", "lucia@example.com", "pending")
	out := d.run("doctor").stdout
	hold(t, "doctor", out, "people are not told, because this server has no channel for it: rizos/rizos")
}
