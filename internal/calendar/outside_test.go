package calendar_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/caldav/caldavtest"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func newBox(t testing.TB) *seal.Box {
	t.Helper()
	var key [32]byte
	rand.Read(key[:])
	box, err := seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(key[:])))
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// file is a calendar at an address, as a provider serves it.
type file struct {
	mu     sync.Mutex
	text   string
	status int // 0: well
	asked  atomic.Int64
	unsaid atomic.Int64 // answers that nothing has changed
	*httptest.Server
}

func newFile(t *testing.T, events ...string) *file {
	t.Helper()
	f := &file{}
	f.set(events...)
	f.Server = httptest.NewTLSServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *file) set(events ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n"
	for i, e := range events {
		f.text += "BEGIN:VEVENT\r\nUID:event-" + string(rune('a'+i)) + "\r\nDTSTAMP:20260101T000000Z\r\n" + strings.ReplaceAll(e, "|", "\r\n") + "\r\nEND:VEVENT\r\n"
	}
	f.text += "END:VCALENDAR\r\n"
}

func (f *file) fail(status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = status
}

func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked.Add(1)
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(f.text)))
	switch {
	case f.status != 0:
		w.WriteHeader(f.status)
	case strings.HasPrefix(r.URL.Path, "/moved"):
		http.Redirect(w, r, "/basic.ics", http.StatusFound)
	case r.Header.Get("If-None-Match") == tag:
		f.unsaid.Add(1)
		w.WriteHeader(http.StatusNotModified)
	default:
		w.Header().Set("ETag", tag)
		w.Write([]byte(f.text))
	}
}

