package phone_test

import (
	"encoding/json"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/carrier"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestPuttingThrough(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status, key string
		result      string
		says        string // to the caller, who is still there
	}{
		"the person takes it":  {"", "1", frontdesk.Transferred, ""},
		"the person does not":  {"", "", frontdesk.Declined, "no puede atender"},
		"another key":          {"", "5", frontdesk.Declined, "no puede atender"},
		"the line is busy":     {"busy", "", frontdesk.LineBusy, "comunica"},
		"nobody answers":       {"no-answer", "", frontdesk.NoAnswer, "no contesta"},
		"it cannot be reached": {"failed", "", frontdesk.NotPassedOn, "no he podido"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, habits := range both {
				n := newHouse(t).node()
				l := n.dial(habits)
				l.hear()
				l.say("Soy Ana García, quiero hablar con una persona por una factura.")
				l.leaves()
				if l.last.Dialed != person {
					t.Fatalf("called is %q: %q", l.last.Dialed, l.last.Text)
				}
				whispered, err := l.Answer(ctx, tt.status, tt.key)
				must(t, err)
				if tt.status == "" && (!strings.Contains(whispered, "factura") || !strings.Contains(whispered, "1")) {
					t.Errorf("the person is told %q", whispered)
				}
				if tt.says == "" != l.Over() {
					t.Fatalf("the call is over: %v", l.Over())
				}
				if !l.Over() {
					l.hear()
					l.wants(tt.says)
					l.say("Sí.")
					l.say("Sí.")
					must(t, l.HangUp(ctx))
					if captures := n.captures(); len(captures) != 1 || captures[0].Kind != frontdesk.Callback {
						t.Errorf("written was %+v after %q", captures, l.last.Text)
					}
				}
				calls := n.calls()
				if len(calls) != 1 {
					t.Fatalf("recorded was %+v", calls)
				}
				call, err := n.store.Call(ctx, n.owner, calls[0].ID)
				must(t, err)
				var summary struct {
					Handoff struct{ Reason, Result string }
				}
				must(t, json.Unmarshal(call.Summary, &summary))
				if call.Outcome != frontdesk.Handoff || summary.Handoff.Result != tt.result {
					t.Errorf("recorded was %s, %+v", call.Outcome, summary)
				}
			}
		})
	}
}

func TestNobodyIsPutThroughAtNight(t *testing.T) {
	t.Parallel()
	closed := func(a *frontdesk.Agent) {
		a.Config.Hours = &frontdesk.Hours{}
		a.Config.Hours[6] = frontdesk.Shift{Open: 10, Close: 12}
	}
	n := newHouse(t, closed).node()
	l := n.dial(carrier.Twilio)
	l.hear()
	l.say("Quiero hablar con una persona.")
	if l.last.Dialed != "" {
		t.Error("somebody is called at a time at which the house is closed")
	}
	n = newHouse(t, closed, func(a *frontdesk.Agent) {
		a.Settings.Rules = []frontdesk.Rule{{When: frontdesk.RuleWhen{Words: []string{"albarán"}}, Do: frontdesk.DoPerson}}
	}).node()
	l = n.dial(carrier.Twilio)
	l.hear()
	l.say("Llamo por el albarán de ayer.")
	l.leaves()
	if l.last.Dialed != person {
		t.Errorf("a rule of the business passes nobody on: %q", l.last.Text)
	}
}
