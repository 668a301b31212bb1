// Package service runs the parts of a process: goroutines that survive their
// panics and name the culprit, and a group of them that is stopped within a
// limit and says what did not end. It also holds the process's clock. It knows
// nothing of what it runs.
//
// No other package starts a goroutine by itself: a panic in one that nobody
// guards ends the process.
package service

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// restartAfter is how long work that panicked rests before it runs again.
const restartAfter = time.Second

// Group runs background work until it is stopped.
type Group struct {
	log    *slog.Logger
	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	running map[string]int // goroutines that have not ended, by the name of their work
	ended   chan struct{}  // closed when the next one ends; nil: nobody waits for that
}

// NewGroup returns an empty group.
func NewGroup(log *slog.Logger) *Group {
	ctx, cancel := context.WithCancel(context.Background())
	return &Group{log: log, ctx: ctx, cancel: cancel, running: map[string]int{}}
}

// Go runs work once, under a name, until it returns or the group stops. A panic
// ends that work alone; it is logged with its stack.
func (g *Group) Go(name string, work func(context.Context)) {
	g.start(name, func() { g.guard(name, work) })
}

// Keep runs work that is meant to last until the group stops. When it panics it
// is run again, after a pause, so that one bad moment does not leave the process
// without it.
func (g *Group) Keep(name string, work func(context.Context)) {
	g.start(name, func() {
		for g.guard(name, work) && g.pause(restartAfter) {
			g.log.Warn("background work runs again after a panic", "work", name)
		}
	})
}

// Every runs work again and again, interval apart, until the group stops. A
// panic costs one round; the next one comes as usual.
func (g *Group) Every(name string, interval time.Duration, work func(context.Context)) {
	g.start(name, func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-g.ctx.Done():
				return
			case <-tick.C:
				if g.ctx.Err() == nil { // select takes either when both are there
					g.guard(name, work)
				}
			}
		}
	})
}

// Stop tells all work to end and waits until it has, or until ctx ends. It
// returns the names of what still runs then, sorted.
func (g *Group) Stop(ctx context.Context) (unfinished []string) {
	g.cancel()
	for {
		unfinished, ended := g.unfinished()
		if len(unfinished) == 0 {
			return nil
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return unfinished
		}
	}
}

func (g *Group) unfinished() (names []string, ended <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended == nil {
		g.ended = make(chan struct{})
	}
	return slices.Sorted(maps.Keys(g.running)), g.ended
}

func (g *Group) start(name string, work func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[name]++
	go func() {
		defer g.end(name)
		work()
	}()
}

func (g *Group) end(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running[name]--; g.running[name] == 0 {
		delete(g.running, name)
	}
	if g.ended != nil {
		close(g.ended)
		g.ended = nil
	}
}

// guard runs work and says whether it panicked.
func (g *Group) guard(name string, work func(context.Context)) (panicked bool) {
	return nil != Guard(g.log, name, func() error {
		work(g.ctx)
		return nil
	})
}

// pause waits, and says whether the group still runs.
func (g *Group) pause(d time.Duration) bool {
	select {
	case <-g.ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
