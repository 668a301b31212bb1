package document

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// line is a line as it stands in a document.
type line struct {
	text   string
	number int  // from 1; 0 in a PDF
	page   int  // from 1; 0 elsewhere
	led    bool // points led from a name to its price: it is a line of a list
}

func (l line) blank() bool { return blank(l.text) }

// mostLines is how many lines a document may have, blank ones apart; people who
// fill so many have more bytes than a document may have.
const mostLines = 300_000

// textLines splits a text. Of blank lines in a row one is left.
func textLines(text string) ([]line, error) {
	var all []line
	number, gap := 0, false
	for t := range strings.SplitSeq(text, "\n") {
		number++
		if blank(t) {
			gap = true
			continue
		}
		if gap && len(all) > 0 {
			all = append(all, line{number: number - 1})
		}
		gap = false
		all = append(all, line{text: t, number: number})
		if len(all) > mostLines {
			return nil, &Unreadable{Help: helpTooLarge}
		}
	}
	return all, nil
}

// bullet is what an item of a list begins with.
var bullet = regexp.MustCompile(`^\s*(?:[-*+•·▪■●◦‣➤✓✔–—]|\d{1,3}[.)]|[a-zA-Z]\))\s+`)

// isItem is quick about the lines that begin as most do.
func isItem(s string) bool {
	s = strings.TrimLeft(s, " \t")
	if len(s) < 2 || 'A' <= s[0]&^0x20 && s[0]&^0x20 <= 'Z' && s[1] != ')' {
		return false
	}
	return bullet.MatchString(s)
}

// sayings are lines put together again that the width of the page had divided.
// Lines that say something each, as in a list of prices, stay apart.
func sayings(lines []line) (all []line) {
	width := widest(lines)
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && !lines[n-1].led && !lines[n].led && flows(lines[n-1].text, lines[n].text, width) {
			n++
		}
		said := lines[0]
		said.text = join(lines[:n])
		all, lines = append(all, said), lines[n:]
	}
	return all
}

func join(lines []line) string {
	if len(lines) == 1 {
		return lines[0].text
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = strings.TrimSpace(l.text)
	}
	return strings.Join(texts, " ")
}

// widest is the length of the longest line, 0 if lines are so long that nobody
// broke them to a width.
func widest(lines []line) (n int) {
	for _, l := range lines {
		n = max(n, utf8.RuneCountInString(strings.TrimSpace(l.text)))
	}
	if n > 160 {
		return 0
	}
	return n
}

// listed is a line of a list of prices: a name, a dash or a colon, and a price.
var listed = regexp.MustCompile(`^\p{L}[^.!?:]{0,60}(?:\s(?:--|[-–—=])|:)\s+(?:\p{L}+ )?(?:\d[\d.,]*$|[£$€]\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|£|\$|eur\b|euros\b))`)

// flows says whether the sentence of one line goes on in the next.
func flows(a, b string, width int) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if isItem(b) || marksQuestion(b) || marksAnswer(b) || listed.MatchString(b) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(b)
	switch {
	case unicode.IsLower(first), strings.HasSuffix(a, ","):
		return true
	case complete(a):
		return false
	}
	word, _, _ := strings.Cut(b, " ")
	full := utf8.RuneCountInString(a)+1+utf8.RuneCountInString(word) > width*9/10
	return width >= 40 && full
}

// complete says whether a line ends where a sentence does.
func complete(s string) bool {
	s = strings.TrimRight(s, `"'”’»)*_ `)
	return s != "" && strings.ContainsRune(".!?:;…", lastRune(s))
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// paragraphs splits lines where blank ones stand.
func paragraphs(lines []line) (all [][]line) {
	for len(lines) > 0 {
		start := slices.IndexFunc(lines, func(l line) bool { return !l.blank() })
		if start < 0 {
			break
		}
		lines = lines[start:]
		end := slices.IndexFunc(lines, line.blank)
		if end < 0 {
			end = len(lines)
		}
		all, lines = append(all, lines[:end]), lines[end:]
	}
	return all
}
