package conversation

import (
	"strings"
	"sync"
)

// A phrase is a way to say something, written as callers say it, folded, with
// these signs:
//
//	a/b      either word          word?    may be left out
//	reserv~  any such beginning   *        up to three words between
//	#        a number             ^ and $  begin and end of a clause
//	@want    a set of words that is used often
//
// Words that only fill (please, eh, pues) may stand anywhere between.
type phrase []element

type element struct {
	words    map[string]bool
	prefixes []string
	gap      int // up to so many words of any kind
	number   bool
	begin    bool
	end      bool
	optional bool
}

// phrasebook is a set of phrases, found by the word they begin with. It is read
// when it is first looked into.
type phrasebook struct {
	lines   string
	once    sync.Once
	byFirst map[string][]phrase
	others  []phrase
}

// wordSets are the sets that phrases name with @.
var wordSets = map[string]string{
	"want": "quiero/queria/quisiera/querria/queremos/queriamos/quisieramos/necesito/necesitaba/necesitamos/necesitaria/deseo/desearia/" +
		"gustaria/busco/buscaba/apetece/apeteceria/want/wanted/need/needed/id/like/love/wanna/wish/hoping/looking/gotta/prefer/preferiria/prefiero/gonna/quieren/quiere/needs/urge/urgia/urgiria",
	"can":   "can/could/would/may/will/puedo/puede/puedes/podria/podrias/podriamos/podemos/pueden/podrian/podeis/podriais/podian/podiais/podia/able/possible/posible",
	"a":     "a/an/the/some/any/un/una/unos/unas/el/la/los/las/my/our/mi/mis/nuestra/another/otra/otro/algun/alguna",
	"own":   "my/our/mi/mis/nuestra/nuestro/mine/the/la/el/esa/that/this/esta/su/tu",
	"place": "cita/citas/reserva/reservas/mesa/mesas/turno/hueco/huecos/appointment/appointments/reservation/reservations/booking/table/tables/slot/slots/spot/opening/openings/appt/apartment/disponibilidad/availability/sitio/vacancy/vacancies",
	"date":  "cita/citas/reserva/reservas/turno/appointment/appointments/reservation/reservations/booking/bookings/appt/visita/visit/table/mesa/hora",
}

// bookOf makes a phrasebook of phrases, one a line.
func bookOf(lines string) *phrasebook { return &phrasebook{lines: lines} }

func (b *phrasebook) read() {
	b.byFirst = map[string][]phrase{}
	for line := range strings.Lines(b.lines) {
		if line = strings.TrimSpace(line); line != "" {
			b.add(phraseOf(line))
		}
	}
}

func (b *phrasebook) add(p phrase) {
	first := 0
	for first < len(p)-1 && p[first].begin {
		first++
	}
	e := p[first]
	if e.optional || e.gap > 0 || e.number || e.end || len(e.prefixes) > 0 {
		b.others = append(b.others, p)
		return
	}
	for w := range e.words {
		b.byFirst[w] = append(b.byFirst[w], p)
	}
}

func phraseOf(line string) phrase {
	var p phrase
	for field := range strings.FieldsSeq(line) {
		p = append(p, elementOf(field))
	}
	return p
}

func elementOf(field string) element {
	var e element
	if len(field) > 1 && strings.HasSuffix(field, "?") {
		e.optional, field = true, strings.TrimSuffix(field, "?")
	}
	switch field {
	case "^":
		e.begin = true
		return e
	case "$":
		e.end = true
		return e
	case "*":
		e.gap = 3
		return e
	case "#":
		e.number = true
		return e
	}
	e.words = map[string]bool{}
	for alternative := range strings.SplitSeq(field, "/") {
		e.take(alternative)
	}
	return e
}

