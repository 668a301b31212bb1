package conversation

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName is how many words a name may have.
const longestName = 6

var nameLeads = bookOf(`
	me llamo
	mi nombre es/seria
	el nombre es/seria
	nombre es
	a nombre de
	al nombre de
	en nombre de
	a mi nombre $
	soy
	habla
	le habla
	^ nombre
	first name is?
	mi apellido es
	se llama
	de parte de
	es para la? senora/senor/senorita
	my names
	my full? name is
	my full name is
	the names
	the name is
	the names
	name is
	name will be
	under the name of?
	under
	in the name of
	on behalf of
	this is
	its for
	it is for
	im called
	i am called
	people/they call me
	call me
	im
	i am
	put it? under
	book/reserve it? under
	ponlo/pongalo/ponla a nombre de
`)

// hearName hears who is calling.
func (e *ear) hearName() {
	words := e.rest().words
	for i := range words {
		to, ok := nameLeads.at(words, i)
		if !ok || to >= len(words) || words[to].sentence != words[to-1].sentence {
			continue
		}
		weak := weakLeads[words[i].fold]
		if e.takeName(words[to:], weak) {
			e.addSurname(words)
			return
		}
	}
	if e.Expect == SlotName {
		e.bareName(words)
	}
	if e.Name == "" && !e.takenFor(words) {
		e.nameBeside(words)
	}
	if e.Name != "" {
		e.addSurname(words)
	}
}

// takenFor hears for whom it is: "at 3 pm for Sam Nash", "una mesa para Ana".
func (e *ear) takenFor(words []word) bool {
	for i := 0; i+1 < len(words); i++ {
		if w := words[i].fold; w != "for" && w != "para" {
			continue
		}
		if e.takenForKin(words[i+1:]) {
			return true
		}
		if i == 0 || seeking[words[i-1].fold] || words[i+1].clause != words[i].clause {
			continue
		}
		after := words[i+1:]
		if nameTitles[after[0].fold] {
			continue // an appointment for Dr Ruiz is with her
		}
		if n := e.nameLength(after); n > 0 && e.surelyNamed(after[:n]) && !e.isService(after[:n]) {
			e.setName(after[:n])
			return true
		}
	}
	return false
}

// takenForKin hears the name of somebody close: "para mi hija Lucía", "for my
// son, Tom".
func (e *ear) takenForKin(after []word) bool {
	if len(after) < 3 || !ours[after[0].fold] || !kin[after[1].fold] || after[2].sentence != after[1].sentence {
		return false
	}
	named := after[2:]
	n := e.nameLength(named)
	if n == 0 || !named[0].capital && !givenNames[named[0].fold] || named[0].capital && e.Text == strings.ToUpper(e.Text) {
		return false
	}
	if n < len(named) && (named[n].fold == "and" || named[n].fold == "y") || particles[named[0].fold] {
		return false // "for my wife Sarah and I"
	}
	e.setName(named[:n])
	return true
}

var (
	ours = setOf(`mi mis nuestro nuestra my our`)
	kin  = setOf(`hija hijo nina nino bebe madre padre mama papa mujer marido esposa esposo pareja novio novia hermana hermano abuela abuelo
		nieta nieto tia tio prima primo sobrina sobrino amiga amigo suegra suegro jefe jefa companera companero
		daughter son child kid baby mother mum mom father dad wife husband partner boyfriend girlfriend sister brother grandmother grandma
		grandfather grandpa aunt uncle cousin niece nephew friend boss colleague`)
)

var seeking = setOf(`looking ask asking look search searching wait waiting pregunto preguntando`)

