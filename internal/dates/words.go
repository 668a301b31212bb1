package dates

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// The words below are folded, as tokens are.

var weekdays = named(map[string]time.Weekday{
	"lunes": 1, "martes": 2, "miercoles": 3, "jueves": 4, "viernes": 5, "sabado": 6, "domingo": 0,
	"sabados": 6, "domingos": 0,
	"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 0,
	"mondays": 1, "tuesdays": 2, "wednesdays": 3, "thursdays": 4, "fridays": 5, "saturdays": 6, "sundays": 0,
	"tues": 2, "weds": 3, "thur": 4, "thurs": 4, "mier": 3, "vier": 5,
	"wensday": 3, "wendsday": 3, "tusday": 2, "tuseday": 2, "fryday": 5, "thirsday": 4, "satday": 6,
})

// shortWeekdays are words of their own as well, so they need company.
var shortWeekdays = map[string]time.Weekday{
	"mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6, "sun": 0,
	"lun": 1, "mie": 3, "jue": 4, "vie": 5, "sab": 6, "dom": 0,
}

var months = named(map[string]time.Month{
	"enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7, "agosto": 8,
	"septiembre": 9, "setiembre": 9, "octubre": 10, "noviembre": 11, "diciembre": 12,
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
	"september": 9, "october": 10, "november": 11, "december": 12,
})

// shortMonths count only beside a number.
var shortMonths = map[string]time.Month{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
	"ene": 1, "abr": 4, "ago": 8, "dic": 12,
}

// namedBy is the day of the week, or else the month, that a word names in full
// or short; -1 and 0 when it names none.
func namedBy(word string) (weekday, month int) {
	if len(word) < 3 || len(word) > 12 {
		return -1, 0
	}
	if m, ok := shortMonths[word]; ok {
		month = int(m)
	}
	if w, ok := shortWeekdays[word]; ok {
		return int(w), month
	}
	if w, ok := weekdays.look(word); ok {
		return int(w), month
	}
	if m, ok := months.look(word); ok {
		month = int(m)
	}
	return -1, month
}

// likelyOther are words that are one slip away from a name, and are words.
var likelyOther = set(`vienes mares domino angosto frida augusto augusta sabida sabia marte martez sundry mayor`)

// names are words that are understood with a slip of the pen, or of the
// recogniser.
type names[T any] struct {
	exact map[string]T
	like  map[byte][]heard[T] // by the first letter, in the order of the alphabet
}

type heard[T any] struct {
	sound string
	means T
}

func named[T any](exact map[string]T) names[T] {
	n := names[T]{exact, map[byte][]heard[T]{}}
	for _, name := range slices.Sorted(maps.Keys(exact)) {
		if sound := spell(name); len(name) >= 6 {
			n.like[sound[0]] = append(n.like[sound[0]], heard[T]{sound, exact[name]})
		}
	}
	return n
}

// look finds a word, or the name that is nearest to it.
func (n names[T]) look(word string) (v T, ok bool) {
	if v, ok = n.exact[word]; ok || len(word) < 5 || likelyOther[word] {
		return v, ok
	}
	sound, nearest := spell(word), 3
	for _, name := range n.like[sound[0]] {
		if !near(sound, name.sound) {
			continue
		}
		if d := distance(sound, name.sound); d < nearest {
			v, ok, nearest = name.means, true, d
		}
	}
	return v, ok
}

// spell writes b for v and c for z, which Spanish speakers write for each other.
func spell(word string) string {
	if !strings.ContainsAny(word, "vz") {
		return word
	}
	out := []byte(word)
	for i, c := range out {
		out[i] = spellByte(c)
	}
	return string(out)
}

func spellByte(c byte) byte {
	switch c {
	case 'v':
		return 'b'
	case 'z':
		return 'c'
	}
	return c
}

// near says whether a word is a name with a slip in it: a letter too many, one
// too few or two swapped; in long names any two slips. First letters agree.
func near(word, name string) bool {
	if word == name {
		return true
	}
	if word[0] != name[0] || abs(len(word)-len(name)) > 2 {
		return false
	}
	if len(name) >= 8 {
		return distance(word, name) <= 2
	}
	return (len(word) != len(name) || swapped(word, name)) && distance(word, name) <= 1
}

