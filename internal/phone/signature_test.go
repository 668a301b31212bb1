package phone

import (
	"net/url"
	"slices"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/turns"
)

func TestTwilioSignatures(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		address string
		form    url.Values
		want    string
	}{
		"a relay": {"wss://desk.example.com/phone/relay", nil, "hTouQpGl11Z5/p4ZLEkRyo6y5vU="},
		"a webhook": {"https://example.com/myapp.php?foo=1&bar=2", url.Values{
			"CallSid": {"CA1234567890ABCDE"}, "Caller": {"+14158675310"}, "Digits": {"1234"}, "From": {"+14158675310"}, "To": {"+18005551212"},
		}, "L/OH5YylLD5NRKLltdqwSvS0BnU="},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := twilioSignature(frontdesk.Secret("12345"), tt.address, tt.form); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestSpellingsOfAnAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][]string{
		"https://a.example/x?y=1":        {"https://a.example/x?y=1", "https://a.example:443/x?y=1"},
		"https://a.example:443/x":        {"https://a.example:443/x", "https://a.example/x"},
		"https://a.example:8443/x":       {"https://a.example:8443/x"},
		"wss://a.example/r/a%2Bb?n=%2B1": {"wss://a.example/r/a%2Bb?n=%2B1", "wss://a.example:443/r/a%2Bb?n=%2B1"},
		"http://127.0.0.1:8080/x":        {"http://127.0.0.1:8080/x"},
	} {
		if got := spellings(address); !slices.Equal(got, want) {
			t.Errorf("%s is spelled %q", address, got)
		}
	}
}

func FuzzFrames(f *testing.F) {
	for _, text := range []string{
		`{"type":"prompt","voicePrompt":"Hi.","last":true}`, `{"type":"interrupt","utteranceUntilInterrupt":"So","durationUntilInterruptMs":"12"}`,
		`{"type":"info","name":"agentSpeaking","value":true}`, `{"type":"dtmf","digit":"1"}`, `{"type":"setup","callControlId":"v3"}`, `[]`, `{"type":7}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		frame, err := readFrame(text)
		if err != nil {
			return
		}
		agent := frontdesk.Agent{Languages: []string{"es", "en"}, Timezone: "Europe/Madrid"}
		talk := turns.NewTalk(reception.OnLine{Agent: agent, Reply: reception.Reply{Text: "¿En qué puedo ayudarle?", Language: "es"}}, dialects[0].habits)
		talk.Take(turns.Event{Kind: turns.Ready}, testDay)
		if e, tells := frame.event(); tells {
			talk.Take(e, testDay)
		}
		talk.Tick(testDay.Add(1e9))
		talk.Deadline()
	})
}
