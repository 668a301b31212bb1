package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/blob/blobtest"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/reception/receptiontest"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

// shownDocument is a document as a customer reads it.
type shownDocument struct {
	ID, Title, Kind, Status string
	SizeBytes               int64   `json:"size_bytes"`
	StatusHelp              string  `json:"status_help"`
	AgentID                 *string `json:"agent_id"`
	ReadyAt                 *string `json:"ready_at"`
	Fragments               int
}

type uploaded struct {
	Document shownDocument
	Deduped  bool
	Limits   struct {
		UsedDocuments  int   `json:"used_documents"`
		UsedTotalBytes int64 `json:"used_total_bytes"`
	}
}

// asText are the headers of a text with a name.
func asText(name string) []string {
	return []string{"Content-Type", "text/plain", "X-Service-Filename", name}
}

// upload brings a document in through the front door.
func (h *house) upload(key, query, name, text string) uploaded {
	h.t.Helper()
	headers := asText(name)
	if strings.HasSuffix(name, ".pdf") {
		headers[1] = "application/pdf"
	}
	return read[uploaded](h, "POST /knowledge/documents"+query, key, text, headers...)
}

// files are the names of all that lies in the directory of documents, begun and
// broken off included.
func (h *house) files() (names []string) {
	h.t.Helper()
	must(h.t, filepath.WalkDir(h.shelf, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	}))
	return names
}

// nothingCame says what an upload that was refused has left.
func (h *house) nothingCame(t *testing.T, filesBefore []string, rowsBefore string) {
	t.Helper()
	if after := h.files(); fmt.Sprint(after) != fmt.Sprint(filesBefore) {
		t.Errorf("bytes were left: %v, before %v", after, filesBefore)
	}
	if after := h.do("GET /knowledge/documents", h.a.live, "").body; after != rowsBefore {
		t.Errorf("documents were left: %s, before %s", after, rowsBefore)
	}
}

