package sip

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	gosip "github.com/emiago/sipgo/sip"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/service"
)

var (
	errEnded    = errors.New("sip: the call has ended")
	errAnswered = errors.New("sip: the call was answered or rejected already")
	errNoACK    = errors.New("sip: the caller did not acknowledge that we answered")
)

// In is what comes from a caller: a frame of sound, or a key.
type In struct {
	Frame audio.Frame // of 20 ms
	Key   byte        // of 0 to 9, *, # and A to D; 0: it is a frame
}

type state int

const (
	waiting  state = iota // for us to answer
	settling              // the answer is on its way
	talking
	ended
)

// Call is one call that came.
type Call struct {
	s         *Server
	log       *slog.Logger
	key       string // of its dialog
	inviteKey string
	invite    *gosip.Request // with our tag
	tx        gosip.ServerTransaction
	dialog    *dialog
	media     *media
	from      Party
	called    []string
	trunk     *Trunk
	session   ours
	own       *srtpKeys     // that we encrypt with
	refers    chan notice   // news of a transfer
	settled   chan struct{} // closed when nothing more is owed to the INVITE
	settle    sync.Once
	done      chan struct{}
	acks      acks
	answered  atomic.Bool // and acknowledged

	counted, unheard bool // among the server's calls, and its mutex's

	mu     sync.Mutex
	state  state
	why    string // it ended
	offer  *description
	change *change // of the session, under way
	timer  sessionTimer
	allows map[string]bool // methods of the peer's
	guest  netip.Addr      // that was let through the gate for this call
}

// ID is the call's own, as the peer chose it. Peers repeat them, and may take one
// that they have seen elsewhere: it is for logs. See Tag.
func (c *Call) ID() string { return c.dialog.id }

// Tag is our own name of the call, which no other call of any server has: whoever
// keeps something for a call keeps it by this.
func (c *Call) Tag() string { return c.dialog.localTag }

// From is who calls.
func (c *Call) From() Party { return c.from }

// Called are the numbers that may have been called, in order of trust. Which is
// ours, the caller of this method knows.
func (c *Call) Called() []string { return slices.Clone(c.called) }

// Trunk is the one that the call came by, nil if it came directly.
func (c *Call) Trunk() *Trunk { return c.trunk }

// Rate is that of the samples.
func (c *Call) Rate() int { return audio.Rate }

// Done is closed when the call has ended.
func (c *Call) Done() <-chan struct{} { return c.done }

// Ringing tells the caller that it rings. It is an error as well when there is no
// port for its sound.
func (c *Call) Ringing() error {
	if c.stateNow() != waiting {
		return errAnswered
	}
	if err := c.openSound(); err != nil {
		return err
	}
	return c.respond(c.answering(gosip.StatusRinging, "Ringing"))
}

// Reject refuses the call with a status of SIP, such as 486 for busy.
func (c *Call) Reject(status int, reason string) error {
	if status < 300 || status > 699 {
		return fmt.Errorf("sip: %d does not reject a call", status)
	}
	if !c.move(waiting, settling) {
		return errAnswered
	}
	err := c.respond(c.answering(status, clean(reason)))
	c.end("rejected")
	return err
}

// Read waits for the next frame or key. A frame comes every 20 ms: silence while
// the caller holds us or sends nothing. It returns io.EOF when the call has ended.
// One goroutine may read.
func (c *Call) Read(ctx context.Context) (In, error) { return c.media.next(ctx, c.done) }

// Write sends a frame of 20 ms. Write one for each that is read: it is sent at
// once. While the caller holds us it is dropped.
func (c *Call) Write(frame []int16) error {
	select {
	case <-c.done:
		return errEnded
	default:
		return c.media.write(frame)
	}
}

// Hangup ends the call, in whatever state it is.
func (c *Call) Hangup(ctx context.Context) error { return c.hangup(ctx, "hung up by us") }

func (c *Call) hangup(ctx context.Context, why string) error {
	if c.stateNow() == waiting {
		if err := c.Reject(gosip.StatusTemporarilyUnavailable, "Temporarily Unavailable"); !errors.Is(err, errAnswered) {
			return err
		}
	}
	if c.stateNow() == ended || !c.end(why) {
		return nil
	}
	_, res, err := c.ask(ctx, gosip.BYE, nil)
	switch {
	case err != nil:
		return fmt.Errorf("hanging up: %w", err)
	case !res.IsSuccess() && res.StatusCode != gosip.StatusCallTransactionDoesNotExists && res.StatusCode != gosip.StatusRequestTimeout:
		return fmt.Errorf("sip: hanging up was refused with %d %s", res.StatusCode, res.Reason)
	}
	return nil
}

