package notice_test

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var ctx = context.Background()

// noon is Monday, 16 November 2026, in Madrid.
var noon = time.Date(2026, 11, 16, 11, 0, 0, 0, time.UTC)

// desk is a business that tells people, with a clock of its own.
type desk struct {
	t      *testing.T
	store  *store.Store
	tenant frontdesk.Tenant
	agent  frontdesk.Agent
	now    time.Time
	links  notice.Links
}

func newDesk(t *testing.T, settings frontdesk.NoticeSettings) *desk {
	t.Helper()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "rizos")
	a := frontdesk.Agent{
		ID: frontdesk.NewID(noon), TenantID: tenant.ID, Slug: "rizos", Vertical: "salon", DisplayName: "Peluquería Rizos & Co", Status: frontdesk.AgentActive,
		Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: noon, UpdatedAt: noon,
		Config: frontdesk.AgentConfig{
			Business: frontdesk.Business{Name: "Peluquería Rizos & Co", Address: "Calle Mayor 3, Zaragoza", Phone: "+34 976 000 000"},
			Services: json.RawMessage(`[{"id":"corte","name":"Corte","duration_minutes":30}]`),
		},
		Settings: frontdesk.AgentSettings{Notices: settings},
	}
	if err := s.CreateAgent(ctx, frontdesk.Actor{}, a); err != nil {
		t.Fatal(err)
	}
	return &desk{t: t, store: s, tenant: tenant, agent: a, now: noon, links: notice.NewLinks(box(t, 1), "https://desk.example.com")}
}

func (d *desk) who(live bool) calendar.Caller {
	return calendar.Caller{Tenant: d.tenant, Agent: d.agent, Services: catalogue.Read(d.agent).Services, Live: live, Channel: frontdesk.Web, Customer: true, Language: "es"}
}

// book writes an appointment of Lucía's.
func (d *desk) book(at frontdesk.LocalTime, change ...func(*calendar.Entry)) frontdesk.Capture {
	d.t.Helper()
	return d.bookAs(d.who(true), at, change...)
}

func (d *desk) bookAs(who calendar.Caller, at frontdesk.LocalTime, change ...func(*calendar.Entry)) frontdesk.Capture {
	d.t.Helper()
	e := calendar.Entry{
		ScheduledAt: at, ServiceID: "corte", Name: "Lucía Ferrán", Phone: "600 111 222", Email: "lucia@example.com", Source: frontdesk.FromCall, Force: true, Now: d.now,
	}
	for _, c := range change {
		c(&e)
	}
	c, err := calendar.New(d.store, nil).Enter(ctx, who, e)
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

// notices is what sends, through the senders given.
func (d *desk) notices(mail, text notice.Sender, test ...string) *notice.Notices {
	return notice.New(notice.Options{
		Store: d.store, Links: d.links, Mail: mail, Text: text, TestAddresses: test, Now: func() time.Time { return d.now }, Log: slog.New(slog.DiscardHandler),
	})
}

// run sends all that is due.
func (d *desk) run(n *notice.Notices) {
	d.t.Helper()
	for _, channel := range frontdesk.NoticeChannels {
		for sent := 1; sent > 0; {
			var err error
			if sent, err = n.RunOnce(ctx, channel); err != nil {
				d.t.Fatal(err)
			}
		}
	}
}

// all are the notices of a mode, by kind.
func (d *desk) all(live bool) map[frontdesk.NoticeKind]frontdesk.Notice {
	d.t.Helper()
	l, err := d.store.Notices(ctx, frontdesk.Owner{TenantID: d.tenant.ID, Live: live}, frontdesk.NoticeFilter{}, frontdesk.Page{Limit: 100})
	if err != nil {
		d.t.Fatal(err)
	}
	byKind := map[frontdesk.NoticeKind]frontdesk.Notice{}
	for _, n := range l.Items {
		byKind[n.Kind] = n
	}
	return byKind
}

// pile is a sender that keeps what it is given.
type pile struct {
	mu       sync.Mutex
	messages []notice.Message
	answer   frontdesk.SendResult
}

func (p *pile) Send(_ context.Context, m notice.Message) frontdesk.SendResult {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.messages = append(p.messages, m)
	return p.answer
}

func (p *pile) take() []notice.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.messages
	p.messages = nil
	return all
}

// received is a mail as a foreign program has read it.
type received struct {
	To      []string
	Headers map[string]string
	Defects []string
	Parts   []struct {
		Type   string
		Params map[string]string
		Name   *string
		Text   string
	}
}

// foreignRelay starts a mail relay of somebody else's making and returns its
// address, and the mails that it takes.
func foreignRelay(t *testing.T) (address string, mails <-chan received) {
	t.Helper()
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import aiosmtpd").Run() == nil {
			python = name
			break
		}
	}
	if python == "" {
		t.Skip("NOT CHECKED: no mail relay has taken what is written here. Install Python's aiosmtpd (Debian: python3-aiosmtpd).")
	}
	cmd := exec.Command(python, "testdata/relay.py")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // it ends with its input
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() {
		t.Fatal("the relay did not start")
	}
	taken := make(chan received, 16)
	address = "smtp+plain://127.0.0.1:" + lines.Text()
	go func() {
		defer close(taken)
		for lines.Scan() {
			var m received
			if json.Unmarshal(lines.Bytes(), &m) == nil {
				taken <- m
			}
		}
	}()
	return address, taken
}

// sickRelay is a mail relay that answers DATA, or RCPT, as it is told to: "" hangs
// up without a word.
func sickRelay(t *testing.T, rcpt, data string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answerMail(c, rcpt, data)
		}
	}()
	return "smtp+plain://" + l.Addr().String()
}

func answerMail(c net.Conn, rcpt, data string) {
	defer c.Close()
	say := func(line string) { _, _ = c.Write([]byte(line + "\r\n")) }
	say("220 sick relay")
	lines, inData := bufio.NewScanner(c), false
	for lines.Scan() {
		line := lines.Text()
		verb := strings.ToUpper(strings.SplitN(line, " ", 2)[0])
		switch {
		case inData && line == ".":
			if data == "" {
				return
			}
			inData = false
			say(data)
		case inData:
		case verb == "EHLO" || verb == "HELO" || verb == "MAIL" || verb == "RSET" || verb == "NOOP":
			say("250 ok")
		case verb == "RCPT":
			if rcpt == "" {
				return
			}
			say(rcpt)
		case verb == "DATA":
			inData = true
			say("354 go on")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("500 what")
		}
	}
}
