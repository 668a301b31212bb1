package sip

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"

	"frontdesk.dev/frontdesk/internal/audio"
)

const (
	frameSize    = 160 // samples in 20 ms
	comfortNoise = 13  // payload type of "nothing to say"
	mostKeys     = 64  // that wait to be read
	catchUp      = time.Second
)

var errFrame = errors.New("sip: a frame has 160 samples")

// media is the sound of a call: one socket, both ways.
type media struct {
	conn  *net.UDPConn // nil until it is to be answered
	port  int
	began time.Time
	keys  chan byte // that were pressed
	timer *time.Timer
	read  int // frames

	mu       sync.Mutex
	peer     description
	agreed   bool // the peer's description is there
	source   source
	jitter   *audio.Jitter
	presses  audio.Keys
	detector *audio.KeyDetector
	heard    time.Time // when something of the peer's came, or was not to be expected
	decrypt  *srtp.Context
	encrypt  *srtp.Context
	samples  []int16
	pressed  struct {
		key byte
		by  way
		at  time.Time
	}

	sendMu  sync.Mutex
	header  rtp.Header
	sent    time.Time
	payload []byte
	packet  []byte
	sealed  []byte
}

func newMedia(signals netip.Addr) *media {
	return &media{
		began: time.Now(), heard: time.Now(),
		keys: make(chan byte, mostKeys), jitter: audio.NewJitter(audio.JitterOptions{}), detector: audio.NewKeyDetector(audio.Rate),
		source: source{signals: signals},
		header: rtp.Header{Version: 2, SSRC: rand.Uint32(), SequenceNumber: uint16(rand.Uint32()), Timestamp: rand.Uint32()},
	}
}

// agree takes what the peer says of its sound, first or again, and the keys that
// we said we encrypt with.
func (m *media) agree(d description, own *srtpKeys) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.agreeKeys(d, own); err != nil {
		return err
	}
	m.source.announce(d.address)
	if !d.address.IsValid() || !m.agreed || m.peer.held() != d.held() {
		m.heard = time.Now()
	}
	m.peer, m.agreed = d, true
	return nil
}

func (m *media) agreeKeys(d description, own *srtpKeys) (err error) {
	if d.keys == nil || own == nil {
		m.decrypt, m.encrypt = nil, nil
		return nil
	}
	if m.peer.keys == nil || string(m.peer.keys.key) != string(d.keys.key) || string(m.peer.keys.salt) != string(d.keys.salt) {
		if m.decrypt, err = d.keys.context(); err != nil {
			return fmt.Errorf("sip: the peer's keys: %w", err)
		}
	}
	if m.encrypt == nil {
		if m.encrypt, err = own.context(); err != nil {
			return fmt.Errorf("sip: our keys: %w", err)
		}
	}
	return nil
}

// receive takes packets from the socket until it is closed.
func (m *media) receive() error {
	buf := make([]byte, 2048)
	for {
		n, from, err := m.conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			return nil // it was closed
		}
		m.take(buf[:n], netip.AddrPortFrom(from.Addr().Unmap().WithZone(""), from.Port()), time.Since(m.began))
	}
}

// take hears one packet.
func (m *media) take(raw []byte, from netip.AddrPort, at time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.agreed || !m.source.worthwhile(from, at) {
		return
	}
	var p rtp.Packet
	if len(raw) < 12 || raw[0]>>6 != 2 || raw[1] >= 192 && raw[1] <= 223 { // RTCP
		return
	}
	if m.decrypt != nil {
		clear, err := m.decrypt.DecryptRTP(nil, raw, nil)
		if err != nil {
			return
		}
		raw = clear
	}
	if p.Unmarshal(raw) != nil || !m.expects(p.PayloadType) || !m.source.hear(from, p.SSRC, p.SequenceNumber, at) {
		return
	}
	m.heard = time.Now()
	m.play(&p, at)
}

func (m *media) expects(payload uint8) bool {
	_, ok := m.peer.laws[payload]
	return ok || int(payload) == m.peer.event || payload == comfortNoise
}

func (m *media) play(p *rtp.Packet, at time.Duration) {
	if int(p.PayloadType) == m.peer.event {
		if key, pressed := m.presses.Hear(p.Timestamp, p.Payload); pressed {
			m.press(key, byEvent, time.Now())
		}
		return
	}
	law, ok := m.peer.laws[p.PayloadType]
	if !ok || m.peer.held() {
		return
	}
	m.samples = law.Decode(m.samples[:0], p.Payload)
	m.jitter.Put(audio.Packet{Sequence: p.SequenceNumber, Timestamp: p.Timestamp, Arrived: at, Samples: m.samples})
}

// way is how a key comes.
type way int

const (
	byEvent way = iota + 1
	byTone
	byMessage
)

