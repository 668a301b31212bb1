package console

import (
	"context"
	"encoding/csv"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob/blobtest"
	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

// parking is a call in which something could not be answered.
func parking(o *office) frontdesk.FinishedCall {
	return frontdesk.FinishedCall{
		AgentID: o.agent.ID, StartedAt: monday.Add(-time.Hour), Duration: 75 * time.Second, Language: "es", Outcome: frontdesk.Info,
		Channel: frontdesk.Phone, Caller: "+34600111222", Number: "+34910000000",
		Summary: frontdesk.Summary{
			Title: "Perros y aparcamiento", Text: "Preguntó por perros. El aparcamiento quedó sin responder.", KeyPoints: []string{"Perros, en la terraza"},
			UnansweredQuestions: []string{"¿Hay aparcamiento cerca?"}, Notes: "Viene con su abuela", Reason: "complaint", Urgency: frontdesk.Urgent,
			Handoff: &frontdesk.HandoffNote{Reason: "complaint", Result: frontdesk.NoAnswer},
		},
		Transcript: frontdesk.Transcript{Language: "es", Turns: []frontdesk.Turn{
			{Role: frontdesk.RoleAgent, Text: "Casa Lola, dígame.", Start: time.Second, Language: "es"},
			{Role: frontdesk.RoleCaller, Text: "Vale. ¿Tenéis PÁRKING por la zona?", Start: 7 * time.Second, Language: "es"},
			{
				Role: frontdesk.RoleTool, Name: "answer", Start: 8 * time.Second, Arguments: map[string]any{"question": "¿Tenéis párking?"},
				Result: map[string]any{"answered": false, "match_pct": 41.5, "sources": []any{map[string]any{"document_id": string(frontdesk.NewID(monday)), "title": "Normas"}}},
			},
			{Role: frontdesk.RoleAgent, Text: "No lo sé con seguridad.", Start: 69 * time.Second, Language: "es", Interrupted: true},
		}},
	}
}

// recordCall writes a finished call of the office, in a mode.
func (o *office) recordCall(live bool, c frontdesk.FinishedCall) frontdesk.ID {
	o.t.Helper()
	summary, err := wire.Summary(c.Summary)
	if err != nil {
		o.t.Fatal(err)
	}
	transcript, err := wire.Transcript(c.Transcript)
	if err != nil {
		o.t.Fatal(err)
	}
	call := frontdesk.Call{
		ID: frontdesk.NewID(c.StartedAt), AgentID: c.AgentID, StartedAt: c.StartedAt, Duration: int(c.Duration / time.Second), Language: c.Language,
		Outcome: c.Outcome, Channel: c.Channel, Uncounted: c.Uncounted, Caller: c.Caller, Number: c.Number, CaptureIDs: c.Touched,
		Summary: summary, Transcript: transcript,
	}
	for i := range c.Captures {
		c.Captures[i].CallID = call.ID
	}
	err = o.store.RecordCalls(context.Background(), frontdesk.Owner{TenantID: o.tenant.ID, Live: live}, store.Recording{
		Call: call, Captures: c.Captures, Period: "2026-11",
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return call.ID
}

// callTexts holds that a page has some texts, and lacks others, which begin with "-".
func callTexts(t *testing.T, page string, texts ...string) {
	t.Helper()
	page = strings.ReplaceAll(page, "&#43;", "+")
	for _, text := range texts {
		want := true
		if rest, not := strings.CutPrefix(text, "-"); not {
			text, want = rest, false
		}
		if strings.Contains(page, text) != want {
			t.Errorf("a page where %q should be there: %v\n%s", text, want, page[strings.Index(page, "<main")+1:])
		}
	}
}

func TestCallsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleDeveloper)
	callTexts(t, b.open("calls"), "Nobody has called yet", `href="channels"`)
	o.recordCall(true, parking(o))
	web := parking(o)
	web.Channel, web.Caller, web.Number, web.Language, web.Summary = frontdesk.Web, "", "", "en", frontdesk.Summary{Title: "Yesterday's <b>"}
	web.StartedAt = monday.Add(-20 * time.Hour)
	o.recordCall(true, web)
	page := b.open("calls")
	callTexts(t, page, "Perros y aparcamiento", "+34600111222", "Urgent", "1 question without an answer", "Viene con su abuela", "Today", "Yesterday", "Yesterday&#39;s &lt;b&gt;", "web", `hx-get="calls/now?version=`)
	if strings.Index(page, "Perros") > strings.Index(page, "Yesterday&#39;s") {
		t.Error("the newest is not the first")
	}
	b.language = "es"
	callTexts(t, b.open("calls"), "Llamadas", "Hoy", "Ayer", "1 pregunta sin respuesta", "español", "inglés", "-Calls")
}

func TestCallsAreNarrowed(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.recordCall(true, parking(o))
	other := parking(o)
	other.Outcome, other.Channel, other.Caller, other.Language = frontdesk.Booking, frontdesk.Web, "", "en"
	other.StartedAt, other.Transcript, other.Summary = monday.Add(-72*time.Hour), frontdesk.Transcript{}, frontdesk.Summary{Title: "A table for two"}
	o.recordCall(true, other)
	b := o.enter(frontdesk.RoleStaff)
	const first, second = "Perros y aparcamiento", "A table for two"
	for query, want := range map[string][2]bool{
		"outcome=info":                  {true, false},
		"channel=web":                   {false, true},
		"language=es":                   {true, false},
		"caller=600+111+222":            {true, false},
		"caller=%2B34600111222":         {true, false},
		"caller=600111223":              {false, false},
		"from=2026-11-16":               {true, false},
		"to=2026-11-13":                 {false, true},
		"from=2026-11-13&to=2026-11-16": {true, true},
		"search=parking":                {true, false},
		"search=parking+zona":           {true, false},
		"search=piscina":                {false, false},
		"outcome=never&channel=pigeon":  {true, true},
		"search=%00":                    {true, true},
		"after=nothing":                 {true, true},
	} {
		page := b.open("calls?" + query)
		if got := [2]bool{strings.Contains(page, first), strings.Contains(page, second)}; got != want {
			t.Errorf("%s shows %v, want %v", query, got, want)
		}
	}
	callTexts(t, b.open("calls?search=aparcamiento"), "No calls match", "Show all calls")
	callTexts(t, b.open("calls?search=zona"), `value="zona"`, ">1 call<", "-hx-get=\"calls/now")
	callTexts(t, b.open("calls?outcome=info&channel=phone"), "<details open>", `<span class="count">2</span>`, `<option value="info" selected>`)
}

func TestWordsThatAreLookedForAreMarked(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	call := parking(o)
	call.Summary.Text = "El Párking, y el «parking»; parkings no. <i>"
	id := o.recordCall(true, call)
	b := o.enter(frontdesk.RoleOwner)
	page := b.open("calls?search=parking")
	callTexts(t, page, "El <mark>Párking</mark>, y el «<mark>parking</mark>»; parkings no. &lt;i&gt;", "calls/"+string(id)+"?search=parking")
	callTexts(t, b.open("calls/"+string(id)+"?search=parking"), "¿Tenéis <mark>PÁRKING</mark> por", `href="calls?search=parking"`)
	callTexts(t, b.open("calls"), "-<mark>", "-parkings no")
}

func TestWhatCannotBeLookedForIsSaid(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.recordCall(true, parking(o))
	b := o.enter(frontdesk.RoleOwner)
	for query, want := range map[string]string{
		"search=…":                      "Write a word that was said",
		"caller=60":                     "Write the whole number",
		"from=monday":                   "Write the days",
		"to=2026-02-30":                 "Write the days",
		"from=2026-11-16&to=2026-11-15": "The last day is before the first",
	} {
		callTexts(t, b.open("calls?"+query), want, "-Perros y", `href="calls"`)
	}
}

func TestAListOfCallsRenewsAsSomebodyTypes(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.recordCall(true, parking(o))
	b := o.enter(frontdesk.RoleOwner)
	ask := func(path string, restores bool) shown {
		r := b.request(http.MethodGet, b.at(path), nil)
		r.Header.Set("HX-Request", "true")
		if restores {
			r.Header.Set("HX-History-Restore-Request", "true")
		}
		return b.do(r)
	}
	part := ask("calls?search=zona&outcome=&from=", false)
	callTexts(t, part.body, "Perros", "-<html")
	if got := part.header.Get("HX-Push-Url"); got != b.at("calls?search=zona") {
		t.Errorf("the address becomes %q", got)
	}
	callTexts(t, ask("calls?search=zona", true).body, "Perros", "<html")
	callTexts(t, ask("calls", false).body, "calls/now?version=")

	_, rest, _ := strings.Cut(b.open("calls"), `hx-get="calls/now?version=`)
	version, _, _ := strings.Cut(rest, `"`)
	if got := ask("calls/now?version="+version, false); got.status != http.StatusNoContent {
		t.Errorf("what is shown already is sent again: %d", got.status)
	}
	fresh := parking(o)
	fresh.StartedAt, fresh.Summary.Title = monday.Add(-time.Minute), "Just now"
	o.recordCall(true, fresh)
	callTexts(t, ask("calls/now?version="+version, false).body, "Just now", "Perros")
}

func TestOlderCallsAreOnTheNextPage(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for i := range callsShown + 2 {
		call := parking(o)
		call.StartedAt, call.Summary.Title = monday.Add(-time.Duration(i)*time.Minute), fmt.Sprintf("call %02d.", i)
		o.recordCall(true, call)
	}
	b := o.enter(frontdesk.RoleOwner)
	page := b.open("calls?outcome=info")
	callTexts(t, page, ">More than 30 calls<")
	callTexts(t, page, "call 00.", fmt.Sprintf("call %02d.", callsShown-1), fmt.Sprintf("-call %02d.", callsShown))
	_, rest, _ := strings.Cut(page, `<a class="button" href="calls?after=`)
	after, _, _ := strings.Cut(rest, `"`)
	older := b.open("calls?after=" + strings.ReplaceAll(after, "&amp;", "&"))
	callTexts(t, older, "-call 29.", "call 30.", "call 31.", `href="calls?outcome=info"`, "-Older calls", "-More than", "-calls/now?")
	last := frontdesk.NewID(monday.Add(-48 * time.Hour))
	callTexts(t, b.open("calls?after="+string(last)), "There are no older calls")
}

func TestACallIsReadAsAConversation(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	call := parking(o)
	moved, cancelled := o.book("2026-11-17T10:00:00", frontdesk.Confirmed), o.book("2026-11-18T10:00:00", frontdesk.Cancelled)
	call.Touched = []frontdesk.ID{moved.ID, cancelled.ID, frontdesk.NewID(monday)}
	call.Captures = []frontdesk.Capture{{
		ID: frontdesk.NewID(monday), AgentID: o.agent.ID, Source: frontdesk.FromCall, Channel: frontdesk.Phone, Kind: frontdesk.Message, CustomerName: "Eva Sol",
		Timezone: "Europe/Madrid", Status: frontdesk.PendingConfirm, Topic: "complaint", CreatedAt: monday, UpdatedAt: monday,
	}}
	id := o.recordCall(true, call)
	b := o.enter(frontdesk.RoleOwner)
	page := b.open("calls/" + string(id))
	callTexts(t, page,
		"Preguntó por perros.", "Perros, en la terraza", "Viene con su abuela", "¿Hay aparcamiento cerca?", "Complaint", "Urgent",
		"nobody answered", `class="missed"`, "1 min 15 s", `href="tel:+34600111222"`, "+34910000000", "Counts towards", "Casa desk", string(id),
		"0:07", "1:09", "interrupted", "Looked for the answer", "41.5 %", "<dt>Answered</dt><dd><b>no</b></dd>", "teach/documents/", "Normas",
		"captures/"+string(call.Captures[0].ID), "Eva Sol", "made in this call", "captures/"+string(moved.ID), "changed in this call",
		"captures/"+string(cancelled.ID), "cancelled in this call", "tomorrow, 10 am")
	b.language = "es"
	callTexts(t, b.open("calls/"+string(id)), "En resumen", "Buscó la respuesta", "nadie contestó", "Queja", "interrumpido", "Cuenta en los minutos")
}

func TestACallOfWhichLittleIsKept(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.recordCall(true, frontdesk.FinishedCall{
		AgentID: o.agent.ID, StartedAt: monday, Duration: 9 * time.Second, Language: "en", Outcome: frontdesk.Abandoned, Channel: frontdesk.Web, Uncounted: true,
	})
	b := o.enter(frontdesk.RoleDeveloper)
	callTexts(t, b.open("calls/"+string(id)), "A call", "not kept any more", "here is no summary", "Does not count", "Not known", "9 s", "-tel:", "-This was wrong")
}

// TestASummaryIsReadOnce: where the text is the points in a row, the points are
// enough.
func TestASummaryIsReadOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	call := parking(o)
	call.Summary = frontdesk.Summary{Title: "Dogs", Text: "They may come in. On a lead.", KeyPoints: []string{"They may come in.", "On a lead."}}
	b := o.enter(frontdesk.RoleOwner)
	callTexts(t, b.open("calls/"+string(o.recordCall(true, call))), "<li>They may come in.</li><li>On a lead.</li>", "-They may come in. On a lead.", "-here is no summary")
}

