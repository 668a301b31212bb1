package turns

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// Whatever is cut off when, nothing is booked without a read-back that was played
// whole and a yes after it. The receptionist is the real one; the carrier plays what
// it is sent and keeps its own account of what the caller has heard.
func TestNothingIsBookedUnheard(t *testing.T) {
	t.Parallel()
	clock := servicetest.NewClock(testDay)
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "lola")
	agent := frontdesk.Agent{
		ID: frontdesk.NewID(testDay), TenantID: tenant.ID, Slug: "desk", Vertical: "clinic", DisplayName: "Clínica Lola",
		Status: frontdesk.AgentActive, Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: testDay, UpdatedAt: testDay,
		Config: frontdesk.AgentConfig{Services: json.RawMessage(`[{"id":"checkup","name":"Revisión","duration_minutes":5,"price":30}]`)},
	}
	agent.Settings.Capacity = 1000
	if err := s.CreateAgent(context.Background(), frontdesk.Actor{}, agent); err != nil {
		t.Fatal(err)
	}
	sessions := reception.NewSessions(reception.SessionOptions{Store: s, Now: clock.Now, Limits: reception.Limits{BookingsPerAgent: -1, BookingsPerPhone: -1}})
	owner := frontdesk.Owner{TenantID: tenant.ID, Live: true}
	booked := 0
	for seed := range uint64(60) {
		l := &heardLine{TB: t, sessions: sessions, clock: clock, r: rand.New(rand.NewPCG(seed, 11)), seed: seed}
		l.ring(owner, agent.ID)
		for range 40 {
			if l.ended {
				break
			}
			l.something()
		}
		booked += l.booked
	}
	if booked < 10 {
		t.Errorf("%d calls ended in a booking: nothing is shown by that", booked)
	}
}

// heardLine is a call whose carrier plays what it is sent, and whose caller speaks at
// any moment.
type heardLine struct {
	testing.TB
	sessions *reception.Sessions
	clock    *servicetest.Clock
	r        *rand.Rand
	seed     uint64
	on       reception.OnLine
	*Talk

	text   string      // being played
	at     int         // how far
	readAt time.Time   // when a read-back was played whole; zero: none, or another has begun since
	yeses  []time.Time // when the caller has said yes since the read-back began
	booked int
	script []string
}

func (l *heardLine) ring(owner frontdesk.Owner, agent frontdesk.ID) {
	ctx := context.Background()
	on, err := l.sessions.Ring(ctx, reception.Ringing{Owner: owner, AgentID: agent, Line: fmt.Sprint("twilio ", l.seed), Number: "+34910000001"})
	if err == nil {
		l.on, err = l.sessions.Connect(ctx, on.ID, on.Token.Reveal(), "+34910000001")
	}
	if err != nil {
		l.Fatal(err)
	}
	l.Talk = NewTalk(l.on, []Habits{whole, pieces, {Splits: true, EndsAtOnce: true, Exact: true}}[l.seed%3])
	l.tell(Event{Kind: Ready})
	l.play(1)
	l.tell(words(fmt.Sprintf("Quiero una revisión el miércoles a las doce, soy Ana García, 612 34 %02d %02d.", l.seed/100, l.seed%100)))
	l.wait(2 * time.Second)
}

// do does what talk wants done.
func (l *heardLine) do(acts []Act) {
	for _, a := range acts {
		if a.Say != nil {
			l.text, l.at = a.Say.Text, 0
			if isReadBack(l.text) {
				l.readAt, l.yeses = time.Time{}, nil
			}
		}
		if a.Hear != nil {
			l.hear(*a.Hear, a.Joins)
		}
	}
}

func isReadBack(text string) bool { return strings.Contains(text, "resumo") }

func (l *heardLine) hear(in conversation.Input, joins bool) {
	reply, err := l.sessions.HearOnce(context.Background(), l.on.ID, l.on.Token.Reveal(), reception.Message{Input: in, Joins: joins, Version: l.version})
	if err != nil {
		l.Fatal(err)
	}
	if c := reply.Capture; c != nil && c.Kind == frontdesk.Appointment {
		l.booked++
		if !l.agreed() {
			l.Fatalf("seed %d: booked without a yes to a read-back that was heard: %v", l.seed, l.script)
		}
	}
	l.do(l.Reply(reply, l.clock.Now()))
}

// agreed says whether a yes came after a read-back that was played whole, or with its
// last word.
func (l *heardLine) agreed() bool {
	return !l.readAt.IsZero() && slices.ContainsFunc(l.yeses, func(at time.Time) bool { return !at.Before(l.readAt.Add(-overlap)) })
}

func (l *heardLine) tell(e Event) { l.do(l.Take(e, l.clock.Now())) }

// wait lets time pass.
func (l *heardLine) wait(d time.Duration) {
	until := l.clock.Now().Add(d)
	for range 100 {
		at := l.Deadline()
		if at.IsZero() || at.After(until) {
			break
		}
		l.clock.Forward(max(time.Millisecond, at.Sub(l.clock.Now())))
		l.do(l.Tick(l.clock.Now()))
	}
	l.clock.Forward(max(0, until.Sub(l.clock.Now())))
}

// play plays a share of what is left, and reports it as it was played.
func (l *heardLine) play(share float64) {
	if l.at == 0 {
		l.tell(Event{Kind: WeSpeak})
	}
	end := l.at + int(share*float64(len(l.text)-l.at))
	for end < len(l.text) && !utf8.RuneStart(l.text[end]) {
		end++
	}
	part, text := l.text[l.at:end], l.text
	l.wait(time.Duration(len(part)) * 60 * time.Millisecond)
	if l.text != text || part == "" {
		return // it was replaced meanwhile
	}
	l.at = end
	if letters(l.text[l.at:]) == 0 && isReadBack(l.text) {
		l.readAt = l.clock.Now()
	}
	l.tell(played(part))
	if l.text == text && l.at == len(l.text) {
		l.tell(Event{Kind: WeStopped})
	}
}

// something is one of the things that happen on a line.
func (l *heardLine) something() {
	playing := l.at < len(l.text) && letters(l.text[l.at:]) > 0
	what := l.r.IntN(8)
	l.script = append(l.script, fmt.Sprintf("%d at %d of %q", what, l.at, l.text))
	switch {
	case what == 0 && playing:
		l.play(1)
	case what == 1 && playing:
		l.play(l.r.Float64())
	case what == 2 && playing: // cut off, whether we wish it or not
		until := l.text[:l.at]
		l.text, l.at = "", 0
		l.tell(Event{Kind: CutOff, Text: until})
		l.tell(Event{Kind: WeStopped})
	case what == 3 || what == 4:
		l.yeses = append(l.yeses, l.clock.Now())
		l.tell(words("Sí, correcto."))
	case what == 5:
		l.yeses = append(l.yeses, l.clock.Now())
		l.tell(Event{Kind: Key, Text: "1"})
	case what == 6:
		l.tell(Event{Kind: CallerSpeaks})
		l.tell(Event{Kind: CallerSilent})
	}
	l.wait(time.Duration(l.r.IntN(2500)) * time.Millisecond)
}
