package audio

import (
	"testing"
	"time"
)

// turns are what a Listener said, and when.
type turns struct {
	started []float64
	ended   []Utterance
	at      []float64 // when they ended
}

func (t *turns) hear(l *Listener, f Frame) {
	h := l.Hear(f)
	at := (f.At + FrameTime).Seconds()
	if h.Started {
		t.started = append(t.started, at)
	}
	if h.Ended != nil {
		t.ended = append(t.ended, *h.Ended)
		t.at = append(t.at, at)
	}
}

// call is a quiet line on which something is said at some seconds.
func call(length time.Duration, said map[float64][]int16) []int16 {
	line := noise(random(11), Rate, length, -55)
	for at, samples := range said {
		mix(line, samples, int(at*Rate))
	}
	return line
}

func speech(length time.Duration) []int16 { return voice(random(12), Rate, length, -22) }

// vowel is one syllable, as long as it is to be.
func vowel(length time.Duration) []int16 {
	return Tone(Rate, length, -28, 140, 280, 420, 560, 700, 1120)
}

func near(got, want, off float64) bool { return got > want-off && got < want+off }

func TestAnUtterance(t *testing.T) {
	t.Parallel()
	l := NewListener(ListenerOptions{})
	var got turns
	line := call(6*time.Second, map[float64][]int16{2: speech(time.Second)})
	inFrames(line, Rate, func(f Frame) { got.hear(l, f) })
	if len(got.started) != 1 || !near(got.started[0], 2.25, 0.15) {
		t.Errorf("started at %v, want 2.2", got.started)
	}
	if len(got.ended) != 1 || !near(got.at[0], 3.8, 0.15) {
		t.Fatalf("ended at %v, want 3.8", got.at)
	}
	u := got.ended[0]
	if !near(u.At.Seconds(), 1.8, 0.06) {
		t.Errorf("the utterance begins at %v, want 1.8 s", u.At)
	}
	if length := Length(Rate, len(u.Samples)).Seconds(); !near(length, 1.4, 0.15) {
		t.Errorf("it is %v s long, want 1.4", length)
	}
	from := Count(Rate, u.At)
	for i, s := range u.Samples {
		if line[from+i] != s {
			t.Fatalf("sample %d is not the line's", i)
		}
	}
}

func TestWhatTheListenerMakesOfALine(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		said     map[float64][]int16
		patience time.Duration
		started  int
		ended    []float64 // when
	}{
		"nothing":                                 {ended: nil},
		"a short yes does not interrupt":          {said: map[float64][]int16{2: vowel(150 * time.Millisecond)}, ended: []float64{2.95}},
		"a knock is no word":                      {said: map[float64][]int16{2: vowel(60 * time.Millisecond)}},
		"impatient":                               {said: map[float64][]int16{2: speech(time.Second)}, patience: 600 * time.Millisecond, started: 1, ended: []float64{3.6}},
		"patient":                                 {said: map[float64][]int16{2: speech(time.Second)}, patience: 1500 * time.Millisecond, started: 1, ended: []float64{4.5}},
		"a pause shorter than our patience":       {said: map[float64][]int16{2: speech(time.Second), 4: speech(time.Second)}, patience: 1500 * time.Millisecond, started: 1, ended: []float64{6.5}},
		"a pause longer than our patience":        {said: map[float64][]int16{2: speech(time.Second), 4: speech(time.Second)}, patience: 600 * time.Millisecond, started: 2, ended: []float64{3.6, 5.6}},
		"a click in a pause does not make it new": {said: map[float64][]int16{2: speech(time.Second), 3.5: {20000, 20000, -20000}}, started: 1, ended: []float64{3.8}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := NewListener(ListenerOptions{})
			if tt.patience > 0 {
				l.SetPatience(tt.patience)
			}
			var got turns
			inFrames(call(8*time.Second, tt.said), Rate, func(f Frame) { got.hear(l, f) })
			if len(got.started) != tt.started || len(got.ended) != len(tt.ended) {
				t.Fatalf("started at %v, ended at %v, want %d and %v", got.started, got.at, tt.started, tt.ended)
			}
			for i := range tt.ended {
				if !near(got.at[i], tt.ended[i], 0.15) {
					t.Errorf("ended at %v, want %v", got.at, tt.ended)
				}
			}
		})
	}
}

