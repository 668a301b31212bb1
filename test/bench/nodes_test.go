package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/test/faults"
)

const (
	eventsOfNodes = 4_000
	mostNodes     = 3
	nodeRounds    = 3
)

// BenchmarkNodes delivers bursts of events with one, two and three nodes on one
// PostgreSQL, to one connection and to eight, over TLS to a receiver in a process
// of its own. It tells the processor time of the nodes, of PostgreSQL's
// processes, and of the commands that make the events, one transaction each. The
// rounds take turns, and the best of each counts: others use the machine too.
func BenchmarkNodes(b *testing.B) {
	if !storetest.IsPostgres() {
		b.Skip("several nodes need PostgreSQL: FRONTDESK_TEST_DATABASE is not set")
	}
	binary := build(b)
	bare := startBare(b, []byte(strings.Repeat("x", 400)))
	var bareCPU time.Duration
	b.Run("bare handler", func(b *testing.B) { bareCPU = measure(b, bare, "/", "", 0) })
	for _, lanes := range []int{1, 8} {
		b.Run(fmt.Sprintf("%d connections", lanes), func(b *testing.B) {
			f := newFleet(b, binary, lanes)
			best := make([]burstFigures, mostNodes+1)
			for range nodeRounds {
				for nodes := 1; nodes <= mostNodes; nodes++ {
					best[nodes] = best[nodes].better(f.burst(b, nodes))
				}
			}
			for nodes := 1; nodes <= mostNodes; nodes++ {
				b.Run(fmt.Sprintf("%d nodes", nodes), func(b *testing.B) { best[nodes].report(b, best[1], bareCPU) })
			}
		})
	}
}

// fleet is some nodes on one database, and the accounts whose events they
// deliver.
type fleet struct {
	place    *faults.Place
	nodes    []*server
	tenants  []faults.Tenant
	postgres int // the process of the server
	receiver *receiver
}

func newFleet(b *testing.B, binary string, lanes int) *fleet {
	b.Helper()
	r := startReceiver(b, "https")
	f := &fleet{receiver: r, place: faults.NewPlace(b, binary, "FRONTDESK_WEBHOOK_ALLOW="+r.origin, "FRONTDESK_WEBHOOK_CA="+r.ca)}
	first := f.place.Serve()
	defer first.Kill()
	for i := range lanes {
		t := f.place.Tenant(fmt.Sprint("lane-", i))
		first.Connect(t.Test, "Bench", fmt.Sprintf("%s/hook/%d", r.origin, i), "call.completed")
		f.tenants = append(f.tenants, t)
	}
	f.postgres = postmaster(b, f.place.Database())
	return f
}

// processOf is a process that another package started, to be measured.
func processOf(b *testing.B, number int) *server {
	b.Helper()
	p, err := os.FindProcess(number)
	check(b, err)
	return &server{cmd: &exec.Cmd{Process: p}}
}

// postmaster is the process that all of PostgreSQL's processes come from.
func postmaster(b *testing.B, url string) int {
	b.Helper()
	c, err := pgx.Connect(context.Background(), url)
	check(b, err)
	defer c.Close(context.Background())
	var backend int
	check(b, c.QueryRow(context.Background(), `SELECT pg_backend_pid()`).Scan(&backend))
	p, err := readProcess(backend)
	if err != nil {
		b.Skipf("processor time is read from /proc, which does not have PostgreSQL's processes: %v", err)
	}
	return p.parent
}

// burstFigures are what a burst took.
type burstFigures struct {
	elapsed                    time.Duration
	nodes, postgres, operators time.Duration // processor time
}

func (f burstFigures) cpu() time.Duration {
	return (f.nodes + f.postgres + f.operators) / eventsOfNodes
}

// better has the shorter time of two bursts, and the lower processor time.
func (f burstFigures) better(other burstFigures) burstFigures {
	if f.elapsed == 0 {
		return other
	}
	elapsed := min(f.elapsed, other.elapsed)
	if other.cpu() < f.cpu() {
		f = other
	}
	f.elapsed = elapsed
	return f
}

