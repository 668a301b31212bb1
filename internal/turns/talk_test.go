package turns

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

var testDay = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

func newTestTalk(h Habits) *Talk {
	agent := frontdesk.Agent{Languages: []string{"es", "en"}, Timezone: "Europe/Madrid"}
	on := reception.OnLine{Agent: agent, Reply: reception.Reply{Text: "Soy la asistente virtual. ¿En qué puedo ayudarle?", Language: "es"}}
	return NewTalk(on, h)
}

// stage is a talk whose carrier and receptionist a test plays.
type stage struct {
	testing.TB
	*Talk
	now  time.Time
	sent []Act
	in   []conversation.Input
}

func newStage(t testing.TB, h Habits) *stage {
	s := &stage{TB: t, Talk: newTestTalk(h), now: testDay}
	s.tell(Event{Kind: Ready})
	return s
}

func (s *stage) take(acts []Act) {
	for _, a := range acts {
		if a.Hear != nil {
			s.in = append(s.in, *a.Hear)
		} else {
			s.sent = append(s.sent, a)
		}
	}
}

func (s *stage) tell(all ...Event) {
	for _, f := range all {
		s.take(s.Talk.Take(f, s.now))
	}
}

// pass lets time pass, and what falls due in it happen.
func (s *stage) pass(d time.Duration) {
	s.Helper()
	until := s.now.Add(d)
	for range 1000 {
		at := s.Talk.Deadline()
		if at.IsZero() || at.After(until) {
			s.now = until
			return
		}
		if at.After(s.now) {
			s.now = at
		}
		s.take(s.Talk.Tick(s.now))
	}
	s.Fatal("there is always something more to do")
}

func (s *stage) answer(r reception.Reply) {
	if r.Language == "" {
		r.Language = "es"
	}
	s.take(s.Talk.Reply(r, s.now))
}

// played has the last thing said played to its end, or cut after some words.
func (s *stage) played() {
	s.tell(Event{Kind: WeSpeak})
	s.pass(s.said.length / 2)
	s.tell(played(s.said.spoken), Event{Kind: WeStopped})
}

func (s *stage) heard() conversation.Input {
	s.Helper()
	if len(s.in) == 0 {
		s.Fatal("nothing was heard")
	}
	return s.in[len(s.in)-1]
}

func words(text string) Event { return Event{Kind: Words, Text: text} }

func played(text string) Event { return Event{Kind: Played, Text: text} }

var (
	whole  = Habits{}
	pieces = Habits{Splits: true, EndsAtOnce: true}
)

func TestSilence(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.pass(time.Second)
	s.played()
	s.pass(5900 * time.Millisecond)
	if len(s.in) != 0 {
		t.Fatal("the caller is asked whether they are there before six seconds are over")
	}
	s.pass(200 * time.Millisecond)
	if s.heard().Kind != conversation.Silence {
		t.Fatalf("heard was %+v", s.heard())
	}
	s.answer(reception.Reply{Text: "¿Sigue ahí?"})
	s.pass(20 * time.Second) // nobody tells that it was played: it takes as long as it takes
	if len(s.in) != 2 {
		t.Errorf("heard was %+v", s.in)
	}
}

func TestNoSilenceWhileTheCallerSpeaks(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	s.pass(5 * time.Second)
	s.tell(Event{Kind: CallerSpeaks})
	s.pass(15 * time.Second)
	if len(s.in) != 0 {
		t.Errorf("heard was %+v", s.in)
	}
	s.tell(Event{Kind: CallerSilent}, words("Bueno, quería una cita."))
	if s.heard().Text != "Bueno, quería una cita." {
		t.Errorf("heard was %+v", s.heard())
	}
}

// A radio in the room is no caller who speaks.
func TestNoiseWithoutWords(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	for range 40 {
		s.tell(Event{Kind: CallerSpeaks})
		s.pass(time.Second)
		s.tell(Event{Kind: CallerSilent})
		s.pass(3 * time.Second)
	}
	if len(s.in) == 0 || s.in[0].Kind != conversation.Silence {
		t.Errorf("heard was %+v", s.in)
	}
}

// What is told by a carrier is bounded, whatever it is.
func TestMoreThanAnybodySays(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.tell(Event{Kind: WeSpeak})
	for range 1000 {
		s.tell(played(strings.Repeat("...", 5000)), words(strings.Repeat("blah ", 3000)), words("Hola, hola, hola."))
	}
	if n := len(s.said.played) + s.waiting(); n > 20_000 {
		t.Errorf("%d bytes are kept", n)
	}
}

