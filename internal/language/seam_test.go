package language

import (
	"os"
	"testing"
)

// A language is its folder: one that nobody speaks is heard, cleaned and spoken
// without a line of code for it.
func TestAMadeUpLanguage(t *testing.T) {
	t.Parallel()
	l, err := Load("xx", os.DirFS("testdata/xx"))
	if err != nil {
		t.Fatal(err)
	}
	m := NewMix(l)
	for _, section := range l.Sections(phraseSection) {
		holdToSentences(t, l, NewMix(l), section)
	}
	cleanSentences(t, m, l.Lines("spellings"))
	cleanSentences(t, m, l.Lines("filler words"))
	for text, want := range map[string]string{
		"oe volu, oe, tablo":              "volu tablo",
		"volu tablo po, po trik":          "volu tablo po trik",
		"tablo la lundo, pardu, la mardo": "tablo la mardo",
		"tre tre tablo":                   "tre tre tablo",
		"tablo bel mu":                    "tablo belmu",
		"taqlo":                           "taqlo",
	} {
		if got := words(m.Tokens(text)); got != want {
			t.Errorf("%q is read %q, want %q", text, got, want)
		}
	}
	if got := l.Say("hello", "", "name", "Ana"); got != "Salu, Ana." {
		t.Errorf("it says %q", got)
	}
	if got := l.Say("hello", "du", "name", "Ana"); got != "Ciu, Ana!" {
		t.Errorf("in its other manner it says %q", got)
	}
	if from, to, ok := m.Phrases("book").Find(m.Tokens("nau, volu nau ak tablo")); !ok || to-from != 4 {
		t.Errorf("the phrase stands from %d to %d: %v", from, to, ok)
	}
}

func TestEmergencyNumber(t *testing.T) {
	t.Parallel()
	for country, want := range map[string]string{"ES": "112", "gb": "999", "US": "911", "MX": "911", "IE": "112", "": "112", "XX": "112"} {
		if got := EmergencyNumber(country); got != want {
			t.Errorf("in %q it is %s, want %s", country, got, want)
		}
	}
}
