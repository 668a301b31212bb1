package hearing

import (
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/language"
)

// asksBook says whether a part asks what the book of the house knows: who is there on a
// day, who does something, how far ahead appointments are made. The days in it are not
// wished for.
func (e intentReader) asksBook(part []language.Token) bool {
	if e.Catalogue == nil {
		return false
	}
	_, known := e.Catalogue.AskBook(e.Text[part[0].Start:part[len(part)-1].End], e.language(), e.Now, catalogue.Focus{})
	return known
}

// booksWithStaff is booksByTime for a part that names somebody who works at the house:
// "can Ana see me on Friday?" asks for a place as "can you see me on Friday?" does.
func (e intentReader) booksWithStaff(part []language.Token, asks bool) bool {
	spoken := language.Of(e.language())
	if e.Catalogue == nil || spoken == nil {
		return false
	}
	names := e.Catalogue.StaffNames()
	var all []language.Token
	for i, w := range part {
		switch {
		case names[w.Word] && len(all) > 0 && e.is("with_staff", all[len(all)-1].Word):
			all = all[:len(all)-1]
		case names[w.Word] && (i == 0 || !names[part[i-1].Word]):
			w.Word = spoken.Say("staff_as_house", "")
			all = append(all, w)
		case names[w.Word], i+1 < len(part) && names[part[i+1].Word] && e.is("titles", w.Word):
		default:
			all = append(all, w)
		}
	}
	return len(all) > 0 && len(names) > 0 && (e.booksByTime(all, asks) || e.mentioned(part) && e.hears("asks_to_be_seen", all))
}
