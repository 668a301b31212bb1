package cli

import "testing"

func TestRulesAndCurrencyOfAnAgent(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	file := d.file("agent.yaml", `
slug: a
vertical: restaurant
display_name: A
timezone: America/Bogota
rules:
  - when: {party_over: 12}
    do: message
    say: {es: Le llamará el encargado.}
`)
	d.must("agent", "import", file, "--tenant", "acme")
	hold(t, "agent show", d.must("agent", "show", "--tenant", "acme", "a"), "restaurant", "America/Bogota", "COP",
		`when more than 12 come: message (es: "Le llamará el encargado.")`)

	rules := d.file("rules.yaml", `
- when: {topic: complaint, words: [queja, "hoja de reclamaciones"], from: 20:00, to: 23:30, days: [5, 6]}
  do: person
- when: {}
  do: book
  service_id: mesa
`)
	hold(t, "agent set", d.must("agent", "set", "--tenant", "acme", "a", "--rules", rules, "--currency", "usd"), "has prices in USD", "has 2 rules")
	shown := d.must("agent", "show", "--tenant", "acme", "--agent", "a")
	hold(t, "agent show", shown, "USD", "always: book mesa",
		"when the topic is complaint and somebody says queja, hoja de reclamaciones and it is 20:00 or later and it is before 23:30 and the day is one of 5 6: person")
	agent := d.read("agent", "show", "--tenant", "acme", "a")["agent"].(map[string]any)
	if agent["currency"] != "USD" || len(agent["rules"].([]any)) != 2 {
		t.Errorf("got %v", agent)
	}

	// What a file does not name stays; an empty list takes the rules away.
	d.must("agent", "import", d.file("agent.json", `{"slug":"a","vertical":"restaurant","display_name":"B"}`), "--tenant", "acme")
	if a := d.agent("a"); a.DisplayName != "B" || len(a.Settings.Rules) != 2 || a.Currency() != "USD" {
		t.Errorf("got %+v", a)
	}
	d.must("agent", "set", "--tenant", "acme", "a", "--rules", d.file("none.json", `{"rules":[]}`), "--currency", "")
	if a := d.agent("a"); len(a.Settings.Rules) != 0 || a.Currency() != "COP" {
		t.Errorf("got %+v", a)
	}
}

func TestAgentShowOfNobody(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	a := d.run("agent", "show", "--tenant", "acme", "nobody")
	if a.code == 0 {
		t.Error("somebody was shown")
	}
	hold(t, "stderr", a.stderr, `there is no agent "nobody"`)
	bad := d.run("agent", "set", "--tenant", "acme", "a", "--rules", d.file("rules.json", `[{"do":"dance"}]`))
	if bad.code == 0 {
		t.Error("anything can be a rule")
	}
}
