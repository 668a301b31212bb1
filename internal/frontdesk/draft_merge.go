package frontdesk

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
)

type raw = json.RawMessage

// merger brings together what two sides have changed.
type merger struct {
	before, mine, stands Content
	merged               Content // begins as stands
	theirs               map[string]bool
	collisions           []Collision
}

// part is one thing of an agent that is changed as a whole.
type part struct {
	path string
	of   func(*Content) any
	take func(to, from *Content)
}

// field is a part that is one field.
func field[T any](path string, at func(*Content) *T) part {
	return part{
		path: path,
		of:   func(c *Content) any { return *at(c) },
		take: func(to, from *Content) { *at(to) = *at(from) },
	}
}

// parts are all but the openings and the lists of entries.
var parts = []part{
	field("config.business.name", func(c *Content) *string { return &c.Config.Business.Name }),
	field("config.business.address", func(c *Content) *string { return &c.Config.Business.Address }),
	field("config.business.phone", func(c *Content) *string { return &c.Config.Business.Phone }),
	field("config.business.website", func(c *Content) *string { return &c.Config.Business.Website }),
	field("config.business.hours_human", func(c *Content) *string { return &c.Config.Business.HoursHuman }),
	field("config.business.shipping_human", func(c *Content) *string { return &c.Config.Business.ShippingHuman }),
	field("config.business.returns_human", func(c *Content) *string { return &c.Config.Business.ReturnsHuman }),
	field("config.business.zones_human", func(c *Content) *string { return &c.Config.Business.ZonesHuman }),
	field("config.assistant.name", func(c *Content) *string { return &c.Config.Assistant.Name }),
	field("config.assistant.greeting", func(c *Content) *string { return &c.Config.Assistant.Greeting }),
	field("config.voice.es", func(c *Content) *string { return &c.Config.Voice.ES }),
	field("config.voice.en", func(c *Content) *string { return &c.Config.Voice.EN }),
	field("config.prompt_extra", func(c *Content) *string { return &c.Config.PromptExtra }),
	field("config.specials", func(c *Content) *string { return &c.Config.Specials }),
	field("config.dietary", func(c *Content) *string { return &c.Config.Dietary }),
	field("config.policy", func(c *Content) *string { return &c.Config.Policy }),
	field("rules", func(c *Content) *Rules { return &c.Settings.Rules }),
	field("currency", func(c *Content) *string { return &c.Settings.Currency }),
	field("notices", func(c *Content) *NoticeSettings { return &c.Settings.Notices }),
	field("calendar.capacity", func(c *Content) *int { return &c.Settings.Capacity }),
	field("calendar.service_capacity", func(c *Content) *map[string]int { return &c.Settings.ServiceCapacity }),
	duration("calendar.notice_minutes", AgentSettings.MinimumNotice, func(to, from *AgentSettings) { to.Notice = from.Notice }),
	duration("calendar.horizon_days", AgentSettings.BookingHorizon, func(to, from *AgentSettings) { to.Horizon = from.Horizon }),
	field("calendar.max_party", func(c *Content) *int { return &c.Settings.MaxParty }),
	field("calendar.resources", func(c *Content) *[]Resource { return &c.Settings.Calendar.Resources }),
	field("calendar.exceptions", func(c *Content) *[]Exception { return &c.Settings.Calendar.Exceptions }),
	field("calendar.closures", func(c *Content) *[]Closure { return &c.Settings.Calendar.Closures }),
	field("calendar.holidays", func(c *Content) *string { return &c.Settings.Calendar.Holidays }),
	field("calendar.slot_minutes", func(c *Content) *int { return &c.Settings.Calendar.SlotMinutes }),
	{
		path: "calendar.per_customer_open",
		of:   func(c *Content) any { return c.Settings.Calendar.OpenPerCustomer() },
		take: func(to, from *Content) { to.Settings.Calendar.PerCustomerOpen = from.Settings.Calendar.PerCustomerOpen },
	},
}

// duration is a part that is compared by what is in force: a default that was
// written down is no change.
func duration[T any](path string, of func(AgentSettings) T, take func(to, from *AgentSettings)) part {
	return part{
		path: path,
		of:   func(c *Content) any { return of(c.Settings) },
		take: func(to, from *Content) { take(&to.Settings, &from.Settings) },
	}
}

// week are the openings in force.
func (c Content) week() (w Week) {
	switch {
	case c.Settings.Calendar.Openings != nil:
		w = *c.Settings.Calendar.Openings
	case c.Config.Hours != nil:
		w = WeekOf(*c.Config.Hours)
	}
	return w
}

// dayPart is what is open on one day of the week.
func dayPart(day int) part {
	return part{
		path: "calendar.openings." + strconv.Itoa(day),
		of:   func(c *Content) any { return c.week()[day] },
		take: func(to, from *Content) {
			week := to.week()
			week[day] = from.week()[day]
			hull := week.Hull()
			to.Settings.Calendar.Openings, to.Config.Hours = &week, &hull
		},
	}
}

