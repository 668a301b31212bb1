package sip

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/pion/rtp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"frontdesk.dev/frontdesk/internal/audio"
)

// dialFrom connects from an address of loopback.
func dialFrom(t *testing.T, host, to string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.UDPAddr{IP: net.ParseIP(host)}}
	conn, err := d.Dial("udp", to)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestStrangersGetNoAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{
		Listen: []string{"udp:127.0.0.1:0", "tcp:127.0.0.1:0"}, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Metrics: prometheus.NewRegistry(),
	})
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8 101"))
	stranger := phoneOn(t, "udp", dialFrom(t, "127.0.0.66", s.at("udp")))
	for range 500 {
		stranger.send("INVITE", stranger.sound("8"))
		stranger.send("REGISTER", "")
		stranger.send("OPTIONS", "")
	}
	p.hears(fiveTone, keyIn('5'))
	p.status(200, "OPTIONS", "") // comes after all that was sent before
	if n := len(stranger.messages); n != 0 {
		t.Errorf("the stranger got %d answers", n)
	}
	if n := testutil.ToFloat64(s.metrics.refused.WithLabelValues("stranger")); n < 1 {
		t.Error("nothing was counted")
	}
	if n := strings.Count(s.log.String(), "passed over without an answer"); n != 1 {
		t.Errorf("the log says it %d times", n)
	}
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.66")}}
	conn, err := d.Dial("tcp", s.at("tcp"))
	if err == nil {
		if n, err := conn.Read(make([]byte, 10)); err == nil {
			t.Errorf("a stranger's connection got %d bytes", n)
		}
	}
	p.hangup()
}

func TestGarbageDoesNoHarm(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Listen: []string{"udp:127.0.0.1:0", "tcp:127.0.0.1:0"}})
	p := newPhone(t, "udp", s.at("udp"))
	for _, garbage := range []string{
		"", "\r\n\r\n", "\x00\x00", "hello", "INVITE", "INVITE sip:x SIP/2.0\r\n\r\n", "SIP/2.0 200 OK\r\n\r\n", "BYE sip:x SIP/2.0\r\nVia: x\r\n\r\n",
		"OPTIONS sip:x SIP/2.0\r\nContent-Length: 2147483647\r\n\r\n", "OPTIONS sip:x SIP/2.0\r\nContent-Length: -5\r\n\r\n",
		strings.Repeat("INVITE sip:x SIP/2.0\r\n", 500), "INVITE sip:x SIP/2.0\r\nVia: " + strings.Repeat("a", 30000),
		strings.Replace(p.text("INVITE", ""), "CSeq: 0 INVITE", "CSeq: x", 1), strings.Replace(p.text("INVITE", ""), "From", "Form", 1),
		strings.Replace(p.text("INVITE", ""), "Contact", "Contract", 1), strings.Replace(p.text("BYE", ""), "Call-ID", "Call", 1),
	} {
		p.write(garbage)
		tcp := newPhone(t, "tcp", s.at("tcp"))
		tcp.write(garbage)
	}
	p.call(p.sound("8 101"))
	p.hears(fiveTone, keyIn('5'))
	for _, garbage := range [][]byte{{}, {0x80}, bytes.Repeat([]byte{0xff}, 2000), bytes.Repeat([]byte{0x80}, 20)} {
		_, _ = p.rtp.WriteToUDPAddrPort(garbage, p.remote)
	}
	p.hears(fiveTone, keyIn('5'))
	p.hangup()
}

