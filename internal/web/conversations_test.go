package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

// book answers whatever is asked for until something is booked, and returns
// the answer that says so.
func (v *visitor) book() map[string]any {
	v.t.Helper()
	answers := map[any]string{
		"service": "una revisión", "date": "el miércoles", "time": "a las doce del mediodía", "name": "Ana García",
		"phone": "612 345 678", "email": "no tengo", "confirm": "sí", "choice": "la primera",
	}
	said := "Quiero reservar una revisión el miércoles a las doce del mediodía"
	for range 10 {
		a := v.say(said)
		if a["capture"] != nil {
			return a
		}
		reply := has(v.t, "the reply", a["reply"], "text", "language", "expect", "quick_replies")
		if _, ok := reply["quick_replies"].([]any); !ok {
			v.t.Fatalf("quick_replies is %v", reply["quick_replies"])
		}
		var known bool
		if said, known = answers[reply["expect"]]; !known {
			v.t.Fatalf("asked for %v: %v", reply["expect"], reply["text"])
		}
	}
	v.t.Fatal("nothing was booked")
	return nil
}

func TestABookingFromGreetingToCall(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	v := d.start(`{"language":"es"}`)
	a := v.book()
	card := has(t, "the capture", a["capture"], "kind", "confirmation_code", "scheduled_at", "service", "party_size", "customer_name", "notes", "ics")
	if card["kind"] != "appointment" || card["scheduled_at"] != "2026-11-18T12:00:00" || card["service"] != "Revisión" || len(card["confirmation_code"].(string)) != 6 {
		t.Errorf("the capture is %v", card)
	}
	if card["customer_name"] != "Ana García" || card["party_size"] != nil || card["notes"] != nil {
		t.Errorf("the capture is %v", card)
	}
	if a["ended"] != false || a["outcome"] != nil {
		t.Errorf("after the booking: %v", a)
	}
	for range 2 {
		end := has(t, "the end", v.post("end", "").value(), "call_id", "outcome")
		if end["call_id"] != v.id || end["outcome"] != "booking" {
			t.Errorf("the end is %v", end)
		}
	}
	if again := v.say("¿Hola?"); again["ended"] != true || again["outcome"] != "booking" {
		t.Errorf("an ended conversation answers %v", again)
	}
	call, err := d.store.Call(context.Background(), frontdesk.Owner{TenantID: d.tenant.ID, Live: true}, frontdesk.ID(v.id))
	if err != nil || call.Outcome != frontdesk.Booking || call.Channel != frontdesk.Web {
		t.Errorf("the call is %+v: %v", call, err)
	}
	if log := d.log.String(); strings.Contains(log, v.token) || strings.Contains(log, "345 678") || !strings.Contains(log, v.id) {
		t.Error("the log has a token or what was said, or does not name the conversation")
	}
}