// Who says more at once than is kept is answered to the beginning of it.
func TestWordsWithoutEndAreAnswered(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	s.tell(words(strings.Repeat("hola mesá ", 2000) + "."))
	s.pass(patienceOpen)
	if in := s.heard(); len(in.Text) > mostWords || !strings.HasPrefix(in.Text, "hola mesá hola") || !utf8.ValidString(in.Text) {
		t.Errorf("heard was %d bytes: %.40q", len(in.Text), in.Text)
	}
}

func TestAYesThatBeganEarlyStaysEarly(t *testing.T) {
	t.Parallel()
	for name, disturb := range map[string][]Event{
		"a key":   {{Kind: Key, Text: "#"}},
		"a noise": {{Kind: CallerSpeaks}, {Kind: CallerSilent}},
	} {
		s := newStage(t, whole)
		s.played()
		s.tell(words("Una revisión el martes."))
		s.answer(reception.Reply{Text: "Le resumo: revisión, el martes a las diez. ¿Es correcto?", Expect: conversation.SlotConfirm})
		s.tell(Event{Kind: WeSpeak})
		s.pass(s.said.length / 3)
		s.tell(Event{Kind: CallerSpeaks}, Event{Kind: CallerSilent})
		s.pass(s.said.length / 2)
		s.tell(played(s.said.spoken), Event{Kind: WeStopped})
		s.tell(disturb...)
		s.tell(words("Sí."))
		if in := s.heard(); !in.Early {
			t.Errorf("%s: heard was %+v", name, in)
		}
	}
}

func TestWhoAskedForAMomentHasIt(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	s.tell(words("Un momento."))
	s.answer(reception.Reply{Text: "Claro, sin prisa.", Waits: true})
	s.played()
	s.pass(25 * time.Second)
	if len(s.in) != 1 {
		t.Errorf("heard was %+v", s.in)
	}
}

func TestPiecesAreJoined(t *testing.T) {
	t.Parallel()
	s := newStage(t, pieces)
	s.played()
	for _, piece := range []string{"calle", "Mayor", "22."} {
		s.tell(words(piece))
		s.pass(500 * time.Millisecond)
	}
	s.pass(time.Second)
	if len(s.in) != 1 || s.in[0].Text != "calle Mayor 22." {
		t.Errorf("heard was %+v", s.in)
	}
}

func TestANumberIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]Habits{"whole": whole, "pieces": pieces} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, h)
			s.played()
			s.tell(words("Hola."))
			s.pass(time.Second)
			s.answer(reception.Reply{Text: "¿Su teléfono?", Expect: conversation.SlotPhone})
			s.played()
			s.tell(words("612."))
			s.pass(1200 * time.Millisecond)
			s.tell(words("34 56 78."))
			s.pass(2 * time.Second)
			if len(s.in) != 2 || s.in[1].Text != "612. 34 56 78." {
				t.Errorf("heard was %+v", s.in)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	s.tell(Event{Kind: Key, Text: "0"})
	if in := s.heard(); in.Kind != conversation.Keys || in.Text != "0" {
		t.Fatalf("heard was %+v", in)
	}
	s.answer(reception.Reply{Text: "¿Su teléfono?", Expect: conversation.SlotPhone})
	s.played()
	for _, digit := range "612345678#" {
		s.tell(Event{Kind: Key, Text: string(digit)})
		s.pass(300 * time.Millisecond)
	}
	if in := s.heard(); in.Text != "612345678" {
		t.Fatalf("heard was %+v", in)
	}
	s.answer(reception.Reply{Text: "Gracias."})
	before := len(s.in)
	s.tell(Event{Kind: Key, Text: "#"}) // one too many
	s.pass(time.Second)
	if len(s.in) != before || s.said.cut {
		t.Error("a key that ends nothing was heard")
	}
}

func TestAMenuAfterTheSecondMisunderstanding(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	s.tell(words("Blablabla."))
	s.answer(reception.Reply{Text: "No le he entendido.", Misses: 2, QuickReplies: []string{"Reservar", "Horario"}})
	if !strings.Contains(s.said.spoken, "1") || !strings.Contains(s.said.spoken, "Horario") {
		t.Errorf("it says %q", s.said.spoken)
	}
	s.played()
	s.tell(Event{Kind: Key, Text: "2"})
	if in := s.heard(); in.Kind != conversation.Text || in.Text != "Horario" {
		t.Errorf("heard was %+v", in)
	}
}

