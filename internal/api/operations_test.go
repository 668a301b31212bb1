package api

import (
	"net/http"
	"strings"
	"testing"
)

// scenario is one request and what its answer must and must not hold.
type scenario struct {
	do      string
	key     string // a.live, a.test, b.live, b.test, or a key itself
	body    string
	headers []string
	want    int
	code    string
	param   string
	has     []string
	hasNot  []string
}

func (h *house) play(t *testing.T, s scenario) {
	t.Helper()
	keys := map[string]string{"a.live": h.a.live, "a.test": h.a.test, "b.live": h.b.live, "b.test": h.b.test}
	key := s.key
	if k, ok := keys[key]; ok {
		key = k
	}
	operation := strings.NewReplacer(
		"{call}", string(h.a.liveCall), "{testcall}", string(h.a.testCall), "{b.call}", string(h.b.liveCall),
		"{capture}", string(h.a.liveCapture), "{testcapture}", string(h.a.testCapture), "{b.capture}", string(h.b.liveCapture),
	).Replace(s.do)
	got := h.do(operation, key, s.body, s.headers...)
	if got.status != s.want {
		t.Errorf("status is %d, want %d: %s", got.status, s.want, got.body)
	}
	e := got.fail()
	if e.Code != s.code {
		t.Errorf("code is %q, want %q: %s", e.Code, s.code, got.body)
	}
	param := ""
	if e.Param != nil {
		param = *e.Param
	}
	if param != s.param {
		t.Errorf("param is %q, want %q: %s", param, s.param, got.body)
	}
	for _, has := range s.has {
		if !strings.Contains(got.body, has) {
			t.Errorf("%s is not in %s", has, got.body)
		}
	}
	for _, hasNot := range s.hasNot {
		if strings.Contains(got.body, hasNot) {
			t.Errorf("%s is in %s", hasNot, got.body)
		}
	}
}

