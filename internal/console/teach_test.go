package console

import (
	"bytes"
	"context"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// wonder records calls of a mode in which questions found no answer.
func (o *office) wonder(live bool, questions ...string) {
	o.t.Helper()
	o.wonderOf(o.agent.ID, live, questions...)
}

// wonderOf records calls to an agent, or to none that is known.
func (o *office) wonderOf(agent frontdesk.ID, live bool, questions ...string) {
	o.t.Helper()
	owner := frontdesk.Owner{TenantID: o.tenant.ID, Live: live}
	for i, q := range questions {
		at := o.Now().Add(-time.Hour - time.Duration(i)*time.Minute)
		err := o.store.RecordCalls(context.Background(), owner, store.Recording{
			Period: "2026-11", Unanswered: []string{q}, Call: frontdesk.Call{
				ID: frontdesk.NewID(at), AgentID: agent, StartedAt: at, Duration: 60, Language: "es", Outcome: frontdesk.Info, Channel: frontdesk.Web,
				Summary: mustSummary(q), Transcript: json.RawMessage(`{"turns":[]}`),
			},
		})
		if err != nil {
			o.t.Fatal(err)
		}
	}
}

// mustSummary is the summary of a call that left a question without an answer.
func mustSummary(question string) json.RawMessage {
	text, err := json.Marshal(map[string]any{"text": "Hola", "title": "Pregunta", "unanswered_questions": []string{question}})
	if err != nil {
		panic(err)
	}
	return text
}

// readDocuments lets the worker read all that waits.
func (o *office) readDocuments() {
	o.t.Helper()
	for worked := true; worked; {
		var err error
		if worked, err = o.worker.RunOnce(context.Background()); err != nil {
			o.t.Fatal(err)
		}
	}
}

// upload sends files, given as names and texts by turns.
func (b *browser) upload(served string, files ...string) shown {
	b.o.t.Helper()
	return b.do(b.uploading(served, files...))
}

func (b *browser) uploading(served string, files ...string) *http.Request {
	b.o.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("for", served); err != nil {
		b.o.t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		part, err := form.CreateFormFile("file", files[i])
		if err != nil {
			b.o.t.Fatal(err)
		}
		part.Write([]byte(files[i+1]))
	}
	form.Close()
	r := b.request(http.MethodPost, b.at("teach/documents"), &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return r
}

// documents are all of the office's, in a mode.
func (o *office) documents(live bool) []frontdesk.Document {
	o.t.Helper()
	list, err := o.store.Documents(context.Background(), frontdesk.Owner{TenantID: o.tenant.ID, Live: live}, frontdesk.DocumentFilter{}, frontdesk.Page{Limit: 100})
	if err != nil {
		o.t.Fatal(err)
	}
	return list.Items
}

// texts holds that a page has some texts, and lacks those that begin with "-".
func texts(t *testing.T, page string, wanted ...string) {
	t.Helper()
	page = strings.NewReplacer("&#43;", "+", "&#39;", "'", "&#34;", `"`).Replace(page)
	for _, text := range wanted {
		rest, not := strings.CutPrefix(text, "-")
		if not == strings.Contains(page, rest) {
			t.Errorf("the page should have %q: %v; it is\n%s", rest, !not, page)
		}
	}
}

func TestAnUnansweredQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	texts(t, b.open("teach"), "No unanswered questions", "No documents yet", "0 of 100 documents")

	o.wonder(true, "¿Hay wifi?", "¿Se puede ir con perro?", "¿hay wifi?")
	o.wonder(false, "¿Es una prueba?")
	page := b.open("teach")
	texts(t, page, "-No unanswered", "-prueba", "2 times", "once", `href="teach/answer?question=%c2%bfHay%20wifi%3f"`)
	if strings.Index(page, "wifi") > strings.Index(page, "perro") {
		t.Error("the most frequent question is not the first")
	}
	texts(t, b.open("teach/answer?question="+url.QueryEscape("¿Hay wifi?")), `value="¿Hay wifi?"`, "it does not have that information")

	page = b.send("teach/answer", url.Values{"question": {"¿Hay wifi?"}, "answer": {"Sí, hay wifi gratis en toda la casa."}})
	texts(t, page, "Learnt", "Undo", "waiting", "-<b>¿Hay wifi?</b><small>2 times", "perro")
	o.readDocuments()
	page = b.open("teach?ask=yes")
	texts(t, page, "in use", "1 passage", "1 question is answered by now", "perro", "1 of 100 documents")
	d := o.documents(true)
	if len(d) != 1 || d[0].AgentID != o.agent.ID || d[0].Title != "¿Hay wifi?" || d[0].Kind != frontdesk.Markdown {
		t.Errorf("the documents are %+v", d)
	}

	// Taken back, it is asked again.
	texts(t, b.send("teach/documents/"+string(d[0].ID)+"/delete", nil), "is deleted", "2 times")
}

func TestTheMostAskedComeFirstAndTheRestOnDemand(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.wonder(true, "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete")
	b := o.enter(frontdesk.RoleOwner)
	texts(t, b.open("teach"), "1 more question", "siete")
	o.wonder(true, "ocho")
	texts(t, b.open("teach"), "2 more questions")
	o.hire(o.tenant, "annex")
	texts(t, b.open("teach"), "-all your receptionists", "All receptionists</option>")
	texts(t, b.get("/console/live/-/teach").body, "all your receptionists", "siete")
}

// Each place has the questions that were put to its own receptionist, counted there,
// and those of which it is not known whom they were put to.
func TestQuestionsAreThoseOfThePlace(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.wonderOf("", true, "¿Hay aparcamiento?")
	b := o.enter(frontdesk.RoleOwner)
	texts(t, b.open("teach"), "aparcamiento", "-which of your receptionists")
	dentist := o.hire(o.tenant, "dentist")
	o.wonder(true, "¿Hay terraza?", "¿Hay wifi?", "¿Hay wifi?")
	o.wonderOf(dentist.ID, true, "¿Ponéis coronas?", "¿Hay terraza?", "¿Hay terraza?")

	page := b.open("teach")
	texts(t, page, "terraza", "wifi", "aparcamiento", "-coronas", "2 times", "-3 times", "which of your receptionists")
	if strings.Index(page, "wifi") > strings.Index(page, "terraza") {
		t.Error("the questions of another agent are counted")
	}
	texts(t, b.get("/console/live/dentist/teach").body, "terraza", "-wifi", "aparcamiento", "coronas")
	all := b.get("/console/live/-/teach").body
	texts(t, all, "3 times", "wifi", "aparcamiento", "coronas", "-which of your receptionists")
	texts(t, b.open("insights"), `<p class="big figure">4</p><p>times it had no answer`)
	b.language = "es"
	texts(t, b.open("teach"), "no consta a cuál de tus recepciones")
}

// Questions that a document answers by now are counted and folded away, in Teach and
// with the call in which they were asked.
func TestQuestionsThatAreAnsweredByNow(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.wonder(true, "¿Hay wifi?", "¿Se puede ir con perro?")
	b := o.enter(frontdesk.RoleOwner)
	texts(t, b.open("teach?ask=yes"), `<span class="count">2</span>`, "-answered by now")
	calls, err := o.store.Calls(context.Background(), o.owner(), frontdesk.CallFilter{}, frontdesk.Page{Limit: 2})
	if err != nil || len(calls.Items) != 2 {
		t.Fatal(calls, err)
	}
	wifi := "calls/" + string(calls.Items[0].ID)
	texts(t, b.open(wifi), "¿Hay wifi?", "-answered by now", "/answer?asked=0")

	if got := b.upload(string(o.agent.ID), "casa.md", "# ¿Hay wifi?\n\nSí, hay wifi gratis en toda la casa.\n"); got.status != http.StatusSeeOther {
		t.Fatalf("uploading: %d %s", got.status, got.body)
	}
	o.readDocuments()
	// The page does not wait until the documents are read: what they answer comes after.
	texts(t, b.open("teach"), `<span class="count">2</span>`, `hx-get="teach/open" hx-trigger="load"`, `<noscript><p><a href="teach?ask=yes">See which`)
	page := b.open("teach?ask=yes")
	texts(t, b.open("teach"), `<span class="count">1</span>`, "-teach/open")
	texts(t, page, `<span class="count">1</span>`, "1 question is answered by now", `href="teach/ask?question=%c2%bfHay%20wifi%3f"`, "-teach/answer?question=%c2%bfHay%20wifi", "perro")
	texts(t, b.open(wifi), "answered by now", "teach/ask?question=", "-/answer?asked=0")
	texts(t, b.open("calls/"+string(calls.Items[1].ID)), "-answered by now", "/answer?asked=0")
	// All receptionists: by the one that was asked.
	texts(t, b.get("/console/live/-/teach").body, "1 question is answered by now")
	b.language = "es"
	texts(t, b.open("teach"), "1 pregunta ya se responde", "ya se responde</em>")
	// What only another agent's documents say is no answer.
	annex := o.hire(o.tenant, "annex")
	o.wonderOf(annex.ID, true, "¿Hay wifi?")
	texts(t, b.get("/console/live/annex/teach?ask=yes").body, `<span class="count">1</span>`, "-ya se responde")
}

func TestAnAnswerNeedsWords(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	for name, c := range map[string]struct{ question, answer, want string }{
		"no question":         {"", "Sí, gratis.", "Escribe la pregunta"},
		"no answer":           {"¿Hay wifi?", "…", "Escribe la respuesta"},
		"too long a question": {strings.Repeat("largo ", 40), "Sí.", "hasta 200"},
	} {
		got := b.post(b.at("teach/answer"), url.Values{"question": {c.question}, "answer": {c.answer}})
		if got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, got.status)
		}
		texts(t, got.body, c.want, `aria-invalid="true"`, strings.TrimSpace(c.question), c.answer)
	}
	if got := b.post(b.at("teach/answer"), url.Values{"question": {"¿a?"}, "answer": {"\x00b"}}); got.status != http.StatusUnprocessableEntity && got.status != http.StatusBadRequest {
		t.Errorf("NUL: %d", got.status)
	}
	if d := o.documents(true); len(d) != 0 {
		t.Errorf("documents are %v", d)
	}
}

