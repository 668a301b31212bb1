package api

import (
	"context"
	"net/url"

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
	if err := a.library.Delete(r.Context(), r.owner, r.by(), id); err != nil {
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
	d, added, err := a.library.Add(r.Context(), r.owner, r.by(), received, plan)
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
	name, param := filename(r)
	if name == "" {
		return n, frontdesk.MissingParam("filename",
			"Name the file, in the query as filename or in the header X-Service-Filename: its extension says what it is.")
	}
	kind, err := knowledge.CheckFilename(param, name)
	if err != nil {
		return n, err
	}
	if err := knowledge.CheckContentType(r.http.Header.Get("Content-Type"), kind); err != nil {
		return n, err
	}
	n.Filename, n.Title = name, r.text("title")
	if id, given := r.query["agent_id"]; given {
		n.AgentID, err = a.agentNamed(r, id.(string))
	}
	return n, err
}

// filename is the name of the file, and where it was given: the header, which
// may be percent-encoded, or the query.
func filename(r *request) (name, param string) {
	name, param = r.text("filename"), "filename"
	if header := r.http.Header.Get("X-Service-Filename"); header != "" {
		name, param = header, "X-Service-Filename"
		if decoded, err := url.PathUnescape(header); err == nil {
			name = decoded
		}
	}
	return knowledge.Filename(name), param
}
