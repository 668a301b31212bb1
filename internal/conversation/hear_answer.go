package conversation

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
)

// The beginnings of a clause that say yes, or no.
var (
	yesStarts = bookOf(`
		^ yes/yeah/yep/yup/yea/yah/aye/ya/sip/sep/sipi/sii/siii/yess/yesss/sure/surely/absolutely/definitely/certainly/indeed/exactly/precisely/totally
		^ ok/okay/okey/oki/okis/k/okeydokey/vale/venga/dale/hecho/va/listo/alright/deacuerdo/conforme/genial/estupendo/perfecto/perfect/excelente/excellent/fantastico/fantastic/wonderful/great/correcto/correct/right/claro/exacto/exactamente/efectivamente/afirmativo/affirmative/confirmado/confirmed/confirm/confirmo/confirmamos/fenomenal/maravilloso/brilliant/lovely/awesome/amazing/cool/deal/agreed/done/fine/sweet/super/cierto/obvio/obviamente/adelante/bien/guay/chachi/divino/bueno
		^ you/u bet
		^ aja/uhhuh/mhm/mmhm/ahan
		^ supongo/imagino $
		^ bueno $
		^ of course
		^ por supuesto
		^ desde luego
		^ como no
		^ why not
		^ por que no $
		^ no problem/problemo/worries
		^ no hay/tengo problema/inconveniente
		^ not a problem
		^ ningun problema
		^ sin problema/problemas
		^ cuando/como quiera/quieras $
		^ muy bien
		^ todo correcto/bien/perfecto/ok
		^ very well/good
		^ good $
		^ good enough
		^ that/it will do
		^ thatll/itll do/work/be
		^ please do
		^ i do $
		^ i would $
		^ i am $
		^ it is $
		^ its ok/okay/fine/correct/right/good/perfect/great
		^ lo es $
		^ ahora/now/ya si/yes/yeah/correcto
		^ now thats/its/it all? is? all? right/correct/good/perfect/fine
		^ ahora esta/es todo? bien/correcto/perfecto
		^ asi es
		^ eso es $
		^ eso mismo
		^ eso eso
		^ esa/ese mismo/misma $
		^ tal cual
		^ tal y como
		^ ya lo creo
		^ me va/viene/parece/encaja/cuadra/sirve/encanta/vale muy? bien/perfecto/genial/estupendo/fenomenal/estupendamente/perfectamente/de
		^ me sirve/vale/encanta/cuadra/encaja $
		^ esta muy? bien/perfecto/genial/correcto/estupendo/todo
		^ todo esta bien/correcto/perfecto
		^ suena muy? bien/genial/perfecto/estupendo
		^ lo/la quiero $
		^ es correcto/perfecto/eso/asi
		^ nailed it
		^ most definitely/certainly
		^ desde luego
		^ si
	`)
	yesAnywhere = bookOf(`
		that/it/this/thats/which/one/everything/all/dentist/place/time/he/she/him/restaurant works/suits/fits
		that/this/it/one/which/day/time would/will/should/can/does work/do/suit
		that/this/it/one/which would/will be so/really/absolutely/just/a? great/fine/perfect/good/ok/okay/lovely/wonderful/excellent/ideal/nice/awesome/fantastic/amazing/alright
		thatll/itll work/do/be great/fine/perfect/good/ok/okay
		sound/sounds/sounding/seem/seems/looks/look so/really/very/pretty/quite/all? good/great/perfect/fine/right/correct/lovely/nice/ok/okay/wonderful/excellent/awesome/fantastic/alright/reasonable/amazing/fabulous/splendid/ideal
		thats/its/that/it/this/everything/all/information/details/one is/are/was/looks? all/just/absolutely/exactly/quite/totally/so/about/really/completely/very? right/correct/fine/perfect/good/great/ok/okay/it/excellent/wonderful/alright/awesome/nice/lovely/fantastic/amazing/cool/accurate/ideal/brilliant/acceptable/suitable
		thats/its all/just/absolutely/exactly/quite/totally/so/about/really/completely/very/a? right/correct/fine/perfect/good/great/ok/okay/excellent/wonderful/alright/awesome/nice/lovely/fantastic/amazing/cool/accurate/ideal/brilliant
		thats exactly/just/what
		go ahead
		go for it
		do it/so/that $
		please do
		lets do/go
		lets do/go with? it/that/this
		ill/will/id take/go/have it/that/with/this
		go with this/that/him/her/it/them
		i confirm
		i like it/that/this/the
		i like the sound
		im happy/good/fine/ok/okay with
		works for me
		fine by/with me
		good/fine/ok/perfect/great/okay for/with/by me
		you got/have it/that
		got it right
		you nailed it
		make it so
		suits/suit/fits me
		book/reserve/confirm/schedule it $
		book/reserve/confirm/schedule it for me
		confirmo/confirmalo/confirmala/confirmelo/confirmela/confirmad/reservalo/reservala/reservelo/reservela/apuntalo/apuntelo/apuntamelo/apuntemelo
		me parece/viene/va/queda/encaja/cuadra muy? bien/perfecto/genial/estupendo/fenomenal/estupendamente/perfectamente/de
		nos parece/viene/va/queda/encaja/cuadra muy? bien/perfecto/genial/estupendo/fenomenal/estupendamente/perfectamente/de
		esta todo? muy? bien/perfecto/genial/correcto
		esta todo muy? bien/perfecto/genial/correcto
		es correcto/perfecto
		todo bien/correcto/perfecto
		por supuesto
		desde luego
		claro que si
		yo creo/diria que si
		creo/diria/supongo/imagino que si
		i think/guess/suppose/believe so
		i think so
		eso si
		que si $
		como no $
		por mi bien/vale/perfecto/si
		deacuerdo
		estoy deacuerdo/conforme
		adelante
		me quedo con
		me la/lo quedo
		asi esta bien
	`)
	noStarts = bookOf(`
		^ no
		^ nope/nop/nah/nay/nooo/noo/na/negativo/negative/nein/incorrecto/incorrect/wrong/never/nunca/jamas/tampoco/nothing/nada/ninguno/ninguna/neither/none
		^ not
		^ para nada
		^ en absoluto
		^ de ninguna/ningun
		^ que va
		^ ni hablar/loco/de
		^ mejor no
		^ mejor otro/otra
		^ casi mejor
		^ prefiero que? no
		^ prefiero otro/otra
		^ preferiria no
		^ por ahora/momento no
		^ de momento no
		^ todavia/aun no
		^ ahora no
		^ creo que no
		^ va a ser que no
		^ pero/but no/not
		^ ya no
		^ todo mal
		^ mal $
		^ i dont/wont/cant/wouldnt think/want/need/like/wish/agree/really
		^ i do/would not
		^ dont
		^ id rather not
		^ i would rather not
		^ rather not
		^ negativo
	`)
	noAnywhere = bookOf(`
		thats/its/this/that/it/is/are not
		thats/its not
		isnt/arent/wasnt/doesnt/dont/wont/didnt/cant really/quite/it/be/make? right/correct/work/it/good/suit/fine/perfect/ok/okay/what/suitable
		doesnt/dont/wont really/quite? work/suit/fit/sound
		thats/that/its/it is? wrong/incorrect
		not right/correct/quite/really/what
		no es/esta/era eso/asi/correcto/bien/lo/ese/esa/esta/este/el/la
		no esta bien
		no me va/viene/parece/encaja/cuadra/sirve/convence/interesa/vale/gusta
		no nos va/viene/parece/encaja/cuadra/sirve/convence/interesa/vale
		no puedo
		no podemos
		no quiero
		no va bien
		no creo
		no es correcto
		esta mal
		everything/all/todo bien/correcto/perfecto/good/right/fine? but/except/menos/excepto/salvo
		esta/es equivocado/equivocada/incorrecto/erroneo
		is/are/was wrong/incorrect/mistaken
		estan mal/equivocados
		te has equivocado
		se ha equivocado
		that/this is? a? mistake
		id rather not
		rather not
		changed my mind
		he cambiado de idea/opinion
		me lo pienso
		i dont think so
		i dont want
		dont book/confirm/reserve/do/want
		no lo/la reserve/confirme/reserves/confirmes/haga/hagas
		creo que no
	`)
	// changes are what a correction begins with.
	changes = bookOf(`
		but
		pero
		except
		excepto
		salvo
		aunque
		instead
		rather
		en vez/lugar de
		mejor
		prefer/prefiero/preferiria/preferimos/prefeririamos
		make it/that/this
		change/switch/move/modify/correct/update it/that/this/the/to/my
		hazlo/hagalo/ponlo/pongalo/ponme/pongame/cambialo/cambiala/cambielo/cambiela/cambia/cambie/cambiar/cambiame/cambieme/modificar/modifica/modifique/dejalo/dejelo/muevela/muevelo/muevala/muevalo/pasala/pasalo/pasela/paselo/ponla/pongala/dejala/dejela/cambiamela/cambiemela
		it/that should/must be
		it/that needs/has to be
		i meant/mean/said
		quise/queria decir
		he dicho
		dije
		queria/quise que
		perdon
		sorry
		actually
		en realidad
		realmente
		how/what about
		can/could/lets we/you? try #/the/at/on/for/another
		try * instead
		try again/another/for
		que tal
		y si
		puede/podria/pudiera/podriamos ser/hacerlo/hacerla
		casi mejor
		rather
		wait
		espera
		espere
		could it be
		if
		as long as
		siempre que/y
		si es/puede/hay/fuera/no
		que sea/sean
		a ver si
		nevermind
		forget it/that
		on second thought/thoughts
		changed my mind
		pensandolo bien/mejor
		he cambiado de
		olvidalo/olvidelo
	`)
	anyTime = bookOf(`
		me/nos da igual/lo
		da igual/lo
		lo mismo me? da
		igual me da
		cualquiera
		cualquier dia/hora/momento/cosa/fecha/sitio/persona
		cuando sea
		cuando quieras/quiera/pueda/puedas/podais/puedan
		cuando te/le/os/les venga/vaya/convenga/parezca
		cuando haya
		lo que sea
		el/la/lo que tenga/tengan/tengas/haya/quieras/quiera/prefiera/prefieras/sea/digas/diga
		lo antes posible
		cuanto/cuando antes
		sin preferencia/preferencias
		no tengo preferencia/preferencias
		no me importa
		me es indiferente
		indiferente
		whenever
		whatever
		whichever
		any time/day/one/date/of/will
		anytime/anyday/anyone/anything
		either one/is/works/day/time/will
		^ either $
		doesnt matter
		dont mind/care
		no preference
		not fussy/picky/bothered
		up to you
		you choose/decide/pick
		as soon as possible
		asap
		the soonest/earliest/first available/possible/you
		first available
		soonest
		earliest
		lo primero que
		la primera que
		el primer hueco
		la primera hora disponible/libre
	`)
	dontKnow = bookOf(`
		i dont/didnt/cant have/know/remember/recall/find/got
		i do not have/know/remember/recall
		dont/havent have/got it/one/a/the
		dont know
		dunno
		no idea
		not sure
		cant remember/find/recall
		forgot/lost it/the/my
		i forgot/forget
		no lo/la/los tengo/se/recuerdo/encuentro/llevo
		no tengo ni/el/la/ninguno/ninguna/codigo/telefono/email/correo/localizador/numero/idea
		no tengo $
		no me acuerdo
		no recuerdo
		no se $
		^ no se
		ni idea
		lo he perdido/olvidado
		se me ha olvidado/perdido
		ni lo se
		no estoy seguro/segura
		no sabria
		without the/a/it code
		sin codigo/localizador
	`)
)

