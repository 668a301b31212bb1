package frontdesk_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestScopesAreTheTenOfTheSpecification(t *testing.T) {
	t.Parallel()
	var live []string
	for _, s := range frontdesk.Scopes {
		live = append(live, s.Name)
		if s.Description == "" {
			t.Errorf("%s has no description", s.Name)
		}
	}
	want := strings.Fields(`agents:read agents:write calls:read captures:read captures:write
		connections:read connections:write knowledge:read knowledge:write usage:read`)
	if !slices.Equal(live, want) || !slices.Equal(frontdesk.ScopesFor(true), want) {
		t.Errorf("got %v", live)
	}
	test := slices.DeleteFunc(want, func(s string) bool {
		return s == "agents:write" || s == "captures:write" || s == "knowledge:write"
	})
	if got := frontdesk.ScopesFor(false); !slices.Equal(got, test) {
		t.Errorf("a test key may have %v", got)
	}
}

func TestCheckScopes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		live  bool
		names string
		want  string // "": refused
	}{
		"all of live mode":                  {true, "all", strings.Join(frontdesk.ScopesFor(true), " ")},
		"all of test mode":                  {false, "all", strings.Join(frontdesk.ScopesFor(false), " ")},
		"in the order of the specification": {true, "usage:read calls:read agents:read", "agents:read calls:read usage:read"},
		"without repetitions":               {true, "calls:read calls:read", "calls:read"},
		"a live one for a live key":         {true, "captures:write", "captures:write"},
		"a live one for a test key":         {false, "calls:read captures:write", ""},
		"an unknown one":                    {true, "calls:read calls:write", ""},
		"all beside others":                 {true, "all calls:read", ""},
		"none":                              {true, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := frontdesk.CheckScopes(tt.live, strings.Fields(tt.names))
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %v, %v", got, err)
			}
			var e *frontdesk.Error
			if refused := errors.As(err, &e) && e.Kind == frontdesk.Invalid && e.Param == "scopes"; refused != (tt.want == "") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestKeyHas(t *testing.T) {
	t.Parallel()
	k := frontdesk.Key{Scopes: []string{"calls:read"}}
	if !k.Has("calls:read") || k.Has("calls") || k.Has("") {
		t.Error("a key has the scopes it was granted, and no others")
	}
}

func TestErrorsOfPermission(t *testing.T) {
	t.Parallel()
	if e := frontdesk.ScopeMissing("usage:read"); e.Kind != frontdesk.Forbidden || e.Code != "scope_missing" || e.Param != "usage:read" {
		t.Errorf("got %v", e)
	}
	if e := frontdesk.LiveKeyRequired(); e.Kind != frontdesk.Forbidden || e.Code != "live_key_required" || e.Param != "" {
		t.Errorf("got %v", e)
	}
}
