package conversation_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
)

// TestHearEval measures hearing on conversations that are not part of the
// project: FRONTDESK_EVAL=DIR go test -run TestHearEval -v ./internal/conversation
//
// It only counts. What is heard wrongly is logged, to be looked at. The sets do
// not say what the receptionist had asked, so every turn is heard twice: as if
// nothing had been asked, and as the answer to a read-back. A precision is
// printed only where the labels can tell what was heard wrongly.
func TestHearEval(t *testing.T) {
	dir := os.Getenv("FRONTDESK_EVAL")
	if dir == "" {
		t.Skip("FRONTDESK_EVAL names no directory")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*booking_goals*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for name, expect := range map[string]conversation.Slot{"nothing asked": conversation.Nothing, "read back": conversation.SlotConfirm} {
			t.Run(filepath.Base(file)+" "+name, func(t *testing.T) {
				scores := map[string]*score{}
				for _, turn := range evalTurns(t, file) {
					turn.mark(t, expect, scores)
				}
				for _, name := range slices.Sorted(maps.Keys(scores)) {
					t.Log(name, scores[name])
				}
			})
		}
	}
}

type score struct {
	said, right  int // what was said, and heard
	heard, wrong int // what was heard, and not said
	unlabelled   bool
}

func (s *score) String() string {
	out := fmt.Sprintf("recall %d of %d, %.1f %%", s.right, s.said, percent(s.right, s.said))
	if s.unlabelled {
		return out
	}
	return out + fmt.Sprintf("; %d heard, %d of them wrongly, precision %.1f %%", s.heard, s.wrong, percent(s.heard-s.wrong, s.heard))
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

type evalAct struct{ Act, Slot, Value, Canonical string }

type evalTurn struct {
	Text     string
	Acts     []evalAct
	business string
	first    bool
	now      time.Time
}

func evalTurns(t *testing.T, file string) (all []evalTurn) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var goal struct {
			Business, Ref string
			Turns         []evalTurn `json:"user_turns"`
		}
		if err := json.Unmarshal(line, &goal); err != nil {
			t.Fatal(err)
		}
		now, err := time.Parse("2006-01-02T15:04:05", goal.Ref)
		if err != nil {
			t.Fatal(err)
		}
		for i, turn := range goal.Turns {
			turn.business, turn.first, turn.now = goal.Business, i == 0, now
			all = append(all, turn)
		}
	}
	return all
}

func (e evalTurn) mark(t *testing.T, expect conversation.Slot, scores map[string]*score) {
	s := conversation.Setting{Now: e.now, Language: "en", Booking: !e.first, Region: "US", Vertical: e.business}
	if !e.first {
		s.Expect = expect
	}
	informs := slices.ContainsFunc(e.Acts, func(a evalAct) bool { return a.Act == "INFORM" })
	h := conversation.Hear(e.Text, s)
	agrees := e.has("AFFIRM") || e.has("AFFIRM_INTENT")
	e.count(t, scores, "yes", agrees, h.Yes, agrees || e.has("SELECT") || e.has("INFORM_INTENT"), h)
	e.count(t, scores, "no", e.has("NEGATE") && informs, h.No, e.has("NEGATE") || e.has("REQUEST_ALTS"), h)
	e.count(t, scores, "no, plain", e.has("NEGATE") && !informs, h.No, true, h)
	e.count(t, scores, "yes to what was refused", false, h.Yes && e.has("NEGATE"), false, h)
	polite := e.has("THANK_YOU") || e.has("GOODBYE")
	e.count(t, scores, "thanks", e.has("THANK_YOU"), h.Has(conversation.Thanks), polite, h)
	e.count(t, scores, "goodbye", e.has("GOODBYE"), h.Has(conversation.Goodbye), polite || e.has("NEGATE"), h)
	e.count(t, scores, "either of the two", polite, h.Has(conversation.Thanks) || h.Has(conversation.Goodbye), polite || e.has("NEGATE"), h)
	scores["no, plain"].unlabelled = true
	e.count(t, scores, "book", e.books(), h.Has(conversation.Book), !e.asksOnly(), h)
	e.count(t, scores, "find", e.finds(), h.Has(conversation.Book), !e.asksOnly(), h)
	e.count(t, scores, "ask", e.has("REQUEST"), h.Has(conversation.Ask), e.has("REQUEST") || e.has("REQUEST_ALTS") || e.has("INFORM_INTENT"), h)
	party := e.party()
	e.count(t, scores, "party", party > 0, party > 0 && h.Party == party || party == 0 && h.Party > 0, party > 0 && h.Party == party, h)
	e.count(t, scores, "nothing", false, h.Name != "" || h.Phone != "" || h.BadPhone != "" || h.Email != "" || h.Code != "" || h.Language == "es" ||
		h.Has(conversation.Abuse) || h.Has(conversation.Meddle) || h.Has(conversation.Others) || h.Has(conversation.Human) || h.Has(conversation.Restart) ||
		h.Has(conversation.Order) || h.Has(conversation.Leave) || h.Has(conversation.Cancel), false, h)
}

// count notes whether something that was said was heard, and whether something
// heard was allowed to be.
func (e evalTurn) count(t *testing.T, scores map[string]*score, name string, said, heard, allowed bool, h conversation.Heard) {
	s := scores[name]
	if s == nil {
		s = &score{}
		scores[name] = s
	}
	if said {
		s.said++
		if heard {
			s.right++
		} else {
			t.Logf("%s not heard: %q: %v yes=%t no=%t party=%d", name, e.Text, h.Intents, h.Yes, h.No, h.Party)
		}
	}
	if heard {
		s.heard++
		if !allowed {
			s.wrong++
			t.Logf("%s misheard: %q: %v yes=%t no=%t party=%d name=%q phone=%s%s", name, e.Text, h.Intents, h.Yes, h.No, h.Party, h.Name, h.Phone, h.BadPhone)
		}
	}
}

func (e evalTurn) has(act string) bool {
	return slices.ContainsFunc(e.Acts, func(a evalAct) bool { return a.Act == act })
}

func (e evalTurn) books() bool { return e.intends("Reserve") || e.intends("Book") }

func (e evalTurn) finds() bool { return e.intends("Find") }

func (e evalTurn) intends(prefix string) bool {
	return slices.ContainsFunc(e.Acts, func(a evalAct) bool { return a.Act == "INFORM_INTENT" && strings.HasPrefix(a.Canonical, prefix) })
}

func (e evalTurn) asksOnly() bool {
	return !slices.ContainsFunc(e.Acts, func(a evalAct) bool { return a.Act != "REQUEST" && a.Act != "THANK_YOU" && a.Act != "GOODBYE" })
}

func (e evalTurn) party() int {
	for _, a := range e.Acts {
		if a.Act == "INFORM" && a.Slot == "number_of_seats" {
			n, _ := strconv.Atoi(a.Canonical)
			return n
		}
	}
	return 0
}