func same(a, b any) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	// A list or a map without entries is the same as none.
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	if k := va.Kind(); k != reflect.Slice && k != reflect.Map {
		return false
	}
	return va.Len() == 0 && vb.Len() == 0
}

func (m *merger) merge(p part) {
	mine := p.of(&m.mine)
	if same(p.of(&m.before), mine) {
		return
	}
	stands := p.of(&m.stands)
	switch {
	case same(stands, mine):
	case same(p.of(&m.before), stands):
		p.take(&m.merged, &m.mine)
	case m.mineWins(Collision{p.path, mine, stands}):
		p.take(&m.merged, &m.mine)
	}
}

// mineWins notes a collision and says which side is taken.
func (m *merger) mineWins(c Collision) bool {
	m.collisions = append(m.collisions, c)
	return !m.theirs[c.Path]
}

func (m *merger) mergeEntries(path string, at func(*Content) *raw) {
	before, mine, stands := *at(&m.before), *at(&m.mine), *at(&m.stands)
	if merged, changed := m.list(path, before, mine, stands); changed {
		*at(&m.merged) = merged
	}
}

// list is a list that two sides may have changed; false: it stays as it stands.
func (m *merger) list(path string, before, mine, stands raw) (raw, bool) {
	switch {
	case sameJSON(before, mine) || sameJSON(mine, stands):
		return nil, false
	case sameJSON(before, stands):
		return mine, true
	}
	b, err1 := readEntries(before)
	n, err2 := readEntries(mine)
	s, err3 := readEntries(stands)
	if err1 != nil || err2 != nil || err3 != nil {
		return mine, m.mineWins(Collision{path, mine, stands})
	}
	return m.entries(path, b, n, s).json(), true
}

// entries are those of both sides: each entry that one of them changed as it has
// it. Their order is that of the side that changed it.
func (m *merger) entries(path string, before, mine, stands Entries) (all Entries) {
	lead, other := mine, stands
	if slices.Equal(before.keys(), mine.keys()) {
		lead, other = stands, mine
	}
	seen := map[string]bool{}
	for _, e := range slices.Concat(lead, other) {
		if seen[e.Key] {
			continue
		}
		seen[e.Key] = true
		if kept := m.entry(path, before.find(e.Key), mine.find(e.Key), stands.find(e.Key)); kept != nil {
			all = append(all, *kept)
		}
	}
	return all
}

// entry is one entry of both sides; nil: it is gone.
func (m *merger) entry(path string, before, mine, stands *Entry) *Entry {
	switch {
	case sameEntry(mine, stands), sameEntry(before, stands):
		return mine
	case sameEntry(before, mine):
		return stands
	}
	key, collision := "", Collision{}
	for _, e := range []*Entry{stands, mine} {
		if e != nil {
			key = e.Key
		}
	}
	collision.Path = path + "[" + key + "]"
	if mine != nil {
		collision.Mine = mine.Value
	}
	if stands != nil {
		collision.Theirs = stands.Value
	}
	if m.mineWins(collision) {
		return mine
	}
	return stands
}

func (m *merger) mergeSections(path string, at func(*Content) *raw) {
	before, mine, stands := *at(&m.before), *at(&m.mine), *at(&m.stands)
	switch {
	case sameJSON(before, mine) || sameJSON(mine, stands):
		return
	case sameJSON(before, stands):
		*at(&m.merged) = mine
		return
	}
	b, err1 := ReadMembers(before)
	n, err2 := ReadMembers(mine)
	s, err3 := ReadMembers(stands)
	if err1 != nil || err2 != nil || err3 != nil {
		if m.mineWins(Collision{path, mine, stands}) {
			*at(&m.merged) = mine
		}
		return
	}
	*at(&m.merged) = m.sections(path, b, n, s).JSON()
}

// sections are those of both sides, each with the entries of both.
func (m *merger) sections(path string, before, mine, stands Members) (all Members) {
	lead, other := mine, stands
	if slices.Equal(before.names(), mine.names()) {
		lead, other = stands, mine
	}
	seen := map[string]bool{}
	for _, one := range slices.Concat(lead, other) {
		if seen[one.Name] {
			continue
		}
		seen[one.Name] = true
		b, _ := before.Get(one.Name)
		n, inMine := mine.Get(one.Name)
		s, inStands := stands.Get(one.Name)
		merged, changed := m.list(path+"."+one.Name, b, n, s)
		if !changed {
			merged = s
		}
		// One that a side took away stays away, unless the other has put something
		// into it.
		if inMine && inStands || len(merged) > 0 && !bytes.Equal(merged, raw("[]")) {
			all = append(all, Member{one.Name, merged})
		}
	}
	return all
}

func sameJSON(a, b raw) bool {
	var x, y bytes.Buffer
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

func sameEntry(a, b *Entry) bool {
	if a == nil || b == nil {
		return a == b
	}
	return sameJSON(a.Value, b.Value)
}
