package console

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/language"
)

// The bounds of an answer that somebody writes.
const (
	longestQuestion = 200  // characters: more is no question for a document
	longestAnswer   = 5000 // characters
	answerUndo      = time.Hour
)

// addAnswer writes a question and its answer down as a document of an agent: the
// receptionist answers with it as soon as it has been read.
func (c *Console) addAnswer(v *visit, agent frontdesk.ID, question, answer string) (frontdesk.Document, error) {
	question, answer = strings.Join(strings.Fields(question), " "), strings.TrimSpace(answer)
	if n := utf8.RuneCountInString(question); !frontdesk.HasWords(question) || n > longestQuestion {
		return frontdesk.Document{}, frontdesk.InvalidParam("question", "The question must have words, and %d characters at most.", longestQuestion)
	}
	if n := utf8.RuneCountInString(answer); !frontdesk.HasWords(answer) || n > longestAnswer {
		return frontdesk.Document{}, frontdesk.InvalidParam("answer", "The answer must have words, and %d characters at most.", longestAnswer)
	}
	n := knowledge.NewDocument{Title: question, Filename: answerFile(question), AgentID: agent}
	text := fmt.Sprintf("# %s\n\n%s\n", asQuestion(question), answer)
	received, err := c.library.Receive(v.Context(), v.owner(), n, strings.NewReader(text), v.tenant.Plan.MaxDocumentBytes)
	if err != nil {
		return frontdesk.Document{}, err
	}
	d, _, err := c.library.Add(v.Context(), v.owner(), v.person.Actor(), received, v.tenant.Plan)
	return d, err
}

// asQuestion is a question as documents have them: what a caller says often ends
// as a statement does, and a heading without the mark would be a mere title.
func asQuestion(text string) string {
	text = strings.TrimLeft(text, "# ")
	if strings.HasSuffix(text, "?") {
		return text
	}
	return strings.TrimRight(text, ".!…,;: ") + "?"
}

// answerFile is the name of the document's file.
func answerFile(question string) string {
	words := strings.FieldsFunc(language.Fold(question), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return frontdesk.Clip(strings.Join(words, "-"), 60) + ".md"
}

// undoAnswer takes an answer back that was given just now. What is older is a
// document like any other.
func (c *Console) undoAnswer(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	id, err := v.pathID("document")
	if err != nil {
		return answer{}, err
	}
	d, err := c.store.Document(v.Context(), v.owner(), id)
	if err != nil {
		return answer{}, err
	}
	if d.Kind != frontdesk.Markdown || c.now().Sub(d.CreatedAt) > answerUndo {
		return answer{}, frontdesk.Missing("document")
	}
	if err := c.library.Delete(v.Context(), v.owner(), v.person.Actor(), id); err != nil {
		return answer{}, err
	}
	return v.done(v.back("today"), said{Text: v.say("answer_undone")}), nil
}
