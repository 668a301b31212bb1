package notice_test

import (
	"errors"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
)

// report is a mail server's, about the mail with an id.
func report(action, id string) string {
	return strings.ReplaceAll(`From: MAILER-DAEMON@mail.example.com
To: desk@example.com
Subject: Undelivered Mail Returned to Sender
Message-ID: <20261116121700.AB12@mail.example.com>
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I am sorry.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.com

Final-Recipient: rfc822; lucia@example.com
Action: `+action+`
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 The mailbox
    does not exist

--b
Content-Type: text/rfc822-headers

Message-ID: <`+id+`@example.com>
Subject: Corte

--b--
`, "\n", "\r\n")
}

func TestReportsOfBounces(t *testing.T) {
	t.Parallel()
	const id = "01a1e3dc-7554-74c0-909a-cc81cdbade4e"
	got, err := notice.ReadBounce(strings.NewReader(report("failed", id)))
	if err != nil || len(got.Notices) != 1 || got.Notices[0] != frontdesk.ID(id) || got.Why != "smtp; 550 5.1.1 The mailbox does not exist" {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, text := range map[string]string{
		"only late": report("delayed", id), "of somebody else's mail": report("failed", "abc"), "a letter": "Subject: hello\r\n\r\nhello", "nothing": "",
		"a line without end": strings.Repeat("a", 2<<20),
	} {
		if got, err := notice.ReadBounce(strings.NewReader(text)); !errors.Is(err, notice.ErrNoBounce) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestABouncedMailIsSeen(t *testing.T) {
	t.Parallel()
	d := newDesk(t, frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}})
	d.book("2026-11-16T13:30:00")
	d.run(d.notices(&pile{}, nil))
	sent := d.all(true)[frontdesk.NoticeConfirmation]
	for range 2 {
		n, err := d.store.BounceNoticesForWorker(ctx, []frontdesk.ID{frontdesk.NewID(noon), sent.ID}, "550 no such mailbox")
		if err != nil {
			t.Fatal(err)
		}
		if got := d.all(true)[frontdesk.NoticeConfirmation]; n > 1 || got.Status != frontdesk.NoticeDead || got.ErrorCode != frontdesk.NoticeBounced || !strings.Contains(got.Message, "no such mailbox") {
			t.Errorf("%d, and it is %+v", n, got)
		}
	}
}

func FuzzReadBounce(f *testing.F) {
	f.Add(report("failed", "01a1e3dc-7554-74c0-909a-cc81cdbade4e"))
	f.Add("Action: failed\nMessage-ID: <")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := notice.ReadBounce(strings.NewReader(text))
		if err == nil && (len(b.Notices) == 0 || len(b.Notices) > 20 || len(b.Why) > 300 || strings.ContainsAny(b.Why, "\r\n")) {
			t.Errorf("got %+v", b)
		}
	})
}
