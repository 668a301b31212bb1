package sip

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gosip "github.com/emiago/sipgo/sip"
)

func TestACallIsHeardBothWays(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	p := newPhone(t, "udp", s.at("udp"))
	res := p.call(p.sound("8 0 101"))
	if !strings.Contains(string(res.Body()), "RTP/AVP 8 101") || res.Contact() == nil {
		t.Errorf("the answer is\n%s", res)
	}
	p.hears(fiveTone, keyIn('5'))
	p.hangup()
}

func TestWhoCallsWhom(t *testing.T) {
	t.Parallel()
	calls := make(chan *Call, 1)
	s := serve(t, Options{Answer: func(_ context.Context, c *Call) {
		calls <- c
		_ = c.Reject(486, "Busy Here")
	}})
	tests := map[string]struct {
		headers []string
		from    Party
		called  string
	}{
		"what the device says": {nil, Party{User: "+34600111222", Display: `Ana "la" Ruiz`}, "+34910000000 frontdesk"},
		"what the network asserts goes before": {
			[]string{"P-Asserted-Identity: <tel:+34699999999>"}, Party{User: "+34699999999", Display: `Ana "la" Ruiz`}, "+34910000000 frontdesk",
		},
		"what is withheld is not told": {[]string{"P-Asserted-Identity: <sip:+34699999999@x>", "Privacy: id;critical"}, Party{Anonymous: true}, "+34910000000 frontdesk"},
		"the number that was called, as the network knows it": {
			[]string{"P-Called-Party-ID: <sip:+34911111111@x>", `Diversion: "Shop" <sip:%2B34922222222@y>;reason=busy`, "History-Info: <sip:+34933333333@z>;index=1"},
			Party{User: "+34600111222", Display: `Ana "la" Ruiz`},
			"+34911111111 +34910000000 frontdesk +34922222222 +34933333333",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPhone(t, "udp", s.at("udp"))
			p.status(486, "INVITE", p.sound("8"), tt.headers...)
			c := <-calls
			if c.From() != tt.from {
				t.Errorf("from %+v", c.From())
			}
			if got := strings.Join(c.Called(), " "); got != tt.called {
				t.Errorf("called %s", got)
			}
			if c.Trunk() != nil || c.ID() != p.id || c.Rate() != 8000 {
				t.Errorf("trunk %v, id %s", c.Trunk(), c.ID())
			}
		})
	}
}

func TestWhatIsOffered(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Ports: portRange(t, 30)})
	tests := map[string]struct {
		body   func(*phone) string
		want   int
		answer string
	}{
		"PCMA is preferred":         {func(p *phone) string { return p.sound("0 8") }, 200, "RTP/AVP 8\r\n"},
		"PCMU alone":                {func(p *phone) string { return p.sound("0") }, 200, "RTP/AVP 0\r\n"},
		"PCMA under another number": {func(p *phone) string { return p.sound("96", "a=rtpmap:96 pcma/8000") }, 200, "RTP/AVP 96\r\n"},
		"keys keep their number":    {func(p *phone) string { return p.sound("9 8 101") }, 200, "RTP/AVP 8 101\r\n"},
		"neither":                   {func(p *phone) string { return p.sound("9 18") }, 488, ""},
		"a fax is refused":          {func(p *phone) string { return p.sound("8", "m=image 4000 udptl t38") }, 200, "m=image 0 udptl t38"},
		"pictures are refused":      {func(p *phone) string { return p.sound("8", "m=video 4000 RTP/AVP 96") }, 200, "m=video 0 RTP/AVP 96"},
		"a stream that is switched off": {func(p *phone) string {
			return strings.Replace(p.sound("8"), "m=audio ", "m=audio 0 RTP/AVP 8\r\nm=x ", 1)
		}, 488, ""},
		"no description":           {func(*phone) string { return "hello\r\n" }, 400, ""},
		"a long one":               {func(p *phone) string { return p.sound("8") + strings.Repeat("a=x\r\n", 350) }, 400, ""},
		"encryption without a key": {func(p *phone) string { return strings.Replace(p.sound("8"), "RTP/AVP", "RTP/SAVP", 1) }, 488, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPhone(t, "udp", s.at("udp"))
			res := p.status(tt.want, "INVITE", tt.body(p))
			if !strings.Contains(string(res.Body()), tt.answer) {
				t.Errorf("the answer is\n%s", res.Body())
			}
			if tt.want == 200 {
				p.answered(res)
				p.send("ACK", "")
				p.hangup()
			}
		})
	}
}

