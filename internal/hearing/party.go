package hearing

import (
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// mostPeople is the largest party that is believed.
const mostPeople = 500

// hearParty hears for how many people.
func (e *ear) hearParty() {
	words := e.rest().blanked(e.nameAt).words
	if e.hears("human", words) || e.hears("adding", words) {
		return
	}
	words = e.withoutDenied(words)
	if e.countPeople(words, false) || e.countLed(words) || e.countPeople(words, true) || e.countTogether(words) {
		return
	}
	if e.Expect == SlotPartySize {
		e.bareParty(words)
	}
}

// countPeople hears a number with the people after it, and adds them up: "dos
// adultos y un niño". Those "of us" may be some of the party: they count when
// nobody else is counted.
func (e *ear) countPeople(words []language.Token, ofUs bool) bool {
	total, from, to, grown := 0, -1, 0, false
	for i := 0; i < len(words); i++ {
		n, taken := e.numberAt(words, i)
		if w := words[i].Word; taken == 0 && (w == "a" || w == "an") && i+1 < len(words) && e.is("children", words[i+1].Word) {
			n, taken = 1, 1 // "and a baby"
		}
		if taken == 0 {
			continue
		}
		after := i + taken
		if after+1 < len(words) && words[after].Word == "of" && (!ofUs || n == 1) {
			continue
		}
		if after < len(words) && (words[after].Word == "of" || words[after].Word == "mas" || words[after].Word == "more") {
			after++
		}
		if after < len(words) && (e.is("people", words[after].Word) || e.is("children", words[after].Word) || e.is("couples", words[after].Word)) && words[after].Clause-words[i].Clause <= 1 {
			if from < 0 {
				from = i
			}
			if e.is("couples", words[after].Word) {
				n *= 2
			}
			total, to, grown = total+n, after+1, grown || !e.is("children", words[after].Word)
			i = after
		}
	}
	if from < 0 {
		return false
	}
	extra := companions(words[:from], words[from:to])
	if to+1 < len(words) && (words[to].Word == "y" || words[to].Word == "and") && has(words[to+1:to+2], "yo", "i", "me", "myself") {
		extra++
	}
	if extra == 0 && !grown && e.Expect != SlotPartySize {
		return false // "with a child" does not say how many
	}
	return e.setParty(total+extra, words[from].Start, words[to-1].End)
}

// companions are those who are counted with the people of a number: "me and
// three friends" is four.
func companions(before, counted []language.Token) int {
	if len(before) == 0 || !has(counted, "friends", "amigos", "amigas", "kids", "children", "ninos", "ninas", "nino", "nina", "kid", "child", "sons", "daughters", "hijo", "hija", "colleagues", "coworkers", "companeros", "colegas", "parents", "padres", "hijos", "hijas", "bebe", "baby") {
		return 0
	}
	tail := before[max(0, len(before)-6):]
	extra := 0
	if has(tail, "me", "yo", "i", "myself", "mi") && has(tail, "and", "y", "con", "plus", "with") {
		extra++
	}
	if has(tail, relatives...) && has(tail, "and", "y", "con", "plus", "with") {
		extra++
	}
	return extra
}

var relatives = []string{
	"wife", "husband", "partner", "girlfriend", "boyfriend", "friend", "mother", "father", "mum", "mom", "dad", "sister",
	"brother", "son", "daughter", "colleague", "boss", "fiance", "fiancee", "mujer", "marido", "pareja", "novia", "novio", "amigo", "amiga", "madre", "padre",
	"hermano", "hermana", "hijo", "hija", "companero", "companera", "esposa", "esposo", "jefe", "date", "suegra", "abuela", "abuelo", "client", "cliente", "coworker", "spouse", "cousin", "prima", "primo",
}

// countLed hears a number after words that lead to one: "somos cinco", "table
// for two".
func (e *ear) countLed(words []language.Token) bool {
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
		n, to = e.correctedParty(words, n, to+taken)
		if e.setParty(n, words[i].Start, words[to-1].End) {
			e.lastSaid(words[to:])
			return true
		}
	}
	return false
}

