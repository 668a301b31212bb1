package conversation

import "strings"

// openers are words that a question begins with.
var openers = bookOf(`
	what/whats/whatre/when/whens/where/wheres/how/hows/who/whos/which/why/whose
	do/does/did you/they/i/we/it/he/she/the/your/their/any/people/dogs/children/kids/all/those/these/that/this
	is/are/was/were there/it/the/you/your/they/their/this/that/these/those/he/she/any/parking/breakfast/any/a/an/i/we/everything
	can/could/will/would/should/may/shall you/i/we/they/it/people/u/anyone/anybody/somebody/the/my/someone/anybody/your/there/he/she
	have you/they
	has it/the/he/she
	arent/isnt/dont/doesnt/cant you/they/it/there/the
	tell me/us
	let me know
	find/check out? if/whether/what/how/when/where/that
	see if/whether
	if/whether you/u can/could tell/give/send/let
	get/provide/send/give/share/show/text/forward me/us/with? his/her/their/the/your/an/its/some * address/number/phone/information/info/details/contact/price/prices/rating/menu/location/website/directions
	provide the/their/his/her/your
	give/send me/us the/your/their/an/some/more/its/his/her/information/info * address/number/phone/name/information/info/details/price/prices/rating/menu/hours/location/website/directions
	@want to? know/ask/find about/if/what/how/when/whether/where/which/the/is/out/more/their/your
	@want the/their/your/some/more/his/her * address/phone/number/price/prices/menu/hours/information/info/details/rating/location
	wondering/wonder if/whether/what/how/when/about/where
	i was wondering
	any idea/chance/clue
	question about
	information/info on/about
	que/cual/cuales/cuando/cuanto/cuanta/cuantos/cuantas/donde/adonde/quien/quienes
	como puedo/se/es/son/llego/esta/estan/funciona/hago/va/llegar/pago/queda/os/les
	a/de/en/por/para/con/hasta/desde/sobre que/cuanto/cual/cuando/cuantos/cuantas/donde/quien
	tienen/teneis/tienes/tendrian/aceptan/aceptais/admiten/admitis/ofrecen/ofreceis/hacen/haceis/venden/vendeis/sirven/servis/abren/abris/cierran/cerrais/hay/cobran/cobrais/cuesta/cuestan/incluye/incluyen/trabajan/trabajais/atienden/atendeis/disponen/permiten/dejan/existe/queda/quedan/sabe/sabes/saben/sabeis/estais/podeis/poneis/dais/puedo/pueden/llevan/llevais/utilizan/reparten/repartis/envian/enviais/hablan/hablais
	se puede/pueden/necesita/admiten/aceptan/permite/permiten
	me/nos puede/puedes/podria/podrias/pueden/podeis/podriais/podrian decir/informar/confirmar/indicar/explicar/dar/aclarar/ayudar/pasar/enviar/mandar/facilitar/recomendar
	puede/puedes/podria/podrias/pueden/podeis/podriais decirme/informarme/confirmarme/indicarme/explicarme/darme/ayudarme/aclararme/enviarme/pasarme/recomendarme
	@want saber/preguntar/informacion/informarme/conocer/consultar/preguntarle/preguntaros/preguntarte
	me gustaria saber/preguntar/informacion/conocer
	dime/digame/decidme/diganme/dame/deme/dadme/denme/pasame/paseme cual/el/la/si/que/cuando/cuanto/donde/como/los/las/vuestra/vuestro/su/a/tu/informacion
	una/tengo una? pregunta/duda/consulta
	informacion sobre/de/del
	y si/que/el/la/los/las/cuanto/cuando/donde
	sabe/sabes si
`)

