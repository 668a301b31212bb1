package audio

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"
)

func TestKeyEvents(t *testing.T) {
	t.Parallel()
	for i, key := range []byte(keys) {
		want := KeyEvent{Key: key, End: i%2 == 0, Volume: 10, Duration: 800 + i}
		payload, ok := want.Append(nil)
		got, err := ParseKeyEvent(payload)
		if !ok || err != nil || got != want {
			t.Errorf("%c: got %+v, %v", key, got, err)
		}
	}
	if payload, _ := (KeyEvent{Key: '#', End: true, Volume: 10, Duration: 800}).Append(nil); !bytes.Equal(payload, []byte{11, 0x8A, 3, 0x20}) {
		t.Errorf("# is %v", payload)
	}
	if _, ok := (KeyEvent{Key: 'x'}).Append(nil); ok {
		t.Error("x is a key")
	}
	if _, err := ParseKeyEvent([]byte{1, 2, 3}); err == nil {
		t.Error("three bytes are an event")
	}
	if e, err := ParseKeyEvent([]byte{16, 0, 0, 0}); err != nil || e.Key != 0 {
		t.Error("a hook flash is a key")
	}
}

type keyPacket struct {
	at      uint32
	payload []byte
}

// pressed is what is sent when keys are pressed, 200 ms apart.
func pressed(number string, from uint32, length time.Duration) []keyPacket {
	var out []keyPacket
	for i, key := range []byte(number) {
		for _, e := range KeyPress(key, length) {
			payload, _ := e.Append(nil)
			out = append(out, keyPacket{from + uint32(i)*uint32(Count(Rate, length+100*time.Millisecond)), payload})
		}
	}
	return out
}

func dialled(packets []keyPacket) string {
	var k Keys
	var out []byte
	for _, p := range packets {
		if key, ok := k.Hear(p.at, p.payload); ok {
			out = append(out, key)
		}
	}
	return string(out)
}

func TestEachPressOnce(t *testing.T) {
	t.Parallel()
	const number = "6004455*#"
	for seed := range uint64(50) {
		r := random(seed)
		packets := pressed(number, math.MaxUint32-4000, 100*time.Millisecond)
		var line []keyPacket
		for i, p := range packets {
			first := i%7 == 0 // of each press, at least one arrives
			if !first && r.IntN(4) == 0 {
				continue
			}
			line = append(line, p)
			for r.IntN(4) == 0 {
				line = append(line, p)
			}
		}
		for i := 1; i < len(line); i++ {
			if r.IntN(3) == 0 && line[i].at == line[i-1].at {
				line[i-1], line[i] = line[i], line[i-1]
			}
		}
		if got := dialled(line); got != number {
			t.Errorf("%d: %q was heard as %q", seed, number, got)
		}
	}
}

