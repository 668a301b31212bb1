// Package soak runs the series of test/faults for long: thousands of events and
// twenty kills where test/acceptance has a handful. It is left out unless
// FRONTDESK_SOAK is set; make soak sets it, on both databases, and these make it
// longer or shorter:
//
//	FRONTDESK_SOAK_KILLS   kills of a series (20)
//	FRONTDESK_SOAK_EVENTS  events of a series with kills (10000), and a fifth of them with a far database
//	FRONTDESK_SOAK_POSTS   keyed POSTs of each of the eight kinds (200)
//	FRONTDESK_SOAK_PACED   paced events of a healthy account, alone and beside receivers that hang (1000)
package soak

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/test/faults"
)

// binary is the program under test.
var binary string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if os.Getenv("FRONTDESK_SOAK") == "" {
		return m.Run() // every test skips itself
	}
	dir, err := os.MkdirTemp("", "frontdesk-soak-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if binary, err = faults.Build(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// soak skips a test that was not asked for. The series run one after the other:
// some of them measure time.
func soak(t *testing.T) {
	t.Helper()
	if os.Getenv("FRONTDESK_SOAK") == "" {
		t.Skip("it takes minutes: make soak")
	}
}

// figure is a number from the environment, with its default.
func figure(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv("FRONTDESK_SOAK_" + name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("FRONTDESK_SOAK_%s is %q: expected a number above 0", name, text)
	}
	return n
}

func TestKilledWhileEventsFlow(t *testing.T) {
	soak(t)
	faults.Kills(t, binary, figure(t, "KILLS", 20), figure(t, "EVENTS", 10_000))
}

func TestKilledUnderKeyedPosts(t *testing.T) {
	soak(t)
	faults.KeyedPosts(t, binary, figure(t, "KILLS", 20), figure(t, "POSTS", 200))
}

func TestKilledBetweenBookingAndCalendar(t *testing.T) {
	soak(t)
	faults.Calendars(t, binary, figure(t, "KILLS", 20), 24)
}

func TestKilledBetweenBookingAndMail(t *testing.T) {
	soak(t)
	faults.Mails(t, binary, figure(t, "KILLS", 20), 24)
}

func TestKilledWhileOnTheTelephone(t *testing.T) {
	soak(t)
	faults.Calls(t, binary, figure(t, "KILLS", 20), 100)
}

func TestKilledWhileCallersBook(t *testing.T) {
	soak(t)
	faults.Bookings(t, binary, figure(t, "KILLS", 20), 50, max(figure(t, "POSTS", 200)/5, 1))
}

func TestADatabaseFarAway(t *testing.T) {
	soak(t)
	for _, delay := range []time.Duration{5 * time.Millisecond, 15 * time.Millisecond, 40 * time.Millisecond} {
		t.Run(delay.String(), func(t *testing.T) {
			faults.FarDatabase(t, binary, delay, max(figure(t, "EVENTS", 10_000)/5, 1))
		})
	}
}

func TestReceiversThatHangHoldNobodyUp(t *testing.T) {
	soak(t)
	faults.HangingReceivers(t, binary, 300, 200)
}

// TestANeighbourOfReceiversThatHang holds the goal: within three times of what
// it is alone.
func TestANeighbourOfReceiversThatHang(t *testing.T) {
	soak(t)
	alone, beside := faults.Neighbours(t, binary, 300, figure(t, "PACED", 1_000), 20)
	ratio := float64(beside.Percentile(99)) / float64(alone.Percentile(99))
	t.Logf("a healthy account alone: p50 %v, p99 %v; beside 300 receivers that hang: p50 %v, p99 %v (%.1f times)",
		alone.Percentile(50), alone.Percentile(99), beside.Percentile(50), beside.Percentile(99), ratio)
	if ratio > 3 {
		t.Errorf("beside receivers that hang the p99 is %.1f times that alone, more than 3", ratio)
	}
}
