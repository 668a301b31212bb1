package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const daysOfYear = 360 // twelve months of 30 days

// callsADay are 20 in the short form. With FRONTDESK_SOAK=1 they are 10,000 on
// PostgreSQL and 1,000 on SQLite, or FRONTDESK_SOAK_CALLS_A_DAY.
func callsADay() int {
	if os.Getenv("FRONTDESK_SOAK") != "1" {
		return 20
	}
	if n, _ := strconv.Atoi(os.Getenv("FRONTDESK_SOAK_CALLS_A_DAY")); n > 0 {
		return n
	}
	if storetest.IsPostgres() {
		return 10_000
	}
	return 1_000
}

// TestAYear lays in a year of calls, and a month of as many calls a day in another
// database, and asks both the same: what they find is held to what was laid in, and
// how long it takes is told side by side.
func TestAYear(t *testing.T) {
	t.Parallel()
	perDay := callsADay()
	month, year := newPast(t, 30, perDay), newPast(t, daysOfYear, perDay)
	rounds := 5
	if os.Getenv("FRONTDESK_SOAK") == "1" {
		rounds = 300
	}
	t.Logf("%-38s %21s %21s %7s", fmt.Sprintf("%d calls a day", perDay), "month p50 / p99", "year p50 / p99", "ratio")
	for _, q := range ofAPast {
		var took [2][]time.Duration
		for range rounds {
			for i, h := range []*past{month, year} {
				began := time.Now()
				n, err := q.ask(h)
				took[i] = append(took[i], time.Since(began))
				check(t, err)
				if n != q.found(h) {
					t.Fatalf("%s of %d days: found %d, want %d", q.name, h.days, n, q.found(h))
				}
			}
		}
		tell(t, q.name, took[0], took[1])
	}
	month.forgetADay(t)
	year.forgetADay(t)
	for i, what := range []string{"retention: 1 day of transcripts", "retention: 1 day of calls"} {
		tell(t, what, month.forgot[i:i+1], year.forgot[i:i+1])
	}
	year.dropAMonth(t)
}