// guard lets requests reach the server.
func (f *file) guard(t *testing.T) *egress.Guard {
	t.Helper()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := egress.New(egress.Options{Allow: []string{f.URL}, CAFile: ca})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// outsideDesk is a business whose calendar is not the only one.
type outsideDesk struct {
	calendarDesk
	clock   *servicetest.Clock
	box     *seal.Box
	outside *calendar.Outside
}

func newOutsideDesk(t *testing.T, guard *egress.Guard, change func(*frontdesk.Agent)) outsideDesk {
	t.Helper()
	d := outsideDesk{calendarDesk: newCalendarDesk(t, change), clock: servicetest.NewClock(noon), box: newBox(t)}
	d.outside = calendar.NewOutside(d.store, d.box, guard, d.clock.Now, quiet())
	return d
}

func (d outsideDesk) connect(in calendar.NewOutsideCalendar) frontdesk.OutsideCalendar {
	d.Helper()
	c, err := d.outside.Connect(ctx, d.caller(), in)
	if err != nil {
		d.Fatal(err)
	}
	return c
}

func (d outsideDesk) readDue() {
	d.Helper()
	if err := d.outside.ReadDue(ctx); err != nil {
		d.Fatal(err)
	}
}

func (d outsideDesk) writeDue() {
	d.Helper()
	if err := d.outside.WriteDue(ctx); err != nil {
		d.Fatal(err)
	}
}

// state is the only calendar as it is kept.
func (d outsideDesk) state() frontdesk.OutsideCalendar {
	d.Helper()
	all, err := d.store.OutsideCalendars(ctx, d.caller().Owner())
	if err != nil || len(all) != 1 {
		d.Fatal(all, err)
	}
	return all[0]
}

// free says whether a wish of Wednesday can be had.
func (d outsideDesk) free(hour, minute int) bool {
	d.Helper()
	return d.openings(d.caller(), wish(hour, minute), d.clock.Now()).Free
}

func TestAnICSAddressTakesPlacesAway(t *testing.T) {
	t.Parallel()
	f := newFile(t,
		"DTSTART:20261118T090000Z|DTEND:20261118T100000Z",              // ten to eleven
		"DTSTART:20261118T130000|DURATION:PT1H",                        // by the agent's clock
		"DTSTART:20261118T160000Z|DURATION:PT1H|TRANSP:TRANSPARENT",    // free
		"DTSTART:20261118T170000Z|DURATION:PT1H|STATUS:CANCELLED",      // off
		"DTSTART:20260107T150000Z|DURATION:PT30M|RRULE:FREQ=WEEKLY",    // every Wednesday, four to half past
		"DTSTART;VALUE=DATE:20261119",                                  // all Thursday
		"DTSTART;TZID=America/New_York:20261120T040000|DURATION:PT11H", // Friday, by another clock
	)
	d := newOutsideDesk(t, f.guard(t), nil)
	d.connect(calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: f.URL + "/moved/secret.ics"})
	for at, want := range map[dates.Clock]bool{
		{Hour: 9}: true, {Hour: 9, Minute: 30}: false, {Hour: 10}: false, {Hour: 10, Minute: 30}: false, {Hour: 11}: true, {Hour: 12, Minute: 10}: true,
		{Hour: 12, Minute: 11}: false, {Hour: 13}: false, {Hour: 14}: true, {Hour: 16}: false, {Hour: 16, Minute: 30}: true, {Hour: 17}: true, {Hour: 18}: true,
	} {
		if got := d.free(at.Hour, at.Minute); got != want {
			t.Errorf("%v: free is %v", at, got)
		}
	}
	who := d.caller()
	for name, day := range map[string]dates.Date{"Thursday": {Year: 2026, Month: 11, Day: 19}, "Friday": {Year: 2026, Month: 11, Day: 20}} {
		w := wish(12, 0)
		w.Date = day
		if o := d.openings(who, w, noon); o.Free {
			t.Errorf("%s is not taken", name)
		}
	}
	// Whoever books asks the same book.
	if _, err := d.calendar.Book(ctx, who, booking("a", wish(10, 0))); !errors.Is(err, calendar.ErrTaken) {
		t.Errorf("a caller books it: %v", err)
	}
	if o := d.hold(who, wish(10, 0), noon); o.Free {
		t.Error("a caller holds it")
	}
	e := calendar.Entry{ScheduledAt: "2026-11-18T10:00:00", Now: noon}
	if _, err := d.calendar.Enter(ctx, who, e); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("the business books it: %v", err)
	}
	e.Force = true
	if _, err := d.calendar.Enter(ctx, who, e); err != nil {
		t.Errorf("the business may all the same: %v", err)
	}
	days, err := d.calendar.Agenda(ctx, who, dates.Date{Year: 2026, Month: 11, Day: 18}, dates.Date{Year: 2026, Month: 11, Day: 20}, noon)
	if err != nil || len(days) != 2 || len(days[0].Busy) != 3 || len(days[1].Busy) != 1 || len(days[0].Captures) != 1 {
		t.Errorf("the agenda: %+v, %v", days, err)
	}
}

func TestACalendarOfOneOfThem(t *testing.T) {
	t.Parallel()
	f := newFile(t, "DTSTART:20261118T090000Z|DTEND:20261118T100000Z")
	d := newOutsideDesk(t, f.guard(t), func(a *frontdesk.Agent) {
		changed, err := wire.DecodeCalendar([]byte(`{"resources": [{"id": "luis", "name": "Luis"}, {"id": "ana", "name": "Ana"}]}`), *a)
		if err != nil {
			t.Fatal(err)
		}
		*a = changed
	})
	d.connect(calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: f.URL + "/luis.ics", ResourceID: "luis"})
	for with, want := range map[string]bool{"": true, "ana": true, "luis": false} {
		w := wish(10, 0)
		w.Resource = with
		if o := d.openings(d.caller(), w, noon); o.Free != want {
			t.Errorf("with %q: %+v", with, o)
		}
	}
	if c := d.book(d.caller(), booking("a", wish(10, 0))); c.Visit.ResourceID != "ana" {
		t.Errorf("it is with %q", c.Visit.ResourceID)
	}
	_, err := d.outside.Connect(ctx, d.caller(), calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: f.URL + "/x.ics", ResourceID: "eva"})
	if err == nil || !strings.Contains(err.Error(), "eva") {
		t.Errorf("whose is it? %v", err)
	}
}

