package app

import (
	"context"
	"database/sql"
	"testing"

	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// Calls from before the index are put into it, of every owner, until none is left.
func TestOlderCallsAreIndexed(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	seed(t, s)
	driver := "sqlite"
	if store.IsPostgres(url) {
		driver = "pgx"
	}
	db, err := sql.Open(driver, url)
	must(t, err)
	defer db.Close()
	for _, statement := range []string{
		`DELETE FROM call_words`,
		`INSERT INTO word_backfills (tenant_id, live, after) SELECT id, TRUE, '00000000-0000-0000-0000-000000000000' FROM tenants`,
		`INSERT INTO word_backfills (tenant_id, live, after) SELECT id, FALSE, '00000000-0000-0000-0000-000000000000' FROM tenants`,
	} {
		_, err := db.Exec(statement)
		must(t, err)
	}
	p := &parts{store: s}
	must(t, housekeeping{p}.indexOlderCalls(ctx))
	var indexed, transcripts, left int
	must(t, db.QueryRow(`SELECT (SELECT COUNT(*) FROM call_words), (SELECT COUNT(*) FROM transcripts), (SELECT COUNT(*) FROM word_backfills)`).Scan(&indexed, &transcripts, &left))
	if indexed != transcripts || transcripts == 0 || left != 0 {
		t.Errorf("%d of %d transcripts are in the index, %d owners are left", indexed, transcripts, left)
	}
	s.Close()
	if err := (housekeeping{p}).indexOlderCalls(ctx); err == nil || err.Error() == "" {
		t.Error("a database that is closed is no failure")
	}
}
