package calendar

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/ical"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
)

// Outside are the calendars of others: it reads their busy times, which take
// places away, and writes appointments into those that can be written.
//
//	claim -> source.read -> busy times without our own -> store
//	claim -> the appointment as it is now -> source.put or source.remove -> store
//
// Nothing is asked of them while a caller waits.
type Outside struct {
	store  *store.Store
	box    *seal.Box
	guard  *egress.Guard
	client *http.Client
	now    func() time.Time
	log    *slog.Logger
}

const (
	outsideTimeout = 20 * time.Second // of one request
	outsideLease   = 2 * time.Minute  // of one calendar, or one appointment
	outsideAtOnce  = 4                // requests of one node
	outsideBack    = 7 * 24 * time.Hour
	outsideMargin  = 48 * time.Hour // beyond what callers can book
	outsideWhole   = 12 * time.Hour // after which a calendar is read whole, changed or not
	mostOutside    = 20_000         // busy times of one calendar
)

// NewOutside returns the outside calendars kept in s, which are reached as far as
// the guard lets them be.
func NewOutside(s *store.Store, box *seal.Box, guard *egress.Guard, now func() time.Time, log *slog.Logger) *Outside {
	return &Outside{store: s, box: box, guard: guard, client: guard.Client(outsideTimeout, 4), now: now, log: log}
}

// source is how a calendar is spoken to. Those of Google and Microsoft, which
// have interfaces and permissions of their own, would be further ones.
type source interface {
	// read finds the busy times in a span. tag is that of the last reading; "":
	// everything is read, changed or not.
	read(ctx context.Context, in frontdesk.Span, zone *time.Location, tag string) (reading, error)
	// put writes an event under an id, once. there says that it is known to be
	// there, in an older state.
	put(ctx context.Context, id frontdesk.ID, event ical.Calendar, there bool) error
	// remove takes the event of an id away, if it is there.
	remove(ctx context.Context, id frontdesk.ID) error
}

// reading is what a source has read.
type reading struct {
	periods []ical.Period
	tag     string // of this state; "": the source has none
	same    bool   // nothing has changed since the last reading
	partly  error  // events that cannot be understood, beside those of periods
}

// open returns the source of a calendar.
func (o *Outside) open(c frontdesk.OutsideCalendar) (source, error) {
	address, err := o.box.Open(addressPlace(c.ID), c.URL)
	if err != nil {
		return nil, fmt.Errorf("the calendar's address: %w", err)
	}
	var password []byte
	if c.Password != nil {
		if password, err = o.box.Open(passwordPlace(c.ID), c.Password); err != nil {
			return nil, fmt.Errorf("the calendar's password: %w", err)
		}
	}
	return o.source(c.Kind, string(address), c.User, frontdesk.Secret(password))
}

func (o *Outside) source(kind frontdesk.OutsideKind, address, user string, password frontdesk.Secret) (source, error) {
	switch kind {
	case frontdesk.OutsideICS:
		return icsSource{o.guard, o.client, address, user, password}, nil
	case frontdesk.OutsideCalDAV:
		return openCalDAV(o.guard, o.client, address, user, password)
	}
	return nil, fmt.Errorf("this binary does not know calendars of kind %q", kind)
}

func addressPlace(id frontdesk.ID) string  { return "calendar address " + string(id) }
func passwordPlace(id frontdesk.ID) string { return "calendar password " + string(id) }

// Rekey seals the addresses and passwords of all outside calendars anew with the
// box's present key, whichever of its keys sealed them before. A calendar that
// none of its keys opens is an error, or, where lost is not nil, is left as it is
// and told to lost.
func Rekey(ctx context.Context, s *store.Store, box *seal.Box, lost func(error)) (int, error) {
	return s.ResealOutsideForWorker(ctx, func(c frontdesk.OutsideCalendar) (frontdesk.OutsideCalendar, error) {
		sealed, err := reseal(box, c)
		if err != nil && lost != nil {
			lost(err)
			return c, nil
		}
		return sealed, err
	})
}

func reseal(box *seal.Box, c frontdesk.OutsideCalendar) (frontdesk.OutsideCalendar, error) {
	address, err := box.Open(addressPlace(c.ID), c.URL)
	if err != nil {
		return c, fmt.Errorf("the address of calendar %s: %w", c.ID, err)
	}
	c.URL = box.Seal(addressPlace(c.ID), address)
	if c.Password == nil {
		return c, nil
	}
	password, err := box.Open(passwordPlace(c.ID), c.Password)
	if err != nil {
		return c, fmt.Errorf("the password of calendar %s: %w", c.ID, err)
	}
	c.Password = box.Seal(passwordPlace(c.ID), password)
	return c, nil
}

