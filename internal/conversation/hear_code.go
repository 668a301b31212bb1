package conversation

import "strings"

// codeLetters are those of confirmation codes; what callers take for another is
// not among them.
const (
	codeLetters = "34679ACDEFGHJKMNPQRTWXY"
	codeLength  = 6
)

var codeWords = setOf(`code codigo localizador confirmation confirmacion reference referencia locator`)

// hearCode hears a confirmation code, in one piece or spelled, where one is
// asked for or named.
func (e *ear) hearCode() {
	words := e.words.words
	near := e.Expect == SlotCode
	for _, w := range words {
		near = near || codeWords[w.fold]
	}
	for i := range words {
		code, to := codeAt(words, i)
		if code == "" || !near && !e.standsOut(i, to) {
			continue
		}
		e.Code, e.codeAt = code, [2]int{words[i].start, words[to-1].end}
		return
	}
}

// codeAt joins the pieces from word i on that make up a code.
func codeAt(words []word, i int) (string, int) {
	var code strings.Builder
	for j := i; j < len(words); j++ {
		piece := strings.ToUpper(plainNumber(words[j].fold))
		if named := letterNames[words[j].fold]; named != "" {
			piece = named
		}
		if strings.Trim(piece, codeLetters) != "" || code.Len()+len(piece) > codeLength {
			return "", 0
		}
		code.WriteString(piece)
		if code.Len() == codeLength {
			if j == i && !isMixed(piece) && isWord(words[j].fold) {
				return "", 0
			}
			return code.String(), j + 1
		}
		if len(piece) > 3 || len(piece) > 1 && isWord(words[j].fold) {
			return "", 0
		}
	}
	return "", 0
}

// standsOut says whether a code that nobody asked for must be one: it has
// letters and figures, and is written in capitals.
func (e *ear) standsOut(i, to int) bool {
	said := e.Text[e.words.words[i].start:e.words.words[to-1].end]
	return isMixed(said) && said == strings.ToUpper(said)
}

func isMixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsAny(strings.ToUpper(s), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// isWord says whether a piece is an ordinary word of either language.
func isWord(w string) bool { return weight("es", w) > 0 || weight("en", w) > 0 }

var letterNames = map[string]string{
	"efe": "F", "hache": "H", "jota": "J", "ka": "K", "eme": "M", "ene": "N", "pe": "P", "cu": "Q", "erre": "R", "te": "T",
	"equis": "X", "ye": "Y", "ge": "G", "ce": "C", "de": "D",
}
