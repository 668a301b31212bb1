package demo

import (
	"bytes"
	"context"
	"fmt"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

// Lay keeps the bytes of files for a tenant that is about to be created, and
// returns the documents to create it with.
func Lay(ctx context.Context, l *knowledge.Library, tenant frontdesk.Tenant, agents []frontdesk.Agent, files []File) ([]frontdesk.Document, error) {
	ids := map[string]frontdesk.ID{"": ""}
	for _, a := range agents {
		ids[a.Slug] = a.ID
	}
	var documents []frontdesk.Document
	for _, f := range files {
		agent, known := ids[f.Agent]
		if !known {
			return nil, fmt.Errorf("laying %s down: there is no agent %s", f.Filename, f.Agent)
		}
		owner := frontdesk.Owner{TenantID: tenant.ID, Live: f.Live}
		d, err := l.Receive(ctx, owner, knowledge.NewDocument{Title: f.Title, Filename: f.Filename, AgentID: agent}, bytes.NewReader(f.Bytes), tenant.Plan.MaxDocumentBytes)
		if err != nil {
			return nil, fmt.Errorf("laying %s down: %w", f.Filename, err)
		}
		documents = append(documents, d)
	}
	return documents, nil
}