// nameBeside takes a clause that is nothing but a name, next to the telephone
// number, at the end of what is wanted, or where it is all that is said: ", Laura
// King, 600 333 123".
func (e *ear) nameBeside(words []word) {
	clauses := (utterance{text: e.Text, words: words}).parts(byClause)
	for i, clause := range clauses {
		for len(clause) > 0 && (nameManners[clause[0].fold] || fillers[clause[0].fold]) {
			clause = clause[1:]
		}
		n := e.nameLength(clause)
		if n == 0 || !onlyManners(clause[n:]) || e.isService(clause[:n]) || clause[0].asks {
			continue
		}
		last := i+1 == len(clauses) && i > 0 && len(e.When.Mentions)+len(e.Services) > 0 && (n > 1 || givenNames[clause[0].fold] && clause[0].capital)
		alone := saysOnly(clauses, i) && e.Booking && n > 1 && (givenNames[clause[0].fold] || e.onlyNamed(clause[:n]))
		if (last || alone || e.nextToPhone(clause[:n])) && e.surelyNamed(clause[:n]) {
			e.setName(clause[:n])
			return
		}
	}
	e.nameBefore(words)
}

// saysOnly says whether all clauses but one are manners.
func saysOnly(clauses [][]word, i int) bool {
	for j, other := range clauses {
		if j != i && !onlyManners(other) {
			return false
		}
	}
	return true
}

// onlyNamed says whether words that may answer something else are a name none
// of whose parts is known: written as one, not made of ordinary words alone, and
// nothing that was offered.
func (e *ear) onlyNamed(words []word) bool {
	if e.Expect == Nothing || e.Expect == SlotService || e.Expect == SlotChoice || len(e.Services)+len(e.Unbookable)+len(e.When.Mentions) > 0 {
		return false
	}
	strange := false // a word that is none of either language
	offered := foldWord(strings.Join(e.Offered, " "))
	for _, w := range words {
		if particles[w.fold] {
			continue
		}
		if !w.capital || weight("es", w.fold) == 3 || weight("en", w.fold) == 3 || telling(w.fold) || strings.Contains(offered, w.fold) {
			return false
		}
		strange = strange || !isWord(w.fold)
	}
	return strange
}

// nameBefore takes the name that runs up to the telephone number without a
// comma, as recognisers write: "at ten laura king 600 333 123".
func (e *ear) nameBefore(words []word) {
	to := 0
	for to < len(words) && words[to].end <= e.phoneAt[0] {
		to++
	}
	for n := min(3, to); n > 1; n-- {
		last := words[to-n : to]
		if givenNames[last[0].fold] && e.nameLength(last) == n && e.surelyNamed(last) && e.nextToPhone(last) && !e.isService(last) {
			e.setName(last)
			return
		}
	}
}

// nextToPhone says whether only signs and small words are between the words and
// the telephone number.
func (e *ear) nextToPhone(words []word) bool {
	if e.phoneAt[1] == 0 {
		return false
	}
	from, to := words[len(words)-1].end, e.phoneAt[0]
	if to < from {
		from, to = e.phoneAt[1], words[0].start
	}
	for _, w := range e.words.words {
		if w.start >= from && w.end <= to && !smallTalk(w.fold) && !phoneNouns[w.fold] && !nameManners[w.fold] {
			return false
		}
	}
	return true
}

// surelyNamed is the test for names that nothing leads to: a known given name,
// or two words and more that are all capitalised and not all ordinary.
func (e *ear) surelyNamed(words []word) bool {
	known, capitals, ordinary := false, 0, 0
	for _, w := range words {
		switch {
		case particles[w.fold]:
			continue
		case w.capital:
			capitals++
		}
		known = known || givenNames[w.fold]
		if isWord(w.fold) && !givenNames[w.fold] {
			ordinary++
		}
	}
	if e.Text == strings.ToUpper(e.Text) || capitals == 0 {
		return givenNames[words[0].fold] && ordinary == 0 && len(words) > 1
	}
	return known && words[0].capital || capitals > 1 && ordinary < capitals
}

// addSurname joins the two halves of "first name Ana, last name López".
func (e *ear) addSurname(words []word) {
	_, to, ok := surnameLeads.find(words)
	if !ok || to >= len(words) || words[to].start < e.nameAt[1] {
		return
	}
	first, at := e.Name, e.nameAt
	if n := e.nameLength(words[to:]); n > 0 {
		e.setName(words[to : to+n])
		e.Name, e.nameAt[0] = first+" "+e.Name, at[0]
	}
}

