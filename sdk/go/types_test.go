package frontdesk

import (
	"encoding/json"
	"testing"
)

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhatIsNewerSurvives(t *testing.T) {
	t.Parallel()
	const received = `{"id":"1","kind":"seance","status":"levitating","future":{"a":[1,2]},"scheduled_at":null}`
	var capture Capture
	if err := json.Unmarshal([]byte(received), &capture); err != nil {
		t.Fatal(err)
	}
	if capture.Kind != "seance" || capture.Status != "levitating" || string(capture.Extra["future"]) != `{"a":[1,2]}` || len(capture.Extra) != 1 {
		t.Errorf("got %+v", capture)
	}
	has(t, marshal(t, capture), `"status":"levitating"`, `"kind":"seance"`, `"future":{"a":[1,2]}`, `"scheduled_at":null`)
}

func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in   any
		want string
	}{
		"nothing of a change":           {CaptureChange{}, `{}`},
		"a value, and null":             {CaptureChange{PartySize: Set(4), Notes: Null[string]()}, `{"party_size":4,"notes":null}`},
		"an empty value":                {CaptureChange{Notes: Set("")}, `{"notes":""}`},
		"nothing of a patch":            {AgentPatch{}, `{}`},
		"what clears":                   {AgentPatch{Policy: Ptr(""), Business: &Business{Phone: Ptr("")}, Services: []Service{}}, `{"business":{"phone":""},"services":[],"policy":""}`},
		"hours":                         {AgentPatch{Hours: Hours{"0": {9, 18}}}, `{"hours":{"0":[9,18]}}`},
		"a service as it was read":      {Service{Name: "Corte", Price: 12.5, Extra: map[string]json.RawMessage{"id": json.RawMessage(`"corte"`)}}, `{"id":"corte","name":"Corte","price":12.5}`},
		"a price with its currency":     {Service{Name: "Corte", Price: Money{Amount: 12.5, Currency: "EUR"}}, `{"name":"Corte","price":{"amount":12.5,"currency":"EUR"}}`},
		"no grace":                      {RotateInput{GraceSeconds: Ptr(0)}, `{"grace_seconds":0}`},
		"the usual grace":               {RotateInput{}, `{}`},
		"a capture of the business":     {CaptureInput{Agent: "a", PartySize: 2, Force: true}, `{"agent":"a","party_size":2,"force":true}`},
		"a calendar without exceptions": {Calendar{Exceptions: []CalendarException{}, NoticeMinutes: Set(0)}, `{"exceptions":[],"notice_minutes":0}`},
	}
	for name, tt := range tests {
		if got := marshal(t, tt.in); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

func TestServiceID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"name":"Corte","id":"corte"}`: "corte",
		`{"name":"Corte"}`:              "Corte",
		`{"name":"Corte","id":7}`:       "Corte",
	} {
		var s Service
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if got := s.ServiceID(); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}