func TestALateOffer(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	p := newPhone(t, "udp", s.at("udp"))
	res := p.status(200, "INVITE", "")
	if !strings.Contains(string(res.Body()), "RTP/AVP 8 0 101") {
		t.Fatalf("the offer is\n%s", res.Body())
	}
	p.answered(res)
	p.send("ACK", p.sound("8 101"))
	p.hears(fiveTone, keyIn('5'))
	p.hangup()

	p = newPhone(t, "udp", s.at("udp"))
	p.answered(p.status(200, "INVITE", ""))
	p.send("ACK", p.sound("9"))
	p.reply(p.request("BYE"), 200, "OK")
}

// keysOf answers and hands on the keys that are pressed.
func keysOf(keys chan<- byte) func(context.Context, *Call) {
	return func(ctx context.Context, c *Call) {
		if c.Answer(ctx) != nil {
			return
		}
		for {
			in, err := c.Read(ctx)
			if err != nil {
				close(keys)
				return
			}
			if in.Key != 0 {
				keys <- in.Key
			}
		}
	}
}

func TestKeysComeInThreeWays(t *testing.T) {
	t.Parallel()
	keys := make(chan byte, 10)
	s := serve(t, Options{Answer: keysOf(keys)})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8 101"))
	sp := p.speaker()
	for _, key := range []byte("1#*7") {
		sp.press(key)
		if got := <-keys; got != key {
			t.Errorf("pressed %c, heard %c", key, got)
		}
	}
	for body, want := range map[string]byte{"Signal=5\r\nDuration=160\r\n": '5', "Signal= *\r\n": '*', "9": '9', "Signal=11": '#'} {
		p.status(200, "INFO", body, "Content-Type: application/dtmf-relay")
		if got := <-keys; got != want {
			t.Errorf("%q was heard as %c", body, got)
		}
	}
	p.status(415, "INFO", "<xml/>", "Content-Type: text/xml")
	p.hangup()
	if key, more := <-keys; more {
		t.Errorf("%c was heard besides", key)
	}

	tones := make(chan byte, 10)
	s = serve(t, Options{Answer: keysOf(tones)})
	p = newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	go p.converse(p.speaker(), fiveTone, func([]int16) bool { return false })
	if got := <-tones; got != '5' {
		t.Errorf("the tone of 5 was heard as %c", got)
	}
	p.hangup()
}

func TestAKeyThatComesTwoWaysIsOnePress(t *testing.T) {
	t.Parallel()
	m, now := newMedia(netip.Addr{}), time.Now()
	m.press('8', byEvent, now)
	m.press('8', byMessage, now.Add(100*time.Millisecond))
	m.press('8', byEvent, now.Add(200*time.Millisecond)) // again
	m.press('9', byMessage, now.Add(200*time.Millisecond))
	m.press('9', byTone, now.Add(time.Second))
	if n := len(m.keys); n != 4 {
		t.Errorf("%d presses", n)
	}
}

func TestHoldAndResume(t *testing.T) {
	t.Parallel()

	loud := make(chan bool, 1000)
	s := serve(t, Options{Answer: func(ctx context.Context, c *Call) {
		if c.Answer(ctx) != nil {
			return
		}
		for {
			in, err := c.Read(ctx)
			if err != nil {
				return
			}
			if in.Key == 0 {
				_ = c.Write(in.Frame.Samples)
				select {
				case loud <- level(in.Frame.Samples) > 1000:
				default:
				}
			}
		}
	}})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8 101"))
	p.hears(fiveTone, keyIn('5'))

	go p.converse(p.speaker(), fiveTone[:1600], func([]int16) bool { return false }) // music
	for _, hold := range []struct{ method, attribute, want string }{
		{"INVITE", "a=sendonly", "a=recvonly"}, {"UPDATE", "a=inactive", "a=inactive"}, {"INVITE", "c=IN IP4 0.0.0.0", "a=recvonly"},
	} {
		res := p.status(200, hold.method, p.sound("8 101", hold.attribute))
		if !strings.Contains(string(res.Body()), hold.want) {
			t.Errorf("%s was answered with\n%s", hold.attribute, res.Body())
		}
		if hold.method == "INVITE" {
			p.send("ACK", "")
		}
		for len(loud) > 0 {
			<-loud
		}
		<-loud // it may have been under way
		for range 5 {
			if <-loud {
				t.Errorf("music is heard with %s", hold.attribute)
			}
		}
	}
	res := p.status(200, "INVITE", p.sound("8 101"))
	p.send("ACK", "")
	if !strings.Contains(string(res.Body()), "a=sendrecv") {
		t.Errorf("resuming was answered with\n%s", res.Body())
	}
	for !<-loud {
	}
	p.status(488, "INVITE", p.sound("9"))
	p.send("ACK", "")
	p.hangup()
}

