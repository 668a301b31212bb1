// Package receptiontest fills the books of tests.
package receptiontest

import (
	"context"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// Record writes a finished call and the events that tell of it, as a
// conversation does at its end.
func Record(ctx context.Context, s *store.Store, from wire.EventSource, c frontdesk.FinishedCall) error {
	r, err := reception.Prepare(from.Tenant, c)
	if err != nil {
		return err
	}
	if r.Events, err = reception.Events(from, r); err != nil {
		return err
	}
	return s.RecordCalls(ctx, frontdesk.Owner{TenantID: from.Tenant.ID, Live: from.Live}, r)
}