// hearAnswer says whether the words agree to what was asked or refuse it. A yes
// that brings a change with it is a no.
func (e *ear) hearAnswer() {
	yes, no := false, false
	clauses := e.words.parts(byClause)
	for i, clause := range clauses {
		if i > 1 && e.tellsStory() {
			break
		}
		last := i+1 == len(clauses) || clauses[i+1][0].sentence != clause[0].sentence
		y, n := e.answerOf(clause, !yes && !no, last)
		yes, no = yes || y, no || n
	}
	yes = yes || e.onlyPlease()
	change := e.corrects(yes)
	e.Yes = yes && !no && !change
	e.No = no || change
}

// tellsStory says whether so much is said, and nothing was asked, that the no's
// in it answer nothing.
func (e *ear) tellsStory() bool {
	const long = 30
	return e.Expect == Nothing && !e.Booking && len(e.words.words) > long
}

// answerOf says whether one clause says yes or no. Only the first clause that
// answers may do so with a bare "no": "yes, no onions" is a yes. A question
// mark is that of the last clause: "that works, what's the address?"
func (e *ear) answerOf(clause []word, first, last bool) (yes, no bool) {
	start, ok := skipFillers(clause)
	if !ok {
		return false, false
	}
	from, yesAt := yesStarts.at(clause, start)
	if offhand.in(clause) {
		return true, false
	}
	asks := clause[0].asks && (last && !tagQuestion(clause) || opens(clause, start))
	switch {
	case dontKnowOnly(clause), anyTime.in(clause):
		return false, false
	case yesAt && refused.in(clause[start:]) && !harmless.in(clause):
		return false, true
	case yesAt && (wavering.in(clause[start:]) || clause[0].asks && last && tagQuestion(clause)):
		return false, false
	case yesAt && !e.conditional(clause[start:]) && from > start:
		return !asks || answersOutright(clause[start]), false
	case asks:
		return false, first && clause[start].fold == "no"
	case noStarts.in(clause[start:]) && beginsClause(clause, start):
		if _, at := noStarts.at(clause, start); at {
			return false, first || len(clause)-start <= 2 || noAnywhere.in(clause)
		}
	}
	if noAnywhere.in(clause) {
		return false, true
	}
	return yesAnywhere.in(clause), false
}