func TestUploads(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	const post = "POST /knowledge/documents"
	text := []string{"Content-Type", "text/plain"}
	long := strings.Repeat("ñ", 200)
	for name, s := range map[string]scenario{
		"a PDF is taken at once and read later": {
			do: post + "?filename=tarifas.pdf", headers: []string{"Content-Type", "application/pdf"}, want: 201,
			has: []string{
				`"title":"tarifas"`, `"kind":"pdf"`, `"status":"pending"`, `"status_label":"Waiting to be read"`, `"status_help":"`, `"fragments":0`, `"livemode":true`,
				`"agent_id":null`, `"created_at":"2026-11-11T12:00:00.000Z"`, `"ready_at":null`, `"deduped":false`, `"max_documents":100`, `"max_document_bytes":10485760`,
				`"max_total_bytes":104857600`, `"max_question_chars":300`, `"content_types":["application/pdf","text/plain","text/markdown","text/csv"]`,
			},
			hasNot: []string{"filename", "sha256", "tenant"},
		},
		"Markdown":         {do: post + "?filename=a.md", headers: []string{"Content-Type", "text/markdown"}, want: 201, has: []string{`"kind":"markdown"`, `"title":"a"`}},
		"a table":          {do: post + "?filename=a.csv", headers: []string{"Content-Type", "text/csv; charset=utf-8"}, want: 201, has: []string{`"kind":"csv"`}},
		"a text":           {do: post + "?filename=a.TXT", headers: text, want: 201, has: []string{`"kind":"text"`, `"title":"a"`}},
		"texts are texts":  {do: post + "?filename=a.csv", headers: []string{"Content-Type", "text/markdown"}, want: 201, has: []string{`"kind":"csv"`}},
		"a title":          {do: post + "?filename=a.md&title=Men%C3%BA+del+d%C3%ADa", headers: text, want: 201, has: []string{`"title":"Menú del día"`}},
		"a blank title":    {do: post + "?filename=a.md&title=+", headers: text, want: 201, has: []string{`"title":"a"`}},
		"a long title":     {do: post + "?filename=a.md&title=" + url.QueryEscape(long), headers: text, want: 201, has: []string{long}},
		"too long a title": {do: post + "?filename=a.md&title=" + url.QueryEscape(long+"x"), headers: text, want: 400, code: "parameter_invalid", param: "title"},
		"a long name makes a title of 200": {
			do: post, headers: asText(strings.Repeat("x", 252) + ".md"), want: 201, has: []string{`"` + strings.Repeat("x", 200) + `"`}, hasNot: []string{strings.Repeat("x", 201)},
		},
		"too long a name":                        {do: post, headers: asText(strings.Repeat("x", 253) + ".md"), want: 400, code: "parameter_invalid", param: "X-Service-Filename"},
		"the header wins":                        {do: post + "?filename=query.pdf", headers: asText("header.md"), want: 201, has: []string{`"title":"header"`, `"kind":"markdown"`}},
		"the header wins though it is wrong":     {do: post + "?filename=query.md", headers: asText("header.exe"), want: 400, code: "unsupported_extension", param: "filename"},
		"the header in percent-encoded UTF-8":    {do: post, headers: asText("men%C3%BA%20d%C3%ADa.md"), want: 201, has: []string{`"title":"menú día"`}},
		"the header in bare UTF-8":               {do: post, headers: asText("menú.md"), want: 201, has: []string{`"title":"menú"`}},
		"a percent sign that encodes nothing":    {do: post, headers: asText("100%.md"), want: 201, has: []string{`"title":"100%"`}},
		"a plus sign is one":                     {do: post, headers: asText("a+b.md"), want: 201, has: []string{`"title":"a+b"`}},
		"directories are dropped":                {do: post, headers: asText("..%2F..%2Fetc/passwd.md"), want: 201, has: []string{`"title":"passwd"`}},
		"directories of another system, too":     {do: post, headers: asText(`C:\docs\a b.md`), want: 201, has: []string{`"title":"a b"`}},
		"a directory alone is no name":           {do: post, headers: asText("docs/"), want: 400, code: "parameter_missing", param: "filename"},
		"an extension alone is no name":          {do: post, headers: asText(".md"), want: 400, code: "parameter_invalid", param: "X-Service-Filename"},
		"broken UTF-8 in the header":             {do: post, headers: asText("a%ff.md"), want: 400, code: "parameter_invalid", param: "X-Service-Filename"},
		"no name":                                {do: post, headers: text, want: 400, code: "parameter_missing", param: "filename"},
		"an empty name":                          {do: post + "?filename=", headers: text, want: 400, code: "parameter_missing", param: "filename"},
		"a name without an extension":            {do: post + "?filename=a", headers: text, want: 400, code: "unsupported_extension", param: "filename"},
		"a name with another extension":          {do: post + "?filename=a.docx", headers: text, want: 400, code: "unsupported_extension", param: "filename"},
		"a PDF that is said to be text":          {do: post + "?filename=a.pdf", headers: text, want: 400, code: "unsupported_content_type", param: "Content-Type"},
		"a text that is said to be PDF":          {do: post + "?filename=a.txt", headers: []string{"Content-Type", "application/pdf"}, want: 400, code: "unsupported_content_type", param: "Content-Type"},
		"no content type":                        {do: post + "?filename=a.txt", want: 400, code: "unsupported_content_type", param: "Content-Type"},
		"a form":                                 {do: post + "?filename=a.txt", headers: []string{"Content-Type", "multipart/form-data; boundary=x"}, want: 400, code: "unsupported_content_type", param: "Content-Type"},
		"for one agent":                          {do: post + "?filename=a.md&agent_id=" + string(h.a.agent.ID), headers: text, want: 201, has: []string{`"agent_id":"` + string(h.a.agent.ID) + `"`}},
		"for an agent in capitals":               {do: post + "?filename=a.md&agent_id=" + strings.ToUpper(string(h.a.agent.ID)), headers: text, want: 201, has: []string{`"agent_id":"` + string(h.a.agent.ID) + `"`}},
		"for an agent that is none":              {do: post + "?filename=a.md&agent_id=" + string(frontdesk.NewID(noon)), headers: text, want: 404, code: "not_found", param: "agent_id"},
		"for another tenant's agent":             {do: post + "?filename=a.md&agent_id=" + string(h.b.agent.ID), headers: text, want: 404, code: "not_found", param: "agent_id"},
		"for an agent by its slug":               {do: post + "?filename=a.md&agent_id=desk", headers: text, want: 400, code: "parameter_invalid", param: "agent_id"},
		"for an agent by another UUID":           {do: post + "?filename=a.md&agent_id=6f9619ff-8b86-4d01-b42d-00cf4fc964ff", headers: text, want: 404, code: "not_found", param: "agent_id"},
		"with a mode":                            {do: post + "?filename=a.md&livemode=true", headers: text, want: 400, code: "parameter_unknown", param: "livemode"},
		"with a test key":                        {do: post, key: "a.test", want: 403, code: "live_key_required"},
		"with a key that can only read":          {do: post, key: h.key(h.a.Tenant, true, "knowledge:read"), want: 403, code: "scope_missing", param: "knowledge:write"},
		"nothing is deleted with a test key":     {do: "DELETE /knowledge/documents/" + string(h.a.testDocument), key: "a.test", want: 403, code: "live_key_required"},
		"the documents of one agent":             {do: "GET /knowledge/documents?agent_id=" + string(h.b.agent.ID), key: "b.live", want: 200, has: []string{`"data":[]`, `"used_documents":1`}},
		"the documents that wait":                {do: "GET /knowledge/documents?status=pending", key: "b.live", want: 200, has: []string{`"data":[]`}},
		"the documents that are ready":           {do: "GET /knowledge/documents?status=ready", key: "b.live", want: 200, has: []string{string(h.b.liveDocument), `"status_label":"Ready"`}, hasNot: []string{`"status_help"`}},
		"documents in a status that is none":     {do: "GET /knowledge/documents?status=done", key: "b.live", want: 400, code: "parameter_invalid", param: "status"},
		"documents of an agent that is no UUID":  {do: "GET /knowledge/documents?agent_id=desk", key: "b.live", want: 400, code: "parameter_invalid", param: "agent_id"},
		"documents of an agent that is none":     {do: "GET /knowledge/documents?agent_id=" + string(h.a.agent.ID), key: "b.live", want: 404, code: "not_found", param: "agent_id"},
		"a document of the other mode":           {do: "GET /knowledge/documents/" + string(h.b.testDocument), key: "b.live", want: 404, code: "not_found"},
		"a cursor in the list that is none":      {do: "GET /knowledge/documents?starting_after=x", key: "b.live", want: 400, code: "invalid_cursor", param: "starting_after"},
		"test mode has documents of its own":     {do: "GET /knowledge/documents", key: "b.test", want: 200, has: []string{string(h.b.testDocument), `"livemode":false`}, hasNot: []string{string(h.b.liveDocument)}},
		"test mode has a knowledge base as well": {do: "GET /knowledge", key: "b.test", want: 200, has: []string{`"documents":1`, `"livemode":false`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if s.key == "" {
				s.key, s.body = "a.live", "Something about "+name // bytes of its own
			}
			h.play(t, s)
		})
	}
}

func TestTheSameBytes(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	const text = "Abrimos a las nueve."
	first := h.upload(h.a.live, "?title=One", "one.md", text)
	h.readDocuments()
	files := h.files()
	again := h.upload(h.a.live, "?title=Two", "two.txt", text)
	if !again.Deduped || again.Document.ID != first.Document.ID || again.Document.Title != "One" || again.Document.Status != "ready" || again.Limits != first.Limits {
		t.Errorf("the same bytes: %+v, want %+v", again, first)
	}
	if after := h.files(); len(after) != len(files) {
		t.Errorf("they were kept twice: %v", after)
	}
	forAgent := h.upload(h.a.live, "?agent_id="+string(h.a.agent.ID), "one.md", text)
	if forAgent.Deduped || forAgent.Document.ID == first.Document.ID || forAgent.Limits.UsedDocuments != first.Limits.UsedDocuments+1 {
		t.Errorf("for one agent: %+v", forAgent)
	}
	if again := h.upload(h.a.live, "?agent_id="+string(h.a.agent.ID), "x.csv", text); !again.Deduped || again.Document.ID != forAgent.Document.ID {
		t.Errorf("for that agent again: %+v", again)
	}
	if other := h.upload(h.b.live, "", "one.md", text); other.Deduped || other.Limits.UsedDocuments != 2 {
		t.Errorf("of another tenant: %+v", other)
	}
	if inTest := h.addDocument(h.a, false, knowledge.NewDocument{Filename: "one.md"}, text); string(inTest) == first.Document.ID {
		t.Error("the other mode's document was taken for ours")
	}
	h.play(t, scenario{do: "DELETE /knowledge/documents/" + first.Document.ID, key: "a.live", want: 200})
	if anew := h.upload(h.a.live, "", "one.md", text); anew.Deduped || anew.Document.ID == first.Document.ID {
		t.Errorf("after it was deleted: %+v", anew)
	}
}

