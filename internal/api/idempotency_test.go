package api

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/api/apitest"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// workshop is a house with a POST: it makes things, numbers them, and can be
// told to fail.
type workshop struct {
	*house
	document *apitest.Document
	made     *atomic.Int64
}

// newWorkshop builds one on a database; two on the same are two nodes. work, if
// any, is done before a thing is made.
func newWorkshop(t *testing.T, url string, c *servicetest.Clock, made *atomic.Int64, work func(r *request) error) workshop {
	t.Helper()
	w := workshop{house: node(t, url, c, unhurried), made: made}
	handle := func(r *request) (any, error) {
		if _, err := readObject(r); err != nil {
			return nil, err
		}
		if work != nil {
			if err := work(r); err != nil {
				return nil, err
			}
		}
		n := made.Add(1)
		return created{map[string]any{"thing": n, "secret": "whsec_aubergine"}}, nil
	}
	w.document = w.addRoutes(
		route{operation: "POST /things", scope: "connections:write", bodyLimit: smallBody, handle: handle},
		route{operation: "POST /others", scope: "connections:write", bodyLimit: smallBody, handle: handle},
		route{operation: "POST /bare", scope: "connections:write", handle: func(*request) (any, error) {
			return map[string]any{"thing": made.Add(1)}, nil
		}},
		route{operation: "GET /things", scope: "connections:read", handle: func(*request) (any, error) {
			return map[string]any{"thing": made.Add(1)}, nil
		}},
		route{operation: "PATCH /things", scope: "connections:write", bodyLimit: smallBody, handle: handle},
	)
	w.start()
	return w
}

func soleWorkshop(t *testing.T, work func(r *request) error) workshop {
	t.Helper()
	w := newWorkshop(t, storetest.URL(t), servicetest.NewClock(noon), &atomic.Int64{}, work)
	w.a, w.b = w.newTenant("alfa"), w.newTenant("beta")
	return w
}

func (w workshop) post(key, idempotency, body string) reply {
	w.t.Helper()
	return w.ask(w.document, "POST /things", key, body, "Idempotency-Key", idempotency)
}

// replayed says whether an answer is one that was given before.
func replayed(r reply) bool { return r.header.Get("Idempotent-Replayed") == "true" }

func TestAnAnswerIsReplayedForADay(t *testing.T) {
	t.Parallel()
	w := soleWorkshop(t, nil)
	first := w.post(w.a.live, "k", `{"a":1}`)
	if first.status != 201 || replayed(first) || !strings.Contains(first.body, `"thing":1`) {
		t.Fatalf("%s %v", first, first.header)
	}
	for _, after := range []time.Duration{0, time.Second, time.Hour, 22 * time.Hour} {
		w.clock.Forward(after)
		again := w.post(w.a.live, "k", `{"a":1}`)
		if !replayed(again) || again.body != first.body || again.status != first.status || again.header.Get("Content-Type") != "application/json" {
			t.Errorf("%v later: %s %v", after, again, again.header)
		}
		if again.header.Get("X-Request-Id") == first.header.Get("X-Request-Id") {
			t.Error("a request of its own has an id of its own")
		}
	}
	w.clock.Forward(time.Hour) // 24 hours and a second since the first
	if next := w.post(w.a.live, "k", `{"a":1}`); replayed(next) || !strings.Contains(next.body, `"thing":2`) {
		t.Errorf("a day later: %s", next)
	}
	if again := w.post(w.a.live, "k", `{"a":1}`); !replayed(again) || !strings.Contains(again.body, `"thing":2`) {
		t.Errorf("and again: %s", again)
	}
	if without := w.ask(w.document, "POST /things", w.a.live, `{"a":1}`); replayed(without) || !strings.Contains(without.body, `"thing":3`) {
		t.Errorf("without a key: %s", without)
	}
}

func TestAKeyIsForOneRequest(t *testing.T) {
	t.Parallel()
	w := soleWorkshop(t, nil)
	w.post(w.a.live, "k", `{"a":1}`)
	for name, c := range map[string]struct{ operation, body string }{
		"another body":        {"POST /things", `{"a":2}`},
		"the body in a space": {"POST /things", `{"a": 1}`},
		"no body":             {"POST /things", ``},
		"another address":     {"POST /others", `{"a":1}`},
		"nothing in common":   {"POST /bare", ``},
		"a body that is none": {"POST /things", `{`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := w.ask(w.document, c.operation, w.a.live, c.body, "Idempotency-Key", "k")
			got.envelope(t, 409, "idempotency_key_reused")
			if replayed(got) {
				t.Error("that is no answer of before")
			}
		})
	}
	t.Cleanup(func() {
		if w.made.Load() != 1 {
			t.Errorf("%d things were made", w.made.Load())
		}
	})
}

