package hearing_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/wire"
)

// line is one thing that a scripted caller says, with what was asked and what it
// means.
type line struct {
	caller, says string
	setting      hearing.Setting
	means        []meant
}

// meant is a command as the scripts of callers write it.
type meant struct {
	Do    string `json:"do"`
	Task  string `json:"task"`
	Slot  string `json:"slot"`
	Topic string `json:"topic"`
	Text  string `json:"text"`
	Value any    `json:"value"`
}

// callers are the folders of scripted callers: those of the repository, or the
// ones that CALLERS names.
func callers(t *testing.T) (all []line) {
	t.Helper()
	roots := filepath.SplitList(os.Getenv("CALLERS"))
	if len(roots) == 0 {
		roots = []string{"../../test/callers"}
	}
	for _, root := range roots {
		files, err := filepath.Glob(filepath.Join(root, "*", "callers.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			all = append(all, readCallers(t, file)...)
		}
	}
	return all
}

func readCallers(t *testing.T, file string) (all []line) {
	t.Helper()
	setting := businessSetting(t, filepath.Join(filepath.Dir(file), "business.json"))
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID, Language, Opens string
			Answers             map[string][]string
			Otherwise           []string
			AfterReadBack       string `json:"after_read_back"`
			Closes              string
			Asides              []struct{ At, Says string }
			Means               map[string][]meant
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		add := func(expect hearing.Slot, booking bool, says string) {
			s := setting
			s.Language, s.Expect, s.Booking = c.Language, expect, booking
			all = append(all, line{c.ID, says, s, c.Means[says]})
		}
		add(hearing.Nothing, false, c.Opens)
		for slot, says := range c.Answers {
			for _, text := range says {
				add(hearing.Slot(slot), true, text)
			}
		}
		for _, text := range c.Otherwise {
			add(hearing.Nothing, true, text)
		}
		for _, a := range c.Asides {
			add(hearing.Slot(a.At), true, a.Says)
		}
		if c.AfterReadBack != "" {
			add(hearing.SlotConfirm, true, c.AfterReadBack)
		}
		if c.Closes != "" {
			add(hearing.Nothing, false, c.Closes)
		}
	}
	return all
}

func businessSetting(t *testing.T, file string) hearing.Setting {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var plain map[string]json.RawMessage
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	delete(plain, "settings")
	text, _ = json.Marshal(plain)
	decoded, err := wire.DecodeAgentFile(text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := decoded.Agent()
	if err != nil {
		t.Fatal(err)
	}
	return hearing.Setting{
		Now: time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC), Region: "ES", Trade: a.Trade(), Catalogue: catalogue.Read(a),
	}
}

// TestEveryContentWordOfACallerLiesInAPiece: nothing that says something is
// passed over.
func TestEveryContentWordOfACallerLiesInAPiece(t *testing.T) {
	t.Parallel()
	for _, l := range callers(t) {
		heard := hearing.Hear(l.says, l.setting)
		for _, w := range language.MixOf().Tokens(heard.Text) {
			inside := slices.ContainsFunc(heard.Pieces, func(p hearing.Piece) bool { return p.At[0] <= w.Start && w.End <= p.At[1] })
			if !inside && !language.MixOf().Words("fillers")[w.Word] {
				t.Errorf("%s: %q of %q lies in no piece", l.caller, w.Word, l.says)
			}
		}
	}
}

// TestScriptedCallersMeanWhatIsHeard prints how much of what scripted callers
// mean is heard. Run it with -v to see what is not.
func TestScriptedCallersMeanWhatIsHeard(t *testing.T) {
	t.Parallel()
	scores := map[string]*[3]int{} // wanted and heard, wanted, heard
	count := func(l line, kind string, want, got bool, detail string) {
		s := scores[kind]
		if s == nil {
			s = new([3]int)
			scores[kind] = s
		}
		if want {
			s[1]++
		}
		if got {
			s[2]++
		}
		if want && got {
			s[0]++
		}
		if want != got {
			t.Logf("%s %-14s want %v got %v  %s | %s", l.caller, kind, want, got, l.says, detail)
		}
	}
	for _, l := range callers(t) {
		if l.means == nil {
			continue
		}
		judge(l, hearing.Hear(l.says, l.setting), count)
	}
	for kind, s := range scores {
		t.Logf("SCORE %-16s recall %3d of %3d, heard %3d", kind, s[0], s[1], s[2])
	}
}

// judge compares what a line means with what was heard.
func judge(l line, heard hearing.Heard, count func(l line, kind string, want, got bool, detail string)) {
	has := func(do, task, topic string) bool {
		return slices.ContainsFunc(l.means, func(m meant) bool { return m.Do == do && m.Task == task && m.Topic == topic })
	}
	heardAny := func(do hearing.Verb) bool {
		return slices.ContainsFunc(heard.Commands, func(c hearing.Command) bool { return c.Do == do })
	}
	g := heard.Gist()
	notes := strings.Join(append(slices.Clone(g.Notes), g.Asides...), " ; ")
	for _, do := range []string{"yes", "wait", "person", "bye", "ask", "unknown"} {
		wanted := slices.ContainsFunc(l.means, func(m meant) bool { return m.Do == do })
		count(l, do, wanted, heardAny(hearing.Verb(do)), notes)
	}
	count(l, "start book", has("start", "book", ""), g.Has(hearing.Book), notes)
	count(l, "another", slices.ContainsFunc(l.means, func(m meant) bool { return m.Do == "another" }), heardAny(hearing.DoAnother), "")
	noted := false
	for _, m := range l.means {
		switch m.Do {
		case "note":
			noted = true
			count(l, "note", true, covers(everyText(heard), m.Text), m.Text+" | "+everyText(heard))
		case "message":
			count(l, "message "+m.Topic, true, slices.ContainsFunc(heard.Commands, func(c hearing.Command) bool {
				return c.Do == hearing.DoMessage && string(c.Topic) == m.Topic
			}), fmt.Sprint(g.Intents))
		case "set":
			if m.Slot == "name" || m.Slot == "party_size" {
				got := map[string]string{"name": g.Name, "party_size": fmt.Sprint(g.Party)}[m.Slot]
				count(l, "set "+m.Slot, true, strings.EqualFold(got, fmt.Sprint(m.Value)), got)
			}
		}
	}
	if !noted {
		count(l, "note", false, notes != "", notes)
	}
	for _, c := range heard.Commands {
		if c.Do == hearing.DoMessage && !has("message", "", string(c.Topic)) {
			count(l, "message "+string(c.Topic), false, true, c.Text)
		}
	}
}

// everyText is what is kept of what was said: notes, messages, in all wishes.
func everyText(heard hearing.Heard) string {
	var all []string
	for _, c := range heard.Commands {
		if c.Do == hearing.DoNote || c.Do == hearing.DoMessage {
			all = append(all, c.Text)
		}
	}
	return strings.Join(all, " ; ")
}

// covers says whether most words of a note stand in a text.
func covers(text, note string) bool {
	kept, n, all := map[string]bool{}, 0, 0
	for _, w := range language.Tokenize(text) {
		kept[w.Word] = true
	}
	for _, w := range language.Tokenize(note) {
		all++
		if kept[w.Word] {
			n++
		}
	}
	return n*3 >= all*2
}
