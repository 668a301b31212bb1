package conversation

import (
	"maps"
	"slices"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// takeVariant takes another variant of the service that stands, named by what is
// its own: of "table indoors" and "table on the terrace" who says terrace means the
// second, whatever they tell beside. What is named in a reason, asked about or
// refused is not taken.
func (t values) takeVariant() bool {
	task, h := &t.s.Task, t.heard
	if task.Service == "" || h.Question != "" || h.Phone+h.Name+h.Email != "" || t.s.Expect == SlotService || t.s.Expect == SlotChoice || t.s.Expect == Nothing {
		return false
	}
	words, now := t.tokens(t.heard.Text), t.booking().service()
	var named []catalogue.Service
	for _, s := range t.bookable {
		own := variantWords(s, now)
		if len(own) > 0 && slices.ContainsFunc(words, func(w language.Token) bool { return own[w.Word] && t.wanted(words, w) }) {
			named = append(named, s)
		}
	}
	if len(named) != 1 {
		return false
	}
	task.Service = named[0].ID
	own := variantWords(named[0], now)
	drop := func(note string) bool { // it is no wish beside
		said := t.tokens(note)
		return len(said) <= mostOfVariant && slices.ContainsFunc(said, func(w language.Token) bool { return own[w.Word] })
	}
	task.Notes, task.Asides = slices.DeleteFunc(task.Notes, drop), slices.DeleteFunc(task.Asides, drop)
	return true
}

// mostOfVariant is how many words a note has that only names a variant.
const mostOfVariant = 6

// variantWords are the words of a service that tell it from another of the same
// kind: those that stand beside the word which both names have, and those that it
// is called by alone. There are none when the two are of different kinds.
func variantWords(s, other catalogue.Service) map[string]bool {
	theirs := passage.NameWords(other.AllNames())
	kind := passage.NameWords(s.AllNames())
	maps.DeleteFunc(kind, func(w string, _ bool) bool { return !theirs[w] })
	if s.ID == other.ID || len(kind) == 0 {
		return nil
	}
	own := map[string]bool{}
	for _, name := range slices.Concat(s.AllNames(), s.Aliases) {
		words := passage.NameWords([]string{name})
		if len(words) > 1 && !slices.ContainsFunc(slices.Collect(maps.Keys(words)), func(w string) bool { return kind[w] }) {
			continue
		}
		for w := range words {
			if !kind[w] && !theirs[w] {
				own[w] = true
			}
		}
	}
	return own
}

// wanted says whether a word stands where something is wanted: in no clause that
// tells why, and with no "no" shortly before it, unless that is the condition for
// coming at all ("if it is not outside, forget it").
func (t values) wanted(words []language.Token, w language.Token) bool {
	const near = 3 // words
	if slices.ContainsFunc(t.heard.When.Mentions, func(m dates.Mention) bool { return m.Start <= w.Start && w.End <= m.End }) {
		return false // "two in the afternoon" is no double lesson
	}
	i := slices.IndexFunc(words, func(o language.Token) bool { return o.Start == w.Start })
	reasons, negations, ifs := spoken("reason_words"), spoken("negations"), spoken("ifs")
	denied, conditional := false, false
	for k := i - 1; k >= 0 && words[k].Clause == w.Clause; k-- {
		if k > 0 && reasons[words[k].Word] && i-k > 1 && !t.mix.Phrases("want").In(words[max(0, k-1):i]) && words[k-1].Clause == w.Clause {
			return false
		}
		denied = denied || i-k <= near && negations[words[k].Word]
		conditional = conditional || ifs[words[k].Word]
	}
	return !denied || conditional
}
