package notice_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
)

var everybody = frontdesk.NoticeSettings{
	Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail, frontdesk.ByText}, Owner: frontdesk.OwnerNotices{Emails: []string{"owner@example.com"}},
	ReplyTo: "hola@rizos.example",
}

func TestAnAppointmentsMail(t *testing.T) {
	t.Parallel()
	address, mails := foreignRelay(t)
	d := newDesk(t, everybody)
	mail, err := notice.NewMail(notice.MailOptions{Relay: address, From: "desk@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	n := d.notices(mail, nil)
	c := d.book("2026-11-20T17:30:00")
	d.run(n)
	got := <-mails
	if len(got.Defects) != 0 || len(got.To) != 1 || got.To[0] != "lucia@example.com" {
		t.Errorf("to %v, with defects %v", got.To, got.Defects)
	}
	for name, want := range map[string]string{
		"subject": "Peluquería Rizos & Co: Corte, viernes 20 de noviembre, 17:30", "from": "Peluquería Rizos & Co <desk@example.com>", "reply-to": "hola@rizos.example",
		"message-id": "<" + string(d.all(true)[frontdesk.NoticeConfirmation].ID) + "@example.com>", "auto-submitted": "auto-generated", "content-language": "es",
	} {
		if got.Headers[name] != want {
			t.Errorf("%s is %q, want %q", name, got.Headers[name], want)
		}
	}
	if len(got.Parts) != 3 || got.Parts[0].Type != "text/plain" || got.Parts[1].Type != "text/html" || got.Parts[2].Type != "text/calendar" {
		t.Fatalf("it has the parts %+v", got.Parts)
	}
	link := d.links.Address(frontdesk.Owner{TenantID: d.tenant.ID, Live: true}, c.ID)
	for _, want := range []string{"Lucía Ferrán", c.ConfirmationCode, "Calle Mayor 3, Zaragoza", link} {
		if !strings.Contains(got.Parts[0].Text, want) || !strings.Contains(got.Parts[1].Text, want) {
			t.Errorf("%q is not in both texts: %s", want, got.Parts[0].Text)
		}
	}
	if file := got.Parts[2]; file.Name == nil || *file.Name != "cita.ics" || file.Params["method"] != "PUBLISH" || !strings.Contains(file.Text, "UID:"+string(c.ID)+"@frontdesk") {
		t.Errorf("the calendar file is %+v", got.Parts[2])
	}

	// The owner, after a moment.
	d.now = d.now.Add(time.Minute)
	d.run(n)
	got = <-mails
	if got.To[0] != "owner@example.com" || !strings.HasPrefix(got.Headers["subject"], "Nueva reserva: Corte, viernes 20") || !strings.Contains(got.Parts[0].Text, "600 111 222") {
		t.Errorf("the owner gets %+v", got)
	}
	// A day before.
	d.now = time.Date(2026, 11, 19, 16, 30, 0, 0, time.UTC)
	d.run(n)
	got = <-mails
	if got.Headers["list-unsubscribe"] != "<"+link+"/reminders>" || got.Headers["list-unsubscribe-post"] != "List-Unsubscribe=One-Click" {
		t.Errorf("the reminder has the headers %v", got.Headers)
	}
}

func TestMailsThatARelayRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		rcpt, data string
		want       frontdesk.NoticeStatus
		code       string
	}{
		"no such address":              {"550 5.1.1 no such address", "250 ok", frontdesk.NoticeDead, frontdesk.NoticeRefused},
		"greylisted":                   {"451 4.7.1 come back later", "250 ok", frontdesk.NoticeFailed, frontdesk.NoticeRefused},
		"spam":                         {"250 ok", "554 5.7.1 no", frontdesk.NoticeDead, frontdesk.NoticeRefused},
		"full":                         {"250 ok", "452 4.3.1 no room", frontdesk.NoticeFailed, frontdesk.NoticeRefused},
		"hangs up before it has it":    {"", "250 ok", frontdesk.NoticeFailed, frontdesk.NoticeRefused},
		"hangs up once it may have it": {"250 ok", "", frontdesk.NoticeFailed, frontdesk.NoticeRefused},
		"taken":                        {"250 ok", "250 ok", frontdesk.NoticeSent, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}})
			mail, err := notice.NewMail(notice.MailOptions{Relay: sickRelay(t, tt.rcpt, tt.data), From: "desk@example.com"})
			if err != nil {
				t.Fatal(err)
			}
			d.book("2026-11-16T13:30:00")
			d.run(d.notices(mail, nil))
			got := d.all(true)[frontdesk.NoticeConfirmation]
			if got.Status != tt.want || got.ErrorCode != tt.code || got.Attempts != 1 {
				t.Errorf("it is %+v", got)
			}
			if tt.want == frontdesk.NoticeFailed && !got.DueAt.After(d.now) {
				t.Errorf("it is tried again at %v", got.DueAt)
			}
		})
	}
}

