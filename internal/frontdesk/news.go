package frontdesk

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// News is what happened to a capture. Old is the capture as it was, zero when it
// is new.
type News struct {
	Agent      Agent
	Live       bool
	Old, New   Capture
	ByCustomer bool   // rather than by the business itself
	Language   string // of the conversation it happened in; "": in none
	Now        time.Time
}

// Telling is what news mean for the notices of a capture.
type Telling struct {
	Notices []Notice
	// EndReminders: those that were to come are about what is not so any more.
	EndReminders bool
}

const (
	// ownerDelay lets a caller add to what was just written down before its
	// business is told.
	ownerDelay = 30 * time.Second
	// remindAtLeast is how long before an appointment a reminder is of use.
	remindAtLeast = time.Hour
	// beforeQuiet is how long before the quiet hours something comes that would
	// fall into them.
	beforeQuiet = 15 * time.Minute
)

// Telling says who is to be told of the news.
func (n News) Telling() Telling {
	told := Telling{EndReminders: n.endsReminders()}
	if !n.Agent.Settings.Notices.Told() {
		return told
	}
	kind := n.ForCustomer()
	if kind != "" {
		told.add(n.customer(kind, n.Now), n.unwritable(kind))
	}
	if n.New.TakesPlace() && (told.EndReminders || !n.Old.TakesPlace() || n.elsewhere()) {
		told.EndReminders = true
		for _, at := range n.reminders(kind != "") {
			told.add(n.customer(NoticeReminder, at))
		}
	}
	if kind := n.forOwner(); kind != "" {
		told.Notices = append(told.Notices, n.owner(kind)...)
	}
	return told
}

// add adds the first of some notices that has an address.
func (t *Telling) add(some ...Notice) {
	for _, n := range some {
		if n.Address != "" {
			t.Notices = append(t.Notices, n)
			return
		}
	}
}

// elsewhere says whether the customer is reached at another address than before.
func (n News) elsewhere() bool {
	before := n
	before.New = n.Old
	return before.customer("", n.Now).Address != n.customer("", n.Now).Address
}

// mailedElsewhere says whether the customer has left an e-mail address that was
// not written to before, and is told there.
func (n News) mailedElsewhere() bool {
	left := n.New.Visit.Email
	return left != "" && left != n.Old.Visit.Email && n.customer(NoticeConfirmation, n.Now).Channel != ByText
}

func (n News) endsReminders() bool {
	return n.Old.TakesPlace() && (!n.New.TakesPlace() || n.Old.ScheduledAt != n.New.ScheduledAt)
}

// ForCustomer is what the customer is told, where they can be; "": nothing that
// matters to them has changed.
func (n News) ForCustomer() NoticeKind {
	switch {
	case n.New.Over(n.Now):
		return ""
	case n.New.Kind == Waiting && n.New.Status != Cancelled && (n.Old.ID == "" || n.mailedElsewhere()):
		return NoticeWaiting
	case n.Old.ID == "" && n.New.TakesPlace():
		return NoticeConfirmation
	case n.Old.ID == "":
		return ""
	case n.Old.TakesPlace() && n.New.Status == Cancelled:
		return NoticeCancellation
	case !n.New.TakesPlace():
		return ""
	case !n.Old.TakesPlace(), n.Old.Status == PendingConfirm && n.New.Status == Confirmed, n.mailedElsewhere():
		return NoticeConfirmation
	case n.Old.ScheduledAt != n.New.ScheduledAt, n.Old.Service != n.New.Service, n.Old.Visit.Party != n.New.Visit.Party,
		n.Old.Visit.ResourceID != n.New.Visit.ResourceID:
		return NoticeChange
	}
	return ""
}

// forOwner is what the business is told: what others did, not what it did
// itself.
func (n News) forOwner() NoticeKind {
	switch {
	case !n.ByCustomer:
		return ""
	case n.New.Urgency == Urgent && n.Old.ID == "":
		return OwnerUrgent
	case n.Old.ID == "" && (n.New.Kind == Appointment || n.New.Kind == Order):
		return OwnerBooking
	case n.Old.ID == "":
		return OwnerMessage
	case n.Old.Status != Cancelled && n.New.Status == Cancelled:
		return OwnerCancellation
	case n.Old.Kind == Waiting && n.New.TakesPlace():
		return OwnerBooking
	}
	return OwnerChange
}

func (n News) notice(kind NoticeKind, at time.Time) Notice {
	now := n.Now.UTC().Truncate(time.Microsecond)
	return Notice{
		ID: NewID(now), AgentID: n.Agent.ID, CaptureID: n.New.ID, CallID: n.New.CallID, Live: n.Live, Kind: kind, Language: n.language(),
		ScheduledAt: n.New.ScheduledAt, Former: n.Old.ScheduledAt, Status: NoticePending, CreatedAt: now, DueAt: at.UTC().Truncate(time.Microsecond),
	}
}

