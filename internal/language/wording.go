package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Say is the wording of a key in the language, its gaps filled by pairs: "name",
// "Ana". A manner is a way to speak that the language has beside its usual one,
// as the Spanish tú: its own wording is taken where there is one. It is "" for a
// key that the language has no words for.
func (l *Language) Say(key, manner string, pairs ...string) string {
	if manner != "" {
		if text, ok := l.wording("wording " + manner)[key]; ok {
			return fill(text, pairs)
		}
	}
	return fill(l.wording("wording")[key], pairs)
}

// SayIn is Say of a section of its own, for words that the receptionist has no
// part in: those of the console.
func (l *Language) SayIn(section, key string, pairs ...string) string {
	return fill(l.wording(section)[key], pairs)
}

// Variants are the wordings of a key: its own, then those of the keys that are
// numbered after it, "ask_date", "ask_date.2", "ask_date.3".
func (l *Language) Variants(key, manner string, pairs ...string) []string {
	all := []string{l.Say(key, manner, pairs...)}
	for _, n := range []string{".2", ".3"} {
		if text := l.Say(key+n, manner, pairs...); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// wording is a section of lines "key: text".
func (l *Language) wording(section string) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if texts, ok := l.pairs[section]; ok {
		return texts
	}
	texts := map[string]string{}
	for _, line := range l.all[section] {
		key, text, _ := strings.Cut(line, ":")
		texts[strings.TrimSpace(key)] = strings.TrimSpace(text)
	}
	l.pairs[section] = texts
	return texts
}

// fill puts words into the gaps of a text. A gap whose name is capitalised begins
// a sentence: "{When}".
func fill(text string, pairs []string) string {
	if len(pairs) == 0 || !strings.Contains(text, "{") {
		return text
	}
	gaps := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		gaps = append(gaps, "{"+pairs[i]+"}", pairs[i+1], "{"+upper(pairs[i])+"}", upper(pairs[i+1]))
	}
	return strings.NewReplacer(gaps...).Replace(text)
}

// upper begins a sentence.
func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// Join puts sentences together, and contracts words as the language does: "de
// el" to "del".
func (l *Language) Join(sentences []string) string {
	text := strings.Join(sentences, " ")
	for from, to := range l.Pairs("contractions") {
		text = strings.ReplaceAll(text, " "+from+" ", " "+to+" ")
	}
	return text
}