func level(samples []int16) (loudest int16) {
	for _, s := range samples {
		loudest = max(loudest, s)
	}
	return loudest
}

func TestTheSoundMovesToAnotherAddress(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8 101"))
	p.hears(fiveTone, keyIn('5'))
	p.openRTP("127.0.0.2")
	p.status(200, "INVITE", p.sound("8 101"))
	p.send("ACK", "")
	p.hears(fiveTone, keyIn('5'))
	p.hangup()
}

func TestStrangersAreNotHeardAndDoNotRedirect(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8 101"))
	p.hears(fiveTone, keyIn('5'))
	stranger := newPhone(t, "udp", s.at("udp"))
	stranger.openRTP("127.0.0.9")
	stranger.remote = p.remote
	sp := stranger.speaker()
	for range 100 {
		sp.frame(fiveTone[:frameSize])
		sp.press('9')
	}
	p.hears(make([]int16, 1600), func(frame []int16) bool { return level(frame) < 100 }) // our silence comes back to us
	_ = stranger.rtp.SetReadDeadline(time.Now())
	if n, err := stranger.rtp.Read(make([]byte, 100)); err == nil {
		t.Errorf("the stranger was sent %d bytes", n)
	}
	p.hangup()
}

func TestTheFirstStrangerIsNotSpokenTo(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Answer: func(ctx context.Context, c *Call) {
		if c.Answer(ctx) != nil {
			return
		}
		for {
			if in, err := c.Read(ctx); err != nil {
				return
			} else if in.Key == 0 {
				_ = c.Write(fiveTone[:frameSize])
			}
		}
	}})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8 101"))
	stranger := newPhone(t, "udp", s.at("udp"))
	stranger.openRTP("127.0.0.9")
	stranger.remote = p.remote
	for sp, n := stranger.speaker(), 0; n < 10*packetsOfUnknown; n++ {
		sp.frame(fiveTone[:frameSize])
	}
	_ = p.rtp.SetReadDeadline(time.Now().Add(longest)) // the caller says nothing, and hears us
	for range 20 {
		if _, err := p.rtp.Read(make([]byte, 2048)); err != nil {
			t.Fatal(err)
		}
	}
	_ = stranger.rtp.SetReadDeadline(time.Now())
	if n, err := stranger.rtp.Read(make([]byte, 100)); err == nil {
		t.Errorf("the stranger was sent %d bytes", n)
	}
	p.hangup()
}

func TestWhereSoundIsNotSentTo(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	for name, tt := range map[string]struct{ address, port string }{
		"many":                {"224.0.0.1", "4000"},
		"all of a network":    {"255.255.255.255", "4000"},
		"where messages come": {"127.0.0.1", strings.Split(s.at("udp"), ":")[1]},
		"another call":        {"127.0.0.1", fmt.Sprint(p.remote.Port())},
	} {
		other := newPhone(t, "udp", s.at("udp"))
		body := strings.Replace(other.sound("8"), "c=IN IP4 127.0.0.1", "c=IN IP4 "+tt.address, 1)
		body = strings.Replace(body, fmt.Sprintf("audio %d", other.rtp.LocalAddr().(*net.UDPAddr).Port), "audio "+tt.port, 1)
		other.send("INVITE", body)
		if res := other.response("INVITE"); res.StatusCode != 400 {
			t.Errorf("%s: answered with %d", name, res.StatusCode)
		}
		p.status(488, "INVITE", body)
		p.send("ACK", "")
	}
	p.hangup()
}

