package bench

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const (
	openAtOnce = 200
	spell      = 10 * time.Second // of each pace
	openAlone  = 1_000            // conversations, to weigh them
)

// The kinds of things that visitors do.
const (
	everything = "all"
	greeting   = "start"
	booking    = "booking step"
	catalogue  = "catalogue question"
	documents  = "document question"
	ending     = "end"
	bareWork   = "bare handler meanwhile"
)

// play is a conversation as a visitor of the demo holds it. {when} is one of
// whens, so that appointments are spread as they are in life.
type play struct {
	agent, language string
	lines           []line
	whens           []string
}

type line struct{ kind, text string }

var plays = []play{
	{"dental-la-plaza", "es", []line{
		{booking, "Quiero pedir cita para una limpieza"},
		{catalogue, "¿A qué hora abren el viernes?"},
		{booking, "{when}"},
		{documents, "¿Hay aparcamiento cerca?"},
		{booking, "Marta Ruiz"},
		{booking, "{phone}"},
		{booking, "sí"},
		{documents, "¿Qué pasa si no puedo ir a la cita?"},
		{catalogue, "¿Cuánto cuesta un empaste?"},
	}, []string{"mañana a las 10:00", "el miércoles a las 12:00", "el jueves a las 17:00", "el viernes a las 9:30"}},
	{"dental-la-plaza", "en", []line{
		{catalogue, "How much is whitening?"},
		{booking, "I'd like to book a check-up"},
		{documents, "Do your dentists speak French?"},
		{booking, "{when}"},
		{booking, "Jane Fox"},
		{catalogue, "When do you open on Friday?"},
		{booking, "{phone}"},
		{booking, "yes"},
		{documents, "What do I have to bring to the first visit?"},
	}, []string{"tomorrow at 4 pm", "on Wednesday at 10 am", "Thursday at half past six", "on Friday at noon"}},
	{"casa-lola", "es", []line{
		{booking, "Quería una mesa dentro para dos"},
		{catalogue, "¿Qué platos veganos tenéis?"},
		{booking, "{when}"},
		{documents, "¿Cerráis en agosto?"},
		{booking, "Lucía Prieto"},
		{booking, "{phone}"},
		{booking, "sí"},
		{catalogue, "¿Qué alérgenos llevan las croquetas?"},
		{documents, "¿Cuánto tiempo me guardáis la mesa si llego tarde?"},
	}, []string{"mañana a las nueve de la noche", "el miércoles a las 14:00", "el viernes a las 21:30", "el domingo a las 14:30"}},
	{"harbour-store", "en", []line{
		{catalogue, "Do you have wellies in size 42?"},
		{documents, "Can somebody else collect my order?"},
		{booking, "Could I book a tea tasting?"},
		{booking, "{when}"},
		{catalogue, "How much are the stoneware mugs?"},
		{booking, "Emma Stone"},
		{booking, "{phone}"},
		{booking, "yes"},
		{documents, "How long do you keep a parcel at the pick-up point?"},
	}, []string{"tomorrow at 11 am", "on Wednesday at 5 pm", "on Saturday at noon", "on Sunday at 1 pm"}},
}

// BenchmarkConversations talks with the demo's receptionists: 200 visitors at
// once, who speak at a fixed pace whether they are answered or not. A bare
// handler is asked for the same bytes meanwhile: what it waits for, all wait for.
func BenchmarkConversations(b *testing.B) {
	binary := build(b)
	eachDatabase(b, func(b *testing.B, database string) {
		h := newHotel(b, binary, database)
		callers := make([]*caller, openAtOnce)
		for i := range callers {
			callers[i] = h.caller(b, i)
		}
		bare := startBare(b, []byte(strings.Repeat("x", 400)))
		for _, pace := range []int{50, 100, 200} {
			b.Run(fmt.Sprintf("%d a second", pace), func(b *testing.B) {
				before := h.cpu(b)
				idle := askMeanwhile(b, bare)
				took := speakAtPace(b, callers, pace)
				took[bareWork] = idle()
				cpu := (h.cpu(b) - before) / time.Duration(len(took[everything]))
				for _, kind := range []string{everything, greeting, booking, catalogue, documents, ending, bareWork} {
					if len(took[kind]) > 0 {
						b.Run(kind, func(b *testing.B) { took.report(b, kind, cpu) })
					}
				}
			})
		}
	})
}

