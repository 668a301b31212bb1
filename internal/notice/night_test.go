package notice_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/store"
)

var byMail = frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}}

// reminders are those of a mode as "status why", sorted.
func (d *desk) reminders() (lines []string) {
	d.t.Helper()
	l, err := d.store.Notices(ctx, frontdesk.Owner{TenantID: d.tenant.ID, Live: true}, frontdesk.NoticeFilter{Kind: frontdesk.NoticeReminder}, frontdesk.Page{Limit: 100})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, n := range l.Items {
		lines = append(lines, strings.TrimSpace(string(n.Status)+" "+n.Message))
	}
	slices.Sort(lines)
	return lines
}

// madrid is an instant by the clock of the business.
func madrid(text string) time.Time {
	zone, _ := time.LoadLocation("Europe/Madrid")
	at, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
	if err != nil {
		panic(err)
	}
	return at
}

// An appointment on Friday at 17:30 has reminders on Thursday and on Friday at
// 15:30.
func TestRemindersAfterADowntime(t *testing.T) {
	t.Parallel()
	const superseded = "ended Superseded: it was late, and the next reminder of the appointment goes out in its place."
	tests := map[string]struct {
		back []string // when the server is there, by its clock
		sent int
		want []string
	}{
		"away past both":                  {[]string{"2026-11-20 16:00"}, 1, []string{superseded, "sent"}},
		"away until shortly before":       {[]string{"2026-11-20 14:50", "2026-11-20 15:30"}, 1, []string{superseded, "sent"}},
		"away for the first alone":        {[]string{"2026-11-20 09:10", "2026-11-20 15:30"}, 2, []string{"sent", "sent"}},
		"back in the night":               {[]string{"2026-11-20 02:00", "2026-11-20 09:00", "2026-11-20 15:30"}, 2, []string{"sent", "sent"}},
		"away until it has begun":         {[]string{"2026-11-20 17:30"}, 0, []string{"ended The appointment has been.", "ended The appointment has been."}},
		"away for a week":                 {[]string{"2026-11-27 12:00"}, 0, []string{"ended The appointment has been.", "ended The appointment has been."}},
		"not away":                        {[]string{"2026-11-19 17:30", "2026-11-20 15:30"}, 2, []string{"sent", "sent"}},
		"back in the night, and no later": {[]string{"2026-11-20 02:00"}, 0, []string{"pending", "pending"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, byMail)
			sent := &pile{}
			n := d.notices(sent, nil)
			d.book("2026-11-20T17:30:00")
			d.run(n)
			sent.take()
			for _, at := range tt.back {
				d.now = madrid(at)
				d.run(n)
			}
			if got := len(sent.take()); got != tt.sent {
				t.Errorf("%d were sent", got)
			}
			if got := d.reminders(); !slices.Equal(got, tt.want) {
				t.Errorf("they are %q, want %q", got, tt.want)
			}
		})
	}
}

// A reminder that fails for hours does not come after the next one.
func TestAReminderThatFailedIsNotSentAfterTheNext(t *testing.T) {
	t.Parallel()
	d := newDesk(t, byMail)
	relay := &pile{answer: frontdesk.SendResult{ErrorCode: frontdesk.ConnectFailed}}
	n := d.notices(relay, nil)
	d.book("2026-11-20T17:30:00")
	for _, at := range []string{"2026-11-19 17:30", "2026-11-19 18:30", "2026-11-20 12:00"} {
		d.now = madrid(at)
		d.run(n)
	}
	relay.take()
	relay.answer = frontdesk.SendResult{}
	for at := madrid("2026-11-20 15:30"); at.Before(madrid("2026-11-20 18:00")); at = at.Add(10 * time.Minute) {
		d.now = at
		d.run(n)
	}
	reminders := 0
	for _, m := range relay.take() {
		if kindOf(m) == "reminder" {
			reminders++
		}
	}
	if reminders != 1 {
		t.Errorf("%d reminders came: %q", reminders, d.reminders())
	}
}

