package release

import (
	"slices"
	"testing"
)

func TestPackageVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"0.1.0":                "0.1.0",
		"v0.1.0":               "0.1.0",
		"0.1.0-5-gabcdef":      "0.1.0+5.gabcdef",
		"0.1.0-5-gabcde-dirty": "0.1.0+5.gabcde.dirty",
		"c49b44a":              "0.0.0~git.c49b44a",
		"49b44a1-dirty":        "0.0.0~git.49b44a1.dirty",
	} {
		if got := packageVersion(version); got != want {
			t.Errorf("%s became %s, want %s", version, got, want)
		}
	}
}

// What a machine sets for Go is not built into the program, and where Go finds
// its things is left.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	env := environment([]string{"HOME=/h", "GOFLAGS=-tags=other", "GOAMD64=v3", "GOEXPERIMENT=x", "GOMODCACHE=/m", "GOOS=plan9"}, Target{"linux", "arm64"})
	for _, want := range []string{"HOME=/h", "GOMODCACHE=/m", "GOFLAGS=", "GOAMD64=v1", "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %v", want, env)
		}
	}
	for _, left := range []string{"GOFLAGS=-tags=other", "GOAMD64=v3", "GOEXPERIMENT=x", "GOOS=plan9"} {
		if slices.Contains(env, left) {
			t.Errorf("%s is still there", left)
		}
	}
}

func TestParseTarget(t *testing.T) {
	t.Parallel()
	if got, err := ParseTarget("windows/arm64"); err != nil || got != (Target{"windows", "arm64"}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ParseTarget("linux/mips"); err == nil {
		t.Error("there is linux/mips")
	}
}
