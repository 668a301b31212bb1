package api

import (
	"context"
	"fmt"
	"mime"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) listDocuments(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	f := frontdesk.DocumentFilter{Status: frontdesk.DocumentStatus(r.text("status"))}
	if f.AgentID, err = a.agentInQuery(r); err != nil {
		return nil, err
	}
	list, err := a.store.Documents(r.Context(), r.owner, f, page)
	if err != nil {
		return nil, err
	}
	use, err := a.store.DocumentUse(r.Context(), r.owner)
	if err != nil {
		return nil, err
	}
	return wire.DocumentList(list, use, r.caller.Tenant.Plan), nil
}

func (a *API) getDocument(r *request) (any, error) {
	id, err := r.pathID("document_id", "document")
	if err != nil {
		return nil, err
	}
	d, err := a.store.Document(r.Context(), r.owner, id)
	if err != nil {
		return nil, err
	}
	return wire.DocumentEnvelope(d), nil
}

func (a *API) deleteDocument(r *request) (any, error) {
	id, err := r.pathID("document_id", "document")
	if err != nil {
		return nil, err
	}
	if err := a.library.Delete(r.Context(), r.owner, id); err != nil {
		return nil, err
	}
	return wire.Deleted(id), nil
}

// uploadDocument takes the body as it comes, whatever its size: it is bounded
// by the plan while it is read, and never held in memory.
func (a *API) uploadDocument(r *request) (any, error) {
	n, err := a.newDocument(r)
	if err != nil {
		return nil, err
	}
	plan := r.caller.Tenant.Plan
	r.stopClock()
	// Of a client that has gone nothing is kept: its body breaks off.
	received, err := a.library.Receive(store.Apart(context.WithoutCancel(r.http.Context())), r.owner, n, r.upload(), plan.MaxDocumentBytes)
	r.startClock()
	if err != nil {
		return nil, err
	}
	d, added, err := a.library.Add(r.Context(), r.owner, received, plan)
	if err != nil {
		return nil, err
	}
	use, err := a.store.DocumentUse(r.Context(), r.owner)
	if err != nil {
		return nil, err
	}
	return created{wire.Uploaded(d, !added, use, plan)}, nil
}

// newDocument reads what is said of a document beside its bytes.
func (a *API) newDocument(r *request) (n knowledge.NewDocument, err error) {
	if n.Filename, err = filename(r); err != nil {
		return n, err
	}
	kind := frontdesk.KindOf(n.Filename)
	if kind == "" {
		return n, &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "unsupported_extension", Param: "filename",
			Message: fmt.Sprintf("The file's name must end in one of: %s.", strings.Join(frontdesk.DocumentExtensions, ", ")),
		}
	}
	if err := checkContentType(r.http.Header.Get("Content-Type"), kind); err != nil {
		return n, err
	}
	n.Title = r.text("title")
	if id, given := r.query["agent_id"]; given {
		n.AgentID, err = a.agentNamed(r, id.(string))
	}
	return n, err
}

// filename is the name of the file: the header's, which may be percent-encoded,
// or the query's. Directories before it are nobody's business.
func filename(r *request) (string, error) {
	name, param := r.text("filename"), "filename"
	if header := r.http.Header.Get("X-Service-Filename"); header != "" {
		name, param = header, "X-Service-Filename"
		if decoded, err := url.PathUnescape(header); err == nil {
			name = decoded
		}
	}
	name = strings.TrimSpace(name[strings.LastIndexAny(name, `/\`)+1:])
	switch {
	case name == "":
		return "", &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_missing", Param: "filename",
			Message: "Name the file, in the query as filename or in the header X-Service-Filename: its extension says what it is.",
		}
	case !exchange.Storable(name) || utf8.RuneCountInString(name) > maxFilename:
		return "", frontdesk.InvalidParam(param, "%s must be UTF-8 text of at most %d characters, without NUL.", param, maxFilename)
	case strings.TrimSuffix(name, path.Ext(name)) == "":
		return "", frontdesk.InvalidParam(param, "%s must have a name before its extension.", param)
	}
	return name, nil
}

const maxFilename = 255

// checkContentType holds the content type against the kind that the name says:
// PDF needs its own, the three of texts stand for each other.
func checkContentType(header string, kind frontdesk.DocumentKind) error {
	contentType, _, err := mime.ParseMediaType(header)
	if err == nil && slices.Contains(frontdesk.DocumentTypes, contentType) && (contentType == pdfType) == (kind == frontdesk.PDF) {
		return nil
	}
	return &frontdesk.Error{
		Kind: frontdesk.Invalid, Code: "unsupported_content_type", Param: "Content-Type",
		Message: "Send a .pdf as application/pdf, and all other documents as text/plain, text/markdown or text/csv.",
	}
}

const pdfType = "application/pdf"
