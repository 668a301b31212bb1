package conversation

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestPlainYes: only a yes without an if or a but writes something down.
func TestPlainYes(t *testing.T) {
	t.Parallel()
	e, err := NewEngine(frontdesk.Agent{Timezone: "UTC", Languages: []string{"en", "es"}, Vertical: "restaurant"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	agrees := func(kind Intent, text string) bool {
		u := &turn{Engine: e, now: time.Date(2026, 11, 16, 10, 0, 0, 0, time.UTC)}
		u.s.Expect, u.s.Lang, u.s.Task.Kind = SlotConfirm, "en", kind
		u.s.LastSay = "Shall I cancel your appointment, Tuesday, December 8th at 3 pm?"
		u.heard = hearing.Hear(text, u.talk().setting()).Gist()
		return u.consent().plainYes()
	}
	for _, text := range []string{
		"yes", "yes please", "sí", "si", "vale", "correcto", "yes, go ahead", "sí, claro", "sí sí", "ok perfect thanks", "yes that's right",
		"yes, at 3 pm", "perfecto, gracias", "that's right, Tuesday",
	} {
		if !agrees(Book, text) {
			t.Errorf("%q books nothing", text)
		}
	}
	for _, text := range []string{"yes", "yes please", "sí", "vale", "sí, anúlela por favor", "yes, cancel it", "sí, correcto", "ok"} {
		if !agrees(Cancel, text) {
			t.Errorf("%q cancels nothing", text)
		}
	}
	for _, text := range []string{
		"yes but only if it is free", "ok but why?", "oh yes? why", "vale pero déjala", "sounds good, but can we do 10?", "it is right but one more person",
		"fine, plus 2 kids", "yep but under another name", "oh yes? who told you", "sí pero media hora antes", "está bien pero uno más",
		"de acuerdo, más 2 niños", "vale pero a otro nombre", "diría que sí si mi mujer quiere", "ah sí? quién lo dice", "yes but three", "ok but only one",
		"yes, remove one", "yes the 450 ml ones", "yes but on my other number", "ok but a bit later", "fine, half an hour earlier", "yes keep the old one",
	} {
		if agrees(Book, text) {
			t.Errorf("%q books", text)
		}
	}
	for _, text := range []string{
		"yes keep it", "yes, I want to keep it", "yes the other one", "yes, the one on Monday", "yes tomorrow", "yes but only if it is free", "ok but why?",
		"vale pero déjala", "yes, and a high chair please", "yes after 5",
	} {
		if agrees(Cancel, text) {
			t.Errorf("%q agrees", text)
		}
	}
}
