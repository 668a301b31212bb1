package knowledge_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/store"
)

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	script := os.Getenv("FRONTDESK_TEST_VICTIM")
	if script == "" {
		os.Exit(m.Run())
	}
	var v victim
	if err := json.Unmarshal([]byte(script), &v); err != nil {
		panic(err)
	}
	v.live()
}

// victim is a process that uploads, reads, archives and deletes documents until
// it is killed. It says on its standard output how far it is.
type victim struct {
	URL, Dir string
	Tenant   frontdesk.ID
	Now      time.Time // its clock stands, a little later in every life
	Life     int
}

// step says that something is under way.
func (v victim) step() { os.Stdout.WriteString(".\n") }

func (v victim) live() {
	s, err := store.Open(store.Options{URL: v.URL, Timeout: time.Minute})
	must(err)
	b, err := openBlobs(s, v.Dir)
	must(err)
	now := func() time.Time { return v.Now }
	go v.read(s, b, now)
	v.write(s, knowledge.NewLibrary(s, b, now, quiet))
}

func (v victim) read(s *store.Store, b *blob.Store, now func() time.Time) {
	w := knowledge.NewWorker(s, b, reads(func(ctx context.Context, kind frontdesk.DocumentKind, data []byte) ([]frontdesk.Fragment, error) {
		v.step()
		defer v.step()
		return reader.Read(ctx, kind, data)
	}), nil, now, quiet)
	s.OnDocuments(w.Wake)
	w.Run(ctx)
}

func (v victim) write(s *store.Store, l *knowledge.Library) {
	owner := frontdesk.Owner{TenantID: v.Tenant, Live: true}
	plan := frontdesk.Plan{MaxDocuments: 1 << 20, MaxTotalBytes: 1 << 40}
	for i := 0; ; i++ {
		v.step()
		body := io.TeeReader(strings.NewReader(long(1+i%90)+fmt.Sprintf("\n%d of life %d.\n", i, v.Life)), steps{v})
		d, err := l.Receive(ctx, owner, knowledge.NewDocument{Filename: "a.md"}, body, 1<<20)
		must(err)
		v.step()
		d, _, err = l.Add(ctx, owner, frontdesk.Actor{}, d, plan)
		must(err)
		v.step()
		switch i % 5 {
		case 1:
			must(l.Delete(ctx, owner, frontdesk.Actor{}, d.ID))
		case 2:
			_, err := s.ArchiveDocument(ctx, owner, frontdesk.Actor{}, d.ID, v.Now)
			must(err)
		}
	}
}

// steps says that bytes are under way.
type steps struct{ v victim }

func (s steps) Write(p []byte) (int, error) {
	s.v.step()
	return len(p), nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// kill lets a victim live for so many steps.
func (v victim) kill(t *testing.T, steps int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self)
	c.Env = append(os.Environ(), "FRONTDESK_TEST_VICTIM="+string(script))
	var complaints bytes.Buffer
	c.Stderr = &complaints
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range steps {
		if !lines.Scan() {
			t.Errorf("it died by itself: %s", complaints.String())
			break
		}
	}
	c.Process.Kill()
	c.Wait()
}

// TestKilledWhileDocumentsComeAndGo kills a process at random moments.
// FRONTDESK_TEST_KILLS=20 makes it 20 times.
func TestKilledWhileDocumentsComeAndGo(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *house{"bytes in a directory": newHouse, "bytes in the database": inDatabase} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killWhileDocumentsComeAndGo(t, open(t))
		})
	}
}

func killWhileDocumentsComeAndGo(t *testing.T, h *house) {
	kills := 4
	if more, err := strconv.Atoi(os.Getenv("FRONTDESK_TEST_KILLS")); err == nil && more > 0 {
		kills = more
	}
	for life := range kills {
		v := victim{URL: h.url, Dir: h.dir, Tenant: h.owner.TenantID, Now: h.clock.Now(), Life: life}
		v.kill(t, 1+rand.IntN(300))
		// In its next life, the leases of the one before have run out.
		h.clock.Forward(knowledge.Lease + time.Second)
	}
	before := h.status()
	h.readAll()
	documents := h.documents()
	orphans, halves := len(h.keys())-len(documents), h.halves()
	h.allIsWhole(documents)
	h.sweep(knowledge.OrphanAge + time.Minute)
	h.allIsWhole(documents)
	if keys := h.keys(); len(keys) != len(documents) || h.halves() != 0 {
		t.Errorf("%d documents have the bytes of %d, and half of %d", len(documents), len(keys), h.halves())
	}
	if h.dir != "" {
		if files := h.files(); len(files) != len(documents) {
			t.Errorf("%d documents have %d files", len(documents), len(files))
		}
	}
	t.Logf("%d kills; %v, then %v; bytes of %d of nobody and of %d half written in the database were swept", kills, before, h.status(), orphans, halves)
}

func (h *house) status() map[frontdesk.DocumentStatus]int {
	h.t.Helper()
	k, err := h.store.KnowledgeSummary(ctx, h.owner, h.clock.Now(), 1)
	if err != nil {
		h.t.Fatal(err)
	}
	return k.ByStatus
}

// readAll reads until nothing waits.
func (h *house) readAll() {
	h.t.Helper()
	w := h.worker(reader, nil)
	for {
		worked, err := w.RunOnce(ctx)
		if err != nil {
			h.t.Fatal(err)
		}
		if !worked {
			return
		}
	}
}

func (h *house) documents() (all []frontdesk.Document) {
	h.t.Helper()
	for p := (frontdesk.Page{Limit: 100}); ; p.StartingAfter = all[len(all)-1].ID {
		l, err := h.store.Documents(ctx, h.owner, frontdesk.DocumentFilter{}, p)
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, l.Items...)
		if !l.More {
			return all
		}
	}
}

// allIsWhole says that every document has its bytes, that none is stuck, and
// that what is ready is whole.
func (h *house) allIsWhole(documents []frontdesk.Document) {
	h.t.Helper()
	counted := map[frontdesk.ID]int{}
	if err := h.store.Fragments(ctx, h.owner, "", func(f frontdesk.Fragment) error {
		counted[f.DocumentID]++
		return nil
	}); err != nil {
		h.t.Fatal(err)
	}
	for _, d := range documents {
		data := h.bytesOf(d)
		if sum := sha256.Sum256(data); !bytes.Equal(sum[:], d.SHA256) || int64(len(data)) != d.SizeBytes {
			h.t.Errorf("%s has other bytes", d.ID)
		}
		switch d.Status {
		case frontdesk.DocumentReady:
			fragments, err := reader.Read(ctx, d.Kind, data)
			if err != nil || len(fragments) != d.Fragments || counted[d.ID] != d.Fragments {
				h.t.Errorf("%s has %d fragments, says %d, should have %d, %v", d.ID, counted[d.ID], d.Fragments, len(fragments), err)
			}
		case frontdesk.DocumentArchived:
		case frontdesk.DocumentError: // was being read at two deaths
			if d.Help != knowledge.FailedHelp {
				h.t.Errorf("%s is %+v", d.ID, d)
			}
		default:
			h.t.Errorf("%s is stuck: %+v", d.ID, d)
		}
	}
}