// TestTheSameBytesAtOnce: of many that bring the same, one is the first.
func TestTheSameBytesAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	const many = 10
	answers := make([]uploaded, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			got, err := h.exchange(h.document(), "POST /knowledge/documents", h.a.live, "At once.", asText("a.txt")...)
			if err != nil || got.status != 201 {
				t.Errorf("%s: %v", got, err)
			}
			json.Unmarshal([]byte(got.body), &answers[i])
		})
	}
	wg.Wait()
	firsts := 0
	for _, a := range answers {
		if !a.Deduped {
			firsts++
		}
		if a.Document.ID != answers[0].Document.ID {
			t.Errorf("two documents: %s and %s", a.Document.ID, answers[0].Document.ID)
		}
	}
	if firsts != 1 || len(h.files()) != 5 {
		t.Errorf("%d say that they were the first, and there are %d files", firsts, len(h.files()))
	}
}

// planned sets one tenant's plan before its keys are used.
func (h *house) planned(change func(*frontdesk.Plan)) {
	h.t.Helper()
	change(&h.a.Plan)
	must(h.t, h.store.SetPlan(context.Background(), frontdesk.Actor{}, h.a.ID, h.a.Plan))
}

// TestLargeUploads: the limit is found while reading, whatever was said before,
// and nothing of what is too large remains.
func TestLargeUploads(t *testing.T) {
	t.Parallel()
	const most = 100_000
	h := newHouse(t)
	h.planned(func(p *frontdesk.Plan) { p.MaxDocumentBytes = most })
	addr := h.serveWith(nil)
	files, rows := h.files(), h.do("GET /knowledge/documents", h.a.live, "").body
	chunk := func(n int) string { return fmt.Sprintf("%x\r\n%s\r\n", n, strings.Repeat("x", n)) }
	head := "POST /v1/knowledge/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + h.a.live + "\r\nContent-Type: text/plain\r\nX-Service-Filename: a.txt\r\n"
	for name, request := range map[string]string{
		"with its length":             fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, most+1, strings.Repeat("x", most+1)),
		"in chunks":                   head + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat(chunk(1000), 100) + chunk(1) + "0\r\n\r\n",
		"in chunks without end":       head + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat(chunk(1000), 200),
		"with a key":                  fmt.Sprintf("%sIdempotency-Key: k\r\nContent-Length: %d\r\n\r\n%s", head, most+1, strings.Repeat("x", most+1)),
		"with a key, in chunks":       head + "Idempotency-Key: l\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat(chunk(1000), 150) + "0\r\n\r\n",
		"with a key, and without end": head + "Idempotency-Key: m\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat(chunk(1000), 200),
	} {
		l := dial(t, addr)
		go io.WriteString(l, request)
		if got := l.answer("POST"); got.status != 413 || got.fail().Code != "document_too_large" || !strings.Contains(got.body, "100000 bytes") {
			t.Errorf("%s: %s", name, got)
		}
		h.nothingCame(t, files, rows)
	}
	for name, headers := range map[string][]string{"": nil, " and a key": {"Idempotency-Key", "n"}} {
		body := strings.Repeat("x", most-1) + name[:min(1, len(name))]
		if name == "" {
			body += "y"
		}
		got := h.do("POST /knowledge/documents", h.a.live, body, append(asText("a.txt"), headers...)...)
		if got.status != 201 || !strings.Contains(got.body, `"size_bytes":100000`) {
			t.Errorf("exactly at the limit%s: %s", name, got)
		}
	}
}

// TestATenthMore sends what is too large by the plan that everybody has, with a
// client that does not expect to be interrupted.
func TestATenthMore(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	files, rows := h.files(), h.do("GET /knowledge/documents", h.a.live, "").body
	body := strings.Repeat("0123456789", 11<<20/10)
	for _, headers := range [][]string{asText("a.txt"), append(asText("a.txt"), "Idempotency-Key", "k")} {
		h.do("POST /knowledge/documents", h.a.live, body, headers...).envelope(t, 413, "document_too_large")
	}
	h.nothingCame(t, files, rows)
	if got := h.do("POST /knowledge/documents", h.a.live, body[:10<<20], append(asText("a.txt"), "Idempotency-Key", "k")...); got.status != 201 || replayed(got) {
		t.Errorf("exactly at the limit, with a key that was free: %s", got)
	}
}

// TestNoRoomToSpool: an upload with a key is written down before it is known
// whether it is new. If that fails it is not the client's fault.
func TestNoRoomToSpool(t *testing.T) {
	h := newHouse(t).start()
	files, rows := h.files(), h.do("GET /knowledge/documents", h.a.live, "").body
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	spooled := append(asText("a.txt"), "Idempotency-Key", "k")
	h.do("POST /knowledge/documents", h.a.live, "The text.", spooled...).envelope(t, 502, "storage_failed")
	h.nothingCame(t, files, rows)
	t.Setenv("TMPDIR", t.TempDir())
	if got := h.do("POST /knowledge/documents", h.a.live, "The text.", spooled...); got.status != 201 || replayed(got) {
		t.Errorf("with room again: %s", got)
	}
}