func TestCancel(t *testing.T) {
	t.Parallel()
	reads := make(chan error, 1)
	s := serve(t, Options{Answer: func(ctx context.Context, c *Call) {
		_ = c.Ringing()
		<-c.Done()
		_, err := c.Read(ctx)
		reads <- err
		if err := c.Answer(ctx); err == nil {
			t.Error("a call that was cancelled was answered")
		}
	}})
	p := newPhone(t, "udp", s.at("udp"))
	p.send("INVITE", p.sound("8"))
	p.next("180", func(m gosip.Message) bool { r, ok := m.(*gosip.Response); return ok && r.StatusCode == 180 })
	p.send("CANCEL", "")
	res := p.next("487", func(m gosip.Message) bool {
		r, ok := m.(*gosip.Response)
		return ok && r.CSeq().MethodName == "INVITE" && r.StatusCode >= 200
	}).(*gosip.Response)
	if res.StatusCode != 487 {
		t.Errorf("the INVITE was answered with %d", res.StatusCode)
	}
	if err := <-reads; err != io.EOF {
		t.Errorf("Read returned %v", err)
	}
}

func TestWeHangUp(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Answer: func(ctx context.Context, c *Call) { _ = c.Answer(ctx) }})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"), "Record-Route: <sip:127.0.0.1:"+port(p.local)+";lr>")
	bye := p.request("BYE")
	if bye.Route() == nil || tag(bye.From()) != p.toTag || tag(bye.To()) != p.tag {
		t.Errorf("the BYE is\n%s", bye)
	}
	p.reply(bye, 200, "OK")
}

func port(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

func TestRetransmissionsMakeNoSecondCall(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	calls := 0
	s := serve(t, Options{Answer: func(ctx context.Context, c *Call) {
		mu.Lock()
		calls++
		mu.Unlock()
		echo(ctx, c)
	}})
	p := newPhone(t, "udp", s.at("udp"))
	p.send("INVITE", p.sound("8"))
	again := p.text("INVITE", p.sound("8"))
	p.write(again)
	p.write(again)
	res := p.response("INVITE")
	p.write(again)
	p.branch = gosip.GenerateBranch() // by another way
	p.write(p.text("INVITE", p.sound("8")))
	p.next("482", func(m gosip.Message) bool { r, ok := m.(*gosip.Response); return ok && r.StatusCode == 482 })
	p.answered(res)
	p.send("ACK", "")
	p.hears(fiveTone, keyIn('5'))
	p.hangup()
	mu.Lock()
	defer mu.Unlock()
	if calls != 1 {
		t.Errorf("there were %d calls", calls)
	}
}

func TestAnACKThatNeverComesEndsTheCall(t *testing.T) {
	t.Parallel()
	answered := make(chan error, 1)
	s := serve(t, Options{Answer: func(ctx context.Context, c *Call) { answered <- c.Answer(ctx) }}, func(t *timing) { t.t1 = 5 * time.Millisecond })
	p := newPhone(t, "udp", s.at("udp"))
	p.status(200, "INVITE", p.sound("8"))
	p.response("INVITE") // again
	p.reply(p.request("BYE"), 200, "OK")
	if err := <-answered; err != errNoACK {
		t.Errorf("Answer returned %v", err)
	}
}

func TestAPeerThatNeverAcknowledgesHasAShare(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{MostCalls: 4}, func(t *timing) { t.t1 = longest })
	for n := range 3 {
		p := phoneOn(t, "udp", dialFrom(t, "127.0.0.5", s.at("udp")))
		p.status([]int{200, 200, 503}[n], "INVITE", p.sound("8"))
	}
	for range 2 {
		p := newPhone(t, "udp", s.at("udp"))
		p.call(p.sound("8"))
	}
}

func TestACallThatHasEndedTakesNoPlace(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{MostCalls: 1, Ports: portRange(t, 1)}, func(t *timing) { t.t1 = 5 * time.Millisecond })
	p := newPhone(t, "udp", s.at("udp"))
	p.status(200, "INVITE", p.sound("8"))
	p.request("BYE") // as no ACK has come; it is not answered
	p = newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	p.hangup()
}

