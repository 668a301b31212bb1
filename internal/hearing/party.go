package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// partyReader hears for how many people.
type partyReader struct{ *ear }

// mostPeople is the largest party that is believed.
const mostPeople = 500

// hearParty hears for how many people.
func (e partyReader) hearParty() {
	if e.remade > 0 {
		e.setParty(e.remade, e.partyAt[0], e.partyAt[1])
		return
	}
	if e.MaybeParty > 0 {
		return
	}
	words := e.rest().blanked(e.nameAt).words
	if e.hears("human", words) || e.hearMore(words) || e.hears("adding", words) {
		return
	}
	if e.Standing.Several && e.hears("both", e.words.words) && e.Expect != SlotPartySize {
		return // both of the things that are arranged, and not two people
	}
	words = e.withoutFewest(e.withoutDenied(words))
	if !e.countPeople(words, false) && !e.countLed(words) && !e.countPeople(words, true) && !e.countTogether(words) && e.Expect == SlotPartySize {
		e.bareParty(words)
	}
	if e.Party > 0 {
		e.amendParty(words)
	}
}

// amendParty goes on from the people that were counted: those who are joined to them
// are added, and a number that corrects theirs takes its place.
func (e partyReader) amendParty(words []language.Token) {
	to := 0
	for to < len(words) && words[to].Start < e.partyAt[1] {
		to++
	}
	for to < len(words) && to > 0 && words[to].Clause == words[to-1].Clause && (e.is("party_of", words[to].Word) || e.is("people", words[to].Word)) {
		to++ // four of us
	}
	for to < len(words) {
		n, after := e.joinedPeople(words, to)
		if after > to {
			n += e.Party
		} else if n, after = e.correctedParty(words, e.Party, to); after == to {
			n, after = e.recountedParty(words, to)
		}
		if after <= to || !e.setParty(n, e.partyAt[0], words[after-1].End) {
			return
		}
		to = after
	}
}

// joinedPeople reads people who are joined to those before word i: "and a baby", "y
// los abuelos". Of whom something is told, as in "and my brother is vegan", they are
// among those counted.
func (e partyReader) joinedPeople(words []language.Token, i int) (n, after int) {
	at := i
	for at < len(words) && e.is("party_adds", words[at].Word) {
		at++
	}
	if at == i || at >= len(words) {
		return 0, i
	}
	n, named := e.peopleAt(words, at, false)
	if n == 0 {
		if n, named = e.unnumbered(words, at); n == 0 {
			return 0, i
		}
	}
	after = named + 1
	if after < len(words) && words[after].Clause == words[named].Clause && (!e.is("after_party", words[after].Word) || e.is("party_tells", words[after].Word)) && !e.is("party_adds", words[after].Word) {
		return 0, i
	}
	return n, after
}

// unnumbered reads people whom an article or a possessive stands before: one of a
// family, or those who are two by their name, as grandparents are.
func (e partyReader) unnumbered(words []language.Token, i int) (n, at int) {
	if !e.is("party_articles", words[i].Word) && !e.is("ours", words[i].Word) || i+1 >= len(words) {
		return 0, 0
	}
	if m, named := e.peopleAt(words, i+1, false); m > 0 {
		return m, named // "and the three wee ones"
	}
	switch w := words[i+1].Word; {
	case e.is("kin_pairs", w):
		return 2, i + 1
	case e.is("relatives", w), e.is("one_relative", w):
		return 1, i + 1
	}
	return 0, 0
}

// recountedParty is the number that a caller comes to further on: after words that
// sum up ("so five", "así que siete"), or once the number before it was taken back
// ("hang on, my sister as well, six"). Recognisers write no commas, so that it need not
// stand in a clause of its own; then it counts nothing else and is near to the other.
func (e partyReader) recountedParty(words []language.Token, to int) (n, after int) {
	n, after = 0, to
	retracted := false
	for i := to; i < len(words); i++ {
		at, sums := e.summedAt(words, i)
		retracted = retracted || e.retractsCount(words, i)
		apart := i > 0 && words[i-1].Clause != words[i].Clause
		if !sums {
			if at = i; !retracted {
				continue
			}
		}
		for at < len(words)-1 && e.is("fillers", words[at].Word) {
			at++
		}
		m, taken := e.numberAt(words, at)
		if taken > 0 && e.endsCount(words, at, at+taken) && (sums || apart || e.isRecount(words, at, m)) {
			n, after = m, at+taken
		}
	}
	return n, after
}

