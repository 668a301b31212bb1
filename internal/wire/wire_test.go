package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

var (
	day  = time.Date(2026, 11, 14, 9, 30, 0, 123_456_789, time.FixedZone("", 3600))
	call = frontdesk.Call{
		ID: "01a1d964-6e3b-774b-bfff-000000000001", AgentID: "01a1d964-6e3b-774b-bfff-000000000003", StartedAt: day, Duration: 95, Language: "es",
		Outcome: frontdesk.Booking, Channel: frontdesk.Phone, Caller: "+34600000001", Number: "+34910000000",
		CaptureIDs: []frontdesk.ID{"01a1d964-6e3b-774b-bfff-000000000002"},
		Summary:    json.RawMessage(`{"text":"Hola","urgency":"normal"}`), Transcript: json.RawMessage(`{"turns":[]}`),
	}
	capture = frontdesk.Capture{
		ID: "01a1d964-6e3b-774b-bfff-000000000002", AgentID: "01a1d964-6e3b-774b-bfff-000000000003", CallID: "01a1d964-6e3b-774b-bfff-000000000001",
		Source: frontdesk.FromAPI, Channel: frontdesk.Web, Kind: "appointment", Topic: "never shown", Urgency: "never shown",
		CustomerName: "Ana", CustomerPhone: "+34600000001", ScheduledAt: "2026-11-20T20:00:00", Timezone: "Europe/Madrid", Service: "Mesa", ConfirmationCode: "ACDEFG",
		Notes: "una trona\nsin gluten", Status: frontdesk.PendingConfirm, CreatedAt: day, UpdatedAt: day.Add(time.Hour),
		Visit: frontdesk.Visit{ServiceID: "mesa", Party: 4, Duration: 90, Minutes: 105, Email: "ana@example.com", ResourceID: "r1", Resource: "Terraza"},
	}
	agent = frontdesk.Agent{
		ID: "01a1d964-6e3b-774b-bfff-000000000003", TenantID: "never shown", Slug: "lola", Vertical: "restaurant", DisplayName: "Casa Lola",
		Status: "active", Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: day, UpdatedAt: day,
		Settings: frontdesk.AgentSettings{Rules: frontdesk.Rules{
			{When: frontdesk.RuleWhen{Topic: "event", PartyOver: 12}, Do: frontdesk.DoMessage, Say: map[string]string{"es": "Un momento."}},
			{Do: frontdesk.DoBook, ServiceID: "mesa"},
		}},
		Config: frontdesk.AgentConfig{
			Business:  frontdesk.Business{Name: "Casa Lola", Website: "https://lola.example"},
			Assistant: frontdesk.Assistant{Greeting: "¡Hola!"}, Voice: frontdesk.VoiceChoice{ES: "voc_es_alba"}, Policy: "No dogs",
			Menu: json.RawMessage(`{"Tapas":[{"name":"Olives","price":{"amount":3}}]}`), Hours: &frontdesk.Hours{0: {Open: 9, Close: 17}, 5: {Open: 20, Close: 2}},
		},
	}
	key    = frontdesk.Key{ID: "never shown", Live: true, Prefix: "svc_live_Ab12…", Hash: frontdesk.KeyHash{1}, Scopes: []string{"calls:read"}}
	tenant = frontdesk.Tenant{ID: "01a1d964-6e3b-774b-bfff-000000000004", Slug: "casa-lola", Name: "never shown", Plan: frontdesk.DefaultPlan()}
)

