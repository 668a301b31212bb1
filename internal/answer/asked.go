package answer

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/language"
)

// FollowsUp says whether somebody who was answered goes on to ask the same of
// something else: "and a scale and polish?" after the price of an implant.
func (q *Inquiry) FollowsUp() bool {
	const most = 10 // words
	words := q.Tokens(q.Heard.Text)
	if len(words) > 0 { // what follows a comma tells why
		words = slices.DeleteFunc(slices.Clone(words), func(w language.Token) bool { return w.Clause != words[0].Clause })
	}
	if q.Topic == "" || q.Busy || len(words) > most || len(q.Heard.When.Mentions) > 0 || q.Heard.Phone != "" {
		return false
	}
	return q.Mix.Phrases("follows_up").In(words) && !q.asksItsOwn(words)
}

// asksItsOwn says whether a question that begins as a follow-up asks for something
// else than what was talked about: "and if it's my first time, what do I bring?"
func (q *Inquiry) asksItsOwn(words []language.Token) bool {
	if q.Mix.Phrases("asks_duty").In(words) || q.Mix.Phrases("asks_count").In(words) {
		return true
	}
	cost := q.CostAsked(q.Heard.Text)
	return cost != "" && cost != q.Topic && q.Topic != "price" && q.Topic != "duration"
}

// dietTold is what was told of what somebody must not or will not eat, beside a question
// for something that they can; "" when nothing was.
func (q *Inquiry) dietTold(question string) string {
	words := q.Tokens(q.Heard.Text)
	from, to, ok := q.Mix.Phrases("tells_diet").Find(words)
	if !ok || !q.has("asks_for_food", question) || q.has("tells_diet", question) {
		return ""
	}
	return q.Heard.Text[words[from].Start:words[to-1].End]
}

// WithMatter is the question for a price with what was told in the same breath, where it
// names nothing itself: "we're bringing the dog, is there anything to pay?"
func (q *Inquiry) WithMatter(question string) string {
	words := q.Tokens(question)
	from, to, ok := q.Mix.Phrases("asks_price").Find(words)
	if !ok || q.Busy || len(q.Heard.Notes)+len(q.Heard.Asides) == 0 {
		return question
	}
	if rest := question[:words[from].Start] + " " + question[words[to-1].End:]; len(q.matterOf(rest)) > 0 {
		return question
	}
	return q.Heard.Text
}

// PriceAsked is the question for a price at the end of what was said, where it was
// not heard as one, or only the last words of it: "I was thinking of a perm like how much
// are they".
func (q *Inquiry) PriceAsked() string {
	const most, few = 6, 2 // words
	h := q.Heard
	if q.Busy || len(h.Questions) > 1 || h.Question != "" && len(q.matterOf(h.Question)) > 0 {
		return ""
	}
	words := q.Tokens(h.Text)
	from, to, ok := q.Mix.Phrases("asks_price").Find(words)
	if !ok || len(words)-from > most && len(words)-to > few {
		return ""
	}
	return h.Text[words[from].Start:]
}