var surnameLeads = bookOf(`
	last/family name is?
	surname is?
	apellido/apellidos es/son?
	de apellido
`)

// weakLeads begin other sentences too: "soy alérgico", "I'm looking for".
var weakLeads = setOf(`soy habla im i this its it under the call`)

// takeName takes the name at the beginning of words.
func (e *ear) takeName(words []word, weak bool) bool {
	for len(words) > 0 && nameTitles[words[0].fold] {
		words = words[1:]
	}
	n := e.nameLength(words)
	if n == 0 {
		return false
	}
	if weak && (particles[words[0].fold] || !e.plausible(words, n)) {
		return false
	}
	e.setName(words[:n])
	return true
}

// plausible is the harder test for a name that no clear words lead to: it is
// capitalised, or names are what was asked for and it is no ordinary word.
func (e *ear) plausible(words []word, n int) bool {
	if words[0].capital {
		return e.Text != strings.ToUpper(e.Text) || e.Expect == SlotName
	}
	for _, w := range words[:n] {
		if !particles[w.fold] && isWord(w.fold) && !givenNames[w.fold] {
			return false
		}
	}
	return e.Expect == SlotName || givenNames[words[0].fold]
}

// nameLength is how many of the words are a name.
func (e *ear) nameLength(words []word) int {
	n := 0
	for n < len(words) && n < longestName {
		w := words[n]
		if n > 0 && (w.clause != words[n-1].clause || e.Text[words[n-1].end:w.start] != " " && e.Text[words[n-1].end:w.start] != "-" && e.Text[words[n-1].end:w.start] != ". ") {
			break
		}
		if !e.nameWord(words, n) {
			break
		}
		n++
	}
	for n > 0 && particles[words[n-1].fold] && !words[n-1].capital {
		n--
	}
	if n == 1 && utf8.RuneCountInString(e.Text[words[0].start:words[0].end]) < 2 {
		return 0
	}
	return n
}

// nameWord says whether a word may be part of a name.
func (e *ear) nameWord(words []word, i int) bool {
	w := words[i]
	switch {
	case isFigures(w.fold):
		return false
	case particles[w.fold]:
		return i > 0 || w.capital || i+1 < len(words) && (words[i+1].capital || particles[words[i+1].fold])
	case notNames[w.fold]:
		return false
	case w.capital || givenNames[w.fold]:
		return true
	}
	return weight("es", w.fold) < 3 && weight("en", w.fold) < 3 && !digitsOnly(w.fold)
}

func digitsOnly(w string) bool { return digitWords[w] != "" }

// bareName takes an answer that is nothing but a name, with manners around it.
func (e *ear) bareName(words []word) {
	if e.asksSomething() || refusesName.in(words) {
		return
	}
	for _, clause := range (utterance{text: e.Text, words: words}).parts(byClause) {
		for len(clause) > 0 && (nameManners[clause[0].fold] || fillers[clause[0].fold]) {
			clause = clause[1:]
		}
		for len(clause) > 0 && nameTitles[clause[0].fold] {
			clause = clause[1:]
		}
		n := e.nameLength(clause)
		if n == 0 || !onlyManners(clause[n:]) || e.isService(clause[:n]) {
			continue
		}
		if allWords(clause[:n]) && !clause[0].capital {
			continue
		}
		e.setName(clause[:n])
		return
	}
}

// allWords says whether every word is an ordinary one, so that they are hardly
// a name.
func allWords(words []word) bool {
	for _, w := range words {
		if !particles[w.fold] && (givenNames[w.fold] || !isWord(w.fold)) {
			return false
		}
	}
	return true
}

func onlyManners(words []word) bool {
	for _, w := range words {
		if !nameManners[w.fold] && !fillers[w.fold] && !tails[w.fold] && !phoneNouns[w.fold] {
			return false
		}
	}
	return true
}

