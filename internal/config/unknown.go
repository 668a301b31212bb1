package config

import (
	"fmt"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

const (
	prefix     = "FRONTDESK_"
	testPrefix = "FRONTDESK_TEST_"
)

// clients are the variables that our examples give to clients of the API.
var clients = []string{"FRONTDESK_URL", "FRONTDESK_KEY", "FRONTDESK_API_KEY", "FRONTDESK_BASE_URL"}

// Unknown returns a sentence for each variable of the environment, given as
// NAME=value, that looks like a setting and is none.
func Unknown(environ []string) []string {
	var names []string
	for _, d := range Describe() {
		names = append(names, d.Env)
	}
	var warnings []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		ours := strings.HasPrefix(name, prefix) && !strings.HasPrefix(name, testPrefix) && !slices.Contains(clients, name)
		if ours && !slices.Contains(names, name) {
			warnings = append(warnings, fmt.Sprintf("%s is not a setting%s", name, suggestion(name, names)))
		}
	}
	slices.Sort(warnings)
	return warnings
}

// suggestion names the setting that is meant, if one is close enough.
func suggestion(name string, names []string) string {
	best, closest := "", 3
	for _, n := range names {
		if d := language.Distance(name, n); d < closest {
			best, closest = n, d
		}
	}
	if best == "" {
		return "; docs/settings.md lists them all"
	}
	return "; did you mean " + best + "?"
}
