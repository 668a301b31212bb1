package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/store"
)

// limitsEvery is how far apart nodes tell each other what they have counted.
const limitsEvery = time.Second

// nodes tells the other nodes of one database what was counted here of limits that
// hold for all of them, and hears what they have counted.
type nodes struct {
	store *store.Store
	group *limit.Group
	now   func() time.Time
	log   *slog.Logger
	id    frontdesk.ID
	beat  int64
	quiet bool // what was told last is that there is nothing
	alone bool // the last exchange failed

	strange map[frontdesk.ID]bool // nodes whose counts cannot be read, as the log says
}

// newNodes lets limits hold over all nodes. The embedded database has one alone: nil.
func newNodes(p *parts) *nodes {
	if p.store.Name() != "postgres" {
		return nil
	}
	return &nodes{
		store: p.store, group: limit.NewGroup(p.box.Derive("limits of nodes")), now: p.now, log: p.log,
		id: frontdesk.NewID(time.Now()), quiet: true, strange: map[frontdesk.ID]bool{},
	}
}

// limits are those that hold over all nodes; nil: there are no other nodes.
func (n *nodes) limits() *limit.Group {
	if n == nil {
		return nil
	}
	return n.group
}

// exchange tells and hears. It logs when that begins to fail, and when it works again.
func (n *nodes) exchange(ctx context.Context) {
	err := errors.Join(n.tell(ctx), n.hear(ctx))
	switch {
	case ctx.Err() != nil:
	case err != nil && !n.alone:
		n.log.Warn("other nodes cannot be told what was counted of limits: each counts by itself until the database answers", "error", err)
	case err == nil && n.alone:
		n.log.Info("other nodes are told again what was counted of limits")
	}
	n.alone = err != nil
}

// tell writes what was counted here. A node on which nothing is counted writes once
// that it is so, and then nothing.
func (n *nodes) tell(ctx context.Context) error {
	counts := n.group.Here(n.now())
	if len(counts) == 0 && n.quiet {
		return nil
	}
	text, err := json.Marshal(counts)
	if err != nil {
		return err
	}
	n.beat++
	if err := n.store.TellCountsForWorker(ctx, store.NodeCounts{Node: n.id, Beat: n.beat, Counts: text}); err != nil {
		return err
	}
	n.quiet = len(counts) == 0
	return nil
}

func (n *nodes) hear(ctx context.Context) error {
	rows, err := n.store.CountsForWorker(ctx, n.id)
	if err != nil {
		return err
	}
	var told []limit.Told
	for _, row := range rows {
		t := limit.Told{Node: string(row.Node), Beat: row.Beat}
		err := json.Unmarshal(row.Counts, &t.Counts)
		if err != nil {
			t.Counts = nil // of a version that counts otherwise
		}
		n.noteStrange(row.Node, err)
		told = append(told, t)
	}
	var all error
	for _, old := range n.group.Hear(told, n.now()) {
		all = errors.Join(all, n.store.ForgetCountsForWorker(ctx, frontdesk.ID(old.Node), old.Beat))
	}
	return all
}

// noteStrange logs once of each node that what it tells cannot be read.
func (n *nodes) noteStrange(node frontdesk.ID, err error) {
	if err == nil {
		delete(n.strange, node)
		return
	}
	if n.strange[node] {
		return
	}
	n.strange[node] = true
	n.log.Warn("another node tells what it counted of limits in a form that this version does not read: until both have the same version, what passes there is not counted here. Finish the upgrade of all nodes",
		"node", node, "error", err)
}
