package dates

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// token is a word or a number that is not passed over, with what it may mean in
// a date.
type token struct {
	word       string
	start, end int
	gap        language.Gap
	clause     int
	asks       bool
	capital    bool
	value      int  // of figures; -1 for words
	wide       int  // how many figures
	weekday    int  // the day of the week that the word may name, or -1
	month      int  // the month, or 0
	price      bool // a currency or another sign stands by it
	taken      bool // belongs to something that is no time: a telephone number
}

// most is how many tokens are looked at; nobody says more in one breath.
const most = 600

// tokensOf takes what the reader needs from the tokens of a text.
func (v *vocabulary) tokensOf(text string, all []language.Token) []token {
	toks := make([]token, 0, min(len(all), most))
	last, gap := 0, language.Glued
	for _, t := range all {
		if t.Skip != language.Read {
			gap = max(gap, passedOver(t.Gap))
			continue
		}
		if len(toks) == most {
			break
		}
		k := v.tokenOf(text, t)
		k.gap = t.Gap
		if gap > language.Glued { // what was passed over parts nothing
			k.gap = max(gap, passedOver(t.Gap))
		}
		if len(toks) == 0 {
			k.gap = language.Stop
		}
		between := text[min(last, t.Start):t.Start]
		k.price = priceBefore(between)
		if n := len(toks); n > 0 {
			toks[n-1].price = toks[n-1].price || !k.price && priceBehind(between)
			if k.gap == language.Stop && strings.TrimSpace(between) == "." && v.shortened(toks[n-1].word) {
				k.gap = language.Space
			}
		}
		toks = append(toks, v.apart(k)...)
		last, gap = t.End, language.Glued
	}
	if n := len(toks); n > 0 && priceBehind(text[last:]) {
		toks[n-1].price = true
	}
	return v.figures(toks)
}

// apart is a token, or two where a number and what may follow a clock are one word:
// "fourish".
func (v *vocabulary) apart(k token) []token {
	for end := range v.sets["clock_ends"] {
		stem, ok := strings.CutSuffix(k.word, end)
		for _, l := range v.lexicons {
			if n, number := l.cardinals[stem]; ok && number && n >= 1 && n <= 12 {
				first, second := k, k
				first.word, first.end = stem, k.end-len(end)
				second.word, second.start, second.gap = end, first.end, language.Glued
				return []token{first, second}
			}
		}
	}
	return []token{k}
}

// passedOver is the gap that is left of one beside a token that is passed over:
// its commas are its own.
func passedOver(g language.Gap) language.Gap {
	if g == language.Stop {
		return g
	}
	return language.Space
}

func (v *vocabulary) tokenOf(text string, t language.Token) token {
	k := token{word: t.Word, start: t.Start, end: t.End, clause: t.Clause, asks: t.Asks, capital: t.Capital, value: -1, weekday: -1}
	if !t.Figures {
		if said := language.Fold(text[t.Start:t.End]); v.sets["or"][said] { // "siete u ocho", which is no "you"
			k.word = said
		}
		k.weekday, k.month = v.namedBy(t.Word)
		if v.shortened(t.Word) && strings.ContainsAny(text[t.Start:t.End], "'’") { // "we'd" is no Wednesday
			k.weekday, k.month = -1, 0
		}
		return k
	}
	k.value, k.wide = figure(t.Word), len(t.Word)
	return k
}

func figure(digits string) int {
	const high = 1 << 30
	n, err := strconv.Atoi(digits)
	if err != nil {
		return high
	}
	return min(n, high)
}

// figures makes figures of number words that stand between the signs of a date
// or a clock, as some recognisers write them: "two/twenty nine", "eight.30".
func (v *vocabulary) figures(toks []token) []token {
	if !slices.ContainsFunc(toks, func(t token) bool { return signed(t.gap) }) {
		return toks
	}
	out := toks[:0]
	for i := 0; i < len(toks); {
		n, end := v.spokenFigure(toks, i)
		if end == 0 || !v.besideFigure(toks, i, end) {
			out = append(out, toks[i])
			i++
			continue
		}
		t := toks[i]
		t.value, t.word, t.end = n, strconv.Itoa(n), toks[end-1].end
		t.wide, t.month = len(t.word), 0
		out = append(out, t)
		i = end
	}
	return out
}

func signed(g language.Gap) bool {
	return g == language.Colon || g == language.Slash || g == language.Dot || g == language.Dash
}

// besideFigure says whether a sign joins the tokens from i to end to another
// number.
func (v *vocabulary) besideFigure(toks []token, i, end int) bool {
	return i > 0 && v.joined(toks, i-1, i) || end < len(toks) && v.joined(toks, i, end)
}

// joined says whether two numbers, of which the second begins at token b, are
// joined by the sign of a date or a clock. The dash of "twenty-one" is none.
func (v *vocabulary) joined(toks []token, a, b int) bool {
	first, second := v.valueAt(toks, a), v.valueAt(toks, b)
	if first < 0 || second < 0 || !signed(toks[b].gap) || toks[b].start != toks[b-1].end+1 {
		return false
	}
	words := toks[a].value < 0 && toks[b].value < 0
	return toks[b].gap != language.Dash || !words || first < 20 || first%10 != 0 || second > 9
}

// valueAt is the number at token i in figures or words, or -1.
func (v *vocabulary) valueAt(toks []token, i int) int {
	if toks[i].value >= 0 {
		return toks[i].value
	}
	if n, end := v.spokenFigure(toks, i); end > 0 {
		return n
	}
	return -1
}

// spokenFigure is the number below a hundred at token i, in one word or two.
func (v *vocabulary) spokenFigure(toks []token, i int) (n, end int) {
	for _, l := range v.lexicons {
		n, ok := l.cardinals[toks[i].word]
		if !ok {
			continue
		}
		if i+1 < len(toks) && n >= 20 && n%10 == 0 && l.joiner == "" && toks[i+1].gap == language.Space {
			if unit := l.cardinals[toks[i+1].word]; unit >= 1 && unit <= 9 {
				return n + unit, i + 2
			}
		}
		return n, i + 1
	}
	return 0, 0
}

// priceBefore says whether a currency, or another sign of what is no time,
// stands right before what follows s.
func priceBefore(s string) bool {
	return strings.ContainsAny(s, "$€£#+") && !strings.HasSuffix(s, " ")
}

// priceBehind says whether s begins with the currency of what stands before it.
func priceBehind(s string) bool {
	c, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " "))
	return c == '€' || c == '%' || c == '$' || c == '£'
}
