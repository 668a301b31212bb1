package answer_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/wire"
)

const bicycles = `{"slug":"spokes","vertical":"services","display_name":"Spokes","languages":["en"],"config":{
	"business":{"name":"Spokes"},
	"policy":"A wheel that nobody collects is kept for ninety days. Pedals are not exchanged.",
	"services":[
		{"id":"tune","name":"Tune-up","price":"45 €","duration_minutes":60,"description":"Brakes and gears are set. The chain is included. It is done by Marta."},
		{"id":"true","name":"Wheel truing","price":"20 €","duration_minutes":30}]}}`

// inquiry is a question to a repairer of bicycles in whose documents these lines are
// found, none of which answers anything by itself.
func inquiry(t *testing.T, talk answer.Talk, lines ...string) *answer.Inquiry {
	t.Helper()
	file, err := wire.DecodeAgentFile([]byte(bicycles))
	if err != nil {
		t.Fatal(err)
	}
	agent, err := file.Agent()
	if err != nil {
		t.Fatal(err)
	}
	talk.Lang, talk.Now = "en", time.Date(2026, time.March, 4, 11, 0, 0, 0, time.UTC)
	written := func(question string) (frontdesk.Answer, error) {
		a := frontdesk.Answer{Question: question}
		if text := strings.Join(lines, "\n"); text != "" {
			a.Hits = []frontdesk.AnswerHit{{Fragment: frontdesk.Fragment{Text: text}}}
		}
		return a, nil
	}
	return &answer.Inquiry{
		Sources: &answer.Sources{Catalogue: catalogue.Read(agent), Mix: language.MixOf(), Policy: agent.Config.Policy, Written: written},
		Talk:    talk,
	}
}

// asking is a talk in which nothing was said but a question.
func asking(question string, more ...func(*answer.Talk)) answer.Talk {
	talk := answer.Talk{Heard: hearing.Gist{Text: question, Question: question, Intents: []hearing.Intent{hearing.Ask}}}
	for _, m := range more {
		m(&talk)
	}
	return talk
}

func priced(id string) func(*answer.Talk) {
	return func(talk *answer.Talk) { talk.Topic, talk.Priced = "price", id }
}

func about(ids ...string) func(*answer.Talk) {
	return func(talk *answer.Talk) { talk.About = ids }
}

func TestWhatIsTalkedAbout(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		talk answer.Talk
		want string
	}{
		"nothing at first":                            {answer.Talk{}, ""},
		"the last that was named":                     {asking("", about("tune", "true")), "true"},
		"rather the one whose price was asked":        {asking("", about("true"), priced("tune")), "tune"},
		"and first of all the one that is arranged":   {asking("", priced("tune"), func(talk *answer.Talk) { talk.Arranging = catalogue.Service{ID: "true"} }), "true"},
		"a service that there is no more is not":      {asking("", about("gone")), ""},
		"a price asked before another topic is stale": {asking("", priced("tune"), func(talk *answer.Talk) { talk.Topic = "hours" }), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, _ := inquiry(t, tt.talk).Subject(); got.ID != tt.want {
				t.Errorf("got %q, want %q", got.ID, tt.want)
			}
		})
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		question string
		more     []func(*answer.Talk)
		written  []string
		want     answer.Answer // its text is a part of what is found
	}{
		"what the catalogue is certain of": {
			"how much is a tune-up?", nil, nil,
			answer.Answer{Text: "45", Topic: "price", Service: "tune", Sure: true},
		},
		"the same of another service": {
			"and the wheel truing?",
			[]func(*answer.Talk){priced("tune")},
			nil,
			answer.Answer{Text: "20", Topic: "price", Service: "true", Sure: true},
		},
		"a rule of the house": {
			"for how many days is a wheel kept?", nil, nil,
			answer.Answer{Text: "kept for ninety days", From: answer.Passage},
		},
		"a no that is written": {
			"do you repair scooters?", nil,
			[]string{"We do not repair scooters. The shop at the harbour does.", "The shop is at the back of the yard."},
			answer.Answer{Text: "do not repair scooters", From: answer.Passage},
		},
		"nothing where nothing speaks of it": {
			"is there a swimming pool?", nil,
			[]string{"The shop is at the back of the yard."},
			answer.Answer{},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := inquiry(t, asking(tt.question, tt.more...), tt.written...).Find(tt.question)
			if err != nil {
				t.Fatal(err)
			}
			if got.Found() != tt.want.Found() || !strings.Contains(got.Text, tt.want.Text) {
				t.Errorf("said %q, want %q in it", got.Text, tt.want.Text)
			}
			got.Text, tt.want.Text = "", ""
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestDocumentsThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	ask := func(question string) (answer.Answer, error) {
		q := inquiry(t, asking(question))
		q.Written = func(string) (frontdesk.Answer, error) { return frontdesk.Answer{}, down }
		return q.Find(question)
	}
	if a, err := ask("is there a swimming pool?"); !errors.Is(err, down) || a.Found() {
		t.Errorf("got %q, %v", a.Text, err)
	}
	if a, err := ask("how much is a tune-up?"); err != nil || !a.Found() {
		t.Errorf("what the catalogue knows is not said: %q, %v", a.Text, err)
	}
}

func TestSubjects(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"is the chain included?": "The chain is included.",
		"who does it?":           "It is done by Marta.",
		"is lunch included?":     "",
	} {
		t.Run(question, func(t *testing.T) {
			t.Parallel()
			q := inquiry(t, asking(question, about("tune")))
			got := q.Subjects().Included(question)
			if !got.Found() {
				got = q.Subjects().Fact(question)
			}
			if got.Text != want {
				t.Errorf("said %q, want %q", got.Text, want)
			}
		})
	}
}