// run has the call answered, and is there until it is over.
func (c *Call) run(answer func(context.Context, *Call)) {
	defer c.s.forget(c)
	defer c.close()
	defer c.leave()
	defer func() {
		if c.stateNow() == waiting { // answer panicked or did nothing
			_ = c.Reject(gosip.StatusTemporarilyUnavailable, "Temporarily Unavailable")
		}
	}()
	answer(c.s.hard, c)
}

// leave hangs up what is still there.
func (c *Call) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), c.s.timing.request)
	defer cancel()
	if err := c.Hangup(ctx); err != nil {
		c.s.say(c.log, slog.LevelWarn, "sip: the caller did not confirm that we hung up", "error", err)
	}
}

// openSound takes a port for the sound, once. A call that is refused needs none.
func (c *Call) openSound() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.state == ended:
		return errEnded
	case c.media.conn != nil:
		return nil
	}
	bind := netip.IPv4Unspecified()
	if c.dialog.host.Is6() {
		bind = netip.IPv6Unspecified()
	}
	if l := c.s.here.listenerFor(c.dialog.network, c.dialog.from.Addr()); l != nil && !l.address.Addr().IsUnspecified() {
		bind = l.address.Addr()
	}
	conn, port, err := c.s.ports.open(bind)
	if err != nil {
		c.s.say(c.log, slog.LevelError, "sip: a call could not be taken", "error", err)
		return err
	}
	c.media.conn, c.media.port, c.session.port = conn, port, port
	service.Go(c.s.log, "sip sound", c.media.receive)
	return nil
}

// closeSound gives the port back. c is locked.
func (c *Call) closeSound() {
	if c.media.conn != nil {
		_ = c.media.conn.Close() // nothing is lost
		c.s.ports.release(c.media.port)
	}
}

// close gives back what the call has held, and writes it down.
func (c *Call) close() {
	c.end("ended")
	c.mu.Lock()
	if c.guest.IsValid() {
		c.s.gate.invite(c.guest, -1)
		c.guest = netip.Addr{}
	}
	c.mu.Unlock()
	n := c.media.count()
	c.s.metrics.ended.WithLabelValues(c.reason()).Inc()
	c.s.metrics.late.Add(float64(n.Late))
	c.s.metrics.concealed.Add(float64(n.Concealed))
	if !c.answered.Load() {
		c.s.say(c.log, slog.LevelInfo, "sip: call that was not answered", "end", c.reason())
		return
	}
	c.log.Info("sip: call", "end", c.reason(), "seconds", int(time.Since(c.media.began).Seconds()),
		"packets", n.Packets, "late", n.Late, "concealed", n.Concealed)
}

// welcome lets the address through the gate that requests of ours go to, if it is
// another than the one the call came from: its answers and its BYE come from there.
func (c *Call) welcome() {
	c.dialog.mu.Lock()
	hop := c.dialog.hop().Addr()
	c.dialog.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == ended || hop == c.guest || hop == c.dialog.from.Addr() {
		return
	}
	if c.guest.IsValid() {
		c.s.gate.invite(c.guest, -1)
	}
	c.guest = hop
	c.s.gate.invite(hop, 1)
}

// end marks the call as ended, and says whether it was not.
func (c *Call) end(why string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == ended {
		return false
	}
	c.state, c.why = ended, why
	close(c.done)
	c.closeSound()
	c.s.free(c)
	c.settleInvite()
	return true
}

// settleInvite lets the INVITE's handler go.
func (c *Call) settleInvite() { c.settle.Do(func() { close(c.settled) }) }

func (c *Call) stateNow() state {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

func (c *Call) reason() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}

// move goes from one state to the next, and says whether it was in the first.
func (c *Call) move(from, to state) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != from {
		return false
	}
	c.state = to
	return true
}

// answering is an answer to the INVITE.
func (c *Call) answering(status int, reason string, headers ...gosip.Header) *gosip.Response {
	return c.dress(response(c.invite, status, reason, headers...))
}

// dress adds what every answer within a dialog says of us.
func (c *Call) dress(res *gosip.Response) *gosip.Response {
	contact := c.dialog.contact
	res.AppendHeader(&contact)
	res.AppendHeader(gosip.NewHeader("Allow", allowed))
	res.AppendHeader(gosip.NewHeader("Supported", "timer"))
	res.AppendHeader(gosip.NewHeader("Server", "frontdesk"))
	return res
}

func (c *Call) respond(res *gosip.Response) error {
	if err := c.tx.Respond(res); err != nil {
		return fmt.Errorf("sip: answering: %w", err)
	}
	return nil
}
