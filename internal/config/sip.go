package config

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// SIPPlaces are where SIP is served, and for whom.
type SIPPlaces struct {
	Listen []string // udp:0.0.0.0:5060
	Ports  [2]int   // the first and the last
	Allow  []netip.Prefix
}

// SIP reads the settings of SIP that are lists.
func (s Settings) SIP() (p SIPPlaces, err error) {
	for _, place := range strings.FieldsFunc(s.SIPListen, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, address, _ := strings.Cut(place, ":")
		if network != "udp" && network != "tcp" && network != "tls" || !isAddress(address) {
			return p, fmt.Errorf("%q is not like udp:0.0.0.0:5060", place)
		}
		p.Listen = append(p.Listen, place)
	}
	first, last, _ := strings.Cut(s.SIPPorts, "-")
	var wrong [2]error
	p.Ports[0], wrong[0] = strconv.Atoi(strings.TrimSpace(first))
	p.Ports[1], wrong[1] = strconv.Atoi(strings.TrimSpace(last))
	if errors.Join(wrong[:]...) != nil || p.Ports[0] < 1024 || p.Ports[1] > 65535 || p.Ports[1] < p.Ports[0]+1 {
		return p, fmt.Errorf("%q is not like 40000-40399", s.SIPPorts)
	}
	p.Allow, err = networks(s.SIPAllow)
	return p, err
}
