package search

import "strings"

// endings of Spanish words and what the same words end in in English.
var endings = [...]struct{ es, en string }{
	{"aciones", "ation"},
	{"acion", "ation"},
	{"ciones", "tion"},
	{"cion", "tion"},
	{"siones", "sion"},
	{"sion", "sion"},
	{"idades", "ity"},
	{"idad", "ity"},
	{"edad", "ety"},
	{"tades", "ty"},
	{"tad", "ty"},
	{"dad", "ty"},
	{"amente", "ly"},
	{"mente", "ly"},
	{"logia", "logy"},
	{"grafia", "graphy"},
	{"encias", "ence"},
	{"encia", "ence"},
	{"ancias", "ance"},
	{"ancia", "ance"},
	{"arios", "ary"},
	{"ario", "ary"},
	{"aria", "ary"},
	{"orio", "ory"},
	{"oria", "ory"},
	{"osos", "ous"},
	{"oso", "ous"},
	{"osa", "ous"},
	{"icos", "ic"},
	{"icas", "ic"},
	{"ico", "ic"},
	{"ica", "ic"},
	{"ivos", "ive"},
	{"ivas", "ive"},
	{"ivo", "ive"},
	{"iva", "ive"},
	{"istas", "ist"},
	{"ista", "ist"},
	{"ismo", "ism"},
	{"antes", "ant"},
	{"ante", "ant"},
	{"entes", "ent"},
	{"ente", "ent"},
	{"ores", "or"},
	{"ura", "ure"},
	{"aje", "age"},
	{"izar", "ize"},
	{"ificar", "ify"},
	{"ados", "ate"},
	{"ado", "ate"},
	{"ada", "ate"},
	{"ar", "ate"},
}

// skeleton writes a word so that a Spanish and an English word of the same
// origin come out alike or nearly: "estación" and "station" both give "station".
func skeleton(lang uint8, word string) string {
	if lang == es {
		word = englished(word)
	}
	word = sounds.Replace(word)
	var b strings.Builder
	for i := range len(word) {
		if i == 0 || word[i] != word[i-1] {
			b.WriteByte(word[i])
		}
	}
	word = b.String()
	if len(word) > 4 {
		word = strings.TrimRight(word, "aeos")
	}
	return word
}

func englished(word string) string {
	for _, e := range endings {
		if stem, ok := strings.CutSuffix(word, e.es); ok && len(stem) >= 3 {
			word = stem + e.en
			break
		}
	}
	// Spanish puts an e before an s that another consonant follows.
	if len(word) > 3 && word[:2] == "es" && !strings.ContainsRune("aeiou", rune(word[2])) {
		word = word[1:]
	}
	return word
}

// sounds that the languages write differently.
var sounds = strings.NewReplacer("ph", "f", "th", "t", "ck", "k", "qu", "k", "ch", "k", "c", "k", "y", "i", "w", "u", "v", "b", "x", "s", "z", "s")
