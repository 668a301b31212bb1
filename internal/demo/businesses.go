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
	visits      [2]int         // how many appointments its longest day has, at least and at most
	usual       []string       // the services that they are for, as often as they come
	seats       int            // that are taken at once, at most; 0: it has none
	remarks     []words        // what people say beside; empty: most say nothing
}

// profile names a house's file and its callers' habits.
type profile struct {
	file   string
	habits habits
	staff  []frontdesk.Resource
}

var profiles = []profile{
	{file: "casa-lola", habits: habits{
		callsPerDay: 2.3, languages: map[string]int{"es": 4, "en": 1}, tableHours: []int{13, 14, 15, 20, 21, 22}, ahead: 8,
		visits: [2]int{9, 13}, usual: []string{"mesa-sala", "mesa-sala", "mesa-sala", "mesa-terraza"}, seats: 26,
		remarks: []words{
			{},
			{},
			{},
			{},
			{"Una trona", "A high chair"},
			{"Alergia al marisco", "Shellfish allergy"},
			{"Cumpleaños: traen tarta", "Birthday: they bring a cake"},
			{"Una persona es celíaca", "One person is coeliac"},
			{"Mesa tranquila, si puede ser", "A quiet table, if possible"},
			{"Vienen con un carrito", "They come with a pushchair"},
		},
	}},
	{file: "dental-la-plaza", habits: habits{
		callsPerDay: 2.3, languages: map[string]int{"es": 5, "en": 1}, ahead: 14, visits: [2]int{9, 14},
		usual: []string{
			"revision", "revision", "revision", "limpieza", "limpieza", "limpieza", "limpieza", "empaste", "empaste", "empaste",
			"ortodoncia-estudio", "blanqueamiento", "implante", "urgencia",
		},
		remarks: []words{
			{},
			{},
			{},
			{},
			{},
			{},
			{"Primera visita", "First visit"},
			{"Alergia a la penicilina", "Allergic to penicillin"},
			{"Le da miedo el dentista", "Afraid of dentists"},
			{"Viene en silla de ruedas", "Comes in a wheelchair"},
		},
	}, staff: []frontdesk.Resource{
		{ID: "vidal", Name: "Dra. Marta Vidal", Kind: frontdesk.PersonKind, Services: []string{"revision", "empaste", "urgencia", "implante"}},
		{ID: "ferrer", Name: "Dr. Javier Ferrer", Kind: frontdesk.PersonKind, Services: []string{"revision", "empaste", "urgencia", "ortodoncia-estudio"}},
		{ID: "ramos", Name: "Lucía Ramos", Kind: frontdesk.PersonKind, Services: []string{"limpieza", "blanqueamiento"}},
	}},
	{file: "harbour-store", habits: habits{
		callsPerDay: 1.7, languages: map[string]int{"es": 1, "en": 1}, ahead: 9, visits: [2]int{2, 3},
		usual: []string{"gift-advice", "gift-advice", "boot-fitting", "boot-fitting", "tea-tasting"},
		remarks: []words{
			{}, {}, {"Cesta de unos 60 €", "A hamper of about €60"}, {"Es para un regalo", "It is for a present"},
		},
	}},
	{file: "costa-clara", habits: habits{
		callsPerDay: 1.5, languages: map[string]int{"es": 4, "en": 1}, ahead: 7, visits: [2]int{2, 4},
		usual: []string{"visita", "visita", "visita", "visita", "valoracion", "asesoria"},
		remarks: []words{
			{}, {}, {"Vienen con los padres", "They come with their parents"}, {"Prefiere ascensor", "Prefers a lift"}, {"Busca para entrar ya", "Wants to move in soon"},
		},
	}, staff: []frontdesk.Resource{
		{ID: "soler", Name: "Nuria Soler", Kind: frontdesk.PersonKind},
		{ID: "campos", Name: "Andrés Campos", Kind: frontdesk.PersonKind},
	}},
}

var sampleFile = profile{file: "sample", habits: habits{callsPerDay: 1.6, languages: map[string]int{"es": 3, "en": 1}, ahead: 9}}

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
	agent.Settings.Calendar.Resources = slices.Clone(p.staff)
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
