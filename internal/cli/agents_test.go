package cli

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestAgentSetChangesOnlyWhatIsGiven(t *testing.T) {
	d := newDesk(t)
	id := frontdesk.ID(d.read("tenant", "create", "acme")["id"].(string))
	d.must("agent", "create", "--tenant", "acme", "--slug", "a", "--vertical", "restaurant", "--name", "A")
	steps := []struct {
		args string
		says string
		want frontdesk.AgentSettings
	}{
		{"--threshold 75", "at 75 %", frontdesk.AgentSettings{ThresholdPct: 75}},
		{
			"--capacity 60 --max-party 10 --service-capacity terrace=16,bar=4", "60; has a capacity of 4 for bar alone; has a capacity of 16 for terrace alone; takes parties of up to 10",
			frontdesk.AgentSettings{ThresholdPct: 75, Capacity: 60, MaxParty: 10, ServiceCapacity: map[string]int{"terrace": 16, "bar": 4}},
		},
		{
			"--notice 2h --horizon 90d --service-capacity bar=0", "from 2h to 90 days ahead",
			frontdesk.AgentSettings{
				ThresholdPct: 75, Capacity: 60, MaxParty: 10, ServiceCapacity: map[string]int{"terrace": 16},
				Notice: 2 * time.Hour, Horizon: 90 * day,
			},
		},
		{
			"--service-capacity terrace=0 --origins https://A.example/,http://localhost:8000", "is shown on https://a.example, http://localhost:8000",
			frontdesk.AgentSettings{
				ThresholdPct: 75, Capacity: 60, MaxParty: 10, Notice: 2 * time.Hour, Horizon: 90 * day,
				Origins: []string{"https://a.example", "http://localhost:8000"},
			},
		},
		{"--origins=", "ahead", frontdesk.AgentSettings{ThresholdPct: 75, Capacity: 60, MaxParty: 10, Notice: 2 * time.Hour, Horizon: 90 * day}},
	}
	for _, step := range steps {
		hold(t, step.args, d.must(append([]string{"agent", "set", "--tenant", "acme", "a"}, strings.Fields(step.args)...)...), step.says)
		a, err := d.open().AgentBySlug(t.Context(), frontdesk.Owner{TenantID: id}, "a")
		if err != nil || !reflect.DeepEqual(a.Settings, step.want) {
			t.Errorf("after %s: %+v, %v", step.args, a.Settings, err)
		}
	}
}

func TestMisusedAgentSet(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	d.must("agent", "create", "--tenant", "acme", "--slug", "a", "--vertical", "hotel", "--name", "A")
	tests := map[string]struct {
		args string
		code int
		says string
	}{
		"nothing to change":                  {"", 2, "nothing to change: give at least one of --threshold, --capacity"},
		"a threshold out of bounds":          {"--threshold 101", 2, "--threshold is 101: expected 1 to 100"},
		"no capacity":                        {"--capacity 0", 2, "--capacity is 0: expected 1 or more"},
		"too much capacity":                  {"--capacity 10001", 1, "capacity must be 1 to 10000"},
		"a capacity that is no number":       {"--capacity many", 2, "--capacity"},
		"a service's capacity without an id": {"--service-capacity =3", 2, "expected the id of a service"},
		"a service without a capacity":       {"--service-capacity massage", 2, "--service-capacity"},
		"less than none for a service":       {"--service-capacity massage=-1", 2, "--service-capacity is massage=-1"},
		"a party of nobody":                  {"--max-party 0", 2, "--max-party is 0: expected 1 or more"},
		"a strange duration":                 {"--notice soon", 2, "--notice"},
		"no duration":                        {"--horizon 0d", 2, "--horizon must be more than 0"},
		"a notice of months":                 {"--notice 60d", 1, "notice must be 30 days at most"},
		"a horizon of years":                 {"--horizon 999d", 1, "horizon must be 730 days at most"},
		"a horizon within the notice":        {"--notice 2d --horizon 1d", 1, "horizon must be longer than notice"},
		"an origin with a path":              {"--origins https://a.example/shop", 1, `"https://a.example/shop" is no origin`},
		"an origin without a scheme":         {"--origins a.example", 1, `"a.example" is no origin`},
		"an agent that is not":               {"--capacity 2 --agent nobody", 1, `there is no agent "nobody"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"agent", "set", "--tenant", "acme"}, strings.Fields(tt.args)...)
			if !strings.Contains(tt.args, "--agent") {
				args = append(args, "--agent", "a")
			}
			a := d.run(args...)
			if a.code != tt.code {
				t.Errorf("exit code %d; want %d", a.code, tt.code)
			}
			hold(t, "stderr", a.stderr, tt.says)
		})
	}
}