// burst starts some nodes, makes events as fast as it can and waits until all
// have arrived.
func (f *fleet) burst(b *testing.B, nodes int) (got burstFigures) {
	b.Helper()
	f.nodes = nil
	for range nodes {
		n := f.place.Beside().Serve()
		defer n.Kill()
		f.nodes = append(f.nodes, processOf(b, n.Process()))
	}
	f.emit(b, 50*len(f.tenants)) // connections are made, and code is warm
	idle := f.emit(b, 2*len(f.tenants))
	f.awaitQuiet(b)
	seen := f.receiver.count()
	before, postgres := f.cpu(b), postgresCPU(b, f.postgres)
	began := time.Now()
	used := f.emit(b, eventsOfNodes)
	f.receiver.wait(b, seen+eventsOfNodes)
	got.elapsed = time.Since(began)
	f.awaitQuiet(b)
	got.nodes, got.postgres = f.cpu(b)-before, postgresCPU(b, f.postgres)-postgres
	// What a command takes to start is not the price of an event.
	got.operators = max(0, used-idle)
	return got
}

// emit makes events for all accounts at once, by two commands at least, and
// returns the processor time of the commands.
func (f *fleet) emit(b *testing.B, count int) (used time.Duration) {
	b.Helper()
	commands := max(2, len(f.tenants))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range commands {
		wg.Go(func() {
			_, took, err := f.place.Emit(f.tenants[i%len(f.tenants)].Slug, "call.completed", count/commands)
			mu.Lock()
			defer mu.Unlock()
			if used += took; err != nil {
				b.Error(err)
			}
		})
	}
	wg.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return used
}

// awaitQuiet waits until the nodes have saved what they delivered: they then do
// next to nothing.
func (f *fleet) awaitQuiet(b *testing.B) {
	b.Helper()
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	before := f.cpu(b)
	for range 80 {
		<-tick.C
		now := f.cpu(b)
		if now-before <= 20*time.Millisecond {
			return
		}
		before = now
	}
}

func (f *fleet) cpu(b *testing.B) (sum time.Duration) {
	for _, n := range f.nodes {
		sum += n.cpu(b)
	}
	return sum
}

func (f burstFigures) report(b *testing.B, alone burstFigures, bare time.Duration) {
	b.ReportMetric(eventsOfNodes/f.elapsed.Seconds(), "events/s")
	b.ReportMetric(micros(f.cpu()), "cpu-µs/event")
	b.ReportMetric(micros(f.nodes)/eventsOfNodes, "nodes-µs/event")
	b.ReportMetric(micros(f.postgres)/eventsOfNodes, "server-µs/event")
	b.ReportMetric(micros(f.operators)/eventsOfNodes, "emit-µs/event")
	b.ReportMetric(alone.elapsed.Seconds()/f.elapsed.Seconds(), "speed-x-one-node")
	b.ReportMetric(float64(f.cpu())/float64(alone.cpu()), "cpu-x-one-node")
	if bare > 0 {
		b.ReportMetric(float64(f.cpu())/float64(bare), "x-bare")
	}
	b.ReportMetric(0, "ns/op")
}

// process is what /proc tells of one.
type process struct {
	parent             int
	used, usedByReaped time.Duration
}

func readProcess(number int) (p process, err error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(number), "stat"))
	if err != nil {
		return p, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+2:]))
	figure := func(i int) time.Duration {
		n, _ := strconv.ParseInt(fields[i], 10, 64)
		const ticksPerSecond = 100
		return time.Duration(n) * time.Second / ticksPerSecond
	}
	p.parent, err = strconv.Atoi(fields[1])
	p.used, p.usedByReaped = figure(11)+figure(12), figure(13)+figure(14)
	return p, err
}

// postgresCPU is the processor time of all of PostgreSQL's processes, those that
// have gone included.
func postgresCPU(b *testing.B, postmaster int) (sum time.Duration) {
	b.Helper()
	p, err := readProcess(postmaster)
	check(b, err)
	sum = p.used + p.usedByReaped
	all, err := filepath.Glob("/proc/[0-9]*")
	check(b, err)
	for _, dir := range all {
		number, _ := strconv.Atoi(filepath.Base(dir))
		if p, err := readProcess(number); err == nil && p.parent == postmaster {
			sum += p.used
		}
	}
	return sum
}
