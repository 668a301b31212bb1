package conversation

import "frontdesk.dev/frontdesk/internal/dates"

// mostPeople is the largest party that is believed.
const mostPeople = 500

var (
	// partyLeads come right before the number of people.
	partyLeads = bookOf(`
		somos
		seremos
		vamos a ser
		vamos
		iremos
		venimos
		vendremos
		estaremos
		seriamos
		party of
		group of
		grupo de
		mesa de
		table of
		table for
		mesa para
		reserva/reservation/booking for/para
		room/place/space/sitio/hueco/lugar for/para
		there/we will be
		therell/well/were/we be
		therell/well be
		there/we will be
		were
		we are
		there are
		it/that/its/thats is? for
		make it/that for
		a total of
		un total de
		total
		seat
		comensales
		para
		for
		just/only/solo
		just the
		los/las
		us
		all
		nosotros
		con
		all
	`)
	people = setOf(`ppl pers peeps persona personas people person persons pax comensal comensales guest guests adult adults adulto adultos seat seats
		diner diners folks covers cubiertos amigos amigas friends gente asientos plazas of us individual individuals patron patrons invitados
		seater heads padres parents companeros colegas colleagues coworkers`)
	couples  = setOf(`parejas couples matrimonios`)
	children = setOf(`nino ninos nina ninas kid kids child children hijo hija hijos hijas son sons daughter daughters bebe bebes baby babies peque peques menor menores toddler toddlers`)
)

// hearParty hears for how many people.
func (e *ear) hearParty() {
	words := e.rest().blanked(e.nameAt).words
	if humanWords.in(words) || adding.in(words) {
		return
	}
	if e.countPeople(words) || e.countLed(words) || e.countTogether(words) {
		return
	}
	if e.Expect == SlotPartySize {
		e.bareParty(words)
	}
}

// adding changes a party by some, and does not say how many it is then.
var adding = bookOf(`
	add/include/anadir/sumar/incluir/agregar un/una/a/an/# mas/more/other/extra? persona/personas/people/person/guest/guests
	# mas/more people/person/persona/personas
	one/una more/mas persona/person
`)

// countPeople hears a number with the people after it, and adds them up: "dos
// adultos y un niño".
func (e *ear) countPeople(words []word) bool {
	total, from, to, grown := 0, -1, 0, false
	for i := 0; i < len(words); i++ {
		n, taken := numberAt(words, i)
		if w := words[i].fold; taken == 0 && (w == "a" || w == "an") && i+1 < len(words) && children[words[i+1].fold] {
			n, taken = 1, 1 // "and a baby"
		}
		if taken == 0 {
			continue
		}
		after := i + taken
		if after < len(words) && (words[after].fold == "of" || words[after].fold == "mas" || words[after].fold == "more") {
			after++
		}
		if after < len(words) && (people[words[after].fold] || children[words[after].fold] || couples[words[after].fold]) && words[after].clause-words[i].clause <= 1 {
			if from < 0 {
				from = i
			}
			if couples[words[after].fold] {
				n *= 2
			}
			total, to, grown = total+n, after+1, grown || !children[words[after].fold]
			i = after
		}
	}
	if from < 0 {
		return false
	}
	extra := companions(words[:from], words[from:to])
	if to+1 < len(words) && (words[to].fold == "y" || words[to].fold == "and") && has(words[to+1:to+2], "yo", "i", "me", "myself") {
		extra++
	}
	if extra == 0 && !grown && e.Expect != SlotPartySize {
		return false // "with a child" does not say how many
	}
	return e.setParty(total+extra, words[from].start, words[to-1].end)
}

