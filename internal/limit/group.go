package limit

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Group is the limits of a node that hold over all nodes together. The nodes tell
// each other once a second what was counted on each (Here, Hear).
//
// In between a node knows of the others what they told last. So what passes over all
// nodes together is at most what the limit lets pass, and what the other nodes let
// pass until it is heard, two seconds at most; buckets make up for it afterwards.
//
// A Group of nil is that of a node which is alone.
type Group struct {
	secret []byte

	mu     sync.Mutex
	limits map[string]Shared
	nodes  map[string]*neighbour
	heard  time.Time // when the others were last heard
}

// Shared is a limit that holds over all nodes.
type Shared interface {
	// Here is what was counted on this node, by the marks of keys.
	Here(now time.Time) map[string]int64
	// Elsewhere takes what another node has counted, all of it. late says that this
	// node has not listened for a while: when it was counted is not known.
	Elsewhere(node string, counts map[string]int64, late bool, now time.Time)
	// Gone forgets what a node has counted.
	Gone(node string)
}

// Counts is what a node has counted: by limit, then by the mark of a key.
type Counts map[string]map[string]int64

// Told is what a node told. Beat is another each time that it tells something.
type Told struct {
	Node   string
	Beat   int64
	Counts Counts
}

// neighbour is another node, as it was heard last.
type neighbour struct {
	beat int64
	at   time.Time // when the beat was new
}

// silence is after how long a node that tells nothing is taken for gone: what it
// counted is no longer held against anybody.
const silence = time.Minute

// notListening is after how long without hearing the others it is not known when they
// counted what they tell.
const notListening = 5 * time.Second

// NewGroup returns a Group. All nodes have the same secret: with it they make marks of
// keys, so that who reads what is told does not learn whose addresses these are.
func NewGroup(secret []byte) *Group {
	return &Group{secret: secret, limits: map[string]Shared{}, nodes: map[string]*neighbour{}}
}

// Add has a limit hold over all nodes, under a name that it has on each.
func (g *Group) Add(name string, l Shared) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limits[name] = l
}

// MarkLength is how long a mark is.
const MarkLength = 16

// Mark stands for a key.
func (g *Group) Mark(key any) string {
	var secret []byte
	if g != nil {
		secret = g.secret
	}
	return mark(secret, key)
}

func mark(secret []byte, key any) string {
	sum := sha256.Sum256(fmt.Append(slices.Clip(secret), key))
	return base64.RawURLEncoding.EncodeToString(sum[:MarkLength*3/4])
}

// Here is what was counted on this node.
func (g *Group) Here(now time.Time) Counts {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := Counts{}
	for name, l := range g.limits {
		if counts := l.Here(now); len(counts) > 0 {
			all[name] = counts
		}
	}
	return all
}

// Hear takes what the other nodes told last, and returns what can be deleted since
// its node is gone. Only beats are compared, never the clocks of nodes.
func (g *Group) Hear(told []Told, now time.Time) (old []Told) {
	g.mu.Lock()
	defer g.mu.Unlock()
	late := now.Sub(g.heard) > notListening
	g.heard = now
	there := map[string]bool{}
	for _, t := range told {
		there[t.Node] = true
		n := g.nodes[t.Node]
		switch {
		case n == nil || n.beat != t.Beat:
			g.nodes[t.Node] = &neighbour{beat: t.Beat, at: now}
			for name, l := range g.limits {
				l.Elsewhere(t.Node, t.Counts[name], late, now)
			}
		case now.Sub(n.at) > silence:
			old = append(old, t)
		}
	}
	for node, n := range g.nodes {
		if there[node] && now.Sub(n.at) <= silence {
			continue
		}
		for _, l := range g.limits {
			l.Gone(node)
		}
		if !there[node] {
			delete(g.nodes, node)
		}
	}
	return old
}

// mostTold bounds how much one limit tells: the largest counts.
const mostTold = 500

func largest(counts map[string]int64) map[string]int64 {
	if len(counts) <= mostTold {
		return counts
	}
	marks := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	for _, m := range marks[mostTold:] {
		delete(counts, m)
	}
	return counts
}