// language is the one that the customer is written to in: that of the
// conversation, else the one that was said for them, else, for who was booked
// without a call, the one of their telephone's country if the agent speaks it.
// "" leaves it to the call and the agent.
func (n News) language() string {
	if said := cmp.Or(n.Language, n.New.Language); said != "" || n.New.CallID != "" {
		return said
	}
	return LanguageOfPhone(n.New.CustomerPhone, n.New.Timezone, n.Agent.Languages)
}

// customer is a notice to the customer, by the first of the house's channels for
// which they left an address.
func (n News) customer(kind NoticeKind, at time.Time) Notice {
	told := n.notice(kind, at)
	for _, channel := range n.Agent.Settings.Notices.Customer {
		switch channel {
		case ByEmail:
			if IsEmail(n.New.Visit.Email) {
				told.Address = n.New.Visit.Email
			}
		case ByText:
			told.Address = Textable(n.New.CustomerPhone, n.New.Timezone, n.Agent.Settings.Notices.Countries)
		}
		if told.Address != "" {
			told.Channel = channel
			break
		}
	}
	return told
}

// unwritable is a notice that ends as it begins, because what the customer left
// as an e-mail address is none: so that somebody sees it. It has no address where
// that is not so.
func (n News) unwritable(kind NoticeKind) Notice {
	left := n.New.Visit.Email
	if left == "" || IsEmail(left) || !slices.Contains(n.Agent.Settings.Notices.Customer, ByEmail) {
		return Notice{}
	}
	told := n.notice(kind, n.Now)
	told.Channel, told.Address = ByEmail, left
	return told.After(kind.BadAddress(), n.Now, 0)
}

// owner are the notices to the business, at each of its addresses.
func (n News) owner(kind NoticeKind) (all []Notice) {
	o := n.Agent.Settings.Notices.Owner
	at := n.Now.Add(ownerDelay)
	if kind == OwnerUrgent || kind == OwnerPlaceFree {
		at = n.Now
	} else if o.Daily {
		return nil
	}
	for _, address := range o.Emails {
		told := n.notice(kind, at)
		told.Language, told.Channel, told.Address = n.Agent.Languages[0], ByEmail, address
		all = append(all, told)
	}
	for _, address := range o.Phones {
		told := n.notice(kind, n.awake(kind, at))
		told.Language, told.Channel, told.Address = n.Agent.Languages[0], ByText, address
		all = append(all, told)
	}
	return all
}

// TellOfCall are the notices to a business of an urgent call that has brought in
// nothing.
func TellOfCall(a Agent, live bool, c Call) []Notice {
	ended := c.StartedAt.Add(time.Duration(c.Duration) * time.Second)
	return News{Agent: a, Live: live, New: Capture{CallID: c.ID}, Now: ended}.owner(OwnerUrgent)
}

// TellOfPlace are the notices of a place that came free for who waits for one: to
// them or, where they left no address that the house writes to, to the business,
// which can call them.
func TellOfPlace(a Agent, live bool, waiting Capture, at LocalTime, now time.Time) []Notice {
	n := News{Agent: a, Live: live, New: waiting, Now: now}
	n.New.ScheduledAt = at
	all := []Notice{n.customer(NoticePlaceFree, now)}
	if all[0].Address == "" {
		all = n.owner(OwnerPlaceFree)
	}
	for i := range all {
		all[i].Former, all[i].Once = "", strings.Join([]string{"place", string(waiting.ID), string(at), all[i].Address}, " ")
	}
	return all
}

// awake is when a text message to the business does not wake anybody. What is
// urgent may.
func (n News) awake(kind NoticeKind, at time.Time) time.Time {
	zone, err := LoadZone(n.Agent.Timezone)
	if err != nil || kind == OwnerUrgent {
		return at
	}
	if _, until, quiet := n.Agent.Settings.Notices.QuietAround(at, zone); quiet {
		return until
	}
	return at
}

// reminders are the instants at which the customer is reminded, none of them in
// the quiet hours. Who is told of it now remembers for a while.
func (n News) reminders(toldNow bool) (all []time.Time) {
	zone, err := LoadZone(n.New.Timezone)
	if err != nil {
		return nil
	}
	starts := n.New.StartsAt()
	for _, before := range n.Agent.Settings.Notices.RemindersBefore() {
		at := starts.Add(-before)
		if !at.After(n.Now) || toldNow && at.Sub(n.Now) < before/2 {
			continue
		}
		if since, until, quiet := n.Agent.Settings.Notices.QuietAround(at, zone); quiet {
			at = until
			if starts.Sub(until) < min(remindAtLeast, before) {
				at = since.Add(-beforeQuiet)
			}
			if !at.After(n.Now) {
				continue
			}
		}
		all = append(all, at)
	}
	return all
}
