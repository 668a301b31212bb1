package whisper

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// smallVocabulary has all bytes, some pairs, and the tokens that steer a model.
func smallVocabulary(t testing.TB) *vocabulary {
	t.Helper()
	dir := t.TempDir()
	vocab := map[string]int64{}
	for _, r := range slices.Sorted(maps.Keys(bytesOfRunes())) {
		vocab[string(r)] = int64(len(vocab))
	}
	merges := []string{"Ġ c", "i t", "Ġc it", "Ġcit a", "Ã ±"}
	for _, m := range merges {
		vocab[strings.ReplaceAll(m, " ", "")] = int64(len(vocab))
	}
	write := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b, _ := json.Marshal(vocab)
	write("vocab.json", b)
	write("merges.txt", []byte("#version: 0.2\n"+strings.Join(merges, "\n")+"\n"))
	write("added_tokens.json", []byte(`{"<|startofprev|>":999,"<|nocaptions|>":1000}`))
	v, err := readVocabulary(dir)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPairsAreJoined(t *testing.T) {
	t.Parallel()
	v := smallVocabulary(t)
	for text, want := range map[string]int{
		"cita":      1, // with the space before it
		"cit":       1,
		"ñ":         2, // the space, and both bytes in one
		"cita cita": 2,
		"":          0,
	} {
		if got := v.encode(text); len(got) != want {
			t.Errorf("%q has the tokens %v, want %d", text, got, want)
		}
	}
}

func TestMarksHaveSeveralNames(t *testing.T) {
	t.Parallel()
	v := smallVocabulary(t)
	if got, err := v.find("<|nospeech|>", "<|nocaptions|>"); err != nil || got != 1000 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := v.find("<|transcribe|>"); err == nil {
		t.Error("a token was found that is not there")
	}
}

func TestTextIsParted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"it's 12:30, ¿no?": " it|'s| 12|:|30|,| ¿|no|?",
		"  a\n\tb ":        " a| b",
		"áéí2":             " áéí|2",
	} {
		if got := strings.Join(words(text), "|"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzTokensThereAndBack(f *testing.F) {
	f.Add("Quería pedir cita, ¿mañana?")
	f.Add("it's \x00\xff 漢字 '")
	v := smallVocabulary(f)
	f.Fuzz(func(t *testing.T, text string) {
		want := strings.ToValidUTF8(strings.Join(append([]string{""}, strings.Fields(text)...), " "), "�")
		if got := v.text(v.encode(text)); got != strings.TrimRight(want, " ") {
			t.Errorf("%q came back as %q, want %q", text, got, want)
		}
	})
}