func TestAnAnswerThatWasPutAwayIsUsedAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	form := url.Values{"question": {"¿Hay wifi?"}, "answer": {"Sí, gratis."}}
	b.send("teach/answer", form)
	o.readDocuments()
	id := string(o.documents(true)[0].ID)
	b.send("teach/documents/"+id+"/archive", nil)
	b.send("teach/answer", form)
	if d := o.documents(true); len(d) != 1 || d[0].Status != frontdesk.DocumentReady {
		t.Errorf("documents are %+v", d)
	}
}

func TestTheReceptionistIsAsked(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	texts(t, b.open("teach/ask"), "Ask as a caller would", "-It does not know")
	texts(t, b.open("teach/ask?question=wifi"), "It does not know", "no document to answer from", "0 % sure; it answers from 60 %", "teach/answer?question=wifi")
	b.upload("", "faq.md", "# Casa\n\n## ¿Hay wifi?\n\nSí, hay wifi gratis.\n\n## ¿Hay piscina?\n\nNo tenemos piscina.\n")
	o.readDocuments()
	id := string(o.documents(true)[0].ID)

	page := b.open("teach/ask?question=" + url.QueryEscape("¿Hay wifi?"))
	texts(t, page, "It knows", "<p>Sí, hay wifi gratis.</p>", "Our information, in Spanish, says", `class="mark" x="60"`, "answers with this", `href="teach/documents/`+id+`"`, "The best passage is in “faq”", "It speaks of: wifi", "Teach another answer")
	b.language = "es"
	page = b.open("teach/ask?question=" + url.QueryEscape("¿Cuánto cuesta alquilar la piscina para un cumpleaños?"))
	texts(t, page, "No lo sabe", "No nombra:", "cumpleaños", "-cumpleanos.", "no llega al 60 %", "<!doctype html>")
	texts(t, b.open("teach/ask?question="+url.QueryEscape("zzz")), "Ningún texto habla de esto")

	r := b.request(http.MethodGet, b.at("teach/ask?question=wifi"), nil)
	r.Header.Set("HX-Request", "true")
	texts(t, b.do(r).body, "Lo sabe", "-<!doctype html>")
	for _, wrong := range []string{"", url.QueryEscape(strings.Repeat("a", 301)), "%00"} {
		got := b.get(b.at("teach/ask?question=" + wrong))
		if got.status != http.StatusUnprocessableEntity {
			t.Errorf("%q: %d", wrong, got.status)
		}
		texts(t, got.body, "hasta 300 caracteres")
	}
}

