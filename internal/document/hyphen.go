package document

import (
	"regexp"
	"strings"
)

// divided is the end of a line at which a word is divided, and begun what the
// next line has of it. Figures and capitals are never divided.
var (
	divided = regexp.MustCompile(`(\p{L}*\p{Ll})-$`)
	begun   = regexp.MustCompile(`^\s*(\p{Ll}+)`)
)

// firstHalves are what compounds begin with that keep their hyphen.
var firstHalves = set(`self well non ex semi half anti pre post co re lunes martes miércoles jueves viernes sábado domingo
monday tuesday wednesday thursday friday saturday sunday enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre`)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

// undivide puts words together again that are divided at the end of a line,
// "reserva-" and "ción". A hyphen of the word's own stays, as in
// "lunes-viernes": where the document has both halves as words, but never the
// whole. The words of the document are those of the lines if they are not given.
func undivide(lines []line, words map[string]bool) []line {
	for i := range len(lines) - 1 {
		text := strings.TrimRight(lines[i].text, " \t")
		if !strings.HasSuffix(text, "-") {
			continue
		}
		half, next := divided.FindStringSubmatch(text), begun.FindStringSubmatchIndex(lines[i+1].text)
		if half == nil || next == nil {
			continue
		}
		if words == nil {
			words = vocabulary(lines)
		}
		tail := lines[i+1].text[next[2]:next[3]]
		if !compound(half[1], tail, words) {
			text = strings.TrimSuffix(text, "-")
		}
		lines[i].text = text + tail
		lines[i+1].text = lines[i+1].text[next[1]:]
		lines[i].text, lines[i+1].text = punctuation(lines[i].text, lines[i+1].text)
	}
	return lines
}

// punctuation moves the marks that follow a word up to it.
func punctuation(a, b string) (string, string) {
	after := strings.TrimLeft(b, ".,;:!?)»”")
	return a + b[:len(b)-len(after)], after
}

func compound(a, b string, words map[string]bool) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return firstHalves[a] || words[a+"-"+b] || !words[a+b] && words[a] && words[b]
}

// vocabulary has the words of a document, apart from those at the ends of lines,
// which may be halves.
func vocabulary(lines []line) map[string]bool {
	words := map[string]bool{}
	for _, l := range lines {
		fields := strings.Fields(l.text)
		for i, w := range fields {
			if i > 0 && i < len(fields)-1 {
				words[strings.ToLower(strings.Trim(w, `.,;:!?¿¡"'()«»`))] = true
			}
		}
	}
	return words
}
