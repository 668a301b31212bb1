package sip

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	gosip "github.com/emiago/sipgo/sip"
	"github.com/pion/rtp"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/test/freeport"
)

// longest is how long a test waits for what must come.
const longest = 20 * time.Second

// logLines is a log that tests read while it is written.
type logLines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// portRange is for the sound of so many calls.
func portRange(t testing.TB, calls int) [2]int {
	t.Helper()
	first := freeport.Take(t, 2*calls)
	return [2]int{first, first + 2*calls - 1}
}

// quick is as patient as a test.
func quick(t timing) timing {
	t.t1, t.t2, t.tick = 50*time.Millisecond, 200*time.Millisecond, 20*time.Millisecond
	t.request = 2 * time.Second
	t.keepAlive, t.retry = 50*time.Millisecond, 20*time.Millisecond
	t.noNotify, t.lastNotify, t.minSession = 300*time.Millisecond, 200*time.Millisecond, time.Second
	return t
}

type testServer struct {
	*Server
	log *logLines
}

// serve runs a server on loopback until the test ends.
func serve(t *testing.T, o Options, change ...func(*timing)) *testServer {
	t.Helper()
	log := &logLines{}
	o.Log = slog.New(slog.NewTextHandler(log, nil))
	if len(o.Listen) == 0 {
		o.Listen = []string{"udp:127.0.0.1:0"}
	}
	if o.Ports == [2]int{} {
		o.Ports = portRange(t, 10)
	}
	if o.Allow == nil {
		o.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}
	if o.Answer == nil {
		o.Answer = echo
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	s.timing = quick(s.timing)
	for _, f := range change {
		f(&s.timing)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case <-stopped:
		case <-time.After(longest):
			t.Error("the server did not stop")
		}
		if s.active+len(s.unheard)+len(s.ports.used)+len(s.calls)+len(s.invites)+len(s.gate.guests)+len(s.gate.registrars) > 0 {
			t.Errorf("left over are ports %v, %d calls, %d counted, %v not acknowledged, addresses %v and %v", s.ports.used, len(s.calls), s.active, s.unheard, s.gate.guests, s.gate.registrars)
		}
		if strings.Contains(log.String(), "panic") {
			t.Errorf("something panicked: %s", log)
		}
	})
	for _, l := range s.here.listeners {
		<-l.serving
	}
	return &testServer{s, log}
}

// at is where the server listens for a network.
func (s *testServer) at(network string) string {
	for _, l := range s.here.listeners {
		if l.network == network {
			return l.address.String()
		}
	}
	return ""
}

// echo answers, and sends back what it hears.
func echo(ctx context.Context, c *Call) {
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
		}
	}
}

// phone is a telephone of the tests: it writes and reads messages as text, so that
// it can do what no library would.
type phone struct {
	t        *testing.T
	network  string
	conn     net.Conn
	local    string
	to       string
	id       string
	tag      string
	toTag    string
	cseq     int
	messages chan gosip.Message
	rtp      *net.UDPConn
	remote   netip.AddrPort // where sound is to be sent
	branch   string         // of the last request
	invite   string         // branch of the last INVITE
}

var phoneNumber = struct {
	sync.Mutex
	n int
}{}

func newPhone(t *testing.T, network, address string) *phone {
	t.Helper()
	var conn net.Conn
	var err error
	switch network {
	case "tls":
		conn, err = tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
	default:
		conn, err = net.Dial(network, address)
	}
	if err != nil {
		t.Fatal(err)
	}
	return phoneOn(t, network, conn)
}

// phoneOn is a phone at the other end of a connection.
func phoneOn(t *testing.T, network string, conn net.Conn) *phone {
	t.Cleanup(func() { _ = conn.Close() })
	phoneNumber.Lock()
	phoneNumber.n++
	n := phoneNumber.n
	phoneNumber.Unlock()
	p := &phone{
		t: t, network: network, conn: conn, local: conn.LocalAddr().String(), to: conn.RemoteAddr().String(),
		id: fmt.Sprintf("call-%d@test", n), tag: fmt.Sprintf("tag%d", n), messages: make(chan gosip.Message, 100),
	}
	p.openRTP("127.0.0.1")
	go p.read()
	return p
}

