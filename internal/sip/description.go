package sip

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/audio"
)

var (
	errNoCodec = errors.New("sip: neither PCMA nor PCMU is offered")
	errSDP     = errors.New("sip: the session description cannot be read")
)

// description is what a peer's session description says of sound.
type description struct {
	address netip.AddrPort      // where the peer hears; invalid: nowhere
	law     audio.Law           // that we send
	payload uint8               // its number
	laws    map[uint8]audio.Law // that the peer may send
	event   int                 // number of telephone-event; -1: there is none
	sends   bool                // the peer
	hears   bool                // the peer
	keys    *srtpKeys           // nil: the sound is not encrypted
	media   []stream            // all that was offered, to be answered line by line
	chosen  int                 // of media
}

// readDescription reads an offer or an answer. It refuses one without G.711 with
// errNoCodec, and what is none with errSDP.
func readDescription(body []byte) (description, error) {
	read, err := readSDP(body)
	if err != nil {
		return description{}, err
	}
	d := description{media: read.streams, chosen: -1}
	for i := range read.streams {
		if d.readMedia(read, &read.streams[i]) {
			d.chosen = i
			return d, d.checkAddress()
		}
	}
	return d, errNoCodec
}

// readMedia takes a stream that we can speak, and says whether it is one.
func (d *description) readMedia(s *sdp, m *stream) bool {
	keys, ok := readProtocol(m)
	if !ok || m.kind != "audio" || m.port == 0 {
		return false
	}
	laws, order, event := readFormats(m)
	if len(order) == 0 {
		return false
	}
	d.payload = order[0]
	for _, p := range order {
		if laws[p] == audio.PCMA {
			d.payload = p
			break
		}
	}
	d.laws, d.law, d.event, d.keys = laws, laws[d.payload], event, keys
	d.sends, d.hears = readDirection(s, m)
	d.readAddress(s, m)
	return true
}

// readProtocol says whether a stream's protocol is ours, and its keys where it is
// encrypted.
func readProtocol(m *stream) (*srtpKeys, bool) {
	switch m.proto {
	case "RTP/AVP", "RTP/AVPF":
		return nil, true
	case "RTP/SAVP", "RTP/SAVPF":
		for _, a := range m.attributes {
			if a.name != "crypto" {
				continue
			}
			if keys, ok := readCrypto(a.value); ok {
				return keys, true
			}
		}
	}
	return nil, false
}

// readFormats finds G.711 and key events among the formats of a stream, in order.
func readFormats(m *stream) (laws map[uint8]audio.Law, order []uint8, event int) {
	laws, event = map[uint8]audio.Law{}, -1
	names := map[string]string{"0": "pcmu/8000", "8": "pcma/8000"}
	for _, a := range m.attributes {
		if number, name, ok := strings.Cut(a.value, " "); ok && a.name == "rtpmap" {
			names[number] = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(name)), "/1")
		}
	}
	for _, f := range m.formats {
		number, err := strconv.ParseUint(f, 10, 7)
		if err != nil {
			continue
		}
		p := uint8(number)
		if _, twice := laws[p]; twice {
			continue
		}
		switch names[f] {
		case "pcma/8000":
			laws[p], order = audio.PCMA, append(order, p)
		case "pcmu/8000":
			laws[p], order = audio.PCMU, append(order, p)
		case "telephone-event/8000":
			if event < 0 {
				event = int(p)
			}
		}
	}
	return laws, order, event
}

func readDirection(s *sdp, m *stream) (sends, hears bool) {
	for _, attributes := range [][]attribute{m.attributes, s.attributes} {
		for _, a := range attributes {
			switch a.name {
			case "sendrecv":
				return true, true
			case "sendonly":
				return true, false
			case "recvonly":
				return false, true
			case "inactive":
				return false, false
			}
		}
	}
	return true, true
}

// readAddress finds where the peer hears. 0.0.0.0 is how one was put on hold
// before there were directions.
func (d *description) readAddress(s *sdp, m *stream) {
	a, err := netip.ParseAddr(orElse(m.address, s.address))
	if err != nil || a.IsUnspecified() {
		d.hears = false
		return
	}
	d.address = netip.AddrPortFrom(a.Unmap().WithZone(""), m.port)
}

// checkAddress refuses an address that is more than one party's.
func (d *description) checkAddress() error {
	if a := d.address.Addr(); a.IsMulticast() || a.Is4() && a.As4()[0] >= 240 {
		return fmt.Errorf("%w: nobody is at %s", errSDP, a)
	}
	return nil
}

// held says whether the peer does not want to hear us.
func (d *description) held() bool { return !d.hears }

// ours is what we say of ourselves.
type ours struct {
	session uint64
	version uint64
	address netip.Addr
	port    int
	keys    *srtpKeys // that we encrypt with; nil: not
}

// offer is our own session description, for a peer that offered none.
func (o ours) offer() []byte {
	return o.write(o.stream("RTP/AVP", []string{"8 PCMA/8000", "0 PCMU/8000", "101 telephone-event/8000"}, "sendrecv"))
}

// answer is our session description for an offer: one coding, key events if there
// are any, and no to all else.
func (o ours) answer(d description) []byte {
	var lines []string
	for i, m := range d.media {
		if i != d.chosen {
			lines = append(lines, "m="+m.kind+" 0 "+m.proto+" "+strings.Join(m.formats, " "))
			continue
		}
		formats := []string{strconv.Itoa(int(d.payload)) + " PCMA/8000"}
		if d.law == audio.PCMU {
			formats[0] = strconv.Itoa(int(d.payload)) + " PCMU/8000"
		}
		if d.event >= 0 {
			formats = append(formats, strconv.Itoa(d.event)+" telephone-event/8000")
		}
		lines = append(lines, o.stream(m.proto, formats, direction(d.hears, d.sends))...)
	}
	return o.write(lines)
}

// direction is what we do, from whether we are heard and shall hear.
func direction(send, receive bool) string {
	switch {
	case send && receive:
		return "sendrecv"
	case send:
		return "sendonly"
	case receive:
		return "recvonly"
	}
	return "inactive"
}

// stream is our sound: formats are numbers with their names.
func (o ours) stream(proto string, formats []string, direction string) []string {
	line, names := fmt.Sprintf("m=audio %d %s", o.port, proto), []string(nil)
	for _, f := range formats {
		number, name, _ := strings.Cut(f, " ")
		line += " " + number
		names = append(names, "a=rtpmap:"+f)
		if name == "telephone-event/8000" {
			names = append(names, "a=fmtp:"+number+" 0-16")
		}
	}
	lines := append([]string{line}, names...)
	lines = append(lines, "a=ptime:20", "a="+direction)
	if o.keys != nil {
		lines = append(lines, "a=crypto:"+o.keys.attribute())
	}
	return lines
}

func (o ours) write(media []string) []byte {
	at := "IN IP4 " + o.address.String()
	if o.address.Is6() {
		at = "IN IP6 " + o.address.String()
	}
	lines := append([]string{"v=0", fmt.Sprintf("o=- %d %d %s", o.session, o.version, at), "s=-", "c=" + at, "t=0 0"}, media...)
	return []byte(strings.Join(lines, "\r\n") + "\r\n")
}
