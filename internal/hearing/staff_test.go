package hearing_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// Who works here is asked, or somebody who works here is to be booked: a question is no
// wish, and a wish is no question.
func TestQuestionsOfTheBookAndWishes(t *testing.T) {
	t.Parallel()
	agent := frontdesk.Agent{Slug: "a", Timezone: "Europe/London", Languages: []string{"en", "es"}}
	agent.Settings.Calendar.Resources = []frontdesk.Resource{{ID: "ana", Name: "Ana", Kind: frontdesk.PersonKind}, {ID: "lowe", Name: "Dr Lowe", Kind: frontdesk.PersonKind}}
	week := frontdesk.Week{0: {{From: 540, To: 1020}}, 3: {{From: 540, To: 1020}}}
	agent.Settings.Calendar.Openings = &week
	setting := hearing.Setting{Now: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), Catalogue: catalogue.Read(agent), Region: "GB"}
	for said, want := range map[string]struct {
		lang   string
		intent hearing.Intent
	}{
		"who works on Thursday?":                    {"en", hearing.Ask},
		"who's in on Monday":                        {"en", hearing.Ask},
		"is Ana in today?":                          {"en", hearing.Ask},
		"does Dr Lowe work Mondays":                 {"en", hearing.Ask},
		"do you work weekends?":                     {"en", hearing.Ask},
		"what days is Ana there":                    {"en", hearing.Ask},
		"¿qué días trabaja Ana?":                    {"es", hearing.Ask},
		"¿está Ana el jueves?":                      {"es", hearing.Ask},
		"hoy cerráis a qué hora":                    {"es", hearing.Ask},
		"can you do the 26th?":                      {"en", hearing.Book},
		"have you got anything with Ana on Monday?": {"en", hearing.Book},
		"can Dr Lowe see me on Thursday?":           {"en", hearing.Book},
		"¿tenéis hueco con Ana el lunes?":           {"es", hearing.Book},
		"is Ana there?":                             {"en", hearing.Human},
	} {
		setting.Language = want.lang
		got := hearing.Hear(said, setting).Gist()
		if len(got.Intents) == 0 || got.Intents[0] != want.intent {
			t.Errorf("%s: %v, want %s", said, got.Intents, want.intent)
		}
	}
}
