package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/test/faults"
)

const (
	callsOfNodes   = 600
	callersOfNodes = 8
)

// BenchmarkNodesServe holds short calls on one, two and three nodes of one PostgreSQL:
// each has four messages and an end, and a page of calls is read after it; each request
// reaches the next node. It tells the processor time of the nodes and of PostgreSQL for
// one call: the first is divided among nodes, the second is where they meet.
func BenchmarkNodesServe(b *testing.B) {
	if !storetest.IsPostgres() {
		b.Skip("several nodes need PostgreSQL: FRONTDESK_TEST_DATABASE is not set")
	}
	most := "1000000"
	p := faults.NewPlace(b, build(b), "FRONTDESK_RATE_BURST="+most, "FRONTDESK_WEB_STARTS_PER_MINUTE="+most, "FRONTDESK_WEB_AGENT_STARTS_PER_MINUTE="+most,
		"FRONTDESK_WEB_MESSAGES_PER_SECOND="+most, "FRONTDESK_WEB_MESSAGES_BURST="+most, "FRONTDESK_WEB_OPEN_PER_ADDRESS="+most)
	tenant := p.Tenant("casa")
	p.Agent("casa", "bar")
	postgres := postmaster(b, p.Database())
	var alone burstFigures
	for nodes := 1; nodes <= mostNodes; nodes++ {
		var best burstFigures
		for range nodeRounds {
			best = best.better(serveCalls(b, p, tenant.Test, nodes, postgres))
		}
		if nodes == 1 {
			alone = best
		}
		b.Run(fmt.Sprintf("%d nodes", nodes), func(b *testing.B) {
			b.ReportMetric(callsOfNodes/best.elapsed.Seconds(), "calls/s")
			b.ReportMetric(micros(best.nodes)/callsOfNodes, "nodes-µs/call")
			b.ReportMetric(micros(best.postgres)/callsOfNodes, "server-µs/call")
			b.ReportMetric(alone.elapsed.Seconds()/best.elapsed.Seconds(), "speed-x-one-node")
			b.ReportMetric(float64(best.postgres)/float64(alone.postgres), "server-x-one-node")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// serveCalls starts some nodes, holds calls on them and returns what it took.
func serveCalls(b *testing.B, p *faults.Place, key string, nodes, postgres int) (got burstFigures) {
	b.Helper()
	var bases []string
	f := &fleet{}
	for range nodes {
		n := p.Beside().Serve()
		defer n.Kill()
		bases, f.nodes = append(bases, n.Base()), append(f.nodes, processOf(b, n.Process()))
	}
	c := &client{bases: bases, key: key, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callersOfNodes}}}
	defer c.http.CloseIdleConnections()
	check(b, c.calls(10*nodes)) // connections are made, and code is warm
	f.awaitQuiet(b)
	before, server, began := f.cpu(b), postgresCPU(b, postgres), time.Now()
	check(b, c.calls(callsOfNodes))
	got.elapsed = time.Since(began)
	got.nodes, got.postgres = f.cpu(b)-before, postgresCPU(b, postgres)-server
	return got
}

// client sends each request to the next node.
type client struct {
	bases []string
	key   string
	http  *http.Client
	next  atomic.Int64
}

// calls holds so many calls, some at once.
func (c *client) calls(count int) error {
	var left atomic.Int64
	left.Store(int64(count))
	faults := make(chan error, callersOfNodes)
	var wg sync.WaitGroup
	for range callersOfNodes {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := c.call(); err != nil {
					faults <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(faults)
	return <-faults
}

func (c *client) call() error {
	var begun struct {
		Conversation struct{ ID, Token string }
	}
	if err := c.send("POST /web/casa/bar/conversations", "", `{"mode":"test","language":"en"}`, &begun); err != nil {
		return err
	}
	conversation := "POST /web/conversations/" + begun.Conversation.ID
	for _, text := range []string{"Hello, when do you open?", "Is there a car park?", "I would like to leave a message", "Goodbye"} {
		if err := c.send(conversation+"/messages", begun.Conversation.Token, fmt.Sprintf(`{"text":%q}`, text), nil); err != nil && !strings.Contains(err.Error(), "conversation_ended") {
			return err
		}
	}
	if err := c.send(conversation+"/end", begun.Conversation.Token, "", nil); err != nil && !strings.Contains(err.Error(), "conversation_ended") {
		return err
	}
	return c.send("GET /v1/calls?limit=20", c.key, "", nil)
}

// send sends one request, and decodes its answer.
func (c *client) send(operation, bearer, body string, into any) error {
	method, path, _ := strings.Cut(operation, " ")
	r, err := http.NewRequest(method, c.bases[int(c.next.Add(1))%len(c.bases)]+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s: %s %s", operation, answer.Status, text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}
