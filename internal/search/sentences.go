package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// stretch is a part of a text, from start to end.
type stretch struct{ start, end int }

func (s stretch) of(text string) string { return text[s.start:s.end] }

// sentences splits a text at the ends of its sentences and lines. The stretches
// are trimmed and in order.
func sentences(text string) (all []stretch) {
	start := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if r == '\n' || strings.ContainsRune(".!?…", r) && endsSentence(text, i-size, i) {
			all = appendTrimmed(all, text, start, i)
			start = i
		}
	}
	return appendTrimmed(all, text, start, len(text))
}

func appendTrimmed(all []stretch, text string, start, end int) []stretch {
	part := text[start:end]
	left := len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
	part = strings.TrimSpace(part)
	if part == "" {
		return all
	}
	return append(all, stretch{start + left, start + left + len(part)})
}

// endsSentence tells whether the mark at text[at:after] ends a sentence: what
// follows begins a new one, and it is not the point of an abbreviation.
func endsSentence(text string, at, after int) bool {
	rest := strings.TrimLeft(text[after:], `"'”’»)`)
	next := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if next == "" {
		return true
	}
	if len(next) == len(rest) || len(rest) < len(text[after:]) {
		return false // no space after it; a bracket or quotation closes later
	}
	if r, _ := utf8.DecodeRuneInString(next); unicode.IsLower(r) || strings.ContainsRune(",;:)", r) {
		return false
	}
	return text[at] != '.' || !abbreviated(text[:at], next)
}

// abbreviated tells whether a text that a point follows ends in an abbreviation.
func abbreviated(text, next string) bool {
	start := strings.LastIndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '.' }) + 1
	last := text[start:]
	if utf8.RuneCountInString(last) == 1 || strings.Contains(last, ".") {
		return start == 0 || text[start-1] != '.' // an initial, "a.m", "EE.UU", "p. ej"
	}
	word := plainWord(last)
	if facts().beforeNumbers[word] {
		return digitAt(next, 0)
	}
	return facts().abbreviations[word]
}
