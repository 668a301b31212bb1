package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/catalogue"
)

// sharedReader tells what was told of both of two wishes.
type sharedReader struct{ wishReader }

// shareNotes gives each of two wishes what was told beside the other, for it is told of
// the caller or of their thing. What names one of the services is of that one alone, and
// where the wishes are those of two people, each keeps its own, unless both are meant.
func (e sharedReader) shareNotes(second *ear, both bool) {
	other := sharedReader{wishReader{second}}
	mine, theirs := e.owned(e.words.words), other.owned(second.words.words)
	if e.Expect == SlotConfirm || mine && theirs || (mine || theirs) && !both {
		return
	}
	notes, asides := e.sharedWith(other, e.Notes), e.sharedWith(other, e.Asides)
	e.Notes = append(e.Notes, other.sharedWith(e, second.Notes)...)
	e.Asides = append(e.Asides, other.sharedWith(e, second.Asides)...)
	second.Notes, second.Asides = append(notes, second.Notes...), append(asides, second.Asides...)
}

// sharedWith are those of the notes of a wish that are another's as well.
func (e sharedReader) sharedWith(other sharedReader, notes []string) (shared []string) {
	for _, note := range notes {
		if !e.namesOwn(note) && !slices.Contains(other.Notes, note) && !slices.Contains(other.Asides, note) {
			shared = append(shared, note)
		}
	}
	return shared
}

// namesOwn says whether a note names a service that is wished for.
func (e sharedReader) namesOwn(note string) bool {
	return e.Catalogue != nil && slices.ContainsFunc(e.Catalogue.FindServices(note, e.language()), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Score >= clearMatch && slices.ContainsFunc(e.Services, func(s catalogue.Service) bool { return s.ID == m.Entry.ID })
	})
}
