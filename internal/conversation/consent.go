package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// plainYes says whether a yes to a read-back is one to all that was read, and to
// nothing else. Hearing lets no yes pass that hangs on a condition, a question
// or a change; here it is held against what was read.
func (t arrangement) plainYes() bool {
	if !t.heard.Yes || !t.namesNothingNew() || t.reserves() {
		return false
	}
	return t.s.Task.Kind != Cancel || len(t.heard.When.Mentions)+len(t.heard.Notes) == 0 // it cannot be undone
}

// reserves says whether a word beside the yes, and beside what was noted, takes
// something back: "yes, keep the old one".
func (t arrangement) reserves() bool {
	noted := language.Set{}
	for _, w := range language.Tokenize(strings.Join(slices.Concat(t.heard.Notes, t.heard.Asides), " ")) {
		noted[w.Word] = true
	}
	reserved, keeping := spoken("reservations"), spoken("keeping")
	return slices.ContainsFunc(t.mix.Tokens(t.heard.Text), func(w language.Token) bool {
		return keeping[w.Word] || reserved[w.Word] && !noted[w.Word]
	})
}

// namesNothingNew says whether every figure that was said beside a note stands in
// what was read back.
func (t arrangement) namesNothingNew() bool {
	known := strings.Join(slices.Concat([]string{t.s.LastSay}, t.heard.Notes, t.heard.Asides), " ")
	read := language.Tokenize(known)
	digits := figures(known)
	for _, w := range language.Tokenize(t.heard.Text) {
		if w.Figures && !slices.ContainsFunc(read, func(r language.Token) bool { return r.Word == w.Word }) && !strings.Contains(digits, w.Word) {
			return false
		}
	}
	return true
}

// agreesByName says whether a name is none: "de acuerdo" said when a name was
// asked for.
func agreesByName(name string) bool {
	agreeing := spoken("agreeing")
	return !slices.ContainsFunc(language.Tokenize(name), func(w language.Token) bool { return !agreeing[w.Word] })
}
