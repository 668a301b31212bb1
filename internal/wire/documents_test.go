package wire_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

var (
	document = frontdesk.Document{
		ID: "01a1d964-6e3b-774b-bfff-000000000005", Live: true, Title: "Carta", Filename: "never shown", Kind: frontdesk.PDF, SizeBytes: 4218,
		SHA256: []byte("never shown"), Status: frontdesk.DocumentReady, Fragments: 17, Languages: []string{"never shown"}, CreatedAt: day,
		UpdatedAt: day.Add(time.Second), ReadyAt: day.Add(time.Second), ArchivedAt: day,
	}
	used = frontdesk.DocumentUse{Documents: 2, Bytes: 5000}
)

const (
	documentJSON = `{"id":"01a1d964-6e3b-774b-bfff-000000000005","title":"Carta","kind":"pdf","size_bytes":4218,"status":"ready","status_label":"Ready",` +
		`"fragments":17,"livemode":true,"agent_id":null,"created_at":"2026-11-14T08:30:00.123Z","updated_at":"2026-11-14T08:30:01.123Z","ready_at":"2026-11-14T08:30:01.123Z"}`
	limitsJSON = `{"max_documents":100,"used_documents":2,"max_document_bytes":10485760,"max_total_bytes":104857600,"used_total_bytes":5000,"max_question_chars":300,` +
		`"content_types":["application/pdf","text/plain","text/markdown","text/csv"],"extensions":[".pdf",".md",".csv",".txt"]}`
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	broken := frontdesk.Document{
		ID: document.ID, AgentID: agent.ID, Title: "x", Kind: frontdesk.Text, SizeBytes: 1, Status: frontdesk.DocumentError, Help: "Send another.", CreatedAt: day, UpdatedAt: day,
	}
	const brokenJSON = `{"id":"01a1d964-6e3b-774b-bfff-000000000005","title":"x","kind":"text","size_bytes":1,"status":"error","status_label":"Cannot be used","status_help":"Send another.",` +
		`"fragments":0,"livemode":false,"agent_id":"01a1d964-6e3b-774b-bfff-000000000003","created_at":"2026-11-14T08:30:00.123Z","updated_at":"2026-11-14T08:30:00.123Z","ready_at":null}`
	plan := frontdesk.DefaultPlan()
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"one that is ready":       {wire.DocumentEnvelope(document), `{"document":` + documentJSON + `}`},
		"one that cannot be used": {wire.DocumentEnvelope(broken), `{"document":` + brokenJSON + `}`},
		"an upload":               {wire.Uploaded(document, false, used, plan), `{"document":` + documentJSON + `,"deduped":false,"limits":` + limitsJSON + `}`},
		"an upload of the same":   {wire.Uploaded(document, true, used, plan), `{"document":` + documentJSON + `,"deduped":true,"limits":` + limitsJSON + `}`},
		"a page with more after it": {
			wire.DocumentList(frontdesk.List[frontdesk.Document]{Items: []frontdesk.Document{broken, document}, More: true}, used, plan),
			`{"object":"list","data":[` + brokenJSON + `,` + documentJSON + `],"has_more":true,"next_starting_after":"01a1d964-6e3b-774b-bfff-000000000005","limits":` + limitsJSON + `}`,
		},
		"an empty page": {
			wire.DocumentList(frontdesk.List[frontdesk.Document]{}, used, plan), `{"object":"list","data":[],"has_more":false,"next_starting_after":null,"limits":` + limitsJSON + `}`,
		},
		"a knowledge base": {
			wire.Knowledge(frontdesk.KnowledgeSummary{
				Documents: 2, ByStatus: map[frontdesk.DocumentStatus]int{frontdesk.DocumentReady: 1, frontdesk.DocumentError: 1}, Fragments: 17, SizeBytes: 5000,
				Languages: []string{"en", "es"}, LastReadyAt: day, Unanswered: 3, TopUnanswered: []frontdesk.UnansweredQuestion{{Question: "¿Hay wifi?", Count: 3, LastAskedAt: day}},
			}, used, plan, true),
			`{"summary":{"documents":2,"by_status":{"archived":0,"error":1,"pending":0,"processing":0,"ready":1},"fragments":17,"size_bytes":5000,"languages":["en","es"],` +
				`"last_ready_at":"2026-11-14T08:30:00.123Z","unanswered_last_30_days":3,"top_unanswered":[{"question":"¿Hay wifi?","count":3,"last_asked_at":"2026-11-14T08:30:00.123Z"}]},` +
				`"limits":` + limitsJSON + `,"livemode":true}`,
		},
		"an empty knowledge base": {
			wire.Knowledge(frontdesk.KnowledgeSummary{}, used, plan, false),
			`{"summary":{"documents":0,"by_status":{"archived":0,"error":0,"pending":0,"processing":0,"ready":0},"fragments":0,"size_bytes":0,"languages":[],` +
				`"last_ready_at":null,"unanswered_last_30_days":0,"top_unanswered":[]},"limits":` + limitsJSON + `,"livemode":false}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := encoded(t, c.value); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestStatusesOfDocumentsAreExplained(t *testing.T) {
	t.Parallel()
	for _, status := range frontdesk.DocumentStatuses {
		d := frontdesk.Document{Status: status, Help: "Send another."}
		shape := wire.Document(d)
		if shape.StatusLabel == "" || shape.StatusLabel == string(status) {
			t.Errorf("%s has no label", status)
		}
		if d.Help = ""; (wire.Document(d).StatusHelp == "") != (status == frontdesk.DocumentReady || status == frontdesk.DocumentError) {
			t.Errorf("%s has the help %q", status, wire.Document(d).StatusHelp)
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	hit := func(n string, document frontdesk.ID, page int, pct float64, used bool) frontdesk.AnswerHit {
		return frontdesk.AnswerHit{
			Fragment: frontdesk.Fragment{
				ID: frontdesk.ID("01a1d964-6e3b-774b-bfff-00000000000" + n), DocumentID: document, Position: 3, Page: page, Line: 9,
				Heading: "never shown", Question: "never shown", Text: "T" + n, Vector: []float32{1},
			},
			Title: "Carta", Kind: frontdesk.PDF, MatchPct: pct, Used: used,
		}
	}
	answered := frontdesk.Answer{
		Question: "¿Wifi?", Answered: true, Text: "T6", Language: "es", MatchPct: 91.4, ThresholdPct: 60, Confidence: "high", Explanation: "It says so.",
		Took: 1284 * time.Microsecond, Hits: []frontdesk.AnswerHit{hit("6", document.ID, 2, 91.4, true), hit("7", document.ID, 0, 50, true), hit("8", agent.ID, 0, 12.5, false)},
	}
	const fragment = `{"id":"01a1d964-6e3b-774b-bfff-000000000006","document_id":"01a1d964-6e3b-774b-bfff-000000000005","title":"Carta","text":"T6","position":3,"page":2,"match_pct":91.4,"used":true}`
	const second = `{"id":"01a1d964-6e3b-774b-bfff-000000000007","document_id":"01a1d964-6e3b-774b-bfff-000000000005","title":"Carta","text":"T7","position":3,"page":null,"match_pct":50,"used":true}`
	const third = `{"id":"01a1d964-6e3b-774b-bfff-000000000008","document_id":"01a1d964-6e3b-774b-bfff-000000000003","title":"Carta","text":"T8","position":3,"page":null,"match_pct":12.5,"used":false}`
	for name, c := range map[string]struct {
		answer frontdesk.Answer
		want   string
	}{
		"a source is named once, and only if it was used": {answered, `{"question":"¿Wifi?","livemode":true,"answered":true,"answer":"T6","message_es":"T6","message_en":"Our information, in Spanish, says: T6",` +
			`"sources":[{"document_id":"01a1d964-6e3b-774b-bfff-000000000005","title":"Carta","kind":"pdf","match_pct":91.4}],"fragments":[` + fragment + `,` + second + `,` + third + `],` +
			`"match_pct":91.4,"threshold_pct":60,"confidence":"high","explanation":"It says so.","elapsed_ms":1.284}`},
		"no answer": {
			frontdesk.Answer{Question: "?", ThresholdPct: 75, Confidence: "none", Explanation: "Nothing.", Hits: []frontdesk.AnswerHit{hit("8", agent.ID, 0, 12.5, false)}},
			`{"question":"?","livemode":true,"answered":false,"answer":null,"message_es":"No tengo esa información. ¿Quiere dejar su teléfono para que le llamen?",` +
				`"message_en":"I don't have that information. Would you like to leave your number so that someone calls you back?","sources":[],"fragments":[` + third + `],` +
				`"match_pct":0,"threshold_pct":75,"confidence":"none","explanation":"Nothing.","elapsed_ms":0}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := encoded(t, wire.Answer(c.answer, true)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