func TestACallThatIsNotAnsweredYetTakesNoPort(t *testing.T) {
	t.Parallel()
	refuse, first, began := make(chan struct{}), atomic.Bool{}, make(chan struct{})
	s := serve(t, Options{Ports: portRange(t, 1), Answer: func(ctx context.Context, c *Call) {
		if first.CompareAndSwap(false, true) {
			close(began)
			<-refuse
			_ = c.Reject(486, "Busy Here")
			return
		}
		echo(ctx, c)
	}})
	waits := newPhone(t, "udp", s.at("udp"))
	waits.send("INVITE", waits.sound("8"))
	<-began
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	p.hangup()
	close(refuse)
	if res := waits.response("INVITE"); res.StatusCode != 486 {
		t.Errorf("answered with %d", res.StatusCode)
	}
}

func TestCallsThatAreRefusedDoNotFillTheLog(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Answer: func(_ context.Context, c *Call) { _ = c.Reject(486, "Busy Here") }})
	p := newPhone(t, "udp", s.at("udp"))
	for range 5 * linesAMinute {
		p.id += "x"
		p.status(486, "INVITE", p.sound("8"))
		p.send("ACK", "")
	}
	if n := strings.Count(s.log.String(), "\n"); n > 2*linesAMinute {
		t.Errorf("the log has %d lines", n)
	}
}

func TestACallWithoutSoundIsHungUp(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{}, func(t *timing) { t.noMedia = 100 * time.Millisecond })
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	p.reply(p.request("BYE"), 200, "OK")
	if !strings.Contains(s.log.String(), `why="no sound"`) {
		t.Errorf("the log says\n%s", s.log)
	}
}

func TestSessionTimers(t *testing.T) {
	t.Parallel()
	const timer = "Supported: timer"
	t.Run("too short a session is refused", func(t *testing.T) {
		t.Parallel()
		p := newPhone(t, "udp", serve(t, Options{}, func(t *timing) { t.minSession = 90 * time.Second }).at("udp"))
		res := p.status(422, "INVITE", p.sound("8"), timer, "Session-Expires: 60")
		if headerValue(res, "Min-SE") != "90" {
			t.Errorf("the answer is\n%s", res)
		}
	})
	t.Run("who asks refreshes, and is hung up when it does not", func(t *testing.T) {
		t.Parallel()
		p := newPhone(t, "udp", serve(t, Options{}).at("udp"))
		res := p.call(p.sound("8"), timer, "Session-Expires: 1")
		if headerValue(res, "Session-Expires") != "1;refresher=uac" || !lists(res, "timer", "Require") {
			t.Errorf("the answer is\n%s", res)
		}
		p.status(200, "UPDATE", "", timer, "Session-Expires: 1;refresher=uac")
		p.reply(p.request("BYE"), 200, "OK")
	})
	for name, tt := range map[string]struct{ allow, method string }{
		"we refresh by UPDATE":               {"INVITE, UPDATE", "UPDATE"},
		"we refresh by INVITE where we must": {"INVITE", "INVITE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPhone(t, "udp", serve(t, Options{}).at("udp"))
			res := p.call(p.sound("8"), timer, "Session-Expires: 1;refresher=uas", "Allow: "+tt.allow)
			if headerValue(res, "Session-Expires") != "1;refresher=uas" {
				t.Errorf("the answer is\n%s", res)
			}
			for range 2 {
				req := p.request(tt.method)
				p.reply(req, 200, "OK", "Session-Expires: 1;refresher=uac", "Contact: <sip:ana@"+p.local+">")
				if tt.method == "INVITE" {
					if _, err := readDescription(req.Body()); err != nil {
						t.Errorf("the offer: %v", err)
					}
					p.request("ACK")
				}
			}
			p.reply(p.request(tt.method), 481, "Gone")
		})
	}
}