// A process that dies between sending and saving sends the same mail again, by
// its Message-ID.
func TestAMailAfterACrash(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}})
	d.book("2026-11-16T13:30:00")
	first := &pile{}
	claims, err := d.store.ClaimNoticesForWorker(ctx, frontdesk.ByEmail, d.now, d.now.Add(time.Minute), 8) // and then it is killed
	if err != nil || len(claims) != 1 {
		t.Fatal(claims, err)
	}
	n := d.notices(first, nil)
	d.run(n)
	if got := first.take(); len(got) != 0 {
		t.Fatalf("another worker sent it within the lease: %+v", got)
	}
	d.now = d.now.Add(2 * time.Minute)
	d.run(n)
	if got := first.take(); len(got) != 1 || got[0].ID != claims[0].Notice.ID {
		t.Errorf("after the lease came %+v", got)
	}
}

func TestNoticesAboutWhatIsNotSoAnyMore(t *testing.T) {
	t.Parallel()
	customer := frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}}
	tests := map[string]struct {
		does func(d *desk, c frontdesk.Capture)
		at   time.Time
		want []string // the kinds that are sent from then on
	}{
		"nothing happened: reminded twice": {func(*desk, frontdesk.Capture) {}, noon.AddDate(0, 0, 5), []string{"reminder", "reminder"}},
		"cancelled":                        {func(d *desk, c frontdesk.Capture) { d.status(c, frontdesk.Cancelled) }, noon.AddDate(0, 0, 4), []string{"cancellation"}},
		"moved to the week after":          {func(d *desk, c frontdesk.Capture) { d.move(c, "2026-11-27T17:30:00") }, noon.AddDate(0, 0, 4), []string{"change"}},
		"moved, and its own reminders":     {func(d *desk, c frontdesk.Capture) { d.move(c, "2026-11-27T17:30:00") }, noon.AddDate(0, 0, 12), []string{"change", "reminder", "reminder"}},
		"reminders stopped": {func(d *desk, c frontdesk.Capture) {
			if err := d.notices(nil, nil).StopReminders(ctx, frontdesk.Owner{TenantID: d.tenant.ID, Live: true}, c.ID); err != nil {
				d.t.Fatal(err)
			}
		}, noon.AddDate(0, 0, 4), nil},
		"the server was away until it was over": {func(*desk, frontdesk.Capture) {}, noon.AddDate(0, 0, 9), nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, customer)
			sent := &pile{}
			n := d.notices(sent, nil)
			c := d.book("2026-11-20T17:30:00")
			d.run(n)
			if got := sent.take(); len(got) != 1 {
				t.Fatalf("at first: %+v", got)
			}
			tt.does(d, c)
			var kinds []string
			for at := d.now; !at.After(tt.at); at = at.Add(time.Hour) {
				if name == "the server was away until it was over" && at.Before(tt.at) {
					continue
				}
				d.now = at
				d.run(n)
			}
			for _, m := range sent.take() {
				kinds = append(kinds, kindOf(m))
			}
			if strings.Join(kinds, " ") != strings.Join(tt.want, " ") {
				t.Errorf("sent were %q, want %q", kinds, tt.want)
			}
		})
	}
}

// kindOf tells a mail by its subject.
func kindOf(m notice.Message) string {
	for word, kind := range map[string]string{"esperamos": "reminder", "cambiado": "change", "cancelada": "cancellation"} {
		if strings.Contains(m.Subject, word) {
			return kind
		}
	}
	return m.Subject
}

func (d *desk) status(c frontdesk.Capture, status frontdesk.CaptureStatus) {
	d.t.Helper()
	if _, err := calendar.New(d.store, nil).SetStatus(ctx, d.who(true), c.ID, status, d.now); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) move(c frontdesk.Capture, at frontdesk.LocalTime) {
	d.t.Helper()
	if _, err := calendar.New(d.store, nil).Change(ctx, d.who(true), c.ID, calendar.Patch{ScheduledAt: &at, Force: true, Now: d.now}); err != nil {
		d.t.Fatal(err)
	}
}

func TestTestModeWritesToListedAddressesAlone(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}})
	sent := &pile{}
	n := d.notices(sent, nil, "Lucia@example.com")
	d.bookAs(d.who(false), "2026-11-16T13:30:00")
	d.bookAs(d.who(false), "2026-11-16T14:30:00", func(e *calendar.Entry) { e.Email = "ana@example.com" })
	d.run(n)
	if got := sent.take(); len(got) != 1 || got[0].To != "lucia@example.com" || !strings.HasPrefix(got[0].Subject, "[test]") {
		t.Errorf("sent were %+v", got)
	}
}

func TestAChannelThatIsNotSetUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByText}})
	d.book("2026-11-16T13:30:00")
	d.run(d.notices(&pile{}, nil))
	if got := d.all(true)[frontdesk.NoticeConfirmation]; got.Status != frontdesk.NoticeDead || got.ErrorCode != frontdesk.NoticeNoChannel {
		t.Errorf("it is %+v", got)
	}
}

