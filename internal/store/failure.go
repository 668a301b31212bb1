package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	driversqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// failed says what we were doing when err came up. A database that is away,
// hangs or is full becomes DatabaseUnavailable; a domain error stays itself.
func (s *Store) failed(doing string, err error) error {
	var known *frontdesk.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case unavailable(err):
		return frontdesk.DatabaseUnavailable(fmt.Errorf("%s: %w", doing, err))
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func unavailable(err error) bool {
	var pg *pgconn.PgError
	var lite *driversqlite.Error
	var netErr net.Error
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &pg):
		return pgUnavailable(pg.Code)
	case errors.As(err, &lite):
		return sqliteUnavailable(lite.Code() & 0xff)
	case errors.As(err, &connect), errors.As(err, &netErr):
		return true
	}
	for _, target := range []error{
		context.DeadlineExceeded, context.Canceled, driver.ErrBadConn,
		sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	return pgconn.Timeout(err) || pgconn.SafeToRetry(err)
}

// pgUnavailable: connection trouble, out of resources, operator intervention,
// read-only after a fail-over, and locks that were not to be had in time.
func pgUnavailable(code string) bool {
	for _, class := range []string{"08", "53", "57", "58", "25006", "55P03", "40"} {
		if strings.HasPrefix(code, class) {
			return true
		}
	}
	return false
}

func sqliteUnavailable(code int) bool {
	switch code {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT:
		return true
	}
	return false
}

// isDuplicate says whether err is a broken unique constraint.
func isDuplicate(err error) bool {
	var pg *pgconn.PgError
	var lite *driversqlite.Error
	switch {
	case errors.As(err, &pg):
		return pg.Code == "23505"
	case errors.As(err, &lite):
		return lite.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || lite.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	return false
}

func isMissing(err error) bool {
	var e *frontdesk.Error
	return errors.As(err, &e) && e.Kind == frontdesk.NotFound
}
