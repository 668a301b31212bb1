package wire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

type agent struct {
	ID            frontdesk.ID `json:"id"`
	Slug          string       `json:"slug"`
	Vertical      string       `json:"vertical"`
	DisplayName   string       `json:"display_name"`
	Status        string       `json:"status"`
	Languages     []string     `json:"languages"`
	Timezone      string       `json:"timezone"`
	Currency      string       `json:"currency"`
	OpenNow       bool         `json:"open_now"`
	NextOpeningAt *string      `json:"next_opening_at"`
	Rules         []rule       `json:"rules"`
	DemoFixtures  bool         `json:"demo_fixtures"`
	Config        agentConfig  `json:"config"`
}

// agentConfig is read from requests and files as well as written in answers;
// a field that is not set is left out.
type agentConfig struct {
	Business    *business        `json:"business,omitzero"`
	Assistant   *assistant       `json:"assistant,omitzero"`
	Voice       *voiceChoice     `json:"voice,omitzero"`
	PromptExtra *string          `json:"prompt_extra,omitzero"`
	Services    json.RawMessage  `json:"services,omitzero"`
	Menu        json.RawMessage  `json:"menu,omitzero"`
	Specials    *string          `json:"specials,omitzero"`
	Dietary     *string          `json:"dietary,omitzero"`
	Policy      *string          `json:"policy,omitzero"`
	Products    json.RawMessage  `json:"products,omitzero"`
	Listings    json.RawMessage  `json:"listings,omitzero"`
	Hours       map[string][]int `json:"hours,omitzero"`
}

type business struct {
	Name          *string `json:"name,omitzero"`
	Address       *string `json:"address,omitzero"`
	Phone         *string `json:"phone,omitzero"`
	Website       *string `json:"website,omitzero"`
	HoursHuman    *string `json:"hours_human,omitzero"`
	ShippingHuman *string `json:"shipping_human,omitzero"`
	ReturnsHuman  *string `json:"returns_human,omitzero"`
	ZonesHuman    *string `json:"zones_human,omitzero"`
}

type assistant struct {
	Name     *string `json:"name,omitzero"`
	Greeting *string `json:"greeting,omitzero"`
}

type voiceChoice struct {
	ES *string `json:"es,omitzero"`
	EN *string `json:"en,omitzero"`
}

// Agents spells a tenant's agents as a key of the mode sees them at now.
func Agents(agents []frontdesk.Agent, live bool, now time.Time) any {
	list := make([]agent, len(agents))
	for i, a := range agents {
		list[i] = agentOf(a, live, now)
	}
	return struct {
		Agents []agent `json:"agents"`
	}{list}
}

// AgentEnvelope spells one agent.
func AgentEnvelope(a frontdesk.Agent, live bool, now time.Time) any {
	return struct {
		Agent agent `json:"agent"`
	}{agentOf(a, live, now)}
}

// AgentForOperator spells one agent with what the API keeps from customers. It
// is for the command line alone.
func AgentForOperator(a frontdesk.Agent, now time.Time) any {
	type operators struct {
		agent
		TransferNumber *string `json:"transfer_number"`
	}
	out := operators{agent: agentOf(a, true, now)}
	if a.Settings.TransferNumber != "" {
		out.TransferNumber = &a.Settings.TransferNumber
	}
	return struct {
		Agent operators `json:"agent"`
	}{out}
}

func agentOf(a frontdesk.Agent, live bool, now time.Time) agent {
	open, next := openAt(a, now)
	return agent{
		ID: a.ID, Slug: a.Slug, Vertical: a.Vertical, DisplayName: a.DisplayName, Status: a.Status,
		Languages: a.Languages, Timezone: a.Timezone, Currency: a.Currency(), OpenNow: open, NextOpeningAt: maybeTime(next),
		Rules:        rulesOf(a.Settings.Rules),
		DemoFixtures: !live, Config: configOf(a.Config),
	}
}

// openAt says whether an agent's house is open and, if not, when it opens next.
// Of one without hours nothing is known.
func openAt(a frontdesk.Agent, now time.Time) (open bool, next time.Time) {
	hours, err := opening.Of(a)
	if err != nil || !hours.Known() {
		return false, time.Time{}
	}
	next, _ = hours.Next(now)
	return hours.OpenAt(now), next
}

func configOf(c frontdesk.AgentConfig) agentConfig {
	b := c.Business
	return agentConfig{
		Business: &business{
			Name: given(b.Name), Address: given(b.Address), Phone: given(b.Phone), Website: given(b.Website),
			HoursHuman: given(b.HoursHuman), ShippingHuman: given(b.ShippingHuman),
			ReturnsHuman: given(b.ReturnsHuman), ZonesHuman: given(b.ZonesHuman),
		},
		Assistant:   &assistant{Name: given(c.Assistant.Name), Greeting: given(c.Assistant.Greeting)},
		Voice:       &voiceChoice{ES: given(c.Voice.ES), EN: given(c.Voice.EN)},
		PromptExtra: given(c.PromptExtra), Specials: given(c.Specials), Dietary: given(c.Dietary), Policy: given(c.Policy),
		Services: c.Services, Menu: c.Menu, Products: c.Products, Listings: c.Listings,
		Hours: hoursOf(c.Hours),
	}
}

// given leaves out what has no value.
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func hoursOf(h *frontdesk.Hours) map[string][]int {
	if h == nil {
		return nil
	}
	days := map[string][]int{}
	for i, shift := range h {
		if shift != (frontdesk.Shift{}) {
			days[strconv.Itoa(i)] = []int{shift.Open, shift.Close}
		}
	}
	return days
}

// DecodeAgentPatch reads an AgentPatch. Its shape has been checked against the
// API description before; what is left to refuse here is little.
func DecodeAgentPatch(body []byte) (p frontdesk.AgentPatch, err error) {
	var in agentConfig
	if err := jsonv2.Unmarshal(body, &in, jsonv2.RejectUnknownMembers(true)); err != nil {
		return p, fmt.Errorf("reading an agent's configuration: %w", err)
	}
	p = frontdesk.AgentPatch{
		PromptExtra: in.PromptExtra, Specials: in.Specials, Dietary: in.Dietary, Policy: in.Policy,
		Services: in.Services, Menu: in.Menu, Products: in.Products, Listings: in.Listings,
	}
	if b := in.Business; b != nil {
		p.Business = frontdesk.BusinessPatch(*b)
	}
	if a := in.Assistant; a != nil {
		p.Assistant = frontdesk.AssistantPatch(*a)
	}
	if v := in.Voice; v != nil {
		p.Voice = frontdesk.VoicePatch(*v)
	}
	p.Hours, err = decodeHours(in.Hours)
	return p, err
}

func decodeHours(days map[string][]int) (*frontdesk.Hours, error) {
	if days == nil {
		return nil, nil
	}
	var h frontdesk.Hours
	for key, span := range days {
		day, err := strconv.Atoi(key)
		if err != nil || day < 0 || day > 6 || len(key) != 1 || len(span) != 2 {
			return nil, frontdesk.InvalidParam("hours", "hours must map the days 0 (Monday) to 6 (Sunday) to an opening and a closing hour.")
		}
		h[day] = frontdesk.Shift{Open: span[0], Close: span[1]}
		if !h[day].Valid() {
			return nil, frontdesk.InvalidParam("hours."+key, "Opening hours go from 0 to 23 and closing hours from 1 to 24.")
		}
	}
	return &h, nil
}
