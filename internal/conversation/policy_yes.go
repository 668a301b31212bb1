package conversation

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// plainYes says whether a yes to a read-back is one without an "if" or a "but".
// What is written down must be what was agreed to: whoever says yes and more is
// asked what to change.
func (t *turn) plainYes() bool {
	h := t.heard
	if !h.Yes || doubtfulYes.MatchString(h.Text) {
		return false
	}
	text := h.Text
	if h.Question != "" {
		text = strings.Replace(text, h.Question, " ", 1)
	}
	words := plainWords(text)
	for i, w := range words {
		if spoken("reservations")[w] || w == "si" && i > 0 && i+2 < len(words) {
			return false
		}
	}
	if t.s.Task.Kind == Book || t.s.Task.Kind == Reschedule {
		return t.namesNothingNew(words)
	}
	return len(h.When.Mentions) == 0 && t.namesNothingNew(words) && t.agreesOnly(words)
}

// doubtfulYes is a yes that is a question.
var doubtfulYes = regexp.MustCompile(`(?i)^\W*(oh|ah|eh|ay|anda|really|de veras|en serio)?\W*(yes|yeah|s[ií]|ok|okay|vale|right)\W*\?`)

// namesNothingNew says whether every figure that was said stands in what was
// read back.
func (t *turn) namesNothingNew(words []string) bool {
	read := plainWords(t.s.LastSay)
	for _, w := range words {
		if !strings.ContainsFunc(w, unicode.IsDigit) {
			continue
		}
		if !slices.Contains(read, w) && !strings.Contains(strings.Join(read, ""), w) {
			return false
		}
	}
	return true
}

// agreesOnly says whether nothing was said beside the yes but what was read back
// and small words: enough for what cannot be undone, or cannot be changed by
// words.
func (t *turn) agreesOnly(words []string) bool {
	read := plainWords(t.s.LastSay)
	for _, w := range words {
		if spoken("agreeing")[w] || slices.Contains(read, w) || lexicon.Grammar("es", w) || lexicon.Grammar("en", w) || lexicon.Manners("es", w) || lexicon.Manners("en", w) {
			continue
		}
		return false
	}
	return true
}

// agreesByName says whether a name is none: "de acuerdo" said when a name was
// asked for.
func agreesByName(name string) bool {
	for _, w := range plainWords(name) {
		if !spoken("agreeing")[w] && w != "code" && w != "codigo" {
			return false
		}
	}
	return true
}

// plainWords are the words of a text, folded.
func plainWords(text string) []string {
	return strings.FieldsFunc(lexicon.Fold(strings.ToLower(text)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
