package lexicon

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// The stemmers take endings off and know nothing of vowels that change inside a
// word: "cierran" and "cerrar", "bought" and "buy". Those stand in the folders of
// the languages.

// irregular leads from a form to its base form.
func irregular(l *language.Language) map[string]string {
	all := map[string]string{}
	for _, line := range l.Lines("irregular") {
		words := strings.Fields(line)
		for _, w := range words[1:] {
			all[w] = words[0]
		}
	}
	addChanging(l, all)
	addCompared(l, all)
	return all
}

// addChanging adds the forms of verbs whose vowel changes where the stress falls
// on it.
func addChanging(l *language.Language, all map[string]string) {
	nouns, endings := l.Words("not changing"), l.Words("changing endings")
	for _, line := range l.Lines("changing verbs") {
		verb := strings.Fields(line) // stem, ending, changed stem
		for ending := range endings {
			if form := verb[2] + ending; !nouns[form] {
				all[form] = verb[0] + verb[1]
			}
		}
	}
}

// addCompared adds the forms of adjectives that grow by -er and -est.
func addCompared(l *language.Language, all map[string]string) {
	doubling := l.Words("doubling")
	for w := range l.Words("compared") {
		stem := strings.TrimSuffix(w, "e")
		if y, ok := strings.CutSuffix(w, "y"); ok {
			stem = y + "i"
		}
		if doubling[w] {
			stem += stem[len(stem)-1:]
		}
		all[stem+"er"], all[stem+"est"] = w, w
	}
	for w := range l.Words("not compared") {
		delete(all, w)
	}
}