// retractsCount says whether words from i on take back the number before them.
func (e partyReader) retractsCount(words []language.Token, i int) bool {
	_, ok := e.at("party_retracts", words, i)
	return ok || e.Mix.CorrectionAt(words, i) > 0
}

// isRecount says whether the number m at word i, in the midst of a clause, is the number
// of people once more: no article, and not far from the one before it.
func (e partyReader) isRecount(words []language.Token, i, m int) bool {
	return !e.is("counters", words[i].Word) && !e.is("articles", words[i].Word) && m != e.Party && away(m, e.Party) <= max(nearPeople, e.Party/2)
}

// summedAt is where the number stands that words from i on sum up in.
func (e partyReader) summedAt(words []language.Token, i int) (at int, ok bool) {
	to, _ := e.at("party_sums", words, i)
	for at = i; at < to; at++ {
		if _, taken := e.numberAt(words, at); taken > 0 {
			return at, true
		}
	}
	return i, false
}

// endsCount says whether a number from word i up to word after counts people: nothing
// else that is counted comes after it.
func (e partyReader) endsCount(words []language.Token, i, after int) bool {
	if after >= len(words) || words[after].Clause != words[i].Clause {
		return true
	}
	w := words[after].Word
	return (e.is("after_party", w) || e.is("people", w)) && !e.is("party_tells", w) || e.is("party_because", w) || e.is("ours", w)
}

// countPeople hears a number with the people after it, and adds them up: "dos
// adultos y un niño". Those "of us" may be some of the party: they count when
// nobody else is counted.
func (e partyReader) countPeople(words []language.Token, ofUs bool) bool {
	total, from, to, grown := 0, -1, 0, false
	for i := 0; i < len(words); i++ {
		n, after := e.peopleAt(words, i, ofUs)
		if n == 0 || from >= 0 && e.hasOf("party_includes", words[max(to, i-2):i]) {
			continue
		}
		if from < 0 {
			from = i
		} else if grown && e.corrects(words[to:i]) && !e.is("children", words[after].Word) {
			total = 0
		}
		total, to, grown = total+n, after+1, grown || !e.is("children", words[after].Word)
		i = after
	}
	if from < 0 {
		return false
	}
	if !grown && (!ofUs && e.countsOfUs(words) || e.joinedToNumber(words, from)) {
		return false // they come with the two of us
	}
	extra := e.companions(words[:from], words[from:to])
	if e.andOneself(words, to) {
		extra++
	}
	if extra == 0 && !grown && e.Expect != SlotPartySize {
		return false // "with a child" does not say how many
	}
	return e.setParty(total+extra, words[from].Start, words[to-1].End)
}

// andOneself says whether the caller is joined to the people before word i.
func (e partyReader) andOneself(words []language.Token, i int) bool {
	return i+1 < len(words) && e.is("name_joins", words[i].Word) && e.is("oneself", words[i+1].Word)
}

// corrects says whether words between two numbers only take the first one back.
func (e partyReader) corrects(between []language.Token) bool {
	for _, w := range between {
		if e.is("party_adds", w.Word) || !e.is("party_corrects", w.Word) && !e.is("fillers", w.Word) {
			return false
		}
	}
	return len(between) > 0
}

// joinedToNumber says whether the people at word i come with a number before them:
// "four and a baby".
func (e partyReader) joinedToNumber(words []language.Token, i int) bool {
	if i < 2 || !e.is("party_adds", words[i-1].Word) {
		return false
	}
	_, taken := e.numberAt(words, i-2)
	return taken > 0
}

// countsOfUs says whether some "of us" are counted.
func (e partyReader) countsOfUs(words []language.Token) bool {
	for i := range words {
		if n, taken := e.numberAt(words, i); n > 1 && i+taken < len(words) && e.is("party_of", words[i+taken].Word) {
			if m, _ := e.peopleAt(words, i, true); m > 0 {
				return true
			}
		}
	}
	return false
}

