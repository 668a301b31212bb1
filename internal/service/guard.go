package service

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Panic is what a guarded function panicked with, as an error. It has been
// logged with its stack.
type Panic struct {
	Work  string
	Value any
}

func (p *Panic) Error() string { return fmt.Sprintf("%s panicked: %v", p.Work, p.Value) }

var panics atomic.Uint64

// CountPanic counts a panic that was recovered elsewhere than in Guard.
func CountPanic() { panics.Add(1) }

// Panics is how many panics this process has survived.
func Panics() uint64 { return panics.Load() }

// Guard runs work and returns its error. A panic in it is logged with its stack
// under the work's name, and returned as a *Panic.
func Guard(log *slog.Logger, name string, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			CountPanic()
			log.Error("work panicked", "work", name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = &Panic{name, p}
		}
	}()
	return work()
}

// Go runs work on a goroutine of its own, under Guard. The channel gives, once,
// what Guard returned; nobody needs to receive it.
func Go(log *slog.Logger, name string, work func() error) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- Guard(log, name, work) }()
	return ended
}

// Later runs work after a wait, on a goroutine of its own, under Guard. The timer
// can keep it from running.
func Later(log *slog.Logger, name string, wait time.Duration, work func()) *time.Timer {
	return time.AfterFunc(wait, func() {
		_ = Guard(log, name, func() error { // it has been logged
			work()
			return nil
		})
	})
}