func (e *ear) isService(words []word) bool {
	return len(e.Services) > 0 && e.serviceAt[0] <= words[0].start && words[len(words)-1].end <= e.serviceAt[1]
}

var refusesName = bookOf(`
	no quiero
	no te/se/le lo? digo/voy/doy
	i dont want
	rather not
	prefiero no
	why do you
	para que
`)

func (e *ear) setName(words []word) {
	from, to := words[0].start, words[len(words)-1].end
	e.Name, e.nameAt = tidyName(e.Text[from:to]), [2]int{from, to}
	if e.serviceAt[0] >= from && e.serviceAt[1] <= to {
		e.Services, e.serviceAt = nil, [2]int{} // who is called Rosa asks for none
	}
}

// tidyName writes a name as names are written: capitals where a recogniser has
// given none, particles small.
func tidyName(s string) string {
	fields := strings.Fields(s)
	shout := s == strings.ToUpper(s)
	for i, f := range fields {
		fields[i] = tidyWord(f, i > 0, shout)
	}
	return strings.Join(fields, " ")
}

func tidyWord(f string, inside, shout bool) string {
	lower := strings.ToLower(f)
	if inside && particles[foldWord(f)] && (shout || f == lower) {
		return lower
	}
	if f != lower && !(shout && utf8.RuneCountInString(f) > 2) {
		return f
	}
	parts := strings.FieldsFunc(lower, func(r rune) bool { return r == '-' })
	for i, p := range parts {
		parts[i] = capitalised(p)
	}
	return strings.Join(parts, "-")
}