func (p *phone) openRTP(host string) {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(host)})
	if err != nil {
		p.t.Fatal(err)
	}
	p.rtp = conn
	p.t.Cleanup(func() { _ = conn.Close() })
}

func (p *phone) read() {
	parser := gosip.NewParser()
	stream := parser.NewSIPStream()
	buf := make([]byte, 65536)
	for {
		n, err := p.conn.Read(buf)
		if err != nil {
			close(p.messages)
			return
		}
		if p.network == "udp" {
			if msg, err := parser.ParseSIP(buf[:n]); err == nil {
				p.messages <- msg
			}
			continue
		}
		_ = stream.ParseSIPStream(buf[:n], func(m gosip.Message) { p.messages <- m })
	}
}

// sound is the session description of the phone.
func (p *phone) sound(formats string, more ...string) string {
	at := p.rtp.LocalAddr().(*net.UDPAddr).AddrPort()
	lines := []string{
		"v=0", "o=test 1 1 IN IP4 " + at.Addr().String(), "s=-", "c=IN IP4 " + at.Addr().String(), "t=0 0",
		fmt.Sprintf("m=audio %d RTP/AVP %s", at.Port(), formats), "a=rtpmap:101 telephone-event/8000",
	}
	return strings.Join(append(lines, more...), "\r\n") + "\r\n"
}

// send writes a request within or outside of the phone's dialog.
func (p *phone) send(method, body string, headers ...string) {
	p.t.Helper()
	if method != "ACK" && method != "CANCEL" {
		p.cseq++
		p.branch = gosip.GenerateBranch()
	}
	if method == "ACK" {
		p.branch = gosip.GenerateBranch()
	}
	if method == "INVITE" {
		p.invite = p.branch
	}
	if method == "CANCEL" {
		p.branch = p.invite
	}
	p.write(p.text(method, body, headers...))
}

func (p *phone) text(method, body string, headers ...string) string {
	to := "<sip:+34910000000@desk.test>"
	if p.toTag != "" && method != "CANCEL" {
		to += ";tag=" + p.toTag
	}
	lines := []string{
		method + " sip:frontdesk@" + p.to + " SIP/2.0",
		fmt.Sprintf("Via: SIP/2.0/%s %s;branch=%s;rport", strings.ToUpper(p.network), p.local, p.branch),
		`From: "Ana \"la\" Ruiz" <sip:+34600111222@pbx.test>;tag=` + p.tag,
		"To: " + to, "Call-ID: " + p.id, fmt.Sprintf("CSeq: %d %s", p.cseq, method), "Max-Forwards: 70",
		fmt.Sprintf("Contact: <sip:ana@%s;transport=%s>", p.local, p.network),
	}
	lines = append(lines, headers...)
	if body != "" && !strings.Contains(strings.Join(headers, "\n"), "Content-Type") {
		lines = append(lines, "Content-Type: application/sdp")
	}
	lines = append(lines, fmt.Sprintf("Content-Length: %d", len(body)), "", body)
	return strings.Join(lines, "\r\n")
}

func (p *phone) write(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.conn, text); err != nil {
		p.t.Error(err)
	}
}

// next waits for a message that is wanted, and passes over all others.
func (p *phone) next(what string, wanted func(gosip.Message) bool) gosip.Message {
	p.t.Helper()
	timeout := time.After(longest)
	for {
		select {
		case m, ok := <-p.messages:
			if !ok {
				p.t.Fatalf("the connection was closed, and there was no %s", what)
			}
			if wanted(m) {
				return m
			}
		case <-timeout:
			p.t.Fatalf("there was no %s", what)
		}
	}
}

// response waits for the final answer to a method.
func (p *phone) response(method string) *gosip.Response {
	p.t.Helper()
	return p.next("answer to "+method, func(m gosip.Message) bool {
		r, ok := m.(*gosip.Response)
		return ok && r.CSeq() != nil && string(r.CSeq().MethodName) == method && r.StatusCode >= 200 && int(r.CSeq().SeqNo) == p.cseq
	}).(*gosip.Response)
}

// request waits for a request.
func (p *phone) request(method string) *gosip.Request {
	p.t.Helper()
	return p.next(method, func(m gosip.Message) bool {
		r, ok := m.(*gosip.Request)
		return ok && string(r.Method) == method
	}).(*gosip.Request)
}

