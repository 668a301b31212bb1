package conversation

import (
	"context"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// callerLine begins the lines of a conversation that the caller said.
const callerLine = "caller: "

// listen is Hear, and what a model adds to it where there is one. The rules
// come first and win; a model that fails, or is late, changes nothing.
//
//	Hear -> enough? -> Model.Fill -> form -> each field on trial -> Gist
//
// said are the lines before this one, oldest first, each beginning with who
// said it.
func (e *Engine) listen(ctx context.Context, text string, s Setting, said []string) (Gist, [][]hearing.Command) {
	heard := hearing.Hear(text, s)
	_, further := hearing.Wishes(heard.Commands)
	h := heard.Gist()
	if e.model == nil || enough(h, s) {
		return h, further
	}
	menu := menuOf(s.Catalogue)
	filled, err := e.model.Fill(ctx, instructions(s, menu), slices.Concat(lastLines(said), []string{callerLine + h.Text}), formSchema(menu))
	if err != nil {
		return h, further // whoever asked the model has written down why
	}
	f, ok := readForm(filled)
	if !ok {
		return h, further
	}
	t := trial{Gist: h, setting: s, menu: menu, form: f, earlier: ofCaller(said)}
	return t.add(), further
}

// ofCaller are the caller's own among the last lines.
func ofCaller(said []string) []string {
	const most = 2
	var own []string
	for _, line := range said {
		if words, ok := strings.CutPrefix(line, callerLine); ok {
			own = append(own, words)
		}
	}
	return own[max(0, len(own)-most):]
}

// enough says whether a model has nothing to add: it would cost the caller a
// wait. What the rules have refused, a model is not asked to reconsider.
func enough(h Gist, s Setting) bool {
	words := len(foldedWords(h.Text))
	switch {
	case words == 0, h.Has(Abuse), h.Has(Meddle), h.Has(Others), h.Has(Human), h.Has(Repeat):
		return true
	case s.Expect == SlotConfirm && h.Yes:
		return true
	case slices.Equal(h.Intents, []Intent{Ask}):
		return words-len(foldedWords(h.Question)) <= 3 // all of it is the question
	case len(h.Intents) > 0 && !slices.ContainsFunc(h.Intents, arranges):
		return words <= 4 && h.Question == "" // "hello", "thanks, bye"
	}
	return answers(h, s) && words <= 6
}

// arranges says whether an intent leads further than a courtesy.
func arranges(i Intent) bool { return i != Greet && i != Thanks && i != Goodbye && i != Restart }

// answers says whether the rules have heard an answer to what was asked.
func answers(h Gist, s Setting) bool {
	if h.Yes || h.No || h.Choice != 0 || h.AnyTime || h.DontKnow || h.Self {
		return true
	}
	_, day := h.When.Day()
	_, time := h.When.Time()
	switch s.Expect {
	case SlotService:
		return len(h.Services) == 1
	case SlotDate:
		return day
	case SlotTime:
		return time
	case SlotChoice:
		return day || time || len(h.Services) == 1
	case SlotPartySize:
		return h.Party > 0
	case SlotName:
		return h.Name != ""
	case SlotPhone:
		return h.Phone != ""
	case SlotEmail:
		return h.Email != ""
	case SlotCode:
		return h.Code != "" || h.Phone != ""
	}
	return false
}
