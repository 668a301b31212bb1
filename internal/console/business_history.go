package console

import (
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// mostRevisions is how many versions a page of the history shows.
const mostRevisions = 30

// history is a page of the versions of an agent.
type history struct {
	Rows []revisionRow
	Next frontdesk.ID // where the next page begins; "": there is none
}

// revisionRow is one version in the list.
type revisionRow struct {
	ID      frontdesk.ID
	When    string
	Who     string
	Fields  []string
	More    int // fields that are not named
	Current bool
}

func (c businessScreen) showHistory(v *visit) (answer, error) {
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	page := frontdesk.Page{Limit: mostRevisions}
	if after, ok := frontdesk.ParseID(v.http.URL.Query().Get("after")); ok {
		page.StartingAfter = after
	}
	list, err := c.store.Revisions(v.Context(), v.owner(), b.agent.ID, page)
	if err != nil {
		return answer{}, err
	}
	var data history
	for _, r := range list.Items {
		data.Rows = append(data.Rows, newRevisionRow(v, r, b.agent))
	}
	if list.More {
		data.Next = list.Items[len(list.Items)-1].ID
	}
	p := c.newPage(v, b, "", data)
	p.Title = v.say("history_title")
	return v.page("business_history", p)
}

const mostFields = 4

func newRevisionRow(v *visit, r frontdesk.Revision, a frontdesk.Agent) revisionRow {
	row := revisionRow{ID: r.ID, When: v.moment(r.ChangedAt.In(v.zone)), Who: actorName(v, r.By), Current: r.ID == a.Revision}
	for _, path := range r.Fields {
		if path == "config.hours" && len(r.Fields) > 1 {
			continue // the openings tell it
		}
		if len(row.Fields) == mostFields {
			row.More++
			continue
		}
		row.Fields = append(row.Fields, pathLabel(v, path))
	}
	return row
}

// actorName is who changed something, as people read it.
func actorName(v *visit, by frontdesk.Actor) string {
	if by.Name == "" {
		return v.say("actor_" + by.Kind)
	}
	if by.Kind == frontdesk.ByPerson {
		return by.Name
	}
	return by.Name + " (" + v.say("actor_"+by.Kind) + ")"
}

// revisionPage is one version and what it changed.
type revisionPage struct {
	Row  revisionRow
	Rows []diffRow    // to the version before
	Back []diffRow    // what restoring it would change now
	Undo frontdesk.ID // the version before the one that stands; "": this is another
	Seen frontdesk.ID // the version that stands: restoring takes back no other
}

func (c businessScreen) showRevision(v *visit) (answer, error) {
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	id, err := v.pathID("revision")
	if err != nil {
		return answer{}, err
	}
	r, err := c.store.Revision(v.Context(), v.owner(), b.agent.ID, id)
	if err != nil {
		return answer{}, err
	}
	before, err := c.store.Revisions(v.Context(), v.owner(), b.agent.ID, frontdesk.Page{Limit: 1, StartingAfter: id})
	if err != nil {
		return answer{}, err
	}
	then := b.agent.Restored(r)
	data := revisionPage{Row: newRevisionRow(v, r, b.agent), Back: explainChanges(v, b.agent, then), Seen: b.agent.Revision}
	if len(before.Items) > 0 {
		data.Rows = explainChanges(v, b.agent.Restored(before.Items[0]), then)
		if data.Row.Current && len(data.Rows) > 0 {
			data.Undo = before.Items[0].ID
		}
	}
	p := c.newPage(v, b, "", data)
	p.Title = data.Row.When
	return v.page("business_revision", p)
}

// restore makes the agent again what it was in a version, and offers the way back.
func (c businessScreen) restore(v *visit) (answer, error) {
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
	id, err := v.pathID("revision")
	if err != nil {
		return answer{}, err
	}
	r, err := c.store.Revision(v.Context(), v.owner(), agent.ID, id)
	if err != nil {
		return answer{}, err
	}
	var before frontdesk.ID
	restored, err := c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		before = a.Revision
		if v.field("seen") != string(a.Revision) { // what was published since it was looked at is taken back by nobody
			return a, &frontdesk.Error{Kind: frontdesk.Clash, Code: "version_mismatch", Message: "Somebody else has changed the business since. Look at the history."}
		}
		return a.Restored(r), nil
	})
	if err != nil {
		return answer{}, err
	}
	s := said{Text: v.say("restored", "when", v.moment(r.ChangedAt.In(v.zone)))}
	if before != "" && before != r.ID {
		s.Action, s.Fields = "business/history/"+string(before)+"/restore", [][2]string{{"back", v.field("back")}, {"seen", string(restored.Revision)}}
	}
	return v.done(v.back("business/history"), s), nil
}