// peopleAt reads the number at word i and the people after it: how many they
// are, 0 when there are none, and where they are named.
func (e partyReader) peopleAt(words []language.Token, i int, ofUs bool) (n, at int) {
	n, taken := e.numberAt(words, i)
	if taken == 0 && e.is("one_child", words[i].Word) && i+1 < len(words) && (e.is("children", words[i+1].Word) || e.isCouple(words, i+1)) {
		n, taken = 1, 1 // "and a baby"
	}
	at = i + taken
	if taken == 0 || at >= len(words) || e.is("party_of", words[at].Word) && (!ofUs || n == 1 || e.tellsOfSome(words, at)) {
		return 0, 0
	}
	for at < len(words) && e.is("party_mores", words[at].Word) {
		at++
	}
	if at >= len(words) || words[at].Clause-words[i].Clause > 1 {
		return 0, 0
	}
	switch w := words[at].Word; {
	case n > 1 && e.is("party_tells", w):
		return 0, 0 // "dos son niños"
	case e.isCouple(words, at):
		return n * 2, at
	case e.is("people", w), e.is("children", w):
		return n, at
	}
	return 0, 0
}

// isCouple says whether a word counts people by twos: a couple of days are none.
func (e partyReader) isCouple(words []language.Token, i int) bool {
	return e.is("couples", words[i].Word) && (i+1 == len(words) || !e.is("party_of", words[i+1].Word))
}

// companions are those who are counted with the people of a number: "me and
// three friends" is four.
func (e partyReader) companions(before, counted []language.Token) int {
	tail := before[max(0, len(before)-6):]
	if !e.hasOf("companions", counted) || !e.hasOf("party_joins", tail) {
		return 0
	}
	extra := 0
	if e.hasOf("oneself", tail) {
		extra++
	}
	if e.hasOf("relatives", tail) {
		extra++
	}
	return extra
}

// countLed hears a number after words that lead to one: "somos cinco", "table
// for two".
func (e partyReader) countLed(words []language.Token) bool {
	for i := range words {
		to, ok := e.at("party_leads", words, i)
		if !ok {
			continue
		}
		for to < len(words) && e.is("fillers", words[to].Word) {
			to++
		}
		for to < len(words)-1 && e.is("roughly", words[to].Word) {
			to++
		}
		n, taken := e.numberAt(words, to)
		if taken == 0 || !e.believable(words, i, to, to+taken) {
			continue
		}
		to += taken
		if e.setParty(n, words[i].Start, words[to-1].End) {
			e.lastSaid(words[to:])
			return true
		}
	}
	return false
}

// peopleTold are where it is told how many come, which is no time. A guess, "we'd be
// about nine", counts people where parties are seated and no hour was asked for, and
// nothing that is counted otherwise comes after it.
func (e partyReader) peopleTold() [][2]int {
	words := e.words.words
	var all [][2]int
	for i := range words {
		if to, ok := e.at("party_sure", words, i); ok {
			_, to = e.correctedParty(words, 0, to) // the number that takes its place is no time either
			all = append(all, [2]int{words[i].Start, words[to-1].End})
		}
	}
	if e.Expect == SlotTime || !e.takesParties() {
		return all
	}
	for i := range words {
		to, ok := e.at("party_guessed", words, i)
		if ok && (to == len(words) || words[to].Clause != words[to-1].Clause || !e.is("not_people", words[to].Word)) {
			all = append(all, [2]int{words[i].Start, words[to-1].End})
		}
	}
	return all
}

// lastSaid takes the number that a caller says last in so many words: "somos
// seis, bueno, con mis suegros somos ocho".
func (e partyReader) lastSaid(words []language.Token) {
	for i := range words {
		to, ok := e.at("party_sure", words, i)
		if !ok {
			continue
		}
		for at := i + 1; at < to; at++ {
			if n, taken := e.numberAt(words, at); taken > 0 {
				e.setParty(n, e.partyAt[0], words[at+taken-1].End)
			}
		}
	}
}