func TestFilesAreUploaded(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	got := b.upload("", "menu.md", "# Carta\n\nHay cocido los jueves.\n", "prices.CSV", "service,price\ncut,20\n", "virus.exe", "MZ", "broken.txt", "\x00\x01\xff\xfe\x00\x00", "nothing.txt", "")
	if got.status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.status, got.body)
	}
	texts(t, b.get(got.location).body, "3 files received", "virus.exe: must end in .pdf, .md, .csv, .txt.", "nothing.txt: is empty", "menu", "waiting", `hx-get="teach/documents"`)
	o.readDocuments()
	page := b.open("teach")
	texts(t, page, "in use", "unusable", "This file is not text", `-hx-get="teach/documents"`)

	got = b.upload("", "virus.exe", "MZ")
	if got.status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong file: %d", got.status)
	}
	texts(t, got.body, "must end in", "<!doctype html>")
	if got = b.upload(""); got.status != http.StatusUnprocessableEntity {
		t.Errorf("no file: %d", got.status)
	}
	texts(t, got.body, "Choose at least one file")
	if got = b.upload("nobody", "a.md", "text"); got.status != http.StatusUnprocessableEntity && got.status != http.StatusSeeOther {
		t.Errorf("for nobody: %d", got.status)
	}
}

func TestFilesAreBoundedByThePlan(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan := frontdesk.DefaultPlan()
	plan.MaxDocumentBytes, plan.MaxDocuments = 100_000, 2
	if err := o.store.SetPlan(context.Background(), frontdesk.Actor{}, o.tenant.ID, plan); err != nil {
		t.Fatal(err)
	}
	b := o.enter(frontdesk.RoleOwner)
	got := b.upload("", "long.txt", strings.Repeat("a ", 400_000), "one.md", "uno", "two.md", "dos", "three.md", "tres")
	if got.status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.status, got.body)
	}
	texts(t, b.get(got.location).body, "2 files received", "long.txt: larger than 98 KB.", "three.md: does not fit your plan", "2 of 2 documents")
}

