package wire_test

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// What is read as a patch can be applied, written and read again, and is the
// same patch then.
func FuzzDecodeAgentPatch(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"business":{"name":"a","website":"https://a.example"},"hours":{"0":[9,17],"6":[20,2]}}`, `{"hours":{}}`, `{"services":[{"name":"a"}]}`,
		`{"menu":{"a":[{"name":"b"}]},"voice":{"es":"voc_es_alba"}}`, `{"policy":"\u0000\ud83d\udc26"}`, `{"assistant":null}`, `null`, `[`, `{"policy":"","policy":""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		patch, err := wire.DecodeAgentPatch(body)
		if err != nil {
			return
		}
		_ = patch.Check()
		config := patch.Apply(frontdesk.AgentConfig{})
		if again := patch.Apply(config); !reflect.DeepEqual(again, config) {
			t.Errorf("applied twice it gives %+v, once %+v", again, config)
		}
		encoded(t, wire.AgentEnvelope(frontdesk.Agent{Timezone: "Europe/Madrid", Config: config}, true, day))
	})
}

func FuzzDecodeAgentFile(f *testing.F) {
	f.Add([]byte(`{"slug":"lola","vertical":"restaurant","display_name":"Lola","config":{"policy":"p"}}`))
	f.Add([]byte(`{"config":{"hours":{"0":[9,17]}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := wire.DecodeAgentFile(text)
		if err != nil {
			return
		}
		if a, err := file.Agent(); err == nil && a.Check() != nil {
			t.Errorf("an agent that must not be stored came of %s", text)
		}
	})
}

// Any string becomes JSON.
func FuzzCapture(f *testing.F) {
	f.Add("Ana", "\xff\x00\"")
	f.Fuzz(func(t *testing.T, name, kind string) {
		c := capture
		c.CustomerName, c.Kind = name, kind
		if text := wire.CaptureEnvelope(c); !jsontext.Value(text).IsValid() {
			t.Errorf("this is no JSON: %s", text)
		}
	})
}