// BenchmarkOpenConversations weighs conversations that are open and silent, beside
// as many that have ended.
func BenchmarkOpenConversations(b *testing.B) {
	binary := build(b)
	eachDatabase(b, func(b *testing.B, database string) {
		h := newHotel(b, binary, database)
		for i := range openAlone { // all that is loaded once is loaded
			h.caller(b, i).finish(b)
		}
		before, heapBefore := h.resident(b), h.heap(b)
		for i := range openAlone {
			h.caller(b, i).Close() // the visitor reads and thinks
		}
		after, heapAfter := h.resident(b), h.heap(b)
		rows, bytes := h.rows(b)
		if rows != openAlone {
			b.Fatalf("%d conversations are open", rows)
		}
		b.ReportMetric(float64(after-before)/openAlone, "B-resident/open")
		b.ReportMetric(float64(heapAfter-heapBefore)/openAlone, "B-heap/open")
		b.ReportMetric(float64(bytes)/float64(rows), "B-row/open")
		b.ReportMetric(float64(after)/(1<<20), "MB-resident")
		b.ReportMetric(0, "ns/op")
	})
}

func eachDatabase(b *testing.B, measure func(b *testing.B, database string)) {
	for _, database := range []string{"sqlite", "postgres"} {
		if database == "postgres" && os.Getenv("FRONTDESK_TEST_DATABASE") == "" {
			b.Log("PostgreSQL is not covered: FRONTDESK_TEST_DATABASE is not set")
			continue
		}
		b.Run(database, func(b *testing.B) { measure(b, database) })
	}
}

// hotel is a demo with room for everybody.
type hotel struct {
	*server
	binary        string
	env           []string
	database, url string
	key           string
}

// newHotel starts one; settings come after its own.
func newHotel(b *testing.B, binary, database string, settings ...string) *hotel {
	b.Helper()
	h := &hotel{binary: binary, database: database, url: filepath.Join(b.TempDir(), "frontdesk.db")}
	env := []string{
		"FRONTDESK_LISTEN=127.0.0.1:0", "FRONTDESK_DATA=" + filepath.Dir(h.url), "FRONTDESK_LOG_FORMAT=json",
		"FRONTDESK_NOW=2026-11-16T09:00:00Z", "FRONTDESK_DATABASE_TIMEOUT=30s",
		"FRONTDESK_WEB_STARTS_PER_MINUTE=1000000", "FRONTDESK_WEB_AGENT_STARTS_PER_MINUTE=1000000",
		"FRONTDESK_WEB_MESSAGES_PER_SECOND=1000000", "FRONTDESK_WEB_MESSAGES_BURST=1000000", "FRONTDESK_WEB_OPEN_PER_ADDRESS=1000000",
		"FRONTDESK_BOOKINGS_PER_ADDRESS=1000000", "FRONTDESK_BOOKINGS_PER_PHONE=1000000", "FRONTDESK_BOOKINGS_PER_AGENT=1000000",
	}
	if database == "postgres" {
		h.url = storetest.URL(b)
		env = append(env, "FRONTDESK_DATABASE="+h.url)
	}
	env = append(env, settings...)
	var out bytes.Buffer
	serve := exec.Command(binary, "serve", "--demo")
	serve.Stdout = &out
	h.env = env
	h.server = launch(b, `"listen":"`, serve, env)
	h.prepare(b)
	for word := range strings.FieldsSeq(out.String()) { // it is ready, so all is printed
		if _, value, _ := strings.Cut(word, "="); strings.HasPrefix(value, "svc_live_") {
			h.key = value
		}
	}
	h.disconnect(b)
	h.awaitDocuments(b)
	return h
}

// disconnect takes the demo's connections away: nobody is at their addresses,
// and how long it takes to find that out is not the receptionist's affair.
func (h *hotel) disconnect(b *testing.B) {
	b.Helper()
	var all struct{ Data []struct{ ID string } }
	check(b, json.Unmarshal([]byte(h.fetch(b, http.MethodGet, "/v1/connections", h.key)), &all))
	for _, c := range all.Data {
		h.fetch(b, http.MethodDelete, "/v1/connections/"+c.ID, h.key)
	}
}

// prepare makes room in the plan and in the diaries.
func (h *hotel) prepare(b *testing.B) {
	b.Helper()
	h.command(b, "plan", "set", "--tenant", "demo", "--max-concurrent-calls", "100000")
	for _, agent := range []string{"dental-la-plaza", "casa-lola", "harbour-store"} {
		h.command(b, "agent", "set", "--tenant", "demo", agent, "--capacity", "1000")
	}
}

