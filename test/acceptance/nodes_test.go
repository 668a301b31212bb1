package acceptance

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// sheet is a document of which each copy is another, and what it answers.
type sheet struct {
	filename         string
	text             func(i int) string
	question, answer func(i int) string
}

// sheets has one of every kind of text.
var sheets = []sheet{
	{
		"locker-%d.md",
		func(i int) string {
			return fmt.Sprintf("# Lockers\n\n## Where is locker %d?\n\nLocker %d is in corridor %d, beside the pool.\n", 100+i, 100+i, 500+i)
		},
		func(i int) string { return fmt.Sprintf("Where is locker %d?", 100+i) },
		func(i int) string { return fmt.Sprintf("corridor %d", 500+i) },
	},
	{
		"prices-%d.csv",
		func(i int) string { return fmt.Sprintf("name,price\nAnchor mug %d,%d.50\n", 100+i, 100+i) },
		func(i int) string { return fmt.Sprintf("How much is the anchor mug %d?", 100+i) },
		func(i int) string { return fmt.Sprintf("%d.50", 100+i) },
	},
	{
		"room-%d.txt",
		func(i int) string {
			return fmt.Sprintf("Rooms\n\nBreakfast for room %d is served on terrace %d from eight to ten.\n", 100+i, 700+i)
		},
		func(i int) string { return fmt.Sprintf("Where is breakfast served for room %d?", 100+i) },
		func(i int) string { return fmt.Sprintf("terrace %d", 700+i) },
	},
}

// cluster are nodes that share nothing but a database and a master key: each
// has an empty data directory of its own.
type cluster struct {
	t     *testing.T
	key   string
	nodes []*node
	names sync.Map // of documents whose upload was answered 201, by id
}

func newCluster(t *testing.T, size int, settings ...string) *cluster {
	t.Helper()
	if !storetest.IsPostgres() {
		t.Skip("several nodes need PostgreSQL")
	}
	p := newPlace(t, settings...)
	p.tenant("casa")
	p.run("plan", "set", "--tenant", "casa", "--max-documents", "1000")
	c := &cluster{t: t, key: p.key("casa", "live").Key}
	for range size {
		c.nodes = append(c.nodes, p.beside().serve())
	}
	return c
}

// upload sends the nth document to a node, and says whether it was accepted.
func (c *cluster) upload(n *node, filename, text string) bool {
	got, err := n.tryUpload(c.key, filename, []byte(text))
	if err != nil {
		return false // the node was killed
	}
	if got.status != http.StatusCreated {
		c.t.Errorf("%s: %s", filename, got)
		return false
	}
	var made struct{ Document document }
	decode(c.t, got.body, &made)
	c.names.Store(made.Document.ID, filename)
	return true
}

// allReady waits until every document that was accepted is ready, and says how
// many that are.
func (c *cluster) allReady(n *node) (count int) {
	c.t.Helper()
	c.names.Range(func(id, filename any) bool {
		count++
		if d := n.settled(c.key, id.(string)); d.Status != "ready" || d.Fragments == 0 {
			c.t.Errorf("%s is %+v", filename, d)
		}
		return true
	})
	if all := walk[document](n, "/knowledge/documents", c.key, 100); len(all) < count {
		c.t.Errorf("%d uploads were answered, and there are %d documents", count, len(all))
	}
	return count
}

// answers asks every node about the documents of some numbers.
func (c *cluster) answers(nodes []*node, numbers ...int) {
	c.t.Helper()
	for _, i := range numbers {
		s := sheets[i%len(sheets)]
		for at, n := range nodes {
			if a := n.question(c.key, s.question(i)); !a.has(s.answer(i)) {
				c.t.Errorf("node %d says to %q: %+v", at, s.question(i), a)
			}
		}
	}
}

// TestNodesWithoutASharedDirectory uploads documents of every kind to each node
// in turn. Whichever node reads one, it is ready, and every node answers from it.
func TestNodesWithoutASharedDirectory(t *testing.T) {
	t.Parallel()
	tariff, err := os.ReadFile("../../internal/demo/documents/dental-la-plaza/tarifas.pdf")
	must(t, err)
	for _, size := range []int{2, 3} {
		t.Run(fmt.Sprintf("%d nodes", size), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, size)
			const documents = 24
			atOnce(size, func(node int) {
				for i := node; i < documents; i += size {
					s := sheets[i%len(sheets)]
					c.upload(c.nodes[node], fmt.Sprintf(s.filename, i), s.text(i))
				}
			})
			c.upload(c.nodes[size-1], "tarifas.pdf", string(tariff))
			// Larger than one chunk of the database.
			c.upload(c.nodes[0], "long.txt", strings.Repeat("The tower was built of white stone by the sea. ", 30_000)+"\n\nThe lift has the code 4711.\n")
			if n := c.allReady(c.nodes[0]); n != documents+2 {
				t.Errorf("%d documents were accepted", n)
			}
			c.answers(c.nodes, 0, 1, 2, 10, 11, documents-1)
			for at, n := range c.nodes {
				if a := n.question(c.key, "¿Cuánto cuesta una limpieza dental?"); !a.has("60 euros") {
					t.Errorf("node %d says %+v", at, a)
				}
				if left := files(t, filepath.Join(n.place.data, "documents")); len(left) > 0 {
					t.Errorf("node %d has kept files: %v", at, left)
				}
			}
			c.forgetAll()
		})
	}
}

