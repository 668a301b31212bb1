package demo

import (
	"fmt"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// errand is a call that left something for somebody of the business to do.
type errand struct {
	scene string
	ago   time.Duration // of the hours in which people call
}

// errands are what waits in each house, whatever the hour.
var errands = map[string][]errand{
	"casa-lola": {
		{"message_allergy", 35 * time.Minute}, {"manager_no_answer", 95 * time.Minute}, {"lost_item", 3 * time.Hour}, {"group_event", 5 * time.Hour},
	},
	"dental-la-plaza": {
		{"message_pain", 25 * time.Minute}, {"dentist_no_answer", 70 * time.Minute}, {"insurance", 150 * time.Minute}, {"treatment_lead", 6 * time.Hour},
	},
	"harbour-store": {
		{"order_collect", 45 * time.Minute}, {"message_late_parcel", 2 * time.Hour}, {"corporate_gifts", 4 * time.Hour},
	},
	"costa-clara": {
		{"adviser_no_answer", 55 * time.Minute}, {"message_keys", 110 * time.Minute}, {"buyer_lead", 4 * time.Hour},
	},
}

// question is something that several callers asked and nobody could answer.
type question struct {
	scene string
	times int
}

// questions are what each house was asked in the days before today.
var questions = map[string][]question{
	"casa-lola":       {{"ask_kids_menu", 6}, {"ask_cooking_course", 3}},
	"dental-la-plaza": {{"ask_children", 5}, {"ask_sedation", 2}},
	"harbour-store":   {{"ask_gift_card", 4}},
	"costa-clara":     {{"ask_pets", 5}},
}

// fresh invents the calls that wait for somebody of the business. They are the
// same for all of a minute.
func (g *generator) fresh(now time.Time) ([]frontdesk.FinishedCall, error) {
	var calls []frontdesk.FinishedCall
	now = now.Truncate(time.Minute)
	for _, st := range g.stations {
		st.languages = newDeck(st.agent.Languages[:1]) // that of whoever reads them
		for _, e := range errands[st.agent.Slug] {
			at := awake(now.In(st.loc), e.ago+time.Duration(g.rng.IntN(600))*time.Second)
			call, err := g.play(st, e.scene, at.UTC())
			if err != nil {
				return nil, err
			}
			for i := range call.Captures {
				call.Captures[i].Status = frontdesk.PendingConfirm
			}
			calls = append(calls, call)
		}
	}
	return calls, nil
}

// askedDays is over how many days before today the questions are spread.
const askedDays = 8

// asked invents the calls that brought questions nobody could answer.
func (g *generator) asked() ([]frontdesk.FinishedCall, error) {
	var calls []frontdesk.FinishedCall
	for _, st := range g.stations {
		for _, q := range questions[st.agent.Slug] {
			for range q.times {
				date := g.today.AddDate(0, 0, -1-g.rng.IntN(askedDays))
				call, err := g.play(st, q.scene, st.ring(g.rng, date, true).UTC())
				if err != nil {
					return nil, err
				}
				calls = append(calls, call)
			}
		}
	}
	return calls, nil
}

// play invents a call with a scene of the house.
func (g *generator) play(st *station, scene string, at time.Time) (frontdesk.FinishedCall, error) {
	all, err := scenesFor(st.agent.Vertical)
	if err != nil {
		return frontdesk.FinishedCall{}, err
	}
	for _, sc := range all {
		if sc.name == scene {
			return g.callFor(st, sc, at)
		}
	}
	return frontdesk.FinishedCall{}, fmt.Errorf("%s has no scene %s", st.agent.Slug, scene)
}

// The hours in which people call, on the business's clock.
const (
	firstRing = 9
	lastRing  = 22
)

// awake is the time so long before now, the hours in which nobody calls left
// out: what came in at half past eight in the evening is the newest until the
// next morning.
func awake(now time.Time, ago time.Duration) time.Time {
	for {
		midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
		first := time.Date(now.Year(), now.Month(), now.Day(), firstRing, 0, 0, 0, now.Location())
		last := time.Date(now.Year(), now.Month(), now.Day(), lastRing, 0, 0, 0, now.Location())
		if now.After(last) {
			now = last
		}
		if at := now.Add(-ago); !at.Before(first) {
			return at
		}
		if now.After(first) {
			ago -= now.Sub(first)
		}
		now = midnight.Add(-time.Second)
	}
}