func TestANoiseDoesNotTakeTheWordAway(t *testing.T) {
	t.Parallel()
	for name, cutBy := range map[string]func(*stage){
		"told as an interruption": func(s *stage) {
			s.tell(Event{Kind: CutOff, Text: "Abrimos"}, Event{Kind: WeStopped})
		},
		"told as the end, far too soon": func(s *stage) {
			s.pass(s.said.length / 20)
			s.tell(Event{Kind: WeStopped})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, pieces)
			s.played()
			s.tell(words("¿A qué hora abren?"))
			s.pass(time.Second)
			s.answer(reception.Reply{Text: "Abrimos de lunes a viernes de diez a ocho y los sábados de diez a dos."})
			s.tell(Event{Kind: WeSpeak})
			cutBy(s)
			before := len(s.sent)
			s.pass(3 * time.Second)
			if len(s.sent) != before+1 || len(s.in) != 1 {
				t.Fatalf("sent was %+v, heard %+v", s.sent[before:], s.in)
			}
			s.tell(Event{Kind: WeSpeak})
			cutBy(s)
			s.pass(3 * time.Second)
			if len(s.sent) != before+1 {
				t.Error("it is said a third time")
			}
		})
	}
}

func TestWhatWasHeardOfIt(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	s.tell(words("¿A qué hora abren?"))
	s.answer(reception.Reply{Text: "Abrimos de lunes a viernes. Los sábados cerramos a las dos."})
	s.tell(Event{Kind: WeSpeak}, played("Abrimos de lunes a viernes."), Event{Kind: CallerSpeaks}, played(" Los"),
		Event{Kind: CutOff, Text: "Los"}, Event{Kind: WeStopped}, words("Vale, gracias."))
	in := s.heard()
	if !in.Cut || in.Heard != "Abrimos de lunes a viernes. Los" {
		t.Errorf("heard was %+v", in)
	}
}

func TestAnEarlyYes(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	s.tell(words("Una revisión el martes."))
	s.answer(reception.Reply{Text: "Le resumo: revisión, el martes a las diez. ¿Es correcto?", Expect: conversation.SlotConfirm})
	s.tell(Event{Kind: WeSpeak})
	s.pass(s.said.length / 3)
	s.tell(Event{Kind: CallerSpeaks}, Event{Kind: CallerSilent}, words("Sí."))
	s.pass(s.said.length / 2)
	if len(s.in) != 1 {
		t.Fatalf("a yes in the middle of it was heard: %+v", s.in)
	}
	s.tell(played(s.said.spoken), Event{Kind: WeStopped})
	if in := s.heard(); !in.Early || in.Cut || in.Text != "Sí." {
		t.Errorf("heard was %+v", in)
	}
	s.answer(reception.Reply{Text: "Entonces, ¿es correcto?", Expect: conversation.SlotConfirm})
	s.played()
	s.tell(words("Sí."))
	if in := s.heard(); in.Early || in.Cut {
		t.Errorf("heard was %+v", in)
	}
}

// A turn that could not be taken does not make heard what was not.
func TestAFaultDoesNotMakeItHeard(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	s.tell(words("Una revisión el martes."))
	s.answer(reception.Reply{Text: "Le resumo: revisión, el martes a las diez. ¿Es correcto?", Expect: conversation.SlotConfirm})
	s.tell(Event{Kind: WeSpeak}, Event{Kind: CutOff, Text: "Le"}, Event{Kind: WeStopped}, words("Sí."))
	if !s.heard().Cut {
		t.Fatalf("heard was %+v", s.heard())
	}
	s.take(s.Talk.Failed(s.now))
	s.played()
	s.tell(words("Sí."))
	if len(s.in) != 3 || !s.heard().Cut {
		t.Errorf("heard was %+v", s.in)
	}
}