var (
	// refused takes a yes back in the same breath: "claro que no", "ok, but
	// that doesn't work".
	refused = bookOf(`
		no/not/nt/dont/doesnt/cant/cannot/wont/isnt/never/nunca/tampoco/wrong/mal/incorrecto/incorrect/except/excepto/salvo/menos
	`)
	// harmless are the no's that refuse nothing.
	harmless = bookOf(`
		no problem/problemo/worries/rush/doubt
		no hay/tengo/pasa problema/problemas/inconveniente/nada/prisa
		not a problem
		not at all
		no importa
		sin problema
		por que no
		why not
		como no
	`)
	// wavering begins like a yes and is none.
	wavering = bookOf(`
		vale la/el/un/una
		right now/after/before/away
		good/great/fine/excellent question/morning/afternoon/evening/night/bye/luck/point
		wait
		espera/espere/esperate
		hold/hang on
		un momento/segundo/minuto
		one moment/second/sec/minute
		nevermind
		forget it/that
		olvidalo/olvidelo/dejalo/dejelo
		ok/okay google
		dale recuerdos/un
		cancel/cancela/cancelalo/cancelala/cancelelo/cancelela/anulalo/anulala/anulelo/anulela
	`)
)

// offhand are questions that agree.
var offhand = bookOf(`
	^ why not $
	^ por que no $
	^ y? por que no $
	^ como no $
	^ and? why not $
`)

