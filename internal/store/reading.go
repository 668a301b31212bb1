package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// DocumentClaim is a document that a worker has, until its lease ends.
type DocumentClaim struct {
	Owner      frontdesk.Owner
	Document   frontdesk.Document
	Attempts   int // this one included
	LeaseUntil time.Time
}

// ClaimDocumentForWorker takes the document that has waited longest, if one
// does; with most, only of texts that have no more bytes. Nobody else gets it
// before the lease ends.
func (s *Store) ClaimDocumentForWorker(ctx context.Context, now, leaseUntil time.Time, most int64) (c DocumentClaim, found bool, err error) {
	leaseUntil = leaseUntil.Truncate(time.Microsecond)
	args := []any{micros(now), micros(leaseUntil)}
	if most > 0 {
		args = append(args, most)
	}
	err = s.transact(ctx, "claiming a document", func(t *tx) error {
		return t.each(claimDocument(t.dialect, most > 0),
			args, func(r row) error {
				found = true
				c.LeaseUntil = leaseUntil
				c.Document, err = scanDocumentAfter(r, &c.Owner.TenantID, &c.Attempts)
				c.Owner.Live = c.Document.Live
				return err
			})
	})
	return c, found, err
}

func claimDocument(d dialect, light bool) string {
	only := ""
	if light {
		only = ` AND kind <> 'pdf' AND size_bytes <= $3`
	}
	return `WITH due AS MATERIALIZED (
			SELECT ` + d.handle + ` AS handle FROM documents WHERE due_at IS NOT NULL AND due_at <= $1` + only + ` ORDER BY due_at LIMIT 1` + d.skip + `)
		UPDATE documents SET status = 'processing', attempts = attempts + 1, due_at = $2, updated_at = $1
		WHERE due_at IS NOT NULL AND ` + fmt.Sprintf(d.handleIn, "due") + `
		RETURNING tenant_id, attempts, tenant_id, live, ` + documentColumns
}

// DocumentQueueForWorker says how many documents wait to be read, and for how long
// the oldest of them has. Those that are being read do not wait.
func (s *Store) DocumentQueueForWorker(ctx context.Context, now time.Time) (waiting int, oldest time.Duration, err error) {
	var due sql.NullInt64
	err = s.row(ctx, "measuring the queue of documents",
		`SELECT COUNT(*), MIN(due_at) FROM documents WHERE due_at IS NOT NULL AND due_at <= $1`, []any{micros(now)}, &waiting, &due)
	if due.Valid {
		oldest = now.Sub(fromMicros(due.Int64))
	}
	return waiting, oldest, err
}

// SaveFragments makes a document ready, with what it was cut into. It says
// whether the document was still the claim's to save. An owner whose documents
// would have more than most fragments is refused.
func (s *Store) SaveFragments(ctx context.Context, owner frontdesk.Owner, c DocumentClaim, fragments []frontdesk.Fragment, now time.Time, most int) (saved bool, err error) {
	err = s.transactFor(ctx, bulk, "saving fragments", func(t *tx) error {
		saved, err = t.finishDocument(owner, c, frontdesk.DocumentReady, "", now)
		if err != nil || !saved {
			return err
		}
		// The version first: of two that save at once, the second counts
		// what the first has saved.
		if err := t.dropFragments(owner, c.Document.ID); err != nil {
			return err
		}
		var others int
		if _, err := t.row(`SELECT COALESCE(SUM(fragments), 0) FROM documents WHERE tenant_id = $1 AND live = $2 AND status = 'ready' AND id <> $3`,
			[]any{string(owner.TenantID), owner.Live, string(c.Document.ID)}, &others); err != nil {
			return err
		}
		if others+len(fragments) > most {
			return frontdesk.LimitReached("passages of all documents in this mode", most)
		}
		if _, err := t.exec(`UPDATE documents SET fragments = $4, languages = $5, ready_at = $6 WHERE tenant_id = $1 AND live = $2 AND id = $3`,
			string(owner.TenantID), owner.Live, string(c.Document.ID), len(fragments), strings.Join(languagesOf(fragments), " "), micros(now)); err != nil {
			return err
		}
		for some := range slices.Chunk(fragments, fragmentsAtOnce) {
			if err := t.insertFragments(owner, c.Document.ID, some); err != nil {
				return err
			}
		}
		return nil
	})
	return saved && err == nil, err
}

