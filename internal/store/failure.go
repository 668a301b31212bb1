package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"zombiezen.com/go/sqlite"

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
	case isDamage(err):
		s.damaged.Store(true)
	case unavailable(err):
		return frontdesk.DatabaseUnavailable(fmt.Errorf("%s: %w", doing, err))
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func unavailable(err error) bool {
	var pg *pgconn.PgError
	var netErr net.Error
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &pg):
		return pgUnavailable(pg.Code)
	case isSQLite(err):
		return sqliteUnavailable(sqlite.ErrCode(err).ToPrimary())
	case errors.As(err, &connect), errors.As(err, &netErr):
		return true
	}
	for _, target := range []error{
		context.DeadlineExceeded, context.Canceled, errFileGone, errGroupFailed, errRolledBack,
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

func sqliteUnavailable(code sqlite.ResultCode) bool {
	switch code {
	case sqlite.ResultBusy, sqlite.ResultLocked, sqlite.ResultFull, sqlite.ResultIOErr,
		sqlite.ResultCantOpen, sqlite.ResultReadOnly, sqlite.ResultNoMem, sqlite.ResultInterrupt:
		return true
	}
	return false
}

// isSQLite says whether an error is SQLite's own.
func isSQLite(err error) bool {
	code := sqlite.ErrCode(err)
	return code != sqlite.ResultOK && code != sqlite.ResultError
}

// isDuplicate says whether err is a broken unique constraint.
func isDuplicate(err error) bool {
	if pgCode(err) == "23505" {
		return true
	}
	code := sqlite.ErrCode(err)
	return code == sqlite.ResultConstraintUnique || code == sqlite.ResultConstraintPrimaryKey
}

func isMissing(err error) bool {
	var e *frontdesk.Error
	return errors.As(err, &e) && e.Kind == frontdesk.NotFound
}