// Who said several things of which none was heard is asked once to say it again.
func TestOneFaultForAllThatWasNotHeard(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	deaf := Event{Kind: Deaf, Began: s.now}
	s.pass(2 * time.Second)
	before := len(s.sent)
	s.tell(deaf, deaf, deaf)
	if len(s.sent) != before+1 {
		t.Fatalf("sent was %+v", s.sent[before:])
	}
	s.pass(time.Second)
	s.tell(Event{Kind: Deaf, Began: s.now})
	if len(s.sent) != before+2 {
		t.Errorf("sent was %+v", s.sent[before:])
	}
}

// After an hour the caller is told so and hung up on, whatever is being thought about,
// and nothing follows.
func TestTimeIsUp(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]Habits{"whole": whole, "pieces": pieces} {
		s := newStage(t, h)
		s.played()
		s.tell(words("¿A qué hora abren?"))
		s.pass(time.Second)
		s.take(s.TimeUp(s.now))
		s.answer(reception.Reply{Text: "Abrimos a las diez."})
		s.pass(longestEnd + time.Second)
		end := s.sent[len(s.sent)-1].End
		if end == nil || !end.Over || len(s.sent) != 3 {
			t.Errorf("%s: sent was %+v", name, s.sent)
		}
	}
}

// Nobody is asked to call again who has not called, in any language.
func TestWhoCanWriteIsTold(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]struct {
		habits Habits
		offers map[string]string
	}{
		"a telephone":  {Habits{EndsAtOnce: true}, map[string]string{"es": "llamar", "en": "call again"}},
		"a microphone": {Habits{EndsAtOnce: true, Writes: true}, map[string]string{"es": "escribirme", "en": "write to me"}},
	} {
		for code, offer := range h.offers {
			for why, end := range map[string]func(*stage){
				"nothing is heard": func(s *stage) {
					for range mostFaults {
						s.take(s.Talk.Failed(s.now))
					}
				},
				"time is up": func(s *stage) { s.take(s.TimeUp(s.now)) },
			} {
				s := newStage(t, h.habits)
				s.played()
				s.tell(words("Hola."))
				s.answer(reception.Reply{Text: "¿Sí?", Language: code})
				end(s)
				said := s.sent[len(s.sent)-1].Say
				called := strings.Contains(strings.ToLower(said.Written), "llam") || strings.Contains(said.Written, "call")
				if !strings.Contains(said.Text, offer) || !strings.Contains(said.Written, offer) || called == h.habits.Writes {
					t.Errorf("%s in %s, %s: %+v", name, code, why, said)
				}
			}
		}
	}
}

// Who has listened to an answer and cuts it off does not go on with what they said.
func TestAnAnswerThatWasListenedTo(t *testing.T) {
	t.Parallel()
	s := newStage(t, whole)
	s.played()
	s.tell(words("¿A qué hora abren?"))
	s.answer(reception.Reply{Text: "Abrimos de lunes a viernes de diez a ocho y los sábados de diez a dos."})
	s.tell(Event{Kind: WeSpeak}, Event{Kind: CutOff, Text: "Abrimos de lunes a viernes de"}, Event{Kind: WeStopped})
	for _, a := range s.Talk.Take(words("Vale, gracias."), s.now) {
		if a.Joins {
			t.Error("it is joined with the question")
		}
	}
}

func TestGoodbyesAreHeard(t *testing.T) {
	t.Parallel()
	bye := reception.Reply{Text: "Gracias por llamar. Adiós.", Ended: true}
	s := newStage(t, whole)
	s.played()
	s.tell(words("Adiós."))
	s.answer(bye)
	if s.sent[len(s.sent)-1].End == nil {
		t.Errorf("a line plays what stands before the end; sent was %+v", s.sent)
	}
	s = newStage(t, pieces)
	s.played()
	s.tell(words("Adiós."))
	s.pass(time.Second)
	s.answer(bye)
	if s.sent[len(s.sent)-1].End != nil {
		t.Error("the line hangs up in the middle of the goodbye")
	}
	s.played()
	if s.sent[len(s.sent)-1].End == nil {
		t.Errorf("nobody hangs up; sent was %+v", s.sent)
	}
	s = newStage(t, pieces)
	s.played()
	s.tell(words("Adiós."))
	s.pass(time.Second)
	s.answer(bye)
	s.pass(longestEnd + time.Second) // nobody tells that it was played
	if s.sent[len(s.sent)-1].End == nil {
		t.Errorf("nobody hangs up; sent was %+v", s.sent)
	}
}