func TestPlansAreFull(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*frontdesk.Plan){
		"of documents": func(p *frontdesk.Plan) { p.MaxDocuments = 3 },
		"of bytes":     func(p *frontdesk.Plan) { p.MaxTotalBytes = int64(len(houseRules)) + 25 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.planned(change)
			h.start()
			one := h.upload(h.a.live, "", "a.txt", "ten bytes.")
			two := h.upload(h.a.live, "", "b.txt", "ten others")
			files, rows := h.files(), h.do("GET /knowledge/documents", h.a.live, "").body
			full := scenario{do: "POST /knowledge/documents", key: "a.live", body: "ten more!!", headers: asText("c.txt"), want: 400, code: "limit_reached"}
			h.play(t, full)
			h.nothingCame(t, files, rows)
			if again := h.upload(h.a.live, "", "b.txt", "ten others"); !again.Deduped || again.Document.ID != two.Document.ID {
				t.Errorf("what is there needs no room: %+v", again)
			}
			h.upload(h.b.live, "", "c.txt", "ten more!!") // the other tenant's plan is another one
			h.play(t, scenario{do: "DELETE /knowledge/documents/" + one.Document.ID, key: "a.live", want: 200})
			h.play(t, scenario{do: full.do, key: "a.live", body: full.body, headers: full.headers, want: 201, has: []string{`"used_documents":3`}})
		})
	}
}

// TestTheLastPlaceIsGivenOnce: many want the one place that is left.
func TestTheLastPlaceIsGivenOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.planned(func(p *frontdesk.Plan) { p.MaxDocuments = 2 })
	h.start()
	var wg sync.WaitGroup
	var mu sync.Mutex
	came := map[int]int{}
	for i := range 8 {
		wg.Go(func() {
			got, err := h.exchange(h.document(), "POST /knowledge/documents", h.a.live, fmt.Sprint("text ", i), asText("a.txt")...)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			came[got.status]++
		})
	}
	wg.Wait()
	if came[201] != 1 || came[400] != 7 || len(h.files()) != 5 {
		t.Errorf("answers: %v, files: %d", came, len(h.files()))
	}
}

func sample(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "pdf", "testdata", name))
	must(t, err)
	return string(b)
}

