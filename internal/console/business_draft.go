package console

import (
	"encoding/json"
	"net/http"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// comparison is what a draft would change, and where it collides with what somebody
// else has published meanwhile.
type comparison struct {
	Rows       []diffRow
	Collisions []collisionRow
	Revision   frontdesk.ID // that stands, as it is compared with
	Stale      bool         // it has changed since it was shown
	Theirs     string       // who published meanwhile
}

// collisionRow is something that two people have changed.
type collisionRow struct {
	Path   string
	Label  string
	Mine   string
	Theirs string
}

// showDraft is what is not published yet.
func (c businessScreen) showDraft(v *visit) (answer, error) {
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	return c.compareDraft(v, b, http.StatusOK, false)
}

func (c businessScreen) compareDraft(v *visit, b business, status int, stale bool) (answer, error) {
	data := comparison{Rows: explainChanges(v, b.agent, b.edited), Revision: b.agent.Revision, Stale: stale}
	for _, one := range b.collisions {
		data.Collisions = append(data.Collisions, collisionRow{one.Path, pathLabel(v, one.Path), sideText(v, one.Mine), sideText(v, one.Theirs)})
	}
	if len(data.Collisions) > 0 {
		list, err := c.store.Revisions(v.Context(), v.owner(), b.agent.ID, frontdesk.Page{Limit: 1})
		if err != nil {
			return answer{}, err
		}
		if len(list.Items) > 0 {
			data.Theirs = list.Items[0].By.Name
		}
	}
	page := c.newPage(v, b, "", data)
	page.Title = v.say("draft_title")
	return v.render(status, "business_draft", page)
}

// sideText is one side of a collision as people read it.
func sideText(v *visit, side any) string {
	if periods, ok := side.([]frontdesk.Period); ok {
		return orText(periodText(periods), v.say("closed"))
	}
	text, err := json.Marshal(side)
	var plain any
	if err != nil || json.Unmarshal(text, &plain) != nil {
		return ""
	}
	return orText(valueText(v, plain), v.say("nothing_there"))
}

// publish makes the draft what callers hear, if it is the one that the publisher
// saw: what a colleague has changed since is shown before it is published. Where it collides with what somebody
// else has published since it was begun, the publisher has to say which side is
// meant: nothing is written before.
func (c businessScreen) publish(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	if err := needLive(v); err != nil {
		return answer{}, err
	}
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	if seen := v.field("seen"); seen == "" || seen != b.seen() {
		return c.compareDraft(v, b, http.StatusConflict, true)
	}
	theirs, decided := map[string]bool{}, true
	for _, one := range b.collisions {
		side := v.raw("side." + one.Path)
		theirs[one.Path] = side == "theirs"
		decided = decided && side != ""
	}
	if !decided {
		return c.compareDraft(v, b, http.StatusConflict, false)
	}
	published, err := c.changeAgent(v, b.agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		if a.Revision != b.agent.Revision {
			return a, &frontdesk.Error{Kind: frontdesk.Outdated, Code: "version_mismatch", Message: "Somebody else has published meanwhile. Look at the differences again."}
		}
		merged, _ := b.draft.Onto(a, theirs)
		return merged, merged.Settings.Check()
	})
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.Outdated {
		return c.compareAgain(v)
	}
	if err != nil {
		return answer{}, err
	}
	if err := c.store.DropDraft(v.Context(), v.owner(), b.agent.ID, b.draft.ChangedAt); err != nil {
		return answer{}, err
	}
	return c.donePublished(v, published)
}

// compareAgain shows the differences after somebody else was faster.
func (c businessScreen) compareAgain(v *visit) (answer, error) {
	agent, err := c.store.Agent(v.Context(), v.owner(), v.agent.ID)
	if err != nil {
		return answer{}, err
	}
	v.agent = &agent
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	return c.compareDraft(v, b, http.StatusConflict, true)
}

// donePublished says that the draft is what callers hear, and how to take that
// back: the version before it is restored.
func (c businessScreen) donePublished(v *visit, published frontdesk.Agent) (answer, error) {
	list, err := c.store.Revisions(v.Context(), v.owner(), published.ID, frontdesk.Page{Limit: 2})
	if err != nil {
		return answer{}, err
	}
	s := said{Text: v.say("published")}
	if len(list.Items) == 2 && list.Items[0].ID == published.Revision { // and nobody has published since
		s.Action = "business/history/" + string(list.Items[1].ID) + "/restore"
		s.Fields = [][2]string{{"back", "business"}, {"seen", string(published.Revision)}}
	}
	return v.done(v.base()+"business", s), nil
}

// discard puts the draft aside. It can be taken up again until the next change.
func (c businessScreen) discard(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	if err := needLive(v); err != nil {
		return answer{}, err
	}
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	again := v.field("again") == "yes"
	_, err := c.store.ChangeDraft(v.Context(), v.owner(), agent.Slug, store.DraftChange{
		By: v.person.Actor(), Now: c.now(),
		Change: func(_ frontdesk.Agent, d frontdesk.Draft) (frontdesk.Draft, error) {
			d.Discarded = !again
			return d, nil
		},
	})
	if err != nil {
		return answer{}, err
	}
	s := said{v.say("discarded"), "business/draft/discard", [][2]string{{"again", "yes"}}}
	if again {
		s = said{Text: v.say("taken_up")}
	}
	return v.done(v.base()+"business", s), nil
}
