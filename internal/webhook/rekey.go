package webhook

import (
	"context"
	"fmt"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

// Rekey seals the secrets of all connections anew with the box's present key,
// whichever of its keys sealed them before. It can be run again at any time. A
// secret that none of its keys opens is an error, or, where lost is not nil, is
// left as it is and told to lost.
func Rekey(ctx context.Context, s *store.Store, box *seal.Box, lost func(error)) (int, error) {
	return s.ResealForWorker(ctx, func(id frontdesk.ID, sealed []byte) ([]byte, error) {
		secret, err := box.Open(secretPlace(id), sealed)
		if err == nil {
			return box.Seal(secretPlace(id), secret), nil
		}
		err = fmt.Errorf("the secret of connection %s: %w", id, err)
		if lost == nil {
			return nil, err
		}
		lost(err)
		return sealed, nil
	})
}

// Sealed returns some secrets of connections, the newest, to try a master key on.
func Sealed(ctx context.Context, s *store.Store, limit int) (values []seal.Value, err error) {
	secrets, err := s.ConnectionSecretsForWorker(ctx, limit)
	for _, v := range secrets {
		values = append(values, seal.Value{Place: secretPlace(v.ID), Sealed: v.Sealed})
	}
	return values, err
}
