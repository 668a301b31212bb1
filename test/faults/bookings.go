package faults

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Booked is what a series of bookings found.
type Booked struct {
	Made, Moved, Refused int // answered 201, 200 and 409
	Repeated             int // sent again, after a kill or an answer that asked for it
	Books                int // times that the calendar was replaced meanwhile

	Lost     int // answered 201 or 200, and not there
	Twice    int // captures of one key, and events of one change, beyond the first
	Overlaps int // places that were given twice
}

// String puts it on a line.
func (b Booked) String() string {
	return fmt.Sprintf("%d made, %d moved, %d refused, %d requests repeated, the calendar replaced %d times; lost: %d, twice: %d, places given twice: %d",
		b.Made, b.Moved, b.Refused, b.Repeated, b.Books, b.Lost, b.Twice, b.Overlaps)
}

// book is a business with several people, and who books with it at once.
type book struct {
	t      testing.TB
	place  *Place
	key    string
	agent  string
	slots  []string // local times that were free at the beginning
	ahead  time.Duration
	booked Booked

	mu       sync.Mutex
	nodes    []*Node
	made     map[string]string // by Idempotency-Key: the capture
	moved    map[string]bool   // notes of changes that were answered 200
	answered atomic.Int64
	repeated atomic.Int64
	refused  atomic.Int64
}

// Bookings lets callers book and move appointments over the API at once, as many
// each, while the calendar is replaced: on PostgreSQL through two nodes. So many
// times, one node is killed in the middle and another started. No place is given
// twice, nothing is lost that was answered, and nothing is done twice.
func Bookings(t testing.TB, binary string, kills, callers, each int) Booked {
	t.Helper()
	p := NewPlace(t, binary, "FRONTDESK_DATABASE_TIMEOUT=30s")
	tenant := p.Tenant("rizos")
	p.mustRun(nil, "agent", "import", filepath.Join("..", "..", "docs", "examples", "hairdresser-zaragoza.yaml"), "--tenant", tenant.Slug)
	b := &book{t: t, place: p, key: p.key(tenant.Slug, "live"), agent: "rizos", made: map[string]string{}, moved: map[string]bool{}}
	b.nodes = append(b.nodes, p.Serve())
	if p.Postgres() {
		b.nodes = append(b.nodes, p.Beside().Serve())
	}
	b.readSlots()
	var booking, beside sync.WaitGroup
	for caller := range callers {
		booking.Go(func() {
			for n := range each {
				b.book(fmt.Sprintf("%d-%d", caller, n), caller*each+n)
			}
		})
	}
	done := make(chan struct{})
	beside.Go(func() { b.replaceBook(done) })
	for kill := range kills {
		mustReach(t, fmt.Sprintf("bookings before kill %d", kill+1), func() int { return int(b.answered.Load()) }, callers*each*(kill+1)/(kills+1))
		b.kill(kill)
	}
	booking.Wait()
	close(done)
	beside.Wait()
	b.check()
	t.Logf("%d kills, %d callers: %v", kills, callers, b.booked)
	if b.booked.Lost+b.booked.Twice+b.booked.Overlaps > 0 || b.booked.Made == 0 || b.booked.Books == 0 {
		t.Errorf("%v", b.booked)
	}
	return b.booked
}

// readSlots reads what is free in a week of next month.
func (b *book) readSlots() {
	b.t.Helper()
	from := time.Now().AddDate(0, 0, 14)
	var free struct {
		Days []struct {
			Slots []struct {
				At string `json:"scheduled_at"`
			}
		}
	}
	b.nodes[0].do(&free, fmt.Sprintf("GET /v1/agents/%s/availability?from=%s&to=%s&service_id=corte", b.agent,
		from.Format(time.DateOnly), from.AddDate(0, 0, 7).Format(time.DateOnly)), b.key, "")
	for _, day := range free.Days {
		for _, s := range day.Slots {
			b.slots = append(b.slots, s.At)
		}
	}
	if len(b.slots) < 10 {
		b.t.Fatalf("%d slots are free", len(b.slots))
	}
}

// book makes an appointment and moves it.
func (b *book) book(key string, n int) {
	defer b.answered.Add(1)
	body := fmt.Sprintf(`{"agent":%q,"scheduled_at":%q,"service_id":"corte","customer_name":%q}`, b.agent, b.slots[n*7%len(b.slots)], key)
	got := b.send("POST /v1/captures", body, "book-"+key)
	var made struct{ Capture struct{ ID string } }
	if !b.took(got, http.StatusCreated) || json.Unmarshal(got.body, &made) != nil {
		return
	}
	b.mu.Lock()
	b.made[key] = made.Capture.ID
	b.mu.Unlock()
	notes := "moved-" + key
	body = fmt.Sprintf(`{"scheduled_at":%q,"notes":%q}`, b.slots[(n*7+3)%len(b.slots)], notes)
	if got := b.send("POST /v1/captures/"+made.Capture.ID+"/change", body, notes); b.took(got, http.StatusOK) {
		b.mu.Lock()
		b.moved[notes] = true
		b.mu.Unlock()
	}
}

// took says whether an answer is a success. A place that is not to be had is none.
func (b *book) took(got reply, want int) bool {
	if got.status == http.StatusConflict && got.code() == "slot_unavailable" {
		b.refused.Add(1)
		return false
	}
	if got.status != want {
		b.t.Errorf("got %s", got)
	}
	return got.status == want
}