func (e *element) take(alternative string) {
	switch {
	case alternative == "#":
		e.number = true
	case strings.HasPrefix(alternative, "@"):
		for w := range strings.SplitSeq(wordSets[alternative[1:]], "/") {
			e.words[w] = true
		}
	case strings.HasSuffix(alternative, "~"):
		e.prefixes = append(e.prefixes, strings.TrimSuffix(alternative, "~"))
	default:
		e.words[alternative] = true
	}
}

// find returns the first place where a phrase of the book stands in the words.
func (b *phrasebook) find(words []word) (from, to int, ok bool) {
	for i := range words {
		if n, found := b.at(words, i); found {
			return i, n, true
		}
	}
	return 0, 0, false
}

func (b *phrasebook) in(words []word) bool {
	_, _, ok := b.find(words)
	return ok
}

// at returns where the longest phrase that begins at word i ends.
func (b *phrasebook) at(words []word, i int) (to int, ok bool) {
	b.once.Do(b.read)
	for _, p := range b.byFirst[words[i].fold] {
		if n, fits := p.match(words, i); fits && n > to {
			to, ok = n, true
		}
	}
	for _, p := range b.others {
		if n, fits := p.match(words, i); fits && n > to {
			to, ok = n, true
		}
	}
	return to, ok
}

// match says whether the phrase stands at word i, and where it ends.
func (p phrase) match(words []word, i int) (int, bool) {
	if len(p) == 0 {
		return i, true
	}
	e, rest := p[0], p[1:]
	switch {
	case e.begin:
		if !beginsClause(words, i) {
			return 0, false
		}
		return rest.match(words, i)
	case e.end:
		if !endsClause(words, i) {
			return 0, false
		}
		return rest.match(words, i)
	case e.gap > 0:
		for n := 0; n <= e.gap && i+n <= len(words); n++ {
			if to, ok := rest.match(words, i+n); ok {
				return to, true
			}
		}
		return 0, false
	}
	if i < len(words) && e.fits(words[i].fold) {
		if to, ok := rest.match(words, i+1); ok {
			return to, true
		}
	}
	if e.optional {
		if to, ok := rest.match(words, i); ok {
			return to, true
		}
	}
	if i < len(words) && i > 0 && fillers[words[i].fold] && !filled(words[:i]) {
		return p.match(words, i+1)
	}
	return 0, false
}

// filled says whether so many fillers have been passed over that a phrase does
// not hold together any more.
func filled(words []word) bool {
	const most = 3
	for n := 1; n <= most; n++ {
		if n > len(words) || !fillers[words[len(words)-n].fold] {
			return false
		}
	}
	return true
}

func (e element) fits(w string) bool {
	if e.words[w] {
		return true
	}
	if e.number {
		_, ok := smallNumbers[w]
		return ok || isFigures(w)
	}
	for _, prefix := range e.prefixes {
		if strings.HasPrefix(w, prefix) {
			return true
		}
	}
	return false
}

// beginsClause says whether only fillers and manners stand before word i in its
// clause.
func beginsClause(words []word, i int) bool {
	for i--; i >= 0 && i < len(words); i-- {
		if i+1 < len(words) && words[i].clause != words[i+1].clause {
			return true
		}
		if !fillers[words[i].fold] {
			return false
		}
	}
	return true
}

func endsClause(words []word, i int) bool {
	for ; i < len(words); i++ {
		if i > 0 && words[i].clause != words[i-1].clause {
			return true
		}
		if !fillers[words[i].fold] && !tails[words[i].fold] {
			return false
		}
	}
	return true
}

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// fillers say nothing wherever they stand.
var fillers = setOf(`eh ehh em emm um umm uh uhh uhm er erm hm hmm mm mmm ah oh ay pues mire mira oiga oye bueno
	osea aver entonces porfavor porfa please kindly just actually well so like vaya verdad simplemente solo
	realmente basically maybe quizas tambien also then ea hombre mujer y and`)

// tails are what people add to the end of a clause.
var tails = setOf(`gracias thanks thank you sir madam senor senora senorita ok okay vale now ahora mate love dear then
	entonces really very much muchas too`)
