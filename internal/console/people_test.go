package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/mail"
	"net/textproto"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// mailed is a mail as the relay took it.
type mailed struct {
	To      []string
	Headers map[string]string
	Parts   []struct{ Type, Text string }
}

// link is the address in a mail that lets somebody in.
func (m mailed) link() string {
	_, rest, _ := strings.Cut(m.Parts[0].Text, "/console/enter/")
	return "/console/enter/" + strings.Fields(rest)[0]
}

// withRelay lets the console write mails, through a relay on this machine. It
// refuses those to nobody@.
func withRelay(t *testing.T) (func(*Options), <-chan mailed) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	taken := make(chan mailed, 64)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go takeMail(conn, taken)
		}
	}()
	mail, err := notice.NewMail(notice.MailOptions{Relay: "smtp+plain://" + l.Addr().String(), From: "Frontdesk <desk@example.com>"})
	if err != nil {
		t.Fatal(err)
	}
	return func(o *Options) { o.Mail = mail }, taken
}

// takeMail speaks SMTP with one client.
func takeMail(conn net.Conn, taken chan<- mailed) {
	defer conn.Close()
	text := textproto.NewConn(conn)
	text.PrintfLine("220 relay")
	var to []string
	for {
		line, err := text.ReadLine()
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.ToUpper(line), " ")
		switch verb {
		case "RCPT":
			address := strings.ToLower(strings.Trim(strings.TrimPrefix(rest, "TO:"), "<>"))
			if strings.HasPrefix(address, "nobody@") {
				text.PrintfLine("550 5.1.1 no such address")
				continue
			}
			to = append(to, address)
			text.PrintfLine("250 ok")
		case "DATA":
			text.PrintfLine("354 go on")
			m, err := readMail(text.DotReader(), to)
			if err != nil {
				text.PrintfLine("554 %v", err)
				continue
			}
			taken <- m
			to = nil
			text.PrintfLine("250 ok")
		case "QUIT":
			text.PrintfLine("221 bye")
			return
		default:
			text.PrintfLine("250 ok")
		}
	}
}

// readMail is a mail with its header and parts in plain text.
func readMail(r io.Reader, to []string) (mailed, error) {
	m := mailed{To: to, Headers: map[string]string{}}
	letter, err := mail.ReadMessage(r)
	if err != nil {
		return m, err
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(letter.Header.Get("Subject"))
	if err != nil {
		return m, err
	}
	m.Headers["subject"] = subject
	_, params, err := mime.ParseMediaType(letter.Header.Get("Content-Type"))
	if err != nil {
		return m, err
	}
	parts := multipart.NewReader(letter.Body, params["boundary"])
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return m, err
		}
		body, err := io.ReadAll(part) // quoted-printable is undone already
		if err != nil {
			return m, err
		}
		m.Parts = append(m.Parts, struct{ Type, Text string }{part.Header.Get("Content-Type"), string(body)})
	}
}

// runs has the console mail the links that are asked for.
func (o *office) runs() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		o.console.Run(ctx)
	}()
	o.t.Cleanup(func() {
		cancel()
		<-ended
	})
}

// auditActions are those of the office's newest changes.
func (o *office) auditActions() (all []string) {
	o.t.Helper()
	list, err := o.store.Audit(context.Background(), o.owner(), frontdesk.AuditFilter{Action: "person"}, frontdesk.Page{Limit: 50})
	if err != nil {
		o.t.Fatal(err)
	}
	for _, e := range list.Items {
		all = append(all, e.Action)
	}
	return all
}

// colleague is somebody else of the office's tenant.
func (o *office) colleague(name string, role frontdesk.Role) frontdesk.Person {
	o.t.Helper()
	p, _, err := o.people.Invite(context.Background(), o.owner(), account.NewPerson{Name: name, Email: strings.ToLower(name) + "@example.com", Role: role})
	if err != nil {
		o.t.Fatal(err)
	}
	return p
}

