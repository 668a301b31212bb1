package faults

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// mailLeases is by how much a clock must be ahead for the leases of notices to
// have run out.
const mailLeases = 3 * time.Minute

// Mails kills the process at random moments between bookings and the mails that
// confirm them: each appointment is confirmed at least once, and always by a
// mail with the same Message-ID.
func Mails(t testing.TB, binary string, kills, each int) {
	t.Helper()
	relay := newRelay(t)
	p := NewPlace(t, binary, "FRONTDESK_SMTP=smtp+plain://"+relay.address, "FRONTDESK_MAIL_FROM=desk@example.com", "FRONTDESK_DATABASE_TIMEOUT=30s")
	tenant := p.Tenant("rizos")
	p.Agent(tenant.Slug, "desk")
	p.mustRun(nil, "notice", "set", "--tenant", tenant.Slug, "--customer", "email", "--reminders", "none")
	key := p.key(tenant.Slug, "live")
	customers := 0
	for kill := range kills {
		n := p.Serve()
		for i := range each {
			// A day more than tomorrow: where the business is, tomorrow may have begun.
			at := time.Now().UTC().AddDate(0, 0, 2+kill).Format("2006-01-02") + fmt.Sprintf("T%02d:00:00", i%24)
			n.do(&struct{}{}, "POST /v1/captures", key,
				fmt.Sprintf(`{"agent":"desk","scheduled_at":%q,"customer_email":"c%d@example.com","force":true}`, at, customers))
			customers++
		}
		// Those under way at an earlier kill come only when their leases have run out.
		mustReach(t, fmt.Sprintf("mails before kill %d", kill+1), relay.customers, max(0, kill*(each-8))+rand.IntN(max(1, each-8)))
		n.Kill()
	}
	before := relay.customers()
	p.Later(mailLeases).Serve()
	mustReach(t, "customers told after the last kill", relay.customers, customers)
	settles(relay.count)
	relay.mu.Lock()
	defer relay.mu.Unlock()
	twice := 0
	for to, ids := range relay.ids {
		if len(ids) != 1 {
			t.Errorf("%s got mails with the ids %v", to, ids)
		}
		for _, n := range ids {
			twice += n - 1
		}
	}
	t.Logf("%d kills: %d appointments, %d customers told, %d of them after the last kill, %d mails came twice with the same Message-ID",
		kills, customers, len(relay.ids), len(relay.ids)-before, twice)
}

// relay is a mail relay that keeps who got which mail how often.
type relay struct {
	address string
	mu      sync.Mutex
	ids     map[string]map[string]int // by address and Message-ID
	mails   int
}

func newRelay(t testing.TB) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	r := &relay{address: l.Addr().String(), ids: map[string]map[string]int{}}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go r.serve(c)
		}
	}()
	return r
}

func (r *relay) customers() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ids)
}

func (r *relay) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mails
}

// serve takes the mails of one connection.
func (r *relay) serve(c net.Conn) {
	defer c.Close()
	say := func(line string) { fmt.Fprint(c, line+"\r\n") }
	say("220 relay")
	var to, id string
	var inData bool
	for lines := bufio.NewScanner(c); lines.Scan(); {
		line := lines.Text()
		verb := strings.ToUpper(strings.SplitN(line, " ", 2)[0])
		switch {
		case inData && line == ".":
			inData = false
			r.take(to, id)
			say("250 taken")
		case inData:
			if value, ok := strings.CutPrefix(line, "Message-ID: "); ok {
				id = value
			}
		case verb == "RCPT":
			to = line[strings.Index(line, "<")+1 : strings.LastIndex(line, ">")]
			say("250 ok")
		case verb == "DATA":
			inData = true
			say("354 go on")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (r *relay) take(to, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ids[to] == nil {
		r.ids[to] = map[string]int{}
	}
	r.ids[to][id]++
	r.mails++
}
