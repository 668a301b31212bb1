package sip

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	gosip "github.com/emiago/sipgo/sip"
)

var (
	errNoNotify = errors.New("sip: the peer took the transfer and did not say how it went")
	errTarget   = errors.New("sip: that is no address to transfer to")
)

// notice is news of a transfer.
type notice struct {
	status int  // that the new party has answered with; 0: none
	last   bool // there will be no more
}

// Refer asks the peer to connect the caller with somebody else: a SIP address, or
// a number, which is taken to be one of the peer's own. It returns the status that
// the new party answered with: 200 when the two are connected, and the call is over
// then; 486 when it is busy. Without a final status the error says why, and the
// call goes on.
func (c *Call) Refer(ctx context.Context, target string) (status int, err error) {
	to, err := c.referTarget(target)
	if err != nil {
		return 0, err
	}
	if c.stateNow() != talking {
		return 0, errEnded
	}
	for len(c.refers) > 0 {
		<-c.refers // of a transfer before
	}
	_, res, err := c.ask(ctx, gosip.REFER, nil, gosip.NewHeader("Refer-To", "<"+to+">"),
		gosip.NewHeader("Referred-By", "<"+c.dialog.contact.Address.Addr()+">"))
	switch {
	case err != nil:
		return 0, fmt.Errorf("transferring: %w", err)
	case !res.IsSuccess():
		return res.StatusCode, fmt.Errorf("sip: the peer refused to transfer: %d %s", res.StatusCode, clean(res.Reason))
	}
	status, err = c.follow(ctx)
	if err != nil || status < 200 || status > 299 {
		return status, err
	}
	return status, c.hangup(ctx, "transferred")
}

// referTarget makes an address of what somebody wrote.
func (c *Call) referTarget(target string) (string, error) {
	target = strings.TrimSpace(target)
	if target == "" || len(target) > 256 || strings.ContainsAny(target, "<>\"\r\n \t") {
		return "", errTarget
	}
	if strings.HasPrefix(target, "sip:") || strings.HasPrefix(target, "sips:") || strings.HasPrefix(target, "tel:") {
		var uri gosip.Uri
		if err := gosip.ParseUri(target, &uri); err != nil {
			return "", fmt.Errorf("%w: %w", errTarget, err)
		}
		return target, nil
	}
	if strings.Contains(target, "@") {
		return "sip:" + target, nil
	}
	// The host that the caller's own number belongs to knows other numbers too.
	host := c.dialog.remote.Address.Host
	if c.trunk != nil {
		host = c.trunk.domain()
	}
	uri := gosip.Uri{Scheme: "sip", User: target, Host: host}
	return uri.String(), nil
}

// follow waits for how a transfer went.
func (c *Call) follow(ctx context.Context) (status int, err error) {
	t := c.s.timing
	patience := time.NewTimer(t.noNotify)
	defer patience.Stop()
	done, heard := c.done, false
	for {
		select {
		case n := <-c.refers:
			if n.status >= 200 {
				return n.status, nil
			}
			if n.last {
				return n.status, errNoNotify
			}
			if !heard && done != nil {
				heard = true
				patience.Reset(t.transfer)
			}
		case <-done:
			done = nil // the news may still be on its way
			patience.Reset(t.lastNotify)
		case <-patience.C:
			if done == nil {
				return 0, errEnded
			}
			return 0, errNoNotify
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// onNotify takes news of a transfer.
func (s *Server) onNotify(c *Call, req *gosip.Request, tx gosip.ServerTransaction) {
	event, _, _ := strings.Cut(headerValue(req, "Event", "o"), ";")
	if !strings.EqualFold(strings.TrimSpace(event), "refer") {
		s.refuse(req, tx, 489, "Bad Event", gosip.NewHeader("Allow-Events", "refer"))
		return
	}
	s.refuse(req, tx, gosip.StatusOK, "OK")
	state, _, _ := strings.Cut(strings.ToLower(headerValue(req, "Subscription-State")), ";")
	select {
	case c.refers <- notice{readFragment(req.Body()), strings.TrimSpace(state) == "terminated"}:
	default: // nobody follows
	}
}

// readFragment reads the status out of "SIP/2.0 180 Ringing"; 0: there is none.
func readFragment(body []byte) int {
	line, _, _ := strings.Cut(string(body[:min(len(body), 256)]), "\n")
	fields := strings.Fields(line)
	if len(fields) < 2 || !strings.EqualFold(fields[0], "SIP/2.0") {
		return 0
	}
	n, err := strconv.Atoi(fields[1])
	if err != nil || n < 100 || n > 699 {
		return 0
	}
	return n
}