// lastSaid takes the number that a caller says last in so many words: "somos
// seis, bueno, con mis suegros somos ocho".
func (e *ear) lastSaid(words []language.Token) {
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
func (e *ear) correctedParty(words []language.Token, n, to int) (int, int) {
	const near = 5
	for at := to; at < len(words) && at-to < near; at++ {
		if m, taken := e.numberAt(words, at); taken > 0 && at > to && !e.is("counters", words[at].Word) {
			if at+taken == len(words) || e.is("after_party", words[at+taken].Word) || e.is("people", words[at+taken].Word) || words[at+taken].Clause != words[at].Clause {
				return e.correctedParty(words, m, at+taken)
			}
			return n, to
		}
		if !e.is("party_corrects", words[at].Word) && !e.is("fillers", words[at].Word) {
			break
		}
	}
	return n, to
}

// withoutDenied leaves out numbers that are denied: "3 people, not 4".
func (e *ear) withoutDenied(words []language.Token) []language.Token {
	var kept []language.Token
	for i := 0; i < len(words); i++ {
		if e.is("party_denies", words[i].Word) && i > 1 && i+1 < len(words) && words[i].Clause == words[i+1].Clause && words[i].Clause != words[i-1].Clause || has(words[i:i+1], "not") && i > 0 {
			if _, taken := e.numberAt(words, i+1); taken > 0 {
				i += taken
				continue
			}
		}
		kept = append(kept, words[i])
	}
	return kept
}

// believable says whether a led number counts people: nothing that is counted
// otherwise comes after it, and the lead is no article.
func (e *ear) believable(words []language.Token, i, to, after int) bool {
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
	if after < len(words) && words[after].Clause == words[to].Clause && !e.is("after_party", words[after].Word) && e.Text[words[after-1].End:words[after].Start] == " " && !e.mentionBetween(words[after-1].End, words[after].Start) {
		return false
	}
	switch lead {
	case "para", "for":
		return (number != "un" && number != "una" && number != "one" || e.takesParties()) && (e.takesParties() || e.Expect == SlotPartySize)
	case "los", "las", "us", "all", "nosotros", "con", "just", "only", "solo", "total", "we":
		return (e.Expect == SlotPartySize || e.takesParties() && (lead == "just" || lead == "only" || lead == "solo" || lead == "nosotros")) && number != "one" && number != "una" && number != "un"
	case "were", "vamos", "seat":
		return number != "un" && number != "una" && number != "one" || lead == "seat"
	case "make", "it", "that", "its", "thats":
		return e.takesParties() || e.Expect == SlotPartySize
	}
	return true
}

// takesParties says whether the business seats parties.
func (e *ear) takesParties() bool {
	switch e.Vertical {
	case "", "restaurant", "hotel", "hospitality", "bar", "cafe":
		return true
	}
	return e.Expect == SlotPartySize
}

func (e *ear) mentionBetween(from, to int) bool {
	for _, m := range e.When.Mentions {
		if m.Start >= from && m.End <= to {
			return true
		}
	}
	return false
}

// countTogether hears people who are named and not counted: "my wife and I".
func (e *ear) countTogether(words []language.Token) bool {
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

// bareParty takes the only number for the answer: "cuatro", "we'll be, um, 5".
func (e *ear) bareParty(words []language.Token) {
	total, from, to := 0, -1, 0
	for i := 0; i < len(words); i++ {
		n, taken := e.numberAt(words, i)
		if taken == 0 || words[i].Word == "un" || words[i].Word == "una" && i+taken < len(words) {
			continue
		}
		if from >= 0 && !has(words[to:i], "y", "and", "mas", "plus") {
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

// bareClock takes back a number that was read as a time though people were asked
// for: "six", "about ten".
func (e *ear) bareClock() {
	words := e.words.words
	for len(words) > 0 && (e.is("fillers", words[0].Word) || e.is("roughly", words[0].Word)) {
		words = words[1:]
	}
	n, taken := e.numberAt(words, 0)
	if taken > 0 && taken == len(words) && e.setParty(n, words[0].Start, words[taken-1].End) {
		e.When = dates.Reading{}
	}
}

func (e *ear) setParty(n, from, to int) bool {
	if n < 1 || n > mostPeople {
		return false
	}
	e.Party, e.partyAt = n, [2]int{from, to}
	return true
}
