package conversation

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// sources is what answers are taken from in this turn.
func (t *turn) sources() *answer.Sources {
	if t.answers == nil {
		t.answers = &answer.Sources{
			Catalogue: t.catalogue, Mix: t.mix, Policy: t.agent.Config.Policy,
			Written: func(question string) (frontdesk.Answer, error) { return t.desk.Answer(t.ctx, question) },
		}
	}
	return t.answers
}

// tokens are the words of a text, which are not to be changed.
func (t *turn) tokens(text string) []language.Token { return t.sources().Tokens(text) }

// lookUp asks the documents.
func (t *turn) lookUp(question string) (frontdesk.Answer, error) { return t.sources().LookUp(question) }

// inquiry is something that is asked now, with what was talked about so far.
func (t *turn) inquiry() *answer.Inquiry {
	q := t.questions()
	return &answer.Inquiry{Sources: t.sources(), Talk: answer.Talk{
		Lang: t.s.Lang, Now: t.now, Heard: t.heard,
		Busy: t.s.Task.Kind != "", Arranging: t.booking().service(), Focus: q.focus(),
		Topic: t.s.Topic, Priced: t.s.Priced, Listing: t.s.Listing, About: t.s.Subjects,
		LastAsked: q.lastQuestion(), LastAnswered: q.last(Answered),
	}}
}

// lastQuestion is what was asked last, answered or not.
func (t questions) lastQuestion() string {
	for i := len(t.s.Log) - 1; i >= 0; i-- {
		if k := t.s.Log[i].Kind; k == Answered || k == Unanswered {
			return t.s.Log[i].Text
		}
	}
	return ""
}

// talkAbout remembers the service that a text is about.
func (t questions) talkAbout(text string) {
	if id := t.inquiry().Named(text); id != "" {
		t.remember(id)
	}
}

// talkOf remembers the service that somebody names while nothing is arranged: "how
// much is that?" asks for its price.
func (t questions) talkOf() {
	if t.s.Task.Kind == "" && len(t.catalogue.Listings) == 0 {
		t.talkAbout(t.heard.Text)
	}
}

// mostSubjects is how many services are remembered to be talked about.
const mostSubjects = 4

// remember keeps a service as the last that was talked about.
func (t questions) remember(id string) {
	t.s.Subjects = append(slices.DeleteFunc(t.s.Subjects, func(other string) bool { return other == id }), id)
	t.s.Subjects = t.s.Subjects[max(0, len(t.s.Subjects)-mostSubjects):]
}
