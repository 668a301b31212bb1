package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const documentColumns = `id, shelf, title, filename, kind, size_bytes, sha256, status, help, fragments, languages,
	created_at, updated_at, ready_at, archived_at`

const selectDocuments = `SELECT tenant_id, live, ` + documentColumns + ` FROM documents`

// Documents lists the owner's documents.
func (s *Store) Documents(ctx context.Context, owner frontdesk.Owner, f frontdesk.DocumentFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Document], error) {
	filters := []filter{{column: "shelf", value: string(f.AgentID)}, {column: "status", value: string(f.Status)}}
	return page(ctx, s, "listing documents", selectDocuments, owner, p, filters, scanDocument)
}

// Document returns one of the owner's documents.
func (s *Store) Document(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Document, error) {
	return one(s.asking(ctx, "reading a document"), "document", selectDocuments+` WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		[]any{string(owner.TenantID), owner.Live, string(id)}, scanDocument)
}

// AddDocument writes a new document that waits to be read. Where the same bytes
// are there already for the same agents, it returns that document, and added is
// false.
func (s *Store) AddDocument(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, d frontdesk.Document, plan frontdesk.Plan) (_ frontdesk.Document, added bool, err error) {
	err = s.withWork(ctx, "adding a document", func(t *tx) error {
		// Two at once must not both find room: they wait for the tenant's row.
		if _, err := t.row(`SELECT id FROM tenants WHERE id = $1`+t.dialect.forUpdate, []any{string(owner.TenantID)}, new(string)); err != nil {
			return err
		}
		same, err := t.sameDocument(owner, d)
		if err != nil {
			return err
		}
		if same.ID != "" {
			d = same
			return nil
		}
		if err := t.makesRoom(owner, d, plan); err != nil {
			return err
		}
		added = true
		if err := t.audit(owner, by, change{frontdesk.AuditDocumentAdded, string(d.ID), d.Title, frontdesk.DocumentChanges(frontdesk.Document{}, d)}); err != nil {
			return err
		}
		return t.insertDocument(owner, d)
	})
	return d, added, err
}

func (t *tx) sameDocument(owner frontdesk.Owner, d frontdesk.Document) (same frontdesk.Document, err error) {
	err = t.each(selectDocuments+` WHERE tenant_id = $1 AND live = $2 AND shelf = $3 AND sha256 = $4`,
		[]any{string(owner.TenantID), owner.Live, shelf(owner, d.AgentID), d.SHA256}, func(r row) (err error) {
			same, err = scanDocument(r)
			return err
		})
	return same, err
}

// makesRoom says whether the plan has room for one more document.
func (t *tx) makesRoom(owner frontdesk.Owner, d frontdesk.Document, plan frontdesk.Plan) error {
	var used frontdesk.DocumentUse
	if _, err := t.row(selectDocumentUse, []any{string(owner.TenantID), owner.Live}, &used.Documents, &used.Bytes); err != nil {
		return err
	}
	return used.RoomFor(d.SizeBytes, plan)
}

func (t *tx) insertDocument(owner frontdesk.Owner, d frontdesk.Document) error {
	t.documents = true
	_, err := t.exec(`INSERT INTO documents (tenant_id, live, `+documentColumns+`, attempts, due_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 0, $14)`,
		string(owner.TenantID), owner.Live, string(d.ID), shelf(owner, d.AgentID), d.Title, d.Filename, string(d.Kind), d.SizeBytes, d.SHA256,
		string(frontdesk.DocumentPending), "", 0, "", micros(d.CreatedAt), micros(d.UpdatedAt), nil, nil)
	return err
}

// DeleteDocument deletes one of the owner's documents with its fragments. Its
// bytes are the caller's to delete.
func (s *Store) DeleteDocument(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) error {
	return s.transact(ctx, "deleting a document", func(t *tx) error {
		d, err := one(t.each, "document", `DELETE FROM documents WHERE tenant_id = $1 AND live = $2 AND id = $3 RETURNING tenant_id, live, `+documentColumns,
			[]any{string(owner.TenantID), owner.Live, string(id)}, scanDocument)
		if err != nil {
			return err
		}
		if err := t.audit(owner, by, change{frontdesk.AuditDocumentDeleted, string(id), d.Title, frontdesk.DocumentChanges(d, frontdesk.Document{})}); err != nil {
			return err
		}
		return t.dropFragments(owner, id)
	})
}

// ArchiveDocument keeps one of the owner's documents out of answers from now on.
func (s *Store) ArchiveDocument(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, now time.Time) (frontdesk.Document, error) {
	err := s.transact(ctx, "archiving a document", func(t *tx) error {
		before, err := one(t.each, "document", selectDocuments+` WHERE tenant_id = $1 AND live = $2 AND id = $3`+t.dialect.forUpdate,
			[]any{string(owner.TenantID), owner.Live, string(id)}, scanDocument)
		if err != nil || before.Status == frontdesk.DocumentArchived {
			return err
		}
		if err := t.later(`UPDATE documents SET status = 'archived', help = '', due_at = NULL, updated_at = $4, archived_at = $4
			WHERE tenant_id = $1 AND live = $2 AND id = $3`,
			string(owner.TenantID), owner.Live, string(id), micros(now)); err != nil {
			return err
		}
		after := before
		after.Status = frontdesk.DocumentArchived
		if err := t.audit(owner, by, change{frontdesk.AuditDocumentArchived, string(id), before.Title, frontdesk.DocumentChanges(before, after)}); err != nil {
			return err
		}
		return t.raiseKnowledge(owner)
	})
	if err != nil {
		return frontdesk.Document{}, err
	}
	return s.Document(ctx, owner, id)
}

// RestoreDocument lets one of the owner's documents that was archived be used in
// answers again. One that was never read through is read now.
func (s *Store) RestoreDocument(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, now time.Time) (frontdesk.Document, error) {
	err := s.withWork(ctx, "restoring a document", func(t *tx) error {
		before, err := one(t.each, "document", selectDocuments+` WHERE tenant_id = $1 AND live = $2 AND id = $3`+t.dialect.forUpdate,
			[]any{string(owner.TenantID), owner.Live, string(id)}, scanDocument)
		if err != nil || before.Status != frontdesk.DocumentArchived {
			return err
		}
		after := before
		after.Status = frontdesk.DocumentReady
		var due any
		if before.ReadyAt.IsZero() {
			t.documents = true
			after.Status, due = frontdesk.DocumentPending, micros(now)
		}
		if err := t.later(`UPDATE documents SET status = $4, due_at = $5, attempts = 0, updated_at = $6, archived_at = NULL
			WHERE tenant_id = $1 AND live = $2 AND id = $3`,
			string(owner.TenantID), owner.Live, string(id), string(after.Status), due, micros(now)); err != nil {
			return err
		}
		if err := t.audit(owner, by, change{frontdesk.AuditDocumentRestored, string(id), before.Title, frontdesk.DocumentChanges(before, after)}); err != nil {
			return err
		}
		return t.raiseKnowledge(owner)
	})
	if err != nil {
		return frontdesk.Document{}, err
	}
	return s.Document(ctx, owner, id)
}

func (t *tx) dropFragments(owner frontdesk.Owner, document frontdesk.ID) error {
	if _, err := t.exec(`DELETE FROM fragments WHERE tenant_id = $1 AND live = $2 AND document_id = $3`,
		string(owner.TenantID), owner.Live, string(document)); err != nil {
		return err
	}
	return t.raiseKnowledge(owner)
}

const selectDocumentUse = `SELECT COUNT(*), COALESCE(SUM(size_bytes), 0) FROM documents WHERE tenant_id = $1 AND live = $2`

// DocumentUse says how much of the plan the owner's documents take.
func (s *Store) DocumentUse(ctx context.Context, owner frontdesk.Owner) (u frontdesk.DocumentUse, err error) {
	err = s.row(ctx, "measuring documents", selectDocumentUse, []any{string(owner.TenantID), owner.Live}, &u.Documents, &u.Bytes)
	return u, err
}

// shelf is whom a document serves: one agent, or the whole tenant.
func shelf(owner frontdesk.Owner, agent frontdesk.ID) string {
	if agent == "" {
		return string(owner.TenantID)
	}
	return string(agent)
}

func scanDocument(r row) (frontdesk.Document, error) { return scanDocumentAfter(r) }

// scanDocumentAfter scans what stands before a document in a row, then the
// document.
func scanDocumentAfter(r row, before ...any) (d frontdesk.Document, err error) {
	var tenant, place frontdesk.ID
	var languages string
	var createdAt, updatedAt int64
	var readyAt, archivedAt sql.NullInt64
	err = r.Scan(append(before, &tenant, &d.Live, &d.ID, &place, &d.Title, &d.Filename, &d.Kind, &d.SizeBytes, &d.SHA256, &d.Status, &d.Help,
		&d.Fragments, &languages, &createdAt, &updatedAt, &readyAt, &archivedAt)...)
	if place != tenant {
		d.AgentID = place
	}
	d.Languages = strings.Fields(languages)
	d.CreatedAt, d.UpdatedAt = fromMicros(createdAt), fromMicros(updatedAt)
	d.ReadyAt, d.ArchivedAt = fromMaybeMicros(readyAt), fromMaybeMicros(archivedAt)
	return d, err
}
