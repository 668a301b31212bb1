package app

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/config"
)

// TestTheModelOfTheSettings reaches an endpoint on this machine, which the guard
// lets through for the operator alone.
func TestTheModelOfTheSettings(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer sk-1" {
			t.Errorf("asked %s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"fill_form","arguments":"{}"}}]},"finish_reason":"stop"}]}`+"\n\n")
	}))
	t.Cleanup(s.Close)
	m, err := OpenModel(config.Settings{ModelURL: s.URL + "/v1", ModelName: "small", ModelKey: "sk-1"}, slog.New(slog.DiscardHandler))
	must(t, err)
	form, err := m.Fill(context.Background(), "do it", []string{"caller: hola"}, json.RawMessage(`{"type":"object"}`))
	if err != nil || string(form) != "{}" {
		t.Errorf("got %s, %v", form, err)
	}
}

func TestNoModelInTheSettings(t *testing.T) {
	t.Parallel()
	if m, err := OpenModel(config.Settings{}, nil); m != nil || err != nil {
		t.Errorf("got %v, %v", m, err)
	}
}

func TestSettingsThatNameHalfAModel(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		settings config.Settings
		says     string
	}{
		"a name without an address": {config.Settings{ModelName: "small"}, "FRONTDESK_MODEL_NAME"},
		"an address without a name": {config.Settings{ModelURL: "https://api.example.com/v1"}, "FRONTDESK_MODEL_NAME"},
		"an address that is none":   {config.Settings{ModelURL: "api.example.com", ModelName: "small"}, "FRONTDESK_MODEL_URL"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if m, err := OpenModel(tt.settings, nil); m != nil || err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, %v", m, err)
			}
		})
	}
}
