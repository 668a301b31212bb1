package wire

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Whoami spells who a key is: never its secret.
func Whoami(k frontdesk.Key, t frontdesk.Tenant) any {
	type tenant struct {
		ID   frontdesk.ID `json:"id"`
		Slug string       `json:"slug"`
	}
	return struct {
		AuthenticatedAs string   `json:"authenticated_as"`
		Livemode        bool     `json:"livemode"`
		Tenant          tenant   `json:"tenant"`
		KeyPrefix       string   `json:"key_prefix"`
		Scopes          []string `json:"scopes"`
	}{"api_key", k.Live, tenant{t.ID, t.Slug}, k.Prefix, k.Scopes}
}

// Scopes spells all scopes with the operations that need each, and says which
// of them the key has.
func Scopes(k frontdesk.Key, operations func(scope string) []string) any {
	type scope struct {
		Scope       string   `json:"scope"`
		Description string   `json:"description"`
		TestMode    bool     `json:"test_mode"`
		Granted     bool     `json:"granted"`
		Operations  []string `json:"operations"`
	}
	list := make([]scope, len(frontdesk.Scopes))
	for i, s := range frontdesk.Scopes {
		list[i] = scope{s.Name, s.Description, s.TestMode, slices.Contains(k.Scopes, s.Name), operations(s.Name)}
	}
	return struct {
		Scopes []scope `json:"scopes"`
	}{list}
}

// Usage spells a tenant's usage; history is newest first and begins with the
// current month.
func Usage(live bool, history []frontdesk.UsagePeriod, p frontdesk.Plan) any {
	type period struct {
		Period  string `json:"period"`
		Seconds int    `json:"seconds"`
		Calls   int    `json:"calls"`
	}
	type limits struct {
		IncludedSecondsPerPeriod *int   `json:"included_seconds_per_period"`
		RemainingSeconds         *int   `json:"remaining_seconds"`
		Overage                  string `json:"overage"`
		MaxConcurrentCalls       int    `json:"max_concurrent_calls"`
	}
	periods := make([]period, len(history))
	for i, h := range history {
		periods[i] = period(h)
	}
	current := history[0].Seconds
	lim := limits{Overage: p.Overage, MaxConcurrentCalls: p.MaxConcurrentCalls}
	if remaining, limited := p.RemainingSeconds(current); limited {
		lim.IncludedSecondsPerPeriod, lim.RemainingSeconds = &p.IncludedSeconds, &remaining
	}
	return struct {
		Livemode             bool     `json:"livemode"`
		CurrentPeriodSeconds int      `json:"current_period_seconds"`
		History              []period `json:"history"`
		Limits               limits   `json:"limits"`
	}{live, current, periods, lim}
}
