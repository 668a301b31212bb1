package spoken_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/spoken"
)

// transcripts are golden conversations, which show what is really written.
const transcripts = "../../test/transcripts/conversations"

// replies are the replies of all transcripts by the language of the conversation.
func replies(tb testing.TB) map[string][]string {
	tb.Helper()
	files, err := filepath.Glob(transcripts + "/*.txt")
	if err != nil || len(files) < 100 {
		tb.Fatalf("%d transcripts: %v", len(files), err)
	}
	behind := regexp.MustCompile(`( ?\{[^}]*\}| ?\[[a-z_: ]+\])+$`)
	all := map[string][]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		code := ""
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if value, ok := strings.CutPrefix(line, "language: "); ok {
				code = value
			}
			if reply, ok := strings.CutPrefix(line, "< "); ok {
				reply = strings.ReplaceAll(behind.ReplaceAllString(reply, ""), "CODE", "K7M4QX")
				all[code] = append(all[code], reply)
			}
		}
	}
	return all
}

// unspeakable is what no voice should be given.
var unspeakable = regexp.MustCompile("[0-9]:[0-9]|@|http|www\\.|[€£$%&×/\"«»“”()\\[\\]{}*_#|<>`•]|(^|\\s)'|'(\\s|$)|  | [,.;:!?]|,[,.]")

func TestRepliesOfTranscripts(t *testing.T) {
	t.Parallel()
	n := 0
	for code, texts := range replies(t) {
		l := language.Of(code)
		if l == nil {
			l = language.Of(language.Codes()[0])
		}
		for _, written := range texts {
			n++
			for _, slow := range []bool{false, true} {
				got := spoken.Text(l, written, spoken.Options{Code: "K7M4QX", Region: "ES", Slow: slow})
				if found := unspeakable.FindString(got); found != "" {
					t.Errorf("%q\nis spoken with %q: %q", written, found, got)
				}
				if strings.Contains(got, "K7M4QX") || written != "" && got == "" {
					t.Errorf("%q is spoken %q", written, got)
				}
				if heard := spoken.Heard(written, got, got); heard != written {
					t.Errorf("of %q all was heard, yet %q is told", written, heard)
				}
			}
		}
	}
	if n < 400 {
		t.Errorf("only %d replies were found", n)
	}
}

func BenchmarkText(b *testing.B) {
	l := language.Of("es")
	const written = "Le resumo: Limpieza dental, el jueves 19 de noviembre a las cinco de la tarde, a nombre de Ana García, teléfono +34 600 11 12 22. Son 60 €. ¿Es correcto?"
	spoken.Text(l, written, spoken.Options{Region: "ES"})
	for b.Loop() {
		spoken.Text(l, written, spoken.Options{Region: "ES", Code: "K7M4QX"})
	}
}

func BenchmarkHeard(b *testing.B) {
	const written = "Hecho. Limpieza dental, mañana a las 17:00. Su código es K7M4QX. ¿Puedo ayudarle en algo más?"
	said := spoken.Text(language.Of("es"), written, spoken.Options{Code: "K7M4QX"})
	for b.Loop() {
		spoken.Heard(written, said, said[:len(said)/2])
	}
}
