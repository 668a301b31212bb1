package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/service"
)

// stop ends requests and background work together, within one limit: what runs
// is finished, and what has not finished in time is cut off and named. Its error
// is that background work was cut off that leaves something for later.
func (p *parts) stop(servers []*http.Server, work *service.Group) error {
	limit := p.settings.StopTimeout
	p.stopBy = time.Now().Add(limit)
	p.log.Info("stopping", "for_at_most", limit)
	ctx, cancel := context.WithDeadline(context.Background(), p.stopBy.Add(-lastMoments(limit)))
	defer cancel()
	p.devlisten.Stop() // answers who waits for events
	shut := p.shutDown(ctx, servers)
	microphones := service.Go(p.log, "microphones' stop", func() error {
		p.web.Stop(ctx)
		return nil
	})
	unfinished := work.Stop(ctx)
	<-microphones
	if err := shut(); errors.Is(err, context.DeadlineExceeded) {
		p.log.Warn("requests that still run are cut off: their clients get no answer, and what they had not committed is not done", "stop_timeout", limit)
		for _, server := range servers {
			server.Close()
		}
	}
	err := p.nameUnfinished(unfinished)
	p.letCallsGo()
	p.writeLast()
	p.sendLastTraces()
	p.log.Info("stopped")
	return err
}

// shutDown lets all servers finish what they have begun, at once. What it returns
// waits for that.
func (p *parts) shutDown(ctx context.Context, servers []*http.Server) (wait func() error) {
	var shut []<-chan error
	for _, server := range servers {
		shut = append(shut, service.Go(p.log, "HTTP server's stop", func() error { return server.Shutdown(ctx) }))
	}
	return func() (err error) {
		for _, ended := range shut {
			err = errors.Join(err, <-ended)
		}
		return err
	}
}

// lastMoments is the part of a stop that is kept for what comes after requests
// and background work, however long those take: a third each for the last
// writes, for closing the database, and for a machine that is busy.
func lastMoments(limit time.Duration) time.Duration { return min(limit/4, 3*time.Second) }

// nameUnfinished tells the operator what did not end, and what that means.
func (p *parts) nameUnfinished(names []string) error {
	var later []string
	for _, name := range names {
		means, leaves := cutOff[name]
		if !leaves {
			p.log.Warn("background work is cut off; nothing is lost by it", "work", name)
			continue
		}
		p.log.Error("background work did not end within the stop timeout and is cut off", "work", name, "means", means, "stop_timeout", p.settings.StopTimeout)
		later = append(later, name)
	}
	if len(later) == 0 {
		return nil
	}
	return fmt.Errorf("the stop timeout of %s was over before this work had ended: %s", p.settings.StopTimeout, strings.Join(later, ", "))
}

// letCallsGo closes the relays of calls, when all else is done: their carriers ask
// within two seconds what to do, and whoever serves by then goes on with them. Callers
// over SIP are told that the call ends.
func (p *parts) letCallsGo() {
	ctx, cancel := context.WithDeadline(context.Background(), p.stopBy.Add(-lastMoments(p.settings.StopTimeout)*2/3))
	defer cancel()
	p.phone.Stop(ctx)
	if p.sip != nil {
		p.sip.Stop(ctx)
	}
}

// writeLast writes what requests have left behind.
func (p *parts) writeLast() {
	ctx, cancel := context.WithDeadline(context.Background(), p.stopBy.Add(-lastMoments(p.settings.StopTimeout)*2/3))
	defer cancel()
	p.logged("writing the use of keys", p.keys.WriteUse)(ctx)
	p.logged("writing when people were seen", p.people.WriteSeen)(ctx)
	p.logged("keeping requests", p.api.Requests().Write)(ctx)
}

// closeStore ends the connections to the database, unless that takes too long:
// they end with the process in any case.
func (p *parts) closeStore() {
	limit := p.settings.StopTimeout
	if !p.stopBy.IsZero() { // it has served
		limit = time.Until(p.stopBy)
	}
	closed := service.Go(p.log, "closing of the database", p.store.Close)
	select {
	case err := <-closed:
		if err != nil {
			p.log.Warn("closing the database failed", "error", err)
		}
	case <-time.After(limit - lastMoments(p.settings.StopTimeout)/3):
		p.log.Warn("the database does not let itself be closed; its connections end with the process")
	}
}
