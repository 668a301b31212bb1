package hearing

// bothReader hears that none of several things is to be left out.
type bothReader struct{ *ear }

// wanted says whether all of several things are wanted, and none of them is let go
// of: "no, I want both". What the words count is then no time: "quiero las dos".
func (e bothReader) wanted() bool { return len(e.places()) > 0 }

// places are where it is said that all of several things are wanted. Who is asked for a
// time, or chooses among several, may name one with the same words.
func (e bothReader) places() [][2]int {
	all := e.spans("both_things")
	if e.Expect != SlotTime && e.Expect != SlotChoice && e.Expect != SlotPartySize {
		all = append(all, e.spans("wants_both")...)
	}
	return all
}
