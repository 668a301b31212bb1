package app

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/store"
)

// partitionsEvery is how far apart the partitions of calls and events are looked at.
const partitionsEvery = time.Hour

// keepPartitions makes the partitions of the months to come, and drops those in
// which nobody keeps anything any more.
func (p housekeeping) keepPartitions(ctx context.Context) error {
	changes, err := p.store.KeepPartitionsForWorker(ctx, p.now())
	for _, c := range changes {
		log := p.log.With("table", c.Table, "partition", c.Partition)
		switch c.Step {
		case store.PartitionMade:
			log.Info("made a partition")
		case store.PartitionDropped:
			log.Info("dropped a partition that had become empty")
		case store.PartitionBusy:
			log.Info("left a partition as it is: somebody uses the table for long; it is tried again in an hour")
		case store.PartitionStray:
			log.Warn("a partition cannot be given an end: it has rows from months ahead, which a clock that was wrong has made; see Partitions in docs/operations.md")
		}
	}
	return err
}
