package store

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// dialect is all that differs between the two databases. The SQL of the store
// is the same text for both.
type dialect struct {
	name      string
	system    string            // what it is called in spans
	types     *strings.Replacer // what migrations leave open: column types, and what one of the two alone has
	forUpdate string            // locks the rows of a SELECT inside a transaction
	forShare  string            // keeps the rows of a SELECT from being changed
	keepRow   string            // keeps the rows of a SELECT from being deleted
	skip      string            // passes over rows that another has locked
	handle    string            // what a row is fetched by once it is chosen
	handleIn  string            // a condition: the row's handle is in the table %s
	notify    string            // tells all nodes that there is work
	lock      []string          // the first statements of a migration: only one at a time

	// The index of the words of transcripts.
	indexWords      func(t *tx, owner frontdesk.Owner, call frontdesk.ID, tokens string) error
	findWords       func(wordSearch) (query string, args []any, err error)
	keepTranscripts string // keeps the rows of the table t from being deleted

	idIn string // a condition: the row's id is in the table %s

	partitions   bool // whether calls and events stand in partitions
	concurrently bool // whether an index can be made while others write to its table
}

var sqliteDialect = dialect{
	name:     "sqlite",
	system:   "sqlite",
	types:    strings.NewReplacer("{id}", "TEXT", "{bytes}", "BLOB", concurrently, "IF NOT EXISTS", "{sqlite", "", "sqlite}", "", "{postgres", "/*", "postgres}", "*/"),
	handle:   "id",
	handleIn: "id IN (SELECT handle FROM %s)",
	idIn:     "id IN (SELECT id FROM %s)",

	indexWords: sqliteIndexWords,
	findWords:  sqliteFindWords,
}

var postgresDialect = dialect{
	name:         "postgres",
	system:       "postgresql",
	concurrently: true,
	partitions:   true,
	types:        strings.NewReplacer("{id}", "uuid", "{bytes}", "bytea", concurrently, "IF NOT EXISTS", "{sqlite", "/*", "sqlite}", "*/", "{postgres", "", "postgres}", ""),
	// Not FOR UPDATE: that would hold up who only keeps the row from going.
	forUpdate: " FOR NO KEY UPDATE",
	forShare:  " FOR SHARE",
	keepRow:   " FOR KEY SHARE",
	skip:      " FOR UPDATE SKIP LOCKED",
	handle:    "ctid",
	// As an array, so that the rows are fetched one by one: joined, a planner
	// that takes the table for small reads all rows of the tenant.
	handleIn:        "ctid = ANY (ARRAY(SELECT handle FROM %s))",
	idIn:            "id = ANY (ARRAY(SELECT id FROM %s))",
	indexWords:      postgresIndexWords,
	findWords:       postgresFindWords,
	keepTranscripts: " FOR KEY SHARE OF t",

	notify: "SELECT pg_notify('" + workChannel + "', $1)",
	lock: []string{
		"SELECT pg_advisory_xact_lock(7166327113)",
		// Others who want a table queue up behind who waits to change it.
		"SET LOCAL lock_timeout = '2s'",
	},
}
