package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// idle are the parts of a process that does nothing by itself.
func idle(t *testing.T) (*parts, string) {
	t.Helper()
	s, url := settings(t)
	p, err := assemble(context.Background(), s, Options{Log: slog.New(slog.DiscardHandler), Version: "test"})
	must(t, err)
	t.Cleanup(func() { p.store.Close() })
	return p, url
}

// figure is one of the figures that a process tells; ok says whether it does.
func (p *parts) figure(t *testing.T, name string) (value float64, ok bool) {
	t.Helper()
	w := httptest.NewRecorder()
	p.figures.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text, err := io.ReadAll(w.Body)
	must(t, err)
	for line := range strings.Lines(string(text)) {
		if given, found := strings.CutPrefix(line, name+" "); found {
			value, err = strconv.ParseFloat(strings.TrimSpace(given), 64)
			must(t, err)
			return value, true
		}
	}
	return 0, false
}

func (p *parts) wantFigure(t *testing.T, name string, want float64) {
	t.Helper()
	if got, ok := p.figure(t, name); !ok || got != want {
		t.Errorf("%s is %v (%t), want %v", name, got, ok, want)
	}
}

func TestFiguresOfDocumentsThatWait(t *testing.T) {
	t.Parallel()
	p, _ := idle(t)
	p.wantFigure(t, "frontdesk_documents_waiting", 0)
	p.wantFigure(t, "frontdesk_documents_oldest_waiting_seconds", 0)
	seed(t, p.store)
	p.now = func() time.Time { return time.Now().Add(time.Hour) }
	p.wantFigure(t, "frontdesk_documents_waiting", 1)
	if oldest, _ := p.figure(t, "frontdesk_documents_oldest_waiting_seconds"); oldest < 3600 || oldest > 7200 {
		t.Errorf("the oldest has waited for %v seconds", oldest)
	}
}

func TestFiguresOfOutsideCalendars(t *testing.T) {
	t.Parallel()
	p, _ := idle(t)
	p.wantFigure(t, "frontdesk_outside_calendars", 0)
	p.wantFigure(t, "frontdesk_outside_calendars_failing", 0)
	ctx, now := context.Background(), time.Now()
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, p.store, "lola").ID, Live: true}
	agent := frontdesk.Agent{
		ID: frontdesk.NewID(now), TenantID: owner.TenantID, Slug: "desk", Vertical: "general", DisplayName: "Desk", Status: "active",
		Languages: frontdesk.Languages, Timezone: "Europe/Madrid", CreatedAt: now, UpdatedAt: now,
	}
	must(t, p.store.CreateAgent(ctx, frontdesk.Actor{}, agent))
	for range 2 {
		c := frontdesk.OutsideCalendar{ID: frontdesk.NewID(now), AgentID: agent.ID, Kind: frontdesk.OutsideCalDAV, Host: "calendar.example.com", URL: []byte("sealed"), CreatedAt: now, ReadAt: now, OKAt: now}
		must(t, p.store.AddOutsideCalendar(ctx, owner, frontdesk.Actor{}, c, nil, []byte("digest"), "2026-01-01T00:00:00"))
	}
	later := now.Add(frontdesk.OutsideEvery)
	claim, found, err := p.store.ClaimOutsideForWorker(ctx, later, later.Add(time.Minute))
	must(t, err)
	claim.Calendar.FailingSince, claim.Calendar.Problem = later, "it does not answer"
	must(t, p.store.SaveOutsideForWorker(ctx, claim, nil, nil, later))
	p.wantFigure(t, "frontdesk_outside_calendars", 2)
	p.wantFigure(t, "frontdesk_outside_calendars_failing", 1)
	if !found {
		t.Error("no calendar was to be read")
	}
}

// TestFiguresOfEmbeddings asks a real endpoint, which then fails.
func TestFiguresOfEmbeddings(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if away.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		io.WriteString(w, `{"data":[{"index":0,"embedding":[1,0]}]}`)
	}))
	t.Cleanup(endpoint.Close)
	embedder, err := OpenEmbeddings(config.Settings{EmbeddingsURL: endpoint.URL, EmbeddingsModel: "small"})
	must(t, err)
	r := prometheus.NewRegistry()
	embedder = timed(embedder, r)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, ask := range []struct {
		ctx   context.Context
		away  bool
		fails bool
	}{{context.Background(), false, false}, {context.Background(), true, true}, {context.Background(), true, true}, {gone, true, true}} {
		away.Store(ask.away)
		if _, err := embedder.Embed(ask.ctx, []string{"hola"}); (err != nil) != ask.fails {
			t.Errorf("%+v ends with %v", ask, err)
		}
	}
	families, err := r.Gather()
	must(t, err)
	for _, m := range families[0].GetMetric() {
		want := map[string]uint64{"ok": 1, "failed": 2}[m.GetLabel()[0].GetValue()]
		if got := m.GetHistogram().GetSampleCount(); got != want || families[0].GetName() != "frontdesk_embeddings_seconds" {
			t.Errorf("%s of %s is counted %d times, want %d", m.GetLabel()[0].GetValue(), families[0].GetName(), got, want)
		}
	}
	if timed(nil, prometheus.NewRegistry()) != nil {
		t.Error("an embedder is made out of none")
	}
}

