package calendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

const (
	// keptFor is how long a place that came free is kept for who waits for it.
	keptFor = time.Hour
	// mostOffers is how many places somebody who waits is told of.
	mostOffers = 2
	// mostKept is how many places of one agent are kept at once for those who
	// wait: whoever makes up names to wait under does not empty the book.
	mostKept = 2
	// mostWaiting is how many who wait are looked at in one run.
	mostWaiting = 2000
	// stillOfUse is how long after the wished hour somebody may wait for it.
	stillOfUse = time.Hour
)

// OfferPlaces looks for everybody who waits for a place whether there is one now.
// Whoever has waited longest is told first, and has it kept for an hour; then
// the next is told. How the place came free does not matter: somebody cancelled,
// the house opens longer, a hold has run out.
func (c *Calendar) OfferPlaces(ctx context.Context, now time.Time) error {
	waiting, err := c.store.WaitingForWorker(ctx, now, mostWaiting)
	if err != nil {
		return err
	}
	var faults []error             // one agent's do not end the run of the others
	for turn := range mostOffers { // who let a place go comes after who was told of none
		for _, w := range waiting {
			if err := c.offerPlace(ctx, w, turn, now); err != nil {
				faults = append(faults, fmt.Errorf("for the capture %s: %w", w.Capture, err))
			}
			if ctx.Err() != nil {
				return errors.Join(faults...)
			}
		}
	}
	return errors.Join(faults...)
}

// offerPlace looks for one who waits and was told of so many places before.
func (c *Calendar) offerPlace(ctx context.Context, w store.Waits, before int, now time.Time) error {
	capture, err := c.store.Capture(ctx, w.Owner, w.Capture)
	if gone := isMissing(err); err != nil && !gone {
		return err
	} else if gone || !waits(capture, now) {
		return c.store.StopWaiting(ctx, w.Owner, w.Capture)
	}
	agent, err := c.store.Agent(ctx, w.Owner, w.Agent)
	if err != nil {
		return c.unlessMissing(ctx, w, err)
	}
	if !agent.Settings.Notices.Told() {
		return nil // nobody could be told of it
	}
	if _, _, quiet := agent.Settings.Notices.QuietAround(now, capture.StartsAt().Location()); quiet {
		return nil // nobody could take it
	}
	told, err := c.store.Notices(ctx, w.Owner, frontdesk.NoticeFilter{CaptureID: capture.ID}, frontdesk.Page{Limit: 100})
	if err != nil {
		return err
	}
	var offered []frontdesk.LocalTime
	for _, n := range told.Items {
		if n.Kind == frontdesk.NoticePlaceFree || n.Kind == frontdesk.OwnerPlaceFree {
			offered = append(offered, n.ScheduledAt)
		}
	}
	slices.Sort(offered)
	offered = slices.Compact(offered) // one for each address
	if len(offered) >= mostOffers {
		return c.store.StopWaiting(ctx, w.Owner, w.Capture)
	}
	if len(offered) != before {
		return nil
	}
	who := Caller{
		Tenant: frontdesk.Tenant{ID: w.Owner.TenantID}, Agent: agent, Services: catalogue.Read(agent).Services, Live: w.Owner.Live, CallID: capture.ID,
	}
	return c.offer(ctx, who, capture, offered, now)
}

func (c *Calendar) unlessMissing(ctx context.Context, w store.Waits, err error) error {
	if isMissing(err) {
		return c.store.StopWaiting(ctx, w.Owner, w.Capture)
	}
	return err
}

// waits says whether somebody still waits for a place to come.
func waits(c frontdesk.Capture, now time.Time) bool {
	if c.Kind != frontdesk.Waiting || c.Status != frontdesk.PendingConfirm && c.Status != frontdesk.Confirmed {
		return false
	}
	end := c.StartsAt().Add(stillOfUse)
	if strings.HasSuffix(string(c.ScheduledAt), "T00:00:00") {
		end = c.StartsAt().AddDate(0, 0, 1)
	}
	return now.Before(end)
}

// offer keeps a place for who waits, if there is one that they were not told of,
// and tells them.
func (c *Calendar) offer(ctx context.Context, who Caller, waiting frontdesk.Capture, offered []frontdesk.LocalTime, now time.Time) error {
	w, err := who.waitsFor(waiting)
	if err != nil {
		return c.store.StopWaiting(ctx, who.Owner(), waiting.ID)
	}
	d, err := who.diary(w, now)
	if err != nil {
		return err
	}
	look := d.look(who, w.Date, w.Date)
	if err := c.fill(ctx, d, who, look, ""); err != nil {
		return err
	}
	for _, free := range d.choices(w.Date) {
		at := localTime(free.opening.Date, free.opening.Clock)
		if slices.Contains(offered, at) || w.Timed && at != waiting.ScheduledAt {
			continue
		}
		return c.keepFor(ctx, who, waiting, at, now)
	}
	return nil
}

// keepFor keeps a place for who waits and tells them. Who cannot be told has
// nothing kept.
func (c *Calendar) keepFor(ctx context.Context, who Caller, waiting frontdesk.Capture, at frontdesk.LocalTime, now time.Time) error {
	told := frontdesk.TellOfPlace(who.Agent, who.Live, waiting, at, now)
	if len(told) == 0 {
		return nil
	}
	if told[0].Kind == frontdesk.OwnerPlaceFree { // nothing is kept for who may never hear of it
		return c.store.AddNotices(ctx, who.Owner(), told...)
	}
	kept, err := c.store.KeptPlaces(ctx, who.Owner(), who.Agent.ID, now)
	if err != nil || len(kept) >= mostKept || slices.ContainsFunc(kept, func(k frontdesk.KeptPlace) bool { return samePhone(k.Phone, waiting.CustomerPhone) }) {
		return err
	}
	d, w, err := who.placeFor(waiting, at, now)
	if err != nil {
		return err
	}
	hold := frontdesk.Hold{CallID: waiting.ID, AgentID: who.Agent.ID, ScheduledAt: at, Visit: d.visit(w), Until: now.Add(keptFor)}
	err = c.store.OfferPlace(ctx, who.Owner(), hold, d.look(who, w.Date, w.Date), fitting(d, w), told)
	if errors.Is(err, ErrTaken) {
		return nil // somebody was faster; there is another run in a minute
	}
	return err
}

