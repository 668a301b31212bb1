package knowledge_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// current says whether a question is answered without an index being made.
func (h *house) current(agent frontdesk.ID) bool {
	h.t.Helper()
	is, err := h.shelves.Current(ctx, h.owner, agent)
	if err != nil {
		h.t.Fatal(err)
	}
	return is
}

func TestADocumentThatIsReadyHasItsIndex(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ready("a.md", questions)
	if !h.current("") {
		t.Error("the index is to be made by the first question")
	}
	if !h.says("¿Tienen terraza?", "doce mesas") {
		t.Error("the document is not in its index")
	}
	bar := frontdesk.NewID(h.clock.Now())
	h.readyFor(bar, "bar.md", "## ¿Qué cócteles tienen?\nEn el bar hay mojitos y caipiriñas.\n")
	h.ask("¿Tienen terraza?")
	h.askFor(bar, "¿Tienen terraza?")
	h.ready("b.md", "## ¿Hay aparcamiento?\nSí, hay veinte plazas detrás del edificio.\n")
	for _, agent := range []frontdesk.ID{"", bar} {
		if !h.current(agent) {
			t.Errorf("the index of agent %q is to be made by the next question", agent)
		}
	}
	if a := h.askFor(bar, "¿Hay aparcamiento?"); !a.Answered {
		t.Errorf("got %+v", a)
	}
}

func TestOneIndexDoesForAgentsWithoutDocuments(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ready("a.md", questions)
	bar := frontdesk.NewID(h.clock.Now())
	same := func() bool {
		t.Helper()
		mine, err := h.shelves.Book(ctx, h.owner, bar)
		if err != nil {
			t.Fatal(err)
		}
		all, err := h.shelves.Book(ctx, h.owner, "")
		if err != nil {
			t.Fatal(err)
		}
		return mine == all
	}
	if !same() {
		t.Error("an agent without documents has an index of its own")
	}
	h.readyFor(bar, "bar.md", "## ¿Qué cócteles tienen?\nEn el bar hay mojitos y caipiriñas.\n")
	if same() {
		t.Error("an agent with a document has the index of all")
	}
}

// An index that is made ahead does not bring back what is deleted meanwhile, and
// one for a document that cannot be saved is of no use.
func TestAnIndexMadeAheadIsOfTheDocumentsAsTheyAre(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	old := h.ready("a.md", questions)
	h.add("b.md", "## ¿Hay aparcamiento?\nSí, hay veinte plazas detrás del edificio.\n")
	err := h.worker(reader, nil).SavedWhile(ctx, func() {
		if !h.says("¿Tienen terraza?", "doce mesas") || h.says("¿Hay aparcamiento?", "veinte plazas") {
			t.Error("a question that comes before is not answered from the old index")
		}
		if err := h.library.Delete(ctx, h.owner, frontdesk.Actor{}, old.ID); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if h.says("¿Tienen terraza?", "doce mesas") {
		t.Error("the index has a document that is deleted")
	}
	if !h.says("¿Hay aparcamiento?", "veinte plazas") {
		t.Error("the index has no document that is ready")
	}

	gone := h.add("c.md", "## ¿Hay piscina?\nSí, hay una piscina climatizada.\n")
	err = h.worker(reader, nil).SavedWhile(ctx, func() {
		if err := h.library.Delete(ctx, h.owner, frontdesk.Actor{}, gone.ID); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if h.says("¿Hay piscina?", "climatizada") {
		t.Error("the index has a document that was never ready")
	}
}
