package redact

import (
	"maps"
	"strconv"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// numerals are the words of all languages that numbers are said in, and those
// that lead to what must not be kept.
type numerals struct {
	values                      map[string]int
	repeats                     map[string]int // "double"
	letters                     map[string]string
	hundreds, thousands, joints language.Set
	hesitations                 language.Set
	cards, accounts, before     language.Set
	expiry, code                *language.Book
}

var spokenWords = sync.OnceValue(func() *numerals {
	mix := language.MixOf()
	n := &numerals{
		values: map[string]int{}, repeats: map[string]int{}, letters: map[string]string{}, hundreds: mix.Words("hundreds"),
		thousands: mix.Words("thousands"), joints: mix.Words("number joints"), hesitations: mix.Words("hesitations"), cards: mix.Words("card words"),
		accounts: mix.Words("account words"), before: mix.Words("before secrets"), expiry: mix.Phrases("card_expiry"), code: mix.Phrases("card_code"),
	}
	for _, l := range mix.Languages {
		maps.Copy(n.values, l.Numbers("cardinals"))
		maps.Copy(n.values, l.Numbers("digits"))
		maps.Copy(n.repeats, l.Numbers("repeats"))
		maps.Copy(n.letters, l.Pairs("letter names"))
	}
	return n
})

// item is one number of a row, in figures or words, as digits.
type item struct {
	digits     string
	start, end int // bytes of the text
	next       int // the token behind it
	word       bool
}

// longestItem bounds a number in figures: what is longer is no part of a row.
const longestItem = 20

// item reads the number that begins at token i.
func (n *numerals) item(tokens []language.Token, i int) (item, bool) {
	if i >= len(tokens) {
		return item{}, false
	}
	t := tokens[i]
	if t.Figures {
		return item{t.Word, t.Start, t.End, i + 1, false}, len(t.Word) <= longestItem
	}
	if times := n.repeats[t.Word]; times > 0 {
		if one, ok := n.item(tokens, i+1); ok && len(one.digits) == 1 {
			return item{strings.Repeat(one.digits, times), t.Start, one.end, one.next, true}, true
		}
		return item{}, false
	}
	value, next := n.whole(tokens, i)
	if next == i {
		return item{}, false
	}
	return item{strconv.Itoa(value), t.Start, tokens[next-1].End, next, true}, true
}

// whole reads a number in words below ten thousand, and where it ends; i when
// there is none.
func (n *numerals) whole(tokens []language.Token, i int) (value, next int) {
	value, next = n.belowThousand(tokens, i)
	if next < len(tokens) && n.thousands[tokens[next].Word] && value < 10 {
		rest, end := n.belowThousand(tokens, next+1)
		return max(value, 1)*1000 + rest, max(end, next+1)
	}
	return value, next
}

func (n *numerals) belowThousand(tokens []language.Token, i int) (value, next int) {
	value, next = n.belowHundred(tokens, i)
	if next == i {
		if v := n.value(tokens, i); v < 100 {
			return 0, i
		}
		value, next = n.value(tokens, i), i+1
	} else if value > 0 && value < 10 && next < len(tokens) && n.hundreds[tokens[next].Word] {
		value, next = value*100, next+1
	} else {
		return value, next
	}
	at := next
	if at < len(tokens) && n.joints[tokens[at].Word] {
		at++
	}
	if rest, end := n.belowHundred(tokens, at); end > at && rest > 0 {
		return value + rest, end
	}
	return value, next
}

// belowHundred reads "siete", "noventa y uno", "twenty seven".
func (n *numerals) belowHundred(tokens []language.Token, i int) (value, next int) {
	value = n.value(tokens, i)
	if value < 0 || value > 99 {
		return 0, i
	}
	next = i + 1
	if value < 20 || value%10 != 0 {
		return value, next
	}
	at := next
	if at < len(tokens) && n.joints[tokens[at].Word] {
		at++
	}
	if unit := n.value(tokens, at); unit > 0 && unit < 10 {
		return value + unit, at + 1
	}
	return value, next
}

// value is that of a single word, -1 if it is no number.
func (n *numerals) value(tokens []language.Token, i int) int {
	if i < len(tokens) && !tokens[i].Figures {
		if v, ok := n.values[tokens[i].Word]; ok {
			return v
		}
	}
	return -1
}