// TestDocumentsBecomeReadyOrSayWhyNot takes each kind through its states.
func TestDocumentsBecomeReadyOrSayWhyNot(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	for name, c := range map[string]struct {
		file, text string
		want       string
		help       string
	}{
		"Markdown":               {"a.md", "# Horario\n\nAbrimos de lunes a viernes.\n", "ready", ""},
		"a table":                {"a.csv", "pregunta,respuesta\n¿Hay wifi?,\"Sí, y es gratis.\"\n", "ready", ""},
		"a text":                 {"a.txt", "The pool opens at nine in the morning.\n", "ready", ""},
		"a text of another code": {"a.txt", "Abrimos a las nueve de la ma\xf1ana.\n", "ready", ""},
		"a PDF":                  {"a.pdf", sample(t, "open.pdf"), "ready", ""},
		"a PDF with a password":  {"a.pdf", sample(t, "locked.pdf"), "error", "password"},
		"half a PDF":             {"a.pdf", "%PDF-1.7\nand no more", "error", "damaged"},
		"something that is none": {"a.pdf", "This is not a PDF at all.", "error", "PDF"},
		"spaces":                 {"a.txt", " \n\t \n", "error", "no text"},
		"a picture":              {"a.txt", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\xff\xfe", "error", "not text"},
		"a table without rows":   {"a.csv", "pregunta,respuesta\n", "", ""},
	} {
		d := h.upload(h.a.live, "", c.file, c.text).Document
		at := "/knowledge/documents/" + d.ID
		h.play(t, scenario{do: "GET " + at, key: "a.live", want: 200, has: []string{`"status":"pending"`, `"status_help":"`, `"ready_at":null`}})
		h.clock.Forward(time.Second)
		h.readDocuments()
		got := read[struct{ Document shownDocument }](h, "GET "+at, h.a.live, "").Document
		if c.want != "" && got.Status != c.want || !strings.Contains(got.StatusHelp, c.help) {
			t.Errorf("%s: %+v", name, got)
		}
		switch got.Status {
		case "ready":
			if got.Fragments == 0 || got.ReadyAt == nil || got.StatusHelp != "" {
				t.Errorf("%s is ready: %+v", name, got)
			}
		case "error":
			if got.Fragments != 0 || got.ReadyAt != nil || got.StatusHelp == "" {
				t.Errorf("%s cannot be used: %+v", name, got)
			}
			h.play(t, scenario{do: "GET " + at, key: "a.live", want: 200, has: []string{`"status_label":"Cannot be used"`}})
		default:
			t.Errorf("%s: %+v", name, got)
		}
		if read[struct{ Document shownDocument }](h, "GET "+at, h.a.live, "").Document.SizeBytes != int64(len(c.text)) {
			t.Errorf("%s: its size is %d", name, got.SizeBytes)
		}
	}
}

func TestTheSummaryCounts(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	owner := h.a.owner(true)
	h.clock.Forward(time.Minute)
	english := h.upload(h.a.live, "", "en.txt", "The pool opens at nine in the morning and closes at eight in the evening.").Document
	archived := h.upload(h.a.live, "", "old.txt", "Our old prices are no longer valid.").Document
	h.upload(h.a.live, "", "bad.pdf", "no PDF")
	h.readDocuments()
	_, err := h.store.ArchiveDocument(context.Background(), owner, frontdesk.Actor{}, frontdesk.ID(archived.ID), h.clock.Now())
	must(t, err)
	h.upload(h.a.live, "", "new.txt", "Not read yet.")
	for i, questions := range [][]string{{"¿Tienen piscina cubierta?", "Do you rent boats?"}, {"tienen piscina cubierta"}, {"¿TIENEN PISCINA CUBIERTA?"}} {
		call := sampleCall(h.a.agent.ID, noon.Add(time.Duration(i)*time.Second))
		call.Summary.UnansweredQuestions = questions
		must(t, receptiontest.Record(context.Background(), h.store, wire.EventSource{Tenant: h.a.Tenant, Live: true}, call))
	}
	size := len(houseRules) + int(english.SizeBytes+archived.SizeBytes) + len("no PDF") + len("Not read yet.")
	h.play(t, scenario{
		do: "GET /knowledge", key: "a.live", want: 200,
		has: []string{
			`"documents":5`, `"by_status":{`, `"pending":1`, `"processing":0`, `"ready":2`, `"error":1`, `"archived":1`, `"fragments":2`, fmt.Sprintf(`"size_bytes":%d`, size),
			`"languages":["en","es"]`, `"last_ready_at":"2026-11-11T12:01:00.000Z"`, `"unanswered_last_30_days":4`, `"top_unanswered":[{"question":"`, `"count":3`, `"Do you rent boats?","count":1`,
			`"used_documents":5`, fmt.Sprintf(`"used_total_bytes":%d`, size), `"livemode":true`,
		},
	})
	h.play(t, scenario{do: "GET /knowledge/documents/" + archived.ID, key: "a.live", want: 200, has: []string{`"status":"archived"`, `"status_label":"Archived"`, `"status_help":"The document is kept`}})
	h.play(t, scenario{do: "GET /knowledge", key: "a.test", want: 200, has: []string{`"documents":1`, `"unanswered_last_30_days":0`, `"top_unanswered":[]`}})
	h.clock.Forward(31 * 24 * time.Hour)
	h.play(t, scenario{do: "GET /knowledge", key: "a.live", want: 200, has: []string{`"unanswered_last_30_days":0`, `"top_unanswered":[]`}})
}

func TestDeletedDocumentsAreForgotten(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	ask := scenario{do: "POST /knowledge/test", key: "a.live", body: `{"question":"¿Se admiten perros?"}`, want: 200}
	answered := ask
	answered.has = []string{`"answered":true`, "con correa"}
	h.play(t, answered)
	at := "/knowledge/documents/" + string(h.a.liveDocument)
	before := len(h.files())
	h.play(t, scenario{do: "DELETE " + at, key: "a.live", want: 200, has: []string{`{"deleted":true,"id":"` + string(h.a.liveDocument) + `"}`}})
	ask.has, ask.hasNot = []string{`"answered":false`, `"fragments":[]`, `"sources":[]`, `"answer":null`, `"match_pct":0`, `"confidence":"none"`}, []string{"correa"}
	h.play(t, ask)
	for _, gone := range []string{"GET " + at, "DELETE " + at} {
		h.play(t, scenario{do: gone, key: "a.live", want: 404, code: "not_found"})
	}
	h.play(t, scenario{do: "GET /knowledge/documents", key: "a.live", want: 200, has: []string{`"data":[]`, `"used_documents":0`, `"used_total_bytes":0`}})
	if after := len(h.files()); after != before-1 {
		t.Errorf("%d files before, %d after", before, after)
	}
	answered.key = "a.test"
	h.play(t, answered) // the other mode's is untouched
}

// hotel is a document that the questions of these tests are about.
const hotel = `# Hotel Miramar

## ¿A qué hora es el desayuno?

El desayuno se sirve de siete a diez y media en la terraza.

## ¿Hay aparcamiento?

El aparcamiento es gratuito para los clientes y tiene cuarenta plazas.

## ¿Admiten mascotas?

Se admiten perros pequeños con un suplemento de quince euros por noche.

## ¿Tienen wifi?

La conexión wifi es gratuita en todo el hotel.

## ¿Cómo se llega desde el aeropuerto?

El autobús 75 sale cada veinte minutos y para delante del hotel.

## ¿Hay piscina?

La piscina abre de mayo a octubre, de nueve a ocho.
`

type answer200 struct {
	Question, MessageES, MessageEN, Confidence, Explanation string
	Answered                                                bool
	Answer                                                  *string
	MatchPct                                                float64 `json:"match_pct"`
	ThresholdPct                                            float64 `json:"threshold_pct"`
	Sources                                                 []struct {
		DocumentID  string `json:"document_id"`
		Title, Kind string
		MatchPct    float64 `json:"match_pct"`
	}
	Fragments []struct {
		DocumentID string `json:"document_id"`
		Text       string
		Page       *int
		MatchPct   float64 `json:"match_pct"`
		Used       bool
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	d := h.upload(h.a.live, "?title=Miramar", "hotel.md", hotel).Document
	h.upload(h.a.live, "", "masajes.csv", "Tratamiento;Precio €;IVA\nMasaje de espalda;45;incluido\nMasaje completo;70;incluido\n")
	h.readDocuments()
	const post = "POST /knowledge/test"
	answered := []string{`"answered":true`, `"livemode":true`, `"sources":[{"document_id":"` + d.ID + `","title":"Miramar","kind":"markdown","match_pct":`, `"used":true`, `"page":null`, `"threshold_pct":60`}
	long := strings.Repeat("ñ", 300)
	for name, s := range map[string]scenario{
		"in the document's language": {
			body: `{"question":"¿A qué hora sirven el desayuno?"}`, want: 200,
			has: append([]string{`"question":"¿A qué hora sirven el desayuno?"`, `"answer":"El desayuno se sirve de siete a diez y media en la terraza.`, `"message_es":"El desayuno se sirve`, `"message_en":"Our information, in Spanish, says: El desayuno`}, answered...),
		},
		"in the other language": {body: `{"question":"What time is breakfast?"}`, want: 200, has: append([]string{`"answer":"El desayuno se sirve de siete a diez y media`}, answered...)},
		"for an agent":          {body: `{"question":"¿Hay aparcamiento?","agent_id":"` + string(h.a.agent.ID) + `"}`, want: 200, has: append([]string{"cuarenta plazas"}, answered...)},
		"nothing that is known": {body: `{"question":"¿Venden entradas para la ópera de Sídney?"}`, want: 200, has: []string{`"answered":false`, `"answer":null`, `"sources":[]`, `"message_es":"No tengo esa información.`, `"message_en":"I don't have that information.`}, hasNot: []string{`"used":true`}},
		"a row of a table, in a sentence": {
			body: `{"question":"¿Cuánto cuesta el masaje de espalda?"}`, want: 200,
			has:    []string{`"answer":"El precio de masaje de espalda es 45 euros, IVA incluido."`, `"message_es":"El precio de masaje de espalda es 45 euros, IVA incluido."`, `"message_en":"Masaje de espalda is 45 euros, VAT included."`, `"kind":"csv"`},
			hasNot: []string{`"answer":"Tratamiento:`},
		},
		"two rows that the question does not tell apart": {
			body: `{"question":"What does a massage cost?","agent_id":"` + string(h.a.agent.ID) + `"}`, want: 200,
			has: []string{`"message_en":"Masaje de espalda is 45 euros, VAT included. Masaje completo is 70 euros, VAT included."`},
		},
		"no words at all":           {body: `{"question":"???"}`, want: 200, has: []string{`"answered":false`, `"answer":null`, `"confidence":"none"`}},
		"as long as it may be":      {body: `{"question":"` + long + `"}`, want: 200, has: []string{`"answered":false`}},
		"too long":                  {body: `{"question":"` + long + `ñ"}`, want: 400, code: "parameter_invalid", param: "question"},
		"empty":                     {body: `{"question":""}`, want: 400, code: "parameter_invalid", param: "question"},
		"blank":                     {body: `{"question":" \n"}`, want: 400, code: "parameter_invalid", param: "question"},
		"with a NUL":                {body: `{"question":"a\u0000b"}`, want: 400, code: "parameter_invalid", param: "question"},
		"missing":                   {body: `{}`, want: 400, code: "parameter_missing", param: "question"},
		"of another type":           {body: `{"question":7}`, want: 400, code: "parameter_invalid", param: "question"},
		"with more to it":           {body: `{"question":"¿Hay wifi?","language":"es"}`, want: 400, code: "parameter_unknown", param: "language"},
		"to nobody's agent":         {body: `{"question":"¿Hay wifi?","agent_id":"` + string(frontdesk.NewID(noon)) + `"}`, want: 404, code: "not_found", param: "agent_id"},
		"to an agent by its slug":   {body: `{"question":"¿Hay wifi?","agent_id":"desk"}`, want: 400, code: "parameter_invalid", param: "agent_id"},
		"to no agent":               {body: `{"question":"¿Hay wifi?","agent_id":null}`, want: 400, code: "parameter_invalid", param: "agent_id"},
		"too large a body":          {body: `{"question":"` + strings.Repeat(" ", smallBody) + `"}`, want: 413, code: "request_too_large"},
		"in test mode":              {key: "a.test", body: `{"question":"¿A qué hora sirven el desayuno?"}`, want: 200, has: []string{`"answered":false`, `"livemode":false`}, hasNot: []string{"desayuno se sirve"}},
		"by another tenant":         {key: "b.live", body: `{"question":"¿A qué hora sirven el desayuno?"}`, want: 200, has: []string{`"answered":false`}, hasNot: []string{"desayuno se sirve"}},
		"without the scope":         {key: h.key(h.a.Tenant, true, "knowledge:write"), body: `{"question":"¿Hay wifi?"}`, want: 403, code: "scope_missing", param: "knowledge:read"},
		"with GET":                  {do: "GET /knowledge/test", want: 405, code: "method_not_allowed"},
		"of a document called test": {do: "GET /knowledge/documents/test", want: 404, code: "not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if s.do == "" {
				s.do = post
			}
			if s.key == "" {
				s.key = "a.live"
			}
			h.play(t, s)
		})
	}
}