// TestSomebodyIsInvitedByMail goes the whole way: the form, the mail in the
// invited person's language, the link, and what they may open.
func TestSomebodyIsInvitedByMail(t *testing.T) {
	t.Parallel()
	relay, mails := withRelay(t)
	o := newOffice(t, relay)
	b := o.enter(frontdesk.RoleOwner)
	page := b.send("people", url.Values{"name": {"Inés <Gil>"}, "email": {"ines@example.com"}, "role": {"staff"}, "language": {"es"}})
	if !strings.Contains(page, "An invitation is on its way to Inés &lt;Gil&gt; at ines@example.com.") || strings.Contains(page, "/console/enter/") {
		t.Errorf("after inviting: %s", page)
	}
	m := <-mails
	if m.To[0] != "ines@example.com" || !strings.Contains(m.Headers["subject"], "te invita") || !strings.Contains(m.Parts[0].Text, "Hola, Inés <Gil>:") {
		t.Errorf("the mail is %+v", m)
	}
	invited := o.browse() // whose browser asks for English
	if got := invited.get(m.link()); got.status != http.StatusOK || strings.Contains(got.body, "data-hurry") || !strings.Contains(got.body, `<html lang="es">`) {
		t.Errorf("the link shows %d %s", got.status, got.body)
	}
	if got := invited.post(m.link(), nil); got.status != http.StatusSeeOther {
		t.Fatalf("the link gives %d", got.status)
	}
	if got := invited.get(invited.at("people")); got.status != http.StatusForbidden {
		t.Errorf("staff opens the people: %d", got.status)
	}
	if again := o.browse().post(m.link(), nil); again.status != http.StatusUnauthorized {
		t.Errorf("the link lets in twice: %d", again.status)
	}
	if got := o.auditActions(); len(got) == 0 || got[0] != "person.invited" {
		t.Errorf("the audit log has %v", got)
	}
	if page := b.open("people/audit?kind=person"); !strings.Contains(page, "Person invited") || !strings.Contains(page, "Eva owner") || !strings.Contains(page, "ines@example.com") {
		t.Errorf("the changes are %s", page)
	}
}

// TestALinkIsShownOnceWhereNobodyIsWrittenTo: without a relay, or with one that
// refuses.
func TestALinkIsShownOnceWhereNobodyIsWrittenTo(t *testing.T) {
	t.Parallel()
	relay, _ := withRelay(t)
	for name, set := range map[string]func(*Options){"no relay": func(*Options) {}, "a refusal": relay} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t, set)
			b := o.enter(frontdesk.RoleOwner)
			got := b.post(b.at("people"), url.Values{"name": {"Leo"}, "email": {"nobody@example.com"}, "role": {"developer"}})
			_, rest, found := strings.Cut(got.body, "/console/enter/")
			if got.status != http.StatusOK || !found {
				t.Fatalf("inviting gives %d %s", got.status, got.body)
			}
			if refused := strings.Contains(got.body, "It could not be mailed."); refused != (name == "a refusal") {
				t.Errorf("it says %s", got.body)
			}
			link, _, _ := strings.Cut(rest, "<")
			if entered := o.browse().post("/console/enter/"+link, nil); entered.status != http.StatusSeeOther {
				t.Errorf("the link gives %d", entered.status)
			}
			if page := b.open("people"); strings.Contains(page, link) || !strings.Contains(page, "Leo") {
				t.Error("the link is shown again")
			}
		})
	}
}

func TestFormsOfPeopleSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.colleague("Ana", frontdesk.RoleStaff)
	b := o.enter(frontdesk.RoleOwner)
	for want, form := range map[string]url.Values{
		"no e-mail address":    {"name": {"Bo"}, "email": {"nowhere"}, "role": {"staff"}},
		"of 1 to 100":          {"name": {" "}, "email": {"bo@example.com"}, "role": {"staff"}},
		"Choose one of the ro": {"name": {"Bo"}, "email": {"bo@example.com"}, "role": {"operator"}},
		"Choose one of the la": {"name": {"Bo"}, "email": {"bo@example.com"}, "role": {"staff"}, "language": {"xx"}},
		"is here already":      {"name": {"Bo"}, "email": {"ANA@example.com"}, "role": {"staff"}},
	} {
		got := b.post(b.at("people"), form)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, want) || !strings.Contains(got.body, `value="`+form.Get("email")+`"`) {
			t.Errorf("%v: %d, without %q or what was typed: %s", form, got.status, want, got.body)
		}
	}
}

