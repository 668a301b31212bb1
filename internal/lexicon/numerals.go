package lexicon

import (
	"strconv"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// spelled are the words of all languages for a number.
var spelled = sync.OnceValue(func() map[int][]string {
	all := map[int][]string{}
	for _, code := range language.Codes() {
		for _, p := range pairs(language.Of(code), "numerals") {
			n, _ := strconv.Atoi(p.to)
			for word := range strings.SplitSeq(p.from, ",") {
				all[n] = append(all[n], strings.TrimSpace(word))
			}
		}
	}
	return all
})

// Numbers returns the other ways to write a number that is given in digits or
// as a folded word: "6", "seis" and "six" are one. It is nil for other words.
func Numbers(lang, word string) []string {
	n, ok := tongueOf(lang).numerals[word]
	if !ok {
		var err error
		if n, err = strconv.Atoi(word); err != nil || spelled()[n] == nil {
			return nil
		}
	}
	return append([]string{strconv.Itoa(n)}, spelled()[n]...)
}