func TestAScriptThatUploadsIsSentOn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	r := b.uploading("", "a.md", "Hay cocido.")
	r.Header.Set("HX-Request", "true")
	got := b.do(r)
	if got.status != http.StatusNoContent || got.header.Get("HX-Redirect") != b.at("teach") || got.location != "" {
		t.Errorf("%d %v", got.status, got.header)
	}
	texts(t, b.open("teach"), "File received")
	r = b.uploading("", "a.exe", "MZ")
	r.Header.Set("HX-Request", "true")
	got = b.do(r)
	if got.status != http.StatusUnprocessableEntity || got.header.Get("HX-Retarget") != "#upload-fault" {
		t.Errorf("%d %v", got.status, got.header)
	}
	texts(t, got.body, "a.exe: must end in", "-<!doctype")
	r = b.request(http.MethodGet, b.at("teach/documents"), nil)
	r.Header.Set("HX-Request", "true")
	texts(t, b.do(r).body, `class="shelf"`, "-<!doctype")
	if got := b.get(b.at("teach/documents")); got.location != b.at("teach") {
		t.Errorf("without a script: %d %s", got.status, got.location)
	}
}

func TestADocumentIsPutAwayAndUsedAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	annex := o.hire(o.tenant, "annex")
	b := o.enter(frontdesk.RoleStaff)
	b.upload(string(o.agent.ID), "menu.md", "# Carta\n\n## Cocido\n\nHay cocido los jueves.\n")
	b.upload("", "rules.txt", "Se admiten perros en la terraza.")
	all := o.documents(true)
	d := all[slices.IndexFunc(all, func(d frontdesk.Document) bool { return d.Title == "menu" })]
	address := "teach/documents/" + string(d.ID)
	texts(t, b.open(address), "Nothing has been read", "waiting", "menu.md", "Casa desk")
	o.readDocuments()
	texts(t, b.open(address), "Hay cocido los jueves.", "Cocido", "in use", "In use since", "SHA-256")
	if d.AgentID != o.agent.ID {
		t.Errorf("it serves %q", d.AgentID)
	}
	elsewhere := b.get("/console/live/" + annex.Slug + "/teach").body
	texts(t, elsewhere, "-<b>menu</b>", "<b>rules</b>", "All receptionists")
	texts(t, b.get("/console/live/-/teach").body, "menu", "rules")

	texts(t, b.send(address+"/archive", nil), "is no longer used", "Undo", "Use it again", "Archived")
	texts(t, b.open("teach/ask?question=cocido"), "It does not know")
	texts(t, b.send(address+"/restore", nil), "is used again", "Stop using it")
	texts(t, b.open("teach/ask?question=cocido"), "Hay cocido los jueves")

	texts(t, b.open(address+"/delete"), "Delete “menu”?", "This cannot be undone")
	texts(t, b.send(address+"/delete", nil), "“menu” is deleted", "-"+string(d.ID))
	if got := b.get(b.at(address)); got.status != http.StatusNotFound {
		t.Errorf("after it was deleted: %d", got.status)
	}
}