// send sends a request, to one node after the other, until it is answered. key
// is its Idempotency-Key; "": it has none.
func (b *book) send(operation, body, key string) (got reply) {
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	var headers []string
	if key != "" {
		headers = []string{"Idempotency-Key: " + key}
	}
	turn := len(key)
	answered := until(func() bool {
		b.mu.Lock()
		n := b.nodes[turn%len(b.nodes)]
		b.mu.Unlock()
		turn++
		var err error
		got, err = n.try(client, operation, b.key, body, headers...)
		if err != nil || notNow(got) || got.code() == "idempotency_key_in_use" {
			b.repeated.Add(1)
			return false
		}
		return true
	}, nil)
	if !answered {
		b.t.Errorf("%s was not answered in %v", operation, patience)
	}
	return got
}

// replaceBook replaces the calendar again and again until done is closed.
func (b *book) replaceBook(done <-chan struct{}) {
	path := " /v1/agents/" + b.agent + "/calendar"
	for n := 0; ; n++ {
		select {
		case <-done:
			return
		default:
		}
		got := b.send("GET"+path, "", "")
		var calendar map[string]any
		if err := json.Unmarshal(got.body, &calendar); err != nil {
			b.t.Errorf("reading the calendar: %s", got)
			return
		}
		calendar["horizon_days"] = 100 + n%50
		body, err := json.Marshal(calendar)
		if err == nil {
			got = b.send("PUT"+path, string(body), "")
		}
		if err != nil || got.status != http.StatusOK {
			b.t.Errorf("replacing the calendar: %v, %s", err, got)
			return
		}
		b.booked.Books++
	}
}

// kill kills a node and starts another, with a clock at which the leases of the
// one before have run out.
func (b *book) kill(n int) {
	b.t.Helper()
	b.mu.Lock()
	at := n % len(b.nodes)
	old := b.nodes[at]
	b.mu.Unlock()
	old.Kill()
	b.ahead += leases
	fresh := b.place.Beside().Later(b.ahead).Serve()
	b.mu.Lock()
	b.nodes[at] = fresh
	b.mu.Unlock()
}

// check counts what is lost, what is there twice, and overlaps.
func (b *book) check() {
	b.t.Helper()
	b.booked.Made, b.booked.Moved = len(b.made), len(b.moved)
	b.booked.Refused, b.booked.Repeated = int(b.refused.Load()), int(b.repeated.Load())
	type capture struct {
		ID    string
		Name  string `json:"customer_name"`
		Notes string
	}
	captures := map[string][]capture{}
	n := b.nodes[0]
	for _, c := range walk[capture](n, "/captures", b.key) {
		captures[c.Name] = append(captures[c.Name], c)
	}
	created, updated := map[string]int{}, map[string]int{}
	for _, e := range walk[struct {
		Type string
		Data struct{ Object capture }
	}](n, "/events", b.key) {
		switch e.Type {
		case "capture.created":
			created[e.Data.Object.ID]++
		case "capture.updated":
			updated[e.Data.Object.Notes]++
		}
	}
	for key, all := range captures {
		b.booked.Twice += len(all) - 1 + max(0, created[all[0].ID]-1) + max(0, updated["moved-"+key]-1)
	}
	for key, id := range b.made {
		if all := captures[key]; len(all) == 0 || all[0].ID != id || created[id] == 0 {
			b.booked.Lost++
		}
	}
	for notes := range b.moved {
		if all := captures[strings.TrimPrefix(notes, "moved-")]; len(all) == 0 || all[0].Notes != notes || updated[notes] == 0 {
			b.booked.Lost++
		}
	}
	b.booked.Overlaps = b.overlaps()
}

// overlaps counts, in the database itself, appointments that begin before another
// with the same resource has ended.
func (b *book) overlaps() (count int) {
	b.t.Helper()
	driver, address := "sqlite", filepath.Join(b.place.data, "frontdesk.db")
	if b.place.Postgres() {
		driver, address = "pgx", b.place.database
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT COALESCE(resource_id, ''), scheduled_at, minutes FROM captures WHERE live = TRUE AND kind = 'appointment' AND status IN ('pending_confirm', 'confirmed')`)
	if err != nil {
		b.t.Fatal(err)
	}
	defer rows.Close()
	type taken struct{ from, to time.Time }
	with := map[string][]taken{}
	for rows.Next() {
		var resource, at string
		var minutes int
		err := rows.Scan(&resource, &at, &minutes)
		from, wrong := time.Parse("2006-01-02T15:04:05", at)
		if err := errors.Join(err, wrong); err != nil {
			b.t.Fatal(err)
		}
		with[resource] = append(with[resource], taken{from, from.Add(time.Duration(minutes) * time.Minute)})
	}
	for _, all := range with {
		slices.SortFunc(all, func(a, b taken) int { return cmp.Or(a.from.Compare(b.from), a.to.Compare(b.to)) })
		for i := 1; i < len(all); i++ {
			if all[i].from.Before(all[i-1].to) {
				count++
			}
		}
	}
	if rows.Err() != nil {
		b.t.Fatal(rows.Err())
	}
	return count
}