// sameKey is how long after a key the same key by another way is the same press:
// some devices send it twice.
const sameKey = 300 * time.Millisecond

// press keeps a key until it is read. Nobody presses as many as there is room for.
// m is locked.
func (m *media) press(key byte, by way, now time.Time) {
	if key == m.pressed.key && by != m.pressed.by && now.Sub(m.pressed.at) < sameKey {
		return
	}
	m.pressed.key, m.pressed.by, m.pressed.at = key, by, now
	select {
	case m.keys <- key:
	default:
	}
}

// next waits for the next frame or key.
func (m *media) next(ctx context.Context, done <-chan struct{}) (In, error) {
	if m.timer == nil { // while it rang, nothing was said
		m.read = int(time.Since(m.began)/audio.FrameTime) + 1
		m.timer = time.NewTimer(0)
	}
	due := m.began.Add(time.Duration(m.read) * audio.FrameTime)
	wait := time.Until(due)
	if wait < -catchUp { // whoever reads was away: what was said meanwhile is gone
		m.read += int(-wait / audio.FrameTime)
		wait = 0
	}
	m.timer.Reset(wait)
	defer m.timer.Stop()
	select {
	case <-done:
		return In{}, io.EOF
	default:
	}
	select {
	case key := <-m.keys:
		return In{Key: key}, nil
	case <-m.timer.C:
		return In{Frame: m.frame()}, nil
	case <-done:
		return In{}, io.EOF
	case <-ctx.Done():
		return In{}, ctx.Err()
	}
}

func (m *media) frame() audio.Frame {
	f := audio.Frame{At: time.Duration(m.read) * audio.FrameTime, Samples: make([]int16, frameSize)}
	m.read++
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.jitter.Next(f.Samples); m.peer.held() {
		clear(f.Samples)
	}
	if m.agreed && m.peer.event < 0 {
		if key, pressed := m.detector.Hear(f.Samples); pressed {
			m.press(key, byTone, time.Now())
		}
	}
	return f
}

// write sends a frame, unless the peer does not want to hear it.
func (m *media) write(frame []int16) error {
	if len(frame) != frameSize {
		return errFrame
	}
	m.mu.Lock()
	silent, to, law, payload, encrypt := !m.agreed || m.peer.held(), m.source.target(), m.peer.law, m.peer.payload, m.encrypt
	m.mu.Unlock()
	if silent || !to.IsValid() {
		return nil
	}
	m.sendMu.Lock()
	defer m.sendMu.Unlock()
	m.advance(time.Now())
	m.header.PayloadType = payload
	m.payload = law.Encode(m.payload[:0], frame)
	packet, err := m.marshal(encrypt)
	if err != nil {
		return err
	}
	if _, err := m.conn.WriteToUDPAddrPort(packet, to); err != nil && errors.Is(err, net.ErrClosed) {
		return errEnded
	}
	return nil // what is lost on the way is not an error either
}

// advance moves the header on to the next frame: by one, or after a pause by as
// many as would have been sent.
func (m *media) advance(now time.Time) {
	frames := uint32(1)
	m.header.Marker = m.sent.IsZero()
	if pause := now.Sub(m.sent); !m.sent.IsZero() && pause > 5*audio.FrameTime {
		frames, m.header.Marker = uint32(pause/audio.FrameTime), true
	}
	m.header.SequenceNumber++
	m.header.Timestamp += frames * frameSize
	m.sent = now
}

func (m *media) marshal(encrypt *srtp.Context) (_ []byte, err error) {
	p := rtp.Packet{Header: m.header, Payload: m.payload}
	size := p.MarshalSize()
	if cap(m.packet) < size {
		m.packet = make([]byte, size, 2*size)
	}
	m.packet = m.packet[:size]
	if _, err := p.MarshalTo(m.packet); err != nil {
		return nil, fmt.Errorf("sip: writing a packet: %w", err)
	}
	if encrypt == nil {
		return m.packet, nil
	}
	if m.sealed, err = encrypt.EncryptRTP(m.sealed[:0], m.packet, nil); err != nil {
		return nil, fmt.Errorf("sip: encrypting a packet: %w", err)
	}
	return m.sealed, nil
}

// silence is how long nothing has come that should have, and whether the peer
// holds us.
func (m *media) silence(now time.Time) (since time.Duration, held bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.agreed && !m.peer.held() && !m.peer.sends {
		m.heard = now
	}
	return now.Sub(m.heard), m.agreed && m.peer.held()
}

// count is what became of the packets.
func (m *media) count() audio.JitterCount {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.jitter.Count
}

// again is the session description that was agreed, as an offer of our own.
func (m *media) again(o ours) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.peer
	d.media, d.chosen = []stream{{kind: "audio", proto: "RTP/AVP"}}, 0
	if d.keys != nil {
		d.media[0].proto = "RTP/SAVP"
	}
	return o.answer(d)
}
