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
	age
	saving // what makes something cheaper
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
		age:          "age ages aged edad edades menores mayores adult adults adulto adultos",
		saving:       "discount discounts discounted descuento descuentos rebaja rebajas rebajado oferta ofertas offer offers off concession concessions reduced reducido reducida gratis free mitad bonificacion saving",
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

// kindsIn tells which kinds of facts a text speaks of. A word with a capital
// letter inside a sentence that is not known is someone's name.
func kindsIn(text string, all []token, known func(word string) bool) (found kinds) {
	if strings.ContainsAny(text, "€$£") {
		found |= price
	}
	if strings.Contains(text, "@") {
		found |= address
	}
	if strings.Contains(text, "%") {
		found |= saving
	}
	digits := 0
	for i, t := range all {
		found |= kindWords[t.word]
		if !t.number {
			if t.capital && i > 0 && (all[i-1].capital && all[i-1].end+1 == t.start || !known(t.word)) {
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
	written := text[t.start:t.end]
	if strings.Contains(written, ":") {
		found |= clock
	}
	if _, cents, ok := strings.Cut(written, ","); ok && len(cents) == 2 {
		found |= price
	}
	if whole, cents, ok := strings.Cut(written, "."); ok && len(cents) == 2 {
		found |= price
		if hourly(whole) && cents < "60" {
			found |= clock
		}
	}
	if n := t.end - t.start; n == 4 && (written[0] == '1' || written[0] == '2') {
		found |= date
	}
	if i > 0 && beforeAge[all[i-1].word] {
		found |= age
	}
	if i+1 < len(all) {
		found |= kindsBefore(all[i:])
	}
	return found
}

var (
	beforeAge = wordSet("under over aged age ages than")
	years     = wordSet("anos year years meses months")
	upTo      = wordSet("to till until a hasta y and")
)

// kindsBefore is what the words after a number tell about it.
func kindsBefore(all []token) (found kinds) {
	next := all[1]
	if spanUnits[next.word] {
		found |= span
	}
	if years[next.word] {
		found |= age
	}
	if next.word == "h" || next.word == "horas" || next.word == "am" || next.word == "pm" || next.word == "a" && len(all) > 2 && all[2].word == "m" {
		found |= clock
	}
	if all[0].word == "24" && (next.word == "hours" || next.word == "hour") {
		found |= clock // open round the clock
	}
	if upTo[next.word] && len(all) > 2 {
		next = all[2]
	}
	if next.number && hourly(all[0].word) && hourly(next.word) && next.start-all[0].end <= len(" until ") {
		found |= clock // "9 to 5", "9–5"
	}
	return found
}

func hourly(number string) bool {
	hour, _, _ := strings.Cut(number, ".")
	n, err := strconv.Atoi(hour)
	return err == nil && n <= 24
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
	{"how old", number | age},
	{"what age", age},
	{"que edad", age},
	{"edad", age},
	{"years old", age},
	{"year old", age},
	{"months old", age},
	{"too old", age},
	{"too young", age},
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
	{"open", clock | date},
	{"close", clock | date},
	{"closed", clock | date},
	{"shut", clock | date},
	{"abris", clock | date},
	{"abren", clock | date},
	{"abierto", clock | date},
	{"abiertos", clock | date},
	{"cerrais", clock | date},
	{"cierran", clock | date},
	{"cerrado", clock | date},
	{"discount", saving},
	{"discounts", saving},
	{"cheaper", saving},
	{"descuento", saving},
	{"descuentos", saving},
	{"rebaja", saving},
	{"rebajais", saving},
	{"ofertas", saving},
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