// TestAnsweredIsAboveTheThreshold asks agents of all thresholds, and holds the
// answers to what they say of themselves.
func TestAnsweredIsAboveTheThreshold(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	h.upload(h.a.live, "", "hotel.md", hotel)
	h.readDocuments()
	for _, threshold := range []int{0, 1, 30, 60, 90, 100} {
		agent := h.a.agent
		agent.ID, agent.Slug, agent.Settings.ThresholdPct = frontdesk.NewID(noon), fmt.Sprintf("t%d", threshold), threshold
		must(t, h.store.CreateAgent(context.Background(), frontdesk.Actor{}, agent))
		for _, question := range []string{
			"¿Hay piscina?", "When is the pool open?", "wifi", "parking", "¿Cuánto cuesta llevar un perro?", "¿Hay gimnasio?", "autobús al aeropuerto", "¿Quién ganó la liga?", "xyzzy", "hotel",
		} {
			body, _ := json.Marshal(map[string]string{"question": question, "agent_id": string(agent.ID)})
			a := read[answer200](h, "POST /knowledge/test", h.a.live, string(body))
			want := float64(threshold)
			if threshold == 0 {
				want = frontdesk.DefaultThresholdPct
			}
			if a.ThresholdPct != want || a.Answered != (a.MatchPct >= a.ThresholdPct) || a.Answered != (a.Answer != nil) || a.Answered != (len(a.Sources) > 0) || len(a.Fragments) > 5 {
				t.Errorf("%s at %d: %+v", question, threshold, a)
			}
			for i, f := range a.Fragments {
				if i > 0 && f.MatchPct > a.Fragments[i-1].MatchPct || f.Used && !a.Answered || !f.Used && a.Answered && i == 0 {
					t.Errorf("%s at %d: fragment %d of %+v", question, threshold, i, a)
				}
			}
			if a.Answer != nil && !strings.Contains(strings.Join(strings.Fields(hotel), " "), firstSentence(*a.Answer)) {
				t.Errorf("%s: %q are not the document's words", question, *a.Answer)
			}
		}
	}
}

func firstSentence(text string) string {
	first, _, _ := strings.Cut(strings.Join(strings.Fields(text), " "), ".")
	return first
}

