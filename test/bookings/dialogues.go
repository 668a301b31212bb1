package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
)

// dialogue is a caller who wants a booking, and what they said.
type dialogue struct {
	ID       string
	Lang     string
	Business string
	Ref      string
	Goal     struct {
		Provider, Date, Time string
		PartySize            string `json:"party_size"`
	}
	Turns []said `json:"user_turns"`
}

// said is a turn of the caller's, with what it was meant for.
type said struct {
	Text string
	Acts []act
}

type act struct{ Act, Slot, Canonical string }

// slots are what a booking is made of here, by the names that the sets use.
var slots = []struct {
	name  string
	acts  []string
	value func(d dialogue) string
}{
	{"date", []string{"date", "appointment_date"}, func(d dialogue) string { return d.Goal.Date }},
	{"time", []string{"time", "appointment_time"}, func(d dialogue) string { return d.Goal.Time }},
	{"party_size", []string{"number_of_seats", "party_size"}, func(d dialogue) string { return d.Goal.PartySize }},
}

// stated says whether the caller said the goal's value of a slot, and in which
// turn last.
func (d dialogue) stated(acts []string, value string) (turn int, ok bool) {
	for i, t := range d.Turns {
		for _, a := range t.Acts {
			if a.Act == "INFORM" && slices.Contains(acts, a.Slot) && a.Canonical == value {
				turn, ok = i, true
			}
		}
	}
	return turn, ok && value != ""
}

// attainable says whether the caller's own words lead to the goal: where they
// name a day or a time, the goal's is among them. Of the others, the booking that
// the dialogue ended in was proposed to the caller.
func (d dialogue) attainable() bool {
	for _, s := range slots[:2] {
		if _, said := d.stated(s.acts, s.value(d)); !said && d.names(s.acts) {
			return false
		}
	}
	return true
}

// names says whether the caller gives any value of a slot.
func (d dialogue) names(acts []string) bool {
	for _, t := range d.Turns {
		for _, a := range t.Acts {
			if a.Act == "INFORM" && slices.Contains(acts, a.Slot) {
				return true
			}
		}
	}
	return false
}

// agent is a business with one service, open all day and all week.
func (d dialogue) agent() frontdesk.Agent {
	vertical := "clinic"
	if d.Business == "restaurant" {
		vertical = "restaurant"
	}
	services, err := json.Marshal([]map[string]any{{"name": d.Goal.Provider, "duration_minutes": 30}})
	if err != nil {
		panic(err) // a string cannot fail
	}
	hours := allDay()
	return frontdesk.Agent{
		Slug: "desk", Vertical: vertical, DisplayName: d.Goal.Provider, Status: frontdesk.AgentActive, Languages: []string{"en", "es"}, Timezone: "UTC",
		Config: frontdesk.AgentConfig{Business: frontdesk.Business{Name: d.Goal.Provider, Phone: "+1 415 555 2670"}, Services: services, Hours: &hours},
	}
}

// house is a business with its books, made for one dialogue.
type house struct {
	store    *store.Store
	sessions *reception.Sessions
	owner    frontdesk.Owner
	now      time.Time
}

func openHouse(dir string, d dialogue) (*house, error) {
	s, err := store.Open(store.Options{URL: filepath.Join(dir, d.ID+".db")})
	if err != nil {
		return nil, err
	}
	h := &house{store: s, now: refTime(d.Ref)}
	ctx := context.Background()
	if _, err := s.Migrate(ctx, h.now); err != nil {
		return nil, err
	}
	tenant := frontdesk.Tenant{ID: frontdesk.NewID(h.now), Slug: "house", Name: "House", Timezone: "UTC", Plan: frontdesk.DefaultPlan(), CreatedAt: h.now}
	agent := d.agent()
	agent.ID, agent.TenantID, agent.CreatedAt, agent.UpdatedAt = frontdesk.NewID(h.now), tenant.ID, h.now, h.now
	if err := errors.Join(s.CreateTenant(ctx, store.NewTenant{Tenant: tenant}), s.CreateAgent(ctx, frontdesk.Actor{}, agent)); err != nil {
		return nil, err
	}
	clock := func() time.Time { return h.now }
	log := slog.New(slog.DiscardHandler)
	h.owner = frontdesk.Owner{TenantID: tenant.ID, Live: true}
	unlimited := reception.Limits{BookingsPerPhone: -1, BookingsPerAgent: -1}
	h.sessions = reception.NewSessions(reception.SessionOptions{Store: s, Shelves: knowledge.NewShelves(s, nil, clock, log, 0), Limits: unlimited, Now: clock, Log: log})
	return h, nil
}