func TestRefer(t *testing.T) {
	t.Parallel()
	type outcome struct {
		status int
		err    error
	}
	tests := map[string]struct {
		answer  int
		notify  []string
		bye     bool
		want    int
		failure string
		over    bool
	}{
		"connected":              {202, []string{"100 Trying", "180 Ringing", "200 OK"}, false, 200, "", true},
		"busy":                   {202, []string{"100 Trying", "486 Busy Here"}, false, 486, "", false},
		"no news":                {202, nil, false, 0, "did not say how it went", false},
		"the last news are none": {202, []string{"100 Trying;last"}, false, 100, "did not say how it went", false},
		"refused":                {603, nil, false, 603, "refused to transfer: 603", false},
		"hung up without news":   {202, []string{"100 Trying"}, true, 0, "has ended", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outcomes := make(chan outcome, 1)
			s := serve(t, Options{Answer: func(ctx context.Context, c *Call) {
				_ = c.Answer(ctx)
				status, err := c.Refer(ctx, "+34955555555")
				outcomes <- outcome{status, err}
			}})
			p := newPhone(t, "udp", s.at("udp"))
			p.call(p.sound("8"))
			refer := p.request("REFER")
			if got := headerValue(refer, "Refer-To"); got != "<sip:+34955555555@pbx.test>" {
				t.Errorf("Refer-To: %s", got)
			}
			p.reply(refer, tt.answer, "Whatever")
			for _, n := range tt.notify {
				text, last := strings.CutSuffix(n, ";last")
				state := "active;expires=60"
				if last {
					state = "terminated;reason=noresource"
				}
				p.status(200, "NOTIFY", "SIP/2.0 "+text+"\r\n", "Event: refer", "Subscription-State: "+state, "Content-Type: message/sipfrag;version=2.0")
			}
			if tt.bye {
				p.hangup()
			} else {
				p.reply(p.request("BYE"), 200, "OK")
			}
			got := <-outcomes
			if got.status != tt.want || (got.err == nil) != (tt.failure == "") || got.err != nil && !strings.Contains(got.err.Error(), tt.failure) {
				t.Errorf("the outcome is %d, %v", got.status, got.err)
			}
		})
	}
}

func TestAHundredCallsAtOnce(t *testing.T) {
	t.Parallel()
	const calls = 100
	s := serve(t, Options{Ports: portRange(t, calls)})
	var all sync.WaitGroup
	for range calls {
		p := newPhone(t, "udp", s.at("udp"))
		all.Go(func() {
			p.send("INVITE", p.sound("8 101"))
			res := p.response("INVITE")
			if res.StatusCode != 200 {
				t.Errorf("answered with %d", res.StatusCode)
				return
			}
			p.answered(res)
			p.send("ACK", "")
			if !p.converse(p.speaker(), fiveTone, keyIn('5')) {
				t.Error("nothing was heard")
			}
		})
	}
	all.Wait()
	p := newPhone(t, "udp", s.at("udp"))
	p.status(503, "INVITE", p.sound("8")) // every port is in use
}

func TestTooManyCallsAndStopping(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{MostCalls: 1})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	other := newPhone(t, "udp", s.at("udp"))
	other.status(503, "INVITE", other.sound("8"))
	stopped := make(chan struct{})
	go func() { s.Stop(t.Context()); close(stopped) }()
	for other.send("OPTIONS", ""); other.response("OPTIONS").StatusCode != 503; other.send("OPTIONS", "") {
	}
	other.id += "2"
	other.send("ACK", "")
	other.status(503, "INVITE", other.sound("8"))
	p.hears(fiveTone, keyIn('5')) // the call goes on
	p.hangup()
	<-stopped
}

func TestAHardStopHangsUp(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	go s.Stop(ctx)
	p.reply(p.request("BYE"), 200, "OK")
}

