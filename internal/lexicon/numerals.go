package lexicon

import (
	"strconv"
	"strings"
)

const (
	numeralsSpanish = `2 dos 3 tres 4 cuatro 5 cinco 6 seis 7 siete 8 ocho 9 nueve 10 diez 11 once 12 doce 13 trece 14 catorce 15 quince
16 dieciseis 17 diecisiete 18 dieciocho 19 diecinueve 20 veinte 30 treinta 40 cuarenta 50 cincuenta 60 sesenta 70 setenta
80 ochenta 90 noventa 100 cien 100 ciento 1000 mil`
	numeralsEnglish = `2 two 3 three 4 four 5 five 6 six 7 seven 8 eight 9 nine 10 ten 11 eleven 12 twelve 13 thirteen 14 fourteen 15 fifteen
16 sixteen 17 seventeen 18 eighteen 19 nineteen 20 twenty 30 thirty 40 forty 50 fifty 60 sixty 70 seventy
80 eighty 90 ninety 100 hundred 1000 thousand`
)

// digits are the numerals of each language, by their words.
var digits = map[string]map[string]int{Spanish: numerals(numeralsSpanish), English: numerals(numeralsEnglish)}

// spelled are the words of both languages for a number.
var spelled = func() map[int][]string {
	all := map[int][]string{}
	for _, list := range []string{numeralsSpanish, numeralsEnglish} {
		f := strings.Fields(list)
		for i := 0; i < len(f); i += 2 {
			n, _ := strconv.Atoi(f[i])
			all[n] = append(all[n], f[i+1])
		}
	}
	return all
}()

func numerals(list string) map[string]int {
	all := map[string]int{}
	f := strings.Fields(list)
	for i := 0; i < len(f); i += 2 {
		all[f[i+1]], _ = strconv.Atoi(f[i])
	}
	return all
}

// Numbers returns the other ways to write a number that is given in digits or
// as a folded word: "6", "seis" and "six" are one. It is nil for other words.
func Numbers(lang, word string) []string {
	n, ok := digits[lang][word]
	if !ok {
		var err error
		if n, err = strconv.Atoi(word); err != nil || spelled[n] == nil {
			return nil
		}
	}
	return append([]string{strconv.Itoa(n)}, spelled[n]...)
}
