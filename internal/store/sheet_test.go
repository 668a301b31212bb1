package store_test

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// someDay are calls and captures of one UTC day, also such that only a mistake
// could have made.
func someDay(random *rand.Rand, n int) (calls []frontdesk.Call, captures []frontdesk.Capture) {
	at := func() time.Time {
		return day.Truncate(24 * time.Hour).Add(time.Duration(random.Int64N(int64(24 * time.Hour))))
	}
	agents := []frontdesk.ID{"", "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"}
	channels := []frontdesk.Channel{"web", "phone", "pigeon"}
	for range n {
		calls = append(calls, frontdesk.Call{
			AgentID: agents[random.IntN(3)], Channel: channels[random.IntN(3)], StartedAt: at(), Duration: random.IntN(1 << random.IntN(30)),
			Outcome: frontdesk.Outcomes[random.IntN(6)], Language: []string{"es", "en", "", "ñ"}[random.IntN(4)],
		})
		if random.IntN(3) == 0 {
			captures = append(captures, frontdesk.Capture{AgentID: agents[random.IntN(3)], Channel: channels[random.IntN(3)], CreatedAt: at()})
		}
	}
	return calls, captures
}

// figure is one number of a sheet: whose, of which quarter, and what it counts.
type figure struct {
	agent   frontdesk.ID
	channel frontdesk.Channel
	quarter int
	what    string
}

func figuresOf(t testing.TB, packed []byte) map[figure]int {
	t.Helper()
	found := map[figure]int{}
	err := store.ReadSheet(packed, func(d frontdesk.DayTally) {
		put := func(what string, numbers []int) {
			for i, n := range numbers {
				if n != 0 {
					found[figure{d.AgentID, d.Channel, int(d.Quarters[i]), what}] += n
				}
			}
		}
		put("calls", d.Calls)
		put("seconds", d.Seconds)
		put("captures", d.Captures)
		for _, c := range d.Outcomes {
			put("outcome "+c.Name, c.Calls)
		}
		for _, c := range d.Languages {
			put("language "+c.Name, c.Calls)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestASheetHoldsWhatWasWritten(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		calls, captures := someDay(random, random.IntN(40))
		want := map[figure]int{}
		for _, c := range calls {
			quarter := c.StartedAt.Hour()*4 + c.StartedAt.Minute()/15
			for what, n := range map[string]int{"calls": 1, "seconds": c.Duration, "outcome " + string(c.Outcome): 1, "language " + c.Language: 1} {
				want[figure{c.AgentID, c.Channel, quarter, what}] += n
			}
		}
		for _, c := range captures {
			want[figure{c.AgentID, c.Channel, c.CreatedAt.Hour()*4 + c.CreatedAt.Minute()/15, "captures"}]++
		}
		got := figuresOf(t, store.PackSheet(calls, captures))
		for f, n := range want {
			if got[f] != n {
				t.Errorf("%+v is %d, want %d", f, got[f], n)
			}
			delete(got, f)
		}
		for f, n := range got {
			t.Errorf("%+v is %d, want nothing", f, n)
		}
	}
}

// However a day is cut up, its sheets add up to the same bytes.
func TestSheetsAddUp(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		calls, captures := someDay(random, 30)
		cut, cutCaptures := random.IntN(len(calls)+1), random.IntN(len(captures)+1)
		whole := store.PackSheet(calls, captures)
		a, b := store.PackSheet(calls[:cut], captures[:cutCaptures]), store.PackSheet(calls[cut:], captures[cutCaptures:])
		for _, pair := range [][2][]byte{{a, b}, {b, a}, {whole, store.PackSheet(nil, nil)}} {
			if sum, err := store.AddPacked(pair[0], pair[1]); err != nil || !bytes.Equal(sum, whole) {
				t.Errorf("the sum differs: %v", err)
			}
		}
	}
}

// A damaged sheet is an error, or other figures: never a panic, and never more
// memory than its own size calls for.
func FuzzSheet(f *testing.F) {
	calls, captures := someDay(rand.New(rand.NewPCG(5, 6)), 20)
	f.Add(store.PackSheet(calls, captures))
	f.Add(store.PackSheet(nil, nil))
	f.Add([]byte{})
	f.Add([]byte{2, 0, 0})
	f.Fuzz(func(t *testing.T, packed []byte) {
		err := store.ReadSheet(packed, func(d frontdesk.DayTally) {
			for _, n := range [][]int{d.Calls, d.Seconds, d.Captures} {
				if n != nil && len(n) != len(d.Quarters) {
					t.Errorf("%d figures for %d quarters", len(n), len(d.Quarters))
				}
			}
		})
		if err == nil && packed[0] != 1 {
			t.Error("read a sheet of another version")
		}
	})
}

func TestADamagedSheetIsSaidToBe(t *testing.T) {
	t.Parallel()
	calls, captures := someDay(rand.New(rand.NewPCG(7, 8)), 20)
	whole := store.PackSheet(calls, captures)
	for cut := range whole {
		if err := store.ReadSheet(whole[:cut], func(frontdesk.DayTally) {}); err == nil {
			t.Errorf("the first %d of %d bytes were read as a sheet", cut, len(whole))
		}
	}
}
