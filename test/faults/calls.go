package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"frontdesk.dev/frontdesk/internal/carrier"
)

// The number that is called, and what its carrier signs with.
const (
	calledNumber = "+34910000001"
	calledSecret = "0123456789abcdef0123456789abcdef"
	calledPublic = "https://desk.example.com"
)

// exchange is a house whose process is killed while it is on the telephone.
type exchange struct {
	*Place
	mu    sync.Mutex
	node  *Node
	turns atomic.Int64
	lost  atomic.Int64
}

func (x *exchange) server() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.node.Base()
}

// Calls kills the process while callers book by telephone, again and again: each
// carrier comes back with its call, which goes on where it was. Every caller has one
// appointment, and every call is recorded once.
func Calls(t testing.TB, binary string, kills, callers int) {
	t.Helper()
	p := NewPlace(t, binary, "FRONTDESK_PUBLIC_URL="+calledPublic, "FRONTDESK_BOOKINGS_PER_AGENT=100000")
	tenant := p.Tenant("rizos")
	p.Agent(tenant.Slug, "desk")
	p.mustRun(nil, "agent", "set", "desk", "--tenant", tenant.Slug, "--capacity", "10000")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(calledSecret), 0o600); err != nil {
		t.Fatal(err)
	}
	p.mustRun(nil, "number", "add", "--tenant", tenant.Slug, "--agent", "desk", "--number", calledNumber, "--carrier", "twilio", "--secret-file", secret)
	key := p.key(tenant.Slug, "live")
	x := &exchange{Place: p, node: p.Serve()}
	done := make(chan error, callers)
	for i := range callers {
		go func() { done <- x.hold(i) }()
	}
	for kill := range kills {
		want := x.turns.Load() + int64(1+rand.IntN(max(1, callers)))
		mustReach(t, fmt.Sprintf("turns before kill %d", kill+1), func() int { return int(x.turns.Load()) }, int(min(want, int64(4*callers))))
		x.mu.Lock()
		x.node.Kill()
		x.node = p.Serve()
		x.mu.Unlock()
	}
	for range callers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	x.check(key, callers)
	t.Logf("%d kills: %d calls, %d times a relay was lost and the call went on", kills, callers, x.lost.Load())
}

// check looks into the books.
func (x *exchange) check(key string, callers int) {
	x.t.Helper()
	type capture struct {
		Kind  string
		Phone string `json:"customer_phone"`
	}
	type call struct{ ID, Caller, Outcome string }
	made, recorded := map[string]int{}, map[string]int{}
	for _, c := range walk[capture](x.node, "/captures", key) {
		made[c.Phone+" "+c.Kind]++
	}
	for _, c := range walk[call](x.node, "/calls", key) {
		recorded[c.Caller+" "+c.Outcome]++
	}
	for i := range callers {
		if n := made[callerNumber(i)+" appointment"]; n != 1 {
			x.t.Errorf("caller %d has %d appointments", i, n)
		}
		if n := recorded[callerNumber(i)+" booking"]; n != 1 {
			x.t.Errorf("caller %d has %d calls with a booking", i, n)
		}
	}
	if len(made) != callers || len(recorded) != callers {
		x.t.Errorf("the books have %v and %v", made, recorded)
	}
}

func callerNumber(i int) string { return fmt.Sprintf("+346120%05d", i) }

// hold is one call, from the first ring to the end.
func (x *exchange) hold(i int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	var call *carrier.Call
	for call == nil {
		c, err := carrier.Dial(ctx, carrier.Options{
			Habits: carrier.Twilio, Server: x.server(), Public: calledPublic, Number: calledNumber, From: callerNumber(i), Secret: calledSecret, Speed: 400,
		})
		if err == nil {
			call = c
		} else if err := ctx.Err(); err != nil {
			return fmt.Errorf("caller %d was not answered: %w", i, err)
		}
	}
	for {
		said, err := call.Hear(ctx)
		if err != nil {
			if err := x.comeBack(ctx, call); err != nil {
				return fmt.Errorf("caller %d: %w", i, err)
			}
			continue
		}
		x.turns.Add(1)
		line, over := answerTo(said.Text, i)
		if over {
			break
		}
		_ = call.Prompt(ctx, line) // one that is lost is told by the next
	}
	for {
		call.MoveTo(x.server())
		if err := call.HangUp(ctx); err == nil {
			return nil
		} else if ctx.Err() != nil {
			return fmt.Errorf("caller %d could not hang up: %w", i, err)
		}
	}
}

// comeBack is what the carrier does when a relay was lost.
func (x *exchange) comeBack(ctx context.Context, call *carrier.Call) error {
	x.lost.Add(1)
	for {
		call.MoveTo(x.server())
		err := call.Lost(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
	}
}

// answerTo is what a caller says to something, and whether they have what they want.
func answerTo(said string, i int) (line string, over bool) {
	switch {
	case strings.Contains(said, "código"):
		return "", true
	case strings.Contains(said, "resumo"), strings.Contains(said, "es correcto"):
		return "Sí, correcto.", false
	case strings.Contains(said, "nombre"):
		return fmt.Sprintf("Ana Mar%sín.", strings.Repeat("t", 1+i%2)), false
	case strings.Contains(said, "desde el que llama"):
		return "Sí.", false
	}
	return "Quiero una cita el miércoles a las doce.", false
}