// forgetAll deletes every document, each on another node than the last.
func (c *cluster) forgetAll() {
	c.t.Helper()
	for i, d := range walk[document](c.nodes[0], "/knowledge/documents", c.key, 100) {
		if got := c.nodes[i%len(c.nodes)].do("DELETE /knowledge/documents/"+d.ID, c.key, ""); got.status != http.StatusOK {
			c.t.Errorf("deleting: %s", got)
		}
	}
	for at, n := range c.nodes {
		if a := n.question(c.key, sheets[0].question(0)); a.Answered || len(a.Sources) > 0 {
			c.t.Errorf("node %d has not forgotten: %+v", at, a)
		}
	}
}

// TestANodeIsKilledWhileDocumentsComeIn kills one of three nodes in the middle
// of uploads and of reading. What was answered is ready on the others.
func TestANodeIsKilledWhileDocumentsComeIn(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3)
	const each = 16
	reached := make(chan struct{})
	var uploads sync.WaitGroup
	for node := range c.nodes {
		uploads.Go(func() {
			for i := node; i < 3*each; i += 3 {
				if node == 2 && i/3 == each/2 {
					close(reached)
				}
				s := sheets[i%len(sheets)]
				// Long enough that some are cut off between two chunks.
				text := s.text(i) + strings.Repeat("\n", 600<<10)
				if !c.upload(c.nodes[node], fmt.Sprintf(s.filename, i), text) && node < 2 {
					t.Errorf("an upload to a node that lives was not answered")
				}
			}
		})
	}
	<-reached
	c.nodes[2].kill()
	uploads.Wait()

	// The killed node's leases have run out by the clock of one that comes.
	late := c.nodes[0].place.beside("FRONTDESK_NOW=" + time.Now().Add(5*time.Minute).UTC().Format(time.RFC3339)).serve()
	count := c.allReady(late)
	if count < 2*each+each/2 {
		t.Errorf("only %d uploads were answered", count)
	}
	living := []*node{c.nodes[0], c.nodes[1], late}
	c.answers(living, 0, 1, 3, 4, 2, 5)
	t.Logf("%d uploads were answered, %d of them by the node that was killed", count, count-2*each)
}

// TestNodesWithADirectoryEach: with a directory that is not shared, which the
// log warns of, a node that lacks the bytes leaves the document to the one that
// has them.
func TestNodesWithADirectoryEach(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("several nodes need PostgreSQL")
	}
	p := newPlace(t)
	p.tenant("casa")
	c := &cluster{t: t, key: p.key("casa", "live").Key}
	for range 2 {
		c.nodes = append(c.nodes, p.beside("FRONTDESK_DOCUMENTS="+filepath.Join(t.TempDir(), "documents")).serve())
	}
	if log := c.nodes[0].log.String(); !strings.Contains(log, "documents are kept in a directory") || !strings.Contains(log, "FRONTDESK_DOCUMENTS") {
		t.Errorf("no warning: %s", log)
	}
	const documents = 6
	for i := range documents {
		s := sheets[i%len(sheets)]
		c.upload(c.nodes[i%2], fmt.Sprintf(s.filename, i), s.text(i))
	}
	if n := c.allReady(c.nodes[0]); n != documents {
		t.Errorf("%d were accepted", n)
	}
	c.answers(c.nodes, 0, 1, 2, 3, 4, 5)
}

// TestBytesFromBefore: an installation on PostgreSQL that kept bytes in its data
// directory is upgraded while a document waits. It is read from there.
func TestBytesFromBefore(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("with SQLite the directory is where bytes are kept")
	}
	p := newPlace(t)
	p.tenant("casa")
	key := p.key("casa", "live").Key
	file := filepath.Join(t.TempDir(), "parking.txt")
	must(t, os.WriteFile(file, []byte("Guests park for free behind the house.\n"), 0o600))
	before := p.with(t, "FRONTDESK_DOCUMENTS="+filepath.Join(p.data, "documents"))
	if got := before.run("knowledge", "add", "--tenant", "casa", file); got.code != 0 {
		t.Fatalf("%s%s", got.out, got.err)
	}
	n := p.serve()
	waiting := walk[document](n, "/knowledge/documents", key, 100)
	if len(waiting) != 1 {
		t.Fatalf("there are %v", waiting)
	}
	if d := n.settled(key, waiting[0].ID); d.Status != "ready" {
		t.Errorf("it is %+v", d)
	}
	if a := n.question(key, "Where do I park?"); !a.has("behind the house") {
		t.Errorf("it says %+v", a)
	}
	if got := n.do("DELETE /knowledge/documents/"+waiting[0].ID, key, ""); got.status != http.StatusOK {
		t.Error(got)
	}
	if left := files(t, filepath.Join(p.data, "documents")); len(left) > 0 {
		t.Errorf("bytes are left: %v", left)
	}
}
