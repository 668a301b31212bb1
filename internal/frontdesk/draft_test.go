package frontdesk_test

import (
	"encoding/json"
	"slices"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestDraftOnto puts what a draft changes onto an agent that somebody else has
// changed meanwhile.
func TestDraftOnto(t *testing.T) {
	t.Parallel()
	type change = func(*frontdesk.Agent)
	services := func(text string) change {
		return func(a *frontdesk.Agent) { a.Config.Services = json.RawMessage(text) }
	}
	menu := func(text string) change {
		return func(a *frontdesk.Agent) { a.Config.Menu = json.RawMessage(text) }
	}
	serviceText := func(a frontdesk.Agent) string { return string(a.Config.Services) }
	menuText := func(a frontdesk.Agent) string { return string(a.Config.Menu) }
	monday := func(periods ...frontdesk.Period) change {
		return func(a *frontdesk.Agent) {
			week := frontdesk.WeekOf(*a.Config.Hours)
			week[0] = periods
			hull := week.Hull()
			a.Settings.Calendar.Openings, a.Config.Hours = &week, &hull
		}
	}
	tests := map[string]struct {
		mine, theirs change
		takeTheirs   []string
		of           func(frontdesk.Agent) string
		want         string
		collisions   []string
	}{
		"only mine":   {func(a *frontdesk.Agent) { a.Config.Policy = "mine" }, func(*frontdesk.Agent) {}, nil, func(a frontdesk.Agent) string { return a.Config.Policy }, "mine", nil},
		"only theirs": {func(*frontdesk.Agent) {}, func(a *frontdesk.Agent) { a.Config.Policy = "theirs" }, nil, func(a frontdesk.Agent) string { return a.Config.Policy }, "theirs", nil},
		"both, in different fields": {
			func(a *frontdesk.Agent) { a.Config.Policy = "mine" }, func(a *frontdesk.Agent) { a.Config.Specials = "theirs" }, nil,
			func(a frontdesk.Agent) string { return a.Config.Policy + a.Config.Specials }, "minetheirs", nil,
		},
		"both, the same": {
			func(a *frontdesk.Agent) { a.Config.Policy = "same" }, func(a *frontdesk.Agent) { a.Config.Policy = "same" }, nil,
			func(a frontdesk.Agent) string { return a.Config.Policy }, "same", nil,
		},
		"both, differently": {
			func(a *frontdesk.Agent) { a.Config.Policy = "mine" }, func(a *frontdesk.Agent) { a.Config.Policy = "theirs" }, nil,
			func(a frontdesk.Agent) string { return a.Config.Policy }, "mine",
			[]string{"config.policy"},
		},
		"both, and theirs is meant": {
			func(a *frontdesk.Agent) { a.Config.Policy = "mine" }, func(a *frontdesk.Agent) { a.Config.Policy = "theirs" },
			[]string{"config.policy"},
			func(a frontdesk.Agent) string { return a.Config.Policy }, "theirs",
			[]string{"config.policy"},
		},
		"what only the operator sets is never of a draft": {
			func(a *frontdesk.Agent) { a.Settings.TransferNumber = "+34600000000" }, func(a *frontdesk.Agent) { a.Settings.TransferNumber = "+34611111111" }, nil,
			func(a frontdesk.Agent) string { return a.Settings.TransferNumber }, "+34611111111", nil,
		},
		"different days": {
			monday(frontdesk.Period{From: 600, To: 840}), func(a *frontdesk.Agent) {
				hours := *a.Config.Hours
				hours[1] = frontdesk.Shift{}
				a.Config.Hours = &hours
			}, nil,
			func(a frontdesk.Agent) string {
				week := *a.Settings.Calendar.Openings
				return week[0][0].String() + " " + string(rune('0'+len(week[1]))) + string(rune('0'+len(week[2])))
			}, "10:00-14:00 01", nil,
		},
		"the same day": {
			monday(frontdesk.Period{From: 600, To: 840}), monday(), nil,
			func(a frontdesk.Agent) string { return a.Settings.Calendar.Openings[0][0].String() }, "10:00-14:00",
			[]string{"calendar.openings.0"},
		},
		"different entries": {
			services(`[{"name":"A","price":2},{"name":"B","price":1}]`), services(`[{"name":"A","price":1},{"name":"B","price":3},{"name":"C"}]`), nil,
			serviceText, `[{"name":"A","price":2},{"name":"B","price":3},{"name":"C"}]`, nil,
		},
		"the same entry": {
			services(`[{"name":"A","price":2},{"name":"B","price":1}]`), services(`[{"name":"A","price":3},{"name":"B","price":1}]`),
			[]string{"config.services[A]"},
			serviceText, `[{"name":"A","price":3},{"name":"B","price":1}]`,
			[]string{"config.services[A]"},
		},
		"mine is another order": {
			services(`[{"name":"B","price":1},{"name":"A","price":1}]`), services(`[{"name":"A","price":1},{"name":"B","price":5}]`), nil,
			serviceText, `[{"name":"B","price":5},{"name":"A","price":1}]`, nil,
		},
		"theirs is another order": {
			services(`[{"name":"A","price":7},{"name":"B","price":1}]`), services(`[{"name":"B","price":1},{"name":"A","price":1}]`), nil,
			serviceText, `[{"name":"B","price":1},{"name":"A","price":7}]`, nil,
		},
		"mine is gone, theirs untouched": {
			services(`[{"name":"B","price":1}]`), services(`[{"name":"A","price":1},{"name":"B","price":5}]`), nil,
			serviceText, `[{"name":"B","price":5}]`, nil,
		},
		"mine is gone, theirs changed": {
			services(`[{"name":"B","price":1}]`), services(`[{"name":"A","price":9},{"name":"B","price":1}]`),
			[]string{"config.services[A]"},
			serviceText, `[{"name":"B","price":1},{"name":"A","price":9}]`,
			[]string{"config.services[A]"},
		},
		"different sections": {
			menu(`{"X":[{"name":"A","price":2}],"Y":[]}`), menu(`{"X":[{"name":"A"}],"Y":[{"name":"D"}],"Z":[{"name":"E"}]}`), nil,
			menuText, `{"X":[{"name":"A","price":2}],"Y":[{"name":"D"}],"Z":[{"name":"E"}]}`, nil,
		},
		"the same section": {
			menu(`{"X":[{"name":"A","price":2}],"Y":[]}`), menu(`{"X":[{"name":"A","price":3},{"name":"N"}],"Y":[]}`), nil,
			menuText, `{"X":[{"name":"A","price":2},{"name":"N"}],"Y":[]}`,
			[]string{"config.menu.X[A]"},
		},
		"a section is gone": {
			menu(`{"X":[{"name":"A","price":2}]}`), menu(`{"X":[{"name":"A"}],"Y":[],"Z":[]}`), nil,
			menuText, `{"X":[{"name":"A","price":2}]}`, nil,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hours := frontdesk.Hours{{Open: 9, Close: 20}, {Open: 9, Close: 20}, {Open: 9, Close: 20}}
			stands := frontdesk.Agent{Config: frontdesk.AgentConfig{
				Hours: &hours, Services: json.RawMessage(`[{"name":"A","price":1},{"name":"B","price":1}]`), Menu: json.RawMessage(`{"X":[{"name":"A"}],"Y":[]}`),
			}}
			mine := stands
			tt.mine(&mine)
			d := frontdesk.NewDraft(stands)
			d.After = mine.Content()
			tt.theirs(&stands)
			take := map[string]bool{}
			for _, path := range tt.takeTheirs {
				take[path] = true
			}
			got, collisions := d.Onto(stands, take)
			var paths []string
			for _, c := range collisions {
				paths = append(paths, c.Path)
			}
			if tt.of(got) != tt.want || !slices.Equal(paths, tt.collisions) {
				t.Errorf("got %s with %v, want %s with %v", tt.of(got), paths, tt.want, tt.collisions)
			}
			if rebased := d.Rebased(stands); len(collisions) == 0 {
				again, none := rebased.Onto(stands, nil)
				if tt.of(again) != tt.want || len(none) != 0 {
					t.Errorf("rebased: %s with %v", tt.of(again), none)
				}
			}
		})
	}
}

func TestMembersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	text := json.RawMessage(`{"b":1.50,"a":{"z":[1, 2]},"c":"é"}`)
	m, err := frontdesk.ReadMembers(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(m.Set("a", nil).Set("b", json.RawMessage("2")).Set("d", json.RawMessage("null")).JSON()); got != `{"b":2,"c":"é","d":null}` {
		t.Errorf("got %s", got)
	}
	if m.Text("c") != "é" || m.Text("b") != "" || m.Text("x") != "" {
		t.Error("texts are not read as they are")
	}
	for _, wrong := range []string{`[]`, `{"a":`, `1`, `{`} {
		if _, err := frontdesk.ReadMembers(json.RawMessage(wrong)); err == nil {
			t.Errorf("%s was read", wrong)
		}
	}
}