// The clocks go back in the night to the 25th of October and forth in the night
// to the 28th of March: what recurs stays at its hour.
func TestOutsideRecurrencesKeepTheirHour(t *testing.T) {
	t.Parallel()
	f := newFile(t, "DTSTART;TZID=Europe/Madrid:20260601T100000|DURATION:PT1H|RRULE:FREQ=WEEKLY;BYDAY=MO", "DTSTART:20260602T100000|DURATION:PT1H|RRULE:FREQ=WEEKLY;BYDAY=TU")
	d := newOutsideDesk(t, f.guard(t), nil)
	d.connect(calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: f.URL + "/a.ics"})
	for _, day := range []dates.Date{{Year: 2026, Month: 11, Day: 23}, {Year: 2027, Month: 3, Day: 29}, {Year: 2027, Month: 3, Day: 30}, {Year: 2027, Month: 4, Day: 6}} {
		for hour, want := range map[int]bool{9: true, 10: false, 11: true} {
			w := wish(hour, 0)
			w.Date = day
			if o := d.openings(d.caller(), w, noon); o.Free != want {
				t.Errorf("%v at %d: %+v", day, hour, o)
			}
		}
	}
}

func TestWhenACalendarCannotBeReached(t *testing.T) {
	t.Parallel()
	f := newFile(t, "DTSTART:20261118T090000Z|DTEND:20261118T100000Z")
	d := newOutsideDesk(t, f.guard(t), nil)
	d.connect(calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: f.URL + "/a.ics"})
	before := d.book(d.caller(), booking("before", wish(12, 0)))
	if _, err := d.calendar.SetStatus(ctx, d.caller(), before.ID, frontdesk.Confirmed, noon); err != nil {
		t.Fatal(err)
	}
	book := func(key string, hour int, want bool) {
		t.Helper()
		b := booking(key, wish(hour, 0))
		b.Phone, b.Now = "+3460000000"+key, d.clock.Now()
		if c := d.book(d.caller(), b); c.Unchecked != want || c.Status != frontdesk.PendingConfirm {
			t.Errorf("%s: unchecked is %v, and it is %s", key, c.Unchecked, c.Status)
		}
	}
	f.fail(http.StatusBadGateway)
	for range 3 { // it is asked every minute now, and has answered a quarter of an hour ago at the end
		d.clock.Forward(5 * time.Minute)
		d.readDue()
	}
	if s := d.state(); s.Problem == "" || s.FailingSince.IsZero() || s.Unknown(d.clock.Now()) {
		t.Fatalf("it is %+v", s)
	}
	book("2", 14, false)
	d.clock.Forward(time.Minute)
	d.readDue()
	book("3", 15, true)
	if d.free(10, 0) {
		t.Error("what is known last holds no more")
	}
	moved := booking("4", wish(16, 0))
	moved.Wish.Moving, moved.Now = before.ID, d.clock.Now()
	if c := d.book(d.caller(), moved); !c.Unchecked || c.Status != frontdesk.PendingConfirm || c.ID != before.ID {
		t.Errorf("moved: %+v", c)
	}
	e := calendar.Entry{ScheduledAt: "2026-11-18T18:00:00", Now: d.clock.Now()}
	if c, err := d.calendar.Enter(ctx, d.caller(), e); err != nil || c.Status != frontdesk.Confirmed || c.Unchecked {
		t.Errorf("the business itself: %+v, %v", c, err)
	}
	f.fail(0)
	d.clock.Forward(5 * time.Minute)
	d.readDue()
	if s := d.state(); s.Problem != "" || !s.FailingSince.IsZero() {
		t.Fatalf("it is %+v", s)
	}
	book("5", 9, false)
}

