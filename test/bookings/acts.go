package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// turn is one of a dialogue's, with what was heard in it.
type turn struct {
	said
	heard hearing.Gist
}

// measured is one thing to be heard. Of some things the labels cannot tell when
// they are heard wrongly: allowed is nil then, and no precision is printed.
type measured struct {
	name    string
	said    func(t turn) bool
	heard   func(t turn) bool
	allowed func(t turn) bool // beside what was said
}

var acts = []measured{
	{"yes", turn.agrees, turn.yes, func(t turn) bool { return t.has("SELECT", "INFORM_INTENT") }},
	{"no, with what instead", func(t turn) bool { return t.has("NEGATE") && t.has("INFORM") }, turn.no, func(t turn) bool { return t.has("NEGATE", "REQUEST_ALTS") }},
	{"no, plain", func(t turn) bool { return t.has("NEGATE") && !t.has("INFORM") }, turn.no, nil},
	{"thanks", func(t turn) bool { return t.has("THANK_YOU") }, turn.thanks, turn.polite},
	{"goodbye", func(t turn) bool { return t.has("GOODBYE") }, turn.goodbye, func(t turn) bool { return t.polite() || t.has("NEGATE") }},
	{"thanks or goodbye", turn.polite, func(t turn) bool { return t.thanks() || t.goodbye() }, func(t turn) bool { return t.has("NEGATE") }},
	{"book", func(t turn) bool { return t.intends("Reserve", "Book") }, turn.books, turn.wants},
	{"look for a place", func(t turn) bool { return t.intends("Find") }, turn.books, turn.wants},
	{"ask", func(t turn) bool { return t.has("REQUEST") }, func(t turn) bool { return t.heard.Has(conversation.Ask) }, func(t turn) bool { return t.has("REQUEST_ALTS", "INFORM_INTENT") }},
	{"for how many", func(t turn) bool { return t.party() > 0 }, turn.hearsParty, func(turn) bool { return false }},
}

// never are things that no caller of these sets means.
var never = []measured{
	{name: "yes to what was refused", heard: func(t turn) bool { return t.yes() && t.has("NEGATE") }},
	{name: "what nobody says here", heard: turn.strange},
}

// hearActs says how much of what each turn was meant for is heard. The sets do
// not say what had been asked, so that every turn is heard twice: as if nothing
// had been, and as the answer to a read-back.
func hearActs(name string, dialogues []dialogue, verbose bool) {
	for _, asked := range []struct {
		words  string
		expect conversation.Slot
	}{{"nothing asked", conversation.Nothing}, {"read back", conversation.SlotConfirm}} {
		turns := hearTurns(dialogues, asked.expect)
		for _, m := range acts {
			fmt.Printf("%-32s acts heard, %-13s  %-22s %s\n", name, asked.words, m.name, m.count(turns, verbose))
		}
		for _, m := range never {
			fmt.Printf("%-32s acts heard, %-13s  %-22s %d times in %d turns\n", name, asked.words, m.name, m.times(turns, verbose), len(turns))
		}
	}
}

// hearTurns hears every turn by itself.
func hearTurns(dialogues []dialogue, expect conversation.Slot) (all []turn) {
	for _, d := range dialogues {
		s := conversation.Setting{Now: refTime(d.Ref), Language: d.Lang, Region: "US", Trade: frontdesk.TradeOf(d.Business)}
		for _, t := range d.Turns {
			all = append(all, turn{t, hearing.Hear(t.Text, s).Gist()})
			s.Booking, s.Expect = true, expect
		}
	}
	return all
}

// count is recall and precision of one thing.
func (m measured) count(turns []turn, verbose bool) string {
	said, right, heard, wrong := 0, 0, 0, 0
	for _, t := range turns {
		meant, got := m.said(t), m.heard(t)
		if meant {
			said++
		}
		if meant && got {
			right++
		}
		if got {
			heard++
		}
		misheard := got && !meant && m.allowed != nil && !m.allowed(t)
		if misheard {
			wrong++
		}
		if verbose && (misheard || meant && !got) {
			t.tell(m.name)
		}
	}
	recall := fmt.Sprintf("recall %4d of %4d  %s", right, said, percent(right, said))
	if m.allowed == nil {
		return recall
	}
	return recall + fmt.Sprintf("; precision %4d of %4d  %s", heard-wrong, heard, percent(heard-wrong, heard))
}

// times is how often a thing was heard that nobody says.
func (m measured) times(turns []turn, verbose bool) (n int) {
	for _, t := range turns {
		if !m.heard(t) {
			continue
		}
		if n++; verbose {
			t.tell(m.name)
		}
	}
	return n
}

// tell prints a turn in which something was not heard, or heard wrongly.
func (t turn) tell(name string) {
	h := t.heard
	fmt.Printf("  %s: %q: %v yes=%t no=%t party=%d name=%q phone=%s%s\n", name, t.Text, h.Intents, h.Yes, h.No, h.Party, h.Name, h.Phone, h.BadPhone)
}

// has says whether the turn was meant for any of these.
func (t turn) has(names ...string) bool {
	return slices.ContainsFunc(t.Acts, func(a act) bool { return slices.Contains(names, a.Act) })
}

func (t turn) intends(prefixes ...string) bool {
	return slices.ContainsFunc(t.Acts, func(a act) bool {
		return a.Act == "INFORM_INTENT" && slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(a.Canonical, p) })
	})
}

func (t turn) agrees() bool { return t.has("AFFIRM", "AFFIRM_INTENT") }
func (t turn) polite() bool { return t.has("THANK_YOU", "GOODBYE") }

// wants says whether the turn was meant for more than asking and being polite.
func (t turn) wants() bool {
	return slices.ContainsFunc(t.Acts, func(a act) bool { return a.Act != "REQUEST" && a.Act != "THANK_YOU" && a.Act != "GOODBYE" })
}

// party is for how many the caller says it is, 0 when they do not.
func (t turn) party() int {
	for _, a := range t.Acts {
		if a.Act == "INFORM" && slices.Contains(slots[2].acts, a.Slot) {
			n, _ := strconv.Atoi(a.Canonical) // "dontcare" is no number
			return n
		}
	}
	return 0
}

func (t turn) yes() bool     { return t.heard.Yes }
func (t turn) no() bool      { return t.heard.No }
func (t turn) thanks() bool  { return t.heard.Has(conversation.Thanks) }
func (t turn) goodbye() bool { return t.heard.Has(conversation.Goodbye) }
func (t turn) books() bool   { return t.heard.Has(conversation.Book) }

// hearsParty says whether the right number of people was heard, or any where none
// was said.
func (t turn) hearsParty() bool {
	return t.heard.Party > 0 && (t.party() == 0 || t.heard.Party == t.party())
}

// strange is what the callers of these sets never say: who they are, another
// language, insults.
func (t turn) strange() bool {
	h := t.heard
	return h.Name != "" || h.Phone != "" || h.BadPhone != "" || h.Email != "" || h.Code != "" || h.Language == "es" ||
		slices.ContainsFunc(h.Intents, func(i conversation.Intent) bool { return slices.Contains(unheardOf, i) })
}

var unheardOf = []conversation.Intent{
	conversation.Abuse, conversation.Meddle, conversation.Others, conversation.Human, conversation.Restart, conversation.Order, conversation.Leave, conversation.Cancel,
}
