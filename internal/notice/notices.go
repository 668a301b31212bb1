package notice

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
)

// Sender takes messages to where they go: a mail relay, or a carrier.
type Sender interface {
	Send(context.Context, Message) frontdesk.SendResult
}

// Options are the parts of Notices. Store is needed; a channel without a sender
// is not set up.
type Options struct {
	Store *store.Store
	Links Links
	Mail  Sender
	Text  Sender
	// TestAddresses are those that are written to in test mode.
	TestAddresses []string
	Now           func() time.Time      // time.Now
	Log           *slog.Logger          // slog.Default()
	Metrics       prometheus.Registerer // nil: nobody reads them
}

// Notices sends what is due.
type Notices struct {
	store   *store.Store
	writer  writer
	senders map[frontdesk.NoticeChannel]Sender
	test    []string
	now     func() time.Time
	log     *slog.Logger
	metrics *metrics
}

// New returns what sends notices. It does nothing until it runs.
func New(o Options) *Notices {
	n := &Notices{
		store: o.Store, writer: writer{store: o.Store, links: o.Links}, senders: map[frontdesk.NoticeChannel]Sender{},
		now: o.Now, log: cmp.Or(o.Log, slog.Default()), metrics: newMetrics(o.Metrics),
	}
	if n.now == nil {
		n.now = time.Now
	}
	for channel, sender := range map[frontdesk.NoticeChannel]Sender{frontdesk.ByEmail: o.Mail, frontdesk.ByText: o.Text} {
		if sender != nil {
			n.senders[channel] = sender
		}
	}
	for _, a := range o.TestAddresses {
		n.test = append(n.test, strings.ToLower(a))
	}
	return n
}

const (
	// pollEvery is how often due notices are looked for.
	pollEvery = time.Second
	// atOnce is how many notices are claimed, and sent side by side.
	atOnce = 8
	// lease is how long a worker that says nothing is believed in.
	lease = frontdesk.DeliveryLease
	// sendTime bounds one attempt.
	sendTime = 30 * time.Second
	// mostADay is how many notices a customer's address gets from one business
	// within a day: whoever books with somebody else's address cannot flood it.
	mostADay = 20
	// mostOfAgent is how many notices customers of one agent are sent within a
	// day, by each channel: text messages cost money.
	mostOfAgent = 300
	// keptFor is how long it is shown what was sent.
	keptFor = frontdesk.DeliveryRetention
)

