// Package siptest is a telephone for tests: it calls a server over SIP, speaks, listens
// and presses keys, and knows nothing of how the server is made.
package siptest

import (
	"crypto/rand"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	gosip "github.com/emiago/sipgo/sip"
	"github.com/pion/rtp"

	"frontdesk.dev/frontdesk/internal/audio"
)

// Phone is a telephone in a call.
type Phone struct {
	t      testing.TB
	signal *net.UDPConn
	sound  *net.UDPConn
	server *net.UDPAddr // of signals
	peer   *net.UDPAddr // of sound
	hear   func(samples []int16)

	id, from, to, contact string
	branch                string // begins those of all transactions
	sequence              int
	answers               chan *gosip.Response
	referTo               chan string
	over                  chan struct{}
	overOnce              sync.Once

	mu    sync.Mutex
	says  []int16
	keys  []byte
	after int // what a REFER comes to
}

const longest = time.Minute

// Dial calls a number at a server, and returns when it was answered. hear is handed
// what comes, 20 ms at a time.
func Dial(t testing.TB, server, from, number string, hear func(samples []int16)) *Phone {
	t.Helper()
	return DialWithID(t, rand.Text(), server, from, number, hear)
}

// ID is the Call-ID, which tells the call to all who see its messages.
func (p *Phone) ID() string { return p.id }

// DialWithID is Dial with a Call-ID, which may be that of another call.
func DialWithID(t testing.TB, id, server, from, number string, hear func(samples []int16)) *Phone {
	t.Helper()
	to, err := net.ResolveUDPAddr("udp", server)
	if err != nil {
		t.Fatal(err)
	}
	p := &Phone{
		t: t, branch: rand.Text()[:8], signal: listen(t), sound: listen(t), server: to, hear: hear, id: id,
		from: fmt.Sprintf("<sip:%s@127.0.0.1>;tag=%s", from, rand.Text()[:8]), to: fmt.Sprintf("<sip:%s@%s>", number, server), contact: "sip:" + number + "@" + server,
		answers: make(chan *gosip.Response, 16), referTo: make(chan string, 4), over: make(chan struct{}), after: 200,
	}
	t.Cleanup(p.close)
	go p.listen()
	answer := p.ask("INVITE", p.offer())
	if answer.StatusCode != 200 {
		t.Fatalf("the call was answered with %d %s", answer.StatusCode, answer.Reason)
	}
	p.to, p.contact = answer.To().Value(), answer.Contact().Address.String()
	p.send("ACK", p.sequence, "", "")
	if p.peer, err = soundOf(string(answer.Body())); err != nil {
		t.Fatal(err)
	}
	go p.talk()
	go p.listenToSound()
	return p
}

func listen(t testing.TB) *net.UDPConn {
	t.Helper()
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (p *Phone) close() {
	p.end()
	p.signal.Close()
	p.sound.Close()
}

func (p *Phone) end() { p.overOnce.Do(func() { close(p.over) }) }

// Over is closed when the other side has hung up, or we have.
func (p *Phone) Over() <-chan struct{} { return p.over }

func (p *Phone) offer() string {
	port := p.sound.LocalAddr().(*net.UDPAddr).Port
	return fmt.Sprintf("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio %d RTP/AVP 8 0 101\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-16\r\na=ptime:20\r\n", port)
}

func soundOf(body string) (*net.UDPAddr, error) {
	host, port := "", 0
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if after, is := strings.CutPrefix(line, "c=IN IP4 "); is {
			host = after
		}
		_, _ = fmt.Sscanf(line, "m=audio %d", &port)
	}
	return net.ResolveUDPAddr("udp", fmt.Sprintf("%s:%d", host, port))
}

// send sends a request of ours.
func (p *Phone) send(method string, sequence int, headers, body string) {
	local := p.signal.LocalAddr()
	text := fmt.Sprintf("%s %s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%s%s%d%s;rport\r\nMax-Forwards: 70\r\nFrom: %s\r\nTo: %s\r\nCall-ID: %s\r\nCSeq: %d %s\r\nContact: <sip:phone@%s>\r\n%s",
		method, p.contact, local, p.id, p.branch, sequence, method, p.from, p.to, p.id, sequence, method, local, headers)
	if body != "" && !strings.Contains(headers, "Content-Type") {
		text += "Content-Type: application/sdp\r\n"
	}
	_, _ = p.signal.WriteToUDP(fmt.Appendf(nil, "%sContent-Length: %d\r\n\r\n%s", text, len(body), body), p.server)
}

// ask sends a request, and returns its final answer.
func (p *Phone) ask(method, body string) *gosip.Response {
	p.t.Helper()
	p.sequence++
	p.send(method, p.sequence, "", body)
	late := time.After(longest)
	for {
		select {
		case a := <-p.answers:
			if a.StatusCode >= 200 && string(a.CSeq().MethodName) == method {
				return a
			}
		case <-late:
			p.t.Fatalf("%s is not answered", method)
		}
	}
}