func TestWhatWasLookedUpIsReadable(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	call := parking(o)
	call.Transcript.Turns = []frontdesk.Turn{
		{
			Role: frontdesk.RoleTool, Name: "openings", Arguments: map[string]any{"service": "cut", "date": "2026-11-20", "party_size": 2},
			Result: map[string]any{"free": false, "near": []any{"2026-11-20T10:30"}, "why": nil},
		},
		{Role: frontdesk.RoleTool, Name: "count_sheep", Arguments: map[string]any{"flock_size": map[string]any{"date": "2026-11-21"}}, Result: map[string]any{"error": "timeout"}},
		{Role: frontdesk.RoleTool, Name: "rule"},
	}
	id := o.recordCall(true, call)
	b := o.enter(frontdesk.RoleStaff)
	callTexts(t, b.open("calls/"+string(id)), "Haircut", "Friday 20 November, 10:30 am", "<dt>People</dt><dd>2</dd>", "<dt>Free</dt><dd><b>no</b></dd>", "-<dt>Why",
		"Used “count sheep”", "<dt>Flock size</dt><dd>Day: Saturday 21 November</dd>", "took too long", "failed", "Nothing was written down about it")
}

func TestCallsOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	live, test := o.recordCall(true, parking(o)), o.recordCall(false, parking(o))
	neighbour := o.enterAt(storetest.Tenant(t, o.store, "pepe"), frontdesk.RoleOwner)
	b := o.enter(frontdesk.RoleOwner)
	for name, got := range map[string]shown{
		"another tenant's":         neighbour.get("/console/live/-/calls/" + string(live)),
		"of the other mode":        b.get(b.at("calls/" + string(test))),
		"live in test":             b.get("/console/test/desk/calls/" + string(live)),
		"no id":                    b.get(b.at("calls/none")),
		"a form of another tenant": neighbour.get("/console/live/-/calls/" + string(live) + "/answer?turn=3"),
		"a turn that is not there": b.get(b.at("calls/" + string(live) + "/answer?turn=9")),
		"a question not asked":     b.get(b.at("calls/" + string(live) + "/answer?asked=1")),
	} {
		if got.status != http.StatusNotFound {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	callTexts(t, b.get("/console/test/desk/calls").body, string(test), "-"+string(live))
	colleague := o.hire(o.tenant, "bar")
	if got := b.get("/console/live/bar/calls/" + string(live)); got.location != "/console/live/desk/calls/"+string(live) {
		t.Errorf("a call of another agent is at %q (%d)", got.location, got.status)
	}
	callTexts(t, b.get("/console/live/"+colleague.Slug+"/calls").body, "Nobody has called yet")
	callTexts(t, b.get("/console/live/-/calls").body, "Casa desk", string(live))
}

// withDocuments gives a console a library, and returns what reads its documents.
func withDocuments(t *testing.T) (func(*Options), *knowledge.Worker, func() *knowledge.Shelves) {
	blobs, log := blobtest.New(t), slog.New(slog.DiscardHandler)
	var worker knowledge.Worker
	var shelves *knowledge.Shelves
	return func(o *Options) {
		o.Library = knowledge.NewLibrary(o.Store, blobs, o.Now, log)
		shelves = knowledge.NewShelves(o.Store, nil, o.Now, log, 0)
		worker = *knowledge.NewWorker(o.Store, blobs, document.NewReader(pdftest.Reader()), nil, o.Now, log)
	}, &worker, func() *knowledge.Shelves { return shelves }
}

func TestAnAnswerIsAddedWhereItWasMissing(t *testing.T) {
	t.Parallel()
	set, worker, shelves := withDocuments(t)
	o := newOffice(t, set)
	id := o.recordCall(true, parking(o))
	b := o.enter(frontdesk.RoleStaff)
	page := b.open("calls/" + string(id))
	callTexts(t, page, "calls/"+string(id)+"/answer?turn=3", "calls/"+string(id)+"/answer?asked=0", "agenda/days", "-/rule?", "-business/hours")
	callTexts(t, b.open("calls/"+string(id)+"/answer?asked=0"), `value="¿Hay aparcamiento cerca?"`)
	callTexts(t, b.open("calls/"+string(id)+"/answer?turn=3"), `value="¿Tenéis PÁRKING por la zona?"`)
	callTexts(t, b.open("calls/"+string(id)+"/answer?turn=0"), `name="question" value=""`)

	form := url.Values{"turn": {"3"}, "question": {"Tenéis párking por\nla zona."}, "answer": {"Sí, hay un aparcamiento público en la plaza Mayor."}}
	done := b.send("calls/"+string(id)+"/answer", form)
	callTexts(t, done, "Answer added", "Perros y aparcamiento", "Undo")
	if worked, err := worker.RunOnce(t.Context()); err != nil || !worked {
		t.Fatalf("nothing was read: %v", err)
	}
	ask := func() frontdesk.Answer {
		a, err := shelves().Ask(t.Context(), o.owner(), knowledge.Question{Text: "¿Tenéis párking por la zona?", AgentID: o.agent.ID, ThresholdPct: 60})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(); !a.Answered {
		t.Errorf("the answer is not given: %+v", a)
	}
	list, err := o.store.Documents(t.Context(), o.owner(), frontdesk.DocumentFilter{}, frontdesk.Page{})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%d documents, %v", len(list.Items), err)
	}
	d := list.Items[0]
	if d.Title != "Tenéis párking por la zona." || d.Filename != "teneis-parking-por-la-zona.md" || d.AgentID != o.agent.ID || !d.Live {
		t.Errorf("the document is %+v", d)
	}
	undone := b.send("answers/"+string(d.ID)+"/undo", url.Values{"back": {"calls/" + string(id)}})
	callTexts(t, undone, "The answer has been removed", "Perros y aparcamiento")
	if a := ask(); a.Answered {
		t.Errorf("an answer that was taken back is given: %+v", a)
	}
}

func TestAnAnswerThatCannotBeKept(t *testing.T) {
	t.Parallel()
	set, _, _ := withDocuments(t)
	o := newOffice(t, set)
	id := o.recordCall(true, parking(o))
	b := o.enter(frontdesk.RoleOwner)
	for name, tt := range map[string]struct{ question, answer, says string }{
		"without a question": {" ", "Sí.", "The question needs words"},
		"without an answer":  {"¿Hay wifi?", "…", "Write what to answer"},
		"too long":           {"¿Hay wifi?", strings.Repeat("sí ", 2000), "Write what to answer"},
		"a long question":    {strings.Repeat("wifi ", 50), "Sí.", "The question needs words"},
	} {
		got := b.post(b.at("calls/"+string(id)+"/answer"), url.Values{"asked": {"0"}, "question": {tt.question}, "answer": {tt.answer}})
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, tt.says) || !strings.Contains(got.body, strings.TrimSpace(tt.answer)) {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	list, err := o.store.Documents(t.Context(), o.owner(), frontdesk.DocumentFilter{}, frontdesk.Page{})
	if err != nil || len(list.Items) != 0 {
		t.Errorf("%d documents, %v", len(list.Items), err)
	}
}

// TestOnlyFreshAnswersAreTakenBack: the way back is no way to delete documents.
func TestOnlyFreshAnswersAreTakenBack(t *testing.T) {
	t.Parallel()
	set, _, _ := withDocuments(t)
	o := newOffice(t, set)
	id := o.recordCall(true, parking(o))
	b := o.enter(frontdesk.RoleStaff)
	b.send("calls/"+string(id)+"/answer", url.Values{"asked": {"0"}, "question": {"¿Hay wifi?"}, "answer": {"Sí, en todo el local."}})
	list, err := o.store.Documents(t.Context(), o.owner(), frontdesk.DocumentFilter{}, frontdesk.Page{})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%d documents, %v", len(list.Items), err)
	}
	path := "answers/" + string(list.Items[0].ID) + "/undo"
	if got := b.post("/console/test/desk/"+path, nil); got.status != http.StatusNotFound {
		t.Errorf("in the other mode: %d", got.status)
	}
	o.Forward(2 * time.Hour)
	if got := b.post(b.at(path), nil); got.status != http.StatusNotFound {
		t.Errorf("two hours later: %d", got.status)
	}
}

func TestARuleIsMadeOfWhatWasSaid(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.recordCall(true, parking(o))
	b := o.enter(frontdesk.RoleOwner)
	callTexts(t, b.open("calls/"+string(id)), "calls/"+string(id)+"/rule?turn=3", "business/hours", "agenda/days")
	callTexts(t, b.open("calls/"+string(id)+"/rule?turn=3"), ">Tenéis PÁRKING por la zona</textarea>", `name="say_es"`, `name="say_en"`, "-counts in test and live")
	callTexts(t, b.get("/console/test/desk/calls/"+string(o.recordCall(false, parking(o)))+"/rule?turn=3").body, "counts in test and live alike")

	form := url.Values{"turn": {"3"}, "words": {"párking\r\n\r\n aparcar "}, "do": {"say"}, "say_es": {"Hay uno en la plaza."}}
	done := b.send("calls/"+string(id)+"/rule", form)
	callTexts(t, done, "Rule added", "Undo")
	rules := func() frontdesk.Rules {
		a, err := o.store.AgentBySlug(t.Context(), o.owner(), "desk")
		if err != nil {
			t.Fatal(err)
		}
		return a.Settings.Rules
	}
	got := rules()
	if len(got) != 1 || got[0].Do != frontdesk.DoSay || fmt.Sprint(got[0].When.Words) != "[párking aparcar]" || got[0].Say["es"] != "Hay uno en la plaza." || got[0].Say["en"] != "" {
		t.Fatalf("the rules are %+v", got)
	}
	_, rest, _ := strings.Cut(done, `name="rule" value="`)
	mark, _, _ := strings.Cut(rest, `"`)
	if got := b.post(b.at("calls/"+string(id)+"/rule/undo"), url.Values{"rule": {"another"}}); got.status != http.StatusNotFound || len(rules()) != 1 {
		t.Errorf("another rule is taken back: %d", got.status)
	}
	callTexts(t, b.send("calls/"+string(id)+"/rule/undo", url.Values{"rule": {mark}}), "The rule has been removed")
	if got := rules(); len(got) != 0 {
		t.Errorf("the rules are %+v", got)
	}
}

func TestARuleThatCannotBe(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.recordCall(true, parking(o))
	b := o.enter(frontdesk.RoleOwner)
	for name, tt := range map[string]struct {
		form url.Values
		says string
	}{
		"without words":        {url.Values{"words": {" \n… "}, "do": {"message"}}, "Write at least one expression"},
		"with a long one":      {url.Values{"words": {strings.Repeat("a", 101)}, "do": {"message"}}, "Write at least one expression"},
		"that does nothing":    {url.Values{"words": {"wifi"}}, "Choose what"},
		"that books":           {url.Values{"words": {"wifi"}, "do": {"book"}}, "Choose what"},
		"that has to say what": {url.Values{"words": {"wifi"}, "do": {"say"}}, "Write what to say"},
		"that says too much":   {url.Values{"words": {"wifi"}, "do": {"say"}, "say_es": {strings.Repeat("a", 1001)}}, "Write what to say"},
	} {
		tt.form.Set("turn", "3")
		got := b.post(b.at("calls/"+string(id)+"/rule"), tt.form)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, tt.says) {
			t.Errorf("a rule %s: %d %s", name, got.status, got.body)
		}
	}
	agent, err := o.store.AgentBySlug(t.Context(), o.owner(), "desk")
	if err != nil || len(agent.Settings.Rules) != 0 {
		t.Errorf("the rules are %+v, %v", agent.Settings.Rules, err)
	}
}