// command runs a command of the operator's.
func (h *hotel) command(b *testing.B, args ...string) {
	b.Helper()
	cmd := exec.Command(h.binary, args...)
	cmd.Env = append(os.Environ(), h.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// awaitDocuments waits until the demo's documents have been read.
func (h *hotel) awaitDocuments(b *testing.B) {
	b.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for range 600 {
		text := h.fetch(b, http.MethodGet, "/v1/knowledge/documents?limit=100", h.key)
		if !strings.Contains(text, `"status":"pending"`) && !strings.Contains(text, `"status":"processing"`) {
			return
		}
		<-tick.C
	}
	b.Fatal("the documents are not read")
}

func (h *hotel) fetch(b *testing.B, method, path, key string) string {
	b.Helper()
	req, err := http.NewRequest(method, "http://"+h.addr+path, nil)
	check(b, err)
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := http.DefaultClient.Do(req)
	check(b, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	check(b, err)
	if res.StatusCode != http.StatusOK {
		b.Fatalf("%s: %d %s", path, res.StatusCode, text)
	}
	return string(text)
}

// heap is what the last collection found alive: the next one is due when there
// is twice as much.
func (h *hotel) heap(b *testing.B) int64 {
	b.Helper()
	_, rest, found := strings.Cut(h.fetch(b, http.MethodGet, "/metrics", ""), "\ngo_memstats_next_gc_bytes ")
	if !found {
		b.Fatal("there is no such figure")
	}
	value, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	check(b, err)
	return int64(value / 2)
}

// rows are the open conversations, and the bytes of what is kept of them.
func (h *hotel) rows(b *testing.B) (rows, bytes int64) {
	b.Helper()
	driver := map[string]string{"sqlite": "sqlite", "postgres": "pgx"}[h.database]
	db, err := sql.Open(driver, h.url)
	check(b, err)
	defer db.Close()
	check(b, db.QueryRow(`SELECT COUNT(*), SUM(LENGTH(state) + LENGTH(turns)) FROM conversations WHERE ended_at IS NULL`).Scan(&rows, &bytes))
	return rows, bytes
}

// caller is one visitor, who begins anew when a conversation is over.
type caller struct {
	*conn
	number    int
	play      play
	next      int // line
	id, token string
	calls     int // conversations begun
}

// caller is a visitor in the middle of a conversation, each at another point of
// it.
func (h *hotel) caller(b *testing.B, number int) *caller {
	b.Helper()
	c := &caller{conn: h.dial(b), number: number, play: plays[number%len(plays)], next: -1}
	b.Cleanup(func() { c.Close() })
	for range 2 + number/len(plays)%(len(c.play.lines)-1) {
		_, err := c.act()
		check(b, err)
	}
	return c
}

// finish goes on to the end of the conversation.
func (c *caller) finish(b *testing.B) {
	defer c.Close()
	for kind := ""; kind != ending; {
		var err error
		kind, err = c.act()
		check(b, err)
	}
}

// act does what comes next: begin, say something, or end.
func (c *caller) act() (kind string, err error) {
	lines := c.play.lines
	switch {
	case c.next < 0:
		c.next = 0
		return greeting, c.begin()
	case c.next >= len(lines):
		c.next = -1
		_, err := c.post("/web/conversations/"+c.id+"/end", c.token, "")
		return ending, err
	}
	l := lines[c.next]
	c.next++
	return l.kind, c.say(fill(c.play, l.text, c.number, c.calls))
}

// turn is act, and when it was done.
func (c *caller) turn() (kind string, answered time.Time, err error) {
	kind, err = c.act()
	return kind, time.Now(), err
}

// fill puts what is a visitor's own into a line. Every call has a telephone number
// of its own: one may hold a few appointments only.
func fill(p play, text string, visitor, calls int) string {
	phone := fmt.Sprintf("6%02d %03d %03d", 10+calls%80, visitor%1000, calls/80%1000)
	return strings.NewReplacer("{phone}", phone, "{when}", p.whens[visitor/len(plays)%len(p.whens)]).Replace(text)
}

func (c *caller) begin() error {
	c.calls++
	text, err := c.post("/web/demo/"+c.play.agent+"/conversations", "", fmt.Sprintf(`{"language":%q}`, c.play.language))
	if err != nil {
		return err
	}
	var begun struct {
		Conversation struct{ ID, Token string }
	}
	err = json.Unmarshal(text, &begun)
	c.id, c.token = begun.Conversation.ID, begun.Conversation.Token
	return err
}

// errNotDone says that the receptionist could not do what it was asked for.
var errNotDone = errors.New("did not work")

// say says something. A yes must make an appointment: what is measured is to
// work.
func (c *caller) say(text string) error {
	answer, err := c.post("/web/conversations/"+c.id+"/messages", c.token, fmt.Sprintf(`{"text":%q}`, text))
	if err != nil {
		return err
	}
	agrees := text == "yes" || text == "sí"
	if bytes.Contains(answer, []byte(`"ended":true`)) || agrees && bytes.Contains(answer, []byte(`"capture":null`)) {
		return fmt.Errorf("%s in %s: %q %w: it is answered with %s", c.play.agent, c.play.language, text, errNotDone, answer)
	}
	return nil
}

// post sends a request on the caller's own connection and reads the answer.
func (c *caller) post(path, token, body string) ([]byte, error) {
	if token != "" {
		token = "Authorization: Bearer " + token + "\r\n"
	}
	if _, err := fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: bench\r\n%sContent-Length: %d\r\n\r\n%s", path, token, len(body), body); err != nil {
		return nil, err
	}
	res, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = refusal{path, res.Status, string(text)}
	}
	return text, err
}

// waits are how long answers took, by kind, and of everything.
type waits map[string][]wait

// wait is the time of one answer: from the moment that it was planned to be
// asked for, and from the moment that it was.
type wait struct{ planned, asked time.Duration }

// speaker is somebody who does what comes next, and says when it was answered.
type speaker interface {
	turn() (kind string, answered time.Time, err error)
}

// speakAtPace lets the callers act in turn, so many a second in all. Nobody
// waits for anybody: a late answer delays only its own visitor, and counts.
func speakAtPace[S speaker](b *testing.B, callers []S, pace int) waits {
	b.Helper()
	count := int(spell.Seconds()) * pace
	each, kinds := make([]wait, count), make([]string, count)
	began := time.Now()
	var group sync.WaitGroup
	for i, c := range callers {
		group.Go(func() {
			for n := i; n < count; n += len(callers) {
				moment := began.Add(time.Duration(n) * time.Second / time.Duration(pace))
				<-time.After(time.Until(moment))
				asked := time.Now()
				kind, answered, err := c.turn()
				if err != nil {
					b.Error(err)
					return
				}
				each[n], kinds[n] = wait{answered.Sub(moment), answered.Sub(asked)}, kind
			}
		})
	}
	group.Wait()
	if b.Failed() {
		b.FailNow()
	}
	took := waits{everything: each}
	for n, kind := range kinds {
		took[kind] = append(took[kind], each[n])
	}
	return took
}

// askMeanwhile asks a bare handler twenty times a second, until the function
// that it returns is called for the figures.
func askMeanwhile(b *testing.B, bare *server) (stop func() []wait) {
	b.Helper()
	done, all := make(chan struct{}), make(chan []wait, 1)
	c := bare.dial(b)
	go func() {
		defer c.Close()
		tick := time.NewTicker(time.Second / 20)
		defer tick.Stop()
		var took []wait
		for {
			select {
			case <-done:
				all <- took
				return
			case moment := <-tick.C:
				asked := time.Now()
				if _, err := c.ask("/", ""); err != nil {
					b.Error(err)
				}
				took = append(took, wait{time.Since(moment), time.Since(asked)})
			}
		}
	}()
	return func() []wait {
		close(done)
		return <-all
	}
}

func (w waits) report(b *testing.B, kind string, cpu time.Duration) {
	of := func(pick func(wait) time.Duration) []time.Duration {
		all := make([]time.Duration, 0, len(w[kind]))
		for _, wait := range w[kind] {
			all = append(all, pick(wait))
		}
		return all
	}
	planned := of(func(w wait) time.Duration { return w.planned })
	asked := of(func(w wait) time.Duration { return w.asked })
	b.ReportMetric(float64(len(planned))/spell.Seconds(), "msgs/s")
	b.ReportMetric(micros(percentile(planned, 50))/1000, "p50-ms")
	b.ReportMetric(micros(percentile(planned, 99))/1000, "p99-ms")
	b.ReportMetric(micros(slices.Max(planned))/1000, "max-ms")
	b.ReportMetric(micros(percentile(asked, 99))/1000, "p99-asked-ms")
	if kind == everything {
		b.ReportMetric(micros(cpu), "cpu-µs/msg")
	}
	b.ReportMetric(0, "ns/op")
}