func TestDocumentsOfTestModeAreOnlyLookedAt(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.wonder(false, "¿Es una prueba?")
	b := o.enter(frontdesk.RoleOwner)
	b.upload("", "menu.md", "Hay cocido.")
	o.readDocuments()
	id := string(o.documents(true)[0].ID)
	test := func(path string) string { return strings.Replace(b.at(path), "/live/", "/test/", 1) }
	texts(t, b.get(test("teach")).body, "¿Es una prueba?", "teach/ask?question", "-data-upload", "-<b>menu</b>", "In test mode you can only look")
	texts(t, b.get(test("teach/ask?question=cocido")).body, "It does not know", "-teach/answer")
	for path, want := range map[string]int{"teach/answer": 403, "teach/documents": 403, "teach/documents/" + id + "/archive": 404, "teach/documents/" + id + "/delete": 404} {
		if got := b.post(test(path), url.Values{"question": {"¿a?"}, "answer": {"sí"}}); got.status != want {
			t.Errorf("POST %s: %d", path, got.status)
		}
	}
	if got := b.get(test("teach/documents/" + id)); got.status != http.StatusNotFound {
		t.Errorf("a live document in test mode: %d", got.status)
	}
	if got := b.get(test("teach/answer")); got.status != http.StatusForbidden {
		t.Errorf("the form in test mode: %d", got.status)
	}
}

func TestDocumentsOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	b.upload("", "menu.md", "Hay cocido.")
	id := string(o.documents(true)[0].ID)
	other := storetest.Tenant(t, o.store, "pepe")
	desk := o.hire(other, "pepes-desk")
	stranger := o.enterAt(other, frontdesk.RoleOwner)
	base := "/console/live/" + desk.Slug + "/teach/documents/" + id
	for _, path := range []string{base, base + "/delete"} {
		if got := stranger.get(path); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	for _, act := range []string{"/archive", "/restore", "/delete"} {
		if got := stranger.post(base+act, nil); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", act, got.status)
		}
	}
	if d := o.documents(true); len(d) != 1 || d[0].Status == frontdesk.DocumentArchived {
		t.Errorf("the document is %v", d)
	}
}

// Where there is no time to ask the documents, the page comes without their answers,
// and the part with the questions after it.
func TestThereIsNoTimeToAskAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.wonder(true, "¿Hay wifi?")
	b := o.enter(frontdesk.RoleOwner)
	if got := b.upload(string(o.agent.ID), "casa.md", "# ¿Hay wifi?\n\nSí, hay wifi gratis en toda la casa.\n"); got.status != http.StatusSeeOther {
		t.Fatalf("uploading: %d %s", got.status, got.body)
	}
	o.readDocuments()
	v := &visit{console: o.console, http: b.request(http.MethodGet, b.at("teach"), nil), tenant: o.tenant, mode: &modes[0], agent: &o.agent, words: words{now: o.Now(), zone: time.UTC, lang: language.Of("en")}}
	hurried, err := teachScreen{o.console}.openQuestions(v, nil, -time.Second)
	if err != nil || !hurried.Unsure || hurried.Count != 1 || len(hurried.Settled) != 0 {
		t.Errorf("without time: %+v, %v", hurried, err)
	}
	texts(t, b.open("teach/open"), "1 question is answered by now", "-hx-trigger", "-<html")
	after, err := teachScreen{o.console}.openQuestions(v, nil, -time.Second)
	if err != nil || after.Unsure || after.Count != 0 || len(after.Settled) != 1 {
		t.Errorf("once it is remembered: %+v, %v", after, err)
	}
}
