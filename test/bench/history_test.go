package bench

import (
	"database/sql"
	"os"
	"strconv"
	"testing"
)

// history is how many delivered rows the benchmark of deliveries lays in before
// it begins: FRONTDESK_BENCH_HISTORY=5000000 shows that a claim costs the same.
func history() int {
	n, _ := strconv.Atoi(os.Getenv("FRONTDESK_BENCH_HISTORY"))
	return n
}

// layIn writes delivered rows for every connection, straight into the table: the
// product could not make five million in the time that a benchmark has.
func layIn(b *testing.B, database, url string, n int) {
	b.Helper()
	driver, series, id := "pgx", `generate_series(1, $1::int)`, `gen_random_uuid()`
	if database == "sqlite" {
		driver = "sqlite"
		series = `(WITH RECURSIVE g (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < $1) SELECT n FROM g)`
		id = `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-7' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`
	}
	db, err := sql.Open(driver, url)
	check(b, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`INSERT INTO deliveries (tenant_id, live, id, connection_id, event_id, event, status, attempts, max_attempts,
			http_status, latency_ms, error_code, message, created_at, due_at, delivered_at)
		SELECT c.tenant_id, c.live, `+id+`, c.id, c.id, 'call.completed', 'delivered', 1, 8, 200, 3, '', '', 1, NULL, 1
		FROM connections c, `+series+` AS g`, n)
	check(b, err)
	if database == "postgres" {
		// A history comes in over weeks, and has been tidied up and written out
		// by the time the next event comes. SQLite needs neither.
		for _, settle := range []string{`VACUUM ANALYZE deliveries`, `CHECKPOINT`} {
			_, err = db.Exec(settle)
			check(b, err)
		}
	}
}
