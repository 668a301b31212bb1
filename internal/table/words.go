package table

import (
	"strings"
	"sync"
	"unicode"

	"frontdesk.dev/frontdesk/internal/language"
)

// signs are the marks that tell something in a cell or in the name of a column.
const signs = "€£$%<>/+'✓✔✗✘"

// word is a word, a number or a sign of a text, folded, and where it stands.
type word struct {
	text       string
	start, end int
	number     bool
}

// wordsOf takes a text apart: letters and the figures behind them are one word, "m2",
// figures with the marks between them one number, "1.200,50".
func wordsOf(text string) (all []word) {
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		end := i + size
		switch {
		case '0' <= r && r <= '9':
			end = i + numberLength(text[i:])
			all = append(all, word{text[i:end], i, end, true})
		case unicode.IsLetter(r):
			end = i + strings.IndexFunc(text[i:]+" ", func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && r != '²' && r != '³'
			})
			end = min(end, len(text))
			all = append(all, word{language.Fold(text[i:end]), i, end, false})
		case strings.ContainsRune(signs, r):
			all = append(all, word{string(r), i, end, false})
		case strings.ContainsRune("-–—", r) && betweenNumbers(text[:i], text[end:]):
			all = append(all, word{dash, i, end, false})
		}
		i = end
	}
	return all
}

// dash stands between the numbers of a range.
const dash = "-"

// betweenNumbers tells whether two texts end and begin with figures or money.
func betweenNumbers(before, after string) bool {
	const figures = "0123456789"
	before, after = strings.TrimRight(before, " €£$%"), strings.TrimLeft(after, " €£$")
	return before != "" && after != "" && strings.ContainsRune(figures, rune(before[len(before)-1])) && strings.ContainsRune(figures, rune(after[0]))
}

// numberLength is how many bytes at the beginning of a text are one number. A mark
// belongs to it only between figures.
func numberLength(text string) int {
	n := 0
	for n < len(text) {
		switch c := text[n]; {
		case '0' <= c && c <= '9':
			n++
		case strings.IndexByte(".,:'", c) >= 0 && n+1 < len(text) && '0' <= text[n+1] && text[n+1] <= '9':
			n++
		default:
			return n
		}
	}
	return n
}

// joined are words as one text, by which expressions are looked up.
func joined(words []word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}

// lexis are the expressions of all languages for what stands in tables.
type lexis struct {
	columns, units, tax, money, times, variants, terms, measures, lengths map[string]string // what an expression stands for

	least, most, about, between, free, yes, no, closed, each              map[string]string // expressions of one meaning
	over, under, andOver, andUnder, one, joins, spans, coins              map[string]string
	beforeNoon, afterNoon, atHour, rest, without, extremes, askUs, notHad map[string]string
	taxNames                                                              language.Set
}

var lexes = sync.OnceValue(func() *lexis {
	return &lexis{
		columns: expressions("table columns"), units: expressions("table units"), tax: expressions("table tax"), money: expressions("table money"), coins: expressions("table coins"),
		times: expressions("table times"), variants: expressions("table variants"), terms: expressions("table terms"), least: expressions("table least"), most: expressions("table most"),
		about: expressions("table about"), between: expressions("table range"), spans: expressions("table between"), free: expressions("table free"), yes: expressions("table yes"),
		no: expressions("table no"), closed: expressions("table closed"), each: expressions("table each"), taxNames: language.MixOf().Words("table tax names"),
		measures: expressions("table measures"), lengths: expressions("table lengths"), over: expressions("table over"), under: expressions("table under"),
		andOver: expressions("table and over"), andUnder: expressions("table and under"), one: expressions("table one"), joins: joining(),
		beforeNoon: expressions("table before noon"), afterNoon: expressions("table after noon"), atHour: expressions("table at the hour"), rest: expressions("table rest"), without: expressions("table without"), extremes: expressions("table extremes"), askUs: expressions("table ask us"), notHad: expressions("table not had"),
	}
})

// expressions are those of a section in all languages, as wordsOf reads them.
func expressions(section string) map[string]string {
	all := map[string]string{}
	for _, l := range language.MixOf().Languages {
		for expression, value := range l.Pairs(section) {
			if _, ok := all[joined(wordsOf(expression))]; !ok || value != "" {
				all[joined(wordsOf(expression))] = value
			}
		}
	}
	delete(all, "")
	return all
}

// joining are the words for "and" of all languages.
func joining() map[string]string {
	all := map[string]string{}
	for _, l := range language.MixOf().Languages {
		all[l.SayIn("table wording", "and")] = ""
	}
	return all
}

// longestExpression is how many words the longest expression has.
const longestExpression = 5

// match is the longest expression at the beginning of words: what it stands for, and of
// how many words it is; 0: there is none.
func match(words []word, in map[string]string) (value string, n int) {
	for n := min(len(words), longestExpression); n > 0; n-- {
		if value, ok := in[joined(words[:n])]; ok {
			return value, n
		}
	}
	return "", 0
}

// is tells whether a whole text is one of some expressions.
func is(text string, in map[string]string) bool {
	_, ok := in[joined(wordsOf(text))]
	return ok
}
