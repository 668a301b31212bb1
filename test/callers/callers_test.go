// Package callers has people with a goal call businesses, and judges by what
// stands in the books afterwards. README.md has the format of their scripts.
//
//	go test ./test/callers                               at least as many are served as floor.txt says
//	go test -v -run Callers/ID ./test/callers            one of them, with what went wrong
//	EVAL=DIR go test -v -run 'Others$' ./test/callers    other folders; they are only counted
//	EVAL=DIR go test -v -run OthersByTelephone ./test/callers
//	                                                     the same through carriers' relays
//
// VERBOSE=1 shows the conversations that went wrong, VERBOSE=2 all.
package callers

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"frontdesk.dev/frontdesk/internal/conversation"
)

// modelFor makes the model of one caller; nil: rules alone understand.
type modelFor func(t *testing.T, s script) conversation.Model

// TestCallers holds the receptionist to the number of callers that it has served
// before. floor.txt is raised with every improvement and never lowered.
func TestCallers(t *testing.T) {
	t.Parallel()
	c := callAll(t, ".", nil, nil)
	if c.total == 0 {
		t.Fatal("there are no callers")
	}
	if floor := readFloor(t); c.served < floor {
		t.Errorf("%d of %d callers are served; %d were before", c.served, c.total, floor)
	}
	t.Log(c)
}

func readFloor(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("floor.txt")
	must(t, err)
	floor, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(t, err)
	return floor
}

// TestOthers calls with the scripts of another folder.
func TestOthers(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("EVAL")
	if folder == "" {
		t.Skip("EVAL names no folder")
	}
	t.Log(callAll(t, folder, nil, nil))
}

// count is how many were served.
type count struct {
	mu            sync.Mutex
	served, total int
	by            map[string][2]int // business: served, total
	kinds         map[string]int    // of what went wrong
}

func (c *count) add(business string, bad []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.by[business]
	b[1]++
	c.total++
	if len(bad) == 0 {
		b[0]++
		c.served++
	}
	c.by[business] = b
	for _, what := range bad {
		kind, _, _ := strings.Cut(what, " ")
		c.kinds[kind]++
	}
}

func (c *count) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.by)) {
		fmt.Fprintf(&b, "%s %d/%d, ", name, c.by[name][0], c.by[name][1])
	}
	kinds := slices.SortedFunc(maps.Keys(c.kinds), func(x, y string) int { return cmp.Compare(c.kinds[y], c.kinds[x]) })
	for i, k := range kinds {
		kinds[i] = fmt.Sprintf("%s %d", k, c.kinds[k])
	}
	return fmt.Sprintf("%s%d of %d callers served as they should be\nkinds: %s", b.String(), c.served, c.total, strings.Join(kinds, ", "))
}

// callAll has everybody call whose script lies under a folder, each in a subtest.
// Each caller that was not served is given to judged, where there is one.
func callAll(t *testing.T, root string, model modelFor, judged func(t *testing.T, h held, bad []string)) *count {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(root, "*", "business.json"))
	must(t, err)
	c := &count{by: map[string][2]int{}, kinds: map[string]int{}}
	t.Run("", func(t *testing.T) {
		for _, file := range folders {
			scripts := readScripts(t, filepath.Dir(file))
			b := openBusiness(t, filepath.Dir(file), scripts)
			for _, s := range scripts {
				t.Run(s.ID, func(t *testing.T) {
					t.Parallel()
					var m conversation.Model
					if model != nil {
						m = model(t, s)
					}
					h := b.hold(t, s, m)
					bad := h.judge()
					c.add(b.name, bad)
					report(t, h, bad)
					if judged != nil {
						judged(t, h, bad)
					}
				})
			}
		}
	})
	return c
}

// report writes down what went wrong.
func report(t *testing.T, h held, bad []string) {
	t.Helper()
	verbose := os.Getenv("VERBOSE")
	if len(bad) > 0 {
		t.Logf("%s: %s", h.ID, strings.Join(bad, "; "))
	}
	if verbose == "2" || verbose == "1" && len(bad) > 0 {
		t.Log("\n" + h.String())
	}
}
