package hearing_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// Every sentence that the data of the languages have as an example, and every word
// that is respelled, can be said as an answer to anything: hearing ends.
func TestEverySentenceIsHeard(t *testing.T) {
	t.Parallel()
	business := reading(salonServices, tavernMenu, shopProducts)
	slots := []hearing.Slot{hearing.Nothing, hearing.SlotName, hearing.SlotPhone, hearing.SlotConfirm}
	for i, text := range sentences(t) {
		slot := slots[i%len(slots)]
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%q as an answer to %q: %v", text, slot, p)
				}
			}()
			s := booking(slot)
			s.Catalogue = business
			hearing.Hear(text, s)
		}()
	}
}

// sentences are those of the phrases, and what is respelled in a sentence.
func sentences(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("../language/data/*/phrases/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no phrases", err)
	}
	spellings, err := filepath.Glob("../language/data/*/cleaning.txt")
	if err != nil || len(spellings) == 0 {
		t.Fatal("there are no spellings", err)
	}
	for _, name := range append(files, spellings...) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			text := lines.Text()
			said, respelled, spells := strings.Cut(text, " = ")
			switch {
			case strings.HasPrefix(text, "+ "), strings.HasPrefix(text, "- "):
				all = append(all, text[2:])
			case spells && !strings.HasPrefix(text, "#"):
				for word := range strings.SplitSeq(said, ", ") {
					all = append(all, "para "+word+" Ana García", "thats "+word+" "+respelled+" cheers", word)
				}
			}
		}
		f.Close()
	}
	return all
}