func TestFiguresOfTheProcess(t *testing.T) {
	t.Parallel()
	p, _ := idle(t)
	p.wantFigure(t, "frontdesk_ready", 1)
	p.wantFigure(t, "frontdesk_retention_swept_timestamp_seconds", float64(p.started.Unix()))
	if free, _ := p.figure(t, "frontdesk_data_free_bytes"); free <= 0 {
		t.Errorf("%v bytes are free", free)
	}

	later := p.started.Add(time.Hour)
	p.now = func() time.Time { return later }
	must(t, housekeeping{p}.sweepRetention(context.Background()))
	p.wantFigure(t, "frontdesk_retention_swept_timestamp_seconds", float64(later.Unix()))

	before, _ := p.figure(t, "frontdesk_panics_total")
	if err := service.Guard(p.log, "test", func() error { panic("on purpose") }); err == nil {
		t.Error("the panic is not told")
	}
	if after, _ := p.figure(t, "frontdesk_panics_total"); after < before+1 {
		t.Errorf("panics were %v and are %v", before, after)
	}

	p.store.Close()
	p.wantFigure(t, "frontdesk_ready", 0)
	if err := (housekeeping{p}).sweepRetention(context.Background()); err == nil {
		t.Error("a sweep without a database succeeds")
	}
	p.wantFigure(t, "frontdesk_retention_swept_timestamp_seconds", float64(later.Unix()))
}

func TestHowTheModelEnds(t *testing.T) {
	t.Parallel()
	r := prometheus.NewRegistry()
	tell := modelTimes(r)
	for _, err := range []error{nil, nil, provider.ErrTimeout, provider.ErrAway, provider.ErrRefused, provider.ErrBroken, context.Canceled, io.EOF} {
		tell(time.Second, err)
	}
	families, err := r.Gather()
	must(t, err)
	got := map[string]uint64{}
	for _, m := range families[0].GetMetric() {
		got[m.GetLabel()[0].GetValue()] = m.GetHistogram().GetSampleCount()
	}
	for result, want := range map[string]uint64{"ok": 2, "timeout": 1, "away": 1, "refused": 1, "broken": 2} {
		if got[result] != want {
			t.Errorf("%s is counted %d times, want %d", result, got[result], want)
		}
	}
}

func TestWhatBecomesOfABooking(t *testing.T) {
	t.Parallel()
	booked := frontdesk.Capture{ID: "1", Kind: frontdesk.Appointment, ScheduledAt: "2026-11-20T20:00:00", Status: frontdesk.PendingConfirm}
	with := func(change func(*frontdesk.Capture)) frontdesk.Capture {
		c := booked
		change(&c)
		return c
	}
	cancelled := with(func(c *frontdesk.Capture) { c.Status = frontdesk.Cancelled })
	for name, tt := range map[string]struct {
		before, after frontdesk.Capture
		want          string
	}{
		"made":                    {frontdesk.Capture{}, booked, bookingMade},
		"made and cancelled":      {frontdesk.Capture{}, cancelled, ""},
		"a lead":                  {frontdesk.Capture{}, with(func(c *frontdesk.Capture) { c.Kind = frontdesk.Lead }), ""},
		"confirmed":               {booked, with(func(c *frontdesk.Capture) { c.Status = frontdesk.Confirmed }), ""},
		"moved":                   {booked, with(func(c *frontdesk.Capture) { c.ScheduledAt = "2026-11-21T20:00:00" }), bookingMoved},
		"cancelled":               {booked, cancelled, bookingCancelled},
		"cancelled, then renamed": {cancelled, with(func(c *frontdesk.Capture) { c.Status, c.CustomerName = frontdesk.Cancelled, "Ana" }), ""},
		"not come":                {booked, with(func(c *frontdesk.Capture) { c.Status = frontdesk.NoShow }), bookingNoShow},
		"after all":               {cancelled, booked, bookingMade},
	} {
		if got := bookingChange(tt.before, tt.after); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