func TestErrorsAreReplayedUnderTheirOwnRequest(t *testing.T) {
	t.Parallel()
	w := soleWorkshop(t, nil)
	first := w.post(w.a.live, "k", `{`)
	first.envelope(t, 400, "invalid_json")
	again := w.post(w.a.live, "k", `{`)
	again.envelope(t, 400, "invalid_json") // error.request_id is the header's
	if !replayed(again) || again.fail().Message != first.fail().Message || again.fail().RequestID == first.fail().RequestID {
		t.Errorf("%s\n%s", first, again)
	}
	large := w.post(w.a.live, "large", strings.Repeat(" ", smallBody+1))
	large.envelope(t, 413, "request_too_large")
	if again := w.post(w.a.live, "large", `{}`); again.status != 201 {
		t.Errorf("what was never read took the key: %s", again)
	}
}

func TestAKeyInUse(t *testing.T) {
	t.Parallel()
	begun, finish := make(chan struct{}), make(chan struct{})
	w := soleWorkshop(t, func(*request) error {
		close(begun)
		<-finish
		return nil
	})
	answer := make(chan reply)
	go func() {
		got, _ := w.exchange(w.document, "POST /things", w.a.live, "{}", "Idempotency-Key", "k")
		answer <- got
	}()
	<-begun
	w.post(w.a.live, "k", "{}").envelope(t, 409, "idempotency_key_in_use")
	w.post(w.a.live, "k", "{ }").envelope(t, 409, "idempotency_key_reused")
	close(finish)
	first := <-answer
	if again := w.post(w.a.live, "k", "{}"); !replayed(again) || again.body != first.body {
		t.Errorf("%s, then %s", first, again)
	}
}

func TestManyAtOnceAreCarriedOutOnce(t *testing.T) {
	t.Parallel()
	url, c, made := storetest.URL(t), servicetest.NewClock(noon), &atomic.Int64{}
	one := newWorkshop(t, url, c, made, nil)
	one.a = one.newTenant("alfa")
	other := newWorkshop(t, url, c, made, nil)
	const many = 50
	replies := make([]reply, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			w := one
			if i%2 == 1 {
				w = other
			}
			got, err := w.exchange(w.document, "POST /things", one.a.live, "{}", "Idempotency-Key", "k")
			if err != nil {
				t.Error(err)
			}
			replies[i] = got
		})
	}
	wg.Wait()
	if made.Load() != 1 {
		t.Fatalf("%d things were made", made.Load())
	}
	firsts := 0
	for _, r := range replies {
		switch {
		case r.status == 201 && strings.Contains(r.body, `"thing":1,`) || strings.Contains(r.body, `"thing":1}`):
			if !replayed(r) {
				firsts++
			}
		case r.status == 409 && r.fail().Code == "idempotency_key_in_use":
		default:
			t.Errorf("%s", r)
		}
	}
	if firsts != 1 {
		t.Errorf("%d of them say that they were the first", firsts)
	}
}

func TestWhatIsOurFaultCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	for name, failing := range map[string]func() error{
		"an error of ours":        func() error { return fmt.Errorf("the pipe burst") },
		"a panic":                 func() error { panic("the cat sat on it") },
		"a database that is away": func() error { return frontdesk.DatabaseUnavailable(context.DeadlineExceeded) },
		"a storage that failed":   func() error { return &frontdesk.Error{Kind: frontdesk.StorageFailed, Code: "storage_failed"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tries atomic.Int64
			w := soleWorkshop(t, func(*request) error {
				if tries.Add(1) < 3 {
					return failing()
				}
				return nil
			})
			for range 2 {
				got, _ := w.exchange(w.document, "POST /things", w.a.live, "{}", "Idempotency-Key", "k")
				if got.status < 500 || replayed(got) {
					t.Fatalf("%s", got)
				}
			}
			if got := w.post(w.a.live, "k", "{}"); got.status != 201 || replayed(got) {
				t.Errorf("at last: %s", got)
			}
			if got := w.post(w.a.live, "k", "{}"); !replayed(got) {
				t.Errorf("and again: %s", got)
			}
		})
	}
}

