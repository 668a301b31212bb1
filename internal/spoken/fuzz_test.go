package spoken_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/spoken"
)

func FuzzText(f *testing.F) {
	for _, texts := range replies(f) {
		for i := 0; i < len(texts); i += 20 {
			f.Add(texts[i], "K7M4QX", true)
		}
	}
	for _, text := range []string{
		"9:00-2:00", "24/12-6/1", "+34", "+", "€", "1.º", "½", "a@b.co", "https://", "www.", "1/2/3/4", "W W W", "a nombre de WWWWWWWWWWWWWWW", "5%5%", "¿¡¿",
		"[a](b", "](](", "1×1×1", "€€€1", "$1$1", "#1#1", "@a@a", "L-V L-V", "C/C/C/", "10-10-10-10", "(0)(0)", "1.1.1.1", "1,1,1,1", "'''", "1-1-1-1pm",
	} {
		f.Add(text, "W", true)
		f.Add(text+" W W W", "W", false)
		f.Add(text, "", false)
	}
	f.Fuzz(func(t *testing.T, written, code string, slow bool) {
		for _, name := range language.Codes() {
			got := spoken.Text(language.Of(name), written, spoken.Options{Code: code, Region: "GB", Slow: slow})
			if len(got) > 8*len(written)+64 {
				t.Errorf("%q (%d bytes) is spoken with %d: %q", written, len(written), len(got), got)
			}
			if !utf8.ValidString(got) {
				t.Errorf("%q is spoken %q", written, got)
			}
			if i := strings.IndexAny(got, "@€£$\"«»*`<>|\n"); i >= 0 {
				t.Errorf("%q is spoken with %q: %q", written, got[i:i+1], got)
			}
			if heard := spoken.Heard(written, got, got[:len(got)/2]); !strings.HasPrefix(written, heard) {
				t.Errorf("of %q half is %q", written, heard)
			}
			if together := strings.Join(spoken.Sentences(got), " "); together != got {
				t.Errorf("the sentences of %q together are %q", got, together)
			}
			spoken.Duration(got)
		}
	})
}

func TestSpellingIsBounded(t *testing.T) {
	t.Parallel()
	w := strings.Repeat("W", 6)
	for _, piece := range []string{w + " ", w + ",", "a nombre de " + w + w + w + w + w + w + ", ", "under the name " + w + w + ", ", w + w + w + w + "@a.co ", "a_b_c_d@e.co ", "contacten: " + w + w + ", " + w + " "} {
		for _, code := range language.Codes() {
			for n := 1; n < 50; n += 7 {
				text := strings.Repeat(piece, n)
				got := spoken.Text(language.Of(code), text, spoken.Options{Code: w, Slow: true})
				if len(got) > 8*len(text)+64 {
					t.Errorf("%q %d times is spoken with %d bytes for %d", piece, n, len(got), len(text))
				}
			}
		}
	}
}

// TestTimeGrowsWithTheText tries what would be slow if anything looked through
// the whole text again and again: it must end.
func TestTimeGrowsWithTheText(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"a", "A ", "a.", "1", "1.", "1-", "a-", "1/", "a@", "a.a@", "](", "[](", "(", "( ", ".", ". ", " ", "¿", "a, ", "a: b, c, d o e? ", "x:?", "http://a ", "9:00-", "a nombre de A ", "+34 ", "'", "€",
	} {
		text := strings.Repeat(piece, 1<<17/len(piece))
		got := spoken.Text(language.Of("es"), text, spoken.Options{Region: "ES", Slow: true})
		if len(got) > 8*len(text)+64 {
			t.Errorf("%q many times is spoken with %d bytes for %d", piece, len(got), len(text))
		}
		spoken.Sentences(got)
		spoken.Heard(text[:1<<12], got[:min(len(got), 1<<12)], got[:min(len(got), 1<<11)])
	}
}
