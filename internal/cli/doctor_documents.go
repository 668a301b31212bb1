package cli

import (
	"context"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/blob"
)

// checkDocuments looks at the place for the bytes of documents. A directory is
// made when it is needed, and the database has a check of its own, so only that
// of a bucket can be missing.
func (d *doctor) checkDocuments() {
	const check = "documents"
	place := app.PlaceOfDocuments(d.settings)
	switch {
	case place == blob.Database:
		d.ok(check, "kept in the database")
	case app.DirectoryOnPostgres(d.settings):
		d.warn(check, "Nothing, with one node or a directory that all nodes share; else set FRONTDESK_DOCUMENTS to database or to a bucket.",
			"kept in a directory, which every node has to reach: %s", place)
	case !strings.Contains(place, "://"):
		d.ok(check, "kept in %s", place)
	default:
		d.checkBucket(check)
	}
}

func (d *doctor) checkBucket(check string) {
	const fix = "Correct FRONTDESK_DOCUMENTS, FRONTDESK_S3_ACCESS_KEY and FRONTDESK_S3_SECRET_KEY; docs/knowledge.md has an example."
	blobs, err := app.OpenBlobs(d.settings, nil)
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
