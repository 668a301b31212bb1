package sip

import (
	"net/netip"
	"time"
)

// How many packets in a row it takes to be heard from another address than the
// announced one.
const (
	packetsOfKnown   = 2  // from the announced host, or the one that signals: behind a firewall ports change
	packetsOfUnknown = 10 // from elsewhere, while nobody was heard and the announced host cannot be reached
	silentFor        = 2 * time.Second
)

// source decides whose packets are heard, and with that to whom we speak. Sound comes
// to a port that anybody can send to: those are heard who were announced or who signal,
// and once somebody is heard, nobody else is. Whose port changes on the way, which
// firewalls do to those who are silent, goes on with the same stream.
type source struct {
	announced netip.AddrPort // by the session description
	signals   netip.Addr     // who sends us SIP

	heard  netip.AddrPort // whose packets we take; invalid: nobody's yet
	speaks uint32         // the stream of the last of them
	at     time.Duration  // when it came

	candidate netip.AddrPort
	stream    uint32
	sequence  uint16
	count     int
}

// target is where we send to.
func (s *source) target() netip.AddrPort {
	if s.heard.IsValid() {
		return s.heard
	}
	return s.announced
}

// announce takes another address of the peer's. If it is the same as before,
// nothing changes.
func (s *source) announce(a netip.AddrPort) {
	if a != s.announced {
		*s = source{announced: a, signals: s.signals}
	}
}

// worthwhile says whether a packet from an address could be heard at all, before
// anything is spent on it.
func (s *source) worthwhile(from netip.AddrPort, at time.Duration) bool {
	switch {
	case from == s.heard, from == s.announced:
		return true
	case s.heard.IsValid() && at-s.at < silentFor:
		return false
	}
	return s.knows(from.Addr()) || !s.heard.IsValid() && s.hidden()
}

// hidden says whether the announced address means nothing here, as that of a telephone
// behind a firewall of which somebody in between has told us: its sound may come from
// anywhere.
func (s *source) hidden() bool {
	a := s.announced.Addr()
	return a.IsPrivate() && !s.signals.IsPrivate() || a.IsLoopback() != s.signals.IsLoopback() && a.IsValid()
}

func (s *source) knows(a netip.Addr) bool {
	return a == s.announced.Addr() || a == s.signals || a == s.heard.Addr()
}

// hear says whether a packet is heard.
func (s *source) hear(from netip.AddrPort, stream uint32, sequence uint16, at time.Duration) bool {
	if !s.worthwhile(from, at) {
		return false
	}
	if from == s.heard || from == s.announced {
		s.heard, s.speaks, s.at = from, stream, at
		return true
	}
	if s.heard.IsValid() && stream != s.speaks {
		return false
	}
	if from == s.candidate && stream == s.stream && sequence == s.sequence+1 {
		s.count++
	} else {
		s.candidate, s.stream, s.count = from, stream, 1
	}
	s.sequence = sequence
	needed := packetsOfUnknown
	if s.knows(from.Addr()) {
		needed = packetsOfKnown
	}
	if s.count < needed {
		return false
	}
	s.heard, s.speaks, s.at, s.candidate, s.count = from, stream, at, netip.AddrPort{}, 0
	return true
}
