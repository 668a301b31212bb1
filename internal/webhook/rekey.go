package webhook

import (
	"context"
	"fmt"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

// Rekey seals the secrets of all connections anew with the box's present key,
// whichever of its keys sealed them before. It can be run again at any time.
func Rekey(ctx context.Context, s *store.Store, box *seal.Box) (int, error) {
	return s.ResealForWorker(ctx, func(id frontdesk.ID, sealed []byte) ([]byte, error) {
		secret, err := box.Open(secretPlace(id), sealed)
		if err != nil {
			return nil, fmt.Errorf("the secret of connection %s: %w", id, err)
		}
		return box.Seal(secretPlace(id), secret), nil
	})
}