// Run sends by one channel until ctx ends; then it waits for the attempts under
// way. Each channel has a run of its own: a mail relay that hangs holds no text
// message up.
func (n *Notices) Run(ctx context.Context, channel frontdesk.NoticeChannel) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		sent, err := n.RunOnce(ctx, channel)
		if err != nil && ctx.Err() == nil {
			n.log.Error("notices: looking for what is due failed, retrying", "channel", channel, "error", err)
		}
		if sent == atOnce && err == nil {
			continue // there may be more
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// RunOnce sends some of what is due by a channel, and says how many it took.
func (n *Notices) RunOnce(ctx context.Context, channel frontdesk.NoticeChannel) (int, error) {
	now := n.now()
	claims, err := n.store.ClaimNoticesForWorker(ctx, channel, now, now.Add(lease).UTC().Truncate(time.Microsecond), atOnce)
	if err != nil {
		return 0, err
	}
	var wait sync.WaitGroup
	for _, c := range claims {
		wait.Add(1)
		service.Go(n.log, "notices: attempt", func() error {
			defer wait.Done()
			// An attempt that has begun is finished, also when it is told to stop.
			n.attempt(context.WithoutCancel(ctx), c)
			return nil
		})
	}
	wait.Wait()
	return len(claims), nil
}

// attempt sends one notice and saves how that ended.
func (n *Notices) attempt(ctx context.Context, c store.NoticeClaim) {
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	after := c.Notice.After(frontdesk.SendResult{ErrorCode: frontdesk.NoticeBadAnswer, Message: "Sending it went wrong; the log says how."}, n.now(), 0)
	if err := service.Guard(n.log, "notices: sending", func() (err error) {
		after, err = n.send(ctx, c)
		return err
	}); err != nil {
		n.log.Error("notices: writing one failed, it is tried again later", "notice", c.Notice.ID, "kind", c.Notice.Kind, "error", err)
	}
	n.report(c, after)
	n.metrics.observe(c.Notice, after)
	if err := n.store.SaveNotice(context.WithoutCancel(ctx), c.Owner, c.Notice, after); err != nil {
		n.log.Error("notices: saving how one ended failed; it is sent again when its lease ends", "notice", c.Notice.ID, "error", err)
	}
}

// report writes one line for an attempt. Addresses are people's own and stay out
// of the log.
func (n *Notices) report(c store.NoticeClaim, after frontdesk.Notice) {
	if after.Attempts < c.Notice.Attempts {
		n.log.Info("notice waits until the quiet hours end", "id", c.Notice.ID, "tenant", c.Owner.TenantID, "live", c.Owner.Live, "kind", c.Notice.Kind,
			"channel", c.Notice.Channel, "until", after.DueAt)
		return
	}
	level := slog.LevelInfo
	if after.Status == frontdesk.NoticeFailed || after.Status == frontdesk.NoticeDead {
		level = slog.LevelWarn
	}
	n.log.Log(context.Background(), level, "notice", "id", c.Notice.ID, "tenant", c.Owner.TenantID, "live", c.Owner.Live, "kind", c.Notice.Kind,
		"channel", c.Notice.Channel, "attempt", c.Notice.Attempts, "status", after.Status, "error_code", after.ErrorCode, "message", after.Message)
}

// send makes one attempt, unless there is a reason not to.
func (n *Notices) send(ctx context.Context, c store.NoticeClaim) (frontdesk.Notice, error) {
	failed := c.Notice.After(frontdesk.SendResult{ErrorCode: frontdesk.NoticeBadAnswer, Message: "The book could not be read."}, n.now(), rand.Float64())
	if !c.Owner.Live && !slices.Contains(n.test, strings.ToLower(c.Notice.Address)) {
		return c.Notice.Ended("Not sent: in test mode only the addresses in FRONTDESK_NOTICE_TEST_ADDRESSES are written to."), nil
	}
	message, not, err := n.writer.write(ctx, c, n.now())
	switch {
	case err != nil:
		return failed, err
	case !not.before.IsZero():
		return c.Notice.Postponed(not.before), nil
	case not.why != "":
		return c.Notice.Ended(not.why), nil
	case c.Notice.Channel == frontdesk.ByEmail && !frontdesk.IsEmail(c.Notice.Address):
		return c.Notice.After(c.Notice.Kind.BadAddress(), n.now(), 0), nil
	}
	sender := n.senders[c.Notice.Channel]
	if sender == nil {
		return c.Notice.After(frontdesk.SendResult{
			ErrorCode: frontdesk.NoticeNoChannel, ForGood: true, Message: "The operator has not set up this channel: docs/notices.md says how.",
		}, n.now(), 0), nil
	}
	if !c.Notice.Kind.ForOwner() {
		sent, err := n.store.NoticesTo(ctx, c.Owner, c.Notice.Address, n.now().Add(-24*time.Hour))
		if err != nil {
			return failed, err
		}
		if sent >= mostADay {
			return c.Notice.After(tooMany("This address has got as many notices today as one may get."), n.now(), 0), nil
		}
		if sent, err = n.store.NoticesOf(ctx, c.Owner, c.Notice.AgentID, c.Notice.Channel, n.now().Add(-24*time.Hour)); err != nil {
			return failed, err
		}
		if sent >= mostOfAgent {
			n.log.Warn("notices: an agent has sent its customers as many as it may within a day; further ones are given up; `frontdesk notice retry --dead` sends them tomorrow", "agent", c.Notice.AgentID, "channel", c.Notice.Channel, "most", mostOfAgent)
			return c.Notice.After(tooMany("The customers of this agent have got as many notices today as they may."), n.now(), 0), nil
		}
	}
	begun := n.now()
	result := sender.Send(ctx, message)
	n.metrics.took(c.Notice.Channel, n.now().Sub(begun))
	return c.Notice.After(result, n.now(), rand.Float64()), nil
}

// tooMany is how an attempt ends that one of our own limits forbids.
func tooMany(why string) frontdesk.SendResult {
	return frontdesk.SendResult{ErrorCode: frontdesk.NoticeNoRoom, ForGood: true, Message: why + " It can be tried again tomorrow: `frontdesk notice retry`."}
}

// StopReminders keeps the customer of a capture from being reminded any more, by
// the owner of that capture, at the addresses that they left.
func (n *Notices) StopReminders(ctx context.Context, owner frontdesk.Owner, capture frontdesk.ID) error {
	c, err := n.store.Capture(ctx, owner, capture)
	if err != nil {
		return err
	}
	for _, address := range []string{c.Visit.Email, frontdesk.International(c.CustomerPhone, c.Timezone)} {
		if address == "" {
			continue
		}
		if err := n.store.StopReminders(ctx, owner, address, n.now()); err != nil {
			return err
		}
	}
	return nil
}

// Prune forgets notices that have been kept long enough, a few at a time.
func (n *Notices) Prune(ctx context.Context) error {
	const some = 500
	for ctx.Err() == nil {
		deleted, err := n.store.PruneNoticesForWorker(ctx, n.now().Add(-keptFor), some)
		if err != nil || deleted == 0 {
			return err
		}
	}
	return ctx.Err()
}