// Sealed returns some addresses of calendars, the newest, to try a master key on.
func Sealed(ctx context.Context, s *store.Store, limit int) (values []seal.Value, err error) {
	addresses, err := s.OutsideAddressesForWorker(ctx, limit)
	for _, v := range addresses {
		values = append(values, seal.Value{Place: addressPlace(v.ID), Sealed: v.Sealed})
	}
	return values, err
}

// NewOutsideCalendar is an outside calendar that is to be connected.
type NewOutsideCalendar struct {
	Kind       frontdesk.OutsideKind
	Address    string
	ResourceID string // whose it is; "": everybody's
	User       string
	Password   frontdesk.Secret
}

// mostConnected bounds how many calendars one agent may have.
const mostConnected = 100

// Connect reads a calendar and, if that can be done, keeps it: from then on it
// takes places away. What is wrong is said in words for whoever connects it.
func (o *Outside) Connect(ctx context.Context, who Caller, in NewOutsideCalendar) (frontdesk.OutsideCalendar, error) {
	now := o.now().UTC().Truncate(time.Microsecond)
	c := frontdesk.OutsideCalendar{
		ID: frontdesk.NewID(now), TenantID: who.Tenant.ID, Live: who.Live, AgentID: who.Agent.ID, ResourceID: in.ResourceID,
		Kind: in.Kind, User: in.User, CreatedAt: now, OKAt: now,
	}
	if _, known := who.Agent.Settings.Calendar.Resource(in.ResourceID); in.ResourceID != "" && !known {
		return c, frontdesk.InvalidParam("resource_id", "There is no resource %q; GET /agents/%s/calendar lists them.", in.ResourceID, who.Agent.Slug)
	}
	address := in.Address
	if rest, ok := strings.CutPrefix(address, "webcal://"); ok { // what "subscribe" buttons show
		address = "https://" + rest
	}
	u, err := o.checkAddress(ctx, address)
	if err != nil {
		return c, err
	}
	c.Host, c.URL = u.Host, o.box.Seal(addressPlace(c.ID), []byte(address))
	if in.Password != "" {
		c.Password = o.box.Seal(passwordPlace(c.ID), []byte(in.Password.Reveal()))
	}
	all, err := o.store.OutsideCalendars(ctx, who.Owner())
	if err != nil {
		return c, err
	}
	if len(all) >= mostConnected {
		return c, frontdesk.LimitReached("outside calendars", mostConnected)
	}
	busy, digest, err := o.read(ctx, &c, who.Agent)
	if err != nil {
		return c, &frontdesk.Error{Kind: frontdesk.Invalid, Code: "calendar_unreadable", Param: "url", Message: toConnector(err), Cause: err}
	}
	zone, err := frontdesk.LoadZone(who.Agent.Timezone)
	if err != nil {
		return c, err
	}
	return c, o.store.AddOutsideCalendar(ctx, who.Owner(), who.By, c, busy, digest, frontdesk.LocalTimeOf(now.In(zone)))
}

// checkAddress says whether a calendar may be at an address.
func (o *Outside) checkAddress(ctx context.Context, address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, frontdesk.InvalidParam("url", "The address cannot be read.")
	}
	if u.User != nil {
		return nil, frontdesk.InvalidParam("url", "The address must not hold a user name or a password. Give the user apart, with --user, and the password when it is asked for.")
	}
	err = o.guard.CheckURL(ctx, address)
	var refusal *frontdesk.Error
	if errors.As(err, &refusal) && u.Host != "" {
		return nil, &frontdesk.Error{
			Kind: refusal.Kind, Code: refusal.Code, Param: refusal.Param,
			Message: refusal.Message + " A server of your own is opened with FRONTDESK_CALENDAR_ALLOW=" + u.Scheme + "://" + u.Host + ".",
		}
	}
	return u, err
}

// ReadDue reads all calendars that it is time to read.
func (o *Outside) ReadDue(ctx context.Context) error {
	return o.together(ctx, "calendar reader", o.readOne)
}

// WriteDue writes all appointments that it is time to write.
func (o *Outside) WriteDue(ctx context.Context) error {
	return o.together(ctx, "calendar writer", o.writeOne)
}

// together does work again and again, some of it at the same time, until nothing
// is left to do.
func (o *Outside) together(ctx context.Context, name string, work func(context.Context) (more bool, err error)) error {
	var ends []<-chan error
	for range outsideAtOnce {
		ends = append(ends, service.Go(o.log, name, func() error {
			for ctx.Err() == nil {
				if more, err := work(ctx); err != nil || !more {
					return err
				}
			}
			return nil
		}))
	}
	var errs []error
	for _, end := range ends {
		errs = append(errs, <-end)
	}
	return errors.Join(errs...)
}

