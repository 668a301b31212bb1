package store

import (
	"context"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// NodeCounts is what a node tells the others of its limits.
type NodeCounts struct {
	Node   frontdesk.ID
	Beat   int64 // another each time that it tells something
	Counts []byte
}

// TellCountsForWorker replaces what a node has told.
func (s *Store) TellCountsForWorker(ctx context.Context, c NodeCounts) error {
	_, err := s.exec(ctx, "telling other nodes of limits", `INSERT INTO node_counts (node, beat, counts) VALUES ($1, $2, $3)
		ON CONFLICT (node) DO UPDATE SET beat = excluded.beat, counts = excluded.counts`, string(c.Node), c.Beat, string(c.Counts))
	return err
}

// CountsForWorker returns what the other nodes have told.
func (s *Store) CountsForWorker(ctx context.Context, here frontdesk.ID) (all []NodeCounts, err error) {
	err = s.each(ctx, "reading what other nodes tell of limits", `SELECT node, beat, counts FROM node_counts WHERE node <> $1`, []any{string(here)}, func(r row) error {
		var c NodeCounts
		var counts string
		err := r.Scan(&c.Node, &c.Beat, &counts)
		c.Counts = []byte(counts)
		all = append(all, c)
		return err
	})
	return all, err
}

// ForgetCountsForWorker deletes what a node has told, unless it has told something
// else since.
func (s *Store) ForgetCountsForWorker(ctx context.Context, node frontdesk.ID, beat int64) error {
	_, err := s.exec(ctx, "forgetting a node", `DELETE FROM node_counts WHERE node = $1 AND beat = $2`, string(node), beat)
	return err
}
