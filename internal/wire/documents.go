package wire

import (
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// DocumentShape is a document as customers read it.
type DocumentShape struct {
	ID          frontdesk.ID  `json:"id"`
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	SizeBytes   int64         `json:"size_bytes"`
	Status      string        `json:"status"`
	StatusLabel string        `json:"status_label"`
	StatusHelp  string        `json:"status_help,omitzero"`
	Fragments   int           `json:"fragments"`
	Livemode    bool          `json:"livemode"`
	AgentID     *frontdesk.ID `json:"agent_id"`
	CreatedAt   string        `json:"created_at"`
	UpdatedAt   string        `json:"updated_at"`
	ReadyAt     *string       `json:"ready_at"`
}

// Document spells a document.
func Document(d frontdesk.Document) DocumentShape {
	return DocumentShape{
		ID: d.ID, Title: d.Title, Kind: string(d.Kind), SizeBytes: d.SizeBytes, Status: string(d.Status),
		StatusLabel: d.Status.Label(), StatusHelp: d.StatusHelp(), Fragments: d.Fragments, Livemode: d.Live, AgentID: maybe(d.AgentID),
		CreatedAt: Time(d.CreatedAt), UpdatedAt: Time(d.UpdatedAt), ReadyAt: maybeTime(d.ReadyAt),
	}
}

// DocumentEnvelope puts a document into its envelope.
func DocumentEnvelope(d frontdesk.Document) any {
	return struct {
		Document DocumentShape `json:"document"`
	}{Document(d)}
}

// Uploaded is the answer to an upload.
func Uploaded(d frontdesk.Document, deduped bool, u frontdesk.DocumentUse, p frontdesk.Plan) any {
	return struct {
		Document DocumentShape  `json:"document"`
		Deduped  bool           `json:"deduped"`
		Limits   documentLimits `json:"limits"`
	}{Document(d), deduped, limitsOf(u, p)}
}

// DocumentList spells a page of documents with the limits of the plan.
func DocumentList(l frontdesk.List[frontdesk.Document], u frontdesk.DocumentUse, p frontdesk.Plan) any {
	data := make([]DocumentShape, len(l.Items))
	for i, d := range l.Items {
		data[i] = Document(d)
	}
	return struct {
		Object            string          `json:"object"`
		Data              []DocumentShape `json:"data"`
		HasMore           bool            `json:"has_more"`
		NextStartingAfter *frontdesk.ID   `json:"next_starting_after"`
		Limits            documentLimits  `json:"limits"`
	}{"list", data, l.More, nextAfter(l, func(d frontdesk.Document) frontdesk.ID { return d.ID }), limitsOf(u, p)}
}

type documentLimits struct {
	MaxDocuments     int      `json:"max_documents"`
	UsedDocuments    int      `json:"used_documents"`
	MaxDocumentBytes int64    `json:"max_document_bytes"`
	MaxTotalBytes    int64    `json:"max_total_bytes"`
	UsedTotalBytes   int64    `json:"used_total_bytes"`
	MaxQuestionChars int      `json:"max_question_chars"`
	ContentTypes     []string `json:"content_types"`
	Extensions       []string `json:"extensions"`
}

func limitsOf(u frontdesk.DocumentUse, p frontdesk.Plan) documentLimits {
	return documentLimits{
		p.MaxDocuments, u.Documents, p.MaxDocumentBytes, p.MaxTotalBytes, u.Bytes, frontdesk.MaxQuestion,
		frontdesk.DocumentTypes, frontdesk.DocumentExtensions,
	}
}

type knowledgeSummary struct {
	Documents       int                  `json:"documents"`
	ByStatus        map[string]int       `json:"by_status"`
	Fragments       int                  `json:"fragments"`
	SizeBytes       int64                `json:"size_bytes"`
	Languages       []string             `json:"languages"`
	LastReadyAt     *string              `json:"last_ready_at"`
	UnansweredMonth int                  `json:"unanswered_last_30_days"`
	TopUnanswered   []unansweredQuestion `json:"top_unanswered"`
}

type unansweredQuestion struct {
	Question    string `json:"question"`
	Count       int    `json:"count"`
	LastAskedAt string `json:"last_asked_at"`
}

// Knowledge spells how a knowledge base stands.
func Knowledge(k frontdesk.KnowledgeSummary, u frontdesk.DocumentUse, p frontdesk.Plan, live bool) any {
	s := knowledgeSummary{
		Documents: k.Documents, ByStatus: map[string]int{}, Fragments: k.Fragments, SizeBytes: k.SizeBytes,
		Languages: append([]string{}, k.Languages...), LastReadyAt: maybeTime(k.LastReadyAt),
		UnansweredMonth: k.Unanswered, TopUnanswered: []unansweredQuestion{},
	}
	for _, status := range frontdesk.DocumentStatuses {
		s.ByStatus[string(status)] = k.ByStatus[status]
	}
	for _, q := range k.TopUnanswered {
		s.TopUnanswered = append(s.TopUnanswered, unansweredQuestion{q.Question, q.Count, Time(q.LastAskedAt)})
	}
	return struct {
		Summary  knowledgeSummary `json:"summary"`
		Limits   documentLimits   `json:"limits"`
		Livemode bool             `json:"livemode"`
	}{s, limitsOf(u, p), live}
}