func TestTheQuestionOfWhatWasSaid(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Vale. ¿Hay parking?":          "¿Hay parking?",
		"¿Hola? ¿Hay parking? Gracias": "¿Hay parking?",
		"Okay. Is there parking?":      "Is there parking?",
		"Is there parking? Thanks":     "Is there parking?",
		"Well… is there parking?":      "is there parking?",
		"Quería saber si hay parking.": "Quería saber si hay parking.",
		"":                             "",
		"?":                            "?",
	} {
		if got := lastQuestion(text); got != want {
			t.Errorf("of %q it is %q, want %q", text, got, want)
		}
	}
}

func TestCallsAreDownloaded(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for i := range frontdesk.MaxPageSize + 5 {
		call := parking(o)
		call.StartedAt, call.Summary.Title = monday.Add(-time.Duration(i)*time.Minute), "=1+1"
		o.recordCall(true, call)
	}
	o.recordCall(false, parking(o))
	b := o.enter(frontdesk.RoleStaff)
	callTexts(t, b.open("calls?outcome=info"), `href="calls.csv?outcome=info"`)
	got := b.get(b.at("calls.csv?outcome=info"))
	text, marked := strings.CutPrefix(got.body, "\ufeff")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !marked || got.header.Get("Content-Disposition") != `attachment; filename="calls.csv"` {
		t.Fatalf("got %v, %v, %v", err, marked, got.header)
	}
	if len(rows) != frontdesk.MaxPageSize+6 {
		t.Fatalf("%d rows", len(rows))
	}
	want := "2026-11-16 10:00:00|Information|Phone|Spanish||'+34600111222|'+34910000000|75|Casa desk|'=1+1"
	if got := strings.Join(rows[1][:10], "|"); got != want || rows[0][0] != "When" {
		t.Errorf("the first row is %s, under %v", got, rows[0])
	}
	if got := b.get(b.at("calls.csv?outcome=booking")); strings.Count(got.body, "\n") != 1 {
		t.Errorf("of none there is %s", got.body)
	}
	if got := b.get(b.at("calls.csv?from=monday")); got.status != http.StatusBadRequest {
		t.Errorf("of no day: %d", got.status)
	}
}