func TestTheGateKeepsPace(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	peer := netip.MustParseAddr("192.0.2.1")
	g := newGate([]netip.Prefix{netip.PrefixFrom(peer, 32)}, slog.New(slog.DiscardHandler), func() time.Time { return now }, newMetrics(nil))
	passed := 0
	for range 10000 {
		if g.passes(peer, []byte("x")) {
			passed++
		}
	}
	if passed != 4*messagesASecond {
		t.Errorf("%d of 10000 messages at once came through", passed)
	}
	now = now.Add(time.Minute)
	if !g.passes(peer, []byte("x")) || g.passes(peer, make([]byte, mostMessage)) || g.passes(peer, bytes.Repeat([]byte("\n"), mostLines+1)) {
		t.Error("what is too large comes through")
	}
	for n := range mostConnections + 1 {
		if g.enter(peer) != (n < mostConnections) {
			t.Errorf("connection %d", n)
		}
	}
	g.leave(peer)
	if !g.enter(peer) {
		t.Error("the place of a connection that was closed is not free")
	}
	g.opened = mostOpen
	g.allowed = append(g.allowed, netip.MustParsePrefix("192.0.2.2/31"))
	other := netip.MustParseAddr("192.0.2.2")
	if !g.enter(other) || g.enter(other) {
		t.Error("when there are many connections, an address has not one")
	}
	g.opened = 2 * mostOpen
	if g.enter(other.Next()) {
		t.Error("there is no end of connections")
	}
}

func TestTCP(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Listen: []string{"tcp:127.0.0.1:0"}})
	p := newPhone(t, "tcp", s.at("tcp"))
	res := p.call(p.sound("8 101"))
	if c := res.Contact().Address; c.UriParams.GetOr("transport", "") != "tcp" {
		t.Errorf("the contact is %s", c.String())
	}
	p.hears(fiveTone, keyIn('5'))
	p.status(200, "INVITE", p.sound("8 101"))
	p.send("ACK", "")
	p.hangup()
	p.id += "2"
	p.toTag = ""
	p.status(488, "INVITE", p.sound("9"))

	s = serve(t, Options{Listen: []string{"tcp:127.0.0.1:0"}}, func(t *timing) { t.noMedia = 50 * time.Millisecond })
	p = newPhone(t, "tcp", s.at("tcp"))
	p.call(p.sound("8 101"))
	p.reply(p.request("BYE"), 200, "OK")
}

// certificate is one for 127.0.0.1, and the roots that know it.
func certificate(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "desk"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, RootCAs: roots}
}

func TestTLSWithEncryptedSound(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Listen: []string{"tls:127.0.0.1:0"}, TLS: certificate(t)})
	p := newPhone(t, "tls", s.at("tls"))
	keys := newKeys("1")
	offer := strings.Replace(p.sound("8 101", "a=crypto:2 AES_256 inline:xx", "a=crypto:"+keys.attribute()), "RTP/AVP", "RTP/SAVP", 1)
	res := p.status(200, "INVITE", offer)
	p.answered(res)
	p.send("ACK", "")
	d, err := readDescription(res.Body())
	if err != nil || d.keys == nil || bytes.Equal(d.keys.key, keys.key) || d.keys.tag != "1" {
		t.Fatalf("the answer is\n%s", res.Body())
	}
	out, err := keys.context()
	if err != nil {
		t.Fatal(err)
	}
	in, err := d.keys.context()
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		tick := time.NewTicker(audio.FrameTime)
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			at := n * frameSize % (len(fiveTone) - frameSize)
			packet := rtp.Packet{
				Header:  rtp.Header{Version: 2, PayloadType: 8, SequenceNumber: uint16(n), Timestamp: uint32(n * frameSize), SSRC: 5},
				Payload: audio.PCMA.Encode(nil, fiveTone[at:at+frameSize]),
			}
			plain, _ := packet.Marshal()
			sealed, err := out.EncryptRTP(nil, plain, nil)
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = p.rtp.WriteToUDPAddrPort(plain, p.remote) // not encrypted: not heard
			_, _ = p.rtp.WriteToUDPAddrPort(sealed, p.remote)
		}
	}()
	heard, buf := keyIn('5'), make([]byte, 2048)
	_ = p.rtp.SetReadDeadline(time.Now().Add(longest))
	for {
		n, err := p.rtp.Read(buf)
		if err != nil {
			t.Fatal("nothing was heard")
		}
		plain, err := in.DecryptRTP(nil, buf[:n], nil)
		if err != nil {
			t.Fatal(err)
		}
		var packet rtp.Packet
		if packet.Unmarshal(plain) == nil && heard(audio.PCMA.Decode(nil, packet.Payload)) {
			break
		}
	}
	p.status(488, "INVITE", p.sound("8 101")) // what was encrypted stays so
	p.hangup()
}

