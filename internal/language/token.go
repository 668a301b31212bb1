package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a word, or a row of figures, and where it stands in the text. Letters
// and figures never share a token: "8pm" is two.
type Token struct {
	Word       string // folded, without apostrophes: "dont", "manana"; of a word that was respelled, the right one
	Start, End int    // bytes of the text
	Gap        Gap    // what stands between it and the token before
	Figures    bool   // it is written in figures
	Capital    bool   // it begins with a capital letter
	Sentence   int    // the number of its sentence
	Clause     int    // the number of its clause, over all sentences
	Asks       bool   // its sentence ends in a question mark
	Skip       Skip   // why readers pass over it, if they do
	apostrophe bool   // it was written with one: "we'll" is not "well"
}

// Gap is what stands between two tokens.
type Gap int

// The gaps, the closest first.
const (
	Glued Gap = iota
	Space
	Dash
	Colon
	Dot
	Slash
	Comma
	Stop // the end of a sentence, or brackets
)

// Soft says whether tokens on both sides may belong to one expression.
func (g Gap) Soft() bool { return g <= Dash }

// Skip says why a token is passed over.
type Skip int

// The reasons to pass over a token.
const (
	Read      Skip = iota // it is not
	Filler                // um, eh, you know
	Repeated              // said twice: "a las, a las cinco"
	Restarted             // taken back at once: "a las cinco, perdón, a las seis"
)

// Tokenize takes a text apart.
func Tokenize(text string) []Token {
	t := tokenizer{text: text}
	for i := 0; i < len(text); {
		n, figures := wordLength(text[i:])
		if n == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		t.add(i, i+n, figures)
		i += n
	}
	t.close(len(text))
	return t.all
}

// tokenizer is a text on its way to tokens.
type tokenizer struct {
	text             string
	all              []Token
	sentence, clause int
	last             int // where the token before ends
}

func (t *tokenizer) add(start, end int, figures bool) {
	word := t.text[start:end]
	if !figures {
		word = withoutApostrophes(Fold(word))
	}
	if word == "" {
		return
	}
	t.close(start)
	first, _ := utf8.DecodeRuneInString(t.text[start:])
	gap := gapOf(t.text[t.last:start], len(t.all) == 0)
	if gap == Stop && len(t.all) > 0 && t.all[len(t.all)-1].Sentence == t.sentence && strings.TrimSpace(t.text[t.last:start]) == "." {
		gap = Space // the full stop only shortens the word before
	}
	t.all = append(t.all, Token{
		Word: word, Start: start, End: end, Gap: gap, Figures: figures,
		Capital: unicode.IsUpper(first), Sentence: t.sentence, Clause: t.clause, apostrophe: strings.ContainsAny(t.text[start:end], "'’"),
	})
	t.last = end
}

// close reads the marks that stand between the last token and the next one.
func (t *tokenizer) close(next int) {
	for i, r := range t.text[t.last:next] {
		switch {
		case r == '?' || r == '!' || r == '\n' || r == '.' && t.fullStop(t.last+i):
			if r == '?' {
				t.markAsked()
			}
			t.sentence, t.clause = t.sentence+1, t.clause+1
		case r == '¿' || r == '¡' || r == ';' || r == '…':
			t.sentence, t.clause = t.sentence+1, t.clause+1
		case strings.ContainsRune(`,()"—–`, r), (r == ':' || r == '-') && strings.HasPrefix(t.text[t.last+i+1:], " "):
			t.clause++
		}
	}
}

// fullStop says whether the full stop at i ends a sentence: not the one of
// "p.m.", of "3.50" or of "Sr.".
func (t *tokenizer) fullStop(i int) bool {
	if len(t.all) == 0 {
		return false
	}
	last := t.all[len(t.all)-1]
	if rest := t.text[i+1:]; rest != "" && rest[0] != ' ' && rest[0] != '.' {
		next, _ := utf8.DecodeRuneInString(rest)
		return unicode.IsUpper(next) && last.End-last.Start > 2
	}
	return !titles()[last.Word] && !initials(t.text[:i], t.text[i+1:])
}

// initials says whether the full stop between two texts stands between two
// letters that are said one by one: "p. m.".
func initials(before, after string) bool {
	letter := func(s string, at int) bool { return at >= 0 && at < len(s) && s[at]|0x20 >= 'a' && s[at]|0x20 <= 'z' }
	return letter(before, len(before)-1) && !letter(before, len(before)-2) &&
		strings.HasPrefix(after, " ") && letter(after, 1) && strings.HasPrefix(after[2:], ".")
}

func (t *tokenizer) markAsked() {
	for i := len(t.all) - 1; i >= 0 && t.all[i].Sentence == t.sentence; i-- {
		t.all[i].Asks = true
	}
}

// wordLength is how many bytes at the beginning of s are one word: letters with
// apostrophes between them, or figures.
func wordLength(s string) (n int, figures bool) {
	letters := false
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || letters && unicode.Is(unicode.Mn, r):
			if i > 0 && !letters {
				return n, true
			}
			letters = true
		case r >= '0' && r <= '9':
			if i > 0 && letters {
				return n, false
			}
		case (r == '\'' || r == '’') && letters:
			if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); !unicode.IsLetter(next) {
				return n, false
			}
		default:
			return n, !letters
		}
		n = i + utf8.RuneLen(r)
	}
	return n, !letters
}

// gapOf says what kind of gap the text between two tokens is.
func gapOf(s string, first bool) Gap {
	switch {
	case first:
		return Stop
	case s == "":
		return Glued
	case strings.ContainsAny(s, ";?!()\n…¿¡—–|\"") && strings.Trim(s, "\"") != "":
		return Stop
	case strings.Contains(s, ","):
		return Comma
	case strings.Contains(s, ":"):
		return Colon
	case strings.Contains(s, "/"):
		return Slash
	case s == ".":
		return Dot
	case strings.Contains(s, "."):
		return Stop
	case strings.Contains(s, "-"):
		return Dash
	}
	return Space
}

func withoutApostrophes(s string) string {
	if !strings.ContainsAny(s, "'’") {
		return s
	}
	return strings.NewReplacer("'", "", "’", "").Replace(s)
}
