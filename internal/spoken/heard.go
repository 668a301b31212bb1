package spoken

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// Heard is what a caller heard of a written text, when the carrier reports that
// playback of what was spoken for it was cut behind played. Carriers report with
// spaces and marks of their own, so only letters and figures count. A word that
// was begun was heard, and what was not reached is left out.
func Heard(written, spoken, played string) string {
	said, heard := wordsOf(spoken), sounds(played)
	if heard == 0 {
		return ""
	}
	reached := 0
	for before := 0; reached < len(said) && before < heard; reached++ {
		before += said[reached].sounds
	}
	if reached == len(said) {
		return written
	}
	words := wordsOf(written)
	n := places(words, said)[reached]
	if n == 0 {
		return ""
	}
	return written[:words[n-1].end]
}

// spokenWord is a word, folded and without marks, where it ends with all marks
// behind it, and how many letters and figures it has.
type spokenWord struct {
	word   string
	end    int
	sounds int
}

// wordsOf are the words of a text, as spaces divide them. Marks that stand alone
// belong to the word before.
func wordsOf(text string) []spokenWord {
	var all []spokenWord
	end := 0
	for chunk := range strings.FieldsSeq(text) {
		end += strings.Index(text[end:], chunk) + len(chunk)
		if word := lettersOf(chunk); word != "" {
			all = append(all, spokenWord{language.Fold(word), end, sounds(word)})
		} else if len(all) > 0 {
			all[len(all)-1].end = end
		}
	}
	return all
}

// lettersOf is a word without its marks.
func lettersOf(chunk string) string {
	if strings.IndexFunc(chunk, func(r rune) bool { return !isWordRune(r) }) < 0 {
		return chunk
	}
	return strings.Map(func(r rune) rune {
		if isWordRune(r) {
			return r
		}
		return -1
	}, chunk)
}

// sounds counts letters and figures.
func sounds(text string) (n int) {
	for _, r := range text {
		if isWordRune(r) {
			n++
		}
	}
	return n
}

// The most words that are passed over to find two texts together again.
const (
	farSpoken  = 40
	farWritten = 16
)

// places says for each number of spoken words how many written ones they stand
// for. Words that both have hold the two together; between them, where "16:00"
// became four words, they are shared out evenly.
func places(written, said []spokenWord) []int {
	at := make([]int, len(said)+1)
	w, s := 0, 0
	for w < len(written) && s < len(said) {
		dw, ds := together(written[w:], said[s:])
		for i := 1; i <= ds; i++ {
			at[s+i] = w + (dw*i+ds-1)/ds
		}
		if ds == 0 {
			at[s] = w // what was not spoken counts with the word behind it
		}
		w, s = w+dw, s+ds
		if w < len(written) && s < len(said) {
			w, s = w+1, s+1
			at[s] = w
		}
	}
	for ; s < len(said); s++ {
		at[s+1] = w
	}
	return at
}

// together is how many words of each to pass over until the same word stands in
// both; all of them where that is too far.
func together(written, said []spokenWord) (dw, ds int) {
	for far := range farSpoken + farWritten {
		for dw = max(0, far-farSpoken); dw <= min(far, farWritten, len(written)-1); dw++ {
			if ds = far - dw; ds < len(said) && written[dw].word == said[ds].word {
				return dw, ds
			}
		}
	}
	return min(len(written), farWritten), min(len(said), farSpoken)
}