// TestOneAgentsDocument answers that agent alone.
func TestOneAgentsDocument(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	other := h.a.agent
	other.ID, other.Slug = frontdesk.NewID(noon), "other"
	must(t, h.store.CreateAgent(context.Background(), frontdesk.Actor{}, other))
	h.upload(h.a.live, "?agent_id="+string(h.a.agent.ID), "hotel.md", hotel)
	h.readDocuments()
	ask := func(agent string) string { return `{"question":"¿A qué hora es el desayuno?"` + agent + `}` }
	for name, s := range map[string]scenario{
		"it itself":  {body: ask(`,"agent_id":"` + string(h.a.agent.ID) + `"`), has: []string{`"answered":true`, "siete a diez"}},
		"another":    {body: ask(`,"agent_id":"` + string(other.ID) + `"`), has: []string{`"answered":false`}, hasNot: []string{"siete a diez"}},
		"none":       {body: ask(""), has: []string{`"answered":false`}, hasNot: []string{"siete a diez"}},
		"both share": {body: `{"question":"¿Se admiten perros?","agent_id":"` + string(other.ID) + `"}`, has: []string{`"answered":true`, "con correa"}},
	} {
		s.do, s.key, s.want = "POST /knowledge/test", "a.live", 200
		t.Run(name, func(t *testing.T) { h.play(t, s) })
	}
	list := scenario{do: "GET /knowledge/documents?agent_id=" + string(h.a.agent.ID), key: "a.live", want: 200, has: []string{`"title":"hotel"`}, hasNot: []string{string(h.a.liveDocument)}}
	h.play(t, list)
	list.do, list.has, list.hasNot = "GET /knowledge/documents?agent_id="+string(other.ID), []string{`"data":[]`}, nil
	h.play(t, list)
}

// TestAnUploadIsReplayed: the file counts, and what is said of it.
func TestAnUploadIsReplayed(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	const post = "POST /knowledge/documents"
	headers := func(more ...string) []string { return append(asText("a.txt"), more...) }
	key := []string{"Idempotency-Key", "k"}
	first := h.do(post, h.a.live, "The text.", headers(key...)...)
	if first.status != 201 || replayed(first) {
		t.Fatalf("%s", first)
	}
	h.readDocuments()
	files := h.files()
	again := h.do(post, h.a.live, "The text.", headers(key...)...)
	if !replayed(again) || again.body != first.body {
		t.Errorf("%s, want %s", again, first)
	}
	for name, c := range map[string]struct {
		do, body string
		headers  []string
	}{
		"other bytes":          {post, "The text!", headers(key...)},
		"more bytes":           {post, "The text. And more.", headers(key...)},
		"no bytes":             {post, "", headers(key...)},
		"another name":         {post, "The text.", append(asText("b.txt"), key...)},
		"another content type": {post, "The text.", append([]string{"Content-Type", "text/csv", "X-Service-Filename", "a.txt"}, key...)},
		"another title":        {post + "?title=x", "The text.", headers(key...)},
		"another operation":    {"POST /knowledge/test", `{"question":"x"}`, key},
	} {
		got := h.do(c.do, h.a.live, c.body, c.headers...)
		if got.status != 409 || got.fail().Code != "idempotency_key_reused" {
			t.Errorf("%s: %s", name, got)
		}
	}
	refused := h.do(post, h.a.live, "The text.", append(asText("a.exe"), "Idempotency-Key", "refused")...)
	refused.envelope(t, 400, "unsupported_extension")
	if again := h.do(post, h.a.live, "The text.", append(asText("a.exe"), "Idempotency-Key", "refused")...); !replayed(again) {
		t.Errorf("a refusal is replayed as well: %s", again)
	}
	if after := h.files(); len(after) != len(files) {
		t.Errorf("files before: %v, after: %v", files, after)
	}
	// Deleted meanwhile, the first answer is given all the same: it was true.
	id := string(readJSON[uploaded](t, first).Document.ID)
	h.play(t, scenario{do: "DELETE /knowledge/documents/" + id, key: "a.live", want: 200})
	if again := h.do(post, h.a.live, "The text.", headers(key...)...); !replayed(again) || again.body != first.body {
		t.Errorf("after it was deleted: %s", again)
	}
}

func readJSON[T any](t testing.TB, r reply) (v T) {
	t.Helper()
	must(t, json.Unmarshal([]byte(r.body), &v))
	return v
}

// TestUploadsThatBreakOff: a client that goes in the middle leaves nothing.
func TestUploadsThatBreakOff(t *testing.T) {
	t.Parallel()
	log := &notes{}
	h := newHouse(t, func(o *Options) { o.Log = log.logger() })
	addr := h.serveWith(nil)
	files, rows := h.files(), h.do("GET /knowledge/documents", h.a.live, "").body
	head := func(id, more string) string {
		return "POST /v1/knowledge/documents?filename=a.txt HTTP/1.1\r\nHost: x\r\nX-Request-Id: " + id + "\r\nAuthorization: Bearer " + h.a.live + "\r\nContent-Type: text/plain\r\n" + more
	}
	for id, request := range map[string]string{
		"with-a-length":         head("with-a-length", "Content-Length: 100000\r\n\r\n"),
		"in-chunks":             head("in-chunks", "Transfer-Encoding: chunked\r\n\r\n2710\r\n"),
		"with-a-key":            head("with-a-key", "Idempotency-Key: k\r\nContent-Length: 100000\r\n\r\n"),
		"with-a-key-and-chunks": head("with-a-key-and-chunks", "Idempotency-Key: l\r\nTransfer-Encoding: chunked\r\n\r\n2710\r\n"),
	} {
		l := dial(t, addr).send(request + strings.Repeat("x", 5000))
		l.Close()
		eventually(t, "the upload that broke off is noted", func() bool { return strings.Contains(log.String(), "request_id="+id+" ") })
	}
	h.nothingCame(t, files, rows)
	if strings.Contains(log.String(), "status=500") {
		t.Errorf("a client that goes is no failure of ours: %s", log)
	}
	if got := h.do("POST /knowledge/documents", h.a.live, "All of it.", append(asText("a.txt"), "Idempotency-Key", "k")...); got.status != 201 {
		t.Errorf("the key of what broke off is taken: %s", got)
	}
}