// noOpeners look like the beginning of a question and are none.
var noOpeners = bookOf(`
	que sea/si/no/va/vengan/bien/bueno/pena/tenga/tengas/vaya/me/seria/seamos/se/genial/maravilla/rico/amable/caro/cara/bonito/mal/raro/lastima/fuerte/horror/desastre/verguenza/asco/rabia/susto/ilusion/guay
	what the/an/a hell/heck/fuck/shame/pity
	what the
	cuanto/cuando antes/mas
	cuando sea/quieras/quiera/pueda/puedas/podais/haya/te/le/os/les
	como no/quieras/quiera/sea/desarrollador
	what a
	whatever
	how nice/lovely/kind/wonderful/great
	do it/that/so $
	tell me $
	quien sabe
	hay que
	hay problema/inconveniente
	por que no $
	why not $
	a que si
	para que me/nos/se
	y si puede/podemos
	y el/la/los/las *
`)

var topicWords = bookOf(`
	horario/horarios/direccion/ubicacion/precio/precios/tarifas/tarifa/carta/menu/parking/aparcamiento/alergenos/informacion/web/catalogo
	opening hours/times
	info/phone/telefono
	hours/address/price/prices/menu/location/directions/parking/allergens/information/website/rates/catalogue/catalog
	phone number
	numero de telefono
`)

// segments are the parts of the utterance that are understood one by one: its
// sentences, parted where a question begins within them.
func (e *ear) segments() [][]word {
	var all [][]word
	for _, sentence := range e.words.parts(bySentence) {
		from := 0
		for i := 1; i < len(sentence); i++ {
			if (sentence[i].clause != sentence[i-1].clause || conjunctions[sentence[i-1].fold]) && i > from && opens(sentence, i) && !onlyFillers(sentence[from:i]) {
				all = append(all, sentence[from:i])
				from = i
			}
		}
		all = append(all, sentence[from:])
	}
	return all
}

var conjunctions = setOf(`but pero and y also ademas tambien porcierto oh then so entonces ok okay yes yeah si vale perfecto perfect great thanks gracias`)

func onlyFillers(words []word) bool {
	for _, w := range words {
		if !fillers[w.fold] {
			return false
		}
	}
	return true
}

// opens says whether a question begins at word i.
func opens(words []word, i int) bool {
	if _, not := noOpeners.at(words, i); not || words[i].joins {
		return false
	}
	_, ok := openers.at(words, i)
	return ok
}

// isQuestion says whether a part asks: it ends in a question mark, or begins as
// questions do.
func (e *ear) isQuestion(part []word) bool {
	if asksItself(part) {
		return true
	}
	start, ok := skipManners(part)
	if !ok {
		return false
	}
	if opens(part, start) {
		return true
	}
	for start < len(part)-1 && pronouns[part[start].fold] {
		start++
	}
	return wishes[part[start].fold] && opens(part, start)
}

// wishes are the words of wanting that open a question: "I would like to know".
var wishes = phraseOf("@want")[0].words

// pronouns may come before the words that open a question: "I would like to
// know".
var pronouns = setOf(`i we would yo me nos ill id also`)

// asksItself says whether the question mark of the sentence is this part's own.
func asksItself(part []word) bool {
	last := part[len(part)-1]
	return last.asks && last.final && !tagQuestion(part)
}

// tagQuestion: "¿no?", "right?" and "ok?" ask nothing.
func tagQuestion(part []word) bool {
	for _, w := range part {
		if !tags[w.fold] {
			return false
		}
	}
	return true
}

var tags = setOf(`no verdad right ok okay vale eh si yes please porfavor correct correcto perdon sorry pardon hola hello gracias thanks`)

func (e *ear) asksSomething() bool {
	for _, part := range e.segments() {
		if e.isQuestion(part) {
			return true
		}
	}
	return false
}

// skipManners passes over what callers say before they come to the point.
func skipManners(part []word) (int, bool) {
	for i := 0; i < len(part); {
		if to, ok := leadPhrases.at(part, i); ok {
			i = to
			continue
		}
		if !fillers[part[i].fold] && !leadIns[part[i].fold] {
			return i, true
		}
		i++
	}
	return 0, false
}