// Calls after hours are a filter like the others: with a period, in a search, as a
// file, and in the addresses of the calls.
func TestCallsAfterHours(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	sunday, morning := monday.AddDate(0, 0, -1), monday.Add(-10*time.Minute)
	o.record(o.owner(), o.called(sunday, 60, frontdesk.Info), o.called(morning, 60, frontdesk.Booking), o.called(monday.AddDate(0, 0, -8), 60, frontdesk.Info))
	b := o.enter(frontdesk.RoleStaff)
	for address, want := range map[string]int{
		"calls": 3, "calls?hours=closed": 2, "calls?hours=never": 3, "calls?hours=closed&from=2026-11-10": 1, "calls?hours=closed&outcome=booking": 0,
		"calls?hours=closed&search=terraza": 0,
	} {
		if got := b.listed(address); got != want {
			t.Errorf("%s: %d calls, want %d", address, got, want)
		}
	}
	page := b.open("calls?hours=closed&from=2026-11-10")
	texts(t, page, `<option value="closed" selected>After hours</option>`, "?from=2026-11-10&amp;hours=closed", `href="calls.csv?from=2026-11-10&amp;hours=closed"`)
	if lines := strings.Count(b.open("calls.csv?hours=closed"), "\n"); lines != 3 {
		t.Errorf("the file has %d lines", lines)
	}
	b.language = "es"
	texts(t, b.open("calls?hours=closed"), "Fuera de horario")
}

