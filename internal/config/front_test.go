package config

import (
	"slices"
	"strings"
	"testing"
)

func load(settings map[string]string) (Settings, error) {
	return Load(func(name string) (string, bool) {
		value, ok := settings[name]
		return value, ok
	})
}

func TestDomains(t *testing.T) {
	t.Parallel()
	s, err := load(map[string]string{"FRONTDESK_DOMAIN": "Desk.Example.com., b.example.com,desk.example.com"})
	if err != nil || !slices.Equal(s.Domains(), []string{"desk.example.com", "b.example.com"}) {
		t.Errorf("the names are %q, %v", s.Domains(), err)
	}
	if s.PublicURL != "https://desk.example.com" {
		t.Errorf("the public address is %q", s.PublicURL)
	}
	if s, _ = load(map[string]string{"FRONTDESK_DOMAIN": "a.example.com", "FRONTDESK_PUBLIC_URL": "https://b.example.com"}); s.PublicURL != "https://b.example.com" {
		t.Errorf("the public address that was set became %q", s.PublicURL)
	}
	if s, _ = load(nil); s.PublicURL != "" || len(s.Domains()) != 0 {
		t.Errorf("without a name the public address is %q, and the names are %q", s.PublicURL, s.Domains())
	}
}

func TestFrontSettingsThatCannotBe(t *testing.T) {
	t.Parallel()
	for what, settings := range map[string]map[string]string{
		"an address as a name":      {"FRONTDESK_DOMAIN": "192.0.2.7"},
		"an IPv6 address as a name": {"FRONTDESK_DOMAIN": "2001:db8::1"},
		"a wildcard":                {"FRONTDESK_DOMAIN": "*.example.com"},
		"a URL":                     {"FRONTDESK_DOMAIN": "https://desk.example.com"},
		"a name with a port":        {"FRONTDESK_DOMAIN": "desk.example.com:443"},
		"a name without a dot":      {"FRONTDESK_DOMAIN": "localhost"},
		"a name of other letters":   {"FRONTDESK_DOMAIN": "peluquería.example"},
		"a name with an empty part": {"FRONTDESK_DOMAIN": "desk..example.com"},
		"a port alone":              {"FRONTDESK_DOMAIN": "a.example.com", "FRONTDESK_TLS_LISTEN": "443"},
		"a directory without TLS":   {"FRONTDESK_DOMAIN": "a.example.com", "FRONTDESK_ACME_DIRECTORY": "http://ca.example.com/dir"},
		"a mail address with a name": {
			"FRONTDESK_DOMAIN": "a.example.com", "FRONTDESK_ACME_EMAIL": "Ana <ana@example.com>",
		},
		"figures nowhere": {"FRONTDESK_METRICS_LISTEN": "9090"},
	} {
		_, err := load(settings)
		if err == nil {
			t.Errorf("%s is accepted", what)
			continue
		}
		if n := strings.Count(err.Error(), "expected"); n != 1 {
			t.Errorf("%s: %v", what, err)
		}
	}
}
