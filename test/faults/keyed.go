package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The kinds of POSTs that carry an Idempotency-Key.
const (
	createKind   = "create"
	enableKind   = "enable"
	disableKind  = "disable"
	rotateKind   = "rotate-secret"
	testKind     = "test"
	retryKind    = "retry"
	uploadKind   = "upload"
	questionKind = "question"
)

var kinds = []string{createKind, enableKind, disableKind, rotateKind, testKind, retryKind, uploadKind, questionKind}

// senders is how many POSTs are on their way at once.
const senders = 32

// keyed is a POST with an Idempotency-Key, and what became of it.
type keyed struct {
	kind      string
	number    int
	operation string
	bearer    string
	body      string
	headers   []string
	subject   Connection // that it is about, as it was before

	cut    int // times that it was on its way when the process was killed
	kills  int // from the first of these until it was answered: what it had begun may have been cut by each
	answer reply
	done   bool
	last   string // what came back when it was last sent, for the report
}

func (k *keyed) String() string { return fmt.Sprintf("%s %d", k.kind, k.number) }

// name is what a connection or a document of the POST is called.
func (k *keyed) name() string { return fmt.Sprintf("%s-%d", k.kind, k.number) }

// send sends it to a node. A connection of its own for each: the client of Go
// would repeat, by itself, what was lost on one that had served before.
func (k *keyed) send(n *Node) (reply, error) {
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	return n.try(client, k.operation, k.bearer, k.body, append(k.headers, "Idempotency-Key: key-"+k.name())...)
}

// Keyed is what a series of keyed POSTs under kills found.
type Keyed struct {
	Posts    int
	Cut      int            // on their way when the process was killed
	Replayed int            // of those, answered from the record when repeated
	Twice    map[string]int // by kind: carried out twice
	Lost     map[string]int // by kind: not carried out, or not answered for what was done
	Sent     int            // tests and retries that were on their way and were sent once more
}

// String puts it on a line.
func (k Keyed) String() string {
	return fmt.Sprintf("%d keyed POSTs, %d on their way at a kill, of which %d were answered from the record when repeated; twice: %v, lost: %v; tests and retries on their way that were sent once more: %d",
		k.Posts, k.Cut, k.Replayed, k.Twice, k.Lost, k.Sent)
}

// desk is where keyed POSTs of every kind are sent.
type desk struct {
	t       testing.TB
	place   *Place // for commands
	nodes   *Place // for nodes
	inbox   *Inbox
	tenant  Tenant
	live    string // key
	posts   []*keyed
	figures Keyed
	ahead   time.Duration
}

// KeyedPosts sends keyed POSTs of every kind, kills the process in the middle of
// them, and repeats each with its key until it is answered: nothing is lost,
// and nothing is done twice. Of a test and a retry that were on their way the
// receiver may see one request more for every kill: a delivery that was begun is
// sent again by the next process, even while its POST is not repeated.
func KeyedPosts(t testing.TB, binary string, kills, ofEach int) Keyed {
	t.Helper()
	receivers := NewReceivers(t)
	in := receivers.NewInbox(t)
	in.Answer = func(path string, n int) int {
		if strings.HasPrefix(path, "/"+retryKind) && n == 0 {
			return http.StatusGone // so that there is something to retry
		}
		return http.StatusNoContent
	}
	// A small pool: requests that hold one connection and wait for another would
	// wait for each other.
	p := NewPlace(t, binary, append(receivers.Openings(), "FRONTDESK_DATABASE_TIMEOUT=30s", "FRONTDESK_DATABASE_CONNECTIONS=3")...)
	d := &desk{t: t, place: p, nodes: p, inbox: in, tenant: p.Tenant("desk"), figures: Keyed{Twice: map[string]int{}, Lost: map[string]int{}}}
	d.live = p.key(d.tenant.Slug, "live")
	if p.Postgres() { // the steps of a request are further apart, and a kill between them is likelier
		d.nodes = p.away(5 * time.Millisecond)
	}
	d.prepare(ofEach)
	for kill := range kills {
		d.round(len(d.posts) * (kill + 1) / (kills + 1))
	}
	last := d.round(len(d.posts))
	d.check(last)
	t.Logf("%d kills: %v", kills, d.figures)
	return d.figures
}

