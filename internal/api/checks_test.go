package api

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// TestOrderOfChecks makes requests with every fault from one on, and expects to
// be told of the first.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.planned(func(p *frontdesk.Plan) { p.MaxDocumentBytes = 10 })
	h.start()
	tired := h.key(h.a.Tenant, true, "calls:read")
	h.exhaust(tired)
	reader := h.key(h.a.Tenant, true, "calls:read")
	const nowhere = "/captures/00000000-0000-7000-8000-000000000000"
	const nobody, upload, file = "00000000-0000-7000-8000-000000000000", "POST /knowledge/documents", "More than ten bytes."
	large := `{"status":` + strings.Repeat(" ", smallBody)
	for name, s := range map[string]scenario{
		"1 the route":                {do: "PATCH /nothing?x=1", key: "wrong", body: large, want: 404, code: "route_not_found"},
		"2 the method":               {do: "DELETE " + nowhere + "?x=1", key: "wrong", body: large, want: 405, code: "method_not_allowed"},
		"3 the key":                  {do: "PATCH " + nowhere + "?x=1", key: "wrong", body: large, want: 401, code: "api_key_invalid"},
		"4 the rate":                 {do: "PATCH " + nowhere + "?x=1", key: tired, body: large, want: 429, code: "rate_limited"},
		"5 the scope":                {do: "PATCH " + nowhere + "?x=1", key: reader, body: large, want: 403, code: "scope_missing", param: "captures:write"},
		"5 the mode":                 {do: "PATCH " + nowhere + "?x=1", key: "a.test", body: large, want: 403, code: "live_key_required"},
		"6 the query":                {do: "PATCH " + nowhere + "?x=1", key: "a.live", body: large, want: 400, code: "parameter_unknown", param: "x"},
		"7 the size":                 {do: "PATCH " + nowhere, key: "a.live", body: large, want: 413, code: "request_too_large"},
		"8 the JSON":                 {do: "PATCH " + nowhere, key: "a.live", body: `{"status":`, want: 400, code: "invalid_json", param: "status"},
		"8 the JSON, of an agent":    {do: "PATCH /agents/nobody", key: "a.live", body: `{"slug":1,"zz":1,"zz":2}`, want: 400, code: "invalid_json", param: "zz"},
		"9 what is protected":        {do: "PATCH /agents/nobody", key: "a.live", body: `{"zz":1,"policy":1,"config":1,"slug":1}`, want: 403, code: "protected_field", param: "slug"},
		"10 the schema":              {do: "PATCH /agents/nobody", key: "a.live", body: `{"policy":1}`, want: 400, code: "parameter_invalid", param: "policy"},
		"10 a capture's":             {do: "PATCH /captures/42", key: "a.live", body: `{"status":1}`, want: 400, code: "parameter_invalid", param: "status"},
		"4 the rate, of an upload":   {do: upload + "?x=1", key: tired, body: file, headers: asText("a.exe"), want: 429, code: "rate_limited"},
		"5 the scope of an upload":   {do: upload + "?x=1", key: reader, body: file, headers: asText("a.exe"), want: 403, code: "scope_missing", param: "knowledge:write"},
		"5 the mode of an upload":    {do: upload + "?x=1", key: "a.test", body: file, headers: asText("a.exe"), want: 403, code: "live_key_required"},
		"6 the query of an upload":   {do: upload + "?x=1", key: "a.live", body: file, headers: asText("a.exe"), want: 400, code: "parameter_unknown", param: "x"},
		"6 the name of a file":       {do: upload + "?agent_id=" + nobody, key: "a.live", body: file, headers: asText("a.exe"), want: 400, code: "unsupported_extension", param: "filename"},
		"6 the content type":         {do: upload + "?agent_id=" + nobody, key: "a.live", body: file, headers: asText("a.pdf"), want: 400, code: "unsupported_content_type", param: "Content-Type"},
		"7 the size of a file":       {do: upload, key: "a.live", body: file, headers: asText("a.txt"), want: 413, code: "document_too_large"},
		"11 an agent of a file":      {do: upload + "?agent_id=" + nobody, key: "a.live", body: "x", headers: asText("a.txt"), want: 404, code: "not_found", param: "agent_id"},
		"10 a question":              {do: "POST /knowledge/test", key: "a.live", body: `{"question":"","agent_id":"` + nobody + `"}`, want: 400, code: "parameter_invalid", param: "question"},
		"11 an agent of a question":  {do: "POST /knowledge/test", key: "a.live", body: `{"question":"x","agent_id":"` + nobody + `"}`, want: 404, code: "not_found", param: "agent_id"},
		"5 one of two scopes":        {do: "GET /events?x=1", key: h.key(h.a.Tenant, true, "usage:read"), want: 403, code: "scope_missing", param: "captures:read"},
		"6 the days of an agent":     {do: "GET /agents/nobody/availability?from=2026-11-16", key: "a.live", want: 400, code: "parameter_missing", param: "to"},
		"6 a filter of a list":       {do: "GET /captures?agent_id=" + nobody + "&updated_from=x", key: "a.live", want: 400, code: "parameter_invalid", param: "updated_from"},
		"11 the agent of a list":     {do: "GET /captures?agent_id=" + nobody, key: "a.live", want: 404, code: "not_found", param: "agent_id"},
		"10 a capture's time":        {do: "POST /captures", key: "a.live", body: `{"agent":"nobody","scheduled_at":"2026-13-01T10:00:00"}`, want: 400, code: "parameter_invalid", param: "scheduled_at"},
		"11 a capture's agent":       {do: "POST /captures", key: "a.live", body: `{"agent":"nobody","service_id":"none"}`, want: 404, code: "not_found", param: "agent"},
		"10 a change":                {do: "POST " + nowhere + "/change", key: "a.live", body: `{"scheduled_at":"2026-13-01T10:00:00"}`, headers: []string{"If-Match", "x"}, want: 400, code: "parameter_invalid", param: "scheduled_at"},
		"11 what is to be changed":   {do: "POST " + nowhere + "/change", key: "a.live", body: `{"notes":"x"}`, headers: []string{"If-Match", "x"}, want: 404, code: "not_found"},
		"12 its version":             {do: "POST /captures/{capture}/change", key: "a.live", body: `{"resource_id":"none"}`, headers: []string{"If-Match", "x"}, want: 412, code: "version_mismatch", param: "If-Match"},
		"11 an agent to be changed":  {do: "PATCH /agents/nobody?dry_run=true", key: "a.live", body: `{}`, headers: []string{"If-Match", "x"}, want: 404, code: "not_found"},
		"12 the version of an agent": {do: "PUT /agents/desk/calendar", key: "a.live", body: `{"holidays":"XX"}`, headers: []string{"If-Match", "x"}, want: 412, code: "version_mismatch", param: "If-Match"},
		"11 whether it exists":       {do: "PATCH " + nowhere, key: "a.live", body: `{"status":"confirmed"}`, want: 404, code: "not_found"},
		"11 an agent":                {do: "PATCH /agents/nobody", key: "a.live", body: `{"policy":"x"}`, want: 404, code: "not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h.play(t, s)
		})
	}
}

