package frontdesk

import (
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"
)

// Document is something a business has written down, and that its agents answer
// questions from.
type Document struct {
	ID         ID
	Live       bool
	AgentID    ID // "": for all agents of the tenant
	Title      string
	Filename   string
	Kind       DocumentKind
	SizeBytes  int64
	SHA256     []byte
	Status     DocumentStatus
	Help       string // what to do about one that cannot be used
	Fragments  int
	Languages  []string // of its fragments
	CreatedAt  time.Time
	UpdatedAt  time.Time
	ReadyAt    time.Time
	ArchivedAt time.Time
}

// DocumentKind is what a document's bytes are.
type DocumentKind string

// The kinds of documents.
const (
	PDF      DocumentKind = "pdf"
	Markdown DocumentKind = "markdown"
	CSV      DocumentKind = "csv"
	Text     DocumentKind = "text"
)

// DocumentExtensions are the endings that a document's file name can have.
var DocumentExtensions = []string{".pdf", ".md", ".csv", ".txt"}

// DocumentTypes are the content types that a document can be sent as.
var DocumentTypes = []string{"application/pdf", "text/plain", "text/markdown", "text/csv"}

// KindOf is the kind of a file by its name; "" when there is none for it.
func KindOf(filename string) DocumentKind {
	switch strings.ToLower(path.Ext(filename)) {
	case ".pdf":
		return PDF
	case ".md":
		return Markdown
	case ".csv":
		return CSV
	case ".txt":
		return Text
	}
	return ""
}

// DocumentStatus is how far a document is on its way into answers.
type DocumentStatus string

// The statuses of a document.
const (
	DocumentPending    DocumentStatus = "pending"
	DocumentProcessing DocumentStatus = "processing"
	DocumentReady      DocumentStatus = "ready"
	DocumentError      DocumentStatus = "error"
	DocumentArchived   DocumentStatus = "archived"
)

// DocumentStatuses are all of them, in the order of a document's life.
var DocumentStatuses = []DocumentStatus{DocumentPending, DocumentProcessing, DocumentReady, DocumentError, DocumentArchived}

// Label is the status in words.
func (s DocumentStatus) Label() string {
	switch s {
	case DocumentPending:
		return "Waiting to be read"
	case DocumentProcessing:
		return "Being read"
	case DocumentReady:
		return "Ready"
	case DocumentError:
		return "Cannot be used"
	case DocumentArchived:
		return "Archived"
	}
	return string(s)
}

// StatusHelp says what a document's status means for its customer; "" when
// there is nothing to say.
func (d Document) StatusHelp() string {
	switch d.Status {
	case DocumentPending, DocumentProcessing:
		return "Ask again in a few seconds: the document is used in answers once it is ready."
	case DocumentArchived:
		return "The document is kept, but no longer used in answers."
	}
	return d.Help
}

// Fragment is a passage of a document: what is found, and answered with.
type Fragment struct {
	ID         ID
	DocumentID ID
	Position   int    // in its document, from 0
	Page       int    // of a PDF, from 1; 0 for other kinds
	Line       int    // where it begins in a text, from 1; 0 for PDF
	Language   string // "es" or "en"
	Heading    string // the headings it stands under, outermost first, joined by " > "
	Question   string // of a pair of question and answer
	Text       string // the passage itself; of a pair, the answer

	Vector []float32 // an embedding of it, where there is one
}

// DocumentFilter narrows a list of documents; zero fields do not.
type DocumentFilter struct {
	Status  DocumentStatus
	AgentID ID
}

// DocumentUse is how much of its plan an owner's documents take.
type DocumentUse struct {
	Documents int
	Bytes     int64
}

// RoomFor says whether a plan has room for one more document of a size.
func (u DocumentUse) RoomFor(size int64, plan Plan) error {
	if u.Documents >= plan.MaxDocuments {
		return LimitReached("documents in this mode", plan.MaxDocuments)
	}
	if u.Bytes+size > plan.MaxTotalBytes {
		return &Error{
			Kind: Invalid, Code: "limit_reached",
			Message: fmt.Sprintf("All documents of this mode together can have %d bytes, and %d are used. Delete some first, or ask the operator for a larger plan.", plan.MaxTotalBytes, u.Bytes),
		}
	}
	return nil
}

// KnowledgeSummary tells how a knowledge base stands.
type KnowledgeSummary struct {
	Documents     int
	ByStatus      map[DocumentStatus]int
	Fragments     int // of documents that are ready
	SizeBytes     int64
	Languages     []string
	LastReadyAt   time.Time
	Unanswered    int
	TopUnanswered []UnansweredQuestion
}

// Unanswered are the questions that found no answer: how many times any was asked,
// and the most frequent ones.
type Unanswered struct {
	Times int
	Top   []UnansweredQuestion
}

// UnansweredQuestion is what callers asked and nobody could answer.
type UnansweredQuestion struct {
	Question    string
	AgentID     ID // that it was put to; "": it is not known, or several were asked
	Count       int
	LastAskedAt time.Time
}

// maxSpelling bounds what questions are told apart by.
const maxSpelling = 300

// Spelling is a question as it is counted: its words in small letters, without
// marks.
func Spelling(question string) string {
	fields := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	spelling := strings.Join(fields, " ")
	for i := range spelling {
		if i > maxSpelling {
			return spelling[:i]
		}
	}
	return spelling
}

// DocumentChanges lists what differs between two versions of a document, of what
// people decide.
func DocumentChanges(before, after Document) []FieldChange {
	var c changes
	c.text("title", before.Title, after.Title)
	c.text("filename", before.Filename, after.Filename)
	c.text("agent_id", string(before.AgentID), string(after.AgentID))
	c.number("size_bytes", before.SizeBytes, after.SizeBytes)
	c.text("status", string(before.Status), string(after.Status))
	return c
}