// missed is a call of which nobody spoke with who was to be put through.
func (o *office) missed(captures ...frontdesk.Capture) frontdesk.ID {
	o.t.Helper()
	call := frontdesk.FinishedCall{
		AgentID: o.agent.ID, StartedAt: o.Now().Add(-time.Hour), Duration: time.Minute, Language: "es", Outcome: frontdesk.Handoff, Channel: frontdesk.Phone, Caller: "+34600333444",
		Summary:  frontdesk.Summary{Title: "Pregunta por Lola", Text: "Teresa quiere el salón entero.", Handoff: &frontdesk.HandoffNote{Reason: "asks for a person", Result: frontdesk.NoAnswer}},
		Captures: captures,
	}
	for _, capture := range captures {
		call.Touched = append(call.Touched, capture.ID)
	}
	return o.recordCall(true, call)
}

// left is something that a caller left and somebody has to see to.
func (o *office) left(kind, name string) frontdesk.Capture {
	return frontdesk.Capture{
		ID: frontdesk.NewID(o.Now()), AgentID: o.agent.ID, Kind: kind, Channel: frontdesk.Phone, CustomerName: name, CustomerPhone: "+34600333444",
		Status: frontdesk.PendingConfirm, Source: frontdesk.FromCall, CreatedAt: o.Now(), UpdatedAt: o.Now(),
	}
}

