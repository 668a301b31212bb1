package audio

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// ones is n samples of some value.
func ones(n int, value int16) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = value
	}
	return out
}

func TestPromptsOneAfterTheOther(t *testing.T) {
	t.Parallel()
	p := NewPlayer(PlayerOptions{})
	for i, n := range []int{200, 60, 300} {
		if err := p.Write(fmt.Sprint(i), ones(n, int16(1000*(i+1)))); err != nil {
			t.Fatal(err)
		}
		p.Mark(fmt.Sprint("mark ", i))
	}
	p.End()
	var all []int16
	var log []string
	for range 5 {
		frame := make([]int16, 160)
		played := p.Next(frame)
		all = append(all, frame...)
		log = append(log, fmt.Sprintf("%s %d %v %v %v %v", played.Position.Prompt, played.Position.Played, played.Marks, played.Ended, played.Silent, played.Empty))
	}
	want := []string{
		"0 160 [] [] false false",
		"2 60 [mark 0 mark 1] [0 1] false false",
		"2 220 [] [] false false",
		"2 300 [mark 2] [2] false true",
		" 0 [] [] true false",
	}
	if !slices.Equal(log, want) {
		t.Errorf("got\n%q, want\n%q", log, want)
	}
	if !slices.Equal(all[:560], slices.Concat(ones(200, 1000), ones(60, 2000), ones(300, 3000))) {
		t.Error("the samples are not those of the prompts")
	}
	if got := level(all[560:]); got > -60 || got < -75 {
		t.Errorf("silence is at %.1f dBFS", got)
	}
}

func TestAGapBetweenPrompts(t *testing.T) {
	t.Parallel()
	p := NewPlayer(PlayerOptions{Gap: 50 * time.Millisecond})
	_ = p.Write("a", ones(200, 1000))
	_ = p.Write("b", ones(200, 2000))
	p.End()
	var all []int16
	for range 6 {
		frame := make([]int16, 160)
		p.Next(frame)
		all = append(all, frame...)
	}
	if all[199] != 1000 || slices.Max(all[200:600]) > 100 || all[600] != 2000 || all[799] != 2000 || all[800] > 100 {
		t.Error("there is no gap of 400 samples between the prompts")
	}
}

func TestSpeechThatIsStillBeingMade(t *testing.T) {
	t.Parallel()
	p := NewPlayer(PlayerOptions{})
	frame := make([]int16, 160)
	_ = p.Write("a", ones(100, 1000))
	if got := p.Next(frame); got.Position != (Position{Prompt: "a", Played: 100}) || got.Empty || frame[99] != 1000 || frame[100] > 100 {
		t.Errorf("of what is there: %+v", got)
	}
	if got := p.Next(frame); !got.Silent || got.Empty || len(got.Ended) > 0 {
		t.Errorf("while more is being made: %+v", got)
	}
	_ = p.Write("a", ones(160, 1000))
	if got := p.Next(frame); got.Position.Played != 260 || got.Empty {
		t.Errorf("when more came: %+v", got)
	}
	p.End()
	if got := p.Next(frame); !slices.Equal(got.Ended, []string{"a"}) || !got.Empty || !got.Position.Whole || got.Position.Played != 260 {
		t.Errorf("when that was all: %+v", got)
	}
}

func TestCutOff(t *testing.T) {
	t.Parallel()
	p := NewPlayer(PlayerOptions{})
	frame := make([]int16, 160)
	_ = p.Write("a", ones(1000, 10000))
	p.Mark("end")
	_ = p.Write("b", ones(1000, 10000))
	p.End()
	p.Next(frame)
	p.Next(frame)
	if got := p.Cut(); got != (Position{Prompt: "a", Played: 320}) {
		t.Errorf("cut at %+v", got)
	}
	if got := p.Next(frame); !got.Silent || len(got.Marks)+len(got.Ended) > 0 || got.Empty {
		t.Errorf("after the cut: %+v", got)
	}
	for i := 1; i < len(frame); i++ {
		if step := int(frame[i-1]) - int(frame[i]); step > 1000 || i > 40 && frame[i] > 100 {
			t.Fatalf("the cut clicks at %d: %v", i, frame[:50])
		}
	}
	if !p.Empty() || p.Waiting() != 0 || p.Cut() != (Position{}) {
		t.Error("something is left")
	}
	_ = p.Write("c", ones(160, 1000))
	if got := p.Next(frame); got.Position.Prompt != "c" || frame[0] != 1000 {
		t.Errorf("what comes next: %+v", got)
	}
}

func TestTooMuchToPlay(t *testing.T) {
	t.Parallel()
	p := NewPlayer(PlayerOptions{Longest: time.Second})
	if err := p.Write("a", make([]int16, 8000)); err != nil {
		t.Fatal(err)
	}
	if err := p.Write("a", make([]int16, 1)); !errors.Is(err, ErrPlayerFull) {
		t.Errorf("got %v", err)
	}
	if p.Mark("x"); p.Waiting() != time.Second {
		t.Errorf("%v waits", p.Waiting())
	}
	if NewPlayer(PlayerOptions{}).Mark("x") {
		t.Error("a mark without a prompt")
	}
}