// readOne reads one calendar, if one is due.
func (o *Outside) readOne(ctx context.Context) (more bool, err error) {
	now := o.now()
	claim, found, err := o.store.ClaimOutsideForWorker(ctx, now, now.Add(outsideLease))
	if err != nil || !found {
		return false, err
	}
	c := &claim.Calendar
	var busy []frontdesk.Span
	var digest []byte
	agent, err := o.store.Agent(ctx, c.Owner(), c.AgentID)
	if err == nil {
		busy, digest, err = o.read(ctx, c, agent)
	}
	if ctx.Err() != nil {
		return false, nil // it is read again when the lease ends
	}
	if err != nil {
		c.Problem, c.Tag = inWords(err), "" // read whole when it answers again: what cannot be understood of it is to be known again
		if c.FailingSince.IsZero() {
			c.FailingSince = now
		}
		o.log.Warn("outside calendar: reading failed; its last known busy times hold", "calendar", c.ID, "host", c.Host, "tenant", c.TenantID,
			"agent", agent.Slug, "answered_last", c.OKAt, "unknown", c.Unknown(now), "error", err)
	}
	return true, o.store.SaveOutsideForWorker(ctx, claim, busy, digest, o.now())
}

// read reads a calendar and notes in it how that went. Without a digest the busy
// times are what they were.
func (o *Outside) read(ctx context.Context, c *frontdesk.OutsideCalendar, agent frontdesk.Agent) (busy []frontdesk.Span, digest []byte, err error) {
	now := o.now()
	zone, err := frontdesk.LoadZone(agent.Timezone)
	if err != nil {
		return nil, nil, err
	}
	from, err := o.open(*c)
	if err != nil {
		return nil, nil, err
	}
	tag := c.Tag
	if c.ReadAt.Before(now.Add(-outsideWhole)) || c.ReadAt.Before(agent.UpdatedAt) {
		tag = "" // other days are asked for than last time, or by another clock
	}
	in := frontdesk.Span{From: now.Add(-outsideBack), To: now.Add(agent.Settings.BookingHorizon() + outsideMargin)}
	ctx, cancel := context.WithTimeout(ctx, 3*outsideTimeout)
	defer cancel()
	found, err := from.read(ctx, in, zone, tag)
	if err != nil {
		return nil, nil, err
	}
	if !found.same {
		if busy, err = o.takenBy(ctx, *c, found.periods); err != nil {
			return nil, nil, err
		}
		digest = digestOf(busy)
		c.Tag, c.ReadAt, c.Periods, c.Problem = found.tag, now.UTC().Truncate(time.Microsecond), len(busy), ""
		if found.partly != nil {
			c.Problem = "Some events cannot be understood, and take no place away: " + frontdesk.Clip(found.partly.Error(), 500)
		}
	}
	c.OKAt, c.FailingSince = now.UTC().Truncate(time.Microsecond), time.Time{}
	return busy, digest, nil
}

// ownUID ends the UIDs of appointments.
const ownUID = "@frontdesk"

var errManyTimes = fmt.Errorf("%w: more than %d busy times", ical.ErrTooMuch, mostOutside)

// takenBy are the busy times of a calendar: all but those of the agent's own
// appointments, which are in the book already, and wherever they are there.
func (o *Outside) takenBy(ctx context.Context, c frontdesk.OutsideCalendar, periods []ical.Period) ([]frontdesk.Span, error) {
	var ids []frontdesk.ID
	for _, p := range periods {
		if id, ok := ownID(p.UID); ok {
			ids = append(ids, id)
		}
	}
	own, err := o.store.OwnCaptures(ctx, c.Owner(), c.AgentID, ids)
	if err != nil {
		return nil, err
	}
	var all []frontdesk.Span
	for _, p := range periods {
		if id, ok := ownID(p.UID); !ok || !own[id] {
			all = append(all, frontdesk.Span{From: p.Start, To: p.End})
		}
	}
	if all = merged(all); len(all) > mostOutside {
		return nil, errManyTimes
	}
	return all, nil
}

func ownID(uid string) (frontdesk.ID, bool) {
	text, ours := strings.CutSuffix(uid, ownUID)
	id, ok := frontdesk.ParseID(text)
	return id, ours && ok
}

// merged are spans in their order, those that touch each other as one.
func merged(all []frontdesk.Span) (apart []frontdesk.Span) {
	slices.SortFunc(all, func(a, b frontdesk.Span) int { return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To)) })
	for _, s := range all {
		if last := len(apart) - 1; last >= 0 && !s.From.After(apart[last].To) {
			if s.To.After(apart[last].To) {
				apart[last].To = s.To
			}
			continue
		}
		apart = append(apart, s)
	}
	return apart
}

// digestOf tells one list of busy times from another.
func digestOf(all []frontdesk.Span) []byte {
	h := sha256.New()
	for _, s := range all {
		var b [16]byte
		binary.BigEndian.PutUint64(b[:8], uint64(s.From.UnixMicro()))
		binary.BigEndian.PutUint64(b[8:], uint64(s.To.UnixMicro()))
		h.Write(b[:])
	}
	return h.Sum(nil)
}