// samePhone says whether two telephone numbers are one: nobody has two places kept.
func samePhone(a, b string) bool {
	tail := frontdesk.PhoneTail(a)
	return tail != "" && tail == frontdesk.PhoneTail(b)
}

// fitting says whether a wish can be met, and settles with whom.
func fitting(d *diary, w Wish) func(*frontdesk.Visit, []frontdesk.Busy) error {
	return func(visit *frontdesk.Visit, taken []frontdesk.Busy) error {
		d.fill(taken, w.Moving)
		if d.against(w.Date, w.Clock) != "" {
			return ErrTaken
		}
		d.assign(visit, w)
		return nil
	}
}

// waitsFor is the wish of who waits: a day, or an hour of it.
func (who Caller) waitsFor(c frontdesk.Capture) (Wish, error) {
	at, err := time.Parse("2006-01-02T15:04:05", string(c.ScheduledAt))
	if err != nil {
		return Wish{}, err
	}
	return Wish{
		Service: who.serviceOf(c), Resource: c.Visit.ResourceID, Party: c.Visit.Party, Date: dates.DateOf(at),
		Timed: at.Hour() != 0 || at.Minute() != 0, Clock: dates.Clock{Hour: at.Hour(), Minute: at.Minute()},
	}, nil
}

// placeFor is the place at a time for who waits.
func (who Caller) placeFor(c frontdesk.Capture, at frontdesk.LocalTime, now time.Time) (*diary, Wish, error) {
	c.ScheduledAt = at
	w, err := who.waitsFor(c)
	if err != nil {
		return nil, w, err
	}
	w.Timed = true
	d, err := who.diary(w, now)
	return d, w, err
}

// LeaveList ends somebody's waiting. What has become an appointment meanwhile
// stays one.
func (c *Calendar) LeaveList(ctx context.Context, who Caller, waiting frontdesk.ID, now time.Time) error {
	_, err := c.store.ChangeCapture(ctx, who.Owner(), store.CaptureChange{
		ID: waiting, AgentID: who.Agent.ID, Now: now, Holder: waiting,
		Change: func(old frontdesk.Capture) (frontdesk.Capture, error) {
			if old.Kind == frontdesk.Waiting {
				old.Status = frontdesk.Cancelled
			}
			return old, nil
		},
		Event: who.event(frontdesk.CaptureUpdated), Tell: who.tell(now),
	})
	return err
}

// OfferedPlace is the place that is kept for who waits; false when there is none.
func (c *Calendar) OfferedPlace(ctx context.Context, owner frontdesk.Owner, waiting frontdesk.ID, now time.Time) (frontdesk.Hold, bool, error) {
	h, err := c.store.HeldPlace(ctx, owner, waiting, now)
	if isMissing(err) {
		return h, false, nil
	}
	return h, err == nil, err
}

// TakePlace makes an appointment of what somebody waited for, at the time that
// is kept for them. It stays the same capture, with its code. ErrTaken says that
// nothing is kept any more.
func (c *Calendar) TakePlace(ctx context.Context, who Caller, waiting frontdesk.ID, now time.Time) (frontdesk.Capture, error) {
	capture, err := c.store.Capture(ctx, who.Owner(), waiting)
	if err != nil || capture.TakesPlace() { // done already
		return capture, err
	}
	hold, kept, err := c.OfferedPlace(ctx, who.Owner(), waiting, now)
	if err != nil {
		return capture, err
	}
	if !kept || !waits(capture, now) {
		return capture, ErrTaken
	}
	who.CallID = waiting // its own hold is not in its way
	d, w, err := who.placeFor(capture, hold.ScheduledAt, now)
	if err != nil {
		return capture, err
	}
	d.notice = 0
	taken, err := c.store.ChangeCapture(ctx, who.Owner(), store.CaptureChange{
		ID: waiting, AgentID: who.Agent.ID, Now: now, Holder: waiting,
		Change: func(old frontdesk.Capture) (frontdesk.Capture, error) {
			if !waits(old, now) {
				return old, ErrTaken
			}
			visit := d.visit(w)
			visit.Email, visit.Party, visit.ServiceID = old.Visit.Email, cmp.Or(visit.Party, old.Visit.Party), cmp.Or(visit.ServiceID, old.Visit.ServiceID)
			old.Kind, old.ScheduledAt, old.Status, old.Visit = frontdesk.Appointment, hold.ScheduledAt, frontdesk.Confirmed, visit
			return wire.FitCapture(old), nil
		},
		Place: func(frontdesk.Capture) (store.Look, func(*frontdesk.Visit, []frontdesk.Busy) error) {
			return d.look(who, w.Date, w.Date), fitting(d, w)
		},
		Event: who.event(frontdesk.CaptureUpdated), Tell: who.tell(now),
	})
	if err != nil {
		return taken, err
	}
	return taken, c.store.StopWaiting(ctx, who.Owner(), waiting)
}

func isMissing(err error) bool {
	var known *frontdesk.Error
	return errors.As(err, &known) && known.Kind == frontdesk.NotFound
}
