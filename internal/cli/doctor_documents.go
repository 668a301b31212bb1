package cli

import (
	"cmp"
	"context"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/app"
)

// checkDocuments looks at the place for the bytes of documents. A directory is
// made when it is needed, so only that of a bucket can be missing.
func (d *doctor) checkDocuments() {
	const check, fix = "documents", "Correct FRONTDESK_DOCUMENTS, FRONTDESK_S3_ACCESS_KEY and FRONTDESK_S3_SECRET_KEY; docs/knowledge.md has an example."
	place := cmp.Or(d.settings.Documents, d.settings.DocumentsDir())
	if !strings.Contains(place, "://") {
		if d.postgres() && d.settings.Documents == "" {
			d.warn(check, "With several nodes, set FRONTDESK_DOCUMENTS to a bucket or a directory that all of them reach.", "documents are kept in the data directory, which is this node's own: %s", place)
			return
		}
		d.ok(check, "kept in %s", place)
		return
	}
	blobs, err := app.OpenBlobs(d.settings)
	if err != nil {
		d.fail(check, fix, "%v", err)
		return
	}
	defer blobs.Close()
	ctx, cancel := context.WithTimeout(d.ctx, 10*time.Second)
	defer cancel()
	if err := blobs.Check(ctx); err != nil {
		d.fail(check, fix, "%v", err)
		return
	}
	d.ok(check, "%s can be reached", blobs)
}