// correctedParty is the number that a caller comes to who corrects the one that
// ends at word to: "somos seis, bueno, siete con el bebé".
func (e partyReader) correctedParty(words []language.Token, n, to int) (int, int) {
	const near = 5
	for at := to; at < len(words) && at-to < near; at++ {
		if m, taken := e.numberAt(words, at); taken > 0 && at > to && !e.is("counters", words[at].Word) {
			if e.endsCount(words, at, at+taken) {
				return e.correctedParty(words, m, at+taken)
			}
			return n, to
		}
		if !e.corrects(words[at : at+1]) {
			break
		}
	}
	return n, to
}

// withoutDenied leaves out numbers that are denied: "3 people, not 4".
func (e partyReader) withoutDenied(words []language.Token) []language.Token {
	var kept []language.Token
	for i := 0; i < len(words); i++ {
		if e.is("party_denies", words[i].Word) && i > 1 && i+1 < len(words) && words[i].Clause == words[i+1].Clause && words[i].Clause != words[i-1].Clause || e.is("party_not", words[i].Word) && i > 0 {
			if _, taken := e.numberAt(words, i+1); taken > 0 {
				i += taken
				continue
			}
		}
		kept = append(kept, words[i])
	}
	return kept
}

// withoutFewest leaves out where a range of people begins: of "between eight and ten",
// ten must find a place.
func (e partyReader) withoutFewest(words []language.Token) []language.Token {
	for i := range words {
		to, ok := e.at("number_range", words, i)
		if !ok {
			continue
		}
		for at := i + 2; at < to; at++ {
			if _, taken := e.numberAt(words, at); taken > 0 && at+taken == to {
				return slices.Concat(words[:i], words[at:])
			}
		}
	}
	return words
}

// believable says whether a led number counts people: nothing that is counted
// otherwise comes after it, and the lead is no article.
func (e partyReader) believable(words []language.Token, i, to, after int) bool {
	lead, number := words[i].Word, words[to].Word
	if words[to].Clause != words[i].Clause {
		return false
	}
	for after < len(words)-1 && words[after].Clause == words[to].Clause && e.is("fillers", words[after].Word) && !e.is("after_party", words[after].Word) {
		after++
	}
	if _, n := e.numberAt(words, after); n > 0 && e.is("fillers", words[after-1].Word) {
		return true // it is corrected: "seis bueno siete"
	}
	being := e.saysWhoComes(words, i, to)
	if being && (after == len(words) || !e.is("not_people", words[after].Word)) && !e.is("articles_one", number) {
		return true
	}
	if after < len(words) && words[after].Clause == words[to].Clause && !e.is("after_party", words[after].Word) && e.between(words[after-1], words[after]) == " " && !e.mentionBetween(words[after-1].End, words[after].Start) {
		return false
	}
	return e.believedLead(lead, e.is("articles_one", number))
}

// saysWhoComes says whether the words before a number tell how many somebody is, so
// that any noun behind it is one for people: "somos nueve ciclistas".
func (e partyReader) saysWhoComes(words []language.Token, i, to int) bool {
	end, ok := e.at("party_being", words, i)
	return ok && end > to
}

// believedLead says whether a word leads to a number of people, where one may be
// an article.
func (e partyReader) believedLead(lead string, one bool) bool {
	asked, seats := e.Expect == SlotPartySize, e.takesParties()
	switch {
	case e.is("leads_for", lead):
		return seats || asked && !one
	case e.is("leads_small", lead):
		return !one && (asked || seats && e.is("leads_only", lead))
	case e.is("leads_seat", lead):
		return true
	case e.is("leads_we", lead):
		return !one
	case e.is("leads_it", lead):
		return seats || asked
	}
	return true
}

// takesParties says whether the business seats parties.
func (e *ear) takesParties() bool {
	return e.Trade.SeatsParties || e.Trade.StaysOvernight || e.Expect == SlotPartySize
}

func (e partyReader) mentionBetween(from, to int) bool {
	for _, m := range e.When.Mentions {
		if m.Start >= from && m.End <= to {
			return true
		}
	}
	return false
}

// countTogether hears people who are named and not counted: "my wife and I".
func (e partyReader) countTogether(words []language.Token) bool {
	if e.countFamily(words) {
		return true
	}
	from, to, ok := e.find("pairs", words)
	n := 2
	if !ok {
		if from, to, ok = e.find("alone", words); !ok {
			return false
		}
		n = 1
	}
	return e.setParty(n, words[from].Start, words[to-1].End)
}