var (
	leadIns = setOf(`hi hello hey hola buenas buenos buenosdias buenastardes buenasnoches ok okay vale yes yeah si thanks gracias
		perfecto perfect great cool alright porcierto but pero disculpe disculpa perdone perdona perdon sorry excuseme
		nice awesome genial estupendo sure claro right y and oh wow ademas excelente bien`)
	leadPhrases = bookOf(`
		thank you so/very? much?
		thank you
		muchas gracias
		good morning/afternoon/evening
		hi/hello there
		hola/buenas que tal
		by the way
		one/another more/quick? question/thing
		quick question
		i have a/another/one quick? question
		i have a question
		una/otra pregunta/cosa/duda/consulta
		tengo una/otra pregunta/duda/consulta
		queria hacer/hacerle/haceros una pregunta/consulta
		im sorry
		lo siento
	`)
)

// namesTopic hears a bare topic: "opening hours, please".
func (e *ear) namesTopic(part []word) bool {
	return e.Phone+e.BadPhone == "" && (e.Expect == Nothing || len(part) <= 4 && !e.expectsWords()) && topicWords.in(part) && len(part) <= 8
}

// expectsWords says whether words of any kind may be the answer.
func (e *ear) expectsWords() bool {
	return e.Expect == SlotName || e.Expect == SlotService || e.Expect == SlotChoice || e.Expect == SlotPhone || e.Expect == SlotEmail
}

// addQuestion keeps the text of a part that asks.
func (e *ear) addQuestion(part []word) {
	for len(part) > 1 && !part[len(part)-1].asks && manners[part[len(part)-1].fold] {
		part = part[:len(part)-1]
	}
	start := questionStart(part)
	from, to := part[start].start, part[len(part)-1].end
	if spaces := len(e.Text[to:]) - len(strings.TrimLeft(e.Text[to:], " ")); strings.HasPrefix(e.Text[to+spaces:], "?") {
		to += spaces + 1
	}
	if strings.HasSuffix(e.Text[:from], "¿") {
		from -= len("¿")
	}
	if e.Question == "" || e.followsQuestion(from) {
		e.questionAt[1] = to
		if e.Question == "" {
			e.questionAt[0] = from
		}
		e.Question = e.Text[e.questionAt[0]:to]
		return
	}
	e.Question += " " + e.Text[from:to] // with something else between them
	e.questionAt[1] = to
}

// followsQuestion says whether nothing but manners stands between the question
// so far and the place where another begins.
func (e *ear) followsQuestion(from int) bool {
	if e.Question != e.Text[e.questionAt[0]:e.questionAt[1]] {
		return false
	}
	for _, w := range e.words.words {
		if w.start >= e.questionAt[1] && w.end <= from && !fillers[w.fold] && !leadIns[w.fold] {
			return false
		}
	}
	return true
}

// manners are what a question may end in without it being part of it.
var manners = setOf(`gracias thanks thank you muchas porfavor please`)

// questionStart is where the question itself begins, after greetings and
// "I have a question".
func questionStart(part []word) int {
	start, ok := skipManners(part)
	if !ok {
		return 0
	}
	return start
}

// asksOthers hears questions about a person by name: "when is Maria's
// appointment?", "dame el teléfono de Juan".
func (e *ear) asksOthers(part []word) bool {
	return theirs.in(part) || e.possessive(part) || e.ofPerson(part) || e.isQuestion(part) && (e.hasPerson(part) || e.expectsPerson(part))
}

