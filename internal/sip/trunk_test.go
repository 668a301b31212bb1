package sip

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	gosip "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"
)

// nobody may call by themselves.
var nobody = []netip.Prefix{}

// trunkTo is a trunk whose registrar is a phone.
func trunkTo(p *phone) Trunk {
	return Trunk{Registrar: "sip:" + p.local + ";transport=" + p.network, User: "desk", Password: "right", Number: "+34910000000"}
}

// challenge refuses a REGISTER, and returns the next one.
func (p *phone) challenge(req *gosip.Request, challenges ...string) *gosip.Request {
	p.t.Helper()
	var headers []string
	for _, c := range challenges {
		headers = append(headers, "WWW-Authenticate: "+c)
	}
	p.reply(req, 401, "Unauthorized", headers...)
	return p.request("REGISTER")
}

// signedWith says which algorithm a request is signed with, "" if it is not signed
// with the password.
func signedWith(t *testing.T, req *gosip.Request, password string) string {
	t.Helper()
	c, err := digest.ParseCredentials(headerValue(req, "Authorization"))
	if err != nil {
		t.Fatalf("%v in\n%s", err, req)
	}
	want, err := digest.Digest(
		&digest.Challenge{Realm: c.Realm, Nonce: c.Nonce, Algorithm: c.Algorithm, QOP: []string{"auth"}},
		digest.Options{Method: "REGISTER", URI: c.URI, Username: "desk", Password: password, Cnonce: c.Cnonce, Count: c.Nc})
	if err != nil || want.Response != c.Response || c.URI != req.Recipient.String() {
		return ""
	}
	return c.Algorithm
}

// grant registers.
func (p *phone) grant(req *gosip.Request, seconds string) *gosip.ContactHeader {
	p.t.Helper()
	c := req.Contact()
	p.reply(req, 200, "OK", "Contact: <"+c.Address.String()+">;expires="+seconds, "Contact: <sip:other@192.0.2.1>;expires=7")
	return c
}

// until waits for what the server says of its one trunk.
func until(t *testing.T, s *testServer, what string, ok func(TrunkState) bool) TrunkState {
	t.Helper()
	for end := time.Now().Add(longest); time.Now().Before(end); {
		if all := s.Trunks(); len(all) == 1 && ok(all[0]) {
			return all[0]
		}
		<-time.After(5 * time.Millisecond)
	}
	t.Fatalf("the trunk is not %s: %+v", what, s.Trunks())
	return TrunkState{}
}

func registered(s TrunkState) bool { return !s.Until.IsZero() }

const (
	asksMD5 = `Digest realm="pbx", nonce="n1", algorithm=MD5, qop="auth"`
	asksSHA = `Digest realm="pbx", nonce="n2", algorithm=SHA-256, qop="auth"`
)

func TestRegistration(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		challenges []string
		want       string
	}{
		"MD5":                         {[]string{asksMD5}, "MD5"},
		"the stronger of two":         {[]string{asksMD5, asksSHA}, "SHA-256"},
		"what is not known is passed": {[]string{`Digest realm="pbx", nonce="n", algorithm=MD9, qop="auth"`, asksMD5}, "MD5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := make(chan *Call, 1)
			s := serve(t, Options{Allow: nobody, Answer: func(ctx context.Context, c *Call) { calls <- c; echo(ctx, c) }})
			p := newPhone(t, "udp", s.at("udp"))
			s.SetTrunks([]Trunk{trunkTo(p)})
			req := p.challenge(p.request("REGISTER"), tt.challenges...)
			if got := signedWith(t, req, "right"); got != tt.want {
				t.Errorf("signed with %q:\n%s", got, req)
			}
			contact := p.grant(req, "300")
			until(t, s, "registered", registered)
			if len(contact.Address.User) < 20 || tag(req.To()) != "" || req.To().Address.User != "desk" {
				t.Errorf("the request is\n%s", req)
			}

			invite := strings.Replace(p.inviteText(), "sip:frontdesk@", "sip:"+contact.Address.User+"@", 1)
			p.write(invite)
			res := p.response("INVITE")
			p.answered(res)
			p.send("ACK", "")
			c := <-calls
			if c.Trunk() == nil || c.Trunk().Number != "+34910000000" || res.Contact().Address.User != contact.Address.User {
				t.Errorf("the call came by %+v", c.Trunk())
			}
			p.hangup()

			s.SetTrunks(nil)
			last := p.request("REGISTER")
			if e := headerValue(last, "Expires"); e != "0" {
				t.Errorf("at the end it registers for %s", e)
			}
			p.reply(last, 200, "OK")
		})
	}
}

func (p *phone) inviteText() string {
	p.cseq++
	p.branch = gosip.GenerateBranch()
	return p.text("INVITE", p.sound("8 101"))
}

func TestAWrongPasswordIsSaidOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Allow: nobody})
	p := newPhone(t, "udp", s.at("udp"))
	trunk := trunkTo(p)
	trunk.Password = "secret-but-wrong"
	s.SetTrunks([]Trunk{trunk})
	r := s.registrations()[0]
	req := p.challenge(p.request("REGISTER"), asksMD5)
	p.reply(req, 401, "Unauthorized", "WWW-Authenticate: "+asksMD5)
	got := until(t, s, "refused", func(s TrunkState) bool { return s.Error != "" })
	if !strings.Contains(got.Error, "the password") || !got.Until.IsZero() {
		t.Errorf("the state is %+v", got)
	}
	if wait := r.backOff(errDenied); wait < retryRefused/2 {
		t.Errorf("after a refusal it waits %s", wait)
	}
	if n := strings.Count(s.log.String(), "refuses the user or the password"); n != 1 || strings.Contains(s.log.String(), "but-wrong") {
		t.Errorf("the log says it %d times:\n%s", n, s.log)
	}
}

func TestBackOffGrowsAndDiffers(t *testing.T) {
	t.Parallel()
	r := newRegistration(&Server{timing: patient}, Trunk{})
	r.failures = 1
	first := r.backOff(errNoPort)
	r.failures = 100
	last := r.backOff(errNoPort)
	if first > 5*time.Second || first < 2*time.Second || last < 5*time.Minute || last > 10*time.Minute {
		t.Errorf("it waits %s and then %s", first, last)
	}
}

func TestRegistrationIsRefreshedAndAdapts(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Allow: nobody})
	p := newPhone(t, "udp", s.at("udp"))
	s.SetTrunks([]Trunk{trunkTo(p)})
	p.reply(p.request("REGISTER"), 500, "Later")
	p.reply(p.request("REGISTER"), 423, "Interval Too Brief", "Min-Expires: 1800")
	req := p.request("REGISTER")
	if e := headerValue(req, "Expires"); e != "1800" {
		t.Errorf("it asks for %s seconds", e)
	}
	p.grant(req, "2")
	p.grant(p.request("REGISTER"), "300") // a second later
	s.SetTrunks([]Trunk{trunkTo(p)})      // the same: nothing happens
	s.SetTrunks(nil)
	last := p.request("REGISTER")
	if headerValue(last, "Expires") != "0" {
		t.Errorf("the same trunk was registered again:\n%s", last)
	}
	p.reply(last, 200, "OK")
}

func TestTheContactIsWhatTheRegistrarSees(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Allow: nobody})
	p := newPhone(t, "udp", s.at("udp"))
	s.SetTrunks([]Trunk{trunkTo(p)})
	req := p.request("REGISTER")
	seen := func(req *gosip.Request) {
		res := gosip.NewResponseFromRequest(req, 200, "OK", nil)
		res.Via().Params.Add("received", "203.0.113.7")
		res.Via().Params.Add("rport", "1024")
		p.write(res.String())
	}
	seen(req)
	req = p.request("REGISTER")
	if a := req.Contact().Address; a.Host != "203.0.113.7" || a.Port != 1024 {
		t.Errorf("the contact is %s", a.String())
	}
	seen(req)
	until(t, s, "registered", registered)
}

func TestRequestsWithinACallAreSigned(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Allow: nobody, Answer: func(ctx context.Context, c *Call) { _ = c.Answer(ctx) }})
	p := newPhone(t, "udp", s.at("udp"))
	s.SetTrunks([]Trunk{trunkTo(p)})
	contact := p.grant(p.request("REGISTER"), "300")
	until(t, s, "registered", registered)
	p.write(strings.Replace(p.inviteText(), "sip:frontdesk@", "sip:"+contact.Address.User+"@", 1))
	p.answered(p.response("INVITE"))
	p.send("ACK", "")
	p.reply(p.request("BYE"), 407, "Proxy Authentication Required", "Proxy-Authenticate: "+asksMD5)
	bye := p.next("a signed BYE", func(m gosip.Message) bool {
		r, ok := m.(*gosip.Request)
		return ok && r.Method == "BYE" && r.GetHeader("Proxy-Authorization") != nil
	}).(*gosip.Request)
	p.reply(bye, 200, "OK")
}

func TestAConnectionThatBreaksIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Allow: nobody})
	registrar, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer registrar.Close()
	s.SetTrunks([]Trunk{{Registrar: "sip:" + registrar.Addr().String() + ";transport=tcp", User: "desk", Number: "1"}})
	for range 2 {
		conn, err := registrar.Accept()
		if err != nil {
			t.Fatal(err)
		}
		p := phoneOn(t, "tcp", conn)
		p.grant(p.request("REGISTER"), "300")
		until(t, s, "registered", registered)
		_ = conn.Close()
	}
}

func TestRegistrarsThatAreNone(t *testing.T) {
	t.Parallel()
	for registrar, want := range map[string]string{
		"sip:":                              "no registrar",
		"sip:127.0.0.1;transport=pigeon":    "no transport",
		"sip:does-not-exist.invalid:5060":   "no address",
		"sip:[2001:db8::1]:1;transport=udp": "",
	} {
		s := serve(t, Options{Allow: nobody})
		s.SetTrunks([]Trunk{{Registrar: registrar, User: "x"}})
		got := until(t, s, "failing", func(s TrunkState) bool { return s.Error != "" })
		if !strings.Contains(got.Error, want) {
			t.Errorf("%s: %s", registrar, got.Error)
		}
	}
}
