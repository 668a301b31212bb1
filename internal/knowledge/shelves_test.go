package knowledge_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// says tells whether the best answer to a question has a word in it.
func (h *house) says(question, word string) bool {
	h.t.Helper()
	return strings.Contains(h.ask(question).Text, word)
}

func TestAnIndexFollowsItsDocumentsOnEveryNode(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other := h.nextDoor()
	both := func(when string, want bool) {
		t.Helper()
		for node, h := range map[string]*house{"the same": h, "the other": other} {
			if h.says("¿Tienen terraza?", "doce mesas") != want {
				t.Errorf("%s: on %s node it is not %v", when, node, want)
			}
		}
	}
	both("before there is a document", false)
	d := h.add("a.md", questions)
	both("before it is read", false)
	h.once(other.worker(reader, nil))
	both("once it is ready", true)
	if _, err := other.store.ArchiveDocument(ctx, h.owner, frontdesk.Actor{}, d.ID, h.clock.Now()); err != nil {
		t.Fatal(err)
	}
	both("once it is archived", false)
	if err := other.library.Delete(ctx, h.owner, frontdesk.Actor{}, d.ID); err != nil {
		t.Fatal(err)
	}
	d = other.ready("a.md", questions)
	both("uploaded anew", true)
	if err := h.library.Delete(ctx, h.owner, frontdesk.Actor{}, d.ID); err != nil {
		t.Fatal(err)
	}
	both("once it is deleted", false)
}

func TestAgentsAnswerFromTheirOwnAndFromShared(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	bar, hotel := frontdesk.NewID(h.clock.Now()), frontdesk.NewID(h.clock.Now())
	h.readyFor(bar, "bar.md", "## ¿Qué cócteles tienen?\nEn el bar hay mojitos y caipiriñas.\n")
	h.readyFor(hotel, "hotel.md", "## ¿Hay piscina?\nEl hotel tiene piscina climatizada en la azotea.\n")
	h.ready("all.md", "## ¿Tienen terraza?\nSí, tenemos una terraza con doce mesas.\n")
	for agent, want := range map[frontdesk.ID][]bool{bar: {true, false, true}, hotel: {false, true, true}, "": {false, false, true}} {
		for i, q := range []struct{ question, word string }{
			{"¿Qué cócteles tienen?", "mojitos"}, {"¿Hay piscina?", "climatizada"}, {"¿Tienen terraza?", "doce mesas"},
		} {
			if a := h.askFor(agent, q.question); strings.Contains(a.Text, q.word) != want[i] {
				t.Errorf("agent %q on %q: %+v", agent, q.question, a)
			}
		}
	}
}

func TestModesAndTenantsAnswerFromTheirOwn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d := h.ready("a.md", questions)
	tenant := storetest.Tenant(t, h.store, "other").ID
	for name, owner := range map[string]frontdesk.Owner{
		"the sandbox": {TenantID: h.owner.TenantID}, "another tenant": {TenantID: tenant, Live: true},
	} {
		a, err := h.shelves.Ask(ctx, owner, knowledge.Question{Text: "¿Tienen terraza?", AgentID: d.AgentID})
		if err != nil || a.Answered || len(a.Hits) != 0 || !strings.Contains(a.Explanation, "no document") {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	if !h.says("¿Tienen terraza?", "doce mesas") {
		t.Error("its own tenant has no answer")
	}
}

func TestAnIndexIsMadeOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ready("a.md", long(200))
	book := func() any {
		b, err := h.shelves.Book(ctx, h.owner, "")
		if err != nil {
			t.Error(err)
		}
		return b
	}
	const askers = 50
	var books [askers]any
	var wg sync.WaitGroup
	for i := range askers {
		wg.Go(func() { books[i] = book() })
	}
	wg.Wait()
	for _, b := range books {
		if b != books[0] {
			t.Fatal("it was made twice")
		}
	}
	h.clock.Forward(time.Hour)
	h.unanswered("¿Hay terraza?") // no change of documents
	if book() != books[0] {
		t.Error("it was made anew, and nothing has changed")
	}
	h.ready("b.md", questions)
	if book() == books[0] {
		t.Error("it is the old one")
	}
}

func TestAnIndexThatNobodyAsksForIsDropped(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	bar := frontdesk.NewID(h.clock.Now())
	h.ready("a.md", questions)
	h.askFor(bar, "¿Tienen terraza?")
	h.ask("¿Tienen terraza?")
	h.clock.Forward(knowledge.Idle)
	h.ask("¿Tienen terraza?")
	h.shelves.Tidy(ctx)
	if !h.shelves.Holds(h.owner, bar) {
		t.Error("it was dropped too early")
	}
	h.clock.Forward(time.Second)
	h.shelves.Tidy(ctx)
	if h.shelves.Holds(h.owner, bar) || !h.shelves.Holds(h.owner, "") {
		t.Error("the idle one is held, or the other is not")
	}
	if a := h.askFor(bar, "¿Tienen terraza?"); !a.Answered {
		t.Errorf("it is not made again: %+v", a)
	}
}

