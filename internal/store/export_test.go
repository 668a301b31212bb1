package store

import (
	"database/sql"
	"maps"
	"slices"
)

// Reader and Writer are the pools, for tests that look at the database itself.
func (s *Store) Reader() *sql.DB { return s.read }

func (s *Store) Writer() *sql.DB { return s.write }

// Asked are the texts of all reading questions that SQLite was asked so far.
func (s *Store) Asked() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Sorted(maps.Keys(s.prepared))
}

// Unavailable is how errors are told apart.
var Unavailable = unavailable

// ClaimDocument is what the database is asked for a document to read.
func (s *Store) ClaimDocument(light bool) string { return claimDocument(s.dialect, light) }

// MigrationText is the SQL of a migration, as its file has it.
func MigrationText(version int) string {
	all, err := migrations()
	if err != nil {
		panic(err)
	}
	return all[version-1].sql
}
