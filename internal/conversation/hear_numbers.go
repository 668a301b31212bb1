package conversation

// smallNumbers are the numbers that people count people and things with.
var smallNumbers = map[string]int{
	"un": 1, "uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9,
	"diez": 10, "once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15, "dieciseis": 16, "diecisiete": 17,
	"dieciocho": 18, "diecinueve": 19, "veinte": 20, "veintiuno": 21, "veintidos": 22, "veintitres": 23, "veinticuatro": 24,
	"veinticinco": 25, "veintiseis": 26, "veintisiete": 27, "veintiocho": 28, "veintinueve": 29, "treinta": 30,
	"cuarenta": 40, "cincuenta": 50,
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"couple": 2, "pair": 2, "dozen": 12, "docena": 12,
}

func isFigures(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// numberAt reads the number that begins at word i, and says how many words it
// takes; 0 when there is none.
func numberAt(words []word, i int) (n, taken int) {
	if i >= len(words) {
		return 0, 0
	}
	w := words[i].fold
	if isFigures(w) {
		if len(w) > 4 {
			return 0, 0
		}
		for _, c := range w {
			n = n*10 + int(c-'0')
		}
		return n, 1
	}
	n, ok := smallNumbers[w]
	if !ok {
		return 0, 0
	}
	taken = 1
	if n%10 != 0 || n < 20 {
		return n, taken
	}
	at := i + 1
	if n >= 30 && at < len(words) && words[at].fold == "y" { // treinta y cinco
		at++
	}
	if at < len(words) && !isFigures(words[at].fold) {
		if unit := smallNumbers[words[at].fold]; unit > 0 && unit < 10 && words[at].fold != "couple" && words[at].fold != "pair" {
			return n + unit, at + 1 - i
		}
	}
	return n, taken
}