// The shapes of all resources, to the byte.
func TestShapes(t *testing.T) {
	t.Parallel()
	const callJSON = `{"id":"01a1d964-6e3b-774b-bfff-000000000001","object":"call","started_at":"2026-11-14T08:30:00.123Z","duration_seconds":95,` +
		`"language":"es","outcome":"booking","channel":"phone","counted":true,"agent_id":"01a1d964-6e3b-774b-bfff-000000000003","caller":"+34600000001","number":"+34910000000",` +
		`"capture_ids":["01a1d964-6e3b-774b-bfff-000000000002"],"summary":{"text":"Hola","urgency":"normal"}}`
	const captureJSON = `{"id":"01a1d964-6e3b-774b-bfff-000000000002","object":"capture","kind":"appointment","agent_id":"01a1d964-6e3b-774b-bfff-000000000003",` +
		`"call_id":"01a1d964-6e3b-774b-bfff-000000000001","source":"api","customer_name":"Ana","customer_phone":"+34600000001","customer_email":"ana@example.com",` +
		`"scheduled_at":"2026-11-20T20:00:00","starts_at":"2026-11-20T19:00:00.000Z","duration_minutes":90,"service":"Mesa","service_id":"mesa","party_size":4,` +
		`"resource_id":"r1","resource":"Terraza","notes":"una trona\nsin gluten","confirmation_code":"ACDEFG","status":"pending_confirm",` +
		`"created_at":"2026-11-14T08:30:00.123Z","updated_at":"2026-11-14T09:30:00.123Z"}`
	const agentJSON = `{"id":"01a1d964-6e3b-774b-bfff-000000000003","slug":"lola","vertical":"restaurant","display_name":"Casa Lola","status":"active",` +
		`"languages":["es","en"],"timezone":"Europe/Madrid","currency":"EUR","open_now":false,"next_opening_at":"2026-11-14T19:00:00.000Z",` +
		`"rules":[{"when":{"topic":"event","party_over":12},"do":"message","say":{"es":"Un momento."}},{"when":{},"do":"book","service_id":"mesa"}],"demo_fixtures":false,` +
		`"config":{"business":{"name":"Casa Lola","website":"https://lola.example"},"assistant":{"greeting":"¡Hola!"},"voice":{"es":"voc_es_alba"},` +
		`"menu":{"Tapas":[{"name":"Olives","price":{"amount":3}}]},"policy":"No dogs","hours":{"0":[9,17],"5":[20,2]}}}`
	bare := frontdesk.Capture{ID: capture.ID, Kind: "lead", Status: frontdesk.NoShow, CreatedAt: day}
	open := agent
	open.Config = frontdesk.AgentConfig{Hours: &frontdesk.Hours{5: {Open: 0, Close: 24}}}
	open.Settings = frontdesk.AgentSettings{}
	shut := open
	shut.Config = frontdesk.AgentConfig{Hours: &frontdesk.Hours{}}
	w := frontdesk.WindowOf(day, 1, time.UTC)
	w.Location, _ = frontdesk.LoadZone("UTC")

	tests := map[string]struct {
		got  any
		want string
	}{
		"a call":                    {wire.Call(call), callJSON},
		"a call in full":            {wire.CallEnvelope(call), `{"call":` + callJSON[:len(callJSON)-1] + `,"transcript":{"turns":[]}}}`},
		"calls":                     {wire.CallList(frontdesk.List[frontdesk.Call]{Items: []frontdesk.Call{call, call}}), `{"object":"list","data":[` + callJSON + `,` + callJSON + `],"has_more":false,"next_starting_after":null}`},
		"calls, and more of them":   {wire.CallList(frontdesk.List[frontdesk.Call]{Items: []frontdesk.Call{call}, More: true}), `{"object":"list","data":[` + callJSON + `],"has_more":true,"next_starting_after":"01a1d964-6e3b-774b-bfff-000000000001"}`},
		"no calls":                  {wire.CallList(frontdesk.List[frontdesk.Call]{}), `{"object":"list","data":[],"has_more":false,"next_starting_after":null}`},
		"a capture":                 {wire.Capture(capture), captureJSON},
		"a capture in its envelope": {wire.CaptureEnvelope(capture), `{"capture":` + captureJSON + `}`},
		"a capture with little in it": {wire.Capture(bare), `{"id":"01a1d964-6e3b-774b-bfff-000000000002","object":"capture","kind":"lead","agent_id":null,"call_id":null,"source":"call","scheduled_at":null,"starts_at":null,` +
			`"duration_minutes":null,"party_size":null,"resource_id":null,"status":"no_show","created_at":"2026-11-14T08:30:00.123Z","updated_at":"2026-11-14T08:30:00.123Z"}`},
		"captures":                 {wire.CaptureList(frontdesk.List[frontdesk.Capture]{Items: []frontdesk.Capture{capture}, More: true}), `{"object":"list","data":[` + captureJSON + `],"has_more":true,"next_starting_after":"01a1d964-6e3b-774b-bfff-000000000002"}`},
		"an agent":                 {wire.AgentEnvelope(agent, true, day), `{"agent":` + agentJSON + `}`},
		"agents":                   {wire.Agents([]frontdesk.Agent{agent}, true, day), `{"agents":[` + agentJSON + `]}`},
		"no agents":                {wire.Agents(nil, true, day), `{"agents":[]}`},
		"an agent with a test key": {wire.AgentEnvelope(agent, false, day), `{"agent":` + strings.Replace(agentJSON, `"demo_fixtures":false`, `"demo_fixtures":true`, 1) + `}`},
		"an agent that is open": {wire.AgentEnvelope(open, true, day), `{"agent":` + agentJSON[:strings.Index(agentJSON, `"open_now"`)] +
			`"open_now":true,"next_opening_at":null,"rules":[],"demo_fixtures":false,"config":{"business":{},"assistant":{},"voice":{},"hours":{"5":[0,24]}}}}`},
		"an agent that never opens": {wire.AgentEnvelope(shut, true, day), `{"agent":` + agentJSON[:strings.Index(agentJSON, `"open_now"`)] +
			`"open_now":false,"next_opening_at":null,"rules":[],"demo_fixtures":false,"config":{"business":{},"assistant":{},"voice":{},"hours":{}}}}`},
		"who a key is": {wire.Whoami(key, tenant), `{"authenticated_as":"api_key","livemode":true,"tenant":{"id":"01a1d964-6e3b-774b-bfff-000000000004","slug":"casa-lola"},"key_prefix":"svc_live_Ab12…","scopes":["calls:read"]}`},
		"usage": {
			wire.Usage(true, []frontdesk.UsagePeriod{{Period: "2026-11", Seconds: 60_010, Calls: 2}, {Period: "2026-10"}}, tenant.Plan),
			`{"livemode":true,"current_period_seconds":60010,"history":[{"period":"2026-11","seconds":60010,"calls":2},{"period":"2026-10","seconds":0,"calls":0}],` +
				`"limits":{"included_seconds_per_period":60000,"remaining_seconds":0,"overage":"allow","max_concurrent_calls":250}}`,
		},
		"usage without a limit": {
			wire.Usage(false, []frontdesk.UsagePeriod{{Period: "2026-11", Seconds: 5, Calls: 1}}, frontdesk.Plan{Overage: "block", MaxConcurrentCalls: 1}),
			`{"livemode":false,"current_period_seconds":5,"history":[{"period":"2026-11","seconds":5,"calls":1}],` +
				`"limits":{"included_seconds_per_period":null,"remaining_seconds":null,"overage":"block","max_concurrent_calls":1}}`,
		},
		"voices": {
			wire.Voices([]frontdesk.Voice{{ID: "voc_es_alba", Name: "Alba", Language: "es", Gender: "female", Description: "Warm.", Recommended: true}, {ID: "v", Name: "V", Language: "en"}}),
			`{"voices":[{"id":"voc_es_alba","name":"Alba","language":"es","gender":"female","description":"Warm.","recommended":true},{"id":"v","name":"V","language":"en","recommended":false}]}`,
		},
		"an error":                     {wire.Error("invalid_request_error", "not_found", "No such call.", "", "req_1"), `{"error":{"type":"invalid_request_error","code":"not_found","message":"No such call.","param":null,"request_id":"req_1"}}`},
		"an error about a parameter":   {wire.Error("permission_error", "scope_missing", `Say "please".`, "calls:read", "req_1"), `{"error":{"type":"permission_error","code":"scope_missing","message":"Say \"please\".","param":"calls:read","request_id":"req_1"}}`},
		"a time is UTC, in thousandth": {wire.Time(day), `"2026-11-14T08:30:00.123Z"`},
		"analytics": {
			wire.Analytics(frontdesk.Analyze(w, []frontdesk.CallTally{{Quarter: w.From, Channel: "web", Outcome: "error", Language: "en", Calls: 2, Seconds: 3}}, nil, nil)),
			`{"days":1,"timezone":"UTC","per_day":[{"date":"2026-11-14","calls":2,"seconds":3,"captures":0,` +
				`"outcomes":{"booking":0,"info":0,"handoff":0,"abandoned":0,"error":2,"over_limit":0},"channels":{"web":2,"phone":0}}],` +
				`"by_hour":[{"hour":0,"calls":2,"seconds":3,"captures":0}` + emptyHours() + `],` +
				`"totals":{"calls":2,"seconds":3,"avg_duration_seconds":1.5,"captures":0,"booking_rate":0,` +
				`"outcomes":{"booking":0,"info":0,"handoff":0,"abandoned":0,"error":2,"over_limit":0},"channels":{"web":2,"phone":0},"languages":{"es":0,"en":2},` +
				`"after_hours_calls":0,"previous":{"calls":0,"seconds":0,"captures":0}}}`,
		},
		"a summary": {spell(wire.Summary(frontdesk.Summary{
			Text: "t", Title: "u", Intent: "v", KeyPoints: []string{"a"}, UnansweredQuestions: []string{"b"}, CaptureIDs: []frontdesk.ID{"c"},
			Handoff: &frontdesk.HandoffNote{Reason: "r", Result: "s"}, Reason: "complaint", Urgency: "urgent", Notes: "n",
		})), `{"text":"t","title":"u","intent":"v","reason":"complaint","urgency":"urgent","notes":"n","key_points":["a"],"unanswered_questions":["b"],"capture_ids":["c"],"handoff":{"reason":"r","result":"s"}}`},
		"a summary of nothing": {spell(wire.Summary(frontdesk.Summary{})), `{"text":"","title":"","intent":"","urgency":"normal","key_points":[],"unanswered_questions":[],"capture_ids":[],"handoff":null}`},
		"a transcript": {spell(wire.Transcript(frontdesk.Transcript{Language: "es", Turns: []frontdesk.Turn{
			{Role: "agent", Text: "Hola", End: 1500 * time.Millisecond, Language: "es"},
			{Role: "caller", Text: "Hi", Start: 2 * time.Second, End: 2500 * time.Millisecond, Language: "en", Interrupted: true},
			{Role: "tool", Name: "book", Arguments: map[string]any{"b": 1, "a": "x"}, Result: map[string]any{"ok": true}, Language: "es"},
		}})), `{"language":"es","turns":[` +
			`{"index":0,"role":"agent","text":"Hola","start_ms":0,"end_ms":1500,"language":"es","interrupted":false},` +
			`{"index":1,"role":"caller","text":"Hi","start_ms":2000,"end_ms":2500,"language":"en","interrupted":true},` +
			`{"index":2,"role":"tool","text":"","name":"book","arguments":{"a":"x","b":1},"result":{"ok":true},"start_ms":0,"end_ms":0,"language":"es","interrupted":false}]}`},
		"a transcript of nothing": {spell(wire.Transcript(frontdesk.Transcript{Language: "en"})), `{"language":"en","turns":[]}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := encoded(t, tt.got); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func emptyHours() string {
	var b strings.Builder
	for hour := 1; hour < 24; hour++ {
		fmt.Fprintf(&b, `,{"hour":%d,"calls":0,"seconds":0,"captures":0}`, hour)
	}
	return b.String()
}

func spell(text json.RawMessage, err error) []byte {
	if err != nil {
		return []byte(err.Error())
	}
	return text
}

// encoded is v as it goes out: bytes as they are, everything else as the API
// encodes it.
func encoded(t *testing.T, v any) string {
	t.Helper()
	b, ok := v.([]byte)
	if !ok {
		var err error
		if b, err = jsonv2.Marshal(v, jsonv2.Deterministic(true)); err != nil {
			t.Fatal(err)
		}
	}
	if !jsontext.Value(b).IsValid() {
		t.Errorf("this is no JSON: %s", b)
	}
	if strings.Contains(string(b), "never shown") {
		t.Errorf("this shows what it must not: %s", b)
	}
	return string(b)
}

func TestScopesTellWhatAKeyHas(t *testing.T) {
	t.Parallel()
	got := encoded(t, wire.Scopes(key, func(scope string) []string {
		if scope == "captures:write" {
			return []string{"PATCH /captures/{capture_id}"}
		}
		return nil
	}))
	for _, want := range []string{
		`{"scopes":[{"scope":"agents:read","description":"Read agent business configuration and voices.","test_mode":true,"granted":false,"operations":[]},`,
		`{"scope":"calls:read","description":"Read call history, transcripts, outcomes and analytics.","test_mode":true,"granted":true,"operations":[]}`,
		`"test_mode":false,"granted":false,"operations":["PATCH /captures/{capture_id}"]}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis not in %s", want, got)
		}
	}
	if n := strings.Count(got, `"scope":`); n != 10 {
		t.Errorf("there are %d", n)
	}
}

// Whatever a string holds, it comes out as JSON, and back as it was.
func TestStringsOfAllSorts(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]string{
		"quotes":            `"double" and \back\`,
		"line feeds":        "a\nb\r\tc",
		"control letters":   "\x00\x01\x1f\x7f",
		"emoji":             "🐦👩‍👩‍👧",
		"line separators":   "a\u2028b\u2029c",
		"markup":            "<script>&amp;",
		"Spanish":           "¿Mañana a las ñ?",
		"a BOM":             "\ufeffx",
		"no character":      "\U0010ffff",
		"broken at the end": "caf\xc3",
		"broken inside":     "a\xffb\xfe\xfdc",
		"half a surrogate":  "\xed\xa0\x80",
		"broken only":       "\xff",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := strings.ToValidUTF8(s, "\ufffd")
			same := func(got string) bool {
				if utf8.ValidString(s) {
					return got == s
				}
				// How many signs stand for what is broken is a matter of taste.
				squeeze := func(s string) string {
					for strings.Contains(s, "\ufffd\ufffd") {
						s = strings.ReplaceAll(s, "\ufffd\ufffd", "\ufffd")
					}
					return s
				}
				return squeeze(got) == squeeze(want)
			}
			c := capture
			c.CustomerName, c.Kind, c.Service = s, s, s
			var gotCapture struct {
				CustomerName string `json:"customer_name"`
				Kind         string `json:"kind"`
				Service      string `json:"service"`
			}
			decode(t, wire.Capture(c), &gotCapture)
			if !same(gotCapture.CustomerName) || !same(gotCapture.Kind) || !same(gotCapture.Service) {
				t.Errorf("a capture has %q", gotCapture)
			}

			var gotError struct {
				Error struct{ Message, Param string }
			}
			decode(t, wire.Error("t", "c", s, s, "r"), &gotError)
			if !same(gotError.Error.Message) || !same(gotError.Error.Param) {
				t.Errorf("an error has %q", gotError)
			}

			summary, err := wire.Summary(frontdesk.Summary{Text: s, KeyPoints: []string{s}})
			if err != nil {
				t.Fatal(err)
			}
			var gotSummary struct{ Text string }
			decode(t, summary, &gotSummary)
			if !same(gotSummary.Text) {
				t.Errorf("a summary has %q", gotSummary)
			}

			transcript, err := wire.Transcript(frontdesk.Transcript{Turns: []frontdesk.Turn{{Text: s, Arguments: map[string]any{"a": s}}}})
			if err != nil {
				t.Fatal(err)
			}
			var gotTranscript struct{ Turns []struct{ Text string } }
			decode(t, transcript, &gotTranscript)
			if !same(gotTranscript.Turns[0].Text) {
				t.Errorf("a transcript has %q", gotTranscript)
			}

			full := call
			full.Summary, full.Transcript, full.Language = summary, transcript, s
			var anything any
			decode(t, wire.CallEnvelope(full), &anything)
		})
	}
}

// decode reads JSON by the strictest reader there is.
func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := jsonv2.Unmarshal(text, into, jsonv2.MatchCaseInsensitiveNames(true)); err != nil {
		t.Errorf("%v in %s", err, text)
	}
}

func TestAnAgentPatchIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	written := encoded(t, wire.AgentEnvelope(agent, true, day))
	config := written[strings.Index(written, `"config":`)+len(`"config":`) : len(written)-2]
	patch, err := wire.DecodeAgentPatch([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	again := agent
	again.Config = patch.Apply(frontdesk.AgentConfig{})
	if got := encoded(t, wire.AgentEnvelope(again, true, day)); got != written {
		t.Errorf("got  %s\nwant %s", got, written)
	}
}

func TestDecodeAgentPatchRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text  string
		param string // "": any error
	}{
		"no JSON":                     {`{`, ""},
		"an unknown field":            {`{"colour":"red"}`, ""},
		"an unknown field inside":     {`{"business":{"colour":"red"}}`, ""},
		"a field twice":               {`{"policy":"a","policy":"b"}`, ""},
		"another letter case":         {`{"Policy":"a"}`, ""},
		"a number for a string":       {`{"policy":1}`, ""},
		"an eighth day":               {`{"hours":{"7":[9,17]}}`, "hours"},
		"a day by name":               {`{"hours":{"monday":[9,17]}}`, "hours"},
		"a day with a zero":           {`{"hours":{"00":[9,17]}}`, "hours"},
		"a day with a sign":           {`{"hours":{"+1":[9,17]}}`, "hours"},
		"an opening without an end":   {`{"hours":{"0":[9]}}`, "hours"},
		"an opening with three hours": {`{"hours":{"0":[9,12,17]}}`, "hours"},
		"an hour there is not":        {`{"hours":{"3":[24,24]}}`, "hours.3"},
		"closing at zero":             {`{"hours":{"3":[9,0]}}`, "hours.3"},
		"half an hour":                {`{"hours":{"3":[9.5,17]}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := wire.DecodeAgentPatch([]byte(tt.text))
			var e *frontdesk.Error
			if err == nil || tt.param != "" && (!errors.As(err, &e) || e.Param != tt.param) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAgentFile(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want string // part of the agent, or of the error
		good bool
	}{
		"the least":             {`{"slug":"lola","vertical":"restaurant","display_name":"Lola"}`, `"status":"active","languages":["es","en"],"timezone":"Europe/Madrid"`, true},
		"with everything":       {`{"slug":"lola","vertical":"salon","display_name":"Lola","status":"draft","languages":["en"],"timezone":"UTC","config":{"policy":"p"}}`, `"status":"draft","languages":["en"],"timezone":"UTC"`, true},
		"its configuration":     {`{"slug":"lola","vertical":"salon","display_name":"Lola","config":{"hours":{"0":[9,17]},"policy":"p"}}`, `"policy":"p","hours":{"0":[9,17]}`, true},
		"an unknown field":      {`{"slug":"lola","vertical":"salon","display_name":"Lola","colour":"red"}`, "colour", false},
		"an unknown vertical":   {`{"slug":"lola","vertical":"circus","display_name":"Lola"}`, "vertical", false},
		"a voice there is not":  {`{"slug":"lola","vertical":"salon","display_name":"Lola","config":{"voice":{"es":"x"}}}`, "voice.es", false},
		"no slug":               {`{"vertical":"salon","display_name":"Lola"}`, "slug", false},
		"not an object":         {`[]`, "agent's file", false},
		"more after the object": {`{} {}`, "agent's file", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := wire.DecodeAgentFile([]byte(tt.text))
			var a frontdesk.Agent
			if err == nil {
				a, err = f.Agent()
			}
			if !tt.good {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := encoded(t, wire.AgentEnvelope(a, true, day)); !strings.Contains(got, tt.want) {
				t.Errorf("%s\nis not in %s", tt.want, got)
			}
		})
	}
}

// Calls from before their further fields were kept are shown as if they had
// been.
func TestOlderCalls(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ summary, want, captures string }{
		"an empty one": {`{}`, `{"text":"","title":"","intent":"","urgency":"normal","key_points":[],"unanswered_questions":[],"capture_ids":[],"handoff":null}`, `[]`},
		"one that talks of urgency": {
			`{"text":"\"urgency\":\"high\"","handoff":{"reason":"r","result":"callback"},"capture_ids":["c"]}`,
			`{"text":"\"urgency\":\"high\"","title":"","intent":"","urgency":"normal","key_points":[],"unanswered_questions":[],"capture_ids":["c"],"handoff":{"reason":"r","result":"message_taken"}}`,
			`["c"]`,
		},
		"nobody took it":    {`{"handoff":{"reason":"r","result":"none"}}`, `"handoff":{"reason":"r","result":"failed"}`, `[]`},
		"a sample":          {`{"handoff":{"reason":"r","result":"Atendió el equipo"}}`, `"handoff":{"reason":"r","result":"transferred"}`, `[]`},
		"a sample, in vain": {`{"handoff":{"reason":"r","result":"No answer; a message was left"}}`, `"handoff":{"reason":"r","result":"message_taken"}`, `[]`},
		"no summary at all": {`[]`, `"summary":[]`, `[]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := string(wire.Call(frontdesk.Call{ID: call.ID, StartedAt: day, Summary: json.RawMessage(tt.summary)}))
			for _, want := range []string{tt.want, `"counted":true,"agent_id":null,"caller":null,"number":null,"capture_ids":` + tt.captures + `,`} {
				if !strings.Contains(got, want) {
					t.Errorf("%s\nis not in %s", want, got)
				}
			}
		})
	}
}

func TestARehearsalIsACallOfTestMode(t *testing.T) {
	t.Parallel()
	for source, want := range map[frontdesk.Source]string{"": "call", frontdesk.FromRehearsal: "call", frontdesk.FromConsole: "console"} {
		if got := string(wire.Capture(frontdesk.Capture{Source: source})); !strings.Contains(got, `"source":"`+want+`"`) {
			t.Errorf("%q is shown as %s", source, got)
		}
	}
}
