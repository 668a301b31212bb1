package freeport

import (
	"net"
	"strconv"
	"testing"
)

func TestNoPortIsGivenTwice(t *testing.T) {
	given := map[int]bool{}
	for i := range 200 {
		n := 1 + i%5
		at := Take(t, n)
		if at%2 != 0 || at < first || at+n > last {
			t.Fatalf("%d ports from %d", n, at)
		}
		for port := at; port < at+n; port++ {
			if given[port] {
				t.Fatalf("%d was given before", port)
			}
			given[port] = true
		}
	}
}

func TestAPortThatIsTakenIsNotGiven(t *testing.T) {
	at := Take(t, 1)
	for _, port := range []int{at + 2, at + 5} {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		c, err := net.ListenPacket("udp", address)
		if err != nil {
			t.Skip("somebody else has it")
		}
		defer c.Close()
	}
	if got := Take(t, 2); got == at+2 || got == at+4 {
		t.Errorf("got %d, which somebody has", got)
	}
}
