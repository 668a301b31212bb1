package hearing

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// codeReader hears confirmation codes.
type codeReader struct{ *ear }

// codeLength is how many letters a confirmation code has.
const codeLength = 6

// hearCode hears a confirmation code, in one piece or spelled, where one is
// asked for or named.
func (e codeReader) hearCode() {
	words := e.words.words
	near := e.Expect == SlotCode
	for _, w := range words {
		near = near || e.is("code", w.Word)
	}
	if e.writtenCode(near) {
		return
	}
	for i := range words {
		code, to := e.codeOf(words, i)
		if code == "" || !near && !e.standsOut(i, to) && !e.namesBooking(i, to) || touches(words[i], e.apartAt) {
			continue
		}
		e.Code, e.codeAt = code, [2]int{words[i].Start, words[to-1].End}
		return
	}
}

// inOnePiece is a code as it is written.
var inOnePiece = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\pL\pN])([` + frontdesk.CodeLetters + `]{6})(?:$|[^\pL\pN])`)
})

// writtenCode hears a code in one piece. Where none was asked for it must look
// like one: in capitals, in a text that is not all in capitals, and no word.
func (e codeReader) writtenCode(near bool) bool {
	for from := 0; from < len(e.Text); {
		m := inOnePiece().FindStringSubmatchIndex(e.Text[from:])
		if m == nil {
			return false
		}
		start, end := from+m[2], from+m[3]
		said := e.Text[start:end]
		from = end
		if touchesAny([2]int{start, end}, e.apartAt) {
			continue
		}
		shouted := said == strings.ToUpper(said) && (e.Expect == SlotCode || e.Text != strings.ToUpper(e.Text) && (near || e.hears("cancel_verbs", e.words.words)))
		if !isMixed(said) && !shouted && e.isWord(language.Fold(strings.ToLower(said))) || strings.Trim(said, "0123456789") == "" {
			continue // a word, unless it is in capitals where a code is spoken of
		}
		if near || said == strings.ToUpper(said) && (isMixed(said) || e.Text != strings.ToUpper(e.Text)) {
			e.Code, e.codeAt = strings.ToUpper(said), [2]int{start, end}
			e.words = e.words.joined(e.codeAt)
			return true
		}
	}
	return false
}

// codeOf joins the pieces from word i on that make up a code.
func (e codeReader) codeOf(words []language.Token, i int) (string, int) {
	var code strings.Builder
	for j := i; j < len(words); j++ {
		piece := strings.ToUpper(e.plainNumber(e.written(words[j])))
		if named, ok := e.Mix.Value("letters", e.written(words[j])); ok {
			piece = strings.ToUpper(named)
		}
		if strings.Trim(piece, frontdesk.CodeLetters) != "" || code.Len()+len(piece) > codeLength {
			return "", 0
		}
		code.WriteString(piece)
		isWord := len(piece) > 1 && !isMixed(piece) && !isFigures(piece) && e.isWord(e.written(words[j]))
		if isWord || len(piece) > 3 && len(piece) < codeLength {
			return "", 0
		}
		if code.Len() == codeLength {
			return code.String(), j + 1
		}
	}
	return "", 0
}

// standsOut says whether a code that nobody asked for must be one: it has
// letters and figures, and is written in capitals.
func (e codeReader) standsOut(i, to int) bool {
	said := e.Text[e.words.words[i].Start:e.words.words[to-1].End]
	return isMixed(said) && said == strings.ToUpper(said)
}

// namesBooking says whether a code of figures alone must be one: it says which
// booking is to be cancelled.
func (e codeReader) namesBooking(i, to int) bool {
	return to == i+1 && e.words.words[i].Figures && e.hears("cancel_verbs", e.words.words)
}

func isMixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsAny(strings.ToUpper(s), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// isWord says whether a piece is an ordinary word of either language.
func (e *ear) isWord(w string) bool {
	return slices.ContainsFunc(e.Mix.Languages, func(l *language.Language) bool { return weight(l.Code, w) > 0 })
}

// written is a word as the caller wrote it, however it is read elsewhere.
func (e *ear) written(w language.Token) string {
	if w.End > len(e.Text) {
		return w.Word
	}
	return language.Fold(e.Text[w.Start:w.End])
}