func TestAReminderThatCanOnlyComeAtNight(t *testing.T) {
	t.Parallel()
	d := newDesk(t, byMail)
	sent := &pile{}
	n := d.notices(sent, nil)
	d.book("2026-11-20T08:30:00")
	d.run(n)
	sent.take()
	d.now = madrid("2026-11-20 03:00")
	d.run(n)
	if got := d.reminders(); len(sent.take()) != 0 || !slices.Contains(got, "ended It was late, and the quiet hours last until the appointment.") {
		t.Errorf("they are %q", got)
	}
}

func TestOwnersAreNotTextedAtNight(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Owner: frontdesk.OwnerNotices{Phones: []string{"+34600000009"}}})
	carrier := &pile{answer: frontdesk.SendResult{ErrorCode: frontdesk.HTTP5xx}}
	n := d.notices(nil, carrier)
	d.now = madrid("2026-11-16 20:50")
	d.book("2026-11-20T17:30:00")
	d.now = madrid("2026-11-16 20:51")
	d.run(n) // and it fails
	carrier.take()
	carrier.answer = frontdesk.SendResult{}
	for at := madrid("2026-11-16 21:20"); at.Before(madrid("2026-11-17 09:00")); at = at.Add(20 * time.Minute) {
		d.now = at
		d.run(n)
	}
	if got := carrier.take(); len(got) != 0 {
		t.Errorf("in the night: %+v", got)
	}
	d.now = madrid("2026-11-17 09:00")
	d.run(n)
	if got := d.all(true)[frontdesk.OwnerBooking]; len(carrier.take()) != 1 || got.Attempts != 2 {
		t.Errorf("in the morning: %+v", got)
	}
}

func TestWhatChangedWhileTheRelayWasWrong(t *testing.T) {
	t.Parallel()
	everybody := frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}, Owner: frontdesk.OwnerNotices{Emails: []string{"owner@example.com"}}}
	tests := map[string]struct {
		does func(d *desk, c frontdesk.Capture)
		kind frontdesk.NoticeKind
		why  string
	}{
		"cancelled: the customer is not told of the booking": {func(d *desk, c frontdesk.Capture) { d.status(c, frontdesk.Cancelled) }, frontdesk.NoticeConfirmation, "The appointment does not stand any more."},
		"cancelled: nor is the owner":                        {func(d *desk, c frontdesk.Capture) { d.status(c, frontdesk.Cancelled) }, frontdesk.OwnerBooking, "It was cancelled."},
		"another address": {func(d *desk, c frontdesk.Capture) {
			email := "bea@example.com"
			if _, err := calendar.New(d.store, nil).Change(ctx, d.who(true), c.ID, calendar.Patch{Email: &email, Now: d.now}); err != nil {
				d.t.Fatal(err)
			}
		}, frontdesk.NoticeConfirmation, "The customer has another e-mail address now."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, everybody)
			relay := &pile{answer: frontdesk.SendResult{ErrorCode: frontdesk.ConnectFailed}}
			n := d.notices(relay, nil)
			c := d.book("2026-11-20T17:30:00")
			d.now = d.now.Add(time.Minute)
			d.run(n)
			tt.does(d, c)
			relay.answer = frontdesk.SendResult{}
			d.now = d.now.Add(time.Hour)
			d.run(n)
			l, err := d.store.Notices(ctx, frontdesk.Owner{TenantID: d.tenant.ID, Live: true}, frontdesk.NoticeFilter{Kind: tt.kind, Status: frontdesk.NoticeEnded}, frontdesk.Page{Limit: 10})
			if err != nil || len(l.Items) != 1 || l.Items[0].Message != tt.why {
				t.Errorf("ended are %+v, %v", l.Items, err)
			}
		})
	}
}

func TestASummaryOfYesterdayIsNotSent(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Owner: frontdesk.OwnerNotices{Emails: []string{"owner@example.com"}, Daily: true}})
	relay := &pile{answer: frontdesk.SendResult{ErrorCode: frontdesk.ConnectFailed}}
	n := d.notices(relay, nil)
	for _, at := range []string{"2026-11-16 08:00", "2026-11-17 07:40"} {
		d.now = madrid(at)
		if err := n.PlanSummaries(ctx); err != nil {
			t.Fatal(err)
		}
		d.run(n)
		if at == "2026-11-16 08:00" {
			relay.take()
			relay.answer = frontdesk.SendResult{}
		}
	}
	if got := relay.take(); len(got) != 1 {
		t.Errorf("%d summaries came", len(got))
	}
}