func TestPatienceChangesWhileSomebodySpeaks(t *testing.T) {
	t.Parallel()
	l := NewListener(ListenerOptions{})
	var got turns
	inFrames(call(6*time.Second, map[float64][]int16{2: speech(time.Second)}), Rate, func(f Frame) {
		if f.At == 2500*time.Millisecond {
			l.SetPatience(1500 * time.Millisecond)
		}
		got.hear(l, f)
	})
	if len(got.at) != 1 || !near(got.at[0], 4.5, 0.15) {
		t.Errorf("ended at %v, want 4.5", got.at)
	}
}

func TestWhoDoesNotStopIsCut(t *testing.T) {
	t.Parallel()
	l := NewListener(ListenerOptions{})
	var got turns
	most := 0
	inFrames(call(70*time.Second, map[float64][]int16{2: speech(65 * time.Second)}), Rate, func(f Frame) {
		got.hear(l, f)
		most = max(most, cap(l.current.Samples)+cap(l.preroll))
	})
	if len(got.started) != 1 || len(got.ended) != 3 {
		t.Fatalf("started at %v, ended at %v", got.started, got.at)
	}
	for i, u := range got.ended {
		if length := Length(Rate, len(u.Samples)); u.Cut != (i < 2) || length > 30*time.Second {
			t.Errorf("utterance %d is %v long, cut %v", i, length, u.Cut)
		}
		if i > 0 && u.At != got.ended[i-1].At+30*time.Second {
			t.Errorf("utterance %d begins at %v, and the one before at %v", i, u.At, got.ended[i-1].At)
		}
	}
	if most > Count(Rate, 60*time.Second) {
		t.Errorf("%d samples were kept", most)
	}
}

func TestTimeWithoutFrames(t *testing.T) {
	t.Parallel()
	line := call(6*time.Second, map[float64][]int16{2: speech(time.Second), 4: speech(time.Second)})
	t.Run("the caller's sound stops in the middle of a word", func(t *testing.T) {
		t.Parallel()
		l := NewListener(ListenerOptions{})
		var got turns
		inFrames(line, Rate, func(f Frame) {
			if f.At < 2700*time.Millisecond || f.At > 3900*time.Millisecond {
				got.hear(l, f)
			}
		})
		if len(got.ended) != 2 || !near(got.at[0], 3.94, 0.1) || !near(Length(Rate, len(got.ended[0].Samples)).Seconds(), 1.1, 0.1) {
			t.Errorf("ended at %v", got.at)
		}
	})
	t.Run("frames that were overtaken do not count twice", func(t *testing.T) {
		t.Parallel()
		l := NewListener(ListenerOptions{})
		var got turns
		inFrames(line, Rate, func(f Frame) {
			got.hear(l, f)
			f.At -= 2 * FrameTime
			got.hear(l, f)
		})
		if len(got.ended) != 2 || !near(Length(Rate, len(got.ended[0].Samples)).Seconds(), 1.4, 0.15) {
			t.Errorf("ended at %v", got.at)
		}
	})
	t.Run("a source that begins anew is listened to", func(t *testing.T) {
		t.Parallel()
		l := NewListener(ListenerOptions{})
		var got turns
		inFrames(line, Rate, func(f Frame) {
			f.At += time.Hour
			got.hear(l, f)
		})
		inFrames(line, Rate, func(f Frame) { got.hear(l, f) })
		if len(got.ended) != 4 {
			t.Errorf("ended at %v", got.at)
		}
	})
}

func TestTheCallerHangsUp(t *testing.T) {
	t.Parallel()
	l := NewListener(ListenerOptions{})
	if l.Stop() != nil {
		t.Error("nobody spoke, and there is an utterance")
	}
	inFrames(call(2500*time.Millisecond, map[float64][]int16{2: speech(time.Second)}), Rate, func(f Frame) { l.Hear(f) })
	if u := l.Stop(); u == nil || l.Speaking() || !near(u.At.Seconds(), 1.8, 0.06) {
		t.Errorf("got %+v", u)
	}
}
