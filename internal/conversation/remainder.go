package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// takeRemainder takes what is said beside the answer to the read-back of a message: it
// belongs to the message, whole and whatever it speaks of, and is read back with it.
// "Yes, but tell him it was on Tuesday" books nothing on Tuesday. A booking that is asked
// for beside a yes comes after the message.
func (t messages) takeRemainder() {
	h, task := &t.heard, &t.s.Task
	if task.Kind != Leave || t.s.Expect != SlotConfirm || task.About == "" || h.Phone+h.BadPhone+h.Email+h.Name != "" {
		return
	}
	words := t.tokens(h.Text)
	rest := t.afterAnswer(words)
	if len(rest) == 0 || !t.addsToMessage(words, rest) {
		return
	}
	answer, beside := h.Text[:rest[0].Start], h.Text[rest[0].Start:]
	if t.wishesBeside(rest) {
		t.bookAfter(answer)
		return
	}
	text := frontdesk.Clip(beside, longestAbout)
	if !says(task.About, text) && len(task.About) <= frontdesk.MaxNotes {
		task.About += "\n" + text
		t.s.Notes = strings.TrimPrefix(t.s.Notes+"\n"+text, "\n")
	}
	h.Yes, h.No, h.Waits, h.DontKnow, h.AnyTime, h.Choice, h.Party = false, false, false, false, false, 0, 0
	h.Notes, h.Asides, h.Messages, h.Services, h.Unbookable, h.Question, h.Questions = nil, nil, nil, nil, nil, "", nil
	h.When, h.Text = dates.Reading{}, answer
	h.Intents = slices.DeleteFunc(h.Intents, func(i Intent) bool { return i != Thanks })
	t.changed = true
}

// afterAnswer is what is said behind the words that answer the read-back.
func (t messages) afterAnswer(words []language.Token) []language.Token {
	from := 0
	for from < len(words) {
		skip := false
		for _, list := range []string{"agreeing", "fillers", "conjunctions", "bare_no"} {
			skip = skip || t.mix.Words(list)[words[from].Word]
		}
		if !skip && !t.mix.Phrases("but").In(words[from:from+1]) {
			break
		}
		from++
	}
	for back := 2; back > 0; back-- { // "it is a purse" begins like "it is right"
		if from >= back && from < len(words) && t.mix.Phrases("tells_rather").In(words[from-back:from+1]) {
			return words[from-back:]
		}
	}
	return words[from:]
}

// addsToMessage says whether what stands behind the answer adds something: it tells
// something, and neither asks nor says which part of what was read is wrong.
func (t messages) addsToMessage(words, rest []language.Token) bool {
	h := t.heard
	agrees := t.mix.Phrases("yes_starts").In(words[:1]) || t.mix.Words("agreeing")[words[0].Word]
	tells := t.mix.Phrases("leaves_word").In(rest) || t.mix.Words("tells")[rest[0].Word] || t.mix.Words("note_leads")[rest[0].Word] ||
		t.mix.Words("tells_that")[rest[0].Word] && !strings.Contains(h.Text, "?") // what is to be done, and no question
	brings := len(h.Notes)+len(h.Asides)+len(h.Messages)+len(h.When.Mentions)+len(h.Services) > 0
	n := len(h.When.Mentions)
	for _, w := range rest {
		if len(w.Word) > 2 && !passage.Small(w.Word) && !t.mix.Words("fillers")[w.Word] && !t.mix.Words("agreeing")[w.Word] {
			n++
		}
	}
	switch {
	case n == 0, h.Has(Restart), h.Has(Goodbye), h.Has(Repeat), h.Question != "" && !tells:
		return false
	case t.consent().slotNamed() != "" && n <= mostBesideNo:
		return false
	case !agrees:
		return h.No && t.mix.Phrases("tells_rather").In(rest)
	}
	return !h.Yes && !h.Waits || brings
}

// wishesBeside says whether an appointment is asked for beside the answer.
func (t messages) wishesBeside(rest []language.Token) bool {
	h := t.heard
	if !h.Has(Book) || len(h.Services) != 1 || h.UnsureService || t.mix.Words("tells")[rest[0].Word] || t.mix.Phrases("leaves_word").In(rest) {
		return false
	}
	return t.mix.Phrases("books_outright").In(rest) || t.namesDay() && (t.mix.Phrases("want").In(rest) || t.mix.Phrases("book").In(rest))
}

// bookAfter keeps an appointment that was asked for until the message is written down,
// which was agreed to with answer.
func (t messages) bookAfter(answer string) {
	h, task, choices, expect := t.heard, t.s.Task, t.s.Choices, t.s.Expect
	wish, _ := t.arrangement().taskOf()
	t.s.Task, t.s.Choices, t.s.Expect = task, choices, expect
	if len(t.s.Queue) < mostQueued {
		t.s.Queue = append(t.s.Queue, wish)
	}
	t.heard = Gist{Text: answer, Language: h.Language, Yes: true}
}