func dontKnowOnly(clause []word) bool {
	return dontKnow.in(clause) && !has(clause, "yes", "yeah")
}

// onlyPlease: "please" alone says yes, and so does "bueno".
func (e *ear) onlyPlease() bool {
	for _, w := range e.words.words {
		if w.fold != "please" && w.fold != "porfavor" && w.fold != "bueno" && !tails[w.fold] {
			return false
		}
	}
	return has(e.words.words, "please", "porfavor", "bueno")
}

func skipFillers(clause []word) (int, bool) {
	for i, w := range clause {
		if !fillers[w.fold] || w.fold == "please" && i+1 < len(clause) && clause[i+1].fold == "do" {
			return i, true
		}
	}
	return 0, false
}

// conditional says whether a "si" without its accent is an if.
func (e *ear) conditional(rest []word) bool {
	if rest[0].fold != "si" || strings.ContainsRune(e.Text[rest[0].start:rest[0].end], 'í') || len(rest) == 1 {
		return false
	}
	return conditionals[rest[1].fold]
}

var conditionals = setOf(`puede puedo pueden puedes podria podrias podriais podemos hay tienen tiene tienes teneis tenia fuera no quiere quieres me se
	esta estan es queda quedan fuese pudiera pudiese llego voy vengo cancelo llueve somos abren cierran hubiera hubiese habria te le os`)