// prepare makes what the POSTs are about.
func (d *desk) prepare(ofEach int) {
	d.t.Helper()
	n := d.place.Serve()
	for i := range ofEach {
		for _, kind := range kinds {
			d.posts = append(d.posts, d.post(n, kind, i))
		}
	}
	d.place.mustEmit(d.tenant.Slug, "capture.created", 1)
	mustReach(d.t, "deliveries to be retried", d.inbox.Requests, ofEach)
	for _, k := range d.posts {
		switch k.kind {
		case retryKind:
			d.prepareRetry(n, k)
		case enableKind:
			n.do(nil, "POST /v1/connections/"+k.subject.ID+"/disable", d.tenant.Test, "")
		}
	}
	rand.Shuffle(len(d.posts), func(i, j int) { d.posts[i], d.posts[j] = d.posts[j], d.posts[i] })
	d.figures.Posts = len(d.posts)
	n.Kill()
}

// post is one POST of a kind, with the connection that it is about.
func (d *desk) post(n *Node, kind string, number int) *keyed {
	d.t.Helper()
	k := &keyed{kind: kind, number: number, bearer: d.tenant.Test}
	url := d.inbox.URL + "/" + k.name()
	switch kind {
	case createKind:
		k.operation, k.body = "POST /v1/connections", fmt.Sprintf(`{"name":%q,"url":%q,"events":["call.completed"]}`, k.name(), url)
		return k
	case uploadKind:
		k.operation, k.bearer = "POST /v1/knowledge/documents?filename=note.txt&title="+k.name(), d.live
		k.body, k.headers = fmt.Sprintf("Room %d is on floor %d of the house.\n", number, number%7), []string{"Content-Type: text/plain"}
		return k
	case questionKind:
		k.operation, k.bearer, k.body = "POST /v1/knowledge/test", d.live, fmt.Sprintf(`{"question":"On which floor is room %d?"}`, number)
		return k
	}
	event := completed
	if kind == retryKind {
		event = "capture.created"
	}
	k.subject = n.Connect(d.tenant.Test, k.name(), url, event)
	k.operation = "POST /v1/connections/" + k.subject.ID + "/" + kind
	if kind == disableKind {
		k.body = fmt.Sprintf(`{"reason":"reason of %s"}`, k.name())
	}
	return k
}

// prepareRetry waits until the delivery of a connection is dead, which made the
// connection disabled, and enables it again.
func (d *desk) prepareRetry(n *Node, k *keyed) {
	d.t.Helper()
	var dead []delivery
	found := until(func() bool {
		dead = walk[delivery](n, "/connections/"+k.subject.ID+"/deliveries?status=dead", d.tenant.Test)
		return len(dead) == 1
	}, n.ended)
	if !found {
		d.t.Fatalf("%v: there is nothing to retry", k)
	}
	n.do(nil, "POST /v1/connections/"+k.subject.ID+"/enable", d.tenant.Test, "")
	k.operation = "POST /v1/deliveries/" + dead[0].ID + "/retry"
}

// round starts the process with a clock at which every lease of the one before
// has run out, and sends what is not answered yet until so many are. Then it
// kills the process; the last round has nothing left to kill it for.
func (d *desk) round(answered int) *Node {
	d.t.Helper()
	d.ahead += leases
	n := d.nodes.Later(d.ahead).Serve()
	last := answered == len(d.posts)
	var mu sync.Mutex
	count, next := 0, 0
	open := slices.Collect(func(yield func(*keyed) bool) {
		for _, k := range d.posts {
			if k.done {
				count++
			} else if !yield(k) {
				return
			}
		}
	})
	// Those that were on their way come first.
	slices.SortStableFunc(open, func(a, b *keyed) int { return b.cut - a.cut })
	var sending sync.WaitGroup
	for range senders {
		sending.Go(func() {
			for {
				mu.Lock()
				if next == len(open) || !last && count >= answered {
					mu.Unlock()
					return
				}
				k := open[next]
				next++
				mu.Unlock()
				d.answered(n, k)
				mu.Lock()
				if k.done {
					count++
				}
				if !last && count == answered {
					n.cmd.Process.Kill()
				}
				mu.Unlock()
			}
		})
	}
	sending.Wait()
	if last {
		return n
	}
	n.Kill()
	for _, k := range open {
		if k.cut > 0 && !k.done {
			k.kills++
		}
	}
	return n
}

// answered sends a POST until it is answered, or the process is gone.
func (d *desk) answered(n *Node, k *keyed) {
	until(func() bool {
		got, err := k.send(n)
		k.last = fmt.Sprint(got, err)
		var op *net.OpError
		switch {
		case errors.As(err, &op) && op.Op == "dial":
			return true // it was never sent
		case err != nil:
			k.cut++
			return true
		case notNow(got) || got.code() == "idempotency_key_in_use":
			return false
		}
		k.done, k.answer = true, got
		return true
	}, n.ended)
}

// decode reads the answer to a POST.
func (k *keyed) decode(into any) bool { return json.Unmarshal(k.answer.body, into) == nil }