func TestWhatPeersAreTold(t *testing.T) {
	t.Parallel()
	hangUp := func(ctx context.Context, c *Call) { _ = c.Answer(ctx) }
	for name, tt := range map[string]struct {
		listen, public, dial, contact, sound string
	}{
		"the address there is":             {"udp:127.0.0.1:0", "", "127.0.0.1", "127.0.0.1", "IN IP4 127.0.0.1\r\n"},
		"that of the interface":            {"udp:0.0.0.0:0", "", "127.0.0.1", "127.0.0.1", "IN IP4 127.0.0.1\r\n"},
		"that of the other interface":      {"udp:[::]:0", "", "127.0.0.1", "127.0.0.1", "IN IP4 127.0.0.1\r\n"},
		"the sixth version":                {"udp:[::1]:0", "", "[::1]", "::1", "IN IP6 ::1\r\n"},
		"the public one":                   {"udp:0.0.0.0:0", "198.51.100.7", "127.0.0.1", "198.51.100.7", "IN IP4 198.51.100.7\r\n"},
		"the public name, and its address": {"udp:0.0.0.0:0", "localhost", "127.0.0.1", "localhost", "IN IP4 127.0.0.1\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, Options{
				Listen: []string{tt.listen}, Public: tt.public, Answer: hangUp,
				Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")},
			})
			p := newPhone(t, "udp", tt.dial+":"+port(s.at("udp")))
			res := p.status(200, "INVITE", p.sound("8"))
			if got := res.Contact().Address.Host; strings.Trim(got, "[]") != tt.contact {
				t.Errorf("the contact is %s", got)
			}
			if !strings.Contains(string(res.Body()), tt.sound) {
				t.Errorf("the description is\n%s", res.Body())
			}
			p.toTag = tag(res.To())
			p.send("ACK", "")
			p.reply(p.request("BYE"), 200, "OK")
		})
	}
}

func TestAHandlerThatPanicsOrDoesNothing(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Answer: func(context.Context, *Call) {}})
	p := newPhone(t, "udp", s.at("udp"))
	p.status(480, "INVITE", p.sound("8"))
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	errs := make(chan error, 10)
	s := serve(t, Options{Answer: func(ctx context.Context, c *Call) {
		errs <- c.Reject(200, "OK")
		_, err := c.Refer(ctx, "100")
		errs <- err
		_ = c.Answer(ctx)
		errs <- c.Answer(ctx)
		errs <- c.Ringing()
		errs <- c.Reject(486, "Busy")
		errs <- c.Write(make([]int16, 10))
		_, err = c.Refer(ctx, "a b")
		errs <- err
		_ = c.Hangup(ctx)
		errs <- c.Write(make([]int16, frameSize))
		errs <- nil
	}})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	p.reply(p.request("BYE"), 200, "OK")
	for i := 0; ; i++ {
		err := <-errs
		if err == nil && i == 8 {
			break
		}
		if err == nil {
			t.Errorf("wrong use %d was taken", i)
		}
	}
}

func TestRequestsThatAreOutOfPlace(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	p := newPhone(t, "udp", s.at("udp"))
	p.status(200, "OPTIONS", "")
	p.status(405, "SUBSCRIBE", "")
	p.status(405, "BREW", "")
	for want, change := range map[int][2]string{505: {" SIP/2.0\r\n", " SIP/3.0\r\n"}, 400: {"1000 INVITE", "1000 BYE"}} {
		p.cseq, p.branch = 1000, gosip.GenerateBranch()
		p.write(strings.Replace(p.text("INVITE", p.sound("8")), change[0], change[1], 1))
		res := p.next("answer", func(m gosip.Message) bool { r, ok := m.(*gosip.Response); return ok && int(r.CSeq().SeqNo) == p.cseq }).(*gosip.Response)
		if res.StatusCode != want {
			t.Errorf("%s is answered with %d", change[1], res.StatusCode)
		}
	}
	id := p.id
	p.id = strings.Repeat("a", mostID+1)
	p.status(400, "INVITE", p.sound("8"))
	p.id = id
	p.status(420, "INVITE", p.sound("8"), "Require: 100rel, timer")
	p.send("ACK", "")
	p.status(415, "INVITE", "<x/>", "Content-Type: text/xml")
	p.send("ACK", "")
	p.toTag = "nobody"
	p.status(481, "BYE", "")
	p.status(481, "INVITE", p.sound("8"))
	p.send("ACK", "")
	p.status(481, "INFO", "")
	p = newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	p.cseq--
	p.status(500, "UPDATE", "")
	p.cseq += 5
	key := []string{"Content-Type: application/dtmf-relay"}
	p.status(200, "INFO", "Signal=5", key...)
	p.cseq--
	p.status(500, "INFO", "Signal=5", key...) // the same once more
	p.cseq -= 2
	p.status(200, "INFO", "Signal=6", key...) // was overtaken
	p.cseq--
	p.status(500, "INFO", "Signal=6", key...)
	p.cseq = 0
	p.status(500, "INFO", "Signal=7", key...) // before the call
	p.cseq = 100
	p.status(489, "NOTIFY", "", "Event: presence")
	p.hangup()
}
