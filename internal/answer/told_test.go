package answer_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// within is a talk in which a question was asked at the end of what was told.
func within(told, question string) answer.Talk {
	return answer.Talk{Heard: hearing.Gist{Text: told, Question: question, Questions: []string{question}, Intents: []hearing.Intent{hearing.Ask}}}
}

func TestAnswersWhatWasTold(t *testing.T) {
	t.Parallel()
	lines := []string{
		"Paying. By card or in vouchers. We do not take foreign coins.",
		"What we do not do. Tandems and unicycles. For unicycles we send people to Ringmaster.",
		"Waiting. There is a bench outside.",
	}
	tests := map[string]struct {
		talk answer.Talk
		want string
	}{
		"a no is of what was told before the question": {
			within("my unicycle has a bent fork, would you take that on", "would you take that on"),
			"What we do not do. Tandems and unicycles. For unicycles we send people to Ringmaster.",
		},
		"and not of what is told behind it": {
			within("do you fix tandems mine was left on a bench", "do you fix tandems mine was left on a bench"),
			"What we do not do. Tandems and unicycles. For unicycles we send people to Ringmaster.",
		},
		"who may not pay so is told how": {
			asking("do you take foreign coins"),
			"By card or in vouchers. We do not take foreign coins.",
		},
		"a rule of the house is known by other words": {
			asking("how long is a wheel kept that nobody collects"),
			"A wheel that nobody collects is kept for ninety days.",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := inquiry(t, tt.talk, lines...).Find(tt.talk.Heard.Question)
			if err != nil || a.Text != tt.want {
				t.Errorf("got %q, %v\nwant %q", a.Text, err, tt.want)
			}
		})
	}
}