func TestTheStart(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	tests := map[string]struct {
		body, language, voice string
	}{
		"without a body":           {"", "es", "voc_es_hugo"},
		"with an empty object":     {"{}", "es", "voc_es_hugo"},
		"in test mode":             {`{"mode":"test"}`, "es", "voc_es_hugo"},
		"in the other language":    {`{"mode":"live","language":"en"}`, "en", "voc_en_claire"},
		"in the one it would have": {`{"language":"es"}`, "es", "voc_es_hugo"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.do("POST /web/lola/desk/conversations", tt.body)
			c := has(t, "the start", a.value()["conversation"], "id", "token", "language", "greeting", "voice", "quick_replies")
			if a.status != http.StatusCreated || c["language"] != tt.language || c["voice"] != tt.voice || c["greeting"] == "" || len(c["token"].(string)) < 20 {
				t.Errorf("got %d %v", a.status, c)
			}
			if got := a.header.Get("Cache-Control"); got != "no-store" {
				t.Errorf("a token may be cached: %q", got)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *Options) { o.StartsPerMinute, o.MessagesBurst = 1000, 1000 })
	d.hire("asleep", frontdesk.AgentPaused)
	d.hire("unborn", frontdesk.AgentDraft)
	v := d.start("")
	mine := "/web/conversations/" + v.id
	bearer := "Bearer " + v.token
	const nobody = "/web/conversations/01990000-0000-7000-8000-000000000000"
	tests := map[string]struct {
		do, body, token string
		status          int
		code, param     string
	}{
		"an address that is none":        {"POST /web/lola", "", "", 404, "route_not_found", ""},
		"a method that is none":          {"PUT /web/lola/desk/conversations", "", "", 405, "method_not_allowed", ""},
		"reading what is only written":   {"GET " + mine + "/messages", "", bearer, 405, "method_not_allowed", ""},
		"an unknown tenant":              {"POST /web/nobody/desk/conversations", "", "", 404, "not_found", ""},
		"an unknown agent":               {"POST /web/lola/nobody/conversations", "", "", 404, "not_found", ""},
		"an agent whose name is no text": {"POST /web/lola/%00%ff/conversations", "", "", 404, "not_found", ""},
		"a paused agent":                 {"POST /web/lola/asleep/conversations", "", "", 404, "not_found", ""},
		"a paused agent in test mode":    {"POST /web/lola/asleep/conversations", `{"mode":"test"}`, "", 404, "not_found", ""},
		"a draft in live mode":           {"POST /web/lola/unborn/conversations", "", "", 404, "not_found", ""},
		"a mode in the wrong place":      {"POST /web/lola/desk/conversations?mode=test", ``, "", 400, "parameter_unknown", "mode"},
		"a start with something else":    {"POST /web/lola/desk/conversations", `{"modus":"test"}`, "", 400, "parameter_unknown", "modus"},
		"a mode that is none":            {"POST /web/lola/desk/conversations", `{"mode":"trial"}`, "", 400, "parameter_invalid", "mode"},
		"a mode that is no text":         {"POST /web/lola/desk/conversations", `{"mode":true}`, "", 400, "parameter_invalid", "mode"},
		"a mode that is null":            {"POST /web/lola/desk/conversations", `{"mode":null}`, "", 400, "parameter_invalid", "mode"},
		"a language that is not spoken":  {"POST /web/lola/desk/conversations", `{"language":"fr"}`, "", 400, "parameter_invalid", "language"},
		"a start that is no object":      {"POST /web/lola/desk/conversations", `[]`, "", 400, "invalid_json", ""},
		"a start twice over":             {"POST /web/lola/desk/conversations", `{} {}`, "", 400, "invalid_json", ""},
		"no token":                       {"POST " + mine + "/messages", `{"text":"hola"}`, "", 401, "token_missing", ""},
		"a token of another kind":        {"POST " + mine + "/messages", `{"text":"hola"}`, "Basic " + v.token, 401, "token_missing", ""},
		"a wrong token":                  {"POST " + mine + "/messages", `{"text":"hola"}`, bearer + "x", 404, "not_found", ""},
		"an unknown conversation":        {"POST " + nobody + "/messages", `{"text":"hola"}`, bearer, 404, "not_found", ""},
		"an id that is none":             {"POST /web/conversations/x/messages", `{"text":"hola"}`, bearer, 404, "not_found", ""},
		"ending with a wrong token":      {"POST " + mine + "/end", "", "Bearer x", 404, "not_found", ""},
		"ending without a token":         {"POST " + mine + "/end", "", "", 401, "token_missing", ""},
		"ending with something else":     {"POST " + mine + "/end", `{"why":"because"}`, bearer, 400, "parameter_unknown", "why"},
		"no body":                        {"POST " + mine + "/messages", "", bearer, 400, "invalid_json", ""},
		"no text":                        {"POST " + mine + "/messages", `{}`, bearer, 400, "parameter_missing", "text"},
		"an empty text":                  {"POST " + mine + "/messages", `{"text":""}`, bearer, 400, "parameter_invalid", "text"},
		"a blank text":                   {"POST " + mine + "/messages", `{"text":" \n\t"}`, bearer, 400, "parameter_invalid", "text"},
		"a text that is a number":        {"POST " + mine + "/messages", `{"text":7}`, bearer, 400, "parameter_invalid", "text"},
		"a text with NUL":                {"POST " + mine + "/messages", `{"text":"a\u0000b"}`, bearer, 400, "parameter_invalid", "text"},
		"a text that is too long":        {"POST " + mine + "/messages", `{"text":"` + strings.Repeat("ñ", 1001) + `"}`, bearer, 400, "parameter_invalid", "text"},
		"a text and something else":      {"POST " + mine + "/messages", `{"text":"hola","html":"<b>"}`, bearer, 400, "parameter_unknown", "html"},
		"a text twice":                   {"POST " + mine + "/messages", `{"text":"hola","text":"adiós"}`, bearer, 400, "invalid_json", "text"},
		"a body that is too large":       {"POST " + mine + "/messages", `{"text":"` + strings.Repeat("a", bodyLimit) + `"}`, bearer, 413, "request_too_large", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			headers := []string{"X-Request-Id", "mine-1"}
			if tt.token != "" {
				headers = append(headers, "Authorization", tt.token)
			}
			a := d.do(tt.do, tt.body, headers...)
			a.t = t
			a.refused(tt.status, tt.code, tt.param)
		})
	}
	t.Run("a draft can be tried in test mode", func(t *testing.T) {
		if a := d.do("POST /web/lola/unborn/conversations", `{"mode":"test"}`); a.status != http.StatusCreated {
			t.Errorf("got %d %s", a.status, a.body)
		}
	})
	t.Run("the longest text that there can be", func(t *testing.T) {
		v.say(strings.Repeat("ñ", 1000))
	})
	t.Run("and the longest way to write it", func(t *testing.T) {
		if a := v.post("messages", `{"text":"`+strings.Repeat(`\ud83d\ude00`, 1000)+`"}`); a.status != http.StatusOK {
			t.Errorf("got %d %s", a.status, a.body)
		}
	})
}

