package console

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// businessScreen is all that a receptionist knows of its business. What is changed
// here goes into a draft, which can be talked to, and is published at once.
type businessScreen struct{ *Console }

// businessPage is a page of the screen.
type businessPage struct {
	Section   string // "": the overview
	Title     string
	CanEdit   bool
	Elsewhere string // where it can be edited, in test mode
	Bar       draftBar
	Talk      *talk // beside the page; nil: nobody can be talked to
	Body      any
}

// draftBar is what is not published yet.
type draftBar struct {
	Changes    []diffRow
	Count      int
	Collisions int
	By         string
	When       string
	Seen       string // what is published by who saw this
}

// business is an agent and its draft, as a page shows them.
type business struct {
	agent      frontdesk.Agent // as it is published
	draft      frontdesk.Draft
	edited     frontdesk.Agent // as the draft would make it
	collisions []frontdesk.Collision
}

// readBusiness reads the place's agent and its draft. Where the address names no
// agent, the answer sends the browser to one.
func (c businessScreen) readBusiness(v *visit) (b business, elsewhere *answer, err error) {
	if b.agent, elsewhere = v.oneAgent(); elsewhere != nil {
		return b, elsewhere, nil
	}
	b, err = c.readDraft(v, b.agent)
	return b, nil, err
}

// readDraft is an agent with what is changed about it and not published.
func (c *Console) readDraft(v *visit, agent frontdesk.Agent) (b business, err error) {
	b.agent = agent
	b.draft, err = c.store.Draft(v.Context(), v.owner(), b.agent.ID)
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound || err == nil && b.draft.Discarded {
		b.draft, err = frontdesk.NewDraft(b.agent), nil
	}
	b.edited, b.collisions = b.draft.Onto(b.agent, nil)
	return b, err
}

// seen names what a page shows: the version that is published, and what the draft
// would make of it. Who publishes names what they saw.
func (b business) seen() string {
	shown, err := json.Marshal([]any{b.agent.Revision, b.edited.Content()})
	if err != nil { // equal to nothing that is sent
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(shown))[:32]
}

// mayEdit says whether the person may change the business here. The agents are the
// same in both modes, so nothing of them is changed in test mode.
func mayEdit(v *visit) bool { return v.mode.live && owners.let(v.person.Role) }

// needLive refuses to change live things from test mode.
func needLive(v *visit) error {
	if v.mode.live {
		return nil
	}
	return &frontdesk.Error{Kind: frontdesk.Forbidden, Code: "live_key_required", Message: "The business is the same in test and live. Change it in live."}
}

func (c businessScreen) newPage(v *visit, b business, section string, body any) businessPage {
	p := businessPage{Section: section, CanEdit: mayEdit(v), Bar: newDraftBar(v, b), Body: body}
	if section != "" {
		p.Title = v.say("section_" + section)
	}
	if !v.mode.live {
		p.Elsewhere = v.otherMode() + "business"
	}
	if c.sessions != nil {
		p.Talk = &talk{}
	}
	return p
}

func newDraftBar(v *visit, b business) draftBar {
	rows := explainChanges(v, b.agent, b.edited)
	bar := draftBar{Changes: rows, Count: len(rows), Collisions: len(b.collisions), Seen: b.seen()}
	if bar.Count > 0 {
		bar.By, bar.When = b.draft.By.Name, v.ago(b.draft.ChangedAt)
	}
	return bar
}

// sectionCard is a part of the business on the overview.
type sectionCard struct {
	Name string
	What string // a few words of what stands there
}

// overview is the first page of the screen.
type overview struct {
	First []sectionCard
	More  []sectionCard
}

func (c businessScreen) show(v *visit) (answer, error) {
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	var o overview
	for _, name := range sections {
		card := sectionCard{name, describeSection(v, name, b.edited)}
		if fitsTrade(name, b.edited) || card.What != "" {
			o.First = append(o.First, card)
		} else {
			o.More = append(o.More, card)
		}
	}
	return v.page("business", c.newPage(v, b, "", o))
}

func orAnswer(a *answer) answer {
	if a == nil {
		return answer{}
	}
	return *a
}

// sections are the parts of a business, in the order of worth.
var sections = []string{"hours", "services", "menu", "products", "listings", "texts", "about", "receptionist", "people", "booking", "rules"}

