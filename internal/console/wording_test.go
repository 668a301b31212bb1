package console

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// TestTheLanguagesSayTheSame: every word of the console stands in each language,
// once, with the same gaps.
func TestTheLanguagesSayTheSame(t *testing.T) {
	t.Parallel()
	gap := regexp.MustCompile(`\{[a-zA-Z_]+\}`)
	read := func(code string) map[string][]string {
		all := map[string][]string{}
		for _, line := range language.Of(code).Lines("console") {
			key, text, _ := strings.Cut(line, ":")
			if _, twice := all[key]; twice {
				t.Errorf("%s stands twice in %s", key, code)
			}
			gaps := gap.FindAllString(strings.ToLower(text), -1)
			gaps = slices.DeleteFunc(gaps, func(g string) bool { return g == "{appointment}" || g == "{appointments}" }) // always filled
			slices.Sort(gaps)
			all[key] = slices.Compact(gaps)
		}
		return all
	}
	first := read(frontdesk.Languages[0])
	for _, code := range frontdesk.Languages[1:] {
		other := read(code)
		for key, gaps := range first {
			if got, there := other[key]; !there {
				t.Errorf("%s has no %s", code, key)
			} else if !slices.Equal(got, gaps) {
				t.Errorf("%s: the gaps are %v in %s, and %v in %s", key, gaps, frontdesk.Languages[0], got, code)
			}
		}
		for key := range other {
			if _, there := first[key]; !there {
				t.Errorf("%s has no %s", frontdesk.Languages[0], key)
			}
		}
	}
}

// TestTheScriptsOfOthersAreTheOnesWeKnow holds the copy of htmx to its digest: it
// is htmx.min.js of htmx.org 2.0.11, unchanged.
func TestTheScriptsOfOthersAreTheOnesWeKnow(t *testing.T) {
	t.Parallel()
	const known = "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717"
	body, err := files.ReadFile("static/htmx.min.js")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != known {
		t.Errorf("htmx.min.js has the digest %x, not %s", sum, known)
	}
}