// A message that is sent again with its key has the same answer, and the card
// again.
func TestAMessageSentAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	v := d.start("")
	v.headers = []string{"Idempotency-Key", "k1"}
	first := v.post("messages", `{"text":"¿A qué hora abren?"}`)
	if again := v.post("messages", `{"text":"¿A qué hora abren?"}`); again.status != http.StatusOK || again.body != first.body {
		t.Errorf("first %s, then %d %s", first.body, again.status, again.body)
	}
	v.post("messages", `{"text":"adiós"}`).refused(409, "idempotency_key_reused", "")
	v.headers = nil
	v.book()
	for name, key := range map[string]string{"an empty key": "", "a key that is too long": strings.Repeat("ñ", 256)} {
		t.Run(name, func(t *testing.T) {
			a := v.do("POST /web/conversations/"+v.id+"/messages", `{"text":"hola"}`, "Authorization", "Bearer "+v.token, "Idempotency-Key", key)
			a.t = t
			a.refused(400, "parameter_invalid", "Idempotency-Key")
		})
	}
}

// thinking is a model that has come to a question and not to an answer.
type thinking struct{ asked, answer chan struct{} }

func (m thinking) Fill(context.Context, string, []string, json.RawMessage) (json.RawMessage, error) {
	close(m.asked)
	<-m.answer
	return nil, errors.New("no idea")
}

// A visitor who goes while an earlier message is being answered is no error of
// ours.
func TestAVisitorWhoHasGone(t *testing.T) {
	t.Parallel()
	m := thinking{make(chan struct{}), make(chan struct{})}
	d := newDesk(t, func(o *Options) {
		o.Sessions = reception.NewSessions(reception.SessionOptions{Store: o.Store, Model: m, Now: o.Now})
	})
	v := d.start("")
	var first sync.WaitGroup
	first.Go(func() {
		v.post("messages", `{"text":"Verá usted, resulta que ayer mi primo me contó una cosa rarísima sobre el asunto aquel"}`)
	})
	<-m.asked
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := httptest.NewRequestWithContext(ctx, "POST", "/web/conversations/"+v.id+"/messages", strings.NewReader(`{"text":"hola"}`))
	r.Header.Set("Authorization", "Bearer "+v.token)
	d.server.Config.Handler.ServeHTTP(httptest.NewRecorder(), r)
	close(m.answer)
	first.Wait()
	if log := d.log.String(); !strings.Contains(log, "status=499") || strings.Contains(log, "ERROR") {
		t.Errorf("the log says:\n%s", log)
	}
}