func TestARegistrarByTLS(t *testing.T) {
	t.Parallel()
	c := certificate(t)
	s := serve(t, Options{Listen: []string{"tls:127.0.0.1:0"}, TLS: c, Allow: nobody})
	registrar, err := tls.Listen("tcp", "127.0.0.1:0", c)
	if err != nil {
		t.Fatal(err)
	}
	defer registrar.Close()
	s.SetTrunks([]Trunk{{Registrar: "sip:" + registrar.Addr().String() + ";transport=tls", User: "desk", Number: "1"}})
	conn, err := registrar.Accept()
	if err != nil {
		t.Fatal(err)
	}
	p := phoneOn(t, "tls", conn)
	contact := p.grant(p.request("REGISTER"), "300")
	until(t, s, "registered", registered)
	p.write(strings.Replace(p.inviteText(), "sip:frontdesk@", "sip:"+contact.Address.User+"@", 1))
	p.answered(p.response("INVITE")) // over the same connection
	p.send("ACK", "")
	p.hears(fiveTone, keyIn('5'))
	p.hangup()
}

func TestWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{
		"no listener":          {},
		"an unknown network":   {Listen: []string{"sctp:127.0.0.1:0"}},
		"tls without a key":    {Listen: []string{"tls:127.0.0.1:0"}},
		"a port that is none":  {Listen: []string{"udp:127.0.0.1:99999"}},
		"a range that is none": {Listen: []string{"udp:127.0.0.1:0"}, Ports: [2]int{5000, 4000}},
	} {
		o.Answer = echo
		if _, err := New(o); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestWhoseSoundIsHeard(t *testing.T) {
	t.Parallel()
	announced, nat := netip.MustParseAddrPort("192.0.2.1:4000"), netip.MustParseAddrPort("192.0.2.1:9999")
	signals, stranger := netip.MustParseAddrPort("198.51.100.1:7000"), netip.MustParseAddrPort("203.0.113.66:1")
	type packet struct {
		from   netip.AddrPort
		number uint16
		want   bool
	}
	tests := map[string][]packet{
		"the announced address at once":           {{announced, 1, true}, {announced, 2, true}},
		"another port of it after two":            {{nat, 1, false}, {nat, 2, true}, {nat, 3, true}, {stranger, 4, false}},
		"the one that signals after two":          {{signals, 1, false}, {signals, 2, true}},
		"nobody else once somebody is heard":      {{announced, 1, true}, {nat, 1, false}, {nat, 2, false}, {nat, 3, false}, {stranger, 1, false}},
		"packets that do not follow do not count": {{nat, 1, false}, {nat, 7, false}, {nat, 9, false}},
		"the announced address goes before":       {{nat, 1, false}, {nat, 2, true}, {announced, 50, true}, {nat, 3, false}},
	}
	for name, packets := range tests {
		s := source{announced: announced, signals: signals.Addr()}
		for i, p := range packets {
			if got := s.hear(p.from, 1, p.number, time.Duration(i)*audio.FrameTime); got != p.want {
				t.Errorf("%s: packet %d: %v", name, i, got)
			}
		}
	}
	own := netip.AddrPortFrom(signals.Addr(), 4000)
	for name, announced := range map[string]netip.AddrPort{"elsewhere": announced, "at the host that signals": own, "by nobody": {}} {
		s := source{announced: announced, signals: signals.Addr()}
		for n := range uint16(10 * packetsOfUnknown) {
			if s.hear(stranger, 1, n, 0) {
				t.Fatalf("a stranger is heard when sound is announced %s", name)
			}
		}
		if s.hear(announced, 7, 1, 0); s.target() != announced {
			t.Errorf("sound that is announced %s goes to %s", name, s.target())
		}
	}
	s := source{announced: own, signals: signals.Addr()}
	s.hear(own, 7, 1, 0)
	for n := range uint16(20) { // a neighbour of the caller's, who is silent
		if s.hear(signals, 8, n, time.Hour) {
			t.Fatal("another stream is heard from another port")
		}
	}
	if s.hear(signals, 7, 2, time.Hour); !s.hear(signals, 7, 3, time.Hour) {
		t.Error("a stream whose port has changed on the way is not heard any more")
	}

	s = source{announced: netip.MustParseAddrPort("192.168.1.2:4000"), signals: signals.Addr()} // which nobody can reach
	for n := range uint16(packetsOfUnknown) {
		if got := s.hear(stranger, 1, n, 0); got != (n == packetsOfUnknown-1) {
			t.Errorf("packet %d from elsewhere: %v", n, got)
		}
	}
	if s.hear(netip.MustParseAddrPort("203.0.113.67:1"), 1, 1, time.Hour) {
		t.Error("yet another stranger is heard")
	}
	if s.hear(s.announced, 1, 1, time.Hour); s.target() != s.announced {
		t.Errorf("we send to %s", s.target())
	}
	s.announce(nat)
	if s.target() != nat {
		t.Errorf("after a change we send to %s", s.target())
	}
}

func FuzzDescription(f *testing.F) {
	p := "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=sendonly\r\n"
	f.Add([]byte(p))
	f.Add([]byte(strings.Replace(p, "RTP/AVP", "RTP/SAVP", 1) + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:" + base64.StdEncoding.EncodeToString(make([]byte, 30)) + "|2^20\r\n"))
	f.Add([]byte("v=0\nm=image 9 udptl t38\nm=audio 9/2 RTP/AVP 96\na=rtpmap:96 PCMU/8000/1\nc=IN IP6 ::1"))
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := readDescription(body)
		if err != nil {
			return
		}
		if d.chosen < 0 || d.chosen >= len(d.media) || len(d.laws) == 0 {
			t.Fatalf("%+v", d)
		}
		o := ours{session: 1, version: 1, address: netip.MustParseAddr("192.0.2.9"), port: 5000}
		if d.keys != nil {
			o.keys = newKeys(d.keys.tag)
		}
		answer, err := readDescription(o.answer(d))
		if err != nil || answer.law != d.law || answer.payload != d.payload || len(answer.media) != len(d.media) || (answer.keys == nil) != (d.keys == nil) {
			t.Fatalf("%v: the answer to\n%s\nis\n%s", err, body, o.answer(d))
		}
		if answer.sends != d.hears || answer.hears != d.sends {
			t.Fatalf("the answer to\n%s\nis\n%s", body, o.answer(d))
		}
	})
}

func FuzzSound(f *testing.F) {
	e, _ := audio.KeyPress('5', 100*time.Millisecond)[0].Append(nil)
	for _, p := range []rtp.Packet{
		{Header: rtp.Header{Version: 2, PayloadType: 8, SequenceNumber: 1}, Payload: make([]byte, 160)},
		{Header: rtp.Header{Version: 2, PayloadType: 101, SequenceNumber: 2, Marker: true}, Payload: e},
		{Header: rtp.Header{Version: 2, PayloadType: 13, SequenceNumber: 3, Extension: true, ExtensionProfile: 0xbede}},
	} {
		b, _ := p.Marshal()
		f.Add(b, uint16(20))
	}
	f.Fuzz(func(t *testing.T, raw []byte, ms uint16) {
		d, err := readDescription([]byte("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 8 0 101\na=rtpmap:101 telephone-event/8000\n"))
		if err != nil {
			t.Fatal(err)
		}
		m := newMedia(netip.Addr{})
		if err := m.agree(d, nil); err != nil {
			t.Fatal(err)
		}
		for n := range time.Duration(3) {
			m.take(raw, d.address, n*time.Duration(ms)*time.Millisecond)
			if got := m.frame(); len(got.Samples) != frameSize {
				t.Fatal("no frame")
			}
		}
	})
}

func FuzzIdentity(f *testing.F) {
	for _, s := range []string{`"Ana" <sip:+34600@x;user=phone>;tag=1`, "tel:+34600;phone-context=x", "<sip:x>", `"a\`, "sip:%zz@y", "\xff<sip:\xff@"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		user, display := identity(text)
		if len(user) > 128 || len(display) > 128 || strings.ContainsAny(user+display, "\r\n\x00") {
			t.Fatalf("%q, %q", user, display)
		}
		readFragment([]byte(text))
		readKey([]byte(text))
	})
}
