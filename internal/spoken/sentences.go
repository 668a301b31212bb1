package spoken

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// Sentences takes a text apart into its sentences, for who speaks one while the
// next is being made. A full stop that only shortens a word or divides a number
// ends none. Joined with spaces they are the text again.
func Sentences(text string) []string {
	var all []string
	from := 0
	for i := 0; i < len(text); i++ {
		end := i + 1
		switch text[i] {
		case '\n':
		case '.', '!', '?':
			if end = closed(text, end); !endsAt(text, i, end) {
				continue
			}
		default:
			continue
		}
		if one := strings.TrimSpace(text[from:end]); one != "" {
			all = append(all, one)
		}
		from, i = end, end-1
	}
	if one := strings.TrimSpace(text[from:]); one != "" {
		all = append(all, one)
	}
	return all
}

// closed is where the marks end that belong to the end of a sentence before i.
func closed(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(".!?…)]\"'»”’", r) {
			break
		}
		i += size
	}
	return i
}

// endsAt says whether the mark at i, with what closes behind it up to end, ends a
// sentence.
func endsAt(text string, i, end int) bool {
	rest := strings.TrimLeft(text[end:min(len(text), end+64)], " ")
	if rest == "" {
		return true
	}
	if text[end] != ' ' && text[end] != '\n' {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(rest); unicode.IsLower(first) {
		return false
	}
	return text[i] != '.' || end > i+1 || !shortens(text[:i])
}

// shortens says whether the full stop behind a text only shortens its last word.
func shortens(before string) bool {
	from := len(before)
	for from > 0 && len(before)-from < 12 {
		r, size := utf8.DecodeLastRuneInString(before[:from])
		if !unicode.IsLetter(r) && r != '.' {
			break
		}
		from -= size
	}
	word := before[from:]
	first, size := utf8.DecodeRuneInString(word)
	return size > 0 && (shortened()[strings.ToLower(word)] || size == len(word) && unicode.IsUpper(first) && strings.HasSuffix(before[:from], " "))
}

// shortened are the words, of all languages, that are written short before a word
// with a capital.
var shortened = sync.OnceValue(func() language.Set {
	all := language.Set{}
	for _, code := range language.Codes() {
		v := voiceOf(language.Of(code))
		for title := range v.Words("titles") {
			all[title] = true
		}
		for _, shorts := range v.shorts {
			for _, one := range shorts {
				if word, ok := strings.CutSuffix(one.written, "."); ok && !one.ends && !strings.Contains(word, " ") {
					all[word] = true
				}
			}
		}
	}
	return all
})