// closedLoop holds each conversation: the caller answers what is asked.
func closedLoop(name string, dialogues []dialogue, verbose bool) error {
	dir, err := os.MkdirTemp("", "bookings")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	success, turns, attainable, prompted := 0, 0, 0, 0
	for _, d := range dialogues {
		if d.attainable() {
			attainable++
		}
		c := caller{d: d}
		n, lines, err := c.converse(dir)
		if err != nil {
			return err
		}
		if c.prompted {
			prompted++
		}
		if n > 0 {
			success++
			turns += n
		} else if verbose {
			fmt.Printf("  %s wants %s %s party %q\n", d.ID, d.Goal.Date, d.Goal.Time, d.Goal.PartySize)
			for _, l := range lines {
				fmt.Println("   ", l)
			}
		}
	}
	fmt.Printf("%-32s closed loop: booked as wanted  %4d of %4d  %s, in %.1f turns; the caller names the goal in %d; was asked to choose and answered with the goal in %d\n",
		name, success, len(dialogues), percent(success, len(dialogues)), float64(turns)/float64(max(1, success)), attainable, prompted)
	return nil
}

// wants says whether a booking is the one that the dialogue is about. For how
// many it is counts where the caller said so.
func (d dialogue) wants(c frontdesk.Capture) bool {
	party := slots[2]
	if _, said := d.stated(party.acts, party.value(d)); said && strconv.Itoa(c.Visit.Party) != party.value(d) {
		return false
	}
	return string(c.ScheduledAt) == d.Goal.Date+"T"+d.Goal.Time+":00"
}

// converse holds one conversation and returns the caller's turns it took, or 0
// when the booking was not had within twice the turns of the dialogue.
func (c *caller) converse(dir string) (turns int, lines []string, err error) {
	d := c.d
	h, err := openHouse(dir, d)
	if err != nil {
		return 0, nil, err
	}
	defer h.store.Close()
	ctx := context.Background()
	w, err := h.sessions.Start(ctx, reception.Beginning{Tenant: "house", Agent: "desk", Live: true, Language: d.Lang, Channel: frontdesk.Web})
	if err != nil {
		return 0, nil, err
	}
	reply := w.Reply
	for n := 1; n <= 2*len(d.Turns) && !reply.Ended; n++ {
		text := c.answer(reply.Expect)
		h.now = h.now.Add(time.Second)
		if reply, err = h.sessions.Hear(ctx, w.ID, w.Token.Reveal(), conversation.Input{Kind: conversation.Text, Text: text}); err != nil {
			return 0, nil, err
		}
		lines = append(lines, "> "+text, fmt.Sprintf("< %s [%s]", reply.Text, reply.Expect))
		if cap := reply.Capture; cap != nil {
			if !d.wants(*cap) {
				return 0, append(lines, fmt.Sprintf("= %s for %d", cap.ScheduledAt, cap.Visit.Party)), nil
			}
			ended, err := h.sessions.End(ctx, w.ID, w.Token.Reveal())
			if err != nil || ended.Outcome != frontdesk.Booking {
				return 0, append(lines, "= "+string(ended.Outcome)), err
			}
			return n, lines, nil
		}
	}
	return 0, lines, nil
}

// caller is scripted: it answers the slot that is asked for with the turn in
// which the caller of the dialogue said it.
type caller struct {
	d        dialogue
	next     int          // the next turn to say when anything goes
	spoken   map[int]bool // the turns that were said
	prompted bool         // was offered several times, and answered with the goal
}

func (c *caller) answer(expect conversation.Slot) string {
	switch expect {
	case conversation.SlotName:
		return "My name is Alex Morgan"
	case conversation.SlotPhone:
		return "415 555 2671"
	case conversation.SlotConfirm:
		return c.confirm()
	case conversation.SlotService:
		return c.d.Goal.Provider
	case conversation.SlotChoice:
		c.prompted = true
		return c.d.Goal.Date + " " + c.d.Goal.Time
	}
	for _, s := range slots {
		if s.name != string(expect) {
			continue
		}
		if turn, ok := c.d.stated(s.acts, s.value(c.d)); ok {
			return c.say(turn)
		}
		return plainly(s.name, s.value(c.d))
	}
	c.next++
	return c.say(min(c.next, len(c.d.Turns)) - 1)
}

// confirm says yes, once every turn was said that names the goal's day or time:
// until then, something else was read back.
func (c *caller) confirm() string {
	for _, s := range slots {
		if turn, ok := c.d.stated(s.acts, s.value(c.d)); ok && !c.spoken[turn] {
			return c.say(turn)
		}
	}
	return "Yes, that's right."
}

