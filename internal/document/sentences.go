package document

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviation ends in a point that ends no sentence.
var abbreviation = regexp.MustCompile(`(?i)(?:^|[\s(])(?:\p{L}|sr|sra|srta|dr|dra|dña|prof|mr|mrs|ms|st|aprox|approx|av|avda|ctra|pza|tel|tlf|núm|no|nº|pág|art|ej|etc|vs|máx|mín|max|min|incl|ext|c/|ud|uds|(?:\p{L}\.)+\p{L})$`)

// sentences splits a text after the ends of sentences and at the ends of lines.
// Numbers, prices and abbreviations stay whole.
func sentences(text string) (all []string) {
	start := 0
	for i, r := range text {
		if i < start || r != '\n' && !strings.ContainsRune(".!?…", r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		if r != '\n' && !endsSentence(text[start:i], r, text[end:]) {
			continue
		}
		if s := strings.TrimSpace(text[start:end]); s != "" {
			all = append(all, s)
		}
		start = end
	}
	if s := strings.TrimSpace(text[start:]); s != "" {
		all = append(all, s)
	}
	return all
}

func endsSentence(before string, mark rune, after string) bool {
	next := strings.TrimLeft(after, " \t")
	if next == "" || next[0] == '\n' {
		return true
	}
	first, _ := utf8.DecodeRuneInString(next)
	if len(next) == len(after) || unicode.IsLower(first) {
		return false
	}
	return mark != '.' || !abbreviation.MatchString(tail(before))
}

// tail is enough of a text to see how it ends.
func tail(s string) string {
	if len(s) <= 16 {
		return s
	}
	return strings.ToValidUTF8(s[len(s)-16:], "")
}

// divide cuts a text into pieces of at most size characters and about the same
// length: at the ends of sentences, or at a space in a sentence that is longer
// than that, or anywhere in a word that is.
func divide(text string, size int) (pieces []string) {
	length := utf8.RuneCountInString(text)
	if length <= size {
		return []string{text}
	}
	count := (length + size - 1) / size
	wanted := (length + count - 1) / count
	var b strings.Builder
	n := 0
	flush := func() {
		if b.Len() > 0 {
			pieces = append(pieces, b.String())
		}
		b.Reset()
		n = 0
	}
	for _, s := range sentences(text) {
		for _, part := range breakLong(s, size) {
			l := utf8.RuneCountInString(part)
			if n > 0 && (n+1+l > size || n >= wanted) {
				flush()
			}
			if n > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(part)
			n += l + 1
		}
	}
	flush()
	return pieces
}

// breakLong cuts a sentence that is longer than size at spaces, if need be
// within a word, and not within a number: a space between figures is one.
func breakLong(s string, size int) (parts []string) {
	for {
		end := offset(s, size)
		if end == len(s) {
			return append(parts, s)
		}
		if at := lastSpace(s[:end]); at > 0 {
			end = at
		}
		parts = append(parts, strings.TrimSpace(s[:end]))
		s = strings.TrimSpace(s[end:])
	}
}

// offset is where the first n characters of s end.
func offset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// lastSpace is the last space of s that does not stand before or after a figure
// or sign of money, in its later half if there is one.
func lastSpace(s string) int {
	for i := len(s) - 1; i > len(s)/2; i-- {
		if s[i] == ' ' && !isFigure(s[i-1]) && (i+1 == len(s) || !isFigure(s[i+1])) && !strings.HasPrefix(s[i+1:], "€") {
			return i
		}
	}
	return strings.LastIndexByte(s, ' ')
}

func isFigure(c byte) bool { return '0' <= c && c <= '9' }
