package console

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// auditPage is who changed what, newest first.
type auditPage struct {
	Kinds   []choice
	Kind    string
	Entries []auditLine
	Older   string // address of the next page
	Newest  string // address of the first; "": it is this one
}

// auditLine is one change.
type auditLine struct {
	When, Who, What, Object string
	Changes                 []diffRow
	Action, ID              string // as programs know them
	Raw                     []frontdesk.FieldChange
}

// auditPageSize is how many changes stand on a page.
const auditPageSize = 50

func (c peopleScreen) audit(v *visit) (answer, error) {
	page := auditPage{Kind: v.field("kind")}
	for _, kind := range auditKinds() {
		page.Kinds = append(page.Kinds, choice{v.say("audit_kind_" + kind), kind, kind == page.Kind})
	}
	if page.Kind != "" && !slices.Contains(auditKinds(), page.Kind) {
		return answer{}, frontdesk.InvalidParam("kind", "There is no such kind.")
	}
	after, ok := frontdesk.ParseID(v.field("after"))
	if !ok && v.field("after") != "" {
		return answer{}, frontdesk.Missing("page")
	}
	list, err := c.store.Audit(v.Context(), v.owner(), frontdesk.AuditFilter{Action: page.Kind}, frontdesk.Page{Limit: auditPageSize, StartingAfter: after})
	if err != nil {
		return answer{}, err
	}
	captures, err := c.auditedCaptures(v, list.Items)
	if err != nil {
		return answer{}, err
	}
	for _, e := range list.Items {
		page.Entries = append(page.Entries, newAuditLine(v, e, captures[e.ObjectID]))
	}
	address := func(after frontdesk.ID) string {
		query := url.Values{"kind": {page.Kind}, "after": {string(after)}}
		for _, name := range []string{"kind", "after"} {
			if query.Get(name) == "" {
				query.Del(name)
			}
		}
		return "people/audit?" + query.Encode()
	}
	if list.More {
		page.Older = address(list.Items[len(list.Items)-1].ID)
	}
	if after != "" {
		page.Newest = address("")
	}
	return v.page("audit", page)
}

// auditKinds are the kinds of things that are changed.
func auditKinds() (kinds []string) {
	for _, action := range frontdesk.AuditActions {
		if kind := frontdesk.AuditKind(action); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// auditedCaptures are the captures that some entries are about, by id.
func (c peopleScreen) auditedCaptures(v *visit, entries []frontdesk.AuditEntry) (map[string]frontdesk.Capture, error) {
	var ids []frontdesk.ID
	for _, e := range entries {
		if id, ok := frontdesk.ParseID(e.ObjectID); ok && frontdesk.AuditKind(e.Action) == "capture" {
			ids = append(ids, id)
		}
	}
	list, err := c.store.CapturesNamed(v.Context(), v.owner(), ids)
	all := map[string]frontdesk.Capture{}
	for _, capture := range list {
		all[string(capture.ID)] = capture
	}
	return all, err
}

func newAuditLine(v *visit, e frontdesk.AuditEntry, capture frontdesk.Capture) auditLine {
	line := auditLine{
		When: v.ago(e.At), Who: cmp.Or(v.say("audit_by_"+e.By.Kind, "who", e.By.Name), e.By.Name), Object: e.Object,
		What:   cmp.Or(v.say("audit_"+strings.ReplaceAll(e.Action, ".", "_")), labelOf(v, e.Action)),
		Action: e.Action, ID: e.ObjectID,
	}
	if capture.ID != "" {
		line.Object = auditedCapture(v, capture)
	}
	tell := changeTeller{v: v, about: capture}
	for _, f := range e.Changes {
		f.From, f.To = auditCut(f.From), auditCut(f.To)
		line.Raw = append(line.Raw, f)
	}
	for _, f := range e.Changes {
		if f.Field == "service_id" || f.Field == "revision" { // its name stands beside it; it is for programs
			continue
		}
		line.Changes = append(line.Changes, tell.field(f)...)
	}
	return line
}

// auditedCapture is a capture by whom it is of, and when: la reserva de Marta,
// miércoles 18 de noviembre, 13:30.
func auditedCapture(v *visit, capture frontdesk.Capture) string {
	w := v.words
	if agent, known := v.agentNamed(capture.AgentID); known {
		w = w.about(agent)
	}
	who := cmp.Or(capture.CustomerName, v.say("nameless"))
	if capture.Kind != frontdesk.Appointment {
		return joinLabel(w.say("kind_"+capture.Kind), who)
	}
	return w.say("audit_appointment", "who", who, "when", localMoment(v, capture.ScheduledAt))
}

// auditCut is a value that is not too long to be looked at.
func auditCut(value string) string {
	const most = 200
	if cut := frontdesk.Clip(value, most); cut != value {
		return cut + "…"
	}
	return value
}