// answersOutright says whether a word is a yes even in a sentence that goes on
// to ask: "yes what's the address?"
func answersOutright(w word) bool {
	switch w.fold {
	case "yes", "yeah", "yep", "yup", "si", "ok", "okay", "vale", "perfecto", "sure", "perfect", "great", "exactly", "correct", "correcto":
		return true
	}
	return false
}

// corrects says whether the words change something: a word that contrasts, and
// something new with it. Where the caller was asked for just that, it is an
// answer and no correction.
func (e *ear) corrects(yes bool) bool {
	if yes && e.Expect == SlotConfirm && rewrites.in(e.words.words) {
		return true // whatever the change is, it was not agreed to
	}
	for _, sentence := range e.words.parts(bySentence) {
		from, _, ok := changes.find(sentence)
		if !ok {
			continue
		}
		start, hard := sentence[0].start, contrasts[sentence[from].fold] || e.Expect == SlotConfirm && conditions[sentence[from].fold]
		if hard {
			start = sentence[from].start
		}
		if e.mayCorrect(yes, hard) && e.newsAfter(start) {
			return true
		}
	}
	return false
}

// mayCorrect says whether there is anything to correct: a read-back, or what is
// being arranged. After a yes to something else, only a contrast does.
func (e *ear) mayCorrect(yes, hard bool) bool {
	switch {
	case e.Expect == SlotConfirm:
		return true
	case yes:
		return hard
	}
	return e.Booking
}

// rewrites are changes that leave no doubt.
var rewrites = bookOf(`
	instead
	make it/that #/earlier/later
	change/switch/move/correct/modify/update it/that/the/to/my
	mejor
	cambialo/cambiala/cambielo/cambiela/cambia/cambie/cambiar/cambiame/cambieme/corrige/corrija/modifica/modifique
	en vez/lugar de
`)

// contrasts are words after which the change must come.
var contrasts = setOf(`but pero except excepto salvo aunque nevermind forget olvidalo olvidelo changed he on`)

// conditions are words that make a yes hang on what follows.
var conditions = setOf(`if as siempre si`)

// newsAfter says whether something that can be corrected is said after a place
// in the text.
func (e *ear) newsAfter(start int) bool {
	for _, m := range e.When.Mentions {
		if m.Start >= start && !e.expectsMention(m) {
			return true
		}
	}
	return e.partyAt[1] > start && e.Expect != SlotPartySize || e.nameAt[1] > start && e.Expect != SlotName ||
		e.phoneAt[1] > start && e.Expect != SlotPhone || e.emailAt[1] > start && e.Expect != SlotEmail ||
		e.serviceAt[1] > start && e.Expect != SlotService
}

func (e *ear) expectsMention(m dates.Mention) bool {
	day := m.Kind == dates.OneDay || m.Kind == dates.Days
	return day && e.Expect == SlotDate || !day && e.Expect == SlotTime
}

// asked is what the reader of dates should know of the question.
func asked(s Slot) dates.Asked {
	switch s {
	case SlotDate:
		return dates.AskedDay
	case SlotTime:
		return dates.AskedTime
	default:
		return dates.AskedNothing
	}
}