// reply answers a request.
func (p *phone) reply(req *gosip.Request, status int, reason string, headers ...string) {
	p.t.Helper()
	res := gosip.NewResponseFromRequest(req, status, reason, nil)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		res.AppendHeader(gosip.NewHeader(name, value))
	}
	p.write(res.String())
}

// status asks, and holds the answer to a status.
func (p *phone) status(want int, method, body string, headers ...string) *gosip.Response {
	p.t.Helper()
	p.send(method, body, headers...)
	res := p.response(method)
	if res.StatusCode != want {
		p.t.Fatalf("%s was answered with %d %s, want %d", method, res.StatusCode, res.Reason, want)
	}
	return res
}

// call calls, and has the call answered.
func (p *phone) call(body string, headers ...string) *gosip.Response {
	p.t.Helper()
	res := p.status(200, "INVITE", body, headers...)
	p.answered(res)
	p.send("ACK", "")
	return res
}

// answered takes what the server says of itself.
func (p *phone) answered(res *gosip.Response) {
	p.t.Helper()
	p.toTag = tag(res.To())
	d, err := readDescription(res.Body())
	if err != nil {
		p.t.Fatalf("the answer's description: %v\n%s", err, res.Body())
	}
	p.remote = d.address
}

// hangup hangs up and waits until that is known.
func (p *phone) hangup() {
	p.t.Helper()
	p.status(200, "BYE", "")
}

// speaker sends sound in real time.
type speaker struct {
	p        *phone
	from     *net.UDPConn
	sequence uint16
	stamp    uint32
	stream   uint32
}

func (p *phone) speaker() *speaker { return &speaker{p, p.rtp, 1000, 5000, 77} }

func (s *speaker) frame(samples []int16) {
	s.sequence++
	s.stamp += frameSize
	s.packet(8, s.stamp, audio.PCMA.Encode(nil, samples))
}

func (s *speaker) packet(kind uint8, stamp uint32, payload []byte) {
	p := rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: kind, SequenceNumber: s.sequence, Timestamp: stamp, SSRC: s.stream}, Payload: payload}
	b, err := p.Marshal()
	if err != nil {
		s.p.t.Error(err)
	}
	_, _ = s.from.WriteToUDPAddrPort(b, s.p.remote)
}

// press sends a key as events.
func (s *speaker) press(key byte) {
	s.stamp += frameSize
	stamp := s.stamp
	for _, e := range audio.KeyPress(key, 100*time.Millisecond) {
		s.sequence++
		s.stamp += frameSize
		payload, _ := e.Append(nil)
		s.packet(101, stamp, payload)
	}
}

// hears plays samples over and over and waits until a frame satisfies found.
func (p *phone) hears(samples []int16, found func(frame []int16) bool) {
	p.t.Helper()
	s := p.speaker()
	if !p.converse(s, samples, found) {
		p.t.Fatal("what was to be heard was not")
	}
}

// converse sends samples over and over, in real time, until found says of what
// comes back that it is enough.
func (p *phone) converse(s *speaker, samples []int16, found func(frame []int16) bool) bool {
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		tick := time.NewTicker(audio.FrameTime)
		defer tick.Stop()
		for i := 0; ; i = (i + frameSize) % (len(samples) - frameSize + 1) {
			select {
			case <-stop:
				return
			case <-tick.C:
				s.frame(samples[i : i+frameSize])
			}
		}
	}()
	buf := make([]byte, 2048)
	_ = p.rtp.SetReadDeadline(time.Now().Add(longest))
	for {
		n, err := p.rtp.Read(buf)
		if err != nil {
			return false
		}
		var packet rtp.Packet
		if packet.Unmarshal(buf[:n]) == nil && found(audio.PCMA.Decode(nil, packet.Payload)) {
			return true
		}
	}
}

// keyIn says of frames whether the sound of a key is in them.
func keyIn(want byte) func([]int16) bool {
	d := audio.NewKeyDetector(audio.Rate)
	return func(frame []int16) bool {
		if len(frame) != frameSize {
			return false
		}
		key, pressed := d.Hear(frame)
		return pressed && key == want
	}
}

// fiveTone is the sound of the key 5, long enough to be played over and over.
var fiveTone = append(audio.KeyTone(audio.Rate, '5', 400*time.Millisecond), make([]int16, 1600)...)
