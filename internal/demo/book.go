package demo

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// usualMinutes is how long an appointment takes that is for no known service.
const usualMinutes = 75

// book is a house's appointments, by whom they are with.
type book struct {
	house *house
	taken map[string][]stretch // by the resource's id; "": with nobody in particular
}

// stretch is a time that is taken.
type stretch struct {
	from, to time.Time
	places   int
}

// span is the days that a book is filled for, as seen from today, and how busy
// they are, 1 being as usual.
type span struct {
	first, last int
	share       float64
}

// The spans of the two modes.
var (
	liveSpan = span{-7, 14, 1}
	testSpan = span{-1, 4, 0.4}
)

// fillBooks says with whom the appointments are that calls made, and returns
// those that the houses wrote into their books themselves. The first do not
// depend on calls that come later, so that the past stays what it is.
func fillBooks(rng *rand.Rand, houses []*house, recordings []store.Recording, now time.Time, days span) []frontdesk.Capture {
	var all []frontdesk.Capture
	for _, h := range houses {
		b := &book{house: h, taken: map[string][]stretch{}}
		for _, r := range recordings {
			if r.Call.AgentID == h.agent.ID {
				b.seat(r.Captures)
			}
		}
		all = append(all, b.fill(rng, today(now), days)...)
	}
	return all
}

// seat says with whom the appointments of a call are.
func (b *book) seat(captures []frontdesk.Capture) {
	for i := range captures {
		c := &captures[i]
		if c.Kind != frontdesk.Appointment {
			continue
		}
		s := b.stretchOf(*c)
		if r, ok := b.freeFor(b.house.serviceOf(*c), s); ok {
			c.Visit.ResourceID, c.Visit.Resource = r.ID, r.Name
		}
		b.enter(*c, s)
	}
}

func (b *book) enter(c frontdesk.Capture, s stretch) {
	if c.TakesPlace() {
		b.taken[c.Visit.ResourceID] = append(b.taken[c.Visit.ResourceID], s)
	}
}

func (b *book) stretchOf(c frontdesk.Capture) stretch {
	minutes := usualMinutes
	if it := b.house.service(b.house.serviceOf(c)); it != nil {
		minutes = it.Minutes + it.Buffer
	}
	at := c.StartsAt()
	return stretch{at, at.Add(time.Duration(minutes) * time.Minute), max(1, c.Visit.Party)}
}

// serviceOf is the id of the service that an appointment is for; "": of none
// that the house has.
func (h *house) serviceOf(c frontdesk.Capture) string {
	for _, it := range h.services {
		called := it.called()
		if it.ID == c.Visit.ServiceID || strings.EqualFold(called.es, c.Service) || strings.EqualFold(called.en, c.Service) {
			return it.ID
		}
	}
	return ""
}

func (h *house) service(id string) *item {
	for _, it := range h.services {
		if it.ID == id {
			return it
		}
	}
	return nil
}

// freeFor is who does a service and is free, who has the least to do first. A
// house without people has itself.
func (b *book) freeFor(service string, s stretch) (frontdesk.Resource, bool) {
	staff := b.house.agent.Settings.Calendar.Resources
	if len(staff) == 0 {
		return frontdesk.Resource{}, b.fits("", s)
	}
	var free []frontdesk.Resource
	for _, r := range staff {
		if r.Does(service) && b.fits(r.ID, s) {
			free = append(free, r)
		}
	}
	if len(free) == 0 {
		return frontdesk.Resource{}, false
	}
	day := stretch{from: s.from.Add(-8 * time.Hour), to: s.from.Add(8 * time.Hour)}
	return slices.MinFunc(free, func(x, y frontdesk.Resource) int {
		return cmp.Compare(b.places(x.ID, day), b.places(y.ID, day))
	}), true
}

// fits says whether there is room: seats where they are counted, else nobody else.
func (b *book) fits(resource string, s stretch) bool {
	if seats := b.house.habits.seats; seats > 0 {
		return b.places(resource, s)+s.places <= seats
	}
	return b.places(resource, s) == 0
}

// places are those taken at some time of a stretch.
func (b *book) places(resource string, s stretch) (n int) {
	for _, t := range b.taken[resource] {
		if t.from.Before(s.to) && s.from.Before(t.to) {
			n += t.places
		}
	}
	return n
}

// fill fills some days around today, and returns what it added. Every day has
// random numbers of its own, so that what a call takes does not change them all.
func (b *book) fill(rng *rand.Rand, today time.Time, days span) (all []frontdesk.Capture) {
	waiting := 2 + rng.IntN(2) // for the business's word
	for day := days.first; day <= days.last; day++ {
		p := newPage(b, rand.New(rand.NewPCG(rng.Uint64(), uint64(day))), today, day)
		for i := range b.visitsOn(p.rng, p.date, days.share) {
			status := p.statuses.deal(p.rng)
			switch {
			case day > 0 && i == 0 && waiting > 0:
				status = frontdesk.PendingConfirm
				waiting--
			case day == 0, i == 0: // not all of a quiet day is cancelled
				status = frontdesk.Confirmed
			}
			if c, ok := p.add(status); ok {
				all = append(all, c)
			}
		}
	}
	return all
}

