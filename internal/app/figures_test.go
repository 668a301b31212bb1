package app

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/service"
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
