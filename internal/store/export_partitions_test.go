package store

import (
	"context"
	"fmt"
)

// PartitionedTables are the names of the tables that stand in partitions.
func PartitionedTables() (names []string) {
	for _, table := range partitionedTables {
		names = append(names, table.name)
	}
	return names
}

// Partitions are those of a table, in their order: the name of each and the months
// in which it begins and ends.
func (s *Store) Partitions(ctx context.Context, name string) (all []string, err error) {
	for _, table := range partitionedTables {
		if table.name != name {
			continue
		}
		parts, err := s.partitions(ctx, table)
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			from, to := "", ""
			if p.from != "" {
				from = p.from.MintedAt().Format("2006-01")
			}
			if p.to != "" {
				to = p.to.MintedAt().Format("2006-01")
			}
			all = append(all, fmt.Sprintf("%s [%s,%s)", p.name, from, to))
		}
	}
	return all, nil
}