func tell(t *testing.T, what string, month, year []time.Duration) {
	slices.Sort(month)
	slices.Sort(year)
	p50, p99 := len(month)/2, len(month)*99/100
	t.Logf("%-38s %9.2f / %6.2f ms %9.2f / %6.2f ms %6.2fx", what, ms(month[p50]), ms(month[p99]), ms(year[p50]), ms(year[p99]), ms(year[p50])/ms(month[p50]))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// past is a tenant with so many days of calls, up to now.
type past struct {
	books
	url    string
	days   int
	perDay int
	began  time.Time
	conn   frontdesk.Connection
	turn   int // moves on with every question that asks for another thing
	forgot []time.Duration
}

// rareWords is how many words there are that few callers say.
const rareWords = 5000

func newPast(t *testing.T, days, perDay int) *past {
	t.Helper()
	ctx := context.Background()
	h := &past{url: storetest.URL(t), days: days, perDay: perDay, began: time.Now().UTC().Truncate(time.Hour).AddDate(0, 0, -days)}
	s, err := store.Open(store.Options{URL: h.url, Timeout: 10 * time.Minute})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	_, err = s.Migrate(ctx, time.Now())
	check(t, err)
	tenant := storetest.Tenant(t, s, "bench")
	h.books = books{store: s, owner: frontdesk.Owner{TenantID: tenant.ID, Live: true}, calls: days * perDay}
	h.addAgents(t)
	h.conn = frontdesk.Connection{ID: frontdesk.NewID(h.began), Name: "A receiver", URL: "https://example.com", Events: []string{frontdesk.CallCompleted}, Status: frontdesk.ConnectionActive, CreatedAt: h.began, UpdatedAt: h.began}
	h.conn.Secret = frontdesk.SealedSecret{Prefix: "whsec_", Sealed: []byte{1}, SetAt: h.began}
	err = s.CreateConnection(ctx, h.owner, frontdesk.Actor{}, h.conn, 10)
	check(t, err)

	laid := time.Now()
	for first := 0; first < days; first += 30 { // in the order of time, as calls come
		_, err := s.KeepPartitionsForWorker(ctx, h.began.AddDate(0, 0, first))
		check(t, err)
		h.lay(t, first, min(30, days-first))
	}
	h.exec(t, h.url, `INSERT INTO tally_backfills (tenant_id, live, source, after) SELECT id, TRUE, 'calls', '00000000-0000-0000-0000-000000000000' FROM tenants`)
	h.tally(t)
	_, err = s.KeepPartitionsForWorker(ctx, time.Now())
	check(t, err)
	if storetest.IsPostgres() {
		for _, table := range []string{"calls", "transcripts", "call_words", "deliveries", "events"} {
			h.exec(t, h.url, `VACUUM ANALYZE `+table)
		}
		h.exec(t, h.url, `CHECKPOINT`)
	}
	t.Logf("laid in %d calls of %d days in %s", h.calls, days, time.Since(laid).Round(time.Second))
	return h
}

// lay writes the calls of some days, and the events and deliveries of those that are
// kept: 30 days.
func (h *past) lay(t *testing.T, first, days int) {
	step := 24 * time.Hour / time.Duration(h.perDay)
	at := fmt.Sprintf("(%d + i * %d)", h.began.UnixMicro(), step.Microseconds())
	from, to := first*h.perDay, (first+days)*h.perDay-1
	agent := "CASE i % " + strconv.Itoa(len(h.agents))
	for n, a := range h.agents {
		agent += fmt.Sprintf(" WHEN %d THEN '%s'", n, a.ID)
	}
	id := `printf('%08x-%04x-7000-8000-%012x', ` + at + ` / 1000 >> 16, ` + at + ` / 1000 & 65535, i)`
	uuid, series := "", fmt.Sprintf(`(WITH RECURSIVE g (i) AS (SELECT %d UNION ALL SELECT i + 1 FROM g WHERE i < %d) SELECT i FROM g)`, from, to)
	if storetest.IsPostgres() {
		id = `lpad(to_hex(` + at + ` / 1000 >> 16), 8, '0') || '-' || lpad(to_hex(` + at + ` / 1000 & 65535), 4, '0') || '-7000-8000-' || lpad(to_hex(i), 12, '0')`
		uuid, series = "::uuid", fmt.Sprintf(`generate_series(%d::bigint, %d) g (i)`, from, to)
	}
	whose := fmt.Sprintf("'%s'%[2]s, TRUE, (%[3]s)%[2]s", h.owner.TenantID, uuid, id)
	h.exec(t, h.url, `INSERT INTO calls (tenant_id, live, id, agent_id, caller, started_at, duration_seconds, language, outcome, channel, summary)
		SELECT `+whose+`, (`+agent+` END)`+uuid+`, '+3460' || (1000000 + (i % 20000)), `+at+`, 20 + i % 211, CASE WHEN i % 5 < 2 THEN 'en' ELSE 'es' END,
			CASE WHEN i % 1000 = 0 THEN 'error' WHEN i % 7 < 2 THEN 'booking' ELSE 'info' END,
			CASE WHEN i % 3 = 0 THEN 'phone' ELSE 'web' END, '{"text":"Called to book a table for two on Friday at nine."}' FROM `+series)
	h.exec(t, h.url, `INSERT INTO transcripts (tenant_id, live, call_id, transcript)
		SELECT `+whose+`, '{"turns":[{"text":"A table for two on Friday, word`+"' || (i % "+strconv.Itoa(rareWords)+`) || '."}]}' FROM `+series)
	for _, statement := range h.words(whose, at, series) {
		h.exec(t, h.url, statement)
	}
	if first+days < h.days {
		return
	}
	h.exec(t, h.url, `INSERT INTO events (tenant_id, live, id, type, body, created_at)
		SELECT `+whose+`, 'call.completed', '{"type":"call.completed"}', `+at+` FROM `+series)
	h.exec(t, h.url, `INSERT INTO deliveries (tenant_id, live, id, connection_id, event_id, event, status, attempts, max_attempts, http_status, latency_ms, error_code, message, created_at, delivered_at)
		SELECT `+whose+`, '`+string(h.conn.ID)+`'`+uuid+`, (`+id+`)`+uuid+`, 'call.completed', 'delivered', 1, 8, 200, 3, '', '', `+at+`, `+at+` FROM `+series)
}

// words are the statements that put calls into the index of words, as
// internal/store/calls_words.go does it.
func (h *past) words(whose, at, series string) []string {
	sum := sha256.Sum256([]byte(string(h.owner.TenantID) + strconv.FormatBool(h.owner.Live)))
	mark := hex.EncodeToString(sum[:3])
	var tokens []string
	for _, w := range strings.Fields("a table for two on friday") {
		tokens = append(tokens, mark+"w"+w)
	}
	text := `'` + strings.Join(tokens, " ") + ` ` + mark + `wword' || (i % ` + strconv.Itoa(rareWords) + `)`
	if storetest.IsPostgres() {
		return []string{`INSERT INTO call_words (tenant_id, live, call_id, words) SELECT ` + whose + `, string_to_array(` + text + `, ' ') FROM ` + series}
	}
	row := `(` + at + ` / 1000) * 1048576`
	return []string{
		`INSERT INTO call_words (n, tenant_id, live, call_id) SELECT ` + row + `, ` + whose + ` FROM ` + series,
		`INSERT INTO call_words_index (rowid, words) SELECT ` + row + `, ` + text + ` FROM ` + series,
	}
}

// question is what is asked of a history, and how much it finds.
type question struct {
	name  string
	ask   func(*past) (int, error)
	found func(*past) int
}

func page25(*past) int { return 25 }

// list is a question for a page of calls.
func list(name string, filter func(*past) frontdesk.CallFilter) question {
	return question{name, func(h *past) (int, error) {
		l, err := h.store.Calls(context.Background(), h.owner, filter(h), frontdesk.Page{Limit: 25})
		return len(l.Items), err
	}, func(h *past) int { return min(25, h.meant(filter(h))) }}
}

// meant is how many calls of a history are meant by the filters that find few.
func (h *past) meant(f frontdesk.CallFilter) int {
	switch {
	case f.Caller != "":
		return (h.calls + 19_999) / 20_000
	case strings.HasPrefix(f.Search, "word"):
		return (h.calls + rareWords - 1) / rareWords
	case f.Outcome == frontdesk.Failed:
		return (h.calls + 999) / 1000
	}
	return h.calls
}

// analytics is a question for so many days.
func analytics(days int) question {
	return question{fmt.Sprintf("analytics of %d days", days), func(h *past) (int, error) {
		a, err := h.store.Analytics(context.Background(), h.owner, frontdesk.AnalyticsFilter{}, frontdesk.WindowOf(time.Now(), days, time.UTC), h.agents)
		return min(a.Totals.Calls, 1), err
	}, func(*past) int { return 1 }}
}

var ofAPast = []question{
	list("calls", func(*past) frontdesk.CallFilter { return frontdesk.CallFilter{} }),
	list("calls by outcome", func(*past) frontdesk.CallFilter { return frontdesk.CallFilter{Outcome: frontdesk.Booking} }),
	list("calls by a rare outcome", func(*past) frontdesk.CallFilter { return frontdesk.CallFilter{Outcome: frontdesk.Failed} }),
	list("calls of an agent", func(h *past) frontdesk.CallFilter { return frontdesk.CallFilter{AgentID: h.agents[3].ID} }),
	list("calls of a caller", func(*past) frontdesk.CallFilter { return frontdesk.CallFilter{Caller: "+34601000000"} }),
	list("search, a common word", func(*past) frontdesk.CallFilter { return frontdesk.CallFilter{Search: "friday"} }),
	list("search, a rare word", func(*past) frontdesk.CallFilter { return frontdesk.CallFilter{Search: "word0"} }),
	{"calls of the last day", func(h *past) (int, error) {
		l, err := h.store.Calls(context.Background(), h.owner, frontdesk.CallFilter{StartedFrom: time.Now().AddDate(0, 0, -2)}, frontdesk.Page{Limit: 25})
		return min(len(l.Items), 20), err
	}, func(*past) int { return 20 }},
	{"one call with its transcript", func(h *past) (int, error) {
		l, err := h.store.Calls(context.Background(), h.owner, frontdesk.CallFilter{StartedTo: time.Now().AddDate(0, 0, -h.turn%25-2)}, frontdesk.Page{Limit: 1})
		if err != nil || len(l.Items) == 0 {
			return 0, err
		}
		h.turn++
		c, err := h.store.Call(context.Background(), h.owner, l.Items[0].ID)
		return min(len(c.Transcript), 1), err
	}, func(*past) int { return 1 }},
	{"deliveries of a connection", func(h *past) (int, error) {
		l, err := h.store.Deliveries(context.Background(), h.owner, h.conn.ID, "", frontdesk.Page{Limit: 25})
		return len(l.Items), err
	}, page25},
	{"looking for work", func(h *past) (int, error) {
		lanes, err := h.store.LanesWithWorkForWorker(context.Background(), time.Now().AddDate(-1, 0, 0))
		return len(lanes), err
	}, func(*past) int { return 0 }},
	analytics(7), analytics(30), analytics(90),
	{"recording a call with an event", func(h *past) (int, error) {
		now := time.Now()
		return 0, h.store.RecordCalls(context.Background(), h.owner, store.Recording{
			Period: now.Format("2006-01"), Events: []frontdesk.Event{{ID: frontdesk.NewID(now), Type: frontdesk.CallCompleted, Live: true, CreatedAt: now, Body: json.RawMessage(`{}`)}},
			Call: frontdesk.Call{
				ID: frontdesk.NewID(now), AgentID: h.agents[0].ID, StartedAt: now, Duration: 60, Language: "es", Outcome: frontdesk.Info, Channel: frontdesk.Web,
				Summary: json.RawMessage(`{"text":"Hola"}`), Transcript: json.RawMessage(`{"turns":[{"text":"Hola, buenos dias"}]}`),
			},
		})
	}, func(*past) int { return 0 }},
	{"claiming a delivery", func(h *past) (int, error) {
		c, err := h.store.ClaimForWorker(context.Background(), store.Lane{Owner: h.owner, Connection: h.conn.ID}, time.Now(), time.Now().Add(time.Hour), 1)
		return len(c.Claims), err
	}, func(*past) int { return 1 }},
}

// forgetADay forgets the transcripts of the oldest day, and then its calls, as the
// sweep does it.
func (h *past) forgetADay(t *testing.T) {
	t.Helper()
	for _, forget := range []func(context.Context, frontdesk.Owner, time.Time, int) (int64, error){h.store.ForgetTranscripts, h.store.ForgetCalls} {
		began, all := time.Now(), 0
		for {
			n, err := forget(context.Background(), h.owner, h.began.AddDate(0, 0, 1), 200)
			check(t, err)
			if all += int(n); n == 0 {
				break
			}
		}
		h.forgot = append(h.forgot, time.Since(began))
		if all != h.perDay {
			t.Errorf("of a day with %d calls %d were forgotten", h.perDay, all)
		}
	}
}

// dropAMonth forgets the oldest months until their partitions go.
func (h *past) dropAMonth(t *testing.T) {
	t.Helper()
	if !storetest.IsPostgres() {
		return
	}
	for _, table := range []string{"call_words", "transcripts", "calls"} {
		h.exec(t, h.url, `DELETE FROM `+table+`_first`)
	}
	began := time.Now()
	changes, err := h.store.KeepPartitionsForWorker(context.Background(), time.Now())
	check(t, err)
	dropped := 0
	for _, c := range changes {
		if c.Step == store.PartitionDropped && strings.HasSuffix(c.Partition, "_first") {
			dropped++
		}
	}
	if dropped < 3 {
		t.Errorf("dropped is %v", changes)
	}
	t.Logf("dropped %d partitions in %.0f ms", len(changes), ms(time.Since(began)))
}
