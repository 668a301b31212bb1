// Package service runs the parts of a process: a group of named goroutines
// that recovers panics and names the culprit, and whose Stop means stopped.
// It also holds the process's clock. It knows nothing of what it runs.
package service

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Group runs background work until it is stopped.
type Group struct {
	log    *slog.Logger
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

// NewGroup returns an empty group.
func NewGroup(log *slog.Logger) *Group {
	ctx, cancel := context.WithCancel(context.Background())
	return &Group{log: log, ctx: ctx, cancel: cancel}
}

// Go runs work under a name until it returns or the group stops. A panic ends
// that work alone; it is logged with its stack.
func (g *Group) Go(name string, work func(context.Context)) {
	g.wg.Go(func() { g.guard(name, work) })
}

// Every runs work again and again, interval apart, until the group stops. A
// panic costs one round; the next one comes as usual.
func (g *Group) Every(name string, interval time.Duration, work func(context.Context)) {
	g.wg.Go(func() {
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

func (g *Group) guard(name string, work func(context.Context)) {
	defer func() {
		if p := recover(); p != nil {
			g.log.Error("background work panicked", "work", name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	work(g.ctx)
}

// Stop tells all work to end and waits until it has.
func (g *Group) Stop() {
	g.cancel()
	g.wg.Wait()
}