// listen takes what the server sends.
func (p *Phone) listen() {
	parser, buffer := gosip.NewParser(), make([]byte, 64<<10)
	for {
		n, err := p.signal.Read(buffer)
		if err != nil {
			return
		}
		message, err := parser.ParseSIP(buffer[:n])
		if err != nil {
			continue
		}
		switch m := message.(type) {
		case *gosip.Response:
			select {
			case p.answers <- m:
			default:
			}
		case *gosip.Request:
			p.take(m)
		}
	}
}

// take answers a request of the server's.
func (p *Phone) take(r *gosip.Request) {
	switch string(r.Method) {
	case "BYE":
		p.respond(r, 200)
		p.end()
	case "REFER":
		p.respond(r, 202)
		p.mu.Lock()
		after := p.after
		p.sequence += 2
		sequence := p.sequence
		p.mu.Unlock()
		select {
		case p.referTo <- r.GetHeader("Refer-To").Value():
		default:
		}
		for i, status := range []int{100, after} {
			state := []string{"active", "terminated;reason=noresource"}[i]
			p.send("NOTIFY", sequence+i, "Event: refer\r\nSubscription-State: "+state+"\r\nContent-Type: message/sipfrag\r\n", fmt.Sprintf("SIP/2.0 %d x\r\n", status))
		}
	case "ACK":
	default:
		p.respond(r, 200)
	}
}

func (p *Phone) respond(r *gosip.Request, status int) {
	_, _ = p.signal.WriteToUDP([]byte(gosip.NewResponseFromRequest(r, status, "OK", nil).String()), p.server)
}

// Refers says what putting the caller through comes to: a status of SIP.
func (p *Phone) Refers(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.after = status
}

// ReferredTo waits until the caller is to be put through, and says to whom.
func (p *Phone) ReferredTo() string {
	p.t.Helper()
	select {
	case to := <-p.referTo:
		return to
	case <-time.After(longest):
		p.t.Fatal("nobody is put through")
		return ""
	}
}

// Say says something, after what is being said.
func (p *Phone) Say(samples []int16) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.says = append(p.says, samples...)
}

// Press presses keys.
func (p *Phone) Press(keys string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = append(p.keys, keys...)
}

// HangUp ends the call.
func (p *Phone) HangUp() {
	p.sequence += 10
	p.send("BYE", p.sequence, "", "")
	p.end()
}

// mouth is what a telephone sends.
type mouth struct {
	packet  rtp.Packet
	samples []int16
	key     byte // that is being pressed; 0: none
	keyAt   int  // frames of it that were sent
	keyTime uint32
}

// talk sends sound, or silence, until the call is over. What is late, because this
// machine is busy, is sent nevertheless: a telephone's clock does not stop.
func (p *Phone) talk() {
	tick := time.NewTicker(audio.FrameTime)
	defer tick.Stop()
	m := &mouth{packet: rtp.Packet{Header: rtp.Header{Version: 2, SSRC: 0x5EED}}, samples: make([]int16, audio.FrameSize(audio.Rate))}
	began, sent := time.Now(), 0
	for {
		select {
		case <-tick.C:
		case <-p.over:
			return
		}
		for ; sent < int(time.Since(began)/audio.FrameTime); sent++ {
			p.sendFrame(m)
		}
	}
}

// sendFrame sends the next 20 ms.
func (p *Phone) sendFrame(m *mouth) {
	const (
		pcma, event = 8, 101
		keyFrames   = 8
	)
	p.mu.Lock()
	if m.key == 0 && len(p.keys) > 0 {
		m.key, m.keyAt, m.keyTime = p.keys[0], 0, m.packet.Timestamp
		p.keys = p.keys[1:]
	}
	clear(m.samples)
	p.says = p.says[copy(m.samples, p.says):]
	p.mu.Unlock()
	if m.key == 0 {
		p.sendSound(&m.packet, pcma, m.packet.Timestamp, false, audio.PCMA.Encode(nil, m.samples))
	} else {
		end := byte(0)
		if m.keyAt >= keyFrames-3 {
			end = 0x80
		}
		length := uint16(160 * (min(m.keyAt, keyFrames-3) + 1))
		p.sendSound(&m.packet, event, m.keyTime, m.keyAt == 0, []byte{byte(strings.IndexByte("0123456789*#ABCD", m.key)), end | 10, byte(length >> 8), byte(length)})
		if m.keyAt++; m.keyAt == keyFrames {
			m.key = 0
		}
	}
	m.packet.Timestamp += uint32(len(m.samples))
}

func (p *Phone) sendSound(packet *rtp.Packet, kind uint8, at uint32, marker bool, payload []byte) {
	out := *packet
	out.PayloadType, out.Timestamp, out.Marker, out.Payload = kind, at, marker, payload
	raw, err := out.Marshal()
	if err == nil {
		_, _ = p.sound.WriteToUDP(raw, p.peer)
	}
	packet.SequenceNumber++
}

func (p *Phone) listenToSound() {
	buffer := make([]byte, 2048)
	var packet rtp.Packet
	for {
		n, err := p.sound.Read(buffer)
		if err != nil {
			return
		}
		if packet.Unmarshal(buffer[:n]) == nil && packet.PayloadType == 8 {
			p.hear(audio.PCMA.Decode(nil, packet.Payload))
		}
	}
}