const (
	// bulk is how long the fragments of one document may take to be written.
	bulk = 30 * time.Second
	// fragmentsAtOnce is how many rows one statement writes. More spare
	// PostgreSQL some journeys, but cost SQLite's one writer: its driver takes
	// time with the square of the number of arguments.
	fragmentsAtOnce = 16
)

// FailDocument marks a document that cannot be used, and says what to do.
func (s *Store) FailDocument(ctx context.Context, owner frontdesk.Owner, c DocumentClaim, help string, now time.Time) error {
	return s.transact(ctx, "failing a document", func(t *tx) error {
		_, err := t.finishDocument(owner, c, frontdesk.DocumentError, help, now)
		return err
	})
}

// ReleaseDocument gives a document back that was claimed and not read through,
// to be tried again at an instant. The attempt counts or not.
func (s *Store) ReleaseDocument(ctx context.Context, owner frontdesk.Owner, c DocumentClaim, again time.Time, counts bool) error {
	attempts := c.Attempts
	if !counts {
		attempts--
	}
	return s.withWork(ctx, "releasing a document", func(t *tx) error {
		t.documents = true
		_, err := t.exec(`UPDATE documents SET status = 'pending', attempts = $4, due_at = $5
			WHERE tenant_id = $1 AND live = $2 AND id = $3 AND status = 'processing' AND due_at = $6`,
			string(owner.TenantID), owner.Live, string(c.Document.ID), attempts, micros(again), micros(c.LeaseUntil))
		return err
	})
}

// finishDocument ends the reading of a document that is still the claim's.
func (t *tx) finishDocument(owner frontdesk.Owner, c DocumentClaim, status frontdesk.DocumentStatus, help string, now time.Time) (bool, error) {
	changed, err := t.exec(`UPDATE documents SET status = $4, help = $5, due_at = NULL, updated_at = $6
		WHERE tenant_id = $1 AND live = $2 AND id = $3 AND status = 'processing' AND due_at = $7`,
		string(owner.TenantID), owner.Live, string(c.Document.ID), string(status), help, micros(now), micros(c.LeaseUntil))
	if err != nil {
		return false, err
	}
	return changed > 0, nil
}

func (t *tx) insertFragments(owner frontdesk.Owner, document frontdesk.ID, fragments []frontdesk.Fragment) error {
	const columns = 12
	args := make([]any, 0, columns*len(fragments))
	for _, f := range fragments {
		args = append(args, string(owner.TenantID), owner.Live, string(document), f.Position, string(f.ID), f.Page, f.Line,
			f.Language, f.Heading, f.Question, f.Text, vectorBytes(f.Vector))
	}
	return t.later(`INSERT INTO fragments (tenant_id, live, document_id, position, id, page, line, language, heading, question, text, vector) VALUES `+
		placeholders(len(fragments), columns), args...)
}

// placeholders are the rows of a VALUES: ($1, $2), ($3, $4).
func placeholders(rows, columns int) string {
	var b strings.Builder
	for i := range rows * columns {
		switch {
		case i == 0:
			b.WriteString("(")
		case i%columns == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", i+1)
	}
	return b.String() + ")"
}

func languagesOf(fragments []frontdesk.Fragment) []string {
	var languages []string
	for _, f := range fragments {
		if f.Language != "" && !slices.Contains(languages, f.Language) {
			languages = append(languages, f.Language)
		}
	}
	slices.Sort(languages)
	return languages
}