func TestEachQuestionIsLookedUpOnce(t *testing.T) {
	t.Parallel()
	asked := 0
	src := answer.Sources{Written: func(string) (frontdesk.Answer, error) {
		asked++
		if asked == 1 {
			return frontdesk.Answer{}, errors.New("down")
		}
		return frontdesk.Answer{Text: "yes"}, nil
	}}
	if _, err := src.LookUp("are you there?"); err == nil {
		t.Error("the documents were down, and that was not told")
	}
	for range 3 {
		if a, err := src.LookUp("are you there?"); err != nil || a.Text != "yes" {
			t.Errorf("got %q, %v", a.Text, err)
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

func TestAdviceOn(t *testing.T) {
	t.Parallel()
	said := frontdesk.Answer{Hits: []frontdesk.AnswerHit{{Title: "Emergencies", Fragment: frontdesk.Fragment{Text: strings.Join([]string{
		"If the brakes fail on the road: get off the bicycle and walk it to us.",
		"If a tyre bursts on the way: call the van, which comes within the hour.",
		"When we are closed: the garage at the station keeps a key to the yard.",
	}, "\n")}}}}
	for name, tt := range map[string]struct {
		told  string
		open  bool
		parts []string
		signs int
	}{
		"the line that has what was told":       {"my tyre has just burst", true, []string{"call the van"}, 2},
		"with what holds while it is closed":    {"my tyre has just burst", false, []string{"call the van", "garage at the station"}, 2},
		"none of several without a word of any": {"the lamp is dim", true, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := inquiry(t, answer.Talk{}).AdviceOn(tt.told, tt.open, said)
			if got.Signs != tt.signs || len(tt.parts) == 0 && got.Text != "" {
				t.Errorf("got %+v", got)
			}
			for _, part := range tt.parts {
				if !strings.Contains(got.Text, part) {
					t.Errorf("%q is not in %q", part, got.Text)
				}
			}
		})
	}
}

func TestAnAnswerNamesItsDocuments(t *testing.T) {
	t.Parallel()
	hit := func(id frontdesk.ID, title string, used bool) frontdesk.AnswerHit {
		return frontdesk.AnswerHit{Fragment: frontdesk.Fragment{DocumentID: id, Text: "Dogs may come in."}, Title: title, Used: used}
	}
	found := frontdesk.Answer{
		Answered: true, Text: "Dogs may come in.", Language: "en", MatchPct: 90,
		Hits: []frontdesk.AnswerHit{hit("1", "House", true), hit("2", "Prices", false), hit("1", "House", true), hit("3", "Garden", true)},
	}
	want := []answer.Source{{ID: "1", Title: "House"}, {ID: "3", Title: "Garden"}}
	if got := answer.Of(found, "en").Sources; !reflect.DeepEqual(got, want) {
		t.Errorf("it is from %v, want %v", got, want)
	}
	found.Answered = false
	if got := answer.Of(found, "en").Sources; got != nil {
		t.Errorf("no answer is from %v", got)
	}
}
