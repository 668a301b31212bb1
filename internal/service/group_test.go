package service_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
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
	g.Stop()
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
	g.Stop()
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
		g.Stop()
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
	g.Stop() // twice does no harm
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
	g.Stop()
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
