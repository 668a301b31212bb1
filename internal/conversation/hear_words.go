package conversation

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// longest is how many runes of an utterance are listened to.
const longest = 1000

// word is one word of an utterance, or one row of figures.
type word struct {
	fold       string // in lower case, without accents and apostrophes: "dont", "manana"
	start, end int    // bytes of the text
	capital    bool
	sentence   int  // the number of its sentence
	clause     int  // the number of its clause, over all sentences
	asks       bool // its sentence ends in a question mark
	final      bool // it is the last one of its sentence
	joins      bool // a que, cuando or donde that asks nothing: its accent is missing where others are not
}

// utterance is a text and the words in it.
type utterance struct {
	text  string
	words []word
}

// oneLine makes valid text of one line of whatever came, no longer than is
// listened to.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, " ")
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	n := 0
	for i := range text {
		if n == longest {
			return text[:i]
		}
		n++
	}
	return text
}

// wordsOf takes a text apart.
func wordsOf(text string) utterance {
	u := utterance{text: text}
	sentence, clause := 0, 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if n := wordLength(text[i:]); n > 0 {
			u.words = append(u.words, word{
				fold: respelled(foldWord(text[i : i+n])), start: i, end: i + n,
				capital: unicode.IsUpper(r), sentence: sentence, clause: clause,
			})
			i += n
			continue
		}
		switch {
		case r == '?' || r == '!' || endsSentence(u, text, i, r):
			if r == '?' {
				u.markAsked(sentence)
			}
			sentence, clause = sentence+1, clause+1
		case r == '¿' || r == '¡' || r == ';' || r == '…':
			sentence, clause = sentence+1, clause+1
		case r == ',' || r == '(' || r == ')' || r == '"' || r == '—' || r == '–' || (r == ':' || r == '-') && strings.HasPrefix(text[i+1:], " "):
			clause++
		}
		i += size
	}
	u.words = mergeWords(u.words)
	for i := range u.words {
		u.words[i].final = i+1 == len(u.words) || u.words[i+1].sentence != u.words[i].sentence
	}
	u.markJoins()
	return u
}

// markJoins marks the interrogatives that ask nothing: without their accent in a
// text that has accents, in the midst of a sentence that does not ask. Callers
// who begin with them ask, however they write.
func (u utterance) markJoins() {
	if !strings.ContainsAny(u.text, accented) {
		return
	}
	begun := false // more than manners has been said in the sentence
	for i := range u.words {
		w := &u.words[i]
		if i > 0 && u.words[i-1].sentence != w.sentence {
			begun = false
		}
		w.joins = begun && !w.asks && interrogatives[w.fold] && !strings.ContainsAny(u.text[w.start:w.end], accented)
		begun = begun || !fillers[w.fold] && !leadIns[w.fold]
	}
}

const accented = "áéíóúÁÉÍÓÚ"

// interrogatives ask with an accent, and join clauses without one.
var interrogatives = setOf(`que cuando donde quien quienes como`)

// endsSentence says whether the full stop at i is one: not the one of "p.m.",
// of "3.50" or of "Sr.".
func endsSentence(u utterance, text string, i int, r rune) bool {
	if r != '.' || len(u.words) == 0 {
		return false
	}
	if rest := text[i+1:]; rest != "" && rest[0] != ' ' && rest[0] != '.' {
		next, _ := utf8.DecodeRuneInString(rest)
		return unicode.IsUpper(next) && u.words[len(u.words)-1].end-u.words[len(u.words)-1].start > 2
	}
	switch last := u.words[len(u.words)-1]; last.fold {
	case "sr", "sra", "dr", "dra", "mr", "mrs", "ms", "st":
		return false
	default:
		return true
	}
}

func (u utterance) markAsked(sentence int) {
	for i := len(u.words) - 1; i >= 0 && u.words[i].sentence == sentence; i-- {
		u.words[i].asks = true
	}
}

// wordLength is how many bytes at the beginning of s are one word: letters with
// apostrophes between them, or figures.
func wordLength(s string) int {
	n, letters := 0, false
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.Is(unicode.Mn, r):
			if i > 0 && !letters {
				return n
			}
			letters = true
		case r >= '0' && r <= '9':
			if i > 0 && letters {
				return n
			}
		case (r == '\'' || r == '’') && letters:
			if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); !unicode.IsLetter(next) {
				return n
			}
		default:
			return n
		}
		n = i + utf8.RuneLen(r)
	}
	return n
}

func foldWord(s string) string {
	s = lexicon.Fold(s)
	if strings.ContainsAny(s, "'’") {
		s = strings.NewReplacer("'", "", "’", "").Replace(s)
	}
	return s
}

// merged are words that callers say as one.
var merged = map[[2]string]string{
	{"por", "favor"}: "porfavor", {"o", "sea"}: "osea", {"por", "cierto"}: "porcierto",
	{"good", "bye"}: "goodbye", {"re", "schedule"}: "reschedule", {"good", "by"}: "goodbye",
	{"never", "mind"}: "nevermind", {"e", "mail"}: "email", {"all", "right"}: "alright",
	{"de", "acuerdo"}: "deacuerdo", {"buenos", "dias"}: "buenosdias", {"buenas", "tardes"}: "buenastardes",
	{"buenas", "noches"}: "buenasnoches", {"o", "k"}: "ok", {"a", "ver"}: "aver",
	{"okey", "dokey"}: "okeydokey", {"uh", "huh"}: "uhhuh", {"mm", "hm"}: "mhm", {"excuse", "me"}: "excuseme", {"take", "away"}: "takeaway",
}

func mergeWords(words []word) []word {
	out := words[:0]
	for i := 0; i < len(words); i++ {
		w := words[i]
		if i+1 < len(words) && words[i+1].clause == w.clause {
			if one, ok := merged[[2]string{w.fold, words[i+1].fold}]; ok {
				w.fold, w.end = one, words[i+1].end
				i++
			}
		}
		out = append(out, w)
	}
	return out
}

// blanked is the utterance without the words that touch one of the spans.
func (u utterance) blanked(spans ...[2]int) utterance {
	out := utterance{text: u.text}
	for _, w := range u.words {
		if !touches(w, spans) {
			out.words = append(out.words, w)
		}
	}
	return out
}

func touches(w word, spans [][2]int) bool {
	for _, s := range spans {
		if w.start < s[1] && s[0] < w.end {
			return true
		}
	}
	return false
}

// parts are the words of u in runs that keep together by key.
func (u utterance) parts(key func(word) int) [][]word {
	var all [][]word
	for i := 0; i < len(u.words); {
		j := i + 1
		for j < len(u.words) && key(u.words[j]) == key(u.words[i]) {
			j++
		}
		all = append(all, u.words[i:j])
		i = j
	}
	return all
}

func bySentence(w word) int { return w.sentence }
func byClause(w word) int   { return w.clause }

// has says whether one of the words is among those given.
func has(words []word, any ...string) bool {
	for _, w := range words {
		for _, a := range any {
			if w.fold == a {
				return true
			}
		}
	}
	return false
}