func TestAnUnchangedCalendarIsNotSentAgain(t *testing.T) {
	t.Parallel()
	f := newFile(t, "DTSTART:20261118T090000Z|DTEND:20261118T100000Z")
	d := newOutsideDesk(t, f.guard(t), nil)
	d.connect(calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: f.URL + "/a.ics"})
	d.readDue()
	if n := f.asked.Load(); n != 1 {
		t.Fatalf("asked %d times at once", n)
	}
	d.clock.Forward(frontdesk.OutsideEvery)
	d.readDue()
	if f.asked.Load() != 2 || f.unsaid.Load() != 1 || d.free(10, 0) {
		t.Errorf("asked %d times, %d unchanged", f.asked.Load(), f.unsaid.Load())
	}
	f.set("DTSTART:20261118T120000Z|DTEND:20261118T130000Z|SUMMARY:Another")
	d.clock.Forward(frontdesk.OutsideEvery)
	d.readDue()
	if !d.free(10, 0) || d.free(13, 0) {
		t.Error("what has changed is not seen")
	}
	// Half a day later other days can be booked: it is read whole.
	d.clock.Forward(13 * time.Hour)
	d.readDue()
	if f.unsaid.Load() != 1 {
		t.Error("it was not read whole")
	}
}

func TestTwoNodesReadACalendarOnce(t *testing.T) {
	t.Parallel()
	f := newFile(t)
	d := newOutsideDesk(t, f.guard(t), nil)
	d.connect(calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: f.URL + "/a.ics"})
	other := calendar.NewOutside(d.store, d.box, f.guard(t), d.clock.Now, quiet())
	d.clock.Forward(frontdesk.OutsideEvery)
	together(t, d.outside.ReadDue, other.ReadDue)
	if n := f.asked.Load(); n != 2 {
		t.Errorf("asked %d times, want once for connecting and once for reading", n)
	}
}

