package language

import (
	"strings"
	"testing"
)

func TestEveryPhraseHearsItsSentences(t *testing.T) {
	t.Parallel()
	for _, code := range Codes() {
		l := Of(code)
		mix := NewMix(l)
		for _, section := range l.Sections(phraseSection) {
			t.Run(code+" "+section, func(t *testing.T) { holdToSentences(t, l, mix, section) })
		}
	}
}

// holdToSentences tries each phrase of a section alone on the sentences below it.
func holdToSentences(t *testing.T, l *Language, mix *Mix, section string) {
	var book *Book
	var line string
	for _, text := range l.Lines(section) {
		sentence := strings.TrimSpace(text[1:])
		switch text[0] {
		case '+', '-':
			if book == nil {
				book = newBook()
				book.addAll(l, "")
				book.add(l.phraseOf(line))
			}
			tokens := mix.Tokens(sentence)
			if want := text[0] == '+'; book.In(tokens) != want {
				t.Errorf("phrase %q heard in %q: %v, want %v", line, sentence, !want, want)
			}
		default:
			line, book = text, nil
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I don't know, Sr. Gómez. ¿A las 8:30pm?": "i dont know sr gomez a las 8 30 pm",
		"uñas":         "unyas",
		"por favor":    "porfavor",
		"a por, favor": "a por favor",
		"3º B":         "3 o b",
		"wi-fi":        "wi fi",
		"o'clock's":    "oclocks",
		"":             "",
		"👍":            "",
	} {
		var words []string
		for _, tok := range MixOf().Tokens(text) {
			words = append(words, tok.Word)
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("tokens of %q are %q, want %q", text, got, want)
		}
	}
}
