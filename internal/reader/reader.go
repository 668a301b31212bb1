// Package reader judges whether a passage answers a question, by a small network that
// reads both together.
//
// The network is a BERT that was trained for this alone. A question and a passage go
// through it as one row of pieces:
//
//	Vocabulary.Pieces -> embed -> layers of attention and feed-forward -> one score
//
// The sums are made in whole numbers, and what is between them in steps that every
// machine rounds alike, so that a score is the same to the bit everywhere. What is
// asked of it and what a score is worth, others decide.
package reader

import (
	"fmt"
	"runtime"
	"sync"
)

// How many pieces are read of a question and of a passage, and of both with the begin and
// the ends.
const (
	QuestionPieces = 48
	PassagePieces  = 128
	longest        = QuestionPieces + PassagePieces + 3
)

// atOnce is how many passages go through the network at once: weights are
// fetched from memory once for all of them.
const atOnce = 2

// mostRuns is how many questions are read at the same time at most: each takes some
// megabytes meanwhile.
const mostRuns = 3

// Reader is a trained network. It is safe for concurrent use.
type Reader struct {
	network *network
	path    path
	turns   chan struct{}
	spare   sync.Pool
}

// Load returns the reader whose weights are in bytes. They are read where they lie, and
// must not be changed.
func Load(bytes []byte) (*Reader, error) {
	n, err := parse(bytes)
	if err != nil {
		return nil, fmt.Errorf("loading the reader: %w", err)
	}
	r := &Reader{network: n, path: best(), turns: make(chan struct{}, min(mostRuns, runtime.GOMAXPROCS(0)))}
	r.spare.New = func() any { return newRun(n) }
	return r, nil
}

// Vocabulary is the pieces that the network knows.
func (r *Reader) Vocabulary() *Vocabulary { return r.network.vocabulary }

// Origin is JSON that tells what the weights were made from.
func (r *Reader) Origin() []byte { return r.network.origin }

// Path names the machine's instructions that are used; "portable" is many times slower than
// the others.
func (r *Reader) Path() string { return r.path.name }

// Score says of each passage how likely it answers the question, in logits. Only the
// first pieces of a text are read.
func (r *Reader) Score(question string, passages ...string) []float32 {
	r.turns <- struct{}{}
	run := r.spare.Get().(*run)
	defer func() {
		r.spare.Put(run)
		<-r.turns
	}()
	run.path = r.path
	asked := r.network.vocabulary.Pieces(question, QuestionPieces)
	scores := make([]float32, len(passages))
	for from := 0; from < len(passages); from += atOnce {
		to := min(from+atOnce, len(passages))
		run.begin()
		for _, passage := range passages[from:to] {
			run.read(asked, r.network.vocabulary.Pieces(passage, PassagePieces))
		}
		run.score(scores[from:to])
	}
	return scores
}

// Quick tells whether this machine has instructions with which reading takes no longer
// than a caller can wait.
func Quick() bool { return best().name != "portable" }
