package document

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tidy makes one spelling of the many that a text can have: accents that stand
// by themselves go onto their letters, ligatures and wide letters become plain
// ones, what is not to be seen goes, and lines end in "\n". Lines keep their
// numbers.
//
// Full compatibility folding would go too far: it makes 11⁄2 of "1½" and m2 of
// "m²", and answers quote the text.
func tidy(text string) string {
	text = compose(text)
	text = norm.NFC.String(text)
	text = lineEnds.Replace(text)
	text = strings.ReplaceAll(text, "\u00ad\n", "-\n") // the end of a line shows it
	return strings.Map(plainRune, unligature(text))
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n")

// unligature spells out what stands for several letters, and the wide and
// mathematical shapes of letters.
func unligature(text string) string {
	if strings.IndexFunc(text, isShape) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isShape(r) {
			b.WriteString(norm.NFKC.String(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isShape(r rune) bool {
	return 0xFB00 <= r && r <= 0xFB06 || 0xFF01 <= r && r <= 0xFF5E || 0x1D400 <= r && r <= 0x1D7FF
}

func plainRune(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == softHyphen, r == '\ufeff', r == '\ufffd', unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		return -1
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

const softHyphen = '\u00ad'

// squeeze makes one space of any white space, and none at the ends.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }
