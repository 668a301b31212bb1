package dates

import "slices"

// From is the reading with what it counts from: "an hour later" is later than
// what stands. Where nothing stands, it stays as it was read.
func (r Reading) From(s Standing) Reading {
	if s.Date.IsZero() {
		return r
	}
	r.Mentions = slices.Clone(r.Mentions)
	for i, m := range r.Mentions {
		switch {
		case m.Kind != Shift:
		case m.SameTime:
			r.Mentions[i].Clock = s.Clock
		default:
			r.Mentions[i].Date, r.Mentions[i].Clock = s.after(m.By)
		}
	}
	return r
}
