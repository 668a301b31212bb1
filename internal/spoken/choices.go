package spoken

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// mostChoices is how many things a caller keeps in mind.
const mostChoices = 3

// choices cuts a question that offers more than three things behind the third:
// nobody remembers more of them by ear.
func (v *voice) choices(text string) string {
	or, other := " "+v.wording["or"]+" ", v.wording["something_else"]
	if other == "" || !strings.Contains(text, ": ") || !strings.Contains(text, "?") {
		return text
	}
	var b strings.Builder
	for text != "" {
		end := strings.IndexByte(text, '?')
		if end < 0 {
			break
		}
		b.WriteString(v.cutChoices(text[:end], or, other))
		b.WriteByte('?')
		text = text[end+1:]
	}
	return b.String() + text
}

// cutChoices cuts the list behind the last colon of a question.
func (v *voice) cutChoices(question, or, other string) string {
	colon := strings.LastIndex(question, ": ")
	if colon < 0 || strings.ContainsAny(question[colon:], ".!¿(\"«") {
		return question
	}
	items := strings.Split(question[colon+2:], ", ")
	before, last, ok := strings.Cut(items[len(items)-1], or)
	if !ok || len(items) < mostChoices {
		return question
	}
	items = append(items[:len(items)-1], before, last)
	for _, item := range items {
		if len(item) > 80 || v.tellsTime(item) {
			return question
		}
	}
	return question[:colon+2] + strings.Join(items[:mostChoices], ", ") + " " + other
}

// tellsTime says whether an item names a day: it has commas of its own then.
func (v *voice) tellsTime(item string) bool {
	for word := range strings.FieldsSeq(item) {
		if v.weekdays[language.Fold(strings.Trim(word, ",."))] {
			return true
		}
	}
	return false
}
