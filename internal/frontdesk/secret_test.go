package frontdesk_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestSecretsAreNeverPrinted(t *testing.T) {
	t.Parallel()
	const value = "hunter2"
	secret := frontdesk.Secret(value)
	type settings struct {
		Key  frontdesk.Secret
		List []frontdesk.Secret
		Map  map[string]frontdesk.Secret
		Ptr  *frontdesk.Secret
	}
	carriers := map[string]any{
		"the secret": secret,
		"a pointer":  &secret,
		"a struct":   settings{secret, []frontdesk.Secret{secret}, map[string]frontdesk.Secret{"a": secret}, &secret},
		"a list":     []frontdesk.Secret{secret},
		"a map":      map[string]any{"a": secret},
	}
	printers := map[string]func(any) string{
		"%v":     func(v any) string { return fmt.Sprintf("%v", v) },
		"%+v":    func(v any) string { return fmt.Sprintf("%+v", v) },
		"%#v":    func(v any) string { return fmt.Sprintf("%#v", v) },
		"%s":     func(v any) string { return fmt.Sprintf("%s", v) },
		"%q":     func(v any) string { return fmt.Sprintf("%q", v) },
		"%x":     func(v any) string { return fmt.Sprintf("%x", v) },
		"Sprint": func(v any) string { return fmt.Sprint(v) },
		"%w":     func(v any) string { return fmt.Errorf("with %v: %w", v, errors.New("x")).Error() },
		"json": func(v any) string {
			b, err := json.Marshal(v)
			return fmt.Sprint(string(b), err)
		},
		"json v2": func(v any) string {
			b, err := jsonv2.Marshal(v)
			return fmt.Sprint(string(b), err)
		},
		"xml": func(v any) string {
			b, _ := xml.Marshal(v)
			return string(b)
		},
		"slog as text": func(v any) string {
			var b bytes.Buffer
			slog.New(slog.NewTextHandler(&b, nil)).Info("m", "v", v, slog.Group("g", "v", v))
			return b.String()
		},
		"slog as JSON": func(v any) string {
			var b bytes.Buffer
			slog.New(slog.NewJSONHandler(&b, nil)).Info("m", "v", v, slog.Group("g", "v", v))
			return b.String()
		},
	}
	for carrier, v := range carriers {
		for printer, print := range printers {
			t.Run(carrier+" by "+printer, func(t *testing.T) {
				t.Parallel()
				got := print(v)
				if strings.Contains(got, value) || strings.Contains(got, fmt.Sprintf("%x", value)) {
					t.Errorf("got %s", got)
				}
			})
		}
	}
	if secret.Reveal() != value {
		t.Error("Reveal does not reveal")
	}
}