// What is no address never reaches the relay, however it came into the queue.
func TestWhatIsNoAddressIsNotSent(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]string{"no @": "lucia.example.com", "a blank": "lucia @example.com", "too long": strings.Repeat("l", 250) + "@example.com"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, byMail)
			relay := &pile{}
			n := d.notices(relay, nil)
			c := d.book("2026-11-20T17:30:00", func(e *calendar.Entry) { e.Email = address })
			d.run(n)
			got := d.all(true)[frontdesk.NoticeConfirmation]
			if got.Status != frontdesk.NoticeDead || got.ErrorCode != frontdesk.NoticeBadAddress || !strings.Contains(got.Message, "/change") || got.Attempts != 0 {
				t.Errorf("it is %+v", got)
			}
			if err := d.store.RetryNotice(ctx, frontdesk.Owner{TenantID: d.tenant.ID, Live: true}, frontdesk.Actor{}, got.ID, d.now); err != nil {
				t.Fatal(err)
			}
			d.run(n)
			if got := d.all(true)[frontdesk.NoticeConfirmation]; len(relay.take()) != 0 || got.Status != frontdesk.NoticeDead || got.ErrorCode != frontdesk.NoticeBadAddress {
				t.Errorf("retried, it is %+v", got)
			}
			email := "lucia@example.com"
			if _, err := calendar.New(d.store, nil).Change(ctx, d.who(true), c.ID, calendar.Patch{Email: &email, Now: d.now}); err != nil {
				t.Fatal(err)
			}
			d.run(n)
			if got := relay.take(); len(got) != 1 || got[0].To != email {
				t.Errorf("corrected: %+v", got)
			}
		})
	}
}

// All that a night has killed is sent in the morning, as far as it is still so.
func TestTheMorningAfterTheRelayWasWrong(t *testing.T) {
	t.Parallel()
	d := newDesk(t, byMail)
	relay := &pile{answer: frontdesk.SendResult{ErrorCode: frontdesk.NoticeRefused, ForGood: true, Message: "The mail relay answered 535."}}
	n := d.notices(relay, nil)
	for range 5 {
		d.book("2026-11-20T17:30:00")
	}
	gone := d.book("2026-11-20T18:30:00")
	d.run(n)
	d.status(gone, frontdesk.Cancelled)
	relay.take()
	relay.answer = frontdesk.SendResult{}
	d.now = d.now.Add(12 * time.Hour)
	owner := frontdesk.Owner{TenantID: d.tenant.ID, Live: true}
	if retried, err := d.store.RetryDeadNotices(ctx, owner, frontdesk.Actor{}, store.Unsent{AgentID: d.agent.ID, Since: noon}, d.now, 100); err != nil || retried != 6 {
		t.Fatalf("retried %d, %v", retried, err)
	}
	d.run(n)
	if got := relay.take(); len(got) != 6 { // five confirmations and the cancellation
		t.Errorf("%d were sent", len(got))
	}
}

func TestFiguresOfNotices(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail, frontdesk.ByText}})
	registry := prometheus.NewRegistry()
	n := notice.New(notice.Options{
		Store: d.store, Links: d.links, Mail: &pile{}, Text: &pile{answer: frontdesk.SendResult{ErrorCode: frontdesk.NoticeRefused, ForGood: true}},
		Now: func() time.Time { return d.now }, Log: slog.New(slog.DiscardHandler), Metrics: registry,
	})
	d.book("2026-11-20T17:30:00")
	d.book("2026-11-20T18:30:00", func(e *calendar.Entry) { e.Email = "" })
	d.run(n)
	s := httptest.NewServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	defer s.Close()
	answer, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`frontdesk_notice_attempts_total{channel="email",result="sent"} 1`,
		`frontdesk_notice_attempts_total{channel="text",result="refused"} 1`,
		`frontdesk_notice_seconds_count{channel="email"} 1`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
}
