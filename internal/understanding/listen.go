// Package understanding makes of a caller's line the commands that count: those
// that the rules hear and, where there is a language model, those that it adds.
//
//	hearing.Hear -> worth asking? -> prompt, schema -> Model.Fill -> claims -> check -> merge -> commands
//
// The model is asked for the commands that the rules make, under a strict schema.
// What it answers is a stranger's JSON: each claim is held against the caller's
// words and the business's data, and one place, merge, weighs what stands against
// what the rules have heard. A model that fails, lies or is late changes nothing,
// and a yes of its own never counts.
//
// The package does not know what is done about a command, what is said to the
// caller, nor which vendor the model comes from. It keeps nothing from one line to
// the next: what a line refers to comes with it as a Background.
package understanding

import (
	"context"
	"encoding/json"
	"slices"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
)

// Model is a language model that fills in a form. It is given instructions, the
// last lines of the conversation and the JSON schema of the form, and returns
// the form filled in. What comes back is a stranger's JSON.
type Model interface {
	Fill(ctx context.Context, instructions string, said []string, schema json.RawMessage) (json.RawMessage, error)
}

// Listener understands what the callers of one business say. Its zero value
// listens by rules alone.
type Listener struct {
	Model Model           // nil: rules alone
	Rules frontdesk.Rules // the business's own
	Extra string          // what the business asks to keep in mind
}

// Background is what a line is understood against, beside its setting: what is
// being arranged and for whom, and what was said before.
type Background struct {
	Task    hearing.Intent // "": nothing is being arranged
	Service string         // id
	Date    dates.Date
	Clock   dates.Clock
	Timed   bool // Clock is the time
	Party   int
	Own     frontdesk.LocalTime // of the caller's appointment that this is about; "": none

	Name, Phone, Email string // of the caller

	AskedForMore bool     // whether there is anything else was asked last
	Lines        []string // the last ones, as CallerLine and ReceptionistLine make them
}

// Listen is hearing.Hear, and what a model adds to it where there is one. Both
// make commands; which of them count is decided in one place, merge.
func (l Listener) Listen(ctx context.Context, text string, s hearing.Setting, b Background) hearing.Heard {
	h := hearing.Hear(text, s)
	if l.Model == nil || !worthAsking(h, s) {
		return h
	}
	goods := goodsOf(s.Catalogue)
	lines := slices.Concat(LastLines(b.Lines), []string{CallerLine(h.Text)})
	filled, err := l.Model.Fill(ctx, l.instructions(s, b, goods), lines, commandSchema(goods))
	if err != nil {
		return h // whoever asked the model has written down why
	}
	claims, ok := readClaims(filled)
	if !ok {
		return h
	}
	c := checker{setting: s, background: b, goods: goods, text: h.Text, rules: h.Commands, earlier: ofCaller(b.Lines)}
	h.Commands = merger{text: h.Text, expect: s.Expect, background: b, rules: h.Commands, model: c.check(claims)}.merge()
	if h.Language == "" {
		h.Language = c.language(claims)
	}
	return h
}

// worthAsking says whether a model may have something to add. It costs the
// caller a wait, so it is not asked about a word or two that the rules have
// understood, and what the rules have refused it is not asked to reconsider.
func worthAsking(h hearing.Heard, s hearing.Setting) bool {
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
	case s.Expect == hearing.SlotPhone && does(hearing.DoSet) && spells(h.Text):
		return false
	}
	return len(h.Commands) == 0 || words > plain || s.Expect == hearing.SlotChoice && !does(hearing.DoChoose, hearing.DoYes, hearing.DoNo)
}

// spells says whether a text is written in figures alone.
func spells(text string) bool {
	return !slices.ContainsFunc(language.Tokenize(text), func(t language.Token) bool { return !t.Figures })
}
