// Package freeport gives tests ports for programs that must be told theirs.
package freeport

import (
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"testing"
)

// The ports below last are never given to a socket that may have any port: those that
// a test was given stay free until its program starts. (A port that the kernel chose
// and that was closed again may be the next socket's.)
const first, last = 10_240, 32_768

var given struct {
	sync.Mutex
	next int
}

// Take returns the first, which is even, of n ports in a row that nobody has on
// 127.0.0.1, neither for TCP nor for UDP. No other test of this process is given them.
func Take(t testing.TB, n int) int {
	t.Helper()
	given.Lock()
	defer given.Unlock()
	for range last - first {
		// Other processes begin elsewhere.
		if given.next == 0 || given.next+n > last {
			given.next = first + 2*rand.IntN((last-first-n)/2)
		}
		at := given.next
		given.next += n + n%2
		if free(at, n) {
			return at
		}
	}
	t.Fatalf("there are no %d free ports between %d and %d", n, first, last)
	return 0
}

func free(at, n int) bool {
	for port := at; port < at+n; port++ {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		stream, err := net.Listen("tcp", address)
		if err != nil {
			return false
		}
		stream.Close()
		packets, err := net.ListenPacket("udp", address)
		if err != nil {
			return false
		}
		packets.Close()
	}
	return true
}

// Address is one of 127.0.0.1 with a port of its own.
func Address(t testing.TB) string {
	t.Helper()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(Take(t, 1)))
}
