package language

import (
	"strings"
	"sync"
)

// Full is a word with the ending that is written where it is not swallowed: "atascado"
// for "atascao". A word that needs none is returned as it is.
func Full(word string) string {
	folded := Fold(word)
	for _, e := range endings() {
		if stem, ok := strings.CutSuffix(folded, e.from); ok && len(stem) >= shortestStem && !e.whole[folded] {
			return stem + e.to
		}
	}
	return word
}

// shortestStem is how many letters stand before an ending at least.
const shortestStem = 2

// ending is one that speakers swallow.
type ending struct {
	from, to string
	whole    Set // words that end so in full
}

var endings = sync.OnceValue(func() (all []ending) {
	for _, code := range Codes() {
		l := Of(code)
		for from, to := range l.Pairs("endings") {
			all = append(all, ending{from, to, l.Words("whole")})
		}
	}
	return all
})
