package catalogue

import (
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/language"
)

// Price is what something costs. The zero Price is not said.
type Price struct {
	Amount   float64 // 0 when Words alone say it
	Currency string  // ISO 4217
	Words    string  // as the business wrote it, when that is more than a number: "desde 40 €", "free"
	Bare     bool    // the words are the least of a number without its money: "desde 40"
}

// Said tells whether the business says a price.
func (p Price) Said() bool { return p.Currency != "" || p.Words != "" }

// readPrice reads a number, a text or {amount, currency}. money is the currency
// of a number that names none.
func readPrice(v any, money string) Price {
	switch v := v.(type) {
	case json.Number:
		return amount(v.String(), money)
	case string:
		return priceInWords(line(v, shortText), money)
	case map[string]any:
		f := fields(v)
		n, ok := f.number("amount")
		if !ok {
			return Price{}
		}
		return amount(strconv.FormatFloat(n, 'f', -1, 64), cmp.Or(strings.ToUpper(f.text("currency")), money))
	}
	return Price{}
}

func amount(number, currency string) Price {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n < 0 || n > 1e12 || math.IsNaN(n) || len(currency) > 8 {
		return Price{}
	}
	return Price{Amount: n, Currency: currency}
}

var (
	bareAmount = regexp.MustCompile(`^([€$£]|EUR|USD|GBP)?\s*(\d[\d.,' ]*)\s*([€$£]|EUR|USD|GBP|euros?)?$`)
	anyAmount  = regexp.MustCompile(`\d[\d.,]*\d|\d`)
	currencies = map[string]string{"€": "EUR", "$": "USD", "£": "GBP", "euro": "EUR", "euros": "EUR"}
)

// priceInWords keeps what a business wrote, unless it is nothing but a number.
func priceInWords(text, money string) Price {
	if text == "" {
		return Price{}
	}
	if m := bareAmount.FindStringSubmatch(text); m != nil {
		if n, ok := readAmount(m[2]); ok {
			unit := cmp.Or(m[1], m[3], money)
			return Price{Amount: n, Currency: cmp.Or(currencies[unit], unit)}
		}
	}
	p := Price{Words: text, Currency: money}
	p.Amount, _ = readAmount(anyAmount.FindString(text))
	if words := tokens(text, ""); len(words) == 2 && wordsOf("least")[words[0].word] && words[1].number() {
		p.Bare = true
	}
	return p
}

// readAmount reads figures with either kind of grouping: "1.150", "1,150.00",
// "9,50".
func readAmount(s string) (float64, bool) {
	s = strings.NewReplacer(" ", "", "'", "").Replace(s)
	dot, comma := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
	point := max(dot, comma)
	if point >= 0 && len(s)-point-1 == 3 && (dot < 0 || comma < 0) {
		point = -1 // groups of three are thousands
	}
	var b strings.Builder
	for i := range len(s) {
		switch {
		case i == point:
			b.WriteByte('.')
		case s[i] != '.' && s[i] != ',':
			b.WriteByte(s[i])
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(b.String(), "."), 64)
	return n, err == nil && n < 1e12
}

// Say is the price in a language: "9,50 €", "€9.50". What a business wrote in
// words stays as it is.
func (p Price) Say(lang string) string {
	switch {
	case !p.Said():
		return ""
	case p.free():
		return wording(lang, "free")
	case p.Bare:
		return wording(lang, "from", "price", Price{Amount: p.Amount, Currency: p.Currency}.Say(lang))
	case p.Words != "":
		return p.Words
	}
	money := strings.ToLower(p.Currency)
	thousands := cmp.Or(spoken(lang).Pairs("catalogue thousands of money")[money], wording(lang, "thousands"))
	point := cmp.Or(spoken(lang).Pairs("catalogue point of money")[money], wording(lang, "point"))
	amount := figures(p.Amount, thousands, point)
	name, ok := spoken(lang).Pairs("catalogue money")[money]
	if !ok || unicode.IsLetter([]rune(name)[0]) {
		return wording(lang, "money_named", "amount", amount, "money", cmp.Or(name, p.Currency))
	}
	return wording(lang, "money", "amount", amount, "money", name)
}

// amount is the price as a number of money, also where it was written as the
// least that something costs: "from £280".
func (p Price) amount() (exactly Price, least bool) {
	if p.Words == "" {
		return p, false
	}
	if p.free() {
		return Price{}, false
	}
	words := tokens(p.Words, "")
	if len(words) == 0 || !wordsOf("least")[words[0].word] {
		return Price{}, false
	}
	_, number, ok := strings.Cut(p.Words, " ")
	rest := priceInWords(strings.TrimSpace(number), p.Currency)
	return rest, ok && rest.Words == ""
}

func (p Price) free() bool {
	return p.Said() && (p.Words == "" && p.Amount == 0 || wordsOf("free")[language.Fold(strings.TrimSuffix(p.Words, "."))])
}

// figures writes an amount with its thousands apart, and cents where it has any.
func figures(n float64, thousands, point string) string {
	whole, cents, _ := strings.Cut(strconv.FormatFloat(n, 'f', 2, 64), ".")
	var b strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(thousands)
		}
		b.WriteRune(digit)
	}
	if cents != "00" {
		b.WriteString(point + cents)
	}
	return b.String()
}
