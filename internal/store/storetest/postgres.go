package storetest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store"
)

// server is the PostgreSQL server of this run.
var server = sync.OnceValues(func() (*sql.DB, error) { return sql.Open("pgx", os.Getenv("FRONTDESK_TEST_DATABASE")) })

// provide makes something on the server for the time of a test, and returns its name.
func provide(t testing.TB, create, drop string) string {
	t.Helper()
	name := "t_" + strings.ToLower(rand.Text())
	db, err := server()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(fmt.Sprintf(create, name)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Exec(fmt.Sprintf(drop, name)) })
	return name
}

// emptySchema returns the address of a schema with nothing in it.
func emptySchema(t testing.TB) string {
	t.Helper()
	name := provide(t, `CREATE SCHEMA %s`, `DROP SCHEMA %s CASCADE`)
	return address(inSchema(name))
}

// migratedDatabase returns the address of a copy of the template.
func migratedDatabase(t testing.TB) string {
	t.Helper()
	from, err := template()
	if err != nil {
		t.Fatal(err)
	}
	return address(inDatabase(provide(t, `CREATE DATABASE %s `+from, `DROP DATABASE %s WITH (FORCE)`)))
}

// address is the server's with a change made to it.
func address(change func(*url.URL)) string {
	u, err := url.Parse(os.Getenv("FRONTDESK_TEST_DATABASE"))
	if err != nil {
		panic(err) // the server was asked at this address
	}
	change(u)
	return u.String()
}

func inSchema(name string) func(*url.URL) {
	return func(u *url.URL) {
		q := u.Query()
		q.Set("search_path", name)
		u.RawQuery = q.Encode()
	}
}

func inDatabase(name string) func(*url.URL) { return func(u *url.URL) { u.Path = "/" + name } }

// template says how a database is made as a copy of a migrated, empty one. A copy
// takes the server a quarter of the time that all migrations take it, and a test
// hears nothing of what others tell their nodes. The first process that needs the
// original makes it; others, and later runs on the same server, find it.
var template = sync.OnceValues(func() (string, error) {
	ctx := context.Background()
	db, err := server()
	if err != nil {
		return "", err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	name, err := templateName(ctx)
	if err != nil {
		return "", err
	}
	// Whoever is second waits, and finds it there.
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(7166327001)`); err != nil {
		return "", err
	}
	err = makeTemplate(ctx, conn, name)
	_, unlocked := conn.ExecContext(ctx, `SELECT pg_advisory_unlock(7166327001)`)
	if err := errors.Join(err, unlocked); err != nil {
		return "", err
	}
	var version int
	if err := conn.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int`).Scan(&version); err != nil {
		return "", err
	}
	if version < 150000 { // files are all that it can copy
		return `TEMPLATE ` + name, nil
	}
	return `TEMPLATE ` + name + ` STRATEGY file_copy`, nil
})

// templateName tells templates of different migrations apart.
func templateName(ctx context.Context) (string, error) {
	// In a schema that does not exist all migrations are still to come.
	s, err := store.Open(store.Options{URL: address(inSchema("there_is_none")), MaxConnections: 1, Timeout: time.Minute})
	if err != nil {
		return "", err
	}
	all, err := s.Pending(ctx)
	if err := errors.Join(err, s.Close()); err != nil {
		return "", err
	}
	return fmt.Sprintf("frontdesk_template_%x", sha256.Sum256(fmt.Append(nil, all)))[:50], nil
}

// makeTemplate makes a template that is not there. It has its name when it is
// finished.
func makeTemplate(ctx context.Context, conn *sql.Conn, name string) error {
	var there bool
	err := conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)`, name).Scan(&there)
	if there || err != nil {
		return err
	}
	making := name + "_making"
	for _, statement := range []string{`DROP DATABASE IF EXISTS ` + making + ` WITH (FORCE)`, `CREATE DATABASE ` + making} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	s, err := store.Open(store.Options{URL: address(inDatabase(making)), MaxConnections: 1, Timeout: time.Minute})
	if err != nil {
		return err
	}
	_, err = s.Migrate(ctx, time.Now())
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `ALTER DATABASE `+making+` RENAME TO `+name)
	return err
}