// companions are those who are counted with the people of a number: "me and
// three friends" is four.
func companions(before, counted []word) int {
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
func (e *ear) countLed(words []word) bool {
	for i := range words {
		to, ok := partyLeads.at(words, i)
		if !ok {
			continue
		}
		for to < len(words) && fillers[words[to].fold] {
			to++
		}
		n, taken := numberAt(words, to)
		if taken == 0 || !e.believable(words, i, to, to+taken) {
			continue
		}
		if e.setParty(n, words[i].start, words[to+taken-1].end) {
			return true
		}
	}
	return false
}

// believable says whether a led number counts people: nothing that is counted
// otherwise comes after it, and the lead is no article.
func (e *ear) believable(words []word, i, to, after int) bool {
	lead, number := words[i].fold, words[to].fold
	if words[to].clause != words[i].clause {
		return false
	}
	if after < len(words) && words[after].clause == words[to].clause && !afterParty[words[after].fold] && e.Text[words[after-1].end:words[after].start] == " " && !e.mentionBetween(words[after-1].end, words[after].start) {
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

// afterParty may follow the number of people; other nouns say that it counts
// something else: "para dos horas", "for 3 nights".
var afterParty = setOf(`a at on in el la los las por porfavor please para for tomorrow manana hoy tonight today y and pero but o or
	con with que de si gracias thanks thank inside outside fuera dentro this next around about sobre en terraza terrace
	instead mejor total in si is es esta eh um then under there alli near by if to not no people only solo please maximo mas more now
	actually sorry perdon who e`)

// countTogether hears people who are named and not counted: "my wife and I".
func (e *ear) countTogether(words []word) bool {
	from, to, ok := pairs.find(words)
	n := 2
	if !ok {
		if from, to, ok = alone.find(words); !ok {
			return false
		}
		n = 1
	}
	return e.setParty(n, words[from].start, words[to-1].end)
}

var (
	pairs = bookOf(`
		my/mi wife/husband/partner/girlfriend/boyfriend/friend/mother/father/mum/mom/dad/sister/brother/son/daughter/fiance/fiancee/colleague/spouse and i/me/myself
		me/myself/i and my/a wife/husband/partner/girlfriend/boyfriend/friend/mother/father/mum/mom/dad/sister/brother/son/daughter/fiance/fiancee/colleague/spouse/date
		mi mujer/marido/pareja/novia/novio/amigo/amiga/madre/padre/hermano/hermana/hijo/hija/esposa/esposo/companero/companera/jefe y yo
		mi mujer/marido/pareja/novia/novio/amigo/amiga/madre/padre/hermano/hermana/hijo/hija/esposa/esposo/companero/companera/jefe y para? mi
		para mi y para? mi/un/una mujer/marido/pareja/novia/novio/amigo/amiga/madre/padre/hermano/hermana/hijo/hija/esposa/esposo
		yo y mi mujer/marido/pareja/novia/novio/amigo/amiga/madre/padre/hermano/hermana/hijo/hija/esposa/esposo
		los/las/nosotros/nosotras dos $
		the/us two/both of? us?
		both of us
		nosotros dos
		just us two
		tu y yo
		en pareja
		a couple $
		with my/a wife/husband/partner/girlfriend/boyfriend/friend/date
		con mi/un/una mujer/marido/pareja/novia/novio/amigo/amiga/esposa/esposo
	`)
	alone = bookOf(`
		para mi solo/sola/misma/mismo
		para una sola
		voy/ire/vengo/iria/vendre solo/sola
		solo/solamente yo
		yo solo/sola
		just/only me/myself
		by myself
		its just me
		on my own
		for me alone
		table for one
		for one $
		para uno $
		para una $
		para mi $
		estoy solo/sola
	`)
)

// bareParty takes the only number for the answer: "cuatro", "we'll be, um, 5".
func (e *ear) bareParty(words []word) {
	total, from, to := 0, -1, 0
	for i := 0; i < len(words); i++ {
		n, taken := numberAt(words, i)
		if taken == 0 || words[i].fold == "un" || words[i].fold == "una" && i+taken < len(words) {
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
		e.setParty(total, words[from].start, words[to-1].end)
		return
	}
	e.bareClock()
}

// bareClock takes back a number that was read as a time though people were asked
// for: "six", "about ten".
func (e *ear) bareClock() {
	words := e.words.words
	for len(words) > 0 && (fillers[words[0].fold] || roughly[words[0].fold]) {
		words = words[1:]
	}
	n, taken := numberAt(words, 0)
	if taken > 0 && taken == len(words) && e.setParty(n, words[0].start, words[taken-1].end) {
		e.When = dates.Reading{}
	}
}

var roughly = setOf(`about around roughly approximately unos unas como sobre casi almost`)

func (e *ear) setParty(n, from, to int) bool {
	if n < 1 || n > mostPeople {
		return false
	}
	e.Party, e.partyAt = n, [2]int{from, to}
	return true
}