func capitalised(s string) string {
	if len(s) > 3 && (strings.HasPrefix(s, "o'") || strings.HasPrefix(s, "d'")) {
		return strings.ToUpper(s[:1]) + s[1:2] + capitalised(s[2:])
	}
	if len(s) > 4 && strings.HasPrefix(s, "mc") {
		return "Mc" + capitalised(s[2:])
	}
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

var (
	particles   = setOf(`de la las los del van von der den da di do dos el y le ten ter al bin`)
	nameTitles  = setOf(`senor senora senorita sr sra srta don dona doctor doctora dr dra mr mrs ms miss mister madam sir el la`)
	nameManners = setOf(`si yes yeah sure ok okay vale claro perfecto great porfavor please gracias thanks thank you es its it is el la the
		para for hola hello hi name nombre un momento mi my of course correcto right alright here aqui speaking al habla apunta apunte ponga pon
		surname apellido apellidos first last full completo and`)
	notNames = setOf(`no si yes yeah ok okay vale claro gracias thanks thank please porfavor hola hello hi adios bye que quien what who
		quiero queria quisiera want need like calling speaking looking trying interested interesado interesada alergico alergica celiaco
		celiaca vegano vegana vegetariano vegetariana vegetarian vegan allergic coeliac celiac nuevo nueva new cliente client customer
		patient paciente menor mayor autonomo diabetic diabetico diabetica embarazada pregnant sorry afraid here not just free available
		busy fine good great happy sure going coming looking wondering hungry late en con para por pero but and for with on at in
		tomorrow today manana hoy yo i you me my mi un una uno a an the it is es muy very so also tambien calling hoping thinking
		running starving sick ill enfermo enferma extranjero extranjera de el la los las mine mio now ahora appointment cita reserva
		booking reservation table mesa people personas robot human persona person machine desarrollador developer admin manager
		gerente propietario owner nobody nadie none ninguno ninguna nothing nada name nombre anonymous anonimo done correct correcto
		wrong right perfect perfecto cancel cancelar cuatro five having getting from unable able about still telling asking
		open closed really only solo sola married single using able back fully allowed supposed planning sorry everything all todo
		telefono phone number numero movil mobile tel tlf email correo that this eso esto esa ese your su tu our nuestra their her his him she he we they`)
	givenNames = setOf(`ana maria juan jose luis carlos carmen laura marta lucia pablo pedro javier miguel antonio manuel francisco david
		daniel jorge sergio alberto alejandro fernando raul elena cristina paula sara isabel rosa pilar mercedes dolores angel angela
		andrea silvia patricia beatriz raquel monica nuria irene eva julia victor ivan oscar ruben diego mario adrian alvaro ignacio
		ramon rafael enrique vicente gonzalo hugo martin lucas mateo sofia valentina camila claudia alba noelia rocio ines teresa
		john james robert michael william richard joseph thomas mary jennifer linda elizabeth barbara susan jessica sarah karen
		nancy lisa anna emma olivia emily sophie grace kate anne jane paul mark george peter andrew brian kevin steven edward jack
		harry charlie oliver noah liam tom tim sam ben max joe bob bill mike steve chris matt alex nick amy lucy alice rachel helen
		garcia lopez perez gonzalez rodriguez fernandez sanchez martinez gomez ruiz diaz moreno munoz romero alonso gutierrez
		navarro torres dominguez vazquez ramos gil serrano blanco molina ortega delgado castro ortiz rubio marin sanz iglesias
		smith jones brown taylor wilson davies evans johnson walker wright thompson robinson white hughes edwards green hall wood
		harris lewis clarke clark jackson turner hill scott cooper morris ward moore king watson baker pepe paco lola concha rose
		bruno abril mark may june april frank grant rich mia reyes cruz leon campos flores vega prado rios nieves
		ann annie abigail ada adam agnes aidan alan albert alfred alison amanda amelia andy anthony antonia arthur audrey barry bella
		bernard beth betty bruce calum carl caroline catherine cathy charles charlotte chloe christine christopher claire clara colin
		connor craig dan danielle darren dave deborah denise dennis derek diana donald donna doris dorothy douglas duncan dylan edith
		edwin eileen elaine eleanor ellen ellie eric erin ethan evelyn fiona florence frances fred freya gareth gary gavin geoff gerald
		gemma glenn gordon graham greg hannah harold heather henry howard ian imogen irma isaac isabella isla jacob jake jamie janet
		jason jean jeff jeremy jesse jill jim joan joanne jonathan josh joshua joyce judith judy julian julie justin karl kathleen
		kathryn katie keith kelly ken kenneth kim kirsty kyle larry lauren lawrence leah leonard louis louise luke lydia lynn maggie
		malcolm margaret marie marion martha martyn megan melanie melissa mohammed molly muhammad natalie natasha neil nathan nicholas
		nicola nigel nina nora owen pamela patrick pauline philip phil phoebe priya ralph rebecca rhys roger ron ronald roy russell ruth
		ryan samantha samuel scarlett sean shane shannon sharon sheila simon stephen stuart susanna sylvia tara ted terence terry
		theresa tina todd tony tracy trevor valerie vera vincent vivian walter wayne wendy yvonne zara zoe adela agustin aitana aitor
		ainhoa alfonso alicia almudena amaia amalia amparo anabel andres araceli armando arturo begona belen benito bernardo blas borja
		candela carla carlota carolina catalina cecilia celia cesar concepcion daniela dario debora desire eduardo elisa emilia emilio
		encarnacion ernesto esteban esther eugenia eugenio eulalia ezequiel fabian fatima federico felipe felix fermin gabriel gabriela
		gema gerardo german gregorio guadalupe guillermo gustavo hector helena herminia hilario humberto iker inaki inmaculada isidro
		israel jaime javi jesus joana joaquin joel jordi josefa josefina juana juanjo julieta julio leandro leire leonor leticia lidia
		lorena lorenzo lourdes luciano luisa magdalena maite manuela marc marcelo marcos margarita mariana mariano maribel marisa
		marisol martina matias mauricio maximo miren miriam mireia moises montse montserrat natalia nerea nicolas nil noa noemi octavio
		olga oriol patricio pepa quique ramiro rebeca ricardo roberto rodrigo rogelio romina rosario roxana sandra santiago saul
		sebastian sonia susana tamara tatiana tere tomas unai valeria vanesa veronica vicenta virginia xavier yaiza yolanda zaira`)
)