// say speaks a turn of the dialogue.
func (c *caller) say(turn int) string {
	if c.spoken == nil {
		c.spoken = map[int]bool{}
	}
	c.spoken[turn] = true
	return c.d.Turns[turn].Text
}

// plainly is a value that the caller of the dialogue never said, because it was
// proposed to them.
func plainly(slot, value string) string {
	if t, err := time.Parse("2006-01-02", value); slot == "date" && err == nil {
		return "on " + t.Format("January 2")
	}
	if slot == "party_size" {
		return value
	}
	return "at " + value
}

// openLoop feeds each dialogue's turns in order and compares what was understood
// with the goal, where the caller said it. Dialogues in which nothing of it was
// said are left out.
func openLoop(name string, dialogues []dialogue, verbose bool) error {
	right, all, slotsRight, slotsAll := 0, 0, map[string]int{}, map[string]int{}
	for _, d := range dialogues {
		understood, err := d.feed()
		if err != nil {
			return err
		}
		stated, missed := 0, 0
		for _, s := range slots {
			want := s.value(d)
			if _, ok := d.stated(s.acts, want); !ok {
				continue
			}
			stated++
			slotsAll[s.name]++
			if understood[s.name] == want {
				slotsRight[s.name]++
				continue
			}
			missed++
			if verbose {
				d.tell(s.name, understood[s.name], want)
			}
		}
		if stated > 0 {
			all++
		}
		if stated > 0 && missed == 0 {
			right++
		}
	}
	fmt.Printf("%-32s open loop: every stated slot  %4d of %4d  %s", name, right, all, percent(right, all))
	for _, s := range slots {
		fmt.Printf("; %s %s", s.name, percent(slotsRight[s.name], slotsAll[s.name]))
	}
	fmt.Println()
	return nil
}

// tell prints what was misunderstood.
func (d dialogue) tell(slot, got, want string) {
	fmt.Printf("  %s %s: got %q, want %q\n", d.ID, slot, got, want)
	for _, t := range d.Turns {
		fmt.Println("    >", t.Text)
	}
}

// feed says all turns of a dialogue to the engine and returns what it understood
// last of each slot.
func (d dialogue) feed() (map[string]string, error) {
	e, err := conversation.NewEngine(d.agent(), nil)
	if err != nil {
		return nil, err
	}
	understood := map[string]string{}
	ctx, now := context.Background(), refTime(d.Ref)
	s := e.Begin(frontdesk.NewID(now), d.Lang)
	s, _ = e.Step(ctx, diary{}, s, conversation.Input{Kind: conversation.Start, Now: now})
	for _, t := range d.Turns {
		s, _ = e.Step(ctx, diary{}, s, conversation.Input{Kind: conversation.Text, Text: t.Text, Now: now})
		if !s.Task.Date.IsZero() {
			understood["date"] = s.Task.Date.String()
		}
		if s.Task.Timed {
			understood["time"] = s.Task.Clock.String()
		}
		if s.Task.Party > 0 {
			understood["party_size"] = strconv.Itoa(s.Task.Party)
		}
	}
	return understood, nil
}

// diary is a calendar in which everything is free.
type diary struct{ conversation.Desk }

func (diary) Openings(_ context.Context, w conversation.Wish) (conversation.Openings, error) {
	o := conversation.Openings{Free: w.Timed}
	if !w.Timed {
		for _, hour := range []int{10, 13, 17} {
			o.Near = append(o.Near, conversation.Opening{Date: w.Date, Clock: dates.Clock{Hour: hour}})
		}
	}
	return o, nil
}

func (d diary) Hold(ctx context.Context, w conversation.Wish) (conversation.Openings, error) {
	return d.Openings(ctx, w)
}

func (diary) Answer(_ context.Context, q string) (frontdesk.Answer, error) {
	return frontdesk.Answer{Question: q}, nil
}

func (diary) Book(_ context.Context, b conversation.Booking) (frontdesk.Capture, error) {
	return frontdesk.Capture{ScheduledAt: frontdesk.LocalTime(b.Wish.Date.String() + "T" + b.Wish.Clock.String() + ":00")}, nil
}

func (diary) Note(context.Context, conversation.Note) (frontdesk.Capture, error) {
	return frontdesk.Capture{}, nil
}

func (diary) Find(context.Context, string, string) ([]frontdesk.Capture, error) { return nil, nil }

func (diary) Add(context.Context, frontdesk.ID, conversation.Addition) error { return nil }

func (diary) Cancel(context.Context, frontdesk.ID) error { return nil }

// allDay are the hours of a business that never closes.
func allDay() (h frontdesk.Hours) {
	for i := range h {
		h[i] = frontdesk.Shift{Open: 0, Close: 24}
	}
	return h
}
