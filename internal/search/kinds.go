package search

import (
	"math/bits"
	"strconv"
	"strings"
)

// kinds are what sorts of facts a text holds, or a question asks for.
type kinds uint16

const (
	price kinds = 1 << iota
	clock
	date
	span // how long something takes or lasts
	number
	place
	person
	phone
	address // of mail or of the web
)

var kindWords = func() map[string]kinds {
	m := map[string]kinds{}
	for k, words := range map[kinds]string{
		price:        "euro euros eur dolar dolares dollar dollars usd pound pounds gbp pence cent cents centimos peso pesos gratis gratuito gratuita gratuitos gratuitas free price prices precio precios tarifa fee coste cost",
		clock:        "am pm mediodia medianoche noon midnight oclock madrugada",
		clock | date: "lunes martes miercoles jueves viernes sabado sabados domingo domingos monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays weekend weekends weekday weekdays laborables festivos diario daily",
		date:         "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre january february march april may june july august september october november december siglo century navidad christmas verano summer invierno winter",
		number:       "two three four five six seven eight nine ten dozen hundred thousand million dos tres cuatro cinco seis siete ocho nueve diez docena cien ciento mil millon millones half media medio once doce twelve twenty veinte",
		place:        "calle avenida avda plaza paseo carretera street road avenue square floor planta local piso esquina corner junto near cerca frente opposite metro station estacion city ciudad located situado ubicado situada ubicada",
		person:       "dr dra sr sra don dona mr mrs ms doctor doctora",
		phone:        "telefono phone tel whatsapp movil",
		address:      "email mail correo web website www http https",
	} {
		for _, w := range strings.Fields(words) {
			m[w] |= k
		}
	}
	return m
}()

var spanUnits = wordSet("minute minutes min mins minuto minutos hour hours hora horas h day days dia dias week weeks semana semanas month months mes meses year years ano anos noche noches night nights second seconds segundo segundos")

func wordSet(list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[w] = true
	}
	return all
}

// kindsIn tells which kinds of facts a text speaks of.
func kindsIn(text string, all []token) (found kinds) {
	if strings.ContainsAny(text, "€$£") {
		found |= price
	}
	if strings.Contains(text, "@") {
		found |= address
	}
	digits := 0
	for i, t := range all {
		found |= kindWords[t.word]
		if !t.number {
			if t.capital && i > 0 && all[i-1].capital && all[i-1].end+1 == t.start {
				found |= person
			}
			digits = 0
			continue
		}
		digits += t.end - t.start
		found |= number | kindsOfNumber(text, all, i)
		if digits >= 9 {
			found |= phone
		}
	}
	return found
}

func kindsOfNumber(text string, all []token, i int) (found kinds) {
	t := all[i]
	if strings.Contains(text[t.start:t.end], ":") {
		found |= clock
	}
	if n := t.end - t.start; n == 4 && (text[t.start] == '1' || text[t.start] == '2') {
		found |= date
	}
	if i+1 < len(all) {
		next := all[i+1].word
		if spanUnits[next] {
			found |= span
		}
		if next == "h" || next == "horas" || next == "am" || next == "pm" || next == "a" && i+2 < len(all) && all[i+2].word == "m" {
			found |= clock
		}
	}
	return found
}

// asked are ways to ask for a kind of fact, longest first where one begins
// another. Each is a run of folded words.
var asked = []struct {
	words string
	kinds kinds
}{
	{"how much time", span},
	{"how long", span},
	{"cuanto tiempo", span},
	{"cuanto tarda", span},
	{"cuanto tardan", span},
	{"cuanto tardais", span},
	{"cuanto dura", span},
	{"cuantos dias", span},
	{"cuantas horas", span},
	{"how much", price},
	{"cuanto", price},
	{"price", price},
	{"cost", price},
	{"costs", price},
	{"charge", price},
	{"fee", price},
	{"precio", price},
	{"precios", price},
	{"coste", price},
	{"cuesta", price},
	{"cuestan", price},
	{"costaria", price},
	{"costar", price},
	{"sale", price},
	{"prices", price},
	{"charges", price},
	{"fees", price},
	{"rates", price},
	{"tarifas", price},
	{"vale", price},
	{"cobran", price},
	{"cobrais", price},
	{"expensive", price},
	{"tarifa", price},
	{"how many", number},
	{"cuantos", number},
	{"cuantas", number},
	{"how old", number},
	{"how far", number | place},
	{"percentage", number},
	{"porcentaje", number},
	{"what time", clock},
	{"que hora", clock},
	{"que horas", clock},
	{"hours", clock},
	{"horario", clock},
	{"horarios", clock},
	{"when", clock | date | span},
	{"cuando", clock | date | span},
	{"what day", date},
	{"que dia", date},
	{"que dias", date},
	{"what days", date},
	{"what year", date},
	{"que ano", date},
	{"until what", clock},
	{"hasta que", clock},
	{"where", place},
	{"donde", place},
	{"wheres", place},
	{"address", place},
	{"direccion", place},
	{"who", person},
	{"quien", person},
	{"quienes", person},
	{"phone", phone},
	{"telefono", phone},
	{"phone number", phone},
	{"email", address},
	{"correo electronico", address},
	{"website", address},
	{"pagina web", address},
}

// kindWord is the word of the vocabulary that stands in every fragment with a
// kind of fact.
func kindWord(k kinds) string { return "#" + strconv.Itoa(bits.TrailingZeros16(uint16(k))) }

// each calls yield with every single kind.
func (k kinds) each(yield func(kinds)) {
	for ; k != 0; k &= k - 1 {
		yield(k & -k)
	}
}

// asking is the kind of fact that a single word asks for: "price", "horario".
var asking = func() map[string]kinds {
	m := map[string]kinds{}
	for _, a := range asked {
		if !strings.Contains(a.words, " ") {
			m[a.words] = a.kinds
		}
	}
	return m
}()

// kindsAsked tells which kind of fact would answer a question; 0 when any may.
func kindsAsked(all []token) kinds {
	words := make([]string, len(all))
	for i, t := range all {
		words[i] = t.word
	}
	line := " " + strings.Join(words, " ") + " "
	for _, a := range asked {
		if strings.Contains(line, " "+a.words+" ") {
			return a.kinds
		}
	}
	return 0
}
