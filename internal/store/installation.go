package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Installation tells a database from every other. Sealed is a known text that
// its master key has sealed.
type Installation struct {
	ID     frontdesk.ID
	Sealed []byte
	MadeAt time.Time
}

// InstallationForWorker returns what the first process with a master key wrote;
// known is false before.
func (s *Store) InstallationForWorker(ctx context.Context) (in Installation, known bool, err error) {
	var madeAt int64
	err = s.row(ctx, "reading the installation", `SELECT id, sealed, made_at FROM installation`, nil, &in.ID, &in.Sealed, &madeAt)
	if errors.Is(err, sql.ErrNoRows) {
		return in, false, nil
	}
	in.MadeAt = fromMicros(madeAt)
	return in, err == nil, err
}

// EnterInstallationForWorker writes the installation, unless another process was
// first, and returns the one that stands.
func (s *Store) EnterInstallationForWorker(ctx context.Context, in Installation) (Installation, error) {
	_, err := s.exec(ctx, "entering the installation", `INSERT INTO installation (one, id, sealed, made_at) VALUES (1, $1, $2, $3) ON CONFLICT (one) DO NOTHING`,
		string(in.ID), in.Sealed, micros(in.MadeAt))
	if err != nil {
		return in, err
	}
	in, _, err = s.InstallationForWorker(ctx)
	return in, err
}

// ResealInstallationForWorker replaces the sealed text.
func (s *Store) ResealInstallationForWorker(ctx context.Context, sealed []byte) error {
	_, err := s.exec(ctx, "sealing the installation anew", `UPDATE installation SET sealed = $1`, sealed)
	return err
}

// SealedValue is what the master key has sealed for the thing with an id.
type SealedValue struct {
	ID     frontdesk.ID
	Sealed []byte
}

// ConnectionSecretsForWorker returns the newest secrets of connections.
func (s *Store) ConnectionSecretsForWorker(ctx context.Context, limit int) ([]SealedValue, error) {
	return s.sealedValues(ctx, `SELECT id, secret FROM connections ORDER BY secret_set_at DESC LIMIT $1`, limit)
}

// OutsideAddressesForWorker returns the addresses of the newest outside calendars.
func (s *Store) OutsideAddressesForWorker(ctx context.Context, limit int) ([]SealedValue, error) {
	return s.sealedValues(ctx, `SELECT id, url FROM outside_calendars ORDER BY created_at DESC LIMIT $1`, limit)
}

func (s *Store) sealedValues(ctx context.Context, query string, limit int) (all []SealedValue, err error) {
	err = s.each(ctx, "reading sealed values", query, []any{limit}, func(r row) error {
		var v SealedValue
		err := r.Scan(&v.ID, &v.Sealed)
		all = append(all, v)
		return err
	})
	return all, err
}