// Whatever a line tells when, nothing is said that is empty, nothing follows
// an end, and no yes is handed on as one to a read-back that was not played whole.
func TestAnyOrderOfThings(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		habits := []Habits{whole, pieces, {Splits: true, EndsAtOnce: true, Exact: true}}[seed%3]
		r := rand.New(rand.NewPCG(seed, 7))
		s := newStage(t, habits)
		var script []string
		for range 60 {
			script = append(script, s.something(r))
			s.pass(time.Duration(r.IntN(3000)) * time.Millisecond)
			s.checkActs(t, seed, script)
		}
	}
}

// something is anything that may happen. It plays the receptionist too, who reads
// back every other time.
func (s *stage) something(r *rand.Rand) string {
	before := len(s.in)
	var what string
	switch r.IntN(9) {
	case 0:
		what = "starts to play"
		s.tell(Event{Kind: WeSpeak})
	case 1:
		text := s.said.spoken
		part := text[:r.IntN(len(text)+1)]
		what = fmt.Sprintf("played %d of %d", len(part), len(text))
		s.tell(played(strings.ToValidUTF8(part, "")))
	case 2:
		what = "stops"
		s.tell(Event{Kind: WeStopped})
	case 3:
		what = "interrupt"
		s.tell(Event{Kind: CutOff, Text: "Le"})
	case 4, 5:
		what = "yes"
		s.tell(words("Sí."))
	case 6:
		what = "key"
		s.tell(Event{Kind: Key, Text: "1"})
	case 7:
		what = "speaks"
		s.tell(Event{Kind: []Kind{CallerSpeaks, CallerSilent}[r.IntN(2)]})
	case 8:
		what = "partial"
		s.tell(Event{Kind: Words, Text: "S", Part: true})
	}
	for ; before < len(s.in); before++ {
		s.checkYes(s.in[before])
	}
	if s.Talk.hearing {
		reply := reception.Reply{Text: fmt.Sprintf("¿Qué más, número %d?", len(s.sent))}
		switch r.IntN(4) {
		case 0, 1:
			reply = reception.Reply{Text: "Le resumo: revisión, el martes a las diez de la mañana. ¿Es correcto?", Expect: conversation.SlotConfirm}
		case 2:
			reply.Ended = r.IntN(10) == 0
		}
		s.answer(reply)
	}
	return what
}

// checkYes holds what is handed to the receptionist to what the carrier has told.
func (s *stage) checkYes(in conversation.Input) {
	if s.Talk.expect != conversation.SlotConfirm || in.Kind == conversation.Silence || in.Cut || in.Early {
		return
	}
	if u := s.Talk.said; u.cut || u.ended.IsZero() {
		s.Errorf("a yes counts to what was not played whole: %+v, %+v", in, u)
	}
}

func (s *stage) checkActs(t *testing.T, seed uint64, script []string) {
	t.Helper()
	for i, f := range s.sent {
		switch {
		case f.Say != nil && f.Say.Text == "":
			t.Fatalf("seed %d: nothing is said after %v", seed, script)
		case f.End != nil && i != len(s.sent)-1:
			t.Fatalf("seed %d: %+v follows the end after %v", seed, s.sent[i+1:], script)
		}
	}
}

// What is told of the thing said before does not count for the next.
func TestReportsOfWhatWasSaidBefore(t *testing.T) {
	t.Parallel()
	s := newStage(t, Habits{Splits: true, EndsAtOnce: true, Exact: true})
	s.played()
	s.tell(words("Una revisión el martes."))
	s.pass(time.Second)
	before := s.saidID
	s.answer(reception.Reply{Text: "Le resumo: revisión, el martes a las diez. ¿Es correcto?", Expect: conversation.SlotConfirm})
	long := s.said.spoken + " " + s.said.spoken
	s.tell(Event{Kind: WeSpeak, Of: before}, Event{Kind: Played, Of: before, Text: long}, Event{Kind: WeStopped, Of: before})
	if !s.said.ended.IsZero() || s.said.played != "" {
		t.Fatalf("a read-back that was not played counts as heard: %+v", s.said)
	}
	s.tell(Event{Kind: WeSpeak, Of: s.saidID}, Event{Kind: Played, Of: s.saidID, Text: s.said.spoken}, Event{Kind: WeStopped, Of: s.saidID})
	if s.said.ended.IsZero() || s.said.cut {
		t.Errorf("a read-back that was played is not: %+v", s.said)
	}
}
