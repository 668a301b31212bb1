package transcripts

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/demo"
	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

var (
	ctx   = context.Background()
	quiet = slog.New(slog.DiscardHandler)
)

// pace is how long a turn takes by the clock of a conversation.
const pace = 10 * time.Second

// house is a database and a knowledge base that many tenants share, as on a
// server: a conversation has a tenant to itself.
type house struct {
	store   *store.Store
	library *knowledge.Library
	worker  *knowledge.Worker
	shelves *knowledge.Shelves
}

func newHouse(t testing.TB) *house {
	t.Helper()
	s := storetest.New(t)
	blobs, err := blob.OpenDir(t.TempDir())
	must(t, err)
	t.Cleanup(func() { blobs.Close() })
	return &house{
		store:   s,
		library: knowledge.NewLibrary(s, blobs, time.Now, quiet),
		worker:  knowledge.NewWorker(s, blobs, document.NewReader(nil), nil, time.Now, quiet),
		shelves: knowledge.NewShelves(s, nil, time.Now, quiet, 0),
	}
}

// business is a tenant with one agent, and the clock on its wall.
type business struct {
	*house
	tenant frontdesk.Tenant
	agent  frontdesk.Agent
	owner  frontdesk.Owner
	clock  *servicetest.Clock
}

// opening is what a business has when its first caller comes.
type opening struct {
	slug  string // of the tenant
	agent string
	now   string // local: 2026-11-16T10:00
	taken []frontdesk.Capture
	files []demo.File // beside those that it has in the demo
}

// move brings a business into the house. Its documents are not read yet.
func (h *house) move(t testing.TB, o opening) *business {
	t.Helper()
	agent := readAgent(t, o.agent)
	zone, err := frontdesk.LoadZone(agent.Timezone)
	must(t, err)
	now, err := time.ParseInLocation("2006-01-02T15:04", o.now, zone)
	must(t, err)
	founded := now.AddDate(0, -1, 0)
	tenant := frontdesk.Tenant{
		ID: frontdesk.NewID(founded), Slug: o.slug, Name: agent.DisplayName, Timezone: agent.Timezone,
		Plan: frontdesk.DefaultPlan(), CreatedAt: founded,
	}
	agent.ID, agent.TenantID, agent.CreatedAt, agent.UpdatedAt = frontdesk.NewID(founded), tenant.ID, founded, founded
	n := store.NewTenant{Tenant: tenant, Agents: []frontdesk.Agent{agent}}
	n.Documents, err = demo.Lay(ctx, h.library, tenant, n.Agents, append(filesOf(o.agent), o.files...))
	must(t, err)
	for _, c := range o.taken {
		r, err := reception.Prepare(tenant, frontdesk.FinishedCall{
			AgentID: agent.ID, StartedAt: now.Add(-48 * time.Hour), Duration: time.Minute,
			Language: agent.Languages[0], Outcome: frontdesk.Booking, Channel: frontdesk.Web, Captures: []frontdesk.Capture{c},
		})
		must(t, err)
		n.Live = append(n.Live, r)
	}
	must(t, h.store.CreateTenant(ctx, n))
	return &business{
		house: h, tenant: tenant, agent: agent, owner: frontdesk.Owner{TenantID: tenant.ID, Live: true},
		clock: servicetest.NewClock(now),
	}
}

// readDocuments reads what was brought in.
func (h *house) readDocuments(t testing.TB) {
	t.Helper()
	for {
		worked, err := h.worker.RunOnce(ctx)
		must(t, err)
		if !worked {
			return
		}
	}
}

// readAgent reads an agent of the demo, or one of the businesses beside this
// file.
func readAgent(t testing.TB, slug string) frontdesk.Agent {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "internal", "demo", "businesses", slug+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		text, err = os.ReadFile(filepath.Join("testdata", "businesses", slug+".json"))
	}
	must(t, err)
	file, err := wire.DecodeAgentFile(text)
	must(t, err)
	agent, err := file.Agent()
	must(t, err)
	return agent
}

// filesOf are the papers of a business of the demo.
func filesOf(agent string) (files []demo.File) {
	for _, f := range demo.Documents() {
		if f.Live && (f.Agent == agent || f.Agent == "") {
			files = append(files, f)
		}
	}
	return files
}

// talk is a conversation as its caller has it.
type talk struct {
	*business
	sessions *reception.Sessions
	faults   *faults
	id       frontdesk.ID
	token    string
}

// ring begins a conversation.
func (b *business) ring(t testing.TB, language string) (*talk, reception.Reply) {
	t.Helper()
	f := &faults{}
	sessions := reception.NewSessions(reception.SessionOptions{
		Store: b.store, Shelves: b.shelves, Now: b.clock.Now, Log: slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	w, err := sessions.Start(ctx, reception.Beginning{Tenant: b.tenant.Slug, Agent: b.agent.Slug, Live: true, Language: language, Channel: frontdesk.Web})
	must(t, err)
	return &talk{business: b, sessions: sessions, faults: f, id: w.ID, token: w.Token.Reveal()}, w.Reply
}

// hear is one turn, after the pause that it takes.
func (k *talk) hear(t testing.TB, in conversation.Input) reception.Reply {
	t.Helper()
	k.clock.Forward(pace)
	reply, err := k.sessions.Hear(ctx, k.id, k.token, in)
	must(t, err)
	return reply
}

// end hangs up.
func (k *talk) end(t testing.TB) frontdesk.Outcome {
	t.Helper()
	ended, err := k.sessions.End(ctx, k.id, k.token)
	must(t, err)
	if ended.CallID != k.id {
		t.Errorf("the conversation %s became the call %s", k.id, ended.CallID)
	}
	return ended.Outcome
}

// captures are what this conversation brought in.
func (k *talk) captures(t testing.TB) []frontdesk.Capture {
	t.Helper()
	all, err := k.store.CapturesOfCall(ctx, k.owner, k.id)
	must(t, err)
	return all
}

// appointments are all of the business, whoever made them.
func (b *business) appointments(t testing.TB) []frontdesk.Capture {
	t.Helper()
	list, err := b.store.Captures(ctx, b.owner, frontdesk.CaptureFilter{Kind: frontdesk.Appointment}, frontdesk.Page{Limit: frontdesk.MaxPageSize})
	must(t, err)
	return list.Items
}

// faults collects what the sessions complain about: a panic that was caught is
// a fault all the same.
type faults struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (f *faults) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.b.Write(p)
}

func (f *faults) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.b.String()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
