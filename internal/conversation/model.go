package conversation

import (
	"context"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
)

// callerLine begins the lines of a conversation that the caller said.
const callerLine = "caller: "

// listen is hearing.Hear, and what a model adds to it where there is one. Both
// make commands; which of them count is decided in one place, merge. A model
// that fails, or is late, changes nothing.
//
//	Hear -> worth asking? -> Model.Fill -> claims -> each checked -> merge -> Heard
func (e *Engine) listen(ctx context.Context, text string, s Setting, st State) hearing.Heard {
	h := hearing.Hear(text, s)
	if e.model == nil || !worthAsking(h, s) {
		return h
	}
	goods := goodsOf(s.Catalogue)
	lines := slices.Concat(lastLines(st.Lines), []string{callerLine + h.Text})
	filled, err := e.model.Fill(ctx, e.instructions(s, st, goods), lines, commandSchema(goods))
	if err != nil {
		return h // whoever asked the model has written down why
	}
	claims, ok := readClaims(filled)
	if !ok {
		return h
	}
	c := checker{setting: s, state: st, goods: goods, text: h.Text, rules: h.Commands, earlier: ofCaller(st.Lines)}
	h.Commands = merger{text: h.Text, expect: s.Expect, state: st, rules: h.Commands, model: c.check(claims)}.merge()
	if h.Language == "" {
		h.Language = c.language(claims)
	}
	return h
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

// worthAsking says whether a model may have something to add. It costs the
// caller a wait, so it is not asked about a word or two that the rules have
// understood, and what the rules have refused it is not asked to reconsider.
func worthAsking(h hearing.Heard, s Setting) bool {
	const plain = 2 // words of an answer that leaves nothing open
	words := len(language.Tokenize(h.Text))
	does := func(verbs ...hearing.Verb) bool {
		return slices.ContainsFunc(h.Commands, func(c hearing.Command) bool { return slices.Contains(verbs, c.Do) })
	}
	switch {
	case words == 0, does(hearing.DoAbuse, hearing.DoMeddle, hearing.DoOthers):
		return false
	case slices.ContainsFunc(h.Commands, func(c hearing.Command) bool { return c.Unsure }):
		return true
	case s.Expect == SlotPhone && does(hearing.DoSet) && spells(h.Text):
		return false
	}
	return len(h.Commands) == 0 || words > plain || s.Expect == SlotChoice && !does(hearing.DoChoose, hearing.DoYes, hearing.DoNo)
}

// spells says whether a text is written in figures alone.
func spells(text string) bool {
	return !slices.ContainsFunc(language.Tokenize(text), func(t language.Token) bool { return !t.Figures })
}