func TestOperations(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	for name, s := range map[string]scenario{
		"whoami names the tenant, the mode and the scopes": {
			do: "GET /whoami", key: "a.live", want: 200,
			has:    []string{`"authenticated_as":"api_key"`, `"livemode":true`, `"slug":"alfa"`, `"key_prefix":"svc_live_`, `…"`, `"usage:read"`},
			hasNot: []string{h.a.live},
		},
		"a test key has no write scopes of live data": {
			do: "GET /whoami", key: "a.test", want: 200, has: []string{`"livemode":false`, `"connections:write"`},
			hasNot: []string{"agents:write", "captures:write", "knowledge:write"},
		},
		"scopes are all ten, with their operations": {
			do: "GET /scopes", key: "a.test", want: 200,
			has: []string{`"scope":"captures:write"`, `"operations":["PATCH /captures/{capture_id}","POST /captures","POST /captures/{capture_id}/change"]`, `"test_mode":false,"granted":false`},
		},
		"usage counts the calls": {
			do: "GET /usage", key: "a.live", want: 200,
			has: []string{`"current_period_seconds":42`, `"history":[{"period":"2026-11","seconds":42,"calls":1}]`, `"included_seconds_per_period":60000`, `"remaining_seconds":59958`},
		},
		"agents tell whether they are open": {
			do: "GET /agents", key: "a.live", want: 200,
			has:    []string{`"slug":"desk"`, `"open_now":true`, `"next_opening_at":null`, `"demo_fixtures":false`, `"price":12.50`, `"hours":{"0":[9,18],"1":[9,18],"2":[9,18]}`, `"name":"Clínica alfa"`},
			hasNot: []string{"Clínica beta", `"website"`},
		},
		"with a test key agents have demo fixtures": {do: "GET /agents", key: "a.test", want: 200, has: []string{`"demo_fixtures":true`}},
		"voices are listed":                         {do: "GET /voices", key: "a.live", want: 200, has: []string{`"id":"voc_es_alba"`, `"recommended":true`}},
		"calls come in the list envelope": {
			do: "GET /calls", key: "a.live", want: 200,
			has:    []string{`{"object":"list","data":[{"id":"`, `"started_at":"2026-11-11T11:00:00.000Z"`, `"summary":{"text":"Reservó una limpieza."`, `"has_more":false,"next_starting_after":null`},
			hasNot: []string{`"transcript"`},
		},
		"calls of a time that has none":               {do: "GET /calls?started_from=2026-12-01T00:00:00%2B01:00&started_to=2026-12-02T00:00:00Z", key: "a.live", want: 200, has: []string{`"data":[]`}},
		"a filter that fits none gives an empty list": {do: "GET /calls?outcome=error&channel=web&limit=100", key: "a.live", want: 200, has: []string{`"data":[]`}},
		"one call has its transcript": {
			do: "GET /calls/{call}", key: "a.live", want: 200,
			has: []string{`"transcript":{"language":"es","turns":[{"index":0,"role":"agent","text":"Hola."`, `"arguments":{"day":"2026-11-12"}`, `"result":{"free":3}`},
		},
		"captures are listed":       {do: "GET /captures?kind=appointment&status=pending_confirm", key: "a.live", want: 200, has: []string{`"customer_name":"Ana"`, `"scheduled_at":"2026-11-12T10:00:00"`}},
		"one capture":               {do: "GET /captures/{capture}", key: "a.live", want: 200, has: []string{`{"capture":{"id":"`}},
		"analytics over 7 days":     {do: "GET /analytics?days=7&timezone=Asia/Kathmandu&channel=phone&agent=desk", key: "a.live", want: 200, has: []string{`"timezone":"Asia/Kathmandu"`, `"booking_rate":1`, `"captures":1`}},
		"the description is public": {do: "GET /openapi.json", want: 200, has: []string{`"openapi": "3.1`}},
		"the guide is public":       {do: "GET /llms.txt", want: 200, has: []string{"Authorization: Bearer"}},
		"HEAD works where GET does": {do: "HEAD /calls", key: "a.live", want: 200},

		"no key":             {do: "GET /calls", want: 401, code: "api_key_missing"},
		"another scheme":     {do: "GET /calls", headers: []string{"Authorization", "Basic Zm9vOmJhcg=="}, want: 401, code: "api_key_missing"},
		"a key that is none": {do: "GET /calls", key: "svc_live_nonsense", want: 401, code: "api_key_invalid"},
		"a key with a good checksum that nobody has": {do: "GET /calls", key: "svc_live_000000000000000000000000000000000oLe2N", want: 401, code: "api_key_invalid"},
		"a key in the query does not count":          {do: "GET /calls?api_key=" + h.a.live, want: 401, code: "api_key_missing"},
		"no such route":                              {do: "GET /nothing", want: 404, code: "route_not_found"},
		"a trailing slash is another route":          {do: "GET /calls/", key: "a.live", want: 404, code: "route_not_found"},
		"a route is looked for before a key":         {do: "GET /nothing", key: "svc_live_nonsense", want: 404, code: "route_not_found"},
		"a method that the path lacks":               {do: "DELETE /calls", want: 405, code: "method_not_allowed"},
		"no CORS for machines":                       {do: "OPTIONS /calls", want: 405, code: "method_not_allowed"},
		"a test key cannot change captures":          {do: "PATCH /captures/{testcapture}", key: "a.test", body: `{"status":"confirmed"}`, want: 403, code: "live_key_required"},
		"nothing of a body counts before the mode":   {do: "PATCH /agents/desk", key: "a.test", body: `{"slug":`, want: 403, code: "live_key_required"},

		"a limit of 0":                      {do: "GET /calls?limit=0", key: "a.live", want: 400, code: "parameter_invalid", param: "limit"},
		"a limit of 101":                    {do: "GET /calls?limit=101", key: "a.live", want: 400, code: "parameter_invalid", param: "limit"},
		"a limit that is no number":         {do: "GET /calls?limit=ten", key: "a.live", want: 400, code: "parameter_invalid", param: "limit"},
		"a limit with a plus":               {do: "GET /calls?limit=%2B5", key: "a.live", want: 400, code: "parameter_invalid", param: "limit"},
		"an outcome that is none":           {do: "GET /calls?outcome=sold", key: "a.live", want: 400, code: "parameter_invalid", param: "outcome"},
		"an instant that is none":           {do: "GET /calls?started_from=yesterday", key: "a.live", want: 400, code: "parameter_invalid", param: "started_from"},
		"an instant without a zone":         {do: "GET /calls?started_to=2026-11-14T09:30:00", key: "a.live", want: 400, code: "parameter_invalid", param: "started_to"},
		"an instant of nothing":             {do: "GET /calls?started_to=", key: "a.live", want: 400, code: "parameter_invalid", param: "started_to"},
		"an empty outcome":                  {do: "GET /calls?outcome=", key: "a.live", want: 400, code: "parameter_invalid", param: "outcome"},
		"a mistyped filter":                 {do: "GET /calls?outcom=error", key: "a.live", want: 400, code: "parameter_unknown", param: "outcom"},
		"a filter given twice":              {do: "GET /calls?channel=web&channel=phone", key: "a.live", want: 400, code: "parameter_invalid", param: "channel"},
		"a filter where there is none":      {do: "GET /whoami?x=1", key: "a.live", want: 400, code: "parameter_unknown", param: "x"},
		"a broken query":                    {do: "GET /calls?limit=%zz", key: "a.live", want: 400, code: "parameter_invalid"},
		"a NUL in a filter":                 {do: "GET /captures?kind=%00", key: "a.live", want: 400, code: "parameter_invalid", param: "kind"},
		"bad UTF-8 in a filter":             {do: "GET /captures?kind=%ff", key: "a.live", want: 400, code: "parameter_invalid", param: "kind"},
		"a cursor that is no id":            {do: "GET /calls?starting_after=x", key: "a.live", want: 400, code: "invalid_cursor", param: "starting_after"},
		"an empty cursor":                   {do: "GET /calls?starting_after=", key: "a.live", want: 400, code: "invalid_cursor", param: "starting_after"},
		"a cursor that is a UUIDv4":         {do: "GET /calls?starting_after=6f9619ff-8b86-4d01-b42d-00cf4fc964ff", key: "a.live", want: 400, code: "invalid_cursor", param: "starting_after"},
		"a cursor of no item is a position": {do: "GET /calls?starting_after=00000000-0000-7000-8000-000000000000", key: "a.live", want: 200, has: []string{`"data":[]`}},
		"a zone that is none":               {do: "GET /analytics?timezone=Mars/Olympus", key: "a.live", want: 400, code: "parameter_invalid", param: "timezone"},
		"the machine's own zone":            {do: "GET /analytics?timezone=Local", key: "a.live", want: 400, code: "parameter_invalid", param: "timezone"},
		"91 days":                           {do: "GET /analytics?days=91", key: "a.live", want: 400, code: "parameter_invalid", param: "days"},
		"an agent that is none":             {do: "GET /analytics?agent=ghost", key: "a.live", want: 404, code: "not_found", param: "agent"},
		"an id that is no UUID":             {do: "GET /calls/42", key: "a.live", want: 404, code: "not_found"},
		"an id in capitals":                 {do: "GET /calls/" + strings.ToUpper(string(h.a.liveCall)), key: "a.live", want: 200},

		"a capture needs a status":          {do: "PATCH /captures/{capture}", key: "a.live", body: `{}`, want: 400, code: "parameter_missing", param: "status"},
		"a capture's status is one of four": {do: "PATCH /captures/{capture}", key: "a.live", body: `{"status":"done"}`, want: 400, code: "parameter_invalid", param: "status"},
		"a capture has nothing else":        {do: "PATCH /captures/{capture}", key: "a.live", body: `{"status":"confirmed","kind":"x"}`, want: 400, code: "parameter_unknown", param: "kind"},
		"a body twice":                      {do: "PATCH /captures/{capture}", key: "a.live", body: `{"status":"confirmed"}{}`, want: 400, code: "invalid_json"},
		"a name twice":                      {do: "PATCH /captures/{capture}", key: "a.live", body: `{"status":"confirmed","status":"cancelled"}`, want: 400, code: "invalid_json", param: "status"},
		"another letter case":               {do: "PATCH /captures/{capture}", key: "a.live", body: `{"Status":"confirmed"}`, want: 400, code: "parameter_unknown", param: "Status"},
		"no body":                           {do: "PATCH /captures/{capture}", key: "a.live", want: 400, code: "invalid_json"},
		"an array":                          {do: "PATCH /captures/{capture}", key: "a.live", body: `[]`, want: 400, code: "invalid_json"},
		"half a body":                       {do: "PATCH /captures/{capture}", key: "a.live", body: `{"status":`, want: 400, code: "invalid_json", param: "status"},
		"bad UTF-8":                         {do: "PATCH /captures/{capture}", key: "a.live", body: "{\"status\":\"\xff\"}", want: 400, code: "invalid_json", param: "status"},
		"a deep body":                       {do: "PATCH /agents/desk", key: "a.live", body: `{"services":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, want: 400, code: "invalid_json", param: "services" + strings.Repeat("[0]", 31)},
		"a large body":                      {do: "PATCH /agents/desk", key: "a.live", body: `{"policy":"` + strings.Repeat("x", 256<<10) + `"}`, want: 413, code: "request_too_large"},
		"a body is read as JSON whatever it calls itself": {do: "PATCH /captures/{capture}", key: "a.live", headers: []string{"Content-Type", "text/plain"}, body: `{"status":"pending_confirm"}`, want: 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h.play(t, s)
		})
	}
}

func TestAgentPatch(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]scenario{
		"nothing is a no-op":      {body: `{}`, want: 200, has: []string{`"name":"Clínica alfa"`}},
		"business is merged":      {body: `{"business":{"address":"Calle Mayor 1"}}`, want: 200, has: []string{`"name":"Clínica alfa"`, `"address":"Calle Mayor 1"`}},
		"in the wrapped form too": {body: `{"config":{"business":{"address":"Calle Mayor 1"}}}`, want: 200, has: []string{`"name":"Clínica alfa"`, `"address":"Calle Mayor 1"`}},
		"an empty string clears":  {body: `{"business":{"phone":""}}`, want: 200, hasNot: []string{`"phone"`}},
		"services are replaced whole and kept as sent": {
			body: `{"services":[{"name":"Corte","price":{"amount":20.10,"currency":"EUR"},"sku":12345678901234567890,"id":"x","status":"y"}]}`, want: 200,
			has: []string{`[{"name":"Corte","price":{"amount":20.10,"currency":"EUR"},"sku":12345678901234567890,"id":"x","status":"y"}]`}, hasNot: []string{"Limpieza"},
		},
		"hours are replaced whole":      {body: `{"hours":{"6":[20,2]}}`, want: 200, has: []string{`"hours":{"6":[20,2]}`, `"open_now":false`, `"next_opening_at":"2026-11-15T19:00:00.000Z"`}},
		"no hours at all":               {body: `{"hours":{}}`, want: 200, has: []string{`"hours":{}`, `"next_opening_at":null`}},
		"voices of their language":      {body: `{"voice":{"es":"voc_es_hugo","en":"voc_en_jack"}}`, want: 200, has: []string{`"voice":{"es":"voc_es_hugo","en":"voc_en_jack"}`}},
		"a voice of the other language": {body: `{"voice":{"es":"voc_en_jack"}}`, want: 400, code: "parameter_invalid", param: "voice.es"},
		"a voice that is none, wrapped": {body: `{"config":{"voice":{"en":"voc_en_nobody"}}}`, want: 400, code: "parameter_invalid", param: "config.voice.en"},
		"a website without a scheme":    {body: `{"business":{"website":"example.com"}}`, want: 400, code: "parameter_invalid", param: "business.website"},
		"a website that is a script":    {body: `{"config":{"business":{"website":"javascript:alert(1)"}}}`, want: 400, code: "parameter_invalid", param: "config.business.website"},
		"a closing hour of 25":          {body: `{"hours":{"0":[9,25]}}`, want: 400, code: "parameter_invalid", param: "hours.0[1]"},
		"an opening hour of 24":         {body: `{"hours":{"0":[24,1]}}`, want: 400, code: "parameter_invalid", param: "hours.0[0]"},
		"three hours":                   {body: `{"hours":{"0":[9,14,18]}}`, want: 400, code: "parameter_invalid", param: "hours.0"},
		"half hours":                    {body: `{"hours":{"0":[9.5,14]}}`, want: 400, code: "parameter_invalid", param: "hours.0[0]"},
		"an eighth day":                 {body: `{"hours":{"7":[9,14]}}`, want: 400, code: "parameter_unknown", param: "hours.7"},
		"a day twice":                   {body: `{"hours":{"0":[9,14],"0":[9,15]}}`, want: 400, code: "invalid_json", param: "hours.0"},
		"a service without a name":      {body: `{"services":[{"name":"a"},{"price":1}]}`, want: 400, code: "parameter_missing", param: "services[1].name"},
		"a service of no time":          {body: `{"services":[{"name":"a","duration_minutes":0}]}`, want: 400, code: "parameter_invalid", param: "services[0].duration_minutes"},
		"a service of less than none":   {body: `{"services":[{"name":"a","duration_minutes":-30}]}`, want: 400, code: "parameter_invalid", param: "services[0].duration_minutes"},
		"a time in words":               {body: `{"services":[{"name":"a","buffer_minutes":"ten"}]}`, want: 400, code: "parameter_invalid", param: "services[0].buffer_minutes"},
		"a time as text":                {body: `{"services":[{"name":"a","duration_minutes":"30 min","buffer_minutes":0}]}`, want: 200, has: []string{`"30 min"`}},
		"bookable perhaps":              {body: `{"services":[{"name":"a","bookable":"perhaps"}]}`, want: 400, code: "parameter_invalid", param: "services[0].bookable"},
		"names that are none":           {body: `{"services":[{"name":"a","aliases":[1]}]}`, want: 400, code: "parameter_invalid", param: "services[0].aliases[0]"},
		"NUL in a text":                 {body: `{"specials":"a\u0000b"}`, want: 400, code: "parameter_invalid", param: "specials"},
		"NUL deep in an entry":          {body: `{"services":[{"name":"a","team":["b\u0000"]}]}`, want: 400, code: "parameter_invalid", param: "services[0].team[0]"},
		"a service with an empty name":  {body: `{"services":[{"name":""}]}`, want: 400, code: "parameter_invalid", param: "services[0].name"},
		"a price that is a list":        {body: `{"menu":{"Postres":[{"name":"Flan","price":[1]}]}}`, want: 400, code: "parameter_invalid", param: "menu.Postres[0].price"},
		"null clears nothing":           {body: `{"policy":null}`, want: 400, code: "parameter_invalid", param: "policy"},
		"an unknown field":              {body: `{"colour":"red"}`, want: 400, code: "parameter_unknown", param: "colour"},
		"an unknown field of business":  {body: `{"business":{"fax":"1"}}`, want: 400, code: "parameter_unknown", param: "business.fax"},
		"config beside others":          {body: `{"config":{},"policy":"x"}`, want: 400, code: "parameter_unknown", param: "policy"},
		"a protected field":             {body: `{"slug":"other"}`, want: 403, code: "protected_field", param: "slug"},
		"a protected field in config":   {body: `{"config":{"transfer_number":"+34"}}`, want: 403, code: "protected_field", param: "config.transfer_number"},
		"a protected field in business": {body: `{"business":{"timezone":"UTC"}}`, want: 403, code: "protected_field", param: "business.timezone"},
		"protected before unknown":      {body: `{"colour":"red","llm":"x"}`, want: 403, code: "protected_field", param: "llm"},
		"broken before protected":       {body: `{"llm":"x",}`, want: 400, code: "invalid_json"},
		"config that is no object":      {body: `{"config":[]}`, want: 400, code: "parameter_invalid", param: "config"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t).start()
			s.do, s.key = "PATCH /agents/desk", "a.live"
			before := h.do("GET /agents", h.a.live, "").body
			h.play(t, s)
			if after := h.do("GET /agents", h.a.live, "").body; s.want != http.StatusOK && after != before {
				t.Errorf("a refused patch changed something: %s", after)
			}
			if other := h.do("GET /agents", h.b.live, "").body; !strings.Contains(other, "Limpieza") {
				t.Errorf("the other tenant's agent changed: %s", other)
			}
		})
	}
}