func TestWhatCannotBeConnected(t *testing.T) {
	t.Parallel()
	f := newFile(t)
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	closed, err := egress.New(egress.Options{Allow: []string{s.URL}})
	if err != nil {
		t.Fatal(err)
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>Sign in</html>")) }))
	t.Cleanup(page.Close)
	login, err := egress.New(egress.Options{Allow: []string{page.URL}})
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		guard  *egress.Guard
		kind   frontdesk.OutsideKind
		url    string
		status int
		want   string
	}{
		"an inner address":  {closed, frontdesk.OutsideICS, "https://10.0.0.1/a.ics", 0, "not a public address"},
		"no encryption":     {closed, frontdesk.OutsideICS, "http://example.com/a.ics", 0, "https://"},
		"nobody listens":    {closed, frontdesk.OutsideICS, s.URL + "/a.ics", 0, "cannot be reached"},
		"a web page":        {login, frontdesk.OutsideICS, page.URL + "/a.ics", 0, "no calendar"},
		"a page for CalDAV": {login, frontdesk.OutsideCalDAV, page.URL + "/a/", 0, "no calendar"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newOutsideDesk(t, tt.guard, nil)
			_, err := d.outside.Connect(ctx, d.caller(), calendar.NewOutsideCalendar{Kind: tt.kind, Address: tt.url})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("one that is gone", func(t *testing.T) {
		t.Parallel()
		d := newOutsideDesk(t, f.guard(t), nil)
		f.fail(http.StatusGone)
		_, err := d.outside.Connect(ctx, d.caller(), calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: f.URL + "/very-secret.ics"})
		if err == nil || !strings.Contains(err.Error(), "no calendar at the address (410)") || strings.Contains(err.Error(), "very-secret") {
			t.Errorf("got %v", err)
		}
	})
}

// together runs work at the same time.
func together(t *testing.T, work ...func(context.Context) error) {
	t.Helper()
	var wg sync.WaitGroup
	for _, w := range work {
		wg.Go(func() {
			if err := w(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// caldavDesk is a business with a calendar on a CalDAV server.
func caldavDesk(t *testing.T, s *caldavtest.Server) outsideDesk {
	t.Helper()
	d := newOutsideDesk(t, s.Guard(), nil)
	d.connect(calendar.NewOutsideCalendar{Kind: frontdesk.OutsideCalDAV, Address: s.Calendar, User: s.User, Password: frontdesk.Secret(s.Password)})
	return d
}

func TestAppointmentsOnARealServer(t *testing.T) {
	t.Parallel()
	caldavtest.Each(t, func(t *testing.T, s *caldavtest.Server) {
		d := caldavDesk(t, s)
		c := d.book(d.caller(), booking("a", wish(10, 0)))
		d.writeDue()
		text := s.Event(string(c.ID))
		for _, want := range []string{"Limpieza: Ana Garc", "UID:" + string(c.ID) + "@frontdesk", "DTSTART;TZID=Europe/Madrid:20261118T100000", "STATUS:TENTATIVE"} {
			if !strings.Contains(text, want) {
				t.Fatalf("%s is not in\n%s", want, text)
			}
		}
		// It takes its place once: what is read back is no second one.
		d.clock.Forward(frontdesk.OutsideEvery)
		d.readDue()
		if st := d.state(); st.Periods != 0 || st.Problem != "" {
			t.Fatalf("read back: %+v", st)
		}
		w := wish(10, 30) // it overlaps where it is now
		w.Moving = c.ID
		b := booking("b", w)
		b.Now = d.clock.Now()
		d.book(d.caller(), b)
		d.writeDue()
		if text := s.Event(string(c.ID)); !strings.Contains(text, "20261118T103000") || s.Count() != 1 {
			t.Fatalf("%d events\n%s", s.Count(), text)
		}
		// What somebody else writes there takes a place.
		s.Put("meeting", "DTSTART:20261118T140000Z", "DURATION:PT1H")
		d.clock.Forward(frontdesk.OutsideEvery)
		d.readDue()
		if d.free(15, 0) || !d.free(16, 0) {
			t.Errorf("the meeting takes nothing: %+v", d.state())
		}
		if err := d.calendar.Cancel(ctx, d.caller(), c.ID, d.clock.Now()); err != nil {
			t.Fatal(err)
		}
		d.writeDue()
		if s.Event(string(c.ID)) != "" || s.Count() != 1 {
			t.Error("what was cancelled is still there")
		}
	})
}

// A process that is killed after the booking leaves the row to the next one, and
// one that is killed after the write, or whose answer was lost, writes again:
// there is one event.
func TestExactlyOneEvent(t *testing.T) {
	t.Parallel()
	caldavtest.Each(t, func(t *testing.T, s *caldavtest.Server) {
		d := caldavDesk(t, s)
		c := d.book(d.caller(), booking("a", wish(10, 0)))
		// Killed between the claim and the request: nothing was written.
		if _, found, err := d.store.ClaimCalendarWriteForWorker(ctx, noon, noon.Add(2*time.Minute)); err != nil || !found {
			t.Fatal(found, err)
		}
		d.writeDue()
		if s.Count() != 0 {
			t.Fatal("who has it is not believed in")
		}
		d.clock.Forward(3 * time.Minute)
		d.writeDue()
		if s.Count() != 1 {
			t.Fatalf("%d events", s.Count())
		}
		// Written, and killed before that was saved.
		b := booking("b", wish(12, 0))
		b.Now = d.clock.Now()
		lost := d.book(d.caller(), b)
		if _, _, err := d.store.ClaimCalendarWriteForWorker(ctx, d.clock.Now(), d.clock.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		s.PutText(string(lost.ID), "UID:"+string(lost.ID)+"@frontdesk", "DTSTART:20261118T110000Z", "DURATION:PT40M")
		d.clock.Forward(2 * time.Minute)
		other := calendar.NewOutside(d.store, d.box, s.Guard(), d.clock.Now, quiet())
		together(t, d.outside.WriteDue, other.WriteDue, d.outside.WriteDue)
		if s.Count() != 2 || !strings.Contains(s.Event(string(lost.ID)), "Ana Garc") || s.Event(string(c.ID)) == "" {
			t.Errorf("%d events", s.Count())
		}
		if f, err := d.store.CalendarWrites(ctx, d.caller().Owner()); err != nil || len(f) != 0 {
			t.Errorf("still to be written: %v, %v", f, err)
		}
	})
}

func TestAServerThatIsAway(t *testing.T) {
	t.Parallel()
	s := caldavtest.Radicale(t)
	d := caldavDesk(t, s)
	s.Stop()
	c := d.book(d.caller(), booking("a", wish(10, 0)))
	id := d.state().ID
	figures := func() frontdesk.CalendarWrites {
		t.Helper()
		f, err := d.store.CalendarWrites(ctx, d.caller().Owner())
		if err != nil {
			t.Fatal(err)
		}
		return f[id]
	}
	for _, wait := range frontdesk.RetrySchedule() {
		if f := figures(); f.Waiting != 1 || f.Dead != 0 {
			t.Fatalf("figures %+v", f)
		}
		d.clock.Forward(wait)
		d.writeDue()
	}
	if f := figures(); f.Waiting != 0 || f.Dead != 1 || f.Problem == "" {
		t.Fatalf("figures %+v", f)
	}
	d.readDue() // which fails as well
	s.Start()
	d.clock.Forward(frontdesk.OutsideEvery)
	d.readDue()
	d.writeDue() // what was given up is written when it answers again
	if f := figures(); f != (frontdesk.CalendarWrites{}) || !strings.Contains(s.Event(string(c.ID)), "Ana Garc") {
		t.Errorf("figures %+v", f)
	}
}

// An appointment that goes from one to another goes from calendar to calendar.
func TestAnAppointmentChangesHands(t *testing.T) {
	t.Parallel()
	s := caldavtest.Radicale(t)
	d := newOutsideDesk(t, s.Guard(), func(a *frontdesk.Agent) {
		changed, err := wire.DecodeCalendar([]byte(`{"resources": [{"id": "luis", "name": "Luis"}, {"id": "ana", "name": "Ana"}]}`), *a)
		if err != nil {
			t.Fatal(err)
		}
		*a = changed
	})
	d.connect(calendar.NewOutsideCalendar{
		Kind: frontdesk.OutsideCalDAV, Address: s.Calendar, User: s.User, Password: frontdesk.Secret(s.Password), ResourceID: "luis",
	})
	give := func(c frontdesk.Capture, to string) {
		t.Helper()
		d.clock.Forward(time.Second)
		if _, err := d.calendar.Change(ctx, d.caller(), c.ID, calendar.Patch{ResourceID: &to, Now: d.clock.Now()}); err != nil {
			t.Fatal(err)
		}
		d.writeDue()
	}
	w := wish(10, 0)
	w.Resource = "ana"
	c := d.book(d.caller(), booking("a", w))
	d.writeDue()
	if s.Count() != 0 {
		t.Fatal("Luis has Ana's appointment")
	}
	give(c, "luis")
	if s.Event(string(c.ID)) == "" {
		t.Fatal("Luis does not have his appointment")
	}
	give(c, "ana")
	if s.Count() != 0 {
		t.Error("Luis still has it")
	}
}

func TestRekeyCalendars(t *testing.T) {
	t.Parallel()
	const (
		oldKey = frontdesk.Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
		newKey = frontdesk.Secret("Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=")
	)
	box := func(key frontdesk.Secret, older ...frontdesk.Secret) *seal.Box {
		b, err := seal.New(key, older...)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	f := newFile(t)
	d := newOutsideDesk(t, f.guard(t), nil)
	d.outside = calendar.NewOutside(d.store, box(oldKey), f.guard(t), d.clock.Now, quiet())
	c := d.connect(calendar.NewOutsideCalendar{Kind: frontdesk.OutsideICS, Address: f.URL + "/a.ics", User: "ana", Password: "secret"})
	if _, err := calendar.Rekey(ctx, d.store, box(newKey), nil); err == nil {
		t.Error("without the old key nothing can be sealed anew")
	}
	if n, err := calendar.Rekey(ctx, d.store, box(newKey, oldKey), nil); err != nil || n != 1 {
		t.Fatalf("%d calendars, %v", n, err)
	}
	kept := d.state()
	address, err := box(newKey).Open("calendar address "+string(c.ID), kept.URL)
	if err != nil || string(address) != f.URL+"/a.ics" {
		t.Errorf("the address: %v", err)
	}
	if password, err := box(newKey).Open("calendar password "+string(c.ID), kept.Password); err != nil || string(password) != "secret" {
		t.Errorf("the password: %v", err)
	}
}
