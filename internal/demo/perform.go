package demo

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// performance is a scene being played: in a house, by a caller, at a time.
type performance struct {
	rng      *rand.Rand
	house    *house
	scene    *scene
	script   *script
	language string
	channel  frontdesk.Channel
	startsAt time.Time
	caller   caller
	slot     time.Time // the time that the talk is about
	code     string
	slots    slots

	turns []frontdesk.Turn
	clock time.Duration // since the call began
}

// stage deals all that a scene needs to be played.
func (g *generator) stage(st *station, sc *scene, at time.Time) *performance {
	language := st.languages.deal(g.rng)
	channel := st.channels.deal(g.rng)
	p := &performance{
		rng: g.rng, house: st.house, scene: sc, script: sc.scripts[language], language: language,
		channel: cmp.Or(sc.channel, channel), startsAt: at, caller: newCaller(g.rng, language),
		slot: st.slot(g.rng, at, cmp.Or(sc.ahead, st.habits.ahead)), code: randomCode(g.rng),
		slots: slots{},
	}
	p.fillSlots()
	return p
}

func (p *performance) fillSlots() {
	h, s := p.house, p.slots
	s["business"], s["address"] = same(h.agent.Config.Business.Name), same(h.agent.Config.Business.Address)
	s["code"], s["old_code"] = same(p.code), same(randomCode(p.rng))
	s["party"], s["group"] = number(2+p.rng.IntN(5)), number(12+2*p.rng.IntN(12))
	s["on"] = spellDate(p.slot)
	s["day"], s["on_day"] = spellDay(p.slot, p.startsAt.In(h.loc))
	s["date"], s["time"] = same(p.slot.Format(time.DateOnly)), spellTime(p.slot)
	s["busy"] = spellTime(h.taken(p.slot))
	s["when"] = same(string(frontdesk.LocalTimeOf(p.slot)))
	p.caller.slots(s)
	h.hourSlots(p.rng, s)
	h.serviceSlots(p.rng, s, p.scene.about)
	if h.dishes != nil {
		h.dishSlots(p.rng, s)
	}
	if h.products != nil {
		h.productSlots(p.rng, s)
	}
	if h.listings != nil {
		h.listingSlots(p.rng, s)
	}
}

// perform plays the scene to its end.
func (p *performance) perform() error {
	if p.script == nil {
		return errors.New("there is no script")
	}
	p.clock = time.Duration(300+p.rng.IntN(600)) * time.Millisecond
	if !p.scene.silent {
		p.greet()
	}
	for i, l := range p.script.lines {
		if l.role == frontdesk.RoleTool {
			if err := p.use(l); err != nil {
				return err
			}
			continue
		}
		answered := i+1 < len(p.script.lines) && p.script.lines[i+1].role == frontdesk.RoleCaller
		if err := p.say(l, answered); err != nil {
			return err
		}
	}
	return nil
}

// greet opens the call in the house's first language; a visitor of the web has
// chosen a language before.
func (p *performance) greet() {
	first := p.house.agent.Languages[0]
	greeting := p.house.agent.Config.Assistant.Greeting
	if p.channel == frontdesk.Web && p.language != first {
		name, business := p.house.agent.Config.Assistant.Name, p.house.agent.Config.Business.Name
		greeting = words{
			"Hola, esto es " + business + ". Soy " + name + ", la asistente virtual. ¿En qué puedo ayudar?",
			"Hello, this is " + business + ". I'm " + name + ", the virtual assistant. How can I help?",
		}.in(p.language)
		first = p.language
	}
	p.add(frontdesk.Turn{Role: frontdesk.RoleAgent, Text: greeting, Language: first}, p.lasts(frontdesk.RoleAgent, greeting))
}

// say plays one spoken turn. A caller who knows the question by heart does not
// wait for its end.
func (p *performance) say(l line, answered bool) error {
	language := cmp.Or(l.language, p.language)
	text, err := p.slots.fill(pick(p.rng, l.says), language)
	if err != nil {
		return err
	}
	turn := frontdesk.Turn{Role: l.role, Text: text, Language: language}
	mayInterrupt := p.channel == frontdesk.Phone && l.role == frontdesk.RoleAgent && answered
	if mayInterrupt && strings.HasSuffix(text, "?") && p.rng.IntN(12) == 0 {
		turn.Text, turn.Interrupted = cutShort(text), true
	}
	p.add(turn, p.lasts(l.role, turn.Text))
	return nil
}

// cutShort leaves out the end of a question.
func cutShort(text string) string {
	said := strings.Fields(text)
	return strings.Join(said[:max(1, len(said)-2)], " ") + "…"
}

// use plays one turn in which the receptionist looks something up or writes
// something down.
func (p *performance) use(l line) error {
	turn := frontdesk.Turn{
		Role: frontdesk.RoleTool, Name: l.tool, Text: strings.ReplaceAll(l.tool, "_", " "), Language: p.language,
	}
	if err := p.fillObject(l.arguments, &turn.Arguments); err != nil {
		return err
	}
	if err := p.fillObject(l.result, &turn.Result); err != nil {
		return err
	}
	p.add(turn, time.Duration(120+p.rng.IntN(700))*time.Millisecond)
	return nil
}

func (p *performance) fillObject(template string, into *map[string]any) error {
	text, err := p.slots.fill(template, p.language)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

// add puts a turn at the end of what was said so far.
func (p *performance) add(t frontdesk.Turn, lasts time.Duration) {
	t.Start = p.clock
	t.End = t.Start + lasts
	p.clock = t.End + p.pause(t)
	p.turns = append(p.turns, t)
}

// lasts is how long a text takes: speech on the phone, typing on the web.
func (p *performance) lasts(role, text string) time.Duration {
	letters := utf8.RuneCountInString(text)
	perLetter := 62 + p.rng.IntN(20)
	if p.channel == frontdesk.Web {
		perLetter = 4
		if role == frontdesk.RoleCaller {
			perLetter = 90 + p.rng.IntN(70)
		}
	}
	return time.Duration(350+letters*perLetter) * time.Millisecond
}

// pause is the silence after a turn. Whoever reads needs longer than whoever
// listens.
func (p *performance) pause(t frontdesk.Turn) time.Duration {
	millis := 450 + p.rng.IntN(1200)
	switch {
	case t.Interrupted || t.Role == frontdesk.RoleTool:
		millis = 40 + p.rng.IntN(120)
	case p.channel == frontdesk.Web && t.Role == frontdesk.RoleAgent:
		millis = 1500 + 25*len(t.Text)/2 + p.rng.IntN(3500)
	}
	return time.Duration(millis) * time.Millisecond
}
