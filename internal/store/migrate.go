package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migration is one step of the schema.
type Migration struct {
	Version int
	Name    string
	sql     string
	sum     string
}

// migrationTime is how long one start may wait for another that migrates, and
// migrate itself.
const migrationTime = 5 * time.Minute

// Migrate brings the schema up to date and returns what it applied. Any number
// of nodes may do so at once: one works, the others wait and find it done.
func (s *Store) Migrate(ctx context.Context, now time.Time) (applied []Migration, err error) {
	all, err := migrations()
	if err != nil {
		return nil, err
	}
	return s.migrate(ctx, all, now)
}

func (s *Store) migrate(ctx context.Context, all []Migration, now time.Time) (applied []Migration, err error) {
	doing := "migrating the database"
	for {
		// On an up-to-date database a start needs no lock at all.
		if done, err := s.ledger(ctx); err == nil && len(done) >= len(all) {
			_, err := pending(all, done)
			return applied, err
		}
		var some []Migration
		err = again(ctx, migrationTime, func() error {
			return s.exclusively(ctx, doing, func(t *tx) error {
				some, err = s.applyAll(t, all, now)
				return err
			})
		})
		if err != nil {
			return applied, err
		}
		applied = append(applied, some...)
		if some, err = s.applyApart(ctx, all, now); err != nil {
			return applied, err
		}
		applied = append(applied, some...)
	}
}

