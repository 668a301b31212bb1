package privacy_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/privacy"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// talk is a conversation that goes on.
type talk struct {
	t        *testing.T
	sessions *reception.Sessions
	id       frontdesk.ID
	token    string
	last     reception.Reply
}

// say says something, and returns whether there is still somebody who answers.
func (c *talk) say(text string) bool {
	c.t.Helper()
	r, err := c.sessions.Hear(c.t.Context(), c.id, c.token, conversation.Input{Kind: conversation.Text, Text: text})
	if isMissing(err) {
		return false
	}
	must(c.t, err)
	c.last = r
	return true
}

// book books for somebody, answering what is asked.
func (c *talk) book(when, name, phone string) {
	c.t.Helper()
	answers := map[conversation.Slot]string{
		conversation.SlotService: "una revisión", conversation.SlotName: name, conversation.SlotPhone: phone, conversation.SlotEmail: "no tengo",
		conversation.SlotConfirm: "sí",
	}
	c.say("Quiero reservar una revisión " + when + " para " + name + ", teléfono " + phone)
	for range 10 {
		if c.last.Capture != nil {
			return
		}
		answer, known := answers[c.last.Expect]
		if !known {
			break
		}
		c.say(answer)
	}
	c.t.Fatalf("nothing is booked for %s; last: %+v", name, c.last)
}

// In a call that goes on two people's appointments were made. One of them is erased:
// what the call writes from then on has nothing of theirs, and the other's stays.
func TestACallGoesOnWhileSomebodyInItIsErased(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(*testing.T, *reception.Sessions, frontdesk.Agent, frontdesk.Owner) *talk{
		"on the web": func(t *testing.T, s *reception.Sessions, a frontdesk.Agent, _ frontdesk.Owner) *talk {
			w, err := s.Start(t.Context(), reception.Beginning{Tenant: "mine", Agent: a.Slug, Live: true})
			must(t, err)
			return &talk{t: t, sessions: s, id: w.ID, token: w.Token.Reveal()}
		},
		"on the telephone": func(t *testing.T, s *reception.Sessions, a frontdesk.Agent, owner frontdesk.Owner) *talk {
			on, err := s.Ring(t.Context(), reception.Ringing{Owner: owner, AgentID: a.ID, Line: "line", Caller: "+34655000111", Number: "+34911000000"})
			must(t, err)
			return &talk{t: t, sessions: s, id: on.ID, token: on.Token.Reveal()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
			agent := agentIn("Europe/Madrid", owner)
			agent.Vertical, agent.Config.Services = "clinic", json.RawMessage(`[{"id":"checkup","name":"Revisión","duration_minutes":30,"price":30}]`)
			must(t, s.CreateAgent(t.Context(), frontdesk.Actor{}, agent))
			clock := servicetest.NewClock(time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC))
			sessions := reception.NewSessions(reception.SessionOptions{Store: s, Now: clock.Now})
			c := begin(t, sessions, agent, owner)
			c.book("el miércoles a las doce del mediodía", "Zoraida Quintanilla", "611 222 333")
			c.book("el jueves a las doce del mediodía", "Luis Gil", "644 555 666")
			_, err := newKeeper(t, s).Erase(t.Context(), owner, frontdesk.Actor{}, "+34611222333")
			must(t, err)
			if goesOn := c.say("gracias, adiós"); goesOn != (name == "on the web") { // who calls again begins anew
				t.Errorf("it goes on: %v, %+v", goesOn, c.last)
			}
			if _, err := sessions.End(t.Context(), c.id, c.token); !isMissing(err) {
				must(t, err)
			}
			clock.Forward(reception.Silence + reception.TurnTime + time.Second)
			must(t, sessions.Sweep(t.Context()))
			left := everything(t, s, owner)
			for _, hers := range []string{"Zoraida", "Quintanilla", "611222333", "611 222 333"} {
				if strings.Contains(left, hers) {
					t.Errorf("%q is back: %s", hers, left)
				}
			}
			captures, err := s.Captures(t.Context(), owner, frontdesk.CaptureFilter{}, frontdesk.Page{Limit: 10})
			if must(t, err); len(captures.Items) != 1 || captures.Items[0].CustomerName != "Luis Gil" {
				t.Errorf("the other has %+v", captures.Items)
			}
			if !strings.Contains(left, string(store.TraceEvent)+" ") || !strings.Contains(left, "+34644555666") {
				t.Errorf("of the other is left %s", left)
			}
		})
	}
}

// Several erase the same person, and retention forgets, all at once: every one of them
// succeeds, and what is another's stays.
func TestErasuresAndRetentionAtOnce(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	id := tenant(t, s, "mine", func(p *frontdesk.Plan) { p.CallDays, p.CaptureDays, p.TranscriptDays, p.EventDays = 1, 1, 1, 1 })
	owner := frontdesk.Owner{TenantID: id, Live: true}
	agent := agentIn("Europe/Madrid", owner)
	must(t, s.CreateAgent(t.Context(), frontdesk.Actor{}, agent))
	for i := range 20 {
		visits(t, s, owner, agent, fmt.Sprint("Ana ", i), "+34611222333", "611 22 23 33", "")
		called(t, s, owner, 3, -2, func(r *store.Recording) { r.Captures[0].CustomerPhone = "+34611222333" }) // both take it
	}
	visits(t, s, owner, agent, "Luis Gil", "+34644555666", "644-555-666", "")
	var all sync.WaitGroup
	failed := make(chan error, 8)
	for i := range cap(failed) {
		node := storetest.Open(t, url)
		all.Go(func() {
			k := privacy.New(privacy.Options{Store: node, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }, OpenAnswer: opened})
			if i%2 == 0 {
				failed <- k.Sweep(t.Context())
				return
			}
			_, err := k.Erase(t.Context(), owner, frontdesk.Actor{}, "+34611222333")
			failed <- err
		})
	}
	all.Wait()
	close(failed)
	for err := range failed {
		if err != nil {
			t.Error(err)
		}
	}
	if left := everything(t, s, owner); strings.Contains(left, "611222333") || !strings.Contains(left, "Luis Gil") {
		t.Errorf("left is %s", left)
	}
}
