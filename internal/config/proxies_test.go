package config

import (
	"fmt"
	"strings"
	"testing"
)

func TestProxies(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ setting, want string }{
		"none":                        {"", "[127.0.0.0/8 ::1/128]"}, // a proxy on the same machine
		"a network":                   {"10.0.0.0/8", "[10.0.0.0/8]"},
		"an address":                  {"192.0.2.7", "[192.0.2.7/32]"},
		"several, and IPv6":           {"10.0.0.0/8, 192.0.2.7,2001:db8::1", "[10.0.0.0/8 192.0.2.7/32 2001:db8::1/128]"},
		"a network named by a member": {"10.1.2.3/8", "[10.0.0.0/8]"},
		"a name":                      {"proxy.example", "FRONTDESK_TRUSTED_PROXIES"},
		"a network of too many bits":  {"10.0.0.0/33", "FRONTDESK_TRUSTED_PROXIES"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Load(env(map[string]string{"FRONTDESK_TRUSTED_PROXIES": tt.setting}))
			got := fmt.Sprint(err)
			if err == nil {
				all, bad := s.Proxies()
				if got = fmt.Sprint(all); bad != nil {
					t.Fatal(bad)
				}
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
