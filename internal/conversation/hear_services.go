package conversation

import "frontdesk.dev/frontdesk/internal/catalogue"

// How sure a match must be: less when a service was asked for, or something is
// wanted.
const (
	clearMatch = 0.75
	weakMatch  = 0.45
	muchBetter = 0.2 // how far ahead the best must be to stand alone
)

// hearServices hears which service is meant, or which ones may be.
func (e *ear) hearServices() {
	if e.Catalogue == nil {
		return
	}
	least := clearMatch
	if e.Booking || e.Expect == SlotService || e.Expect == SlotChoice || wantWords.in(e.words.words) || bookWords.in(e.words.words) {
		least = weakMatch
	}
	var best []catalogue.Match[catalogue.Service]
	for _, m := range e.Catalogue.FindServices(blank(e.Text, e.phoneAt, e.emailAt, e.codeAt), e.language()) {
		if m.Entry.Bookable && m.Score >= least {
			best = append(best, m)
		}
	}
	for i, m := range best {
		if i > 0 && best[0].Score-m.Score >= muchBetter {
			break
		}
		e.Services = append(e.Services, m.Entry)
	}
	if len(best) > 0 {
		e.serviceAt = [2]int{best[0].Start, best[0].End}
	}
}
