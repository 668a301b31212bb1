package reception

import (
	"context"
	"log/slog"

	"frontdesk.dev/frontdesk/internal/store"
)

// orphans are conversations whose receptionist was deleted.
type orphans struct {
	store *store.Store
	log   *slog.Logger
}

// drop deletes a conversation that could not be ended because its receptionist is
// missing: there is nobody whose call it could be. Other failures stay.
func (o orphans) drop(ctx context.Context, row store.Conversation, failed error) error {
	if !isMissing(failed) {
		return failed
	}
	o.log.Warn("a conversation whose receptionist was deleted is deleted as well", "conversation", row.ID)
	return o.store.DropConversation(ctx, row.Owner, row.ID)
}
