package frontdesk

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"path/filepath"
	"strings"
)

// KnowledgeClient asks what the receptionist would answer.
type KnowledgeClient struct {
	client *Client
	// Documents are what it answers from.
	Documents *DocumentsClient
}

// Get returns a summary of the documents, and what callers asked in vain.
func (k *KnowledgeClient) Get(ctx context.Context, opts ...RequestOptions) (*Knowledge, error) {
	return get[Knowledge](ctx, k.client, "/knowledge", nil, opts)
}

// Ask answers a question as the receptionist would.
func (k *KnowledgeClient) Ask(ctx context.Context, question KnowledgeQuestion, opts ...RequestOptions) (*KnowledgeAnswer, error) {
	return send[KnowledgeAnswer](ctx, k.client, http.MethodPost, "/knowledge/test", nil, question, opts)
}

// DocumentsClient reads, adds and removes documents.
type DocumentsClient struct{ client *Client }

// DocumentPage is a page of documents, with how many there may be.
type DocumentPage struct {
	Page[Document]
	Limits DocumentLimits
}

// List returns a page of documents, newest first.
func (d *DocumentsClient) List(ctx context.Context, params DocumentListParams, opts ...RequestOptions) (*DocumentPage, error) {
	page, err := list[Document](ctx, d.client, "/knowledge/documents", params.query(), opts)
	if err != nil {
		return nil, err
	}
	with := &DocumentPage{Page: *page}
	return with, takeLimits(with.Extra, &with.Limits)
}

// All goes over all documents, newest first.
func (d *DocumentsClient) All(ctx context.Context, params DocumentListParams, opts ...RequestOptions) iter.Seq2[Document, error] {
	return all(ctx, func() (*Page[Document], error) {
		return list[Document](ctx, d.client, "/knowledge/documents", params.query(), opts)
	})
}

// Get returns a document. It answers questions once its Status is ready.
func (d *DocumentsClient) Get(ctx context.Context, id string, opts ...RequestOptions) (*Document, error) {
	return one[Document](ctx, d.client, "document", http.MethodGet, "/knowledge/documents/%s", []string{id}, nil, opts)
}

// Upload says what is uploaded. Filename is needed, unless an *os.File is
// uploaded; it ends in .pdf, .md, .csv or .txt.
type Upload struct {
	Filename    string
	Title       string // default: the file's name without its extension
	AgentID     string // the agent that it is for; "": all
	ContentType string // default: by the file's name
}

// Upload sends a document. It is read as it is sent, never whole into memory.
// What can be read again (an io.Seeker, such as a file) is sent again like any
// other request; what cannot is sent once. The caller closes file.
func (d *DocumentsClient) Upload(ctx context.Context, file io.Reader, as Upload, opts ...RequestOptions) (*UploadResult, error) {
	if named, ok := file.(interface{ Name() string }); ok && as.Filename == "" {
		as.Filename = filepath.Base(named.Name())
	}
	if as.Filename == "" {
		return nil, fmt.Errorf("frontdesk: Upload.Filename is empty; it must end in .pdf, .md, .csv or .txt")
	}
	params := DocumentUploadParams{Title: as.Title, AgentID: as.AgentID, Filename: as.Filename}
	out := new(UploadResult)
	err := d.client.call(ctx, request{
		method: http.MethodPost, path: "/knowledge/documents", query: params.query(),
		body: newStreamBody(file), contentType: cmp.Or(as.ContentType, contentType(as.Filename)),
	}, out, opts)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func contentType(filename string) string {
	switch strings.ToLower(filepath.Ext(filename)) {
	case ".pdf":
		return "application/pdf"
	case ".md":
		return "text/markdown"
	case ".csv":
		return "text/csv"
	}
	return "text/plain"
}

// Delete removes a document: nothing is answered from it any more.
func (d *DocumentsClient) Delete(ctx context.Context, id string, opts ...RequestOptions) (*DeletedDocument, error) {
	path, err := pathTo("/knowledge/documents/%s", id)
	if err != nil {
		return nil, err
	}
	deleted, err := send[DeletedDocument](ctx, d.client, http.MethodDelete, path, nil, nil, opts)
	if err == nil {
		deleted.ID = cmp.Or(deleted.ID, id)
	}
	return deleted, err
}
