package demo

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// finish makes a finished call of a scene that was played: what is remembered
// of it and what came of it.
func (g *generator) finish(p *performance) (frontdesk.FinishedCall, error) {
	last := p.turns[len(p.turns)-1].End
	tail := time.Duration(300+p.rng.IntN(2200)) * time.Millisecond
	c := frontdesk.FinishedCall{
		ID: randomID(p.rng, p.startsAt), AgentID: p.house.agent.ID, StartedAt: p.startsAt,
		Duration: (last + tail + time.Second - 1).Truncate(time.Second),
		Language: p.language, Outcome: p.scene.outcome, Channel: p.channel,
		Transcript: frontdesk.Transcript{Language: p.language, Turns: p.turns},
	}
	if p.channel == frontdesk.Phone {
		c.Caller, c.Number = p.caller.phone, strings.ReplaceAll(p.house.agent.Config.Business.Phone, " ", "")
	}
	var err error
	if c.Summary, err = p.summary(); err != nil || p.scene.capture == "" {
		return c, err
	}
	capture, err := g.capture(p)
	c.Captures = []frontdesk.Capture{capture}
	return c, err
}

func (p *performance) summary() (s frontdesk.Summary, err error) {
	s.Intent, s.Urgency = p.scene.intent, p.scene.urgency
	if s.Title, err = p.write(p.script.title); err != nil {
		return s, err
	}
	if s.Text, err = p.write(p.script.text); err != nil {
		return s, err
	}
	if s.KeyPoints, err = p.writeAll(p.script.points); err != nil {
		return s, err
	}
	if s.UnansweredQuestions, err = p.writeAll(p.script.unanswered); err != nil {
		return s, err
	}
	if reason, result, ok := strings.Cut(p.script.handoff, " -> "); ok {
		s.Handoff = &frontdesk.HandoffNote{Reason: reason, Result: result}
	}
	return s, nil
}

// write fills a text of the script for reading: it begins with a capital.
func (p *performance) write(template string) (string, error) {
	text, err := p.slots.fill(template, p.language)
	return upperFirst(text), err
}

func (p *performance) writeAll(templates []string) ([]string, error) {
	texts := make([]string, len(templates))
	for i, template := range templates {
		var err error
		if texts[i], err = p.write(template); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// capture is what the scene brought in, written down when the receptionist
// last used a tool.
func (g *generator) capture(p *performance) (frontdesk.Capture, error) {
	service, err := p.write(p.script.service)
	if err != nil {
		return frontdesk.Capture{}, err
	}
	createdAt := p.startsAt.Add(p.lastTool())
	c := frontdesk.Capture{
		ID: randomID(p.rng, createdAt), Kind: p.scene.capture, CreatedAt: createdAt,
		CustomerName: p.caller.name(), CustomerPhone: p.caller.phone,
		Service: service, ConfirmationCode: p.code, Timezone: p.house.agent.Timezone, Visit: p.visit(),
	}
	notes, err := p.writeAll(p.script.notes)
	if err != nil {
		return c, err
	}
	c.Notes = strings.Join(notes, "\n")
	due := p.startsAt.In(p.house.loc).AddDate(0, 0, 3) // when a lead should have been followed up
	switch c.Kind {
	case frontdesk.Lead:
	case frontdesk.Message:
		c.Urgency = cmp.Or(p.scene.urgency, frontdesk.Normal)
	default:
		c.ScheduledAt, due = frontdesk.LocalTimeOf(p.slot), p.slot
	}
	isPast := due.Format(time.DateOnly) < g.today.Format(time.DateOnly)
	c.Status = g.statuses.deal(p.rng, c.Kind, isPast)
	return c, nil
}

// visit is what the receptionist wrote down beside the time: the service and how
// many come, where the script has them.
func (p *performance) visit() (v frontdesk.Visit) {
	if p.scene.capture != frontdesk.Appointment {
		return v
	}
	if p.writesDown("{service_id}") {
		v.ServiceID = p.slots["service_id"].es
		v.Duration, _ = strconv.Atoi(p.slots["minutes"].es)
		v.Minutes = v.Duration
	}
	if p.writesDown("{party}") {
		v.Party, _ = strconv.Atoi(p.slots["party"].es)
	}
	return v
}

// writesDown says whether a tool of the script is given a slot.
func (p *performance) writesDown(slot string) bool {
	return slices.ContainsFunc(p.script.lines, func(l line) bool { return strings.Contains(l.arguments, slot) })
}

// lastTool is when the receptionist last used a tool.
func (p *performance) lastTool() time.Duration {
	at := p.turns[len(p.turns)-1].End
	for _, t := range p.turns {
		if t.Role == frontdesk.RoleTool {
			at = t.End
		}
	}
	return at
}

// statusDecks deal where captures stand.
type statusDecks struct {
	ahead    *deck[frontdesk.CaptureStatus] // what is still to come
	kept     *deck[frontdesk.CaptureStatus] // appointments and orders whose day has passed
	answered *deck[frontdesk.CaptureStatus] // leads and callbacks of the past
}

func newStatusDecks() statusDecks {
	count := func(pending, confirmed, cancelled, noShow int) *deck[frontdesk.CaptureStatus] {
		return newDeck(cards(map[frontdesk.CaptureStatus]int{
			frontdesk.PendingConfirm: pending, frontdesk.Confirmed: confirmed,
			frontdesk.Cancelled: cancelled, frontdesk.NoShow: noShow,
		}, frontdesk.CaptureStatuses))
	}
	return statusDecks{ahead: count(1, 4, 0, 0), kept: count(0, 5, 1, 1), answered: count(1, 3, 1, 0)}
}

func (d statusDecks) deal(rng *rand.Rand, kind string, past bool) frontdesk.CaptureStatus {
	switch {
	case !past:
		return d.ahead.deal(rng)
	case kind == frontdesk.Appointment || kind == frontdesk.Order:
		return d.kept.deal(rng)
	}
	return d.answered.deal(rng)
}
