package app

import (
	"errors"
	"fmt"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/lockfile"
	"frontdesk.dev/frontdesk/internal/store"
)

// LockData keeps other processes from serving, or replacing, the embedded
// database until unlock is called or the process ends. Commands that only write a
// row beside a server do not ask for it. PostgreSQL is for many nodes.
func LockData(s config.Settings) (unlock func(), err error) {
	if store.IsPostgres(s.Database.Reveal()) {
		return func() {}, nil
	}
	l, err := lockfile.Take(s.LockFile())
	var held *lockfile.HeldError
	if errors.As(err, &held) {
		return nil, &frontdesk.Error{
			Kind: frontdesk.Internal, Code: "data_in_use",
			Message: fmt.Sprintf("another frontdesk uses the data directory %s: %v. One process at a time serves the embedded database: stop that one, or give this one a directory of its own with --data or FRONTDESK_DATA. Several nodes need PostgreSQL (docs/operations.md)", s.Data, held),
		}
	}
	if err != nil {
		return nil, err
	}
	return func() { l.Release() }, nil
}