func TestPressesThatAreOdd(t *testing.T) {
	t.Parallel()
	two := pressed("12", 1000, 100*time.Millisecond)
	part := func(at uint32, duration uint16, end byte) keyPacket {
		return keyPacket{at, []byte{5, end, byte(duration >> 8), byte(duration)}}
	}
	tests := map[string]struct {
		packets []keyPacket
		want    string
	}{
		"only the ends arrive":                    {[]keyPacket{two[6], two[13]}, "12"},
		"the first is told after the second":      {[]keyPacket{two[8], two[0]}, "2"},
		"another stream with an earlier clock":    {[]keyPacket{part(3000000000, 800, 0x80), part(2000000000, 160, 0), part(2000000000, 800, 0x80)}, "55"},
		"no end, and the same again":              {[]keyPacket{part(1000, 800, 0), part(4000, 160, 0), part(4000, 800, 0x80)}, "55"},
		"a press longer than a duration can say":  {[]keyPacket{part(1000, 160, 0), part(1000, 0xFFFF, 0), part(1000+0xFFFF, 160, 0), part(1000+0xFFFF, 800, 0x80)}, "5"},
		"too short to be an event is passed over": {[]keyPacket{{1, []byte{5, 0}}, part(2, 160, 0)}, "5"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := dialled(tt.packets); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzKeys(f *testing.F) {
	f.Add(uint32(1), []byte{5, 0x80, 3, 4}, uint32(2), []byte{5, 0, 3, 4})
	f.Fuzz(func(t *testing.T, at uint32, first []byte, then uint32, second []byte) {
		var k Keys
		k.Hear(at, first)
		k.Hear(then, second)
		if _, again := k.Hear(then, second); again {
			t.Error("the same packet is two presses")
		}
	})
}

// heardKeys is what a KeyDetector makes of a line.
func heardKeys(samples []int16, rate int) string {
	d := NewKeyDetector(rate)
	var out []byte
	inFrames(samples, rate, func(f Frame) {
		if key, ok := d.Hear(f.Samples); ok {
			out = append(out, key)
		}
	})
	return string(out)
}

// keyAt is a key with its tones' levels and its frequencies off by a share.
func keyAt(row, column int, low, high, off float64, length time.Duration) []int16 {
	return mix(Tone(Rate, length, low, rowTones[row]*(1+off)), Tone(Rate, length, high, columnTones[column]*(1+off)), 0)
}

func TestKeysInTheSound(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{8000, 16000, 48000} {
		for _, length := range []time.Duration{60, 100, 400} {
			for shift := range 8 { // how the tones lie in the frames
				r := random(uint64(shift))
				line := make([]int16, rate/2+shift*rate/400)
				for _, key := range []byte(keypad + keypad + "11223") {
					line = append(line, KeyTone(rate, key, length*time.Millisecond)...)
					line = append(line, make([]int16, rate/20)...)
				}
				line = mix(line, noise(r, rate, Length(rate, len(line)), -34), 0)
				if rate == 8000 {
					line = PCMA.Decode(nil, PCMA.Encode(nil, line))
				}
				if got := heardKeys(line, rate); got != keypad+keypad+"11223" {
					t.Errorf("%d Hz, %d ms, shift %d: heard %q", rate, length, shift, got)
				}
			}
		}
	}
}

func TestKeysAtTheLimits(t *testing.T) {
	t.Parallel()
	const long = 100 * time.Millisecond
	tests := map[string]struct {
		line []int16
		want string
	}{
		"a key":                      {keyAt(1, 1, -15, -15, 0, long), "5"},
		"quiet":                      {keyAt(1, 1, -36, -36, 0, long), "5"},
		"too quiet":                  {keyAt(1, 1, -42, -42, 0, long), ""},
		"the row 7 dB stronger":      {keyAt(1, 1, -15, -22, 0, long), "5"},
		"the row 10 dB stronger":     {keyAt(1, 1, -15, -25, 0, long), ""},
		"the column 3 dB stronger":   {keyAt(1, 1, -18, -15, 0, long), "5"},
		"the column 6 dB stronger":   {keyAt(1, 1, -21, -15, 0, long), ""},
		"1.5 % too high":             {keyAt(3, 3, -15, -15, 0.015, long), "D"},
		"1.5 % too low":              {keyAt(0, 0, -15, -15, -0.015, long), "1"},
		"4 % too high":               {keyAt(2, 2, -15, -15, 0.04, long), ""},
		"too short":                  {keyAt(1, 1, -15, -15, 0, 25*time.Millisecond), ""},
		"one tone":                   {Tone(Rate, long, -15, 770), ""},
		"a dial tone":                {Tone(Rate, time.Second, -15, 425), ""},
		"a North American dial tone": {Tone(Rate, time.Second, -15, 350, 440), ""},
		"three tones":                {Tone(Rate, long, -20, 770, 852, 1336), ""},
		"a hole of 20 ms is no release": {
			append(append(keyAt(1, 1, -15, -15, 0, long), make([]int16, 80)...), keyAt(1, 1, -15, -15, 0, long)...), "5",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for shift := range 4 {
				line := append(make([]int16, 160+shift*23), tt.line...)
				if got := heardKeys(append(line, make([]int16, 800)...), Rate); got != tt.want {
					t.Errorf("shift %d: heard %q, want %q", shift, got, tt.want)
				}
			}
		})
	}
}

func TestSpeechHasNoKeys(t *testing.T) {
	t.Parallel()
	const length = time.Minute
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			if got := heardKeys(voice(random(seed), Rate, length, -15), Rate); got != "" {
				t.Errorf("in %v of speech there were %q", length, got)
			}
		})
	}
	if got := heardKeys(noise(random(1), Rate, length, -15), Rate); got != "" {
		t.Errorf("in noise there were %q", got)
	}
}

func TestNoKeyHasNoTone(t *testing.T) {
	t.Parallel()
	if KeyTone(Rate, 'x', time.Second) != nil || len(KeyTone(Rate, '5', time.Second)) != Rate {
		t.Error("x has a tone, or 5 has none")
	}
}