// TestProtectedFields tries every one of the contract's list wherever the shape
// of a patch is fixed.
func TestProtectedFields(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	before := h.do("GET /agents", h.a.live, "").body
	fields := []string{
		"slug", "vertical", "status", "display_name", "demo_fixtures", "id", "tenant_id", "livemode", "transfer_number", "provider", "providers",
		"provider_settings", "model", "llm", "stt", "tts", "prompt", "system_prompt", "tools", "behavior", "behaviour", "plan", "limits",
		"plan_limits", "timezone", "languages", "rules", "currency", "calendar",
	}
	for _, place := range []string{"", "business.", "assistant.", "voice.", "hours.", "config.", "config.business.", "config.assistant.", "config.voice.", "config.hours."} {
		for _, field := range fields {
			inner := fmt.Sprintf(`{"zz_unknown":1,%q:"x"}`, field)
			steps := strings.Split(strings.TrimSuffix(place, "."), ".")
			for i := len(steps) - 1; i >= 0 && steps[0] != ""; i-- {
				inner = fmt.Sprintf(`{%q:%s}`, steps[i], inner)
			}
			body := strings.Replace(inner, "{", `{"policy":"not applied",`, 1)
			if strings.HasPrefix(place, "config") {
				body = strings.Replace(inner, `{"config":{`, `{"config":{"policy":"not applied",`, 1)
			}
			h.play(t, scenario{do: "PATCH /agents/desk", key: "a.live", body: body, want: 403, code: "protected_field", param: place + field})
		}
	}
	if after := h.do("GET /agents", h.a.live, "").body; after != before {
		t.Errorf("something was applied: %s", after)
	}
	// The entries of lists are the customer's own.
	h.play(t, scenario{do: "PATCH /agents/desk", key: "a.live", body: `{"listings":[{"title":"x","status":"available","id":"1","model":"y"}]}`, want: 200, has: []string{`"status":"available"`}})
}

