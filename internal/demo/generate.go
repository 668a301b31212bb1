package demo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// generator invents the calls of some houses in one mode.
type generator struct {
	rng      *rand.Rand
	today    time.Time // the beginning of the UTC day; what lies before it is past
	stations []*station
	outcomes *deck[frontdesk.Outcome]
	statuses statusDecks
}

// station is a house with the decks that its calls are dealt from.
type station struct {
	*house
	scenes    map[frontdesk.Outcome]*deck[*scene]
	languages *deck[string]
	channels  *deck[frontdesk.Channel]
}

func newGenerator(seed uint64, now time.Time, streamNumber uint64, houses []*house, outcomes []frontdesk.Outcome) *generator {
	g := &generator{
		rng: stream(seed, now, streamNumber), today: today(now),
		outcomes: newDeck(outcomes), statuses: newStatusDecks(),
	}
	for _, h := range houses {
		g.stations = append(g.stations, &station{
			house: h, scenes: map[frontdesk.Outcome]*deck[*scene]{},
			languages: newDeck(cards(h.habits.languages, frontdesk.Languages)),
			channels:  newDeck([]frontdesk.Channel{frontdesk.Phone, frontdesk.Phone, frontdesk.Phone, frontdesk.Web, frontdesk.Web}),
		})
	}
	return g
}

// history invents the calls of a number of days, share saying how busy they
// are. It goes on to the end of tomorrow, whatever the time is now, so that the
// past does not depend on it; who records the calls leaves out the future.
func (g *generator) history(days int, share float64) ([]frontdesk.FinishedCall, error) {
	var calls []frontdesk.FinishedCall
	for day := 1 - days; day <= 1; day++ {
		date := g.today.AddDate(0, 0, day)
		growth := 0.85 + 0.3*float64(day+days)/float64(days)
		for _, st := range g.stations {
			for range st.callsOn(g.rng, date, share*growth) {
				call, err := g.callOn(st, date)
				if err != nil {
					return nil, err
				}
				calls = append(calls, call)
			}
		}
	}
	return calls, nil
}

// latest invents a call of the last hours for every house that is open, so that
// there is something fresh to see.
func (g *generator) latest(now time.Time) ([]frontdesk.FinishedCall, error) {
	var calls []frontdesk.FinishedCall
	for i, st := range g.stations {
		ago := time.Duration(14+47*i+g.rng.IntN(20)) * time.Minute
		at := now.Add(-ago).UTC().Truncate(time.Millisecond)
		if !st.openAt(at) || at.Before(g.today) {
			continue
		}
		call, err := g.call(st, at, g.outcomes.deal(g.rng))
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// callsOn is how often a house's telephone rings on a date.
func (h *house) callsOn(rng *rand.Rand, date time.Time, share float64) int {
	expected := h.habits.callsPerDay * share
	if _, open := h.shiftOn(date); !open {
		expected *= closedDayShare
	}
	return int(expected + rng.Float64())
}

func (g *generator) callOn(st *station, date time.Time) (frontdesk.FinishedCall, error) {
	_, open := st.shiftOn(date)
	outcome := g.outcomes.deal(g.rng)
	if outcome == frontdesk.Handoff && !open {
		outcome = frontdesk.Info // nobody is there to take the call
	}
	at := st.ring(g.rng, date, outcome == frontdesk.Handoff).UTC()
	return g.call(st, at, outcome)
}

// call invents one call that begins at a time and ends in an outcome.
func (g *generator) call(st *station, at time.Time, outcome frontdesk.Outcome) (frontdesk.FinishedCall, error) {
	sc, err := st.scene(g.rng, outcome)
	if err != nil {
		return frontdesk.FinishedCall{}, err
	}
	return g.callFor(st, sc, at)
}

// callFor invents one call that begins at a time, with a scene.
func (g *generator) callFor(st *station, sc *scene, at time.Time) (frontdesk.FinishedCall, error) {
	p := g.stage(st, sc, at)
	if err := p.perform(); err != nil {
		return frontdesk.FinishedCall{}, fmt.Errorf("scene %s in %s: %w", sc.name, p.language, err)
	}
	call, err := g.finish(p)
	if err != nil {
		return call, fmt.Errorf("scene %s in %s: %w", sc.name, p.language, err)
	}
	return call, nil
}

// scene deals one of the house's scenes that end so.
func (st *station) scene(rng *rand.Rand, outcome frontdesk.Outcome) (*scene, error) {
	if st.scenes[outcome] == nil {
		all, err := scenesFor(st.agent.Vertical)
		if err != nil {
			return nil, err
		}
		var dealt []*scene
		for _, sc := range all {
			if sc.outcome == outcome {
				dealt = append(dealt, slices.Repeat([]*scene{sc}, sc.weight)...)
			}
		}
		if len(dealt) == 0 {
			return nil, fmt.Errorf("no scene of %s ends in %s", st.agent.Slug, outcome)
		}
		st.scenes[outcome] = newDeck(dealt)
	}
	return st.scenes[outcome].deal(rng), nil
}