// TestANodeThatDiesLosesItsLease: its request never ends, and after a minute
// another node may carry it out. Should the first come back to life, what it
// says is neither kept nor does it free the key.
func TestANodeThatDiesLosesItsLease(t *testing.T) {
	t.Parallel()
	for name, fails := range map[string]bool{"and comes back with an answer": false, "and comes back to fail": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, c, made := storetest.URL(t), servicetest.NewClock(noon), &atomic.Int64{}
			held := func(fails bool) (begun, finish chan struct{}, work func(*request) error) {
				begun, finish = make(chan struct{}), make(chan struct{})
				return begun, finish, func(*request) error {
					close(begun)
					<-finish
					if fails {
						return fmt.Errorf("the pipe burst")
					}
					return nil
				}
			}
			deadBegun, deadFinish, deadWork := held(fails)
			aliveBegun, aliveFinish, aliveWork := held(false)
			dead := newWorkshop(t, url, c, made, deadWork)
			dead.a = dead.newTenant("alfa")
			alive := newWorkshop(t, url, c, made, aliveWork)
			start := func(w workshop) chan reply {
				answer := make(chan reply, 1)
				go func() {
					got, _ := w.exchange(w.document, "POST /things", dead.a.live, "{}", "Idempotency-Key", "k")
					answer <- got
				}()
				return answer
			}
			late := start(dead)
			<-deadBegun
			c.Forward(answerLease - time.Second)
			alive.post(dead.a.live, "k", "{}").envelope(t, 409, "idempotency_key_in_use")
			c.Forward(2 * time.Second)
			alive.post(dead.a.live, "k", `{"a":1}`).envelope(t, 409, "idempotency_key_reused")
			taken := start(alive)
			<-aliveBegun
			close(deadFinish)
			<-late
			alive.post(dead.a.live, "k", "{}").envelope(t, 409, "idempotency_key_in_use")
			close(aliveFinish)
			first := <-taken
			if first.status != 201 || replayed(first) {
				t.Fatalf("not taken over: %s", first)
			}
			if again := dead.post(dead.a.live, "k", "{}"); !replayed(again) || again.body != first.body {
				t.Errorf("the dead one had the last word: %s, want %s", again, first)
			}
		})
	}
}

func TestKeysAreEachOwnersOwn(t *testing.T) {
	t.Parallel()
	w := soleWorkshop(t, nil)
	for i, key := range []string{w.a.live, w.a.test, w.b.live, w.b.test} {
		got := w.post(key, "k", fmt.Sprintf(`{"a":%d}`, i))
		if got.status != 201 || replayed(got) {
			t.Errorf("owner %d: %s", i, got)
		}
	}
	sibling := w.key(w.a.Tenant, true, "all")
	if got := w.post(sibling, "k", `{"a":0}`); !replayed(got) {
		t.Errorf("another API key of the same tenant and mode: %s", got)
	}
}

func TestAStoredAnswerCannotBeRead(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	w := newWorkshop(t, url, servicetest.NewClock(noon), &atomic.Int64{}, nil)
	w.a = w.newTenant("alfa")
	const body = `{"turnip":"turnip"}`
	if got := w.post(w.a.live, "k", body); !strings.Contains(got.body, "aubergine") {
		t.Fatalf("%s", got)
	}
	w.post(w.a.live, "broken", `{"turnip":}`)
	driver := "sqlite"
	if storetest.IsPostgres() {
		driver = "pgx"
	}
	db, err := sql.Open(driver, url)
	must(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT fingerprint, answer FROM idempotency_keys`)
	must(t, err)
	defer rows.Close()
	n := 0
	for rows.Next() {
		var fingerprint, sealed []byte
		must(t, rows.Scan(&fingerprint, &sealed))
		n++
		for _, plain := range []string{"aubergine", "whsec", "thing", "turnip", "secret", "application/json", "invalid_json"} {
			if bytes.Contains(sealed, []byte(plain)) || bytes.Contains(fingerprint, []byte(plain)) {
				t.Errorf("%s can be read in the database", plain)
			}
		}
		if len(sealed) < 30 {
			t.Errorf("there is nothing in it: %x", sealed)
		}
	}
	must(t, rows.Err())
	if n != 2 {
		t.Errorf("%d rows", n)
	}
	// Moved to another key, an answer is worth nothing.
	_, err = db.Exec(`UPDATE idempotency_keys SET key = 'moved' WHERE key = 'k'`)
	must(t, err)
	got, _ := w.exchange(w.document, "POST /things", w.a.live, body, "Idempotency-Key", "moved")
	got.envelope(t, 500, "internal_error")
}

func TestTwoNodesShareAnswers(t *testing.T) {
	t.Parallel()
	url, c, made := storetest.URL(t), servicetest.NewClock(noon), &atomic.Int64{}
	one := newWorkshop(t, url, c, made, nil)
	one.a = one.newTenant("alfa")
	other := newWorkshop(t, url, c, made, nil)
	first := one.post(one.a.live, "k", "{}")
	if again := other.post(one.a.live, "k", "{}"); !replayed(again) || again.body != first.body {
		t.Errorf("%s, on the other node %s", first, again)
	}
	other.post(one.a.live, "k", "{ }").envelope(t, 409, "idempotency_key_reused")
}

func TestWhatAKeyMayBe(t *testing.T) {
	t.Parallel()
	w := soleWorkshop(t, nil)
	for name, c := range map[string]struct {
		key    string
		status int
	}{
		"one character":      {"k", 201},
		"255 characters":     {strings.Repeat("k", 255), 201},
		"256 characters":     {strings.Repeat("k", 256), 400},
		"none":               {"", 400},
		"255 with accents":   {strings.Repeat("ñ", 255), 201},
		"256 with accents":   {strings.Repeat("ñ", 256), 400},
		"broken UTF-8":       {"\xff", 400},
		"quotes and others":  {`"'; DROP TABLE x; --`, 201},
		"a UUID":             {"6f9619ff-8b86-4d01-b42d-00cf4fc964ff", 201},
		"the same in spaces": {"a b c", 201},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := w.post(w.a.live, c.key, "{}")
			if got.status != c.status {
				t.Errorf("%s", got)
			}
			if e := got.fail(); c.status == 400 && (e.Code != "parameter_invalid" || e.Param == nil || *e.Param != "Idempotency-Key") {
				t.Errorf("%s", got)
			}
		})
	}
}

