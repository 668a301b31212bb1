package main

import (
	"strings"
	"unicode"
)

// initialisms are written in capitals in Go.
var initialisms = map[string]string{
	"id": "ID", "url": "URL", "api": "API", "http": "HTTP", "ms": "MS", "json": "JSON", "dns": "DNS", "tls": "TLS",
	"crm": "CRM", "es": "ES", "en": "EN", "ok": "OK", "pdf": "PDF", "csv": "CSV",
}

// words are the parts of a name, whatever divides them.
func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// exported is a name as Go and types write it: starting_after is StartingAfter.
func exported(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		if known, ok := initialisms[word]; ok {
			b.WriteString(known)
			continue
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// wrapped breaks a text into lines of at most width characters.
func wrapped(text string, width int) (lines []string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && len(line)+1+len(word) > width {
				lines = append(lines, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return lines
}