// page is one day of a book.
type page struct {
	*book
	rng         *rand.Rand
	today, date time.Time
	statuses    *deck[frontdesk.CaptureStatus]
	remarks     *deck[words]
}

func newPage(b *book, rng *rand.Rand, today time.Time, day int) *page {
	statuses := map[frontdesk.CaptureStatus]int{frontdesk.Confirmed: 14, frontdesk.Cancelled: 1, frontdesk.NoShow: 1}
	if day >= 0 {
		statuses = map[frontdesk.CaptureStatus]int{frontdesk.Confirmed: 19, frontdesk.Cancelled: 1}
	}
	return &page{
		book: b, rng: rng, today: today, date: today.AddDate(0, 0, day),
		statuses: newDeck(cards(statuses, frontdesk.CaptureStatuses)), remarks: newDeck(b.house.habits.remarks),
	}
}

// visitsOn is how many appointments a date still lacks. A short day has fewer.
func (b *book) visitsOn(rng *rand.Rand, date time.Time, share float64) int {
	shift, open := b.house.shiftOn(date)
	if !open {
		return 0
	}
	longest := 0
	for _, s := range b.house.agent.Config.Hours {
		if s != (frontdesk.Shift{}) {
			longest = max(longest, openSpan(s))
		}
	}
	usual := b.house.habits.visits
	wanted := float64(usual[0]+rng.IntN(usual[1]-usual[0]+1)) * share
	wanted *= (1 + float64(openSpan(shift))/float64(longest)) / 2 // a short day is busier
	return max(1, int(wanted+0.5)) - b.standingOn(date)
}

func (b *book) standingOn(date time.Time) (n int) {
	for _, stretches := range b.taken {
		for _, s := range stretches {
			if s.from.In(b.house.loc).Format(time.DateOnly) == date.Format(time.DateOnly) {
				n++
			}
		}
	}
	return n
}

// add writes an appointment into the book, where it finds a place for it. The
// business writes in its own language, whatever its customers speak.
func (p *page) add(status frontdesk.CaptureStatus) (frontdesk.Capture, bool) {
	h := p.house
	shift, _ := h.shiftOn(p.date)
	for range 30 {
		it := h.service(pick(p.rng, h.habits.usual))
		at := time.Date(p.date.Year(), p.date.Month(), p.date.Day(), h.bookableHour(p.rng, shift), 15*p.rng.IntN(4), 0, 0, h.loc)
		c := frontdesk.Capture{
			AgentID: h.agent.ID, Channel: frontdesk.Web, Kind: frontdesk.Appointment, Status: status,
			ScheduledAt: frontdesk.LocalTimeOf(at), Timezone: h.agent.Timezone, Service: upperFirst(it.called().in(h.agent.Languages[0])),
			Visit: frontdesk.Visit{ServiceID: it.ID, Duration: it.Minutes, Minutes: it.Minutes + it.Buffer},
		}
		if h.habits.seats > 0 {
			c.Visit.Party = pick(p.rng, []int{2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 6})
		}
		s := p.stretchOf(c)
		r, free := p.freeFor(it.ID, s)
		if !free || !h.openAt(at) || !h.openAt(s.to.Add(-time.Duration(it.Buffer+1)*time.Minute)) {
			continue
		}
		c.Visit.ResourceID, c.Visit.Resource = r.ID, r.Name
		p.enter(c, s)
		return p.sign(c, at), true
	}
	return frontdesk.Capture{}, false
}

// sign says who an appointment is for, and who wrote it down when: the business
// itself, or the form of its website, which waits for a word.
func (p *page) sign(c frontdesk.Capture, at time.Time) frontdesk.Capture {
	h := p.house
	c.Language = pick(p.rng, cards(h.habits.languages, frontdesk.Languages))
	who := newCaller(p.rng, c.Language)
	c.CustomerName, c.CustomerPhone, c.ConfirmationCode = who.name(), who.phone, randomCode(p.rng)
	c.Notes = p.remarks.deal(p.rng).in(h.agent.Languages[0])
	if h.listings != nil && c.Visit.ServiceID == "visita" {
		l := pick(p.rng, only(h.listings, func(it *item) bool { return it.Status == "available" }))
		c.Notes = frontdesk.TidyNotes(l.Ref + ", " + l.called().in(h.agent.Languages[0]) + "\n" + c.Notes)
	}
	c.Source = frontdesk.FromConsole
	if c.Status == frontdesk.PendingConfirm || p.rng.IntN(3) == 0 {
		c.Source = frontdesk.FromAPI
	}
	day := p.date
	if day.After(p.today) {
		day = p.today
	}
	earliest := 9 // days before
	if c.Status == frontdesk.PendingConfirm {
		earliest = 2
	}
	c.CreatedAt = day.AddDate(0, 0, -1-p.rng.IntN(earliest)).Add(8*time.Hour + time.Duration(p.rng.IntN(11*60*60))*time.Second)
	c.ID, c.UpdatedAt = randomID(p.rng, c.CreatedAt), c.CreatedAt
	if c.Status == frontdesk.NoShow {
		c.UpdatedAt = at.UTC().Add(30 * time.Minute)
	}
	return c
}
