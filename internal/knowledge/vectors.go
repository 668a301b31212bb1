package knowledge

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	// embedAtOnce is how many fragments are sent for their vectors at once.
	embedAtOnce = 64
	// embedTime is for all fragments of a document: what has none by then is
	// found by its words alone.
	embedTime = 30 * time.Second
	// askTime is for the vector of a question, while its caller waits.
	askTime = 300 * time.Millisecond
)

// addVectors asks for the vectors of fragments. Without them they can be found
// all the same, so a failure is only told.
func (w *Worker) addVectors(ctx context.Context, fragments []frontdesk.Fragment) {
	if w.embed == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, embedTime)
	defer cancel()
	for start := 0; start < len(fragments); start += embedAtOnce {
		some := fragments[start:min(start+embedAtOnce, len(fragments))]
		texts := make([]string, len(some))
		for i, f := range some {
			texts[i] = embeddable(f)
		}
		vectors, err := w.embed.Embed(ctx, texts)
		if err != nil {
			w.log.Warn("fragments are kept without vectors", "error", err)
			return
		}
		for i := range some {
			some[i].Vector = vectors[i]
		}
	}
}

// embeddable is all that a fragment is about.
func embeddable(f frontdesk.Fragment) string {
	text := f.Text
	if f.Question != "" {
		text = f.Question + "\n" + text
	}
	if f.Heading != "" {
		text = f.Heading + "\n" + text
	}
	return text
}

// vectorOf asks for the vector of a question; nil when it does not come in time.
func (s *Shelves) vectorOf(ctx context.Context, question string) []float32 {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	vectors, err := s.embed.Embed(ctx, []string{question})
	if err != nil {
		s.log.Warn("a question is answered by its words alone", "error", err)
		return nil
	}
	return vectors[0]
}
