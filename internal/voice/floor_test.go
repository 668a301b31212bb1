package voice

import (
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/turns"
)

// stage is a floor whose time passes frame by frame.
type stage struct {
	testing.TB
	*floor
	at   time.Duration
	told []turns.Event
}

func newStage(t testing.TB) *stage { return &stage{TB: t, floor: newFloor(audio.Rate)} }

// pass lets time pass in which the caller makes a sound, or none, and returns what they
// said in it.
func (s *stage) pass(d time.Duration, sound []int16) (said []*audio.Utterance) {
	frame := make([]int16, audio.FrameSize(audio.Rate))
	for range int(d / audio.FrameTime) {
		samples := make([]int16, len(frame))
		sound = sound[copy(samples, sound):]
		if u := s.hear(audio.Frame{At: s.at, Samples: samples}); u != nil {
			said = append(said, u)
		}
		s.next(frame)
		s.at += audio.FrameTime
		s.told = append(s.told, s.take()...)
	}
	return said
}

// kinds are the kinds of what was told since the last time.
func (s *stage) kinds() (kinds []turns.Kind) {
	for _, e := range s.told {
		kinds = append(kinds, e.Kind)
	}
	s.told = nil
	return kinds
}

// speech is something like it: syllables with pauses.
func speech(d time.Duration) (out []int16) {
	for len(out) < audio.Count(audio.Rate, d) {
		out = append(out, audio.Tone(audio.Rate, 160*time.Millisecond, -18, 300, 900)...)
		out = append(out, make([]int16, audio.Count(audio.Rate, 60*time.Millisecond))...)
	}
	return out
}

// say says sentences of a second each.
func (s *stage) say(kept bool, sentences ...string) {
	s.begin(1, kept)
	for _, text := range sentences {
		s.write(1, text, speech(time.Second)[:audio.Rate])
		s.endSentence(1, audio.Rate)
	}
	s.end(1)
}

func TestWhatIsPlayedIsTold(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say(false, "Buenos días.", "¿En qué puedo ayudarle?")
	s.pass(3*time.Second, nil)
	want := []turns.Event{
		{Kind: turns.WeSpeak, Of: 1},
		{Kind: turns.Played, Of: 1, Text: "Buenos días. "},
		{Kind: turns.Played, Of: 1, Text: "¿En qué puedo ayudarle? "},
		{Kind: turns.WeStopped, Of: 1},
	}
	if !slices.Equal(s.told, want) {
		t.Errorf("told was %+v", s.told)
	}
}

func TestWhoSpeaksCutsUsOff(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say(false, "Buenos días.", "Abrimos de lunes a viernes de nueve a dos.")
	s.pass(1500*time.Millisecond, nil)
	s.told = nil
	said := s.pass(2*time.Second, speech(time.Second))
	if len(said) != 1 {
		t.Fatalf("said was %d things", len(said))
	}
	if kinds := s.kinds(); !slices.Equal(kinds, []turns.Kind{turns.CallerSpeaks, turns.CutOff, turns.WeStopped, turns.CallerSpeaks}) {
		t.Errorf("told was %v", kinds)
	}
}

func TestWhatWasHeardIsWholeWords(t *testing.T) {
	t.Parallel()
	s := &saying{parts: []part{{"Hola.", 0, 100}, {"Abrimos el sábado próximo.", 100, 200}}}
	for played, want := range map[int]string{0: "", 50: "", 100: "", 135: "Abrimos ", 172: "Abrimos el sábado ", 199: "Abrimos el sábado "} {
		if got := s.since(played); got != want {
			t.Errorf("after %d samples %q was heard, not %q", played, got, want)
		}
	}
}

func TestAReadBackIsPlayedOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say(true, "Le resumo: revisión, el martes a las diez.", "¿Es correcto?")
	s.pass(500*time.Millisecond, nil)
	s.told = nil
	said := s.pass(3*time.Second, speech(500*time.Millisecond))
	if len(said) != 1 {
		t.Fatalf("said was %d things", len(said))
	}
	if kinds := s.kinds(); slices.Contains(kinds, turns.CutOff) || !slices.Contains(kinds, turns.WeStopped) {
		t.Errorf("told was %v", kinds)
	}
}

func TestAShortWordIsToldWhenItIsOver(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.pass(time.Second, nil)
	said := s.pass(time.Second, audio.Tone(audio.Rate, 140*time.Millisecond, -18, 300, 900))
	if len(said) != 1 {
		t.Fatalf("said was %d things", len(said))
	}
	if kinds := s.kinds(); !slices.Equal(kinds, []turns.Kind{turns.CallerSpeaks}) {
		t.Errorf("told was %v", kinds)
	}
	s.understood(turns.Event{Kind: turns.Words, Text: "Sí"})
	s.told = s.take()
	if kinds := s.kinds(); !slices.Equal(kinds, []turns.Kind{turns.Words}) {
		t.Errorf("told was %v", kinds)
	}
}

func TestWhoGoesOnSpeakingIsKnownTo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.pass(time.Second, nil)
	if said := s.pass(2*time.Second, speech(time.Second)); len(said) != 1 {
		t.Fatalf("said was %d things", len(said))
	}
	s.pass(500*time.Millisecond, speech(time.Second)) // again, before there are words of the first
	s.told = nil
	s.understood(turns.Event{Kind: turns.Words, Text: "Quería una cita"})
	s.told = s.take()
	if kinds := s.kinds(); !slices.Equal(kinds, []turns.Kind{turns.Words, turns.CallerSpeaks}) {
		t.Errorf("told was %v", kinds)
	}
}

func TestANoiseIsNoWord(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.pass(time.Second, nil)
	s.pass(2*time.Second, speech(time.Second))
	s.told = nil
	s.understood(turns.Event{Kind: turns.Words})
	s.told = s.take()
	if kinds := s.kinds(); !slices.Equal(kinds, []turns.Kind{turns.CallerSilent}) {
		t.Errorf("told was %v", kinds)
	}
}

// What is not to be cut off holds nobody up whose sound does not come: who has said
// something meanwhile is answered.
func TestDeadAirIsNotListenedTo(t *testing.T) {
	t.Parallel()
	for name, begun := range map[string]time.Duration{"from the beginning": 0, "in the middle": time.Second} {
		s := newStage(t)
		s.begin(1, true)
		if begun > 0 {
			s.write(1, "Soy la asistente virtual.", speech(begun)[:audio.Count(audio.Rate, begun)])
		}
		s.pass(begun+5*time.Second, nil)
		if told := s.kinds(); slices.Contains(told, turns.WeStopped) {
			t.Fatalf("%s: nobody speaks, and slow sound is given up: %v", name, told)
		}
		s.pending++
		s.understood(turns.Event{Kind: turns.Words, Text: "Una mesa."})
		s.pass(audio.FrameTime, nil)
		if told := s.kinds(); !slices.Equal(told, []turns.Kind{turns.Words, turns.CutOff, turns.WeStopped}) {
			t.Errorf("%s: told was %v", name, told)
		}
	}
	s := newStage(t)
	s.say(true, "Soy la asistente virtual.", "¿En qué puedo ayudarle?")
	s.pending++
	s.understood(turns.Event{Kind: turns.Words, Text: "Una mesa."})
	s.pass(3*time.Second, nil)
	if told := s.kinds(); slices.Contains(told, turns.CutOff) {
		t.Errorf("what is played is cut off: %v", told)
	}
}
