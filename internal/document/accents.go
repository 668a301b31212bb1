package document

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// combining has the accents that stand by themselves in some documents, most of
// them PDFs, and the same ones as marks on the letter before.
var combining = map[rune]rune{'´': '\u0301', '˜': '\u0303', '¨': '\u0308', '¸': '\u0327'}

// bases are the letters that an accent can go onto.
var bases = map[rune]string{'´': "aeiouıAEIOU", '˜': "nN", '¨': "uU", '¸': "cC"}

// compose puts accents onto their letters: "informaci´on" and "informacio´n"
// both become "información". One document has the accent always on the same
// side; where a place allows both, the rest of the document decides. What may
// well be an apostrophe, as in "it´s" or "L´Alcora", stays.
func compose(text string) string {
	if !strings.ContainsAny(text, "´˜¨¸") {
		return text
	}
	runes := []rune(text)
	before, after := sides(runes)
	out := make([]rune, 0, len(runes))
	for i := 0; i < len(runes); i++ {
		mark, isAccent := combining[runes[i]]
		if !isAccent {
			out = append(out, runes[i])
			continue
		}
		onNext, onLast := fits(runes, i, i+1), fits(runes, i, i-1)
		switch {
		case onNext && (!onLast || before >= after) && (before > 0 || !elided(runes, i)):
			out = append(out, dotted(runes[i+1]), mark)
			i++
		case onLast && !onNext && after == 0 && apostrophe(runes, i):
			out = append(out, '\'')
		case onLast:
			out[len(out)-1] = dotted(out[len(out)-1])
			out = append(out, mark)
		case runes[i] == '´':
			out = append(out, '\'')
		default:
			out = append(out, runes[i])
		}
	}
	return norm.NFC.String(string(out))
}

// sides counts the accents that can only be meant for the letter after them, and
// those that can only be meant for the one before.
func sides(runes []rune) (before, after int) {
	both := 0
	for i, r := range runes {
		if _, ok := combining[r]; !ok {
			continue
		}
		onNext, onLast := fits(runes, i, i+1), fits(runes, i, i-1)
		switch {
		case onNext && !onLast && !elided(runes, i):
			before++
		case onLast && !onNext && !apostrophe(runes, i):
			after++
		case onLast && onNext:
			both++
		}
	}
	if after == 0 {
		before += both // most write it before
	}
	return before, after
}

func fits(runes []rune, accent, at int) bool {
	return at >= 0 && at < len(runes) && strings.ContainsRune(bases[runes[accent]], runes[at])
}

// elided says whether the accent may be the apostrophe of a letter that is a
// word: "L´Alcora", "d´Or".
func elided(runes []rune, i int) bool {
	return runes[i] == '´' && i > 0 && unicode.IsLetter(runes[i-1]) && (i == 1 || !unicode.IsLetter(runes[i-2])) && runes[i+1] != 'ı'
}

// apostrophe says whether the accent may be that of "Lola´s" or "O´Donnell".
func apostrophe(runes []rune, i int) bool {
	if runes[i] != '´' || i+1 >= len(runes) {
		return false
	}
	lastS := runes[i+1] == 's' && (i+2 == len(runes) || !unicode.IsLetter(runes[i+2]))
	return lastS || unicode.IsUpper(runes[i+1]) && (i == 1 || !unicode.IsLetter(runes[i-2]))
}

func dotted(r rune) rune {
	if r == 'ı' {
		return 'i'
	}
	return r
}
