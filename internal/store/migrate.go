package store

import (
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
	doing := "migrating the database"
	// On an up-to-date database a start needs no lock at all.
	if done, err := s.ledger(ctx); err == nil && len(done) >= len(all) {
		_, err := pending(all, done)
		return nil, err
	}
	for end := time.Now().Add(migrationTime); ; {
		err = s.exclusively(ctx, doing, func(t *tx) error {
			applied, err = s.applyAll(t, all, now)
			return err
		})
		// Somebody reads a table for long, a backup for instance. Who waits for
		// it keeps all others waiting: rather come again.
		if pgCode(err) != lockNotAvailable || time.Now().After(end) {
			return applied, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Second):
		}
	}
}

// lockNotAvailable is PostgreSQL's code for a lock that was not to be had in time.
const lockNotAvailable = "55P03"

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
	for _, m := range todo {
		if err := t.session.script(s.dialect.types.Replace(m.sql)); err != nil {
			return nil, fmt.Errorf("applying %s: %w", m.Name, err)
		}
		if _, err := t.exec(`INSERT INTO migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)`,
			m.Version, m.Name, m.sum, micros(now)); err != nil {
			return nil, err
		}
	}
	return todo, nil
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
