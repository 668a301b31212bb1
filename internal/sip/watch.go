package sip

import (
	"context"
	"fmt"
	"time"

	gosip "github.com/emiago/sipgo/sip"
)

// watch looks after a call until it ends: is it still alive, and does the peer
// still send.
type watch struct {
	*Call
	began time.Time
}

func (c watch) run() {
	tick := time.NewTicker(c.s.timing.tick)
	defer tick.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-c.s.hard.Done():
			c.leave()
			return
		case <-tick.C:
		}
		c.look(time.Now())
	}
}

func (c watch) look(now time.Time) {
	c.mu.Lock()
	state, timer := c.state, c.timer
	c.mu.Unlock()
	silence, held := c.media.silence(now)
	t := c.s.timing
	switch {
	case state == waiting && now.Sub(c.began) > t.unanswered:
		_ = c.Reject(gosip.StatusTemporarilyUnavailable, "Temporarily Unavailable") // it may have been answered now
	case state != talking:
	case held && silence > t.held:
		c.giveUp("on hold for too long")
	case !held && silence > t.noMedia:
		c.giveUp("no sound")
	case timer.interval > 0 && !now.Before(timer.expires):
		c.giveUp("session expired")
	case timer.interval > 0 && !timer.refresh.IsZero() && !now.Before(timer.refresh):
		c.refresh(timer.interval)
	}
}

// refresh asks the peer whether the call is still there: by UPDATE where the peer
// knows it, else by an INVITE with what was agreed.
func (c watch) refresh(interval time.Duration) {
	if !c.beginChange(true) {
		return // the next look comes soon
	}
	defer c.endChange()
	headers := []gosip.Header{
		gosip.NewHeader("Session-Expires", fmt.Sprintf("%d;refresher=uac", int(interval.Seconds()))),
		gosip.NewHeader("Supported", "timer"),
	}
	method, body := gosip.UPDATE, []byte(nil)
	if !c.allows["UPDATE"] {
		method, body = gosip.INVITE, c.media.again(c.session)
	}
	req, res, err := c.ask(context.Background(), method, body, headers...)
	switch {
	case err != nil:
		c.log.Warn("sip: the caller did not say that the call is still there, asking again until the session expires", "error", err)
		c.postpone(interval)
		return
	case method == gosip.INVITE && res.IsSuccess():
		c.acknowledge(req)
	}
	c.refreshed(res, interval)
}

// refreshed takes the answer to a refresh.
func (c watch) refreshed(res *gosip.Response, interval time.Duration) {
	switch status := res.StatusCode; {
	case res.IsSuccess():
		agreed, refresher, ok := readSession(res)
		if !ok {
			agreed, refresher = interval, "uac"
		}
		c.mu.Lock()
		c.timer.set(agreed, refresher != "uas", time.Now())
		c.mu.Unlock()
	case status == gosip.StatusCallTransactionDoesNotExists || status == gosip.StatusRequestTimeout:
		c.end("gone")
	default: // some refuse and talk on
		c.postpone(interval)
	}
}

// postpone asks again when half of what is left of the session is over.
func (c watch) postpone(interval time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.timer.refresh = now.Add(max(c.timer.expires.Sub(now)/2, interval/32))
}

// acknowledge sends the ACK to a 200 of the peer's.
func (c watch) acknowledge(invite *gosip.Request) {
	c.dialog.mu.Lock()
	ack := c.s.here.requestWith(c.dialog, gosip.ACK, invite.CSeq().SeqNo)
	c.dialog.mu.Unlock()
	ack.SetBody(nil)
	if err := c.s.here.client.WriteRequest(ack, asItIs); err != nil {
		c.log.Warn("sip: an ACK could not be sent", "error", err)
	}
}
