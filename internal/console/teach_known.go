package console

import (
	"slices"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

// mostRemembered bounds what is remembered of questions.
const mostRemembered = 10_000

// answerable remembers which questions the documents of a version answer: the
// same ones are asked with every look at Teach.
type answerable struct {
	mu    sync.Mutex
	known map[answerableKey]bool
}

type answerableKey struct {
	owner    frontdesk.Owner
	version  int64
	question knowledge.Question
}

// asking asks the owner's documents, of one version, as long as there is time.
type asking struct {
	console *Console
	version int64
	until   time.Time
	unsure  bool // there was no time for some
}

func (c *Console) newAsking(v *visit, within time.Duration) (*asking, error) {
	// Read before the documents are asked: what changes meanwhile is asked again.
	version, err := c.store.KnowledgeVersion(v.Context(), v.owner())
	return &asking{console: c, version: version, until: time.Now().Add(within)}, err
}

// begun says whether any of the questions has been asked of this version. The first
// one has to wait until the documents are read: a page does not wait for that.
func (a *asking) begun(v *visit, all []frontdesk.UnansweredQuestion) bool {
	return slices.ContainsFunc(all, func(q frontdesk.UnansweredQuestion) bool {
		_, remembered := a.console.answerable.recall(answerableKey{v.owner(), a.version, newQuestion(askedAgent(v, q), q.Question)})
		return remembered
	})
}

// answers says whether the documents answer a question.
func (a *asking) answers(v *visit, q knowledge.Question) (bool, error) {
	before, key := &a.console.answerable, answerableKey{v.owner(), a.version, q}
	if answered, remembered := before.recall(key); remembered {
		return answered, nil
	}
	if time.Now().After(a.until) {
		a.unsure = true
		return false, nil
	}
	found, err := a.console.shelves.Ask(v.Context(), v.owner(), q)
	if err == nil {
		before.remember(key, found.Answered)
	}
	return found.Answered, err
}

func (a *answerable) recall(key answerableKey) (answered, remembered bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answered, remembered = a.known[key]
	return answered, remembered
}

func (a *answerable) remember(key answerableKey, answered bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil || len(a.known) >= mostRemembered {
		a.known = map[answerableKey]bool{}
	}
	a.known[key] = answered
}
