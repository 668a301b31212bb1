package console

import (
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// mostFragments is how many passages of a document its page shows.
const mostFragments = 100

// shelf are the documents of a place. It renews itself while one is being read.
type shelf struct {
	Documents []documentRow
	More      bool
	Busy      bool
	Used      string
	Space     meter
	Files     meter
}

// documentRow is a document in a list.
type documentRow struct {
	ID     frontdesk.ID
	Title  string
	Status frontdesk.DocumentStatus
	Help   string // what to do about one that cannot be used
	Facts  string
	For    string // whom it serves; "": there is one agent alone
}

// renew is the newest state of the documents.
func (c teachScreen) renew(v *visit) (answer, error) {
	if !v.htmx() {
		return v.redirect(v.base() + "teach"), nil
	}
	s, _, err := c.readShelf(v)
	if err != nil {
		return answer{}, err
	}
	return v.page("teach_shelf", s)
}

func (c teachScreen) readShelf(v *visit) (s shelf, documents []frontdesk.Document, err error) {
	if documents, s.More, err = c.documentsOf(v); err != nil {
		return s, nil, err
	}
	for _, d := range documents {
		s.Documents = append(s.Documents, newDocumentRow(v, d))
		s.Busy = s.Busy || isBusy(d)
	}
	use, err := c.store.DocumentUse(v.Context(), v.owner())
	if err != nil {
		return s, nil, err
	}
	plan := v.tenant.Plan
	s.Space = meter{Fill: share(use.Bytes, plan.MaxTotalBytes), Said: v.say("teach_space", "used", sizeSaid(v, use.Bytes), "all", sizeSaid(v, plan.MaxTotalBytes))}
	s.Files = meter{Fill: share(int64(use.Documents), int64(plan.MaxDocuments)), Said: v.say("teach_files", "used", v.figure(use.Documents), "all", v.figure(plan.MaxDocuments))}
	for _, m := range []*meter{&s.Space, &s.Files} {
		m.Good = m.Fill < 90
	}
	return s, documents, nil
}

// share is a part of a whole in percent.
func share(part, whole int64) float64 {
	if whole <= 0 || part >= whole {
		return 100
	}
	return float64(part) * 100 / float64(whole)
}

// documentsOf are the newest documents that serve the place's agent: its own, and
// those for all.
func (c teachScreen) documentsOf(v *visit) (all []frontdesk.Document, more bool, err error) {
	shelves := []frontdesk.ID{""}
	if v.agent != nil {
		shelves = []frontdesk.ID{v.agent.ID, v.tenant.ID}
	}
	for _, id := range shelves {
		list, err := c.store.Documents(v.Context(), v.owner(), frontdesk.DocumentFilter{AgentID: id}, frontdesk.Page{Limit: frontdesk.MaxPageSize})
		if err != nil {
			return nil, false, err
		}
		all, more = append(all, list.Items...), more || list.More
	}
	slices.SortFunc(all, func(a, b frontdesk.Document) int { return strings.Compare(string(b.ID), string(a.ID)) })
	return all, more, nil
}

// isBusy says whether a document is on its way into answers.
func isBusy(d frontdesk.Document) bool {
	return d.Status == frontdesk.DocumentPending || d.Status == frontdesk.DocumentProcessing
}

func newDocumentRow(v *visit, d frontdesk.Document) documentRow {
	row := documentRow{ID: d.ID, Title: d.Title, Status: d.Status, Help: helpSaid(v, d), For: servesSaid(v, d)}
	facts := []string{v.say("teach_kind_" + string(d.Kind)), sizeSaid(v, d.SizeBytes)}
	if d.Fragments > 0 {
		facts = append(facts, passagesSaid(v, d.Fragments))
	}
	if len(d.Languages) > 0 {
		facts = append(facts, strings.Join(d.Languages, ", "))
	}
	row.Facts = strings.Join(facts, " · ")
	return row
}

func passagesSaid(v *visit, n int) string {
	if n == 1 {
		return v.say("teach_passages_one", "n", "1")
	}
	return v.say("teach_passages", "n", v.figure(n))
}

// servesSaid says whom a document serves; "" where there is one agent alone.
func servesSaid(v *visit, d frontdesk.Document) string {
	switch {
	case len(v.agents) < 2:
		return ""
	case d.AgentID == "":
		return v.say("teach_for_all")
	}
	return agentName(v, d.AgentID)
}

// helps are the reasons for which documents cannot be used, by how they begin.
var helps = map[string]string{
	"There is no text":                "teach_help_nothing",
	"This file is not text":           "teach_help_not_text",
	"This document is too long":       "teach_help_too_long",
	"This PDF has pictures":           "teach_help_scanned",
	"This PDF is locked":              "teach_help_password",
	"This PDF is damaged":             "teach_help_damaged",
	"This PDF takes too much":         "teach_help_too_much",
	"Reading this document took":      "teach_help_too_much",
	"Reading this document failed":    "teach_help_damaged",
	"The bytes of this document are ": "teach_help_gone",
}

// helpSaid says in the language of the page what to do about a document that
// cannot be used.
func helpSaid(v *visit, d frontdesk.Document) string {
	if d.Status != frontdesk.DocumentError {
		return ""
	}
	for begin, key := range helps {
		if strings.HasPrefix(d.Help, begin) {
			return v.say(key)
		}
	}
	return d.Help
}

// documentPage is one document.
type documentPage struct {
	documentRow
	Filename  string
	Kind      frontdesk.DocumentKind
	Size      string
	Languages string
	Digest    string
	Added     string
	Ready     string
	Archived  string
	Count     int
	Passages  []passage
	More      int // passages that are not shown
	CanTeach  bool
}

func (c teachScreen) showDocument(v *visit) (answer, error) {
	d, err := c.document(v)
	if err != nil {
		return answer{}, err
	}
	page := newDocumentPage(v, d)
	fragments, err := c.store.DocumentFragments(v.Context(), v.owner(), d.ID, mostFragments)
	if err != nil {
		return answer{}, err
	}
	for _, f := range fragments {
		page.Passages = append(page.Passages, newPassage(v, f))
	}
	page.More = max(0, d.Fragments-len(fragments))
	return v.page("teach_document", page)
}

func newDocumentPage(v *visit, d frontdesk.Document) documentPage {
	page := documentPage{
		documentRow: newDocumentRow(v, d), Filename: d.Filename, Kind: d.Kind, Size: sizeSaid(v, d.SizeBytes), Languages: strings.Join(d.Languages, ", "),
		Digest: hex.EncodeToString(d.SHA256), Added: v.moment(d.CreatedAt.In(v.zone)), Count: d.Fragments, CanTeach: v.mode.live,
	}
	if !d.ReadyAt.IsZero() {
		page.Ready = v.moment(d.ReadyAt.In(v.zone))
	}
	if !d.ArchivedAt.IsZero() {
		page.Archived = v.moment(d.ArchivedAt.In(v.zone))
	}
	return page
}

// document is the one that the address names.
func (c teachScreen) document(v *visit) (frontdesk.Document, error) {
	id, err := v.pathID("document")
	if err != nil {
		return frontdesk.Document{}, err
	}
	return c.store.Document(v.Context(), v.owner(), id)
}

// toChange is the document that a form changes.
func (c teachScreen) toChange(v *visit) (frontdesk.Document, error) {
	if err := v.readForm(); err != nil {
		return frontdesk.Document{}, err
	}
	d, err := c.document(v)
	if err != nil {
		return d, err
	}
	return d, checkTeach(v)
}

// archive keeps a document out of answers.
func (c teachScreen) archive(v *visit) (answer, error) {
	d, err := c.toChange(v)
	if err != nil {
		return answer{}, err
	}
	if _, err := c.store.ArchiveDocument(v.Context(), v.owner(), v.person.Actor(), d.ID, c.now()); err != nil {
		return answer{}, err
	}
	address := "teach/documents/" + string(d.ID)
	return v.done(v.base()+address, said{v.say("teach_archived", "title", d.Title), address + "/restore", nil}), nil
}

// restore lets a document be used in answers again.
func (c teachScreen) restore(v *visit) (answer, error) {
	d, err := c.toChange(v)
	if err != nil {
		return answer{}, err
	}
	if _, err := c.store.RestoreDocument(v.Context(), v.owner(), v.person.Actor(), d.ID, c.now()); err != nil {
		return answer{}, err
	}
	address := "teach/documents/" + string(d.ID)
	return v.done(v.base()+address, said{v.say("teach_restored", "title", d.Title), address + "/archive", nil}), nil
}

// showDelete asks before a document is deleted: that cannot be taken back.
func (c teachScreen) showDelete(v *visit) (answer, error) {
	if err := checkTeach(v); err != nil {
		return answer{}, err
	}
	d, err := c.document(v)
	if err != nil {
		return answer{}, err
	}
	return v.render(http.StatusOK, "teach_delete", newDocumentPage(v, d))
}

func (c teachScreen) delete(v *visit) (answer, error) {
	d, err := c.toChange(v)
	if err != nil {
		return answer{}, err
	}
	if err := c.library.Delete(v.Context(), v.owner(), v.person.Actor(), d.ID); err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"teach", said{Text: v.say("teach_deleted", "title", d.Title)}), nil
}

// countSaid is a number of things, in words.
func countSaid(v *visit, key string, n int) string {
	if n == 1 {
		return v.say(key+"_one", "n", "1")
	}
	return v.say(key, "n", strconv.Itoa(n))
}
