package callers

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// TestEveryWordIsAccountedFor walks every line of every caller: each word that
// says something lies in a piece of what was heard.
func TestEveryWordIsAccountedFor(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob(filepath.Join("*", "business.json"))
	must(t, err)
	pieces := 0
	var lost []string
	for _, file := range folders {
		setting := settingOf(t, readAgent(t, filepath.Dir(file)))
		for _, s := range readScripts(t, filepath.Dir(file)) {
			for expect, said := range s.bySlot() {
				setting.Language, setting.Expect, setting.Booking = s.Language, expect, expect != ""
				for _, line := range said {
					h := hearing.Hear(line, setting)
					pieces += len(h.Pieces)
					if words := unaccounted(h); len(words) > 0 {
						lost = append(lost, s.ID+": "+strings.Join(words, ", ")+" of: "+line)
					}
				}
			}
		}
	}
	if pieces == 0 {
		t.Fatal("nothing is cut into pieces")
	}
	slices.Sort(lost)
	for _, l := range lost {
		t.Error(l)
	}
}

// bySlot are the lines of a caller, by what was asked when they say them.
func (s script) bySlot() map[hearing.Slot][]string {
	by := map[hearing.Slot][]string{"": append([]string{s.Opens}, s.Otherwise...)}
	for slot, said := range s.Answers {
		by[hearing.Slot(slot)] = append(by[hearing.Slot(slot)], said...)
	}
	for _, a := range s.Asides {
		by[hearing.Slot(a.At)] = append(by[hearing.Slot(a.At)], a.Says)
	}
	if s.AfterReadBack != "" {
		by[hearing.SlotConfirm] = append(by[hearing.SlotConfirm], s.AfterReadBack)
	}
	if s.Closes != "" {
		by[""] = append(by[""], s.Closes)
	}
	return by
}

func settingOf(t *testing.T, agent frontdesk.Agent) hearing.Setting {
	t.Helper()
	zone, err := frontdesk.LoadZone(agent.Timezone)
	must(t, err)
	now, err := time.ParseInLocation("2006-01-02T15:04", wednesday, zone)
	must(t, err)
	number, err := phonenumbers.Parse(agent.Config.Business.Phone, "ZZ")
	must(t, err)
	return hearing.Setting{
		Now: now, Trade: agent.Trade(), Catalogue: catalogue.Read(agent),
		Region: phonenumbers.GetRegionCodeForCountryCode(int(number.GetCountryCode())),
	}
}

// unaccounted are the words that say something and lie in no piece.
func unaccounted(h hearing.Heard) (words []string) {
	for _, w := range language.MixOf().Tokens(h.Text) {
		inside := func(p hearing.Piece) bool { return p.At[0] <= w.Start && w.End <= p.At[1] }
		if saysSomething(w) && !slices.ContainsFunc(h.Pieces, inside) {
			words = append(words, h.Text[w.Start:w.End])
		}
	}
	return words
}

// saysSomething is false of fillers, of words that were taken back, and of those
// that only hold a sentence together.
func saysSomething(w language.Token) bool {
	return w.Skip == language.Read && !slices.ContainsFunc(language.Codes(), func(code string) bool { return lexicon.Grammar(code, w.Word) })
}
