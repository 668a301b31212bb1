package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain is a text without lines and without the signs of markdown: what stands in
// a line of its own becomes a sentence, unless the next line goes on with it.
func plain(text string) string {
	if !strings.ContainsAny(text, "\n\r\t`*#|[<\u00a0\u202f") {
		return text
	}
	text = spaces.Replace(text)
	var b strings.Builder
	b.Grow(len(text) + 8)
	for line := range strings.SplitSeq(text, "\n") {
		body, item := withoutBullet(strings.TrimSpace(line))
		body = withoutLinks(body)
		if strings.Trim(body, "|-=:*_ `") == "" {
			continue // empty, or a rule
		}
		if b.Len() > 0 {
			b.WriteString(between(b.String(), body, item))
		}
		b.WriteString(body)
	}
	return b.String()
}

var spaces = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ", "\u00a0", " ", "\u202f", " ")

// withoutBullet is a line without what makes it an item of a list, a heading or a
// quotation, and whether it was one.
func withoutBullet(line string) (string, bool) {
	rest := strings.TrimLeft(line, "#>")
	if len(rest) < len(line) && (rest == "" || rest[0] == ' ') {
		return strings.TrimSpace(rest), true
	}
	for _, bullet := range []string{"- ", "* ", "+ ", "• ", "– ", "· ", "— "} {
		if rest, ok := strings.CutPrefix(line, bullet); ok {
			return strings.TrimSpace(rest), true
		}
	}
	if n := digitsEnd(line, 0); n > 0 && n < 3 && (strings.HasPrefix(line[n:], ") ") || strings.HasPrefix(line[n:], ". ")) {
		return line[n+2:], true
	}
	return line, false
}

// between is what joins two lines.
func between(before, line string, item bool) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(line)
	switch {
	case strings.ContainsRune(".!?…:;,", last):
		return " "
	case !item && (unicode.IsLower(first) || unicode.IsDigit(first)):
		return " "
	}
	return ". "
}

// withoutLinks leaves of "[text](address)" the text, and nothing of a picture.
func withoutLinks(line string) string {
	if !strings.Contains(line, "](") {
		return line
	}
	var b strings.Builder
	for {
		middle := strings.Index(line, "](")
		if middle < 0 {
			break
		}
		open, end := strings.LastIndexByte(line[:middle], '['), strings.IndexByte(line[middle:], ')')
		if end < 0 {
			break
		}
		if open < 0 {
			b.WriteString(line[:middle+2])
			line = line[middle+2:]
			continue
		}
		before, picture := strings.CutSuffix(line[:open], "!")
		b.WriteString(before)
		if !picture {
			b.WriteString(line[open+1 : middle])
		}
		line = line[middle+end+1:]
	}
	return b.String() + line
}