// TestASlowUpload: it may take longer than other requests, as long as it keeps the pace (see exchange).
func TestASlowUpload(t *testing.T) {
	t.Parallel()
	head := func(h *house) string {
		return "POST /v1/knowledge/documents?filename=a.txt HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + h.a.live + "\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n"
	}
	hurried := func(s *http.Server) { s.ReadTimeout = 2 * time.Second }
	t.Run("within its time", func(t *testing.T) {
		t.Parallel()
		h := newHouse(t)
		l := dial(t, h.serveWith(hurried)).send(head(h) + "All ")
		<-time.After(3 * time.Second) // longer than other requests may take
		l.send("of it.")
		if got := l.answer("POST"); got.status != 201 {
			t.Errorf("got %s", got)
		}
	})
	t.Run("beyond it", func(t *testing.T) {
		t.Parallel()
		h := newHouse(t, func(o *Options) {
			o.UploadPace = exchange.Pace{Grace: 200 * time.Millisecond, Rate: 1 << 20, Write: time.Minute}
		})
		l := dial(t, h.serveWith(nil)).send(head(h) + "All ")
		l.answer("POST").envelope(t, 400, "parameter_invalid")
	})
}

// TestAStorageThatFails: a bucket of the same protocol as the real ones, and
// what can go wrong with it. Nothing of the upload remains, and it can be sent
// again.
func TestAStorageThatFails(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]blobtest.Fault{"refuses": blobtest.Denied, "breaks off": blobtest.Reset, "loses its answer": blobtest.Lost} {
		t.Run("it "+name, func(t *testing.T) {
			t.Parallel()
			server := blobtest.NewServer(t)
			bucket, err := blob.Open(server.Place("documents"), blob.Options{AccessKey: blobtest.AccessKey, SecretKey: blobtest.SecretKey})
			must(t, err)
			t.Cleanup(func() { bucket.Close() })
			h := newHouse(t, func(o *Options) { o.Library = knowledge.NewLibrary(o.Store, bucket, o.Now, o.Log) }).start()
			rows := h.do("GET /knowledge/documents", h.a.live, "").body
			server.Fail(func(r *http.Request) blobtest.Fault {
				if r.Method == http.MethodPut {
					return fault
				}
				return blobtest.None
			})
			for _, headers := range [][]string{nil, {"Idempotency-Key", "k"}} {
				got := h.do("POST /knowledge/documents", h.a.live, "The text.", append(asText("a.txt"), headers...)...)
				got.envelope(t, 502, "storage_failed")
				if keys := server.Keys(); len(keys) > 0 {
					t.Errorf("this remains: %v", keys)
				}
				if strings.Contains(got.body, string(blobtest.SecretKey)) || strings.Contains(got.body, "127.0.0.1") {
					t.Errorf("the answer tells too much: %s", got)
				}
			}
			if after := h.do("GET /knowledge/documents", h.a.live, "").body; after != rows {
				t.Errorf("documents were left: %s", after)
			}
			server.Fail(nil)
			got := h.do("POST /knowledge/documents", h.a.live, "The text.", append(asText("a.txt"), "Idempotency-Key", "k")...)
			if got.status != 201 || replayed(got) || len(server.Keys()) != 1 {
				t.Errorf("when it is well again: %s, and %v", got, server.Keys())
			}
		})
	}
}

// TestTheDatabaseGoesDuringAnUpload: it is away when the bytes are in. The
// answer says so, and the same upload succeeds when it is back.
func TestTheDatabaseGoesDuringAnUpload(t *testing.T) {
	if !storetest.IsPostgres() {
		t.Skip("an outage needs a database that is another process: set FRONTDESK_TEST_DATABASE, or run scripts/with-postgres go test")
	}
	t.Run("bytes in a directory", func(t *testing.T) {
		loseTheDatabaseDuringAnUpload(t, func(h *house, _ *store.Store) *blob.Store { return h.blobs })
	})
	t.Run("bytes in the database", func(t *testing.T) {
		loseTheDatabaseDuringAnUpload(t, func(_ *house, s *store.Store) *blob.Store { return blob.OpenDatabase(s.Blobs()) })
	})
}

func loseTheDatabaseDuringAnUpload(t *testing.T, place func(*house, *store.Store) *blob.Store) {
	database := storetest.URL(t)
	c := servicetest.NewClock(noon)
	h := node(t, database, c, unhurried)
	h.a = h.newTenant("alfa")
	s, proxy := farOff(t, database)
	h.api.store, h.api.keys, h.api.answerTime = s, account.NewKeys(s, c.Now), 1800*time.Millisecond
	h.api.library = knowledge.NewLibrary(s, place(h, s), c.Now, h.api.log)
	h.api.shelves = knowledge.NewShelves(s, nil, c.Now, h.api.log, 0)
	addr := h.serveWith(nil)
	upload := func(id string) *line {
		return dial(t, addr).send("POST /v1/knowledge/documents?filename=a.txt HTTP/1.1\r\nHost: x\r\nX-Request-Id: " + id + "\r\nAuthorization: Bearer " + h.a.live +
			"\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n")
	}
	for name, outage := range map[string]func(){"stopped": proxy.Refuse, "hanging": proxy.Hang} {
		l := upload(name)
		if text, err := l.in.ReadString('\n'); err != nil || text != "HTTP/1.1 100 Continue\r\n" { // the key was looked up
			t.Fatalf("%q %v", text, err)
		}
		l.in.ReadString('\n')
		outage()
		l.send("The text.").answer("POST").envelope(t, 503, "database_unavailable")
		for _, operation := range []string{"GET /knowledge", "GET /knowledge/documents", "GET /knowledge/documents/" + string(h.a.liveDocument), "DELETE /knowledge/documents/" + string(h.a.liveDocument)} {
			h.do(operation, h.a.live, "").envelope(t, 503, "database_unavailable")
		}
		h.do("POST /knowledge/test", h.a.live, `{"question":"¿Se admiten perros?"}`).envelope(t, 503, "database_unavailable")
		must(t, proxy.Restore())
		eventually(t, "the upload succeeds", func() bool {
			got, err := h.exchange(h.document(), "POST /knowledge/documents", h.a.live, "The text.", asText("a.txt")...)
			return err == nil && got.status == 201
		})
	}
	list := h.do("GET /knowledge/documents", h.a.live, "")
	if n := bytes.Count([]byte(list.body), []byte(`"kind":"text"`)); n != 1 {
		t.Errorf("%d documents came of it: %s", n, list)
	}
}