var theirs = bookOf(`
	viene/tiene/tenia/llega/come/comes/coming mi/mis/la/el/my/the vecino/vecina/jefe/jefa/ex/amigo/amiga/neighbour/neighbor/boss/friend/senor/senora/otro/other
	cita/reserva/telefono/datos/numero/direccion de/del mi/la/el/un vecino/vecina/jefe/jefa/ex/amigo/amiga/otro/otra/cliente/paciente
	do/does/is/has/when my/the neighbour/neighbor/boss/friend/ex/colleague * appointment/booking/reservation/coming/booked/come
	his/her/their/hers/theirs appointment/booking/reservation/appointments/bookings
	my/mi neighbour/neighbor/vecino/vecina/boss/jefe/ex/friend/friends/amigo/amiga * appointment/booking/reservation/cita/reserva
`)

var privateNouns = setOf(`appointment appointments booking bookings reservation reservations number phone address email details surname cita citas
	reserva reservas telefono movil direccion correo datos numero mobile apellido apellidos`)

// possessive hears "Maria's appointment".
func (e *ear) possessive(part []word) bool {
	for i, w := range part[:len(part)-1] {
		said := e.Text[w.start:w.end]
		if w.capital && !notOwners[w.fold] && (strings.HasSuffix(said, "'s") || strings.HasSuffix(said, "’s")) && privateNouns[part[i+1].fold] {
			return true
		}
		if strings.HasSuffix(w.fold, "s") && givenNames[strings.TrimSuffix(w.fold, "s")] && privateNouns[part[i+1].fold] && !w.capital {
			return true
		}
	}
	return false
}

var notOwners = setOf(`whats thats its todays tomorrows lets heres theres wheres whens hows whos mondays tuesdays wednesdays thursdays fridays saturdays sundays`)

// ofPerson hears "la cita de María", "the phone number of John Smith".
func (e *ear) ofPerson(part []word) bool {
	for i := 0; i+2 < len(part); i++ {
		if !privateNouns[part[i].fold] || part[i+1].fold != "de" && part[i+1].fold != "of" && part[i+1].fold != "del" {
			continue
		}
		next := i + 2
		for next < len(part)-1 && nameTitles[part[next].fold] {
			next++
		}
		w := part[next]
		named := givenNames[w.fold] || w.capital && next+1 < len(part) && part[next+1].capital && !isWord(w.fold)
		if named && !notNames[w.fold] && (e.Name == "" || w.start < e.nameAt[0] || w.start >= e.nameAt[1]) && e.isQuestion(part) {
			return true
		}
	}
	return false
}

// expectsPerson hears "¿a qué hora viene Juan Pérez?", "when is John Smith
// coming in?"
func (e *ear) expectsPerson(part []word) bool {
	if !has(part, "viene", "vendra", "llega", "llegara", "va", "vino", "come", "comes", "coming", "arrive", "arrives", "arriving") ||
		!has(part, "hora", "cuando", "dia", "when", "time", "day", "does", "is", "did") || has(part, "i", "we", "you", "yo") {
		return false
	}
	for i := 1; i+1 < len(part); i++ {
		a, b := part[i], part[i+1]
		known := givenNames[a.fold] && givenNames[b.fold]
		written := a.capital && b.capital && a.clause == b.clause && (givenNames[a.fold] || !isWord(a.fold))
		if (known || written) && !nameTitles[part[i-1].fold] && !nameTitles[a.fold] && !notNames[a.fold] {
			return true
		}
	}
	return false
}

// hasPerson hears "¿tiene cita María?", "does John Smith have a booking?". A
// title is another matter: a doctor's appointments are for the taking.
func (e *ear) hasPerson(part []word) bool {
	if !has(part, "cita", "reserva", "appointment", "booking", "reservation", "mesa", "table") || !has(part, "tiene", "tenia", "ha", "has", "have", "does", "did", "is", "reservo", "reservado", "booked") {
		return false
	}
	if has(part, "doctor", "doctora", "dr", "dra", "with", "con", "you", "for", "para", "i", "we") {
		return false
	}
	for i, w := range part {
		if i > 0 && givenNames[w.fold] && (w.start < e.nameAt[0] || w.start >= e.nameAt[1]) && w.capital {
			return true
		}
	}
	return false
}
