package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
)

// keepHeard keeps a note that was heard. While other wishes of the caller wait behind
// what is being arranged it is theirs as well, unless it names the service of one of
// them: then it is that one's alone.
func (t notes) keepHeard(note string, aloud bool) {
	if t.s.Task.Kind != Book || len(t.s.Queue) == 0 || len(t.behind) > 0 { // what came with its wish has its notes
		t.keepNote(note, aloud)
		return
	}
	for i := range t.s.Queue {
		if !t.names(note, t.s.Task.Service) && t.names(note, t.s.Queue[i].Service) {
			t.keepBehind(i, note)
			t.noted, t.changed = append(t.noted, note), true
			return
		}
	}
	t.keepNote(note, aloud)
	if t.names(note, t.s.Task.Service) || t.forWhom(t.s.Task) {
		return
	}
	for i, task := range t.s.Queue {
		if task.Kind == Book && !t.forWhom(task) {
			t.keepBehind(i, note)
		}
	}
}

// keepBehind keeps a note with one of the wishes that wait.
func (t notes) keepBehind(i int, note string) {
	task := &t.s.Queue[i]
	if len(task.Notes) < mostNotes && !slices.ContainsFunc(slices.Concat(task.Notes, task.Asides), func(kept string) bool { return says(kept, note) }) {
		task.Notes = append(task.Notes, note)
	}
}

// names says whether a note names a service.
func (t notes) names(note, service string) bool {
	return slices.ContainsFunc(t.catalogue.FindServices(note, t.s.Lang), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Entry.ID == service && m.Score >= behindMatch
	})
}

// forWhom says whether a wish is told to be for somebody of the caller's own.
func (t notes) forWhom(task Task) bool {
	for _, w := range t.tokens(strings.Join(slices.Concat(task.Notes, task.Asides), ". ")) {
		if t.mix.Words("kin")[w.Word] {
			return true
		}
	}
	return false
}