func swapped(a, b string) bool {
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

// distance counts the letters to add, drop, change or swap.
func distance(a, b string) int {
	const most = 16
	if len(a) >= most || len(b) >= most {
		return most
	}
	var rows [3][most]int
	for j := range len(b) + 1 {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		old, above, row := &rows[(i+2)%3], &rows[i%3], &rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+differ(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], old[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}

func differ(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
}

func abs(n int) int { return max(n, -n) }

// phrases are expressions of one or more words with what they mean, by their
// first word, the longest first.
type phrases[T any] map[string][]phrase[T]

type phrase[T any] struct {
	words []string
	means T
}

// sayings makes phrases of lists in which expressions are parted by commas.
func sayings[T any](lists map[string]T) phrases[T] {
	all := phrases[T]{}
	for list, means := range lists {
		for s := range strings.SplitSeq(list, ",") {
			w := strings.Fields(s)
			all[w[0]] = append(all[w[0]], phrase[T]{w, means})
		}
	}
	return all
}

// at is the longest phrase that begins at token i, and the token after it.
func (p phrases[T]) at(r *reader, i int) (means T, end int) {
	for _, candidate := range p[r.word(i)] {
		if n := len(candidate.words); i+n > end && r.says(i, candidate.words) {
			means, end = candidate.means, i+n
		}
	}
	return means, end
}

func set(list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[w] = true
	}
	return all
}

// counted are the things that numbers count: "4 people" is no time.
var counted = set(`
people person persons guest guests adult adults child children kid kids baby babies pax of friends euro euros dollar dollars buck bucks
pound pounds quid cent cents year years month months week weeks day days night nights hour hours minute minutes min mins second seconds room
rooms bed beds table tables seat seats chair chairs time times percent per mile miles km meters metres street avenue ave road rd drive lane floor
dogs cats units pieces bottles orders tickets ladies men women couples places spots stars nd rd
persona personas comensal comensales adulto adultos nino ninos nina ninas crio crios bebe bebes dolar dolares peso pesos ano anos mes meses
semana semanas dia dias noche noches hora horas minuto minutos segundo segundos habitacion habitaciones cama camas mesa mesas silla sillas vez
veces kilometros metros piso planta calle amigos amigas invitados perro perros gato gatos entradas plazas menus raciones unidades chicos
chicas mujeres hombres hijos hijas cubiertos sitios asientos clientes estrellas cosas otras otros primeras ultimas`)

// labelled are the things that carry a number: "room 5".
var labelled = set(`
room table flat apartment apt number floor gate door suite unit extension ext code postcode zip line bus platform page chapter order reference ref
habitacion mesa piso puerta numero codigo portal calle planta pedido referencia extension avenida linea telefono phone mobile movil
party group family grupo familia somos seremos`)

// ordinary words may stand right after a time.
var ordinary = set(`
on in at for please tomorrow today tonight and or if the this next to would will is works work i we with but instead thanks thank then so
until till that it my no not yes ok okay as was may can be monday tuesday wednesday thursday friday saturday sunday morning afternoon evening
sharp ish ideally maybe perhaps pero y o u el la las los de del por para que si manana hoy con en a al me nos estaria seria va gracias vale mas
menos no lunes martes miercoles jueves viernes sabado domingo este esta pasado porfa puede podria es mejor mi somos vamos iremos venimos`)

// grammarES and grammarEN are words that tell the languages apart.
var (
	grammarES = set(`el la los las de del que y a las para por en una un mi quiero quisiera hola es con me no si mejor este esta proximo lunes martes
miercoles jueves viernes sabado domingo manana hoy tarde noche hora dia mes semana enero febrero marzo abril mayo junio julio agosto septiembre
octubre noviembre diciembre al puedo puede`)
	grammarEN = set(`the of on at to for i we you and is it in my can could would like want please this next a an with be have monday tuesday
wednesday thursday friday saturday sunday tomorrow today tonight morning afternoon evening night january february march april may june july
august september october november december am pm let`)
)
