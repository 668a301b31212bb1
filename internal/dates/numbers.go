package dates

// number is a number in digits or words, as it stands in the text.
type number struct {
	value   int
	end     int // the token after it; 0: there is none
	ordinal bool
	digits  int // how many; 0 for words
}

func (n number) ok() bool { return n.end > 0 }

func (n number) within(low, high int) bool { return n.ok() && low <= n.value && n.value <= high }

var cardinals = map[string]map[string]int{
	"en": {
		"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
		"twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
		"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "zero": 0,
	},
	"es": {
		"uno": 1, "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10,
		"once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15, "dieciseis": 16, "diecisiete": 17, "dieciocho": 18, "diecinueve": 19,
		"veinte": 20, "veintiuno": 21, "veintiun": 21, "veintiuna": 21, "veintidos": 22, "veintitres": 23, "veinticuatro": 24, "veinticinco": 25,
		"veintiseis": 26, "veintisiete": 27, "veintiocho": 28, "veintinueve": 29, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "cero": 0,
	},
}

var ordinals = map[string]map[string]int{
	"en": {
		"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "nineth": 9, "tenth": 10,
		"eleventh": 11, "twelfth": 12, "twelveth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
		"eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
	},
	"es": {
		"primero": 1, "primer": 1, "segundo": 2, "tercero": 3, "cuarto": 4, "quinto": 5, "sexto": 6, "septimo": 7, "octavo": 8, "noveno": 9, "decimo": 10,
	},
}

// ordinalEnds follow the digits of an ordinal.
var ordinalEnds = set(`st nd rd th o a er ro do to mo vo no`)

// unitEnds may be written right after digits.
var unitEnds = set(`am pm a p h hs hr hrs hour hours horas min mins m ish ampm de y`)

// number reads the number at token i in one language, or in digits.
func (r *reader) number(i int, lang string) number {
	t := r.tok(i)
	switch {
	case t.price || t.taken || t.word == "":
		return number{}
	case t.value >= 0:
		return r.digits(i)
	}
	if v, ok := ordinals[lang][t.word]; ok {
		return number{value: v, end: i + 1, ordinal: true}
	}
	v, ok := cardinals[lang][t.word]
	if !ok {
		return number{}
	}
	return r.compound(number{value: v, end: i + 1}, lang)
}

// anyNumber reads the number at token i, the reader's language first.
func (r *reader) anyNumber(i int) number {
	if n := r.number(i, r.lang); n.ok() {
		return n
	}
	return r.number(i, other(r.lang))
}

func (r *reader) digits(i int) number {
	t, after := r.tok(i), r.tok(i+1)
	n := number{value: t.value, end: i + 1, digits: t.end - t.start}
	switch {
	case t.gap == glued && i > 0: // B12
		return number{}
	case after.word == "" || after.value >= 0:
		return n
	case (after.gap == glued || after.gap == dot) && ordinalEnds[after.word] && !r.halfDay(i+1):
		n.end, n.ordinal = i+2, true
		return n
	case after.gap == glued && !unitEnds[after.word] && after.month == 0: // 3B
		return number{}
	}
	return n
}

// halfDay says whether the a or p at i is short for a.m. or p.m.
func (r *reader) halfDay(i int) bool {
	w := r.word(i)
	return w == "p" || w == "a" && (r.word(i+1) == "m" || r.lang == "en")
}

// compound adds the unit to a ten: twenty-one, treinta y uno.
func (r *reader) compound(n number, lang string) number {
	i := n.end
	if lang == "es" {
		if n.value < 30 || r.word(i) != "y" || !r.soft(i) {
			return n
		}
		i++
	}
	if n.value < 20 || n.value%10 != 0 || !r.soft(i) {
		return n
	}
	if v := cardinals[lang][r.word(i)]; v >= 1 && v <= 9 {
		return number{value: n.value + v, end: i + 1}
	}
	if v := ordinals[lang][r.word(i)]; v >= 1 && v <= 9 && lang == "en" {
		return number{value: n.value + v, end: i + 1, ordinal: true}
	}
	return n
}

// year reads a year: 2027, "dos mil veintisiete", "twenty twenty seven".
func (r *reader) year(i int) number {
	t := r.tok(i)
	if t.value >= 0 {
		if t.value >= 1900 && t.value <= 2199 && t.end-t.start == 4 && !t.price && !t.taken && !r.startsClock(i+1) {
			return number{value: t.value, end: i + 1}
		}
		return number{}
	}
	if r.says(i, []string{"dos", "mil"}) {
		return r.thousands(i+2, "es")
	}
	if r.says(i, []string{"two", "thousand"}) {
		if r.word(i+2) == "and" {
			i++
		}
		return r.thousands(i+2, "en")
	}
	if t.word == "twenty" && r.soft(i+1) {
		if n := r.number(i+1, "en"); n.within(20, 59) && n.digits == 0 && !n.ordinal {
			return number{value: 2000 + n.value, end: n.end}
		}
	}
	return number{}
}

func (r *reader) thousands(i int, lang string) number {
	if n := r.number(i, lang); n.within(1, 99) && r.soft(i) {
		return number{value: 2000 + n.value, end: n.end}
	}
	return number{value: 2000, end: i}
}

// take marks what is no time for certain: telephone numbers, and greetings,
// in which the afternoon of "buenas tardes" means nothing.
func (r *reader) take() {
	for i := 0; i < len(r.toks); {
		if end := r.greeting(i); end > 0 {
			r.takeTo(i, end)
			i = end
			continue
		}
		end, digits := r.run(i)
		if digits >= 7 {
			r.takeTo(i, end)
		}
		i = max(end, i+1)
	}
}

func (r *reader) takeTo(i, end int) {
	for ; i < end; i++ {
		r.toks[i].taken = true
	}
}

// run is a row of numbers with nothing between them, and how many digits it
// has. Single words of digits are one each: "seis cero cero".
func (r *reader) run(i int) (end, digits int) {
	if _, end := r.threeParts(i); end > 0 {
		return end, 0
	}
	for end = i; end < len(r.toks); end++ {
		t := r.tok(end)
		if end > i && t.gap != space && t.gap != dash && t.gap != dot && t.gap != comma {
			break
		}
		switch {
		case t.value >= 0:
			if r.tok(end+1).gap == colon || r.tok(end+1).gap == slash {
				return end, digits
			}
			digits += t.end - t.start
		case spokenDigit(t.word):
			digits++
		default:
			return end, digits
		}
	}
	return end, digits
}

func spokenDigit(word string) bool {
	if word == "oh" || word == "double" || word == "doble" {
		return true
	}
	for _, lang := range []string{"es", "en"} {
		if v, ok := cardinals[lang][word]; ok && v <= 99 && word != "un" && word != "una" {
			return true
		}
	}
	return false
}

var greetings = sayings(map[string]bool{
	"buenas tardes,buenas noches,buenos dias,buen dia,buena tarde,buena noche,muy buenas,buenas,good morning,good afternoon,good evening,good night,good day": true,
})

func (r *reader) greeting(i int) int {
	_, end := greetings.at(r, i)
	return end
}