func TestOtherMethodsIgnoreTheKey(t *testing.T) {
	t.Parallel()
	w := soleWorkshop(t, nil)
	for _, operation := range []string{"GET /things", "PATCH /things", "GET /things"} {
		body := ""
		if strings.HasPrefix(operation, "PATCH") {
			body = "{}"
		}
		before := w.made.Load()
		for range 2 {
			got := w.ask(w.document, operation, w.a.live, body, "Idempotency-Key", "k")
			if got.status >= 300 || replayed(got) {
				t.Errorf("%s: %s", operation, got)
			}
		}
		if w.made.Load() != before+2 {
			t.Errorf("%s was not carried out twice", operation)
		}
	}
	if got := w.ask(w.document, "GET /things", w.a.live, "", "Idempotency-Key", strings.Repeat("k", 300)); got.status != 200 {
		t.Errorf("a key that means nothing was looked at: %s", got)
	}
}

func TestKeysComeAfterTheOtherChecks(t *testing.T) {
	t.Parallel()
	w := soleWorkshop(t, nil)
	w.post(w.a.live, "k", "{}")
	reader := w.key(w.a.Tenant, true, "calls:read")
	w.post("", "k", "{}").envelope(t, 401, "api_key_missing")
	w.post(reader, "k", "{}").envelope(t, 403, "scope_missing")
	w.ask(w.document, "POST /things?x=1", w.a.live, "{}", "Idempotency-Key", "k").envelope(t, 400, "parameter_unknown")
	w.exhaust(reader)
	w.post(reader, "k", "{}").envelope(t, 429, "rate_limited")
}

func TestOldAnswersAreForgotten(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	w := newWorkshop(t, url, servicetest.NewClock(noon), &atomic.Int64{}, nil)
	w.a = w.newTenant("alfa")
	driver := "sqlite"
	if storetest.IsPostgres() {
		driver = "pgx"
	}
	db, err := sql.Open(driver, url)
	must(t, err)
	defer db.Close()
	left := func() (n int) {
		must(t, w.api.ForgetAnswers(context.Background()))
		must(t, db.QueryRow(`SELECT COUNT(*) FROM idempotency_keys`).Scan(&n))
		return n
	}
	owner := frontdesk.Owner{TenantID: w.a.ID, Live: true}
	for i := range 1201 { // more than are deleted at once
		_, mine, err := w.store.ClaimAnswer(context.Background(), owner, fmt.Sprint(i), []byte("f"), noon, noon.Add(answerLease), noon.Add(answersKept))
		if must(t, err); !mine {
			t.Fatal("not mine")
		}
	}
	w.clock.Forward(time.Hour)
	w.post(w.a.live, "k", "{}")
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{0, 1202}, {23*time.Hour - time.Second, 1202}, {time.Second, 1}, {time.Hour, 0}} {
		w.clock.Forward(step.wait)
		if n := left(); n != step.want {
			t.Errorf("%d are left, want %d", n, step.want)
		}
	}
}
