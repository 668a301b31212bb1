package knowledge_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

// TestTheDrawing walks every arrow of the drawing in docs/knowledge.md, and
// knows no other.
func TestTheDrawing(t *testing.T) {
	t.Parallel()
	archive := func(h *house, d frontdesk.Document) error {
		_, err := h.store.ArchiveDocument(ctx, h.owner, frontdesk.Actor{}, d.ID, h.clock.Now())
		return err
	}
	remove := func(h *house, d frontdesk.Document) error {
		return h.library.Delete(ctx, h.owner, frontdesk.Actor{}, d.ID)
	}
	read := func(h *house, _ frontdesk.Document) error {
		_, err := h.worker(reader, nil).RunOnce(ctx)
		return err
	}
	arrows := map[string]func(*house, frontdesk.Document) error{
		"[*] --> pending":           func(*house, frontdesk.Document) error { return nil },
		"pending --> processing":    claim,
		"processing --> ready":      afterLease(read),
		"processing --> error":      afterLease(breaking(read)),
		"processing --> pending":    afterLease(flooded(read)),
		"processing --> processing": afterLease(claim),
		"pending --> archived":      archive,
		"processing --> archived":   archive,
		"ready --> archived":        archive,
		"error --> archived":        archive,
		"ready --> [*]":             remove,
		"error --> [*]":             remove,
		"archived --> [*]":          remove,
	}
	if drawn, known := drawing(t), slices.Sorted(maps.Keys(arrows)); !slices.Equal(drawn, known) {
		t.Errorf("drawn are %q, known are %q", drawn, known)
	}
	for arrow, follow := range arrows {
		t.Run(arrow, func(t *testing.T) {
			t.Parallel()
			from, to, _ := strings.Cut(arrow, " --> ")
			h := newHouse(t)
			d := h.brought(from)
			if err := follow(h, d); err != nil {
				t.Fatal(err)
			}
			if to != "[*]" {
				h.is(d, frontdesk.DocumentStatus(to))
			} else if _, err := h.store.Document(ctx, h.owner, d.ID); err == nil {
				t.Error("it is still there")
			}
		})
	}
}

// drawing are the arrows of the drawing, in order.
func drawing(t *testing.T) (arrows []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/knowledge.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^ +(\S+ --> [^:\n]+):`).FindAllStringSubmatch(string(text), -1) {
		arrows = append(arrows, m[1])
	}
	slices.Sort(arrows)
	return arrows
}

// brought is a document that stands where an arrow begins.
func (h *house) brought(status string) frontdesk.Document {
	h.t.Helper()
	text := "Guests park behind the house."
	if status == "error" {
		text = " "
	}
	d := h.add("rules.txt", text)
	var err error
	switch status {
	case "processing":
		err = claim(h, d)
	case "ready", "error":
		h.once(h.worker(reader, nil))
	case "archived":
		_, err = h.store.ArchiveDocument(ctx, h.owner, frontdesk.Actor{}, d.ID, h.clock.Now())
	}
	if err != nil {
		h.t.Fatal(err)
	}
	if status != "[*]" {
		h.is(d, frontdesk.DocumentStatus(status))
	}
	return d
}

// claim is what a worker does first, and one that dies last.
func claim(h *house, _ frontdesk.Document) error {
	_, _, err := h.store.ClaimDocumentForWorker(ctx, h.clock.Now(), h.clock.Now().Add(knowledge.Lease), 0)
	return err
}

type step = func(*house, frontdesk.Document) error

// afterLease takes a step when the worker that had the document is given up.
func afterLease(take step) step {
	return func(h *house, d frontdesk.Document) error {
		h.clock.Forward(knowledge.Lease)
		return take(h, d)
	}
}

// breaking takes a step after the document's bytes have been damaged.
func breaking(take step) step {
	return func(h *house, d frontdesk.Document) error {
		key := knowledge.BlobKey(h.owner, d.ID)
		if _, err := h.blobs.Put(ctx, key, strings.NewReader("Guests park beneath the house.")); err != nil {
			return err
		}
		return take(h, d)
	}
}

// flooded takes a step while the bytes cannot be fetched.
func flooded(take step) step {
	return func(h *house, d frontdesk.Document) error {
		h.blobs.away("Get")
		return take(h, d)
	}
}
