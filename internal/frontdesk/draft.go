package frontdesk

import "time"

// Content is what of an agent is written by people: its history and its draft are
// made of it.
type Content struct {
	Config   AgentConfig
	Settings AgentSettings
}

// Content is what of the agent is written by people.
func (a Agent) Content() Content { return Content{a.Config, a.Settings} }

// With is the agent with other content. What only its operator sets stays as it is.
func (a Agent) With(c Content) Agent {
	return a.Restored(Revision{Config: c.Config, Settings: c.Settings})
}

// Draft is what people have changed about an agent and not published yet.
type Draft struct {
	AgentID   ID
	Base      ID      // the version of the agent that it began with; "": it had none
	Before    Content // what stood in that version
	After     Content
	By        Actor // who changed it last
	ChangedAt time.Time
	Discarded bool // it counts no more, and can be taken up again
}

// NewDraft is a draft of an agent in which nothing is changed yet.
func NewDraft(a Agent) Draft {
	return Draft{AgentID: a.ID, Base: a.Revision, Before: a.Content(), After: a.Content()}
}

// Collision is something that a draft and a version published meanwhile have both
// changed, each in its own way. nil is what is not there.
type Collision struct {
	Path   string // as the differences of two versions name it; of an entry of a list with its name behind: config.services[Corte]
	Mine   any
	Theirs any
}

// Onto is an agent with what the draft changes, and what collides with changes that
// were published since the draft was begun. Of a collision the draft's side is taken,
// unless its path is in theirs.
func (d Draft) Onto(a Agent, theirs map[string]bool) (Agent, []Collision) {
	m := merger{before: d.Before, mine: d.After, stands: a.Content(), merged: a.Content(), theirs: theirs}
	for _, p := range parts {
		m.merge(p)
	}
	for day := range 7 {
		m.merge(dayPart(day))
	}
	m.mergeEntries("config.services", func(c *Content) *raw { return &c.Config.Services })
	m.mergeEntries("config.listings", func(c *Content) *raw { return &c.Config.Listings })
	m.mergeSections("config.menu", func(c *Content) *raw { return &c.Config.Menu })
	m.mergeSections("config.products", func(c *Content) *raw { return &c.Config.Products })
	return a.With(m.merged), m.collisions
}

// Rebased is the draft as if it had been begun with the agent as it stands now.
// It stays as it is while something collides.
func (d Draft) Rebased(a Agent) Draft {
	onto, collisions := d.Onto(a, nil)
	if len(collisions) > 0 {
		return d
	}
	d.Base, d.Before, d.After = a.Revision, a.Content(), onto.Content()
	return d
}
