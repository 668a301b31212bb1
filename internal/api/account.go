package api

import (
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) getWhoami(r *request) (any, error) {
	return wire.Whoami(r.caller.Key, r.caller.Tenant), nil
}

func (a *API) listScopes(r *request) (any, error) {
	return wire.Scopes(r.caller.Key, a.router.operationsOf), nil
}

func (a *API) getUsage(r *request) (any, error) {
	loc, err := frontdesk.LoadZone(r.caller.Tenant.Timezone)
	if err != nil {
		return nil, err
	}
	now := a.now()
	oldest := now.In(loc).AddDate(0, -frontdesk.MaxUsagePeriods, 0)
	used, err := a.store.Usage(r.Context(), r.owner, frontdesk.PeriodOf(oldest, loc))
	if err != nil {
		return nil, err
	}
	return wire.Usage(r.owner.Live, frontdesk.UsageHistory(used, now, loc), r.caller.Tenant.Plan), nil
}
