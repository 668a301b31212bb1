package service_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk.dev/frontdesk/internal/service"
)

// lines is a log that tests read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func group() (*service.Group, *lines) {
	var log lines
	return service.NewGroup(slog.New(slog.NewTextHandler(&log, nil))), &log
}

func TestAPanicIsSurvivedAndNamed(t *testing.T) {
	t.Parallel()
	g, log := group()
	g.Go("the culprit", func(context.Context) { panic("spilt coffee") })
	other := make(chan struct{})
	g.Go("the bystander", func(context.Context) { close(other) })
	<-other
	g.Stop(t.Context())
	for _, want := range []string{"level=ERROR", `work="the culprit"`, `panic="spilt coffee"`, "group_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %s: %s", want, log)
		}
	}
	if strings.Contains(log.String(), "bystander") {
		t.Errorf("the log blames the wrong one: %s", log)
	}
}

func TestARoundThatPanicsCostsItselfAlone(t *testing.T) {
	t.Parallel()
	g, log := group()
	var rounds atomic.Int64
	third := make(chan struct{})
	g.Every("the sweeper", time.Millisecond, func(context.Context) {
		switch rounds.Add(1) {
		case 1:
			panic("dust")
		case 3:
			close(third)
		}
	})
	<-third
	g.Stop(t.Context())
	if !strings.Contains(log.String(), `work="the sweeper"`) || strings.Count(log.String(), "panicked") != 1 {
		t.Errorf("the log says %s", log)
	}
}

func TestStopWaitsUntilAllHasEnded(t *testing.T) {
	t.Parallel()
	g, _ := group()
	var ended atomic.Int64
	started := make(chan struct{}, 2)
	release := make(chan struct{})
	g.Go("slow to end", func(ctx context.Context) {
		started <- struct{}{}
		<-ctx.Done()
		<-release
		ended.Add(1)
	})
	g.Every("in a round", time.Millisecond, func(ctx context.Context) {
		select {
		case started <- struct{}{}:
			<-ctx.Done()
			<-release
			ended.Add(1)
		default:
		}
	})
	<-started
	<-started
	stopped := make(chan struct{})
	go func() {
		g.Stop(t.Context())
		if ended.Load() != 2 {
			t.Error("Stop came back before all had ended")
		}
		close(stopped)
	}()
	select {
	case <-stopped:
		t.Error("Stop did not wait")
	case <-time.After(20 * time.Millisecond):
	}
	close(release)
	<-stopped
	g.Stop(t.Context()) // twice does no harm
}

func TestStopNamesWhatDoesNotEnd(t *testing.T) {
	t.Parallel()
	g, _ := group()
	release := make(chan struct{})
	stuck := func(context.Context) { <-release }
	g.Go("stuck", stuck)
	g.Keep("also stuck", stuck)
	g.Go("stuck", stuck)
	g.Go("obedient", func(ctx context.Context) { <-ctx.Done() })
	limit, cancel := context.WithCancel(t.Context())
	cancel()
	if got := g.Stop(limit); !slices.Contains(got, "stuck") || !slices.Contains(got, "also stuck") {
		t.Errorf("still running are %q", got)
	}
	close(release)
	if got := g.Stop(t.Context()); len(got) > 0 {
		t.Errorf("after all have ended, %q are said to run", got)
	}
}

func TestWorkThatLastsRunsAgainAfterAPanic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, log := group()
		runs := 0
		g.Keep("the clerk", func(ctx context.Context) {
			if runs++; runs < 3 {
				panic("spilt coffee")
			}
			<-ctx.Done()
		})
		<-time.After(time.Minute) // of the test's own clock
		if unfinished := g.Stop(t.Context()); len(unfinished) > 0 || runs != 3 {
			t.Errorf("it ran %d times, and %q still run", runs, unfinished)
		}
		if n := strings.Count(log.String(), `work="the clerk" panic="spilt coffee"`); n != 2 {
			t.Errorf("%d panics are logged: %s", n, log)
		}
	})
}

func TestWorkThatReturnsDoesNotRunAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, _ := group()
		runs := 0
		g.Keep("nothing to do", func(context.Context) { runs++ })
		<-time.After(time.Minute)
		g.Stop(t.Context())
		if runs != 1 {
			t.Errorf("it ran %d times", runs)
		}
	})
}

// TestWhoWaitsHearsOfAPanic: an error comes where a result would have.
func TestWhoWaitsHearsOfAPanic(t *testing.T) {
	t.Parallel()
	var log lines
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		work func() error
		says string // "" for no error
	}{
		"work that ends":     {func() error { return nil }, ""},
		"work that fails":    {func() error { return broken }, "broken"},
		"work that panics":   {func() error { panic("spilt coffee") }, "the clerk panicked: spilt coffee"},
		"work that is nil":   {nil, "the clerk panicked: runtime error: invalid memory address or nil pointer dereference"},
		"work that gives up": {func() error { panic(broken) }, "the clerk panicked: broken"},
	} {
		err := <-service.Go(slog.New(slog.NewTextHandler(&log, nil)), "the clerk", tt.work)
		if (err == nil) != (tt.says == "") || err != nil && err.Error() != tt.says {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !strings.Contains(log.String(), "group_test.go") {
		t.Errorf("the log has no stack: %s", log.String())
	}
}

func TestNothingRunsAfterStop(t *testing.T) {
	t.Parallel()
	g, _ := group()
	var rounds atomic.Int64
	first := make(chan struct{}, 1)
	g.Every("ticking", time.Microsecond, func(context.Context) {
		rounds.Add(1)
		select {
		case first <- struct{}{}:
		default:
		}
	})
	<-first
	g.Stop(t.Context())
	before := rounds.Load()
	<-time.After(5 * time.Millisecond)
	if after := rounds.Load(); after != before {
		t.Errorf("%d rounds after Stop", after-before)
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	if d := time.Until(service.Clock(time.Time{})()); d > time.Minute || d < -time.Minute {
		t.Errorf("without a start it is %s off", d)
	}
	start := time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC)
	now := service.Clock(start)
	first := now()
	for now().Equal(first) { // it runs on
	}
	if d := now().Sub(start); d <= 0 || d > time.Minute {
		t.Errorf("it is %s ahead", d)
	}
}
