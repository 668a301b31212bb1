package callers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/demo"
	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

var (
	ctx   = context.Background()
	quiet = slog.New(slog.DiscardHandler)
)

// wednesday is when everybody calls, by the clock of the business.
const wednesday = "2026-11-18T10:00"

// business is one that is called: each caller has an agent, and so an empty
// calendar, of their own.
type business struct {
	name    string
	store   *store.Store
	shelves *knowledge.Shelves
	tenant  frontdesk.Tenant
	owner   frontdesk.Owner
	agents  map[string]frontdesk.Agent // by the caller's id
	now     time.Time
}

// openBusiness reads a folder and has its documents read.
func openBusiness(t testing.TB, folder string, scripts []script) *business {
	t.Helper()
	agent := readAgent(t, folder)
	zone, err := frontdesk.LoadZone(agent.Timezone)
	must(t, err)
	now, err := time.ParseInLocation("2006-01-02T15:04", wednesday, zone)
	must(t, err)
	founded := now.AddDate(0, -1, 0)
	plan := frontdesk.DefaultPlan()
	plan.MaxConcurrentCalls = len(scripts) + 1
	b := &business{
		name: filepath.Base(folder), store: storetest.New(t), agents: map[string]frontdesk.Agent{}, now: now,
		tenant: frontdesk.Tenant{
			ID: frontdesk.NewID(founded), Slug: "shop", Name: agent.DisplayName, Timezone: agent.Timezone, Plan: plan, CreatedAt: founded,
		},
	}
	b.owner = frontdesk.Owner{TenantID: b.tenant.ID, Live: true}
	n := store.NewTenant{Tenant: b.tenant}
	for _, s := range scripts {
		a := agent
		a.ID, a.TenantID, a.CreatedAt, a.UpdatedAt = frontdesk.NewID(founded), b.tenant.ID, founded, founded
		a.Slug = strings.ReplaceAll(strings.ToLower(s.ID), "_", "-")
		b.agents[s.ID] = a
		n.Agents = append(n.Agents, a)
	}
	b.bringDocuments(t, folder, n)
	return b
}

// bringDocuments creates the tenant with its documents, and reads them.
func (b *business) bringDocuments(t testing.TB, folder string, n store.NewTenant) {
	t.Helper()
	blobs, err := blob.OpenDir(t.TempDir())
	must(t, err)
	t.Cleanup(func() { blobs.Close() })
	library := knowledge.NewLibrary(b.store, blobs, time.Now, quiet)
	n.Documents, err = demo.Lay(ctx, library, b.tenant, n.Agents, readDocuments(t, folder))
	must(t, err)
	must(t, b.store.CreateTenant(ctx, n))
	worker := knowledge.NewWorker(b.store, blobs, document.NewReader(nil), nil, time.Now, quiet)
	for worked := true; worked; {
		worked, err = worker.RunOnce(ctx)
		must(t, err)
	}
	b.shelves = knowledge.NewShelves(b.store, nil, time.Now, quiet, 0)
}

func readDocuments(t testing.TB, folder string) (files []demo.File) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(folder, "documents"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	must(t, err)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, "documents", e.Name()))
		must(t, err)
		files = append(files, demo.File{Live: true, Filename: e.Name(), Title: e.Name(), Bytes: text})
	}
	return files
}

// readAgent reads business.json: an agent's file, with its settings beside.
func readAgent(t testing.TB, folder string) frontdesk.Agent {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "business.json"))
	must(t, err)
	var fields map[string]json.RawMessage
	must(t, json.Unmarshal(text, &fields))
	var settings []string
	if fields["settings"] != nil {
		must(t, json.Unmarshal(fields["settings"], &settings))
		delete(fields, "settings")
	}
	text, err = json.Marshal(fields)
	must(t, err)
	file, err := wire.DecodeAgentFile(text)
	must(t, err)
	agent, err := file.Agent()
	must(t, err)
	if err := readSettings(&agent.Settings, settings); err != nil {
		t.Fatalf("%s: settings: %v", folder, err)
	}
	return agent
}

