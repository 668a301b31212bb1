package sip

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Bounds of a session description.
const (
	mostSDP      = 16 << 10 // bytes
	mostSDPLines = 300
	mostStreams  = 16
)

// sdp is what matters here of a session description (RFC 8866). It is read as
// telephones write it: lines that mean nothing to us may be there, in any order,
// and streams of any kind, such as those of fax machines.
type sdp struct {
	address    string
	attributes []attribute
	streams    []stream
}

type stream struct {
	kind       string
	port       uint16 // 0: it is switched off
	proto      string
	formats    []string
	address    string // "": that of the session
	attributes []attribute
}

type attribute struct{ name, value string }

// readSDP reads a session description, or says that it is none with errSDP.
func readSDP(body []byte) (*sdp, error) {
	if len(body) > mostSDP || bytes.Count(body, []byte("\n")) > mostSDPLines {
		return nil, fmt.Errorf("%w: it is too long", errSDP)
	}
	s, first := &sdp{}, true
	for line := range strings.Lines(string(body)) {
		kind, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "=")
		switch {
		case first && (kind != "v" || strings.TrimSpace(value) != "0"):
			return nil, fmt.Errorf("%w: it does not begin with v=0", errSDP)
		case !ok || strings.ContainsAny(value, "\r\x00"):
			continue
		}
		first = false
		if err := s.readLine(kind, value); err != nil {
			return nil, err
		}
	}
	if first {
		return nil, fmt.Errorf("%w: there is none", errSDP)
	}
	return s, nil
}

func (s *sdp) readLine(kind, value string) error {
	address, attributes := &s.address, &s.attributes
	if n := len(s.streams); n > 0 {
		address, attributes = &s.streams[n-1].address, &s.streams[n-1].attributes
	}
	switch kind {
	case "m":
		m, err := readStream(value)
		if err != nil || len(s.streams) == mostStreams {
			return fmt.Errorf("%w: m=%.60q", errSDP, value)
		}
		s.streams = append(s.streams, m)
	case "c":
		if f := strings.Fields(value); len(f) == 3 && f[0] == "IN" {
			*address, _, _ = strings.Cut(f[2], "/")
		}
	case "a":
		name, v, _ := strings.Cut(value, ":")
		*attributes = append(*attributes, attribute{strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(v)})
	}
	return nil
}

// readStream reads a line such as "audio 4000 RTP/AVP 8 0 101".
func readStream(value string) (stream, error) {
	f := strings.Fields(value)
	if len(f) < 4 {
		return stream{}, errSDP
	}
	number, _, _ := strings.Cut(f[1], "/")
	port, err := strconv.ParseUint(number, 10, 16)
	return stream{kind: f[0], port: uint16(port), proto: f[2], formats: f[3:]}, err
}