func TestIntroduction(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.hire("bare", frontdesk.AgentDraft, func(a *frontdesk.Agent) { a.Config = frontdesk.AgentConfig{} })
	who := has(t, "the introduction", d.do("GET /web/lola/desk", "").value()["agent"], "name", "business", "phone", "address", "languages")
	if who["name"] != "Alba" || who["business"] != "Clínica Lola" || who["phone"] != "+34 912 345 678" || fmt.Sprint(who["languages"]) != "[es en]" {
		t.Errorf("got %v", who)
	}
	if kept := has(t, "what is kept", d.do("GET /web/lola/desk", "").value()["privacy"], "url", "transcript_days"); kept["url"] != nil || kept["transcript_days"] != 180. {
		t.Errorf("of privacy it says %v", kept)
	}
	d.do("GET /web/lola/bare", "").refused(404, "not_found", "")
	d.hire("told", frontdesk.AgentActive, func(a *frontdesk.Agent) { a.Settings.PrivacyURL = "https://lola.example/privacidad" })
	if kept := has(t, "what is kept", d.do("GET /web/lola/told", "").value()["privacy"], "url", "transcript_days"); kept["url"] != "https://lola.example/privacidad" {
		t.Errorf("of privacy it says %v", kept)
	}
	who = has(t, "the introduction", d.do("GET /web/lola/bare?mode=test", "").value()["agent"], "name", "business", "phone", "address", "languages")
	if who["name"] != "Clínica Lola" || who["business"] != "Clínica Lola" || who["phone"] != nil {
		t.Errorf("got %v", who)
	}
}

func TestAPanicIsAnAnswer(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *Options) { o.Sessions = nil })
	d.do("POST /web/lola/desk/conversations", "").refused(500, "internal_error", "")
	if !strings.Contains(d.log.String(), "panic") {
		t.Error("the log does not say so")
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *Options) { o.StartsPerMinute = 1 })
	v := d.start(`{"mode":"test"}`)
	v.say("hola")
	v.post("end", "")
	d.do("POST /web/lola/desk/conversations", "").refused(429, "rate_limited", "")
	families, err := d.figures.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, f := range families {
		for _, m := range f.GetMetric() {
			fmt.Fprintf(&got, "%s%v %v %d\n", f.GetName(), m.GetLabel(), m.GetCounter().GetValue(), m.GetHistogram().GetSampleCount())
		}
	}
	for _, want := range []string{
		`frontdesk_web_conversations_started_total[name:"mode" value:"test"] 1 `,
		`frontdesk_web_messages_total[] 1 `,
		`frontdesk_web_answer_seconds[] 0 1`,
		`frontdesk_web_conversations_ended_total[name:"outcome" value:"abandoned"] 1 `,
		`frontdesk_web_refused_total[name:"reason" value:"address"] 1 `,
	} {
		// The library writes one blank or two between the parts of a label.
		if !strings.Contains(strings.ReplaceAll(got.String(), "  ", " "), want) {
			t.Errorf("there is no %s in\n%s", want, got.String())
		}
	}
}

// FuzzMessageBody: whatever comes as a body is a text that can be said, or is
// refused with the place of the fault.
func FuzzMessageBody(f *testing.F) {
	for _, seed := range []string{`{"text":"hola"}`, `{"text":""}`, `{"text":"\u0000"}`, `{"text":1}`, `{}`, `[]`, `{"text":"a","x":[{}]}`, `{"text":"\ud800"}`, "\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		value, err := parseObject(body, []string{"text"})
		var text string
		if err == nil {
			text, err = textOf(value)
		}
		if err != nil {
			e, ok := err.(*frontdesk.Error)
			if !ok || e.Kind != frontdesk.Invalid || e.Message == "" {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if n := len([]rune(text)); n < 1 || n > 1000 || strings.ContainsRune(text, 0) || strings.TrimSpace(text) == "" {
			t.Fatalf("%q is taken as %q", body, text)
		}
	})
}

// Visitors of a business that was deleted are told that there is nobody, not that
// something went wrong.
func TestABusinessThatIsDeleted(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	looks, talks, leaves := d.start(""), d.start(""), d.start("")
	talks.say("hola")
	leaves.say("hola")
	for more := true; more; {
		var err error
		if more, err = d.store.DeleteTenantForWorker(t.Context(), d.tenant.ID, 100); err != nil {
			t.Fatal(err)
		}
	}
	looks.post("messages", `{"text":"hola"}`).refused(http.StatusNotFound, "not_found", "")
	talks.post("messages", `{"text":"hola"}`).refused(http.StatusNotFound, "not_found", "")
	leaves.post("end", "").refused(http.StatusNotFound, "not_found", "")
	d.do("POST /web/lola/desk/conversations", "").refused(http.StatusNotFound, "not_found", "")
}