// readSettings takes those arguments of `frontdesk agent set` that businesses
// have here.
func readSettings(s *frontdesk.AgentSettings, args []string) error {
	f := flag.NewFlagSet("agent set", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.IntVar(&s.ThresholdPct, "threshold", s.ThresholdPct, "")
	f.IntVar(&s.Capacity, "capacity", s.Capacity, "")
	f.IntVar(&s.MaxParty, "max-party", s.MaxParty, "")
	f.DurationVar(&s.Notice, "notice", s.Notice, "")
	f.DurationVar(&s.Horizon, "horizon", s.Horizon, "")
	f.Func("service-capacity", "", func(given string) error {
		id, number, _ := strings.Cut(given, "=")
		n, err := strconv.Atoi(number)
		if s.ServiceCapacity == nil {
			s.ServiceCapacity = map[string]int{}
		}
		s.ServiceCapacity[id] = n
		return err
	})
	if err := f.Parse(args); err != nil {
		return err
	}
	return s.Check()
}

// held is a conversation that is over.
type held struct {
	*caller
	log      []spoken
	outcome  string
	turns    int
	captures []map[string]any // as the API shows them
	summary  string           // of the call
	faults   string           // what the house complained about
}

// spoken is something that was said, and by telephone, how it sounded.
type spoken struct{ who, text, expect, aloud string }

// mostTurns is how long anybody talks.
const mostTurns = 30

// hold has a caller talk until they are done. The model may be nil.
func (b *business) hold(t testing.TB, s script, model conversation.Model) held {
	t.Helper()
	var faults bytes.Buffer
	sessions := reception.NewSessions(reception.SessionOptions{
		Store: b.store, Shelves: b.shelves, Model: model, Now: func() time.Time { return b.now },
		Log: slog.New(slog.NewTextHandler(&faults, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	w, err := sessions.Start(ctx, reception.Beginning{Tenant: b.tenant.Slug, Agent: b.agents[s.ID].Slug, Live: true, Language: s.Language, Channel: frontdesk.Web})
	must(t, err)
	h := held{caller: newCaller(s), log: []spoken{{who: "R", text: w.Reply.Text}}}
	captured := 0
	for say := s.Opens; say != "" && h.turns < mostTurns; {
		h.turns++
		reply, err := sessions.Hear(ctx, w.ID, w.Token.Reveal(), conversation.Input{Kind: conversation.Text, Text: cut(say)})
		must(t, err)
		h.log = append(h.log, spoken{who: "C", text: say}, spoken{who: "R", text: reply.Text, expect: string(reply.Expect)})
		if reply.Capture != nil {
			captured++
		}
		if reply.Ended {
			h.outcome = string(reply.Outcome)
			break
		}
		say = h.next(reply.Text, string(reply.Expect), captured)
	}
	h.hear(h.log[len(h.log)-1].text)
	if h.outcome == "" {
		ended, err := sessions.End(ctx, w.ID, w.Token.Reveal())
		must(t, err)
		h.outcome = string(ended.Outcome)
	}
	b.lookUp(t, &h, w.ID)
	h.faults = faults.String()
	return h
}

// lookUp reads what the conversation left in the books.
func (b *business) lookUp(t testing.TB, h *held, call frontdesk.ID) {
	t.Helper()
	captures, err := b.store.CapturesOfCall(ctx, b.owner, call)
	must(t, err)
	for _, c := range captures {
		var shown map[string]any
		must(t, json.Unmarshal(wire.Capture(c), &shown))
		h.captures = append(h.captures, shown)
	}
	c, err := b.store.Call(ctx, b.owner, call)
	must(t, err)
	h.summary = string(c.Summary)
}

func cut(text string) string {
	const most = 1000
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