// countFamily hears a caller who names everybody: "my mum, my dad and me".
func (e partyReader) countFamily(words []language.Token) bool {
	for from := range words {
		n, self, to := 0, false, from
		for at := from; at < len(words); {
			one, after := e.familyAt(words, at)
			if after == at || at > from && !e.is("party_joins", words[at-1].Word) && words[at-1].Clause == words[at].Clause {
				break
			}
			n, self, to, at = n+1, self || one, after, after
			if e.is("kin_pairs", words[after-1].Word) {
				n++
			}
			for at < len(words) && e.is("party_joins", words[at].Word) {
				at++
			}
		}
		if self && (n > 2 || n > 1 && e.Expect == SlotPartySize) {
			return e.setParty(n, words[from].Start, words[to-1].End)
		}
	}
	return false
}

// familyAt reads one of a family at word i, or the caller; it returns where they end.
func (e partyReader) familyAt(words []language.Token, i int) (oneself bool, after int) {
	if e.is("ours", words[i].Word) && i+1 < len(words) && (e.is("relatives", words[i+1].Word) || e.is("kin_pairs", words[i+1].Word)) {
		return false, i + 2
	}
	if e.is("oneself", words[i].Word) {
		return true, i + 1
	}
	return false, i
}

// bareParty takes the only number for the answer: "cuatro", "we'll be, um, 5".
func (e partyReader) bareParty(words []language.Token) {
	total, from, to := 0, -1, 0
	for i := 0; i < len(words); i++ {
		n, taken := e.numberAt(words, i)
		if taken == 0 || from >= 0 && i+taken < len(words) && e.is("not_people", words[i+taken].Word) || e.is("counters", words[i].Word) && i+taken < len(words) && words[i+taken].Clause == words[i].Clause || from >= 0 && e.someOfThem(words, i, i+taken) {
			continue
		}
		if from >= 0 && !e.hasOf("party_adds", words[to:i]) {
			total, from = 0, -1 // corrected: "four, no, five"
		}
		if from < 0 {
			from = i
		}
		total, to = total+n, i+taken
		i += taken - 1
	}
	if from >= 0 {
		e.setParty(total, words[from].Start, words[to-1].End)
		return
	}
	e.bareClock()
}

// settledParty says whether something else is being asked for: how many come was
// said before, or does not matter.
func (e partyReader) settledParty() bool { return e.Expect != Nothing && e.Expect != SlotPartySize }

// tellsOfSome says whether the "of us" at a word goes on to tell something of those
// people: "two of us are coeliac". While nothing else is asked for, those who are
// said to come are the party.
func (e partyReader) tellsOfSome(words []language.Token, of int) bool {
	if of+2 >= len(words) || !e.is("party_tells", words[of+2].Word) {
		return false
	}
	if of+3 == len(words) || words[of+3].Clause != words[of].Clause {
		return e.settledParty()
	}
	return !e.is("party_comes", words[of+3].Word)
}

// someOfThem says whether a number after the one that answers counts some of
// those people: "two, and one of us is coeliac".
func (e partyReader) someOfThem(words []language.Token, i, after int) bool {
	return after < len(words) && words[after].Clause == words[i].Clause && e.is("party_tells", words[after].Word)
}

// bareClock takes back a number that was read as a time though people were asked
// for: "six", "about ten".
func (e partyReader) bareClock() {
	words := e.words.words
	for len(words) > 0 && (e.is("fillers", words[0].Word) || e.is("roughly", words[0].Word)) {
		words = words[1:]
	}
	n, taken := e.numberAt(words, 0)
	if taken > 0 && taken == len(words) && e.setParty(n, words[0].Start, words[taken-1].End) {
		e.When = dates.Reading{}
	}
}

func (e partyReader) setParty(n, from, to int) bool {
	if n < 1 || n > mostPeople || n == 1 && !e.takesParties() && e.Expect != SlotPartySize {
		return false // one is who comes anyway
	}
	e.Party, e.partyAt = n, [2]int{from, to}
	return true
}
