package document

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestQuestion is in characters; what is longer is a passage.
const longestQuestion = 200

// Questions and answers carry marks in both languages: "Q:", "P1.", "Pregunta:".
// Without a colon it takes more for a question: "P. Gómez" is none.
var (
	questionMark = regexp.MustCompile(`^(?:(?i:questions?|preguntas?|faq)\s?\d{0,3}|[QP]\d{0,3})(?:[:.)]|\s[–-])\s*`)
	answerMark   = regexp.MustCompile(`^(?:(?i:answers?|respuestas?)\s?\d{0,3}|[AR]\d{0,3})(?:[:.)]|\s[–-])\s+`)
	answerInside = regexp.MustCompile(`\s(?:(?i:answer|respuesta)|[AR])\s*\d{0,3}:\s+`)
	// asksFirst begin questions in English, which have no mark at their start.
	asksFirst = regexp.MustCompile(`^(?i:do|does|did|can|could|is|are|am|was|will|would|should|shall|may|must|have|has|what|what's|when|where|where's|which|who|who's|whose|why|how|how's)\s`)
)

func marksQuestion(s string) bool {
	if !beginsWith(s, "QPqpFf") {
		return false
	}
	mark := questionMark.FindString(s)
	return mark != "" && (strings.Contains(mark, ":") || strings.Contains(s, "?"))
}

func marksAnswer(s string) bool { return beginsWith(s, "ARar") && answerMark.MatchString(s) }

// unmarked is an answer without its mark.
func unmarked(s string) string {
	if !marksAnswer(s) {
		return s
	}
	return s[len(answerMark.FindString(s)):]
}

// beginsWith spares most lines a closer look.
func beginsWith(s, letters string) bool { return s != "" && strings.IndexByte(letters, s[0]) >= 0 }

// ask finds the questions among the sayings of one paragraph, and the answers
// that follow them there.
func ask(said []line, kind kind, part int) (blocks []block) {
	asked := -1 // where the last question is in blocks
	for i, l := range said {
		text := squeeze(bare(l.text))
		if text == "" {
			continue
		}
		b := block{kind: kind, part: part, line: l.number, page: l.page}
		if q, answer, ok := asks(text, i > 0 && asked < 0 && !complete(said[i-1].text)); ok {
			b.kind, b.text, b.alone = question, q, true
			asked = len(blocks)
			blocks = append(blocks, b)
			text, b.kind, b.alone = answer, kind, false
		} else if asked >= 0 {
			text = unmarked(text)
		}
		if text == "" {
			continue
		}
		if asked >= 0 {
			blocks[asked].alone = false
		}
		b.text = text
		blocks = append(blocks, b)
	}
	return blocks
}

// bare is a line without the marks of a list or of bold print.
func bare(s string) string {
	if isItem(s) {
		s = s[len(bullet.FindString(s)):]
	}
	return boldMarks.Replace(s)
}

var boldMarks = strings.NewReplacer("**", "", "__", "")

// asks returns the question that a line is, and the answer if that is there as
// well. A line in the midst of a sentence is none.
func asks(s string, amid bool) (q, answer string, ok bool) {
	if marksQuestion(s) {
		q = questionMark.ReplaceAllString(s, "")
		if at := answerInside.FindStringIndex(q); at != nil {
			return q[:at[0]], q[at[1]:], true
		}
		return q, "", q != "" && short(q)
	}
	first, _ := utf8.DecodeRuneInString(s)
	if amid || first != '¿' && !unicode.IsUpper(first) && !unicode.IsDigit(first) && first != '"' {
		return "", "", false
	}
	end := strings.Index(s, "?")
	switch {
	case end < 0 || !short(s[:end+1]) || strings.ContainsAny(s[:end], ".!") && interrupted(s[:end]):
		return "", "", false
	case strings.TrimRight(s[end+1:], `"'”’»)*_ `) == "" || endsAsking(s) && short(s) && !interrupted(s):
		return s, "", true
	case first == '¿' || asksFirst.MatchString(s):
		answer = strings.TrimSpace(s[end+1:])
		return s[:end+1], answer, fullSentence(answer)
	}
	return "", "", false
}

func short(q string) bool { return utf8.RuneCountInString(q) <= longestQuestion }

// isQuestion says whether a heading is one.
func isQuestion(s string) bool {
	return endsAsking(s) && short(s) || strings.HasPrefix(s, "¿") && strings.Contains(s, "?") && short(s)
}

func endsAsking(s string) bool { return lastRune(strings.TrimRight(s, `"'”’»)*_ `)) == '?' }

// interrupted says whether a sentence ends within s.
func interrupted(s string) bool { return len(sentences(s)) > 1 && !allAsk(s) }

func allAsk(s string) bool {
	for _, part := range sentences(s) {
		if !endsAsking(part) {
			return false
		}
	}
	return true
}

// fullSentence says whether what follows a question on its line begins a
// sentence, so that it can be the answer.
func fullSentence(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(first) || unicode.IsDigit(first) || strings.ContainsRune("¡£$€", first)
}