// TestPeopleAreChangedAndRemoved: with a way back, and never the last owner.
func TestPeopleAreChangedAndRemoved(t *testing.T) {
	t.Parallel()
	for _, language := range frontdesk.Languages {
		t.Run(language, func(t *testing.T) {
			o := newOffice(t)
			b := o.enter(frontdesk.RoleOwner)
			b.language = language
			ana := o.colleague("Ana", frontdesk.RoleStaff)
			at := "people/" + string(ana.ID)
			b.open("people/privacy")
			b.open(at)
			page := b.send(at+"/role", url.Values{"role": {"developer"}})
			if !strings.Contains(page, `name="role" value="staff"`) {
				t.Errorf("there is no way back: %s", page)
			}
			if p, err := o.people.Person(context.Background(), o.owner(), ana.ID); err != nil || p.Role != frontdesk.RoleDeveloper {
				t.Errorf("Ana is %v, %v", p.Role, err)
			}
			if got := b.post(b.at(at+"/link"), nil); got.status != http.StatusOK || !strings.Contains(got.body, "/console/enter/") {
				t.Errorf("a new link: %d", got.status)
			}
			b.send(at+"/remove", nil)
			if got := b.get(b.at(at)); got.status != http.StatusNotFound {
				t.Errorf("Ana is still here: %d", got.status)
			}
			me, err := o.people.People(context.Background(), o.owner())
			if err != nil || len(me) != 1 {
				t.Fatal(me, err)
			}
			for _, way := range []string{"/remove", "/role"} {
				got := b.post(b.at("people/"+string(me[0].ID)+way), url.Values{"role": {"staff"}})
				if got.status != http.StatusConflict || !strings.Contains(got.body, `role="alert"`) {
					t.Errorf("%s of the last owner: %d %s", way, got.status, got.body)
				}
			}
			if got := fmt.Sprint(o.auditActions()); got != "[person.removed person.link_made person.changed]" {
				t.Errorf("the audit log has %s", got)
			}
			b.open("people/audit")
		})
	}
}

// TestOtherTenantsPeopleDoNotExist: not to look at, and not to change.
func TestOtherTenantsPeopleDoNotExist(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	other := storetest.Tenant(t, o.store, "pepe")
	theirs, _, err := o.people.Invite(context.Background(), frontdesk.Owner{TenantID: other.ID, Live: true}, account.NewPerson{Name: "Pepe", Role: frontdesk.RoleStaff})
	if err != nil {
		t.Fatal(err)
	}
	b := o.enter(frontdesk.RoleOwner)
	if page := b.open("people"); strings.Contains(page, "Pepe") {
		t.Error("they are listed")
	}
	at := b.at("people/" + string(theirs.ID))
	if got := b.get(at); got.status != http.StatusNotFound {
		t.Errorf("they are shown: %d", got.status)
	}
	for _, way := range []string{"/role", "/link", "/sign-out", "/remove"} {
		if got := b.post(at+way, url.Values{"role": {"owner"}}); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", way, got.status)
		}
	}
}