// fitsTrade says whether a part of the business matters to a trade, even when
// nothing stands in it yet.
func fitsTrade(section string, a frontdesk.Agent) bool {
	trade := a.Trade()
	switch section {
	case "menu":
		return trade.SeatsParties
	case "products":
		return trade.TakesOrders && !trade.SeatsParties
	case "listings":
		return trade.ShowsListings
	case "services":
		return !trade.TakesOrders || trade.SeatsParties
	case "people":
		return trade.BooksPeople
	}
	return true
}

// describeSection says in a few words what stands in a part of the business; ""
// where nothing does.
func describeSection(v *visit, section string, a frontdesk.Agent) string {
	switch section {
	case "services", "listings", "menu", "products":
		return countText(v, "entries", len(flatEntries(a, section)))
	case "rules":
		return countText(v, "rules_count", len(a.Settings.Rules))
	case "people":
		return countText(v, "people_count", len(a.Settings.Calendar.Resources))
	case "about":
		return a.Config.Business.Address
	case "receptionist":
		return a.Config.Assistant.Name
	case "texts":
		return a.Config.Specials
	case "hours":
		if open, next := openNow(a, v.now); open {
			return v.say("house_open")
		} else if !next.IsZero() {
			return v.say("house_opens", "when", v.moment(next.In(v.zone)))
		}
	}
	return ""
}

func countText(v *visit, key string, n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return v.say(key + "_one")
	}
	return v.say(key, "n", strconv.Itoa(n))
}

// showSection is one part of the business: a form, or a list.
func (c businessScreen) showSection(v *visit) (answer, error) {
	section := v.http.PathValue("section")
	if !slices.Contains(sections, section) {
		return answer{}, frontdesk.Missing("page")
	}
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	if list, ok := newEntryList(v, section, b.edited); ok {
		return v.page("business_list", c.newPage(v, b, section, list))
	}
	f, err := findForm(v, section, "", "", b.edited)
	if err != nil {
		return answer{}, err
	}
	return v.page("business_form", c.newPage(v, b, section, f.shown(v)))
}

// edit changes the draft of the place's agent.
func (c businessScreen) edit(v *visit, change func(frontdesk.Agent) (frontdesk.Agent, error)) error {
	if err := needLive(v); err != nil {
		return err
	}
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return frontdesk.Missing("agent")
	}
	_, err := c.store.ChangeDraft(v.Context(), v.owner(), agent.Slug, store.DraftChange{
		By: v.person.Actor(), Now: c.now(),
		Change: func(stands frontdesk.Agent, d frontdesk.Draft) (frontdesk.Draft, error) {
			if d.Discarded {
				d = frontdesk.NewDraft(stands)
			}
			d = d.Rebased(stands)
			edited, _ := d.Onto(stands, nil)
			changed, err := change(edited)
			d.After, d.Discarded = changed.Content(), false
			return d, err
		},
	})
	return err
}

// patched is an agent with a change that the API's own description admits.
func patched(a frontdesk.Agent, patch frontdesk.Members) (frontdesk.Agent, error) {
	api, err := description.Load()
	if err != nil {
		return a, err
	}
	change, err := api.AgentPatch(patch.JSON())
	if err != nil {
		return a, err
	}
	return withoutLostServices(a.Patched(change)), nil
}

// withoutLostServices takes services that there are no more from who did them:
// nobody can be booked for them.
func withoutLostServices(a frontdesk.Agent) frontdesk.Agent {
	known := map[string]bool{}
	for _, s := range serviceChoices(a) {
		known[s.Value] = true
	}
	resources := slices.Clone(a.Settings.Calendar.Resources)
	for i, r := range resources {
		if r.Services != nil {
			resources[i].Services = slices.DeleteFunc(slices.Clone(r.Services), func(id string) bool { return !known[id] })
		}
	}
	a.Settings.Calendar.Resources = resources
	return a
}

// rebooked is an agent with other values in its book of hours, held to the same
// rules as one that is sent to the API.
func rebooked(a frontdesk.Agent, values frontdesk.Members) (frontdesk.Agent, error) {
	api, err := description.Load()
	if err != nil {
		return a, err
	}
	text, err := json.Marshal(wire.Calendar(a))
	if err != nil {
		return a, err
	}
	book, err := frontdesk.ReadMembers(text)
	if err != nil {
		return a, err
	}
	for _, one := range values {
		book = book.Set(one.Name, one.Value)
	}
	body := book.JSON()
	if err := api.CheckBody("Calendar", body); err != nil {
		return a, err
	}
	return calendar.Replaced(a, body)
}

// quoted is a text as JSON.
func quoted(s string) json.RawMessage {
	text, _ := json.Marshal(s) // a string always can
	return text
}