func TestIndicesTakeNoMoreThanTheirBytes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var agents []frontdesk.ID
	for range 5 {
		agents = append(agents, frontdesk.NewID(h.clock.Now()))
		h.readyFor(agents[len(agents)-1], "a.md", long(50))
	}
	h.shelves = knowledge.NewShelves(h.store, nil, h.clock.Now, quiet, 0)
	h.askFor(agents[0], "thing")
	one := h.shelves.Bytes()
	if one == 0 {
		t.Fatal("an index weighs nothing")
	}
	h.shelves = knowledge.NewShelves(h.store, nil, h.clock.Now, quiet, 3*one+one/2)
	ask := func(agent frontdesk.ID) {
		t.Helper()
		h.clock.Forward(time.Second)
		if a := h.askFor(agent, "What about thing number 7?"); !strings.Contains(a.Text, "shelf 7") {
			t.Errorf("got %+v", a)
		}
		if n := h.shelves.Bytes(); n > 3*one+one/2 {
			t.Errorf("they take %d bytes, one takes %d", n, one)
		}
	}
	for _, i := range []int{0, 1, 2, 0, 3} { // 1 is now the one that was not asked for longest
		ask(agents[i])
	}
	for i, want := range []bool{true, false, true, true, false} {
		if h.shelves.Holds(h.owner, agents[i]) != want {
			t.Errorf("that it holds %d is not %v", i, want)
		}
	}
	ask(agents[1])

	// One alone may be as large as it is.
	h.shelves = knowledge.NewShelves(h.store, nil, h.clock.Now, quiet, 1)
	for range 2 {
		h.clock.Forward(time.Second)
		h.askFor(agents[0], "thing")
		h.askFor(agents[1], "thing")
		if h.shelves.Holds(h.owner, agents[0]) || !h.shelves.Holds(h.owner, agents[1]) {
			t.Error("the last one is not held, or the one before is")
		}
	}
}

// Documents come, go and are archived while many ask: each answer is whole, and
// of a document that was there.
func TestQuestionsWhileDocumentsChange(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other := h.nextDoor()
	h.ready("a.md", questions)
	var asked atomic.Int64
	var wg sync.WaitGroup
	stop, cancel := context.WithCancel(ctx)
	for i := range 50 {
		node := []*house{h, other}[i%2]
		wg.Go(func() {
			for first := true; first || stop.Err() == nil; first = false {
				a, err := node.shelves.Ask(ctx, h.owner, knowledge.Question{Text: "¿Tienen terraza?"})
				if err != nil || !strings.Contains(a.Text, "doce mesas") {
					t.Errorf("got %+v, %v", a, err)
					return
				}
				for _, hit := range a.Hits {
					if hit.Title == "" || hit.Kind != frontdesk.Markdown {
						t.Errorf("of no document: %+v", hit)
						return
					}
				}
				asked.Add(1)
			}
		})
	}
	for i := range 10 {
		d := h.ready("b.md", fmt.Sprintf("## ¿Tienen sala %d?\nTenemos la sala número %d para reuniones.\n", i, i))
		switch i % 3 {
		case 0:
			if err := other.library.Delete(ctx, h.owner, frontdesk.Actor{}, d.ID); err != nil {
				t.Error(err)
			}
		case 1:
			if _, err := h.store.ArchiveDocument(ctx, h.owner, frontdesk.Actor{}, d.ID, h.clock.Now()); err != nil {
				t.Error(err)
			}
		}
	}
	cancel()
	wg.Wait()
	for _, node := range []*house{h, other} {
		for i := range 10 {
			if got, want := node.says(fmt.Sprintf("¿Tienen sala %d?", i), fmt.Sprintf("número %d ", i)), i%3 == 2; got != want {
				t.Errorf("that there is an answer about room %d is %v", i, got)
			}
		}
	}
	t.Logf("%d questions were answered", asked.Load())
}

func TestADatabaseThatIsAwayIsSaid(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ready("a.md", questions)
	h.ask("¿Tienen terraza?")
	h.store.Close()
	if a, err := h.shelves.Ask(ctx, h.owner, knowledge.Question{Text: "¿Tienen terraza?"}); err == nil {
		t.Errorf("answered from what may be old: %+v", a)
	}
}