// TestSessionsThatWereEndedStopWorking: ended by an owner, by their own person,
// and with the person.
func TestSessionsThatWereEndedStopWorking(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(o *office, them frontdesk.Person, mine, other *browser){
		"by an owner": func(o *office, them frontdesk.Person, _, _ *browser) {
			o.enter(frontdesk.RoleOwner).send("people/"+string(them.ID)+"/sign-out", nil)
		},
		"removed": func(o *office, them frontdesk.Person, _, _ *browser) {
			o.enter(frontdesk.RoleOwner).send("people/"+string(them.ID)+"/remove", nil)
		},
		"by themselves": func(_ *office, _ frontdesk.Person, _, other *browser) {
			if got := other.post("/console/me/sessions/end-others", nil); got.status != http.StatusSeeOther {
				other.o.t.Errorf("ending others: %d", got.status)
			}
		},
		"one of them": func(o *office, them frontdesk.Person, _, other *browser) {
			page := other.get("/console/me").body
			sessions, err := o.people.Sessions(context.Background(), them)
			if err != nil || len(sessions) != 2 || !strings.Contains(page, string(sessions[0].ID)) {
				o.t.Fatal(sessions, err, page)
			}
			for _, s := range sessions {
				if !strings.Contains(page, "this browser") {
					o.t.Errorf("the page is %s", page)
				}
				if s.Browser == "mine" {
					other.post("/console/me/sessions/"+string(s.ID)+"/end", nil)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			them := o.colleague("Ana", frontdesk.RoleStaff)
			enter := func(called string) *browser {
				token, err := o.people.Link(context.Background(), them, frontdesk.LinkMailed)
				if err != nil {
					t.Fatal(err)
				}
				b := o.browse()
				r := b.request(http.MethodPost, "/console/enter/"+token.Reveal(), nil)
				r.Header.Set("User-Agent", called)
				if got := b.do(r); got.status != http.StatusSeeOther {
					t.Fatalf("entering: %d", got.status)
				}
				return b
			}
			mine, other := enter("mine"), enter("other")
			mine.open("today")
			end(o, them, mine, other)
			o.Forward(2 * time.Second) // for that long a session may be believed in
			if got := mine.get(mine.at("today")); got.status != http.StatusSeeOther {
				t.Errorf("the session still works: %d", got.status)
			}
		})
	}
}

// TestNobodyLearnsWhoWorksHere asks for links with an address that is known and
// one that is not.
func TestNobodyLearnsWhoWorksHere(t *testing.T) {
	t.Parallel()
	relay, mails := withRelay(t)
	o := newOffice(t, relay)
	o.runs()
	o.colleague("Ana", frontdesk.RoleStaff)
	b := o.browse()
	if page := b.get("/console/enter").body; !strings.Contains(page, `name="email"`) {
		t.Fatalf("no link can be asked for: %s", page)
	}
	var answers []string
	for _, email := range []string{"stranger@example.com", "not an address", "ANA@example.com"} {
		got := b.post("/console/enter", url.Values{"email": {email}})
		answers = append(answers, fmt.Sprint(got.status, got.location, got.body, len(got.header)))
	}
	if answers[0] != answers[2] || answers[1] != answers[2] {
		t.Errorf("the answers differ: %q", answers)
	}
	m := <-mails // the only one: what was asked for before it would have come first
	if m.To[0] != "ana@example.com" || !strings.Contains(m.Headers["subject"], "Your link to the console") {
		t.Errorf("the mail is %+v", m)
	}
	if got := b.post(m.link(), nil); got.status != http.StatusSeeOther {
		t.Errorf("the link gives %d", got.status)
	}
	if page := b.get("/console/enter?asked").body; !strings.Contains(page, "If somebody with this address works here") {
		t.Errorf("after asking: %s", page)
	}
}

// TestAskingForLinksIsBounded: an e-mail address gets few of them, and an address
// asks for few.
func TestAskingForLinksIsBounded(t *testing.T) {
	t.Parallel()
	relay, mails := withRelay(t)
	o := newOffice(t, relay)
	o.runs()
	o.colleague("Ana", frontdesk.RoleStaff)
	o.colleague("Zoe", frontdesk.RoleStaff)
	b := o.browse()
	for range 8 {
		b.post("/console/enter", url.Values{"email": {"ana@example.com"}})
	}
	b.post("/console/enter", url.Values{"email": {"zoe@example.com"}})
	count := 0
	for m := range mails {
		if m.To[0] == "zoe@example.com" {
			break
		}
		count++
	}
	if count != 5 {
		t.Errorf("Ana got %d mails", count)
	}
	refused := 0
	for i := range 40 {
		if b.post("/console/enter", url.Values{"email": {fmt.Sprintf("a%d@example.com", i)}}).status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("49 links were asked for from one address")
	}
}

// TestLinksInMailsLeadToUsAlone: what a stranger's browser says that we are called
// is not mailed to anybody.
func TestLinksInMailsLeadToUsAlone(t *testing.T) {
	t.Parallel()
	relay, mails := withRelay(t)
	ask := func(o *office) shown {
		o.colleague("Ana", frontdesk.RoleStaff)
		b := o.browse()
		r := b.request(http.MethodPost, "/console/enter", strings.NewReader("email=ana%40example.com"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Host = "evil.example"
		return b.do(r)
	}
	if got := ask(newOffice(t, relay)); got.status != http.StatusNotFound {
		t.Errorf("without a public address: %d", got.status)
	}
	o := newOffice(t, relay, func(o *Options) { o.PublicURL = "https://desk.example.com/" })
	o.runs()
	if got := ask(o); got.status != http.StatusSeeOther {
		t.Errorf("with a public address: %d", got.status)
	}
	if m := <-mails; !strings.Contains(m.Parts[0].Text, "https://desk.example.com/console/enter/") || strings.Contains(m.Parts[0].Text, "evil") {
		t.Errorf("the mail says %s", m.Parts[0].Text)
	}
}

// TestAPersonChangesThemselves: name, address and language, and what is wrong with
// them.
func TestAPersonChangesThemselves(t *testing.T) {
	t.Parallel()
	for _, role := range []frontdesk.Role{frontdesk.RoleStaff, frontdesk.RoleOperator} {
		t.Run(string(role), func(t *testing.T) {
			o := newOffice(t)
			b := o.enter(role)
			got := b.post("/console/me", url.Values{"name": {"Noa"}, "email": {"noa@example.com"}, "language": {"es"}})
			if got.status != http.StatusSeeOther {
				t.Fatalf("saving: %d %s", got.status, got.body)
			}
			if page := b.get("/console/me").body; !strings.Contains(page, `value="Noa"`) || !strings.Contains(page, "Guardado.") || !strings.Contains(page, `<html lang="es">`) {
				t.Errorf("then it shows %s", page)
			}
			b.post("/console/language", url.Values{"language": {"en"}, "to": {"/console/me"}})
			if page := b.get("/console/me").body; !strings.Contains(page, `<html lang="en">`) {
				t.Error("the button of the language does nothing for who has chosen one")
			}
			if got := b.post("/console/me", url.Values{"name": {""}, "email": {"x"}}); got.status != http.StatusBadRequest || !strings.Contains(got.body, `aria-invalid="true"`) {
				t.Errorf("without a name: %d", got.status)
			}
		})
	}
}

func TestTheAuditLogIsPaged(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	ana := o.colleague("Ana", frontdesk.RoleStaff)
	if page := b.open("people/audit?kind=key"); !strings.Contains(page, "Nobody has changed anything yet") {
		t.Errorf("an empty log shows %s", page)
	}
	by := frontdesk.Actor{Kind: frontdesk.ByKey, Name: "crm", ID: frontdesk.NewID(monday)}
	for i := range auditPageSize + 3 {
		name := fmt.Sprintf("Ana %d.", i)
		if _, err := o.people.Change(context.Background(), o.owner(), by, ana.ID, frontdesk.PersonChange{Name: &name}); err != nil {
			t.Fatal(err)
		}
	}
	first := b.open("people/audit?kind=person")
	if !strings.Contains(first, "API key crm") || !strings.Contains(first, "<del>Ana 51.</del> → <ins>Ana 52.</ins>") || strings.Contains(first, "<ins>Ana 2.</ins>") {
		t.Errorf("the first page is %s", first)
	}
	_, rest, _ := strings.Cut(first, `href="people/audit?after=`)
	after, _, _ := strings.Cut(rest, "&")
	if second := b.open("people/audit?kind=person&after=" + after); !strings.Contains(second, "<ins>Ana 2.</ins>") || strings.Contains(second, "<ins>Ana 3.</ins>") || !strings.Contains(second, "Newest") {
		t.Errorf("the second page is %s", second)
	}
	for _, path := range []string{"people/audit?kind=nothing", "people/audit?after=x"} {
		if got := b.get(b.at(path)); got.status/100 != 4 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// TestWhatIsKnownOfAPerson: it is found by the number however it is written, given
// out as a file, and erased once somebody is sure.
func TestWhatIsKnownOfAPerson(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	c := o.book("2026-11-18T11:00:00", frontdesk.Confirmed)
	b := o.enter(frontdesk.RoleOwner)
	texts(t, b.open("people/privacy"), "Calls, with the caller's number where there was one: 730 days. What was said, as text: 180 days.", "-Download all")
	phone := url.Values{"phone": {"0034 " + strings.TrimPrefix(c.CustomerPhone, "+34")}}
	found := b.post(b.at("people/privacy"), phone)
	texts(t, found.body, "Appointments and messages", "Download all", "Erase all")
	if file := b.post(b.at("people/privacy/export"), phone); file.status != http.StatusOK || !strings.Contains(file.body, c.CustomerPhone) {
		t.Errorf("the file: %d %s", file.status, file.body)
	}
	for name, form := range map[string]url.Values{"a number that is none": {"phone": {"Ana"}}, "nobody": {"phone": {"+34 699 999 999"}}} {
		got := b.post(b.at("people/privacy"), form)
		texts(t, got.body, "-Download all")
		if (got.status == http.StatusBadRequest) != (name != "nobody") {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	if got := b.post(b.at("people/privacy/erase"), phone); got.status != http.StatusBadRequest || !strings.Contains(got.body, "Tick the box first") {
		t.Errorf("erased without being sure: %d", got.status)
	}
	for _, other := range []*browser{o.enter(frontdesk.RoleStaff), o.enter(frontdesk.RoleDeveloper)} {
		for _, address := range []string{"people/privacy", "people/privacy/export", "people/privacy/erase"} {
			if got := other.post(other.at(address), url.Values{"phone": phone["phone"], "sure": {"yes"}}); got.status != http.StatusForbidden {
				t.Errorf("%s by another: %d", address, got.status)
			}
		}
	}
	b.post("/console/test/desk/people/privacy/erase", url.Values{"phone": phone["phone"], "sure": {"yes"}})
	o.stands(c.ID) // what is erased in test mode stays in live
	texts(t, b.send("people/privacy/erase", url.Values{"phone": phone["phone"], "sure": {"yes"}}), "Erased.")
	if _, err := o.store.Capture(t.Context(), o.owner(), c.ID); err == nil {
		t.Error("it is still there")
	}
	texts(t, b.post(b.at("people/privacy"), phone).body, "Nothing is known of this number.")
	b.language = "es"
	texts(t, b.open("people/audit"), "Datos de una persona borrados")
	texts(t, b.open("people/privacy"), "730 días")
}