func TestKeysThatEnded(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	url, c := storetest.URL(t), servicetest.NewClock(noon)
	one := node(t, url, c).start()
	one.a = one.newTenant("alfa")
	other := node(t, url, c).start()
	revoked, revokedSecret, err := one.keys.Create(ctx, account.NewKey{Tenant: one.a.Tenant, Live: true, Scopes: []string{"all"}})
	must(t, err)
	_, expired, err := one.keys.Create(ctx, account.NewKey{Tenant: one.a.Tenant, Live: false, Scopes: []string{"all"}, ExpiresIn: time.Hour})
	must(t, err)
	nodes := []*house{one, other}
	for _, h := range nodes { // both know both keys
		for _, key := range []frontdesk.Secret{revokedSecret, expired} {
			for _, operation := range []string{"GET /calls", "GET /whoami"} {
				if got := h.do(operation, key.Reveal(), ""); got.status != 200 {
					t.Fatalf("%s", got)
				}
			}
		}
	}
	must(t, one.keys.Revoke(ctx, frontdesk.Actor{}, revoked.ID))
	c.Forward(5 * time.Second)
	for _, h := range nodes {
		for _, operation := range []string{"GET /calls", "GET /whoami", "PATCH /agents/desk"} {
			h.do(operation, revokedSecret.Reveal(), "").envelope(t, 401, "api_key_revoked")
		}
		if got := h.do("GET /calls", expired.Reveal(), ""); got.status != 200 {
			t.Errorf("before its end: %s", got)
		}
	}
	c.Forward(time.Hour - 5*time.Second)
	for _, h := range nodes {
		got := h.do("GET /calls", expired.Reveal(), "")
		got.envelope(t, 401, "api_key_expired")
		if got.header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("WWW-Authenticate is %q", got.header.Get("WWW-Authenticate"))
		}
	}
}

// TestScopesOpenTheirOperationsAndNoOthers tries every operation with every
// scope alone.
func TestScopesOpenTheirOperationsAndNoOthers(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	h.spacious(&h.a)
	for _, scope := range frontdesk.Scopes {
		key := h.key(h.a.Tenant, true, scope.Name)
		for _, rt := range h.api.router.all {
			values := h.fill()
			if scope.Name == "calls:read" {
				values["event_id"] = string(h.eventOf(h.a, true, h.a.liveCall))
			}
			if rt.scope == scope.Name {
				maps.Copy(values, h.fresh(h.a, true)) // it may use them up
			}
			operation := refill(h.address(rt), values)
			got := h.do(operation, key, h.bodyFor(rt), headersFor(&rt)...)
			want := 200
			if rt.operation == "POST /connections" || rt.operation == "POST /captures" || rt.uploads {
				want = 201
			}
			needed := append([]string{rt.scope}, rt.anyScope...)
			if rt.anyScope != nil {
				needed = rt.anyScope
			}
			if open := needed[0] == "" || slices.Contains(needed, scope.Name); open && got.status != want {
				t.Errorf("%s with %s: %s", operation, scope.Name, got)
			} else if e := got.fail(); !open && (got.status != 403 || e.Code != "scope_missing" || e.Param == nil || *e.Param != needed[0]) {
				t.Errorf("%s with %s: %s", operation, scope.Name, got)
			}
		}
	}
}