func TestNobodyIsFlooded(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}})
	sent := &pile{}
	n := d.notices(sent, nil)
	for range 30 {
		d.book("2026-11-16T13:30:00")
		d.run(n)
	}
	if got := len(sent.take()); got != 20 {
		t.Errorf("one address got %d mails in a day", got)
	}
}

func TestWhatAStrangerCannotWriteToOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}})
	sent := &pile{}
	d.book("2026-11-16T13:30:00", func(e *calendar.Entry) {
		e.Name, e.Notes, e.ServiceID, e.Service = "Buy now https://evil.example", "Buy now https://evil.example", "", "www.evil.com"
	})
	d.book("2026-11-16T14:30:00", func(e *calendar.Entry) { e.Name = "Claim your evil prize at once" })
	d.book("2026-11-16T15:30:00", func(e *calendar.Entry) { e.Name = "Evil.com" })
	d.run(d.notices(sent, nil))
	all := sent.take()
	if len(all) != 3 {
		t.Errorf("%d were sent", len(all))
	}
	for _, m := range all {
		if strings.Contains(strings.ToLower(m.Text+m.HTML+m.Subject+m.Short+string(m.Calendar)), "evil") {
			t.Errorf("it says %s %s", m.Text, m.Calendar)
		}
	}
}

func TestOwnWords(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{
		Customer: []frontdesk.NoticeChannel{frontdesk.ByText},
		Words:    map[string]map[string]string{"confirmation": {"es": "¡Hola {name}! Te vemos el {when} para {service}. Código {code}"}},
	})
	sent := &pile{}
	c := d.book("2026-11-20T17:30:00")
	d.run(d.notices(nil, sent))
	link := d.links.Address(frontdesk.Owner{TenantID: d.tenant.ID, Live: true}, c.ID)
	want := "¡Hola Lucía Ferrán! Te vemos el viernes 20 de noviembre, 17:30 para Corte. Código " + c.ConfirmationCode + " " + link
	if m := sent.take()[0]; m.Short != want || m.To != "+34600111222" {
		t.Errorf("%s gets %q, want %q", m.To, m.Short, want)
	}
}

func TestASummaryOfTheDay(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Owner: frontdesk.OwnerNotices{Emails: []string{"owner@example.com"}, Daily: true}})
	sent := &pile{}
	n := d.notices(sent, nil)
	d.book("2026-11-17T09:30:00")
	for at := d.now; at.Before(noon.AddDate(0, 0, 2)); at = at.Add(20 * time.Minute) {
		d.now = at
		if err := n.PlanSummaries(ctx); err != nil {
			t.Fatal(err)
		}
		d.run(n)
	}
	got := sent.take()
	if len(got) != 3 { // at once, because it is noon and that of today is late; then each morning
		t.Fatalf("%d were sent", len(got))
	}
	if text := got[1].Text; !strings.Contains(text, "martes 17 de noviembre, 09:30, Corte, Lucía Ferrán") || !strings.Contains(text, "Citas de hoy: 1") {
		t.Errorf("it says %s", text)
	}
	if text := got[2].Text; !strings.Contains(text, "Citas de hoy: 0") {
		t.Errorf("the day after it says %s", text)
	}
}

func TestEnglish(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}})
	sent := &pile{}
	who := d.who(true)
	who.Language = "en"
	d.bookAs(who, "2026-11-20T17:30:00")
	d.run(d.notices(sent, nil))
	if m := sent.take()[0]; m.Subject != "Peluquería Rizos & Co: Corte, Friday 20 November, 5:30 pm" || !strings.Contains(m.Text, "Hello Lucía Ferrán,") {
		t.Errorf("it says %q: %s", m.Subject, m.Text)
	}
}

// hung never answers, until it is let go.
type hung struct{ begun, letGo chan struct{} }

func (h hung) Send(context.Context, notice.Message) frontdesk.SendResult {
	close(h.begun)
	<-h.letGo
	return frontdesk.SendResult{}
}

func TestARelayThatHangsHoldsNoTextMessageUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail, frontdesk.ByText}})
	relay, texts := hung{make(chan struct{}), make(chan struct{})}, &pile{}
	n := d.notices(relay, texts)
	d.book("2026-11-16T13:30:00")
	d.book("2026-11-16T14:30:00", func(e *calendar.Entry) { e.Email = "" })
	done := make(chan error)
	go func() {
		_, err := n.RunOnce(ctx, frontdesk.ByEmail)
		done <- err
	}()
	<-relay.begun
	if _, err := n.RunOnce(ctx, frontdesk.ByText); err != nil || len(texts.take()) != 1 {
		t.Errorf("the text message waits for the relay: %v", err)
	}
	close(relay.letGo)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