// TestAMissedTransferIsMarkedAsDone: it is told as what it was, leaves Today when
// somebody has seen to it, and comes back when that is taken back.
func TestAMissedTransferIsMarkedAsDone(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	call := o.missed()
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	mark := "calls/" + string(call) + "/done"
	texts(t, b.open("today"), "No se pudo pasar la llamada", "+34600333444", "Teresa quiere el salón entero.", `action="`+mark+`"`, `href="tel:+34600333444"`, "-Pasada")
	texts(t, b.open("calls"), `<em class="chip missed">No se pudo pasar</em>`, "-chip handoff")
	texts(t, b.open("calls/"+string(call)), "nadie contestó", `<em class="chip missed">`, `action="`+mark+`"`, "Hecho", "Llamar")

	done := b.send(mark, url.Values{"done": {"yes"}})
	texts(t, done, "Hecho: +34600333444", "Deshacer", "No hay nada pendiente.", "-need-"+string(call))
	texts(t, b.open("calls"), "Atendida después", `-chip missed`)
	texts(t, b.open("calls/"+string(call)), "Abrir otra vez")
	texts(t, b.send(mark, url.Values{"done": {"no"}}), "need-"+string(call))
	texts(t, b.send(mark, url.Values{"done": {"yes"}, "back": {"calls/" + string(call)}}), "Pregunta por Lola", "Deshacer")

	b.language = "en"
	texts(t, b.open("calls"), "Seen to later")
	if got := o.enter(frontdesk.RoleDeveloper).post(b.at(mark), url.Values{"done": {"yes"}}); got.status != http.StatusForbidden {
		t.Errorf("a developer marks it: %d", got.status)
	}
	if got := b.post("/console/test/desk/"+mark, url.Values{"done": {"no"}}); got.status != http.StatusNotFound {
		t.Errorf("a live call is marked in test: %d", got.status)
	}
	texts(t, o.enter(frontdesk.RoleOwner).open("people/audit"), "Call marked as done", "Pregunta por Lola", "Call marked as open again")
}

// TestAMissedTransferWithAMessageIsDoneByIt: what the caller left is shown once,
// with their name, and its status tells whether it was seen to.
func TestAMissedTransferWithAMessageIsDoneByIt(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	wish := o.left(frontdesk.Callback, "Marta Gil")
	call := o.missed(wish)
	b := o.enter(frontdesk.RoleStaff)
	today := b.open("today")
	texts(t, today, "Could not be put through", "Marta Gil", "-"+"calls/"+string(call)+"/done")
	if n := strings.Count(today, `class="card need`); n != 1 {
		t.Errorf("it needs somebody %d times", n)
	}
	texts(t, b.open("calls"), "<span>Marta Gil</span>", "Not put through")
	status := "captures/" + string(wish.ID) + "/status"
	page := b.open("calls/" + string(call))
	texts(t, page, "<b>Marta Gil</b>", `action="`+status+`"`, "Done", `href="tel:`)
	texts(t, b.send(status, url.Values{"status": {"confirmed"}, "back": {"calls/" + string(call)}}), "Done: Marta Gil", "Undo", "Seen to later", `-action="`+status+`"><input type="hidden" name="back" value="calls/`+string(call)+`"><button class="main"`)
	texts(t, b.open("today"), "Nothing is waiting for you.")
}
