package sip

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	gosip "github.com/emiago/sipgo/sip"
)

// longestSession bounds what a peer may ask for.
const longestSession = 24 * time.Hour

// sessionTimer says until when a call is known to be alive (RFC 4028). The zero
// value is none.
type sessionTimer struct {
	interval time.Duration
	refresh  time.Time // when we ask; zero: the peer does
	expires  time.Time
}

// agree takes what the peer asks for, and returns what we answer.
func (t *sessionTimer) agree(req *gosip.Request, now time.Time) []gosip.Header {
	interval, refresher, ok := readSession(req)
	if !ok {
		*t = sessionTimer{}
		return nil
	}
	// Who asks refreshes, unless it says otherwise or cannot: then a proxy has
	// asked for it.
	us := refresher == "uas" || refresher == "" && !lists(req, "timer", "Supported", "k")
	t.set(interval, us, now)
	who := "uac"
	if us {
		who = "uas"
	}
	headers := []gosip.Header{gosip.NewHeader("Session-Expires", fmt.Sprintf("%d;refresher=%s", int(interval.Seconds()), who))}
	if !us {
		headers = append(headers, gosip.NewHeader("Require", "timer"))
	}
	return headers
}

func (t *sessionTimer) set(interval time.Duration, us bool, now time.Time) {
	*t = sessionTimer{interval: interval}
	if us {
		t.refresh, t.expires = now.Add(interval/2), now.Add(interval)
		return
	}
	t.expires = now.Add(interval - min(32*time.Second, interval/3))
}

// readSession reads Session-Expires.
func readSession(msg gosip.Message) (interval time.Duration, refresher string, ok bool) {
	value := headerValue(msg, "Session-Expires", "x")
	seconds, parameters, _ := strings.Cut(value, ";")
	n, err := strconv.ParseUint(strings.TrimSpace(seconds), 10, 32)
	if err != nil || n == 0 {
		return 0, "", false
	}
	for p := range strings.SplitSeq(strings.ToLower(parameters), ";") {
		if name, v, _ := strings.Cut(strings.TrimSpace(p), "="); name == "refresher" {
			refresher = strings.TrimSpace(v)
		}
	}
	return min(time.Duration(n)*time.Second, longestSession), refresher, true
}

// sessionTooShort says whether the peer wants to be asked more often than we do.
func sessionTooShort(req *gosip.Request, shortest time.Duration) bool {
	interval, _, ok := readSession(req)
	return ok && interval < shortest && lists(req, "timer", "Supported", "k")
}