// again does something until it is not held up by a lock of somebody else's.
// Somebody reads a table for long, a backup for instance: who waits for it keeps
// all others waiting. Rather come again.
func again(ctx context.Context, limit time.Duration, work func() error) error {
	for end := time.Now().Add(limit); ; {
		err := work()
		if code := pgCode(err); code != lockNotAvailable && code != deadlockDetected && !errors.Is(err, errOtherMigrates) || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

// lockNotAvailable is PostgreSQL's code for a lock that was not to be had in time.
const lockNotAvailable = "55P03"

// deadlockDetected is its code for two who wait for each other: a migration takes
// several tables, and nodes of the version before go on writing to them.
const deadlockDetected = "40P01"

// exclusively runs work in a transaction that only one node can have. On SQLite
// the file's own lock sees to that.
func (s *Store) exclusively(ctx context.Context, doing string, work func(*tx) error) error {
	return s.transactFor(ctx, migrationTime, doing, func(t *tx) error {
		for _, statement := range s.dialect.lock {
			if _, err := t.exec(statement); err != nil {
				return err
			}
		}
		return work(t)
	})
}

func (s *Store) applyAll(t *tx, all []Migration, now time.Time) ([]Migration, error) {
	_, err := t.exec(`CREATE TABLE IF NOT EXISTS migrations (
		version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)`)
	if err != nil {
		return nil, err
	}
	done, err := readLedger(t.each)
	if err != nil {
		return nil, err
	}
	todo, err := pending(all, done)
	if err != nil {
		return nil, err
	}
	for i, m := range todo {
		// In a new database the tables are empty, and nobody waits for them.
		if m.apart() && len(done) > 0 && s.dialect.concurrently {
			return todo[:i], nil
		}
		if err := t.session.script(s.dialect.types.Replace(m.sql)); err != nil {
			return nil, fmt.Errorf("applying %s: %w", m.Name, err)
		}
		if err := t.enterMigration(m, now); err != nil {
			return nil, err
		}
	}
	return todo, nil
}

func (t *tx) enterMigration(m Migration, now time.Time) error {
	_, err := t.exec(`INSERT INTO migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)`,
		m.Version, m.Name, m.sum, micros(now))
	return err
}

// concurrently is what a migration says in CREATE INDEX for one on a table that
// may be large. Such a migration has nothing but these statements, and DROP INDEX
// IF EXISTS. PostgreSQL makes and drops the indexes while others write to the
// table, which it does outside a transaction only.
const concurrently = "{concurrently}"

func (m Migration) apart() bool { return strings.Contains(m.sql, concurrently) }

// apartTime is how long the indexes of one migration may take.
const apartTime = 6 * time.Hour

// errOtherMigrates says that another node makes indexes.
var errOtherMigrates = errors.New("another node is making indexes; it goes on by itself, start again later")

// applyApart applies the next migration if it is one outside a transaction.
func (s *Store) applyApart(ctx context.Context, all []Migration, now time.Time) (applied []Migration, err error) {
	if !s.dialect.concurrently {
		return nil, nil
	}
	err = again(ctx, apartTime, func() error {
		return s.transactFor(ctx, apartTime, "making indexes", func(t *tx) error {
			applied = nil
			done, err := readLedger(t.each)
			if err != nil {
				return err
			}
			todo, err := pending(all, done)
			if err != nil || len(todo) == 0 || !todo[0].apart() {
				return err
			}
			if err := s.makeIndexes(ctx, t, todo[0]); err != nil {
				return fmt.Errorf("applying %s: %w", todo[0].Name, err)
			}
			applied = todo[:1]
			return t.enterMigration(todo[0], now)
		})
	})
	return applied, err
}

// makeIndexes makes the indexes of a migration, each by itself on another
// connection, while the transaction keeps other nodes from doing the same. It
// does not wait for them in the database: making an index waits for everybody
// who waits there. What an earlier attempt has left unfinished is dropped first.
func (s *Store) makeIndexes(ctx context.Context, t *tx, m Migration) error {
	var mine bool
	if _, err := t.row(`SELECT pg_try_advisory_xact_lock(7166327114)`, nil, &mine); err != nil || !mine {
		return cmp.Or(err, errOtherMigrates)
	}
	var todo []string
	err := t.each(`SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace`, nil, func(r row) error {
		var name string
		err := r.Scan(&name)
		if strings.Contains(m.sql, concurrently+" "+name+" ") {
			todo = append(todo, "DROP INDEX CONCURRENTLY IF EXISTS "+name)
		}
		return err
	})
	if err != nil {
		return err
	}
	// The transaction stands idle meanwhile. A script also ends the last answer,
	// whose snapshot the server keeps until then, and making an index waits for
	// all snapshots.
	if err := t.session.script(`SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
		return err
	}
	text := strings.NewReplacer("INDEX IF NOT EXISTS", "INDEX CONCURRENTLY IF NOT EXISTS", "DROP INDEX IF EXISTS", "DROP INDEX CONCURRENTLY IF EXISTS").
		Replace(s.dialect.types.Replace(m.sql))
	for _, statement := range append(todo, strings.Split(text, ";")...) {
		if statement = statements(statement); statement == "" {
			continue
		}
		if err := s.engine.ask(ctx, apartTime, statement, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// Pending returns the migrations that the database still lacks.
func (s *Store) Pending(ctx context.Context) ([]Migration, error) {
	all, err := migrations()
	if err != nil {
		return nil, err
	}
	done, err := s.ledger(ctx)
	var known *frontdesk.Error
	if errors.As(err, &known) {
		return nil, err // the database does not answer
	}
	if err != nil {
		return all, nil // no ledger yet: nothing is applied
	}
	return pending(all, done)
}

// pending holds the ledger against what this binary knows.
func pending(all, done []Migration) ([]Migration, error) {
	if len(done) > len(all) {
		return nil, fmt.Errorf("the database is newer than this binary: it has migration %s; upgrade frontdesk", done[len(done)-1].Name)
	}
	for i, d := range done {
		if d.Version != all[i].Version || d.sum != all[i].sum {
			return nil, fmt.Errorf("the database was migrated with another %s than this binary has; use the binary that made it, or restore a backup", d.Name)
		}
	}
	return all[len(done):], nil
}

const ledgerQuery = `SELECT version, name, checksum FROM migrations ORDER BY version`

func (s *Store) ledger(ctx context.Context) ([]Migration, error) {
	return readLedger(s.asking(ctx, "reading the migrations"))
}

func readLedger(ask asks) (done []Migration, err error) {
	err = ask(ledgerQuery, nil, func(r row) error {
		var m Migration
		err := r.Scan(&m.Version, &m.Name, &m.sum)
		done = append(done, m)
		return err
	})
	return done, err
}

// migrations reads the embedded files, in order.
func migrations() ([]Migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	all := make([]Migration, 0, len(names))
	for i, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		base := strings.TrimSuffix(strings.TrimPrefix(name, "migrations/"), ".sql")
		version, err := strconv.Atoi(strings.SplitN(base, "_", 2)[0])
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("migration %s is out of order", name)
		}
		sum := sha256.Sum256(text)
		all = append(all, Migration{Version: version, Name: base, sql: string(text), sum: hex.EncodeToString(sum[:])})
	}
	return all, nil
}
