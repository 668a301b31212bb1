package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

//go:embed businesses/*.json
var businessFiles embed.FS

// house is a business whose telephone rings: its agent, what it sells, and the
// habits of its callers.
type house struct {
	agent    frontdesk.Agent
	loc      *time.Location
	services []*item
	dishes   []*item
	products []*item
	listings []*item
	habits   habits
}

// habits are what is typical of a house's callers.
type habits struct {
	callsPerDay float64        // in live mode, on a day it is open
	languages   map[string]int // of so many calls, this many in each
	tableHours  []int          // the hours at which it seats guests; nil: whenever it is open
	ahead       int            // how many days ahead people book
}

// profile names a house's file and its callers' habits.
type profile struct {
	file   string
	habits habits
}

var profiles = []profile{
	{"casa-lola", habits{callsPerDay: 2.3, languages: map[string]int{"es": 4, "en": 1}, tableHours: []int{13, 14, 15, 20, 21, 22}, ahead: 8}},
	{"dental-la-plaza", habits{callsPerDay: 2.3, languages: map[string]int{"es": 5, "en": 1}, ahead: 14}},
	{"harbour-store", habits{callsPerDay: 1.7, languages: map[string]int{"es": 1, "en": 1}, ahead: 9}},
	{"costa-clara", habits{callsPerDay: 1.5, languages: map[string]int{"es": 4, "en": 1}, ahead: 7}},
}

var sampleFile = profile{"sample", habits{callsPerDay: 1.6, languages: map[string]int{"es": 3, "en": 1}, ahead: 9}}

// loadHouses reads the four houses of the demo.
func loadHouses() ([]*house, error) {
	houses := make([]*house, len(profiles))
	for i, p := range profiles {
		h, err := loadHouse(p)
		if err != nil {
			return nil, err
		}
		houses[i] = h
	}
	return houses, nil
}

func loadHouse(p profile) (*house, error) {
	text, err := businessFiles.ReadFile("businesses/" + p.file + ".json")
	if err != nil {
		return nil, err
	}
	file, err := wire.DecodeAgentFile(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.file, err)
	}
	agent, err := file.Agent()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.file, err)
	}
	h := &house{agent: agent, habits: p.habits}
	if err := h.takeStock(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.file, err)
	}
	return h, h.moveTo(agent.Timezone)
}

// moveTo puts the house into a time zone.
func (h *house) moveTo(zone string) (err error) {
	h.agent.Timezone = zone
	h.loc, err = frontdesk.LoadZone(zone)
	return err
}

// takeStock reads what the house sells out of its configuration.
func (h *house) takeStock() (err error) {
	c := h.agent.Config
	if h.services, err = entries(c.Services); err != nil {
		return err
	}
	if h.listings, err = entries(c.Listings); err != nil {
		return err
	}
	if h.dishes, err = sections(c.Menu); err != nil {
		return err
	}
	h.products, err = sections(c.Products)
	return err
}

func entries(list json.RawMessage) (items []*item, err error) {
	if list == nil {
		return nil, nil
	}
	return items, json.Unmarshal(list, &items)
}

// sections reads a list that is divided into sections as one.
func sections(object json.RawMessage) ([]*item, error) {
	if object == nil {
		return nil, nil
	}
	var byName map[string][]*item
	if err := json.Unmarshal(object, &byName); err != nil {
		return nil, err
	}
	var all []*item
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, byName[name]...)
	}
	return all, nil
}
